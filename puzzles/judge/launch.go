package judge

import (
	"bytes"
	"context"
	"math"
	"time"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/interp/tile"
	"github.com/newtlab/newt/interp/trace"
)

// launch is one case's kernel with its own copy of the memory.
type launch struct {
	*prepared
	fn     *ir.Func
	params []string
	strict bool // start the output as NaN and poison masked lanes
	budget int64

	memory []Array // copies of the inputs
	output Array
	took   time.Duration // of planning and running
}

// run copies the memory, launches, and times the launch.
func (l *launch) run(ctx context.Context, observer trace.Observer) (*tile.Report, *tile.Fault) {
	l.memory = nil
	for _, a := range l.inputs {
		l.memory = append(l.memory, a.clone())
	}
	l.output = l.start.clone()
	if l.strict {
		l.output.fill(undefined(l.output.DType))
	}
	budget := l.budget
	if budget == 0 {
		budget = DefaultBudget
	}
	start := time.Now()
	defer func() { l.took = time.Since(start) }()
	kernel, err := tile.Plan(l.fn)
	if err != nil {
		return &tile.Report{}, err.(*tile.Fault)
	}
	return kernel.Run(ctx, tile.Launch{
		Grid: l.instance.Grid, Args: launchArgs(l.fn, l.params, append(l.memory, l.output), l.instance),
		Poison: l.strict, Budget: budget, Observer: observer,
	})
}

// undefined is what an output that must be written holds before: NaN, or an unlikely integer.
func undefined(d num.DType) num.Scalar {
	if d.Info().Float {
		return num.FromFloat(d, math.NaN())
	}
	return num.FromInt(d, -0x5a5a5a5b)
}

// writers launches again to learn which program wrote which element last.
func (l *launch) writers(ctx context.Context) map[int][3]int {
	again := *l
	w := &writers{arg: len(l.inputs), last: map[int][3]int{}}
	again.run(ctx, w)
	return w.last
}

// changedInput names the first input that the kernel wrote to.
func (l *launch) changedInput() (string, bool) {
	for i, a := range l.inputs {
		if !bytes.Equal(a.Data, l.memory[i].Data) {
			return a.Name, true
		}
	}
	return "", false
}
