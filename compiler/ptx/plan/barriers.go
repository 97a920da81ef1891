package plan

import (
	"cmp"
	"maps"

	"github.com/newtlab/newt/compiler/facts"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/layout"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/axis"
)

// Barriers. Which thread holds which element is the compiler's choice, so a program must see its own stores whatever
// the layouts are: before an access that may conflict with an earlier one of another thread (a RAW, WAR or WAW hazard),
// all threads synchronize. So they do before shared memory is used for something else.
//
// It is a dataflow over the placed function, as Triton's Membar pass is one: forward, over the accesses pending at each
// point, joined behind branches and where an iteration begins, to a fixpoint. Barriers within an operation, between the
// stores of an exchange and its loads, are emitted with it.

// Hazard is two accesses to memory by which two threads may access one element.
type Hazard struct {
	Kind          string    // RAW, WAR or WAW
	First, Second *ir.Instr // of a kind of accesses the first in the order of the code
	Waits         bool      // threads have to wait for their asynchronous copies before
	Fence         bool      // and to fence what they wrote for tensor copies, which overwrite it
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

// accessKind is the memory that an access concerns, and how. Buffers of shared memory count as wholes.
type accessKind struct {
	argument int     // index of the parameter that the pointer points into, or axis.Mixed
	shared   *Buffer // of shared memory; nil: it is global
	writes   bool
	inFlight bool      // by asynchronous copies that their threads have not waited for
	unfenced bool      // by threads and their copies, not yet fenced for tensor copies that overwrite it
	tensor   bool      // by tensor copies
	loop     *ir.Instr // an earlier iteration of this loop, the outermost one, made the access; nil: this one
}

// overlaps reports whether accesses of two kinds may concern the same bytes, and have to be ordered then: one of them
// writes.
func (had accessKind) overlaps(k accessKind) bool {
	switch {
	case had.unfenced || k.unfenced:
		return had.unfenced && k.tensor && had.shared.overlaps(k.shared)
	case !had.writes && !k.writes || (had.shared == nil) != (k.shared == nil):
		return false
	case had.shared == nil:
		// Different arguments may alias in the program that launches; Triton does not order them either. Stores of
		// different iterations to one element are not ordered.
		return (had.argument == k.argument || had.argument == axis.Mixed || k.argument == axis.Mixed) &&
			!(had.writes && k.writes && had.loop != nil)
	case had.shared != k.shared:
		return had.shared.overlaps(k.shared)
	}
	// Two stores to one buffer without a read between them are one operation's and write different bytes.
	apart := k.shared.PerWarp || k.shared.Circular && (had.inFlight || k.inFlight)
	return had.writes != k.writes && !apart
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

// conflict is a hazard between accesses of v and pending ones of another thread, nil if there is none.
func (u pendingAccesses) conflict(v pendingAccesses) (found *Hazard) {
	waits, fence := false, false
	for k, s := range v {
		for had, t := range u {
			if had.overlaps(k) && s.crossesThreads(t) {
				waits, fence = waits || had.inFlight, fence || had.unfenced
				found = found.orEarlier(&Hazard{Kind: kindOf(had.writes, k.writes), First: t.in, Second: s.in})
			}
		}
	}
	if found != nil {
		found.Waits, found.Fence = waits, fence
	}
	return found
}

// synchronize has all threads meet, which neither completes copies in flight nor fences anything.
func (u pendingAccesses) synchronize() {
	maps.DeleteFunc(u, func(k accessKind, _ accessSet) bool { return !k.inFlight && !k.unfenced })
}

// fence has threads fence what they wrote for the async proxy, copies in flight excepted. A barrier tells the others.
func (u pendingAccesses) fence() {
	for k, s := range maps.Clone(u) {
		copies := accessKind{shared: k.shared, writes: true, inFlight: true, loop: k.loop}
		if _, inFlight := u[copies]; k.unfenced && !inFlight {
			delete(u, k)
			k.unfenced = false
			u.add(k, s)
		}
	}
}

// wait has threads wait for their copies to a buffer, nil for all. Those of others are there behind a barrier, unless
// they are acquired.
func (u pendingAccesses) wait(shared *Buffer, acquired bool) {
	for k, s := range maps.Clone(u) {
		if k.writes && k.shared != nil && (shared == nil || k.shared == shared) && (k.inFlight || acquired) {
			delete(u, k)
			if k.inFlight = false; !acquired {
				u.add(k, s)
			}
		}
	}
}

// pass passes the barrier of a hazard, nil if there is none.
func (u pendingAccesses) pass(h *Hazard) {
	if h == nil {
		return
	}
	if h.Waits {
		u.wait(nil, false)
	}
	if h.Fence {
		u.fence()
	}
	u.synchronize()
}

// effect is a step of what an operation does as far as barriers are concerned: all threads meet, they wait for their
// copies, fence what they wrote, or access memory.
type effect struct {
	meets, waits, fences bool
	shared               *Buffer // to which the copies are that are waited for; nil: to any
	acquired             bool    // all copies are there for a thread that has waited, whoever issued them
	accesses             pendingAccesses
	transient            bool // nothing is pending behind the accesses: others say when they are complete
}

// barrierPlacer is the dataflow.
type barrierPlacer struct {
	p        *Plan
	effects  map[*ir.Instr][]effect
	advances map[*ir.Instr]*advance
	before   barriers
	heads    map[*ir.Instr]pendingAccesses // by loop: what is pending where an iteration begins
	entered  bool                          // what is pending before loops counts
	changed  bool
}

// placeBarriers places the barriers: those that loops need whatever comes before them, which often is enough, then all.
func (p *Plan) placeBarriers() {
	b := &barrierPlacer{p: p, effects: map[*ir.Instr][]effect{}, advances: map[*ir.Instr]*advance{},
		before: barriers{}, heads: map[*ir.Instr]pendingAccesses{}}
	for _, b.entered = range []bool{false, true} {
		for b.changed = true; b.changed; {
			b.changed = false
			b.block(p.Func.Body, pendingAccesses{})
		}
	}
	p.Hazards = map[*ir.Instr]*Hazard{}
	b.insert(p.Func.Body)
}

func (b *barrierPlacer) insert(block *ir.Block) {
	w := rewriter{p: b.p}
	for _, in := range block.Instrs {
		if h := b.before[in]; h != nil {
			w.at = in.Span
			if h.Waits {
				w.emit(ops.AsyncWait, nil, nil)
			}
			if h.Fence {
				w.emit(ops.FenceAsync, nil, nil)
			}
			b.p.Hazards[w.emit(ops.Barrier, nil, nil)] = h
		}
		for _, r := range in.Regions {
			b.insert(r)
		}
		w.list = append(w.list, in)
	}
	block.Instrs = w.list
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
		b.apply(in, now)
		return now
	case b.p.Persistent != nil && b.p.Persistent.Ahead == in:
		return now // one warp runs it, and issues copies of another program
	}
	// A barrier in one region orders nothing for the other.
	after := b.block(in.Regions[0], maps.Clone(now))
	after.join(b.block(in.Regions[1], now))
	return after
}

// barriers are the operations before which barriers are, and what those are for.
type barriers map[*ir.Instr]*Hazard

// add adds a barrier for a hazard, if that is not nil and the one that is there does not prevent it, and reports
// whether it did.
func (l barriers) add(in *ir.Instr, h *Hazard) bool {
	was := cmp.Or(l[in], &Hazard{})
	if h == nil || l[in] != nil && (was.Waits || !h.Waits) && (was.Fence || !h.Fence) {
		return false
	}
	h.Waits, h.Fence = h.Waits || was.Waits, h.Fence || was.Fence
	l[in] = h
	return true
}

// apply changes what is pending by the effects of an operation, which come behind its barrier.
func (b *barrierPlacer) apply(in *ir.Instr, now pendingAccesses) {
	effects := b.effectsOf(in)
	now.pass(b.before[in])
	for i := 0; i < len(effects); i++ {
		switch e := effects[i]; {
		case b.before.add(in, now.conflict(e.accesses)):
			now.pass(b.before[in]) // all that came before, and then all of this again
			i = -1
		case e.meets:
			now.synchronize()
		case e.waits:
			now.wait(e.shared, e.acquired)
		case e.fences:
			now.fence()
		case !e.transient:
			now.join(e.accesses)
		}
	}
}

// loop is what is pending behind a loop.
func (b *barrierPlacer) loop(in *ir.Instr, now pendingAccesses) pendingAccesses {
	if b.heads[in] == nil {
		b.heads[in] = pendingAccesses{}
	}
	if b.entered {
		exposed := pendingAccesses{}
		for _, r := range in.Regions {
			if b.expose(r, exposed) {
				break
			}
		}
		b.before.add(in, now.conflict(exposed)) // once, not in each iteration
		now.pass(b.before[in])
		b.heads[in].join(now)
	}
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
		if k.shared == nil {
			k.loop = cmp.Or(k.loop, loop)
		}
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
		}
		for _, e := range b.effectsOf(in) {
			if e.meets {
				return true
			}
			to.join(e.accesses)
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

// effects is what an operation does, in order.
func (p *Plan) effects(in *ir.Instr) (list []effect) {
	meet := func(does bool) {
		if does {
			list = append(list, effect{meets: true})
		}
	}
	access := func(k accessKind, s accessSet, transient bool) {
		list = append(list, effect{accesses: pendingAccesses{k: s}, transient: transient})
	}
	shared := func(b *Buffer, k accessKind) {
		k.shared = b
		access(k, accessSet{in: in, byManyThreads: true}, false)
	}
	write := func(b *Buffer) {
		shared(b, accessKind{writes: true})
		shared(b, accessKind{writes: true, unfenced: true})
	}
	copies := func(load *ir.Instr) {
		access(accessKind{argument: p.memoryOf(load)}, accessSet{in: in, byManyThreads: true}, true)
		shared(p.Buffers[allocated(load.Operands[1]).Def], accessKind{writes: true, inFlight: true})
	}
	async := p.Async[in]
	switch in.Op {
	case ops.Load, ops.Store, ops.AtomicRMW, ops.AtomicCAS, ops.AtomicLoad, ops.AtomicStore:
		ptr, l := in.Operands[0], p.Accesses[in].Layout
		free := l.Free()
		release, acquire := in.MemoryOrder()
		meet(release)
		access(accessKind{argument: p.memoryOf(in), writes: in.Op.Has(ops.Writes)},
			accessSet{in, ptr, l, free.Lane|free.Warp != 0 || !p.distinct(ptr)}, false)
		meet(acquire && in.Scratch == nil) // through which all meet
	case ops.Barrier:
		meet(true)
	case ops.LocalAlloc:
		if in.Operand(0) != nil {
			write(p.Buffers[in])
		}
	case ops.AsyncCopy:
		copies(in)
		shared(p.Buffers[allocated(in.Operands[1]).Def], accessKind{writes: true, unfenced: true})
	case ops.AsyncWait:
		var ring *Buffer
		if async.Pipeline != nil {
			ring = p.ringOf(async.Pipeline)
		}
		list = append(list, effect{waits: true, shared: ring})
	case ops.MbarrierInit: // and then one warp alone issues copies, before which there can be no barrier
		shared(p.used(in)[0], accessKind{writes: true})
		access(accessKind{shared: p.ringOf(async.Pipeline), writes: true, tensor: true},
			accessSet{in: in, byManyThreads: true}, true)
	case ops.FenceAsync:
		list = append(list, effect{fences: !in.Bool("global")})
	case ops.MbarrierExpect:
		for _, load := range async.Tensors {
			copies(load)
		}
	case ops.MbarrierWait:
		shared(p.used(in)[0], accessKind{})
		_, all := async.Pipeline.Tensors()
		list = append(list, effect{waits: true, shared: p.ringOf(async.Pipeline), acquired: all})
	case ops.Dot, ops.WGMMA, ops.WGMMAWait, ops.LocalLoad:
		for _, b := range p.used(in) {
			shared(b, accessKind{})
		}
	case ops.MbarrierInval:
		shared(p.used(in)[0], accessKind{writes: true})
	}
	if in.Scratch != nil {
		b := p.Buffers[in.Scratch.Def]
		write(b)
		meet(!b.PerWarp)
		shared(b, accessKind{})
	}
	return list
}

// ringOf is the stage buffers of a pipelined loop.
func (p *Plan) ringOf(r *Pipeline) *Buffer { return p.Buffers[r.Loads[0].Buffers.Def] }

// memoryOf is the argument that an access concerns: an inttoptr may point into any.
func (p *Plan) memoryOf(access *ir.Instr) int {
	argument := p.Facts.Argument(access.Operands[0])
	if argument >= len(p.Func.Params) {
		return axis.Mixed
	}
	return argument
}
