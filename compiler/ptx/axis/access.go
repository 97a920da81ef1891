package axis

import (
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ops"
)

// maskOperand is where the operations that touch memory have their mask, 0 of others; atomic_cas has none.
var maskOperand = [ops.N]int{ops.Load: 1, ops.Store: 2, ops.AtomicRMW: 2, ops.AtomicCAS: 3, ops.AtomicLoad: 1,
	ops.AtomicStore: 2, ops.AsyncCopy: 2, ops.TMALoad: 3}

// Accesses reports whether in is a load, a store or an atomic operation; its pointer is operand 0.
func Accesses(in *ir.Instr) bool {
	return maskOperand[in.Op] > 0
}

// Mask is the mask of a load, store or atomic, nil where every element takes part.
func Mask(in *ir.Instr) *ir.Value { return in.Operand(maskOperand[in.Op]) }

// TensorReach is how large the storages are, in bytes, that tensor copies can load from: coordinates have 31 bits, in
// units of 16 bytes (ptx.TensorMap).
const TensorReach = 1 << 35

// Limit is a condition Index < End of a mask on the indices along one dimension: Index grows by 1 along it, and End is
// the same for all elements. Which values do, package bounds decides for a launch.
type Limit struct {
	Dim        int
	Index, End *ir.Value
}

// Limits are the conditions that a mask of a matrix is the conjunction of, if it is one of conditions that depend
// on one dimension each, one for a dimension at most; a mask that is nil has none. Those that are always true, as far
// as a function knows that is not nil, are left out.
func Limits(mask *ir.Value, always func(compare *ir.Instr) bool) (list []Limit, ok bool) {
	if mask == nil {
		return nil, true
	}
	in := mask.Def
	if in == nil {
		return nil, false
	}
	if always != nil && always(in) {
		return nil, true
	}
	switch in.Op {
	case ops.And:
		x, ok1 := Limits(in.Operands[0], always)
		y, ok2 := Limits(in.Operands[1], always)
		both := append(x, y...)
		return both, ok1 && ok2 && (len(both) < 2 || len(both) == 2 && both[0].Dim != both[1].Dim)
	case ops.Broadcast:
		return Limits(in.Operands[0], always)
	case ops.ExpandDims:
		list, ok = Limits(in.Operands[0], always)
		switch {
		case ok && len(list) == 0:
			return nil, true
		case ok && len(list) == 1 && len(mask.Type.Shape) == 2:
			list[0].Dim = 1 - int(in.Int("axis"))
			return list, true
		}
	case ops.Lt, ops.Gt:
		x, y := in.Operands[0], in.Operands[1]
		if in.Op == ops.Gt {
			x, y = y, x
		}
		dim, ok := onlyDim(x.Type.Shape)
		return []Limit{{dim, x, y}}, ok && x.Type.IsInt()
	}
	return nil, false
}

// onlyDim is the one dimension of a shape that is larger than 1.
func onlyDim(shape []int) (dim int, ok bool) {
	for d, n := range shape {
		if n > 1 {
			if ok {
				return 0, false
			}
			dim, ok = d, true
		}
	}
	return dim, ok
}
