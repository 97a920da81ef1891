// Package diag holds diagnostics as values: what is wrong, where, why, and what to do next.
// Their words stand in the catalogue, in English and in Chinese; a Diagnostic carries only
// the code and the arguments, so that one can be shown in either language at any time.
package diag

import (
	"slices"
	"sort"
	"strings"

	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/triton"
)

// Severity says whether the program can go on.
type Severity uint8

// The severities. A Warning marks what newt runs and Triton refuses or warns of; a Hint is advice.
const (
	Error Severity = iota
	Warning
	Hint
)

func (s Severity) String() string { return [...]string{"error", "warning", "hint"}[s] }

// Text is a catalogue phrase with its arguments.
type Text struct {
	Key  string
	Args []any
}

// Label attaches a short text to a span.
type Label struct {
	Span source.Span
	Text Text
}

// Edit replaces a span by new text.
type Edit struct {
	Span source.Span
	New  string
}

// Apply makes edits, which are in the order of the text and do not overlap.
func Apply(f *source.File, edits []Edit) string {
	var b strings.Builder
	at := f.Span().Start
	for _, e := range edits {
		b.WriteString(f.Slice(source.Span{Start: at, End: e.Span.Start}))
		b.WriteString(e.New)
		at = e.Span.End
	}
	b.WriteString(f.Slice(source.Span{Start: at, End: f.Span().End}))
	return b.String()
}

// Fix is a set of edits that a person can apply with one click.
// Safe means that the program's meaning is certainly what its author wanted.
type Fix struct {
	Title Text
	Safe  bool
	Edits []Edit
}

// Runtime says which program, tensor and element a fault at run time concerns.
type Runtime struct {
	Program [3]int `json:"program"` // program id along each grid axis
	Tensor  string `json:"tensor"`  // the kernel argument
	Index   int64  `json:"index"`   // element offset from the argument's first element
	Size    int64  `json:"size"`    // elements that the argument has
	Count   int64  `json:"count"`   // how many such accesses there were in the launch
	// Other is the program that Program races with; nil where there is none.
	Other *[3]int `json:"other,omitempty"`
	// Access is the number of the program's access, counted from 0, at which or before which it was found last, and
	// Lanes are those of the access that it concerns; nil where it concerns none. Sanitizers set them.
	Access int   `json:"-"`
	Lanes  []int `json:"-"`
}

// Diagnostic is one message about one span.
type Diagnostic struct {
	Code     string // slug; the key of its catalogue entry
	Severity Severity
	Args     []any
	Primary  Label
	Related  []Label
	Fixes    []Fix
	Runtime  *Runtime
	Version  triton.Version // of Triton, whose words are quoted
}

// New makes an error at span; args fill the catalogue entry's placeholders.
func New(code string, span source.Span, args ...any) *Diagnostic {
	return &Diagnostic{Code: code, Args: args, Primary: Label{Span: span}}
}

// Warn makes a warning at span.
func Warn(code string, span source.Span, args ...any) *Diagnostic {
	d := New(code, span, args...)
	d.Severity = Warning
	return d
}

// Unplaced is an error without a place, which says … for each argument: what a code is about in general.
func Unplaced(code string) *Diagnostic {
	return New(code, source.Span{}, slices.Repeat([]any{"…"}, maxArgs)...)
}

// maxArgs is how many arguments a message of the catalogue has at most.
const maxArgs = 9

// Because adds a related place that explains the primary one.
func (d *Diagnostic) Because(span source.Span, key string, args ...any) *Diagnostic {
	d.Related = append(d.Related, Label{span, Text{key, args}})
	return d
}

// Suggest adds a fix.
func (d *Diagnostic) Suggest(safe bool, title Text, edits ...Edit) *Diagnostic {
	d.Fixes = append(d.Fixes, Fix{title, safe, edits})
	return d
}

// List collects diagnostics. The zero value is ready to use.
type List []*Diagnostic

// Add appends d.
func (l *List) Add(d *Diagnostic) { *l = append(*l, d) }

// AddNew appends those diagnostics whose code and place no diagnostic of the list has.
func (l *List) AddNew(list ...*Diagnostic) {
	for _, d := range list {
		same := func(e *Diagnostic) bool { return e.Code == d.Code && e.Primary.Span == d.Primary.Span }
		if !slices.ContainsFunc(*l, same) {
			l.Add(d)
		}
	}
}

// SetVersion has the diagnostics of a list quote a version of Triton.
func (l List) SetVersion(v triton.Version) {
	for _, d := range l {
		d.Version = v
	}
}

// HasErrors reports whether any is an Error.
func (l List) HasErrors() bool {
	for _, d := range l {
		if d.Severity == Error {
			return true
		}
	}
	return false
}

// Sort orders by place, errors before warnings at one place.
func (l List) Sort() {
	sort.SliceStable(l, func(i, j int) bool {
		a, b := l[i], l[j]
		if a.Primary.Span.Start != b.Primary.Span.Start {
			return a.Primary.Span.Start < b.Primary.Span.Start
		}
		return a.Severity < b.Severity
	})
}
