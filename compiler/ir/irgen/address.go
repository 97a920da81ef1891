package irgen

import (
	"slices"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/types"
)

// genIndex numbers the elements of a shape from 0 on, in some order of its dimensions; i32.
func (g *generator) genIndex(shape []int) *ir.Value {
	if len(shape) == 0 {
		return g.emitConstant(num.FromInt(num.Int32, 0), nil)
	}
	n := types.Tile(num.Int32, shape...).Numel()
	if g.IntN(4) == 0 {
		all := g.emit1(ops.Arange, nil, attr("start", int64(0)), attr("end", int64(n)))
		return g.emit1(ops.Reshape, []*ir.Value{all}, attr("shape", ir.Ints(shape)))
	}
	return g.stridedOffsets(shape, g.genStrides(shape))
}

// The memory that kernels reach by an address.
const (
	reachableAt    = 1 << 40
	reachableBytes = 1 << 16 // enough for 4096 elements of 8 bytes from anywhere in the first quarter
)

// genReach loads a tile of integers from reachable memory.
func (g *generator) genReach() {
	t := g.pickTile(ops.Int)
	g.reaches = true
	if g.IntN(3) == 0 { // an address for each element
		index := g.emit1(ops.Cast, []*ir.Value{g.valueBelow(reachableBytes/8, num.Int32, t.Shape)}, attr("to", "i64"))
		at := g.emitTwo(ops.Mul, index, g.emitConstant(num.FromInt(num.Int64, 8), t.Shape))
		at = g.emitTwo(ops.Add, at, g.emitConstant(num.FromInt(num.Int64, reachableAt), t.Shape))
		ptr := g.emit1(ops.IntToPtr, []*ir.Value{at}, attr("to", t.DType.Info().Short))
		g.addToPool(g.emit1(ops.Load, []*ir.Value{ptr}))
		return
	}
	from := int64(reachableAt + g.IntN(reachableBytes/4)&^7)
	at := g.emitConstant(num.FromInt(num.Int64, from), nil)
	ptr := g.emit1(ops.IntToPtr, []*ir.Value{at}, attr("to", t.DType.Info().Short))
	g.addToPool(g.emit1(ops.Load, []*ir.Value{g.denseOffsets(ptr, t.Shape)}))
}

// genStrides are those of a tile that lies densely, its dimensions in some order.
func (g *generator) genStrides(shape []int) []int {
	strides, next := make([]int, len(shape)), 1
	order := g.Perm(len(shape))
	if g.IntN(2) == 0 { // the last dimension is the fastest in most of what people write
		for i := range order {
			order[i] = len(shape) - 1 - i
		}
	}
	for _, dim := range order {
		strides[dim] = next
		next *= shape[dim]
	}
	return strides
}

// denseOffsets gives pointers to as many elements as shape has, from where the scalar base points on.
func (g *generator) denseOffsets(base *ir.Value, shape []int) *ir.Value {
	if len(shape) == 0 || g.IntN(3) == 0 {
		return g.emit1(ops.AddPtr, []*ir.Value{g.spreadOver(base, shape), g.genIndex(shape)})
	}
	return g.offsetsAlong(base, shape, g.genStrides(shape))
}

// offsetsAlong gives pointers to a tile's elements: base plus the sum of what each dimension adds, or plus one
// after the other.
func (g *generator) offsetsAlong(base *ir.Value, shape, strides []int) *ir.Value {
	ptr := g.emitSplat(base, shape)
	if g.IntN(2) == 0 {
		return g.emit1(ops.AddPtr, []*ir.Value{ptr, g.stridedOffsets(shape, strides)})
	}
	for dim := range shape {
		ptr = g.emit1(ops.AddPtr, []*ir.Value{ptr, g.indexPart(shape, strides, dim)})
	}
	return ptr
}

// stridedOffsets is the sum of the indices of a shape's dimensions times strides.
func (g *generator) stridedOffsets(shape, strides []int) *ir.Value {
	sum := g.indexPart(shape, strides, 0)
	for dim := 1; dim < len(shape); dim++ {
		sum = g.emitTwo(ops.Add, sum, g.indexPart(shape, strides, dim))
	}
	return sum
}

// indexPart is one dimension's index times its stride, as a tile.
func (g *generator) indexPart(shape, strides []int, dim int) *ir.Value {
	v := g.emit1(ops.Arange, nil, attr("start", int64(0)), attr("end", int64(shape[dim])))
	scale := func() {
		v = g.emitTwo(ops.Mul, v, g.emitConstant(num.FromInt(num.Int32, int64(strides[dim])), v.Type.Shape))
	}
	scaleFirst := g.IntN(2) == 0
	if scaleFirst {
		scale()
	}
	v = g.stretchTo(v, dim, shape)
	if !scaleFirst {
		scale()
	}
	return v
}

// stretchTo makes a vector along dimension dim a tile of that shape.
func (g *generator) stretchTo(v *ir.Value, dim int, shape []int) *ir.Value {
	for i := range shape {
		if i != dim {
			v = g.emit1(ops.ExpandDims, []*ir.Value{v}, attr("axis", int64(i)))
		}
	}
	return g.emit1(ops.Broadcast, []*ir.Value{v}, attr("shape", ir.Ints(shape)))
}

// spreadOver is v, a scalar, over a shape.
func (g *generator) spreadOver(v *ir.Value, shape []int) *ir.Value {
	if len(shape) == 0 {
		return v
	}
	return g.emitSplat(v, shape)
}

// pickInput is one of the arguments of dtype d that are only read.
func (g *generator) pickInput(d num.DType) *ir.Value { return pick(g, g.inputs[d]) }

// startOffset gives pointers into the first elements of an input of dtype d, limit being a power of two.
func (g *generator) startOffset(d num.DType, shape []int, limit int) *ir.Value {
	base := g.pickInput(d)
	n := types.Tile(d, shape...).Numel()
	if 2*n > limit || g.IntN(3) == 0 {
		return g.emit1(ops.AddPtr, []*ir.Value{g.spreadOver(base, shape), g.valueBelow(limit, num.Int32, shape)})
	}
	shift := g.valueBelow(limit/2, num.Int32, nil)
	switch g.IntN(3) {
	case 0:
		unit := 1 << g.IntN(5)
		if unit < limit/2 {
			shift = g.emitTwo(ops.Mul, g.valueBelow(limit/2/unit, num.Int32, nil),
				g.emitConstant(num.FromInt(num.Int32, int64(unit)), nil))
		}
	case 1:
		shift = g.emitConstant(num.FromInt(num.Int32, g.Int64N(int64(limit/2))), nil)
	}
	shift = g.hintedOffset(shift)
	if g.IntN(2) == 0 {
		return g.denseOffsets(g.emit1(ops.AddPtr, []*ir.Value{base, shift}), shape)
	}
	index := g.emitTwo(ops.Add, g.genIndex(shape), g.spreadOver(shift, shape))
	return g.emit1(ops.AddPtr, []*ir.Value{g.spreadOver(base, shape), index})
}

// hintedOffset is a scalar offset, that nobody knows before the launch, with a hint on it where the config asks
// for those.
func (g *generator) hintedOffset(offset *ir.Value) *ir.Value {
	if !g.cfg.FalseHints || g.IntN(4) > 0 {
		return offset
	}
	return g.emit1(ops.Hint, []*ir.Value{offset}, attr("divisibility", []int64{2 << g.IntN(4)}))
}

// genPointer gives pointers into the inputs of dtype d.
func (g *generator) genPointer(d num.DType, shape []int) *ir.Value {
	switch g.IntN(12) {
	case 0: // in two steps, for what merges chains
		half := g.valueBelow(g.cfg.InputLen/2, num.Int64, shape)
		step := g.emitConstant(num.FromInt(num.Int32, g.Int64N(int64(g.cfg.InputLen/2))), shape)
		return g.emit1(ops.AddPtr, []*ir.Value{g.emit1(ops.AddPtr,
			[]*ir.Value{g.spreadOver(g.pickInput(d), shape), half}),
			step})
	case 1: // of two arguments, maybe
		cond := g.wantValue(types.Tile(num.Int1, shape...))
		return g.emitSelect(cond, g.startOffset(d, shape, g.cfg.InputLen), g.startOffset(d, shape, g.cfg.InputLen))
	case 2:
		return g.genPointerBranch(d, shape)
	case 3:
		return g.rearrangedPointer(d, shape)
	}
	return g.startOffset(d, shape, g.cfg.InputLen)
}

// rearrangedPointer gives pointers that took another shape before.
func (g *generator) rearrangedPointer(d num.DType, shape []int) *ir.Value {
	if len(shape) == 0 {
		return g.startOffset(d, shape, g.cfg.InputLen)
	}
	from := func(shape ...int) *ir.Value { return g.startOffset(d, shape, g.cfg.InputLen) }
	last := len(shape) - 1
	switch {
	case g.IntN(3) == 0:
		n := types.Tile(d, shape...).Numel()
		return g.emit1(ops.Reshape, []*ir.Value{from(n)}, attr("shape", ir.Ints(shape)))
	case shape[last] == 2 && last > 0:
		return g.emit1(ops.Join, []*ir.Value{from(shape[:last]...), from(shape[:last]...)})
	case last == 0:
		joined := g.emit1(ops.Join, []*ir.Value{from(shape...), from(shape...)})
		return pick(g, g.emit(ops.Split, []*ir.Value{joined}))
	}
	thin := slices.Clone(shape)
	thin[g.IntN(len(thin))] = 1
	return g.emit1(ops.Broadcast, []*ir.Value{from(thin...)}, attr("shape", ir.Ints(shape)))
}

// genPointerComparison compares pointers.
func (g *generator) genPointerComparison() {
	t := g.pickTile(ops.Num)
	op := pick(g, []ops.Op{ops.Eq, ops.Ne, ops.Lt, ops.Le, ops.Gt, ops.Ge})
	input := g.pickInput(t.DType)
	at := func() *ir.Value {
		return g.emit1(ops.AddPtr, []*ir.Value{g.spreadOver(input, t.Shape),
			g.valueBelow(g.cfg.InputLen, num.Int32, t.Shape)})
	}
	g.addToPool(g.emitTwo(op, at(), at()))
}

// genPointerBranch gives pointers that a branch picks.
func (g *generator) genPointerBranch(d num.DType, shape []int) *ir.Value {
	cond := g.wantValue(types.Scalar(num.Int1))
	regions := []*ir.Block{g.b.Block(), g.b.Block()}
	for _, r := range regions {
		mark := len(g.pool)
		g.b.Push(r)
		g.emit(ops.Yield, []*ir.Value{g.startOffset(d, shape, g.cfg.InputLen)})
		g.b.Pop()
		g.pool = g.pool[:mark]
	}
	return g.emitRegions(ops.If, []*ir.Value{cond}, regions)[0]
}

// genMask is a random tile of conditions, often the comparison of an index with a limit.
func (g *generator) genMask(shape []int) *ir.Value {
	if len(shape) == 0 || g.IntN(2) == 0 {
		return g.wantValue(types.Tile(num.Int1, shape...))
	}
	dim := g.IntN(len(shape))
	v := g.emit1(ops.Arange, nil, attr("start", int64(0)), attr("end", int64(shape[dim])))
	limit := g.valueBelow(2*shape[dim], num.Int32, nil)
	inside := g.emitTwo(ops.Lt, v, g.emitSplat(limit, v.Type.Shape))
	return g.stretchTo(inside, dim, shape)
}
