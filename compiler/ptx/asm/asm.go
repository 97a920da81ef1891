// Package asm is a machine program for one kernel: PTX instructions over virtual registers, with labels, loops and
// buffers of shared memory, before it has become text. Code generators append to a Program; Finish runs these passes:
//
//	linearize         entry, body and cold code become one list; offsets in buffers become addresses
//	checkAll          looks every instruction up in the table of package isa
//	numberValues      global value numbering: common subexpressions, copies, constant operands (gvn.go)
//	eliminateDead     removes instructions whose results nobody uses
//	sink              moves computations to where they alone are needed (sink.go)
//	makeFastPaths     asks what several branches to cold code ask once (fastpath.go)
//	schedule          orders blocks that need more registers than a thread has (schedule.go)
//	print             names registers and writes the text, with the least .version that has its instructions
//
// Registers stay virtual: allocating them and the rest of scheduling is the work of NVIDIA's assembler. The package
// knows neither tile IR nor layouts.
//
// # Invariants that the passes rest on
//
//   - Every register has one definition, but for variables (of loops and branches), which are assigned by Move and
//     Into.
//   - Control flow is structured and, but for Divergent code and branches to Cold code, uniform: all threads of a block
//     take the same way. Barriers are in uniform flow. Instructions that access shared memory may be predicated.
//   - Shared memory is one piece, in which code generators know their places (Program.SharedBytes, MB), and they put
//     barriers between accesses that conflict.
package asm

import (
	"fmt"

	"github.com/newtlab/newt/compiler/ptx/isa"
	"github.com/newtlab/newt/compiler/source"
)

// Class is a register class.
type Class uint8

// The classes. 8-bit values live in 16-bit registers, sign- or zero-extended as their dtype says.
const (
	Pred Class = iota
	B16
	B32
	B64
)

// Reg is a virtual register; the zero Reg is none.
type Reg struct {
	ID    int32 // from 1, over all classes
	Class Class
}

// OK reports whether r is a register.
func (r Reg) OK() bool { return r.ID != 0 }

// OperandKind says what an Operand holds.
type OperandKind uint8

// The kinds of operands.
const (
	NoOperand     OperandKind = iota
	RegOperand                // Reg
	IntOperand                // Imm, printed in decimal
	F32Operand                // Imm's low 32 bits as 0f…
	F64Operand                // Imm's bits as 0d…
	VecOperand                // {Regs…}
	MemOperand                // [Reg+Imm], [Sym+Imm] or, of shared memory, [Sym+Reg+Imm]
	TensorOperand             // [Reg, {Regs…}]: the address of a tensor map, and coordinates
	SymOperand                // Sym: a special register, a label, a parameter
)

// Operand is what an instruction reads or writes.
type Operand struct {
	Kind OperandKind
	Reg  Reg
	Regs []Reg
	Imm  int64
	Sym  string
}

// R is a register operand, I an integer, F32 and F64 floats by their bits, V a vector, S a symbol.
func R(r Reg) Operand               { return Operand{Kind: RegOperand, Reg: r} }
func I(v int64) Operand             { return Operand{Kind: IntOperand, Imm: v} }
func F32(bits uint32) Operand       { return Operand{Kind: F32Operand, Imm: int64(bits)} }
func F64(bits uint64) Operand       { return Operand{Kind: F64Operand, Imm: int64(bits)} }
func V(regs ...Reg) Operand         { return Operand{Kind: VecOperand, Regs: regs} }
func S(sym string) Operand          { return Operand{Kind: SymOperand, Sym: sym} }
func M(base Reg, off int64) Operand { return Operand{Kind: MemOperand, Reg: base, Imm: off} }

// T is the box of a tensor map that begins at the coordinates, those of 32 bits, of the innermost dimension first.
func T(tensorMap Reg, coordinates ...Reg) Operand {
	return Operand{Kind: TensorOperand, Reg: tensorMap, Regs: coordinates}
}

// MS is the memory of a symbol, [sym+off]: a kernel parameter.
func MS(sym string, off int64) Operand { return Operand{Kind: MemOperand, Sym: sym, Imm: off} }

// MB is shared memory: byte off of it, plus base where it is a register (32 bits, in bytes).
func MB(base Reg, off int64) Operand {
	return Operand{Kind: MemOperand, Sym: sharedSymbol, Reg: base, Imm: off}
}

// Inst is one instruction.
type Inst struct {
	Op      *isa.Op   // nil for a label or a marker
	Dst     []Operand // registers or vectors that it defines
	Src     []Operand // what it reads, memory operands included
	Label   string    // a label, where Op is nil
	Guard   Reg       // predicate; none: always
	Not     bool      // the guard is negated
	Effect  bool      // must stay although nobody reads its results, whatever its Op is
	Update  bool      // it reads what Dst's registers hold, too
	Mark    Mark
	version uint8   // the least of the PTX ISA that has it, times ten; 0: any
	Inline  *Inline // in place of an opcode of the table, where Op is inlineOp
	Span    source.Span
}

// Inline is assembly that the kernel's author wrote. Who appends it has checked it.
type Inline struct {
	Print   func(registers []string) []string // its lines, given the names of Dst's registers and then Src's
	Length  int                               // instructions
	Version int                               // the least of the PTX ISA, times ten
}

// inlineOp is the Op of instructions with an Inline, which no opcode of the table is.
var inlineOp = &isa.Op{Name: "inline", Instruction: &isa.Instruction{}}

// Op is the opcode with a name.
func Op(name string) *isa.Op { return isa.Lookup(name) }

// resolve adds what the opcode says of an instruction.
func resolve(in Inst) Inst {
	in.Effect = in.Effect || in.is(isa.Effect)
	return in
}

// Mark is what an entry of the code without Op stands for.
type Mark uint8

// The marks.
const (
	NoMark Mark = iota
	LabelMark
	LoopStart // Label names the loop's head; the back edge is the branch to it
	LoopEnd
)

// Param is an entry parameter, of eight bytes or a tensor map.
type Param struct {
	Name      string
	TensorMap bool
}

// TensorMapBytes is the size of a tensor map (CUDA driver API, CUtensorMap); its alignment is 64.
const TensorMapBytes = 128

// Program is a kernel under construction. Its methods append to the body, or to the entry or the cold code inside Entry
// and Cold.
type Program struct {
	Name    string
	Threads int
	Target  string // a name of package arch
	Limit   int    // instructions that may be appended, 0: any number; the next one panics with a *LengthError
	// MinPrograms is how many blocks a multiprocessor shall have room for at least, as far as registers go (PTX ISA,
	// ".minnctapersm"); 0: ptxas decides.
	MinPrograms int
	// SharedBytes is how much shared memory the program takes, SharedAlign its alignment, and SharedLimit how much a
	// block may have; 0: BlockShared(Target).
	SharedBytes, SharedAlign, SharedLimit int
	Span                                  source.Span
	Params                                []Param
	entry                                 instList // of Entry
	body                                  instList
	coldBody                              instList // of Cold
	code                                  []Inst   // the three, once linearize has put them together
	cold                                  []Inst
	inCold                                bool
	count                                 int
	regs                                  int32
	labels                                int
	guard                                 Reg
	not                                   bool
	divergent                             int // calls of Divergent that have not returned
	spillBytes                            int // bytes of local memory for values that cold code keeps there

	operands arena[Operand] // of instructions
	vectors  arena[Reg]     // of operands
}

// Reg makes a register.
func (p *Program) Reg(c Class) Reg { p.regs++; return Reg{p.regs, c} }

// Regs makes n registers of a class.
func (p *Program) Regs(c Class, n int) []Reg {
	out := make([]Reg, n)
	for i := range out {
		out[i] = p.Reg(c)
	}
	return out
}

// Add appends an instruction. It gets the program's current span if its own is zero, and the current guard if it has
// none.
func (p *Program) Add(in Inst) {
	in.Src = p.own(in.Src)
	p.add(in)
}

// own copies operands, which the passes rewrite in place, into the program's arenas.
func (p *Program) own(list []Operand) []Operand {
	own := p.operands.copyOf(list)
	for i := range own {
		if own[i].Regs != nil {
			own[i].Regs = p.vectors.copyOf(own[i].Regs)
		}
	}
	return own
}

// one is a register as an instruction's operands.
func (p *Program) one(r Reg) []Operand {
	o := p.operands.alloc(1)
	o[0] = R(r)
	return o
}

// LengthError says that a program has more instructions than its Limit.
type LengthError struct {
	Limit int
	Span  source.Span // of the first one beyond
}

func (e *LengthError) Error() string { return fmt.Sprintf("more than %d instructions", e.Limit) }

// add appends an instruction whose operands are the program's own.
func (p *Program) add(in Inst) {
	if p.count++; p.Limit > 0 && p.count > p.Limit {
		panic(&LengthError{p.Limit, p.Span})
	}
	in = resolve(in)
	if in.Span == (source.Span{}) {
		in.Span = p.Span
	}
	if !in.Guard.OK() {
		in.Guard, in.Not = p.guard, p.not
	}
	if p.inCold {
		p.coldBody.add(in)
	} else {
		p.body.add(in)
	}
}

// Do appends an instruction with one result, a new register of the class that the opcode's row says, and gives that.
func (p *Program) Do(op string, src ...Operand) Reg {
	o := Op(op)
	d := p.Reg(resultClass(o))
	p.add(Inst{Op: o, Dst: p.one(d), Src: p.own(src)})
	return d
}

// Into appends an instruction whose one result is assigned to a variable.
func (p *Program) Into(to Reg, op string, src ...Operand) {
	p.add(Inst{Op: Op(op), Dst: p.one(to), Src: p.own(src)})
}

// AddInline appends inline assembly that assigns to dst; it stays although nobody reads that if it is volatile.
func (p *Program) AddInline(text Inline, dst, src []Reg, volatile bool) {
	p.count += text.Length
	list := func(regs []Reg) []Operand {
		out := p.operands.alloc(len(regs))
		for i, r := range regs {
			out[i] = R(r)
		}
		return out
	}
	p.add(Inst{Op: inlineOp, Dst: list(dst), Src: list(src), Inline: &text, Effect: volatile})
}

// Effect appends an instruction without results that must not be removed: a store, a branch.
func (p *Program) Effect(op string, src ...Operand) {
	p.add(Inst{Op: Op(op), Src: p.own(src), Effect: true})
}

// Move assigns to a variable: mov, by the class of dst.
func (p *Program) Move(dst Reg, src Operand) {
	o := p.operands.alloc(1)
	o[0] = src
	p.add(Inst{Op: Op(moves[dst.Class]), Dst: p.one(dst), Src: o})
}

var moves = [...]string{Pred: "mov.pred", B16: "mov.b16", B32: "mov.b32", B64: "mov.b64"}

// When runs f with every instruction guarded by r, or by its negation. Guards do not nest.
func (p *Program) When(r Reg, not bool, f func()) {
	p.guard, p.not = r, not
	f()
	p.guard, p.not = Reg{}, false
}

// NewLabel makes a label's name.
func (p *Program) NewLabel(hint string) string { p.labels++; return "$" + hint + itoa(p.labels) }

// Bind puts the label here.
func (p *Program) Bind(label string) { p.Add(Inst{Mark: LabelMark, Label: label}) }

// Branch goes to label when guard holds (does not hold, with not), always where guard is none.
func (p *Program) Branch(label string, guard Reg, not bool) {
	p.Add(Inst{Op: Op("bra"), Src: []Operand{S(label)}, Guard: guard, Not: not})
}

// Divergent emits f's code, which some threads may not run, or not together. No barrier may be in it.
func (p *Program) Divergent(f func()) {
	p.BeginDivergent()
	f()
	p.EndDivergent()
}

// BeginDivergent begins code as in Divergent, which goes on to EndDivergent.
func (p *Program) BeginDivergent() { p.divergent++ }

// EndDivergent ends what BeginDivergent has begun.
func (p *Program) EndDivergent() { p.divergent-- }

// Unless emits f's code, to be skipped by threads for which guard holds (does not hold, with not). They may differ
// (Divergent). f assigns variables alone.
func (p *Program) Unless(guard Reg, not bool, f func()) {
	end := p.NewLabel("skip")
	p.Branch(end, guard, not)
	p.Divergent(f)
	p.Bind(end)
}

// Loop emits a loop: its head is bound at the start; f emits the body including the branch back to the head.
func (p *Program) Loop(head string, f func()) {
	p.Add(Inst{Mark: LoopStart, Label: head})
	f()
	p.Add(Inst{Mark: LoopEnd, Label: head})
}

// DivergentLoop is Loop where some threads may leave the loop before others (Divergent).
func (p *Program) DivergentLoop(head string, f func()) {
	p.Divergent(func() { p.Loop(head, f) })
}

// Entry emits f's code at the kernel's start, after that of earlier calls: what f defines may be used anywhere. f may
// use what other calls of Entry have defined.
func (p *Program) Entry(f func()) {
	body, cold, guard, divergent := p.body, p.inCold, p.guard, p.divergent
	p.body, p.inCold, p.guard, p.divergent = instList{}, false, Reg{}, 0
	f()
	p.entry.addAll(&p.body)
	p.body, p.inCold, p.guard, p.divergent = body, cold, guard, divergent
}

// Cold emits f's code after the end of the kernel: what hardly ever runs. It may be reached by divergent branches: of
// shared memory it writes only what asynchronous copies of the kernel proper would have written there.
func (p *Program) Cold(f func()) { p.inCold = true; f(); p.inCold = false }

// AddressOf is the 32-bit address of byte off of shared memory.
func (p *Program) AddressOf(off int64) Reg {
	d := p.Reg(B32)
	p.Add(Inst{Op: Op("mov.u32"), Dst: p.one(d), Src: []Operand{{Kind: SymOperand, Sym: sharedSymbol, Imm: off}}})
	return d
}

// Barrier makes all threads of the block wait for each other. It panics where some do not come.
func (p *Program) Barrier() {
	if p.divergent > 0 || p.inCold || p.guard.OK() {
		panic("asm: a barrier that some threads do not reach")
	}
	p.Add(Inst{Op: Op("bar.sync"), Src: []Operand{I(0)}})
}

func itoa(n int) string {
	if n < 10 {
		return string(rune('0' + n))
	}
	return itoa(n/10) + string(rune('0'+n%10))
}
