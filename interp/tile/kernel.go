// Package tile runs tile IR on typed slices.
//
// Plan turns a function into a list of steps over numbered slots: each value has a slot, slots
// are used again once their values are dead, and a step is a closure over slot numbers that calls
// the kernels of package num. Nothing is allocated while a program runs. Values that no program
// can influence (constants, aranges, what is computed from arguments alone) are computed once a
// launch. Tiles of integers that follow from aranges have closed forms, of a few numbers, in the
// place of elements that nothing asks for.
//
// # What is defined here and left open elsewhere
//
//   - Programs run in the order of Triton's interpreter: x outermost, z innermost. Several workers
//     run them at once; what a launch reports is the same for any number of workers.
//   - A lane that its mask leaves out loads other, or 0, or poison (Launch.Poison). A lane out of
//     bounds is left out the same way and reported.
//   - Reductions combine neighbors, then neighbors of the results, and so on: a balanced tree
//     that keeps the order of the elements. Along the first axis, where the region is one
//     commutative operation, they combine the two halves, then those of the result: a tree as
//     deep. Vectors of 64 and 128 elements are combined as a GPU with one element a thread does
//     it: 16, 8, 4, 2 and 1 apart within groups of 32, then the groups. Scans combine one element
//     after the other.
//   - dot adds products to the accumulator in the order of k, each product rounded, in fp32
//     (fp64, int32) whatever the inputs' width. Precision tf32 first truncates fp32 inputs to
//     ten mantissa bits, as tensor cores do; ieee does not; the x3 and x6 variants split inputs by
//     rounding and add the products of the parts, small ones first. Launch.ExactDot takes ieee for all.
package tile

import (
	"context"
	"fmt"
	"sync"

	"github.com/newtlab/newt/compiler/ir"
)

// step does one operation of a program.
type step func(m *machine)

// Kernel is a function made ready to run. Several goroutines may run one at the same time.
type Kernel struct {
	fn       *ir.Func
	slots    []slot
	prologue []step // once a launch
	body     []step // once a program
	cost     int64  // work of body, loops aside
	shared   int64  // work of prologue
	frame    int64  // bytes of one worker's values
	params   []int  // the parameters' slots
	written  func() []bool
	pointees func() [][]int // of the memory operations by number
	batch    func() *batch  // nil where there is none
	machines sync.Pool
}

// maxFrame bounds the bytes that the values of one program may take.
const maxFrame = 1 << 29

// Plan makes a verified function ready to run. It refuses what needs too much memory and
// operations on dtypes that have no meaning; the error is a *Fault.
func Plan(fn *ir.Func) (*Kernel, error) { return PlanContext(context.Background(), fn) }

// PlanContext is Plan that gives up when ctx ends: a kernel of a megabyte takes a second.
func PlanContext(ctx context.Context, fn *ir.Func) (*Kernel, error) {
	return newPlanner(ctx, fn, nothing).kernel()
}

// PlanObserved is PlanContext for launches whose Observer is a trace.OperationObserver, which is told of the operations
// that watch chooses. Those are not computed once for all programs: each program has all of them.
func PlanObserved(ctx context.Context, fn *ir.Func, watch func(*ir.Instr) bool) (*Kernel, error) {
	return newPlanner(ctx, fn, watch).kernel()
}

// Everything chooses all operations of a function for PlanObserved.
func Everything(*ir.Func) func(*ir.Instr) bool { return func(*ir.Instr) bool { return true } }

func nothing(*ir.Instr) bool { return false }

func (p *planner) kernel() (k *Kernel, err error) {
	defer func() {
		if r := recover(); r != nil {
			k, err = nil, asFault(r)
		}
	}()
	p.planFunction()
	frame := p.frameBytes()
	if frame > maxFrame {
		return nil, p.tooLarge(frame)
	}
	batches := sync.OnceValue(func() *batch { return batched(p.fn) })
	if p.noForms || p.slots.noReuse {
		batches = func() *batch { return nil }
	}
	return &Kernel{
		fn: p.fn, slots: p.slots.slots, prologue: p.prologue, body: p.code, cost: p.cost, shared: p.shared,
		frame: frame, params: p.params, written: sync.OnceValue(p.fn.Written),
		pointees: sync.OnceValue(p.pointees), batch: batches,
	}, nil
}

// asFault makes a fault of a recovered panic: planners throw *Fault, anything else is a bug.
func asFault(r any) *Fault {
	if f, ok := r.(*Fault); ok {
		return f
	}
	return &Fault{Code: "internal-error", Args: []any{fmt.Sprint(r)}}
}
