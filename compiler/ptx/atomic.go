package ptx

import (
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/asm"
	"github.com/newtlab/newt/compiler/ptx/plan"
)

func init() {
	emitters[ops.AtomicRMW] = emitAtomic
	emitters[ops.AtomicCAS] = emitAtomic
	emitters[ops.AtomicLoad] = emitAtomic
	emitters[ops.AtomicStore] = emitAtomic
}

// atomic is one atomic operation while it is emitted.
type atomic struct {
	*access
	dtype    num.DType
	operands [][]asm.Reg // but the pointer, in the access's layout
	fetch    bool        // the old values are used
	sem      string      // order and scope of each instruction
	old      []asm.Reg   // by register of the layout
}

// emitAtomic emits an atomic operation. For each element the leader of its replicas does it and the others get the old
// value from there. Elements that the mask leaves out, or that are out of bounds, give 0.
func emitAtomic(e *emitter, in *ir.Instr) {
	l, d := e.plan.Accesses[in].Layout, in.Operands[0].Type.DType
	if e.plan.Accesses[in].Update.Way != plan.Moved && d.Info().Bits < 16 {
		name := "tl.atomic_cas"
		if in.Op == ops.AtomicRMW {
			name = "tl.atomic_" + in.Str("rmw")
		}
		e.reject(in, "atomic-dtype", name, d.Info().Name)
	}
	a := &atomic{dtype: d, fetch: !e.plan.Accesses[in].Unused, old: make([]asm.Reg, l.Regs())}
	var values []*ir.Value
	switch in.Op {
	case ops.AtomicRMW, ops.AtomicStore:
		values = in.Operands[1:2]
	case ops.AtomicCAS:
		values = in.Operands[1:3]
	}
	for _, v := range values {
		a.operands = append(a.operands, e.regs(v))
	}
	a.access = e.newAccess(in)
	// Replicas in the thread are renamed; those in other threads have to be sent the value.
	byWarps := a.Broadcast
	a.emitOrdered(byWarps != nil, func() {
		a.emit(a.update, a.ifVector(a.updateElement), nil)
	})
	if !a.fetch {
		return
	}
	e.copyToReplicas(l, a.old)
	if byWarps != nil {
		a.old = e.convert(d, a.old, byWarps, e.scratch(in))
	} else if free := l.Free().Lane; free != 0 {
		owner := e.Do("and.b32", asm.R(e.lane), asm.I(int64(^free&31)))
		a.old = e.copyToReplicas(l, e.shuffleLanes(sender{"idx", asm.R(owner)}, a.old))
	}
	e.setRegs(in.Results[0], a.old)
}

// emitOrdered emits f, the instructions themselves, in the memory order that the program asks for (PTX ISA, "Memory
// Consistency Model"), whether the old values are used or not: an acquire also invalidates the L1 cache, on which the
// programs that run there next rely.
//
// The threads of a program count as one. A barrier before a release makes it cover what all of them have done, and one
// after an acquire makes it hold for all of them; synchronized says that the old values' way through shared memory has
// that barrier. A thread with one instruction leaves the order to it; one with several uses relaxed ones and a fence.
func (a *atomic) emitOrdered(synchronized bool, f func()) {
	sem, scope := a.in.Str("sem"), a.in.Str("scope")
	release, acquire := a.in.MemoryOrder()
	// With one instruction a thread, .release or .acquire on that is enough.
	fence := func() {}
	if len(a.vectors) > 1 && sem != "relaxed" {
		sem = "relaxed"
		fence = func() { a.e.Effect("fence.acq_rel." + scope) }
	}
	a.sem = "." + sem + "." + scope
	// The barrier makes the other threads' earlier accesses happen before this thread's release (cumulativity).
	if release {
		a.e.Barrier()
		fence()
	}
	f()
	if acquire {
		fence()
	}
	if acquire && !synchronized {
		a.e.Barrier()
	}
}

// updateElement updates one element of a vector that is out of bounds in part.
func (a *atomic) updateElement(v *vector, i int, at asm.Operand, guard asm.Reg) {
	a.update(&vector{regs: v.regs[i : i+1], addr: at.Reg, imm: at.Imm, guard: guard})
}
