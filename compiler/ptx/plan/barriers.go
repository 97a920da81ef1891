package plan

import (
	"cmp"
	"maps"
	"slices"

	"github.com/newtlab/newt/compiler/facts"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/layout"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/axis"
)

// Barriers. Which thread holds which element is the compiler's choice, so a program must see its own stores whatever
// the layouts are: before an access that may conflict with an earlier one of another thread (a RAW, WAR or WAW hazard),
// all threads synchronize. The accesses are those to global memory, and to the memory of tiles that threads store for
// dots. For what an operation has in shared memory while it is done, package asm finds them.
//
// It is a dataflow over the placed function, as Triton's Membar pass is one: forward, over the accesses pending at each
// point, joined behind branches and where an iteration begins, to a fixpoint.

// Hazard is two accesses to memory by which two threads may access one element.
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

// pendingAccesses is the accesses since the last barrier. It keeps no more of them than conflict needs, so that its
// size does not grow with their number.
type pendingAccesses map[accessKind]accessSet

// accessKind is the memory that an access concerns, and how.
type accessKind struct {
	argument int       // index of the parameter that the pointer points into, or axis.Mixed
	shared   *ir.Value // of shared memory: what local_alloc gives
	writes   bool
	loop     *ir.Instr // an earlier iteration of this loop, the outermost one, made the access; nil: this one
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

// add adds accesses of a kind, and reports whether that made a difference.
func (u pendingAccesses) add(k accessKind, s accessSet) (changed bool) {
	t, ok := u[k]
	if ok {
		s.byManyThreads, s.in = s.crossesThreads(t), t.in
	}
	u[k] = s
	return !ok || s.byManyThreads != t.byManyThreads
}

// join adds all of v, and reports whether that made a difference.
func (u pendingAccesses) join(v pendingAccesses) (changed bool) {
	for k, s := range v {
		changed = u.add(k, s) || changed
	}
	return changed
}

// conflict is a hazard between accesses of v and pending ones of another thread: both concern one element, and one of
// them writes. It is nil if there is none.
func (u pendingAccesses) conflict(v pendingAccesses) (found *Hazard) {
	for k, s := range v {
		for had, t := range u {
			// Different arguments may alias in the program that launches; Triton does not order them either.
			same := had.shared == k.shared &&
				(had.argument == k.argument || had.argument == axis.Mixed || k.argument == axis.Mixed)
			// Stores of different iterations to one element are not ordered.
			ordered := had.writes != k.writes || had.writes && had.loop == nil
			if same && ordered && s.crossesThreads(t) {
				found = found.orEarlier(&Hazard{kindOf(had.writes, k.writes), t.in, s.in})
			}
		}
	}
	return found
}

// effect is a step of what an operation does as far as barriers are concerned: all threads meet, or it accesses memory.
type effect struct {
	barrier  bool
	accesses pendingAccesses
	copies   bool // asynchronously: other barriers say when they are complete, and behind those nothing is pending
}

// barrierPlacer is the dataflow.
type barrierPlacer struct {
	p        *Plan
	effects  map[*ir.Instr][]effect
	advances map[*ir.Instr]*advance
	before   map[*ir.Instr]*Hazard         // where barriers are placed
	heads    map[*ir.Instr]pendingAccesses // by loop: what is pending where an iteration begins
	changed  bool
}

// placeBarriers places the barriers.
func (p *Plan) placeBarriers() {
	b := &barrierPlacer{p, map[*ir.Instr][]effect{}, map[*ir.Instr]*advance{}, map[*ir.Instr]*Hazard{},
		map[*ir.Instr]pendingAccesses{}, true}
	for b.changed {
		b.changed = false
		b.block(p.Func.Body, pendingAccesses{})
	}
	p.Hazards = map[*ir.Instr]*Hazard{}
	b.insert(p.Func.Body)
}

func (b *barrierPlacer) insert(block *ir.Block) {
	var list []*ir.Instr
	for _, in := range block.Instrs {
		if h := b.before[in]; h != nil {
			barrier := &ir.Instr{Op: ops.Barrier, Span: in.Span}
			b.p.Hazards[barrier] = h
			list = append(list, barrier)
		}
		for _, r := range in.Regions {
			b.insert(r)
		}
		list = append(list, in)
	}
	block.Instrs = list
}

// block is what is pending behind a block, before which now is, which it changes.
func (b *barrierPlacer) block(block *ir.Block, now pendingAccesses) pendingAccesses {
	for _, in := range block.Instrs {
		now = b.instr(in, now)
	}
	return now
}

func (b *barrierPlacer) instr(in *ir.Instr, now pendingAccesses) pendingAccesses {
	switch {
	case in.Op == ops.For || in.Op == ops.While:
		return b.loop(in, now)
	case in.Op != ops.If:
		for _, e := range b.effectsOf(in) {
			if e.barrier {
				clear(now)
			}
			b.synchronize(in, now, e.accesses)
			if !e.copies {
				now.join(e.accesses)
			}
		}
		return now
	case b.p.Persistent != nil && b.p.Persistent.Ahead == in:
		return now // one warp runs it, and issues copies of another program
	}
	// A barrier in one region orders nothing for the other.
	after := b.block(in.Regions[0], maps.Clone(now))
	after.join(b.block(in.Regions[1], now))
	return after
}

// synchronize places a barrier before an operation if it needs one.
func (b *barrierPlacer) synchronize(in *ir.Instr, now, accesses pendingAccesses) {
	h := now.conflict(accesses)
	if h != nil && b.before[in] == nil {
		b.before[in] = h
	}
	if b.before[in] != nil {
		clear(now)
	}
}

// loop is what is pending behind a loop.
func (b *barrierPlacer) loop(in *ir.Instr, now pendingAccesses) pendingAccesses {
	exposed := pendingAccesses{}
	for _, r := range in.Regions {
		if b.expose(r, exposed) {
			break
		}
	}
	b.synchronize(in, now, exposed) // once, not in each iteration
	if b.heads[in] == nil {
		b.heads[in] = pendingAccesses{}
	}
	b.heads[in].join(now)
	end, exit := maps.Clone(b.heads[in]), now
	for _, r := range in.Regions {
		end = b.block(r, end)
		if in.Op == ops.While && r == in.Regions[0] {
			exit = maps.Clone(end)
		}
	}
	if in.Op == ops.For {
		if trips, known := facts.ConstTrips(in, b.p.Facts.Const); known && trips > 0 {
			exit = pendingAccesses{}
		}
		exit.join(end)
	}
	b.changed = b.heads[in].join(b.passed(in, end)) || b.changed
	after := pendingAccesses{}
	for k, s := range exit {
		if k.loop == in {
			k.loop = nil
		}
		after.add(k, s)
	}
	return after
}

// passed is what is pending in the next iteration of a loop of what is at the end of one. Programs that a persistent
// thread block runs one after the other are not ordered, but for their shared memory.
func (b *barrierPlacer) passed(loop *ir.Instr, end pendingAccesses) pendingAccesses {
	if b.advances[loop] == nil {
		b.advances[loop] = newAdvance(b.p, loop)
	}
	x := b.p.Persistent
	next := pendingAccesses{}
	for k, s := range end {
		if k.shared == nil && x != nil && loop != x.Loop {
			continue
		}
		k.loop = cmp.Or(k.loop, loop)
		s.byManyThreads = s.byManyThreads || !b.advances[loop].steady(s.ptr)
		next.add(k, s)
	}
	return next
}

// expose adds a block's accesses to which no barrier of it comes first, and reports whether one comes before its end.
func (b *barrierPlacer) expose(block *ir.Block, to pendingAccesses) (barrier bool) {
	for _, in := range block.Instrs {
		if b.before[in] != nil {
			return true
		}
		switch in.Op {
		case ops.If:
			first := b.expose(in.Regions[0], to)
			if b.expose(in.Regions[1], to) && first {
				return true
			}
		case ops.For, ops.While:
			for i, r := range in.Regions {
				if b.expose(r, to) {
					if in.Op == ops.While && i == 0 {
						return true
					}
					break
				}
			}
		default:
			for _, e := range b.effectsOf(in) {
				if e.barrier {
					return true
				}
				to.join(e.accesses)
			}
		}
	}
	return false
}

// effectsOf is the effects of an operation, found once.
func (b *barrierPlacer) effectsOf(in *ir.Instr) []effect {
	list, found := b.effects[in]
	if !found {
		list = b.p.effects(in)
		b.effects[in] = list
	}
	return list
}

// effects is what an operation without a branch does, in order.
func (p *Plan) effects(in *ir.Instr) (list []effect) {
	meet := func(do bool) {
		if do {
			list = append(list, effect{barrier: true})
		}
	}
	switch in.Op {
	case ops.AsyncCopy, ops.TMALoad:
		k := accessKind{argument: p.memoryOf(in)}
		return []effect{{accesses: pendingAccesses{k: {in: in, byManyThreads: true}}, copies: true}}
	case ops.Load, ops.Store, ops.AtomicRMW, ops.AtomicCAS:
		ptr, l := in.Operands[0], p.Accesses[in].Layout
		free := l.Free()
		k := accessKind{argument: p.memoryOf(in), writes: in.Op.Has(ops.Writes)}
		s := accessSet{in, ptr, l, free.Lane|free.Warp != 0 || !p.distinct(ptr)}
		release, acquire := in.MemoryOrder()
		meet(release)
		list = append(list, effect{accesses: pendingAccesses{k: s}})
		meet(acquire || p.Accesses[in].Broadcast != nil)
		return list
	case ops.Barrier:
		meet(!p.beginsTurn(in))
		return list
	}
	if accesses := sharedAccesses(in); len(accesses) > 0 {
		list = append(list, effect{accesses: accesses})
	}
	meet(p.exchangesWarps(in))
	return list
}

// memoryOf is the argument that an access concerns: an inttoptr may point into any.
func (p *Plan) memoryOf(access *ir.Instr) int {
	argument := p.Facts.Argument(access.Operands[0])
	if argument >= len(p.Func.Params) {
		return axis.Mixed
	}
	return argument
}

// sharedAccesses is what an operation does to the memory of operands of dots that threads store, and of mbarriers.
// Stage buffers have barriers of their own.
func sharedAccesses(in *ir.Instr) pendingAccesses {
	all := pendingAccesses{}
	access := func(v *ir.Value, writes bool) {
		all[accessKind{shared: v, writes: writes}] = accessSet{in: in, byManyThreads: true}
	}
	read := func(values []*ir.Value) {
		for _, v := range values {
			if m := allocated(v); m != nil && m.Def.Operand(0) != nil {
				access(m, false)
			}
		}
	}
	switch in.Op {
	case ops.LocalAlloc:
		if in.Operand(0) != nil {
			access(in.Results[0], true)
		}
	case ops.MbarrierInit:
		access(allocated(in.Operands[0]), true)
	case ops.MbarrierWait:
		access(allocated(in.Operands[0]), false)
	case ops.WGMMAWait: // until which they are read
		for _, v := range in.Operands {
			read(v.Def.Operands)
		}
	case ops.MemDescTrans, ops.MemDescIndex:
	default:
		read(in.Operands)
	}
	return all
}

// allocated is what local_alloc gives of which v, if it is a memory descriptor, is a view; else nil.
func allocated(v *ir.Value) *ir.Value {
	if v == nil || !v.Type.IsMemDesc() {
		return nil
	}
	for v.Def.Op != ops.LocalAlloc {
		v = v.Def.Operands[0]
	}
	return v
}

// exchangesWarps reports whether an operation takes elements from warp to warp through shared memory: between its
// stores and its loads all threads meet.
func (p *Plan) exchangesWarps(in *ir.Instr) bool {
	crossing := func(list []*Conversion) bool { return slices.ContainsFunc(list, (*Conversion).CrossesWarps) }
	switch in.Op {
	case ops.ConvertLayout:
		return p.Conversions[in].CrossesWarps()
	case ops.Reduce:
		return p.PartialSums[in] == nil && slices.ContainsFunc(p.Reductions[in].Steps, func(s ReduceStep) bool {
			return crossing(s.Exchange)
		})
	case ops.Scan:
		return slices.ContainsFunc(p.Scans[in], func(r ScanRun) bool { return crossing(r.Exchange) })
	}
	return in.Op == ops.Gather || in.Op == ops.Histogram || in.Op == ops.Print
}

// beginsTurn reports whether a barrier is not one, but where a warpgroup's turn begins.
func (p *Plan) beginsTurn(barrier *ir.Instr) bool {
	for _, r := range p.Pipelines {
		if r.Turns && r.Meet == barrier {
			return true
		}
	}
	return false
}
