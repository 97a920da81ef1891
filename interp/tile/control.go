package tile

import (
	"slices"

	"github.com/newtlab/newt/compiler/facts"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
)

// move copies slot src to slot dst, both of which have forms or neither.
type move struct {
	dst, src int
	formed   bool
}

// moveTo is the move of v to slot dst, which is that of as.
func (p *planner) moveTo(dst int, as, v *ir.Value) move {
	if p.formed[as] {
		return move{dst, p.place(v), true}
	}
	return move{dst, p.slot(v), false}
}

// movesTo are the moves of values to slots, which are those of as; there may be more values.
func (p *planner) movesTo(slots []int, as, values []*ir.Value) []move {
	moves := make([]move, len(slots))
	for i, s := range slots {
		moves[i] = p.moveTo(s, as[i], values[i])
	}
	return moves
}

// parallelMoves plans copies that happen all at once: a source that another copy overwrites goes through
// a slot of its own.
func (p *planner) parallelMoves(moves []move) {
	// A move of a slot to itself writes nothing.
	written := map[int]bool{}
	for _, mv := range moves {
		written[mv.dst] = written[mv.dst] || mv.dst != mv.src
	}
	var first, then []move
	var spare []int
	for _, mv := range moves {
		switch {
		case mv.dst == mv.src:
		case written[mv.src]:
			// All such sources are saved before the first destination is written, so that cycles need no thought.
			s := p.slots.like(mv.src)
			spare = append(spare, s)
			first = append(first, move{s, mv.src, mv.formed})
			then = append(then, move{mv.dst, s, mv.formed})
		default:
			then = append(then, mv)
		}
	}
	for _, s := range spare {
		p.slots.release(s)
	}
	for _, mv := range append(first, then...) {
		if mv.formed {
			p.emitStep(p.slots.len(mv.dst), func(m *machine) { m.moveForm(mv.dst, mv.src) })
			continue
		}
		p.emitStep(p.slots.len(mv.dst), func(m *machine) { copyVec(m.v[mv.dst], m.v[mv.src]) })
	}
}

// preferSlots asks that the values that a terminator hands over be computed in slots.
func (p *planner) preferSlots(values []*ir.Value, slots []int) {
	for i, v := range values {
		if i < len(slots) {
			p.prefer[p.live.root(v)] = slots[i]
		}
	}
}

func planIf(p *planner, in *ir.Instr) {
	cond := p.slot(in.Operands[0])
	out := p.resultSlots(in)
	p.slots.pin(out...) // both branches yield into the same slots
	var code [2][]step
	var cost [2]int64
	for i, region := range in.Regions {
		p.preferSlots(region.Terminator().Operands, out)
		p.slots.vacate(out...)
		code[i], cost[i] = p.planRegion(in, region, func(t *ir.Instr) {
			p.parallelMoves(p.movesTo(out, in.Results, t.Operands))
		})
	}
	p.slots.unpin(out...)
	// The work is that of the longer branch: which one runs is not known before.
	p.emitStep(int(max(cost[0], cost[1])), func(m *machine) {
		branch, resumed := m.takeTurn()
		if !resumed && m.v[cond].I32[0] == 0 {
			branch = 1
		}
		m.exec(code[branch])
	})
}

// carriedSlots finds the slots of a loop's carried values, args, and starts them with inits. A value that dies
// here hands its slot over.
func (p *planner) carriedSlots(in *ir.Instr, inits, args []*ir.Value) []int {
	slots := make([]int, len(inits))
	var moves []move
	taken := map[*ir.Value]bool{}
	for i, v := range inits {
		root := p.live.root(v)
		// The loop itself may overwrite the value if nothing reads it later: neither an instruction after the loop,
		// nor the body, nor another value that the loop carries.
		free := p.live.last[root] == in && !p.live.inner[use{root, in}] && !taken[root]
		mv := p.moveTo(0, args[i], v)
		if s := mv.src; free && !p.invariant[root] && p.slots.pinned[s] == 0 && !p.slots.noReuse {
			slots[i], taken[root] = s, true
			continue
		}
		mv.dst = p.slots.take(p.kindOf(v.Type))
		slots[i], moves = mv.dst, append(moves, mv)
	}
	for root := range taken { // only now: a value may start several carried ones
		delete(p.slotOf, root)
	}
	p.parallelMoves(moves)
	return slots
}

// bindArgs gives block arguments their slots and offers those that are never read.
func (p *planner) bindArgs(args []*ir.Value, slots []int) {
	for i, a := range args {
		p.slotOf[a] = slots[i]
		if p.live.last[a] == nil { // never read: the next iteration's value may be computed here at once
			p.slots.vacant[slots[i]] = true
		}
	}
}

// planFor plans a loop; its carried values are in their results' slots throughout.
func planFor(p *planner, in *ir.Instr) {
	body := in.Regions[0]
	lower, upper, by := p.slot(in.Operands[0]), p.slot(in.Operands[1]), p.slot(in.Operands[2])
	index := body.Args[0]
	carried := p.carriedSlots(in, in.Operands[3:], body.Args[1:])
	iv := p.slots.take(p.kindOf(index.Type))
	position := p.slots.take(slot{class: num.ClassI64, n: 3})
	p.slotOf[index] = iv
	// The body must not use these slots for values of its own: they are read again in the next iteration.
	p.slots.pin(append(carried, iv)...)
	p.bindArgs(body.Args[1:], carried)
	p.preferSlots(body.Terminator().Operands, carried)
	code, cost := p.planRegion(in, body, func(t *ir.Instr) {
		p.parallelMoves(p.movesTo(carried, in.Results, t.Operands))
	})
	p.slots.unpin(append(carried, iv)...)
	p.slots.release(iv)
	p.slots.release(position)
	for i, r := range in.Results {
		p.slotOf[r] = carried[i]
	}
	span := in.Span
	read, write := indexReader(index.Type.DType), indexWriter(index.Type.DType)
	count := TripCount(index.Type.DType)
	p.emitStep(1, func(m *machine) {
		_, resumed := m.takeTurn()
		at := m.v[position].I64 // the index, what is added to it, and the iterations that are left, as a uint64
		if !resumed {
			at[0], at[1] = read(m.v[lower], 0), read(m.v[by], 0)
			// The trip count is computed once: the index may pass the largest number of its dtype after the last
			// iteration.
			at[2] = int64(count(at[0], read(m.v[upper], 0), at[1]))
		}
		for ; at[2] != 0; at[2]-- {
			if !resumed && !m.spendBudget(cost, span) {
				return
			}
			resumed = false
			write(m.v[iv], at[0])
			m.exec(code)
			if m.halted {
				return
			}
			at[0] += at[1]
		}
	})
}

// TripCount is facts.TripCount for loops whose index has dtype d.
func TripCount(d num.DType) func(lower, upper, step int64) uint64 {
	if d == num.Uint64 {
		return tripCountUnsigned
	}
	return facts.TripCount
}

// tripCountUnsigned is trips of uint64 bit patterns.
func tripCountUnsigned(lower, upper, step int64) uint64 {
	if step == 0 || uint64(lower) >= uint64(upper) {
		return 0
	}
	return (uint64(upper)-uint64(lower)-1)/uint64(step) + 1
}

func indexWriter(d num.DType) func(v num.Vec, x int64) {
	if d.Info().Class == num.ClassI64 {
		return func(v num.Vec, x int64) { v.I64[0] = x }
	}
	return func(v num.Vec, x int64) { v.I32[0] = int32(x) }
}

// planWhile plans a loop whose first region computes the condition and what it hands on: to the
// second region, or as the results.
func planWhile(p *planner, in *ir.Instr) {
	before, after := in.Regions[0], in.Regions[1]
	carried := p.carriedSlots(in, in.Operands, before.Args)
	out := p.resultSlots(in)
	p.slots.pin(carried...)
	p.slots.pin(out...)
	p.bindArgs(before.Args, carried)
	passed := before.Terminator().Operands[1:]
	p.preferSlots(passed, out)
	p.slots.vacate(out...)
	var cond int
	test, testCost := p.planRegion(in, before, func(t *ir.Instr) {
		// The moves below may overwrite the slot of the condition, which is read after them.
		cond = p.keepCondition(t.Operands[0])
		p.parallelMoves(p.movesTo(out, in.Results, t.Operands[1:]))
	})
	// What is vacant after the first region says nothing about the second one, whose arguments are in these slots.
	p.slots.unpin(out...)
	p.slots.pin(out...)
	p.bindArgs(after.Args, out)
	p.preferSlots(after.Terminator().Operands, carried)
	p.slots.vacate(carried...)
	body, bodyCost := p.planRegion(in, after, func(t *ir.Instr) {
		p.parallelMoves(p.movesTo(carried, before.Args, t.Operands))
	})
	p.slots.unpin(append(carried, out...)...)
	for _, s := range carried {
		p.slots.release(s)
	}
	p.slots.release(cond)
	span, cost := in.Span, testCost+bodyCost
	waits := canWait(in) && !slices.ContainsFunc(before.Args, func(v *ir.Value) bool { return p.formed[v] })
	p.emitStep(1, func(m *machine) {
		region, resumed := m.takeTurn()
		wait := loopWait{carried: carried, span: span}
		if waits {
			defer m.run.waits.leave(m)
		}
		for resumed || m.spendBudget(cost, span) { // each iteration pays before it runs, so no loop is free
			if waits {
				if wait.next(m); m.halted {
					return
				}
			}
			if region == 0 {
				m.exec(test)
				if m.halted || m.v[cond].I32[0] == 0 {
					return
				}
			}
			region, resumed = 0, false
			m.exec(body)
			if m.halted {
				return
			}
		}
	})
}

// keepCondition keeps the value of a condition where the copies that follow cannot reach it.
func (p *planner) keepCondition(v *ir.Value) int {
	s := p.slots.take(slot{class: num.ClassI32, n: 1})
	src := p.slot(v)
	p.emitStep(1, func(m *machine) { m.v[s].I32[0] = m.v[src].I32[0] })
	return s
}
