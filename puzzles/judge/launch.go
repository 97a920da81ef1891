package judge

import (
	"bytes"
	"context"
	"math"
	"slices"
	"time"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/launch"
	"github.com/newtlab/newt/interp/trace"
	"github.com/newtlab/newt/puzzles"
)

// attempt is one case's launch with its own copy of the memory.
type attempt struct {
	*prepared
	named  bool     // tensors are passed by name
	params []string // names of the kernel's parameters
	strict bool     // start the output as NaN and poison masked lanes
	exact  bool     // multiply fp32 factors of dot without rounding, as Triton's interpreter does
	budget int64
	device device.Device

	memory []Array // copies of the inputs
	output Array
	took   time.Duration
}

// reset copies the memory anew and returns the call's arguments.
func (a *attempt) reset() []launch.Arg {
	a.memory = nil
	for _, in := range a.inputs {
		a.memory = append(a.memory, in.clone())
	}
	a.output = a.start.clone()
	// What the kernel does not write must not be right by accident.
	if a.strict && !a.filled {
		a.output.fill(undefined(a.output.DType))
	}
	return arguments(a.instance, a.named, a.params, append(a.memory, a.output))
}

// run launches on fresh memory and times the launch.
func (a *attempt) run(ctx context.Context, k *launch.Kernel, observer trace.Observer) (*device.Report,
	*diag.Diagnostic) {
	budget := a.budget
	if budget == 0 {
		budget = DefaultBudget
	}
	// Each launch begins with fresh memory: an earlier one may have changed its inputs.
	args, l := a.reset(), a.launch()
	l.Budget, l.Observer = budget, observer
	// Only the launch is timed, not the compiler and not the copies of reset.
	start := time.Now()
	report, fault := k.Run(ctx, launch.Target{Device: a.device}, args, l)
	a.took = time.Since(start)
	k.SuggestMasks(args, report.Diagnostics)
	return report, fault
}

func (a *attempt) launch() device.Launch {
	return device.Launch{Grid: a.instance.Grid, Poison: a.strict, ExactDot: a.exact}
}

// observed reports what a sanitizer finds in the launch.
func (a *attempt) observed(ctx context.Context, k *launch.Kernel, find launch.Sanitizer) diag.List {
	again := *a // reset would replace the output that is compared
	l := a.launch()
	l.Poison = false // a poisoned lane is NaN because of its mask, and not because of an operation
	args := again.reset()
	args[len(a.inputs)].Tensor.Undefined = !a.filled
	return find(k, ctx, args, l)
}

// undefined is what an output that must be written holds before: NaN, or an unlikely integer.
func undefined(d num.DType) num.Scalar {
	if d.Info().Float {
		return num.FromFloat(d, math.NaN())
	}
	// 0xa5a5a5a5 in 32 bits: far from what kernels compute, and no small multiple of anything.
	return num.FromInt(d, -0x5a5a5a5b)
}

// accesses launches again to learn which program wrote which element of the output last, and what is read. Only the
// interpreter tells.
func (a *attempt) accesses(ctx context.Context, k *launch.Kernel) *accesses {
	again := *a
	// On a copy: the output and the time of the launch that is judged stay.
	again.device = launch.Interpreter
	s := &accesses{output: len(a.inputs), last: make([]*[3]int, a.output.Len()), used: usedValues(k.Func)}
	for _, in := range a.inputs {
		s.reads = append(s.reads, make([]reading, in.Len()))
	}
	again.run(ctx, k, s)
	return s
}

// rightWithoutRounding reports whether the launch is right once fp32 factors of dot are multiplied
// without rounding: whatever is wrong with it otherwise comes from tf32.
func (a *attempt) rightWithoutRounding(ctx context.Context, k *launch.Kernel, tol puzzles.Tolerance) bool {
	again := *a
	again.device, again.exact = launch.Interpreter, true
	// The budget is the same, but the first launch may have run on a device that is faster.
	if _, fault := again.run(ctx, k, nil); fault != nil {
		return false
	}
	positions, _ := wrong(again.output, again.expected, tol)
	return len(positions) == 0
}

// roundsToTF32 reports whether fn has a dot that rounds fp32 factors to tf32 on a GPU.
func roundsToTF32(fn *ir.Func) bool {
	found := false
	fn.Body.Walk(func(in *ir.Instr) {
		if in.Op == ops.Dot && in.Str("input_precision") == "tf32" && in.Operands[0].Type.DType == num.Float32 {
			found = true
		}
	})
	return found
}

// changedInput names the first input that the kernel wrote to, those of scratch aside.
func (a *attempt) changedInput(scratch []string) (string, bool) {
	for i, in := range a.inputs {
		if !slices.Contains(scratch, in.Name) && !bytes.Equal(in.Data, a.memory[i].Data) {
			return in.Name, true
		}
	}
	return "", false
}
