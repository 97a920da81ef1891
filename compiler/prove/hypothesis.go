package prove

import (
	"fmt"
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler/facts"
)

func (a *analysis) symbolOf(x facts.Atom) symbol {
	return a.symbols[slices.IndexFunc(a.symbols, func(s symbol) bool { return s.atom == x })]
}

// product writes a term in Python: "2 * N0 * N1", "N0 * N1 // 8".
func (a *analysis) product(t facts.Term) string {
	var names []string
	scale := int64(1)
	for _, m := range a.Factors(t.Atom) {
		s := a.symbolOf(m)
		names = append(names, s.name)
		scale *= s.scale
	}
	d := facts.GCD(t.Coef, scale)
	if k := t.Coef / d; k != 1 || len(names) == 0 {
		names = append([]string{fmt.Sprint(k)}, names...)
	}
	text := strings.Join(names, " * ")
	if k := scale / d; k != 1 {
		text += fmt.Sprint(" // ", k)
	}
	return text
}

// inBounds proves that an access is within its tensor, for any size under conditions: that the tensor has as many
// elements as the access reaches, the weakest there is.
func (a *analysis) inBounds(e effect) (conditions []string, ok bool) {
	m := a.launch.Args.Args[e.arg]
	n := m.First + m.Count
	if !a.anySize {
		inside := a.positive(e.at.AddConst(1-m.First), e.given) && a.positive(facts.Constant(n).Sub(e.at), e.given)
		return nil, inside || a.contradictory(e.given)
	}
	if a.contradictory(e.given) {
		return a.multiples(e.given), true
	}
	last, number, ok := a.least(e.at, e.given)
	if _, same := last.Value(); !ok || same || number >= n || !a.positive(e.at.AddConst(1), e.given) {
		return nil, false
	}
	conditions = []string{a.fn.Params[e.arg].Name + ".numel() >= " + a.sum(last.AddConst(1))}
	return append(conditions, a.multiples(append([]facts.Sum{e.at}, e.given...))...), true
}

// maxResiduals is how many conditions on strides a proof may rest on.
const maxResiduals = 3

// proveUnder tries a proof; where it fails for want of a condition on strides, again under that.
func (a *analysis) proveUnder(proof func(given []facts.Sum) bool) (conditions []string, ok bool) {
	var given []facts.Sum
	for {
		a.residual = facts.Unknown
		if proof(slices.Clone(given)) {
			return conditions, true
		}
		if a.residual.Lost || len(given) == maxResiduals {
			return nil, false
		}
		given = append(given, a.residual.AddConst(-1))
		conditions = append(conditions, a.atLeast(a.residual))
	}
}

// atLeast writes x > 0, where x is s - t + 1.
func (a *analysis) atLeast(x facts.Sum) string {
	s, t := x.Terms[0], x.Terms[1]
	if s.Coef < 0 {
		s, t = t, s
	}
	t.Coef = -t.Coef
	if k := a.symbolOf(s.Atom).scale; k > 1 { // both are in units of that
		s.Coef, t.Coef = s.Coef*k, t.Coef*k
	}
	return a.product(s) + " >= " + a.product(t)
}

// multiples are the conditions of arguments that are multiples, as far as sums are made of them.
func (a *analysis) multiples(of []facts.Sum) (conditions []string) {
	seen, _ := a.closure(facts.Sum{}, of)
	seen = append(seen, of...)
	for _, s := range a.symbols {
		occurs := slices.ContainsFunc(seen, func(x facts.Sum) bool { return a.Has(x, s.atom) })
		if s.scale > 1 && occurs {
			conditions = append(conditions, fmt.Sprint(s.name, " % ", s.scale, " == 0"))
		}
	}
	return conditions
}

// raceFree proves that no two programs race at a tensor, and says what that rests on.
func (a *analysis) raceFree(param int) (conditions []string, ok bool) {
	for i, x := range a.effects {
		for _, y := range a.effects[i:] {
			if !x.writes && !y.writes || x.atomic && y.atomic || !a.touches(param, x) || !a.touches(param, y) {
				continue
			}
			if x.arg == facts.Anywhere || y.arg == facts.Anywhere || !a.sameStart(x.arg, y.arg) {
				return nil, false
			}
			more, ok := a.proveUnder(func(given []facts.Sum) bool {
				under := x
				under.given = append(given, x.given...)
				return a.disjoint(under, y)
			})
			if !ok {
				return nil, false
			}
			more = append(more, a.multiples(append([]facts.Sum{x.at, y.at}, append(x.given, y.given...)...))...)
			for _, c := range more {
				if !slices.Contains(conditions, c) {
					conditions = append(conditions, c)
				}
			}
		}
	}
	return conditions, true
}

// touches reports whether an access may reach the memory of a tensor.
func (a *analysis) touches(param int, e effect) bool {
	return e.arg == facts.Anywhere || a.launch.Memory[e.arg] == a.launch.Memory[param]
}

// sameStart reports whether two pointers are to the same element.
func (a *analysis) sameStart(x, y int) bool {
	l := a.launch
	return x == y || l.Memory[x] == l.Memory[y] && l.Args.Args[x].First == l.Args.Args[y].First &&
		a.fn.Params[x].Value.Type.DType == a.fn.Params[y].Value.Type.DType
}
