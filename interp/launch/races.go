package launch

import (
	"context"
	"slices"
	"unsafe"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/sanitize"
)

// racesBudget bounds the work of an observed launch, which costs about ten times a plain one: a few
// tenths of a second in a browser.
const racesBudget = 1 << 24

// Races launches the kernel on copies of the tensors and reports the data races between its
// programs, as warnings. Where the launch exceeds its budget or faults, they are those found so far.
func (k *Kernel) Races(ctx context.Context, args []Arg, l device.Launch) diag.List {
	races := &sanitize.Races{}
	l.Observer, l.Budget, l.Progress = races, racesBudget, nil
	k.Run(ctx, Target{Device: Interpreter}, copied(args), l)
	return races.Diagnostics()
}

// copied are args with storages of their own; tensors that share a storage share the copy.
func copied(args []Arg) []Arg {
	storages := map[*byte][]byte{}
	out := slices.Clone(args)
	for i, a := range out {
		if a.Tensor == nil {
			continue
		}
		// Two tensors of one storage must stay so: a race between them is what is looked for.
		key := unsafe.SliceData(a.Tensor.Data)
		if storages[key] == nil {
			storages[key] = slices.Clone(a.Tensor.Data)
		}
		t := *a.Tensor
		t.Data = storages[key]
		out[i].Tensor = &t
	}
	return out
}
