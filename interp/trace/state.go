package trace

import (
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
)

// State is that of a launch whose programs run one after the other, where one of them begins, or begins an iteration
// of a loop. A launch with the same arguments can go on from it once their memory is as it was then.
type State struct {
	Program int64     // in program order
	Work    int64     // that the launch has done or begun with; it is more at each state than at the one before
	Path    []Turn    // to the loop; empty where the program begins
	Values  []num.Vec // that the program has computed, by the engine's places for them
}

// Turn is a step of the engine that has regions, and the region of it that the program is in.
type Turn struct{ Step, Region int }

// Bytes is about how much memory the state takes.
func (s *State) Bytes() (n int) {
	for _, v := range s.Values {
		n += 96 + 4*(len(v.I32)+len(v.F32)) + 8*(len(v.I64)+len(v.F64))
	}
	return n
}

// Resumable is a program of which a State can be had.
type Resumable interface {
	Work() int64 // State.Work
	State() *State
}

// StateObserver is an OperationObserver that is told where States can be had. It may ask for one until it returns.
type StateObserver interface {
	OperationObserver
	// Begins says that a program begins, or one that is watched begins an iteration of a loop: that of the Operation
	// which comes next. loop is nil at the beginning of the program, just after Watches.
	Begins(loop *ir.Instr, program Resumable)
}
