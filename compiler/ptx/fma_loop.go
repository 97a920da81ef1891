package ptx

import (
	"github.com/newtlab/newt/compiler/ptx/asm"
	"github.com/newtlab/newt/compiler/ptx/plan"
)

// kChunks is an operand in shared memory that a dot's loop takes in chunks along K.
type kChunks struct {
	*plan.Chunks
	tile sharedTile
	walk addressWalk
}

// loadChunk is the elements of the chunk whose number a register has.
func (tc *tileCode) loadChunk(c kChunks, number asm.Reg) *lazyRegs {
	t, w := c.tile, c.walk
	// addresses of this chunk alone
	w.bases = map[uint32]asm.Reg{}
	if add := tc.permuteBits(number, c.Adds); add.OK() && t.base.OK() {
		t.base = tc.Do("add.s32", asm.R(t.base), asm.R(add))
	} else if add.OK() {
		t.base = add
	}
	if flip := tc.permuteBits(number, c.Xors); flip.OK() {
		w.thread = tc.Do("xor.b32", asm.R(w.thread), asm.R(flip))
		if t.base.OK() { // it differs from chunk to chunk, so it cannot be computed in the kernel's entry
			for i, o := range w.access.At {
				if _, ok := w.bases[o.Xor]; !ok {
					w.bases[o.Xor] = tc.Do("add.s32", asm.R(t.base), asm.R(w.base(tc, i)))
				}
			}
		}
	}
	return tc.loadAll(t, w, c.Regs)
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

// fmaLoop adds the products of a dot to sums, variables, in a loop over its chunks along K.
func (dc *dotCode) fmaLoop(f fmaPlan, depth int, sums []asm.Reg) {
	var parts [2]kChunks
	for s := range parts {
		_, t := dc.operand(plan.Side(s))
		c := &dc.p.Chunks[s]
		parts[s] = kChunks{c, t, dc.e.walkAccess(c.Access)}
	}
	chunk := dc.e.Reg(asm.B32)
	dc.e.Move(chunk, asm.I(0))
	head := dc.e.NewLabel("dot")
	dc.e.Loop(head, func() {
		x := [2]*lazyRegs{dc.e.loadChunk(parts[0], chunk), dc.e.loadChunk(parts[1], chunk)}
		dc.fmaSteps(f, x, plan.FMAChunk, sums, func(r int) asm.Reg { return sums[r] })
		dc.e.Into(chunk, "add.s32", asm.R(chunk), asm.I(1))
		more := dc.e.Do("setp.lt.s32", asm.R(chunk), asm.I(int64(depth/plan.FMAChunk)))
		dc.e.Branch(head, more, false)
	})
}
