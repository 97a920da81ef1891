package ptx

import (
	"slices"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/layout"
	"github.com/newtlab/newt/compiler/ptx/asm"
	"github.com/newtlab/newt/compiler/ptx/plan"
)

// bindings is what the values of the function are bound to while it is emitted: registers, in the layouts that the plan
// requires.
type bindings struct {
	*tileCode
	plan    *plan.Plan
	layouts []layout.Layout // by Value.ID: the layout in which the value is emitted now, else its own

	// By Value.ID.
	vals     [][]asm.Reg       // registers, in the order of the layout; not of pointers
	ptrs     []pointer         // of pointer-typed values
	baseImms [][]baseImm       // elements of integers whose registers are known to differ by constants
	versions [][]layoutVersion // the value in other required layouts
}

// layoutVersion is a value in another layout than its own, converted or rematerialized.
type layoutVersion struct {
	layout   layout.Layout
	regs     []asm.Reg
	baseImms []baseImm
	ptr      pointer
}

// newBindings begins with every value in its own layout, and nothing bound.
func newBindings(code *tileCode, p *plan.Plan) *bindings {
	n := len(p.Tiles)
	b := &bindings{tileCode: code, plan: p, layouts: make([]layout.Layout, n), vals: make([][]asm.Reg, n),
		ptrs: make([]pointer, n), baseImms: make([][]baseImm, n), versions: make([][]layoutVersion, n)}
	for id, t := range p.Tiles {
		b.layouts[id] = t.Layout
		for _, l := range t.Versions {
			b.versions[id] = append(b.versions[id], layoutVersion{layout: l})
		}
	}
	return b
}

// layoutOf is v's own layout.
func (b *bindings) layoutOf(v *ir.Value) layout.Layout { return b.layouts[v.ID] }

// regs are v's registers in its own layout.
func (b *bindings) regs(v *ir.Value) []asm.Reg { return b.vals[v.ID] }

// setRegs binds v to registers, in its own layout.
func (b *bindings) setRegs(v *ir.Value, regs []asm.Reg) { b.vals[v.ID] = regs }

// regsIn is v's registers in layout l, converted here and now if that is not one of the required layouts.
func (b *bindings) regsIn(v *ir.Value, l layout.Layout) []asm.Reg {
	if b.layoutOf(v).Equal(l) {
		return b.regs(v)
	}
	if c := b.findVersion(v, l); c != nil {
		return c.regs
	}
	return b.convert(v.Type.DType, b.regs(v), b.layoutOf(v), l)
}

// findVersion is v in a required layout other than its own, nil if l is not one.
func (b *bindings) findVersion(v *ir.Value, l layout.Layout) *layoutVersion {
	i := slices.IndexFunc(b.versions[v.ID], func(c layoutVersion) bool { return c.layout.Equal(l) })
	if i < 0 {
		return nil
	}
	return &b.versions[v.ID][i]
}

// convertVersions converts v to the other layouts in which it is required.
func (b *bindings) convertVersions(v *ir.Value) {
	for i := range b.versions[v.ID] {
		c := &b.versions[v.ID][i]
		if v.Type.Pointer {
			c.ptr = b.convertPointer(b.ptrs[v.ID], b.layoutOf(v), c.layout)
		} else {
			c.regs = b.convert(v.Type.DType, b.regs(v), b.layoutOf(v), c.layout)
		}
	}
}

// binding is what the emitter knows of a value: its registers, in its own layout and in others. While the address slice
// of a later iteration is emitted, the loop's arguments are bound to that iteration's values.
type binding struct {
	regs     []asm.Reg
	baseImms []baseImm
	ptr      pointer
	versions []layoutVersion
}

// saveBinding is the binding that v has.
func (b *bindings) saveBinding(v *ir.Value) binding {
	return binding{b.vals[v.ID], b.baseImms[v.ID], b.ptrs[v.ID], slices.Clone(b.versions[v.ID])}
}

// keepBindings keeps what values are bound to; the result binds them so again.
func (b *bindings) keepBindings(values []*ir.Value) (restore func()) {
	kept := make([]binding, len(values))
	for i, v := range values {
		kept[i] = b.saveBinding(v)
	}
	return func() {
		for i, v := range values {
			b.restoreBinding(v, kept[i])
		}
	}
}

// bindingAs is v as a binding for argument, in argument's layout.
func (b *bindings) bindingAs(v, argument *ir.Value) binding {
	to := binding{versions: b.versions[argument.ID]}
	l := b.layoutOf(argument)
	if v.Type.Pointer {
		to.ptr = b.pointerIn(v, l)
		return to
	}
	to.regs, to.baseImms = b.regsIn(v, l), b.baseImmsIn(v, l)
	return to
}

// restoreBinding binds v.
func (b *bindings) restoreBinding(v *ir.Value, x binding) {
	b.vals[v.ID], b.baseImms[v.ID], b.ptrs[v.ID], b.versions[v.ID] = x.regs, x.baseImms, x.ptr, slices.Clone(x.versions)
}
