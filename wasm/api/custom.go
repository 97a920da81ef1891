package api

import (
	"context"
	"slices"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/host"
	"github.com/newtlab/newt/puzzles"
	"github.com/newtlab/newt/puzzles/author"
	"github.com/newtlab/newt/puzzles/judge"
)

// custom is the puzzle of somebody's own that was asked about last, and its judge.
type custom struct {
	of    Custom
	judge *judge.Judge
}

// load says whether a puzzle of somebody's own is sound, and what the page shows of it.
func (d *documents) load(c *call, r *LoadRequest) *LoadReply {
	out := &LoadReply{Problems: []Problem{}, Hints: []string{}, Solutions: []Solution{}}
	p, problems := readCustom(&r.Custom, d.libraries.Refusal)
	if p == nil {
		for _, problem := range problems {
			out.Problems = append(out.Problems, c.problem(problem.Diagnostic()))
		}
		return out
	}
	for _, f := range judge.Validate(context.Background(), p, judge.Options{Budget: c.budget}) {
		out.Problems = append(out.Problems, c.problem(f.File, f.Diagnostic))
	}
	lang := c.lang.String()
	out.OK = len(out.Problems) == 0
	out.Number, out.Title, out.Kernel = p.Number, p.Title.In(lang), p.Kernel
	out.Statement, out.Picture, out.Starter = p.Text.Statement.In(lang), p.Text.Picture, p.Text.Starter
	out.Learned, out.Refused, out.Goals = p.Text.Learned.In(lang), p.Text.Refused, p.Goals
	out.Timing = p.Timing
	for _, h := range p.Text.Hints {
		out.Hints = append(out.Hints, h.In(lang))
	}
	for _, s := range p.Text.Solutions {
		out.Solutions = append(out.Solutions, Solution{s.Title.In(lang), s.Why.In(lang), s.Source})
	}
	return out
}

// make makes a puzzle of what the free page holds.
func (c *call) make(r *MakeRequest) *MakeReply {
	f, err := c.evaluate(&r.Of)
	if err != nil {
		return &MakeReply{Problem: err.Error()}
	}
	folder, wrong := author.Make(context.Background(), author.Call{
		Source: r.Of.Source, Kernel: r.Of.Kernel, Args: f.written(r.Of.Args), Grid: r.Of.Grid, Sizes: f.grid,
		Seed: r.Of.Seed, Number: max(1, r.Number), Budget: min(c.budget, judge.DefaultBudget),
	})
	if wrong != nil {
		return &MakeReply{Problem: wrong.In(c.lang)}
	}
	files := convert(folder.Files, func(f author.File) File { return File(f) })
	return &MakeReply{Custom: &Custom{Folder: folder.Name, Files: files}}
}

// written are the arguments beside how the form says them.
func (f *freeArgs) written(form []FreeArg) []author.Arg {
	args := make([]author.Arg, len(form))
	tensors := f.tensors
	for i, a := range form {
		args[i] = author.Arg{Arg: f.args[i], Text: a.Value}
		// f.tensors has the tensors only, in the order of the arguments.
		if f.args[i].Tensor != nil && len(tensors) > 0 {
			args[i].Text, args[i].Fill, args[i].Shape = a.Shape, a.Fill, tensors[0].Shape
			tensors = tensors[1:]
		}
	}
	return args
}

// readCustom loads the folder's one puzzle, or says what is wrong with its files.
func readCustom(of *Custom, refusal puzzles.Refusal) (*puzzles.Puzzle, []*puzzles.Problem) {
	list, problems := puzzles.Load(of.folder().FS(), refusal)
	if len(list) == 1 && len(problems) == 0 {
		return list[0], nil
	}
	return nil, problems
}

// problem says what is wrong with a file of a puzzle.
func (c *call) problem(file *source.File, d *diag.Diagnostic) Problem {
	r := d.In(c.lang)
	line := file.Position(d.Primary.Span.Start).Line
	return Problem{File: file.Name, Line: line, Text: r.Headline, Label: r.Label, Help: r.Help}
}

// judgeOf is the judge of the puzzle that a request names: one of newt's own, or the custom one.
func (s *server) judgeOf(number int, of *Custom) (*judge.Judge, bool) {
	if of == nil || s.extra == nil {
		return s.judge(number)
	}
	return s.extra.judge(of)
}

func (d *documents) judge(of *Custom) (*judge.Judge, bool) {
	// The page sends the folder with each request; the judge, with its expected outputs, is kept while it is the same.
	if d.custom.judge == nil || !same(&d.custom.of, of) {
		p, _ := readCustom(of, nil)
		if p == nil {
			return nil, false
		}
		d.custom = custom{*of, judge.New(p)}
		d.custom.judge.Libraries = host.AllLibraries()
	}
	return d.custom.judge, true
}

func same(a, b *Custom) bool { return a.Folder == b.Folder && slices.Equal(a.Files, b.Files) }
