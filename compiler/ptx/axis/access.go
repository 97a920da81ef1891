package axis

import (
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ops"
)

// maskOperand is where the operations that touch memory have their mask; atomic_cas has none.
var maskOperand = map[ops.Op]int{ops.Load: 1, ops.Store: 2, ops.AtomicRMW: 2, ops.AtomicCAS: 3}

// Accesses reports whether in is a load, a store or an atomic operation; its pointer is operand 0.
func Accesses(in *ir.Instr) bool {
	_, ok := maskOperand[in.Op]
	return ok
}

// Mask is the mask of a load, store or atomic, nil where every element takes part.
func Mask(in *ir.Instr) *ir.Value { return in.Operand(maskOperand[in.Op]) }
