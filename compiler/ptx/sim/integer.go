package sim

import (
	"math"
	"math/bits"
)

type integer interface {
	~uint16 | ~uint32 | ~uint64 | ~int16 | ~int32 | ~int64
}

// binary2 are the integer operations whose result has the operands' type.
func binary2[T integer](width int) map[string]fn2 {
	m := maskBits(width)
	return map[string]fn2{
		"add": func(a, b uint64) uint64 { return (a + b) & m },
		"sub": func(a, b uint64) uint64 { return (a - b) & m },
		"mul": func(a, b uint64) uint64 { return (a * b) & m },
		"div": func(a, b uint64) uint64 {
			if T(b) == 0 {
				return m
			}
			return uint64(T(a)/T(b)) & m
		},
		"rem": func(a, b uint64) uint64 {
			if T(b) == 0 {
				return m
			}
			return uint64(T(a)%T(b)) & m
		},
		"min": func(a, b uint64) uint64 {
			if T(a) < T(b) {
				return a
			}
			return b
		},
		"max": func(a, b uint64) uint64 {
			if T(a) > T(b) {
				return a
			}
			return b
		},
		"and": func(a, b uint64) uint64 { return a & b },
		"or":  func(a, b uint64) uint64 { return a | b },
		"xor": func(a, b uint64) uint64 { return a ^ b },
		"shl": func(a, b uint64) uint64 { return a << b & m },
		"shr": func(a, b uint64) uint64 { return uint64(T(a)>>b) & m },
		"eq":  func(a, b uint64) uint64 { return truth(a == b) },
		"ne":  func(a, b uint64) uint64 { return truth(a != b) },
		"lt":  func(a, b uint64) uint64 { return truth(T(a) < T(b)) },
		"le":  func(a, b uint64) uint64 { return truth(T(a) <= T(b)) },
		"gt":  func(a, b uint64) uint64 { return truth(T(a) > T(b)) },
		"ge":  func(a, b uint64) uint64 { return truth(T(a) >= T(b)) },
	}
}

// integers are the operations by type. Bits count as unsigned.
var integers = map[string]map[string]fn2{
	"b16": binary2[uint16](16), "u16": binary2[uint16](16), "s16": binary2[int16](16),
	"b32": binary2[uint32](32), "u32": binary2[uint32](32), "s32": binary2[int32](32),
	"b64": binary2[uint64](64), "u64": binary2[uint64](64), "s64": binary2[int64](64),
}

func unary1(t *typ) map[string]fn1 {
	m, top := t.mask(), signBit(t.bits)
	return map[string]fn1{
		"neg":  func(a uint64) uint64 { return -a & m },
		"not":  func(a uint64) uint64 { return ^a & m },
		"cnot": func(a uint64) uint64 { return truth(a == 0) },
		"popc": func(a uint64) uint64 { return uint64(bits.OnesCount64(a)) },
		"clz":  func(a uint64) uint64 { return uint64(bits.LeadingZeros64(a) - 64 + t.bits) },
		"brev": func(a uint64) uint64 { return bits.Reverse64(a) >> (64 - t.bits) },
		"abs": func(a uint64) uint64 {
			if a&top != 0 {
				return -a & m
			}
			return a
		},
		"bfind": func(a uint64) uint64 {
			if t.signed() && a&top != 0 {
				a = ^a & m
			}
			return uint64(uint32(bits.Len64(a) - 1))
		},
	}
}

var integerOps = map[string]builder{
	"div":   divide,
	"rem":   integerBinary,
	"and":   bitwise,
	"or":    bitwise,
	"xor":   bitwise,
	"not":   invert,
	"shl":   integerShift,
	"shr":   integerShift,
	"cnot":  integerUnary,
	"popc":  integerCount,
	"clz":   integerCount,
	"brev":  integerUnary,
	"bfind": integerCount,
	"bfe":   extract,
	"bfi":   insert,
	"prmt":  permute,
	"lop3":  lop3,
	"shf":   funnel,
	"sad":   sad,
	"dp4a":  dp4a,
}

func integerUnary(c *cursor) exec {
	t := c.takeType()
	return lift1(c.takeDst(t), c.takeSrc(t), unary1(t)[c.op.Words[0]])
}

// integerCount has a result of 32 bits: how many bits, or which one.
func integerCount(c *cursor) exec {
	t := c.takeType()
	f := unary1(t)[c.op.Words[0]]
	if c.has("shiftamt") { // the shift that moves the bit to the top
		find := f
		f = func(a uint64) uint64 {
			if i := find(a); i != maskBits(32) {
				return uint64(t.bits-1) - i
			}
			return maskBits(32)
		}
	}
	return lift1(c.takeDst(types["u32"]), c.takeSrc(t), f)
}

func integerBinary(c *cursor) exec {
	t := c.takeType()
	f := integers[t.name][c.op.Words[0]]
	if c.has("sat") { // of s32
		wide := integers["s64"][c.op.Words[0]]
		f = func(a, b uint64) uint64 {
			v := int64(wide(uint64(int64(int32(a))), uint64(int64(int32(b)))))
			return uint64(uint32(max(math.MinInt32, min(math.MaxInt32, v))))
		}
	}
	return lift2(c.takeDst(t), c.takeSrc(t), c.takeSrc(t), f)
}

// integerShift has an amount of 32 bits in any type; Go's shifts give 0, or the sign, past the width, as
// PTX's clamped ones do.
func integerShift(c *cursor) exec {
	t := c.takeType()
	return lift2(c.takeDst(t), c.takeSrc(t), c.takeSrc(types["u32"]), integers[t.name][c.op.Words[0]])
}

var predLogic = map[string]func(a, b uint32) uint32{
	"and": func(a, b uint32) uint32 { return a & b },
	"or":  func(a, b uint32) uint32 { return a | b },
	"xor": func(a, b uint32) uint32 { return a ^ b },
}

func bitwise(c *cursor) exec {
	if !c.has("pred") {
		return integerBinary(c)
	}
	d, a, b, f := c.takeDst(types["pred"]), c.takePredicate(), c.takePredicate(), predLogic[c.op.Words[0]]
	return func(w *warp, mask uint32) *Fault {
		w.setPred(d, mask, f(w.pred(a), w.pred(b)))
		return nil
	}
}

func invert(c *cursor) exec {
	if !c.has("pred") {
		return integerUnary(c)
	}
	d, a := c.takeDst(types["pred"]), c.takePredicate()
	return func(w *warp, mask uint32) *Fault {
		w.setPred(d, mask, ^w.pred(a))
		return nil
	}
}

// product gives the low half, the high half, or all of a·b of type t.
func product(t *typ, part string) fn2 {
	m := t.mask()
	switch {
	case part == "lo":
		return func(a, b uint64) uint64 { return a * b & m }
	case part == "wide" && t.signed():
		return func(a, b uint64) uint64 { return uint64(extend(a, t.bits)*extend(b, t.bits)) & maskBits(2*t.bits) }
	case part == "wide":
		return func(a, b uint64) uint64 { return a * b }
	case t.bits < 64 && t.signed():
		return func(a, b uint64) uint64 { return uint64(extend(a, t.bits)*extend(b, t.bits)>>t.bits) & m }
	case t.bits < 64:
		return func(a, b uint64) uint64 { return a * b >> t.bits }
	case t.signed():
		return func(a, b uint64) uint64 {
			hi, _ := bits.Mul64(a, b)
			return hi - uint64(int64(a)>>63)&b - uint64(int64(b)>>63)&a
		}
	}
	return func(a, b uint64) uint64 {
		hi, _ := bits.Mul64(a, b)
		return hi
	}
}

// multiply is mul and mad on integers.
func multiply(c *cursor) exec {
	part := c.oneOf("lo", "hi", "wide")
	t := c.takeType()
	f, r := product(t, part), t
	if part == "wide" {
		r = types[map[bool]string{true: "s", false: "u"}[t.signed()]+map[int]string{16: "32", 32: "64"}[t.bits]]
	}
	if c.op.Words[0] == "mul" {
		return lift2(c.takeDst(r), c.takeSrc(t), c.takeSrc(t), f)
	}
	m := r.mask()
	return lift3(c.takeDst(r), c.takeSrc(t), c.takeSrc(t), c.takeSrc(r),
		func(a, b, x uint64) uint64 { return (f(a, b) + x) & m })
}

func extract(c *cursor) exec {
	t := c.takeType()
	u32 := types["u32"]
	return lift3(c.takeDst(t), c.takeSrc(t), c.takeSrc(u32), c.takeSrc(u32), func(a, pos, n uint64) uint64 {
		pos, n = pos&0xff, n&0xff
		if n == 0 {
			return 0
		}
		var sign uint64
		if t.signed() {
			sign = a >> min(pos+n-1, uint64(t.bits-1)) & 1
		}
		v := a >> pos & maskBits(int(min(n, 64)))
		if pos >= uint64(t.bits) {
			v = 0
		}
		if have := min(n, max(uint64(t.bits), pos)-pos); sign != 0 && have < 64 {
			v |= ^uint64(0) << have
		}
		return v & t.mask()
	})
}

func insert(c *cursor) exec {
	t := c.takeType()
	d, a, b := c.takeDst(t), c.takeSrc(t), c.takeSrc(t)
	pos, n := c.takeSrc(types["u32"]), c.takeSrc(types["u32"])
	return func(w *warp, mask uint32) *Fault {
		dst, x, y, p, l := &w.regs[d], w.get(a), w.get(b), w.get(pos), w.get(n)
		for i := range dst {
			if mask>>i&1 != 0 {
				field := maskBits(int(min(l[i]&0xff, 64))) << (p[i] & 0xff) & t.mask()
				dst[i] = y[i]&^field | x[i]<<(p[i]&0xff)&field
			}
		}
		return nil
	}
}

// selectors are the byte choices of prmt's modes, by the low two bits of the control.
var selectors = map[string][4]uint64{
	"f4e": {0x3210, 0x4321, 0x5432, 0x6543}, "b4e": {0x5670, 0x6701, 0x7012, 0x0123},
	"rc8": {0x0000, 0x1111, 0x2222, 0x3333}, "ecl": {0x3210, 0x3211, 0x3222, 0x3333},
	"ecr": {0x0000, 0x1110, 0x2210, 0x3210}, "rc16": {0x1010, 0x3232, 0x1010, 0x3232},
}

func permute(c *cursor) exec {
	table, special := selectors[c.oneOf("f4e", "b4e", "rc8", "ecl", "ecr", "rc16")]
	t := c.takeType()
	return lift3(c.takeDst(t), c.takeSrc(t), c.takeSrc(t), c.takeSrc(t), func(a, b, s uint64) uint64 {
		if special {
			s = table[s&3]
		}
		v, r := b<<32|a, uint64(0)
		for i := 0; i < 4; i++ {
			pick := s >> (4 * i) & 0xf
			x := v >> (8 * (pick & 7)) & 0xff
			if pick&8 != 0 {
				x = uint64(int8(x)>>7) & 0xff
			}
			r |= x << (8 * i)
		}
		return r
	})
}

func lop3(c *cursor) exec {
	t := c.takeType()
	d, a, b, x := c.takeDst(t), c.takeSrc(t), c.takeSrc(t), c.takeSrc(t)
	lut := c.constInt(255)
	return lift3(d, a, b, x, func(a, b, c uint64) uint64 {
		var r uint64
		for i := 0; i < 8; i++ {
			if lut>>i&1 != 0 {
				r |= pickBits(a, i>>2) & pickBits(b, i>>1) & pickBits(c, i)
			}
		}
		return r & maskBits(32)
	})
}

// pickBits is v, or its complement where bit 0 of want is 0.
func pickBits(v uint64, want int) uint64 { return v ^ (uint64(want&1) - 1) }

func funnel(c *cursor) exec {
	left, clamp := c.has("l"), c.has("clamp")
	t := c.takeType()
	return lift3(c.takeDst(t), c.takeSrc(t), c.takeSrc(t), c.takeSrc(types["u32"]), func(a, b, n uint64) uint64 {
		if clamp {
			n = min(n, 32)
		} else {
			n &= 31
		}
		v := b<<32 | a
		if left {
			return v << n >> 32
		}
		return v >> n & maskBits(32)
	})
}

func sad(c *cursor) exec {
	t := c.takeType()
	less := integers[t.name]["lt"]
	return lift3(c.takeDst(t), c.takeSrc(t), c.takeSrc(t), c.takeSrc(t), func(a, b, x uint64) uint64 {
		if less(a, b) != 0 {
			a, b = b, a
		}
		return (x + a - b) & t.mask()
	})
}

func dp4a(c *cursor) exec {
	u, s := types["u32"], types["s32"]
	tb, ta := c.takeType(), c.takeType()
	r := u
	if ta == s || tb == s {
		r = s
	}
	return lift3(c.takeDst(r), c.takeSrc(u), c.takeSrc(u), c.takeSrc(r), func(a, b, x uint64) uint64 {
		for i := 0; i < 32; i += 8 {
			x += byteOf(a>>i, ta == s) * byteOf(b>>i, tb == s)
		}
		return x & maskBits(32)
	})
}

func byteOf(v uint64, signed bool) uint64 {
	if signed {
		return uint64(int8(v))
	}
	return v & 0xff
}
