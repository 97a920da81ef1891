package facts

import (
	"math"
	"slices"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
)

// A condition is a sum that is at least 0.

// search is what looking for the largest value of a sum needs; its slices are used again.
type search struct {
	box    []Interval // by atom, for those that are known
	known  []bool
	used   []Atom
	effort int // attempts made, see maxEffort
	cases  []cases
	seen   []Atom
}

// maxEffort bounds the attempts, of all questions of one walk together, to narrow intervals and to cancel terms. Usual
// kernels make a few hundred.
const maxEffort = 50_000

// next counts an attempt; it reports whether there is effort left for it.
func (f *search) next() bool {
	f.effort++
	return f.effort <= maxEffort
}

// boundUnder is an upper bound of x where all conditions hold. none: they never do. It first narrows the intervals of
// atoms by the conditions, one after the other; then it adds multiples of the conditions, which are not below 0, where
// that makes terms cancel: x ≤ x + k·g where k ≥ 0 and g ≥ 0.
func (w *Walk) boundUnder(x Sum, conds ...[]Sum) (most int64, ok, none bool) {
	if x.Lost {
		return 0, false, false
	}
	defer w.resetBoxes()
	for range 2 {
		for _, list := range conds {
			for _, g := range list {
				if w.find.next() && !w.narrowBoxes(g) {
					return 0, true, true
				}
			}
		}
	}
	b := bounded{x, 1, 0, false}
	b.most, b.ok = w.upperBound(x)
	for range 2 {
		for _, list := range conds {
			for _, g := range list {
				w.cancelTerms(&b, g)
			}
		}
	}
	return b.most, b.ok, false
}

// bounded is scale times the sum whose bound is looked for, so that what is added may be a fraction of a condition, and
// the best bound so far.
type bounded struct {
	Sum
	scale, most int64
	ok          bool
}

// maxScale bounds by what a sum is multiplied to make its terms cancel.
const maxScale = 1 << 20

// cancelTerms tries b + k·g for each k that makes a term of b vanish and keeps the best.
func (w *Walk) cancelTerms(b *bounded, g Sum) {
	from, fromScale := b.Sum, b.scale
	for _, t := range from.Terms {
		for _, u := range g.Terms {
			if u.Atom != t.Atom || (u.Coef > 0) == (t.Coef > 0) || !w.find.next() {
				continue
			}
			d := GCD(t.Coef, u.Coef)
			times, k := abs(u.Coef)/d, abs(t.Coef)/d
			scale, ok := num.MulExact(fromScale, times)
			h := w.Combine(from, times, g, k)
			if !ok || h.Lost || times < 1 || k < 1 || scale > maxScale {
				continue
			}
			if most, ok := w.upperBound(h); ok {
				if most = floorDiv(most, scale); !b.ok || most < b.most {
					*b = bounded{h, scale, most, true}
				}
			}
		}
	}
}

func abs(x int64) int64 { return max(x, -x) }

// boxOf is the interval of an atom as conditions have narrowed it.
func (w *Walk) boxOf(a Atom) Interval {
	if int(a) < len(w.find.known) && w.find.known[a] {
		return w.find.box[a]
	}
	return w.list[a].Interval
}

func (w *Walk) setBox(a Atom, i Interval) {
	f := &w.find
	for len(f.known) <= int(a) {
		f.known, f.box = append(f.known, false), append(f.box, Interval{})
	}
	if !f.known[a] {
		f.known[a] = true
		f.used = append(f.used, a)
	}
	f.box[a] = i
}

// resetBoxes undoes what conditions narrowed.
func (w *Walk) resetBoxes() {
	for _, a := range w.find.used {
		w.find.known[a] = false
	}
	w.find.used = w.find.used[:0]
}

// most is the largest value of a term in the box.
func (w *Walk) most(t Term) int64 {
	i := w.boxOf(t.Atom)
	if t.Coef < 0 {
		return timesEnd(t.Coef, i.Lo)
	}
	return timesEnd(t.Coef, i.Hi)
}

// upperBound is the largest value of x in the box.
func (w *Walk) upperBound(x Sum) (most int64, ok bool) {
	most = clamp(x.C)
	for _, t := range x.Terms {
		end := w.most(t)
		if end == Unbounded || most == Unbounded {
			return 0, false
		}
		most = clamp(most + end)
	}
	return most, most < Unbounded
}

// narrowBoxes narrows the atoms of g by g ≥ 0: each term is at least what the others, at their most, leave. It reports
// whether anything is left.
func (w *Walk) narrowBoxes(g Sum) bool {
	most, open := clamp(g.C), 0 // the sum of what is bounded, and how many terms are not
	for _, t := range g.Terms {
		if end := w.most(t); end == Unbounded {
			open++
		} else if most = clamp(most + end); most == Unbounded {
			return true
		}
	}
	if g.Lost || open > 1 || !(Interval{most, most}).Finite() {
		return true
	}
	if open == 0 && most < 0 {
		return false
	}
	for _, t := range g.Terms {
		at, rest := w.boxOf(t.Atom), most // rest is the others at their most
		if end := w.most(t); end < Unbounded {
			if rest -= end; open > 0 {
				continue
			}
		}
		if t.Coef == math.MinInt64 || !(Interval{rest, rest}).Finite() {
			continue
		}
		// coef·atom ≥ -rest
		if t.Coef > 0 {
			if lo := ceilDiv(-rest, t.Coef); lo > at.Lo {
				w.setBox(t.Atom, Interval{lo, at.Hi})
			}
		} else if hi := floorDiv(rest, -t.Coef); hi < at.Hi {
			w.setBox(t.Atom, Interval{at.Lo, hi})
		}
	}
	return true
}

// maxRelated bounds how many facts take part in one question.
const maxRelated = 24

// related are the facts of all atoms in x, in the conditions and in the path, and of those in them.
func (w *Walk) related(x Sum, conds []Sum) []Sum {
	return w.Related(maxRelated, []Sum{x}, conds, w.Path)
}

// Related are the facts of all atoms in sums, and of the atoms in those facts, until there are so many.
func (w *Walk) Related(most int, lists ...[]Sum) (out []Sum) {
	w.find.seen = w.find.seen[:0]
	look := func(x Sum) {
		for a := range w.In(x) {
			if len(out) < most && !slices.Contains(w.find.seen, a) {
				w.find.seen = append(w.find.seen, a)
				out = append(out, w.Facts(a)...)
			}
		}
	}
	for _, list := range lists {
		for _, x := range list {
			look(x)
		}
	}
	// out grows while it is walked.
	for i := 0; i < len(out); i++ {
		look(out[i])
	}
	return out
}

// cases is what holds of an atom, a scalar's, that is one of two sums: the conditions of one list or of the other.
type cases struct {
	atom Atom
	of   [2][]Sum
}

// addCases says that v, a scalar, is x where the conditions yes hold, or y where no do.
func (w *Walk) addCases(v *ir.Value, x Sum, yes []Sum, y Sum, no []Sum) {
	f := w.Values[v.ID].Sum
	a, ok := w.Values[v.ID].own()
	if !v.Type.IsScalar() || !ok {
		return
	}
	if !slices.ContainsFunc(w.find.cases, func(c cases) bool { return c.atom == a }) {
		w.find.cases = append(w.find.cases, cases{a, [2][]Sum{
			concat(w.equal(f, x), yes), concat(w.equal(f, y), no)}})
	}
}

// equal is the conditions that x and y are equal.
func (w *Walk) equal(x, y Sum) []Sum { return []Sum{w.Combine(x, 1, y, -1), w.Combine(x, -1, y, 1)} }

// maxCases bounds the atoms whose cases one question tells apart, one after the other.
const maxCases = 2

// boundByCases is boundUnder of the conditions, the path and all facts, and, unless that is at most enough, the largest
// of the bounds in the two cases of an atom where that is less: of a group of min(rows - first, 8) rows, say, which is
// smaller than 8 at the end alone.
func (w *Walk) boundByCases(x Sum, enough int64, conds, facts []Sum) (most int64, ok, none bool) {
	most, ok, none = w.boundUnder(x, conds, w.Path, facts)
	tried := 0
	for i := range w.find.cases {
		c := &w.find.cases[i]
		if none || tried == maxCases || ok && most <= enough {
			break
		}
		if !w.Has(x, c.atom) && !w.someHas(conds, c.atom) && !w.someHas(facts, c.atom) {
			continue
		}
		tried++
		both, known, never := int64(math.MinInt64), true, 0
		for _, list := range c.of {
			switch n, ok, none := w.boundUnder(x, list, conds, w.Path, facts); {
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

func (w *Walk) someHas(list []Sum, a Atom) bool {
	return slices.ContainsFunc(list, func(x Sum) bool { return w.Has(x, a) })
}

// quotientByCases is the interval, within i, of x/y, of which x is not negative and y positive, by the cases of y.
func (w *Walk) quotientByCases(x, y Sum, i Interval) Interval {
	for at := range w.find.cases {
		c := &w.find.cases[at]
		if !w.Has(y, c.atom) {
			continue
		}
		out := Interval{Unbounded, -Unbounded}
		for _, list := range c.of {
			a := w.intervalWhere(x, concat(list, w.related(x, list)))
			b := w.intervalWhere(y, concat(list, w.related(y, list)))
			switch {
			case a.Lo > a.Hi || b.Lo > b.Hi: // the case never comes
			case a.Lo < 0 || b.Lo < 1 || a.Hi == Unbounded:
				return i
			default:
				out = out.Hull(Interval{a.Lo / b.Hi, a.Hi / b.Lo})
			}
		}
		if out.Lo <= out.Hi {
			return i.Meet(out)
		}
	}
	return i
}

// intervalWhere is the interval of x where conditions hold.
func (w *Walk) intervalWhere(x Sum, conds []Sum) Interval {
	i := w.RangeOf(x)
	if len(conds) == 0 {
		return i
	}
	if most, ok, none := w.boundUnder(x, conds); ok && !none {
		i.Hi = min(i.Hi, most)
	}
	if most, ok, none := w.boundUnder(w.Scale(x, -1), conds); ok && !none && -most <= i.Hi {
		i.Lo = max(i.Lo, -most)
	}
	return i
}

// Never reports whether conditions contradict each other.
func (w *Walk) Never(conds []Sum) bool {
	if len(conds) == 0 {
		return false
	}
	_, _, none := w.boundUnder(Sum{}, conds)
	return none
}

// WithinWhere reports whether x lies in an interval wherever control comes here and the conditions hold.
func (w *Walk) WithinWhere(x Sum, allowed Interval, conds []Sum) bool {
	facts := w.related(x, conds)
	most, ok, none := w.boundByCases(x, allowed.Hi, conds, facts)
	// The conditions contradict each other: control never comes here.
	if none {
		return true
	}
	if !ok || most > allowed.Hi || allowed.Lo == -Unbounded {
		return ok && most <= allowed.Hi
	}
	// The least value of x is minus the greatest of -x.
	least, ok, _ := w.boundByCases(w.Scale(x, -1), -allowed.Lo, conds, facts)
	return ok && least <= -allowed.Lo
}

// Negative reports whether x < 0, whatever control comes here.
func (w *Walk) Negative(x Sum) bool {
	return w.RangeOf(x).Hi < 0 || w.WithinWhere(x, Interval{-Unbounded, -1}, nil)
}
