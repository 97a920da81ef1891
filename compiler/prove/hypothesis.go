package prove

import (
	"fmt"
	"slices"
	"strings"
)

func symbolOf(a atomID, symbols []symbol) symbol {
	i := slices.IndexFunc(symbols, func(s symbol) bool { return s.atom.has(a) })
	return symbols[i]
}

// product writes a term in Python: "2 * N0 * N1", "N0 * N1 // 8".
func (a *analysis) product(t term) string {
	var names []string
	scale := int64(1)
	for m := range t.m.atoms() {
		s := symbolOf(m, a.symbols)
		names = append(names, s.name)
		scale *= s.scale
	}
	d := gcd(t.coef, scale)
	if k := t.coef / d; k != 1 || len(names) == 0 {
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
		inside := a.positive(e.at.addConst(1-m.First), e.given) && a.positive(constant(n).sub(e.at), e.given)
		return nil, inside || a.contradictory(e.given)
	}
	if a.contradictory(e.given) {
		return a.multiples(e.given), true
	}
	last, number, ok := a.least(e.at, e.given)
	if _, same := last.value(); !ok || same || number >= n || !a.positive(e.at.addConst(1), e.given) {
		return nil, false
	}
	conditions = []string{a.fn.Params[e.arg].Name + ".numel() >= " + a.sum(last.addConst(1))}
	return append(conditions, a.multiples(append([]poly{e.at}, e.given...))...), true
}

// maxResiduals is how many conditions on strides a proof may rest on.
const maxResiduals = 3

// proveUnder tries a proof; where it fails for want of a condition on strides, again under that.
func (a *analysis) proveUnder(proof func(given []poly) bool) (conditions []string, ok bool) {
	var given []poly
	for {
		a.residual = lost
		if proof(slices.Clone(given)) {
			return conditions, true
		}
		if a.residual.lost || len(given) == maxResiduals {
			return nil, false
		}
		given = append(given, a.residual.addConst(-1))
		conditions = append(conditions, a.atLeast(a.residual))
	}
}

// atLeast writes x > 0, where x is s - t + 1.
func (a *analysis) atLeast(x poly) string {
	s, t := x.terms[1], x.terms[2]
	if s.coef < 0 {
		s, t = t, s
	}
	t.coef = -t.coef
	if k := symbolOf(s.m.first(), a.symbols).scale; k > 1 { // both are in units of that
		s.coef, t.coef = s.coef*k, t.coef*k
	}
	return a.product(s) + " >= " + a.product(t)
}

// multiples are the conditions of arguments that are multiples, as far as polys are made of them.
func (a *analysis) multiples(of []poly) (conditions []string) {
	seen := append(a.closure(poly{}, of), of...)
	for _, s := range a.symbols {
		occurs := slices.ContainsFunc(seen, func(x poly) bool { return x.has(s.atom.terms[0].m.first()) })
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
			if !x.writes && !y.writes || x.atomic && y.atomic || !a.meet(param, x, y) {
				continue
			}
			if x.arg == anywhere || y.arg == anywhere || !a.sameStart(x.arg, y.arg) {
				return nil, false
			}
			more, ok := a.proveUnder(func(given []poly) bool {
				under := x
				under.given = append(given, x.given...)
				return a.disjoint(under, y)
			})
			if !ok {
				return nil, false
			}
			more = append(more, a.multiples(append([]poly{x.at, y.at}, append(x.given, y.given...)...))...)
			for _, c := range more {
				if !slices.Contains(conditions, c) {
					conditions = append(conditions, c)
				}
			}
		}
	}
	return conditions, true
}

// meet reports whether two accesses may reach the memory of a tensor both.
func (a *analysis) meet(param int, x, y effect) bool {
	return a.touches(param, x) && a.touches(param, y) &&
		(x.arg == param || y.arg == param || x.arg == anywhere || y.arg == anywhere)
}

// touches reports whether an access may reach the memory of a tensor.
func (a *analysis) touches(param int, e effect) bool {
	return e.arg == anywhere || a.launch.Memory[e.arg] == a.launch.Memory[param]
}

// sameStart reports whether two pointers are to the same element.
func (a *analysis) sameStart(x, y int) bool {
	l := a.launch
	return x == y || l.Memory[x] == l.Memory[y] && l.Args.Args[x].First == l.Args.Args[y].First &&
		a.fn.Params[x].Value.Type.DType == a.fn.Params[y].Value.Type.DType
}
