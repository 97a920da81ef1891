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
		if len(in.Results) == 1 && a.tiles[in.Results[0].ID].Rematerialized {
			return // its operands are required when it is
		}
		if in.Op.Has(ops.Terminator) {
			return // what it passes on is required where it goes
		}
		a.requireOperands(in, a.workLayout(in))
		for i, r := range in.Regions {
			from, to := r.Terminator().Operands, passedTo(in, i)
			for k, v := range to {
				a.require(from[len(from)-len(to)+k], a.tiles[v.ID].layout)
			}
		}
	})
}

// passedTo is what the last values become that a region passes on, in their layouts; those before them are scalars.
func passedTo(in *ir.Instr, region int) []*ir.Value {
	switch {
	case in.Op == ops.If:
		return in.Results
	case in.Op == ops.For:
		return in.Regions[0].Args[1:]
	case in.Op == ops.While:
		return in.Regions[1-region].Args
	}
	return nil
}

// workLayout is the layout that an instruction works in: an access's own, or its first result's.
func (a *layoutAssignment) workLayout(in *ir.Instr) layout.Layout {
	if x := a.p.Accesses[in]; x != nil {
		return x.Layout
	}
	if r := in.Result(); r != nil {
		return a.tiles[r.ID].layout
	}
	return layout.Layout{}
}

// taken is the layout in which an instruction that works in layout l takes its i-th operand. Operations that move
// elements between threads themselves, such as gathers and products, start from their operands as they are.
func (a *layoutAssignment) taken(in *ir.Instr, i int, l layout.Layout) layout.Layout {
	v := in.Operands[i]
	own := a.tiles[v.ID].layout
	if v.Type.IsScalar() {
		return own
	}
	switch in.Op {
	case ops.For:
		return a.tiles[in.Regions[0].Args[i-2].ID].layout // behind the bounds and the step
	case ops.While:
		return a.tiles[in.Regions[0].Args[i].ID].layout
	case ops.Reshape:
		if r := in.Results[0].Type; r.IsScalar() {
			return own
		}
	case ops.Join:
		half, _, _ := l.Split()
		return half
	case ops.Split:
		return own.ForSplit()
	case ops.Dot:
		if i == 2 {
			return l
		}
		return own
	case ops.Gather, ops.WGMMA:
		return own
	case ops.Scan:
	default:
		if in.Op.Has(ops.WholeTile) { // tiles are taken element by element
			return a.tiles[in.Operands[0].ID].layout
		}
	}
	if from, ok := ir.OperandLayout(in, v, l); ok && l.Lane != nil {
		return from
	}
	return own
}

// requireOperands requires an instruction's operands in the layouts that it takes to work in layout l.
func (a *layoutAssignment) requireOperands(in *ir.Instr, l layout.Layout) {
	for i, v := range in.Operands {
		if v != nil && !v.Type.IsScalar() {
			a.require(v, a.taken(in, i, l))
		}
	}
}

// require records that v is required in layout l; if v is rematerialized, its operands are required for that too.
func (a *layoutAssignment) require(v *ir.Value, l layout.Layout) {
	if v.Type.IsScalar() {
		return
	}
	t := &a.tiles[v.ID]
	own := t.layout.Equal(l)
	// Each requirement is followed once, which also ends the recursion.
	if own && t.required || !own && slices.ContainsFunc(t.versions, l.Equal) {
		return
	}
	if own {
		t.required = true
	} else {
		t.versions = append(t.versions, l)
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
	a.tiles[v.ID].Rematerialized = a.cheap[v.ID] || ViewOps[in.Op] || narrower
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
		words := a.tiles[v.ID].layout.Regs()
		if registers(v.Type) == 2 {
			words *= 2
		}
		if words > most && !a.tiles[v.ID].Rematerialized {
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
