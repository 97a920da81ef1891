package num

import "math"

// A cast reads its source as one of six types (what its storage and signedness amount to) and
// writes its target; the tables below list the loops by target.

var castTable = buildCasts()

func castKernel(from, to DType, r Rounding) UnaryFn { return castTable[r][from][to] }

func buildCasts() (t [2][NumDTypes][NumDTypes]UnaryFn) {
	sources := map[DType][NumDTypes]UnaryFn{
		Int32: intCasts[int32](i32Of), Uint32: intCasts[uint32](i32Of),
		Int64: intCasts[int64](i64Of), Uint64: intCasts[uint64](i64Of),
		Float32: floatCasts(f32Of, copyOf[float32]), Float64: floatCasts(f64Of, oddInto),
	}
	ints, words, floats, doubles := sources[Int32], sources[Uint32], sources[Float32], sources[Float64]
	ints[Float32] = unaryOnVectors(loopInt32ToFloat32, ints[Float32])
	words[Float32] = unaryOnVectors(loopUint32ToFloat32, words[Float32])
	floats[Int32] = unaryOnVectors(loopFloat32ToInt32, floats[Int32])
	floats[Float64] = unaryOnVectors(loopFloat32ToFloat64, floats[Float64])
	doubles[Float32] = unaryOnVectors(loopFloat64ToFloat32, doubles[Float32])
	sources[Int32], sources[Uint32], sources[Float32], sources[Float64] = ints, words, floats, doubles
	for from := range NumDTypes {
		src, ok := sources[from]
		switch {
		case ok:
		case infos[from].Float:
			src = sources[Float32]
		default: // canonical values of small integers are int32 values
			src = sources[Int32]
		}
		for to := range NumDTypes {
			t[RTNE][from][to] = src[to]
			t[RTZ][from][to] = src[to]
			if infos[from].Float && infos[to].Float {
				t[RTZ][from][to] = truncating(from, to)
			}
		}
		if infos[from].Class == ClassF32 {
			t[RTNE][from][from] = copyF32
			t[RTZ][from][from] = copyF32
		}
	}
	t[RTNE][Float8E5M2][BFloat16] = e5ToBF16
	return t
}

func copyF32(d, x Vec) { copyOf(d.F32, x.F32) }

// e5ToBF16 follows Triton, whose conversion moves the bits and multiplies by 2^112: infinity
// comes out as the next power of two. NaN would come out as 81920 and more; here it stays NaN.
func e5ToBF16(d, x Vec) {
	copyOf(d.F32, x.F32)
	for i, v := range d.F32 {
		if math.IsInf(float64(v), 0) {
			d.F32[i] = float32(math.Copysign(65536, float64(v)))
		}
	}
}

// intInto converts integers read as N to integers of type M. The storage type is the same for
// all sources of one width, so N decides how a source extends.
func intInto[N, M integer, S, T storage](src func(Vec) []S, dst func(Vec) []T) UnaryFn {
	return func(d, x Vec) {
		out := dst(d)
		in := src(x)[:len(out)]
		for i := range out {
			out[i] = T(M(N(in[i])))
		}
	}
}

func intoBool[S int32 | int64 | float32 | float64](src func(Vec) []S) UnaryFn {
	return func(d, x Vec) {
		in := src(x)[:len(d.I32)]
		for i := range d.I32 {
			d.I32[i] = bit(in[i] != 0)
		}
	}
}

func intCasts[N int32 | uint32 | int64 | uint64, S storage](src func(Vec) []S) (t [NumDTypes]UnaryFn) {
	t = [NumDTypes]UnaryFn{
		Int1:   intoBool(src),
		Int8:   intInto[N, int8](src, i32Of),
		Int16:  intInto[N, int16](src, i32Of),
		Int32:  intInto[N, int32](src, i32Of),
		Uint8:  intInto[N, uint8](src, i32Of),
		Uint16: intInto[N, uint16](src, i32Of),
		Uint32: intInto[N, uint32](src, i32Of),
		Int64:  intInto[N, int64](src, i64Of),
		Uint64: intInto[N, uint64](src, i64Of),
		Float32: func(d, x Vec) {
			in := src(x)[:len(d.F32)]
			for i := range d.F32 {
				d.F32[i] = float32(N(in[i]))
			}
		},
		Float64: func(d, x Vec) {
			in := src(x)[:len(d.F64)]
			for i := range d.F64 {
				d.F64[i] = float64(N(in[i]))
			}
		},
	}
	for to := range NumDTypes {
		if f := &formats[to]; isNarrow(to) {
			t[to] = func(d, x Vec) {
				in := src(x)[:len(d.F32)]
				for i := range d.F32 {
					d.F32[i] = roundOdd(intOdd(N(in[i])))
				}
				f.roundTo(d.F32)
			}
		}
	}
	return t
}

// intOdd is v in fp64, its last bit set where 53 bits do not hold it.
func intOdd[N int32 | uint32 | int64 | uint64](v N) float64 {
	const low = 1<<11 - 1
	if v > 0 && uint64(v)>>53 == 0 || v < 0 && uint64(-v)>>53 == 0 || v == 0 {
		return float64(v)
	}
	sticky := uint64(v)
	if sticky&low != 0 {
		sticky |= low + 1
	}
	return float64(N(sticky &^ low))
}

// floatCasts takes as narrow how F is brought to fp32 before it is rounded further.
func floatCasts[F float](src func(Vec) []F, narrow func(dst []float32, x []F)) (t [NumDTypes]UnaryFn) {
	t = [NumDTypes]UnaryFn{
		Int1:    intoBool(src),
		Int8:    floatIntoInt(src, i32Of, math.MinInt8, math.MaxInt8),
		Int16:   floatIntoInt(src, i32Of, math.MinInt16, math.MaxInt16),
		Int32:   floatIntoInt(src, i32Of, math.MinInt32, math.MaxInt32),
		Uint8:   floatIntoInt(src, i32Of, 0, math.MaxUint8),
		Uint16:  floatIntoInt(src, i32Of, 0, math.MaxUint16),
		Uint32:  floatIntoInt(src, i32Of, 0, math.MaxUint32),
		Int64:   floatIntoInt(src, i64Of, math.MinInt64, math.MaxInt64),
		Uint64:  floatIntoUint64(src),
		Float32: floatInto(src, f32Of),
		Float64: floatInto(src, f64Of),
	}
	for to := range NumDTypes {
		if f := &formats[to]; isNarrow(to) {
			t[to] = func(d, x Vec) {
				narrow(d.F32, src(x))
				f.roundTo(d.F32)
			}
		}
	}
	return t
}

func floatInto[F, G float](src func(Vec) []F, dst func(Vec) []G) UnaryFn {
	return func(d, x Vec) {
		out := dst(d)
		in := src(x)[:len(out)]
		for i := range out {
			out[i] = G(in[i])
		}
	}
}

// oddInto brings fp64 to fp32 such that rounding once more is harmless.
func oddInto(dst []float32, x []float64) {
	x = x[:len(dst)]
	for i := range dst {
		dst[i] = roundOdd(x[i])
	}
}

// floatIntoInt truncates into [lo, hi]. Go leaves conversions out of range undefined, so the
// bounds are compared first; hi+1 is a power of two, hence exact in F where hi itself is not.
func floatIntoInt[F float, S storage](src func(Vec) []F, dst func(Vec) []S, lo, hi int64) UnaryFn {
	top := F(math.Ldexp(1, bitLen(hi)))
	bottom := F(lo)
	return func(d, x Vec) {
		out := dst(d)
		in := src(x)[:len(out)]
		for i := range out {
			switch v := in[i]; {
			case v >= top:
				out[i] = S(hi)
			case v > bottom:
				out[i] = S(int64(v))
			case v == v:
				out[i] = S(lo)
			default:
				out[i] = 0
			}
		}
	}
}

func bitLen(v int64) (n int) {
	for ; v > 0; v >>= 1 {
		n++
	}
	return n
}

func floatIntoUint64[F float](src func(Vec) []F) UnaryFn {
	return func(d, x Vec) {
		in := src(x)[:len(d.I64)]
		for i := range d.I64 {
			switch v := in[i]; {
			case v >= 1<<64:
				d.I64[i] = -1
			case v >= 1<<63:
				d.I64[i] = int64(v-1<<63) + math.MinInt64
			case v > 0:
				d.I64[i] = int64(v)
			default:
				d.I64[i] = 0
			}
		}
	}
}

// truncating is the float cast that rounds towards zero.
func truncating(from, to DType) UnaryFn {
	f := &formats[to]
	switch {
	case to == Float64 && from == Float64:
		return func(d, x Vec) { copyOf(d.F64, x.F64) }
	case to == Float64:
		return floatInto(f32Of, f64Of)
	case to == Float32 && from != Float64:
		return copyF32
	case to == Float32:
		return func(d, x Vec) {
			in := x.F64[:len(d.F32)]
			for i := range d.F32 {
				d.F32[i] = towardsZero(in[i])
			}
		}
	case from == Float64:
		return func(d, x Vec) {
			oddInto(d.F32, x.F64)
			f.truncateTo(d.F32)
		}
	}
	return func(d, x Vec) {
		copyOf(d.F32, x.F32)
		f.truncateTo(d.F32)
	}
}

func towardsZero(x float64) float32 {
	r := float32(x)
	if math.Abs(float64(r)) > math.Abs(x) {
		return math.Float32frombits(math.Float32bits(r) - 1)
	}
	return r
}

func bitcastKernel(from, to DType) UnaryFn {
	if infos[from].Bits != infos[to].Bits {
		return nil
	}
	return func(d, x Vec) {
		for i := range d.Len() {
			SetBits(to, d, i, BitsOf(from, x, i))
		}
	}
}
