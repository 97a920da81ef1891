package facts

import (
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
)

// Growth is by how much a sum grows from each iteration of a loop to the next; not OK where that is no number that is
// known. Wraps: it grows by that modulo 2^32.
type Growth struct {
	By        int64
	Wraps, OK bool
}

// Growths are those of sums in one loop.
type Growths struct {
	*Walk
	entry  Atom          // the number of the iteration, or else the first atom that was made in the loop
	narrow map[Atom]bool // see SetNarrow
	known  map[Atom]Growth
}

// GrowthsIn are those in a loop whose index, or whose first carried value, is a sum: what is made of atoms that were
// there before the loop does not grow.
func (w *Walk) GrowthsIn(first Sum) *Growths {
	return &Growths{w, w.newest(first), map[Atom]bool{}, map[Atom]Growth{}}
}

// newest is the atom in x that was made last, in what wraps, too; negative where there is none.
func (w *Walk) newest(x Sum) Atom {
	last := Atom(-1)
	for a := range w.In(x) {
		if w.list[a].Kind == Wrapped {
			a = w.newest(w.of(a).of[0])
		}
		last = max(last, a)
	}
	return last
}

// SetNarrow says that a number spans less than 2^31 in all of a launch: the difference of two is a number of 32 bits.
func (g *Growths) SetNarrow(x Sum) {
	if u, ok := x.Unit(); ok {
		g.narrow[u.Atom] = true
	}
}

// Iterations is how many the loop makes at most.
func (g *Growths) Iterations() uint64 {
	if g.entry < 0 || g.list[g.entry].Kind != Iteration {
		return Unbounded
	}
	return uint64(g.IntervalOf(g.entry).Hi) + 1
}

// Of is the growth of a sum.
func (g *Growths) Of(x Sum) (out Growth) {
	out.OK = !x.Lost
	for _, u := range x.Terms {
		part := g.ofAtom(u.Atom)
		by, exact := weigh(part.By, u.Coef, out.By, 1)
		out = Growth{by, out.Wraps || part.Wraps, out.OK && part.OK && exact}
	}
	return out
}

// ofAtom is the growth of an atom, found once.
func (g *Growths) ofAtom(a Atom) Growth {
	out, found := g.known[a]
	if found {
		return out
	}
	switch x := &g.list[a]; x.Kind {
	case Argument, GridSize, Program, Lane:
		out.OK = true
	case Iteration:
		if out.OK = a <= g.entry; a == g.entry {
			out.By = 1
		}
	case Opaque:
		out.OK = Atom(x.N) < g.entry
	case Wrapped:
		bits := num.DType(x.N).Info().Bits
		unused := 64 - bits
		out = g.Of(g.of(a).of[0])
		out.By = out.By << unused >> unused
		out.OK = out.OK && (out.By == 0 || bits >= 32)
		out.Wraps = out.Wraps || out.By != 0 && bits == 32 && !g.narrow[a]
	default:
		out.OK = true
		for b := range g.parts(a) {
			part := g.ofAtom(b)
			out.OK = out.OK && part.OK && part.By == 0
		}
	}
	g.known[a] = out
	return out
}

// Trend is how a number changes from program to program along the grid's first axis.
type Trend int8

// The trends.
const (
	Steady  Trend = iota
	Rising        // or the same
	Falling       // or the same
	NoTrend
)

// Opposite is the trend of -x.
func (t Trend) Opposite() Trend { return [...]Trend{Steady, Falling, Rising, NoTrend}[t] }

// And is the trend of a sum.
func (t Trend) And(u Trend) Trend {
	switch {
	case t == Steady || t == u:
		return u
	case u == Steady:
		return t
	}
	return NoTrend
}

// TrendOf is that of a sum, wherever nothing wraps.
func (w *Walk) TrendOf(x Sum) (t Trend) {
	for _, u := range x.Terms {
		if part := w.trendOf(u.Atom); u.Coef > 0 {
			t = t.And(part)
		} else {
			t = t.And(part.Opposite())
		}
	}
	if x.Lost {
		return NoTrend
	}
	return t
}

func (w *Walk) trendOf(a Atom) (t Trend) {
	x := &w.list[a]
	of := w.of(a).of
	switch d, _ := of[1].Value(); {
	case x.Kind == Program && x.N == 0:
		return Rising
	case x.Kind < Iteration || x.Kind == Lane:
		return Steady
	case x.Kind == Wrapped, x.Kind == Quotient && d > 0, x.Kind == Least, x.Kind == Greatest:
		return w.TrendOf(of[0]).And(w.TrendOf(of[1]))
	case x.Kind == Opaque && x.value.Def != nil && x.value.Def.Op == ops.Div:
		in := x.value.Def
		if d, _ := w.Values[in.Operands[1].ID].Value(); d > 0 {
			return w.TrendOf(w.Values[in.Operands[0].ID].Sum)
		}
	}
	return NoTrend
}
