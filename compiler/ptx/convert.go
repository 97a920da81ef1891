package ptx

import (
	"math/bits"
	"slices"

	"github.com/newtlab/newt/compiler/layout"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ptx/asm"
)

// scratchLimit is the most shared memory, in bytes, that a conversion takes at once where it can go in parts. Larger
// scratch would keep other programs off the multiprocessor; smaller costs more barriers.
const scratchLimit = 32 << 10

// forcedLimit is where threads take turns to go in parts that their registers alone do not make.
const forcedLimit = 2 * scratchLimit

// scratchAlign is the alignment of scratch: a wavefront, so that banks are where the layout expects them.
const scratchAlign = 128

// tiles is the registers of values that share a layout, one slice a value, and their dtypes.
type tiles struct {
	dtypes []num.DType
	regs   [][]asm.Reg
}

// convert gives the registers of a tile of dtype d, held as src, in layout dst.
func (e *emitter) convert(d num.DType, regs []asm.Reg, src, dst layout.Layout) []asm.Reg {
	return e.convertAll(tiles{[]num.DType{d}, [][]asm.Reg{regs}}, src, dst).regs[0]
}

// convertAll converts tiles of one layout together, so that those which go through shared memory meet at the same
// barriers.
func (e *emitter) convertAll(in tiles, src, dst layout.Layout) tiles {
	if src.Equal(dst) {
		return in
	}
	return e.convertBy(in, src, dst, func(d num.DType) layout.Conversion { return layout.Plan(src, dst, d.Info().Bits) })
}

// convertBy is convertAll by a plan for each dtype.
func (e *emitter) convertBy(in tiles, src, dst layout.Layout, plan func(d num.DType) layout.Conversion) tiles {
	out := tiles{in.dtypes, make([][]asm.Reg, len(in.regs))}
	var trips []*trip
	for i, d := range in.dtypes {
		c := plan(d)
		switch c.Kind {
		case layout.Rename:
			out.regs[i] = picked(in.regs[i], c.Regs)
		case layout.Shuffle:
			out.regs[i] = e.exchange(c.Exchange, in.regs[i])
		case layout.Shared:
			t := e.newTrip(c, d, in.regs[i], dst.Regs())
			out.regs[i] = t.out
			trips = append(trips, t)
		}
	}
	e.travel(trips, src)
	return out
}

// warpsToRegs gives each thread in registers what warps hold: dst has bits of src's warps as its last register bits.
// Where all lanes of a warp hold the same, what the warps have lies side by side, to be loaded together.
func (e *emitter) warpsToRegs(in tiles, src, dst layout.Layout) tiles {
	src, dst = flat(src), flat(dst)
	for _, b := range src.Lane {
		if b != 0 {
			return e.convertAll(in, src, dst)
		}
	}
	return e.convertBy(in, src, dst, func(d num.DType) layout.Conversion {
		m := layout.Mem{Shape: src.Shape, Off: make([]uint32, bits.Len(uint(src.Elems()-1))), ElemBits: memoryBits(d)}
		order := append(slices.Clone(dst.Reg[len(src.Reg):]), src.Reg...)
		for _, b := range append(order, dst.Warp...) {
			if b != 0 {
				m.Off[bits.TrailingZeros32(b)] = next(m)
			}
		}
		return layout.Conversion{Kind: layout.Shared, Mem: m, Store: m.Access(src, 16), Load: m.Access(dst, 16)}
	})
}

// next is the lowest offset that no element has yet.
func next(m layout.Mem) uint32 {
	off := uint32(1)
	for _, o := range m.Off {
		off = max(off, 2*o)
	}
	return off
}

// picked is the registers with the given numbers.
func picked(regs []asm.Reg, numbers []int) []asm.Reg {
	out := make([]asm.Reg, len(numbers))
	for i, n := range numbers {
		out[i] = regs[n]
	}
	return out
}

// trip is a tile's way through shared memory, in parts that each need bytes of the buffer.
type trip struct {
	dtype        num.DType
	buffer       *asm.Buffer
	parts, bytes int
	in, out      []asm.Reg
	store, load  walk
}

func (e *emitter) newTrip(c layout.Conversion, d num.DType, in []asm.Reg, outs int) *trip {
	t := &trip{dtype: d, in: in, out: make([]asm.Reg, outs)}
	if t.parts, t.bytes = c.Parts(scratchLimit); t.bytes > forcedLimit {
		t.parts, t.bytes = c.Mem.Bytes()/scratchLimit, scratchLimit
	}
	t.buffer = e.Shared("convert", t.bytes, scratchAlign)
	t.store, t.load = e.walk(c.Store), e.walk(c.Load)
	return t
}

// travel takes tiles held as src through shared memory, all at the same time. Of threads with replicas one stores.
func (e *emitter) travel(trips []*trip, src layout.Layout) {
	free := src.Free()
	skip := e.threadBits(free.Lane, free.Warp)
	for part, left := 0, true; left; part++ {
		left = false
		for _, t := range trips {
			t.put(e, part, skip)
			left = left || part+1 < t.parts
		}
		for _, t := range trips {
			t.fetch(e, part)
		}
	}
}

// put stores a part, but in threads where skip holds.
func (t *trip) put(e *emitter, part int, skip asm.Reg) {
	t.store.each(e, part, t.bytes, func(at shared, regs []int, in asm.Reg) {
		at.buffer = t.buffer
		e.storeShared(at, t.dtype, picked(t.in, regs), e.unless(in, skip))
	})
}

// unless is where skip holds, or in, which may be none, does not.
func (e *emitter) unless(in, skip asm.Reg) asm.Reg {
	if !in.OK() {
		return skip
	}
	out := e.Do("not.pred", asm.Pred, asm.R(in))
	if skip.OK() {
		out = e.Do("or.pred", asm.Pred, asm.R(out), asm.R(skip))
	}
	return out
}

// fetch loads a part.
func (t *trip) fetch(e *emitter, part int) {
	t.load.each(e, part, t.bytes, func(at shared, regs []int, in asm.Reg) {
		at.buffer = t.buffer
		for j, v := range e.loadShared(at, t.dtype, len(regs)) {
			r := regs[j]
			if in.OK() && t.out[r].OK() {
				v = e.choose(in, v, t.out[r])
			}
			t.out[r] = v
		}
	})
	if part+1 == t.parts {
		for r, s := range t.load.access.Same {
			t.out[r] = t.out[s]
		}
	}
}

// walk finds the addresses of an access, each distinct one once.
type walk struct {
	access layout.Access
	thread asm.Reg // none: 0
	bases  map[uint32]asm.Reg
}

func (e *emitter) walk(a layout.Access) walk {
	return walk{a, e.threadOffset(a.Lane, a.Warp), map[uint32]asm.Reg{}}
}

// base is the part of the i-th access's address that is no immediate.
func (w walk) base(e *emitter, i int) asm.Reg {
	x := w.access.At[i].Xor
	if x == 0 {
		return w.thread
	}
	if _, ok := w.bases[x]; !ok {
		w.bases[x] = e.Do("xor.b32", asm.B32, asm.R(w.thread), asm.I(int64(x)))
	}
	return w.bases[x]
}

// each calls f for the accesses that may be in a part of so many bytes, a power of two: with the address in the part,
// which is right for threads where in holds, the registers, and in, which is none where that is all threads.
func (w walk) each(e *emitter, part, bytes int, f func(at shared, regs []int, in asm.Reg)) {
	var reach uint32 // bits of the address that depend on the thread
	for _, m := range append(slices.Clone(w.access.Lane), w.access.Warp...) {
		reach |= m
	}
	high := ^uint32(bytes - 1)
	for i, o := range w.access.At {
		regs := w.access.Regs[i*w.access.Vec:][:w.access.Vec]
		at := shared{base: w.base(e, i), off: int64(o.Imm &^ high)}
		want := uint32(part*bytes) ^ o.Imm&high
		switch {
		case want&^reach != 0:
		case reach&high == 0:
			f(at, regs, asm.Reg{})
		default:
			in := e.Do("setp.eq.b32", asm.Pred, asm.R(e.Do("and.b32", asm.B32, asm.R(at.base), asm.I(int64(reach&high)))), asm.I(int64(want)))
			at.base = e.Do("and.b32", asm.B32, asm.R(at.base), asm.I(int64(bytes-1)))
			f(at, regs, in)
		}
	}
}
