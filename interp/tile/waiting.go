package tile

import (
	"runtime"
	"slices"
	"sync"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/source"
)

// waitEvery is how many iterations of a loop there are between two looks at whether it waits in vain. It is more than
// an observer lets a program read older values (trace.OlderReader).
const waitEvery = 1 << 10

// canWait reports whether a while loop may wait for memory to change: what it does depends on memory and on the values
// that it carries alone, and it changes memory by atomic operations only.
func canWait(loop *ir.Instr) bool {
	reads, other := false, false
	for _, r := range loop.Regions {
		r.Walk(func(in *ir.Instr) {
			reads = reads || in.Op.Has(ops.Reads)
			other = other || in.Op == ops.Store || in.Op == ops.Print || in.Op == ops.InlineAsmVolatile
		})
	}
	return reads && !other
}

// loopWait is what a machine knows of a loop that may wait: an iteration that leaves the carried values and memory as
// they were will be repeated until another program changes memory.
type loopWait struct {
	carried    []int // slots
	span       source.Span
	iterations int
	before     []num.Vec // the carried values, an iteration ago, every waitEvery iterations
	changes    int64     // machine.changes, then
}

// next is called before each iteration, and stops the program if no program can end the loop.
func (w *loopWait) next(m *machine) {
	switch w.iterations++; {
	case w.iterations%waitEvery == 0:
		w.changes, w.before = m.changes, w.before[:0]
		for _, s := range w.carried {
			w.before = append(w.before, m.v[s].Clone())
		}
	case w.iterations%waitEvery != 1 || w.iterations == 1:
	case w.changes != m.changes || !w.carriesSame(m):
		m.run.waits.leave(m)
	case m.run.waits.inVain(m):
		program := m.programIndex()
		m.halt(&Fault{Code: "loop-waits", Span: w.span, Program: program, Args: []any{programText(program)}})
	default:
		runtime.Gosched() // in WebAssembly, the worker that it waits for has no other time to run
	}
}

// carriesSame reports whether the carried values are those before.
func (w *loopWait) carriesSame(m *machine) bool {
	return slices.EqualFunc(w.before, w.carried, func(a num.Vec, slot int) bool {
		b := m.v[slot]
		return slices.Equal(a.F32, b.F32) && slices.Equal(a.I32, b.I32) && slices.Equal(a.I64, b.I64) &&
			slices.Equal(a.F64, b.F64)
	})
}

// waits counts the workers of a launch that wait in a loop for memory to change. All of them wait in vain once each has
// repeated an iteration since the last of them began to wait.
type waits struct {
	mu              sync.Mutex
	workers         int // that run programs
	round           int // of those in which the same workers wait
	repeatedInRound int
}

// waitRound is the round that a machine waits in; 0 if it does not.
type waitRound struct {
	round    int
	repeated bool // an iteration that began in that round
}

// inVain says that machine m has repeated an iteration, and reports whether all wait in vain.
func (w *waits) inVain(m *machine) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case m.wait.round == 0:
		w.begin()
		m.wait = waitRound{round: w.round}
	case m.wait.round != w.round:
		m.wait = waitRound{round: w.round}
	case !m.wait.repeated:
		m.wait.repeated = true
		w.repeatedInRound++
	}
	return w.workers > 0 && w.repeatedInRound == w.workers
}

// leave says that machine m does not wait.
func (w *waits) leave(m *machine) {
	if m.wait.round == 0 {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	m.wait = waitRound{}
	w.begin()
}

// end says that machine m runs no more programs.
func (w *waits) end(m *machine) {
	w.leave(m)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.workers--
	w.begin()
}

func (w *waits) begin() {
	w.round++
	w.repeatedInRound = 0
}
