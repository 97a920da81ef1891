package axis

import (
	"slices"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
)

// Scaled is the two factors of a multiplication of a tile of fp32 by a scalar: the attention scores by their scale,
// say. It is not ok of anything else.
func Scaled(in *ir.Instr) (x, scale *ir.Value, ok bool) {
	if in.Op != ops.Mul || in.Results[0].Type.DType != num.Float32 || in.Results[0].Type.IsScalar() {
		return nil, nil, false
	}
	for i, v := range in.Operands {
		if v.Def != nil && v.Def.Op == ops.Splat {
			return in.Operands[1-i], v, true
		}
	}
	return nil, nil, false
}

// ScaledMaxima is the multiplications by scalars (Scaled) of whose results, or of selects between them and others, a
// function takes maxima along an axis.
func ScaledMaxima(fn *ir.Func) map[*ir.Instr]bool {
	found := map[*ir.Instr]bool{}
	var note func(v *ir.Value)
	note = func(v *ir.Value) {
		in := v.Def
		if in == nil {
			return
		}
		if _, _, ok := Scaled(in); ok {
			found[in] = true
		}
		if in.Op == ops.Select {
			note(in.Operands[1])
			note(in.Operands[2])
		}
	}
	fn.Body.Walk(func(in *ir.Instr) {
		if TakesMax(in) {
			note(in.Operands[0])
		}
	})
	return found
}

// TakesMax reports whether in is a reduction of one tile by max.
func TakesMax(in *ir.Instr) bool {
	if in.Op != ops.Reduce || len(in.Operands) != 1 {
		return false
	}
	region := in.Regions[0]
	last := region.Terminator().Operands[0].Def
	return last != nil && last.Op == ops.Max && len(last.Operands) == 2 &&
		slices.Contains(last.Operands, region.Args[0]) && slices.Contains(last.Operands, region.Args[1])
}
