package types_test

import (
	"bytes"
	"fmt"
	"math"
	"sort"
	"testing"

	"github.com/newtlab/newt/compiler/internal/golden"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/types"
)

var arithmetic = map[string]num.BinaryOp{
	"add": num.Add, "sub": num.Sub, "mul": num.Mul, "truediv": num.Div, "fdiv": num.Div,
	"floordiv": num.Div, "mod": num.Rem, "and_": num.And, "or_": num.Or, "xor": num.Xor,
	"shl": num.Shl, "shr": num.Shr, "maximum": num.Max, "minimum": num.Min, "umulhi": num.UMulHi,
}

var comparisons = map[string]num.CompareOp{
	"eq": num.Eq, "ne": num.Ne, "lt": num.Lt, "le": num.Le, "gt": num.Gt, "ge": num.Ge,
}

// bounds lists, in units in the last place of the result, how far results may be from the
// recorded ones: the GPU divides and computes functions approximately, and sums in another
// order. What is not listed is equal.
var bounds = map[string]uint64{
	"cos fp32": 1, "cos fp64": 1,
	"erf fp64": 1,
	"exp fp32": 10, "exp fp64": 1,
	"exp2 fp32": 2, "exp2 fp64": 1,
	"fdiv fp32": 1,
	"log fp32":  1, "log fp64": 1,
	"log2 fp32": 1, "log2 fp64": 3,
	"rsqrt fp32": 1, "rsqrt fp64": 1,
	"sigmoid fp32": 6, "sigmoid fp64": 2,
	"sin fp32": 1, "sin fp64": 1,
	"softmax fp32": 20, "softmax fp64": 1,
	"sqrt fp32":    1,
	"truediv fp32": 1,
}

func load(in golden.Input) num.Vec {
	v := num.MakeVec(in.DType.Info().Class, len(in.Raw)/in.DType.Info().Bytes)
	num.Load(in.DType, v, in.Raw)
	return v
}

func cast(v num.Vec, from, to num.DType) num.Vec {
	out := num.MakeVec(to.Info().Class, v.Len())
	num.Cast(from, to, num.RTNE)(out, v)
	return out
}

func binary(op num.BinaryOp, d num.DType, x, y num.Vec) num.Vec {
	out := num.MakeVec(d.Info().Class, x.Len())
	num.Binary(op, d)(out, x, y)
	return out
}

func unary(op num.UnaryOp, d num.DType, x num.Vec) num.Vec {
	out := num.MakeVec(d.Info().Class, x.Len())
	num.Unary(op, d)(out, x)
	return out
}

func splat(s num.Scalar, n int) num.Vec {
	v := num.MakeVec(s.DType.Info().Class, n)
	s.Fill(v)
	return v
}

// evaluate computes a recorded case with the kernels of num, its dtypes taken from the rules.
func evaluate(t testing.TB, c *golden.Case, p types.Promotion) num.Vec {
	in := golden.Ops(t).Inputs[c.Args[0]]
	x := cast(load(in), in.DType, p.Compute)
	n := x.Len()
	switch c.Kind {
	case "cast":
		return x
	case "reduce":
		return reduce(t, c, p, x)
	case "unary":
		if c.Op == "sigmoid" {
			one := splat(num.FromInt(p.Compute, 1), n)
			e := unary(num.Exp, p.Compute, unary(num.Neg, p.Compute, x))
			return binary(num.Div, p.Compute, one, binary(num.Add, p.Compute, one, e))
		}
		return unary(unaries[c.Op], p.Compute, x)
	}
	in = golden.Ops(t).Inputs[c.Args[1]]
	y := cast(load(in), in.DType, p.Compute)
	out := num.MakeVec(p.Result.Info().Class, n)
	if op, ok := comparisons[c.Op]; ok {
		num.Compare(op, p.Compute)(out, x, y)
		return out
	}
	switch c.Op {
	case "where": // recorded on the even lanes
		cond := num.MakeVec(num.ClassI32, n)
		for i := 0; i < n; i += 2 {
			cond.I32[i] = 1
		}
		num.Select(p.Compute.Info().Class)(out, cond, x, y)
		return out
	case "fma":
		num.Fma(p.Compute)(out, x, y, x)
		return out
	case "shr":
		d := types.ShiftRight(types.Tensor(dtype(t, c.X)), types.Tensor(dtype(t, c.Y)), p.Compute)
		return cast(binary(num.Shr, d, cast(x, p.Compute, d), cast(y, p.Compute, d)), d, p.Compute)
	}
	return binary(arithmetic[c.Op], p.Compute, x, y)
}

// reduce folds from the left; the GPU folds in a tree.
func reduce(t testing.TB, c *golden.Case, p types.Promotion, x num.Vec) num.Vec {
	d, n := p.Compute, x.Len()
	fold := func(op num.BinaryOp) num.Vec {
		acc := num.MakeVec(d.Info().Class, n)
		num.Bitcast(d, d)(acc, x)
		for i := 1; i < n; i++ {
			num.Binary(op, d)(acc.Slice(i, i+1), acc.Slice(i-1, i), x.Slice(i, i+1))
		}
		return acc
	}
	last := func(v num.Vec) num.Vec { return v.Slice(n-1, n) }
	switch c.Op {
	case "neg":
		return unary(num.Neg, d, x)
	case "invert", "not":
		return unary(num.Not, d, x)
	case "sum":
		return warpSum(d, x)
	case "max":
		return last(fold(num.Max))
	case "min":
		return last(fold(num.Min))
	case "xor_sum":
		return last(fold(num.Xor))
	case "cumsum":
		return warpScan(num.Add, d, x)
	case "cumprod":
		return warpScan(num.Mul, d, x)
	case "argmax", "argmin":
		order := map[string]num.CompareOp{"argmax": num.Gt, "argmin": num.Lt}[c.Op]
		return num.Vec{I32: []int32{int32(best(order, d, x))}}
	case "sort":
		return sorted(d, x)
	case "softmax":
		top := splat(num.ScalarAt(d, last(fold(num.Max)), 0), n)
		x = unary(num.Exp, d, binary(num.Sub, d, x, top))
		return binary(num.Div, d, x, splat(num.ScalarAt(d, warpSum(d, x), 0), n))
	}
	t.Fatalf("no evaluation of %s", c.Expr)
	return num.Vec{}
}

// warpSum adds as the GPU does with one element a lane: lanes 16 apart within each warp of 32,
// then 8, 4, 2 and 1, then the warps.
func warpSum(d num.DType, x num.Vec) num.Vec {
	for _, stride := range []int{16, 8, 4, 2, 1, 32} {
		y := num.MakeVec(d.Info().Class, x.Len())
		for i := range x.Len() {
			j := i ^ stride
			num.Binary(num.Add, d)(y.Slice(i, i+1), x.Slice(i, i+1), x.Slice(j, j+1))
		}
		x = y
	}
	return x.Slice(0, 1)
}

// warpScan combines as the GPU does: with the lane 1 before, then 2, 4, 8 and 16 within each warp
// of 32; then every lane with the last of the warp before.
func warpScan(op num.BinaryOp, d num.DType, x num.Vec) num.Vec {
	n := x.Len()
	step := func(x num.Vec, source func(i int) int) num.Vec {
		y := num.MakeVec(d.Info().Class, n)
		for i := range n {
			if j := source(i); j >= 0 {
				num.Binary(op, d)(y.Slice(i, i+1), x.Slice(j, j+1), x.Slice(i, i+1))
			} else {
				num.Bitcast(d, d)(y.Slice(i, i+1), x.Slice(i, i+1))
			}
		}
		return y
	}
	for stride := 1; stride < 32; stride *= 2 {
		x = step(x, func(i int) int {
			if i%32 < stride {
				return -1
			}
			return i - stride
		})
	}
	return step(x, func(i int) int { return i/32*32 - 1 })
}

func holds(op num.CompareOp, d num.DType, x num.Vec, i, j int) bool {
	out := num.MakeVec(num.ClassI32, 1)
	num.Compare(op, d)(out, x.Slice(i, i+1), x.Slice(j, j+1))
	return out.I32[0] != 0
}

// best is the first element that no other beats.
func best(op num.CompareOp, d num.DType, x num.Vec) int {
	at := 0
	for i := 1; i < x.Len(); i++ {
		if holds(op, d, x, i, at) {
			at = i
		}
	}
	return at
}

func sorted(d num.DType, x num.Vec) num.Vec {
	order := make([]int, x.Len())
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(a, b int) bool { return holds(num.Lt, d, x, order[a], order[b]) })
	out := num.MakeVec(d.Info().Class, len(order))
	for i, from := range order {
		num.Bitcast(d, d)(out.Slice(i, i+1), x.Slice(from, from+1))
	}
	return out
}

// ulps is the distance of two values of d, counted in representable values; NaN equals NaN.
func ulps(d num.DType, a, b []byte) uint64 {
	if bytes.Equal(a, b) {
		return 0
	}
	x, y := num.MakeVec(d.Info().Class, 1), num.MakeVec(d.Info().Class, 1)
	num.Load(d, x, a)
	num.Load(d, y, b)
	f, g := cast(x, d, num.Float64).F64[0], cast(y, d, num.Float64).F64[0]
	if f != f && g != g {
		return 0
	}
	if !d.Info().Float || f != f || g != g || math.Signbit(f) != math.Signbit(g) && f != g {
		return math.MaxUint64
	}
	p, q := num.ScalarAt(d, x, 0).Bits, num.ScalarAt(d, y, 0).Bits
	return max(p, q) - min(p, q)
}

// farthest is the lane where two results differ most, and by how much.
func farthest(d num.DType, a, b []byte) (lane int, far uint64) {
	size := d.Info().Bytes
	for i := 0; i < len(a); i += size {
		if n := ulps(d, a[i:i+size], b[i:i+size]); n > far {
			lane, far = i/size, n
		}
	}
	return lane, far
}

// TestGoldenValues compares every recorded value.
func TestGoldenValues(t *testing.T) {
	worst, values := map[string]uint64{}, 0
	cases := golden.Ops(t).Cases
	for i := range cases {
		c := &cases[i]
		if c.Hex == "" {
			continue
		}
		values++
		p, _ := judge(t, c)
		got := evaluate(t, c, p)
		want := c.Bytes(t)
		size := p.Result.Info().Bytes
		raw := make([]byte, got.Len()*size)
		num.Store(p.Result, raw, got)
		if len(raw) != len(want) {
			t.Errorf("%s on %s, %s: %d bytes, recorded %d", c.Expr, c.X, c.Y, len(raw), len(want))
			continue
		}
		key := c.Op
		if c.Kind == "cast" {
			key = "cast"
		}
		key += " " + p.Result.String()
		lane, far := farthest(p.Result, raw, want)
		worst[key] = max(worst[key], far)
		if far > bounds[key] {
			i := lane * size
			t.Errorf("%s on %s, %s, lane %d: %x, recorded %x (%d ulps)", c.Expr, c.X, c.Y, lane, raw[i:i+size], want[i:i+size], far)
		}
	}
	for key, n := range worst {
		if n+1 < bounds[key] { // platforms may differ by one in fp64
			t.Errorf("the bound of %s is %d, %d suffices", key, bounds[key], n)
		}
	}
	if values != 3231 {
		t.Error(fmt.Sprint(values, " values, the recording has 3231"))
	}
}
