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

// register finds a register that agrees with t.
func (c *call) register(name string, t *typ) *register {
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

func (c *call) def(r *register) int32 {
	s := c.d.slot(r)
	c.inst.defs = append(c.inst.defs, s)
	return s
}

func (c *call) use(r *register) int32 {
	s := c.d.slot(r)
	if !slices.Contains(c.inst.uses, s) {
		c.inst.uses = append(c.inst.uses, s)
	}
	return s
}

// dst takes a destination register of type t.
func (c *call) dst(t *typ) int32 { return c.dstOf(c.take(), t) }

func (c *call) dstOf(o operand, t *typ) int32 {
	switch {
	case o.kind == operandSink:
		return sinkSlot
	case o.kind != operandName || o.negate:
		c.failf("the destination is not a register")
	default:
		if r := c.register(o.name, t); r != nil {
			return c.def(r)
		}
	}
	return sinkSlot
}

// src takes a register, special register, symbol or immediate of type t.
func (c *call) src(t *typ) value { return c.srcOf(c.take(), t) }

func (c *call) srcOf(o operand, t *typ) value {
	switch o.kind {
	case operandName:
		if o.negate {
			c.failf("! stands before predicates alone")
		}
		return c.named(o, t)
	case operandInt, operandF32, operandF64:
		return c.d.constant(c.immediate(o, t))
	}
	c.failf("operand %d is not a value", c.next)
	return value{}
}

func (c *call) named(o operand, t *typ) value {
	name := o.name
	if i, ok := specialIndex[name]; ok {
		if specials[i].bits != t.bits || t.isFloat() {
			c.failf("%s has %d bits", name, specials[i].bits)
		}
		return value{file: fileSpecial, index: i}
	}
	if s, ok := c.d.source.symbols[name]; ok && c.st.registers.find(name) == nil {
		base := map[space]int{spaceShared: sharedBase}[s.space]
		if s.space == spaceParam || t.bits < 32 || t.isFloat() {
			c.failf("the address of %s does not go with .%s", name, t.name)
		}
		return c.d.constant(uint64(base+s.offset) + o.imm)
	}
	r := c.register(name, t)
	if r == nil {
		return value{}
	}
	return value{index: c.use(r)}
}

func (c *call) immediate(o operand, t *typ) uint64 {
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

// predicate takes a source predicate: %p, !%p, or an immediate 0 or 1.
func (c *call) predicate() predicate { return c.predicateOf(c.take()) }

func (c *call) predicateOf(o operand) predicate {
	switch o.kind {
	case operandName:
		if r := c.register(o.name, types["pred"]); r != nil {
			return predicate{c.use(r), o.negate}
		}
	case operandInt:
		return predicate{falsePre, o.imm != 0}
	default:
		c.failf("operand %d is not a predicate", c.next)
	}
	return predicate{slot: falsePre}
}

// pair takes "d|p" or "d": the second destination is sinkSlot where there is none.
func (c *call) pair(t *typ) (d, second int32) {
	o := c.take()
	second = sinkSlot
	if o.second != nil {
		second = c.dstOf(*o.second, types["pred"])
	}
	return c.dstOf(o, t), second
}

// constInt takes an immediate integer from 0 to limit.
func (c *call) constInt(limit uint64) int {
	o := c.take()
	if o.kind != operandInt || o.imm > limit {
		c.failf("operand %d must be a number up to %d", c.next, limit)
		return 0
	}
	return int(o.imm)
}

// vector takes {a, b, …} of exactly n elements.
func (c *call) vector(n int) []operand {
	o := c.take()
	if o.kind != operandVector || len(o.elems) != n {
		c.failf("operand %d must be a vector of %d", c.next, n)
		return make([]operand, n)
	}
	return o.elems
}

func (c *call) dsts(n int, t *typ) []int32 {
	list := make([]int32, n)
	for i, o := range c.vector(n) {
		list[i] = c.dstOf(o, t)
	}
	return list
}

func (c *call) srcs(n int, t *typ) []value {
	list := make([]value, n)
	for i, o := range c.vector(n) {
		list[i] = c.srcOf(o, t)
	}
	return list
}
