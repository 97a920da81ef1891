package launch

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/prove"
	"github.com/newtlab/newt/compiler/ptx/bounds"
	"github.com/newtlab/newt/compiler/resolve"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/device/cpu"
	"github.com/newtlab/newt/interp/sanitize"
)

// watchingIntegers is the interpreter for sanitize.Overflows, made when it is asked for first, as sanitizing is.
var watchingIntegers = sync.OnceValue(func() device.Device {
	return cpu.New(cpu.Options{Watch: sanitize.WatchIntegers})
})

// Overflows finds signed integers that wrap in a launch, and on which an access or a decision rests, by a launch on
// copies of the tensors. Where the code shows that none can, as in most launches, it makes none. incomplete says why if
// not all of the launch was followed.
func (k *Kernel) Overflows(ctx context.Context, args []Arg, l device.Launch) (list, incomplete diag.List) {
	if !k.MayWrap(args, l.Grid) {
		return nil, nil
	}
	// The optimizer adds in another order: where something wraps, and what, the code as it was written says.
	written := k.Observable()
	module := sync.OnceValue(func() *syntax.Module {
		m, _ := syntax.Parse(k.file)
		return m
	})
	o := &sanitize.Overflows{Params: written.Func.Params, Args: written.Numbers(args),
		Text: func(in *ir.Instr) any { return written.ComputedAt(module(), in) }}
	if _, incomplete = written.observe(ctx, watchingIntegers(), args, l, o); o.Partial() {
		incomplete = diag.List{budgetSpent(source.Span{}, o.Programs-1, l.Grid)}
	}
	for in, d := range o.Found {
		written.SuggestInt64(module(), d, in)
	}
	return o.Diagnostics(), incomplete
}

// MayWrap reports whether a signed integer on which an access or a decision rests may wrap in a launch, as far as the
// code says; where it is false, none does.
func (k *Kernel) MayWrap(args []Arg, grid [3]int) bool {
	given := bounds.Args{Grid: grid}
	numbers := k.Numbers(args)
	for _, n := range numbers {
		given.Args = append(given.Args, bounds.Arg{Value: n})
	}
	return numbers != nil && prove.MayWrap(k.Func, given)
}

// Numbers are what a launch passes for the parameters that are left at run time, 0 for pointers; nil where the
// arguments are not those of the kernel.
func (k *Kernel) Numbers(args []Arg) []num.Scalar {
	bound, err := k.bind(args, func(*Tensor, bool) (device.Memory, error) { return nil, nil })
	if err != nil {
		return nil
	}
	out := make([]num.Scalar, len(k.Func.Params))
	for i := range out {
		switch a := bound[i].(type) {
		case device.Scalar:
			out[i] = a.Scalar
		case device.Pointer:
			out[i] = num.FromInt(num.Int64, 0)
		default:
			return nil
		}
	}
	return out
}

// ComputedAt names what an operation computes: an expression of the text, or a step within one.
func (k *Kernel) ComputedAt(m *syntax.Module, in *ir.Instr) any {
	text := "`" + k.file.File(in.Span).Slice(in.Span) + "`"
	if operandAt(m, in.Span, 0) == nil {
		return diag.Text{Key: "overflow-within", Args: []any{text}}
	}
	return text
}

// SuggestInt64 suggests to make an operand of an operation that wraps an int64, so that the operation has 64 bits. It
// suggests nothing where it has them, or where the text has no such operation at that place.
func (k *Kernel) SuggestInt64(m *syntax.Module, d *diag.Diagnostic, in *ir.Instr) {
	e, passed := k.firstOperand(m, in)
	if e == nil || in.Result().Type.DType == num.Int64 {
		return
	}
	info, _ := resolve.Resolve(m)
	tl := info.Language()
	before, after := "(", ").to("+tl+".int64)"
	switch e.(type) {
	case *syntax.Name, *syntax.Attribute, *syntax.Call, *syntax.Subscript:
		before, after = "", after[1:]
	}
	if passed { // another launch may pass a constexpr, which has no method to
		before, after = tl+".cast(", ", "+tl+".int64)"
	}
	span := e.Span()
	d.Suggest(false, diag.Text{Key: "overflow-int64"},
		diag.Edit{Span: source.Span{Start: span.Start, End: span.Start}, New: before},
		diag.Edit{Span: source.Span{Start: span.End, End: span.End}, New: after})
}

// firstOperand is the first operand of an operation that is computed in the kernel, or else the first that is passed to
// it. Of a sum, a difference or a product it is the first that this is computed from, since that may wrap as well. It
// is nil where the text has no such operation at that place.
func (k *Kernel) firstOperand(m *syntax.Module, in *ir.Instr) (e syntax.Expr, passed bool) {
	for i, v := range in.Operands {
		for v.Def != nil && v.Def.Span == in.Span && len(v.Def.Operands) > 0 {
			v = v.Def.Operands[0] // what broadcasts it has the place of the whole expression
		}
		if v.Def != nil && v.Def.Op == ops.Const {
			continue
		}
		first := operandAt(m, in.Span, i)
		isPassed := slices.ContainsFunc(k.Func.Params, func(p *ir.Param) bool { return p.Value == v })
		if op, ok := first.(*syntax.BinOp); ok && v.Def != nil && strings.Contains("+-*", op.Op) {
			if inner, is := k.firstOperand(m, v.Def); inner != nil {
				first, isPassed = inner, is
			}
		}
		if first != nil && !isPassed {
			return first, false
		}
		if e == nil {
			e, passed = first, isPassed
		}
	}
	return e, passed
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
