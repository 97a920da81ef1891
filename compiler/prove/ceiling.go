package prove

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler/facts"
	"github.com/newtlab/newt/compiler/ir"
)

// What a proof asks of other launches are conditions on arguments and the grid's sizes: that a tensor has as many
// elements as its accesses reach, that no integer wraps. Both come from the largest value of an expression.

// ceiling is the search for sums of symbols that another sum is at most.
type ceiling struct {
	*question
	found []facts.Sum
}

// maxCeilings and maxCeilingSteps bound the search.
const maxCeilings, maxCeilingSteps = 16, 300

// ceilings are sums of arguments and the grid's sizes alone that x is at most, wherever all of given are at least 0.
func (s *prover) ceilings(x facts.Sum, given []facts.Sum) []facts.Sum {
	c := &ceiling{question: s.ask(x, given, maxCeilingSteps)}
	c.lower(x.Negated(), 1)
	return c.found
}

// lower replaces the atoms of x, which is scale times minus what the ceilings are of, by bounds of symbols, so that x
// does not become larger.
func (c *ceiling) lower(x facts.Sum, scale int64) {
	key := x.Key()
	if x.Lost || c.seen[key] || c.steps <= 0 || c.effort <= 0 || len(c.found) == maxCeilings {
		return
	}
	c.seen[key] = true
	c.steps--
	c.effort--
	open := c.unknowns(x)
	if len(open) == 0 {
		if y, ok := x.Negated().Over(scale); ok {
			c.found = append(c.found, y)
		}
		return
	}
	for _, a := range open {
		coef, rest, ok := c.Linear(x, a)
		sign := 0
		if ok {
			sign = c.signOf(coef)
		}
		if sign == 0 {
			continue
		}
		for _, b := range c.boundsOf(a, sign) {
			// coef·a + rest with by·a on the right side of the bound.
			k := b.by.Coef / coef.Common(b.by.Coef)
			if whole, left := c.Split(coef.Times(k), b.by); left.IsZero() && k <= maxScale/scale {
				c.lower(c.Mul(whole, b.of).Add(rest.Times(k)), scale*k)
			} else if sign < 0 && c.IntervalOf(a).Lo >= 0 { // by is at least 1: a is not above the bound either
				c.lower(c.Mul(coef, b.of).Add(rest), scale)
			}
		}
		return // what other atoms could give is found after this one is gone
	}
}

// maxScale bounds by what a sum is multiplied while atoms are replaced.
const maxScale = 1 << 20

// unknowns are the atoms of x that are no symbols, those made of others first.
func (c *ceiling) unknowns(x facts.Sum) (list []facts.Atom) {
	for a := range c.In(x) {
		if c.Kind(a) > facts.GridSize {
			list = append(list, a)
		}
	}
	return c.outermost(list)
}

// least is the ceiling of x that is the least in the launch, and what it is there; of equal ones the shortest, that
// with the fewest sizes of the grid. Not ok where none was found.
func (a *analysis) least(x facts.Sum, given []facts.Sum) (most facts.Sum, number int64, ok bool) {
	list := a.ceilings(x, given)
	grids := func(x facts.Sum) (n int) {
		for _, s := range a.symbols {
			if s.isGrid && a.Has(x, s.atom) {
				n++
			}
		}
		return n
	}
	if len(list) == 0 {
		return facts.Unknown, 0, false
	}
	most = slices.MinFunc(list, func(x, y facts.Sum) int {
		return cmp.Or(cmp.Compare(a.numberOf(x), a.numberOf(y)), cmp.Compare(len(x.Terms), len(y.Terms)),
			cmp.Compare(grids(x), grids(y)))
	})
	return most, a.numberOf(most), true
}

// numberOf is what a sum of symbols is in the launch, unbounded where that is very large.
func (a *analysis) numberOf(x facts.Sum) int64 {
	return a.numberWhere(x, func(s symbol) int64 { return s.number })
}

// numberWhere is numberOf where symbols are other numbers.
func (a *analysis) numberWhere(x facts.Sum, is func(symbol) int64) int64 {
	at := facts.Exactly(x.C)
	for _, t := range x.Terms {
		part := facts.Exactly(t.Coef)
		for _, m := range a.Factors(t.Atom) {
			part = part.Times(facts.Exactly(is(a.symbolOf(m))))
		}
		at = at.Plus(part)
	}
	return at.Hi
}

// limit is a condition that a sum is at most what an integer of so many bits holds, and one.
type limit struct {
	x    facts.Sum
	bits int
}

func (l limit) most() int64 { return 1 << min(l.bits-1, 62) }

// wrapping is under which limits an integer does not wrap. It holds if these are all that is needed, and it does not
// wrap in this launch, as far as is known.
type wrapping struct {
	limits []limit
	holds  bool
}

// wrapping finds the limits of a value that is assumed not to wrap.
func (a *analysis) wrapping(v *ir.Value) *wrapping {
	if w, found := a.wraps[v]; found {
		return w
	}
	w, as := &wrapping{holds: true}, a.Assumed[v]
	a.wraps[v] = w
	for _, x := range []facts.Sum{as.Sum, as.Negated()} {
		l := limit{facts.Unknown, as.Bits}
		if a.RangeOf(x).Hi < l.most() {
			continue
		}
		top, number, ok := a.least(x, as.Given)
		if w.holds = w.holds && ok && number < l.most(); !w.holds {
			break
		}
		l.x = top.AddConst(1)
		if _, constant := top.Value(); !constant && !a.isSymbol(top) {
			w.limits = append(w.limits, a.shorter(l))
		}
	}
	return w
}

// mayWrap reports whether one of the integers that an access rests on may wrap in this launch, or in others under no
// limits that are known.
func (a *analysis) mayWrap(reach map[*ir.Value]bool) bool {
	for _, v := range a.inOrder {
		if reach[v] && !a.wrapping(v).holds {
			return true
		}
	}
	return false
}

// noWrap are conditions under which none of the integers wraps that proofs rest on.
func (a *analysis) noWrap(values map[*ir.Value]bool) (conditions []string) {
	var list []limit
	for _, v := range a.inOrder {
		if values[v] {
			list = append(list, a.wrapping(v).limits...)
		}
	}
	for i, l := range list {
		implied := false // by another one
		for j, m := range list {
			implied = implied || i != j && m.bits == l.bits && a.covers(m.x, l.x) && (j > i || !a.covers(l.x, m.x))
		}
		if !implied {
			conditions = append(conditions, fmt.Sprint(a.sum(l.x), " <= 2**", min(l.bits-1, 62)))
		}
	}
	return conditions
}

// shorter is a limit on less terms that implies l and holds in the launch as well, if there is one.
func (a *analysis) shorter(l limit) limit {
	y := facts.Sum{}
	for _, t := range l.x.Terms {
		if t.Coef > 0 {
			y.Terms = append(y.Terms, t)
		}
	}
	if a.covers(y, l.x) && a.numberOf(y) <= l.most() {
		return limit{y, l.bits}
	}
	return l
}

// covers reports whether y is at most x.
func (a *analysis) covers(x, y facts.Sum) bool { return a.positive(x.Sub(y).AddConst(1), nil) }

// isSymbol reports whether x is at most an argument or a size of the grid, which do not wrap.
func (a *analysis) isSymbol(x facts.Sum) bool {
	return slices.ContainsFunc(a.symbols, func(s symbol) bool { return a.covers(a.Sum(s.atom).Times(s.scale), x) })
}

// sum writes a sum of symbols in Python, products of many before those of few.
func (a *analysis) sum(x facts.Sum) string {
	terms := slices.Clone(x.Terms)
	if x.C != 0 {
		terms = append(terms, facts.Term{Atom: facts.One, Coef: x.C})
	}
	slices.SortStableFunc(terms, func(s, t facts.Term) int {
		f, g := a.Factors(s.Atom), a.Factors(t.Atom)
		return cmp.Or(cmp.Compare(min(t.Coef, 0), min(s.Coef, 0)), cmp.Compare(len(g), len(f)), slices.Compare(f, g))
	})
	var text strings.Builder
	for i, t := range terms {
		switch {
		case t.Coef < 0:
			t.Coef = -t.Coef
			text.WriteString(" - ")
		case i > 0:
			text.WriteString(" + ")
		}
		text.WriteString(a.product(t))
	}
	return text.String()
}
