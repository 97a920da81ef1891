package num

import (
	"bytes"
	"math"
	"testing"
)

func TestScalarsReadBackAsPrinted(t *testing.T) {
	check := func(s Scalar) {
		back, ok := ParseScalar(s.DType, s.String())
		if !ok || back != s {
			t.Fatalf("%v %#x prints as %s, which reads as %#x (%v)", s.DType, s.Bits, s, back.Bits, ok)
		}
	}
	for d := range NumDTypes {
		v := MakeVec(d.Info().Class, 1)
		bits := d.Info().Bits
		for i := range uint64(1) << min(bits, 16) {
			b := i
			if bits > 16 { // spread over the whole width, both ends included
				b = i<<(bits-16) | i
			}
			SetBits(d, v, 0, b)
			check(ScalarAt(d, v, 0))
		}
	}
}

func TestScalarsAreCanonical(t *testing.T) {
	for d := range NumDTypes {
		if !d.Info().Float {
			continue
		}
		nan := FromFloat(d, math.NaN())
		v := MakeVec(d.Info().Class, 1)
		SetBits(d, v, 0, math.MaxUint64>>(64-d.Info().Bits))
		if s := ScalarAt(d, v, 0); s.Float() != s.Float() && s != nan {
			t.Errorf("%v has two NaN: %#x and %#x", d, s.Bits, nan.Bits)
		}
		if FromInt(d, 1) != FromFloat(d, 1) || FromInt(d, 1).Float() != 1 {
			t.Errorf("%v: 1 is %v", d, FromInt(d, 1))
		}
	}
	for _, c := range []struct {
		s    Scalar
		text string
		i    int64
	}{
		{FromInt(Int8, 255), "-1", -1}, {FromInt(Uint8, -1), "255", 255}, {FromInt(Uint32, -1), "4294967295", 4294967295},
		{FromInt(Uint64, -1), "18446744073709551615", -1}, {FromInt(Int1, 7), "true", 1}, {FromFloat(Float16, 0.1), "0.099975586", 0},
		{FromFloat(Float32, 0.1), "0.1", 0}, {FromFloat(Float64, -math.MaxFloat64), "-1.7976931348623157e+308", math.MinInt64},
		{FromFloat(Float8E4M3, 1000), "448", 448}, {FromFloat(Int32, -2.7), "-2", -2}, {FromFloat(BFloat16, math.Inf(-1)), "-inf", math.MinInt64},
		{FromFloat(Float16, math.NaN()), "nan", 0}, {FromFloat(Float32, math.Copysign(0, -1)), "-0", 0},
	} {
		if c.s.String() != c.text || c.s.Int() != c.i {
			t.Errorf("%v %#x prints as %s (%d), want %s (%d)", c.s.DType, c.s.Bits, c.s, c.s.Int(), c.text, c.i)
		}
	}
	if !FromFloat(Float32, math.Copysign(0, -1)).IsZero() || FromFloat(Float32, math.NaN()).IsZero() || FromInt(Int8, 256) != FromInt(Int8, 0) {
		t.Error("zeros")
	}
}

func TestParseScalarRefuses(t *testing.T) {
	for _, c := range []struct {
		d    DType
		text string
	}{
		{Int8, "128"}, {Uint8, "-1"}, {Uint64, "18446744073709551616"}, {Int32, "1.5"}, {Int32, ""}, {Int1, "1"},
		{Float32, "1e39"}, {Float64, "one"}, {Float16, ""}, {Int64, "0x10"},
		{Float16, "70000"}, {Float8E4M3, "inf"}, {Float8E4M3, "449"}, {Float8E4B15, "nan"},
	} {
		if s, ok := ParseScalar(c.d, c.text); ok {
			t.Errorf("%v reads %q as %v", c.d, c.text, s)
		}
	}
}

func TestBitcast(t *testing.T) {
	for from := range NumDTypes {
		for to := range NumDTypes {
			f := Bitcast(from, to)
			if same := from.Info().Bits == to.Info().Bits; (f != nil) != same {
				t.Errorf("bitcast %v to %v exists: %v", from, to, f != nil)
			}
		}
	}
	one := FromFloat(Float16, 1).Vec()
	out := MakeVec(ClassI32, 1)
	Bitcast(Float16, Int16)(out, one)
	if out.I32[0] != 0x3c00 {
		t.Errorf("fp16 1 has bits %#x", out.I32[0])
	}
	back := MakeVec(ClassF32, 1)
	Bitcast(Uint32, Float32)(back, Vec{I32: []int32{-0x80000000}})
	if back.F32[0] != 0 || !math.Signbit(float64(back.F32[0])) {
		t.Errorf("0x80000000 as fp32 is %v", back.F32[0])
	}
}

// TestKernelsStayInTheirSlice gives kernels longer operands than results: only dst counts.
func TestKernelsStayInTheirSlice(t *testing.T) {
	for d := range NumDTypes {
		x := random(d, 8)
		dst := MakeVec(d.Info().Class, 8)
		FromInt(d, 1).Fill(dst)
		part := dst.Slice(2, 5)
		Binary(Add, d)(part, x, x)
		Unary(Neg, d)(part, x)
		Cast(d, d, RTNE)(part, x)
		Bitcast(d, d)(part, x)
		Select(d.Info().Class)(part, MakeVec(ClassI32, 8), x, x)
		for _, i := range []int{0, 1, 5, 6, 7} {
			if ScalarAt(d, dst, i) != FromInt(d, 1) {
				t.Errorf("%v: element %d was written", d, i)
			}
		}
		for i := range 3 {
			if ScalarAt(d, part, i) != ScalarAt(d, x, i) {
				t.Errorf("%v: element %d was not selected", d, i)
			}
		}
	}
}

// FuzzParseScalar feeds text of any kind: what is read prints and reads back as itself.
func FuzzParseScalar(f *testing.F) {
	for _, s := range []string{"1", "-0", "nan", "inf", "true", "1e400", "0x1p-3", "12345678901234567890", "_1", "1__0"} {
		for d := range NumDTypes {
			f.Add(uint8(d), s)
		}
	}
	f.Fuzz(func(t *testing.T, d uint8, text string) {
		s, ok := ParseScalar(DType(d%uint8(NumDTypes)), text)
		if !ok {
			return
		}
		if back, ok := ParseScalar(s.DType, s.String()); !ok || back != s {
			t.Errorf("%v %q reads as %v, which reads as %v (%v)", s.DType, text, s, back, ok)
		}
	})
}

// FuzzCodec reads and writes raw bytes: all but the bits of a NaN and of a bool come back.
func FuzzCodec(f *testing.F) {
	f.Add(uint8(0), []byte{1, 0, 1})
	f.Add(uint8(14), []byte{0, 0x7c, 1, 0x7c, 0, 0x80})
	f.Fuzz(func(t *testing.T, which uint8, raw []byte) {
		d := DType(which % uint8(NumDTypes))
		size := d.Info().Bytes
		n := len(raw) / size
		v, again := MakeVec(d.Info().Class, n), MakeVec(d.Info().Class, n)
		Load(d, v, raw)
		out := make([]byte, n*size)
		Store(d, out, v)
		Load(d, again, out)
		for i := range n {
			if ScalarAt(d, v, i) != ScalarAt(d, again, i) {
				t.Errorf("%v element %d: %s came back as %s", d, i, Format(d, v, i), Format(d, again, i))
			}
			same := bytes.Equal(out[i*size:(i+1)*size], raw[i*size:(i+1)*size])
			nan := d.Info().Float && ScalarAt(d, v, i) == FromFloat(d, math.NaN())
			if !same && !nan && d != Int1 {
				t.Errorf("%v element %d: % x became % x", d, i, raw[i*size:(i+1)*size], out[i*size:(i+1)*size])
			}
		}
	})
}

// FuzzDivision checks x == x/y*y + x%y and |x%y| < |y| where y is not 0.
func FuzzDivision(f *testing.F) {
	f.Add(uint8(3), int64(math.MinInt32), int64(-1))
	f.Add(uint8(4), int64(math.MinInt64), int64(-1))
	f.Add(uint8(8), int64(-1), int64(2))
	f.Add(uint8(2), int64(7), int64(0))
	f.Fuzz(func(t *testing.T, which uint8, a, b int64) {
		d := intTypes[int(which)%len(intTypes)]
		x, y := FromInt(d, a), FromInt(d, b)
		at := func(op BinaryOp, x, y Scalar) Scalar {
			out := MakeVec(d.Info().Class, 1)
			Binary(op, d)(out, x.Vec(), y.Vec())
			return ScalarAt(d, out, 0)
		}
		q, r := at(Div, x, y), at(Rem, x, y)
		if y.IsZero() {
			if !q.IsZero() || !r.IsZero() {
				t.Errorf("%v %v / 0 = %v, remainder %v", d, x, q, r)
			}
			return
		}
		if back := at(Add, at(Mul, q, y), r); back != x {
			t.Errorf("%v %v = %v * %v + %v gives %v", d, x, q, y, r, back)
		}
	})
}
