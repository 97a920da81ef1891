package plan

import (
	"cmp"
	"maps"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/layout"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/axis"
)

// Barriers between accesses to global memory. Which thread holds which element is the compiler's choice, so a program
// must see its own stores whatever the layouts are: before an access that may conflict with an earlier one of another
// thread (a RAW, WAR or WAW hazard), all threads synchronize. Barriers for shared memory are found in package asm.

// Hazard is two accesses to global memory by which two threads may access one element.
type Hazard struct {
	Kind          string    // RAW, WAR or WAW
	First, Second *ir.Instr // of a kind of accesses the first in the order of the code
}

// kindOf is a hazard's kind: a read after a write is RAW.
func kindOf(firstWrites, secondWrites bool) string {
	switch {
	case !firstWrites:
		return "WAR"
	case secondWrites:
		return "WAW"
	}
	return "RAW"
}

// orEarlier is one of two hazards, the same one whatever the order in which they are found.
func (h *Hazard) orEarlier(x *Hazard) *Hazard {
	if h == nil || cmp.Or(cmp.Compare(x.First.Span.Start, h.First.Span.Start),
		cmp.Compare(x.Second.Span.Start, h.Second.Span.Start), cmp.Compare(x.Kind, h.Kind),
		cmp.Compare(x.First.Op, h.First.Op), cmp.Compare(x.Second.Op, h.Second.Op)) < 0 {
		return x
	}
	return h
}

// pendingAccesses is the accesses to global memory since the last barrier. It keeps no more of them than conflict
// needs, so that its size does not grow with their number.
type pendingAccesses map[accessKind]accessSet

// accessKind is the memory that an access concerns, and how.
type accessKind struct {
	argument int       // index of the parameter that the pointer points into, or axis.Mixed
	shared   *ir.Value // of shared memory: what local_alloc gives
	writes   bool
}

// accessSet is the accesses of one kind. While all of them go through one pointer in one layout, and no two elements
// have one address, a thread comes back to the elements that it had before, and to no other's.
type accessSet struct {
	in            *ir.Instr // the first of them
	ptr           *ir.Value
	layout        layout.Layout
	byManyThreads bool // threads may share an element: pointers or layouts differ, or one of them is not distinct
}

// crossesThreads reports whether one thread may access in s an element that another thread accesses in t.
func (s accessSet) crossesThreads(t accessSet) bool {
	return s.byManyThreads || t.byManyThreads || s.ptr != t.ptr || !s.layout.Equal(t.layout)
}

func (u pendingAccesses) add(k accessKind, s accessSet) {
	if t, ok := u[k]; ok {
		s.byManyThreads, s.in = s.crossesThreads(t), t.in
	}
	u[k] = s
}

// conflict is the hazard between accesses and pending ones of another thread: both concern one element, and one of them
// writes. It is nil if there is none.
func (u pendingAccesses) conflict(k accessKind, s accessSet) *Hazard {
	var found *Hazard
	for had, t := range u {
		// Different arguments may alias in the program that launches; Triton does not order them either.
		same := had.shared == k.shared &&
			(had.argument == k.argument || had.argument == axis.Mixed || k.argument == axis.Mixed)
		if same && (had.writes || k.writes) && s.crossesThreads(t) {
			found = found.orEarlier(&Hazard{kindOf(had.writes, k.writes), t.in, s.in})
		}
	}
	return found
}

// conflictAny is a hazard between accesses of v and pending ones, nil if there is none.
func (u pendingAccesses) conflictAny(v pendingAccesses) *Hazard {
	var found *Hazard
	for k, s := range v {
		if h := u.conflict(k, s); h != nil {
			found = found.orEarlier(h)
		}
	}
	return found
}

// barrierPlanner finds the barriers, walking through the function in the order in which it is emitted.
type barrierPlanner struct {
	p          *Plan
	facts      *axis.Facts
	prefetched map[*ir.Instr]bool // loads that a pipelined loop issues elsewhere
	shared     bool               // accesses to shared memory count, too
	pending    pendingAccesses
}

// planBarriers decides the plan's Before and Iterations, for accesses to global memory.
func (p *Plan) planBarriers() { p.findBarriers(false) }

// findBarriers finds barriers for accesses to global memory and, if shared, to the shared memory of operands of dots.
// In emitted code package asm finds those.
func (p *Plan) findBarriers(shared bool) {
	p.Before, p.Iterations = map[*ir.Instr]*Hazard{}, map[*ir.Instr]*Hazard{}
	b := barrierPlanner{p, p.Facts, map[*ir.Instr]bool{}, shared, pendingAccesses{}}
	for _, r := range p.Pipelines {
		for _, l := range r.Loads {
			b.prefetched[l.In] = true
		}
	}
	b.block(p.Func.Body)
}

func (b *barrierPlanner) block(block *ir.Block) {
	for _, in := range block.Instrs {
		b.instr(in)
	}
}

func (b *barrierPlanner) instr(in *ir.Instr) {
	if b.prefetched[in] {
		return
	}
	if sets := b.accessSets(in); sets != nil {
		b.synchronize(b.p.Before, in, b.pending.conflictAny(sets))
		for k, s := range sets {
			b.pending.add(k, s)
		}
		return
	}
	switch {
	case in.Op == ops.Barrier:
		clear(b.pending)
	case in.Op == ops.For || in.Op == ops.While:
		inside := b.accessesWithin(in)
		b.synchronize(b.p.Before, in, b.pending.conflictAny(inside))
		b.synchronize(b.p.Iterations, in, conflictOfIterations(inside))
		for _, r := range in.Regions {
			b.block(r)
		}
	case in.Op == ops.If:
		b.alternatives(in.Regions)
	}
}

// synchronize puts a barrier at in, in one of the plan's lists, if there is a hazard.
func (b *barrierPlanner) synchronize(list map[*ir.Instr]*Hazard, in *ir.Instr, h *Hazard) {
	if h != nil {
		list[in] = h
		clear(b.pending)
	}
}

// accessSets is what an instruction does to memory: a load, a store or an atomic to global memory; to shared memory one
// that stores an operand or reads some.
func (b *barrierPlanner) accessSets(in *ir.Instr) (sets pendingAccesses) {
	if axis.Accesses(in) {
		ptr, l := in.Operands[0], b.p.Accesses[in].Layout
		free := l.Free()
		k := accessKind{argument: b.p.memoryOf(b.facts, in), writes: in.Op.Has(ops.Writes)}
		return pendingAccesses{k: {in, ptr, l, free.Lane|free.Warp != 0 || !b.distinct(ptr)}}
	}
	if !b.shared || in.Op == ops.MemDescTrans {
		return nil
	}
	for _, list := range [][]*ir.Value{in.Operands, in.Results} {
		for _, v := range list {
			m := storedOperand(v)
			if m == nil {
				continue
			}
			if sets == nil {
				sets = pendingAccesses{}
			}
			sets[accessKind{shared: m, writes: in == m.Def}] = accessSet{in: in, byManyThreads: true}
		}
	}
	return sets
}

// storedOperand is the memory descriptor of an operand that threads store and that v, if it is one, views; else nil.
func storedOperand(v *ir.Value) *ir.Value {
	for v != nil && v.Def != nil && v.Def.Op == ops.MemDescTrans {
		v = v.Def.Operands[0]
	}
	if v == nil || v.Def == nil || v.Def.Op != ops.LocalAlloc || v.Def.Operand(0) == nil {
		return nil
	}
	return v
}

// memoryOf is the argument that an access concerns: an inttoptr may point into any.
func (p *Plan) memoryOf(facts *axis.Facts, access *ir.Instr) int {
	argument := facts.Argument(access.Operands[0])
	if argument >= len(p.Func.Params) {
		return axis.Mixed
	}
	return argument
}

// accessesWithin is the accesses of a loop.
func (b *barrierPlanner) accessesWithin(loop *ir.Instr) pendingAccesses {
	u, a := pendingAccesses{}, newAdvance(b, loop)
	for _, r := range loop.Regions {
		r.Walk(func(in *ir.Instr) {
			for k, s := range b.accessSets(in) {
				s.byManyThreads = s.byManyThreads || !a.steady(s.ptr)
				u.add(k, s)
			}
		})
	}
	return u
}

// conflictOfIterations is a hazard between the iterations of a loop with the given accesses: it loads what earlier
// iterations may have stored, or the other way round. Stores of different iterations to one element are not ordered.
func conflictOfIterations(inside pendingAccesses) *Hazard {
	// Writes against writes of other iterations are left out.
	reads := maps.Clone(inside)
	maps.DeleteFunc(reads, func(k accessKind, _ accessSet) bool { return k.writes })
	return inside.conflictAny(reads)
}

// alternatives finds the barriers in the regions of a branch: the accesses before it are pending in each of them, and
// those of any of them after it.
func (b *barrierPlanner) alternatives(regions []*ir.Block) {
	before, after := b.pending, pendingAccesses{}
	for _, r := range regions {
		// A barrier in one region orders nothing for the other.
		b.pending = maps.Clone(before)
		b.block(r)
		for k, s := range b.pending {
			after.add(k, s)
		}
	}
	b.pending = after
}

// PlaceBarriers makes Before and Iterations barriers of the placed function, for engines that run it by itself.
// Emission goes by the lists.
func (p *Plan) PlaceBarriers() {
	p.findBarriers(true)
	p.placeBarriers(p.Func.Body)
	p.Before, p.Iterations = nil, nil
}

func (p *Plan) placeBarriers(b *ir.Block) {
	var list []*ir.Instr
	for _, in := range b.Instrs {
		if p.Before[in] != nil {
			list = append(list, &ir.Instr{Op: ops.Barrier, Span: in.Span})
		}
		for _, r := range in.Regions {
			p.placeBarriers(r)
		}
		if p.Iterations[in] != nil {
			first := &in.Regions[0].Instrs
			*first = append([]*ir.Instr{{Op: ops.Barrier, Span: in.Span}}, *first...)
		}
		list = append(list, in)
		if in.Op == ops.MbarrierInit { // which others wait for behind the first copies
			list = append(list, &ir.Instr{Op: ops.Barrier, Span: in.Span})
		}
	}
	b.Instrs = list
}
