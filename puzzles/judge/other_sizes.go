package judge

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/puzzles"
)

// OtherSizes is what came of an answer at sizes that no test has.
type OtherSizes struct {
	Puzzle *puzzles.Puzzle
	Right  []puzzles.Case
	// Failure is at the smallest sizes at which the answer was found to be wrong; nil where it was right at all.
	Failure *Failure
}

// Failure is a case at other sizes that an answer fails.
type Failure struct {
	Case
	Test        int       // the number of the test that the case takes all but the free sizes from
	Diagnostics diag.List // of its launch: warnings, since the answer passes its tests

	grid [3]int
}

// otherBudget bounds one launch at other sizes, which are about as large as the tests' own: tens of milliseconds.
const otherBudget = 1 << 26

// TryOtherSizes tries an answer that passes its tests at other sizes that the statement allows, the smallest first, and
// looks for races at each unless the first test has them already. It uses the interpreter, and ends early where ctx
// does, or where a launch exhausts its budget. An answer that fails the first test is not tried. It is no method, so
// that the page's first program, whose linker keeps the methods of a Judge, does without it.
func TryOtherSizes(ctx context.Context, j *Judge, file *source.File, o Options) *OtherSizes {
	progress := o.progress
	r := j.begin(file, Options{StrictTriton: o.StrictTriton, Budget: otherBudget})
	s := &search{run: r, found: &OtherSizes{Puzzle: j.puzzle}}
	cases := puzzles.OtherCases(j.puzzle, constants(file))
	if len(cases) == 0 || r.compileFirst(ctx) == nil || r.test(ctx, j.puzzle.Classic, 0).Problem != nil {
		return s.found
	}
	r.races = !slices.ContainsFunc(r.verdict.Diagnostics, isWarning)
	for i, c := range cases {
		progress(StageSizes, i, len(cases))
		f, ok := s.try(ctx, c)
		switch {
		case ctx.Err() != nil || r.exhausted:
			return s.found
		case f != nil:
			s.found.Failure = s.shrink(ctx, c, f)
			return s.found
		case ok:
			s.found.Right = append(s.found.Right, c.Case)
		}
	}
	return s.found
}

// search is an OtherSizes in progress.
type search struct {
	*run
	found    *OtherSizes
	solution *run // of the puzzle's own solution; nil until it is needed
}

// try runs a case and tells how it fails. It is not ok where nothing is known: the specification does not have such a
// case, the answer's error is one of rounding, or the puzzle's own solution fails, too.
func (s *search) try(ctx context.Context, c puzzles.OtherCase) (failure *Failure, ok bool) {
	p, err := s.judge.ready(ctx, c.Case)
	if err != nil {
		return nil, false
	}
	f := s.run.other(ctx, c, p)
	switch {
	case f == nil:
		return nil, true
	case ctx.Err() != nil, s.exhausted, f.Problem.Key == "judge.tf32", s.solutionFails(ctx, c, p):
		return nil, false
	}
	return f, true
}

// other runs a case at other sizes; it is nil where the kernel is right.
func (r *run) other(ctx context.Context, c puzzles.OtherCase, p *prepared) *Failure {
	f := &Failure{
		Case: Case{Case: c.Case, Tolerance: r.judge.puzzle.Tolerance.Strict}, Test: c.Test, grid: p.instance.Grid,
	}
	r.verdict.Diagnostics = nil
	f.Problem = r.runCase(ctx, &f.Case, p, StageStrict)
	f.Diagnostics = r.verdict.Diagnostics
	if i := slices.IndexFunc(f.Diagnostics, isWarning); f.Problem == nil && i >= 0 {
		f.Problem = &diag.Text{Key: "judge.finding", Args: []any{Headline{f.Diagnostics[i]}}}
	}
	if f.Problem == nil {
		return nil
	}
	for _, d := range f.Diagnostics {
		d.Severity = max(d.Severity, diag.Warning)
	}
	return f
}

func isWarning(d *diag.Diagnostic) bool { return d.Severity == diag.Warning }

// solutionFails reports whether the puzzle's own solution is known to fail, as where puzzle.json promises too much.
func (s *search) solutionFails(ctx context.Context, c puzzles.OtherCase, p *prepared) bool {
	text := s.judge.puzzle.Text
	if text == nil || len(text.Solutions) == 0 {
		return false
	}
	if s.solution == nil {
		file := source.NewFile(text.Solutions[0].File, text.Solutions[0].Source)
		s.solution = s.judge.begin(file, Options{Budget: otherBudget})
	}
	return s.solution.other(ctx, c, p) != nil
}

// shrink makes the sizes at which the answer fails smaller, one after the other, as far as it still fails.
func (s *search) shrink(ctx context.Context, c puzzles.OtherCase, f *Failure) *Failure {
	puzzle := s.judge.puzzle
	for _, name := range puzzles.Varied(puzzle) {
		values := puzzles.Smaller(puzzle, name, c.Value(name))
		for len(values) > 0 && ctx.Err() == nil {
			middle := len(values) / 2
			smaller := puzzles.Vary(puzzle, c, map[string]int{name: values[middle]})
			if at, _ := s.try(ctx, smaller); at != nil {
				c, f, values = smaller, at, values[:middle]
			} else {
				values = values[middle+1:]
			}
		}
	}
	return f
}

// constants are the integers from 2 that a source has, each once.
func constants(file *source.File) []int {
	var list []int
	module, _ := syntax.Parse(file)
	syntax.Walk(module, func(n syntax.Node) bool {
		if c, ok := n.(*syntax.Constant); ok && c.Kind == syntax.IntConst {
			if v, err := strconv.Atoi(c.Text); err == nil && v > 1 && !slices.Contains(list, v) {
				list = append(list, v)
			}
		}
		return true
	})
	return list
}

// Message sums up what came of it in a sentence; its key is empty where no other sizes were tried.
func (o *OtherSizes) Message() diag.Text {
	switch {
	case o.Failure != nil:
		sizes := puzzles.Describe(o.Puzzle, o.Failure.Case.Case)
		return diag.Text{Key: "judge.sizes-fail", Args: []any{sizes, o.Failure.reason()}}
	case len(o.Right) == 0:
		return diag.Text{}
	}
	return diag.Text{Key: "judge.sizes-pass", Args: []any{len(o.Right), o.ranges()}}
}

// Changes are the sizes and blocks of the case, with which Launch makes it of its test.
func (f *Failure) Changes() map[string]int {
	changes := maps.Clone(f.Sizes)
	maps.Copy(changes, f.Blocks)
	return changes
}

// reason is how the answer fails, as precisely as it is known.
func (f *Failure) reason() diag.Text {
	i := slices.IndexFunc(f.Diagnostics, isWarning)
	if i < 0 {
		return f.firstWrong()
	}
	d := f.Diagnostics[i]
	if d.Runtime == nil || d.Runtime.Size == 0 { // not an access out of bounds, whose headline names no program
		return diag.Text{Key: "judge.finding", Args: []any{Headline{d}}}
	}
	return diag.Text{Key: "judge.in-program", Args: []any{Headline{d}, program(d.Runtime.Program, f.grid)}}
}

// program writes a program of a grid, without the axes at the end that have one program only.
func program(p, grid [3]int) string {
	axes := 3
	for axes > 1 && grid[axes-1] == 1 {
		axes--
	}
	if axes == 1 {
		return strconv.Itoa(p[0])
	}
	return "(" + strings.Trim(strings.ReplaceAll(fmt.Sprint(p[:axes]), " ", ", "), "[]") + ")"
}

// firstWrong names the first wrong element, where one was written.
func (f *Failure) firstWrong() diag.Text {
	first := f.First(1)
	if len(first) == 0 || first[0].Program == nil {
		return *f.Problem
	}
	e := first[0]
	element := f.Expected.Name + strings.ReplaceAll(fmt.Sprint(e.Index), " ", ", ")
	return diag.Text{Key: "judge.first-wrong", Args: []any{*f.Problem, element, e.Got, e.Want}}
}

// ranges lists the varied sizes with the least and the largest value of each.
func (o *OtherSizes) ranges() list {
	var l list
	for _, name := range puzzles.Varied(o.Puzzle) {
		low, high := 0, 0
		for i, c := range o.Right {
			v := c.Value(name)
			if i == 0 || v < low {
				low = v
			}
			high = max(high, v)
		}
		l = append(l, diag.Text{Key: "judge.range", Args: []any{name, low, high}})
	}
	return l
}

// list is several texts as one.
type list []diag.Text

// In puts a list into words.
func (l list) In(lang diag.Lang) string {
	words := make([]string, len(l))
	for i, t := range l {
		words[i] = t.In(lang)
	}
	return strings.Join(words, diag.Text{Key: "judge.comma"}.In(lang))
}
