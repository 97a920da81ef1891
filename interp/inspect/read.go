package inspect

import (
	"context"
	"slices"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/interp/trace"
)

// reader is a walker that keeps a window of the steps of one program.
type reader struct {
	walker
	whole bool // goes on to the end of the launch, and sums it up
	few   bool // ends with the window, whatever becomes of the loops that it ends in

	full  bool        // the window is
	loops []iteration // around its last steps, which have not ended
	next  *checkpoint // to go on from; nil where the program has ended
}

// read makes the launch from the checkpoint before the window on. Once the window is full, it goes on from the last
// checkpoints that tell how the loops end which the window ends in, and the program.
func (l *Launch) read(ctx context.Context, r *reader) error {
	for at := l.trail.before(r.number(), r.result.From); ; at = r.next {
		r.next = nil
		_, _, fault, err := l.walk(ctx, r, at)
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		if r.next == nil {
			r.finish(fault)
			return nil
		}
	}
}

// Watches implements trace.OperationObserver.
func (r *reader) Watches(program [3]int) bool {
	r.running = trace.ProgramNumber(r.result.Grid, program)
	r.watching = r.running == r.number() && !r.done
	if r.watching {
		r.enter(program, r.loops)
	} else if !r.whole && r.running > r.number() {
		r.stop()
	}
	return r.watching
}

// Access implements trace.Observer.
func (r *reader) Access(a *trace.Access) {
	if r.whole {
		r.summary.Access(a)
	}
	r.walker.Access(a)
}

// Begins implements trace.StateObserver.
func (r *reader) Begins(loop *ir.Instr, program trace.Resumable) {
	r.walker.Begins(loop, program)
	if r.done || r.whole || !r.watching || loop == nil || !r.isFull() {
		return
	}
	if r.few {
		r.stop()
		return
	}
	if !r.full {
		r.full, r.loops = true, slices.Clone(r.walker.loops)
	}
	r.loops = r.loops[:min(len(r.loops), len(r.walker.loops))]
	now, number := program.Work(), r.number()
	next := r.trail.last(func(c *checkpoint) bool {
		return c.Work <= now || c.Program == number && within(c.loops, r.loops)
	})
	if next != nil && next.Work > now {
		r.next = next
		r.stop()
	}
}

// isFull reports whether the window holds no more steps.
func (r *reader) isFull() bool {
	n := len(r.result.Steps)
	return n == maxSteps || r.lanes > maxLanes || r.few && n > 0
}

// within reports whether the first of some loops are others: the same executions.
func within(loops, others []iteration) bool {
	if len(loops) < len(others) {
		return false
	}
	for i, of := range others {
		if loops[i].loop != of.loop || loops[i].since != of.since {
			return false
		}
	}
	return true
}
