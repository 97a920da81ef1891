package num

import (
	"math"
	"math/bits"
)

// format describes a float narrower than fp32 by what rounding and coding need of it.
// Its values are fp32 values.
type format struct {
	drop      uint32  // mantissa bits that fp32 has beyond it
	signBit   uint32  // its sign bit, in its own encoding
	minNormal float32 // smallest normal magnitude; 0 if fp32's own exponent range is kept
	magic     float32 // x+magic-magic rounds to a multiple of its least subnormal
	max       float32 // largest finite magnitude
	up, down  float32 // 2^(127-bias), by which its bits in fp32's place fall short, and its inverse
	inf       uint32  // its encoding of infinity, 0 if it has none
	nan       uint32  // its encoding of NaN, 0 if it has none
	special   uint32  // its least encoding, sign apart, that is not a finite number
	negZero   bool    // -0 exists
	saturate  bool    // what is too large gives max, not infinity

	round, load, store loop // on vectors: roundTo, load16 and store16
}

func makeFormat(expBits, manBits, bias int, top float64) format {
	sign := uint32(1) << (expBits + manBits)
	inf := sign - 1<<manBits
	return format{
		drop:      uint32(23 - manBits),
		signBit:   sign,
		minNormal: float32(math.Ldexp(1, 1-bias)),
		magic:     float32(math.Ldexp(1, 1-bias-manBits+23)),
		max:       float32(top),
		up:        float32(math.Ldexp(1, 127-bias)),
		down:      float32(math.Ldexp(1, bias-127)),
		inf:       inf,
		nan:       sign - 1,
		special:   inf,
		negZero:   true,
	}
}

// finiteOnly makes f a format without infinity, whose one NaN is given; 0 if it has none.
func (f format) finiteOnly(nan uint32) format {
	f.inf, f.nan, f.special = 0, nan, f.signBit
	if nan == f.signBit-1 {
		f.special = nan
	}
	f.negZero, f.saturate = nan != f.signBit, true
	return f
}

// formats holds the narrow floats; entries of other dtypes are unused. Sources: IEEE 754 (fp16),
// "FP8 formats for deep learning" (Micikevicius et al., 2022), "8-bit numerical formats for deep
// neural networks" (Noune et al., 2022) for the two with shifted bias, Triton for fp8e4b15.
var formats = func() (t [NumDTypes]format) {
	t[Float16] = makeFormat(5, 10, 15, 65504)
	t[BFloat16] = makeFormat(8, 7, 127, 0x1.fep127)
	t[BFloat16].minNormal = 0
	t[Float16].round, t[Float16].load, t[Float16].store = loopRoundFloat16, loopLoadFloat16, loopStoreFloat16
	t[BFloat16].round, t[BFloat16].load, t[BFloat16].store = loopRoundBFloat16, loopLoadBFloat16, loopStoreBFloat16
	t[Float8E5M2] = makeFormat(5, 2, 15, 57344)
	t[Float8E5M2].saturate = true
	t[Float8E4M3] = makeFormat(4, 3, 7, 448).finiteOnly(0x7f)
	t[Float8E4M3B8] = makeFormat(4, 3, 8, 240).finiteOnly(0x80)
	t[Float8E5B16] = makeFormat(5, 2, 16, 57344).finiteOnly(0x80)
	t[Float8E4B15] = makeFormat(4, 3, 15, 1.875).finiteOnly(0)
	return t
}()

const (
	signMask = 0x8000_0000
	infBits  = 0x7f80_0000
	// canonicalNaN is the value of the one NaN of a format without infinity. Of the others, values have the bits that
	// their encoding has.
	canonicalNaN = 0x7fff_ffff
)

// roundTo rounds every element of v to f in place, to nearest with ties to even.
func (f *format) roundTo(v []float32) {
	v = v[runOver(f.round, v, v, v, v):]
	drop := f.drop & 31 // what the compiler needs to know to shift without a check
	half, low := uint32(1)<<(drop-1&31)-1, uint32(1)<<drop-1
	floor, limit := math.Float32bits(f.minNormal), math.Float32bits(f.max)
	span := limit + half - floor // what is above may still round to limit: left to overflow
	for i, x := range v {
		u := math.Float32bits(x)
		mag := u &^ signMask
		if mag-floor <= span {
			v[i] = math.Float32frombits((mag+half+mag>>drop&1)&^low | u&signMask)
			continue
		}
		v[i] = f.edge(mag, u&signMask)
	}
}

// truncateTo rounds towards zero in place.
func (f *format) truncateTo(v []float32) {
	low := uint32(1)<<f.drop - 1
	floor := math.Float32bits(f.minNormal)
	limit := math.Float32bits(f.max)
	for i, x := range v {
		u := math.Float32bits(x)
		sign := u & signMask
		u ^= sign
		switch {
		case u < floor:
			step := f.magic / (1 << 23)
			mag := math.Float32frombits(u)
			v[i] = f.signed(float32(math.Trunc(float64(mag)/float64(step))*float64(step)), sign)
		case u < infBits && u > limit: // towards zero, nothing finite becomes infinite
			v[i] = math.Float32frombits(limit | sign)
		case u >= infBits:
			v[i] = f.edge(u, sign)
		default:
			v[i] = math.Float32frombits(u&^low | sign)
		}
	}
}

// edge rounds the magnitude u of a subnormal, overflowing, infinite or NaN value. A NaN becomes the format's own, as in
// PTX's conversions.
func (f *format) edge(u, sign uint32) float32 {
	switch {
	case u > infBits:
		if f.nan == 0 {
			return f.signed(f.max, sign)
		}
		return f.decode(f.nan)
	case u < math.Float32bits(f.minNormal):
		return f.signed(math.Float32frombits(u)+f.magic-f.magic, sign)
	case f.saturate:
		return f.signed(f.max, sign)
	}
	return math.Float32frombits(infBits | sign)
}

func (f *format) signed(mag float32, sign uint32) float32 {
	if mag == 0 && !f.negZero {
		return 0
	}
	return math.Float32frombits(math.Float32bits(mag) | sign)
}

// encode is the bit pattern of x, which must already be rounded to f.
func (f *format) encode(x float32) uint32 {
	u := math.Float32bits(x)
	var sign uint32
	if u&signMask != 0 {
		sign = f.signBit
	}
	u &^= signMask
	switch {
	case u > infBits && f.inf != 0 && u>>(f.drop&31) > infBits>>(f.drop&31):
		return f.inf | u>>(f.drop&31)&(f.inf&-f.inf-1) | sign
	case u > infBits:
		return f.nan
	case u == infBits:
		return f.inf | sign
	}
	// Scaling moves the exponent to f's bias, subnormals included.
	return math.Float32bits(math.Float32frombits(u)*f.down)>>(f.drop&31) | sign
}

// decode is the fp32 value of a bit pattern.
func (f *format) decode(b uint32) float32 {
	mag := b &^ f.signBit
	sign := (b ^ mag) << (31 - f.width()&31)
	switch {
	case f.inf != 0 && mag > f.inf:
		return math.Float32frombits(infBits | (mag^f.inf)<<(f.drop&31) | sign)
	case b == f.nan && f.nan != 0 || mag >= f.special && mag != f.inf:
		return math.Float32frombits(canonicalNaN)
	case mag == f.inf && f.inf != 0:
		return math.Float32frombits(infBits | sign)
	}
	return f.signed(math.Float32frombits(mag<<(f.drop&31))*f.up, sign)
}

// width is the place of the sign bit.
func (f *format) width() uint32 { return uint32(bits.TrailingZeros32(f.signBit)) }

// tf32Dropped is the mantissa bits of an fp32 that tf32 does not have: 13 of 23.
const tf32Dropped = 1<<13 - 1

// RoundTF32 rounds x to the 10 mantissa bits of tf32, ties away from zero as PTX's cvt.rna.tf32.f32 does. Infinities
// and NaN stay.
func RoundTF32(x float32) float32 {
	u := math.Float32bits(x)
	if u&infBits == infBits {
		return x
	}
	return math.Float32frombits((u + 1<<12) &^ tf32Dropped)
}

// TruncateTF32 drops the mantissa bits that tf32 does not have, as tensor cores do with an fp32 operand that was not
// converted. A NaN stays one.
func TruncateTF32(x float32) float32 {
	if x != x {
		return x
	}
	return math.Float32frombits(math.Float32bits(x) &^ tf32Dropped)
}

// roundOdd is x in fp32 such that a further rounding to a narrower float gives what rounding x
// directly would: inexact results have their last bit set.
func roundOdd(x float64) float32 {
	r := float32(x)
	back := float64(r)
	if back == x || x != x {
		return r
	}
	u := math.Float32bits(r)
	if math.Abs(back) > math.Abs(x) { // it rounded up: step back towards zero
		u--
	}
	return math.Float32frombits(u | 1)
}
