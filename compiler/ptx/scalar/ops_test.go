package scalar

import (
	"fmt"
	"math"
	"testing"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/asm"
)

// arithmetic are the operations that this package computes.
var arithmetic = ops.OfClass(ops.Unary, ops.Binary, ops.Comparison, ops.Ternary)

func each(t *testing.T, f func(t *testing.T, op ops.Op, d num.DType)) {
	for op := range arithmetic {
		for d := range num.NumDTypes {
			t.Run(op.String()+"/"+d.String(), func(t *testing.T) { f(t, op, d) })
		}
	}
}

func TestOps(t *testing.T) {
	each(t, func(t *testing.T, op ops.Op, d num.DType) {
		bound := bounds[op][d]
		emit := func(p *asm.Program, x []asm.Reg) asm.Reg { return Op(p, op, d, x...) }
		var worst float64
		if op.Class() == ops.Binary {
			k := op.BinaryKernel(d, false)
			if Supports(op, d) != (k != nil) {
				t.Fatalf("supported: %v", Supports(op, d))
			}
			if k != nil {
				worst = compare(t, d, []num.DType{d, d}, bound, emit, func(dst num.Vec, x []num.Vec) { k(dst, x[0], x[1]) })
			}
		}
		if op.Class() == ops.Unary {
			k := op.UnaryKernel(d)
			if Supports(op, d) != (k != nil) {
				t.Fatalf("supported: %v", Supports(op, d))
			}
			if k != nil {
				worst = compare(t, d, []num.DType{d}, bound, emit, func(dst num.Vec, x []num.Vec) {
					k(dst, x[0])
					if op == ops.Exp || op == ops.Exp2 {
						flush(dst.F32)
					}
				})
			}
		}
		if op.Class() == ops.Comparison {
			k := op.BinaryKernel(d, false)
			compare(t, num.Int1, []num.DType{d, d}, 0, emit, func(dst num.Vec, x []num.Vec) { k(dst, x[0], x[1]) })
		}
		if op == ops.FMA && d.Info().Float {
			compare(t, d, []num.DType{d, d, d}, 0, emit, func(dst num.Vec, x []num.Vec) { num.Fma(d)(dst, x[0], x[1], x[2]) })
		}
		if op == ops.Select {
			compare(t, d, []num.DType{num.Int1, d, d}, 0, emit, func(dst num.Vec, x []num.Vec) { num.Select(d.Info().Class)(dst, x[0], x[1], x[2]) })
		}
		if worst > 0 {
			t.Logf("%v units", worst)
		}
	})
}

func TestPropagate(t *testing.T) {
	for op, n := range map[ops.Op]num.BinaryOp{ops.Min: num.MinNaN, ops.Max: num.MaxNaN} {
		for d := range num.NumDTypes {
			t.Run(op.String()+"/"+d.String(), func(t *testing.T) {
				compare(t, d, []num.DType{d, d}, 0, func(p *asm.Program, x []asm.Reg) asm.Reg { return OpNaN(p, op, d, x...) },
					func(dst num.Vec, x []num.Vec) { num.Binary(n, d)(dst, x[0], x[1]) })
			})
		}
	}
}

func TestCasts(t *testing.T) {
	for from := range num.NumDTypes {
		for to := range num.NumDTypes {
			for _, r := range []num.Rounding{num.RTNE, num.RTZ} {
				t.Run(fmt.Sprintf("%v/%v/%d", from, to, r), func(t *testing.T) {
					compare(t, to, []num.DType{from}, 0, func(p *asm.Program, x []asm.Reg) asm.Reg { return Cast(p, from, to, r, x[0]) },
						func(dst num.Vec, x []num.Vec) { num.Cast(from, to, r)(dst, x[0]) })
				})
			}
			if k := num.Bitcast(from, to); k != nil {
				t.Run(fmt.Sprintf("bits/%v/%v", from, to), func(t *testing.T) {
					compare(t, to, []num.DType{from}, 0, func(p *asm.Program, x []asm.Reg) asm.Reg { return Bitcast(p, from, to, x[0]) },
						func(dst num.Vec, x []num.Vec) { k(dst, x[0]) })
				})
			}
		}
	}
}

// bounds are how far, in units in the last place, results may be from num's. The simulator rounds
// approximate instructions once; hardware adds the errors that the PTX ISA states for them, 2 units
// for div.full, ex2, rsqrt and sqrt. The product in exp rounds a number of up to 128, which costs up
// to 64 units. Go's functions of fp64 lose places near multiples of π and powers of 2, and its
// logarithm of subnormal numbers on amd64 is far off: TestFunctions64 decides about those.
var bounds = map[ops.Op]map[num.DType]float64{
	ops.Exp:  {num.Float32: 64, num.Float16: 1, num.BFloat16: 1, num.Float64: 2},
	ops.Exp2: {num.Float64: 2},
	ops.Log:  {num.Float32: 1, num.Float64: math.Inf(1)},
	ops.Log2: {num.Float32: 1, num.Float64: math.Inf(1)},
	ops.Sin:  {num.Float32: 1, num.Float64: 1024},
	ops.Cos:  {num.Float32: 1, num.Float64: 1024},
	ops.Erf:  {num.Float32: 2, num.Float16: 1, num.BFloat16: 1, num.Float64: 1},
}

// flush does to powers what .ftz does.
func flush(v []float32) {
	for i, x := range v {
		if x < 0x1p-126 {
			v[i] = 0
		}
	}
}
