package proof

import (
	"fmt"
	"slices"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/prove"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/interp/launch"
)

// Overflow is an integer that wraps where an address or a mask rests on it: in this launch, or else with a size made
// larger. Value is what it would be, and Wrapped what it is.
type Overflow struct {
	File       string `json:"file"`
	Line       int    `json:"line"`
	Expression string `json:"expression"`
	DType      string `json:"dtype"`
	Size       string `json:"size,omitempty"` // "N", "M = N" or "grid[0]"; empty for this launch
	Number     int64  `json:"number,omitempty"`
	Grid       [3]int `json:"grid"`
	Program    [3]int `json:"program"`
	Value      int64  `json:"value"`
	Wrapped    int64  `json:"wrapped"`

	// Diagnostic says so at its place: a warning for this launch, a hint for a larger one.
	Diagnostic *diag.Diagnostic `json:"-"`
}

// Overflows warns of integers that wrap in a launch, without making it.
func Overflows(k *launch.Kernel, args []launch.Arg, grid [3]int) diag.List {
	if !k.MayWrap(args, grid) {
		return nil
	}
	written, l := asWritten(k, args, grid)
	return warnings(describe(written, prove.Overflows(written.Func, l)))
}

// asWritten is a launch of the kernel before it was optimized: that one has sums in another order.
func asWritten(k *launch.Kernel, args []launch.Arg, grid [3]int) (*launch.Kernel, prove.Launch) {
	written := k.Observable()
	written.Func.Number()
	return written, launchOf(written, args, grid)
}

// overflowsOf are those of a launch, or else of larger ones.
func overflowsOf(k *launch.Kernel, args []launch.Arg, grid [3]int) []Overflow {
	written, l := asWritten(k, args, grid)
	found := prove.Overflows(written.Func, l)
	if len(found) == 0 {
		found = prove.OverflowsBeyond(written.Func, l)
	}
	return describe(written, found)
}

// describe puts overflows of a kernel as it was written in words, each once.
func describe(written *launch.Kernel, found []prove.Overflow) (list []Overflow) {
	if len(found) == 0 {
		return nil
	}
	module, _ := syntax.Parse(written.Source())
	for _, o := range found {
		in := o.Value.Def
		file := written.Source().File(in.Span)
		x := Overflow{File: file.Name, Line: file.Position(in.Span.Start).Line, Expression: file.Slice(in.Span),
			DType: o.Value.Type.DType.String(), Grid: o.Grid, Program: o.Program, Value: o.Exact, Wrapped: o.Wrapped()}
		values := []any{written.ComputedAt(module, in), tuple(x.Program), x.Value, x.DType, x.Wrapped}
		if x.Diagnostic = diag.Warn("integer-overflow", in.Span, values...); o.Larger != prove.None {
			x.Size, x.Number = sizeName(written.Func, o.Larger), o.Number
			for _, p := range o.Alike {
				x.Size += " = " + written.Func.Params[p].Name
			}
			values = append(values, x.Size, x.Number, tuple(x.Grid))
			x.Diagnostic = diag.Warn("integer-overflow-beyond", in.Span, values...)
			x.Diagnostic.Severity = diag.Hint
		}
		x.Diagnostic.Runtime = &diag.Runtime{Program: o.Program, Count: 1}
		written.SuggestInt64(module, x.Diagnostic, in)
		if !slices.ContainsFunc(list, x.repeats) {
			list = append(list, x)
		}
	}
	return list
}

// repeats reports whether another one says the same of the same line.
func (o Overflow) repeats(other Overflow) bool {
	return o.Line == other.Line && o.Expression == other.Expression && o.Size == other.Size
}

func sizeName(fn *ir.Func, s prove.Size) string {
	if s.Param >= 0 {
		return fn.Params[s.Param].Name
	}
	return fmt.Sprintf("grid[%d]", s.Axis)
}

// Warnings are of the integers that wrap in this launch.
func (r *Report) Warnings() diag.List { return warnings(r.Overflows) }

func warnings(found []Overflow) (list diag.List) {
	for _, o := range found {
		if o.Size == "" {
			list.Add(o.Diagnostic)
		}
	}
	return list
}

// Text says where and with which numbers the integer wraps.
func (o *Overflow) Text() diag.Text {
	args := []any{o.Line, o.Diagnostic.Args[0], tuple(o.Program), o.Value, o.DType, o.Wrapped}
	if o.Size == "" {
		return diag.Text{Key: "proof.overflow", Args: args}
	}
	return diag.Text{Key: "proof.overflow-beyond", Args: append(args, o.Size, o.Number, tuple(o.Grid))}
}
