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

// genMemoryOrder is a random memory order.
func (g *generator) genMemoryOrder() []ir.Attr {
	return []ir.Attr{attr("sem", pick(g, sems)), attr("scope", pick(g, scopes))}
}

// genSharedAtomic updates elements that many lanes, iterations and programs update alike, so that nobody may
// look at the old values.
func (g *generator) genSharedAtomic() {
	d, ok := g.pickElem(ops.WideInt)
	if !ok {
		return
	}
	t := types.Tile(d, pick(g, g.cfg.Shapes)...)
	by := g.IntN(len(commuting))
	first := g.emitConstant(num.FromInt(num.Int32, int64(by*slots)), t.Shape)
	at := g.emitTwo(ops.Add, g.valueBelow(slots, num.Int32, t.Shape), first)
	operands := []*ir.Value{g.emit1(ops.AddPtr, []*ir.Value{g.spreadOver(g.totals[d], t.Shape), at}), g.wantValue(t)}
	if g.IntN(2) == 0 {
		operands = append(operands, g.genMask(t.Shape))
	}
	g.emit(ops.AtomicRMW, operands, append(g.genMemoryOrder(), attr("rmw", commuting[by]))...)
}

// genPrivateAtomic updates elements that nothing else touches, twice with a barrier between.
func (g *generator) genPrivateAtomic() {
	d, _ := g.pickElem(ops.Num)
	if g.depth > 0 || d.Info().Bits < 16 {
		return
	}
	t := types.Tile(d, pick(g, g.cfg.Shapes)...)
	place := g.reserveOutput(d, t.Numel())
	if t.IsFloat() && g.IntN(2) == 0 {
		g.emit(ops.AtomicRMW, []*ir.Value{g.denseOffsets(place, t.Shape), g.smallValue(t)},
			append(g.genMemoryOrder(), attr("rmw", "add"))...)
		return
	}
	for range 1 + g.IntN(2) {
		ptr := g.denseOffsets(place, t.Shape)
		if g.IntN(3) == 0 {
			g.addToPool(g.emit1(ops.AtomicCAS, []*ir.Value{ptr, g.emitConstant(num.FromInt(d, 0), t.Shape),
				g.withoutNaN(g.wantValue(t))}, g.genMemoryOrder()...))
		} else {
			g.genExchange(ptr, t)
		}
		g.emit(ops.Barrier, nil)
	}
	if g.IntN(2) == 0 {
		g.addToPool(g.emit1(ops.Load, []*ir.Value{g.denseOffsets(place, t.Shape)}))
	}
}

// genPrivateMove stores to elements that nothing else touches, and loads them.
func (g *generator) genPrivateMove() {
	d, _ := g.pickElem(ops.Num)
	if g.depth > 0 || d.Info().Bits < 8 {
		return
	}
	t := types.Tile(d, pick(g, g.cfg.Shapes)...)
	place := g.reserveOutput(d, t.Numel())
	moved := func(sem string) []ir.Attr {
		return []ir.Attr{attr("sem", pick(g, []string{sem, "relaxed"})), attr("scope", pick(g, scopes))}
	}
	masked := func(operands ...*ir.Value) []*ir.Value {
		if g.IntN(2) == 0 {
			operands = append(operands, g.genMask(t.Shape))
		}
		return operands
	}
	g.emit(ops.AtomicStore, masked(g.denseOffsets(place, t.Shape), g.withoutNaN(g.wantValue(t))), moved("release")...)
	g.emit(ops.Barrier, nil)
	g.addToPool(g.emit1(ops.AtomicLoad, masked(g.denseOffsets(place, t.Shape)), moved("acquire")...))
}

// genExchange updates by a random combination and keeps the old values.
func (g *generator) genExchange(ptr *ir.Value, t types.Type) {
	by := append([]string{"xchg"}, commuting...)
	if t.IsFloat() {
		by = []string{"xchg", "add", "max", "min"}
	}
	rmw := pick(g, by)
	value := g.withoutNaN(g.wantValue(t))
	if rmw == "add" { // hardware takes subnormal floats in memory for 0
		value = g.smallValue(t)
	}
	operands := []*ir.Value{ptr, value}
	if g.IntN(2) == 0 {
		operands = append(operands, g.genMask(t.Shape))
	}
	old := g.emit1(ops.AtomicRMW, operands, append(g.genMemoryOrder(), attr("rmw", rmw))...)
	if g.IntN(3) > 0 {
		g.addToPool(old)
	}
}

// genAssume states what holds.
func (g *generator) genAssume(op ops.Op) {
	d, _ := g.pickElem(ops.Int)
	x := g.wantValue(types.Scalar(d))
	holds := g.emitTwo(ops.Eq, x, x)
	if op == ops.Assume {
		g.emit(ops.Assume, []*ir.Value{holds})
		return
	}
	g.emit(ops.Assert, []*ir.Value{g.emitSplat(holds, []int{4})}, attr("message", "a value is itself"))
}

// genPrint prints a few values.
func (g *generator) genPrint() {
	g.emit(ops.Print, []*ir.Value{g.wantValue(types.Scalar(num.Int32)), g.wantValue(types.Tile(num.Int32, 4))},
		attr("text", "{} of {}"), attr("style", "device"))
}
