package asm

import (
	"slices"

	"github.com/newtlab/newt/compiler/ptx/isa"
)

// schedule puts the instructions of each block of straight-line code whose values need more registers than a thread
// has into an order that needs fewer. NVIDIA's assembler schedules, too, but starts from the order that it is given,
// which is tile by tile: with a thousand values alive at once it gives up and spills nearly all of them.
//
// Instructions with effects keep their order, and what reads memory stays between the effects that it was between.
func schedule(p *Program) {
	if hasTensorCores(p) {
		return
	}
	budget := registerBudget(p.Threads)
	blocks := blocksOf(p)
	// A block has no more values than its instructions define.
	long := func(b []Inst) bool { return len(b) > budget/2 }
	if !slices.ContainsFunc(blocks, long) {
		return
	}
	pressure := newPressure(p, blocks)
	for i, b := range blocks {
		if !long(b) {
			continue
		}
		pressure.block = int32(i + 1)
		before := pressure.peak(b)
		if before <= most*budget {
			continue
		}
		// Loads run ahead of what uses them up, to wait for many at once, but leave registers for all else.
		s := &scheduler{pressure: pressure, code: b, budget: budget * loadsAhead / 4}
		ordered := s.order(dependences(b, p.regs))
		if pressure.peak(ordered) < before {
			copy(b, ordered)
		}
	}
}

const (
	// most is how many times a thread's registers NVIDIA's assembler copes with.
	most = 2
	// loadsAhead is the quarters of a thread's registers that loads fill before their values are used up.
	loadsAhead = 2
	// maxReads is how often an instruction reads one register, at most, to be seen to be the last that does.
	maxReads = 3
)

// registerBudget is the 32-bit registers that a thread may have in a thread block of so many (CUDA C++ Programming
// Guide, "Technical Specifications per Compute Capability").
func registerBudget(threads int) int { return min(255, 1<<16/max(threads, 1)) }

// blocksOf cuts the code at labels, marks and branches, which are in no block.
func blocksOf(p *Program) (out [][]Inst) {
	for _, list := range [][]Inst{p.code, p.cold} {
		start := 0
		for i := range list {
			if list[i].Op == nil || list[i].branches() {
				out = append(out, list[start:i])
				start = i + 1
			}
		}
		out = append(out, list[start:])
	}
	return out
}

// hasTensorCores reports whether the program has instructions of tensor cores. Their registers are planned, and wgmma
// works on registers while the thread goes on, which no operand shows.
func hasTensorCores(p *Program) bool {
	return slices.ContainsFunc(p.code, func(in Inst) bool {
		return in.Op != nil && in.Op.Work.Class == isa.Tensor
	})
}

// pressure counts the registers that are alive in a block, of those that no other block reads.
type pressure struct {
	home  []int32 // by register: the block, from 1, that alone has it; -1: others have it, too
	block int32
	reads []int32 // by register: operands that are yet to read it
	alive []bool
}

func newPressure(p *Program, blocks [][]Inst) *pressure {
	s := &pressure{home: make([]int32, p.regs+1), reads: make([]int32, p.regs+1), alive: make([]bool, p.regs+1)}
	for i, b := range blocks {
		at := func(r *Reg) {
			if h := &s.home[r.ID]; *h == 0 {
				*h = int32(i + 1)
			} else if *h != int32(i+1) {
				*h = -1
			}
		}
		for j := range b {
			b[j].uses(at)
			b[j].defs(at)
		}
	}
	// guards of branches
	for _, list := range [][]Inst{p.code, p.cold} {
		for i := range list {
			if list[i].branches() {
				list[i].uses(func(r *Reg) { s.home[r.ID] = -1 })
			}
		}
	}
	return s
}

// enter goes before the block's first instruction.
func (s *pressure) enter(block []Inst) {
	for i := range block {
		block[i].defs(func(r *Reg) { s.reads[r.ID], s.alive[r.ID] = 0, false })
	}
	for i := range block {
		block[i].uses(func(r *Reg) { s.reads[r.ID]++ })
	}
}

// words is the 32-bit registers that a value of the block takes; those of others are taken in any order. Predicates
// count: there are seven, and more are kept in registers.
func (s *pressure) words(r *Reg) int {
	if s.home[r.ID] != s.block {
		return 0
	}
	return words32(r.Class)
}

// words32 is the 32-bit registers that a register of a class takes.
func words32(c Class) int {
	if c == B64 {
		return 2
	}
	return 1
}

// growth is by how many registers the instruction changes what is alive.
func (s *pressure) growth(in *Inst) (n int) {
	in.uses(func(r *Reg) {
		if s.reads[r.ID]--; s.reads[r.ID] == 0 {
			n -= s.words(r)
		}
	})
	in.uses(func(r *Reg) { s.reads[r.ID]++ })
	in.defs(func(r *Reg) {
		if !s.alive[r.ID] {
			n += s.words(r)
		}
	})
	return n
}

// step goes past an instruction.
func (s *pressure) step(in *Inst) (growth int) {
	growth = s.growth(in)
	in.uses(func(r *Reg) { s.reads[r.ID]-- })
	in.defs(func(r *Reg) { s.alive[r.ID] = true })
	return growth
}

// peak is the most registers alive in the block in an order of its instructions.
func (s *pressure) peak(block []Inst) (most int) {
	s.enter(block)
	live := 0
	for i := range block {
		live += s.step(&block[i])
		most = max(most, live)
	}
	return most
}

// dependences is for each instruction of a block which others must come before it, in their order.
func dependences(block []Inst, registers int32) [][]int32 {
	before := make([][]int32, len(block))
	writer := make([]int32, registers+1) // from 1
	readers := map[int32][]int32{}
	effect, sinceEffect := int32(-1), []int32(nil)
	for i := range block {
		in, at := &block[i], int32(i)
		after := func(j int32) {
			if j >= 0 && j != at {
				before[i] = append(before[i], j)
			}
		}
		if !in.isPure() {
			after(effect)
			if in.hasEffect() {
				for _, j := range sinceEffect {
					after(j)
				}
				effect, sinceEffect = at, nil
			} else {
				sinceEffect = append(sinceEffect, at)
			}
		}
		in.uses(func(r *Reg) {
			after(writer[r.ID] - 1)
			readers[r.ID] = append(readers[r.ID], at)
		})
		in.defs(func(r *Reg) {
			after(writer[r.ID] - 1)
			for _, j := range readers[r.ID] {
				after(j)
			}
			writer[r.ID], readers[r.ID] = at+1, nil
		})
	}
	return before
}

// scheduler orders a block: each effect after what it needs, which comes as late as possible, in the order of the code.
// Where that makes more values than the budget allows, instructions that do not add to them come early.
type scheduler struct {
	*pressure
	code    []Inst
	budget  int
	before  [][]int32
	after   [][]int32
	waits   []int // how many of before are to come
	readers map[int32][]int32
	done    []bool
	since   []int32 // by instruction: the number of the last effect before it, or its own
	effects []int32
	live    int
	early   []int32 // instructions that may be ready, and not add to what is alive
	out     []int32
}

func (s *scheduler) order(before [][]int32) []Inst {
	n := len(s.code)
	s.before, s.after, s.readers = before, make([][]int32, n), map[int32][]int32{}
	for i, list := range before {
		for _, j := range list {
			s.after[j] = append(s.after[j], int32(i))
		}
		s.code[i].uses(func(r *Reg) { s.readers[r.ID] = append(s.readers[r.ID], int32(i)) })
	}
	s.number()
	s.start()
	for _, i := range s.effects {
		s.demand(i)
	}
	for i := range s.code {
		s.demand(int32(i))
	}
	s.hoistLoads()
	out := make([]Inst, n)
	for i, j := range s.out {
		out[i] = s.code[j]
	}
	return out
}

// start forgets what has been put.
func (s *scheduler) start() {
	n := len(s.code)
	s.waits, s.done, s.live, s.early, s.out = make([]int, n), make([]bool, n), 0, nil, make([]int32, 0, n)
	for i, list := range s.before {
		s.waits[i] = len(list)
	}
	s.enter(s.code)
}

// hoistLoads puts the instructions once more, in the same order but for loads: those come before as long as the budget
// has room.
func (s *scheduler) hoistLoads() {
	order, effects, ahead := s.out, int32(0), 0
	s.start()
	for at, i := range order {
		for ahead = max(ahead, at); s.live < s.budget && ahead < len(order); ahead++ {
			j := order[ahead]
			if s.since[j] > effects {
				break
			}
			if s.code[j].isLoad() {
				s.demand(j)
			}
		}
		s.demand(i)
		if s.code[i].hasEffect() {
			effects = s.since[i]
		}
	}
}

// number numbers the effects from 1, and finds for each instruction the last effect that must come before it.
func (s *scheduler) number() {
	s.since = make([]int32, len(s.code))
	for i := range s.code {
		for _, j := range s.before[i] {
			s.since[i] = max(s.since[i], s.since[j])
		}
		if s.code[i].hasEffect() {
			s.effects = append(s.effects, int32(i))
			s.since[i] = int32(len(s.effects))
		}
	}
}

// demandLoads puts the loads that must come before effect i, with those together that later effects need together:
// what they load is used up sooner than in the order of the code.
func (s *scheduler) demandLoads(i int32) {
	loads := s.before[i]
	waiting := func() bool {
		for len(loads) > 0 && (s.done[loads[0]] || !s.code[loads[0]].isLoad()) {
			loads = loads[1:]
		}
		return len(loads) > 0
	}
	for _, e := range s.effects[s.since[i]-1:] {
		if !waiting() {
			return
		}
		for _, j := range s.before[e] {
			if s.since[j] < s.since[i] && !s.code[j].isLoad() {
				s.demand(j)
			}
		}
	}
}

// isLoad reports whether the instruction reads memory that others may change, and has no other effect.
func (in *Inst) isLoad() bool { return !in.isPure() && !in.hasEffect() }

// demand puts what an instruction needs next, and then itself.
func (s *scheduler) demand(i int32) {
	if s.done[i] {
		return
	}
	if s.code[i].hasEffect() {
		s.demandLoads(i)
	}
	for _, j := range s.before[i] {
		s.demand(j)
	}
	// It may have come early.
	if !s.done[i] {
		s.put(i)
	}
	for s.live > s.budget && len(s.early) > 0 {
		next := s.early[0]
		s.early = s.early[1:]
		if in := &s.code[next]; !s.done[next] && s.waits[next] == 0 && !in.hasEffect() && s.growth(in) <= 0 {
			s.put(next)
		}
	}
}

// put puts an instruction next.
func (s *scheduler) put(i int32) {
	in := &s.code[i]
	s.live += s.step(in)
	s.done[i] = true
	s.out = append(s.out, i)
	for _, j := range s.after[i] {
		if s.waits[j]--; s.waits[j] == 0 {
			s.early = append(s.early, j)
		}
	}
	// The last to read a register ends its life.
	in.uses(func(r *Reg) {
		if n := s.reads[r.ID]; n == 0 || n > maxReads {
			return
		}
		last := int32(-1)
		for _, j := range s.readers[r.ID] {
			if !s.done[j] {
				if last >= 0 && last != j {
					return
				}
				last = j
			}
		}
		if last >= 0 {
			s.early = append(s.early, last)
		}
	})
}
