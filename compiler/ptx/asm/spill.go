package asm

import "slices"

// spills keeps values across the branches of a region that has become cold in local memory. NVIDIA's assembler
// allocates registers for the whole kernel, and a value that it spills is spilled everywhere: for want of registers in
// code that hardly ever runs, the kernel proper would go through local memory. Accesses are volatile, since it would
// put the values back into registers.
//
// The labels of a region at which all of its cold code has returned divide it into parts.
type spills struct {
	*Program
	at     Reg             // b64: the address of the local memory, once it is known
	joins  map[string]bool // the labels between parts
	part   int             // that is being emitted
	slots  map[int32]spillSlot
	stores map[int][]Reg // by part: the registers to store where it begins
}

// spillSlot is where a register is kept in local memory.
type spillSlot struct {
	offset int64
	read   int // the first part that reads it from there
}

// valueUse is what a region does with a register.
type valueUse struct {
	defined  int // the part that defines it last; 0: none does
	read     int // the part that reads it last
	slowRead int // the part whose cold code reads it last
}

func (f *fastPaths) spillsOf(s region, values regionValues) *spills {
	k := &spills{Program: f.Program, joins: s.joins, slots: map[int32]spillSlot{}, stores: map[int][]Reg{}}
	words := 0
	for _, r := range values.regs {
		u := values.all[r.ID]
		// What is read once the part is over, or later than in the region, has a register all the same.
		if u.read <= u.defined+1 || u.slowRead > u.defined || f.last[r.ID] >= s.end {
			continue
		}
		size := words32(r.Class)
		words = (words + size - 1) / size * size // aligned
		k.slots[r.ID] = spillSlot{int64(4 * words), u.defined + 2}
		words += size
		k.stores[u.defined+1] = append(k.stores[u.defined+1], r)
	}
	f.spillBytes = max(f.spillBytes, 4*words)
	return k
}

// liveShare is the part of a thread's registers, one in so many, that values may hold from part to part.
const liveShare = 4

// regionValues is what a region does with registers.
type regionValues struct {
	regs  []Reg // without predicates, in the order of the code
	all   map[int32]*valueUse
	parts int // counted from 1
}

// most is the 32-bit registers that are alive from one part to the next, at most.
func (v regionValues) most() int {
	alive := make([]int, v.parts+1)
	for _, r := range v.regs {
		u := v.all[r.ID]
		for part := u.defined + 1; part <= max(u.read, u.slowRead); part++ {
			alive[part] += words32(r.Class)
		}
	}
	return slices.Max(alive)
}

func (f *fastPaths) valuesIn(s region) regionValues {
	v := regionValues{all: map[int32]*valueUse{}, parts: 1}
	of := func(r *Reg) *valueUse {
		if v.all[r.ID] == nil {
			v.all[r.ID] = &valueUse{}
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
				f.exits.cold[j].uses(func(r *Reg) { of(r).slowRead = v.parts })
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
func (k *spills) enterPart(code []Inst) []Inst {
	k.part++
	for _, r := range k.stores[k.part] {
		if !k.at.OK() {
			symbol := k.Reg(B64)
			k.at = k.Reg(B64)
			code = append(code, Inst{Op: Op("mov.u64"), Dst: k.one(symbol), Src: []Operand{S(spillSymbol)}},
				Inst{Op: Op("cvta.local.u64"), Dst: k.one(k.at), Src: k.own([]Operand{R(symbol)})})
		}
		src := []Operand{M(k.at, k.slots[r.ID].offset), R(r)}
		code = append(code, resolve(Inst{Op: Op("st.volatile" + wordTypes[r.Class]), Src: src}))
	}
	return code
}

// add appends an instruction of the region.
func (k *spills) add(code []Inst, in Inst) []Inst {
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
