package prove

import (
	"fmt"
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler/num"
)

// maxExtents bounds the hypotheses about a tensor's elements that are tried.
const maxExtents = 10

// maxFactors bounds the sizes that a hypothesis multiplies.
const maxFactors = 3

// extents are the products of symbols that are n in the launch, those of arguments alone first, and those without a
// factor before those with one.
func (a *analysis) extents(n int64) (list []poly) {
	if n == 0 {
		return nil
	}
	ranked := [4][]poly{}
	var extend func(from int, x poly, number int64, factors int, hasGrid bool)
	extend = func(from int, x poly, number int64, factors int, hasGrid bool) {
		if factors > 0 && n%number == 0 {
			rank := 0
			if hasGrid {
				rank++
			}
			if n != number*scaleOf(x, a.symbols) {
				rank += 2
			}
			ranked[rank] = append(ranked[rank], x.times(n/number))
		}
		if factors == maxFactors {
			return
		}
		for i := from; i < len(a.symbols); i++ {
			s := a.symbols[i]
			if next, ok := num.MulExact(number, s.number); ok && next <= n && (s.number > 1 || s.scale > 1) {
				extend(i, x.mul(s.atom), next, factors+1, hasGrid || s.isGrid)
			}
		}
	}
	extend(0, constant(1), 1, 0, false)
	for _, r := range ranked {
		list = append(list, r...)
	}
	return list[:min(len(list), maxExtents)]
}

// scaleOf is the product of the scales of x's factors; x is one term.
func scaleOf(x poly, symbols []symbol) int64 {
	out := int64(1)
	for _, m := range x.terms[0].m.atoms() {
		out *= symbolOf(m, symbols).scale
	}
	return out
}

func symbolOf(a atomID, symbols []symbol) symbol {
	i := slices.IndexFunc(symbols, func(s symbol) bool { return s.atom.has(a) })
	return symbols[i]
}

// product writes a term in Python: "2 * N0 * N1", "N0 * N1 // 8".
func (a *analysis) product(t term) string {
	var names []string
	scale := int64(1)
	for _, m := range t.m.atoms() {
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

// boundsOf proves accesses of a tensor in bounds under the one hypothesis about its elements that proves most. It calls
// proved with the access's number and the conditions that the proof rests on.
func (a *analysis) boundsOf(param int, proved func(i int, hypothesis []string)) {
	m := a.launch.Args.Args[param]
	n := m.First + m.Count
	first := constant(m.First)
	if !a.anySize {
		a.tryExtent(param, first, constant(n), proved)
		return
	}
	first = poly{} // what lies before a view is not part of the hypothesis
	best, most := poly{}, -1
	for _, extent := range a.extents(n) {
		count := 0
		total := a.tryExtent(param, first, extent, func(int, []string) { count++ })
		if count > most {
			best, most = extent, count
		}
		if count == total {
			break
		}
	}
	a.tryExtent(param, first, best, proved)
}

// tryExtent proves what accesses it can under one hypothesis about a tensor's elements, and counts all.
func (a *analysis) tryExtent(param int, first, extent poly, proved func(i int, hypothesis []string)) (total int) {
	for i, e := range a.effects {
		if e.arg != param {
			continue
		}
		total++
		conditions, ok := a.proveUnder(func(given []poly) bool {
			given = append(given, e.given...)
			return a.positive(e.at.sub(first).addConst(1), given) && a.positive(extent.sub(e.at), given) ||
				a.contradictory(given)
		})
		if !ok {
			continue
		}
		if a.anySize && len(extent.terms) > 0 {
			name := a.fn.Params[param].Name
			conditions = append([]string{name + ".numel() == " + a.product(extent.terms[0])}, conditions...)
		}
		proved(i, append(conditions, a.multiples(append([]poly{e.at, extent}, e.given...))...))
	}
	return total
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
	if k := symbolOf(s.m.atoms()[0], a.symbols).scale; k > 1 { // both are in units of that
		s.coef, t.coef = s.coef*k, t.coef*k
	}
	return a.product(s) + " >= " + a.product(t)
}

// multiples are the conditions of arguments that are multiples, as far as polys are made of them.
func (a *analysis) multiples(of []poly) (conditions []string) {
	seen := append(a.closure(poly{}, of), of...)
	for _, s := range a.symbols {
		occurs := slices.ContainsFunc(seen, func(x poly) bool { return x.has(s.atom.terms[0].m.atoms()[0]) })
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
	in := func(e effect) bool { return e.arg == anywhere || a.launch.Memory[e.arg] == a.launch.Memory[param] }
	return in(x) && in(y) && (x.arg == param || y.arg == param || x.arg == anywhere || y.arg == anywhere)
}

// sameStart reports whether two pointers are to the same element.
func (a *analysis) sameStart(x, y int) bool {
	l := a.launch
	return x == y || l.Memory[x] == l.Memory[y] && l.Args.Args[x].First == l.Args.Args[y].First &&
		a.fn.Params[x].Value.Type.DType == a.fn.Params[y].Value.Type.DType
}
