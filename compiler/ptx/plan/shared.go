package plan

import (
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ops"
)

const (
	// GatherBytes is the most shared memory that a gather takes; a larger source goes through it in parts.
	GatherBytes = 64 << 10
	// HistogramBins is the most bins that are counted at once, in shared memory.
	HistogramBins = ScratchLimit / 4
)

// SharedBytes is about how much shared memory a program takes: the most of what is live at a time, alignment and a few
// bytes of barriers and broadcasts aside.
func (p *Plan) SharedBytes() int {
	most := p.blockBytes(p.Func.Body)
	if x := p.Persistent; x != nil {
		// The stage buffers are filled for the next program while this one ends.
		p.Func.Body.Walk(func(in *ir.Instr) { most = max(most, p.Pipelines[x.Loop].bytes()+p.scratch(in)) })
	}
	return most
}

// blockBytes is what a block takes at most at a time. The memory of a local_alloc is taken until its last use.
func (p *Plan) blockBytes(b *ir.Block) (most int) {
	lastUse := map[*ir.Value]*ir.Instr{} // by memory descriptor
	for _, in := range b.Instrs {
		use := func(x *ir.Instr) {
			for _, v := range x.Operands {
				for ; v != nil && v.Type.IsMemDesc(); v = v.Def.Operand(0) {
					lastUse[v] = in
				}
			}
		}
		use(in)
		for _, r := range in.Regions {
			r.Walk(use)
		}
	}
	live, ends := 0, map[*ir.Instr]int{}
	for _, in := range b.Instrs {
		most = max(most, live+p.instrBytes(in))
		if in.Op == ops.LocalAlloc {
			bytes := p.scratch(in)
			live += bytes
			ends[lastUse[in.Results[0]]] += bytes
		}
		live -= ends[in]
	}
	return most
}

// instrBytes is what an instruction takes at most at a time, with all that is in it.
func (p *Plan) instrBytes(in *ir.Instr) int {
	inside := 0
	for _, r := range in.Regions {
		inside = max(inside, p.blockBytes(r))
	}
	if r := p.Pipelines[in]; r != nil {
		inside += r.bytes()
	}
	return max(inside, p.scratch(in))
}

// bytes is the size of the stage buffers together.
func (r *Pipeline) bytes() int { return r.Buffers * r.StageBytes }

// scratch is what an instruction takes while it is done.
func (p *Plan) scratch(in *ir.Instr) (most int) {
	switch in.Op {
	case ops.LocalAlloc:
		if in.Operand(0) != nil { // else it is stage buffers, which are the loop's
			return in.Results[0].Mem.Bytes()
		}
	case ops.ConvertLayout:
		return p.Conversions[in].Bytes
	case ops.Reduce:
		for _, x := range p.Reductions[in].Steps {
			most = max(most, bytesOf(x.Exchange))
		}
	case ops.Scan:
		for _, x := range p.Scans[in] {
			most = max(most, bytesOf(x.Exchange))
		}
	case ops.Gather:
		t := in.Operands[0].Type
		return min(GatherBytes, t.Numel()*max(1, t.DType.Info().Bits/8))
	case ops.Histogram:
		return 4 * min(int(in.Int("num_bins")), HistogramBins)
	case ops.AtomicRMW, ops.AtomicCAS:
		if c := p.Accesses[in].Broadcast; c != nil {
			return c.Bytes
		}
	}
	return most
}

// bytesOf is what conversions take together.
func bytesOf(together []*Conversion) (bytes int) {
	for _, c := range together {
		bytes += c.Bytes
	}
	return bytes
}
