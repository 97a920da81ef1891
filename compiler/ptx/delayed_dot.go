package ptx

import (
	"github.com/newtlab/newt/compiler/ptx/asm"
	"github.com/newtlab/newt/compiler/ptx/plan"
)

// delayedDot is the warpgroup MMA of a pipelined loop that is issued one iteration late (plan.Delay). Where the body
// has it, its left operand is kept in variables; its instructions follow those of another dot in the next iteration,
// and after the loop those of the last one. The first iteration, which has none before it, is peeled: without a branch
// around the instructions, which would have ptxas wait for them at once (an H100 was 4 % slower).
type delayedDot struct {
	plan  *plan.Delay
	pipe  *pipeline
	dc    *dotCode
	first bool      // the first iteration is emitted
	words []asm.Reg // b32 variables: the left operand's fragments, of the iteration before
	from  asm.Reg   // b32 variable: offset of the stage buffer of the iteration before
}

// newDelayedDot makes the variables, which the first iteration assigns.
func (p *pipeline) newDelayedDot() *delayedDot {
	e, in := p.e, p.plan.Delay.Dot
	dot := &dotCode{e, in, e.plan.Dots[in]}
	d := &delayedDot{plan: p.plan.Delay, pipe: p, dc: dot, first: true, from: e.Reg(asm.B32)}
	bits := dot.p.Elem[0].Info().Bits
	d.words = e.Regs(asm.B32, d.dc.p.Fragments(0, in.Operands[0].Type.Shape, bits).Regs()*bits/32)
	return d
}

// delayedDot is the loop's delayed dot; nil: there is none.
func (p *pipeline) delayedDot() *delayedDot {
	if p == nil {
		return nil
	}
	return p.delayed
}

// peel emits the first iteration, which gives whether there is another one, and then the loop.
func (d *delayedDot) peel(iteration func() asm.Reg, loop func()) {
	e := d.dc.e
	end := e.NewLabel("last")
	e.Branch(end, iteration(), true)
	d.first = false
	loop()
	e.Bind(end)
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

// right is the right operand of this iteration.
func (d *delayedDot) right() sharedTile { return d.dc.e.staged[d.dc.in.Operands[1]] }

// issue emits the dot's instructions as a group of their own.
func (d *delayedDot) issue() {
	right := d.right()
	right.base = d.from
	c := d.dc.newWgmma([2]sharedTile{1: right}, loadedRegs(d.words))
	c.sums = d.dc.e.regs(d.pipe.plan.Loop.Regions[0].Args[1+d.plan.Carried])
	c.issue()
}

// issueBehind issues the dot of the iteration before behind another one's instructions, the last MMA of an iteration.
func (d *delayedDot) issueBehind() {
	if !d.first {
		d.issue()
	}
	if t := d.pipe.turns; t != nil {
		t.end()
	}
}

// wait waits for the dot of the iteration before. ptxas may move the wait up across arithmetic, so it decides what
// overlaps: a store that held the wait back cost 4 to 9 % of attention's speed on an H200.
func (d *delayedDot) wait() {
	if !d.first {
		d.dc.e.waitWgmma(0)
	}
}

// endIteration moves on to the stage buffer that this iteration has read.
func (d *delayedDot) endIteration() { d.dc.e.Move(d.from, asm.R(d.right().base)) }

// epilogue adds the products of the last iteration.
func (d *delayedDot) epilogue() {
	d.dc.e.Effect("wgmma.fence.sync.aligned")
	d.issue()
	d.wait()
}
