package prove

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler/ir"
)

// What a proof asks of other launches are conditions on arguments and the grid's sizes: that a tensor has as many
// elements as its accesses reach, that no integer wraps. Both come from the largest value of an expression.

// ceiling is the search for polys of symbols that another poly is at most.
type ceiling struct {
	*question
	found []poly
}

// maxCeilings and maxCeilingSteps bound the search.
const maxCeilings, maxCeilingSteps = 16, 300

// ceilings are polys of arguments and the grid's sizes alone that x is at most, wherever all of given are at least 0.
func (s *prover) ceilings(x poly, given []poly) []poly {
	c := &ceiling{question: s.ask(x, given, maxCeilingSteps)}
	c.lower(x.negated(), 1)
	return c.found
}

// lower replaces the atoms of x, which is scale times minus what the ceilings are of, by bounds of symbols, so that x
// does not become larger.
func (c *ceiling) lower(x poly, scale int64) {
	key := x.key()
	if x.lost || c.seen[key] || c.steps <= 0 || c.effort <= 0 || len(c.found) == maxCeilings {
		return
	}
	c.seen[key] = true
	c.steps--
	c.effort--
	open := c.unknowns(x)
	if len(open) == 0 {
		if y, ok := x.negated().over(scale); ok {
			c.found = append(c.found, y)
		}
		return
	}
	for _, a := range open {
		coef, rest, ok := x.in(a)
		sign := 0
		if ok {
			sign = c.signOf(coef)
		}
		if sign == 0 {
			continue
		}
		for _, b := range c.boundsOf(a, sign) {
			// coef·a + rest with by·a on the right side of the bound.
			k := b.by.coef / coef.common(b.by.coef)
			if whole, left := coef.times(k).split(b.by); len(left.terms) == 0 && !left.lost && k <= maxScale/scale {
				c.lower(whole.mul(b.of).add(rest.times(k)), scale*k)
			} else if sign < 0 && c.list[a].lo >= 0 { // by is at least 1, so that a is not above the bound either
				c.lower(coef.mul(b.of).add(rest), scale)
			}
		}
		return // what other atoms could give is found after this one is gone
	}
}

// maxScale bounds by what a poly is multiplied while atoms are replaced.
const maxScale = 1 << 20

// unknowns are the atoms of x that are no symbols, those made of others first.
func (c *ceiling) unknowns(x poly) (list []atomID) {
	for _, t := range x.terms {
		for a := range t.m.atoms() {
			if c.list[a].kind > gridSize {
				list = append(list, a)
			}
		}
	}
	slices.SortFunc(list, func(a, b atomID) int {
		return cmp.Or(cmp.Compare(c.list[b].kind, c.list[a].kind), cmp.Compare(b, a))
	})
	return slices.Compact(list)
}

// least is the ceiling of x that is the least in the launch, and what it is there; of equal ones the shortest, that
// with the fewest sizes of the grid. Not ok where none was found.
func (a *analysis) least(x poly, given []poly) (most poly, number int64, ok bool) {
	list := a.ceilings(x, given)
	grids := func(x poly) (n int) {
		for _, s := range a.symbols {
			if s.isGrid && x.has(s.atom.terms[0].m.first()) {
				n++
			}
		}
		return n
	}
	if len(list) == 0 {
		return lost, 0, false
	}
	most = slices.MinFunc(list, func(x, y poly) int {
		return cmp.Or(cmp.Compare(a.numberOf(x), a.numberOf(y)), cmp.Compare(len(x.terms), len(y.terms)),
			cmp.Compare(grids(x), grids(y)))
	})
	return most, a.numberOf(most), true
}

// numberOf is what a poly of symbols is in the launch, unbounded where that is very large.
func (a *analysis) numberOf(x poly) int64 {
	at := interval{}
	for _, t := range x.terms {
		part := interval{t.coef, t.coef}
		for m := range t.m.atoms() {
			n := symbolOf(m, a.symbols).number
			part = part.mul(interval{n, n})
		}
		at = at.add(part)
	}
	return at.hi
}

// assumption is that an integer of so many bits that a proof for other launches rests on does not wrap, where control
// comes to it.
type assumption struct {
	x     poly
	bits  int
	given []poly
}

// limit is a condition that a poly is at most what an integer of so many bits holds, and one.
type limit struct {
	x    poly
	bits int
}

func (l limit) most() int64 { return 1 << min(l.bits-1, 62) }

// wrapping is under which limits an integer does not wrap.
type wrapping struct {
	limits   []limit
	complete bool // no other conditions are needed
	holds    bool // it does not in this launch, as far as is known
}

// wrapping finds the limits of a value that is assumed not to wrap.
func (a *analysis) wrapping(v *ir.Value) *wrapping {
	if w, found := a.wraps[v]; found {
		return w
	}
	w, as := &wrapping{complete: true, holds: true}, a.assumed[v]
	a.wraps[v] = w
	for _, x := range []poly{as.x, as.x.negated()} {
		l := limit{lost, as.bits}
		if a.rangeOf(x).hi < l.most() {
			continue
		}
		top, number, ok := a.least(x, as.given)
		l.x = top.addConst(1)
		w.complete, w.holds = w.complete && ok, w.holds && (!ok || number < l.most())
		if _, constant := top.value(); ok && !constant && !a.isSymbol(top) {
			w.limits = append(w.limits, a.shorter(l))
		}
	}
	return w
}

// mayWrap reports whether one of the integers that an access rests on may wrap in this launch.
func (a *analysis) mayWrap(reach map[*ir.Value]bool) bool {
	for _, v := range a.inOrder {
		if reach[v] && !a.wrapping(v).holds {
			return true
		}
	}
	return false
}

// noWrap are conditions under which none of the integers wraps that proofs rest on. complete: no others are needed.
func (a *analysis) noWrap(values map[*ir.Value]bool) (conditions []string, complete bool) {
	var list []limit
	complete = true
	for _, v := range a.inOrder {
		if values[v] {
			list = append(list, a.wrapping(v).limits...)
			complete = complete && a.wrapping(v).complete
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
	return conditions, complete
}

// shorter is a limit on less terms that implies l and holds in the launch as well, if there is one.
func (a *analysis) shorter(l limit) limit {
	y := poly{}
	for _, t := range l.x.terms {
		if t.m != "" && t.coef > 0 {
			y.terms = append(y.terms, t)
		}
	}
	if a.covers(y, l.x) && a.numberOf(y) <= l.most() {
		return limit{y, l.bits}
	}
	return l
}

// covers reports whether y is at most x.
func (a *analysis) covers(x, y poly) bool { return a.positive(x.sub(y).addConst(1), nil) }

// isSymbol reports whether x is at most an argument or a size of the grid, which do not wrap.
func (a *analysis) isSymbol(x poly) bool {
	return slices.ContainsFunc(a.symbols, func(s symbol) bool { return a.covers(s.atom.times(s.scale), x) })
}

// sum writes a poly of symbols in Python, products of many before those of few.
func (a *analysis) sum(x poly) string {
	terms := slices.Clone(x.terms)
	slices.SortStableFunc(terms, func(s, t term) int {
		return cmp.Or(cmp.Compare(min(t.coef, 0), min(s.coef, 0)), cmp.Compare(len(t.m), len(s.m)))
	})
	var text strings.Builder
	for i, t := range terms {
		switch {
		case t.coef < 0:
			t.coef = -t.coef
			text.WriteString(" - ")
		case i > 0:
			text.WriteString(" + ")
		}
		text.WriteString(a.product(t))
	}
	return text.String()
}
