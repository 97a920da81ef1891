package ptx

import (
	"strconv"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/asm"
	"github.com/newtlab/newt/compiler/ptx/plan"
)

func init() {
	emitters[ops.MemDescIndex] = emitMemDescIndex
	emitters[ops.LocalLoad] = emitLocalLoad
	emitters[ops.AsyncCopy] = emitAsyncCopy
	emitters[ops.AsyncCommit] = func(e *emitter, _ *ir.Instr) { e.Effect("cp.async.commit_group") }
	emitters[ops.AsyncWait] = emitAsyncWait
	emitters[ops.NamedBarrierArrive] = func(e *emitter, in *ir.Instr) { e.emitNamedBarrier("bar.arrive", in) }
	emitters[ops.NamedBarrierWait] = func(e *emitter, in *ir.Instr) { e.emitNamedBarrier("bar.sync", in) }
	emitters[ops.WarpgroupID] = func(e *emitter, in *ir.Instr) {
		e.Entry(func() { e.setRegs(in.Results[0], []asm.Reg{warpgroup(e.threadCode)}) })
	}
}

// emitMemDescIndex finds one of several tiles in shared memory.
func emitMemDescIndex(e *emitter, in *ir.Instr) {
	t := e.staged[in.Operands[0]]
	switch at := e.elements(in.Operands[1])[0]; {
	case !at.base.OK():
		t.off += int(at.imm) * t.stride
	default:
		t.base = e.Do("mul.lo.s32", asm.R(e.regs(in.Operands[1])[0]), asm.I(int64(t.stride)))
	}
	e.staged[in.Results[0]] = t
}

// emitLocalLoad loads a tile from shared memory, in words where the warpgroup MMA that takes it asks for them.
func emitLocalLoad(e *emitter, in *ir.Instr) {
	v, t := in.Results[0], e.staged[in.Operands[0]]
	if e.plan.Words[v] {
		e.words[v] = e.loadWords(t, *v.Layout)
		return
	}
	e.setRegs(v, e.loadElements(t, *v.Layout).all())
}

// emitAsyncWait waits for groups of copies: for those of one loop, or for all.
func emitAsyncWait(e *emitter, in *ir.Instr) {
	if e.plan.Async[in].Pipeline == nil {
		e.Effect("cp.async.wait_all")
		return
	}
	e.Effect("cp.async.wait_group", asm.I(in.Int("pending")))
}

// emitNamedBarrier emits an operation on a named barrier. Behind a wait that all warps make, each at a barrier of its
// own, they go on one after the other, until they arrive at another's.
func (e *emitter) emitNamedBarrier(op string, in *ir.Instr) {
	barrier := asm.Inst{Op: asm.Op(op), Src: []asm.Operand{asm.R(e.regs(in.Operands[0])[0]), asm.I(in.Int("threads"))},
		Guard: e.predicate(in.Operand(1))}
	alone := in.Operand(1) == nil
	if alone && in.Op == ops.NamedBarrierArrive {
		e.EndDivergent()
	}
	e.Add(barrier)
	if alone && in.Op == ops.NamedBarrierWait {
		e.BeginDivergent()
	}
}

// predicate is an optional operand, a scalar condition; none: it is absent.
func (e *emitter) predicate(v *ir.Value) asm.Reg {
	if v == nil {
		return asm.Reg{}
	}
	return e.regs(v)[0]
}

// emitAsyncCopy copies one tile. Elements that the mask leaves out, or that are out of bounds, become 0. A vector that
// is not in bounds as a whole, or not aligned as the program promised, is copied element by element by the slow path.
func emitAsyncCopy(e *emitter, in *ir.Instr) {
	l := e.plan.Async[in].Load
	a, to := e.newAccess(in), e.staged[in.Operands[1]]
	bytes := int64(a.Vector * a.elemBytes)
	op := "cp.async.ca.shared.global"
	if bytes == plan.MaxAccess {
		op = "cp.async.cg.shared.global" // past L1, which the data would only go through; 16 bytes alone
	}
	leader := a.leader
	w := e.walkAccess(l.Mem.Access(a.Layout, a.Vector))
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
			size = asm.R(e.Do("selp.b32", size, asm.I(0), asm.R(v.mask)))
		}
		e.Add(asm.Inst{Op: asm.Op(op), Src: []asm.Operand{dsts[v.regs[0]].operand(), v.operand(), asm.I(bytes), size},
			Guard: e.inBoundsGuard(v, leader)})
	}, func(v *vector, _ int, at asm.Operand, inBounds asm.Reg) {
		word := e.Reg(wordClass(bits))
		e.Move(word, asm.I(0))
		e.Add(asm.Inst{Op: asm.Op(load), Dst: []asm.Operand{asm.R(word)}, Src: []asm.Operand{at}, Guard: inBounds})
		dst := dsts[v.regs[0]]
		dst.base = e.Do("add.s32", asm.R(baseOrZero(e.threadCode, num.Int32, dst.base)), asm.R(a.rolled))
		e.Add(asm.Inst{Op: asm.Op("st.shared.b" + strconv.Itoa(bits)), Src: []asm.Operand{dst.operand(), asm.R(word)},
			Guard: leader})
	}, nil)
}

// inBoundsGuard is a predicate for the threads that copy vector v as a whole; none stands for true.
func (e *emitter) inBoundsGuard(v *vector, leader asm.Reg) asm.Reg {
	if !v.outside.OK() {
		return leader
	}
	return e.andPred(map[asm.Reg]asm.Reg{}, leader, e.Do("not.pred", asm.R(v.outside)))
}
