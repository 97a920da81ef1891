package sim

import (
	"math"
)

// arithmetic are the opcodes that integers and floats share.
var arithmetic = map[string]builder{
	"add": byType(integerBinary),
	"sub": byType(integerBinary),
	"mul": byType(multiply),
	"mad": func(c *cursor) exec {
		if c.hasFloatType() {
			return fused(c)
		}
		return multiply(c)
	},
	"fma": fused,
	"min": extremum,
	"max": extremum,
	"abs": sign(func(a, top uint64) uint64 { return a &^ top }),
	"neg": sign(func(a, top uint64) uint64 { return a ^ top }),
}

// hasFloatType reports whether the opcode's last type is one of floats.
func (c *cursor) hasFloatType() bool {
	t := types[c.op.Words[len(c.op.Words)-1]]
	return t != nil && t.isFloat()
}

func byType(integer builder) builder {
	return func(c *cursor) exec {
		if !c.hasFloatType() {
			return integer(c)
		}
		mode, t := c.floatMode(), c.takeType()
		return lift2(c.takeDst(t), c.takeSrc(t), c.takeSrc(t), mode.binary(c, t, c.op.Words[0]))
	}
}

// floatMode is how a float instruction rounds and what it does to subnormals and to results
// outside [0, 1] or below 0.
type floatMode struct {
	round rounding
	ftz   bool
	sat   bool
	relu  bool
}

// floatMode is what the opcode's modifiers say; a result that is an approximation is rounded to nearest.
func (c *cursor) floatMode() floatMode {
	return floatMode{ftz: c.has("ftz"), sat: c.has("sat"), relu: c.has("relu"),
		round: roundings[c.oneOf("rn", "rz", "rm", "rp", "rna")]}
}

func (m floatMode) plain() bool { return m == floatMode{} }

// operands are up to three values.
type operands [3]float64

// single makes a function on fp64 values one on t's bits. What it gives must be exact, rounded to
// odd, or, for f64, rounded to nearest; approximate functions may give any value.
func (m floatMode) single(c *cursor, t *typ, f func(x operands) float64) func(a, b, x uint64) uint64 {
	e := t.format
	if t.name == "f64" && m.round != roundNearest {
		if residuals[c.op.Words[0]] == nil {
			c.failf("fp64 rounds to nearest alone in %s", c.op.Words[0])
		}
		f = directed(m.round, c.op.Words[0], f)
	}
	return func(a, b, x uint64) uint64 {
		return m.finish(e, f(operands{e.load(m.flush(e, a)), e.load(m.flush(e, b)), e.load(m.flush(e, x))}))
	}
}

func (m floatMode) finish(e *format, x float64) uint64 {
	if m.sat {
		if !(x > 0) {
			x = 0
		}
		x = math.Min(x, 1)
	}
	if m.relu && x <= 0 {
		x = 0 // of -0 too
	}
	return m.flush(e, e.store(x, m.round))
}

// flush turns subnormal values into zero of their sign where .ftz asks for it.
func (m floatMode) flush(e *format, v uint64) uint64 {
	if m.ftz && v&(maskBits(e.exponent)<<e.mantissa) == 0 {
		return v & signBit(e.storage)
	}
	return v
}

// exactBinary are the operations with results rounded to odd; f64 takes nearestBinary's.
var exactBinary = map[string]func(x, y float64) float64{
	"add": addOdd,
	"sub": func(x, y float64) float64 { return addOdd(x, -y) },
	"mul": func(x, y float64) float64 { return x * y },
	"div": divOdd,
}

var nearestBinary = map[string]func(x, y float64) float64{
	"add": func(x, y float64) float64 { return x + y },
	"sub": func(x, y float64) float64 { return x - y },
	"mul": func(x, y float64) float64 { return x * y },
	"div": func(x, y float64) float64 { return x / y },
}

// quick are the same on fp32, to nearest.
var quick = map[string]fn2{
	"add": func(a, b uint64) uint64 { return pack32(unpack32(a) + unpack32(b)) },
	"sub": func(a, b uint64) uint64 { return pack32(unpack32(a) - unpack32(b)) },
	"mul": func(a, b uint64) uint64 { return pack32(unpack32(a) * unpack32(b)) },
	"div": func(a, b uint64) uint64 { return pack32(unpack32(a) / unpack32(b)) },
}

func unpack32(v uint64) float32 { return math.Float32frombits(uint32(v)) }

// pack32 gives every NaN the bits that arithmetic on the GPU gives it.
func pack32(x float32) uint64 {
	if x != x {
		return f32.nan
	}
	return uint64(math.Float32bits(x))
}

func (m floatMode) binary(c *cursor, t *typ, name string) fn2 {
	if t.half != nil {
		return halves2(m.binary(c, t.half, name), t.half.bits)
	}
	if t.name == "f32" && m.plain() {
		return quick[name]
	}
	f := exactBinary[name]
	if t.name == "f64" {
		f = nearestBinary[name]
	}
	g := m.single(c, t, func(x operands) float64 { return f(x[0], x[1]) })
	return func(a, b uint64) uint64 { return g(a, b, 0) }
}

func fused(c *cursor) exec {
	mode, t := c.floatMode(), c.takeType()
	return lift3(c.takeDst(t), c.takeSrc(t), c.takeSrc(t), c.takeSrc(t), mode.fma(c, t))
}

func (m floatMode) fma(c *cursor, t *typ) fn3 {
	if t.half != nil {
		return halves3(m.fma(c, t.half), t.half.bits)
	}
	if t.name == "f32" && m.plain() {
		return func(a, b, x uint64) uint64 {
			return pack32(float32(addOdd(float64(unpack32(a))*float64(unpack32(b)), float64(unpack32(x)))))
		}
	}
	f := func(x operands) float64 { return addOdd(x[0]*x[1], x[2]) }
	if t.name == "f64" {
		f = func(x operands) float64 { return math.FMA(x[0], x[1], x[2]) }
	}
	g := m.single(c, t, f)
	return func(a, b, x uint64) uint64 { return g(a, b, x) }
}

func extremum(c *cursor) exec {
	if !c.hasFloatType() {
		return integerBinary(c)
	}
	mode, t := c.floatMode(), c.takeType()
	return lift2(c.takeDst(t), c.takeSrc(t), c.takeSrc(t), mode.extremum(t, c.op.Words[0] == "max", c.has("NaN")))
}

// extremum orders -0 below +0; a NaN loses unless nan holds.
func (m floatMode) extremum(t *typ, greater, nan bool) fn2 {
	if t.half != nil {
		return halves2(m.extremum(t.half, greater, nan), t.half.bits)
	}
	e := t.format
	return func(a, b uint64) uint64 {
		a, b = m.flush(e, a), m.flush(e, b)
		x, y := e.load(a), e.load(b)
		switch {
		case x != x && y != y, nan && (x != x || y != y):
			return e.nan
		case x != x:
			return b
		case y != y:
			return a
		}
		below := x < y || x == y && math.Signbit(x) && !math.Signbit(y)
		if below == greater {
			return b
		}
		return a
	}
}

func sign(f func(a, top uint64) uint64) builder {
	return func(c *cursor) exec {
		if !c.hasFloatType() {
			return integerUnary(c)
		}
		mode, t := c.floatMode(), c.takeType()
		e := t
		if t.half != nil {
			e = t.half
		}
		g := func(a uint64) uint64 {
			if x := e.format.load(a); x != x && e.format != f64 {
				return e.format.nan
			}
			return f(mode.flush(e.format, a), signBit(e.bits))
		}
		if t.half != nil {
			g = halves1(g, e.bits)
		}
		return lift1(c.takeDst(t), c.takeSrc(t), g)
	}
}

// unary are the functions of one float: those that are exact to rounding to odd, and the
// approximations, which the simulator computes in fp64 and rounds once, so that they may be a few
// units in the last place more accurate than hardware.
var unary = map[string]func(x float64) float64{
	"rcp":   func(x float64) float64 { return divOdd(1, x) },
	"sqrt":  sqrtOdd,
	"rsqrt": func(x float64) float64 { return 1 / math.Sqrt(x) },
	"ex2":   math.Exp2,
	"lg2":   math.Log2,
	"sin":   math.Sin,
	"cos":   math.Cos,
	"tanh":  math.Tanh,
}

var nearestUnary = map[string]func(x float64) float64{
	"rcp": func(x float64) float64 { return 1 / x }, "sqrt": math.Sqrt,
}

var floatOps = func() map[string]builder {
	table := map[string]builder{"copysign": copysign, "testp": testp}
	for name := range unary {
		table[name] = floatUnary
	}
	return table
}()

func floatUnary(c *cursor) exec {
	mode, t := c.floatMode(), c.takeType()
	f := unary[c.op.Words[0]]
	if exact := nearestUnary[c.op.Words[0]]; t.name == "f64" && exact != nil {
		f = exact
	}
	return lift1(c.takeDst(t), c.takeSrc(t), mode.unary(c, t, f))
}

func (m floatMode) unary(c *cursor, t *typ, f func(float64) float64) fn1 {
	if t.half != nil {
		return halves1(m.unary(c, t.half, f), t.half.bits)
	}
	g := m.single(c, t, func(x operands) float64 { return f(x[0]) })
	return func(a uint64) uint64 { return g(a, 0, 0) }
}

func divide(c *cursor) exec {
	if !c.hasFloatType() {
		return integerBinary(c)
	}
	mode, t := c.floatMode(), c.takeType()
	return lift2(c.takeDst(t), c.takeSrc(t), c.takeSrc(t), mode.binary(c, t, "div"))
}

func copysign(c *cursor) exec {
	t := c.takeType()
	top := signBit(t.bits)
	return lift2(c.takeDst(t), c.takeSrc(t), c.takeSrc(t), func(a, b uint64) uint64 { return a&top | b&^top })
}

// properties are testp's, of a value and the least that is not subnormal. Zero is normal.
var properties = map[string]func(x float64, least float64) bool{
	"finite":     func(x, _ float64) bool { return !math.IsInf(x, 0) && x == x },
	"infinite":   func(x, _ float64) bool { return math.IsInf(x, 0) },
	"number":     func(x, _ float64) bool { return x == x },
	"notanumber": func(x, _ float64) bool { return x != x },
	"normal":     func(x, least float64) bool { return (x == 0 || math.Abs(x) >= least) && !math.IsInf(x, 0) },
	"subnormal":  func(x, least float64) bool { return x != 0 && math.Abs(x) < least },
}

func testp(c *cursor) exec {
	test := properties[c.op.Words[1]]
	t := c.takeType()
	least := t.format.load(1 << t.format.mantissa)
	d, a := c.takeDst(types["pred"]), c.takeSrc(t)
	f := func(x, _ uint64) uint64 { return truth(test(t.format.load(x), least)) }
	return func(w *warp, mask uint32) *Fault {
		x := w.get(a)
		w.setPred(d, mask, mask2(x, x, f))
		return nil
	}
}
