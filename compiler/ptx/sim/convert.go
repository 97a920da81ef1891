package sim

import (
	"math"
	"math/bits"
)

var integral = map[string]func(float64) float64{"rni": math.RoundToEven, "rzi": math.Trunc, "rmi": math.Floor,
	"rpi": math.Ceil}

// conversion is a cvt as decoded.
type conversion struct {
	to, from  *typ
	mode      floatMode
	integral  func(float64) float64
	satfinite bool
}

func cvt(c *cursor) exec {
	v := conversion{mode: c.floatMode(), satfinite: c.has("satfinite"),
		integral: integral[c.oneOf("rni", "rzi", "rmi", "rpi")]}
	v.from, v.to = c.takeType(), c.takeType()
	if v.to.half != nil {
		return v.packed(c)
	}
	d, width := c.wideDst(v.to)
	a, f := c.wideSrc(v.from), v.function()
	if v.to.signed() && width > v.to.bits {
		narrow := f
		f = func(a uint64) uint64 { return uint64(extend(narrow(a), v.to.bits)) & maskBits(width) }
	}
	return lift1(d, a, f)
}

// packed has pairs as its result: of two values of fp32, high half first, or of one register of pairs.
func (v conversion) packed(c *cursor) exec {
	elem := v
	elem.to = v.to.half
	if v.from.half != nil {
		elem.from = v.from.half
	}
	f := elem.function()
	d, to, from := c.takeDst(v.to), elem.to.bits, elem.from.bits
	if v.from.half == nil {
		return lift2(d, c.takeSrc(v.from), c.takeSrc(v.from), func(a, b uint64) uint64 { return f(a)<<to | f(b) })
	}
	return lift1(d, c.takeSrc(v.from), func(a uint64) uint64 { return f(a>>from)<<to | f(a&maskBits(from)) })
}

func (c *cursor) wideDst(t *typ) (int32, int) {
	o := c.takeOperand()
	if r := c.wideRegister(o, t); r != nil {
		return c.defineRegister(r), r.typ.bits
	}
	return sinkSlot, t.bits
}

func (c *cursor) wideSrc(t *typ) value {
	o := c.takeOperand()
	if o.kind != operandName {
		return c.srcOf(o, t)
	}
	if _, ok := specialIndex[o.name]; ok {
		return c.namedSrc(o, t)
	}
	if r := c.wideRegister(o, t); r != nil {
		return value{index: c.useRegister(r)}
	}
	return value{}
}

// wideRegister finds a register of at least t's size.
func (c *cursor) wideRegister(o operand, t *typ) *register {
	if o.kind == operandSink {
		return nil
	}
	r := c.st.registers.find(o.name)
	if o.kind != operandName || r == nil {
		c.failf("operand %d is not a register", c.next)
		return nil
	}
	if !t.fits(r.typ) {
		c.failf("register %s is .%s, which does not go with .%s", o.name, r.typ.name, t.name)
		return nil
	}
	return r
}

// function is the conversion of one element's bits.
func (v conversion) function() fn1 {
	switch {
	case v.from.isFloat() && v.to.isFloat():
		return v.floatFloat
	case v.from.isFloat():
		return v.floatInt
	case v.to.isFloat():
		return v.intFloat
	}
	return v.intInt
}

func (v conversion) floatFloat(a uint64) uint64 {
	if v.from.format == f32 {
		a = v.mode.flush(f32, a)
	}
	x := v.from.format.load(a)
	if v.from.format == bf16 && v.to.format == f32 && !v.mode.ftz && x != x {
		return a << 16 // the one conversion that keeps a NaN's bits
	}
	if v.integral != nil {
		x = v.integral(x)
	}
	if v.satfinite {
		if v.mode.relu && x <= 0 {
			x = 0
		}
		return v.to.format.saturate(x, v.mode.round)
	}
	m := v.mode
	m.ftz = m.ftz && v.to.format == f32
	return m.finish(v.to.format, x)
}

func (v conversion) intFloat(a uint64) uint64 {
	a &= v.from.mask()
	negative := v.from.signed() && a&signBit(v.from.bits) != 0
	if negative {
		a = uint64(-extend(a, v.from.bits))
	}
	x := intOdd(a)
	if v.to.format == f64 {
		x = v.intDouble(a, negative)
	}
	if negative {
		x = -x
	}
	return v.mode.finish(v.to.format, x)
}

// intDouble rounds a magnitude to fp64 as the mode has it.
func (v conversion) intDouble(a uint64, negative bool) float64 {
	drop := bits.Len64(a) - 53
	if drop <= 0 {
		return float64(a)
	}
	kept, rest := a>>drop, a&maskBits(drop)
	if roundsUp(v.mode.round, negative, kept&1 != 0, rest, 1<<(drop-1)) {
		kept++
	}
	return float64(kept) * float64(uint64(1)<<drop)
}

// floatInt clamps to the range of the type. NaN is 0, or the sign bit alone where 64 bits take part.
func (v conversion) floatInt(a uint64) uint64 {
	if v.from.format == f32 {
		a = v.mode.flush(f32, a)
	}
	x := v.from.format.load(a)
	if x != x {
		if v.from.bits == 64 || v.to.bits == 64 {
			return signBit(v.to.bits)
		}
		return 0
	}
	x = v.integral(x)
	top := math.Ldexp(1, v.to.bits)
	switch {
	case v.to.signed() && x >= top/2:
		return signBit(v.to.bits) - 1
	case v.to.signed() && x < -top/2:
		return signBit(v.to.bits)
	case v.to.signed():
		return uint64(int64(x)) & v.to.mask()
	case x >= top:
		return v.to.mask()
	case x < 0:
		return 0
	}
	return uint64(x)
}

func (v conversion) intInt(a uint64) uint64 {
	a &= v.from.mask()
	if v.from.signed() {
		a = uint64(extend(a, v.from.bits))
	}
	if !v.mode.sat {
		return a & v.to.mask()
	}
	negative := v.from.signed() && int64(a) < 0
	low, high := uint64(0), v.to.mask()
	if v.to.signed() {
		low, high = -signBit(v.to.bits), signBit(v.to.bits)-1
	}
	switch {
	case negative && (!v.to.signed() || int64(a) < int64(low)):
		a = low
	case !negative && a > high:
		a = high
	}
	return a & v.to.mask()
}
