package lower

import (
	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/types"
)

// lowerPointerBinary: a pointer moves by integers and compares with its like.
func (l *lowerer) lowerPointerBinary(op string, x, y value, at operandNodes) value {
	xt, _ := l.tensorType(x)
	yt, _ := l.tensorType(y)
	both := xt.Pointer && yt.Pointer
	row := operators[op]
	if both && row.op != 0 && row.class == types.Comparison && xt.DType == yt.DType {
		a, b, ok := l.broadcastPointers(x.(tensor), y.(tensor), at)
		if !ok {
			return poison{}
		}
		return tensor{l.b.emit(at.whole.Span(), row.op, []*ir.Value{a, b})}
	}
	// p - q of two pointers is newt's: a number of elements, as in C.
	if both && op == "-" && xt.DType == yt.DType {
		return l.lowerPointerDifference(x.(tensor), y.(tensor), at)
	}
	if r := types.Pointers(op, xt, yt); r != nil {
		d := l.noteTypes(refusal(r, l.spanOf(at.whole)), x, y, at)
		if _, isTensor := y.(tensor); isTensor && yt.IsFloat() && (op == "+" || op == "-") {
			d.Suggest(false, diag.Text{Key: "fix-to-int"}, wrapEdits(l.spanOf(at.right), at.right, ".to(tl.int32)")...)
		}
		return l.fail(d)
	}
	if yt.Pointer {
		return l.offsetPointer(y.(tensor), x, false, operandNodes{at.whole, at.right, at.left})
	}
	return l.offsetPointer(x.(tensor), y, op == "-", at)
}

// broadcastPointers gives two pointers one shape.
func (l *lowerer) broadcastPointers(x, y tensor, at operandNodes) (a, b *ir.Value, ok bool) {
	shape, r := types.BroadcastShapes(x.v.Type.Shape, y.v.Type.Shape)
	if r != nil {
		l.fail(l.explainShapes(r, x, y, at))
		return nil, nil, false
	}
	s := at.whole.Span()
	return l.b.broadcast(s, x.v, shape), l.b.broadcast(s, y.v, shape), true
}

// offsetPointer is pointer + offset, or pointer - offset.
func (l *lowerer) offsetPointer(p tensor, offset value, back bool, at operandNodes) value {
	o, ok := l.promotionOperand(offset, at.right)
	if !ok {
		return poison{}
	}
	d := o.DType
	// Triton zero-extends unsigned offsets; as int32 one beyond 2^31 would be negative.
	if i := d.Info(); !i.Signed && i.Bits < 64 { // unsigned offsets stay so beyond 2^31
		d = num.Int64
	}
	shape, r := types.BroadcastShapes(p.v.Type.Shape, shapeOfValue(offset))
	if r != nil {
		return l.fail(l.explainShapes(r, p, offset, at))
	}
	s := at.whole.Span()
	v := l.b.castAndBroadcast(offset, o, d, shapeOfValue(offset), at.right.Span())
	if back {
		v = l.b.emit(s, ops.Neg, []*ir.Value{v})
	}
	return tensor{l.b.emit(s, ops.AddPtr, []*ir.Value{l.b.broadcast(s, p.v, shape), l.b.broadcast(s, v, shape)})}
}

func (l *lowerer) lowerPointerDifference(x, y tensor, at operandNodes) value {
	a, b, ok := l.broadcastPointers(x, y, at)
	if !ok {
		return poison{}
	}
	l.warnSuperset(diag.New("pointer-difference", l.spanOf(at.whole), kindText(x), kindText(y)))
	return tensor{l.b.emit(at.whole.Span(), ops.PtrDiff, []*ir.Value{a, b})}
}
