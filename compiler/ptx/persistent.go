package ptx

import (
	"maps"
	"slices"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ptx/asm"
	"github.com/newtlab/newt/compiler/ptx/plan"
)

// persistent is a persistent thread block (plan.Persistent), which runs every %nctaid.x-th program:
//
//	copies of the first stages of program %ctaid.x
//	for each of its programs:
//	    what is before the loop
//	    the pipelined loop, without a prologue: those copies are under way
//	    warp 0, while the last MMA is in flight: copies of the first stages of the next program, if there is one
//	    what is behind the loop, the conversion and the stores of the results
//
// The stage buffers and their mbarriers go on from program to program, as from iteration to iteration, so the copies
// for the next program fill the buffers behind the one that the last iteration reads. These are free: in that iteration
// all threads have met at a barrier behind the MMAs of the iteration before.
type persistent struct {
	e    *emitter
	plan *plan.Persistent
	pipe *pipeline
	next asm.Reg // b32: the next program
	more asm.Reg // pred: whether there is one
}

// emitPrograms emits the function's body for a persistent thread block.
func (e *emitter) emitPrograms() {
	p := &persistent{e: e, plan: e.plan.Persistent, pipe: e.newPipeline(e.plan.Pipelines[e.plan.Persistent.Loop])}
	e.persistent = p
	first := e.gridRegister("%ctaid.", 0)
	p.pipe.beginTensors()
	p.pipe.beginBuffers()
	p.pipe.movePrefetchToVars(p.issueCopies(first))
	e.Barrier() // the mbarriers are there for all
	program := e.Reg(asm.B32)
	e.Move(program, asm.R(first))
	head := e.NewLabel("programs")
	e.Loop(head, func() {
		e.program = e.Do("mov.b32", asm.B32, asm.R(program))
		p.next = e.Do("add.s32", asm.B32, asm.R(e.program), asm.R(e.gridRegister("%nctaid.", 0)))
		p.more = e.Do("setp.lt.u32", asm.Pred, asm.R(p.next), asm.R(e.programs))
		e.emitBlock(e.fn.Body)
		e.Move(program, asm.R(p.next))
		e.Branch(head, p.more, false)
	})
}

// pipelineOf is the pipeline of the persistent thread block's loop; nil for other loops.
func (p *persistent) pipelineOf(loop *ir.Instr) *pipeline {
	if p == nil || p.plan.Loop != loop {
		return nil
	}
	return p.pipe
}

// issueCopies issues the copies of a program's first stages, and gives the state of the prefetch behind them.
func (p *persistent) issueCopies(program asm.Reg) prefetchState {
	e, r := p.e, p.pipe
	current := e.program
	defer func() { e.program = current }()
	e.program = program
	var values []*ir.Value
	for _, in := range p.plan.Next {
		values = append(values, in.Results...)
	}
	defer e.keepBindings(values)()
	for _, in := range p.plan.Next {
		e.emitInstr(in)
	}
	vars := r.prefetch
	defer func() { r.prefetch = vars }()
	r.prefetch = r.firstPrefetch()
	r.prefetch.valid = e.Do("setp.lt."+r.indexType(), asm.Pred, asm.R(r.loopBound(0)), asm.R(r.loopBound(1)))
	r.issuePrologue()
	r.prologue = false
	return r.prefetch
}

// issueNext issues the copies of the next program, if the loop, which this one has left or not entered, is the
// persistent thread block's.
func (p *persistent) issueNext(loop *ir.Instr) {
	if p.pipelineOf(loop) == nil {
		return
	}
	e := p.e
	issues := e.andPred(map[asm.Reg]asm.Reg{}, e.firstWarp(), p.more)
	e.Unless(issues, true, func() {
		p.pipe.setPrefetchVars(p.pipe.prefetch, p.issueCopies(p.next))
	})
}

// resume binds the pipeline to the values of the program that begins, whose copies are under way: to what no iteration
// changes of the carried values.
func (p *pipeline) resume() {
	e, loop := p.e, p.plan.Loop
	for i, c := range p.plan.Carried {
		b := e.binding(loop.Operands[3+c])
		switch p.varying(c) {
		case nothingVaries:
			p.prefetch.carried[i] = b
		case uniformVaries:
			b.ptr.uniform = p.prefetch.carried[i].ptr.uniform
			p.prefetch.carried[i] = b
		}
	}
	p.broadcasts = map[[2]baseImm]asm.Reg{}
	p.prologue = true
	defer p.emitAddresses()()
	for _, l := range p.plan.Loads {
		p.tensorTile(l)
	}
	p.prologue = false
	maps.DeleteFunc(p.broadcasts, func(parts [2]baseImm, _ asm.Reg) bool {
		return p.updates(parts[0].base) || p.updates(parts[1].base)
	})
}

// updates reports whether a register is a variable that iterations update.
func (p *pipeline) updates(r asm.Reg) bool {
	found := r == p.prefetch.index
	for i, c := range p.plan.Carried {
		if b := p.prefetch.carried[i]; p.varying(c) == allVaries {
			found = found || slices.Contains(b.regs, r) || slices.Contains(b.ptr.off, baseImm{base: r})
		}
	}
	return found && r.OK()
}
