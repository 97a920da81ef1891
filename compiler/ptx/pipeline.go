package ptx

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/asm"
	"github.com/newtlab/newt/compiler/ptx/plan"
)

// pipeline emits a software-pipelined loop (plan.Pipeline): cp.async copies the tiles of later iterations to shared
// memory while the loop computes on those of this one (PTX ISA, "Data Movement and Conversion Instructions:
// Asynchronous copy"). The tiles go to a multistage circular buffer: each of its stage buffers has room for one tile of
// every pipelined load. Iteration i reads stage buffer i mod stages, and its copies, for iteration i+stages-1, fill the
// one that iteration i-1 has read:
//
//	prologue:      stages-1 times: copy, commit a group
//	steady state:  wait until stages-2 groups are outstanding; barrier; copy, commit; the loop's body
//	               (twice where a dot is delayed: its first iteration is peeled)
//	epilogue:      none: copies for iterations that do not come are masked off
//
// If the warpgroups take turns (plan.Pipeline.Turns), there is no barrier for all threads: see turns.
//
// Before the first iteration no MMA is in flight. With two stages the prologue would copy for one iteration alone; if
// all copies are tensor copies, which need no place in an order of groups, it copies for two, the second to the buffer
// that is free then, and the first iteration copies nothing. (On an H100 attention gained 2 % by that; matmuls of three
// stages lost 1 % by a longer prologue.)
//
// The one barrier of an iteration says two things: the copies that other threads have waited for are there for all, and
// all threads have read the stage buffer that is overwritten now.
//
// A warpgroup MMA that stays in flight (overlappableDot) is waited for one iteration later, and one that is delayed
// (plan.Delay) is issued one iteration later. Then there is one stage buffer more, copies fill the one that iteration
// i-2 has read, and the epilogue waits for the last one. Without a buffer more (plan.Pipeline.CopiesLast) the copies
// stand behind the MMA, which keeps the tensor cores busy while threads wait for that of iteration i-1 and for each
// other.
type pipeline struct {
	e        *emitter
	plan     *plan.Pipeline
	buf      *asm.Buffer
	read     asm.Reg // b32 variable: offset of the stage buffer that this iteration reads
	write    asm.Reg // b32 variable: offset of the stage buffer that is filled next
	prefetch prefetchState

	delayed    *delayedDot                // nil: there is none
	notFirst   asm.Reg                    // pred, a variable: whether an iteration is done; none: nobody asks
	mbarriers  *mbarriers                 // nil: no load is made by tensor copies
	turns      *turns                     // nil: one barrier an iteration
	cpAsync    bool                       // some loads are made by cp.async
	ahead      bool                       // the prologue fills the buffer that a dot in flight needs later
	prologue   bool                       // the prologue is emitted
	broadcasts map[[2]baseImm]asm.Reg     // what the prologue has broadcast
	ranges     map[*ir.Instr]addressRange // what the bounds checks of cp.async compare with
}

// prefetchState is the iteration whose copies are issued next.
type prefetchState struct {
	index   asm.Reg   // the loop's induction variable
	valid   asm.Reg   // pred: whether there is such an iteration; none: there is
	carried []binding // the loop-carried values that addresses depend on (plan.Pipeline.Carried)
}

// beginPipeline emits the prologue of a loop, before the loop and where it is known to have an iteration. It is nil if
// the loop is not pipelined.
func (e *emitter) beginPipeline(loop *ir.Instr) *pipeline {
	if p := e.persistent.pipelineOf(loop); p != nil {
		p.resume()
		return p
	}
	r := e.plan.Pipelines[loop]
	if r == nil {
		return nil
	}
	p := e.newPipeline(r)
	if p.nested() { // it may have run before: the last copies then, all masked off, may be outstanding
		p.awaitOthers()
	}
	tensors, all := r.Tensors()
	if tensors {
		p.beginTensors()
	}
	p.prefetch = p.firstPrefetch()
	p.issuePrologue()
	if p.ahead = all && r.Stages == 2 && r.Buffers > r.Stages; p.ahead {
		next := p.prefetch
		next.carried = slices.Clone(next.carried)
		p.issueStage(asm.Reg{}, (r.Stages-1)*p.plan.StageBytes, asm.Reg{}, (r.Stages-1)*mbarrierBytes)
		p.prefetch = next
	}
	p.prologue = false
	p.movePrefetchToVars(p.prefetch)
	p.beginBuffers()
	return p
}

// newPipeline makes the stage buffers of a loop.
func (e *emitter) newPipeline(r *plan.Pipeline) *pipeline {
	_, all := r.Tensors()
	p := &pipeline{e: e, plan: r, buf: e.Shared("stages", r.Buffers*r.StageBytes, plan.StageAlign), cpAsync: !all,
		ranges: map[*ir.Instr]addressRange{}}
	p.buf.Circular = true
	for _, in := range r.Loop.Regions[0].Instrs {
		e.pipelines[in] = p
	}
	return p
}

// tile is the tile of a load in the stage buffer that is read.
func (p *pipeline) tile(l *plan.AsyncLoad) sharedTile {
	return sharedTile{p.buf, p.read, l.Offset, l.Mem, l.In.Results[0].Type.DType}
}

// beginBuffers begins with the first stage buffer.
func (p *pipeline) beginBuffers() {
	p.read, p.write = p.e.Reg(asm.B32), p.e.Reg(asm.B32)
	p.e.Move(p.read, asm.I(0))
	p.e.Move(p.write, asm.I(int64((p.plan.Stages-1)*p.plan.StageBytes)))
	for _, l := range p.plan.Loads {
		p.e.staged[l.In.Results[0]] = p.tile(l)
	}
}

// issuePrologue issues the copies of the first stages-1 iterations: to the first stage buffers, or, of a program of a
// persistent thread block, to those behind the ones that the program before has read. The caller ends the prologue.
func (p *pipeline) issuePrologue() {
	p.prologue, p.broadcasts = true, map[[2]baseImm]asm.Reg{}
	at, barrier := p.read, asm.Reg{}
	if at.OK() {
		barrier = p.mbarriers.read
	}
	for stage := range p.plan.Stages - 1 {
		if at.OK() {
			p.issueStage(at, 0, barrier, 0)
			at, _ = p.nextBuffer(at, p.plan.StageBytes)
			barrier, _ = p.nextBuffer(barrier, mbarrierBytes)
			continue
		}
		p.issueStage(asm.Reg{}, stage*p.plan.StageBytes, asm.Reg{}, stage*mbarrierBytes)
	}
}

// awaitOthers waits for all copies, and for what all threads have done before.
func (p *pipeline) awaitOthers() {
	p.e.Effect("cp.async.wait_all")
	p.e.Barrier()
}

// nested reports whether the loop may run several times in a program.
func (p *pipeline) nested() bool { return !slices.Contains(p.e.fn.Body.Instrs, p.plan.Loop) }

// enter makes visible what the first iteration reads before its barrier, or, with turns, without one: mbarriers, and
// what threads have stored for the loop.
func (p *pipeline) enter() {
	if p == nil || p.e.persistent != nil { // which has met at a barrier before its first program
		return
	}
	if p.plan.Turns || p.mbarriers != nil {
		p.e.Barrier()
	}
	if p.plan.Turns {
		p.turns = newTurns(p.e)
	}
}

// firstPrefetch is the state of the prefetch at the first iteration.
func (p *pipeline) firstPrefetch() prefetchState {
	s := prefetchState{index: p.loopBound(0)}
	for _, c := range p.plan.Carried {
		s.carried = append(s.carried, p.e.binding(p.plan.Loop.Operands[3+c]))
	}
	return s
}

// loopBound is the loop's lower bound (0), upper bound (1) or step (2).
func (p *pipeline) loopBound(i int) asm.Reg { return p.e.regs(p.plan.Loop.Operands[i])[0] }

// carriedArg is the c-th loop-carried value as the body knows it.
func (p *pipeline) carriedArg(c int) *ir.Value { return p.plan.Loop.Regions[0].Args[1+c] }

// indexType is PTX's type of the induction variable in comparisons.
func (p *pipeline) indexType() string {
	info := p.plan.Loop.Operands[0].Type.DType.Info()
	return fmt.Sprintf("%s%d", map[bool]string{true: "s", false: "u"}[info.Signed], info.Bits)
}

// emitAddresses emits the address slice a second time, with the loop's arguments bound to the values of iteration
// prefetch. The result binds what it has bound as before.
func (p *pipeline) emitAddresses() (restore func()) {
	e := p.e
	index := p.plan.Loop.Regions[0].Args[0]
	restore = e.keepBindings(p.prefetched())
	e.setRegs(index, []asm.Reg{p.prefetch.index})
	e.baseImms[index.ID] = nil
	for i, c := range p.plan.Carried {
		e.bind(p.carriedArg(c), p.prefetch.carried[i])
	}
	for _, in := range p.plan.AddressSlice {
		emit := emitters[in.Op]
		if in.Op == ops.Load {
			emit = p.emitAddressLoad
		}
		e.emitAs(in, emit)
	}
	return restore
}

// emitAddressLoad emits a load of the address slice. Where there is no such iteration, it loads nothing, and what is
// out of bounds the loop's body reports, which has the load again.
func (p *pipeline) emitAddressLoad(e *emitter, in *ir.Instr) {
	a := e.newAccess(in, *in.Results[0].Layout, e.plan.Accesses[in].Vector, false, p)
	a.silent = true
	a.emitLoad()
}

// issueStage copies the tiles of iteration prefetch to the stage buffer at base + off, commits them as one group, and
// moves on to the next iteration.
func (p *pipeline) issueStage(base asm.Reg, off int, barrier asm.Reg, barrierOff int) {
	e := p.e
	defer p.emitAddresses()()
	for _, l := range p.plan.Loads {
		if l.Tensor == nil {
			p.emitAsyncCopy(l, sharedTile{p.buf, base, off + l.Offset, l.Mem, l.In.Results[0].Type.DType})
		}
	}
	if p.cpAsync {
		e.Effect("cp.async.commit_group")
	}
	if p.mbarriers != nil {
		p.issueTensors(base, off, barrier, barrierOff)
	}
	yielded := p.plan.Loop.Regions[0].Terminator().Operands
	for i, c := range p.plan.Carried {
		p.prefetch.carried[i] = e.binding(yielded[c])
	}
	p.advancePrefetch()
}

// prefetched is the values that are computed for another iteration where its copies are issued.
func (p *pipeline) prefetched() []*ir.Value {
	list := []*ir.Value{p.plan.Loop.Regions[0].Args[0]}
	for _, c := range p.plan.Carried {
		list = append(list, p.carriedArg(c))
	}
	for _, in := range p.plan.AddressSlice {
		list = append(list, in.Results...)
	}
	return list
}

// advancePrefetch moves on to the next iteration. There is none from the first one on whose index is not below the
// upper bound, or would wrap.
func (p *pipeline) advancePrefetch() {
	e, typ, c := p.e, p.indexType(), p.prefetch.index.Class
	next := e.Do(addOps[c], c, asm.R(p.prefetch.index), asm.R(p.loopBound(2)))
	valid := e.Do("setp.lt."+typ, asm.Pred, asm.R(next), asm.R(p.loopBound(1)))
	if p.prefetch.valid.OK() {
		valid = e.Do("and.pred", asm.Pred, asm.R(valid), asm.R(p.prefetch.valid))
	}
	p.prefetch.valid = e.Do("setp.gt.and."+typ, asm.Pred, asm.R(next), asm.R(p.prefetch.index), asm.R(valid))
	p.prefetch.index = next
}

// emitAsyncCopy copies one tile. Elements that the mask leaves out, or that are out of bounds, become 0. A vector that
// is not in bounds as a whole, or not aligned as the program promised, is copied element by element by the slow path.
func (p *pipeline) emitAsyncCopy(l *plan.AsyncLoad, to sharedTile) {
	e := p.e
	e.Span = l.In.Span
	at := e.plan.Accesses[l.In].Layout
	a := e.newAccess(l.In, at, l.Vec, false, p)
	bytes := int64(a.vectorLen * a.elemBytes)
	op := "cp.async.ca.shared.global"
	if bytes == plan.MaxAccess {
		op = "cp.async.cg.shared.global" // past L1, which the data would only go through; 16 bytes alone
	}
	leader := e.leaderPred(at)
	w := e.walkAccess(l.Mem.Access(at, a.vectorLen))
	dsts := map[int]sharedAddr{} // by the first register of the vector
	for i := range w.access.At {
		dsts[w.access.Regs[i*w.access.Vec]] = e.tileAddress(to, w, i)
	}
	// Elements go to shared memory, so that a loop can do them: without it a tile's slow path would be thousands of
	// instructions, which ptxas puts in the middle of the pipelined loop.
	a.rolled = e.Reg(asm.B32)
	d := l.In.Results[0].Type.DType
	load := a.opcode("ld", d, 1)
	_, bits := wordsFor(d, 1)
	a.emit(func(v *vector) {
		size := asm.I(bytes) // src-size: the bytes that are read; cp.async fills the rest of the destination with zeros
		if v.mask.OK() {
			size = asm.R(e.Do("selp.b32", asm.B32, size, asm.I(0), asm.R(v.mask)))
		}
		e.Add(asm.Inst{Op: asm.Op(op), Src: []asm.Operand{dsts[v.regs[0]].operand(), v.operand(), asm.I(bytes), size},
			Guard: p.inBoundsGuard(v, leader)})
	}, func(v *vector, _ int, at asm.Operand, inBounds asm.Reg) {
		word := e.Reg(wordClass(bits))
		e.Move(word, asm.I(0))
		e.Add(asm.Inst{Op: asm.Op(load), Dst: []asm.Operand{asm.R(word)}, Src: []asm.Operand{at}, Guard: inBounds})
		dst := dsts[v.regs[0]]
		dst.base = e.Do("add.s32", asm.B32, asm.R(baseOrZero(e.threadCode, dst.base)), asm.R(a.rolled))
		e.Add(asm.Inst{Op: asm.Op("st.shared.b" + strconv.Itoa(bits)), Src: []asm.Operand{dst.operand(), asm.R(word)},
			Guard: leader, Access: asm.AsyncWrite})
	}, nil)
}

// inBoundsGuard is a predicate for the threads that copy vector v as a whole; none stands for true.
func (p *pipeline) inBoundsGuard(v *vector, leader asm.Reg) asm.Reg {
	if !v.outside.OK() {
		return leader
	}
	return p.e.andPred(map[asm.Reg]asm.Reg{}, leader, p.e.Do("not.pred", asm.Pred, asm.R(v.outside)))
}

// beginIteration emits what comes before the loop's body in the steady state: it waits for this iteration's tiles and
// issues the copies of the iteration stages-1 ahead.
func (p *pipeline) beginIteration() {
	if p == nil {
		return
	}
	e := p.e
	e.Span = p.plan.Loop.Span
	if p.cpAsync {
		// Groups complete in order. stages-1 are outstanding here, and the oldest is this iteration's. Those of a loop
		// in this one, which are younger, may stay outstanding.
		e.Add(asm.Inst{Op: asm.Op("cp.async.wait_group"), Src: []asm.Operand{asm.I(int64(p.plan.Stages - 2))},
			Buffer: p.buf})
		e.fenceAsyncProxy()
	}
	if p.mbarriers != nil {
		p.waitTensors()
	}
	if p.turns != nil {
		p.turns.begin()
	} else {
		e.Barrier()
	}
	if !p.plan.CopiesLast {
		p.issueNextStage()
	}
	if p.delayed != nil {
		p.delayed.beginIteration()
	}
}

// issueNextStage issues the copies of the iteration stages-1 ahead.
func (p *pipeline) issueNextStage() {
	var barrier asm.Reg
	if p.mbarriers != nil {
		barrier = p.mbarriers.write
	}
	vars := p.prefetch
	vars.carried = slices.Clone(vars.carried)
	p.issueStage(p.write, 0, barrier, 0)
	p.setPrefetchVars(vars, p.prefetch)
	p.prefetch = vars
}

// issueBehind issues them behind a dot's instructions, those of the iteration before being complete, if that is where
// they stand.
func (p *pipeline) issueBehind(dot *ir.Instr) {
	if p != nil && p.plan.CopiesLast && p.plan.DotInFlight == dot {
		p.e.Barrier()
		p.issueNextStage()
	}
}

// endIteration moves on to the next stage buffers, back to the first one after the last.
func (p *pipeline) endIteration() {
	if p == nil {
		return
	}
	e := p.e
	if p.delayed != nil {
		p.delayed.endIteration()
	}
	p.advanceBuffer(p.write, p.plan.StageBytes)
	p.advanceBuffer(p.read, p.plan.StageBytes)
	if p.mbarriers != nil {
		p.advanceTensors()
	}
	if p.notFirst.OK() {
		e.Move(p.notFirst, asm.R(e.always(true)))
	}
}

// advanceBuffer moves an offset on to the next of the buffers of so many bytes, back to the first one after the last,
// and gives whether it is that.
func (p *pipeline) advanceBuffer(at asm.Reg, bytes int) (wraps asm.Reg) {
	next, wraps := p.nextBuffer(at, bytes)
	p.e.Move(at, asm.R(next))
	return wraps
}

// nextBuffer is the offset that advanceBuffer moves on to.
func (p *pipeline) nextBuffer(at asm.Reg, bytes int) (next, wraps asm.Reg) {
	e := p.e
	next = e.Do("add.s32", asm.B32, asm.R(at), asm.I(int64(bytes)))
	wraps = e.Do("setp.eq.s32", asm.Pred, asm.R(next), asm.I(int64(p.plan.Buffers*bytes)))
	return e.Do("selp.b32", asm.B32, asm.I(0), asm.R(next), asm.R(wraps)), wraps
}

// epilogue emits, after the loop, what is left of its warpgroup MMA.
func (p *pipeline) epilogue() {
	switch {
	case p == nil:
	case p.plan.DotInFlight != nil:
		p.e.persistent.issueNext(p.plan.Loop)
		p.e.waitWgmma(p.buf, nil, 0)
	case p.delayed != nil:
		p.delayed.epilogue()
	}
	if p != nil && p.turns != nil {
		p.turns.close()
	}
	if p != nil && p.mbarriers != nil {
		p.endTensors()
	}
}

// movePrefetchToVars puts a state of the prefetch into variables, for the steady state to update.
func (p *pipeline) movePrefetchToVars(from prefetchState) {
	p.prefetch = prefetchState{index: p.e.Reg(from.index.Class), valid: p.e.Reg(asm.Pred)}
	for i, b := range from.carried {
		p.prefetch.carried = append(p.prefetch.carried, p.bindingVars(b, p.plan.Carried[i]))
	}
	p.setPrefetchVars(p.prefetch, from)
}

// variation is what of a loop-carried value iterations change.
type variation int8

const (
	nothingVaries variation = iota
	uniformVaries           // the uniform part of a pointer
	allVaries
)

// varying is what iterations change of the c-th loop-carried value.
func (p *pipeline) varying(c int) variation {
	switch v, yielded := p.carriedArg(c), p.plan.Loop.Regions[0].Terminator().Operands[c]; {
	case yielded == v:
		return nothingVaries
	case v.Type.Pointer && isInduction(v, yielded): // each register's own part of the pointer stays what it is
		return uniformVaries
	}
	return allVaries
}

// bindingVars is the c-th loop-carried value with new variables for what iterations change.
func (p *pipeline) bindingVars(b binding, c int) binding {
	v, varying := p.carriedArg(c), p.varying(c)
	switch {
	case varying == nothingVaries:
		return b
	case !v.Type.Pointer:
		return binding{regs: p.e.Regs(classOf(v.Type.DType), len(b.regs))}
	}
	b.ptr.uniform = p.e.Reg(asm.B64)
	if varying == allVaries {
		b.ptr.off2 = nil
		b.ptr.off = withoutImm(p.e.Regs(asm.B64, v.Layout.Regs()))
	}
	return b
}

// setPrefetchVars assigns one state's values to the variables of another, all at once.
func (p *pipeline) setPrefetchVars(to, from prefetchState) {
	moves := []move{{to.index, from.index}, {to.valid, from.valid}}
	for i, b := range to.carried {
		x, varying := from.carried[i], p.varying(p.plan.Carried[i])
		if varying == nothingVaries {
			continue
		}
		for r, v := range b.regs {
			moves = append(moves, move{v, x.regs[r]})
		}
		if b.ptr.uniform.OK() {
			moves = append(moves, move{b.ptr.uniform, p.e.fullOffset(pointer{uniform: x.ptr.uniform}, 0)})
		}
		if varying == uniformVaries {
			continue
		}
		for r, y := range b.ptr.off {
			moves = append(moves, move{y.base, p.e.ownOffset(x.ptr, r)})
		}
	}
	p.e.parallelMove(moves)
}
