package bounds

import (
	"math"
	"slices"

	"github.com/newtlab/newt/compiler/ir"
)

// cases is what holds of an atom, a scalar's, that is one of two forms: the conditions of one list or those of the
// other.
type cases struct {
	atom int32
	of   [2][]form
}

// addCases says that v, whose form is an atom made for it, is x where the conditions yes hold, or y where no do.
func (s *state) addCases(v *ir.Value, x form, yes []form, y form, no []form) {
	f := s.values[v.ID].form
	if !v.Type.IsScalar() || len(f.terms) != 1 {
		return
	}
	isX, ok1 := s.equal(f, x)
	isY, ok2 := s.equal(f, y)
	if ok1 && ok2 {
		s.cases = append(s.cases, cases{f.terms[0].atom, [2][]form{concat(isX, yes), concat(isY, no)}})
	}
}

// equal is the conditions that x and y are equal.
func (s *state) equal(x, y form) (conds []form, ok bool) {
	below, ok1 := s.combineForms(x, 1, y, -1)
	above, ok2 := s.combineForms(x, -1, y, 1)
	return []form{below, above}, ok1 && ok2
}

// maxCases bounds the atoms whose cases one question tells apart, one after the other.
const maxCases = 2

// boundByCases is boundUnder of the conditions, the path and the relations, and, unless that is at most enough, the
// largest of the bounds in the two cases of an atom where that is less: of a group of min(rows - first, 8) rows, say,
// which is smaller than 8 at the end alone.
func (s *state) boundByCases(f form, enough int64, conds, rel []form) (most int64, ok, none bool) {
	most, ok, none = s.boundUnder(f, conds, s.path, rel)
	tried := 0
	for i := range s.cases {
		c := &s.cases[i]
		if none || tried == maxCases || ok && most <= enough {
			break
		}
		if !mentions(c.atom, []form{f}) && !mentions(c.atom, conds) && !mentions(c.atom, rel) {
			continue
		}
		tried++
		both, known, never := int64(math.MinInt64), true, 0
		for _, list := range c.of {
			switch n, ok, none := s.boundUnder(f, list, conds, s.path, rel); {
			case none:
				never++
			case ok:
				both = max(both, n)
			default:
				known = false
			}
		}
		if none = never == len(c.of); known && !none && (!ok || both < most) {
			most, ok = both, true
		}
	}
	return most, ok, none
}

// mentions reports whether one of the forms has the atom.
func mentions(atom int32, list []form) bool {
	return slices.ContainsFunc(list, func(f form) bool {
		return slices.ContainsFunc(f.terms, func(t term) bool { return t.atom == atom })
	})
}

// quotientByCases is the interval, within i, of x/y, of which x is not negative and y positive, by the cases of y.
func (s *state) quotientByCases(x, y *value, i interval) interval {
	for at := range s.cases {
		c := &s.cases[at]
		if !mentions(c.atom, []form{y.form}) {
			continue
		}
		out := interval{math.MaxInt64, math.MinInt64}
		for _, list := range c.of {
			a := s.intervalWhere(*x, concat(list, s.relationsOf(x.form, list)))
			b := s.intervalWhere(*y, concat(list, s.relationsOf(y.form, list)))
			if a.lo <= a.hi && b.lo <= b.hi { // else the case never comes
				out = out.hull(interval{a.lo / b.hi, a.hi / b.lo})
			}
		}
		if out.lo <= out.hi {
			return interval{max(i.lo, out.lo), min(i.hi, out.hi)}
		}
	}
	return i
}

// quotient is x/d, rounded down, where x is not negative.
type quotient struct {
	x  form
	d  int64
	of form
}

// restOf is what a division of x by a number leaves, if the quotient is known.
func (s *state) restOf(x form, divisor interval) (rest form, ok bool) {
	for i := range s.quotients {
		q := &s.quotients[i]
		if divisor.single() && q.d == divisor.lo && q.x.c == x.c && slices.Equal(q.x.terms, x.terms) {
			return s.combineForms(x, 1, q.of, -q.d)
		}
	}
	return form{}, false
}

// addEqual says that v, whose form is an atom made for it, is f.
func (s *state) addEqual(v *ir.Value, f form) {
	conds, ok := s.equal(s.values[v.ID].form, f)
	if ok {
		s.addRelation(v, conds[0], true, conds[1], true)
	}
}
