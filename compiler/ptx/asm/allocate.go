package asm

import (
	"cmp"
	"slices"
)

// liveRange is a range of positions in the code, both ends included.
type liveRange struct{ first, last int }

func (s *liveRange) cover(t liveRange) { s.first, s.last = min(s.first, t.first), max(s.last, t.last) }

func (s liveRange) overlaps(t liveRange) bool { return s.first <= t.last && t.first <= s.last }

// allocateShared gives each buffer that is used an offset such that buffers with overlapping live ranges do not
// overlap, and gives the bytes that takes: largest first, each at the lowest free offset.
func allocateShared(p *Program) int {
	findLiveRanges(p)
	p.buffers = slices.DeleteFunc(p.buffers, func(b *Buffer) bool { return !b.used })
	order := slices.Clone(p.buffers)
	slices.SortStableFunc(order, func(a, b *Buffer) int { return cmp.Compare(b.Bytes, a.Bytes) })
	placed := liveIndex{step: len(p.code)/numBuckets + 1}
	total := 0
	for _, b := range order {
		b.at = placed.lowestFree(b)
		placed.add(b)
		total = max(total, b.at+b.Bytes)
	}
	return total
}

// liveIndex finds the buffers that are live at the same time as another. It divides the code into buckets of step
// instructions.
type liveIndex struct {
	step int
	live [numBuckets][]*Buffer
}

const numBuckets = 256

// overlapping is lists with all buffers whose live ranges overlap b's, and others.
func (t *liveIndex) overlapping(b *Buffer) [][]*Buffer {
	return t.live[b.live.first/t.step : b.live.last/t.step+1]
}

func (t *liveIndex) add(b *Buffer) {
	for i, list := range t.overlapping(b) {
		t.overlapping(b)[i] = append(list, b)
	}
}

// lowestFree is the first aligned offset that no buffer has while b is live.
func (t *liveIndex) lowestFree(b *Buffer) int {
	at := 0
	// Each move goes past one buffer, upwards, so this ends.
	for moved := true; moved; {
		moved = false
		for _, list := range t.overlapping(b) {
			for _, o := range list {
				if o.live.overlaps(b.live) && at < o.at+o.Bytes && o.at < at+b.Bytes {
					at = align(o.at+o.Bytes, b.Align)
					moved = true
				}
			}
		}
	}
	return at
}

func align(n, to int) int {
	if to < 2 {
		return n
	}
	return (n + to - 1) / to * to
}

// loopRange is the positions of a loop, and its parent by the label of that one's head.
type loopRange struct {
	liveRange
	parent string
}

func findLoops(code []Inst) map[string]loopRange {
	out := map[string]loopRange{}
	var open []string
	for i := range code {
		switch in := &code[i]; in.Mark {
		case LoopStart:
			around := ""
			if len(open) > 0 {
				around = open[len(open)-1]
			}
			out[in.Label] = loopRange{liveRange{i, len(code)}, around}
			open = append(open, in.Label)
		case LoopEnd:
			l := out[in.Label]
			l.last = i
			out[in.Label] = l
			open = open[:len(open)-1]
		}
	}
	return out
}

// findLiveRanges finds the live range of each buffer. One that is accessed in a loop but made outside lives through the
// loop. Copies may be in flight after its end: who gets the bytes next waits for them (insertBarriers).
func findLiveRanges(p *Program) {
	loops := findLoops(p.code)
	var open []string
	for i := range p.code {
		in := &p.code[i]
		switch in.Mark {
		case LoopStart:
			open = append(open, in.Label)
		case LoopEnd:
			open = open[:len(open)-1]
		}
		in.buffers(func(b *Buffer) {
			use := liveRange{i, i}
			for _, l := range open {
				// A buffer made in the loop is dead between iterations.
				if !encloses(loops, l, b.loop) {
					use.cover(loops[l].liveRange)
				}
			}
			if b.used {
				use.cover(b.live)
			}
			if b.LiveToEnd {
				use.last = len(p.code) - 1
			}
			b.live, b.used = use, true
		})
	}
}

// encloses reports whether loop outer is inner or one of its parents.
func encloses(loops map[string]loopRange, outer, inner string) bool {
	for ; inner != ""; inner = loops[inner].parent {
		if inner == outer {
			return true
		}
	}
	return false
}

// buffers calls f with each buffer that the instruction accesses. AddressOf takes an address alone, in the kernel's
// entry perhaps, from where the buffer need not be live.
func (in *Inst) buffers(f func(b *Buffer)) {
	for _, b := range [2]*Buffer{in.Buffer, in.Second} {
		if b != nil {
			f(b)
		}
	}
	for i := range in.Src {
		if x := &in.Src[i]; x.Buffer != nil && x.Kind != SymOperand {
			f(x.Buffer)
		}
	}
}
