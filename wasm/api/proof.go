package api

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/launch/proof"
	"github.com/newtlab/newt/puzzles/judge"
)

// proof says what is proved of a launch that a request names, and warns of integers that wrap in it.
func (c *call) proof(of *inspected, r *InspectRequest) (*Proof, diag.List) {
	tensors := map[string]int{} // by parameter
	for i, a := range of.args {
		if a.Tensor != nil {
			tensors[of.kernel.Param(i, a.Name)] = len(tensors)
		}
	}
	number := func(name string) int {
		if n, ok := tensors[name]; ok {
			return n
		}
		return -1
	}
	found := proof.Of(of.kernel, of.args, of.with.Grid, c.allowed(r))
	out := &Proof{Accesses: []ProvedAccess{}, Tensors: []ProvedTensor{}, Limits: found.Limits().In(c.lang),
		Overflows: []ProvedOverflow{}}
	for _, a := range found.Accesses {
		a.Line = of.places.Position(a.Span.Start).Line
		p := ProvedAccess{Line: a.Line, Tensor: number(a.Tensor), Level: a.InBounds, Text: a.Text().In(c.lang)}
		if x := a.Counterexample; x != nil {
			p.Counterexample = &Counterexample{
				Sizes: x.SizesText(), Text: x.Text().In(c.lang), Program: x.Program[:], Launch: c.launchOf(x, r),
			}
		}
		out.Accesses = append(out.Accesses, p)
	}
	for _, t := range found.Tensors {
		out.Tensors = append(out.Tensors, ProvedTensor{number(t.Name), t.RaceFree, t.Text().In(c.lang)})
	}
	for _, o := range found.Overflows {
		if o.Line = of.places.Position(o.Diagnostic.Primary.Span.Start).Line; o.Size != "" {
			out.Overflows = append(out.Overflows,
				ProvedOverflow{o.Text().In(c.lang), c.diagnostic(of.places, o.Diagnostic)})
		}
	}
	return out, found.Warnings()
}

// allowed are the launches that a puzzle's statement allows; nil for other requests.
func (c *call) allowed(r *InspectRequest) iter.Seq[*proof.Launch] {
	if r.Puzzle == nil {
		return nil
	}
	j, ok := c.judgeOf(r.Puzzle.Puzzle, r.Puzzle.Custom)
	if !ok {
		return nil
	}
	file := source.NewFile("kernel.py", r.Puzzle.Source)
	return judge.SmallLaunches(j, file, r.Case, judge.Options{StrictTriton: r.Puzzle.Strict})
}

// launchOf is the request that shows a counterexample; nil where the puzzle or the form has no such launch, and for
// documents, whose launches are those that they have made.
func (c *call) launchOf(x *proof.Counterexample, r *InspectRequest) *InspectRequest {
	switch {
	case r.Puzzle != nil:
		return c.puzzleAt(x, r)
	case r.Free != nil:
		return c.freeAt(x, r.Free)
	}
	return nil
}

func (c *call) puzzleAt(x *proof.Counterexample, r *InspectRequest) *InspectRequest {
	j, ok := c.judgeOf(r.Puzzle.Puzzle, r.Puzzle.Custom)
	if !ok {
		return nil
	}
	sizes := maps.Clone(r.Sizes)
	if sizes == nil {
		sizes = map[string]int{}
	}
	for name, n := range x.Sizes {
		sizes[name] = int(n)
	}
	file := source.NewFile("kernel.py", r.Puzzle.Source)
	l, _ := j.Launch(context.Background(), file, r.Case, sizes, judge.Options{})
	if l == nil || l.Launch.Grid != x.Grid {
		return nil
	}
	return &InspectRequest{Puzzle: r.Puzzle, Case: r.Case, Sizes: sizes}
}

// freeAt gives the form's arguments other values, and its tensors other shapes where theirs do not follow.
func (c *call) freeAt(x *proof.Counterexample, r *FreeRequest) *InspectRequest {
	of := *r
	of.Args = slices.Clone(r.Args)
	for i, a := range of.Args {
		if n, ok := x.Sizes[a.Name]; ok {
			of.Args[i].Value = fmt.Sprint(n)
		}
	}
	made, err := c.evaluate(&of)
	if err != nil {
		return nil
	}
	if made.grid != x.Grid {
		of.Grid = fmt.Sprintf("(%d, %d, %d)", x.Grid[0], x.Grid[1], x.Grid[2])
	}
	for i, a := range of.Args {
		at := slices.IndexFunc(made.tensors, func(t judge.Array) bool { return t.Name == a.Name })
		if n, ok := x.Tensors[a.Name]; ok && at >= 0 && int64(made.tensors[at].Len()) != n {
			of.Args[i].Shape = fmt.Sprint(n)
		}
	}
	return &InspectRequest{Free: &of}
}
