package judge

import (
	"context"

	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/launch"
)

// Trial tries variants of an answer.
type Trial struct{ run *run }

// NewTrial prepares to try variants of the answer in file, which have its parameters. It uses the interpreter. It is no
// method, as TryOtherSizes is none.
func NewTrial(j *Judge, file *source.File, o Options) *Trial {
	o.Device = nil
	return &Trial{j.begin(file, o)}
}

// Passes reports whether a variant passes the puzzle's tests with the numbers, in that order. It ends with the first
// test that fails, and says no more of it.
func (t *Trial) Passes(ctx context.Context, file *source.File, numbers []int) bool {
	r := *t.run
	r.file, r.kernel = file, launch.Named(file, r.judge.puzzle.Kernel, r.options.StrictTriton)
	for _, number := range numbers {
		if ctx.Err() != nil || !r.passes(ctx, number) {
			return false
		}
	}
	return true
}

func (r *run) passes(ctx context.Context, number int) bool {
	c, _ := r.judge.puzzle.Test(number)
	p, err := r.judge.prepare(ctx, c, number)
	if err != nil {
		return false
	}
	stage := stageOf(number)
	a := r.attempt(p, stage)
	k, _ := r.kernel.Compile(a.reset())
	if k == nil {
		return false
	}
	report, fault := a.run(ctx, k, nil)
	if fault != nil || len(report.Diagnostics) > 0 {
		return false
	}
	if _, changed := a.changedInput(); changed {
		return false
	}
	positions, _ := wrong(a.output, a.expected, r.tolerance(r.judge.toleranceOf(stage), a, k))
	return len(positions) == 0
}
