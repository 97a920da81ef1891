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
	o.Device, o.Brief = nil, true
	return &Trial{j.begin(file, o)}
}

// Passes reports whether a variant passes the puzzle's tests with the numbers, in that order. It ends with the first
// test that fails, and says no more of it.
func (t *Trial) Passes(ctx context.Context, file *source.File, numbers []int) bool {
	r := *t.run
	r.file, r.kernel = file, launch.Named(file, r.judge.puzzle.Kernel, r.options.StrictTriton)
	r.verdict = &Verdict{Puzzle: r.judge.puzzle}
	for _, number := range numbers {
		c, _ := r.judge.puzzle.Test(number)
		k := Case{Case: c, Tolerance: r.judge.toleranceOf(stageOf(number))}
		if ctx.Err() != nil || r.test(ctx, &k, number) != nil {
			return false
		}
	}
	return true
}
