package sim

import (
	"math"
	"math/bits"
)

var (
	intRounds   = []string{"rni", "rzi", "rmi", "rpi"}
	floatRounds = []string{"rn", "rz", "rm", "rp", "rna"}
	convertible = append([]string{"u8", "s8", "f16", "bf16", "f32", "f64", "tf32", "f16x2", "bf16x2", "e4m3x2",
		"e5m2x2"}, arithTypes...)
)

var integral = map[string]func(float64) float64{"rni": math.RoundToEven, "rzi": math.Trunc, "rmi": math.Floor,
	"rpi": math.Ceil}

// conversion is a cvt as decoded.
type conversion struct {
	to, from  *typ
	mode      floatMode
	integral  func(float64) float64
	satfinite bool
	hasRound  bool
}

func cvt(c *cursor) exec {
	v := conversion{mode: floatMode{ftz: c.takeFlag("ftz"), sat: c.takeFlag("sat"), relu: c.takeFlag("relu")},
		satfinite: c.takeFlag("satfinite")}
	v.integral = integral[c.takeOneOf(intRounds...)]
	if r := c.takeOneOf(floatRounds...); r != "" {
		v.hasRound, v.mode.round = true, roundings[r]
	}
	v.from, v.to = c.takeType(convertible...), c.takeType(convertible...)
	if c.err != nil {
		return nil
	}
	v.check(c)
	if v.from.half != nil || v.to.half != nil {
		return v.packed(c)
	}
	f := v.function(c)
	if f == nil {
		return nil
	}
	d, width := c.wideDst(v.to)
	a := c.wideSrc(v.from)
	if v.to.signed() && width > v.to.bits {
		narrow := f
		f = func(a uint64) uint64 { return uint64(extend(narrow(a), v.to.bits)) & maskBits(width) }
	}
	return lift1(d, a, f)
}

// check refuses modifiers that the pair of types does not have.
func (v conversion) check(c *cursor) {
	to, from := v.to, v.from
	packed := to.half != nil || from.half != nil
	single := from.name == "f32" && (to.bits == 16 && to.isFloat() || to.half != nil || to.name == "tf32") ||
		to.half != nil
	away := v.mode.round == roundAway
	byteBrain := to.name == "bf16" && from.bits == 8 || from.name == "bf16" && to.bits == 8
	brain := to.name == "bf16" || from.name == "bf16"
	directed := v.mode.round == roundDown || v.mode.round == roundUp
	halves := from.half != nil && v.mode.round == roundZero || to.half != nil && to.half.bits == 8 &&
		v.mode.round == roundZero
	switch {
	case from.name == "tf32", to.name == "tf32" && from.name != "f32", byteBrain:
		c.failf("there is no conversion from .%s to .%s", from.name, to.name)
	case away != (to.name == "tf32" && away), away && v.mode.relu, packed &&
		directed, halves, to.name == "tf32" && directed:
		c.failf("the rounding does not go with the types")
	case v.mode.ftz && (packed || to.name == "tf32" || from.name != "f32" && to.name != "f32"):
		c.failf(".ftz does not go with the types")
	case v.mode.relu && (!single || directed), v.satfinite && (!single || directed || to.name == "tf32" ||
		from.half != nil && from.half.bits == 8):
		c.failf(".relu and .satfinite are for narrow floats")
	case v.mode.sat && (packed || brain || to.name == "tf32" || from.isInt() && to.isInt() && to.covers(from)):
		c.failf(".sat does not go with the types")
	}
}

// covers says whether t has all values of integer type u.
func (t *typ) covers(u *typ) bool {
	if t.signed() == u.signed() {
		return t.bits >= u.bits
	}
	return t.signed() && t.bits > u.bits
}

// packed has pairs on one side or both: two values of fp32 into one register, high half first, or
// one register of pairs into another.
func (v conversion) packed(c *cursor) exec {
	elem := v
	if v.to.half == nil {
		c.failf("there is no conversion from .%s to .%s", v.from.name, v.to.name)
		return nil
	}
	elem.to = v.to.half
	byteTarget := elem.to.bits == 8
	if byteTarget && !v.satfinite {
		c.failf(".satfinite is missing")
	}
	two := v.from.name == "f32"
	if !two && (v.from.half == nil || byteTarget == (v.from.half.bits == 8) || v.from.name == "bf16x2" ||
		v.to.name == "bf16x2") {
		c.failf("there is no conversion from .%s to .%s", v.from.name, v.to.name)
		return nil
	}
	if v.from.half != nil {
		elem.from = v.from.half
	}
	if !v.hasRound {
		c.failf("a rounding modifier is missing")
	}
	elem.hasRound = two || byteTarget
	f := elem.function(c)
	d := c.takeDst(v.to)
	if f == nil {
		return nil
	}
	to, from := elem.to.bits, elem.from.bits
	if two {
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
func (v conversion) function(c *cursor) fn1 {
	from, to := v.from, v.to
	narrows := from.isFloat() && to.isFloat() && (to.format.mantissa < from.format.mantissa ||
		to.format.exponent < from.format.exponent)
	needs := !from.isFloat() && to.isFloat() || narrows
	switch {
	case needs != v.hasRound:
		c.failf("a rounding modifier is %s", map[bool]string{true: "missing", false: "not allowed"}[needs])
	case from.isFloat() && !to.isFloat() && v.integral == nil:
		c.failf("an integer rounding modifier is missing")
	case v.integral != nil && (!from.isFloat() || to.isFloat() && to != from):
		c.failf("an integer rounding modifier is not allowed")
	case from.isFloat() && to.isFloat():
		return v.floatFloat
	case from.isFloat():
		return v.floatInt
	case to.isFloat():
		return v.intFloat
	default:
		return v.intInt
	}
	return nil
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
