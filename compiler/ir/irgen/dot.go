package irgen

import (
	"slices"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/types"
)

// withoutNaN is v without NaNs.
func (g *generator) withoutNaN(v *ir.Value) *ir.Value {
	if !v.Type.IsFloat() {
		return v
	}
	return g.emitSelect(g.emitTwo(ops.Eq, v, v), v, g.emitConstant(num.FromInt(v.Type.DType, 0), v.Type.Shape))
}

// smallValue gives whole numbers from -2 to 1, whose sums and products are exact in every dtype.
func (g *generator) smallValue(t types.Type) *ir.Value {
	if t.IsInt() {
		return g.wantValue(t)
	}
	index := t.WithDType(num.Int32)
	two := g.emitConstant(num.FromInt(num.Int32, 2), t.Shape)
	v := g.emitTwo(ops.Sub, g.valueBelow(4, num.Int32, index.Shape), two)
	return g.emit1(ops.Cast, []*ir.Value{v}, attr("to", t.DType.Info().Short))
}

// pickFactors picks the dtypes of the operands and the result of a product.
func (g *generator) pickFactors() (a, b, result num.DType, ok bool) {
	class := pick(g, []ops.Elems{ops.Int, ops.Float, ops.Float, ops.Float})
	if a, ok = g.pickElem(class); !ok {
		return 0, 0, 0, false
	}
	if b = a; g.IntN(4) == 0 {
		b, _ = g.pickElem(class)
	}
	result, _ = g.pickElem(class)
	if common := map[ops.Elems]num.DType{ops.Int: num.Int32, ops.Float: num.Float32}[class]; g.IntN(2) == 0 &&
		slices.Contains(g.cfg.DTypes, common) {
		result = common
	}
	return a, b, result, result != num.Int1
}

var precisions = []string{"tf32", "tf32x3", "ieee", "bf16x3", "bf16x6"}

// genDot multiplies matrices; in exact programs they are such that rounding and order do not matter.
func (g *generator) genDot() {
	a, b, result, ok := g.pickFactors()
	if !ok {
		return
	}
	m, n, k := 1<<g.IntN(g.cfg.side()), 1<<g.IntN(g.cfg.side()), 1<<g.IntN(g.cfg.side())
	shapes := [][]int{{m, k}, {k, n}, {m, n}}
	if g.IntN(6) == 0 {
		batch := 1 << g.IntN(3)
		for i := range shapes {
			shapes[i] = append([]int{batch}, shapes[i]...)
		}
	}
	var operands []*ir.Value
	for i, d := range []num.DType{a, b, result} {
		t := types.Tile(d, shapes[i]...)
		v := g.wantValue
		if g.cfg.Exact {
			v = g.smallValue
		}
		if r := len(t.Shape); i < 2 && r == 2 && g.IntN(3) == 0 {
			t.Shape[0], t.Shape[1] = t.Shape[1], t.Shape[0]
			operands = append(operands, g.emit1(ops.Trans, []*ir.Value{v(t)}, attr("perm", []int64{1, 0})))
			continue
		}
		operands = append(operands, v(t))
	}
	g.addToPool(g.emit1(ops.Dot, operands, attr("input_precision", pick(g, precisions))))
}

// side is how many powers of two the sides of matrices are picked from.
func (c *Config) side() int {
	most := 1
	for _, s := range c.Shapes {
		for _, n := range s {
			most = max(most, n)
		}
	}
	n := 1
	for 1<<n <= min(most, 64) {
		n++
	}
	return n
}

// product is a loop that loads tiles of two matrices and adds up their products.
type product struct {
	m, n, k    int // of one iteration
	iterations int64
	d          [2]num.DType
	swapped    [2]bool // the operand lies in memory the other way round
	strides    [2][]int
	step       [2]int64 // elements from one iteration's tile to the next
	tile       [2][]int // shapes as loaded
}

// notForTensorCores reports whether no matrix instruction takes operands of dtype d.
func notForTensorCores(d num.DType) bool {
	bits := d.Info().Bits
	return bits == 1 || bits == 64 || !d.Info().Float && bits > 8
}

// genDots makes such a loop, where the inputs have room for the matrices. Inputs hold whole numbers
// of at most 100, so that sums in 32 bits are exact.
func (g *generator) genDots() {
	a, b, _, ok := g.pickFactors()
	if g.cfg.Warpgroups {
		a = pick(g, slices.DeleteFunc(slices.Clone(g.cfg.DTypes), notForTensorCores))
		b, ok = a, true
	}
	result := num.Int32
	if a.Info().Float {
		result = num.Float32
	}
	p := product{m: 16 << g.IntN(3), n: 8 << g.IntN(4), k: 8 << g.IntN(4), iterations: 1 + g.Int64N(4),
		d: [2]num.DType{a, b}}
	if g.cfg.Warpgroups {
		p.m, p.n, p.k = 64<<g.IntN(2), 16<<g.IntN(3), 16<<g.IntN(3)
	}
	whole := int(p.iterations) * p.k
	if !ok || !slices.Contains(g.cfg.DTypes, result) || g.depth >= g.cfg.Depth ||
		max(p.m, p.n)*whole+8 > g.cfg.InputLen {
		return
	}
	for i := range p.d {
		rows, cols := p.m, p.k // as if it were the first operand
		if i == 1 {
			rows = p.n
		}
		along := g.IntN(2) == 0 || g.cfg.Warpgroups && g.IntN(4) > 0 // k is the fast dimension in memory
		rowStride, colStride := whole, 1
		if !along {
			rowStride, colStride = 1, rows
		}
		p.step[i] = int64(p.k * colStride)
		p.tile[i], p.strides[i] = []int{rows, cols}, []int{rowStride, colStride}
		p.swapped[i] = g.IntN(3) == 0
		if p.swapped[i] != (i == 1) {
			slices.Reverse(p.tile[i])
			slices.Reverse(p.strides[i])
		}
	}
	g.genMatmul(&p, types.Tile(result, p.m, p.n))
}

// genMatmul emits the loop; its pointers are carried along or computed from the index.
func (g *generator) genMatmul(p *product, t types.Type) {
	count := g.emitConstant(num.FromInt(num.Int32, p.iterations), nil)
	limit := g.valueBelow(2*p.k*int(p.iterations), num.Int32, nil)
	operands := []*ir.Value{g.emitConstant(num.FromInt(num.Int32, 0), nil), count,
		g.emitConstant(num.FromInt(num.Int32, 1), nil), g.smallValue(t)}
	if g.IntN(2) == 0 {
		operands[3] = g.emitConstant(num.FromInt(t.DType, 0), t.Shape)
	}
	carry := g.IntN(2) == 0
	var starts []*ir.Value
	for i, d := range p.d {
		base := g.pickInput(d)
		if g.IntN(2) == 0 {
			base = g.emit1(ops.AddPtr, []*ir.Value{base, g.hintedOffset(g.valueBelow(8, num.Int32, nil))})
		}
		starts = append(starts, g.offsetsAlong(base, p.tile[i], p.strides[i]))
	}
	ts := []types.Type{types.Scalar(num.Int32), t}
	if carry {
		operands = append(operands, starts...)
		ts = append(ts, starts[0].Type, starts[1].Type)
	}
	body := g.b.Block(ts...)
	masked := g.IntN(2) == 0
	g.b.Push(body)
	var next, factors []*ir.Value
	for i := range p.d {
		step := g.emitConstant(num.FromInt(num.Int32, p.step[i]), nil)
		var at *ir.Value
		if carry {
			at = body.Args[2+i]
			next = append(next, g.emit1(ops.AddPtr, []*ir.Value{at, g.emitSplat(step, p.tile[i])}))
		} else {
			at = g.emit1(ops.AddPtr, []*ir.Value{starts[i],
				g.emitSplat(g.emitTwo(ops.Mul, body.Args[0], step), p.tile[i])})
		}
		factors = append(factors, g.genOperandTile(p, i, at, body.Args[0], limit, masked))
	}
	sum := g.emit1(ops.Dot, append(factors, body.Args[1]), attr("input_precision", pick(g, precisions)))
	g.emit(ops.Yield, append([]*ir.Value{sum}, next...))
	g.b.Pop()
	ends := g.emitRegions(ops.For, operands, []*ir.Block{body}, g.genStages()...)
	g.addToPool(ends[0])
}

// genOperandTile loads operand i of an iteration's product, masked by what is left along k or not at all.
func (g *generator) genOperandTile(p *product, i int, at, iteration, limit *ir.Value, masked bool) *ir.Value {
	operands := []*ir.Value{at}
	if masked {
		done := g.emitTwo(ops.Mul, iteration, g.emitConstant(num.FromInt(num.Int32, int64(p.k)), nil))
		k := g.emit1(ops.Arange, nil, attr("start", int64(0)), attr("end", int64(p.k)))
		inside := g.emitTwo(ops.Lt, k, g.emitSplat(g.emitTwo(ops.Sub, limit, done), []int{p.k}))
		dim := 1
		if p.swapped[i] != (i == 1) {
			dim = 0
		}
		operands = append(operands, g.stretchTo(inside, dim, p.tile[i]),
			g.emitConstant(num.FromInt(p.d[i], g.Int64N(4)/3), p.tile[i]))
	}
	v := g.emit1(ops.Load, operands)
	if p.swapped[i] {
		v = g.emit1(ops.Trans, []*ir.Value{v}, attr("perm", []int64{1, 0}))
	}
	return v
}
