package sim

import (
	"math"
	"math/bits"
)

type rounding uint8

// The roundings of PTX: to nearest even, toward zero, down, up, and to nearest with ties away.
const (
	roundNearest rounding = iota
	roundZero
	roundDown
	roundUp
	roundAway
)

var roundings = map[string]rounding{"rn": roundNearest, "rz": roundZero, "rm": roundDown, "rp": roundUp,
	"rna": roundAway}

// format is a binary float narrower than, or equal to, fp64.
type format struct {
	name     string
	storage  int // bits in a register
	exponent int // bits
	mantissa int // bits, without the hidden one
	shift    int // how far the value's bits stand above bit 0 of the storage
	infinity bool
	nan      uint64 // what arithmetic gives
}

var (
	f64  = &format{name: "f64", storage: 64, exponent: 11, mantissa: 52, infinity: true, nan: 0x7ff8000000000000}
	f32  = &format{name: "f32", storage: 32, exponent: 8, mantissa: 23, infinity: true, nan: 0x7fffffff}
	tf32 = &format{name: "tf32", storage: 32, exponent: 8, mantissa: 10, shift: 13, infinity: true, nan: 0x7fffe000}
	f16  = &format{name: "f16", storage: 16, exponent: 5, mantissa: 10, infinity: true, nan: 0x7fff}
	bf16 = &format{name: "bf16", storage: 16, exponent: 8, mantissa: 7, infinity: true, nan: 0x7fff}
	e4m3 = &format{name: "e4m3", storage: 8, exponent: 4, mantissa: 3, nan: 0x7f}
	e5m2 = &format{name: "e5m2", storage: 8, exponent: 5, mantissa: 2, infinity: true, nan: 0x7f}
)

func (f *format) bias() int { return 1<<(f.exponent-1) - 1 }

// largest is the magnitude of the greatest finite value.
func (f *format) largest() uint64 {
	if !f.infinity {
		return maskBits(f.exponent+f.mantissa) - 1
	}
	return (maskBits(f.exponent)<<f.mantissa - 1)
}

// load is the value of a register's bits. It is exact; bits below the format's are ignored.
func (f *format) load(v uint64) float64 {
	switch f {
	case f64:
		return math.Float64frombits(v)
	case f32:
		return float64(math.Float32frombits(uint32(v)))
	case bf16:
		return float64(math.Float32frombits(uint32(v) << 16))
	case f16:
		if v&0x7c00 != 0x7c00 {
			// fp32 with the same fields is 2^112 too small, whether subnormal or not.
			return float64(math.Float32frombits(uint32(v&0x8000<<16|v&0x7fff<<13)) * 0x1p112)
		}
	}
	return f.decode(v)
}

// decode is load for any format, by its fields.
func (f *format) decode(v uint64) float64 {
	v >>= f.shift
	magnitude := v & maskBits(f.exponent+f.mantissa)
	sign := v >> (f.exponent + f.mantissa) & 1
	exponent, fraction := int(magnitude>>f.mantissa), magnitude&maskBits(f.mantissa)
	var x float64
	switch {
	case !f.infinity && magnitude > f.largest():
		x = math.NaN()
	case f.infinity && exponent == 1<<f.exponent-1 && fraction != 0:
		x = math.NaN()
	case f.infinity && exponent == 1<<f.exponent-1:
		x = math.Inf(1)
	case exponent == 0:
		x = float64(fraction) * math.Float64frombits(uint64(1024-f.bias()-f.mantissa)<<52)
	default:
		x = math.Float64frombits(uint64(exponent-f.bias()+1023)<<52 | fraction<<(52-f.mantissa))
	}
	return math.Float64frombits(math.Float64bits(x) | sign<<63)
}

// store rounds x, which must be exact or rounded to odd, to the format.
func (f *format) store(x float64, mode rounding) uint64 {
	switch {
	case f == f64:
		if x != x {
			return f.nan
		}
		return math.Float64bits(x)
	case x != x:
		return f.nan
	case f == f32 && mode == roundNearest:
		return uint64(math.Float32bits(float32(x)))
	}
	sign := math.Float64bits(x) >> 63
	magnitude := f.round(math.Abs(x), mode, sign != 0)
	return (sign<<(f.exponent+f.mantissa) | magnitude) << f.shift
}

// round is the magnitude's bits of x ≥ 0, whose sign matters to the directed modes.
func (f *format) round(x float64, mode rounding, negative bool) uint64 {
	infinite := f.largest() + 1
	if math.IsInf(x, 1) {
		return infinite
	}
	b := math.Float64bits(x)
	exponent, significand := int(b>>52), b&maskBits(52)
	if exponent > 0 {
		significand |= 1 << 52
	} else {
		exponent = 1
	}
	drop := 52 - f.mantissa
	biased := exponent - 1023 + f.bias()
	if biased < 1 {
		drop += 1 - biased
		biased = 1
	}
	if drop > 63 {
		drop, significand = 63, uint64(b2i(significand != 0))
	}
	kept, rest := significand>>drop, significand&maskBits(drop)
	if roundsUp(mode, negative, kept&1 != 0, rest, 1<<(drop-1)) {
		kept++
	}
	result := uint64(biased-1)<<f.mantissa + kept
	if result >= infinite {
		toward := mode == roundZero || mode == roundDown && !negative || mode == roundUp && negative
		if toward {
			return f.largest()
		}
		return infinite
	}
	return result
}

func roundsUp(mode rounding, negative, odd bool, rest, half uint64) bool {
	switch mode {
	case roundNearest:
		return rest > half || rest == half && odd
	case roundAway:
		return rest >= half
	case roundDown:
		return negative && rest != 0
	case roundUp:
		return !negative && rest != 0
	default:
		return false
	}
}

// saturate is the largest finite value's bits with the sign of x where x rounded leaves the range.
func (f *format) saturate(x float64, mode rounding) uint64 {
	v := f.store(x, mode)
	if x == x && v&maskBits(f.exponent+f.mantissa) > f.largest() {
		return v&^maskBits(f.exponent+f.mantissa) | f.largest()
	}
	return v
}

// toOdd gives s, the rounded value of s+err, rounded to odd instead: rounding that again to a
// format at least two bits narrower is rounding once.
func toOdd(s, err float64) float64 {
	if err == 0 || err != err || math.IsInf(s, 0) {
		return s
	}
	b := math.Float64bits(s)
	if (err > 0) != (s > 0) {
		b--
	}
	return math.Float64frombits(b | 1)
}

func addOdd(x, y float64) float64 {
	s := x + y
	t := s - x
	return toOdd(s, (x-(s-t))+(y-t))
}

func divOdd(x, y float64) float64 {
	q := x / y
	r := math.FMA(-q, y, x)
	if y < 0 {
		r = -r
	}
	return toOdd(q, r)
}

func sqrtOdd(x float64) float64 {
	s := math.Sqrt(x)
	return toOdd(s, math.FMA(-s, s, x))
}

// intOdd is v as fp64, rounded to odd where 53 bits do not hold it.
func intOdd(v uint64) float64 {
	drop := 11 - bits.LeadingZeros64(v)
	if drop <= 0 {
		return float64(v)
	}
	odd := v >> drop
	if v&maskBits(drop) != 0 {
		odd |= 1
	}
	return float64(odd) * float64(uint64(1)<<drop)
}
