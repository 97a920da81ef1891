package prove

import (
	"slices"

	"github.com/newtlab/newt/compiler/facts"
)

// Two programs do not race at a tensor if their offsets always differ. That is shown axis by axis of the grid: offsets
// are equal only where the programs' indices are. Along an axis it follows where the offset of the program with the
// larger index is larger, or smaller, whatever the rest. Where it does not, offsets are split like numbers into digits:
// if q·d + r and q'·d + r' are equal and both r are in [0, d), then q = q' and r = r', and each of these equations may
// say something of an axis.

// disjoint reports whether two different programs, one making a and the other b, never reach the same element.
func (s *analysis) disjoint(a, b effect) bool {
	if a.at.Lost || b.at.Lost {
		return false
	}
	other := s.Others()
	p := &pair{prover: s.prover, given: slices.Clone(a.given)}
	for _, g := range b.given {
		p.given = append(p.given, other(g))
	}
	if s.contradictory(p.given) {
		return true
	}
	for k, n := range s.Grid {
		if c, ok := n.Value(); !ok || c > 1 {
			p.open = append(p.open, k)
			own := s.ProgramIndex(k)
			p.index[k] = [2]facts.Sum{own, other(own)}
		}
	}
	p.equate(a.at, other(b.at), 0)
	return len(p.open) == 0
}

// pair is the question whether two programs must be one.
type pair struct {
	*prover
	given []facts.Sum
	index [3][2]facts.Sum // of both programs, by axis
	open  []int           // axes along which the two may still differ
}

// maxDigits is how often an offset is split.
const maxDigits = 4

// equate draws conclusions from x = y.
func (p *pair) equate(x, y facts.Sum, depth int) {
	for _, k := range slices.Clone(p.open) {
		own, other := p.index[k][0], p.index[k][1]
		if p.apart(x, y, own, other) && p.apart(x, y, other, own) {
			p.open = slices.DeleteFunc(p.open, func(axis int) bool { return axis == k })
			p.given = append(p.given, own.Sub(other), other.Sub(own))
		}
	}
	if depth == maxDigits {
		return
	}
	for _, d := range p.digits(x) {
		if len(p.open) == 0 {
			return
		}
		qx, rx := p.Split(x, d)
		qy, ry := p.Split(y, d)
		unit := p.Unit(d)
		if rx.IsZero() && ry.IsZero() || !p.digit(rx, unit) || !p.digit(ry, unit) {
			continue
		}
		p.equate(qx, qy, depth+1)
		p.equate(rx, ry, depth+1)
	}
}

// apart reports whether x and y differ where the index of one program is less than that of the other.
func (p *pair) apart(x, y, less, more facts.Sum) bool {
	given := append(slices.Clone(p.given), more.Sub(less).AddConst(-1))
	return p.positive(x.Sub(y), given) || p.positive(y.Sub(x), given) || p.contradictory(given)
}

// digit reports whether r is in [0, unit).
func (p *pair) digit(r, unit facts.Sum) bool {
	return p.positive(r.AddConst(1), p.given) && p.positive(unit.Sub(r), p.given)
}

// digits are the units that x may be split by: its coefficients, as far as they are the same for all programs.
func (p *pair) digits(x facts.Sum) (list []facts.Term) {
	for _, t := range x.Terms {
		all := p.Factors(t.Atom)
		uniform := slices.DeleteFunc(slices.Clone(all), func(a facts.Atom) bool { return !p.Uniform(a) })
		unit := facts.Term{Atom: p.Product(uniform), Coef: max(t.Coef, -t.Coef)}
		if len(uniform) < len(all) && unit != (facts.Term{Atom: facts.One, Coef: 1}) && !slices.Contains(list, unit) {
			list = append(list, unit)
		}
	}
	return list
}
