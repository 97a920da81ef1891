package lower

import (
	"slices"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/types"
)

// builder writes the operations of one IR function. It knows types and shapes but nothing of
// Python: what reaches it has been checked, so that an operation that does not fit is a size limit
// or a mistake of this package.
type builder struct {
	ir       *ir.Builder                   // nil while module-level code is evaluated
	nested   int                           // regions inside each other
	userSpan func(source.Span) source.Span // where a span of the current function is for the user
	abort    func(*diag.Diagnostic)        // reports and ends lowering
}

// emit appends an operation with one result.
func (b *builder) emit(at source.Span, op ops.Op, operands []*ir.Value, attrs ...ir.Attr) *ir.Value {
	return b.emitRegions(at, op, operands, nil, attrs...)[0]
}

// emitVoid appends an operation without results.
func (b *builder) emitVoid(at source.Span, op ops.Op, operands []*ir.Value, attrs ...ir.Attr) {
	b.emitRegions(at, op, operands, nil, attrs...)
}

// emitRegions appends an operation with any number of regions and results.
func (b *builder) emitRegions(
	at source.Span, op ops.Op, operands []*ir.Value, regions []*ir.Block, attrs ...ir.Attr,
) []*ir.Value {
	b.needBlock()
	vs, m := b.ir.EmitRegions(b.userSpan(at), op, operands, regions, attrs...)
	b.checkEmitted(at, m)
	return vs
}

// needBlock ends the evaluation of module-level code that turns out to need the GPU.
func (b *builder) needBlock() {
	if b.ir == nil {
		panic(notConstant{})
	}
}

// newBlock makes an empty block whose arguments have the given types.
func (b *builder) newBlock(args ...types.Type) *ir.Block {
	b.needBlock()
	return b.ir.Block(args...)
}

// current is the block that operations are appended to; one that nobody sees while module-level code is evaluated.
func (b *builder) current() *ir.Block {
	if b.ir == nil {
		return &ir.Block{}
	}
	return b.ir.Current()
}

// inBlock emits what code emits at the end of a block.
func (b *builder) inBlock(block *ir.Block, code func()) {
	b.ir.Push(block)
	defer b.ir.Pop() // code may end the call that it belongs to
	code()
}

// yield ends a block with the values that its region gives.
func (b *builder) yield(at source.Span, block *ir.Block, values []*ir.Value) {
	b.inBlock(block, func() { b.emitVoid(at, ops.Yield, values) })
}

// checkEmitted ends lowering where an operation does not fit: the size limits are the only reason
// a program can give, everything else is a mistake of this package.
func (b *builder) checkEmitted(at source.Span, m *ops.Mismatch) {
	switch {
	case m == nil:
	case m.Kind == ops.LimitReached && b.nested > ir.MaxDepth:
		b.abort(diag.New("too-nested", b.userSpan(at), ir.MaxDepth))
	case m.Kind == ops.LimitReached:
		b.abort(diag.New("too-much-code", b.userSpan(at), ir.MaxInstrs))
	default:
		b.abort(diag.New("internal-error", b.userSpan(at), m.Op.String()))
	}
}

// constant emits a constant.
func (b *builder) constant(at source.Span, s num.Scalar) *ir.Value {
	return b.emit(at, ops.Const, nil, ir.Attr{Name: "value", Value: s})
}

// fill emits a tile that holds s everywhere.
func (b *builder) fill(at source.Span, s num.Scalar, shape []int) *ir.Value {
	return b.emit(at, ops.Const, nil, ir.Attr{Name: "value", Value: s}, shapeAttr(shape))
}

// arange emits the tile start, start + 1, …, end - 1.
func (b *builder) arange(at source.Span, start, end int64) *ir.Value {
	return b.emit(at, ops.Arange, nil, ir.Attr{Name: "start", Value: start}, ir.Attr{Name: "end", Value: end})
}

func (b *builder) boolConstant(at source.Span, truth bool) *ir.Value {
	return b.constant(at, num.FromBool(truth))
}

// asTensor is toTensor for values that are known to be numbers.
func (b *builder) asTensor(v value) tensor {
	if c, ok := v.(constant); ok {
		o, _ := numberOf(c)
		return tensor{b.constant(source.Span{}, o.Constant(o.DType))}
	}
	return v.(tensor)
}

// hasPlaceholder reports whether placeholder can make up for a value: pointers are always into an argument.
func hasPlaceholder(v value) bool {
	return !slices.ContainsFunc(flatten(v), func(v *ir.Value) bool { return v.Type.Pointer })
}

// placeholder makes a value like v for a branch that has none; a flag keeps anyone from looking at it. What is not a
// tensor needs no placeholder.
func (b *builder) placeholder(v value) value {
	switch v := v.(type) {
	case tensor:
		if t := v.v.Type; !t.Pointer {
			return tensor{b.fill(source.Span{}, num.FromInt(t.DType, 0), t.Shape)}
		}
	case composite:
		return mapParts(v, b.placeholder)
	}
	return v
}

// cast converts a number to dtype d.
func (b *builder) cast(at source.Span, v *ir.Value, d num.DType) *ir.Value {
	if v.Type.DType == d && !v.Type.Pointer {
		return v
	}
	return b.emit(at, ops.Cast, []*ir.Value{v}, dtypeAttr(d))
}

// toBool is v != 0, int1 staying as it is.
func (b *builder) toBool(at source.Span, v *ir.Value) *ir.Value {
	if v.Type.Pointer {
		return b.boolConstant(at, true) // no argument is a null pointer
	}
	// int1 wraps modulo 2 as an integer; a truth is != 0, which the cast to int1 is.
	return b.cast(at, v, num.Int1)
}

// not is the complement of an int1.
func (b *builder) not(at source.Span, flag *ir.Value) *ir.Value {
	return b.emit(at, ops.Not, []*ir.Value{flag})
}

// shiftRightAs shifts values as if they were of dtype d, of the same width.
func (b *builder) shiftRightAs(at source.Span, d num.DType, x, y *ir.Value) *ir.Value {
	to := func(v *ir.Value, d num.DType) *ir.Value {
		return b.emit(at, ops.Bitcast, []*ir.Value{v}, dtypeAttr(d))
	}
	return to(b.emit(at, ops.Shr, []*ir.Value{to(x, d), to(y, d)}), x.Type.DType)
}

// broadcast repeats v over a shape that types.BroadcastShapes has allowed.
func (b *builder) broadcast(at source.Span, v *ir.Value, shape []int) *ir.Value {
	have := v.Type.Shape
	switch {
	case slices.Equal(have, shape):
		return v
	case len(have) == 0:
		return b.emit(at, ops.Splat, []*ir.Value{v}, shapeAttr(shape))
	}
	// numpy's rule: missing dimensions go in front.
	for len(v.Type.Shape) < len(shape) {
		v = b.emit(at, ops.ExpandDims, []*ir.Value{v}, axisAttr(0))
	}
	if slices.Equal(v.Type.Shape, shape) {
		return v
	}
	return b.emit(at, ops.Broadcast, []*ir.Value{v}, shapeAttr(shape))
}

// reshape gives v another shape of as many elements.
func (b *builder) reshape(at source.Span, v *ir.Value, shape []int) *ir.Value {
	if slices.Equal(v.Type.Shape, shape) {
		return v
	}
	return b.emit(at, ops.Reshape, []*ir.Value{v}, shapeAttr(shape))
}

// castAndBroadcast is a number as a tensor of dtype d and a shape it broadcasts to.
func (b *builder) castAndBroadcast(v value, o types.Operand, d num.DType, shape []int, at source.Span) *ir.Value {
	if t, ok := v.(tensor); ok {
		return b.broadcast(at, b.cast(at, t.v, d), shape)
	}
	return b.fill(at, o.Constant(d), shape)
}

// convertIn converts a value at the end of a block.
func (b *builder) convertIn(block *ir.Block, v value, to types.Type) value {
	b.ir.Push(block)
	defer b.ir.Pop()
	t := b.asTensor(v).v
	if !to.Pointer {
		t = b.cast(source.Span{}, t, to.DType)
	}
	return tensor{b.broadcast(source.Span{}, t, to.Shape)}
}

func shapeAttr(shape []int) ir.Attr { return ir.Attr{Name: "shape", Value: ir.Ints(shape)} }

func axisAttr(axis int) ir.Attr { return ir.Attr{Name: "axis", Value: int64(axis)} }

func dtypeAttr(d num.DType) ir.Attr { return ir.Attr{Name: "to", Value: d.Info().Short} }

func nanAttr(nan bool) ir.Attr { return ir.Attr{Name: "propagate_nan", Value: nan} }
