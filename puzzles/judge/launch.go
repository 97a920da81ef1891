package judge

import (
	"bytes"
	"context"
	"math"
	"time"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/interp/launch"
	"github.com/newtlab/newt/interp/tile"
	"github.com/newtlab/newt/interp/trace"
)

// attempt is one case's launch with its own copy of the memory.
type attempt struct {
	*prepared
	params []string // names of the kernel's parameters
	strict bool     // start the output as NaN and poison masked lanes
	budget int64
	engine Engine

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
	if a.strict {
		a.output.fill(undefined(a.output.DType))
	}
	return arguments(a.instance, a.params, append(a.memory, a.output))
}

// run launches on fresh memory and times the launch.
func (a *attempt) run(ctx context.Context, k *launch.Kernel, observer trace.Observer) *Outcome {
	budget := a.budget
	if budget == 0 {
		budget = DefaultBudget
	}
	args := a.reset()
	start := time.Now()
	defer func() { a.took = time.Since(start) }()
	return a.engine(ctx, k, args, tile.Launch{Grid: a.instance.Grid, Poison: a.strict, Budget: budget, Observer: observer})
}

// undefined is what an output that must be written holds before: NaN, or an unlikely integer.
func undefined(d num.DType) num.Scalar {
	if d.Info().Float {
		return num.FromFloat(d, math.NaN())
	}
	return num.FromInt(d, -0x5a5a5a5b)
}

// writers launches again to learn which program wrote which element last. Only the interpreter
// tells.
func (a *attempt) writers(ctx context.Context, k *launch.Kernel) map[int][3]int {
	again := *a
	again.engine = Interpret
	w := &writers{arg: len(a.inputs), last: map[int][3]int{}}
	again.run(ctx, k, w)
	return w.last
}

// changedInput names the first input that the kernel wrote to.
func (a *attempt) changedInput() (string, bool) {
	for i, in := range a.inputs {
		if !bytes.Equal(in.Data, a.memory[i].Data) {
			return in.Name, true
		}
	}
	return "", false
}
