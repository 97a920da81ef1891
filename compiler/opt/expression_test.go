package opt

import (
	"math/rand/v2"
	"testing"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/types"
)

// expression builds a few operations on the scalars of one dtype, with many constants among the
// operands, and stores the last.
type expression struct {
	*rand.Rand
	b      *ir.Builder
	d      num.DType
	values []*ir.Value // of dtype d
	bools  []*ir.Value
}

func newExpression(seed uint64, d num.DType, size int) *ir.Func {
	e := &expression{Rand: rand.New(rand.NewPCG(seed, uint64(d))), b: ir.NewBuilder("f"), d: d}
	e.values = append(e.values, e.b.Param("x", types.Scalar(d), 1), e.b.Param("y", types.Scalar(d), 1))
	for range size {
		e.step()
	}
	last := e.values[len(e.values)-1]
	if n := len(e.bools); n > 0 && e.IntN(3) == 0 {
		last = e.bools[n-1]
	}
	e.emit(ops.Print, []*ir.Value{last}, ir.Attr{Name: "text", Value: "{}"}, ir.Attr{Name: "style", Value: "device"})
	e.emit(ops.Return, nil)
	return e.b.Finish()
}

func (e *expression) emit(op ops.Op, operands []*ir.Value, attrs ...ir.Attr) *ir.Value {
	v, m := e.b.Emit1(source.Span{}, op, operands, attrs...)
	if m != nil {
		panic(m)
	}
	return v
}

func (e *expression) operand() *ir.Value {
	if e.IntN(2) == 0 {
		list := interesting(e.d)
		v, _ := e.b.Const(source.Span{}, list[e.IntN(len(list))])
		return v
	}
	return e.values[len(e.values)-1-e.IntN(min(3, len(e.values)))]
}

func (e *expression) step() {
	op := ops.Add + ops.Op(e.IntN(int(ops.Select-ops.Add)+1))
	if op > ops.Abs && op < ops.Floor {
		op = ops.Neg + op%3 // mathematics has no rules; Neg, Not and Abs have
	}
	elem := op.Def().Elem
	switch {
	case op == ops.Select && len(e.bools) > 0:
		cond := e.bools[e.IntN(len(e.bools))]
		e.values = append(e.values, e.emit(op, []*ir.Value{cond, e.operand(), e.operand()}))
	case op == ops.Not && len(e.bools) > 0 && e.IntN(2) == 0:
		e.bools = append(e.bools, e.emit(op, []*ir.Value{e.bools[len(e.bools)-1]}))
	case op == ops.Select || !elem.Holds(types.Scalar(e.d)):
	case op.Class() == ops.Comparison:
		e.bools = append(e.bools, e.emit(op, []*ir.Value{e.operand(), e.operand()}))
	case op.Class() == ops.Binary:
		e.values = append(e.values, e.emit(op, []*ir.Value{e.operand(), e.operand()}))
	case op == ops.FMA:
		e.values = append(e.values, e.emit(op, []*ir.Value{e.operand(), e.operand(), e.operand()}))
	default:
		e.values = append(e.values, e.emit(op, []*ir.Value{e.values[len(e.values)-1]}))
	}
}

// evaluate runs straight-line scalar code and gives what it prints.
func evaluate(fn *ir.Func, args ...num.Scalar) (printed num.Scalar) {
	values := make([]num.Scalar, fn.Number())
	for i, a := range args {
		values[fn.Params[i].Value.ID] = a
	}
	for _, in := range fn.Body.Instrs {
		var v [3]num.Vec
		for i, o := range in.Operands {
			v[i] = values[o.ID].Vec()
		}
		if in.Op == ops.Print {
			printed = values[in.Operands[0].ID]
		}
		if in.Result() == nil {
			continue
		}
		t := in.Result().Type
		dst := num.MakeVec(t.Class(), 1)
		switch {
		case in.Op == ops.Const:
			dst = in.Scalar("value").Vec()
		case in.Op == ops.Select:
			num.Select(t.Class())(dst, v[0], v[1], v[2])
		case in.Op == ops.FMA:
			num.Fma(t.DType)(dst, v[0], v[1], v[2])
		case in.Op.Class() != ops.Unary:
			in.Op.BinaryKernel(in.Operands[0].Type.DType, false)(dst, v[0], v[1])
		default:
			in.Op.UnaryKernel(t.DType)(dst, v[0])
		}
		values[in.Result().ID] = num.ScalarAt(t.DType, dst, 0)
	}
	return printed
}

// TestExpressionsKeepTheirValue evaluates random expressions before and after the passes, on the
// values at which identities break.
func TestExpressionsKeepTheirValue(t *testing.T) {
	for d := range num.NumDTypes {
		for seed := range uint64(600) {
			before := newExpression(seed, d, 2+int(seed%5))
			after := newExpression(seed, d, 2+int(seed%5))
			Run(after, Options{})
			for _, x := range interesting(d) {
				y := interesting(d)[seed%7]
				if want, got := evaluate(before, x, y), evaluate(after, x, y); got != want {
					t.Fatalf("x = %s, y = %s: %s, want %s\n%s\nfrom\n%s", x, y, got, want, after, before)
				}
			}
		}
	}
}
