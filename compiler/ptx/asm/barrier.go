package asm

import (
	"slices"
)

// sharedAccess is a way to access shared memory that a barrier may have to separate from others.
type sharedAccess int

const (
	readAccess sharedAccess = iota
	storeAccess
	atomicAccess // by atomic operations, and by those on mbarriers
	copyInFlight // asynchronously, under way
	copyWaited   // asynchronously, waited for by the thread that issued it
	numAccesses
	noAccess = -1
)

func (in *Inst) sharedAccess() sharedAccess {
	switch in.Access {
	case ReadsShared:
		return readAccess
	case writesShared:
		return storeAccess
	case updatesShared:
		return atomicAccess
	case AsyncWrite:
		return copyInFlight
	}
	return noAccess
}

// bufferSet holds buffers by their index, in ascending order.
type bufferSet []int32

func (s *bufferSet) add(i int) {
	if at, found := slices.BinarySearch(*s, int32(i)); !found {
		*s = slices.Insert(*s, at, int32(i))
	}
}

func (s *bufferSet) remove(i int) {
	if at, found := slices.BinarySearch(*s, int32(i)); found {
		*s = slices.Delete(slices.Clone(*s), at, at+1)
	}
}

// join adds t's members and reports whether there were new ones.
func (s *bufferSet) join(t bufferSet) bool {
	had := len(*s)
	for _, i := range t {
		s.add(int(i))
	}
	return len(*s) > had
}

// pendingAccesses is the buffers that threads may have accessed since the last barrier, by the way of access.
type pendingAccesses [numAccesses]bufferSet

// barrierInserter is the dataflow that finds where barriers are needed: forward, over the accesses pending at each
// point, joined at labels, to a fixpoint. It is what Triton's Membar pass does.
//
// Buffers count as wholes. Two stores to one buffer without a read between them are one operation's and write different
// bytes; so do atomic operations with each other, and asynchronous copies.
type barrierInserter struct {
	code      []Inst
	index     map[*Buffer]int
	buffers   []*Buffer
	exits     *coldExits
	cold      map[string][]int // by label of cold code: the buffers that copies there write
	labels    map[string]*pendingAccesses
	barrierAt map[int]bool // positions of barriers; true where copies must be waited for too
	changed   bool
}

// insertBarriers inserts a barrier between accesses of different threads that conflict (RAW, WAR and WAW hazards), with
// a wait for asynchronous copies if those are concerned. All buffers must have been placed.
func insertBarriers(p *Program, exits *coldExits) []Inst {
	buffers := p.buffers
	if len(buffers) == 0 {
		return p.code
	}
	b := &barrierInserter{code: p.code, index: map[*Buffer]int{}, buffers: buffers, exits: exits,
		cold:      map[string][]int{},
		labels:    map[string]*pendingAccesses{},
		barrierAt: map[int]bool{}, changed: true}
	for i, x := range buffers {
		b.index[x] = i
	}
	b.findColdCopies(p.cold)
	for b.changed {
		b.changed = false
		b.propagate()
	}
	return b.rewrite()
}

// findColdCopies finds which buffers are written where a branch to cold code leads.
func (b *barrierInserter) findColdCopies(cold []Inst) {
	if !slices.ContainsFunc(cold, func(in Inst) bool { return in.Access == AsyncWrite }) {
		return
	}
	exits := coldExitsOf(cold)
	for i := range b.code {
		if in := &b.code[i]; in.branches() {
			label := in.Src[0].Sym
			at, ok := exits.at[label]
			if _, found := b.cold[label]; !ok || found {
				continue
			}
			_, instructions := exits.from(at)
			for _, j := range instructions {
				if cold[j].Access == AsyncWrite {
					b.cold[label] = append(b.cold[label], b.index[cold[j].Buffer])
				}
			}
			slices.Sort(b.cold[label])
			b.cold[label] = slices.Compact(b.cold[label])
		}
	}
}

func (b *barrierInserter) join(to, from *pendingAccesses) (grew bool) {
	for i := range to {
		grew = to[i].join(from[i]) || grew
	}
	return grew
}

func (b *barrierInserter) label(name string) *pendingAccesses {
	if b.labels[name] == nil {
		b.labels[name] = &pendingAccesses{}
	}
	return b.labels[name]
}

// propagate goes through the code once, from what is pending at the labels.
func (b *barrierInserter) propagate() {
	now := &pendingAccesses{}
	for i := range b.code {
		in := &b.code[i]
		switch {
		case in.Mark == LabelMark, in.Mark == LoopStart:
			b.join(now, b.label(in.Label))
		case in.branches():
			// A barrier in front of copies that come later would be one for the threads alone that do not branch.
			now = b.accessAll(i, b.cold[in.Src[0].Sym], copyInFlight, now)
			for _, l := range b.exits.of(in.Src[0].Sym) {
				b.changed = b.join(b.label(l), now) || b.changed
			}
			// After an unconditional branch nothing falls through.
			if !in.Guard.OK() {
				now = &pendingAccesses{}
			}
		default:
			now = b.transfer(i, now)
		}
	}
}

func (b *barrierInserter) transfer(i int, now *pendingAccesses) *pendingAccesses {
	in := &b.code[i]
	switch in.Access {
	case FullBarrier:
		return b.afterBarrier(now)
	case WaitAsync:
		// The thread's own copies are there; other threads see them after a barrier.
		for _, i := range slices.Clone(now[copyInFlight]) {
			if in.Buffer == nil || b.buffers[i] == in.Buffer {
				now[copyWaited].add(int(i))
				now[copyInFlight].remove(int(i))
			}
		}
		return now
	case AcquireAsync:
		now[copyInFlight].remove(b.index[in.Buffer])
		now[copyWaited].remove(b.index[in.Buffer])
		return now
	}
	how := in.sharedAccess()
	if how == noAccess {
		return now
	}
	return b.accessAll(i, b.accessed(in), how, now)
}

// accessAll is what is pending after the instruction at i accesses several buffers.
func (b *barrierInserter) accessAll(i int, touched []int, how sharedAccess, now *pendingAccesses) *pendingAccesses {
	for _, j := range touched {
		now = b.access(i, j, how, now)
	}
	for _, j := range touched { // what a barrier found for a later one has put behind it comes after
		now[how].add(j)
	}
	return now
}

// accessed is the buffers that an instruction accesses.
func (b *barrierInserter) accessed(in *Inst) []int {
	if in.Buffer == nil { // all of them
		all := make([]int, len(b.buffers))
		for j := range all {
			all[j] = j
		}
		return all
	}
	list := []int{b.index[in.Buffer]}
	if in.Second != nil {
		list = append(list, b.index[in.Second])
	}
	return list
}

// access is what is pending after the instruction at i accesses buffer j.
func (b *barrierInserter) access(i, j int, how sharedAccess, now *pendingAccesses) *pendingAccesses {
	conflict, wait := b.conflicts(j, how, now)
	if conflict || wait {
		if b.code[i].Divergent {
			panic("asm: " + b.buffers[j].Name + " needs a barrier where some threads do not come: " + b.code[i].Op.Name)
		}
		if was, ok := b.barrierAt[i]; !ok || wait && !was {
			b.barrierAt[i] = wait
			b.changed = true
		}
	}
	if wait, ok := b.barrierAt[i]; ok {
		if wait {
			now[copyInFlight] = nil
		}
		now = b.afterBarrier(now)
	}
	now[how].add(j)
	return now
}

func (b *barrierInserter) conflicts(j int, how sharedAccess, now *pendingAccesses) (conflict, wait bool) {
	for t, s := range now {
		other := sharedAccess(t)
		// Stage buffers: copies fill another one than is read, and the pipeline has its own barriers.
		apart := b.buffers[j].Circular && (how == copyInFlight && other == readAccess || how == readAccess &&
			other == copyInFlight)
		itself := !b.buffers[j].PerWarp && other != how && !(how == copyInFlight && other == copyWaited) && !apart
		switch {
		case how == readAccess && other == readAccess:
		case !b.overlap(j, s, itself):
		// A barrier alone does not order copies: the threads that issued them have to wait first.
		case other == copyInFlight:
			wait = true
		default:
			conflict = true
		}
	}
	return conflict, wait
}

// overlap reports whether a member of s has bytes in common with buffer j; j itself counts if itself is set.
func (b *barrierInserter) overlap(j int, s bufferSet, itself bool) bool {
	x := b.buffers[j]
	return slices.ContainsFunc(s, func(i int32) bool {
		y := b.buffers[i]
		return (x != y || itself) && x.at < y.at+y.Bytes && y.at < x.at+x.Bytes
	})
}

// afterBarrier is what is pending after a barrier: copies in flight still are.
func (b *barrierInserter) afterBarrier(now *pendingAccesses) *pendingAccesses {
	after := &pendingAccesses{}
	// Only a wait completes copies.
	after[copyInFlight] = now[copyInFlight]
	return after
}

// rewrite inserts the barriers into the code, from its end on, mostly into the room that eliminateDead has left.
func (b *barrierInserter) rewrite() []Inst {
	n := len(b.barrierAt)
	for _, wait := range b.barrierAt {
		if wait {
			n++
		}
	}
	// From the end, so that each instruction is moved once and nothing is overwritten before it has been.
	code := slices.Grow(b.code, n)[:len(b.code)+n]
	for i := len(b.code) - 1; n > 0; i-- {
		code[i+n] = code[i]
		if wait, ok := b.barrierAt[i]; ok {
			n--
			code[i+n] = resolve(Inst{Op: Op("bar.sync"), Src: []Operand{I(0)}, Access: FullBarrier,
				Span: code[i].Span})
			if wait {
				n--
				code[i+n] = resolve(Inst{Op: Op("cp.async.wait_all"), Span: code[i].Span})
			}
		}
	}
	return code
}
