package tile

import (
	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
)

// Report is what a launch leaves behind beside the memory it changed.
type Report struct {
	Violations []Violation // in the order of the source
	Prints     []Print     // in program order
	// PrintsDropped counts prints beyond the limit.
	PrintsDropped int
	Programs      int64 // how many ran to their end
	Work          int64 // what was taken from the budget
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
}

// Diagnostic puts v in words: arguments are tensor, index, size, program and count.
func (v *Violation) Diagnostic() *diag.Diagnostic {
	d := diag.New(v.Code, v.Span, v.Tensor, v.Index, v.Size, programText(v.Program), v.Count)
	d.Runtime = &diag.Runtime{Program: v.Program, Tensor: v.Tensor, Index: v.Index, Size: v.Size, Count: v.Count}
	return d
}

// Print is what one print operation of one program wrote.
type Print struct {
	Program [3]int
	Span    source.Span
	Text    string
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
