package asm

import (
	"cmp"
	"slices"
)

// span is a range of positions in the code, both ends included.
type span struct{ first, last int }

func (s *span) cover(t span) { s.first, s.last = min(s.first, t.first), max(s.last, t.last) }

func (s span) overlaps(t span) bool { return s.first <= t.last && t.first <= s.last }

// place gives each buffer that is used its offset, such that buffers that live at the same time do
// not meet, and says how many bytes that takes: the largest first, each at the lowest place.
func place(p *Program) int {
	lifetimes(p)
	p.buffers = slices.DeleteFunc(p.buffers, func(b *Buffer) bool { return !b.used })
	order := slices.Clone(p.buffers)
	slices.SortStableFunc(order, func(a, b *Buffer) int { return cmp.Compare(b.Bytes, a.Bytes) })
	placed := timeline{step: len(p.code)/stretches + 1}
	total := 0
	for _, b := range order {
		b.at = placed.lowest(b)
		placed.add(b)
		total = max(total, b.at+b.Bytes)
	}
	return total
}

// timeline finds the buffers that live at the same time as another, by stretches of the code of step instructions.
type timeline struct {
	step int
	live [stretches][]*Buffer
}

const stretches = 256

// during are lists with all buffers that live when b does, and others.
func (t *timeline) during(b *Buffer) [][]*Buffer {
	return t.live[b.life.first/t.step : b.life.last/t.step+1]
}

func (t *timeline) add(b *Buffer) {
	for i, list := range t.during(b) {
		t.during(b)[i] = append(list, b)
	}
}

// lowest is the first aligned place that no buffer takes while b lives.
func (t *timeline) lowest(b *Buffer) int {
	at := 0
	for moved := true; moved; {
		moved = false
		for _, list := range t.during(b) {
			for _, o := range list {
				if o.life.overlaps(b.life) && at < o.at+o.Bytes && o.at < at+b.Bytes {
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

// loop is the span of a loop of the program, found by its header's label, with the loops around it.
type loop struct {
	span
	around string
}

func loopsOf(code []Inst) map[string]loop {
	out := map[string]loop{}
	var open []string
	for i := range code {
		switch in := &code[i]; in.Mark {
		case LoopStart:
			around := ""
			if len(open) > 0 {
				around = open[len(open)-1]
			}
			out[in.Label] = loop{span{i, len(code)}, around}
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

// lifetimes finds the span from each buffer's first to last use. A buffer that is used in a loop but
// was made outside lives through the loop. Copies may be under way after its life: who gets the bytes
// next waits for them (see barriers).
func lifetimes(p *Program) {
	loops := loopsOf(p.code)
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
			use := span{i, i}
			for _, l := range open {
				if !encloses(loops, l, b.loop) {
					use.cover(loops[l].span)
				}
			}
			if b.used {
				use.cover(b.life)
			}
			b.life, b.used = use, true
		})
	}
}

// encloses reports whether loop outer is inner or around it.
func encloses(loops map[string]loop, outer, inner string) bool {
	for ; inner != ""; inner = loops[inner].around {
		if inner == outer {
			return true
		}
	}
	return false
}

// buffers calls f with each buffer that the instruction names.
func (in *Inst) buffers(f func(b *Buffer)) {
	for _, b := range [2]*Buffer{in.Buffer, in.Second} {
		if b != nil {
			f(b)
		}
	}
	for i := range in.Src {
		if b := in.Src[i].Buffer; b != nil {
			f(b)
		}
	}
}
