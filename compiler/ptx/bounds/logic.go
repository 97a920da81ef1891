package bounds

import (
	"math/bits"

	"github.com/newtlab/newt/compiler/ir"
)

// maxConds bounds the conditions that a truth value stands for.
const maxConds = 16

func concat(x, y []form) []form {
	if len(x) == 0 {
		return y
	}
	if len(y) == 0 {
		return x
	}
	out := append(x[:len(x):len(x)], y...)
	return out[:min(len(out), maxConds)]
}

// conditionsOf makes v a truth value of which this is known.
func (s *state) conditionsOf(v *ir.Value, yes, no []form) {
	s.setInterval(v, interval{0, 1}, 0)
	s.values[v.ID].yes, s.values[v.ID].no = yes, no
}

func and(s *state, in *ir.Instr, v *ir.Value) {
	x, y := *s.firstOperand(in), *s.secondOperand(in)
	if logical(v) {
		s.conditionsOf(v, concat(x.yes, y.yes), nil)
		return
	}
	switch {
	case x.i.lo >= 0 && y.i.lo >= 0:
		s.setInterval(v, interval{0, min(x.i.hi, y.i.hi)}, 0)
	case x.i.lo >= 0:
		s.setInterval(v, interval{0, x.i.hi}, 0)
	case y.i.lo >= 0:
		s.setInterval(v, interval{0, y.i.hi}, 0)
	default:
		s.setUnknown(v)
	}
}

func or(s *state, in *ir.Instr, v *ir.Value) {
	if logical(v) {
		s.conditionsOf(v, nil, concat(s.firstOperand(in).no, s.secondOperand(in).no))
		return
	}
	s.bitCount(in, v)
}

func xor(s *state, in *ir.Instr, v *ir.Value) {
	x, y := *s.firstOperand(in), *s.secondOperand(in)
	if logical(v) {
		s.conditionsOf(v, nil, nil)
		if y.i == (interval{1, 1}) {
			s.conditionsOf(v, x.no, x.yes)
		}
		return
	}
	s.bitCount(in, v)
}

// bitCount is or and xor of numbers: no bit above those of the operands.
func (s *state) bitCount(in *ir.Instr, v *ir.Value) {
	x, y := s.firstOperand(in).i, s.secondOperand(in).i
	if x.lo < 0 || y.lo < 0 {
		s.setUnknown(v)
		return
	}
	s.setInterval(v, interval{0, int64(uint64(1)<<bits.Len64(uint64(x.hi|y.hi)) - 1)}, 0)
}

func not(s *state, in *ir.Instr, v *ir.Value) {
	x := *s.firstOperand(in)
	switch {
	case logical(v):
		s.conditionsOf(v, x.no, x.yes)
	case v.Type.DType.Info().Signed:
		f, ok := s.combineForms(x.form, -1, form{c: -1}, 1)
		s.setForm(v, f, ok, 0)
	default:
		s.setUnknown(v)
	}
}
