package ptx

import (
	"math"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/asm"
	"github.com/newtlab/newt/compiler/ptx/axis"
	"github.com/newtlab/newt/compiler/ptx/plan"
	"github.com/newtlab/newt/compiler/ptx/scalar"
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

// The registers of the tile before must still hold it where the maximum is taken. They do: variables, of which they may
// be some, are assigned when an iteration ends.

// scaledTile is a tile as another one times a scale that the launch has proved to be positive (Options.Scales).
type scaledTile struct {
	regs  []asm.Reg // of the tile before, in the layout of the tile
	scale asm.Reg
}

// maxima is the tiles whose maxima a function takes.
func maxima(fn *ir.Func) map[*ir.Value]bool {
	tiles := map[*ir.Value]bool{}
	fn.Body.Walk(func(in *ir.Instr) {
		if axis.TakesMax(in) {
			tiles[in.Operands[0]] = true
		}
	})
	return tiles
}

// emitMul notes what it multiplied by a scale.
func emitMul(e *emitter, in *ir.Instr) {
	emitBaseImmArith(e, in)
	v := in.Results[0]
	if e.opt.Scales == nil || !e.opt.Scales(in) || e.plan.Tiles[v.ID].Rematerialized {
		return
	}
	x, scale, _ := axis.Scaled(in)
	e.scaled[v] = scaledTile{e.regs(x), e.regs(scale)[0]}
}

// scaledChoice is, of a select between a scaled tile and -inf of which the function takes the maximum, that scaled
// tile.
func (e *emitter) scaledChoice(in *ir.Instr) (s scaledTile, ok bool) {
	v, yes := in.Results[0], in.Operands[1]
	s, ok = e.scaled[yes]
	return s, ok && e.maxima[v] && isMinusInf(in.Operands[2]) && !e.plan.Tiles[v.ID].Rematerialized &&
		v.Layout.Equal(*yes.Layout)
}

// isMinusInf reports whether all elements of v are -inf.
func isMinusInf(v *ir.Value) bool {
	if plan.IsOp(v, ops.Splat) {
		v = v.Def.Operands[0]
	}
	return plan.IsOp(v, ops.Const) && math.IsInf(v.Def.Scalar("value").Float(), -1)
}

// setScaled gives a value the registers of s times its scale.
func (e *emitter) setScaled(v *ir.Value, s scaledTile) {
	out := make([]asm.Reg, len(s.regs))
	for r, x := range s.regs {
		out[r] = scalar.Op(e.Program, ops.Mul, num.Float32, x, s.scale)
	}
	e.scaled[v] = s
	e.setRegs(v, out)
}
