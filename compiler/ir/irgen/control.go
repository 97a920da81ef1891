package irgen

import (
	"slices"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/types"
)

// inBlock fills a block with a few operations; fill ends it. Values of the block leave the pool.
func (g *generator) inBlock(block *ir.Block, fill func()) {
	mark := len(g.pool)
	g.depth++
	g.b.Push(block)
	g.addToPool(block.Args...)
	for range 1 + g.IntN(5) {
		g.genStep()
	}
	fill()
	g.b.Pop()
	g.depth--
	g.pool = g.pool[:mark]
}

// carriedTypes picks the types of the values that a region hands on.
func (g *generator) carriedTypes() []types.Type {
	ts := make([]types.Type, g.IntN(4))
	for i := range ts {
		ts[i] = g.pickTile(ops.Num)
	}
	return ts
}

func (g *generator) wantAll(ts []types.Type) []*ir.Value {
	vs := make([]*ir.Value, len(ts))
	for i, t := range ts {
		vs[i] = g.wantValue(t)
	}
	return vs
}

func (g *generator) genIf() {
	if g.depth >= g.cfg.Depth {
		return
	}
	if g.depth == 0 && g.IntN(3) == 0 {
		g.genChain()
		return
	}
	ts := g.carriedTypes()
	cond := g.wantValue(types.Scalar(num.Int1))
	if g.IntN(4) == 0 {
		cond = g.emitConstant(g.genScalar(num.Int1), nil)
	}
	regions := []*ir.Block{g.b.Block(), g.b.Block()}
	for _, r := range regions {
		g.inBlock(r, func() { g.emit(ops.Yield, g.wantAll(ts)) })
	}
	g.addToPool(g.emitRegions(ops.If, []*ir.Value{cond}, regions)...)
}

// genChain makes the code that unrolling a loop leaves: many links of one form, one after the other,
// each of which loads a tile, adds it to the sum of those before and may store that. Links may be the
// branch of an if.
func (g *generator) genChain() {
	d, ok := g.pickElem(ops.WideInt)
	if !ok {
		return
	}
	t := types.Tile(d, pick(g, g.cfg.Shapes)...)
	sum, conditional, stores := g.wantValue(t), g.IntN(3) > 0, g.IntN(2) == 0
	link := func() *ir.Value {
		next := g.emitTwo(ops.Add, sum, g.emit1(ops.Load, []*ir.Value{g.startOffset(t.DType, t.Shape, g.cfg.InputLen)}))
		if stores {
			g.genStore(next)
		}
		return next
	}
	for range 16 + g.IntN(48) {
		if !conditional {
			sum = link()
			continue
		}
		cond := g.wantValue(types.Scalar(num.Int1))
		regions := []*ir.Block{g.b.Block(), g.b.Block()}
		for i, next := range []func() *ir.Value{link, func() *ir.Value { return sum }} {
			mark := len(g.pool)
			g.b.Push(regions[i])
			g.emit(ops.Yield, []*ir.Value{next()})
			g.b.Pop()
			g.pool = g.pool[:mark]
		}
		sum = g.emitRegions(ops.If, []*ir.Value{cond}, regions)[0]
	}
	g.addToPool(sum)
}

// genFor makes a for of at most 4 iterations; one with a step below 1 has none.
func (g *generator) genFor() {
	if g.depth >= g.cfg.Depth {
		return
	}
	ts := g.carriedTypes()
	operands := append(g.genBounds(), g.wantAll(ts)...)
	body := g.b.Block(append([]types.Type{operands[0].Type}, ts...)...)
	g.inBlock(body, func() { g.emit(ops.Yield, g.wantAll(ts)) })
	g.addToPool(g.emitRegions(ops.For, operands, []*ir.Block{body}, g.genStages()...)...)
}

// genBounds are lower, upper and step of a loop.
func (g *generator) genBounds() []*ir.Value {
	d := num.Int32
	if g.IntN(4) == 0 {
		d = pick(g, []num.DType{num.Int8, num.Int64, num.Uint8, num.Uint32})
	}
	if !slices.Contains(g.cfg.DTypes, d) {
		d = num.Int32
	}
	lower := g.emitConstant(num.FromInt(d, g.Int64N(3)), nil)
	upper := g.emitConstant(num.FromInt(d, g.Int64N(4)), nil)
	if g.IntN(2) == 0 {
		upper = g.valueBelow(4, d, nil)
	}
	step := g.Int64N(4)
	if d.Info().Signed {
		step--
	}
	return []*ir.Value{lower, upper, g.emitConstant(num.FromInt(d, step), nil)}
}

// genStages says of some loops how far their loads may run ahead.
func (g *generator) genStages() []ir.Attr {
	if g.IntN(4) > 0 {
		return nil
	}
	return []ir.Attr{attr("num_stages", 1+g.Int64N(4))}
}

// genPointerWalk makes a loop that carries pointers, loads through them and moves them on.
func (g *generator) genPointerWalk() {
	if g.depth >= g.cfg.Depth {
		return
	}
	t := g.pickTile(ops.Num)
	ptr := types.Type{DType: t.DType, Pointer: true, Shape: t.Shape}
	start := g.startOffset(t.DType, t.Shape, g.cfg.InputLen/2)
	ts := append([]types.Type{ptr}, g.carriedTypes()...)
	operands := append(append(g.genBounds(), start), g.wantAll(ts[1:])...)
	body := g.b.Block(append([]types.Type{operands[0].Type}, ts...)...)
	g.inBlock(body, func() {
		at := body.Args[1]
		g.addToPool(g.emit1(ops.Load, []*ir.Value{at}))
		by := g.emitConstant(num.FromInt(num.Int32, g.Int64N(int64(g.cfg.InputLen/8))), nil)
		if g.IntN(2) == 0 {
			by = g.valueBelow(g.cfg.InputLen/8, num.Int32, nil)
		}
		if len(t.Shape) > 0 {
			by = g.emitSplat(by, t.Shape)
		}
		next := g.emit1(ops.AddPtr, []*ir.Value{at, by})
		g.emit(ops.Yield, append([]*ir.Value{next}, g.wantAll(ts[1:])...))
	})
	ends := g.emitRegions(ops.For, operands, []*ir.Block{body}, g.genStages()...)
	g.addToPool(ends[1:]...)
	g.addToPool(g.emit1(ops.Load, ends[:1]))
}

// genWhile makes a loop whose first carried value counts up to at most 3.
func (g *generator) genWhile() {
	if g.depth >= g.cfg.Depth {
		return
	}
	i32 := types.Scalar(num.Int32)
	ts := append([]types.Type{i32}, g.carriedTypes()...)
	inits := append([]*ir.Value{g.emitConstant(num.FromInt(num.Int32, 0), nil)}, g.wantAll(ts[1:])...)
	limit := g.valueBelow(4, num.Int32, nil)
	test := g.b.Block(ts...)
	g.inBlock(test, func() {
		goOn := g.emit1(ops.Lt, []*ir.Value{test.Args[0], limit})
		g.emit(ops.Condition, append([]*ir.Value{goOn}, test.Args...))
	})
	body := g.b.Block(ts...)
	g.inBlock(body, func() {
		one := g.emitConstant(num.FromInt(num.Int32, 1), nil)
		next := g.emit1(ops.Add, []*ir.Value{body.Args[0], one})
		g.emit(ops.Yield, append([]*ir.Value{next}, g.wantAll(ts[1:])...))
	})
	g.addToPool(g.emitRegions(ops.While, inits, []*ir.Block{test, body})...)
}
