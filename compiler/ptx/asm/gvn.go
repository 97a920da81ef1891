package asm

import (
	"encoding/binary"
	"strings"
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
	infos        map[string]*opInfo
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

// opInfo is what value numbering knows of an operation, from its name.
type opInfo struct {
	pure, mov, commutes, adds bool
	takes                     []int
	fold                      func(a, b int64) int64 // of constants; nil: none
	identity                  int64                  // the second operand that leaves the first as it is
	class                     Class                  // of what fold computes
	shl                       bool
}

func opInfoOf(op string) *opInfo {
	base, _, _ := strings.Cut(op, ".")
	k := &opInfo{pure: pureOps[base] || strings.HasPrefix(op, "ld.param."), mov: base == "mov",
		commutes: commutativeOps[base], takes: immediateOperands[op]}
	k.adds = op == "add.s32" || op == "add.s64" || op == "add.u32" || op == "add.u64"
	if base == "setp" && comparesInts(op) {
		k.takes = []int{1}
	}
	dot := strings.LastIndexByte(op, '.')
	if wide := strings.HasSuffix(op, "64"); dot > 0 && (wide || strings.HasSuffix(op, "32")) {
		row := foldOps[op[:dot]]
		k.fold, k.identity, k.shl, k.class = row.f, row.keeps, op[:dot] == "shl", B32
		if wide {
			k.class = B64
		}
	}
	return k
}

func (v *valueTable) info(op string) *opInfo {
	k, ok := v.infos[op]
	if !ok {
		k = opInfoOf(op)
		v.infos[op] = k
	}
	return k
}

// numberValues replaces computations that were done before. Uses of their registers are renamed; eliminateDead removes
// what is left over.
func numberValues(p *Program, exits *coldExits) {
	v := &valueTable{defs: make([]int32, p.regs+1), alias: make([]Reg, p.regs+1), version: make([]int32, p.regs+1),
		consts: make([]constant, p.regs+1), offsets: make([]baseOffset, p.regs+1), infos: map[string]*opInfo{},
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
	if in.Op == "bra" {
		// What becomes available from here on is not on the way that branches to l. A branch to cold code counts for
		// the labels to which that returns.
		for _, l := range v.exits.of(in.Src[0].Sym) {
			if _, ok := v.branchPoints[l]; !ok {
				v.branchPoints[l] = len(v.log)
			}
		}
		return
	}
	k := v.info(in.Op)
	if v.immediates(in, k) {
		k = v.info(in.Op)
	}
	d, single := v.pureResult(in, k)
	if single {
		v.record(in, d, k)
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
func (v *valueTable) pureResult(in *Inst, k *opInfo) (Reg, bool) {
	if in.Guard.OK() || in.Effect || in.Access != NoAccess || len(in.Dst) != 1 || in.Dst[0].Kind != RegOperand ||
		!k.pure || k.mov && volatileSpecials[in.Src[0].Sym] {
		return Reg{}, false
	}
	d := in.Dst[0].Reg
	return d, v.defs[d.ID] == 1
}

// pureOps are the operations, by the opcode up to the first dot, whose operands determine their results.
var pureOps = map[string]bool{
	"abs": true, "add": true, "and": true, "bfe": true, "bfi": true, "brev": true, "clz": true, "cnot": true, "copysign": true,
	"cos": true, "cvt": true, "cvta": true, "div": true, "ex2": true, "fma": true, "lg2": true, "lop3": true, "mad": true, "max": true,
	"min": true, "mov": true, "mul": true, "neg": true, "not": true, "or": true, "popc": true, "prmt": true, "rcp": true, "rem": true,
	"rsqrt": true, "selp": true, "setp": true, "shf": true, "shl": true, "shr": true, "sin": true, "sqrt": true, "sub": true,
	"tanh": true, "testp": true, "xor": true,
}

// volatileSpecials are special registers whose value changes.
var volatileSpecials = map[string]bool{"%clock": true, "%clock64": true, "%globaltimer": true, "%globaltimer_lo": true}

// record makes the value of d available, or records that another register has it already.
func (v *valueTable) record(in *Inst, d Reg, k *opInfo) {
	if k.mov && len(in.Src) == 1 {
		switch s := &in.Src[0]; {
		// a copy of a register that never changes
		case s.Kind == RegOperand && v.defs[s.Reg.ID] == 1 && s.Reg.Class == d.Class:
			v.alias[d.ID] = s.Reg
			return
		case s.Kind == IntOperand:
			v.consts[d.ID] = constant{s.Imm, true}
			// as the register holds it, sign-extended
			if d.Class == B32 {
				v.consts[d.ID].value = int64(int32(s.Imm))
			}
		}
	}
	if k.adds {
		x, y := &in.Src[0], &in.Src[1]
		if x.Kind == RegOperand && y.Kind == IntOperand && v.defs[x.Reg.ID] == 1 {
			v.offsets[d.ID] = baseOffset{x.Reg, y.Imm}
		}
	}
	v.makeKey(in, d.Class, k)
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

// commutativeOps are the operations on two operands that may be swapped.
var commutativeOps = map[string]bool{"add": true, "mul": true, "and": true, "or": true, "xor": true,
	"min": true, "max": true}

// swapsOperands is 1 if the operands of a commutative operation have to be swapped for a key, else 0.
func swapsOperands(in *Inst, k *opInfo) int {
	if !k.commutes || len(in.Src) != 2 || in.Src[0].Reg.ID <= in.Src[1].Reg.ID {
		return 0
	}
	return 1
}

// makeKey makes the key that identifies a computation: operation, class and operands; variables with a number for each
// assignment.
func (v *valueTable) makeKey(in *Inst, c Class, k *opInfo) {
	b := append(append(v.buffer[:0], in.Op...), 0, byte(c))
	swap := swapsOperands(in, k)
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

// immediateOperands are the operands that may be integers, by operation. If two operands may be swapped the first is
// listed too.
var immediateOperands = map[string][]int{
	"add.s32": {1, 0}, "add.s64": {1, 0}, "sub.s32": {1}, "sub.s64": {1}, "mul.lo.s32": {1, 0}, "mul.lo.s64": {1, 0},
	"and.b32": {1, 0}, "and.b64": {1, 0}, "or.b32": {1, 0}, "or.b64": {1, 0}, "xor.b32": {1, 0}, "xor.b64": {1, 0},
	"shl.b32": {1}, "shl.b64": {1}, "shr.u32": {1}, "shr.s32": {1}, "shr.u64": {1}, "shr.s64": {1},
	"min.s32": {1, 0}, "max.s32": {1, 0}, "min.s64": {1, 0}, "max.s64": {1, 0}, "mul.wide.s32": {1}, "mul.wide.u32": {1},
	"mad.lo.s32": {1, 2}, "mad.wide.s32": {1}, "selp.b16": {0, 1}, "selp.b32": {0, 1}, "selp.b64": {0, 1},
}

// immediates moves constants into the operands that take them, and folds operations whose result is then known: a
// constant, or one of the operands. It reports whether that has made it another operation.
func (v *valueTable) immediates(in *Inst, k *opInfo) bool {
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
	return k.fold != nil && len(in.Src) == 2 && in.Src[1].Kind == IntOperand && in.Src[0].Kind == RegOperand &&
		v.fold(in, k)
}

func comparesInts(op string) bool {
	t := op[strings.LastIndexByte(op, '.')+1:]
	return t[0] != 'f' && (strings.HasSuffix(t, "32") || strings.HasSuffix(t, "64"))
}

// foldOps are the operations that are folded; identity is the second operand that leaves the first as it is.
var foldOps = map[string]struct {
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

func (v *valueTable) fold(in *Inst, k *opInfo) bool {
	x, y := in.Src[0], in.Src[1].Imm
	a := v.consts[x.Reg.ID]
	switch {
	case a.known:
		r := k.fold(a.value, y)
		if k.class == B32 {
			// PTX clamps shift amounts: 32 and more give 0.
			if k.shl && uint32(y) > 31 {
				r = 0
			}
			r = int64(int32(r))
		}
		in.Op, in.Src = moves[k.class], in.Src[:1]
		in.Src[0] = I(r)
		return true
	case y == k.identity:
		in.Op, in.Src = moves[k.class], in.Src[:1]
		return true
	}
	return false
}
