package lower

import (
	"fmt"
	"slices"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/triton"
	"github.com/newtlab/newt/compiler/types"
)

// lowerMapElementwise lowers tl.map_elementwise. The function is lowered for scalars, into a block of its own, which
// is then vectorized: see vectorizer.
func lowerMapElementwise(c *call) value {
	tiles := c.mappedTiles()
	shape := tiles[0].Type.Shape
	pack := c.integer("pack")
	if n := types.Tile(num.Int1, shape...).Numel(); pack < 1 || pack&(pack-1) != 0 || pack > n {
		return c.fail(diag.New("map-pack", c.spanOf(c.arg("pack").expr), pack, n, c.packSaid(pack)))
	}
	at := c.node.Span()
	var argTypes []types.Type
	for _, v := range tiles {
		argTypes = append(argTypes, slices.Repeat([]types.Type{v.Type.Elem()}, pack)...)
	}
	block := c.b.newBlock(argTypes...)
	var results []*ir.Value
	isTuple := false
	c.b.inBlock(block, func() { results, isTuple = c.mappedResults(block.Args, pack) })
	flat := shape
	if pack > 1 {
		flat = []int{types.Tile(num.Int1, shape...).Numel() / pack}
	}
	v := &vectorizer{l: c.lowerer, at: at, shape: flat, of: make(map[*ir.Value]*ir.Value)}
	for i, t := range tiles {
		for j, part := range c.b.unpackTile(at, t, pack) {
			v.of[block.Args[i*pack+j]] = part
		}
	}
	c.must(v.block(block, nil))
	var out []*ir.Value
	for group := range slices.Chunk(v.tiles(results), pack) {
		out = append(out, c.b.packTiles(at, group, shape))
	}
	if !isTuple {
		return tensor{out[0]}
	}
	return tensors(out)
}

// mappedTiles are the arguments that the function is mapped over, in one shape.
func (c *call) mappedTiles() []*ir.Value {
	args := c.list("args")
	if len(args) == 0 {
		c.fail(diag.New("missing-argument", c.spanOf(c.node), c.row.Path(), "args", ""))
	}
	for i, a := range args {
		args[i].val = tensor{c.numberOf(a)}
	}
	return c.broadcastTogether(args...)
}

// mappedResults are the scalars that the function returns for scalars, pack of them for each result.
func (c *call) mappedResults(scalars []*ir.Value, pack int) (results []*ir.Value, isTuple bool) {
	e := c.arg("scalar_fn").expr
	got := c.callScalar("scalar_fn", scalars, "map-not-function")
	t, isTuple := got.(tuple)
	if !isTuple {
		t.elems = []value{got}
	}
	if len(t.elems) == 0 || len(t.elems)%pack != 0 {
		c.fail(diag.New("map-result-count", c.spanOf(e), pack, len(t.elems)))
	}
	for i, v := range t.elems {
		x := c.numberOf(argument{v, e})
		if first := i - i%pack; i > first && !x.Type.Equal(results[first].Type) {
			c.fail(diag.New("map-result-type", c.spanOf(e), typeText(results[first].Type), typeText(x.Type)))
		}
		results = append(results, x)
	}
	return results, isTuple
}

// unpackTile is every n-th element of a tile as a tile of its own, for n of them, a power of two: the elements of a
// group follow each other in row-major order.
func (b *builder) unpackTile(at source.Span, v *ir.Value, n int) []*ir.Value {
	if n == 1 {
		return []*ir.Value{v}
	}
	halves := b.emitRegions(at, ops.Split, []*ir.Value{b.reshape(at, v, []int{v.Type.Numel() / 2, 2})}, nil)
	out := make([]*ir.Value, n)
	for i, half := range halves {
		for j, part := range b.unpackTile(at, half, n/2) {
			out[2*j+i] = part
		}
	}
	return out
}

// packTiles undoes unpackTile; the result has a shape.
func (b *builder) packTiles(at source.Span, parts []*ir.Value, shape []int) *ir.Value {
	if len(parts) == 1 {
		return b.reshape(at, parts[0], shape)
	}
	var halves [2][]*ir.Value
	for i, p := range parts {
		halves[i%2] = append(halves[i%2], p)
	}
	n := []int{parts[0].Type.Numel() * len(parts) / 2}
	joined := b.emit(at, ops.Join, []*ir.Value{b.packTiles(at, halves[0], n), b.packTiles(at, halves[1], n)})
	return b.reshape(at, joined, shape)
}

// vectorizer emits scalar code for all elements of tiles at once, as compilers of SPMD languages do: both branches of
// an if are computed and the condition selects, and a loop runs until the last element has left it. The code is pure,
// so that what an element computes in a branch that it does not take makes no difference; loops alone have to know
// which elements are active, to end.
//
// A value that is alike for all elements stays a scalar.
type vectorizer struct {
	l     *lowerer
	at    source.Span
	shape []int
	of    map[*ir.Value]*ir.Value // by the values of the scalar code
}

// value is the scalar or tile for a value of the scalar code; one from outside of it stands for itself.
func (v *vectorizer) value(x *ir.Value) *ir.Value {
	if y := v.of[x]; y != nil {
		return y
	}
	return x
}

func (v *vectorizer) isTile(x *ir.Value) bool { return len(x.Type.Shape) > 0 }

func (v *vectorizer) tile(x *ir.Value) *ir.Value { return v.l.b.broadcast(v.at, v.value(x), v.shape) }

func (v *vectorizer) tiles(xs []*ir.Value) []*ir.Value {
	out := make([]*ir.Value, len(xs))
	for i, x := range xs {
		out[i] = v.tile(x)
	}
	return out
}

// block emits a block but for its terminator. active holds for the elements that get here, nil for all. Not ok if an
// operation has been refused.
func (v *vectorizer) block(b *ir.Block, active *ir.Value) bool {
	for _, in := range b.Instrs {
		ok := true
		v.at = in.Span
		switch {
		case in.Op.Has(ops.Terminator):
		case in.Op == ops.If:
			ok = v.branch(in, active)
		case in.Op == ops.For:
			ok = v.forLoop(in, active)
		case in.Op == ops.While:
			ok = v.whileLoop(in, active)
		default:
			ok = v.instr(in)
		}
		if !ok {
			return false
		}
	}
	return true
}

// instr emits one operation without regions.
func (v *vectorizer) instr(in *ir.Instr) bool {
	operands := make([]*ir.Value, len(in.Operands))
	vectorize := false
	for i, x := range in.Operands {
		operands[i] = v.value(x)
		vectorize = vectorize || v.isTile(operands[i])
	}
	ok := in.Op.Has(ops.Pure) && (!vectorize || in.Op.Has(ops.Elementwise))
	if !ok || slices.ContainsFunc(slices.Concat(in.Operands, in.Results), notScalar) {
		v.l.fail(diag.New("map-operation", in.Span))
		return false
	}
	if vectorize {
		operands = v.tiles(in.Operands)
	}
	for i, r := range v.l.b.emitRegions(v.at, in.Op, operands, nil, in.Attrs...) {
		v.of[in.Results[i]] = r
	}
	return true
}

// notScalar reports whether a value is something that a mapped function has no use for: a tile or a pointer.
func notScalar(x *ir.Value) bool { return x == nil || !x.Type.IsScalar() || x.Type.Pointer }

func (v *vectorizer) and(x, y *ir.Value) *ir.Value {
	if x == nil {
		return y
	}
	return v.l.b.emit(v.at, ops.And, []*ir.Value{x, y})
}

func (v *vectorizer) selectTile(cond, x, y *ir.Value) *ir.Value {
	return v.l.b.emit(v.at, ops.Select, []*ir.Value{cond, x, y})
}

// branch emits both regions of an if, and selects.
func (v *vectorizer) branch(in *ir.Instr, active *ir.Value) bool {
	cond := v.tile(in.Operands[0])
	then, other := in.Regions[0], in.Regions[1]
	if !v.block(then, v.and(active, cond)) || !v.block(other, v.and(active, v.l.b.not(v.at, cond))) {
		return false
	}
	for i, r := range in.Results {
		x, y := then.Terminator().Operands[i], other.Terminator().Operands[i]
		v.of[r] = v.selectTile(cond, v.tile(x), v.tile(y))
	}
	return true
}

// forLoop emits a for loop. If all elements have the same bounds it stays one; otherwise each element has an induction
// variable of its own, of 64 bits, so that it does not overflow after the last iteration of a narrower one.
func (v *vectorizer) forLoop(in *ir.Instr, active *ir.Value) bool {
	body := in.Regions[0]
	bounds := []*ir.Value{v.value(in.Operands[0]), v.value(in.Operands[1]), v.value(in.Operands[2])}
	inits, next := in.Operands[3:], body.Terminator().Operands
	if !slices.ContainsFunc(bounds, v.isTile) {
		block := v.l.b.newBlock(append([]types.Type{bounds[0].Type}, v.tileTypes(inits)...)...)
		ok := false
		v.l.b.inBlock(block, func() {
			v.bind(body.Args, block.Args)
			if ok = v.block(body, active); ok {
				v.l.b.emitVoid(v.at, ops.Yield, v.tiles(next))
			}
		})
		if ok {
			operands := append(bounds, v.tiles(inits)...)
			v.bind(in.Results, v.l.b.emitRegions(v.at, ops.For, operands, []*ir.Block{block}, in.Attrs...))
		}
		return ok
	}
	d := num.Int64
	if in.Operands[0].Type.DType == num.Uint64 {
		d = num.Uint64
	}
	var wide []*ir.Value // the bounds
	for _, x := range in.Operands[:3] {
		wide = append(wide, v.l.b.cast(v.at, v.tile(x), d))
	}
	upper, step := wide[1], wide[2]
	state := append(wide[:1:1], v.tiles(inits)...)
	left, ok := v.loop(active, state, v.tileTypes(state),
		func(carried []*ir.Value, _ *ir.Value) (cond *ir.Value, passed []*ir.Value, ok bool) {
			zero := v.l.b.fill(v.at, num.FromInt(d, 0), v.shape)
			runs := v.l.b.emit(v.at, ops.Gt, []*ir.Value{step, zero})
			return v.and(runs, v.l.b.emit(v.at, ops.Lt, []*ir.Value{carried[0], upper})), carried, true
		},
		func(passed []*ir.Value, on *ir.Value) ([]*ir.Value, bool) {
			v.of[body.Args[0]] = v.l.b.cast(v.at, passed[0], in.Operands[0].Type.DType)
			v.bind(body.Args[1:], passed[1:])
			if !v.block(body, on) {
				return nil, false
			}
			index := v.l.b.emit(v.at, ops.Add, []*ir.Value{passed[0], step})
			return append([]*ir.Value{index}, v.tiles(next)...), true
		})
	if ok {
		v.bind(in.Results, left[1:])
	}
	return ok
}

// whileLoop emits a while loop.
func (v *vectorizer) whileLoop(in *ir.Instr, active *ir.Value) bool {
	before, after := in.Regions[0], in.Regions[1]
	left, ok := v.loop(active, v.tiles(in.Operands), v.tileTypes(in.Results),
		func(carried []*ir.Value, active *ir.Value) (cond *ir.Value, passed []*ir.Value, ok bool) {
			v.bind(before.Args, carried)
			if !v.block(before, active) {
				return nil, nil, false
			}
			condition := v.tiles(before.Terminator().Operands)
			return condition[0], condition[1:], true
		},
		func(passed []*ir.Value, on *ir.Value) ([]*ir.Value, bool) {
			v.bind(after.Args, passed)
			if !v.block(after, on) {
				return nil, false
			}
			return v.tiles(after.Terminator().Operands), true
		})
	if ok {
		v.bind(in.Results, left)
	}
	return ok
}

// loop emits a loop that runs while cond holds for an active element. cond gets what the loop carries and passes values
// on to body, which gives what is carried to the next iteration. The results are, for each element, what was passed on
// when cond did not hold for it.
func (v *vectorizer) loop(
	active *ir.Value, inits []*ir.Value, passedTypes []types.Type,
	cond func(carried []*ir.Value, active *ir.Value) (cond *ir.Value, passed []*ir.Value, ok bool),
	body func(passed []*ir.Value, active *ir.Value) ([]*ir.Value, bool),
) (results []*ir.Value, ok bool) {
	b, n, m := &v.l.b, len(inits), len(passedTypes)
	if active == nil {
		active = b.fill(v.at, num.FromBool(true), v.shape)
	}
	state := append([]*ir.Value{active}, inits...)
	for _, t := range passedTypes {
		state = append(state, b.fill(v.at, num.FromInt(t.DType, 0), v.shape))
	}
	before := b.newBlock(v.tileTypes(state)...)
	after := b.newBlock(slices.Concat(v.tileTypes(state[:1]), passedTypes, passedTypes)...)
	b.inBlock(before, func() {
		active, carried, results := before.Args[0], before.Args[1:1+n], before.Args[1+n:]
		holds, passed, computed := cond(carried, active)
		if ok = computed; !ok {
			return
		}
		on := v.and(active, holds)
		list := []*ir.Value{v.any(on), on}
		list = append(list, passed...)
		for i, r := range results {
			list = append(list, v.selectTile(active, passed[i], r))
		}
		b.emitVoid(v.at, ops.Condition, list)
	})
	if !ok {
		return nil, false
	}
	b.inBlock(after, func() {
		on, passed, results := after.Args[0], after.Args[1:1+m], after.Args[1+m:]
		var next []*ir.Value
		if next, ok = body(passed, on); ok {
			b.emitVoid(v.at, ops.Yield, slices.Concat([]*ir.Value{on}, next, results))
		}
	})
	if !ok {
		return nil, false
	}
	return b.emitRegions(v.at, ops.While, state, []*ir.Block{before, after})[1+m:], true
}

// any is whether a truth holds for an element.
func (v *vectorizer) any(x *ir.Value) *ir.Value {
	b := &v.l.b
	if !v.isTile(x) {
		return x
	}
	n := b.reshape(v.at, b.cast(v.at, x, num.Int32), []int{x.Type.Numel()})
	region := b.newBlock(types.Scalar(num.Int32), types.Scalar(num.Int32))
	b.inBlock(region, func() {
		b.emitVoid(v.at, ops.Yield, []*ir.Value{b.emit(v.at, ops.Or, region.Args)})
	})
	return b.toBool(v.at, b.emitRegions(v.at, ops.Reduce, []*ir.Value{n}, []*ir.Block{region}, axisAttr(0))[0])
}

func (v *vectorizer) bind(xs, to []*ir.Value) {
	for i, x := range xs {
		v.of[x] = to[i]
	}
}

// tileTypes are the types of values, of the scalar code or not, as tiles.
func (v *vectorizer) tileTypes(xs []*ir.Value) []types.Type {
	out := make([]types.Type, len(xs))
	for i, x := range xs {
		out[i] = types.Tile(x.Type.DType, v.shape...)
	}
	return out
}

// packSaid is what Triton says of a number of elements that map_elementwise is to take together.
func (c *call) packSaid(pack int) string {
	switch {
	case pack >= 1:
		return ""
	case c.has(triton.Int16Offsets):
		return fmt.Sprintf("pack must be >= 1, got constexpr[%d]", pack)
	}
	return "AssertionError"
}
