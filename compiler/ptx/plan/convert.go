package plan

import (
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/layout"
	"github.com/newtlab/newt/compiler/ops"
)

// ScratchLimit is the most shared memory, in bytes, that a conversion takes at once if it can go in parts. Larger
// scratch would lower the occupancy; smaller costs more barriers.
const ScratchLimit = 32 << 10

// forcedPartLimit is the size from which on a conversion goes in parts even if the layouts do not cut it into parts by
// registers alone: threads then skip the elements that are not in the current part.
const forcedPartLimit = 2 * ScratchLimit

// Conversion is how a tile goes from one layout to another: as layout.Conversion has it, which, through shared memory,
// goes in parts of so many bytes.
type Conversion struct {
	layout.Conversion
	From  layout.Layout
	Parts int
	Bytes int // 0: it needs no shared memory
	Outs  int // registers of the result
}

// CrossesWarps reports whether elements go from warp to warp through shared memory, so that all threads meet between
// its stores and its loads.
func (c *Conversion) CrossesWarps() bool {
	return c.Kind == layout.Shared && !(c.WithinWarps && (c.Parts == 1 || c.Matrices != nil))
}

// PlanConversions decides how elements go between the threads of the placed function: the plan's Conversions,
// Reductions and Scans, and the Broadcast of its Accesses.
func (p *Plan) PlanConversions() {
	p.Conversions = map[*ir.Instr]*Conversion{}
	p.Reductions, p.Scans = map[*ir.Instr]*Reduction{}, map[*ir.Instr][]ScanRun{}
	p.Func.Body.Walk(func(in *ir.Instr) {
		switch in.Op {
		case ops.ConvertLayout:
			x, v := in.Operands[0], in.Results[0]
			p.Conversions[in] = p.Convert(*x.Layout, *v.Layout, elementBits(v))
		case ops.Reduce:
			p.Reductions[in] = p.reduction(in)
		case ops.Scan:
			p.Scans[in] = p.scan(in)
		case ops.AtomicRMW, ops.AtomicCAS, ops.AtomicLoad:
			p.Accesses[in].Broadcast = p.broadcast(in)
		}
	})
}

// Convert is how a tile with elements of so many bits goes from one layout to another.
func (p *Plan) Convert(src, dst layout.Layout, elemBits int) *Conversion {
	c := layout.Plan(src, dst, elemBits)
	if c.Kind == layout.Shared && p.Target.Arch.Stmatrix {
		c = withMatrices(c, src, dst)
	}
	return p.inParts(c, src, dst)
}

// throughShared is a conversion through shared memory by accesses of one's own.
func (p *Plan) throughShared(m layout.Mem, store, load layout.Access, src, dst layout.Layout) *Conversion {
	return p.inParts(layout.Conversion{Kind: layout.Shared, Mem: m, Store: store, Load: load}, src, dst)
}

func (p *Plan) inParts(c layout.Conversion, src, dst layout.Layout) *Conversion {
	x := &Conversion{Conversion: c, From: src, Outs: dst.Regs()}
	if c.Kind == layout.Shared {
		// There is little shared memory for conversions while stage buffers are filled.
		x.Parts, x.Bytes = parts(c, p.Persistent != nil)
	}
	return x
}

// withMatrices is a conversion through shared memory with stores by stmatrix, if these can do it without taking much
// more memory; else it is c.
func withMatrices(c layout.Conversion, src, dst layout.Layout) layout.Conversion {
	m, ok := layout.PlanMatrices(src, dst, c.Mem.ElemBits)
	if !ok || !m.WithinWarps && m.Mem.Bytes() > ScratchLimit {
		return c
	}
	if _, bytes := m.Parts(ScratchLimit); bytes > forcedPartLimit {
		return c
	}
	return m
}

// parts is in how many parts a conversion goes through shared memory, and the bytes of each. That within warps by
// stmatrix goes in parts only if shared memory is scarce.
func parts(c layout.Conversion, scarce bool) (parts, bytes int) {
	if c.Matrices != nil && !scarce && c.Mem.Bytes() <= forcedPartLimit {
		return 1, c.Mem.Bytes()
	}
	// Parts by registers keep all threads busy; forced ones leave threads idle, but bound the scratch.
	if parts, bytes = c.Parts(ScratchLimit); bytes > forcedPartLimit {
		parts, bytes = c.Mem.Bytes()/ScratchLimit, ScratchLimit
	}
	return parts, bytes
}

// elementBits is the size of v's elements while they are converted: of pointers, that of their offsets.
func elementBits(v *ir.Value) int {
	if v.Type.Pointer {
		return 64
	}
	return v.Type.DType.Info().Bits
}
