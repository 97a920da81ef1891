package num

// The tables join the typed loops to dtypes. A narrow float computes in fp32 and rounds: fp32
// has more than twice its mantissa bits and two, so rounding twice equals rounding once
// (Figueroa, "When is double rounding innocuous?", 1995).

var (
	binaryTable  = buildBinary()
	compareTable = buildCompare()
	fmaTable     = buildFma()
)

func binary32(f func(dst, x, y []int32)) BinaryFn {
	return func(dst, x, y Vec) { f(dst.I32, x.I32, y.I32) }
}

func binary64(f func(dst, x, y []int64)) BinaryFn {
	return func(dst, x, y Vec) { f(dst.I64, x.I64, y.I64) }
}

func binaryF64(f func(dst, x, y []float64)) BinaryFn {
	return func(dst, x, y Vec) { f(dst.F64, x.F64, y.F64) }
}

func binaryF32(f func(dst, x, y []float32)) BinaryFn {
	return func(dst, x, y Vec) { f(dst.F32, x.F32, y.F32) }
}

// narrow is f, of fp32, rounded to d.
func narrow(f BinaryFn, d DType) BinaryFn {
	fm := &formats[d]
	return func(dst, x, y Vec) {
		f(dst, x, y)
		fm.roundTo(dst.F32)
	}
}

// isNarrow reports whether d is a float held in fp32 but rounded further.
func isNarrow(d DType) bool { return d >= Float8E4M3 && d <= BFloat16 }

type binaryRow = [NumBinaryOps]BinaryFn

//go:noinline
func binaryRowOf[S any](k [NumBinaryOps]func(dst, x, y []S), wrap func(func(dst, x, y []S)) BinaryFn) (row binaryRow) {
	for op, f := range k {
		if f != nil {
			row[op] = wrap(f)
		}
	}
	return row
}

func buildBinary() (t [NumBinaryOps][NumDTypes]BinaryFn) {
	rows := [NumDTypes]binaryRow{
		Int1:    binaryRowOf(int1Binary(), binary32),
		Int8:    binaryRowOf(intBinary[int8, int32](), binary32),
		Int16:   binaryRowOf(intBinary[int16, int32](), binary32),
		Int32:   binaryRowOf(intBinary[int32, int32](), binary32),
		Int64:   binaryRowOf(intBinary[int64, int64](), binary64),
		Uint8:   binaryRowOf(intBinary[uint8, int32](), binary32),
		Uint16:  binaryRowOf(intBinary[uint16, int32](), binary32),
		Uint32:  binaryRowOf(intBinary[uint32, int32](), binary32),
		Uint64:  binaryRowOf(intBinary[uint64, int64](), binary64),
		Float32: binaryRowOf(floatBinary(remFloat32), binaryF32),
		Float64: binaryRowOf(floatBinary(remFloat64), binaryF64),
	}
	for d, loops := range binaryLoops() {
		for op, f := range loops {
			rows[d][op] = onVectors(f, rows[d][op])
		}
	}
	for d := range NumDTypes {
		for op := range NumBinaryOps {
			if t[op][d] = rows[d][op]; isNarrow(d) && rows[Float32][op] != nil {
				t[op][d] = narrow(rows[Float32][op], d)
			}
		}
	}
	for _, d := range []DType{Int32, Uint32} {
		t[UMulHi][d] = binary32(umulhi32)
	}
	for _, d := range []DType{Int64, Uint64} {
		t[UMulHi][d] = binary64(umulhi64)
	}
	return t
}

// binaryLoops are the loops on vectors. Unsigned sums, products and bits are those of signed numbers.
func binaryLoops() map[DType][NumBinaryOps]loop {
	words := [NumBinaryOps]loop{
		Add: loopAddInt32, Sub: loopSubInt32, Mul: loopMulInt32, And: loopAnd32, Or: loopOr32, Xor: loopXor32,
	}
	numbers := words
	numbers[Min], numbers[MinNaN] = loopMinInt32, loopMinInt32
	numbers[Max], numbers[MaxNaN] = loopMaxInt32, loopMaxInt32
	return map[DType][NumBinaryOps]loop{
		Int1: {
			Add: loopXor32, Sub: loopXor32, Mul: loopAnd32, And: loopAnd32, Or: loopOr32, Xor: loopXor32,
		},
		Int32: numbers, Uint32: words,
		Float32: {
			Add: loopAddFloat32, Sub: loopSubFloat32, Mul: loopMulFloat32, Div: loopDivFloat32, DivRN: loopDivFloat32,
			Min: loopMinFloat32, Max: loopMaxFloat32, MinNaN: loopMinNaNFloat32, MaxNaN: loopMaxNaNFloat32,
		},
		Float64: {
			Add: loopAddFloat64, Sub: loopSubFloat64, Mul: loopMulFloat64, Div: loopDivFloat64, DivRN: loopDivFloat64,
		},
	}
}

type compareRow = [NumCompareOps]BinaryFn

//go:noinline
func compareRowOf[T, S ordered](slice func(Vec) []S, on [NumCompareOps]loop) (row compareRow) {
	for op, f := range compares[T, S]() {
		if f != nil {
			row[op] = onVectors(on[op], func(dst, x, y Vec) { f(dst.I32, slice(x), slice(y)) })
		}
	}
	row[Gt], row[Ge] = swapped(row[Lt]), swapped(row[Le])
	return row
}

func swapped(f BinaryFn) BinaryFn {
	return func(dst, x, y Vec) { f(dst, y, x) }
}

func i32Of(v Vec) []int32   { return v.I32 }
func i64Of(v Vec) []int64   { return v.I64 }
func f32Of(v Vec) []float32 { return v.F32 }
func f64Of(v Vec) []float64 { return v.F64 }

func buildCompare() (t [NumCompareOps][NumDTypes]BinaryFn) {
	// Small unsigned integers are zero-extended, so their storage compares as they do.
	small := compareRowOf[int32](i32Of, [NumCompareOps]loop{
		Eq: loopEqInt32, Ne: loopNeInt32, Lt: loopLtInt32, Le: loopLeInt32,
	})
	f32 := compareRowOf[float32](f32Of, [NumCompareOps]loop{
		Eq: loopEqFloat32, Ne: loopNeFloat32, Lt: loopLtFloat32, Le: loopLeFloat32,
	})
	none := [NumCompareOps]loop{}
	special := map[DType]compareRow{
		Uint32: compareRowOf[uint32](i32Of, none), Int64: compareRowOf[int64](i64Of, none),
		Uint64: compareRowOf[uint64](i64Of, none), Float64: compareRowOf[float64](f64Of, none),
	}
	for d := range NumDTypes {
		row, ok := special[d]
		if !ok {
			row = small
			if d.Info().Float {
				row = f32
			}
		}
		for op := range NumCompareOps {
			t[op][d] = row[op]
		}
	}
	return t
}

func fma32Of(f func(dst, x, y, z []int32)) TernaryFn {
	return func(dst, x, y, z Vec) { f(dst.I32, x.I32, y.I32, z.I32) }
}

func buildFma() [NumDTypes]TernaryFn {
	wide := func(dst, x, y, z Vec) { fmaInt[int64](dst.I64, x.I64, y.I64, z.I64) }
	t := [NumDTypes]TernaryFn{
		Int1: fma32Of(fmaInt1), Int8: fma32Of(fmaInt[int8, int32]), Int16: fma32Of(fmaInt[int16, int32]),
		Int32: fma32Of(fmaInt[int32, int32]), Uint8: fma32Of(fmaInt[uint8, int32]),
		Uint16: fma32Of(fmaInt[uint16, int32]), Uint32: fma32Of(fmaInt[uint32, int32]),
		Int64: wide, Uint64: wide,
		Float32: func(dst, x, y, z Vec) { fmaFloat32(dst.F32, x.F32, y.F32, z.F32) },
		Float64: func(dst, x, y, z Vec) { fmaFloat64(dst.F64, x.F64, y.F64, z.F64) },
	}
	for d := range NumDTypes {
		if fm := &formats[d]; isNarrow(d) {
			t[d] = func(dst, x, y, z Vec) { fmaNarrow(fm, dst.F32, x.F32, y.F32, z.F32) }
		}
	}
	return t
}
