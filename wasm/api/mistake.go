package api

import (
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/puzzles/judge"
	"github.com/newtlab/newt/puzzles/repair"
)

// mistake looks for the mistake in a puzzle's answer.
func (c *call) mistake(r *PuzzleRequest) *MistakeReply {
	out := &MistakeReply{}
	j, ok := c.judgeOf(r.Puzzle, r.Custom)
	if !ok {
		return out
	}
	file := source.NewFile("kernel.py", r.Source)
	ctx, done := c.interrupts.begin(c.id)
	defer done()
	pause := pauses()
	found := repair.Find(ctx, j, file, judge.Options{
		StrictTriton: r.Strict, Progress: func(judge.Stage, int, int) { pause() },
	})
	if found != nil {
		d := c.diagnostic(file, found)
		out.Found = &d
	}
	return out
}
