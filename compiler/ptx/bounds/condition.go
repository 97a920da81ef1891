package bounds

import (
	"math"

	"github.com/newtlab/newt/compiler/num"
)

// A condition is form ≤ 0.

// search is what looking for the largest value of a form needs; its slices are used again.
type search struct {
	box   []interval // by atom, for those in touched
	known []bool
	used  []int32
}

// boundUnder is an upper bound of f's values where all conditions hold. none: they never do.
// It first narrows the intervals of atoms by the conditions, one after the other; then it adds
// multiples of the conditions, which are not above 0, where that makes terms cancel:
// f ≤ f - k·g where k ≥ 0 and g ≤ 0.
func (s *state) boundUnder(f form, conds ...[]form) (most int64, ok, none bool) {
	defer s.resetBoxes()
	for range 2 {
		for _, list := range conds {
			for _, g := range list {
				if s.nextTry() && !s.narrowBoxes(g) {
					return 0, true, true
				}
			}
		}
	}
	best, ok := s.upperBound(f)
	scale := int64(1)
	for range 2 {
		for _, list := range conds {
			for _, g := range list {
				f, scale, best, ok = s.cancelTerms(f, scale, best, ok, g)
			}
		}
	}
	return best, ok, false
}

// cancelTerms tries f - k·g for each k that makes a term of f vanish and keeps the best. f is scale
// times the form that is looked for, so that k may be a fraction of it; best is that form's bound.
func (s *state) cancelTerms(f form, scale, best int64, ok bool, g form) (form, int64, int64, bool) {
	from, fromScale := f, scale
	for _, t := range from.terms {
		for _, u := range g.terms {
			if u.atom != t.atom || (u.coef > 0) != (t.coef > 0) || !s.nextTry() {
				continue
			}
			d := gcd(t.coef, u.coef)
			times, k := abs(u.coef)/d, abs(t.coef)/d
			grown, ok1 := num.MulExact(fromScale, times)
			h, ok2 := s.combineForms(from, times, g, -k)
			if !ok1 || !ok2 || times < 1 || k < 1 || grown > maxScale {
				continue
			}
			if most, ok3 := s.upperBound(h); ok3 {
				if most = floorDiv(most, grown); !ok || most < best {
					f, scale, best, ok = h, grown, most, true
				}
			}
		}
	}
	return f, scale, best, ok
}

// maxScale bounds by what a form is multiplied to make its terms cancel.
const maxScale = 1 << 20

func abs(x int64) int64 { return max(x, -x) }

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return max(1, abs(a))
}

// boxOf is the interval of an atom as conditions have narrowed it.
func (s *state) boxOf(a int32) interval {
	if int(a) < len(s.find.known) && s.find.known[a] {
		return s.find.box[a]
	}
	return s.atoms[a].interval
}

func (s *state) setBox(a int32, i interval) {
	f := &s.find
	for len(f.known) <= int(a) {
		f.known, f.box = append(f.known, false), append(f.box, interval{})
	}
	if !f.known[a] {
		f.known[a] = true
		f.used = append(f.used, a)
	}
	f.box[a] = i
}

// maxEffort bounds the attempts, of all questions of one launch together, to narrow intervals and
// to cancel terms. Usual kernels make a few hundred.
const maxEffort = 50_000

// nextTry counts an attempt; it reports whether there is effort left for it.
func (s *state) nextTry() bool {
	s.effort++
	return s.effort <= maxEffort
}

// resetBoxes undoes what conditions narrowed.
func (s *state) resetBoxes() {
	for _, a := range s.find.used {
		s.find.known[a] = false
	}
	s.find.used = s.find.used[:0]
}

// upperBound is the largest value of f in the box.
func (s *state) upperBound(f form) (most int64, ok bool) {
	most, ok = f.c, true
	for _, t := range f.terms {
		most, ok = s.addUpperBound(most, t, 1)
		if !ok {
			return 0, false
		}
	}
	return most, true
}

// addUpperBound adds the largest value of sign·t, where sign is 1 or -1.
func (s *state) addUpperBound(sum int64, t term, sign int64) (int64, bool) {
	at := s.boxOf(t.atom)
	end := at.hi
	if (t.coef < 0) != (sign < 0) {
		end = at.lo
	}
	v, ok1 := num.MulExact(t.coef, end)
	sum, ok2 := num.AddExact(sum, v)
	return sum, ok1 && ok2
}

// narrowBoxes narrows the atoms of g by g ≤ 0: each term is at most what the others, at their least,
// leave. It reports whether anything is left.
func (s *state) narrowBoxes(g form) bool {
	least := g.c
	ok := true
	for _, t := range g.terms {
		if least, ok = s.addUpperBound(least, t, -1); !ok {
			return true
		}
	}
	if least > 0 {
		return false
	}
	for _, t := range g.terms {
		at := s.boxOf(t.atom)
		if t.coef == math.MinInt64 || least == math.MinInt64 {
			continue
		}
		room := floorDiv(-least, abs(t.coef)) // least has this term at its least
		if t.coef > 0 {
			if hi, ok := num.AddExact(at.lo, room); ok && hi < at.hi {
				s.setBox(t.atom, interval{at.lo, hi})
			}
		} else if lo, ok := num.AddExact(at.hi, -room); ok && lo > at.lo {
			s.setBox(t.atom, interval{lo, at.hi})
		}
	}
	return true
}
