package num

import (
	"math"
	"strconv"
)

// Scalar is a constant of one dtype. Bits is its memory image, zero-extended, every NaN being
// the dtype's one NaN: equal constants compare equal, so a Scalar can be a map key.
type Scalar struct {
	DType DType
	Bits  uint64
}

// FromInt is v as a d: wrapped for integers, whether v is not 0 for int1, rounded for floats.
func FromInt(d DType, v int64) Scalar {
	return convert(Int64, d, Vec{I64: []int64{v}})
}

// FromFloat is v as a d, on the terms of Cast.
func FromFloat(d DType, v float64) Scalar {
	return convert(Float64, d, Vec{F64: []float64{v}})
}

// FromBool is the int1 of b.
func FromBool(b bool) Scalar { return Scalar{Int1, uint64(bit(b))} }

// ScalarAt is element i of v, whose dtype is d.
func ScalarAt(d DType, v Vec, i int) Scalar {
	if d == Float64 && v.F64[i] != v.F64[i] {
		return Scalar{d, 0x7ff8_0000_0000_0000}
	}
	if d == Float32 && v.F32[i] != v.F32[i] {
		return Scalar{d, 0x7fc0_0000}
	}
	if infos[d].Class == ClassF32 && v.F32[i] != v.F32[i] {
		return Scalar{d, uint64(formats[d].nan)}
	}
	return Scalar{d, BitsOf(d, v, i)}
}

func convert(from, to DType, v Vec) Scalar {
	out := MakeVec(infos[to].Class, 1)
	Cast(from, to, RTNE)(out, v)
	return ScalarAt(to, out, 0)
}

// Vec is s as a vector of one element.
func (s Scalar) Vec() Vec {
	v := MakeVec(infos[s.DType].Class, 1)
	SetBits(s.DType, v, 0, s.Bits)
	return v
}

// Fill sets every element of dst to s.
func (s Scalar) Fill(dst Vec) {
	v := s.Vec()
	switch infos[s.DType].Class {
	case ClassI32:
		Fill(dst.I32, v.I32[0])
	case ClassI64:
		Fill(dst.I64, v.I64[0])
	case ClassF32:
		Fill(dst.F32, v.F32[0])
	default:
		Fill(dst.F64, v.F64[0])
	}
}

// Cast is s as a to, rounded to nearest.
func (s Scalar) Cast(to DType) Scalar {
	if to == s.DType && !infos[to].Float {
		return s
	}
	return convert(s.DType, to, s.Vec())
}

// Int is the value as an int64: integers extended by their signedness (uint64 as its bit
// pattern), floats truncated.
func (s Scalar) Int() int64 {
	d := &infos[s.DType]
	unused := 64 - d.Bits
	switch {
	case d.Float:
		return int64(s.Cast(Int64).Bits)
	case d.Signed:
		return int64(s.Bits<<unused) >> unused
	}
	return int64(s.Bits << unused >> unused)
}

// Float is the value in fp64, rounded only for 64-bit integers.
func (s Scalar) Float() float64 { return math.Float64frombits(s.Cast(Float64).Bits) }

// IsZero reports whether s equals zero; -0 does.
func (s Scalar) IsZero() bool { return s.Cast(Int1).Bits == 0 }

// String writes the value so that ParseScalar reads the same one: integers in decimal, int1 as
// true or false, floats as the shortest decimal that their dtype reads back, inf, -inf or nan.
func (s Scalar) String() string { return Format(s.DType, s.Vec(), 0) }

// ParseScalar reads what Scalar.String writes, and any decimal integer or float in d's range (a
// float between two values of a narrow d takes the nearer).
func ParseScalar(d DType, text string) (Scalar, bool) {
	switch {
	case d == Int1:
		return FromBool(text == "true"), text == "true" || text == "false"
	case infos[d].Float:
		return parseFloat(d, text)
	case infos[d].Signed:
		v, err := strconv.ParseInt(text, 10, infos[d].Bits)
		return FromInt(d, v), err == nil
	}
	v, err := strconv.ParseUint(text, 10, infos[d].Bits)
	return FromInt(d, int64(v)), err == nil
}

func parseFloat(d DType, text string) (Scalar, bool) {
	size := 32
	if d == Float64 {
		size = 64
	}
	f, err := strconv.ParseFloat(text, size)
	s, ok := FromFloat(d, f), err == nil
	if !isNarrow(d) {
		return s, ok
	}
	fm := &formats[d]
	switch {
	case f != f:
		return s, ok && fm.nan != 0
	case math.IsInf(f, 0): // a cast would saturate
		s.Bits = uint64(fm.encode(float32(f)))
		return s, ok && fm.inf != 0
	}
	return s, ok && math.Abs(f) <= float64(fm.max)
}

// Format writes element i of v, whose dtype is d, as Scalar.String does.
func Format(d DType, v Vec, i int) string {
	switch {
	case d == Int1:
		return strconv.FormatBool(v.I32[i] != 0)
	case d == Uint32:
		return strconv.FormatUint(uint64(uint32(v.I32[i])), 10)
	case d == Uint64:
		return strconv.FormatUint(uint64(v.I64[i]), 10)
	case infos[d].Class == ClassI32:
		return strconv.Itoa(int(v.I32[i]))
	case d == Int64:
		return strconv.FormatInt(v.I64[i], 10)
	case d == Float64:
		return formatFloat(v.F64[i], 64)
	}
	return formatFloat(float64(v.F32[i]), 32)
}

func formatFloat(x float64, bits int) string {
	switch {
	case math.IsInf(x, 1):
		return "inf"
	case math.IsInf(x, -1):
		return "-inf"
	case x != x:
		return "nan"
	}
	return strconv.FormatFloat(x, 'g', -1, bits)
}
