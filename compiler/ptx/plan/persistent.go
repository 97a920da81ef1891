package plan

import (
	"slices"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/axis"
)

// Persistent is the plan of persistent thread blocks: there are as many as the GPU runs at a time, and each runs one
// program after the other. The first copies of the next program's pipelined loop are issued behind the loop of this
// one, and are under way while its results are converted and stored. It is for programs whose stage buffers fill an SM,
// where no other program uses the tensor cores meanwhile.
type Persistent struct {
	Loop *ir.Instr
	Next []*ir.Instr // what the copies before the loop are computed from, in the order of the code
}

// barrierBytes is more shared memory than mbarriers and broadcasts take.
const barrierBytes = 1 << 9

// planPersistent decides about persistent thread blocks, for launches that want them (Target.Persistent). All of the
// function but the one loop, whose copies are tensor copies, is straight-line code that may be run in any order with
// other programs'.
func (p *Plan) planPersistent(facts *axis.Facts) {
	if !p.Target.Persistent || p.Reversed {
		return
	}
	var loop *ir.Instr
	for _, in := range p.Func.Body.Instrs {
		switch {
		case in.Op == ops.For && loop == nil:
			loop = in
		case in.Op.Has(ops.Terminator), in.Op == ops.Store, in.Op == ops.Load && loop != nil:
		case in.Op == ops.For || in.Op == ops.If || in.Op == ops.While || !in.Op.Has(ops.Pure):
			return
		}
	}
	one := p.Pipelines[loop]
	if one == nil || !p.Target.EveryBox && 2*one.Buffers*one.StageBytes <= p.Target.Arch.Shared {
		return
	}
	p.Persistent = &Persistent{Loop: loop} // in which conversions take less memory
	p.PlanConversions()
	reserved := p.Target.Reserved
	for _, in := range p.Func.Body.Instrs {
		reserved = max(reserved, p.scratch(in)+barrierBytes)
	}
	if r := (pipeliner{p, facts, reserved}).plan(loop); r != nil && p.copiesForNext(r, facts) {
		p.Pipelines[loop] = r
		return
	}
	p.Persistent = nil
}

// copiesForNext decides what the copies of the next program are computed from, and reports whether they may be issued
// while the last MMA of a loop is in flight.
func (p *Plan) copiesForNext(r *Pipeline, facts *axis.Facts) (ok bool) {
	_, all := r.Tensors()
	step, known := facts.Const(r.Loop.Operands[2])
	if r.DotInFlight == nil || r.Delay != nil || r.StoresBefore || !all || !known || step < 1 {
		return false
	}
	for _, in := range r.Loop.Regions[0].Instrs {
		if !in.Op.Has(ops.Pure) && !in.Op.Has(ops.Terminator) && !r.Copies(in) {
			return false
		}
	}
	p.Persistent.Next, ok = p.beforeCopies(r)
	return ok
}

// beforeCopies is the instructions before a pipelined loop from which its first copies are computed. It is not ok if
// the addresses in the loop are loaded, or if threads exchange values for them: one warp alone computes them for the
// next program.
func (p *Plan) beforeCopies(r *Pipeline) (slice []*ir.Instr, ok bool) {
	needed := map[*ir.Value]bool{}
	need := func(in *ir.Instr) {
		for _, v := range in.Operands {
			if v != nil {
				needed[v] = true
			}
		}
	}
	for _, v := range r.Loop.Operands[:3] {
		needed[v] = true
	}
	for _, c := range r.Carried {
		needed[r.Loop.Operands[3+c]] = true
	}
	for _, in := range r.AddressSlice {
		if in.Op == ops.Load {
			return nil, false
		}
		need(in)
	}
	for _, l := range r.Loads {
		need(l.In)
		for _, x := range l.Tensor.Limits {
			needed[x.Index], needed[x.End] = true, true
		}
	}
	before := p.Func.Body.Instrs[:slices.Index(p.Func.Body.Instrs, r.Loop)]
	for _, in := range slices.Backward(before) {
		if slices.ContainsFunc(in.Results, func(v *ir.Value) bool { return needed[v] }) {
			need(in)
			slice = append(slice, in)
		}
	}
	slices.Reverse(slice)
	return slice, !p.exchangesAny(slice)
}
