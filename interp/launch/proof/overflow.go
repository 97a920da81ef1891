package proof

import (
	"fmt"
	"slices"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/prove"
	"github.com/newtlab/newt/compiler/source"
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
	Size       string `json:"size,omitempty"` // the parameter, or the axis of the grid; empty for this launch
	Number     int64  `json:"number,omitempty"`
	Grid       [3]int `json:"grid"`
	Program    [3]int `json:"program"`
	Value      int64  `json:"value"`
	Wrapped    int64  `json:"wrapped"`

	// Diagnostic says so at its place: a warning for this launch, a hint for a larger one.
	Diagnostic *diag.Diagnostic `json:"-"`
}

// overflowsOf are those of a launch.
func overflowsOf(k *launch.Kernel, args []launch.Arg, grid [3]int) (list []Overflow) {
	written := k.Observable() // the optimized one has sums in another order
	written.Func.Number()
	l := launchOf(written, args, grid)
	found := prove.Overflows(written.Func, l)
	if len(found) == 0 {
		found = prove.OverflowsBeyond(written.Func, l)
	}
	if len(found) == 0 {
		return nil
	}
	module, _ := syntax.Parse(written.Source())
	for _, o := range found {
		in := o.Value.Def
		file := written.Source().File(in.Span)
		x := Overflow{File: file.Name, Line: file.Position(in.Span.Start).Line, Expression: file.Slice(in.Span),
			DType: o.Value.Type.DType.String(), Grid: o.Grid, Program: o.Program, Value: o.Exact, Wrapped: o.Wrapped()}
		values := []any{"`" + x.Expression + "`", tuple(x.Program), x.Value, x.DType, x.Wrapped}
		if x.Diagnostic = diag.Warn("integer-overflow", in.Span, values...); o.Larger != prove.None {
			x.Size, x.Number = sizeName(written.Func, o.Larger), o.Number
			values = append(values, x.Size, x.Number, tuple(x.Grid))
			x.Diagnostic = diag.Warn("integer-overflow-beyond", in.Span, values...)
			x.Diagnostic.Severity = diag.Hint
		}
		x.Diagnostic.Runtime = &diag.Runtime{Program: o.Program, Count: 1}
		if edits := widened(module, in); edits != nil {
			x.Diagnostic.Suggest(false, diag.Text{Key: "proof.widen"}, edits...)
		}
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

// widened makes an operand of an operation an int64, so that the operation has 64 bits: the first that is computed in
// the kernel, as what is passed to it may be a constexpr. nil where the text has no such operation at that place.
func widened(m *syntax.Module, in *ir.Instr) []diag.Edit {
	for k, v := range in.Operands {
		for v.Def != nil && v.Def.Span == in.Span && len(v.Def.Operands) > 0 {
			v = v.Def.Operands[0] // what broadcasts it has the place of the whole expression
		}
		if v.Def == nil || v.Def.Op == ops.Const {
			continue
		}
		e := operandAt(m, in.Span, k)
		switch e.(type) {
		case nil:
			return nil
		case *syntax.Name, *syntax.Attribute, *syntax.Call, *syntax.Subscript:
			end := e.Span().End
			return []diag.Edit{{Span: source.Span{Start: end, End: end}, New: ".to(tl.int64)"}}
		}
		begin, end := e.Span().Start, e.Span().End
		return []diag.Edit{{Span: source.Span{Start: begin, End: begin}, New: "("},
			{Span: source.Span{Start: end, End: end}, New: ").to(tl.int64)"}}
	}
	return nil
}

// operandAt is operand k of the binary operation at a place of the text; nil where there is none.
func operandAt(m *syntax.Module, span source.Span, k int) (e syntax.Expr) {
	syntax.Walk(m, func(n syntax.Node) bool {
		if op, ok := n.(*syntax.BinOp); ok && op.Span() == span && k < 2 {
			e = [2]syntax.Expr{op.Left, op.Right}[k]
		}
		return e == nil && n.Span().Join(span) == n.Span()
	})
	return e
}

// Warnings are of the integers that wrap in this launch.
func (r *Report) Warnings() (list diag.List) {
	for _, o := range r.Overflows {
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
