package prove

import "slices"

// Two programs do not race at a tensor if their offsets always differ. That is shown axis by axis of the grid: offsets
// are equal only where the programs' indices are. Along an axis it follows where the offset of the program with the
// larger index is larger, or smaller, whatever the rest. Where it does not, offsets are split like numbers into digits:
// if q·d + r and q'·d + r' are equal and both r are in [0, d), then q = q' and r = r', and each of these equations may
// say something of an axis.

// effect is what an access does to memory.
type effect struct {
	access
	writes, atomic bool
}

// disjoint reports whether two different programs, one making a and the other b, never reach the same element.
func (s *walk) disjoint(a, b effect) bool {
	if a.at.lost || b.at.lost {
		return false
	}
	r := s.others()
	p := &pair{walk: s, given: append(slices.Clone(a.given), r.all(b.given)...)}
	if s.contradictory(p.given) {
		return true
	}
	for k, n := range s.grid {
		if c, ok := n.value(); !ok || c > 1 {
			p.open = append(p.open, k)
			own := s.programIndex(k)
			p.index[k] = [2]poly{own, r.of(own)}
		}
	}
	p.equate(a.at, r.of(b.at), 0)
	return len(p.open) == 0
}

// pair is the question whether two programs must be one.
type pair struct {
	*walk
	given []poly
	index [3][2]poly // of both programs, by axis
	open  []int      // axes along which the two may still differ
}

// maxDigits is how often an offset is split.
const maxDigits = 4

// equate draws conclusions from x = y.
func (p *pair) equate(x, y poly, depth int) {
	for _, k := range slices.Clone(p.open) {
		own, other := p.index[k][0], p.index[k][1]
		if p.apart(x, y, own, other) && p.apart(x, y, other, own) {
			p.open = slices.DeleteFunc(p.open, func(axis int) bool { return axis == k })
			p.given = append(p.given, own.sub(other), other.sub(own))
		}
	}
	if depth == maxDigits {
		return
	}
	for _, d := range p.digits(x) {
		if len(p.open) == 0 {
			return
		}
		qx, rx := x.split(d)
		qy, ry := y.split(d)
		unit := poly{terms: []term{d}}
		if len(rx.terms) == 0 && len(ry.terms) == 0 || !p.digit(rx, unit) || !p.digit(ry, unit) {
			continue
		}
		p.equate(qx, qy, depth+1)
		p.equate(rx, ry, depth+1)
	}
}

// apart reports whether x and y differ where the index of one program is less than that of the other.
func (p *pair) apart(x, y, less, more poly) bool {
	given := append(slices.Clone(p.given), more.sub(less).addConst(-1))
	return p.positive(x.sub(y), given) || p.positive(y.sub(x), given) || p.contradictory(given)
}

// digit reports whether r is in [0, unit).
func (p *pair) digit(r, unit poly) bool {
	return p.positive(r.addConst(1), p.given) && p.positive(unit.sub(r), p.given)
}

// digits are the units that x may be split by: its coefficients, as far as they are the same for all programs.
func (p *pair) digits(x poly) (list []term) {
	for _, t := range x.terms {
		unit := term{coef: max(t.coef, -t.coef)}
		var atoms []atomID
		for a := range t.m.atoms() {
			if p.list[a].uniform {
				atoms = append(atoms, a)
			}
		}
		unit.m = monomialOf(atoms...)
		if len(unit.m) < len(t.m) && unit != (term{"", 1}) && !slices.Contains(list, unit) {
			list = append(list, unit)
		}
	}
	return list
}
