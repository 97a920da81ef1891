package asm

import (
	"encoding/binary"
	"strings"
)

// values finds equal computations and gives them one register, goes around copies, and moves
// constants into the operands that take them. A value that was computed before a branch is known
// after it; one computed behind a branch is forgotten where the branch arrives.
type values struct {
	defs    []int32 // by register: how many instructions define it; more than one makes a variable
	alias   []Reg   // by register: the one that holds the same
	known   map[string]Reg
	log     []string // keys of known in the order of their coming
	buffer  []byte   // of the key that is looked up
	keys    strings.Builder
	arrive  map[string]int
	epoch   int32      // counts the points from which on variables may have other values
	version []int32    // by register: counts a variable's assignments
	consts  []constant // by register
	sums    []sum      // by register
	traits  map[string]*trait
	exits   *exits
}

// constant is what a register always holds, if known.
type constant struct {
	value int64
	known bool
}

// sum is a register that is another plus a constant; where base is none it is not known to be.
type sum struct {
	base Reg
	off  int64
}

// trait is what is known of an operation by its name.
type trait struct {
	pure, mov, commutes, adds bool
	takes                     []int
	fold                      func(a, b int64) int64 // of constants; nil: none
	keeps                     int64                  // the second operand that leaves the first as it is
	class                     Class                  // of what fold computes
	shl                       bool
}

func traitOf(op string) *trait {
	base, _, _ := strings.Cut(op, ".")
	k := &trait{pure: pures[base] || strings.HasPrefix(op, "ld.param."), mov: base == "mov", commutes: commute[base], takes: takes[op]}
	k.adds = op == "add.s32" || op == "add.s64" || op == "add.u32" || op == "add.u64"
	if base == "setp" && comparesInts(op) {
		k.takes = []int{1}
	}
	dot := strings.LastIndexByte(op, '.')
	if wide := strings.HasSuffix(op, "64"); dot > 0 && (wide || strings.HasSuffix(op, "32")) {
		row := folds[op[:dot]]
		k.fold, k.keeps, k.shl, k.class = row.f, row.keeps, op[:dot] == "shl", B32
		if wide {
			k.class = B64
		}
	}
	return k
}

func (v *values) trait(op string) *trait {
	k, ok := v.traits[op]
	if !ok {
		k = traitOf(op)
		v.traits[op] = k
	}
	return k
}

// shareValues removes computations that were done before. Their registers' uses are renamed;
// removeDead takes what is left over.
func shareValues(p *Program, exits *exits) {
	v := &values{defs: make([]int32, p.regs+1), alias: make([]Reg, p.regs+1), version: make([]int32, p.regs+1),
		consts: make([]constant, p.regs+1), sums: make([]sum, p.regs+1), traits: map[string]*trait{},
		known: make(map[string]Reg, len(p.code)/2), arrive: map[string]int{}, exits: exits}
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

func (v *values) rename(r *Reg) {
	if a := v.alias[r.ID]; a.OK() {
		*r = a
	}
}

func (v *values) visit(in *Inst) {
	switch {
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
		v.address(&in.Src[i])
	}
	if in.Op == "bra" {
		for _, l := range v.exits.of(in.Src[0].Sym) {
			if _, ok := v.arrive[l]; !ok {
				v.arrive[l] = len(v.log)
			}
		}
		return
	}
	k := v.trait(in.Op)
	if v.immediates(in, k) {
		k = v.trait(in.Op)
	}
	d, single := v.result(in, k)
	if single {
		v.learn(in, d, k)
	}
	in.defs(func(r *Reg) { v.version[r.ID]++ })
}

// forget drops what was learnt since the first branch to label.
func (v *values) forget(label string) {
	at, ok := v.arrive[label]
	if !ok {
		return
	}
	for _, key := range v.log[at:] {
		delete(v.known, key)
	}
	v.log = v.log[:at]
	delete(v.arrive, label)
	for l, n := range v.arrive {
		v.arrive[l] = min(n, at)
	}
}

// result is the register that a pure, unguarded instruction defines, if that has no other value ever.
func (v *values) result(in *Inst, k *trait) (Reg, bool) {
	if in.Guard.OK() || in.Effect || in.Access != NoAccess || len(in.Dst) != 1 || in.Dst[0].Kind != RegOperand ||
		!k.pure || k.mov && changing[in.Src[0].Sym] {
		return Reg{}, false
	}
	d := in.Dst[0].Reg
	return d, v.defs[d.ID] == 1
}

// pures are the instructions, by what stands before the first dot, whose results their operands
// determine.
var pures = map[string]bool{
	"abs": true, "add": true, "and": true, "bfe": true, "bfi": true, "brev": true, "clz": true, "cnot": true, "copysign": true,
	"cos": true, "cvt": true, "cvta": true, "div": true, "ex2": true, "fma": true, "lg2": true, "lop3": true, "mad": true, "max": true,
	"min": true, "mov": true, "mul": true, "neg": true, "not": true, "or": true, "popc": true, "prmt": true, "rcp": true, "rem": true,
	"rsqrt": true, "selp": true, "setp": true, "shf": true, "shl": true, "shr": true, "sin": true, "sqrt": true, "sub": true,
	"tanh": true, "testp": true, "xor": true,
}

// changing are special registers that do not stay the same.
var changing = map[string]bool{"%clock": true, "%clock64": true, "%globaltimer": true, "%globaltimer_lo": true}

// learn notes what d is, or that another register is the same.
func (v *values) learn(in *Inst, d Reg, k *trait) {
	if k.mov && len(in.Src) == 1 {
		switch s := &in.Src[0]; {
		case s.Kind == RegOperand && v.defs[s.Reg.ID] == 1 && s.Reg.Class == d.Class:
			v.alias[d.ID] = s.Reg
			return
		case s.Kind == IntOperand:
			v.consts[d.ID] = constant{s.Imm, true}
			if d.Class == B32 {
				v.consts[d.ID].value = int64(int32(s.Imm))
			}
		}
	}
	if k.adds {
		x, y := &in.Src[0], &in.Src[1]
		if x.Kind == RegOperand && y.Kind == IntOperand && v.defs[x.Reg.ID] == 1 {
			v.sums[d.ID] = sum{x.Reg, y.Imm}
		}
	}
	v.key(in, d.Class, k)
	if old, ok := v.known[string(v.buffer)]; ok {
		v.alias[d.ID] = old
		return
	}
	key := v.stored()
	v.known[key] = d
	v.log = append(v.log, key)
}

// stored is the key as a string, one of many in a larger piece.
func (v *values) stored() string {
	if v.keys.Cap()-v.keys.Len() < len(v.buffer) {
		v.keys = strings.Builder{}
		v.keys.Grow(max(keysPiece, len(v.buffer)))
	}
	at := v.keys.Len()
	v.keys.Write(v.buffer)
	return v.keys.String()[at:]
}

const keysPiece = 16 << 10

// commute are the operations on two operands whose order does not matter.
var commute = map[string]bool{"add": true, "mul": true, "and": true, "or": true, "xor": true, "min": true, "max": true}

// swapped is 1 where the operands of a commutative operation stand in the order that keys do not have.
func swapped(in *Inst, k *trait) int {
	if !k.commutes || len(in.Src) != 2 || in.Src[0].Reg.ID <= in.Src[1].Reg.ID {
		return 0
	}
	return 1
}

// key makes the key that identifies a computation: operation, class and operands, variables with their version.
func (v *values) key(in *Inst, c Class, k *trait) {
	b := append(append(v.buffer[:0], in.Op...), 0, byte(c))
	swap := swapped(in, k)
	for i := range in.Src {
		o := &in.Src[i^swap]
		b = append(b, byte(o.Kind))
		b = binary.LittleEndian.AppendUint64(b, uint64(o.Imm))
		if o.Sym != "" {
			b = append(append(b, o.Sym...), 0)
		}
		if o.Buffer != nil {
			b = binary.LittleEndian.AppendUint32(b, uint32(o.Buffer.number))
		}
		if o.Reg.OK() {
			b = v.keyOf(b, o.Reg)
		}
		for _, r := range o.Regs {
			b = v.keyOf(b, r)
		}
	}
	v.buffer = b
}

func (v *values) keyOf(b []byte, r Reg) []byte {
	b = binary.LittleEndian.AppendUint32(b, uint32(r.ID))
	if v.defs[r.ID] > 1 {
		b = binary.LittleEndian.AppendUint32(b, uint32(v.version[r.ID]))
		b = binary.LittleEndian.AppendUint32(b, uint32(v.epoch))
	}
	return b
}

// offsetLimit bounds the constants in addresses: the hardware has 24 bits with a sign.
const offsetLimit = 1 << 23

// address takes constants that were added to an address into its offset.
func (v *values) address(o *Operand) {
	if o.Kind != MemOperand {
		return
	}
	for o.Reg.OK() {
		s := &v.sums[o.Reg.ID]
		if off := o.Imm + s.off; !s.base.OK() || off >= offsetLimit || off < -offsetLimit {
			return
		}
		o.Reg, o.Imm = s.base, o.Imm+s.off
	}
}

// takes are the operands that may be integers, by operation. Where two operands may change places
// the first is listed too.
var takes = map[string][]int{
	"add.s32": {1, 0}, "add.s64": {1, 0}, "sub.s32": {1}, "sub.s64": {1}, "mul.lo.s32": {1, 0}, "mul.lo.s64": {1, 0},
	"and.b32": {1, 0}, "and.b64": {1, 0}, "or.b32": {1, 0}, "or.b64": {1, 0}, "xor.b32": {1, 0}, "xor.b64": {1, 0},
	"shl.b32": {1}, "shl.b64": {1}, "shr.u32": {1}, "shr.s32": {1}, "shr.u64": {1}, "shr.s64": {1},
	"min.s32": {1, 0}, "max.s32": {1, 0}, "min.s64": {1, 0}, "max.s64": {1, 0}, "mul.wide.s32": {1}, "mul.wide.u32": {1},
	"mad.lo.s32": {1, 2}, "mad.wide.s32": {1}, "selp.b16": {0, 1}, "selp.b32": {0, 1}, "selp.b64": {0, 1},
}

// immediates puts constants into the operands that take them; what is left may be a constant, or one
// of the operands, itself. It reports whether that has made it another operation.
func (v *values) immediates(in *Inst, k *trait) bool {
	for _, i := range k.takes {
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
	return k.fold != nil && len(in.Src) == 2 && in.Src[1].Kind == IntOperand && in.Src[0].Kind == RegOperand && v.fold(in, k)
}

func comparesInts(op string) bool {
	t := op[strings.LastIndexByte(op, '.')+1:]
	return t[0] != 'f' && (strings.HasSuffix(t, "32") || strings.HasSuffix(t, "64"))
}

// folds are the operations that compute at once on constants; keeps is what leaves the first operand
// as it is.
var folds = map[string]struct {
	f     func(a, b int64) int64
	keeps int64
}{
	"add":    {func(a, b int64) int64 { return a + b }, 0},
	"sub":    {func(a, b int64) int64 { return a - b }, 0},
	"mul.lo": {func(a, b int64) int64 { return a * b }, 1},
	"and":    {func(a, b int64) int64 { return a & b }, -1},
	"or":     {func(a, b int64) int64 { return a | b }, 0},
	"xor":    {func(a, b int64) int64 { return a ^ b }, 0},
	"shl":    {shift, 0},
}

func shift(a, b int64) int64 { return a << uint64(b) }

func (v *values) fold(in *Inst, k *trait) bool {
	x, y := in.Src[0], in.Src[1].Imm
	a := v.consts[x.Reg.ID]
	switch {
	case a.known:
		r := k.fold(a.value, y)
		if k.class == B32 {
			if k.shl && uint32(y) > 31 {
				r = 0
			}
			r = int64(int32(r))
		}
		in.Op, in.Src = moves[k.class], in.Src[:1]
		in.Src[0] = I(r)
		return true
	case y == k.keeps:
		in.Op, in.Src = moves[k.class], in.Src[:1]
		return true
	}
	return false
}
