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

// binding is what the emitter knows of a value. While the address slice of a later iteration is emitted, the loop's
// arguments are bound to that iteration's values.
type binding struct {
	regs     []asm.Reg
	baseImms []baseImm
	ptr      pointer
}

// binding is what v is bound to.
func (b *bindings) binding(v *ir.Value) binding {
	if v.Type.Pointer {
		return binding{ptr: b.ptrs[v.ID]}
	}
	return binding{regs: b.vals[v.ID], baseImms: b.baseImms[v.ID]}
}

// bind binds v.
func (b *bindings) bind(v *ir.Value, x binding) {
	b.vals[v.ID], b.baseImms[v.ID], b.ptrs[v.ID] = x.regs, x.baseImms, x.ptr
}

// keepBindings keeps what values are bound to; the result binds them so again.
func (b *bindings) keepBindings(values []*ir.Value) (restore func()) {
	kept := make([]binding, len(values))
	for i, v := range values {
		kept[i] = b.binding(v)
	}
	return func() {
		for i, v := range values {
			b.bind(v, kept[i])
		}
	}
}
