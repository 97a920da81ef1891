// Package report writes what one program of a launch does, for terminals and for programs: the steps of package
// inspect, with their sentences, and a picture in text of each tensor that they access.
package report

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/inspect"
)

// Options narrow a report.
type Options struct {
	Program *[3]int // nil for the one with the first problem, or else the first
	Line    int     // of the source, from 1; 0 for all
	Lang    diag.Lang
}

// Report is what one program of a launch does. The names of its JSON form are part of the command line's contract.
type Report struct {
	Kernel  string   `json:"kernel"`
	Call    int      `json:"call,omitempty"` // the line that launches the kernel
	Grid    [3]int   `json:"grid"`
	Program [3]int   `json:"program"`
	Message string   `json:"message,omitempty"` // why there is nothing to show
	Steps   []Step   `json:"steps"`
	Left    int      `json:"left"` // steps of the program that come after those
	Tensors []Tensor `json:"tensors"`
}

// Step is one expression of the source that the program evaluates.
type Step struct {
	Line       int     `json:"line"`
	Iterations []int   `json:"iterations,omitempty"` // of the loops around it, outermost first
	Name       string  `json:"name,omitempty"`       // the variable that its value is assigned to
	Op         string  `json:"op"`                   // tl.load, pid * B0, +=, for
	Type       string  `json:"type,omitempty"`
	Value      string  `json:"value,omitempty"` // in short
	Access     *Access `json:"access,omitempty"`
	Problem    string  `json:"problem,omitempty"`
}

// Access is what a step does to a tensor. Masked and Outside count the lanes that its mask leaves out, and those that
// take part and lie outside of the tensor.
type Access struct {
	Tensor   string `json:"tensor"`
	Kind     string `json:"kind"` // load, store, atomic
	Lanes    int    `json:"lanes"`
	Masked   int    `json:"masked"`
	Outside  int    `json:"outside"`
	Sentence string `json:"sentence"`
}

// Tensor is a tensor that the steps access, with a picture of what they do to it: rows of cells, each of which stands
// for Covers rows and columns of elements.
type Tensor struct {
	Name    string   `json:"name"`
	DType   string   `json:"dtype"`
	Shape   []int    `json:"shape"`
	Covers  [2]int   `json:"covers"`
	Picture []string `json:"picture"`
}

// Of makes a launch and reports one of its programs.
func Of(ctx context.Context, l *inspect.Launch, o Options) *Report {
	r, err := run(ctx, l, o)
	if err != nil {
		return Nothing(l.Kernel().Kernel, l.Grid(), err.Error())
	}
	out := &Report{Kernel: l.Kernel().Kernel, Grid: r.Grid, Program: r.Program, Left: r.Total - len(r.Steps),
		Steps: []Step{}, Tensors: []Tensor{}}
	pictures := make([]*picture, len(r.Tensors))
	files := l.Kernel().Source()
	for i := range r.Steps {
		s := &r.Steps[i]
		line := LineOf(files, s.Span)
		if o.Line != 0 && line != o.Line {
			continue
		}
		out.Steps = append(out.Steps, stepOf(s, line, r.Tensors, o.Lang))
		if a := s.Access; a != nil {
			if pictures[a.Tensor] == nil {
				pictures[a.Tensor] = newPicture(r.Tensors[a.Tensor].Shape)
			}
			pictures[a.Tensor].add(a)
		}
	}
	for i, p := range pictures {
		if p != nil {
			t := &r.Tensors[i]
			out.Tensors = append(out.Tensors,
				Tensor{t.Name, t.DType.Info().Attr, slices.Concat([]int{}, t.Shape), p.covers, p.rows()})
		}
	}
	return out
}

// Nothing is the report of a launch that cannot be shown.
func Nothing(kernel string, grid [3]int, why string) *Report {
	return &Report{Kernel: kernel, Grid: grid, Message: why, Steps: []Step{}, Tensors: []Tensor{}}
}

func run(ctx context.Context, l *inspect.Launch, o Options) (*inspect.Result, error) {
	if o.Program == nil {
		return l.RunProblem(ctx, 0, nil)
	}
	larger := l.Grid() // which has the program
	for axis, id := range o.Program {
		larger[axis] = max(larger[axis], id+1)
	}
	if grid := l.Grid(); larger != grid {
		return nil, errors.New(phrase(o.Lang, "report.no-program",
			inspect.ProgramText(larger, *o.Program), inspect.ProgramText(grid, grid)))
	}
	return l.Run(ctx, *o.Program, 0)
}

// LineOf is the line in which a span begins.
func LineOf(files source.Files, at source.Span) int { return files.File(at).Position(at.Start).Line }

func stepOf(s *inspect.Step, line int, tensors []inspect.Tensor, lang diag.Lang) Step {
	out := Step{Line: line, Iterations: s.Iterations, Name: s.Name, Op: s.Op}
	if v := s.Value; v != nil {
		out.Type, out.Value = v.TypeText(), v.In(lang)
	}
	if a := s.Access; a != nil {
		out.Access = &Access{
			tensors[a.Tensor].Name, a.Kind.String(), len(a.Elements), a.Masked, a.Outside(), a.Sentence.In(lang),
		}
	}
	if s.Problem != nil {
		out.Problem = s.Problem.In(lang).Headline
	}
	return out
}

// shownSteps is how many steps Text lists.
const shownSteps = 200

// Text writes the steps in columns, with what each accesses and what is wrong below it, and then the pictures.
func (r *Report) Text(lang diag.Lang) string {
	var b strings.Builder
	if r.Call != 0 {
		b.WriteString(phrase(lang, "why.line", r.Call) + ": ")
	}
	if r.Message != "" {
		return b.String() + r.Kernel + ": " + r.Message + "\n"
	}
	fmt.Fprintln(&b, phrase(lang, "report.launch",
		r.Kernel, inspect.ProgramText(r.Grid, r.Program), inspect.ProgramText(r.Grid, r.Grid)))
	shown := r.Steps[:min(len(r.Steps), shownSteps)]
	rows := make([][]string, len(shown))
	for i := range shown {
		rows[i] = shown[i].columns(lang)
	}
	align(rows)
	for i := range shown {
		fmt.Fprintln(&b, "  "+strings.TrimRight(strings.Join(rows[i], "  "), " "))
		shown[i].remarks(&b)
	}
	if left := r.Left + len(r.Steps) - len(shown); left > 0 {
		fmt.Fprintln(&b, " ", phrase(lang, "report.left", left))
	}
	for i := range r.Tensors {
		r.Tensors[i].text(&b, lang)
	}
	return b.String()
}

// columns are the step's line, operation, type and value.
func (s *Step) columns(lang diag.Lang) []string {
	at := phrase(lang, "why.line", s.Line)
	if len(s.Iterations) > 0 {
		path := strings.ReplaceAll(strings.Trim(fmt.Sprint(s.Iterations), "[]"), " ", ".")
		at = phrase(lang, "why.and", at, phrase(lang, "why.iteration", path))
	}
	what := s.Op
	if s.Name != "" {
		what = s.Name + " = " + s.Op
	}
	return []string{at, what, s.Type, s.Value}
}

// align makes the columns of all rows as wide as the widest.
func align(rows [][]string) {
	var widths [4]int
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for _, row := range rows {
		for i, cell := range row {
			row[i] += strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
		}
	}
}

// remarks are what the step accesses, and what is wrong with it.
func (s *Step) remarks(b *strings.Builder) {
	if s.Access != nil {
		fmt.Fprintln(b, "   ", s.Access.Sentence)
	}
	if s.Problem != "" {
		fmt.Fprintln(b, "   ", s.Problem)
	}
}

func (t *Tensor) text(b *strings.Builder, lang diag.Lang) {
	fmt.Fprintf(b, "  %s  %s%s", t.Name, t.DType, strings.ReplaceAll(fmt.Sprint(t.Shape), " ", ", "))
	if t.Covers != [2]int{1, 1} {
		b.WriteString("  " + phrase(lang, "report.covers", t.Covers[0], t.Covers[1]))
	}
	b.WriteByte('\n')
	for _, row := range t.Picture {
		fmt.Fprintln(b, "   ", row)
	}
	var key []string
	for _, m := range marks {
		if strings.ContainsRune(strings.Join(t.Picture, ""), m.sign) {
			key = append(key, string(m.sign)+" "+phrase(lang, m.key))
		}
	}
	fmt.Fprintln(b, "   ", strings.Join(key, "; "))
}

func phrase(lang diag.Lang, key string, args ...any) string {
	return diag.Text{Key: key, Args: args}.In(lang)
}
