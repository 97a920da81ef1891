package plan

import (
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/layout"
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
		for _, in := range p.Func.Body.Instrs {
			most = max(most, p.Pipelines[x.Loop].bytes()+p.scratch(in))
		}
	}
	return most
}

func (p *Plan) blockBytes(b *ir.Block) (most int) {
	for _, v := range b.Args {
		most = max(most, p.versionBytes(v))
	}
	for _, in := range b.Instrs {
		most = max(most, p.instrBytes(in))
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
	for _, h := range p.Hoists[in] {
		inside += h.Mem.Bytes()
	}
	return max(inside, p.scratch(in)) // what a loop gives is converted behind it
}

// bytes is the size of the stage buffers together.
func (r *Pipeline) bytes() int { return r.Buffers * r.StageBytes }

// scratch is what an instruction takes while it is done, and what the conversions of its results do.
func (p *Plan) scratch(in *ir.Instr) (most int) {
	switch in.Op {
	case ops.Dot:
		d, r := p.Dots[in], in.Results[0]
		converted := 0
		for s, x := range d.Operands {
			switch v := in.Operands[s]; x.Source {
			case Stored:
				most += x.Mem.Bytes()
			case Registers:
				_, want := d.OperandForm(in, Side(s))
				converted = max(converted, p.conversionBytes(v, p.Tiles[v.ID].Layout, want))
			}
		}
		most = max(most, converted, p.conversionBytes(r, d.AccLayout, p.Tiles[r.ID].Layout))
	case ops.Reduce, ops.Scan:
		most = p.exchangeBytes(in)
	case ops.Gather:
		t := in.Operands[0].Type
		most = min(GatherBytes, t.Numel()*max(1, t.DType.Info().Bits/8))
	case ops.Histogram:
		most = 4 * min(int(in.Int("num_bins")), HistogramBins)
	}
	for _, v := range in.Results {
		most = max(most, p.versionBytes(v))
	}
	return most
}

// exchangeBytes is what a reduction or scan takes to exchange, between warps, what each of them has along the axis.
func (p *Plan) exchangeBytes(in *ir.Instr) (bytes int) {
	x := in.Operands[0]
	axis := int(in.Int("axis"))
	warps := 1
	for _, place := range p.Tiles[x.ID].Layout.AlongBits(axis) {
		if place.In == layout.InWarp {
			warps *= 2
		}
	}
	if warps == 1 {
		return 0
	}
	for _, v := range in.Operands {
		bytes += x.Type.Numel() / x.Type.Shape[axis] * warps * max(1, v.Type.DType.Info().Bits/8)
	}
	return min(bytes, forcedPartLimit)
}

// versionBytes is what the largest conversion takes of a value to a layout in which it is required.
func (p *Plan) versionBytes(v *ir.Value) (most int) {
	t := &p.Tiles[v.ID]
	if t.Rematerialized {
		return 0
	}
	for _, l := range t.Versions {
		most = max(most, p.conversionBytes(v, t.Layout, l))
	}
	return most
}

func (p *Plan) conversionBytes(v *ir.Value, src, dst layout.Layout) int {
	if v.Type.IsScalar() || src.Equal(dst) {
		return 0
	}
	c := p.Converter().Plan(src, dst, elementBits(v))
	if c.Kind != layout.Shared {
		return 0
	}
	_, bytes := p.Converter().Parts(c)
	return bytes
}

// elementBits is the size of v's elements while they are converted: of pointers, that of their offsets.
func elementBits(v *ir.Value) int {
	if v.Type.Pointer {
		return 64
	}
	return v.Type.DType.Info().Bits
}
