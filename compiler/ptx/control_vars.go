package ptx

import (
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/asm"
	"github.com/newtlab/newt/compiler/ptx/axis"
)

// variables are registers that hold values of which several definitions may reach a place: what loops
// carry and what branches hand over. One value has one slot.
type variables struct {
	*emitter
	slots []slot
}

// slot is the variables of one value, and what of the value they hold.
type slot struct {
	v    *ir.Value
	kind slotKind
	vars []asm.Reg
	// shape is what the value is made of beside its variables: of advancing, the elements with
	// variables for registers; of moving, the pointer without its uniform part.
	elems []elem
	ptr   pointer
	first []int // of advancing: for each variable, the first element that has it
}

// slotKind says what of a value is carried.
type slotKind uint8

const (
	whole     slotKind = iota // every register; of pointers, every offset or number
	advancing                 // integers to which scalars are added: the registers of their elems
	moving                    // pointers to which scalars are added: the uniform part
)

// move is one of several assignments that happen at once.
type move struct{ dst, src asm.Reg }

// variables makes slots for values that are given as a whole.
func (e *emitter) variables(values []*ir.Value) *variables {
	vars := &variables{emitter: e}
	for _, v := range values {
		vars.slots = append(vars.slots, e.wholeSlot(v))
	}
	return vars
}

func (e *emitter) wholeSlot(v *ir.Value) slot {
	n := e.layout(v).Regs()
	return slot{v: v, vars: e.Regs(class(v.Type), n)}
}

// loopVariables makes slots for the carried values of a loop, which begin as inits; yielded is what becomes
// of them, where that may show that little has to be carried.
func (e *emitter) loopVariables(args, inits, yielded []*ir.Value) *variables {
	vars := &variables{emitter: e}
	var moves []move
	for i, v := range args {
		s := e.wholeSlot(v)
		if yielded != nil && advances(v, yielded[i]) {
			s = e.advancingSlot(v, inits[i])
		}
		vars.slots = append(vars.slots, s)
		moves = append(moves, e.movesOf(&s, inits[i])...)
	}
	e.move(moves)
	return vars
}

// advances reports whether to is v with scalars added.
func advances(v, to *ir.Value) bool {
	for to != v {
		in := to.Def
		if in == nil || in.Op != ops.AddPtr && in.Op != ops.Add && in.Op != ops.Sub {
			return false
		}
		if _, _, ok := splatOf(in.Operands[1]); !ok {
			return false
		}
		to = in.Operands[0]
	}
	return true
}

// advancingSlot is a slot for a value that differs from init by a scalar alone.
func (e *emitter) advancingSlot(v, init *ir.Value) slot {
	l := e.layout(v)
	if v.Type.Pointer {
		p := e.pointerIn(init, l)
		if p.arg == axis.Mixed {
			return e.wholeSlot(v)
		}
		return slot{v: v, kind: moving, ptr: p, vars: e.Regs(asm.B64, 1)}
	}
	if !affine(v.Type.DType) {
		return e.wholeSlot(v)
	}
	s := slot{v: v, kind: advancing}
	index := map[asm.Reg]int{}
	for i, x := range e.elemsIn(init, l) {
		at, ok := index[x.reg]
		if !ok {
			at = len(s.vars)
			index[x.reg] = at
			s.vars = append(s.vars, e.Reg(classOf(v.Type.DType)))
			s.first = append(s.first, i)
		}
		s.elems = append(s.elems, elem{s.vars[at], x.imm})
	}
	return s
}

// movesOf is the moves that give a slot the value from.
func (e *emitter) movesOf(s *slot, from *ir.Value) (moves []move) {
	l := e.layout(s.v)
	switch {
	case s.kind == moving:
		uniform := e.pointerIn(from, l).uniform
		if !uniform.OK() {
			uniform = e.register(num.Int64, elem{})
		}
		return []move{{s.vars[0], uniform}}
	case s.kind == advancing:
		x := e.elemsIn(from, l)
		for i, at := range s.first {
			y := elem{x[at].reg, wrapped(s.v.Type.DType, x[at].imm-s.elems[at].imm)}
			moves = append(moves, move{s.vars[i], e.register(s.v.Type.DType, y)})
		}
		return moves
	case s.v.Type.Pointer:
		p := e.pointerIn(from, l)
		of := e.total
		if e.mixes(s.v) {
			of = e.number
		}
		for r, x := range s.vars {
			moves = append(moves, move{x, of(p, r)})
		}
		return moves
	}
	for r, x := range e.in(from, l) {
		moves = append(moves, move{s.vars[r], x})
	}
	return moves
}

// mixes reports whether a pointer may point into several arguments.
func (e *emitter) mixes(v *ir.Value) bool { return e.facts.Argument(v) == axis.Mixed }

// handOver is the moves that give all slots their next values.
func (vars *variables) handOver(values []*ir.Value) (moves []move) {
	for i := range vars.slots {
		moves = append(moves, vars.movesOf(&vars.slots[i], values[i])...)
	}
	return moves
}

// move assigns all at once: a source that another assignment overwrites is saved before.
func (e *emitter) move(moves []move) {
	written := make(map[asm.Reg]bool, len(moves))
	for _, m := range moves {
		written[m.dst] = true
	}
	saved := map[asm.Reg]asm.Reg{}
	for _, m := range moves {
		if m.src != m.dst && written[m.src] && !saved[m.src].OK() {
			r := e.Reg(m.src.Class)
			e.Move(r, asm.R(m.src))
			saved[m.src] = r
		}
	}
	for _, m := range moves {
		switch r := saved[m.src]; {
		case m.src == m.dst:
		case r.OK():
			e.Move(m.dst, asm.R(r))
		default:
			e.Move(m.dst, asm.R(m.src))
		}
	}
}

// bind lets the slots' values be what their variables hold.
func (vars *variables) bind() {
	for i := range vars.slots {
		vars.give(vars.slots[i].v, &vars.slots[i])
	}
}

// rename lets other values, in the same layouts, be what the variables hold.
func (vars *variables) rename(values []*ir.Value) {
	for i, v := range values {
		vars.give(v, &vars.slots[i])
	}
}

func (vars *variables) give(v *ir.Value, s *slot) {
	e := vars.emitter
	switch {
	case s.kind == moving:
		p := s.ptr
		p.uniform = s.vars[0]
		e.ptrs[v.ID] = p
	case s.kind == advancing:
		e.setElems(v, s.elems, nil)
	case v.Type.Pointer:
		p := pointer{arg: e.facts.Argument(s.v), off: asElems(s.vars)}
		e.ptrs[v.ID] = p.settled(v)
	default:
		e.set(v, s.vars)
		e.elems[v.ID] = nil
	}
	e.convertCopies(v)
}
