package ptx

import (
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ptx/asm"
	"github.com/newtlab/newt/compiler/ptx/plan"
)

// bindings is what the values of the function are bound to while it is emitted: registers, in their layouts.
type bindings struct {
	*tileCode
	plan *plan.Plan

	// By Value.ID.
	vals     [][]asm.Reg // registers, in the order of the layout; not of pointers
	ptrs     []pointer   // of pointer-typed values
	baseImms [][]baseImm // elements of integers whose registers are known to differ by constants
}

// newBindings begins with nothing bound.
func newBindings(code *tileCode, p *plan.Plan) *bindings {
	n := len(p.Tiles)
	return &bindings{tileCode: code, plan: p, vals: make([][]asm.Reg, n), ptrs: make([]pointer, n),
		baseImms: make([][]baseImm, n)}
}

// regs are v's registers.
func (b *bindings) regs(v *ir.Value) []asm.Reg { return b.vals[v.ID] }

// setRegs binds v to registers.
func (b *bindings) setRegs(v *ir.Value, regs []asm.Reg) { b.vals[v.ID] = regs }
