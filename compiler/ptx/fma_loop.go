package ptx

import (
	"slices"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/layout"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/asm"
)

// fmaChunk is how many products along k one round of a loop adds to each sum. Operands of the next k are read while
// this one's are multiplied, but not from round to round; longer rounds take more code.
const fmaChunk = 16

// chunks is an operand in shared memory whose parts of fmaChunk along k lie alike: the addresses of one follow from
// those of the first by its number.
type chunks struct {
	tile sharedTile
	walk walk
	regs int // that a thread has of one part
	// By bit of the part's number: what it flips in the threads' part of an address, and what it adds.
	flips, adds []uint32
}

// chunks finds the parts of t, which a thread reads as want says, with width registers for each k. It fails where the
// swizzle mixes their number with places in them.
func (e *emitter) chunks(t sharedTile, want layout.Layout, depth, width int) (c chunks, ok bool) {
	if depth <= fmaChunk {
		return c, false
	}
	a := t.mem.Access(want, maxVector*8/t.mem.ElemBits)
	c = chunks{tile: t, regs: fmaChunk * width}
	inside := uint32(0) // bits that places in a part add
	for i, o := range a.At {
		switch group := a.Regs[i*a.Vec:][:a.Vec]; {
		case slices.Max(group) < c.regs:
			inside |= o.Imm
		case slices.Min(group) < c.regs:
			return c, false
		}
	}
	for r := c.regs; r < want.Regs(); r *= 2 {
		i := slices.Index(a.Regs, r)
		if i < 0 || i%a.Vec != 0 || a.At[i/a.Vec].Imm&inside != 0 {
			return c, false
		}
		c.flips = append(c.flips, a.At[i/a.Vec].Xor)
		c.adds = append(c.adds, a.At[i/a.Vec].Imm)
	}
	c.walk = e.walk(a)
	return c, true
}

// read is the elements of the part whose number a register has.
func (e *emitter) read(c chunks, number asm.Reg) *operand {
	t, w := c.tile, c.walk
	w.bases = map[uint32]asm.Reg{}
	if add := e.spread(number, c.adds); add.OK() && t.base.OK() {
		t.base = e.Do("add.s32", asm.B32, asm.R(t.base), asm.R(add))
	} else if add.OK() {
		t.base = add
	}
	if flip := e.spread(number, c.flips); flip.OK() {
		w.thread = e.Do("xor.b32", asm.B32, asm.R(w.thread), asm.R(flip))
		if t.base.OK() { // it differs from part to part, so it is not computed at the kernel's start
			for i, o := range w.access.At {
				if _, ok := w.bases[o.Xor]; !ok {
					w.bases[o.Xor] = e.Do("add.s32", asm.B32, asm.R(t.base), asm.R(w.base(e, i)))
				}
			}
		}
	}
	return e.readAll(t, w, c.regs)
}

// accumulates reports whether what in adds to is a variable of the loop around it, which nothing else reads.
func (e *emitter) accumulates(in *ir.Instr, p *dotPlan) bool {
	v := in.Operands[2]
	if v.Type.DType != p.sum || !e.layout(v).Equal(p.acc) || len(e.copies[v.ID]) > 0 {
		return false
	}
	uses, carried := 0, false
	e.fn.Body.Walk(func(x *ir.Instr) {
		for _, o := range x.Operands {
			if o == v {
				uses++
			}
		}
		if x.Op == ops.For {
			body := x.Regions[0]
			carried = carried || slices.Contains(body.Args[1:], v) && slices.Contains(body.Instrs, in)
		}
	})
	return carried && uses == 1
}

// variablesOf is variables that begin as regs.
func (e *emitter) variablesOf(regs []asm.Reg) []asm.Reg {
	out := make([]asm.Reg, len(regs))
	for r, x := range regs {
		out[r] = e.Reg(x.Class)
		e.Move(out[r], asm.R(x))
	}
	return out
}

// fmaLoop is fmaSteps in rounds of fmaChunk, on variables.
func (e *emitter) fmaLoop(f fmaPlan, parts [2]chunks, rounds int, sums []asm.Reg) {
	round := e.Reg(asm.B32)
	e.Move(round, asm.I(0))
	head := e.NewLabel("dot")
	e.Loop(head, func() {
		x := [2]*operand{e.read(parts[0], round), e.read(parts[1], round)}
		e.fmaSteps(f, x, fmaChunk, sums, func(r int) asm.Reg { return sums[r] })
		e.Into(round, "add.s32", asm.R(round), asm.I(1))
		e.Branch(head, e.Do("setp.lt.s32", asm.Pred, asm.R(round), asm.I(int64(rounds))), false)
	})
}
