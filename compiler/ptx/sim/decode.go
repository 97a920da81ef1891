package sim

import (
	"fmt"
	"slices"

	"github.com/newtlab/newt/compiler/ptx/isa"
)

type space uint8

const (
	spaceGeneric space = iota
	spaceGlobal
	spaceShared
	spaceParam
	spaceLocal
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
	s.code = append(s.code, statement{line: lastLine(s), base: "ret"})
	for i := range s.code {
		c := &cursor{d: d, st: &s.code[i], name: s.code[i].opcode()}
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

// cursor reads one instruction: builders take the modifiers that they know and, in their order, the operands; what is
// left then is an error. The first thing wrong stays in err, so that builders need not ask after each step.
type cursor struct {
	d    *decoder
	st   *statement
	name string
	err  *LoadError
	inst inst
	next int // the operand that comes next
}

func (c *cursor) failf(format string, args ...any) {
	if c.err == nil {
		c.err = &LoadError{Line: c.st.line, Message: c.name + ": " + fmt.Sprintf(format, args...)}
	}
}

func (c *cursor) decodeInst() inst {
	c.inst.guard, c.inst.line, c.inst.work = noSlot, int32(c.st.line), isa.Lookup(c.name).Work
	if c.st.guard != "" {
		if r := c.findRegister(c.st.guard, types["pred"]); r != nil {
			c.inst.guard, c.inst.guardNot = c.d.slot(r), c.st.guardNot
		}
	}
	build := c.d.opcodes[c.st.base]
	if build == nil {
		c.failf("the simulator does not know this opcode")
		return c.inst
	}
	e := build(c)
	if c.err == nil && len(c.st.mods) > 0 {
		c.failf("the simulator does not know .%s here", c.st.mods[0])
	}
	if c.err == nil && c.next < len(c.st.args) {
		c.failf("it has %d operands, %d more than it takes", len(c.st.args), len(c.st.args)-c.next)
	}
	if c.err == nil {
		c.checkTable()
	}
	if c.d.slots > maxRegisters {
		c.failf("the kernel uses more than %d registers", maxRegisters)
	}
	c.inst.exec = e
	return c.inst
}

// checkTable compares the instruction with the table that the compiler prints by: the opcode, the number of operands,
// and whether the module's .version and .target have it. Builders have checked the operands themselves.
func (c *cursor) checkTable() {
	forms := isa.Lookup(c.name).Forms
	if len(forms) == 0 {
		c.failf("the instruction table does not have this opcode")
		return
	}
	for i := range forms {
		f := &forms[i]
		least, most := f.Arity()
		switch n := len(c.st.args); {
		case n < least || n > most:
			c.tableFailf("it takes %d operands, not %d", most, n)
		case !f.On(c.d.source.target):
			c.tableFailf("%s does not have it, but %s does", c.d.source.target, f.Target)
		case f.Version > c.d.source.version:
			c.tableFailf("it needs .version %d.%d", f.Version/10, f.Version%10)
		default:
			c.err = nil
			return
		}
	}
}

// tableFailf is failf for one form of several: the last one's reason counts.
func (c *cursor) tableFailf(format string, args ...any) {
	c.err = nil
	c.failf(format, args...)
}

// takeFlag takes a modifier if it is there.
func (c *cursor) takeFlag(name string) bool {
	i := slices.Index(c.st.mods, name)
	if i >= 0 {
		c.st.mods = slices.Delete(slices.Clone(c.st.mods), i, i+1)
	}
	return i >= 0
}

// takeOneOf takes the first of the names that is there, or gives "".
func (c *cursor) takeOneOf(names ...string) string {
	for _, m := range c.st.mods {
		if slices.Contains(names, m) {
			c.takeFlag(m)
			return m
		}
	}
	return ""
}

// requireOneOf is takeOneOf where one must be there; what names it in the message.
func (c *cursor) requireOneOf(what string, names ...string) string {
	m := c.takeOneOf(names...)
	if m == "" {
		c.failf("%s is missing: one of %v", what, names)
	}
	return m
}

// dropAll takes modifiers that change nothing in the simulator.
func (c *cursor) dropAll(names ...string) {
	for c.takeOneOf(names...) != "" {
		continue
	}
}

// takeAnyType takes the last modifier as a type.
func (c *cursor) takeAnyType() *typ {
	if n := len(c.st.mods); n > 0 {
		if t := types[c.st.mods[n-1]]; t != nil {
			c.st.mods = c.st.mods[:n-1]
			return t
		}
	}
	c.failf("the type is missing")
	return types["b32"]
}

// takeType takes the last modifier as one of the named types.
func (c *cursor) takeType(names ...string) *typ {
	t := c.takeAnyType()
	if !slices.Contains(names, t.name) {
		c.failf("the type must be one of %v", names)
	}
	return t
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
