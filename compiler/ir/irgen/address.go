package irgen

import (
	"slices"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/types"
)

// index numbers the elements of a shape from 0 on, in some order of its dimensions; i32.
func (g *generator) index(shape []int) *ir.Value {
	if len(shape) == 0 {
		return g.constant(num.FromInt(num.Int32, 0), nil)
	}
	n := types.Tile(num.Int32, shape...).Numel()
	if g.IntN(4) == 0 {
		all := g.emit1(ops.Arange, nil, attr("start", int64(0)), attr("end", int64(n)))
		return g.emit1(ops.Reshape, []*ir.Value{all}, attr("shape", ir.Ints(shape)))
	}
	return g.strided(shape, g.strides(shape))
}

// strides are those of a tile that lies densely, its dimensions in some order.
func (g *generator) strides(shape []int) []int {
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

// dense gives pointers to as many elements as shape has, from where the scalar base points on.
func (g *generator) dense(base *ir.Value, shape []int) *ir.Value {
	if len(shape) == 0 || g.IntN(3) == 0 {
		return g.emit1(ops.AddPtr, []*ir.Value{g.spread(base, shape), g.index(shape)})
	}
	return g.along(base, shape, g.strides(shape))
}

// along gives pointers to a tile's elements: base plus the sum of what each dimension adds, or plus one
// after the other.
func (g *generator) along(base *ir.Value, shape, strides []int) *ir.Value {
	ptr := g.splat(base, shape)
	if g.IntN(2) == 0 {
		return g.emit1(ops.AddPtr, []*ir.Value{ptr, g.strided(shape, strides)})
	}
	for dim := range shape {
		ptr = g.emit1(ops.AddPtr, []*ir.Value{ptr, g.part(shape, strides, dim)})
	}
	return ptr
}

// strided is the sum of the indices of a shape's dimensions times strides.
func (g *generator) strided(shape, strides []int) *ir.Value {
	sum := g.part(shape, strides, 0)
	for dim := 1; dim < len(shape); dim++ {
		sum = g.two(ops.Add, sum, g.part(shape, strides, dim))
	}
	return sum
}

// part is one dimension's index times its stride, as a tile.
func (g *generator) part(shape, strides []int, dim int) *ir.Value {
	v := g.emit1(ops.Arange, nil, attr("start", int64(0)), attr("end", int64(shape[dim])))
	scale := func() {
		v = g.two(ops.Mul, v, g.constant(num.FromInt(num.Int32, int64(strides[dim])), v.Type.Shape))
	}
	scaleFirst := g.IntN(2) == 0
	if scaleFirst {
		scale()
	}
	v = g.stretch(v, dim, shape)
	if !scaleFirst {
		scale()
	}
	return v
}

// stretch makes a vector along dimension dim a tile of that shape.
func (g *generator) stretch(v *ir.Value, dim int, shape []int) *ir.Value {
	for i := range shape {
		if i != dim {
			v = g.emit1(ops.ExpandDims, []*ir.Value{v}, attr("axis", int64(i)))
		}
	}
	return g.emit1(ops.Broadcast, []*ir.Value{v}, attr("shape", ir.Ints(shape)))
}

// spread is v, a scalar, over a shape.
func (g *generator) spread(v *ir.Value, shape []int) *ir.Value {
	if len(shape) == 0 {
		return v
	}
	return g.splat(v, shape)
}

// input is one of the arguments of dtype d that are only read.
func (g *generator) input(d num.DType) *ir.Value { return pick(g, g.inputs[d]) }

// start gives pointers into the first elements of an input of dtype d, limit being a power of two.
func (g *generator) start(d num.DType, shape []int, limit int) *ir.Value {
	base := g.input(d)
	n := types.Tile(d, shape...).Numel()
	if 2*n > limit || g.IntN(3) == 0 {
		return g.emit1(ops.AddPtr, []*ir.Value{g.spread(base, shape), g.below(limit, num.Int32, shape)})
	}
	shift := g.below(limit/2, num.Int32, nil)
	switch g.IntN(3) {
	case 0:
		unit := 1 << g.IntN(5)
		if unit < limit/2 {
			shift = g.two(ops.Mul, g.below(limit/2/unit, num.Int32, nil),
				g.constant(num.FromInt(num.Int32, int64(unit)), nil))
		}
	case 1:
		shift = g.constant(num.FromInt(num.Int32, g.Int64N(int64(limit/2))), nil)
	}
	shift = g.hinted(shift)
	if g.IntN(2) == 0 {
		return g.dense(g.emit1(ops.AddPtr, []*ir.Value{base, shift}), shape)
	}
	index := g.two(ops.Add, g.index(shape), g.spread(shift, shape))
	return g.emit1(ops.AddPtr, []*ir.Value{g.spread(base, shape), index})
}

// hinted is a scalar offset, that nobody knows before the launch, with a hint on it where the config asks
// for those.
func (g *generator) hinted(offset *ir.Value) *ir.Value {
	if !g.cfg.FalseHints || g.IntN(4) > 0 {
		return offset
	}
	return g.emit1(ops.Hint, []*ir.Value{offset}, attr("divisibility", []int64{2 << g.IntN(4)}))
}

// pointer gives pointers into the inputs of dtype d.
func (g *generator) pointer(d num.DType, shape []int) *ir.Value {
	switch g.IntN(12) {
	case 0: // in two steps, for what merges chains
		half := g.below(g.cfg.InputLen/2, num.Int64, shape)
		step := g.constant(num.FromInt(num.Int32, g.Int64N(int64(g.cfg.InputLen/2))), shape)
		return g.emit1(ops.AddPtr, []*ir.Value{g.emit1(ops.AddPtr, []*ir.Value{g.spread(g.input(d), shape), half}),
			step})
	case 1: // of two arguments, maybe
		cond := g.want(types.Tile(num.Int1, shape...))
		return g.choose(cond, g.start(d, shape, g.cfg.InputLen), g.start(d, shape, g.cfg.InputLen))
	case 2:
		return g.branchOfPointers(d, shape)
	case 3:
		return g.rearranged(d, shape)
	}
	return g.start(d, shape, g.cfg.InputLen)
}

// rearranged gives pointers that took another shape before.
func (g *generator) rearranged(d num.DType, shape []int) *ir.Value {
	if len(shape) == 0 {
		return g.start(d, shape, g.cfg.InputLen)
	}
	from := func(shape ...int) *ir.Value { return g.start(d, shape, g.cfg.InputLen) }
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

// comparison compares pointers.
func (g *generator) comparison() {
	t := g.tile(ops.Num)
	op := pick(g, []ops.Op{ops.Eq, ops.Ne, ops.Lt, ops.Le, ops.Gt, ops.Ge})
	input := g.input(t.DType)
	at := func() *ir.Value {
		return g.emit1(ops.AddPtr, []*ir.Value{g.spread(input, t.Shape), g.below(g.cfg.InputLen, num.Int32, t.Shape)})
	}
	g.keep(g.two(op, at(), at()))
}

// branchOfPointers gives pointers that a branch picks.
func (g *generator) branchOfPointers(d num.DType, shape []int) *ir.Value {
	cond := g.want(types.Scalar(num.Int1))
	regions := []*ir.Block{g.b.Block(), g.b.Block()}
	for _, r := range regions {
		mark := len(g.pool)
		g.b.Push(r)
		g.emit(ops.Yield, []*ir.Value{g.start(d, shape, g.cfg.InputLen)})
		g.b.Pop()
		g.pool = g.pool[:mark]
	}
	return g.emitRegions(ops.If, []*ir.Value{cond}, regions)[0]
}

// mask is a random tile of conditions, often the comparison of an index with a limit.
func (g *generator) mask(shape []int) *ir.Value {
	if len(shape) == 0 || g.IntN(2) == 0 {
		return g.want(types.Tile(num.Int1, shape...))
	}
	dim := g.IntN(len(shape))
	v := g.emit1(ops.Arange, nil, attr("start", int64(0)), attr("end", int64(shape[dim])))
	limit := g.below(2*shape[dim], num.Int32, nil)
	inside := g.two(ops.Lt, v, g.splat(limit, v.Type.Shape))
	return g.stretch(inside, dim, shape)
}
