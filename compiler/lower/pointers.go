package lower

import (
	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/types"
)

// pointerBinary: a pointer moves by integers and compares with its like.
func (l *lowerer) pointerBinary(op string, x, y value, at operands) value {
	xt, _ := l.number(x)
	yt, _ := l.number(y)
	both := xt.Pointer && yt.Pointer
	row := operators[op]
	if both && row.op != 0 && row.class == types.Comparison && xt.DType == yt.DType {
		a, b, ok := l.pointerPair(x.(tensor), y.(tensor), at)
		if !ok {
			return poison{}
		}
		return tensor{l.emit(at.whole.Span(), row.op, []*ir.Value{a, b})}
	}
	if both && op == "-" && xt.DType == yt.DType {
		return l.pointerDifference(x.(tensor), y.(tensor), at)
	}
	if r := types.Pointers(op, xt, yt); r != nil {
		d := refusal(r, l.place(at.whole)).
			Because(l.place(at.left), "is-of-type", l.text(at.left), kindText(x)).
			Because(l.place(at.right), "is-of-type", l.text(at.right), kindText(y))
		if _, isTensor := y.(tensor); isTensor && yt.IsFloat() && (op == "+" || op == "-") {
			d.Suggest(false, diag.Text{Key: "fix-to-int"}, wrapEdits(l.place(at.right), at.right, ".to(tl.int32)")...)
		}
		return l.fail(d)
	}
	if yt.Pointer {
		return l.moved(y.(tensor), x, false, operands{at.whole, at.right, at.left})
	}
	return l.moved(x.(tensor), y, op == "-", at)
}

// pointerPair gives two pointers one shape.
func (l *lowerer) pointerPair(x, y tensor, at operands) (a, b *ir.Value, ok bool) {
	shape, r := types.BroadcastShapes(x.v.Type.Shape, y.v.Type.Shape)
	if r != nil {
		l.fail(l.shapeMismatch(r, x, y, at))
		return nil, nil, false
	}
	s := at.whole.Span()
	return l.broadcastTo(s, x.v, shape), l.broadcastTo(s, y.v, shape), true
}

// moved is pointer + offset, or pointer - offset.
func (l *lowerer) moved(p tensor, offset value, back bool, at operands) value {
	o, ok := l.operand(offset, at.right)
	if !ok {
		return poison{}
	}
	d := o.DType
	if i := d.Info(); !i.Signed && i.Bits < 64 { // unsigned offsets stay so beyond 2^31
		d = num.Int64
	}
	shape, r := types.BroadcastShapes(p.v.Type.Shape, shapeOfValue(offset))
	if r != nil {
		return l.fail(l.shapeMismatch(r, p, offset, at))
	}
	s := at.whole.Span()
	v := l.shaped(offset, o, d, shapeOfValue(offset), at.right.Span())
	if back {
		v = l.emit(s, ops.Neg, []*ir.Value{v})
	}
	return tensor{l.emit(s, ops.AddPtr, []*ir.Value{l.broadcastTo(s, p.v, shape), l.broadcastTo(s, v, shape)})}
}

func (l *lowerer) pointerDifference(x, y tensor, at operands) value {
	a, b, ok := l.pointerPair(x, y, at)
	if !ok {
		return poison{}
	}
	l.superset(diag.New("pointer-difference", l.place(at.whole), kindText(x), kindText(y)))
	return tensor{l.emit(at.whole.Span(), ops.PtrDiff, []*ir.Value{a, b})}
}
