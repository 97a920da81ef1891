package api

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/puzzles/judge"
)

// maxFirst is how many wrong elements a reply lists.
const maxFirst = 16

// puzzle runs a puzzle's checks and reports progress on the way.
func (c *call) puzzle(r *PuzzleRequest) {
	j, ok := c.judgeOf(r.Puzzle, r.Custom)
	if !ok {
		c.finish(Reply{Error: fmt.Sprintf("there is no puzzle %d", r.Puzzle)})
		return
	}
	file := source.NewFile("kernel.py", r.Source)
	ctx, on, compared := c.device(r.Remote)
	options := judge.Options{
		StrictTriton: r.Strict, Budget: min(c.budget, judge.DefaultBudget), Device: on, Brief: on == nil,
		Progress: func(stage judge.Stage, done, total int) { c.progress(string(stage), done, total) },
	}
	v := j.Check(ctx, file, options)
	diagnostics := c.diagnostics(file, v.Diagnostics)
	for i, d := range v.Diagnostics {
		if number, ok := v.Tests[d]; ok {
			diagnostics[i].Test = number + 1
		}
	}
	failed := v.FirstFailed()
	detailed := func(number int) bool { return !options.Brief || number == 0 || number == failed }
	c.finish(Reply{Verdict: &Verdict{
		Puzzle: r.Puzzle, Pass: v.Pass(), Message: v.Message().In(c.lang),
		Tests:   1 + len(v.Puzzle.Strict),
		Classic: c.checkOf(&v.Classic, 0, detailed), Strict: c.checkOf(&v.Strict, 1, detailed),
		Diagnostics: diagnostics, Prints: prints(file, v.Prints),
		CompileMS: milliseconds(v.Compile), RunMS: milliseconds(v.Run), Compared: compared,
	}})
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func prints(f places, list []device.Print) []Print {
	out := make([]Print, 0, len(list))
	for _, p := range list {
		out = append(out, Print{Program: p.Program[:], Line: f.Position(p.Span.Start).Line, Text: p.Text})
	}
	return out
}

// explain runs one test of an answer and gives its detail.
func (c *call) explain(r *CaseRequest) {
	var k *judge.Case
	if j, ok := c.judgeOf(r.Of.Puzzle, r.Of.Custom); ok {
		k = j.Explain(context.Background(), source.NewFile("kernel.py", r.Of.Source), r.Number,
			judge.Options{StrictTriton: r.Of.Strict, Budget: min(c.budget, judge.DefaultBudget)})
	}
	if k == nil {
		c.finish(Reply{Error: "there is no such test"})
		return
	}
	c.finish(Reply{Case: c.detailOf(k)})
}

// checkOf is a check whose first test has a number. detailed says which tests have their detail, by their numbers.
func (c *call) checkOf(k *judge.Check, first int, detailed func(number int) bool) Check {
	out := Check{Pass: k.Pass(), Ran: k.Ran(), Cases: make([]Case, 0, len(k.Cases))}
	for i := range k.Cases {
		x := &k.Cases[i]
		of := Case{Name: x.Name.In(c.lang.String()), Sizes: sizes(x), Seed: x.Seed, Pass: x.Problem == nil}
		if detailed(first + i) {
			of.Detail = c.detailOf(x)
		}
		out.Cases = append(out.Cases, of)
	}
	return out
}

func (c *call) detailOf(k *judge.Case) *CaseDetail {
	out := &CaseDetail{
		Wrong: len(k.Wrong), Compared: k.Compared, MaxError: k.FiniteError(), RTol: k.RTol, ATol: k.ATol,
		First: make([]Element, 0, maxFirst),
	}
	if k.Problem != nil {
		out.Message = k.Problem.In(c.lang)
	}
	for _, e := range k.First(maxFirst) {
		x := Element{Index: e.Index, Got: e.Got, Want: e.Want}
		if e.Program != nil {
			x.Program = e.Program[:]
		}
		out.First = append(out.First, x)
	}
	if k.Output.Data != nil {
		s := sampleOf(k.Output.Shape, k.Wrong)
		out.Output, out.Expected = s.view(k.Output), s.view(k.Expected)
		out.Output.Wrong = s.wrong
		if len(k.Wrong) > 0 { // only then it is known which elements were written
			out.Output.Unwritten = s.cells(func(i int) bool { return k.Writers[i] == nil })
		}
	}
	for _, a := range k.Inputs {
		out.Inputs = append(out.Inputs, Tensor{Name: a.Name, Text: tensorText(a)})
	}
	return out
}

// sizes writes a case's sizes and blocks as the call would: N0=100, B0=32.
func sizes(k *judge.Case) string {
	var parts []string
	for _, m := range []map[string]int{k.Sizes, k.Blocks} {
		var group []string
		for name, n := range m {
			group = append(group, fmt.Sprintf("%s=%d", name, n))
		}
		slices.Sort(group)
		parts = append(parts, group...)
	}
	return strings.Join(parts, ", ")
}
