package scalar

import (
	"math"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ptx/asm"
)

// code appends what computes one result from the operands.
type code func(g gen, x []asm.Reg) asm.Reg

// gen writes instructions.
type gen struct{ *asm.Program }

// do appends op with one result, whose class op's type tells. Arguments are registers, integers and
// floats; a float32 stands for its bits, a float64 too.
func (g gen) do(op string, args ...any) asm.Reg {
	var out [maxOperands]asm.Operand
	for i, a := range args {
		switch v := a.(type) {
		case asm.Reg:
			out[i] = asm.R(v)
		case int:
			out[i] = asm.I(int64(v))
		case uint64:
			out[i] = asm.I(int64(v))
		case float32:
			out[i] = asm.F32(math.Float32bits(v))
		case float64:
			out[i] = asm.F64(math.Float64bits(v))
		}
	}
	return g.Do(op, out[:len(args)]...)
}

// maxOperands is the most operands that an instruction on elements has.
const maxOperands = 4

func (g gen) constant(s num.Scalar) asm.Reg {
	bits := int64(s.Bits)
	switch Class(s.DType) {
	case asm.Pred:
		return g.do("mov.pred", int(bits))
	case asm.B32:
		return g.do("mov.b32", int(bits))
	case asm.B64:
		return g.do("mov.b64", int(bits))
	}
	if s.DType == num.Int8 {
		bits = int64(uint16(int8(bits)))
	}
	return g.do("mov.b16", int(bits))
}

// direct is an instruction on the operands as they come.
func direct(op string) code {
	return func(g gen, x []asm.Reg) asm.Reg {
		var out [maxOperands]asm.Operand
		for i, r := range x {
			out[i] = asm.R(r)
		}
		return g.Do(op, out[:len(x)]...)
	}
}

func same(_ gen, x []asm.Reg) asm.Reg { return x[0] }

// flipped takes its two operands in the other order.
func flipped(c code) code {
	return func(g gen, x []asm.Reg) asm.Reg { return c(g, []asm.Reg{x[1], x[0]}) }
}
