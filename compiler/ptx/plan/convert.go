package plan

import "github.com/newtlab/newt/compiler/layout"

// ScratchLimit is the most shared memory, in bytes, that a conversion takes at once if it can go in parts. Larger
// scratch would lower the occupancy; smaller costs more barriers.
const ScratchLimit = 32 << 10

// forcedPartLimit is the size from which on a conversion goes in parts even if the layouts do not cut it into parts by
// registers alone: threads then skip the elements that are not in the current part.
const forcedPartLimit = 2 * ScratchLimit

// Converter plans conversions between layouts for a program.
type Converter struct {
	Stmatrix bool // the target has it
	// Scarce: there is little shared memory for conversions, since stage buffers are filled meanwhile (Persistent).
	Scarce bool
}

// Converter plans the conversions of the plan's program.
func (p *Plan) Converter() Converter { return Converter{p.Target.Arch.Stmatrix, p.Persistent != nil} }

// Plan is how a tile with elements of so many bits goes from one layout to another.
func (x Converter) Plan(src, dst layout.Layout, elemBits int) layout.Conversion {
	c := layout.Plan(src, dst, elemBits)
	if c.Kind == layout.Shared && x.Stmatrix {
		return withMatrices(c, src, dst)
	}
	return c
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

// Parts is in how many parts a conversion goes through shared memory, and the bytes of each. That within warps by
// stmatrix goes in parts only if shared memory is scarce.
func (x Converter) Parts(c layout.Conversion) (parts, bytes int) {
	if c.Matrices != nil && !x.Scarce && c.Mem.Bytes() <= forcedPartLimit {
		return 1, c.Mem.Bytes()
	}
	// Parts by registers keep all threads busy; forced ones leave threads idle, but bound the scratch.
	if parts, bytes = c.Parts(ScratchLimit); bytes > forcedPartLimit {
		parts, bytes = c.Mem.Bytes()/ScratchLimit, ScratchLimit
	}
	return parts, bytes
}
