package types

import (
	"fmt"
	"strings"

	"github.com/newtlab/newt/compiler/num"
)

// Cast gives the refusal of converting values of type from to dtype to, nil if it is allowed.
// Pointers convert to and from 64-bit integers and to int1 (is it not null).
func Cast(from Type, to num.DType) *Refusal {
	d := from.DType
	switch fp8, other := d.IsFP8(), to.IsFP8(); {
	case from.Pointer:
		if to == num.Int64 || to == num.Uint64 || to == num.Int1 {
			return nil
		}
		return refuse(CastImpossible, d, to, spell(from), spellTarget(from.Shape, to))
	case d == to, !fp8 && !other:
		return nil
	case !d.Info().Float || !to.Info().Float:
		return refuse(CastImpossible, d, to, spell(from), spellTarget(from.Shape, to))
	case fp8 && other, d == num.Float64, to == num.Float64:
		return refuse(FP8Cast, d, to)
	}
	return nil
}

// Bitcast gives the refusal of reading values of type from as to, nil if widths agree.
func Bitcast(from Type, to num.DType) *Refusal {
	bits := from.DType.Info().Bits
	if from.Pointer {
		bits = 64
	}
	if bits != to.Info().Bits {
		return refuse(BitcastWidth, bits, to.Info().Bits)
	}
	return nil
}

// spell writes a type as Triton prints a tensor in messages: fp8e5[constexpr[64]].
func spell(t Type) string {
	name := t.DType.String()
	if t.Pointer {
		name = repr(t)
	}
	if t.IsScalar() {
		return name
	}
	dims := make([]string, len(t.Shape))
	for i, d := range t.Shape {
		dims[i] = fmt.Sprintf("constexpr[%d]", d)
	}
	return name + "[" + strings.Join(dims, ", ") + "]"
}

// spellTarget writes a dtype of a shape as Triton prints block types: <['64'], int32>.
func spellTarget(shape []int, d num.DType) string {
	if len(shape) == 0 {
		return d.String()
	}
	dims := make([]string, len(shape))
	for i, n := range shape {
		dims[i] = fmt.Sprintf("'%d'", n)
	}
	return "<[" + strings.Join(dims, ", ") + "], " + d.String() + ">"
}
