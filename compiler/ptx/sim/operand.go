package sim

import (
	"math"
	"slices"
)

type file uint8

const (
	fileRegister file = iota
	fileConst
	fileSpecial
)

// value is where an operand's lanes are.
type value struct {
	file  file
	index int32
}

// predicate is a predicate operand; noSlot does not occur, constants are falsePre.
type predicate struct {
	slot   int32
	negate bool
}

// findRegister finds a register that agrees with t.
func (c *cursor) findRegister(name string, t *typ) *register {
	r := c.st.registers.find(name)
	switch {
	case r == nil:
		c.failf("there is no register %s", name)
	case !t.agrees(r.typ):
		c.failf("register %s is .%s, which does not go with .%s", name, r.typ.name, t.name)
		return nil
	}
	return r
}

func (c *cursor) defineRegister(r *register) int32 {
	s := c.d.slot(r)
	c.inst.defs = append(c.inst.defs, s)
	return s
}

func (c *cursor) useRegister(r *register) int32 {
	s := c.d.slot(r)
	if !slices.Contains(c.inst.uses, s) {
		c.inst.uses = append(c.inst.uses, s)
	}
	return s
}

// takeDst takes a destination register of type t.
func (c *cursor) takeDst(t *typ) int32 { return c.dstOf(c.takeOperand(), t) }

func (c *cursor) dstOf(o operand, t *typ) int32 {
	switch {
	case o.kind == operandSink:
		return sinkSlot
	case o.kind != operandName || o.negate:
		c.failf("the destination is not a register")
	default:
		if r := c.findRegister(o.name, t); r != nil {
			return c.defineRegister(r)
		}
	}
	return sinkSlot
}

// takeSrc takes a register, special register, symbol or immediate of type t.
func (c *cursor) takeSrc(t *typ) value { return c.srcOf(c.takeOperand(), t) }

func (c *cursor) srcOf(o operand, t *typ) value {
	switch o.kind {
	case operandName:
		if o.negate {
			c.failf("! stands before predicates alone")
		}
		return c.namedSrc(o, t)
	case operandInt, operandF32, operandF64:
		return c.d.constant(c.immediateBits(o, t))
	}
	c.failf("operand %d is not a value", c.next)
	return value{}
}

func (c *cursor) namedSrc(o operand, t *typ) value {
	name := o.name
	if i, ok := specialIndex[name]; ok {
		if specials[i].bits != t.bits || t.isFloat() {
			c.failf("%s has %d bits", name, specials[i].bits)
		}
		return value{file: fileSpecial, index: i}
	}
	if s, ok := c.d.source.symbols[name]; ok && c.st.registers.find(name) == nil {
		base := map[space]int{spaceShared: sharedBase}[s.space]
		if s.space == spaceParam && t.bits != 64 || t.bits < 32 || t.isFloat() {
			c.failf("the address of %s does not go with .%s", name, t.name)
		}
		return c.d.constant(uint64(base+s.offset) + o.imm)
	}
	r := c.findRegister(name, t)
	if r == nil {
		return value{}
	}
	return value{index: c.useRegister(r)}
}

func (c *cursor) immediateBits(o operand, t *typ) uint64 {
	switch {
	case o.kind == operandInt && !t.isFloat():
		return o.imm & t.mask()
	case o.kind == operandF32 && (t.name == "f32" || t.name == "b32"):
		return o.imm
	case o.kind == operandF64 && (t.name == "f64" || t.name == "b64"):
		return o.imm
	case o.kind == operandF64 && t.name == "f32":
		return uint64(math.Float32bits(float32(math.Float64frombits(o.imm))))
	}
	c.failf("the immediate operand does not go with .%s", t.name)
	return 0
}

// takePredicate takes a source predicate: %p, !%p, or an immediate 0 or 1.
func (c *cursor) takePredicate() predicate { return c.predicateOf(c.takeOperand()) }

func (c *cursor) predicateOf(o operand) predicate {
	switch o.kind {
	case operandName:
		if r := c.findRegister(o.name, types["pred"]); r != nil {
			return predicate{c.useRegister(r), o.negate}
		}
	case operandInt:
		return predicate{falsePre, o.imm != 0}
	default:
		c.failf("operand %d is not a predicate", c.next)
	}
	return predicate{slot: falsePre}
}

// takeDstPair takes "d|p" or "d": the second destination is sinkSlot where there is none.
func (c *cursor) takeDstPair(t *typ) (d, second int32) {
	o := c.takeOperand()
	second = sinkSlot
	if o.second != nil {
		second = c.dstOf(*o.second, types["pred"])
	}
	return c.dstOf(o, t), second
}

// constInt takes an immediate integer from 0 to limit.
func (c *cursor) constInt(limit uint64) int {
	o := c.takeOperand()
	if o.kind != operandInt || o.imm > limit {
		c.failf("operand %d must be a number up to %d", c.next, limit)
		return 0
	}
	return int(o.imm)
}

// takeVector takes {a, b, …} of exactly n elements.
func (c *cursor) takeVector(n int) []operand {
	o := c.takeOperand()
	if o.kind != operandVector || len(o.elems) != n {
		c.failf("operand %d must be a vector of %d", c.next, n)
		return make([]operand, n)
	}
	return o.elems
}

func (c *cursor) takeDsts(n int, t *typ) []int32 {
	list := make([]int32, n)
	for i, o := range c.takeVector(n) {
		list[i] = c.dstOf(o, t)
	}
	return list
}

func (c *cursor) takeSrcs(n int, t *typ) []value {
	list := make([]value, n)
	for i, o := range c.takeVector(n) {
		list[i] = c.srcOf(o, t)
	}
	return list
}
