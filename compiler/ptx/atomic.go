package ptx

import (
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/layout"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/asm"
)

func init() {
	emitters[ops.AtomicRMW] = (*emitter).atomic
	emitters[ops.AtomicCAS] = (*emitter).atomic
}

// atomic is one atomic operation while it is emitted.
type atomic struct {
	*access
	dtype    num.DType
	operands [][]asm.Reg // but the pointer, in the access's layout
	fetch    bool        // somebody wants the old values
	acquire  bool        // the memory order has an acquire
	sem      string      // order and scope of each instruction
	old      []asm.Reg   // by register of the layout
}

// atomic emits an atomic operation. One thread does it for each element, also where many hold it; the others get the
// old value from that thread. Elements that the mask leaves out, or that are outside, give 0.
func (e *emitter) atomic(in *ir.Instr) {
	l, d := e.at[in], in.Operands[0].Type.DType
	if d.Info().Bits < 16 {
		name := "tl.atomic_cas"
		if in.Op == ops.AtomicRMW {
			name = "tl.atomic_" + in.Str("rmw")
		}
		e.fail(in, "atomic-dtype", name, d.Info().Name)
	}
	a := &atomic{dtype: d, fetch: e.isUsed(in.Results[0]), old: make([]asm.Reg, l.Regs())}
	values := in.Operands[1:2]
	if in.Op == ops.AtomicCAS {
		values = in.Operands[1:3]
	}
	for _, v := range values {
		a.operands = append(a.operands, e.in(v, l))
	}
	update := e.update(in, d, a.fetch)
	a.access = e.newAccess(in, l, min(update.vector, e.facts.Vector(in)), true)
	shareOld := a.fetch && l.Free() != (layout.Masks{Reg: l.Free().Reg})
	a.ordered(shareOld && l.Free().Warp != 0, func() {
		for i := range a.vectors {
			update.emit(a, &a.vectors[i])
		}
		a.finish(a.several(a.apart(update)), nil)
	})
	if !a.fetch {
		return
	}
	e.spreadReplicas(l, a.old)
	if shareOld {
		a.old = e.fromOwners(d, a.old, l)
	}
	e.set(in.Results[0], e.convert(d, a.old, l, e.layout(in.Results[0])))
}

// ordered emits f, the instructions themselves, in the memory order that the program asks for, whether somebody wants
// the old values or not: an acquire also brings up to date what the multiprocessor's L1 cache has of global memory, for
// the programs that run there next.
//
// The threads of a program count as one. They meet before a release, which then covers what all of them have done, and
// after an acquire, which then holds for all of them; met says that the old values' way through shared memory makes
// them meet. A thread with one instruction leaves the order to it; one with several needs a fence once.
func (a *atomic) ordered(met bool, f func()) {
	sem, scope := a.in.Str("sem"), a.in.Str("scope")
	release := sem == "release" || sem == "acq_rel"
	a.acquire = sem == "acquire" || sem == "acq_rel"
	fence := func() {}
	if len(a.vectors) > 1 && sem != "relaxed" {
		sem = "relaxed"
		fence = func() { a.Effect("fence.acq_rel." + scope) }
	}
	a.sem = "." + sem + "." + scope
	if release {
		a.Barrier()
		fence()
	}
	f()
	if a.acquire {
		fence()
	}
	if a.acquire && !met {
		a.Barrier()
	}
}

// isUsed reports whether anything takes v.
func (e *emitter) isUsed(v *ir.Value) bool {
	if e.used == nil {
		e.used = make([]bool, len(e.vals))
		e.fn.Body.Walk(func(in *ir.Instr) {
			for _, o := range in.Operands {
				if o != nil {
					e.used[o.ID] = true
				}
			}
		})
	}
	return e.used[v.ID]
}

// fromOwners gives all threads that hold an element what the one with its free bits 0 has.
func (e *emitter) fromOwners(d num.DType, regs []asm.Reg, l layout.Layout) []asm.Reg {
	free := l.Free()
	if free.Warp == 0 {
		owner := e.Do("and.b32", asm.B32, asm.R(e.lane), asm.I(int64(^free.Lane&31)))
		return e.spreadReplicas(l, e.shuffle(sender{"idx", asm.R(owner)}, regs))
	}
	m, vec := layout.Choose(l, l, memoryBits(d))
	x := m.Access(l, vec)
	t := e.newTrip(layout.Conversion{Kind: layout.Shared, Mem: m, Store: x, Load: x}, d, regs, len(regs))
	e.travel([]*trip{t}, l)
	return t.out
}

// apart does one element of a vector that is partly outside.
func (a *atomic) apart(u update) apart {
	return func(v *vector, i int, at asm.Operand, guard asm.Reg) {
		u.emit(a, &vector{regs: v.regs[i : i+1], addr: at.Reg, imm: at.Imm, guard: guard})
	}
}
