package tile

import (
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ptx/inline"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/trace"
)

// machine is one worker: a frame of values and the program that it runs.
type machine struct {
	v    []num.Vec // by slot
	full []num.Vec // the slots at their full length
	// forms are those of slots whose values have one.
	forms []form

	run     *run
	args    []argument
	observe trace.Observer
	watch   trace.OperationObserver // observe, if it is one
	states  trace.StateObserver     // observe, if it is one
	older   trace.OlderReader       // observe, if it is one
	poison  bool
	exact   bool // Launch.ExactDot

	program  int64     // its number in program order
	pid      [3]int32  // its index along each axis
	left     int64     // work that was taken from the budget and not done
	unpolled int       // work inside of a step since the last poll
	halted   bool      // the program is to stop
	fault    *Fault    // why, if because of a fault
	watched  bool      // watch is told of the program's operations
	changes  int64     // of elements of memory by atomic operations
	wait     waitRound // in a loop, for another program
	batches  *batchWorker
	batch    bool    // halts rather than look at an access lane by lane
	pointees [][]int // of the memory operations: trace.Access.Args, for observe

	path []trace.Turn // that is left to where the program is resumed
	here []trace.Turn // to where states has been told that the program is

	found  findings
	lanes  [4][3]num.Vec // one element each, by class
	access trace.Access
	told   trace.Operation

	scratch []num.Vec
	strip   [8 * stripLanes]byte // elements of a row on their way to or from a slot
	runners []*inline.Runner     // of inline assembly, by the number that the planner gave it
}

func newMachine(slots []slot) *machine {
	m := &machine{full: make([]num.Vec, len(slots)), forms: make([]form, len(slots))}
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

// scratchVectors are scratch lists of k vectors each, for reductions.
func (m *machine) scratchVectors(k int) (dst, x, y []num.Vec) {
	if len(m.scratch) < 3*k {
		m.scratch = make([]num.Vec, 3*k)
	}
	return m.scratch[:k], m.scratch[k : 2*k], m.scratch[2*k : 3*k]
}

// reset makes m ready for the programs of r and forgets what it saw before.
func (m *machine) reset(r *run) {
	// Values of an earlier launch stay in the frame: every slot is written before it is read.
	*m = machine{v: m.v, full: m.full, forms: m.forms, lanes: m.lanes, scratch: m.scratch, runners: m.runners, run: r}
	copy(m.v, m.full) // regions of reductions had cut their slots, and shared ones were another machine's
	clear(m.scratch)
}

// scratchLane is the i-th place for one element of class c.
func (m *machine) scratchLane(c num.Class, i int) num.Vec { return m.lanes[c][i] }

// exec runs steps until one halts the program: from the first on, or from the one that the program is resumed in.
func (m *machine) exec(code []step) {
	if len(m.path) > 0 {
		code = code[m.path[0].Step:]
	}
	for _, s := range code {
		s(m)
		if m.halted {
			return
		}
	}
}

// runAll runs steps without regions, which cannot halt the program.
func (m *machine) runAll(code []step) {
	for _, s := range code {
		s(m)
	}
}

// fail stops the program with a fault.
func (m *machine) fail(code string, span source.Span, args ...any) {
	m.halt(&Fault{Code: code, Span: span, Program: m.programIndex(), Args: args})
}

// halt stops the program, and the launch with it.
func (m *machine) halt(f *Fault) { m.halted, m.fault = true, f }

// programIndex is that of the program in the grid.
func (m *machine) programIndex() [3]int { return m.run.programAt(m.program) }

// spendBudget takes work from the budget and reports whether the program may go on; span is what
// repeats, for the fault when it may not.
func (m *machine) spendBudget(work int64, span source.Span) bool {
	if m.left -= work; m.left >= 0 {
		return true
	}
	return m.drawMore(span)
}

func (m *machine) drawMore(span source.Span) bool {
	switch m.run.drawBudget(m) {
	case exhausted:
		m.halt(LoopBudget(span, m.programIndex()))
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
		m.halted = m.halted || m.run.pollStop()
	}
	return !m.halted
}
