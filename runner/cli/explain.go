package cli

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/newtlab/newt/interp/inspect"
	"github.com/newtlab/newt/interp/inspect/report"
	"github.com/newtlab/newt/interp/launch"
	"github.com/newtlab/newt/puzzles/judge"
)

// explanation is what a program of a test does, and where the first wrong element of the test comes from.
type explanation struct {
	test     int // counted from 1
	program  *report.Report
	why      *inspect.Why // nil where the test has no wrong element, or it cannot be followed
	expected string
}

// explain makes the launch of the first test that fails again, or of the first test where all pass; nil where it
// cannot be made.
func (r *verdictReport) explain(
	ctx context.Context, j *judge.Judge, o judge.Options, narrow report.Options,
) *explanation {
	cases := slices.Concat(r.Classic.Cases, r.Strict.Cases)
	test := max(0, slices.IndexFunc(cases, func(c judge.Case) bool { return c.Problem != nil }))
	made, _ := j.Launch(ctx, r.file, test, nil, o)
	if made == nil {
		return nil
	}
	shapes := make([]launch.Shape, len(made.Arrays))
	for i, a := range made.Arrays {
		shapes[i].Sizes = a.Shape
	}
	x := &explanation{test: test + 1}
	l, reason := inspect.New(made.Kernel, made.Args, shapes, made.Launch)
	if reason != nil {
		x.program = report.Nothing(made.Kernel.Kernel, made.Launch.Grid, reason.In(r.lang))
		return x
	}
	if test < len(cases) && len(cases[test].Wrong) > 0 {
		element := cases[test].Wrong[0]
		x.expected = made.Expected(element)
		x.why, _ = l.Why(ctx, len(shapes)-1, element)
	}
	narrow.Lang = r.lang
	if x.why != nil && narrow.Program == nil {
		narrow.Program = &x.why.Program
	}
	x.program = report.Of(ctx, l, narrow)
	return x
}

// writeExplanation writes each origin under what comes from it, with its line, and then what the program does.
func (r *verdictReport) writeExplanation(w io.Writer) {
	x := r.explained
	if x == nil {
		return
	}
	fmt.Fprintln(w)
	if x.why != nil {
		r.writeWhy(w, x)
	}
	fmt.Fprintf(w, "%s: %s\n", r.phrase("report.test", x.test), x.program.Text(r.lang))
}

func (r *verdictReport) writeWhy(w io.Writer, x *explanation) {
	why := x.why
	fmt.Fprintln(w, r.phrase("why.expected", x.test, why.Element, why.Value, x.expected))
	for _, o := range why.Origins {
		fmt.Fprint(w, strings.Repeat("  ", o.Depth+1))
		if o.Step >= 0 {
			fmt.Fprint(w, r.phrase("why.line", r.line(&o)), "  ")
		}
		fmt.Fprintln(w, strings.ReplaceAll(o.Sentence.In(r.lang), "`", ""))
	}
	if why.Left > 0 {
		fmt.Fprintf(w, "  %s\n", r.phrase("why.more", why.Left))
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
	jsonTrace struct {
		Test int `json:"test"`
		*report.Report
	}
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

// jsonWhy is the JSON form of the first wrong element's origins; nil where there is none.
func (x *explanation) jsonWhy(r *verdictReport) *jsonWhy {
	if x == nil || x.why == nil {
		return nil
	}
	out := &jsonWhy{
		Test: x.test, Element: x.why.Element, Got: x.why.Value, Expected: x.expected, Program: x.why.Program,
		Origins: []jsonOrigin{}, Left: x.why.Left,
	}
	for _, o := range x.why.Origins {
		out.Origins = append(out.Origins, jsonOrigin{o.Depth, r.line(&o), o.Sentence.In(r.lang)})
	}
	return out
}

// jsonTrace is the JSON form of what a program does; nil where there is none.
func (x *explanation) jsonTrace() *jsonTrace {
	if x == nil {
		return nil
	}
	return &jsonTrace{x.test, x.program}
}
