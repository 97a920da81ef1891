// Package dump records what a kernel looks like at each stage of compilation: the source, the
// syntax, the IR as lowered and after each pass. Every line knows the piece of source it came
// from, so the command line and the page can show what became of an expression.
//
// The package that compiles feeds a Recorder; a nil *Recorder records nothing, so recording costs
// nothing if nobody looks.
package dump

import (
	"math"
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/source"
)

// Line is one line of a stage.
type Line struct {
	Text string `json:"text"`
	// Start and End are byte offsets in the source of what the line came from; both 0 if it came
	// from nowhere in particular.
	Start int32 `json:"start,omitempty"`
	End   int32 `json:"end,omitempty"`
}

// Span is the source of the line.
func (l Line) Span() source.Span { return source.Span{Start: l.Start, End: l.End} }

// Stage is a kernel's text after one step of compilation.
type Stage struct {
	Name    string `json:"name"`    // source, syntax, lower, or an optimizer pass
	Why     string `json:"why"`     // what the step is for, in a sentence; may be empty
	Lines   []Line `json:"lines"`   //
	Changed bool   `json:"changed"` // whether the step changed anything; false for the first of its kind
}

// Text is the stage as one string.
func (s *Stage) Text() string {
	var sb strings.Builder
	for _, l := range s.Lines {
		sb.WriteString(l.Text)
		sb.WriteByte('\n')
	}
	return sb.String()
}

// From gives the numbers, from 0, of the lines that came from within span; if there are none, of
// those that came from the smallest piece of source around it. A click on an expression means that
// expression, not the loop around it.
func (s *Stage) From(span source.Span) []int {
	var within, around []int
	smallest := int32(math.MaxInt32)
	for i, l := range s.Lines {
		size := l.End - l.Start
		switch {
		case size == 0:
		case l.Start >= span.Start && l.End <= span.End:
			within = append(within, i)
		case l.Start <= span.Start && l.End >= span.End && size <= smallest:
			if size < smallest {
				around, smallest = nil, size
			}
			around = append(around, i)
		}
	}
	if within != nil {
		return within
	}
	return around
}

// Recorder collects stages in the order in which they happen.
type Recorder struct {
	stages []Stage
	lastIR []Line // of the last stage that was IR
}

// Stages gives what was recorded.
func (r *Recorder) Stages() []Stage {
	if r == nil {
		return nil
	}
	return r.stages
}

// Stage finds a recorded stage by name, nil if there is none.
func (r *Recorder) Stage(name string) *Stage {
	if r == nil {
		return nil
	}
	for i := range r.stages {
		if r.stages[i].Name == name {
			return &r.stages[i]
		}
	}
	return nil
}

// Source records the lines of file that span touches, a function with its decorators, say.
func (r *Recorder) Source(file *source.File, span source.Span) {
	if r == nil {
		return
	}
	var lines []Line
	for n := file.Position(span.Start).Line; n <= file.Position(max(span.Start, span.End-1)).Line; n++ {
		at := file.LineSpan(n)
		lines = append(lines, Line{file.Slice(at), at.Start, at.End})
	}
	r.Lines("source", "what was written", lines)
}

// Lines records a stage that is not IR.
func (r *Recorder) Lines(name, why string, lines []Line) {
	if r != nil {
		r.stages = append(r.stages, Stage{Name: name, Why: why, Lines: lines})
	}
}

// IR records fn as it is now.
func (r *Recorder) IR(name, why string, fn *ir.Func) {
	if r == nil {
		return
	}
	printed := ir.Lines(fn)
	lines := make([]Line, len(printed))
	for i, l := range printed {
		lines[i] = Line{l.Text, l.Span.Start, l.Span.End}
	}
	changed := r.lastIR != nil && !slices.Equal(lines, r.lastIR)
	r.stages = append(r.stages, Stage{name, why, lines, changed})
	r.lastIR = lines
}
