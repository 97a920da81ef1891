package lower

import (
	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/compiler/types"
)

// bounds makes a range's bounds integers of one type. A known negative step counts down: the loop
// then runs over how often and iv computes the index.
func (l *lowerer) bounds(f *syntax.For, r ranges) (lo, hi, step *ir.Value, iv func(*ir.Value) *ir.Value, ok bool) {
	at := r.span
	d := num.Int32
	parts := []value{r.lo, r.hi, r.step}
	for _, p := range parts {
		t, isNumber := l.number(p)
		if isPoison(p) {
			return
		}
		if !isNumber || !t.IsScalar() || !t.IsInt() {
			l.fail(diag.New("range-bound", l.at(at), kindText(p)))
			return
		}
		p, refusal := types.Promote(types.Arithmetic, types.Tensor(d), types.Tensor(t.DType))
		if refusal == nil {
			d = p.Compute
		}
	}
	back := false
	if c, isConstant := r.step.(constant); isConstant {
		n, isInt := python.AsInt(c.v)
		if isInt && n.Sign() == 0 {
			l.fail(diag.New("range-step-zero", l.at(at)))
			return
		}
		back = n.Sign() < 0
	}
	vs := make([]*ir.Value, 3)
	for i, p := range parts {
		vs[i] = l.cast(at, l.asTensor(p).v, d)
	}
	lo, hi, step = vs[0], vs[1], vs[2]
	iv = func(v *ir.Value) *ir.Value { return v }
	if back {
		start, by := lo, step
		down := l.emit(at, ops.Neg, []*ir.Value{step})
		one := l.scalar(at, num.FromInt(d, 1))
		span := l.emit(at, ops.Sub, []*ir.Value{lo, hi})
		span = l.emit(at, ops.Add, []*ir.Value{span, l.emit(at, ops.Sub, []*ir.Value{down, one})})
		lo, hi, step = l.scalar(at, num.FromInt(d, 0)), l.emit(at, ops.Div, []*ir.Value{span, down}), one
		iv = func(v *ir.Value) *ir.Value {
			return l.emit(at, ops.Add, []*ir.Value{start, l.emit(at, ops.Mul, []*ir.Value{v, by})})
		}
	}
	return lo, hi, step, iv, true
}
