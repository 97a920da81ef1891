package bounds

import (
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
)

// maxPath bounds the conditions of enclosing branches that are kept.
const maxPath = 32

// runUnder runs a block under conditions, whose atoms are all of the present iteration.
func (s *state) runUnder(b *ir.Block, conds []form) {
	mark := len(s.path)
	// Leaving conditions out proves less, but nothing wrong.
	if mark+len(conds) <= maxPath {
		s.path = append(s.path, conds...)
	}
	s.runBlock(b)
	s.path = s.path[:mark]
}

func (s *state) visitIf(in *ir.Instr) {
	cond := s.values[in.Operands[0].ID]
	s.runUnder(in.Regions[0], cond.yes)
	s.runUnder(in.Regions[1], cond.no)
	// After the branch both are possible: the hull of the two.
	x, y := in.Regions[0].Terminator().Operands, in.Regions[1].Terminator().Operands
	for i, r := range in.Results {
		s.joinValues(r, x[i], y[i])
	}
}

// joinValues makes r one of two values.
func (s *state) joinValues(r, x, y *ir.Value) {
	a, b := &s.values[x.ID], &s.values[y.ID]
	if !a.usable(x) || !b.usable(y) || a.arg != b.arg {
		s.setUnknown(r)
		return
	}
	s.setInterval(r, a.i.hull(b.i), a.arg)
}

// visitWhile forgets all that the loop carries: its trip count is unknown.
func (s *state) visitWhile(in *ir.Instr) {
	before, after := in.Regions[0], in.Regions[1]
	s.depth++
	s.setUnknowns(before.Args)
	s.runBlock(before)
	end := before.Terminator().Operands
	for i, v := range end[1:] {
		s.values[after.Args[i].ID] = s.values[v.ID]
	}
	s.runUnder(after, s.values[end[0].ID].yes)
	s.depth--
	for i, r := range in.Results {
		s.joinValues(r, end[1+i], end[1+i])
	}
}

// step is a value from outside a loop that each iteration adds, sign times, to what it carries.
type step struct {
	value *ir.Value
	sign  int64
}

// induction is what a loop does to a loop-carried value.
type induction struct {
	steps []step
	ok    bool // it adds the steps and nothing else
}

// maxSteps is how many additions one iteration may make.
const maxSteps = 8

// inductionsOf finds a for loop's induction variables: carried values that change by the same in each iteration.
func inductionsOf(in *ir.Instr) []induction {
	body := in.Regions[0]
	outside := func(v *ir.Value) bool { return v.ID < body.Args[0].ID }
	next := body.Terminator().Operands
	out := make([]induction, len(next))
	for i, v := range next {
		var steps []step
		for v != body.Args[1+i] && v.Def != nil && len(steps) < maxSteps {
			st, from := stepOf(v.Def, outside)
			if from == nil {
				break
			}
			steps = append(steps, st)
			v = from
		}
		out[i] = induction{steps, v == body.Args[1+i]}
	}
	return out
}

// stepOf splits an addition into what it adds and what to; nil where it is none.
func stepOf(in *ir.Instr, outside func(*ir.Value) bool) (st step, from *ir.Value) {
	if in.Op != ops.Add && in.Op != ops.Sub && in.Op != ops.AddPtr || logical(in.Results[0]) {
		return step{}, nil
	}
	x, y := in.Operands[0], in.Operands[1]
	switch {
	case outside(y) && in.Op == ops.Sub:
		return step{y, -1}, x
	case outside(y):
		return step{y, 1}, x
	case outside(x) && in.Op == ops.Add:
		return step{x, 1}, y
	}
	return step{}, nil
}

// tripCount is how often a loop runs: at least and at most.
type tripCount struct{ least, most int64 }

// manyLoops is how many loops inside each other are run a second time to learn more of what they
// carry.
const manyLoops = 2

// visitFor interprets a for loop: induction variables are their first value plus iteration · step.
func (s *state) visitFor(in *ir.Instr) {
	body := in.Regions[0]
	index := body.Args[0]
	n, bounded := s.tripCount(in)
	at := s.prover.index[in]
	if s.proof.trips[at] = -1; bounded {
		s.proof.trips[at] = n.most
	}
	iteration := form{}
	if bounded {
		// The number of the iteration, from 0, is an atom of its own.
		iteration = s.atomForm(s.newAtom(index, interval{0, max(0, n.most-1)}))
	}
	mark := len(s.path)
	s.bindIndex(in, iteration, bounded)
	plan := s.prover.inductions[in]
	free := false
	for i, arg := range body.Args[1:] {
		if !s.bindCarried(arg, in.Operands[3+i], plan[i], iteration, bounded) {
			s.setUnknown(arg)
			free = true
		}
	}
	s.depth++
	s.runBlock(body)
	// Values taken for anything may turn out to be less after one walk: with that the body is walked again.
	if free && s.depth <= manyLoops && s.refineCarried(in) {
		s.runBlock(body)
	}
	s.depth--
	s.path = s.path[:mark]
	s.bindResults(in, plan, n, bounded)
}

// tripCount is how often a loop runs, if that has a bound: (upper - lower) / step, rounded up.
func (s *state) tripCount(in *ir.Instr) (n tripCount, bounded bool) {
	for _, v := range in.Operands[:3] {
		if !s.values[v.ID].usable(v) {
			return n, false
		}
	}
	lower, upper, by := &s.values[in.Operands[0].ID], &s.values[in.Operands[1].ID], s.values[in.Operands[2].ID].i
	// no iteration, as in emitFor
	if by.hi < 1 {
		return n, true
	}
	way, ok := s.combineForms(upper.form, 1, lower.form, -1)
	if !ok {
		return n, false
	}
	d := s.intervalOf(way)
	if d == everything {
		return n, false
	}
	// Conditions of branches around the loop may say more than the intervals.
	if most, ok, none := s.boundUnder(way, s.path, s.relationsOf(way, nil)); ok && !none {
		d.hi = min(d.hi, most)
	}
	n.most = max(0, ceilDiv(d.hi, max(1, by.lo)))
	if by.lo >= 1 {
		n.least = min(n.most, max(0, ceilDiv(d.lo, by.hi)))
	}
	return n, true
}

// bindIndex makes the loop's index lower + iteration·step if that is known; it is below upper.
func (s *state) bindIndex(in *ir.Instr, iteration form, bounded bool) {
	index := in.Regions[0].Args[0]
	lower, upper, by := in.Operands[0], in.Operands[1], in.Operands[2]
	for _, v := range in.Operands[:3] {
		if !s.values[v.ID].usable(v) {
			s.setUnknown(index)
			return
		}
	}
	from, to, step := s.values[lower.ID], s.values[upper.ID], s.values[by.ID].i
	done := false
	if bounded && step.single() && step.lo >= 1 {
		if f, ok := s.combineForms(from.form, 1, iteration, step.lo); ok && s.intervalOf(f) != everything {
			i := s.intervalOf(f)
			s.values[index.ID] = value{form: f, i: interval{from.i.lo, max(from.i.lo, min(i.hi, to.i.hi-1))}}
			done = i.within(limits(index))
		}
	}
	if !done {
		s.setInterval(index, interval{from.i.lo, max(from.i.lo, to.i.hi-1)}, 0)
	}
	f := s.values[index.ID].form
	if below, ok := s.combineForms(f, 1, to.form, -1); ok && len(s.path) < maxPath {
		below.c++
		s.path = append(s.path, below)
	}
}

// bindCarried makes a carried value its first one plus iteration times what each iteration adds.
func (s *state) bindCarried(arg, first *ir.Value, how induction, iteration form, bounded bool) bool {
	x := s.values[first.ID]
	if !how.ok || !x.usable(first) {
		return false
	}
	f, i, linear, ok := s.afterIterations(x.form, how, iteration, bounded)
	if !ok {
		return false
	}
	if linear {
		s.setForm(arg, f, true, x.arg)
	} else {
		s.setInterval(arg, i, x.arg)
	}
	return true
}

// afterIterations is first + times·steps: as a form if all steps are numbers, else as an interval.
func (s *state) afterIterations(first form, how induction, times form, bounded bool) (f form, i interval,
	linear, ok bool) {
	f, linear, ok = first, true, true
	by := interval{}
	for _, st := range how.steps {
		v := &s.values[st.value.ID]
		if !v.usable(st.value) || !bounded {
			return f, i, false, false
		}
		if by, ok = corners(by, v.i, func(a, b int64) (int64, bool) { return weigh(a, 1, b, st.sign) }); !ok {
			return f, i, false, false
		}
	}
	if by.single() {
		f, ok = s.combineForms(first, 1, times, by.lo)
		return f, i, true, ok
	}
	i, ok1 := corners(s.intervalOf(times), by, num.MulExact)
	i, ok2 := corners(s.intervalOf(first), i, num.AddExact)
	return f, i, false, ok1 && ok2
}

// refineCarried gives carried values that were taken for anything what the body makes of anything. It reports whether
// that is less.
func (s *state) refineCarried(in *ir.Instr) (less bool) {
	body := in.Regions[0]
	next := body.Terminator().Operands
	for i, arg := range body.Args[1:] {
		first := in.Operands[3+i]
		was, a, b := &s.values[arg.ID], &s.values[first.ID], &s.values[next[i].ID]
		if !arg.Type.IsInt() || !a.usable(first) || !b.usable(next[i]) {
			continue
		}
		if !was.usable(arg) || was.i != whole(arg.Type.DType) { // it was not taken for anything
			continue
		}
		if hull := a.i.hull(b.i); hull != was.i {
			s.setInterval(arg, hull, 0)
			less = true
		}
	}
	return less
}

// bindResults gives the loop's results what it carries in the end.
func (s *state) bindResults(in *ir.Instr, plan []induction, n tripCount, bounded bool) {
	next := in.Regions[0].Terminator().Operands
	times := form{c: n.least}
	if bounded && n.least != n.most {
		times = s.atomForm(s.newAtom(in.Regions[0].Args[0], interval{n.least, n.most}))
	}
	for i, r := range in.Results {
		if !s.bindCarried(r, in.Operands[3+i], plan[i], times, bounded) {
			s.joinValues(r, in.Operands[3+i], next[i])
		}
	}
}
