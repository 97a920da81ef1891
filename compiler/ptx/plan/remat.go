package plan

import (
	"slices"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/layout"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/source"
)

// Rematerialization: a value that somebody requires in another layout than its own is either converted, which takes
// shuffles or a way through shared memory, or computed once more in that layout. markRematerialized decides which by a
// cost model; collectRequired finds the layouts.

// collectRequired finds the layouts in which every tile is required. Versions are made where the tile is defined, so
// that what a loop requires in another layout than its surroundings is converted before the loop.
func (a *layoutAssignment) collectRequired() {
	a.p.Func.Body.Walk(func(in *ir.Instr) {
		if len(in.Results) == 1 && a.p.Tiles[in.Results[0].ID].Rematerialized {
			return // its operands are required when it is
		}
		switch in.Op {
		case ops.If:
			for _, r := range in.Regions {
				a.requireCarried(in.Results, r.Terminator().Operands)
			}
		case ops.For:
			body := in.Regions[0]
			a.requireCarried(body.Args[1:], in.Operands[3:])
			a.requireCarried(body.Args[1:], body.Terminator().Operands)
		case ops.While:
			before, after := in.Regions[0], in.Regions[1]
			a.requireCarried(before.Args, in.Operands)
			a.requireCarried(before.Args, after.Terminator().Operands)
			a.requireCarried(after.Args, before.Terminator().Operands[1:])
		default:
			a.requireOperands(in, a.workLayout(in))
		}
	})
}

// workLayout is the layout that an instruction works in: an access's own, or its result's.
func (a *layoutAssignment) workLayout(in *ir.Instr) layout.Layout {
	if x := a.p.Accesses[in]; x != nil {
		return x.Layout
	}
	if r := in.Result(); r != nil {
		return a.p.Tiles[r.ID].Layout
	}
	return layout.Layout{}
}

// requireOperands requires an instruction's operands in the layouts that it takes to work in layout l. Operations that
// convert for themselves, such as reductions and dots, start from their operands as they are.
func (a *layoutAssignment) requireOperands(in *ir.Instr, l layout.Layout) {
	for i, v := range in.Operands {
		if v == nil || v.Type.IsScalar() {
			continue
		}
		from, ok := OperandLayout(in, v, l)
		if !ok || l.Lane == nil || len(in.Results) > 1 {
			from = a.p.Tiles[v.ID].Layout
		}
		if in.Op == ops.Dot && i == 2 {
			from = l
		}
		a.require(v, from)
	}
}

// requireCarried requires values in the layouts of the loop-carried values or results that they become.
func (a *layoutAssignment) requireCarried(to, from []*ir.Value) {
	for i, v := range from {
		a.require(v, a.p.Tiles[to[i].ID].Layout)
	}
}

// require records that v is required in layout l; if v is rematerialized, its operands are required for that too.
func (a *layoutAssignment) require(v *ir.Value, l layout.Layout) {
	if v.Type.IsScalar() {
		return
	}
	t := &a.p.Tiles[v.ID]
	own := t.Layout.Equal(l)
	// Each requirement is followed once, which also ends the recursion.
	if own && t.Required || !own && slices.ContainsFunc(t.Versions, l.Equal) {
		return
	}
	if own {
		t.Required = true
	} else {
		t.Versions = append(t.Versions, l)
	}
	if t.Rematerialized {
		a.requireOperands(v.Def, l)
	}
}

// markRematerialized marks the values that are computed in each layout in which they are required. The cost model: a
// cheap value costs less than a conversion; a widening cast is cheaper after a conversion of its narrow operand; and a
// view is free once its operand, which has as many elements or fewer, is converted.
func (a *layoutAssignment) markRematerialized(v *ir.Value) {
	in := v.Def
	if in == nil || v.Type.IsScalar() || len(in.Results) != 1 {
		return
	}
	narrower := in.Op == ops.Cast && in.Operands[0].Type.DType.Info().Bits < v.Type.DType.Info().Bits
	a.p.Tiles[v.ID].Rematerialized = a.cheap[v.ID] || ViewOps[in.Op] || narrower
}

// threadRegisters is how many registers of 32 bits a thread may have (PTX ISA, "Register State Space").
const threadRegisters = 255

// warnSpills warns of the largest tile if its registers alone exceed a thread's register budget: the assembler spills
// the
// rest to local memory.
func (a *layoutAssignment) warnSpills() {
	var largest *ir.Value
	most := threadRegisters
	EachValue(a.p.Func, func(v *ir.Value) {
		// A 64-bit element takes two registers; narrower ones than 32 bits take one all the same.
		words := a.p.Tiles[v.ID].Layout.Regs()
		if registers(v.Type) == 2 {
			words *= 2
		}
		if words > most && !a.p.Tiles[v.ID].Rematerialized {
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
	a.p.Warnings.Add(diag.Warn("tile-registers", at, largest.Type.String(), most, threadRegisters, a.p.Target.Warps))
}
