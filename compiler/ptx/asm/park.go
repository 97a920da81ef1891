package asm

import "slices"

// parking keeps values over the branches of a stretch that has become cold in local memory. NVIDIA's assembler
// allocates registers for the whole kernel, and a value that it spills is spilled everywhere: for want of registers in
// code that hardly ever runs, the kernel proper would go through local memory. Accesses are volatile, since it would
// put the values back into registers.
//
// The labels of a stretch at which all of its cold code has returned divide it into parts.
type parking struct {
	*Program
	at     Reg             // b64: the address of the local memory, once it is known
	joins  map[string]bool // the labels between parts
	part   int             // that is being emitted
	slots  map[int32]slot
	stores map[int][]Reg // by part: the registers to store where it begins
}

// slot is where a register is kept in local memory.
type slot struct {
	offset int64
	read   int // the first part that reads it from there
}

// held is what a stretch does with a register.
type held struct {
	defined int // the part that defines it last; 0: none does
	read    int // the part that reads it last
	aside   int // the part whose cold code reads it last
}

func (f *fastPaths) parkingOf(s stretch, values heldValues) *parking {
	k := &parking{Program: f.Program, joins: s.joins, slots: map[int32]slot{}, stores: map[int][]Reg{}}
	words := 0
	for _, r := range values.regs {
		h := values.all[r.ID]
		// What is read once the part is over, or later than in the stretch, has a register all the same.
		if h.read <= h.defined+1 || h.aside > h.defined || f.last[r.ID] >= s.end {
			continue
		}
		size := words32(r.Class)
		words = (words + size - 1) / size * size // aligned
		k.slots[r.ID] = slot{int64(4 * words), h.defined + 2}
		words += size
		k.stores[h.defined+1] = append(k.stores[h.defined+1], r)
	}
	f.parkedBytes = max(f.parkedBytes, 4*words)
	return k
}

// keptInRegisters is the part of a thread's registers, one in so many, that may hold values from part to part.
const keptInRegisters = 4

// heldValues is what a stretch does with registers.
type heldValues struct {
	regs  []Reg // without predicates, in the order of the code
	all   map[int32]*held
	parts int // counted from 1
}

// most is the 32-bit registers that are alive from one part to the next, at most.
func (v heldValues) most() int {
	alive := make([]int, v.parts+1)
	for _, r := range v.regs {
		h := v.all[r.ID]
		for part := h.defined + 1; part <= max(h.read, h.aside); part++ {
			alive[part] += words32(r.Class)
		}
	}
	return slices.Max(alive)
}

func (f *fastPaths) heldIn(s stretch) heldValues {
	v := heldValues{all: map[int32]*held{}, parts: 1}
	of := func(r *Reg) *held {
		if v.all[r.ID] == nil {
			v.all[r.ID] = &held{}
			if r.Class != Pred {
				v.regs = append(v.regs, *r)
			}
		}
		return v.all[r.ID]
	}
	branches := s.branches
	for i := s.start; i < s.end; i++ {
		in := &f.code[i]
		switch {
		case s.early[i]:
			continue
		case s.joins[in.Label]:
			v.parts++
		case in.branches():
			for _, j := range branches[0].cold {
				f.exits.cold[j].uses(func(r *Reg) { of(r).aside = v.parts })
				f.exits.cold[j].defs(func(r *Reg) { of(r).defined = v.parts })
			}
			branches = branches[1:]
		}
		in.uses(func(r *Reg) { of(r).read = v.parts })
		in.defs(func(r *Reg) { of(r).defined = v.parts })
	}
	return v
}

// enterPart appends what goes before the next part.
func (k *parking) enterPart(code []Inst) []Inst {
	k.part++
	for _, r := range k.stores[k.part] {
		if !k.at.OK() {
			symbol := k.Reg(B64)
			k.at = k.Reg(B64)
			code = append(code, Inst{Op: Op("mov.u64"), Dst: k.one(symbol), Src: []Operand{S(parkedSymbol)}},
				Inst{Op: Op("cvta.local.u64"), Dst: k.one(k.at), Src: k.own([]Operand{R(symbol)})})
		}
		src := []Operand{M(k.at, k.slots[r.ID].offset), R(r)}
		code = append(code, resolved(Inst{Op: Op("st.volatile" + wordTypes[r.Class]), Src: src}))
	}
	return code
}

// add appends an instruction of the stretch.
func (k *parking) add(code []Inst, in Inst) []Inst {
	if k.joins[in.Label] {
		return k.enterPart(append(code, in))
	}
	in.Src = k.own(in.Src)
	in.uses(func(r *Reg) {
		if s, ok := k.slots[r.ID]; ok && k.part >= s.read {
			to := k.Reg(r.Class)
			// Without the effect that it has for others: it may come where the scheduler likes.
			code = append(code, Inst{Op: Op("ld.volatile" + wordTypes[r.Class]), Dst: k.one(to),
				Src: []Operand{M(k.at, s.offset)}, Span: in.Span})
			*r = to
		}
	})
	return append(code, in)
}

var wordTypes = [...]string{B16: ".b16", B32: ".b32", B64: ".b64"}
