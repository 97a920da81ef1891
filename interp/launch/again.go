package launch

import (
	"bytes"
	"context"
	"slices"
	"sync"

	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/device/cpu"
)

// againBudget bounds the work of each of Again's launches: a third of a second on one core.
const againBudget = 1 << 28

// inOrder is an interpreter that runs one program after the other, so that two launches that do the same give the same
// bits.
var inOrder = sync.OnceValue(func() device.Device { return cpu.New(cpu.Options{Workers: 1}) })

// Again are the parameters of tensors that a launch changes and a second one changes further, as where it adds to what
// is there. The tensors of restored parameters are before the second launch what they were before the first. The
// launches are made on copies, unless the code shows that there are no such parameters; the result is nil as well where
// they fail, or take more than their budget, which is small unless a larger one is given.
func (k *Kernel) Again(ctx context.Context, args []Arg, grid [3]int, restored []string, budget int64) (
	params []string,
) {
	if !k.readsWhatItWrites(args) {
		return nil
	}
	own, err := k.OwnMemory(args)
	if err != nil {
		return nil
	}
	before := contents(own)
	if !k.launchInOrder(ctx, own, grid, budget) {
		return nil
	}
	once := contents(own)
	for i, a := range own {
		if a.Tensor != nil && slices.Contains(restored, k.Param(i, a.Name)) {
			copy(a.Tensor.Data, before[i])
		}
	}
	if !k.launchInOrder(ctx, own, grid, budget) {
		return nil
	}
	for i, a := range own {
		name := k.Param(i, a.Name)
		if a.Tensor != nil && k.written()[name] && !slices.Contains(restored, name) &&
			!bytes.Equal(a.Tensor.Data, once[i]) {
			params = append(params, name)
		}
	}
	return params
}

// launchInOrder makes a launch within the budget of Again, and reports whether nothing was wrong with it.
func (k *Kernel) launchInOrder(ctx context.Context, args []Arg, grid [3]int, budget int64) bool {
	l := device.Launch{Grid: grid, Budget: max(budget, againBudget)}
	report, fault := k.Run(ctx, Target{Device: inOrder()}, args, l)
	return fault == nil && len(report.Diagnostics) == 0
}

// contents are copies of the memory of tensors in this process, by argument.
func contents(args []Arg) [][]byte {
	out := make([][]byte, len(args))
	for i, a := range args {
		if a.Tensor != nil {
			out[i] = bytes.Clone(a.Tensor.Data)
		}
	}
	return out
}

// readsWhatItWrites reports whether a launch may read memory that it writes to.
func (k *Kernel) readsWhatItWrites(args []Arg) bool {
	memory := map[string]any{}
	for i, a := range args {
		if a.Tensor != nil {
			memory[k.Param(i, a.Name)], _ = a.Tensor.memory()
		}
	}
	read, written := map[any]bool{}, map[any]bool{}
	for in, params := range k.Func.Pointees() {
		for _, p := range params {
			at := memory[k.Func.Params[p].Name]
			read[at] = read[at] || in.Op.Has(ops.Reads)
			written[at] = written[at] || in.Op.Has(ops.Writes)
		}
	}
	for at := range read {
		if at != nil && read[at] && written[at] {
			return true
		}
	}
	return false
}
