package plan

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/layout"
	"github.com/newtlab/newt/compiler/ops"
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
	// mbarrierBytes is the size of an mbarrier (PTX ISA, "mbarrier").
	mbarrierBytes = 8
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
	p.Func.Body.Walk(func(in *ir.Instr) {
		if b := p.Buffers[in]; b != nil {
			in.Attrs = append(slices.Clip(in.Attrs), ir.Attr{Name: "offsets", Value: p.offsets(in, b)})
		}
	})
}

// offsets are where the tiles of a local_alloc begin.
func (p *Plan) offsets(in *ir.Instr, b *Buffer) (list []int64) {
	first, step := b.Offset, mbarrierBytes
	if x := p.Async[in]; x.Load != nil {
		first, step = first+x.Load.Offset, x.Pipeline.StageBytes
	}
	for i := range max(1, in.Int("buffers")) {
		list = append(list, int64(first+step*int(i)))
	}
	return list
}

func (a *allocator) block(b *ir.Block) {
	for _, in := range b.Instrs {
		a.instr(in)
	}
}

func (a *allocator) instr(in *ir.Instr) {
	if in.Op == ops.LocalAlloc && in.Operand(0) == nil {
		a.alloc(in, a.at+1) // nothing is in it before the next operation
		return
	}
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
	if in.Op == ops.LocalAlloc {
		a.alloc(in, a.at)
	}
	for _, b := range a.p.used(in) {
		a.use(b)
	}
}

// alloc makes the buffer of a local_alloc, live from an operation on. The stage buffers of a loop are one.
func (a *allocator) alloc(in *ir.Instr, first int) {
	x, m := a.p.Async[in], in.Results[0]
	r := x.Pipeline
	b := &Buffer{PerWarp: in.Bool("per_warp"), Circular: x.Load != nil, first: first, last: first, loop: a.loop}
	switch {
	case b.Circular:
		if a.rings[r] != nil {
			a.p.Buffers[in] = a.rings[r]
			return
		}
		b.Bytes, b.align, a.rings[r] = r.bytes(), StageAlign, b
	case m.Mem != nil:
		b.Bytes, b.align = m.Mem.Bytes(), layout.Align
	case r != nil:
		b.Bytes, b.align = mbarrierBytes*r.Buffers, mbarrierBytes
		if !r.Nested {
			b.last = math.MaxInt // threads may still look at them
		}
	default:
		// Banks are then where layouts expect them.
		b.Bytes = int(in.Int("bytes"))
		b.align = min(scratchAlign, 1<<bits.Len(uint(b.Bytes-1)))
	}
	a.p.Buffers[in] = b
	a.buffers = append(a.buffers, b)
}

// use makes a buffer live here.
func (a *allocator) use(b *Buffer) {
	b.last = max(b.last, a.at)
	for l := a.loop; l != b.loop; l = l.around {
		l.used = append(l.used, b)
	}
}

// used is the buffers of the memory descriptors that an operation takes, its scratch memory last; of a wait for wgmma,
// those that this read. What is in words (Plan.Words) is loaded step by step while the MMA that takes it is issued.
func (p *Plan) used(in *ir.Instr) (list []*Buffer) {
	operands := append(slices.Clip(in.Operands), in.Scratch)
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
		if p.Words[v] && IsOp(v, ops.LocalLoad) {
			v = v.Def.Operands[0]
		}
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
