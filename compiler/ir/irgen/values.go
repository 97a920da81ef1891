package irgen

import (
	"math"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/types"
)

// wantValue gives a value of type t: one in scope, else a new one.
func (g *generator) wantValue(t types.Type) *ir.Value {
	if t.Pointer {
		return g.genPointer(t.DType, t.Shape)
	}
	var fits []*ir.Value
	for _, v := range g.pool {
		if v.Type.Equal(t) {
			fits = append(fits, v)
		}
	}
	if len(fits) > 0 && g.IntN(5) > 0 {
		// The later of two, so that operations build on each other.
		return fits[max(g.IntN(len(fits)), g.IntN(len(fits)))]
	}
	v := g.freshValue(t)
	g.addToPool(v)
	return v
}

func (g *generator) freshValue(t types.Type) *ir.Value {
	switch g.IntN(4) {
	case 0:
		if !t.IsScalar() {
			return g.emitSplat(g.wantValue(types.Scalar(t.DType)), t.Shape)
		}
	case 1:
		if g.inputs[t.DType] != nil {
			return g.genLoad(t)
		}
	case 2:
		from := types.Tile(pick(g, g.cfg.DTypes), t.Shape...)
		return g.emit1(ops.Cast, []*ir.Value{g.emitConstant(g.genScalar(from.DType), from.Shape)},
			attr("to", t.DType.Info().Short))
	}
	return g.emitConstant(g.genScalar(t.DType), t.Shape)
}

// genScalar is a constant, more often than not one that rewrites look for.
func (g *generator) genScalar(d num.DType) num.Scalar {
	if d.Info().Float {
		special := []float64{0, math.Copysign(0, -1), 1, -1, 2, 0.5, math.Inf(1), math.NaN(), g.NormFloat64()}
		return num.FromFloat(d, pick(g, special))
	}
	special := []int64{0, 1, -1, 2, 8, math.MaxInt64, math.MinInt64, g.Int64N(1000) - 500}
	return num.FromInt(d, pick(g, special))
}

func (g *generator) emitConstant(s num.Scalar, shape []int) *ir.Value {
	v, m := g.b.Const(g.nextSpan(), s, shape...)
	if m != nil {
		panic("irgen: " + m.Error())
	}
	return v
}

func (g *generator) emitSplat(v *ir.Value, shape []int) *ir.Value {
	return g.emit1(ops.Splat, []*ir.Value{v}, attr("shape", ir.Ints(shape)))
}

// valueBelow gives integers of dtype d and that shape from 0 to n-1, n being a power of two.
func (g *generator) valueBelow(n int, d num.DType, shape []int) *ir.Value {
	limit := g.emitConstant(num.FromInt(d, int64(n-1)), shape)
	return g.emit1(ops.And, []*ir.Value{g.wantValue(types.Tile(d, shape...)), limit})
}

func (g *generator) genLoad(t types.Type) *ir.Value {
	operands := []*ir.Value{g.genPointer(t.DType, t.Shape)}
	if g.IntN(2) == 0 {
		other := g.emitConstant(g.genScalar(t.DType), t.Shape)
		if g.IntN(4) == 0 {
			other = g.wantValue(t)
		}
		operands = append(operands, g.genMask(t.Shape), other)
	}
	return g.emit1(ops.Load, operands)
}

// genElementwise appends an operation that its signature describes in full.
func (g *generator) genElementwise(op ops.Op) {
	form := &op.Signature().Forms[0]
	elem, ok := g.pickElem(op.Def().Elem)
	if !ok {
		return
	}
	integer, _ := g.pickElem(ops.Int)
	shape := pick(g, g.cfg.Shapes)
	var operands []*ir.Value
	for i := range form.Operands {
		p := &form.Operands[i].Pattern
		t := types.Type{DType: p.DType, Pointer: p.Pointer, Shape: shape}
		switch p.Elem {
		case 'E':
			t.DType = elem
		case 'I':
			t.DType = integer
		}
		if i > 0 && !t.Pointer && g.IntN(4) == 0 {
			operands = append(operands, g.emitConstant(g.genScalar(t.DType), shape))
		} else {
			operands = append(operands, g.wantValue(t))
		}
	}
	var attrs []ir.Attr
	if len(op.Def().Attrs) == 1 && op.Def().Attrs[0].Kind == ops.BoolAttr {
		attrs = append(attrs, attr(op.Def().Attrs[0].Name, g.IntN(2) == 0))
	}
	g.addToPool(g.emit1(op, operands, attrs...))
}

// pickElem picks a dtype of the configuration that class allows.
func (g *generator) pickElem(class ops.Elems) (num.DType, bool) {
	var fits []num.DType
	for _, d := range g.cfg.DTypes {
		if class.Holds(types.Scalar(d)) {
			fits = append(fits, d)
		}
	}
	if len(fits) == 0 {
		return 0, false
	}
	return pick(g, fits), true
}
