package judge

import (
	"context"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
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
	return &Trial{j.puzzle, j.begin(file, o)}
}

// Problem runs the answer on the puzzle's tests with the numbers, in that order, until one fails: it gives that one's
// number, what is wrong with it, and what the compiler and its launch say. The problem is nil where all pass.
func (t *Trial) Problem(ctx context.Context, numbers []int) (number int, problem *diag.Text, faults diag.List) {
	return t.first(ctx, t.run.file, numbers, reasons)
}

// Passes reports whether a variant passes the puzzle's tests with the numbers. Where ctx has ended, it does not.
func (t *Trial) Passes(ctx context.Context, variant *source.File, numbers []int) bool {
	_, problem, _ := t.first(ctx, variant, numbers, outcomes)
	return problem == nil && ctx.Err() == nil
}

// first is the first of the tests in which a variant has a problem.
func (t *Trial) first(ctx context.Context, variant *source.File, numbers []int, of detail) (
	int, *diag.Text, diag.List) {
	r := *t.run
	r.file, r.kernel = variant, r.judge.function(variant, r.options)
	r.verdict, r.detail = &Verdict{Puzzle: t.Puzzle}, of
	for _, number := range numbers {
		c, _ := t.Puzzle.Test(number)
		if ctx.Err() != nil {
			break
		}
		if problem := r.test(ctx, c, number).Problem; problem != nil {
			return number, problem, r.verdict.Diagnostics
		}
	}
	return 0, nil, nil
}
