package judge

import (
	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/exact"
	"github.com/newtlab/newt/interp/host"
	"github.com/newtlab/newt/interp/launch"
	"github.com/newtlab/newt/interp/tensor"
)

// maxExact bounds the work of a call whose meaning is looked at, which takes some hundred times as long.
const maxExact = 1 << 17

// only is the launch of a call that makes one, before it was made.
type only struct {
	kernel *launch.Kernel
	args   []launch.Arg
	copies []launch.Arg // of args, with memory of their own
	grid   [3]int
}

// keep notes a launch. Of a call that makes several none is kept, since each goes on with what another means.
func (w *watch) keep(k *launch.Kernel, args []launch.Arg, grid [3]int) {
	if w.only = nil; w.of.launcher.launches > 1 {
		return
	}
	if copies, err := launch.Copied(args); err == nil {
		w.only = &only{k, args, copies, grid}
	}
}

// meaning compares what the elements of an output mean with what the reference's mean, where a call that has passed has
// made one small launch, which has written the output.
func (t *trial) meaning(args host.Value) {
	of := t.watch.only
	if of == nil || t.Kind != Values || len(t.wrong) > 0 || callWork-t.judging.submission.launcher.left > maxExact {
		return
	}
	r := t.judging.reference
	copied, err := newCopier(r.Tensors()).values(args)
	if err != nil {
		return
	}
	following := &tensor.Trace{}
	r.Tensors().Trace = following
	own, d := r.callWith(t.want, copied)
	r.Tensors().Trace = nil
	if d != nil || following.Left() {
		return
	}
	rules := exact.Rules{IgnoreRounding: true}
	reference := exact.Reference{Rules: rules, Trace: following}
	k := of.kernel.Observable() // one operation for each that the source has
	observer := &exact.Launch{Rules: rules, Params: k.Func.Params, Args: k.Numbers(of.copies)}
	if _, fault := k.Run(t.ctx, launch.Target{Device: launch.ObservingInterpreter}, of.copies,
		device.Launch{Grid: of.grid, Observer: observer, Budget: callWork}); fault != nil {
		return
	}
	want, got := tensorsOf(own.result), tensorsOf(t.theirs.result)
	for i, x := range got {
		if i == len(want) || !x.DType().Info().Float || !x.IsContiguous() || x.Offset() != 0 {
			continue
		}
		for k, a := range of.args {
			if a.Tensor == nil || a.Tensor.Storage != &x.Storage().Storage ||
				len(of.copies[k].Tensor.Data) != x.Numel()*x.DType().Info().Bytes {
				continue
			}
			m := observer.Compare(of.copies[k].Tensor.Data, x.DType(), reference.Numbers(want[i]))
			t.Exact = append(t.Exact, Exact{m.Elements, len(m.Different), len(m.Unknown)})
			if len(m.Different) > 0 {
				differs := diag.New("judge-meaning", t.at, SizesText(t.Sizes), len(m.Different), m.Elements)
				t.Outcome, t.Message = Failed, differs.In(t.o.Lang).Headline
				t.fault(differs)
			}
			break
		}
	}
}
