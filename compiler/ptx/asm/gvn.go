package asm

import (
	"encoding/binary"
	"strings"

	"github.com/newtlab/newt/compiler/ptx/isa"
)

// valueTable is the state of global value numbering: it finds computations with equal operands and gives them one
// register, goes around copies, and moves constants into the operands that take them. A value that is computed before a
// branch is available after it; one that is computed behind a branch no longer is where the branch arrives. The code is
// walked once, in its order.
type valueTable struct {
	defs         []int32 // by register: how many instructions define it; more than one makes a variable
	alias        []Reg   // by register: the one that holds the same
	available    map[string]Reg
	log          []string // keys of known in the order of their coming
	buffer       []byte   // of the key that is looked up
	keys         strings.Builder
	branchPoints map[string]int
	epoch        int32        // counts the points from which on variables may have other values
	version      []int32      // by register: counts a variable's assignments
	consts       []constant   // by register
	offsets      []baseOffset // by register
	exits        *coldExits
}

// constant is what a register always holds, if that is known.
type constant struct {
	value int64
	known bool
}

// baseOffset is a register as another plus a constant; base is none if it is not known as one.
type baseOffset struct {
	base Reg
	off  int64
}

// numberValues replaces computations that were done before. Uses of their registers are renamed; eliminateDead removes
// what is left over.
func numberValues(p *Program, exits *coldExits) {
	v := &valueTable{defs: make([]int32, p.regs+1), alias: make([]Reg, p.regs+1), version: make([]int32, p.regs+1),
		consts: make([]constant, p.regs+1), offsets: make([]baseOffset, p.regs+1),
		available: make(map[string]Reg, len(p.code)/2), branchPoints: map[string]int{}, exits: exits}
	count := func(r *Reg) { v.defs[r.ID]++ }
	for _, list := range [][]Inst{p.code, p.cold} {
		for i := range list {
			list[i].defs(count)
		}
	}
	for i := range p.code {
		v.visit(&p.code[i])
	}
	// Cold code is reached from many places, so it only takes the new names.
	for i := range p.cold {
		p.cold[i].uses(v.rename)
	}
}

func (v *valueTable) rename(r *Reg) {
	if a := v.alias[r.ID]; a.OK() {
		*r = a
	}
}

func (v *valueTable) visit(in *Inst) {
	switch {
	// Variables may have other values where control flow joins: a new epoch.
	case in.Mark == LabelMark:
		v.forget(in.Label)
		v.epoch++
		return
	case in.Mark != NoMark:
		v.epoch++
		return
	}
	in.uses(func(r *Reg) { v.rename(r) })
	for i := range in.Src {
		v.foldOffset(&in.Src[i])
	}
	if in.Op.Is(isa.Branches) {
		// What becomes available from here on is not on the way that branches to l. A branch to cold code counts for
		// the labels to which that returns.
		for _, l := range v.exits.of(in.Src[0].Sym) {
			if _, ok := v.branchPoints[l]; !ok {
				v.branchPoints[l] = len(v.log)
			}
		}
		return
	}
	v.immediates(in)
	if d, single := v.pureResult(in); single {
		v.record(in, d)
	}
	in.defs(func(r *Reg) { v.version[r.ID]++ })
}

// forget makes values unavailable that were computed since the first branch to label.
func (v *valueTable) forget(label string) {
	at, ok := v.branchPoints[label]
	if !ok {
		return
	}
	for _, key := range v.log[at:] {
		delete(v.available, key)
	}
	v.log = v.log[:at]
	delete(v.branchPoints, label)
	// Labels that were branched to later forget no less.
	for l, n := range v.branchPoints {
		v.branchPoints[l] = min(n, at)
	}
}

// pureResult is the register that a pure, unguarded instruction defines, unless it is a variable.
func (v *valueTable) pureResult(in *Inst) (Reg, bool) {
	if in.Guard.OK() || len(in.Dst) != 1 || in.Dst[0].Kind != RegOperand || !in.isPure() {
		return Reg{}, false
	}
	d := in.Dst[0].Reg
	return d, v.defs[d.ID] == 1
}

// isPure reports whether the instruction's operands alone determine its results.
func (in *Inst) isPure() bool {
	return in.Op != nil && in.Op.Is(isa.Pure) && !in.Effect && !(in.Op.Is(isa.Moves) && volatileSpecials[in.Src[0].Sym])
}

// volatileSpecials are special registers whose value changes.
var volatileSpecials = map[string]bool{"%clock": true, "%clock64": true, "%globaltimer": true, "%globaltimer_lo": true}

// record makes the value of d available, or records that another register has it already.
func (v *valueTable) record(in *Inst, d Reg) {
	if in.Op.Is(isa.Moves) {
		switch s := &in.Src[0]; {
		// a copy of a register that never changes
		case s.Kind == RegOperand && v.defs[s.Reg.ID] == 1 && s.Reg.Class == d.Class:
			v.alias[d.ID] = s.Reg
			return
		case s.Kind == IntOperand:
			v.consts[d.ID] = constant{normal(s.Imm, d.Class), true}
		}
	}
	if in.Op.Is(isa.Adds) {
		x, y := &in.Src[0], &in.Src[1]
		if x.Kind == RegOperand && y.Kind == IntOperand && v.defs[x.Reg.ID] == 1 {
			v.offsets[d.ID] = baseOffset{x.Reg, y.Imm}
		}
	}
	v.makeKey(in, d.Class)
	if old, ok := v.available[string(v.buffer)]; ok {
		v.alias[d.ID] = old
		return
	}
	key := v.internKey()
	v.available[key] = d
	v.log = append(v.log, key)
}

// internKey is the key as a string, cut from a larger chunk of memory.
func (v *valueTable) internKey() string {
	if v.keys.Cap()-v.keys.Len() < len(v.buffer) {
		v.keys = strings.Builder{}
		v.keys.Grow(max(keyChunk, len(v.buffer)))
	}
	at := v.keys.Len()
	v.keys.Write(v.buffer)
	return v.keys.String()[at:]
}

const keyChunk = 16 << 10

// swapsOperands is 1 if the operands of a commutative operation have to be swapped for a key, else 0.
func swapsOperands(in *Inst) int {
	if !in.Op.Is(isa.Commutes) || in.Src[0].Reg.ID <= in.Src[1].Reg.ID {
		return 0
	}
	return 1
}

// makeKey makes the key that identifies a computation: operation, class and operands; variables with a number for each
// assignment.
func (v *valueTable) makeKey(in *Inst, c Class) {
	b := append(binary.LittleEndian.AppendUint32(v.buffer[:0], uint32(in.Op.ID)), byte(c))
	swap := swapsOperands(in)
	for i := range in.Src {
		o := &in.Src[i^swap]
		b = append(b, byte(o.Kind))
		b = binary.LittleEndian.AppendUint64(b, uint64(o.Imm))
		if o.Sym != "" {
			b = append(append(b, o.Sym...), 0)
		}
		if o.Reg.OK() {
			b = v.appendReg(b, o.Reg)
		}
		for _, r := range o.Regs {
			b = v.appendReg(b, r)
		}
	}
	v.buffer = b
}

func (v *valueTable) appendReg(b []byte, r Reg) []byte {
	b = binary.LittleEndian.AppendUint32(b, uint32(r.ID))
	// A variable has one value for each assignment and epoch.
	if v.defs[r.ID] > 1 {
		b = binary.LittleEndian.AppendUint32(b, uint32(v.version[r.ID]))
		b = binary.LittleEndian.AppendUint32(b, uint32(v.epoch))
	}
	return b
}

// maxOffset bounds the immediates in addresses: the hardware has 24 bits with a sign, though PTX allows 32.
const maxOffset = 1 << 23

// foldOffset moves constants that were added to an address into its immediate.
func (v *valueTable) foldOffset(o *Operand) {
	if o.Kind != MemOperand {
		return
	}
	// Through chains of additions.
	for o.Reg.OK() {
		s := &v.offsets[o.Reg.ID]
		if off := o.Imm + s.off; !s.base.OK() || off >= maxOffset || off < -maxOffset {
			return
		}
		o.Reg, o.Imm = s.base, o.Imm+s.off
	}
}

// immediates moves constants into the operands that take them, and folds operations whose result is then known: a
// constant, or one of the operands.
func (v *valueTable) immediates(in *Inst) {
	for _, i := range in.Op.Immediates {
		if in.Src[i].Kind != RegOperand {
			continue
		}
		c := v.consts[in.Src[i].Reg.ID]
		switch {
		case !c.known:
		case i == 0 && len(in.Src) == 2: // to the other side
			if in.Src[1].Kind == RegOperand {
				in.Src[0], in.Src[1] = in.Src[1], I(c.value)
			}
		default:
			in.Src[i] = I(c.value)
		}
	}
	if in.Op.Fold != nil && in.Src[1].Kind == IntOperand && in.Src[0].Kind == RegOperand {
		v.fold(in)
	}
}

// fold makes an operation on a register and a constant a move, where its result is known.
func (v *valueTable) fold(in *Inst) {
	x, y := in.Src[0], in.Src[1].Imm
	switch a := v.consts[x.Reg.ID]; {
	case a.known:
		x = I(normal(in.Op.Fold(a.value, y), x.Reg.Class))
	case y != in.Op.Identity:
		return
	}
	in.Op, in.Src = Op(moves[in.Src[0].Reg.Class]), in.Src[:1]
	in.Src[0] = x
}

// normal is a constant as a register of the class holds it, sign-extended.
func normal(c int64, class Class) int64 {
	switch class {
	case B16:
		return int64(int16(c))
	case B32:
		return int64(int32(c))
	}
	return c
}
