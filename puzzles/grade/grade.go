// Package grade counts what a right answer to a puzzle takes on a simulated GPU and holds it to the puzzle's goals. The
// page does the same with its own programs: package wasm/ptx/code.
package grade

import (
	"context"
	"path"
	"slices"
	"time"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ptx"
	"github.com/newtlab/newt/compiler/ptx/lens"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/device/gpu"
	"github.com/newtlab/newt/interp/host"
	"github.com/newtlab/newt/interp/launch"
	"github.com/newtlab/newt/puzzles"
	"github.com/newtlab/newt/puzzles/goal"
	"github.com/newtlab/newt/puzzles/judge"
)

// deadline bounds a launch on the simulated GPU.
const deadline = 10 * time.Minute

// Grade is how fast the answer in file is, given its verdict; nil where it is wrong, or the puzzle has no goals. Labels
// are in lang, "en" or "zh". The diagnostic says why there is no ladder of an answer that is right.
func Grade(ctx context.Context, j *judge.Judge, v *judge.Verdict, file *source.File, lang string) (
	*goal.Ladder, *diag.Diagnostic) {
	if !v.Pass() || len(v.Puzzle.Goals) == 0 {
		return nil, nil
	}
	report, fault := count(ctx, j, file)
	if fault != nil {
		return nil, fault
	}
	return goal.Grade(v.Puzzle.Goals, report.Counts(), lang), nil
}

// Validate holds a puzzle to what newt's own keep: besides judge.Validate, that the first solution of one with goals
// has the highest level, and the starter has not. The puzzle's Text must be loaded.
func Validate(ctx context.Context, p *puzzles.Puzzle, o judge.Options) []judge.Flaw {
	flaws := judge.Validate(ctx, p, o)
	if len(flaws) > 0 || len(p.Goals) == 0 {
		return flaws
	}
	j := judge.New(p)
	j.Libraries = host.AllLibraries()
	solution := p.Text.Solutions[0]
	for _, c := range []struct {
		name, text, code string
		top              bool
	}{
		{solution.File, solution.Source, "puzzle-goal-missed", true},
		{"starter.py", p.Text.Starter, "puzzle-goal-met", false},
	} {
		file := source.NewFile(path.Join(p.Slug, c.name), c.text)
		report, fault := count(ctx, j, file)
		if fault != nil {
			flaws = append(flaws, judge.FlawOf(file, p.Kernel, "puzzle-solution-fails", judge.Headline{Of: fault}))
			continue
		}
		if l := goal.Grade(p.Goals, report.Counts(), "en"); (l.Level == goal.Levels) != c.top {
			lowest := slices.MinFunc(l.Rungs, func(a, b goal.Rung) int { return a.Level - b.Level })
			args := []any{"`" + lowest.Count + "`", lowest.Value, lowest.Limits[goal.Levels-1]}
			flaws = append(flaws, judge.FlawOf(file, p.Kernel, c.code, args...))
		}
	}
	return flaws
}

// count simulates the first test's launch of the answer in file.
func count(ctx context.Context, j *judge.Judge, file *source.File) (*lens.Report, *diag.Diagnostic) {
	of, list := j.Launch(ctx, file, 0, nil, judge.Options{})
	if of == nil {
		return nil, list[len(list)-1]
	}
	var counted *lens.Kernel
	simulated := gpu.Open(gpu.NewSimulator(gpu.SimulatorOptions{}), gpu.Options{
		Deadline: deadline,
		Counted: func(fn *ir.Func, m *ptx.Module, l *gpu.Launch) {
			counted = &lens.Kernel{Name: fn.Name, Module: m}
			counted.Add(l.Grid, l.Counts)
		},
	})
	with := device.Launch{Grid: of.Launch.Grid, Budget: judge.DefaultBudget}
	if _, fault := of.Kernel.Run(ctx, launch.Target{Device: simulated}, of.Args, with); fault != nil {
		return nil, fault
	}
	return counted.Report(file), nil
}
