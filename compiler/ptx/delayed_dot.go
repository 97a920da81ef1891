package ptx

import (
	"github.com/newtlab/newt/compiler/ptx/asm"
	"github.com/newtlab/newt/compiler/ptx/plan"
)

// delayedDot is the warpgroup MMA of a pipelined loop that is issued one iteration late (plan.Delay). Where the body
// has it, its left operand is kept in variables; its instructions follow those of another dot in the next iteration,
// and after the loop those of the last one. The first iteration issues it too: it multiplies zeros, from registers and
// from the stage buffer that no copy has filled yet.
type delayedDot struct {
	plan  *plan.Delay
	pipe  *pipeline
	dc    *dotCode
	words []asm.Reg  // b32 variables: the left operand's fragments, of the iteration before
	from  asm.Reg    // b32 variable: offset of the stage buffer of the iteration before
	right sharedTile // the right operand, in that buffer
	sums  []asm.Reg  // the accumulator, variables of the loop
}

// newDelayedDot makes the left operand that the first iteration multiplies.
func (p *pipeline) newDelayedDot() *delayedDot {
	e, in := p.e, p.plan.Delay.Dot
	d := &delayedDot{plan: p.plan.Delay, pipe: p, dc: &dotCode{e, in, e.plan.Dots[in]}, from: e.Reg(asm.B32)}
	bits := d.dc.p.Elem[0].Info().Bits
	d.words = e.Regs(asm.B32, d.dc.p.Fragments(0, in.Operands[0].Type.Shape, bits).Regs()*bits/32)
	for _, w := range d.words {
		e.Move(w, asm.I(0))
	}
	e.Move(d.from, asm.I(int64(d.lastBuffer())))
	return d
}

// lastBuffer is the offset of the last stage buffer.
func (d *delayedDot) lastBuffer() int { return (d.pipe.plan.Buffers - 1) * d.pipe.plan.StageBytes }

// fillZeros stores the right operand that the first iteration multiplies, 16 bytes in each thread at a time. The
// prologue's copies, which fill other stage buffers, are under way by then: an H100 was 1.4 % faster at attention with
// D = 128 than with the zeros, a proxy fence and a barrier before them. To package asm they are copies, as theirs are.
func (d *delayedDot) fillZeros() {
	e, p, bytes := d.dc.e, d.pipe, d.plan.Right.Mem.Bytes()
	step := plan.MaxAccess * e.plan.Target.Threads()
	zero, at := e.Do("mov.b32", asm.B32, asm.I(0)), e.Do("shl.b32", asm.B32, asm.R(e.tid), asm.I(4))
	for n := 0; n < bytes; n += step {
		var within asm.Reg
		if bytes-n < step {
			within = e.Do("setp.lt.u32", asm.Pred, asm.R(at), asm.I(int64(bytes-n)))
		}
		to := asm.MB(p.buf, at, int64(d.lastBuffer()+d.plan.Right.Offset+n))
		e.Add(asm.Inst{Op: "st.shared.v4.b32", Src: []asm.Operand{to, asm.V(zero, zero, zero, zero)},
			Guard: within, Access: asm.AsyncWrite, Buffer: p.buf, Effect: true})
	}
	if p.mbarriers != nil && len(e.plan.Hoists[p.plan.Loop]) == 0 { // else a fence follows anyway
		e.fenceAsyncProxy()
	}
}

// beginIteration binds what the dot of the iteration before reads and writes, as the loop's body begins.
func (d *delayedDot) beginIteration() {
	d.right = d.dc.e.stagedTile(d.dc.in.Operands[1])
	d.right.base = d.from
	d.sums = d.dc.e.regs(d.pipe.carriedArg(d.plan.Carried))
}

// keep stands where the body has the dot: its left operand goes to the variables, and its accumulator, acc, is the
// result, to which the next iteration adds the products.
func (d *delayedDot) keep(acc []asm.Reg) []asm.Reg {
	fragments, _ := d.dc.wgmmaOperand(0)
	for i, w := range d.words {
		d.dc.e.Move(w, asm.R(fragments.get(i)))
	}
	return acc
}

// issue emits the dot's instructions as a group of their own.
func (d *delayedDot) issue() {
	c := d.dc.newWgmma([2]sharedTile{1: d.right}, loadedRegs(d.words))
	c.sums = d.sums
	c.issue()
}

// issueBehind issues the dot of the iteration before behind another one's instructions, the last MMA of an iteration.
func (d *delayedDot) issueBehind() {
	d.issue()
	if t := d.pipe.turns; t != nil {
		t.end()
	}
}

// wait waits for the dot of the iteration before. ptxas may move the wait up across arithmetic, so it decides what
// overlaps: a store that held the wait back cost 4 to 9 % of attention's speed on an H200.
func (d *delayedDot) wait() { d.dc.e.waitWgmma(d.right.buf, nil, 0) }

// endIteration moves on to the stage buffer that this iteration has read.
func (d *delayedDot) endIteration() { d.dc.e.Move(d.from, asm.R(d.pipe.read)) }

// epilogue adds the products of the last iteration.
func (d *delayedDot) epilogue() {
	d.dc.e.Effect("wgmma.fence.sync.aligned")
	d.issue()
	d.wait()
}
