package irgen

import (
	"math/bits"
	"slices"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/types"
)

// WideShapes are those of tiles that are longer than what narrow integers count.
var WideShapes = [][]int{nil, {1}, {256}, {512}, {1024}, {4096}, {8, 64}, {64, 16}, {1, 512}, {4, 8, 32}}

// intTypes are the dtypes that chains of integers go through, whatever the configuration has.
var intTypes = []num.DType{
	num.Int8, num.Int16, num.Int32, num.Int64, num.Uint8, num.Uint16, num.Uint32, num.Uint64,
}

// edges are numbers at which integers wrap, change their sign or lose bits.
var edges = []int64{
	0, 1, -1, 2, 3, 4, 5, 7, 8, 16, 64, 100, 127, 128, -128, 255, 256, 1 << 12, 1<<15 - 1, -1 << 15, 1 << 16, 1 << 30,
	1<<31 - 8, 1<<31 - 1, -1 << 31, 1 << 32, 1<<63 - 1, -1 << 63,
}

// genArange makes an arange as long as the tiles of the configuration, and what chains of integers make of it.
func (g *generator) genArange() {
	longest := 32
	for _, shape := range g.cfg.Shapes {
		longest = max(longest, types.Tile(num.Int32, shape...).Numel())
	}
	n := int64(1) << g.IntN(bits.Len(uint(longest)))
	start := pick(g, []int64{0, 0, 0, n, -n, g.Int64N(20) - 10})
	v := g.emit1(ops.Arange, nil, attr("start", start), attr("end", start+n))
	g.addToPool(v)
	if g.IntN(4) > 0 {
		g.integerChain(v)
	}
	if shape := pick(g, g.cfg.Shapes); len(shape) > 0 && g.IntN(2) == 0 {
		g.integerChain(g.genIndex(shape))
	}
}

// integerChain goes from v on through casts, arithmetic that wraps, shifts, masks, quotients and remainders, and puts
// what the configuration has outputs for into the pool.
func (g *generator) integerChain(v *ir.Value) *ir.Value {
	for range 1 + g.IntN(8) {
		v = g.integerStep(v)
		if slices.Contains(g.cfg.DTypes, v.Type.DType) {
			g.addToPool(v)
		}
		if g.IntN(3) == 0 {
			compare := pick(g, []ops.Op{ops.Lt, ops.Le, ops.Gt, ops.Ge, ops.Eq, ops.Ne})
			g.addToPool(g.emit1(compare, g.inAnyOrder(v, g.edge(v))))
		}
	}
	return v
}

// edge is a number at which v may change in some way, as a tile like v.
func (g *generator) edge(v *ir.Value) *ir.Value {
	d := v.Type.DType
	if g.IntN(4) == 0 && d == num.Int32 { // a multiple that only the launch knows
		unit := g.emitConstant(num.FromInt(d, 1<<g.IntN(10)), nil)
		return g.spreadOver(g.emitTwo(ops.Mul, g.wantValue(types.Scalar(d)), unit), v.Type.Shape)
	}
	return g.emitConstant(num.FromInt(d, pick(g, edges)), v.Type.Shape)
}

// inAnyOrder is x and y, or y and x.
func (g *generator) inAnyOrder(x, y *ir.Value) []*ir.Value {
	if g.IntN(3) == 0 {
		return []*ir.Value{y, x}
	}
	return []*ir.Value{x, y}
}

var integerOps = []ops.Op{
	ops.Add, ops.Add, ops.Add, ops.Sub, ops.Sub, ops.Mul, ops.And, ops.Or, ops.Xor, ops.Min, ops.Max,
	ops.Shl, ops.Shr, ops.Shr, ops.Div, ops.Div, ops.Rem, ops.Rem, ops.Neg, ops.Not, ops.Abs, ops.Select,
}

// integerStep makes one operation on v and constants.
func (g *generator) integerStep(v *ir.Value) *ir.Value {
	d, shape := v.Type.DType, v.Type.Shape
	number := func(n int64) *ir.Value { return g.emitConstant(num.FromInt(d, n), shape) }
	if g.IntN(3) == 0 {
		return g.emit1(ops.Cast, []*ir.Value{v}, attr("to", pick(g, intTypes).Info().Short))
	}
	switch op := pick(g, integerOps); op {
	case ops.Shl, ops.Shr:
		return g.emit1(op, []*ir.Value{v, number(g.Int64N(int64(d.Info().Bits)))})
	case ops.Div, ops.Rem: // engines differ on what 0 and overflow give
		return g.emit1(op, []*ir.Value{v, number(pick(g, []int64{1, 2, 3, 4, 7, 8, 16, 64, 100, 127}))})
	case ops.Neg, ops.Not, ops.Abs:
		return g.emit1(op, []*ir.Value{v})
	case ops.Select:
		return g.emitSelect(g.emit1(ops.Lt, []*ir.Value{v, g.edge(v)}), v, g.emitTwo(ops.Add, v, g.edge(v)))
	default:
		return g.emit1(op, g.inAnyOrder(v, g.edge(v)))
	}
}

// strides are by how much the offsets of a loop's tiles of n elements may step.
func strides(n int64) []int64 {
	return []int64{0, 1, 3, n / 2, n - 1, n, -n, 2 * n, 641, 1<<30 + 1, 1 << 30, 1<<31 - 1, -1 << 31}
}

// genInPlace makes a loop that updates elements of an output that nothing else touches, through one pointer. Its
// offsets step by a number that may take them around all integers; a mask lets those through that are among the
// elements.
func (g *generator) genInPlace() {
	t := g.pickTile(ops.WideInt)
	if g.depth >= g.cfg.Depth || t.IsScalar() || g.outputs[t.DType] == nil {
		return
	}
	n := int64(t.Numel())
	size := n + n/2
	base, index := g.reserveOutput(t.DType, int(size)), g.genIndex(t.Shape)
	if g.IntN(3) == 0 {
		index = g.emit1(ops.Cast, []*ir.Value{g.integerChain(index)}, attr("to", "i32"))
	}
	number := func(n int64, shape []int) *ir.Value { return g.emitConstant(num.FromInt(num.Int32, n), shape) }
	body := g.b.Block(types.Scalar(num.Int32))
	g.inBlock(body, func() {
		by := g.emitTwo(ops.Mul, body.Args[0], number(pick(g, strides(n)), nil))
		if g.IntN(2) == 0 {
			by = g.emitTwo(ops.Mul, by, number(pick(g, []int64{1, -1, 2, 6700417, 1 << 16}), nil))
		}
		at := g.emitTwo(ops.Add, index, g.emitSplat(by, t.Shape))
		below := g.emitTwo(ops.Lt, at, number(size, t.Shape))
		mask := g.emitTwo(ops.And, g.emitTwo(ops.Ge, at, number(0, t.Shape)), below)
		ptr := g.emit1(ops.AddPtr, []*ir.Value{g.spreadOver(base, t.Shape), at})
		load := func() *ir.Value {
			return g.emit1(ops.Load, []*ir.Value{ptr, mask, g.emitConstant(num.FromInt(t.DType, 1), t.Shape)})
		}
		x := load()
		x = g.emitTwo(ops.Add, g.emitTwo(ops.Add, x, x), g.emitConstant(num.FromInt(t.DType, 1), t.Shape))
		g.emit(ops.Store, []*ir.Value{ptr, x, mask})
		g.addToPool(load())
		g.emit(ops.Yield, nil)
	})
	upper := number(2+g.Int64N(4), nil)
	if g.IntN(2) == 0 {
		upper = g.valueBelow(8, num.Int32, nil)
	}
	g.emitRegions(ops.For, []*ir.Value{number(0, nil), upper, number(1, nil)}, []*ir.Block{body}, g.genStages()...)
}
