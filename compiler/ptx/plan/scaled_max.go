package plan

import (
	"math"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/axis"
)

// The maximum of a tile that a positive scale has multiplied is the scale times the maximum of the tile before, bit for
// bit, since rounding keeps the order. In attention,
//
//	s = dot(q, k) * scale
//	m = maximum(m, max(s, 1))
//	p = exp2(s - m[:, None])
//
// the subtraction alone uses s then, and ptxas makes one FFMA of it and the multiplication: one instruction less for
// each score, where the tensor cores wait for five. A causal mask is a select between s and -inf, which the scale
// leaves what it is.

// maxScaler takes maxima before scales.
type maxScaler struct {
	rewriter
	maxima map[*ir.Value]bool   // tiles whose maxima are taken
	scaled map[*ir.Value]scaled // tiles that are others times a scale that the launch has proved to be positive
}

// scaled is a tile before its scale, a splat, has multiplied it.
type scaled struct{ tile, scale *ir.Value }

// scaleMaxima multiplies the maxima of scaled tiles in place of what they are the maxima of, and so what a select from
// such a tile and -inf gives.
func (p *Plan) scaleMaxima() {
	m := maxScaler{rewriter{p: p}, map[*ir.Value]bool{}, map[*ir.Value]scaled{}}
	p.Func.Body.Walk(func(in *ir.Instr) {
		if axis.TakesMax(in) {
			m.maxima[in.Operands[0]] = true
		}
	})
	m.block(p.Func.Body)
	if len(m.scaled) > 0 {
		p.renumber()
	}
}

func (m *maxScaler) block(b *ir.Block) {
	before := m.list
	m.list = nil
	for _, in := range b.Instrs {
		m.at = in.Span
		for _, r := range in.Regions {
			m.block(r)
		}
		m.list = append(m.list, in)
		m.instr(in)
	}
	b.Instrs, m.list = m.list, before
}

func (m *maxScaler) instr(in *ir.Instr) {
	switch x, scale, ok := axis.Scaled(in); {
	case ok && m.p.Target.Scales(in) && !m.p.Tiles[in.Results[0].ID].Rematerialized:
		m.scaled[in.Results[0]] = scaled{x, scale}
	case in.Op == ops.Select:
		v, yes := in.Results[0], in.Operands[1]
		if s, ok := m.scaled[yes]; ok && m.maxima[v] && isMinusInf(in.Operands[2]) &&
			!m.p.Tiles[v.ID].Rematerialized && v.Layout.Equal(*yes.Layout) {
			in.Operands[1] = s.tile
			m.scaled[v] = scaled{m.multiplied(in, s.scale), s.scale}
		}
	case axis.TakesMax(in):
		if s, ok := m.scaled[in.Operands[0]]; ok {
			in.Operands[0] = s.tile
			m.multiplied(in, m.spread(s.scale.Def.Operands[0], in.Results[0]))
		}
	}
}

// multiplied has the result of an instruction be that of its multiplication by a scale, and gives what the instruction
// itself has as its result then.
func (m *maxScaler) multiplied(in *ir.Instr, scale *ir.Value) *ir.Value {
	v := in.Results[0]
	x := &ir.Value{Type: v.Type, Def: in, ID: noID, Layout: v.Layout}
	in.Results[0] = x
	mul := m.emit(ops.Mul, v.Layout, []*ir.Value{x, scale})
	mul.Results[0], v.Def = v, mul
	return x
}

// spread is a scalar as a tile like another, if that is one.
func (m *maxScaler) spread(scalar, like *ir.Value) *ir.Value {
	if like.Type.IsScalar() {
		return scalar
	}
	return m.emit(ops.Splat, like.Layout, []*ir.Value{scalar},
		ir.Attr{Name: "shape", Value: ir.Ints(like.Type.Shape)}).Results[0]
}

// isMinusInf reports whether all elements of v are -inf.
func isMinusInf(v *ir.Value) bool {
	if IsOp(v, ops.Splat) {
		v = v.Def.Operands[0]
	}
	return IsOp(v, ops.Const) && math.IsInf(v.Def.Scalar("value").Float(), -1)
}
