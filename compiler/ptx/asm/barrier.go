package asm

import (
	"slices"
	"strings"
)

// touch is a way of using shared memory that a barrier may have to part from others.
type touch int

const (
	reading touch = iota
	storing
	updating // by atomic operations
	copying  // asynchronously, under way
	copied   // asynchronously, waited for by the thread that issued it
	numTouches
	noTouch = -1
)

func (in *Inst) touch() touch {
	switch {
	case in.Access == ReadsShared:
		return reading
	case in.Access == AsyncWrite:
		return copying
	case in.Access != WritesShared:
		return noTouch
	case strings.HasPrefix(in.Op, "atom"), strings.HasPrefix(in.Op, "red"):
		return updating
	}
	return storing
}

// set holds buffers by their index, in ascending order: the few that threads have touched since they last met.
type set []int32

func (s *set) add(i int) {
	if at, found := slices.BinarySearch(*s, int32(i)); !found {
		*s = slices.Insert(*s, at, int32(i))
	}
}

// join adds t's members and reports whether there were new ones.
func (s *set) join(t set) bool {
	had := len(*s)
	for _, i := range t {
		s.add(int(i))
	}
	return len(*s) > had
}

// pending is what threads may have done to each buffer since they last met.
type pending [numTouches]set

// barriers is the dataflow that finds where threads have to meet.
//
// Buffers count as wholes. Two stores into one buffer without a read between them are one operation's
// and write different bytes; so do atomic operations with each other, and asynchronous copies.
type barriers struct {
	code    []Inst
	index   map[*Buffer]int
	buffers []*Buffer
	exits   *exits
	labels  map[string]*pending
	before  map[int]bool // positions of barriers; true where copies must be waited for too
	changed bool
}

// withBarriers inserts what must stand between accesses that conflict: reads after writes, writes
// after reads, writes after writes. All buffers must have been placed.
func withBarriers(p *Program, exits *exits) []Inst {
	buffers := p.buffers
	if len(buffers) == 0 {
		return p.code
	}
	b := &barriers{code: p.code, index: map[*Buffer]int{}, buffers: buffers, exits: exits, labels: map[string]*pending{},
		before: map[int]bool{}, changed: true}
	for i, x := range buffers {
		b.index[x] = i
	}
	for b.changed {
		b.changed = false
		b.pass()
	}
	return b.insert()
}

func (b *barriers) join(to, from *pending) (grew bool) {
	for i := range to {
		grew = to[i].join(from[i]) || grew
	}
	return grew
}

func (b *barriers) label(name string) *pending {
	if b.labels[name] == nil {
		b.labels[name] = &pending{}
	}
	return b.labels[name]
}

// pass goes through the code once, from what is known at the labels.
func (b *barriers) pass() {
	now := &pending{}
	for i := range b.code {
		in := &b.code[i]
		switch {
		case in.Mark == LabelMark, in.Mark == LoopStart:
			b.join(now, b.label(in.Label))
		case in.Op == "bra":
			for _, l := range b.exits.of(in.Src[0].Sym) {
				b.changed = b.join(b.label(l), now) || b.changed
			}
			if !in.Guard.OK() {
				now = &pending{}
			}
		default:
			now = b.step(i, now)
		}
	}
}

func (b *barriers) step(i int, now *pending) *pending {
	in := &b.code[i]
	switch in.Access {
	case FullBarrier:
		return b.met(now)
	case WaitAsync:
		now[copied].join(now[copying])
		now[copying] = nil
		return now
	}
	how := in.touch()
	if how == noTouch {
		return now
	}
	touched := b.touched(in)
	for _, j := range touched {
		now = b.reach(i, j, how, now)
	}
	for _, j := range touched { // what a barrier found for a later one has put behind it comes after
		now[how].add(j)
	}
	return now
}

// touched are the buffers that an instruction accesses.
func (b *barriers) touched(in *Inst) []int {
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

// reach is the state after the instruction at i touches buffer j.
func (b *barriers) reach(i, j int, how touch, now *pending) *pending {
	conflict, wait := b.conflicts(j, how, now)
	if conflict || wait {
		if was, ok := b.before[i]; !ok || wait && !was {
			b.before[i] = wait
			b.changed = true
		}
	}
	if wait, ok := b.before[i]; ok {
		if wait {
			now[copying] = nil
		}
		now = b.met(now)
	}
	now[how].add(j)
	return now
}

func (b *barriers) conflicts(j int, how touch, now *pending) (conflict, wait bool) {
	for t, s := range now {
		other := touch(t)
		apart := b.buffers[j].Circular && (how == copying && other == reading || how == reading && other == copying)
		itself := other != how && !(how == copying && other == copied) && !apart
		switch {
		case how == reading && other == reading:
		case !b.overlap(j, s, itself):
		case other == copying:
			wait = true
		default:
			conflict = true
		}
	}
	return conflict, wait
}

// overlap reports whether a member of s has bytes in common with buffer j, which counts only where itself is set.
func (b *barriers) overlap(j int, s set, itself bool) bool {
	x := b.buffers[j]
	return slices.ContainsFunc(s, func(i int32) bool {
		y := b.buffers[i]
		return (x != y || itself) && x.at < y.at+y.Bytes && y.at < x.at+x.Bytes
	})
}

// met is the state after a barrier: copies under way still are.
func (b *barriers) met(now *pending) *pending {
	after := &pending{}
	after[copying] = now[copying]
	return after
}

// insert puts the barriers into the code, from its end on, mostly into the room that dead code has left.
func (b *barriers) insert() []Inst {
	n := len(b.before)
	for _, wait := range b.before {
		if wait {
			n++
		}
	}
	code := slices.Grow(b.code, n)[:len(b.code)+n]
	for i := len(b.code) - 1; n > 0; i-- {
		code[i+n] = code[i]
		if wait, ok := b.before[i]; ok {
			n--
			code[i+n] = Inst{Op: "bar.sync", Src: []Operand{I(0)}, Access: FullBarrier, Effect: true, Span: code[i].Span}
			if wait {
				n--
				code[i+n] = Inst{Op: "cp.async.wait_all", Access: WaitAsync, Effect: true, Span: code[i].Span}
			}
		}
	}
	return code
}
