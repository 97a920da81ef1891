package judge

import (
	"context"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/launch"
	"github.com/newtlab/newt/puzzles"
)

// Trial tries an answer and variants of it.
type Trial struct {
	Puzzle *puzzles.Puzzle
	run    *run
}

// NewTrial prepares to try the answer in file, and variants that have its parameters. It uses the interpreter. It is no
// method, as TryOtherSizes is none.
func NewTrial(j *Judge, file *source.File, o Options) *Trial {
	o.Device = nil
	r := j.begin(file, o)
	r.brief = true
	return &Trial{j.puzzle, r}
}

// Compiles reports whether the answer compiles for the first test, and what the compiler says.
func (t *Trial) Compiles(ctx context.Context) (bool, diag.List) {
	k := t.run.compileFirst(ctx)
	t.run.verdict.Diagnostics.Sort()
	return k != nil, t.run.verdict.Diagnostics
}

// Fails runs a variant on the puzzle's tests with the numbers, in that order, until one fails: it gives that one's
// number and what was found in its launch. Where ctx has ended, the next one fails.
func (t *Trial) Fails(ctx context.Context, variant *source.File, numbers []int) (
	number int, faults diag.List, fails bool,
) {
	r := *t.run
	r.file, r.kernel = variant, launch.Named(variant, t.Puzzle.Kernel, r.options.StrictTriton).On(inOrder)
	r.verdict = &Verdict{Puzzle: t.Puzzle}
	for _, number := range numbers {
		c, _ := t.Puzzle.Test(number)
		k := Case{Case: c, Tolerance: r.judge.toleranceOf(stageOf(number))}
		if ctx.Err() != nil || r.test(ctx, &k, number) != nil {
			return number, r.verdict.Diagnostics, true
		}
	}
	return 0, nil, false
}
