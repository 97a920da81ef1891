package irgen

import (
	"slices"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/types"
)

// makers append the operations that need more than operands of matching types.
var makers [ops.N]func(*generator)

func init() {
	makers = [ops.N]func(*generator){
		ops.Const: func(g *generator) { g.keep(g.constant(g.scalar(pick(g, g.cfg.DTypes)), pick(g, g.cfg.Shapes))) },
		ops.ProgramID: func(g *generator) {
			g.keep(g.emit1(ops.ProgramID, nil, attr("axis", g.Int64N(3))))
		},
		ops.NumPrograms: func(g *generator) {
			g.keep(g.emit1(ops.NumPrograms, nil, attr("axis", g.Int64N(3))))
		},
		ops.Arange: (*generator).arange, ops.Splat: (*generator).someSplat,
		ops.ExpandDims: (*generator).expandDims, ops.Broadcast: (*generator).broadcast,
		ops.Reshape: (*generator).reshape, ops.Trans: (*generator).trans,
		ops.Join: (*generator).joinSplit,
		ops.Div: func(g *generator) {
			if g.cfg.Exact {
				g.divide(ops.Div, ops.Int)
			} else {
				g.divide(ops.Div, ops.Num)
			}
		},
		ops.Rem:  func(g *generator) { g.divide(ops.Rem, ops.Num) },
		ops.Cast: (*generator).cast, ops.Bitcast: (*generator).bitcast,
		ops.PtrDiff: (*generator).ptrDiff, ops.AddPtr: (*generator).comparison,
		ops.Load:  func(g *generator) { g.keep(g.load(g.tile(ops.Num))) },
		ops.Store: func(g *generator) { g.storeInStraightCode() },
		ops.Dot:   (*generator).dot, ops.Gather: (*generator).gather, ops.Histogram: (*generator).histogram,
		ops.Reduce: func(g *generator) { g.combine(ops.Reduce) },
		ops.Scan:   func(g *generator) { g.combine(ops.Scan) },
		ops.If:     (*generator).branch, ops.While: (*generator).while,
		ops.For:       func(g *generator) { pick(g, loops)(g) },
		ops.AtomicRMW: (*generator).shared, ops.AtomicCAS: (*generator).alone,
		ops.Assume:  func(g *generator) { g.facts(ops.Assume) },
		ops.Assert:  func(g *generator) { g.facts(ops.Assert) },
		ops.Print:   (*generator).says,
		ops.Barrier: func(g *generator) { g.emit(ops.Barrier, nil) },
	}
}

// loops are the kinds of for loops.
var loops = []func(*generator){(*generator).loop, (*generator).loop, (*generator).walk, (*generator).products,
	(*generator).products}

// tile is a random type over a dtype that class allows.
func (g *generator) tile(class ops.Elems) types.Type {
	d, ok := g.elem(class)
	if !ok {
		d = num.Int32
	}
	return types.Tile(d, pick(g, g.cfg.Shapes)...)
}

func (g *generator) arange() {
	start := g.Int64N(20) - 10
	n := int64(1) << g.IntN(6)
	g.keep(g.emit1(ops.Arange, nil, attr("start", start), attr("end", start+n)))
}

func (g *generator) someSplat() {
	t := g.tile(ops.Num)
	g.keep(g.splat(g.want(t.Elem()), t.Shape))
}

func (g *generator) expandDims() {
	x := g.want(g.tile(ops.Num))
	g.keep(g.emit1(ops.ExpandDims, []*ir.Value{x}, attr("axis", g.Int64N(int64(len(x.Type.Shape)+1)))))
}

func (g *generator) broadcast() {
	t := g.tile(ops.Num)
	from := t.WithShape(slices.Clone(t.Shape))
	for i := range from.Shape {
		if g.IntN(2) == 0 {
			from.Shape[i] = 1
		}
	}
	g.keep(g.emit1(ops.Broadcast, []*ir.Value{g.want(from)}, attr("shape", ir.Ints(t.Shape))))
}

func (g *generator) reshape() {
	x := g.want(g.tile(ops.Num))
	shape := []int{x.Type.Numel()}
	for shape[len(shape)-1] > 1 && g.IntN(2) == 0 {
		shape[len(shape)-1] /= 2
		shape = append(shape, 2)
	}
	g.keep(g.emit1(ops.Reshape, []*ir.Value{x}, attr("shape", ir.Ints(shape))))
}

func (g *generator) trans() {
	x := g.want(g.tile(ops.Num))
	var perm []int64
	for _, p := range g.Perm(len(x.Type.Shape)) {
		perm = append(perm, int64(p))
	}
	g.keep(g.emit1(ops.Trans, []*ir.Value{x}, attr("perm", perm)))
}

func (g *generator) joinSplit() {
	t := g.tile(ops.Num)
	joined := g.emit1(ops.Join, []*ir.Value{g.want(t), g.want(t)})
	g.keep(joined)
	g.keep(g.emit(ops.Split, []*ir.Value{joined})...)
}

// divide keeps integer divisors between 1 and 7: engines differ on what 0 and overflow give.
func (g *generator) divide(op ops.Op, class ops.Elems) {
	t := g.tile(class)
	x, y := g.want(t), g.want(t)
	if t.IsInt() {
		if t.DType == num.Int1 {
			y = g.constant(num.FromBool(true), t.Shape)
		} else {
			y = g.emit1(ops.Or, []*ir.Value{g.below(8, t.DType, t.Shape), g.constant(num.FromInt(t.DType, 1), t.Shape)})
		}
	}
	g.keep(g.emit1(op, []*ir.Value{x, y}))
}

func (g *generator) cast() {
	attrs := []ir.Attr{attr("to", pick(g, g.cfg.DTypes).Info().Short)}
	if g.IntN(8) == 0 {
		attrs = append(attrs, attr("rounding", "rtz"))
	}
	x := g.emit1(ops.Cast, []*ir.Value{g.want(g.tile(ops.Num))}, attrs...)
	for g.IntN(2) == 0 {
		x = g.emit1(ops.Cast, []*ir.Value{x}, attr("to", pick(g, g.cfg.DTypes).Info().Short))
	}
	g.keep(x)
}

func (g *generator) bitcast() {
	t := g.tile(ops.Num)
	var fits []string
	for _, d := range g.cfg.DTypes {
		if d.Info().Bits == t.DType.Info().Bits {
			fits = append(fits, d.Info().Short)
		}
	}
	x := g.number(g.want(t)) // engines differ on the bits of a NaN
	g.keep(g.emit1(ops.Bitcast, []*ir.Value{x}, attr("to", pick(g, fits))))
}

func (g *generator) ptrDiff() {
	t := g.tile(ops.Num)
	g.keep(g.emit1(ops.PtrDiff, []*ir.Value{g.pointer(t.DType, t.Shape), g.pointer(t.DType, t.Shape)}))
}

// storeInStraightCode stores outside loops alone: an element must not be stored twice.
func (g *generator) storeInStraightCode() {
	if g.depth == 0 {
		g.store(g.want(g.tile(ops.Num)))
	}
}

func (g *generator) gather() {
	t := g.tile(ops.Num)
	if t.IsScalar() {
		return
	}
	axis := g.IntN(len(t.Shape))
	shape := slices.Clone(t.Shape)
	shape[axis] = 1 << g.IntN(5)
	d := num.Int32
	if t.Shape[axis] <= 64 {
		d, _ = g.elem(ops.Int)
	}
	if d == num.Int1 && t.Shape[axis] > 2 {
		d = num.Int32
	}
	index := g.below(t.Shape[axis], d, shape)
	g.keep(g.emit1(ops.Gather, []*ir.Value{g.want(t), index}, attr("axis", int64(axis))))
}

func (g *generator) histogram() {
	t := g.tile(ops.Int)
	n := t.Numel()
	x := g.emit1(ops.Reshape, []*ir.Value{g.want(t.WithDType(num.Int32))}, attr("shape", []int64{int64(n)}))
	bins := 1 << g.IntN(8)
	if g.IntN(2) == 0 {
		x = g.two(ops.And, x, g.constant(num.FromInt(num.Int32, int64(2*bins-1)), x.Type.Shape))
	}
	operands := []*ir.Value{x}
	if g.IntN(2) == 0 {
		operands = append(operands, g.mask(x.Type.Shape))
	}
	g.keep(g.emit1(ops.Histogram, operands, attr("num_bins", int64(bins))))
}
