package irgen

import (
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/types"
)

var (
	sems   = []string{"acq_rel", "relaxed", "acquire", "release"}
	scopes = []string{"gpu", "cta", "sys"}
	// commuting are the combinations whose order does not matter for integers.
	commuting = []string{"add", "max", "min", "and", "or", "xor"}
)

// slots is how many elements of a shared argument each combination has.
const slots = 16

// order is a random memory order.
func (g *generator) order() []ir.Attr {
	return []ir.Attr{attr("sem", pick(g, sems)), attr("scope", pick(g, scopes))}
}

// shared updates elements that many lanes, iterations and programs update alike, so that nobody may
// look at the old values.
func (g *generator) shared() {
	d, ok := g.elem(ops.WideInt)
	if !ok {
		return
	}
	t := types.Tile(d, pick(g, g.cfg.Shapes)...)
	by := g.IntN(len(commuting))
	first := g.constant(num.FromInt(num.Int32, int64(by*slots)), t.Shape)
	at := g.two(ops.Add, g.below(slots, num.Int32, t.Shape), first)
	operands := []*ir.Value{g.emit1(ops.AddPtr, []*ir.Value{g.spread(g.totals[d], t.Shape), at}), g.want(t)}
	if g.IntN(2) == 0 {
		operands = append(operands, g.mask(t.Shape))
	}
	g.emit(ops.AtomicRMW, operands, append(g.order(), attr("rmw", commuting[by]))...)
}

// alone updates elements that nothing else touches, twice with a barrier between.
func (g *generator) alone() {
	d, _ := g.elem(ops.Num)
	if g.depth > 0 || d.Info().Bits < 16 {
		return
	}
	t := types.Tile(d, pick(g, g.cfg.Shapes)...)
	place := g.place(d, t.Numel())
	if t.IsFloat() && g.IntN(2) == 0 {
		g.emit(ops.AtomicRMW, []*ir.Value{g.dense(place, t.Shape), g.small(t)},
			append(g.order(), attr("rmw", "add"))...)
		return
	}
	for range 1 + g.IntN(2) {
		ptr := g.dense(place, t.Shape)
		if g.IntN(3) == 0 {
			g.keep(g.emit1(ops.AtomicCAS, []*ir.Value{ptr, g.constant(num.FromInt(d, 0), t.Shape),
				g.number(g.want(t))}, g.order()...))
		} else {
			g.exchange(ptr, t)
		}
		g.emit(ops.Barrier, nil)
	}
	if g.IntN(2) == 0 {
		g.keep(g.emit1(ops.Load, []*ir.Value{g.dense(place, t.Shape)}))
	}
}

// exchange updates by a random combination and keeps the old values.
func (g *generator) exchange(ptr *ir.Value, t types.Type) {
	by := append([]string{"xchg"}, commuting...)
	if t.IsFloat() {
		by = []string{"xchg", "add", "max", "min"}
	}
	rmw := pick(g, by)
	value := g.number(g.want(t))
	if rmw == "add" { // hardware takes subnormal floats in memory for 0
		value = g.small(t)
	}
	operands := []*ir.Value{ptr, value}
	if g.IntN(2) == 0 {
		operands = append(operands, g.mask(t.Shape))
	}
	old := g.emit1(ops.AtomicRMW, operands, append(g.order(), attr("rmw", rmw))...)
	if g.IntN(3) > 0 {
		g.keep(old)
	}
}

// facts states what holds.
func (g *generator) facts(op ops.Op) {
	d, _ := g.elem(ops.Int)
	x := g.want(types.Scalar(d))
	holds := g.two(ops.Eq, x, x)
	if op == ops.Assume {
		g.emit(ops.Assume, []*ir.Value{holds})
		return
	}
	g.emit(ops.Assert, []*ir.Value{g.splat(holds, []int{4})}, attr("message", "a value is itself"))
}

// says prints a few values.
func (g *generator) says() {
	g.emit(ops.Print, []*ir.Value{g.want(types.Scalar(num.Int32)), g.want(types.Tile(num.Int32, 4))},
		attr("text", "{} of {}"), attr("style", "device"))
}
