package irgen

import (
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/types"
)

// combination is the region of a reduction or scan: what it combines, and how two groups of scalars
// become one. All are associative, to the last bit; few are commutative.
type combination struct {
	operands func(g *generator, t types.Type) []*ir.Value
	region   func(g *generator, x, y []*ir.Value) []*ir.Value
}

var combinations = []combination{
	{(*generator).anyOperands, (*generator).combineEach},
	{(*generator).anyOperands, (*generator).combineEach},
	{(*generator).anyOperands, func(_ *generator, x, _ []*ir.Value) []*ir.Value { return x }},
	{(*generator).anyOperands, func(_ *generator, _, y []*ir.Value) []*ir.Value { return y }},
	{integers(2), (*generator).combineRecurrence},
	{integers(4), (*generator).combineMatrices},
	{integers(1), (*generator).combineShifted},
	{(*generator).rankedOperands, (*generator).extremeFirst},
	{(*generator).rankedOperands, (*generator).extremeTie},
	{(*generator).integerOperands, (*generator).combineSum},
}

// genCombine makes a reduction or scan by a region whose grouping does not matter.
func (g *generator) genCombine(op ops.Op) {
	t := g.pickTile(ops.Num)
	if t.IsScalar() {
		return
	}
	c := combinations[g.IntN(len(combinations))]
	operands := c.operands(g, t)
	var elems []types.Type
	for _, v := range operands {
		elems = append(elems, v.Type.Elem())
	}
	body := g.b.Block(append(elems, elems...)...)
	g.b.Push(body)
	g.emit(ops.Yield, c.region(g, body.Args[:len(elems)], body.Args[len(elems):]))
	g.b.Pop()
	attrs := []ir.Attr{attr("axis", int64(g.IntN(len(t.Shape))))}
	if op == ops.Scan && g.IntN(2) == 0 {
		attrs = append(attrs, attr("reverse", true))
	}
	g.addToPool(g.emitRegions(op, operands, []*ir.Block{body}, attrs...)...)
}

// anyOperands are one to three tiles of any dtypes.
func (g *generator) anyOperands(t types.Type) (vs []*ir.Value) {
	for range 1 + g.IntN(3) {
		vs = append(vs, g.wantValue(t))
		d, _ := g.pickElem(ops.Num)
		t = t.WithDType(d)
	}
	return vs
}

// integers are n tiles of one integer dtype.
func integers(n int) func(*generator, types.Type) []*ir.Value {
	return func(g *generator, t types.Type) (vs []*ir.Value) {
		d, _ := g.pickElem(ops.Int)
		for range n {
			vs = append(vs, g.wantValue(t.WithDType(d)))
		}
		return vs
	}
}

// rankedOperands is a tile without NaNs and one of any dtype.
func (g *generator) rankedOperands(t types.Type) []*ir.Value {
	d, _ := g.pickElem(ops.Num)
	return []*ir.Value{g.withoutNaN(g.wantValue(t)), g.wantValue(t.WithDType(d))}
}

// integerOperands is a tile whose sums are exact, however many there are.
func (g *generator) integerOperands(t types.Type) []*ir.Value {
	if t.IsFloat() && t.DType.Info().Bits < 32 {
		t = t.WithDType(num.Int32)
	}
	return []*ir.Value{g.smallValue(t)}
}

// combineEach combines each operand by an operation of its own, whose sides may change places.
func (g *generator) combineEach(x, y []*ir.Value) (out []*ir.Value) {
	for i, v := range x {
		by := []ops.Op{ops.Min, ops.Max}
		if v.Type.IsInt() {
			by = append(by, ops.Add, ops.And, ops.Or, ops.Xor, ops.Mul)
		}
		a, b := v, y[i]
		if g.IntN(4) == 0 {
			a, b = b, a
		}
		out = append(out, g.emit1(pick(g, by), []*ir.Value{a, b}))
	}
	return out
}

// combineRecurrence composes z → a·z + b with the one after it.
func (g *generator) combineRecurrence(x, y []*ir.Value) []*ir.Value {
	return []*ir.Value{g.emitTwo(ops.Mul, x[0], y[0]), g.emitTwo(ops.Add, g.emitTwo(ops.Mul, y[0], x[1]), y[1])}
}

// combineMatrices multiplies 2×2 matrices.
func (g *generator) combineMatrices(x, y []*ir.Value) (out []*ir.Value) {
	for i := range 4 {
		row, col := i/2*2, i%2
		out = append(out, g.emitTwo(ops.Add, g.emitTwo(ops.Mul, x[row], y[col]),
			g.emitTwo(ops.Mul, x[row+1], y[col+2])))
	}
	return out
}

// combineShifted adds, and a value from outside the region too.
func (g *generator) combineShifted(x, y []*ir.Value) []*ir.Value {
	more := g.emitConstant(num.FromInt(x[0].Type.DType, 3), nil)
	for _, v := range g.pool {
		if v.Type.Equal(x[0].Type) {
			more = v
			break
		}
	}
	return []*ir.Value{g.emitTwo(ops.Add, g.emitTwo(ops.Add, x[0], more), y[0])}
}

// extremeFirst keeps the larger with what comes with it; of equals, the first.
func (g *generator) extremeFirst(x, y []*ir.Value) []*ir.Value {
	first := g.emitTwo(ops.Ge, x[0], y[0])
	return []*ir.Value{g.emitSelect(first, x[0], y[0]), g.emitSelect(first, x[1], y[1])}
}

// extremeTie keeps the smaller; of equals, the last.
func (g *generator) extremeTie(x, y []*ir.Value) []*ir.Value {
	last := g.emitTwo(ops.Le, y[0], x[0])
	return []*ir.Value{g.emitSelect(last, y[0], x[0]), g.emitSelect(last, y[1], x[1])}
}

func (g *generator) combineSum(x, y []*ir.Value) []*ir.Value {
	return []*ir.Value{g.emitTwo(ops.Add, x[0], y[0])}
}

func (g *generator) emitTwo(op ops.Op, x, y *ir.Value) *ir.Value {
	return g.emit1(op, []*ir.Value{x, y})
}

func (g *generator) emitSelect(cond, x, y *ir.Value) *ir.Value {
	return g.emit1(ops.Select, []*ir.Value{cond, x, y})
}
