package irgen

import (
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/types"
)

// inside fills a block with a few operations; fill ends it. Values of the block leave the pool.
func (g *generator) inside(block *ir.Block, fill func()) {
	mark := len(g.pool)
	g.depth++
	g.b.Push(block)
	g.keep(block.Args...)
	for range 1 + g.IntN(5) {
		g.step()
	}
	fill()
	g.b.Pop()
	g.depth--
	g.pool = g.pool[:mark]
}

// carried picks the types of the values that a region hands on.
func (g *generator) carried() []types.Type {
	ts := make([]types.Type, g.IntN(4))
	for i := range ts {
		ts[i] = g.tile(ops.Num)
	}
	return ts
}

func (g *generator) wantAll(ts []types.Type) []*ir.Value {
	vs := make([]*ir.Value, len(ts))
	for i, t := range ts {
		vs[i] = g.want(t)
	}
	return vs
}

func (g *generator) branch() {
	if g.depth >= g.cfg.Depth {
		return
	}
	ts := g.carried()
	cond := g.want(types.Scalar(num.Int1))
	if g.IntN(4) == 0 {
		cond = g.constant(g.scalar(num.Int1), nil)
	}
	regions := []*ir.Block{g.b.Block(), g.b.Block()}
	for _, r := range regions {
		g.inside(r, func() { g.emit(ops.Yield, g.wantAll(ts)) })
	}
	g.keep(g.emitRegions(ops.If, []*ir.Value{cond}, regions)...)
}

// loop makes a for of at most 4 iterations; one with a step below 1 has none.
func (g *generator) loop() {
	if g.depth >= g.cfg.Depth {
		return
	}
	i32 := types.Scalar(num.Int32)
	lower := g.constant(num.FromInt(num.Int32, g.Int64N(3)), nil)
	upper := g.constant(num.FromInt(num.Int32, g.Int64N(4)), nil)
	if g.IntN(2) == 0 {
		upper = g.below(4, num.Int32, nil)
	}
	step := g.constant(num.FromInt(num.Int32, g.Int64N(4)-1), nil)
	ts := g.carried()
	operands := append([]*ir.Value{lower, upper, step}, g.wantAll(ts)...)
	body := g.b.Block(append([]types.Type{i32}, ts...)...)
	g.inside(body, func() { g.emit(ops.Yield, g.wantAll(ts)) })
	g.keep(g.emitRegions(ops.For, operands, []*ir.Block{body})...)
}

// while makes a loop whose first carried value counts up to at most 3.
func (g *generator) while() {
	if g.depth >= g.cfg.Depth {
		return
	}
	i32 := types.Scalar(num.Int32)
	ts := append([]types.Type{i32}, g.carried()...)
	inits := append([]*ir.Value{g.constant(num.FromInt(num.Int32, 0), nil)}, g.wantAll(ts[1:])...)
	limit := g.below(4, num.Int32, nil)
	test := g.b.Block(ts...)
	g.inside(test, func() {
		goOn := g.emit1(ops.Lt, []*ir.Value{test.Args[0], limit})
		g.emit(ops.Condition, append([]*ir.Value{goOn}, test.Args...))
	})
	body := g.b.Block(ts...)
	g.inside(body, func() {
		one := g.constant(num.FromInt(num.Int32, 1), nil)
		next := g.emit1(ops.Add, []*ir.Value{body.Args[0], one})
		g.emit(ops.Yield, append([]*ir.Value{next}, g.wantAll(ts[1:])...))
	})
	g.keep(g.emitRegions(ops.While, inits, []*ir.Block{test, body})...)
}

// combine makes a reduction or scan by operations whose order does not matter.
func (g *generator) combine(op ops.Op) {
	var operands []*ir.Value
	t := g.tile(ops.Num)
	if t.IsScalar() {
		return
	}
	var elems []types.Type
	for range 1 + g.IntN(2) {
		operands = append(operands, g.want(t))
		elems = append(elems, t.Elem())
		other, _ := g.elem(ops.Num)
		t = t.WithDType(other)
	}
	body := g.b.Block(append(elems, elems...)...)
	g.b.Push(body)
	var results []*ir.Value
	for i, e := range elems {
		by := []ops.Op{ops.Min, ops.Max}
		if e.IsInt() {
			by = append(by, ops.Add, ops.And, ops.Or, ops.Xor)
		}
		results = append(results, g.emit1(pick(g, by), []*ir.Value{body.Args[i], body.Args[len(elems)+i]}))
	}
	g.emit(ops.Yield, results)
	g.b.Pop()
	attrs := []ir.Attr{attr("axis", int64(g.IntN(len(operands[0].Type.Shape))))}
	if op == ops.Scan && g.IntN(2) == 0 {
		attrs = append(attrs, attr("reverse", true))
	}
	g.keep(g.emitRegions(op, operands, []*ir.Block{body}, attrs...)...)
}
