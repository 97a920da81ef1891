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
		ops.Const: func(g *generator) {
			g.addToPool(g.emitConstant(g.genScalar(pick(g, g.cfg.DTypes)), pick(g, g.cfg.Shapes)))
		},
		ops.ProgramID: func(g *generator) {
			g.addToPool(g.emit1(ops.ProgramID, nil, attr("axis", g.Int64N(3))))
		},
		ops.NumPrograms: func(g *generator) {
			g.addToPool(g.emit1(ops.NumPrograms, nil, attr("axis", g.Int64N(3))))
		},
		ops.Arange: (*generator).genArange, ops.Splat: (*generator).someSplat,
		ops.ExpandDims: (*generator).expandDims, ops.Broadcast: (*generator).genBroadcast,
		ops.Reshape: (*generator).genReshape, ops.Trans: (*generator).genTrans,
		ops.Join: (*generator).joinSplit,
		ops.Div: func(g *generator) {
			if g.cfg.Exact {
				g.genDivide(ops.Div, ops.Int)
			} else {
				g.genDivide(ops.Div, ops.Num)
			}
		},
		ops.Rem:  func(g *generator) { g.genDivide(ops.Rem, ops.Num) },
		ops.Cast: (*generator).genCast, ops.Bitcast: (*generator).genBitcast,
		ops.InlineAsm:         func(g *generator) { g.genInlineAsm(ops.InlineAsm) },
		ops.InlineAsmVolatile: func(g *generator) { g.genInlineAsm(ops.InlineAsmVolatile) },

		ops.PtrDiff: (*generator).ptrDiff, ops.AddPtr: (*generator).genPointerComparison,
		ops.IntToPtr: (*generator).genReach, ops.PtrToInt: (*generator).ptrToInt,
		ops.Load:  func(g *generator) { g.addToPool(g.genLoad(g.pickTile(ops.Num))) },
		ops.Store: func(g *generator) { g.storeInStraightCode() },
		ops.Dot:   (*generator).genDot, ops.Gather: (*generator).genGather, ops.Histogram: (*generator).genHistogram,
		ops.Reduce: func(g *generator) { g.genCombine(ops.Reduce) },
		ops.Scan:   func(g *generator) { g.genCombine(ops.Scan) },
		ops.If:     (*generator).genIf, ops.While: (*generator).genWhile,
		ops.For:       func(g *generator) { pick(g, loops)(g) },
		ops.AtomicRMW: (*generator).genSharedAtomic, ops.AtomicCAS: (*generator).genPrivateAtomic,
		ops.AtomicLoad: (*generator).genPrivateMove, ops.AtomicStore: (*generator).genPrivateMove,
		ops.Assume:  func(g *generator) { g.genAssume(ops.Assume) },
		ops.Assert:  func(g *generator) { g.genAssume(ops.Assert) },
		ops.Print:   (*generator).genPrint,
		ops.Barrier: func(g *generator) { g.emit(ops.Barrier, nil) },
	}
}

// loops are the kinds of for loops.
var loops = []func(*generator){
	(*generator).genFor, (*generator).genFor, (*generator).genPointerWalk, (*generator).genInPlace,
	(*generator).genDots, (*generator).genDots,
}

// pickTile is a random type over a dtype that class allows.
func (g *generator) pickTile(class ops.Elems) types.Type {
	d, ok := g.pickElem(class)
	if !ok {
		d = num.Int32
	}
	return types.Tile(d, pick(g, g.cfg.Shapes)...)
}

func (g *generator) someSplat() {
	t := g.pickTile(ops.Num)
	g.addToPool(g.emitSplat(g.wantValue(t.Elem()), t.Shape))
}

func (g *generator) expandDims() {
	x := g.wantValue(g.pickTile(ops.Num))
	g.addToPool(g.emit1(ops.ExpandDims, []*ir.Value{x}, attr("axis", g.Int64N(int64(len(x.Type.Shape)+1)))))
}

func (g *generator) genBroadcast() {
	t := g.pickTile(ops.Num)
	from := t.WithShape(slices.Clone(t.Shape))
	for i := range from.Shape {
		if g.IntN(2) == 0 {
			from.Shape[i] = 1
		}
	}
	g.addToPool(g.emit1(ops.Broadcast, []*ir.Value{g.wantValue(from)}, attr("shape", ir.Ints(t.Shape))))
}

func (g *generator) genReshape() {
	x := g.wantValue(g.pickTile(ops.Num))
	shape := []int{x.Type.Numel()}
	for shape[len(shape)-1] > 1 && g.IntN(2) == 0 {
		shape[len(shape)-1] /= 2
		shape = append(shape, 2)
	}
	g.addToPool(g.emit1(ops.Reshape, []*ir.Value{x}, attr("shape", ir.Ints(shape))))
}

func (g *generator) genTrans() {
	x := g.wantValue(g.pickTile(ops.Num))
	var perm []int64
	for _, p := range g.Perm(len(x.Type.Shape)) {
		perm = append(perm, int64(p))
	}
	g.addToPool(g.emit1(ops.Trans, []*ir.Value{x}, attr("perm", perm)))
}

func (g *generator) joinSplit() {
	t := g.pickTile(ops.Num)
	joined := g.emit1(ops.Join, []*ir.Value{g.wantValue(t), g.wantValue(t)})
	g.addToPool(joined)
	g.addToPool(g.emit(ops.Split, []*ir.Value{joined})...)
}

// genDivide keeps integer divisors between 1 and 7: engines differ on what 0 and overflow give.
func (g *generator) genDivide(op ops.Op, class ops.Elems) {
	t := g.pickTile(class)
	x, y := g.wantValue(t), g.wantValue(t)
	if t.IsInt() {
		if t.DType == num.Int1 {
			y = g.emitConstant(num.FromBool(true), t.Shape)
		} else {
			y = g.emit1(ops.Or, []*ir.Value{g.valueBelow(8, t.DType, t.Shape),
				g.emitConstant(num.FromInt(t.DType, 1), t.Shape)})
		}
	}
	g.addToPool(g.emit1(op, []*ir.Value{x, y}))
}

func (g *generator) genCast() {
	attrs := []ir.Attr{attr("to", pick(g, g.cfg.DTypes).Info().Short)}
	if g.IntN(8) == 0 {
		attrs = append(attrs, attr("rounding", "rtz"))
	}
	x := g.emit1(ops.Cast, []*ir.Value{g.wantValue(g.pickTile(ops.Num))}, attrs...)
	for g.IntN(2) == 0 {
		x = g.emit1(ops.Cast, []*ir.Value{x}, attr("to", pick(g, g.cfg.DTypes).Info().Short))
	}
	g.addToPool(x)
}

func (g *generator) genBitcast() {
	t := g.pickTile(ops.Num)
	var fits []string
	for _, d := range g.cfg.DTypes {
		if d.Info().Bits == t.DType.Info().Bits {
			fits = append(fits, d.Info().Short)
		}
	}
	x := g.withoutNaN(g.wantValue(t)) // engines differ on the bits of a NaN
	g.addToPool(g.emit1(ops.Bitcast, []*ir.Value{x}, attr("to", pick(g, fits))))
}

func (g *generator) ptrDiff() {
	t := g.pickTile(ops.Num)
	g.addToPool(g.emit1(ops.PtrDiff, []*ir.Value{g.genPointer(t.DType, t.Shape), g.genPointer(t.DType, t.Shape)}))
}

func (g *generator) ptrToInt() {
	t := g.pickTile(ops.Num)
	g.addToPool(g.emit1(ops.PtrToInt, []*ir.Value{g.genPointer(t.DType, t.Shape)}))
}

// storeInStraightCode stores outside loops alone: an element must not be stored twice.
func (g *generator) storeInStraightCode() {
	if g.depth == 0 {
		g.genStore(g.wantValue(g.pickTile(ops.Num)))
	}
}

func (g *generator) genGather() {
	t := g.pickTile(ops.Num)
	if t.IsScalar() {
		return
	}
	axis := g.IntN(len(t.Shape))
	shape := slices.Clone(t.Shape)
	shape[axis] = 1 << g.IntN(5)
	d := num.Int32
	if t.Shape[axis] <= 64 {
		d, _ = g.pickElem(ops.Int)
	}
	if d == num.Int1 && t.Shape[axis] > 2 {
		d = num.Int32
	}
	index := g.valueBelow(t.Shape[axis], d, shape)
	g.addToPool(g.emit1(ops.Gather, []*ir.Value{g.wantValue(t), index}, attr("axis", int64(axis))))
}

func (g *generator) genHistogram() {
	t := g.pickTile(ops.Int)
	n := t.Numel()
	x := g.emit1(ops.Reshape, []*ir.Value{g.wantValue(t.WithDType(num.Int32))}, attr("shape", []int64{int64(n)}))
	bins := 1 << g.IntN(8)
	if g.IntN(2) == 0 {
		x = g.emitTwo(ops.And, x, g.emitConstant(num.FromInt(num.Int32, int64(2*bins-1)), x.Type.Shape))
	}
	operands := []*ir.Value{x}
	if g.IntN(2) == 0 {
		operands = append(operands, g.genMask(x.Type.Shape))
	}
	g.addToPool(g.emit1(ops.Histogram, operands, attr("num_bins", int64(bins))))
}
