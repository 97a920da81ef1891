package plan

import (
	"cmp"
	"math"
	"slices"

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

// Buffer is a piece of shared memory. It is live from its first to its last use; if a use is in a loop that does not
// enclose what made it, to the loop's end.
type Buffer struct {
	Offset, Bytes int // from the beginning of the program's shared memory
	// PerWarp: each warp has a part of its own, so that what one does with it is ordered with its own barriers alone.
	PerWarp bool
	// Circular: between two barriers, asynchronous copies and reads are of different parts: stage buffers.
	Circular    bool
	align       int
	first, last int // where it is live
	loop        *openLoop
}

// overlaps reports whether two buffers have bytes in common.
func (b *Buffer) overlaps(c *Buffer) bool {
	return b.Offset < c.Offset+c.Bytes && c.Offset < b.Offset+b.Bytes
}

const (
	// scratchAlign is the alignment of scratch: 32 banks of 4 bytes, so that banks are where layouts expect them.
	scratchAlign = 128
	// UniformBytes is the size of a scalar that thread 0 broadcasts.
	UniformBytes = 8
	// MbarrierBytes is the size of an mbarrier (PTX ISA, "mbarrier").
	MbarrierBytes = 8
)

// allocator gives the buffers of the placed function their places. Instructions are numbered in their order; the end of
// a loop or a branch has a number of its own.
type allocator struct {
	p       *Plan
	at      int
	loop    *openLoop
	rings   map[*Pipeline]*Buffer
	buffers []*Buffer
}

// openLoop is a loop in which the allocator is.
type openLoop struct {
	around *openLoop
	used   []*Buffer // those that live to its end
}

// Allocate allocates shared memory: the plan's Buffers, SharedBytes and SharedAlign.
func (p *Plan) Allocate() {
	p.Buffers = map[*ir.Instr]*Buffer{}
	a := &allocator{p: p, rings: map[*Pipeline]*Buffer{}}
	a.block(p.Func.Body)
	p.SharedBytes = place(a.buffers)
	p.SharedAlign = scratchAlign
	for _, b := range a.buffers {
		p.SharedAlign = max(p.SharedAlign, b.align)
	}
}

func (a *allocator) block(b *ir.Block) {
	for _, in := range b.Instrs {
		a.instr(in)
	}
}

func (a *allocator) instr(in *ir.Instr) {
	a.at++
	switch in.Op {
	case ops.For, ops.While:
		a.loop = &openLoop{around: a.loop}
		for _, r := range in.Regions {
			a.block(r)
		}
		a.at++
		for _, b := range a.loop.used {
			b.last = max(b.last, a.at)
		}
		a.loop = a.loop.around
	case ops.If:
		a.block(in.Regions[0])
		a.block(in.Regions[1])
		a.at++
	}
	bytes, align := a.p.scratch(in), scratchAlign
	switch r := a.p.Async[in].Pipeline; {
	case in.Op == ops.LocalAlloc && r == nil:
		align = layout.Align
	case in.Op == ops.LocalAlloc && a.p.Async[in].Load == nil:
		bytes, align = MbarrierBytes*r.Buffers, MbarrierBytes
	case in.Op == ops.LocalAlloc && a.rings[r] != nil:
		a.p.Buffers[in] = a.rings[r]
		return
	case in.Op == ops.LocalAlloc:
		bytes, align = r.bytes(), StageAlign
	}
	perWarp := false
	for _, step := range a.p.conversionsOf(in) {
		perWarp = !slices.ContainsFunc(step, (*Conversion).CrossesWarps)
	}
	for _, v := range in.Results {
		if a.p.Uniform[v] {
			bytes, perWarp = roundUp(bytes, UniformBytes)+UniformBytes, false
		}
	}
	if bytes > 0 {
		a.make(in, bytes, align).PerWarp = perWarp
	}
	for _, b := range a.p.used(in) {
		a.use(b)
	}
}

// make makes the buffer of an instruction.
func (a *allocator) make(in *ir.Instr, bytes, align int) *Buffer {
	b := &Buffer{Bytes: bytes, align: align, first: a.at, last: a.at, loop: a.loop}
	a.p.Buffers[in] = b
	a.buffers = append(a.buffers, b)
	switch x := a.p.Async[in]; {
	case in.Op != ops.LocalAlloc || x.Pipeline == nil:
	case x.Load != nil:
		b.Circular = true
		a.rings[x.Pipeline] = b
	case !x.Pipeline.Nested:
		b.last = math.MaxInt // threads may still look at them
	}
	return b
}

// use makes a buffer live here.
func (a *allocator) use(b *Buffer) {
	b.last = max(b.last, a.at)
	for l := a.loop; l != b.loop; l = l.around {
		l.used = append(l.used, b)
	}
}

// used is the buffers of the memory descriptors that an operation takes; of a wait for wgmma, those that this read.
func (p *Plan) used(in *ir.Instr) (list []*Buffer) {
	operands := in.Operands
	if in.Op == ops.WGMMAWait {
		if r := p.Async[in].Pipeline; r != nil {
			return []*Buffer{p.ringOf(r)}
		}
		operands = nil
		if dot := in.Operands[0].Def; dot != nil {
			operands = dot.Operands
		}
	}
	for _, v := range operands {
		if m := allocated(v); m != nil {
			list = append(list, p.Buffers[m.Def])
		}
	}
	return list
}

// allocated is what local_alloc gives of which v, if it is a memory descriptor, is a view; else nil.
func allocated(v *ir.Value) *ir.Value {
	if v == nil || !v.Type.IsMemDesc() {
		return nil
	}
	for v.Def.Op != ops.LocalAlloc {
		v = v.Def.Operands[0]
	}
	return v
}

// place gives each buffer an offset such that buffers that are live at a time do not overlap, and gives the bytes that
// takes: largest first, each at the lowest free offset.
func place(buffers []*Buffer) (total int) {
	order := slices.Clone(buffers)
	slices.SortStableFunc(order, func(a, b *Buffer) int { return cmp.Compare(b.Bytes, a.Bytes) })
	var placed, long []*Buffer // long: of more than one operation; others have no more than one of their own
	for _, b := range order {
		others := long
		if b.first < b.last {
			others = placed
			long = append(long, b)
		}
		// Each move goes past one buffer, upwards, so this ends.
		for moved := true; moved; {
			moved = false
			for _, o := range others {
				if o.first <= b.last && b.first <= o.last && b.overlaps(o) {
					b.Offset, moved = roundUp(o.Offset+o.Bytes, b.align), true
				}
			}
		}
		placed = append(placed, b)
		total = max(total, b.Offset+b.Bytes)
	}
	return total
}

// bytes is the size of the stage buffers together.
func (r *Pipeline) bytes() int { return r.Buffers * r.StageBytes }

// scratch is what an instruction takes while it is done, or behind it; of local_alloc, the memory of the tile that it
// stores.
func (p *Plan) scratch(in *ir.Instr) (most int) {
	switch in.Op {
	case ops.LocalAlloc:
		if in.Operand(0) != nil { // else it is stage buffers, which are the loop's
			return in.Results[0].Mem.Bytes()
		}
	case ops.Gather:
		t := in.Operands[0].Type
		return min(GatherBytes, t.Numel()*max(1, t.DType.Info().Bits/8))
	case ops.Histogram:
		return 4 * min(int(in.Int("num_bins")), HistogramBins)
	case ops.Print:
		return 4 // where the record is
	default:
		for _, step := range p.conversionsOf(in) {
			most = max(most, bytesOf(step))
		}
	}
	return most
}

// conversionsOf is the conversions that an operation makes, those of each step together.
func (p *Plan) conversionsOf(in *ir.Instr) (steps [][]*Conversion) {
	switch in.Op {
	case ops.ConvertLayout:
		steps = append(steps, []*Conversion{p.Conversions[in]})
	case ops.Reduce:
		for _, s := range p.Reductions[in].Steps {
			if s.Exchange != nil {
				steps = append(steps, s.Exchange)
			}
		}
	case ops.Scan:
		for _, run := range p.Scans[in] {
			if run.Exchange != nil {
				steps = append(steps, run.Exchange)
			}
		}
	case ops.AtomicRMW, ops.AtomicCAS:
		if c := p.Accesses[in].Broadcast; c != nil {
			steps = append(steps, []*Conversion{c})
		}
	}
	return steps
}

// AlignScratch is the first byte from one on at which scratch may begin.
func AlignScratch(at int) int { return roundUp(at, scratchAlign) }

// bytesOf is what conversions take together.
func bytesOf(together []*Conversion) (bytes int) {
	for _, c := range together {
		bytes = AlignScratch(bytes) + c.Bytes
	}
	return bytes
}
