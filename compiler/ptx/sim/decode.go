package sim

import (
	"fmt"
	"slices"

	"github.com/newtlab/newt/compiler/ptx/isa"
)

// space is a state space.
type space = isa.Space

// The state spaces.
const (
	spaceGeneric = isa.Generic
	spaceGlobal  = isa.Global
	spaceShared  = isa.Shared
	spaceParam   = isa.Parameters
	spaceLocal   = isa.Local
)

// exec is what an instruction does to the lanes of mask. It may not touch other lanes' registers.
type exec func(w *warp, mask uint32) *Fault

// flow is an instruction that moves the program counter itself: branches, exits, barriers.
type flow func(w *warp, g *convergentGroup, mask uint32) *Fault

// inst is a decoded instruction: exactly one of exec and flow is set.
type inst struct {
	exec     exec
	flow     flow
	guard    int32 // slot of a predicate, or noSlot
	guardNot bool
	line     int32
	work     isa.Work
	uses     []int32 // slots that must be written before
	defs     []int32
	// Of a wgmma.mma_async, what it is; of others, the registers of wgmma that they access.
	wgmma     *wgmmaInst
	fragments []int32
}

// The first slots of a register file: one that takes what nobody wants, one predicate that is false.
const (
	noSlot   int32 = -1
	sinkSlot int32 = 0
	falsePre int32 = 1
	reserved       = 2
)

// kernel is a decoded entry.
type kernel struct {
	name       string
	code       []inst
	consts     []lanes
	slots      int
	params     []int // by parameter: its first slot of 8 bytes
	paramWords int
	shared     int // bytes before the dynamic part
	local      int
	threads    int
	maxThreads int
	granule    int            // bytes: the narrowest access to shared memory
	strong     bool           // it has instructions by which blocks can communicate
	fragments  map[int32]bool // registers of wgmma
}

// decoder turns statements into instructions.
type decoder struct {
	*kernel
	source    *source
	opcodes   map[string]builder
	constants map[uint64]int32
}

func decode(s *source) (*kernel, *LoadError) {
	k := &kernel{name: s.name, slots: reserved, params: s.paramSlots, paramWords: s.params / paramSlot,
		shared: s.shared, local: s.local,
		threads: s.threads, maxThreads: s.maxThreads, granule: 16}
	for name, v := range s.symbols {
		if v.space == spaceShared && v.bytes == 0 {
			k.shared = (s.shared + max(v.align, 16) - 1) &^ (max(v.align, 16) - 1)
			v.offset = k.shared
			s.symbols[name] = v
		}
	}
	d := &decoder{kernel: k, source: s, opcodes: opcodes(), constants: map[uint64]int32{}}
	s.code = append(s.code, statement{line: lastLine(s), opcode: "ret"})
	for i := range s.code {
		c := newCursor(d, &s.code[i])
		k.code = append(k.code, c.decodeInst())
		if c.err != nil {
			return nil, c.err
		}
	}
	d.watchFragments()
	return k, nil
}

func lastLine(s *source) int {
	if len(s.code) == 0 {
		return 1
	}
	return s.code[len(s.code)-1].line
}

// constant gives the register of constants that holds v in all lanes.
func (d *decoder) constant(v uint64) value {
	i, ok := d.constants[v]
	if !ok {
		i = int32(len(d.consts))
		d.constants[v] = i
		var l lanes
		for j := range l {
			l[j] = v
		}
		d.consts = append(d.consts, l)
	}
	return value{file: fileConst, index: i}
}

func (d *decoder) slot(r *register) int32 {
	if r.slot == 0 {
		r.slot = int32(d.slots)
		d.slots++
	}
	return r.slot
}

// cursor reads one instruction. The table says which modifiers it has and how many operands; builders ask which of
// them are there and take the operands in their order. The first thing wrong stays in err, so that builders need not
// ask after each step.
type cursor struct {
	d     *decoder
	st    *statement
	op    *isa.Op
	err   *LoadError
	inst  inst
	types int // the opcode's words before that one are yet to be taken as types
	next  int // the operand that comes next
}

func newCursor(d *decoder, st *statement) *cursor {
	op := isa.Lookup(st.opcode)
	return &cursor{d: d, st: st, op: op, types: len(op.Words)}
}

func (c *cursor) failf(format string, args ...any) {
	if c.err == nil {
		c.err = &LoadError{Line: c.st.line, Message: c.op.Name + ": " + fmt.Sprintf(format, args...)}
	}
}

func (c *cursor) decodeInst() inst {
	c.inst.guard, c.inst.line, c.inst.work = noSlot, int32(c.st.line), c.op.Work
	if c.st.guard != "" {
		if r := c.findRegister(c.st.guard, types["pred"]); r != nil {
			c.inst.guard, c.inst.guardNot = c.d.slot(r), c.st.guardNot
		}
	}
	c.checkTable()
	build := c.d.opcodes[c.op.Words[0]]
	if c.err != nil || build == nil {
		c.failf("the simulator does not know this opcode")
		return c.inst
	}
	c.inst.exec = build(c)
	if c.next < len(c.st.args) {
		c.failf("operand %d is one more than it takes", c.next+1)
	}
	if c.d.slots > maxRegisters {
		c.failf("the kernel uses more than %d registers", maxRegisters)
	}
	return c.inst
}

// checkTable looks the instruction up in the table that the compiler prints by: the opcode, the number of operands,
// and whether the module's .version and .target have it. Of several forms the last one's reason counts.
func (c *cursor) checkTable() {
	why := "there is no such opcode"
	for i := range c.op.Forms {
		f := &c.op.Forms[i]
		least, most := f.Arity()
		switch n := len(c.st.args); {
		case n < least || n > most:
			why = fmt.Sprintf("it takes %d operands, not %d", most, n)
		case !f.On(c.d.source.target):
			why = fmt.Sprintf("%s does not have it, but %s does", c.d.source.target, f.Target)
		case f.Version > c.d.source.version:
			why = fmt.Sprintf("it needs .version %d.%d", f.Version/10, f.Version%10)
		default:
			return
		}
	}
	c.failf("%s", why)
}

// has reports whether the opcode has a modifier.
func (c *cursor) has(modifier string) bool { return slices.Contains(c.op.Words[1:], modifier) }

// oneOf is the first of the opcode's modifiers that is one of the names, or "".
func (c *cursor) oneOf(names ...string) string {
	for _, m := range c.op.Words[1:] {
		if slices.Contains(names, m) {
			return m
		}
	}
	return ""
}

// takeType takes the opcode's last type that has not been taken.
func (c *cursor) takeType() *typ {
	for c.types--; c.types > 0; c.types-- {
		if t := types[c.op.Words[c.types]]; t != nil {
			return t
		}
	}
	panic("sim: " + c.op.Name + " has no such type")
}

// takeOperand takes the next operand. Where there is none it is the sink, which every builder can go on with.
func (c *cursor) takeOperand() operand {
	if c.next >= len(c.st.args) {
		c.failf("an operand is missing")
		return operand{kind: operandSink}
	}
	c.next++
	o := c.st.args[c.next-1]
	if _, ok := c.d.source.symbols[o.name]; o.kind == operandName && o.imm != 0 && (!ok ||
		c.st.registers.find(o.name) != nil) {
		c.failf("an offset goes with the name of a variable alone, not with %s", o.name)
	}
	return o
}

func (c *cursor) hasOperand() bool { return c.next < len(c.st.args) }

// peekOperand is the next operand, if there is one.
func (c *cursor) peekOperand() operand {
	if !c.hasOperand() {
		return operand{}
	}
	return c.st.args[c.next]
}
