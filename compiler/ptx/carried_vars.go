package ptx

import (
	"slices"

	"github.com/newtlab/newt/compiler/facts"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/asm"
	"github.com/newtlab/newt/compiler/ptx/axis"
	"github.com/newtlab/newt/compiler/ptx/plan"
)

// carriedVars are the variables, registers that are assigned more than once, of loop-carried values and of the results
// of branches: what phi nodes are elsewhere. Each value has a slot.
type carriedVars struct {
	e     *emitter
	slots []carriedSlot
}

// carriedSlot is the variables of one value. A value that only ever has scalars added, an induction variable, needs few
// of them: one for the pointer's uniform part, or one for each distinct base register of an integer tile.
type carriedSlot struct {
	v     *ir.Value
	kind  slotKind
	vars  []asm.Reg
	elems []baseImm // inductionInt: the elements, with variables for bases
	ptr   pointer   // inductionPointer: the pointer, whose uniform part is the variable
	first []int     // inductionInt: for each variable, the first element with that base
}

// slotKind says what of a value is in variables.
type slotKind uint8

const (
	carriedWhole     slotKind = iota // every register; of pointers, every offset or tagged offset
	carriedWords                     // elements in words
	inductionInt                     // integers that have scalars added: the bases of their elements
	inductionPointer                 // pointers that have scalars added: the uniform part
)

// move is one assignment of several that happen in parallel.
type move struct{ dst, src asm.Reg }

// newCarriedVars makes slots that hold whole values.
func (e *emitter) newCarriedVars(values []*ir.Value) *carriedVars {
	vars := &carriedVars{e: e}
	for _, v := range values {
		vars.slots = append(vars.slots, e.wholeSlot(v))
	}
	return vars
}

// guardVars makes slots for the results of a branch around a loop (plan.Plan.Guards) that has been emitted. The loop's
// own variables, which nothing else reads, become those of the results that they are.
func (e *emitter) guardVars(in *ir.Instr) *carriedVars {
	vars, taken := e.newCarriedVars(in.Results), map[*ir.Value]bool{}
	for i, v := range in.Regions[0].Terminator().Operands {
		from := v
		for plan.IsOp(from, ops.WGMMAWait) {
			from = from.Def.Operands[from.Index]
		}
		if plan.IsOp(from, ops.For) && slices.Contains(in.Regions[0].Instrs, from.Def) && !taken[from] &&
			!v.Type.Pointer && e.baseImms[from.ID] == nil {
			vars.slots[i].vars, taken[from] = e.regs(v), true
		}
	}
	return vars
}

func (e *emitter) wholeSlot(v *ir.Value) carriedSlot {
	if e.plan.Words[v] {
		return carriedSlot{v: v, kind: carriedWords, vars: e.Regs(asm.B32, v.Layout.Regs()*v.Type.DType.Info().Bits/32)}
	}
	n := v.Layout.Regs()
	return carriedSlot{v: v, vars: e.Regs(class(v.Type), n)}
}

// loopCarriedVars makes slots for the carried values of a loop, and the moves that assign them inits. yielded is the
// values' next ones, from which induction variables are recognized; nil: there are none.
func (e *emitter) loopCarriedVars(args, inits, yielded []*ir.Value) (vars *carriedVars, first []move) {
	vars = &carriedVars{e: e}
	for i, v := range args {
		s := e.wholeSlot(v)
		if yielded != nil && isInduction(v, yielded[i]) {
			s = e.inductionSlot(v, inits[i])
		}
		vars.slots = append(vars.slots, s)
		first = append(first, e.slotMoves(&s, inits[i])...)
	}
	return vars, first
}

// isInduction reports whether v is an induction variable: next is v with scalars added or subtracted.
func isInduction(v, next *ir.Value) bool {
	_, ok := facts.StepsTo(next, v, func(x *ir.Value) bool { _, _, ok := uniformScalar(x); return ok })
	return ok
}

// inductionSlot is a slot for an induction variable.
func (e *emitter) inductionSlot(v, init *ir.Value) carriedSlot {
	if v.Type.Pointer {
		p := e.ptrs[init.ID]
		// A tagged offset has no uniform part to advance.
		if p.arg == axis.Mixed {
			return e.wholeSlot(v)
		}
		return carriedSlot{v: v, kind: inductionPointer, ptr: p, vars: e.Regs(asm.B64, 1)}
	}
	if !keepsBaseImm(v.Type.DType) {
		return e.wholeSlot(v)
	}
	s := carriedSlot{v: v, kind: inductionInt}
	index := map[asm.Reg]int{}
	// Elements with one base share a variable; their immediates never change.
	for i, x := range e.elements(init) {
		at, ok := index[x.base]
		if !ok {
			at = len(s.vars)
			index[x.base] = at
			s.vars = append(s.vars, e.Reg(classOf(v.Type.DType)))
			s.first = append(s.first, i)
		}
		s.elems = append(s.elems, baseImm{s.vars[at], x.imm})
	}
	return s
}

// slotMoves is the moves that assign the value from to a slot.
func (e *emitter) slotMoves(s *carriedSlot, from *ir.Value) (moves []move) {
	switch {
	case s.kind == inductionPointer:
		uniform := e.ptrs[from.ID].uniform
		// none stands for 0, which a variable cannot
		if !uniform.OK() {
			uniform = e.materializeSum(num.Int64, baseImm{})
		}
		return []move{{s.vars[0], uniform}}
	case s.kind == inductionInt:
		x := e.elements(from)
		for i, at := range s.first {
			// The variable of a base takes the new base, and what the new immediate has in excess of the old one.
			y := baseImm{x[at].base, wrapTo(s.v.Type.DType, x[at].imm-s.elems[at].imm)}
			moves = append(moves, move{s.vars[i], e.materializeSum(s.v.Type.DType, y)})
		}
		return moves
	case s.v.Type.Pointer:
		p := e.ptrs[from.ID]
		of := e.fullOffset
		if e.facts.Argument(s.v) == axis.Mixed {
			of = e.taggedOffset
		}
		for r, x := range s.vars {
			moves = append(moves, move{x, of(p, r)})
		}
		return moves
	}
	regs := e.regs(from)
	if s.kind == carriedWords {
		regs = e.packWords(s.v.Type.DType, regs)
	}
	for r, x := range regs {
		moves = append(moves, move{s.vars[r], x})
	}
	return moves
}

// movesTo is the moves that assign values to all slots.
func (vars *carriedVars) movesTo(values []*ir.Value) (moves []move) {
	for i := range vars.slots {
		moves = append(moves, vars.e.slotMoves(&vars.slots[i], values[i])...)
	}
	return moves
}

// parallelMove emits moves such that each reads its source before any of them writes: sources that are also
// destinations are copied first.
func (t *threadCode) parallelMove(moves []move) {
	written := make(map[asm.Reg]bool, len(moves))
	for _, m := range moves {
		written[m.dst] = true
	}
	saved := map[asm.Reg]asm.Reg{}
	for _, m := range moves {
		// Copies that ptxas finds superfluous cost nothing, so cycles are not looked for.
		if m.src != m.dst && written[m.src] && !saved[m.src].OK() {
			r := t.Reg(m.src.Class)
			t.Move(r, asm.R(m.src))
			saved[m.src] = r
		}
	}
	for _, m := range moves {
		switch r := saved[m.src]; {
		case m.src == m.dst:
		case r.OK():
			t.Move(m.dst, asm.R(r))
		default:
			t.Move(m.dst, asm.R(m.src))
		}
	}
}

// bind binds the slots' values to their variables.
func (vars *carriedVars) bind() {
	for i := range vars.slots {
		vars.bindSlot(vars.slots[i].v, &vars.slots[i])
	}
}

// bindAs binds other values, which have the same layouts, to the variables.
func (vars *carriedVars) bindAs(values []*ir.Value) {
	for i, v := range values {
		vars.bindSlot(v, &vars.slots[i])
	}
}

func (vars *carriedVars) bindSlot(v *ir.Value, s *carriedSlot) {
	e := vars.e
	switch {
	case s.kind == inductionPointer:
		p := s.ptr
		p.uniform = s.vars[0]
		e.ptrs[v.ID] = p
	case s.kind == inductionInt:
		e.setBaseImms(v, s.elems, nil)
	case v.Type.Pointer:
		p := pointer{arg: e.facts.Argument(s.v), off: withoutImm(s.vars)}
		e.ptrs[v.ID] = p.normalized(v)
	case s.kind == carriedWords:
		e.words[v] = loadedRegs(s.vars)
	default:
		e.setRegs(v, s.vars)
		e.baseImms[v.ID] = nil
	}
}
