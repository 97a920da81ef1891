package num

import (
	"math/rand/v2"
	"testing"
)

const benchLen = 1024

// random fills a vector of d with small values.
func random(d DType, n int) Vec {
	rng := rand.New(rand.NewPCG(1, 2))
	v := MakeVec(d.Info().Class, n)
	for i := range n {
		SetBits(d, v, i, FromFloat(d, rng.NormFloat64()*4).Bits)
	}
	return v
}

func report(b *testing.B) {
	b.ReportMetric(float64(b.N)*benchLen/b.Elapsed().Seconds()/1e9, "Gelem/s")
}

func BenchmarkBinary(b *testing.B) {
	for _, d := range []DType{Float32, Int32, Int64, Float16, BFloat16} {
		for _, op := range []BinaryOp{Add, Sub, Mul, Min, Max, MaxNaN, Div} {
			b.Run(d.String()+"/"+op.String(), func(b *testing.B) {
				x, y, dst := random(d, benchLen), random(d, benchLen).Slice(0, benchLen), MakeVec(d.Info().Class, benchLen)
				f := Binary(op, d)
				for b.Loop() {
					f(dst, x, y)
				}
				report(b)
			})
		}
	}
}

func BenchmarkCompare(b *testing.B) {
	for _, d := range []DType{Float32, Int32, Int64} {
		b.Run(d.String(), func(b *testing.B) {
			x, y, dst := random(d, benchLen), random(d, benchLen), MakeVec(ClassI32, benchLen)
			f := Compare(Lt, d)
			for b.Loop() {
				f(dst, x, y)
			}
			report(b)
		})
	}
}

func BenchmarkSelect(b *testing.B) {
	for _, d := range []DType{Float32, Int32, Int64} {
		b.Run(d.String(), func(b *testing.B) {
			x, y, dst := random(d, benchLen), random(d, benchLen), MakeVec(d.Info().Class, benchLen)
			cond := random(Int1, benchLen)
			f := Select(d.Info().Class)
			for b.Loop() {
				f(dst, cond, x, y)
			}
			report(b)
		})
	}
}

func BenchmarkUnary(b *testing.B) {
	for op := range NumUnaryOps {
		f := Unary(op, Float32)
		if f == nil {
			continue
		}
		b.Run(op.String(), func(b *testing.B) {
			x, dst := random(Float32, benchLen), MakeVec(ClassF32, benchLen)
			Unary(Abs, Float32)(x, x)
			for b.Loop() {
				f(dst, x)
			}
			report(b)
		})
	}
}

func BenchmarkFma(b *testing.B) {
	x, dst := random(Float32, benchLen), MakeVec(ClassF32, benchLen)
	f := Fma(Float32)
	for b.Loop() {
		f(dst, x, x, x)
	}
	report(b)
}

func BenchmarkCast(b *testing.B) {
	for _, c := range [][2]DType{{Float32, Float16}, {Float32, BFloat16}, {Float32, Float8E4M3}, {Float32, Float8E5M2}, {Int32, Float32}, {Float32, Int32}, {Int32, Int64}, {Float32, Float64}, {Float64, Float32}} {
		b.Run(c[0].String()+"_"+c[1].String(), func(b *testing.B) {
			x, dst := random(c[0], benchLen), MakeVec(c[1].Info().Class, benchLen)
			f := Cast(c[0], c[1], RTNE)
			for b.Loop() {
				f(dst, x)
			}
			report(b)
		})
	}
}

func BenchmarkCodec(b *testing.B) {
	for d := range NumDTypes {
		x, raw := random(d, benchLen), make([]byte, benchLen*d.Info().Bytes)
		Store(d, raw, x)
		b.Run("load/"+d.String(), func(b *testing.B) {
			for b.Loop() {
				Load(d, x, raw)
			}
			report(b)
		})
		b.Run("store/"+d.String(), func(b *testing.B) {
			for b.Loop() {
				Store(d, raw, x)
			}
			report(b)
		})
	}
}

func BenchmarkAt(b *testing.B) {
	for _, d := range []DType{Float32, Int32, Int64, Float16, Int8, Float8E5M2} {
		v, raw := random(d, benchLen), make([]byte, benchLen*d.Info().Bytes)
		Store(d, raw, v)
		b.Run("load/"+d.String(), func(b *testing.B) {
			for b.Loop() {
				for i := range benchLen {
					LoadAt(d, v, i, raw, i)
				}
			}
			report(b)
		})
		b.Run("store/"+d.String(), func(b *testing.B) {
			for b.Loop() {
				for i := range benchLen {
					StoreAt(d, raw, i, v, i)
				}
			}
			report(b)
		})
	}
}
