package ptx

import (
	"fmt"
	"slices"

	"github.com/newtlab/newt/compiler/layout"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ptx/asm"
	"github.com/newtlab/newt/compiler/ptx/plan"
)

// tileRegs is the registers of values that share a layout, one slice for each value, and their dtypes.
type tileRegs struct {
	dtypes []num.DType
	regs   [][]asm.Reg
}

// tileCode is code of tiles: registers in a layout, tiles in shared memory, and the ways between them.
type tileCode struct{ *threadCode }

// convert converts a tile of dtype d, given by its registers, with scratch memory at byte scratch.
func (tc *tileCode) convert(d num.DType, regs []asm.Reg, c *plan.Conversion, scratch int) []asm.Reg {
	return tc.convertAll(tileRegs{[]num.DType{d}, [][]asm.Reg{regs}}, []*plan.Conversion{c}, scratch).regs[0]
}

// convertAll converts tiles of one layout together, so that those which go through shared memory share the barriers:
// by other names for the same registers, shuffles within warps, or stores to shared memory, byte scratch on, and loads
// from it.
func (tc *tileCode) convertAll(in tileRegs, by []*plan.Conversion, scratch int) tileRegs {
	out := tileRegs{in.dtypes, make([][]asm.Reg, len(in.regs))}
	var trips []*sharedTrip
	first := scratch
	for i, d := range in.dtypes {
		switch c := by[i]; c.Kind {
		case layout.Rename:
			out.regs[i] = pickRegs(in.regs[i], c.Regs)
		case layout.Shuffle:
			out.regs[i] = tc.exchangeLanes(c.Exchange, in.regs[i])
		case layout.Shared:
			scratch = first + plan.AlignScratch(scratch-first)
			t := tc.newSharedTrip(c, d, in.regs[i], scratch)
			scratch += c.Bytes
			out.regs[i] = t.to
			trips = append(trips, t)
		}
	}
	if trips != nil {
		tc.runSharedTrips(trips, by[0].From)
	}
	return out
}

// pickRegs is the registers with the given numbers.
func pickRegs(regs []asm.Reg, numbers []int) []asm.Reg {
	out := make([]asm.Reg, len(numbers))
	for i, n := range numbers {
		out[i] = regs[n]
	}
	return out
}

// sharedTrip is a tile on its way through shared memory, in parts of so many bytes of the buffer.
type sharedTrip struct {
	dtype                 num.DType
	at                    int // the first byte
	parts, bytes          int
	withinWarps           bool             // no element goes to another warp
	matrices              *layout.Matrices // nil: storeAddrs
	from, to              []asm.Reg
	storeAddrs, loadAddrs addressWalk
}

// newSharedTrip is the way of a conversion through shared memory.
func (t *threadCode) newSharedTrip(c *plan.Conversion, d num.DType, in []asm.Reg, at int) *sharedTrip {
	trip := &sharedTrip{dtype: d, from: in, to: make([]asm.Reg, c.Outs), matrices: c.Matrices, at: at, parts: c.Parts,
		bytes: c.Bytes, withinWarps: !c.CrossesWarps()}
	trip.storeAddrs, trip.loadAddrs = t.walkAccess(c.Store), t.walkAccess(c.Load)
	return trip
}

// runSharedTrips takes tiles of layout src through shared memory, all at the same time: part by part, all stores, then
// all loads. Of an element's replicas one is stored.
func (tc *tileCode) runSharedTrips(trips []*sharedTrip, src layout.Layout) {
	free := src.Free()
	skip := tc.threadBits(free.Lane, free.Warp)
	// Warps whose buffers are their own need no barrier with others.
	within := slices.ContainsFunc(trips, func(t *sharedTrip) bool { return t.withinWarps })
	crossing := slices.ContainsFunc(trips, func(t *sharedTrip) bool { return !t.withinWarps })
	synchronize := func(all bool) {
		if within {
			tc.Effect("bar.warp.sync", asm.I(-1))
		}
		if crossing && all {
			tc.Barrier()
		}
	}
	// All tiles store a part before any loads it, so that there is one barrier, not one for each tile.
	for part, left := 0, true; left; part++ {
		left = false
		synchronize(part > 0) // the buffer may have been read, in an iteration before or for the part before
		for _, t := range trips {
			t.storePart(tc, part, skip)
			left = left || part+1 < t.parts
		}
		synchronize(true)
		for _, t := range trips {
			t.loadPart(tc, part)
		}
	}
}

// storePart stores a part, except in threads where skip holds.
func (t *sharedTrip) storePart(e *tileCode, part int, skip asm.Reg) {
	if t.matrices != nil {
		t.storeMatrices(e, part)
		return
	}
	t.storeAddrs.eachInPart(e, part, t.bytes, func(at sharedAddr, regs []int, in asm.Reg) {
		at.off += int64(t.at)
		e.storeShared(at, t.dtype, pickRegs(t.from, regs), e.orNot(in, skip))
	})
}

// storeMatrices stores a part by stmatrix: each instruction stores up to four 8×8 matrices of 16-bit elements, each
// lane giving the address of one row (PTX ISA, "stmatrix"). Registers alone decide about the part.
func (t *sharedTrip) storeMatrices(e *tileCode, part int) {
	x := t.matrices
	op := fmt.Sprintf("stmatrix.sync.aligned.m8n8.x%d.shared.b16", x.Count)
	w := e.walkAccess(layout.Access{Lane: x.Lane, Warp: x.Warp, At: x.At})
	each := len(t.from) / len(x.At)
	for i, o := range x.At {
		if int(o.Imm)/t.bytes != part {
			continue
		}
		at := asm.MB(w.base(e, i), int64(t.at)+int64(o.Imm)%int64(t.bytes))
		values := pickRegs(t.from, x.Regs[i*each:][:each])
		e.Effect(op, at, asm.V(e.packWords(t.dtype, values)...))
	}
}

// orNot is skip or not in, predicates either of which may be none: skip that is none does not hold, in that is none
// does.
func (t *threadCode) orNot(in, skip asm.Reg) asm.Reg {
	if !in.OK() {
		return skip
	}
	out := t.Do("not.pred", asm.R(in))
	if skip.OK() {
		out = t.Do("or.pred", asm.R(out), asm.R(skip))
	}
	return out
}

// loadPart loads a part.
func (t *sharedTrip) loadPart(e *tileCode, part int) {
	t.loadAddrs.eachInPart(e, part, t.bytes, func(at sharedAddr, regs []int, in asm.Reg) {
		at.off += int64(t.at)
		for j, v := range e.loadShared(at, t.dtype, len(regs)) {
			r := regs[j]
			// Another part has given the register its value in threads where in does not hold.
			if in.OK() && t.to[r].OK() {
				v = e.selectReg(in, v, t.to[r])
			}
			t.to[r] = v
		}
	})
	if part+1 == t.parts {
		for r, s := range t.loadAddrs.access.Same {
			t.to[r] = t.to[s]
		}
	}
}

// addressWalk is the addresses of an access to shared memory. Each is the thread's part, XORed with a constant where
// the swizzle needs it, plus an immediate.
type addressWalk struct {
	access layout.Access
	thread asm.Reg // none: 0
	bases  map[uint32]asm.Reg
}

func (t *threadCode) walkAccess(a layout.Access) addressWalk {
	return addressWalk{a, t.threadOffset(a.Lane, a.Warp), map[uint32]asm.Reg{}}
}

// base is the i-th access's address without its immediate, computed once for each XOR.
func (w addressWalk) base(e *tileCode, i int) asm.Reg {
	x := w.access.At[i].Xor
	if x == 0 {
		return w.thread
	}
	if _, ok := w.bases[x]; !ok {
		w.bases[x] = e.Do("xor.b32", asm.R(w.thread), asm.I(int64(x)))
	}
	return w.bases[x]
}

// eachInPart calls f for the accesses that may be in a part of so many bytes, a power of two: with the address within
// the part, the registers, and a predicate for the threads whose address is in the part; none stands for all threads.
func (w addressWalk) eachInPart(e *tileCode, part, bytes int, f func(at sharedAddr, regs []int, in asm.Reg)) {
	// The address is thread ^ xor + imm. Which part it is in depends on the bits from log2(bytes) on: on those that no
	// thread sets, known now, and on those that threads set, compared at run time.
	var reach uint32 // bits of the address that depend on the thread
	for _, m := range append(slices.Clone(w.access.Lane), w.access.Warp...) {
		reach |= m
	}
	high := ^uint32(bytes - 1)
	for i, o := range w.access.At {
		regs := w.access.Regs[i*w.access.Vec:][:w.access.Vec]
		at := sharedAddr{base: w.base(e, i), off: int64(o.Imm &^ high)}
		want := uint32(part*bytes) ^ o.Imm&high
		switch {
		case want&^reach != 0:
		case reach&high == 0:
			f(at, regs, asm.Reg{})
		default:
			in := e.Do("setp.eq.b32", asm.R(e.Do("and.b32", asm.R(at.base),
				asm.I(int64(reach&high)))), asm.I(int64(want)))
			at.base = e.Do("and.b32", asm.R(at.base), asm.I(int64(bytes-1)))
			f(at, regs, in)
		}
	}
}
