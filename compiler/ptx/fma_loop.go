package ptx

import (
	"slices"

	"github.com/newtlab/newt/compiler/layout"
	"github.com/newtlab/newt/compiler/ptx/asm"
	"github.com/newtlab/newt/compiler/ptx/plan"
)

// fmaChunk is how many products along k one iteration of a dot's loop adds to each sum. Operands of the next k are
// loaded
// while this one's are multiplied, but not across iterations; longer iterations are more code.
const fmaChunk = 16

// kChunks is an operand in shared memory, cut into chunks of fmaChunk along k whose addresses follow from those of the
// first by the chunk's number.
type kChunks struct {
	tile sharedTile
	walk addressWalk
	regs int // that a thread has of one chunk
	// By bit of the chunk's number: the address bits that it flips in a thread's part of the address, where the swizzle
	// depends on it, and what it adds to the address.
	xors, adds []uint32
}

// splitAlongK cuts t, which a thread loads in layout want with width registers for each k, into chunks. It fails if the
// swizzle mixes the chunk's number with offsets within it.
func (t *threadCode) splitAlongK(tile sharedTile, want layout.Layout, depth, width int) (c kChunks, ok bool) {
	if depth <= fmaChunk {
		return c, false
	}
	a := tile.mem.Access(want, plan.MaxAccess*8/tile.mem.ElemBits)
	c = kChunks{tile: tile, regs: fmaChunk * width}
	inside := uint32(0) // address bits that offsets within a chunk set
	// An access that loads elements of two chunks at once cannot be moved by the chunk's number.
	for i, o := range a.At {
		switch group := a.Regs[i*a.Vec:][:a.Vec]; {
		case slices.Max(group) < c.regs:
			inside |= o.Imm
		case slices.Min(group) < c.regs:
			return c, false
		}
	}
	// Register r is the first one with one bit of the chunk's number set: its address shows what that bit does.
	for r := c.regs; r < want.Regs(); r *= 2 {
		i := slices.Index(a.Regs, r)
		if i < 0 || i%a.Vec != 0 || a.At[i/a.Vec].Imm&inside != 0 {
			return c, false
		}
		c.xors = append(c.xors, a.At[i/a.Vec].Xor)
		c.adds = append(c.adds, a.At[i/a.Vec].Imm)
	}
	c.walk = t.walkAccess(a)
	return c, true
}

// loadChunk is the elements of the chunk whose number a register has.
func (tc *tileCode) loadChunk(c kChunks, number asm.Reg) *lazyRegs {
	t, w := c.tile, c.walk
	// addresses of this chunk alone
	w.bases = map[uint32]asm.Reg{}
	if add := tc.permuteBits(number, c.adds); add.OK() && t.base.OK() {
		t.base = tc.Do("add.s32", asm.R(t.base), asm.R(add))
	} else if add.OK() {
		t.base = add
	}
	if flip := tc.permuteBits(number, c.xors); flip.OK() {
		w.thread = tc.Do("xor.b32", asm.R(w.thread), asm.R(flip))
		if t.base.OK() { // it differs from chunk to chunk, so it cannot be computed in the kernel's entry
			for i, o := range w.access.At {
				if _, ok := w.bases[o.Xor]; !ok {
					w.bases[o.Xor] = tc.Do("add.s32", asm.R(t.base), asm.R(w.base(tc, i)))
				}
			}
		}
	}
	return tc.loadAll(t, w, c.regs)
}

// copyToVars makes variables that start as copies of regs.
func (t *threadCode) copyToVars(regs []asm.Reg) []asm.Reg {
	out := make([]asm.Reg, len(regs))
	for r, x := range regs {
		out[r] = t.Reg(x.Class)
		t.Move(out[r], asm.R(x))
	}
	return out
}

// fmaLoop is fmaSteps as a loop over chunks of k, on variables.
func (dc *dotCode) fmaLoop(f fmaPlan, parts [2]kChunks, tripCount int, sums []asm.Reg) {
	chunk := dc.e.Reg(asm.B32)
	dc.e.Move(chunk, asm.I(0))
	head := dc.e.NewLabel("dot")
	dc.e.Loop(head, func() {
		x := [2]*lazyRegs{dc.e.loadChunk(parts[0], chunk), dc.e.loadChunk(parts[1], chunk)}
		dc.fmaSteps(f, x, fmaChunk, sums, func(r int) asm.Reg { return sums[r] })
		dc.e.Into(chunk, "add.s32", asm.R(chunk), asm.I(1))
		dc.e.Branch(head, dc.e.Do("setp.lt.s32", asm.R(chunk), asm.I(int64(tripCount))), false)
	})
}
