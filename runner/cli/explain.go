package cli

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/newtlab/newt/interp/inspect"
	"github.com/newtlab/newt/interp/launch"
	"github.com/newtlab/newt/puzzles/judge"
)

// explanation is where the first wrong element of a verdict comes from.
type explanation struct {
	*inspect.Why
	test     int // counted from 1
	expected string
}

// explain makes the launch of the first test with a wrong element again, and follows the element; nil where no test has
// one, or the launch cannot be shown.
func (r *verdictReport) explain(ctx context.Context, j *judge.Judge, o judge.Options) *explanation {
	cases := slices.Concat(r.Classic.Cases, r.Strict.Cases)
	test := slices.IndexFunc(cases, func(c judge.Case) bool { return len(c.Wrong) > 0 })
	if test < 0 {
		return nil
	}
	made, _ := j.Launch(ctx, r.file, test, nil, o)
	if made == nil {
		return nil
	}
	shapes := make([]launch.Shape, len(made.Arrays))
	for i, a := range made.Arrays {
		shapes[i].Sizes = a.Shape
	}
	l, reason := inspect.New(made.Kernel, made.Args, shapes, made.Launch)
	if reason != nil {
		return nil
	}
	element := cases[test].Wrong[0]
	why, err := l.Why(ctx, len(shapes)-1, element)
	if err != nil {
		return nil
	}
	return &explanation{why, test + 1, made.Expected(element)}
}

// writeExplanation writes each origin under what comes from it, with its line.
func (r *verdictReport) writeExplanation(w io.Writer) {
	x := r.explained
	if x == nil {
		return
	}
	fmt.Fprintf(w, "\n%s\n", r.phrase("why.expected", x.test, x.Element, x.Value, x.expected))
	for _, o := range x.Origins {
		fmt.Fprint(w, strings.Repeat("  ", o.Depth+1))
		if o.Step >= 0 {
			fmt.Fprint(w, r.phrase("why.line", r.line(&o)), "  ")
		}
		fmt.Fprintln(w, strings.ReplaceAll(o.Sentence.In(r.lang), "`", ""))
	}
	if x.Left > 0 {
		fmt.Fprintf(w, "  %s\n", r.phrase("why.more", x.Left))
	}
	fmt.Fprintln(w)
}

// line is an origin's line in the source; 0 where it is no operation.
func (r *verdictReport) line(o *inspect.Origin) int {
	if o.Step < 0 {
		return 0
	}
	return r.file.Position(o.Span.Start).Line
}

// The JSON form of an explanation.
type (
	jsonWhy struct {
		Test     int          `json:"test"`
		Element  string       `json:"element"`
		Got      string       `json:"got"`
		Expected string       `json:"expected"`
		Program  [3]int       `json:"program"`
		Origins  []jsonOrigin `json:"origins"`
		Left     int          `json:"left"`
	}
	jsonOrigin struct {
		Depth    int    `json:"depth"`
		Line     int    `json:"line"` // 0 where it is no operation
		Sentence string `json:"sentence"`
	}
)

func (r *verdictReport) why() *jsonWhy {
	x := r.explained
	if x == nil {
		return nil
	}
	out := &jsonWhy{
		Test: x.test, Element: x.Element, Got: x.Value, Expected: x.expected, Program: x.Program,
		Origins: []jsonOrigin{}, Left: x.Left,
	}
	for _, o := range x.Origins {
		out.Origins = append(out.Origins, jsonOrigin{o.Depth, r.line(&o), o.Sentence.In(r.lang)})
	}
	return out
}
