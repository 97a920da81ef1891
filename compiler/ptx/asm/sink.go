package asm

import (
	"maps"
	"slices"
)

// sink moves computations down to where they alone are needed:
//
//   - behind a loop: the addresses of a matmul's stores, say, which are computed early since they have parts in common
//     with those of its loads. They take no time before the first load then, and no registers in the loop;
//   - into code that a branch skips: the columns that a causal mask is compared with, say, of which the tiles below the
//     diagonal need none.
//
// NVIDIA's assembler does neither. Moved is what has no effects and always the same operands, if all its uses are in
// one block of straight-line code in the same loop, and a loop ends between or a branch between may skip them. From the
// last instruction on, what a moved one reads may follow it.
func sink(p *Program) {
	s := newSinker(p)
	behind := map[int]int{}
	for i := len(p.code) - 1; i >= 0; i-- {
		if to := s.destination(i); to > i {
			s.at[i], behind[i] = to, to-1
		}
		p.code[i].uses(func(r *Reg) { s.use(r.ID, s.at[i]) })
	}
	p.code = moveBehind(p.code, behind)
}

// sinker knows where registers are used, as far as the code has been seen from its end on.
type sinker struct {
	p           *Program
	values      *valueTable
	at          []int    // by instruction: where it is to stand, before the instruction with that number
	block       []int    // by instruction: its block
	loop        []string // by block: the innermost loop around, by the label of its head
	skips       []int    // by block: the position of the last branch that may skip it; none: noUse
	loopEnds    []int    // positions, in ascending order
	first, last []int    // by register: positions of uses; noUse: none
}

const noUse = -1

func newSinker(p *Program) *sinker {
	s := &sinker{p: p, values: &valueTable{defs: make([]int32, p.regs+1)},
		at: make([]int, len(p.code)), block: make([]int, len(p.code)), loop: []string{""}, skips: []int{noUse},
		first: slices.Repeat([]int{noUse}, int(p.regs)+1), last: slices.Repeat([]int{noUse}, int(p.regs)+1)}
	var open []string
	labels := map[string]int{}
	for i := range p.code {
		if p.code[i].Mark == LabelMark {
			labels[p.code[i].Label] = i
		}
	}
	var ahead []int // branches forward whose labels are still to come
	for i := range p.code {
		in := &p.code[i]
		in.defs(func(r *Reg) { s.values.defs[r.ID]++ })
		switch in.Mark {
		case LoopStart:
			open = append(open, in.Label)
		case LoopEnd:
			open = open[:len(open)-1]
			s.loopEnds = append(s.loopEnds, i)
		}
		if in.Op == nil || in.branches() {
			if in.branches() {
				ahead = append(ahead, i)
			}
			ahead = slices.DeleteFunc(ahead, func(b int) bool { return labels[p.code[b].Src[0].Sym] <= i })
			s.skips = append(s.skips, noUse)
			if len(ahead) > 0 {
				s.skips[len(s.loop)] = ahead[len(ahead)-1]
			}
			innermost := ""
			if len(open) > 0 {
				innermost = open[len(open)-1]
			}
			s.loop = append(s.loop, innermost)
		}
		s.at[i], s.block[i] = i, len(s.loop)-1
	}
	for i := range p.cold {
		p.cold[i].defs(func(r *Reg) { s.values.defs[r.ID]++ })
		p.cold[i].uses(func(r *Reg) { s.use(r.ID, 0) }) // from anywhere
	}
	return s
}

// use records a use of a register at a position.
func (s *sinker) use(r int32, at int) {
	if s.first[r] == noUse || at < s.first[r] {
		s.first[r] = at
	}
	s.last[r] = max(s.last[r], at)
}

// destination is the position that the instruction at i had better stand before: i, if it stays.
func (s *sinker) destination(i int) int {
	in := &s.p.code[i]
	d, pure := s.values.pureResult(in)
	if !pure || s.first[d.ID] <= i {
		return i
	}
	to := s.first[d.ID]
	home, there := s.block[i], s.block[to]
	end, _ := slices.BinarySearch(s.loopEnds, i)
	constant := true
	in.uses(func(r *Reg) { constant = constant && s.values.defs[r.ID] == 1 })
	behind := end < len(s.loopEnds) && s.loopEnds[end] <= to
	if !constant || s.block[s.last[d.ID]] != there || s.loop[home] != s.loop[there] || !behind && s.skips[there] < i {
		return i
	}
	return to
}

// moveBehind is code with some instructions moved, each behind the one that is given for it, in their order.
func moveBehind(code []Inst, behind map[int]int) []Inst {
	if len(behind) == 0 {
		return code
	}
	moved := make(map[int][]int, len(behind))
	for _, i := range slices.Sorted(maps.Keys(behind)) {
		moved[behind[i]] = append(moved[behind[i]], i)
	}
	out := make([]Inst, 0, len(code))
	for i := range code {
		if _, moves := behind[i]; !moves {
			out = append(out, code[i])
		}
		for _, j := range moved[i] {
			out = append(out, code[j])
		}
	}
	return out
}
