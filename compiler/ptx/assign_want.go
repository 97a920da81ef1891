package ptx

import (
	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/layout"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/asm"
	"github.com/newtlab/newt/compiler/source"
)

// demand finds the layouts in which every tile is wanted. Each gets made where the tile is defined, so
// that what a loop wants in another layout than its surroundings is converted before the loop.
func (a *assignment) demand() {
	a.fn.Body.Walk(func(in *ir.Instr) {
		if len(in.Results) == 1 && a.again[in.Results[0].ID] {
			return // when somebody wants it
		}
		switch in.Op {
		case ops.If:
			for _, r := range in.Regions {
				a.carry(in.Results, r.Terminator().Operands)
			}
		case ops.For:
			body := in.Regions[0]
			a.carry(body.Args[1:], in.Operands[3:])
			a.carry(body.Args[1:], body.Terminator().Operands)
		case ops.While:
			before, after := in.Regions[0], in.Regions[1]
			a.carry(before.Args, in.Operands)
			a.carry(before.Args, after.Terminator().Operands)
			a.carry(after.Args, before.Terminator().Operands[1:])
		default:
			a.operands(in, a.layoutOf(in))
		}
	})
}

// layoutOf is the layout that an instruction works in: its result's, or an access's own.
func (a *assignment) layoutOf(in *ir.Instr) layout.Layout {
	if l, ok := a.at[in]; ok {
		return l
	}
	if r := in.Result(); r != nil {
		return a.layouts[r.ID]
	}
	return layout.Layout{}
}

// operands wants an instruction's operands as it takes them to work in layout l; those that other
// files emit begin with their operands as they are.
func (a *assignment) operands(in *ir.Instr, l layout.Layout) {
	for i, v := range in.Operands {
		if v == nil || v.Type.IsScalar() {
			continue
		}
		from, ok := operandLayout(in, v, l)
		if !ok || l.Lane == nil || len(in.Results) > 1 {
			from = a.layouts[v.ID]
		}
		if in.Op == ops.Dot && i == 2 {
			from = l
		}
		a.want(v, from)
	}
}

// carry wants values in the layouts of what takes them over.
func (a *assignment) carry(to, from []*ir.Value) {
	for i, v := range from {
		a.want(v, a.layouts[to[i].ID])
	}
}

// want notes that v is wanted in layout l, and what that takes.
func (a *assignment) want(v *ir.Value, l layout.Layout) {
	if v.Type.IsScalar() {
		return
	}
	own := a.layouts[v.ID].Equal(l)
	if own && a.wanted[v.ID] || !own && a.version(v, l) != nil {
		return
	}
	if own {
		a.wanted[v.ID] = true
	} else {
		a.copies[v.ID] = append(a.copies[v.ID], version{layout: l})
	}
	if a.again[v.ID] {
		a.operands(v.Def, l)
	}
}

// repeat marks the values that are computed anew in each layout in which they are wanted: cheap ones;
// those whose operand takes fewer bytes to convert than they do; and those that only have other names
// for their operand's registers.
func (a *assignment) repeat(v *ir.Value) {
	in := v.Def
	if in == nil || v.Type.IsScalar() || len(in.Results) != 1 {
		return
	}
	narrower := in.Op == ops.Cast && in.Operands[0].Type.DType.Info().Bits < v.Type.DType.Info().Bits
	a.again[v.ID] = a.cheap[v.ID] || renames[in.Op] || narrower
}

// threadRegisters is how many registers of 32 bits a thread may have (PTX ISA, "Register State Space").
const threadRegisters = 255

// warnSpills notes the largest tile, where its registers alone are more than a thread has: the assembler moves the rest
// to local memory.
func (a *assignment) warnSpills() {
	var largest *ir.Value
	most := threadRegisters
	a.eachValue(func(v *ir.Value) {
		words := a.layouts[v.ID].Regs()
		if class(v.Type) == asm.B64 {
			words *= 2
		}
		if words > most && !a.again[v.ID] {
			largest, most = v, words
		}
	})
	if largest == nil {
		return
	}
	var at source.Span
	if largest.Def != nil {
		at = largest.Def.Span
	}
	a.warnings.Add(diag.Warn("tile-registers", at, largest.Type.String(), most, threadRegisters, a.opt.NumWarps))
}
