package tile

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/device"
)

// Report says what happened in a launch: the memory that it changed aside.
type Report struct {
	Violations []Violation    // in the order of the source
	Prints     []device.Print // in program order
	// PrintsDropped counts prints beyond the limit.
	PrintsDropped int
	Programs      int64 // how many ran to their end
	Work          int64 // what was taken from the budget, and what all programs share
}

// Violation is an access outside its argument, merged over a launch: the lanes concerned were left
// out, and the launch went on.
type Violation struct {
	Code    string // row of the catalogue: out-of-bounds-load, -store, -atomic, -gather, wild-pointer
	Span    source.Span
	Arg     int // position of the argument; -1 where the pointer points to none
	Tensor  string
	Program [3]int // the first program, in program order
	Index   int64  // its first offset
	Size    int64  // how many elements there are from offset 0 on
	Count   int64  // lanes in all
	Lanes   Lanes  // of the first program
}

// Lanes are those of a tile, in row-major order, that an access outside its argument concerns, at the
// first execution of the operation. Of is 0 where they are not known: a GPU does not record them.
type Lanes struct{ First, Last, Of int }

// where names a program and, where they are known, its lanes.
func (v *Violation) where() diag.Text {
	text := diag.Text{Key: "runtime.program", Args: []any{programText(v.Program)}}
	switch l := v.Lanes; {
	case l.Of <= 1:
	case l.First == l.Last:
		text = diag.Text{Key: "runtime.program-lane", Args: []any{programText(v.Program), l.First, l.Of}}
	default:
		text = diag.Text{Key: "runtime.program-lanes", Args: []any{programText(v.Program), l.First, l.Last, l.Of}}
	}
	return text
}

// Diagnostic puts v in words: arguments are tensor, index, size, where, and count.
func (v *Violation) Diagnostic() *diag.Diagnostic {
	d := diag.New(v.Code, v.Span, v.Tensor, v.Index, v.Size, v.where(), v.Count)
	d.Runtime = &diag.Runtime{Program: v.Program, Tensor: v.Tensor, Index: v.Index, Size: v.Size, Count: v.Count}
	return d
}

// SortViolations puts violations in the order in which they are reported.
func SortViolations(list []Violation) {
	slices.SortStableFunc(list, func(a, b Violation) int {
		return cmp.Or(cmp.Compare(a.Span.Start, b.Span.Start), cmp.Compare(a.Arg, b.Arg), cmp.Compare(a.Code, b.Code))
	})
}

// Fault is why a launch stopped, or never began.
type Fault struct {
	Code    string // row of the catalogue
	Span    source.Span
	Program [3]int
	Args    []any
}

func (f *Fault) Error() string { return f.Diagnostic().In(diag.English).Headline }

// Diagnostic puts f in words.
func (f *Fault) Diagnostic() *diag.Diagnostic {
	d := diag.New(f.Code, f.Span, f.Args...)
	d.Runtime = &diag.Runtime{Program: f.Program}
	return d
}

// AssertFailed is the fault of a program whose assertion is false at an element, counted in
// row-major order.
func AssertFailed(span source.Span, program [3]int, message string, element int64) *Fault {
	text := ""
	if message != "" {
		text = ": " + message
	}
	return &Fault{Code: "assert-failed", Span: span, Program: program, Args: []any{programText(program), text, element}}
}

// AssumptionWrong is the fault of a program in which something that was assumed is false.
func AssumptionWrong(span source.Span, program [3]int) *Fault {
	return &Fault{Code: "assumption-wrong", Span: span, Program: program, Args: []any{programText(program)}}
}

// LoopBudget is the fault of a program that is still in a loop when its budget is spent.
func LoopBudget(span source.Span, program [3]int) *Fault {
	return &Fault{Code: "loop-budget", Span: span, Program: program, Args: []any{programText(program)}}
}

func programText(p [3]int) string { return fmt.Sprintf("(%d, %d, %d)", p[0], p[1], p[2]) }
