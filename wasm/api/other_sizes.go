package api

import (
	"time"

	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/puzzles"
	"github.com/newtlab/newt/puzzles/judge"
)

// otherSizes tries a puzzle's answer at sizes that no test has.
func (c *call) otherSizes(r *PuzzleRequest) *OtherSizesReply {
	j, ok := c.judgeOf(r.Puzzle, r.Custom)
	if !ok {
		return &OtherSizesReply{}
	}
	file := source.NewFile("kernel.py", r.Source)
	ctx, done := c.interrupts.begin(c.id)
	defer done()
	found := judge.TryOtherSizes(ctx, j, file, judge.Options{
		StrictTriton: r.Strict,
		// A run of the puzzle must not wait until the search is over: StopRequest ends it.
		Progress: func(judge.Stage, int, int) { time.Sleep(pauseLength) },
	})
	out := &OtherSizesReply{}
	if m := found.Message(); m.Key != "" {
		out.Message = m.In(c.lang)
	}
	if f := found.Failure; f != nil {
		out.Failure = &FailureAtSizes{
			Case: f.Test, Sizes: f.Changes(), Text: puzzles.Describe(found.Puzzle, f.Case.Case),
			Diagnostics: c.diagnostics(file, f.Diagnostics),
		}
	}
	return out
}
