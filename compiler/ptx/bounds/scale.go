package bounds

import (
	"math"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
)

// The numbers that count as scales: far from where arithmetic on a GPU, which may flush and approximate, could give 0
// or an infinity instead.
const (
	leastScale    = 0x1p-100
	greatestScale = 0x1p100
)

// Scales reports whether a multiplication of axis.ScaledMaxima is by a positive number, neither very small nor very
// large, in all of the launch. It keeps the order of the tile's elements.
func (p *Proof) Scales(in *ir.Instr) bool { return p.prover.scaled[in] && p.InRange(in) }

// proveScale decides about a multiplication by a scale.
func (s *state) proveScale(in *ir.Instr, scale *ir.Value) {
	x, known := s.floats[scale.Def.Operands[0].ID]
	if f := x.Float(); known && f >= leastScale && f <= greatestScale {
		s.of(in).proved = true
	}
}

// setFloat notes a float that is known.
func (s *state) setFloat(v *ir.Value, x num.Scalar) {
	if s.floats == nil {
		s.floats = map[int]num.Scalar{}
	}
	s.floats[v.ID] = x
}

// evaluateFloat computes a scalar float from constants and arguments, if it is one of them alone.
func (s *state) evaluateFloat(in *ir.Instr) {
	v := in.Results[0]
	if !v.Type.IsScalar() || !v.Type.DType.Info().Float {
		return
	}
	if in.Op == ops.Const {
		s.setFloat(v, in.Scalar("value"))
		return
	}
	f := in.Op.BinaryKernel(v.Type.DType, in.Bool("propagate_nan"))
	if f == nil {
		return
	}
	x, known1 := s.floats[in.Operands[0].ID]
	y, known2 := s.floats[in.Operands[1].ID]
	if known1 && known2 {
		out := num.MakeVec(v.Type.DType.Info().Class, 1)
		f(out, x.Vec(), y.Vec())
		s.setFloat(v, num.ScalarAt(v.Type.DType, out, 0))
	}
}

// setFloatArgument notes what a launch passes for a float.
func (s *state) setFloatArgument(p *ir.Param, a Arg) {
	if t := p.Value.Type; t.IsScalar() && !t.Pointer && t.DType.Info().Float && !math.IsNaN(a.Value.Float()) {
		s.setFloat(p.Value, a.Value.Cast(t.DType))
	}
}
