package ptx

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/num"
)

func shapeText(shape []int) string { return strings.ReplaceAll(fmt.Sprint(shape), " ", ", ") }

// TestGather gathers along every axis, with indices of every dtype; some of them are outside.
func TestGather(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	indices := []num.DType{num.Int32, num.Int64, num.Uint8, num.Int16, num.Uint32, num.Int8, num.Int1, num.Uint64}
	for i, shape := range append(slices.Clone(shapes), []int{64, 256}) {
		for axis := range shape {
			d, x := num.DType((3*i+axis)%int(num.NumDTypes)), indices[(i+axis)%len(indices)]
			if i == len(shapes) {
				d = num.Float64 // more than fits at once
			}
			from := slices.Clone(shape)
			if shape[axis] > 1 && i%3 == 0 {
				from[axis] = min(4096, shape[axis]*2)
			}
			for _, pick := range []picker{usualLayout, randomLayout} {
				testGather(t, rng, pick, d, x, from, shape, axis)
			}
		}
	}
}

func testGather(t *testing.T, rng *rand.Rand, pick picker, d, x num.DType, from, shape []int, axis int) {
	warps := 1 << rng.IntN(4)
	b := benchOf(t, fmt.Sprintf(`func @f() {
 %%src = const {value=%s(%s), shape=%s} : %s%s
 %%index = const {value=%s(%s), shape=%s} : %s%s
 %%out = gather %%src, %%index {axis=%d} : %s%s
 return
}`, d.Info().Short, zeroText(d), shapeText(from), d.Info().Short, shapeText(from), x.Info().Short, zeroText(x), shapeText(shape),
		x.Info().Short, shapeText(shape), axis, d.Info().Short, shapeText(shape)), warps)
	in := b.e.fn.Body.Instrs[2]
	data, index := randomVec(rng, d, elems(from)), num.MakeVec(x.Info().Class, elems(shape))
	outside := make([]bool, elems(shape))
	for i := range outside {
		v := rng.Int64N(int64(from[axis]))
		if v = num.FromInt(x, v).Int(); v < 0 || rng.IntN(50) == 0 {
			v = -1
		}
		s := num.FromInt(x, v)
		s.Fill(index.Slice(i, i+1))
		outside[i] = s.Int() < 0 || s.Int() >= int64(from[axis])
	}
	b.hold(in.Operands[0], data, pick(rng, from, warps))
	b.hold(in.Operands[1], index, pick(rng, shape, warps))
	in.Results[0].Layout = in.Operands[1].Layout
	b.emit(in)
	in.Results[0].Name = fmt.Sprintf("gather of %v by %v from %v along %d", d, x, *in.Operands[0].Layout, axis)
	b.show(in.Results[0])
	b.run()
	want := num.MakeVec(d.Info().Class, elems(shape))
	step := stride(shape, axis)
	for e := range outside {
		if i := int(num.ScalarAt(x, index, e).Int()); !outside[e] {
			num.ScalarAt(d, data, e/step/shape[axis]*from[axis]*step+i*step+e%step).Fill(want.Slice(e, e+1))
		}
	}
	b.checkWhere(0, want, func(e int) bool { return !outside[e] }, equal)
}

func zeroText(d num.DType) string {
	if d == num.Int1 {
		return "false"
	}
	return "0"
}

// TestHistogram counts with and without masks, into few bins and into more than fit at once.
func TestHistogram(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	for _, n := range []int{1, 4, 32, 256, 4096} {
		for _, bins := range []int{1, 2, 16, 1024, 16384} {
			for _, pick := range []picker{usualLayout, randomLayout} {
				warps := 1 << rng.IntN(4)
				b := benchOf(t, fmt.Sprintf(`func @f() {
 %%x = const {value=i32(0), shape=[%d]} : i32[%[1]d]
 %%mask = const {value=i1(true), shape=[%[1]d]} : i1[%[1]d]
 %%all = histogram %%x {num_bins=%[2]d} : i32[%[2]d]
 %%some = histogram %%x, %%mask {num_bins=%[2]d} : i32[%[2]d]
 return
}`, n, bins), warps)
				code := b.e.fn.Body.Instrs
				x, mask := num.MakeVec(num.ClassI32, n), smallVec(rng, num.Int1, n)
				want := []num.Vec{num.MakeVec(num.ClassI32, bins), num.MakeVec(num.ClassI32, bins)}
				for i := range x.I32 {
					x.I32[i] = int32(rng.IntN(bins+4) - 2)
					if v := x.I32[i]; v >= 0 && int(v) < bins {
						want[0].I32[v]++
						want[1].I32[v] += mask.I32[i]
					}
				}
				l := pick(rng, []int{n}, warps)
				b.hold(code[0].Results[0], x, l)
				b.hold(code[1].Results[0], mask, l)
				for _, in := range code[2:4] {
					l := pick(rng, []int{bins}, warps)
					in.Results[0].Layout = &l
					b.emit(in)
					b.show(in.Results[0])
				}
				b.run()
				b.check(want, equal)
			}
		}
	}
}
