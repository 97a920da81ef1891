package tile

import (
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/trace"
)

// machine is one worker: a frame of values and the program that it runs.
type machine struct {
	v    []num.Vec // by slot
	full []num.Vec // the slots at their full length

	run     *run
	args    []argument
	observe trace.Observer
	poison  bool
	exact   bool // Launch.ExactDot

	program  int64    // its number in program order
	pid      [3]int32 // its index along each axis
	left     int64    // work that was taken from the budget and not done
	unpolled int      // work inside of a step since the last poll
	halted   bool     // the program is to stop
	fault    *Fault   // why, where it is a fault

	found  findings
	lanes  [4][3]num.Vec // one element each, by class
	access trace.Access

	scratch []num.Vec
}

func newMachine(slots []slot) *machine {
	m := &machine{full: make([]num.Vec, len(slots))}
	for i, s := range slots {
		m.full[i] = num.MakeVec(s.class, s.n)
	}
	m.v = append([]num.Vec(nil), m.full...)
	for c := range m.lanes {
		for i := range m.lanes[c] {
			m.lanes[c][i] = num.MakeVec(num.Class(c), 1)
		}
	}
	return m
}

// operands are scratch lists of k vectors each, for reductions.
func (m *machine) operands(k int) (x, y []num.Vec) {
	if len(m.scratch) < 2*k {
		m.scratch = make([]num.Vec, 2*k)
	}
	return m.scratch[:k], m.scratch[k : 2*k]
}

// reset makes m ready for the programs of r and forgets what it saw before.
func (m *machine) reset(r *run) {
	*m = machine{v: m.v, full: m.full, lanes: m.lanes, scratch: m.scratch, run: r}
	copy(m.v, m.full)
	clear(m.scratch)
}

// lane is the i-th place for one element of class c.
func (m *machine) lane(c num.Class, i int) num.Vec { return m.lanes[c][i] }

// exec runs steps until one halts the program.
func (m *machine) exec(code []step) {
	for _, s := range code {
		s(m)
		if m.halted {
			return
		}
	}
}

// fail stops the program with a fault.
func (m *machine) fail(code string, span source.Span, args ...any) {
	m.halt(&Fault{Code: code, Span: span, Program: m.index(), Args: args})
}

// halt stops the program, and the launch with it.
func (m *machine) halt(f *Fault) { m.halted, m.fault = true, f }

// index is that of the program in the grid.
func (m *machine) index() [3]int { return m.run.programAt(m.program) }

// spend takes work from the budget and reports whether the program may go on; span is what
// repeats, for the fault when it may not.
func (m *machine) spend(work int64, span source.Span) bool {
	if m.left -= work; m.left >= 0 {
		return true
	}
	return m.refill(span)
}

func (m *machine) refill(span source.Span) bool {
	switch m.run.take(m) {
	case exhausted:
		m.halt(LoopBudget(span, m.index()))
	case stopped:
		m.halted = true
	}
	return !m.halted
}

// poll counts work inside of a step, whose share of the budget is taken already, and reports whether the program may
// go on. A step that may take longer than a few milliseconds calls it now and then.
func (m *machine) poll(work int) bool {
	if m.unpolled += work; m.unpolled >= pollEvery {
		m.unpolled = 0
		m.halted = m.halted || m.run.interrupted()
	}
	return !m.halted
}
