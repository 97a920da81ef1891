package ptx

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/layout"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/plan"
	"github.com/newtlab/newt/infra/soak"
)

// region is a way to combine elements: its text, with D for the dtype, and the same in Go.
type region struct {
	name    string
	types   []string // of the operands
	text    string
	combine func(d num.DType, x, y []num.Scalar) []num.Scalar
}

// one is a region of a single operation.
func one(op num.BinaryOp) region {
	return region{op.String(), []string{"D"}, "%p = " + op.String() + " %x0, %y0 : D\n yield %p",
		func(d num.DType, x, y []num.Scalar) []num.Scalar { return []num.Scalar{binary(op, d, x[0], y[0])} }}
}

func binary(op num.BinaryOp, d num.DType, x, y num.Scalar) num.Scalar {
	out := num.MakeVec(d.Info().Class, 1)
	num.Binary(op, d)(out, x.Vec(), y.Vec())
	return num.ScalarAt(d, out, 0)
}

func less(d num.DType, x, y num.Scalar) bool {
	out := num.MakeVec(num.ClassI32, 1)
	num.Compare(num.Lt, d)(out, x.Vec(), y.Vec())
	return out.I32[0] != 0
}

// argmin picks the right one of equals, so that the order of operands shows.
var argmin = region{"argmin", []string{"D", "i32"}, `%c = lt %x0, %y0 : i1
 %v = select %c, %x0, %y0 : D
 %i = select %c, %x1, %y1 : i32
 yield %v, %i`, func(d num.DType, x, y []num.Scalar) []num.Scalar {
	if less(d, x[0], y[0]) {
		return x
	}
	return y
}}

// argminFirst picks the first of equals.
var argminFirst = region{"argmin of the first", []string{"D", "i32"}, `%b = lt %x0, %y0 : i1
 %e = eq %x0, %y0 : i1
 %j = lt %x1, %y1 : i1
 %t = and %e, %j : i1
 %c = or %b, %t : i1
 %v = select %c, %x0, %y0 : D
 %i = select %c, %x1, %y1 : i32
 yield %v, %i`, func(d num.DType, x, y []num.Scalar) []num.Scalar {
	if less(d, x[0], y[0]) || !less(d, y[0], x[0]) && less(num.Int32, x[1], y[1]) {
		return x
	}
	return y
}}

// affineMaps composes x ↦ a·x + b, which depends on the order.
var affineMaps = region{"affine", []string{"D", "D"}, `%a = mul %x0, %y0 : D
 %t = mul %x1, %y0 : D
 %b = add %t, %y1 : D
 yield %a, %b`, func(d num.DType, x, y []num.Scalar) []num.Scalar {
	return []num.Scalar{binary(num.Mul, d, x[0], y[0]), binary(num.Add, d, binary(num.Mul, d, x[1], y[0]), y[1])}
}}

// lastValid keeps the right one of pairs of a value and a flag whose flag is set.
var lastValid = region{"last", []string{"D", "i1"}, `%v = select %y1, %y0, %x0 : D
 %f = or %x1, %y1 : i1
 yield %v, %f`, func(d num.DType, x, y []num.Scalar) []num.Scalar {
	if y[1].Bits != 0 {
		return []num.Scalar{y[0], y[1]}
	}
	return x
}}

// function is a kernel with one reduction or scan.
func (g region) function(op string, d num.DType, shape []int, axis int, attrs string, result []int) string {
	var s strings.Builder
	ty := func(i int) string { return strings.ReplaceAll(g.types[i], "D", d.Info().Short) }
	sh := func(shape []int) string {
		if len(shape) == 0 {
			return ""
		}
		return strings.ReplaceAll(fmt.Sprint(shape), " ", ", ")
	}
	fmt.Fprintf(&s, "func @f() {\n")
	var names, results, types, left, right []string
	for i := range g.types {
		zero := "0"
		if ty(i) == "i1" {
			zero = "false"
		}
		fmt.Fprintf(&s, " %%in%d = const {value=%s(%s), shape=%s} : %s%s\n", i, ty(i), zero, sh(shape), ty(i), sh(shape))
		names = append(names, fmt.Sprintf("%%in%d", i))
		results = append(results, fmt.Sprintf("%%out%d", i))
		types = append(types, ty(i)+sh(result))
		left = append(left, fmt.Sprintf("%%x%d: %s", i, ty(i)))
		right = append(right, fmt.Sprintf("%%y%d: %s", i, ty(i)))
	}
	fmt.Fprintf(&s, " %s = %s %s {axis=%d%s} : %s combine (%s) {\n %s\n }\n return\n}\n", strings.Join(results, ", "), op, strings.Join(names, ", "),
		axis, attrs, strings.Join(types, ", "), strings.Join(append(left, right...), ", "), strings.ReplaceAll(g.text, "D", d.Info().Short))
	return s.String()
}

// lines calls f with the elements of each line along axis, and the number of its first element.
func lines(shape []int, axis int, f func(first, step int)) {
	step := stride(shape, axis)
	for e := range elems(shape) {
		if e/step%shape[axis] == 0 {
			f(e, step)
		}
	}
}

func rowAt(vecs []num.Vec, dtypes []num.DType, i int) []num.Scalar {
	out := make([]num.Scalar, len(vecs))
	for k := range vecs {
		out[k] = num.ScalarAt(dtypes[k], vecs[k], i)
	}
	return out
}

// folding is a reduction or scan under test.
type folding struct {
	g      region
	d      num.DType
	dtypes []num.DType
	in     []*ir.Value
	instr  *ir.Instr
	data   []num.Vec
}

func (g region) fold(b *bench, rng *rand.Rand, d num.DType, shape []int) *folding {
	f := &folding{g: g, d: d}
	for _, in := range b.e.fn.Body.Instrs {
		switch in.Op {
		case ops.Const:
			f.in = append(f.in, in.Results[0])
			f.dtypes = append(f.dtypes, in.Results[0].Type.DType)
			f.data = append(f.data, smallVec(rng, in.Results[0].Type.DType, elems(shape)))
		case ops.Reduce, ops.Scan:
			f.instr = in
		}
	}
	return f
}

// smallVec has small integers, so that sums and products of floats are exact or nearly so.
func smallVec(rng *rand.Rand, d num.DType, n int) num.Vec {
	v := num.MakeVec(d.Info().Class, n)
	for i := range n {
		x := rng.Int64N(5) - 2
		if !d.Info().Signed {
			x &= 3
		}
		num.FromInt(d, x).Fill(v.Slice(i, i+1))
	}
	return v
}

// near allows floats the rounding of another order of sums.
func near(d num.DType, got, want num.Scalar) bool {
	if !d.Info().Float {
		return got == want
	}
	g, w := got.Float(), want.Float()
	return got == want || math.Abs(g-w) <= 1e-3*math.Abs(w)
}

var regions = []region{one(num.Add), one(num.Min), one(num.Max), one(num.Xor), argmin, argminFirst, affineMaps, lastValid}

// eachFolding runs reductions or scans over shapes, axes, dtypes, warps and layouts.
func eachFolding(t *testing.T, op string, run func(rng *rand.Rand, g region, d num.DType, shape []int, axis int)) {
	rng := rand.New(rand.NewPCG(5, 6))
	dtypes := []num.DType{num.Int1, num.Int8, num.Uint8, num.Int16, num.Int32, num.Uint32, num.Int64, num.Uint64, num.Float16, num.BFloat16, num.Float32, num.Float64}
	for i, g := range regions {
		for j, shape := range shapes {
			for axis := range shape {
				d := dtypes[(i+3*j+rng.IntN(len(dtypes)))%len(dtypes)]
				if d.Info().Float && (g.name == "xor" || g.name == "affine") || d == num.Int1 && g.name == "affine" {
					d = num.Int32
				}
				if d.Info().Bits == 16 && d.Info().Float && g.name == "add" {
					d = num.Float32 // sums of many would round
				}
				if soak.Skips(i+3*j+axis, 2) {
					continue // each region and each shape comes in some of the rest
				}
				run(rng, g, d, shape, axis)
			}
		}
	}
}

// TestReduce reduces along every axis, and compares with a fold in the order of the index.
func TestReduce(t *testing.T) {
	eachFolding(t, "reduce", func(rng *rand.Rand, g region, d num.DType, shape []int, axis int) {
		for _, pick := range []picker{usualLayout, randomLayout} {
			warps := 1 << rng.IntN(6)
			result := append(append([]int{}, shape[:axis]...), shape[axis+1:]...)
			b := benchOf(t, g.function("reduce", d, shape, axis, "", result), warps)
			f := g.fold(b, rng, d, shape)
			l := pick(rng, shape, warps)
			for i, v := range f.in {
				b.hold(v, f.data[i], l)
			}
			for _, v := range f.instr.Results {
				sliced, _ := l.Slice(axis)
				v.Layout = &sliced
			}
			b.emit(f.instr)
			want := make([]num.Vec, len(f.dtypes))
			for i, v := range f.instr.Results {
				v.Name = fmt.Sprintf("%s %s of %v along %d in %v", v.Name, g.name, d, axis, l)
				b.show(v)
				want[i] = num.MakeVec(f.dtypes[i].Info().Class, elems(result))
			}
			b.run()
			at := 0
			lines(shape, axis, func(first, step int) {
				acc := rowAt(f.data, f.dtypes, first)
				for i := 1; i < shape[axis]; i++ {
					acc = g.combine(d, acc, rowAt(f.data, f.dtypes, first+i*step))
				}
				for k, s := range acc {
					s.Fill(want[k].Slice(at, at+1))
				}
				at++
			})
			b.check(want, near)
		}
	})
}

// TestPickedBy finds the regions whose operands may be swapped, and with them the cheap order of a reduction.
func TestPickedBy(t *testing.T) {
	swapped := func(old, with string) region {
		g := argminFirst
		g.text = strings.Replace(g.text, old, with, 1)
		return g
	}
	for _, c := range []struct {
		name string
		g    region
		want ops.Op
	}{
		{"the first of the least", argminFirst, ops.Le},
		{"the first of the greatest", swapped("lt %x0", "gt %x0"), ops.Ge},
		{"the last of the least", swapped("lt %x1", "gt %x1"), ops.Lt},
		{"operands the other way round", swapped("eq %x0, %y0", "eq %y0, %x0"), ops.Le},
		{"any of the least", argmin, ops.Invalid},
		{"not strict", swapped("lt %x1", "le %x1"), ops.Invalid},
		{"another index", swapped("%c, %x1, %y1", "%c, %y1, %x1"), ops.Invalid},
		{"indices that do not matter", swapped("and %e", "or %e"), ops.Invalid},
		{"one value", one(num.Max), ops.Invalid},
	} {
		b := benchOf(t, c.g.function("reduce", num.Float32, []int{64}, 0, "", nil), 1)
		f := c.g.fold(b, rand.New(rand.NewPCG(1, 2)), num.Float32, []int{64})
		if got := plan.PickedBy(f.instr.Regions[0]); got != c.want {
			t.Errorf("%s: picked by %v", c.name, got)
		}
	}
}

// TestCombinesInLanes: of a few warps each thread combines all elements, of many each warp does by shuffles.
func TestCombinesInLanes(t *testing.T) {
	for _, c := range []struct {
		g           region
		lanes, want int // bits of lanes along the axis; the number of warps from which on lanes combine
	}{
		{one(num.Add), 5, 32},
		{argminFirst, 5, 16},
		{argminFirst, 3, 64}, // more warps than lanes are free for
	} {
		for warpBits := 1; warpBits <= 5; warpBits++ {
			warps, columns := 1<<warpBits, 32>>c.lanes
			shape := []int{warps << c.lanes, columns}
			b := benchOf(t, c.g.function("reduce", num.Float32, shape, 0, "", []int{columns}), warps)
			f := c.g.fold(b, rand.New(rand.NewPCG(1, 2)), num.Float32, shape)
			l := layout.Layout{Shape: shape}
			for i := range 5 {
				l.Lane = append(l.Lane, uint32(columns)<<i)
				if i >= c.lanes {
					l.Lane[i] = 1 << (i - c.lanes)
				}
			}
			for i := range warpBits {
				l.Warp = append(l.Warp, uint32(columns)<<(c.lanes+i))
			}
			for i, v := range f.in {
				b.hold(v, f.data[i], l)
			}
			b.e.plan.PlanConversions()
			steps := b.e.plan.Reductions[f.instr].Steps
			at := slices.IndexFunc(steps, func(s plan.ReduceStep) bool { return s.Kind == plan.AcrossWarps })
			if got := steps[at+1].Kind == plan.InLanes; got != (warps >= c.want) {
				t.Errorf("%s, %d warps, %d bits of lanes: %v", c.g.name, warps, c.lanes, got)
			}
		}
	}
}

// TestReduceOrder: sums round as the interpreter's do, where threads have an element each, or neighbors of a row.
func TestReduceOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 18))
	add := func(v []float32, step, pairs int) {
		for i := range pairs {
			v[i] += v[i+step]
		}
	}
	for _, c := range []struct {
		shape []int
		axis  int
		vec   int
		warps int
		sum   func(v []float32) float32
	}{
		{[]int{32}, 0, 1, 4, func(v []float32) float32 {
			for d := 16; d > 0; d /= 2 {
				add(v, d, d)
			}
			return v[0]
		}},
		{[]int{128}, 0, 1, 4, func(v []float32) float32 {
			for w := 0; w < 128; w += 32 {
				for d := 16; d > 0; d /= 2 {
					add(v[w:], d, d)
				}
			}
			return (v[0] + v[64]) + (v[32] + v[96])
		}},
		{[]int{1024}, 0, 1, 32, func(v []float32) float32 {
			for w := 0; w < len(v); w += 32 {
				for d := 16; d > 0; d /= 2 {
					add(v[w:], d, d)
				}
				v[w/32] = v[w]
			}
			for d := 16; d > 0; d /= 2 {
				add(v, d, d)
			}
			return v[0]
		}},
		{[]int{16, 64}, 1, 4, 4, func(v []float32) float32 {
			for n := len(v); n > 1; n /= 2 {
				for i := range n / 2 {
					v[i] = v[2*i] + v[2*i+1]
				}
			}
			return v[0]
		}},
	} {
		result := append(append([]int{}, c.shape[:c.axis]...), c.shape[c.axis+1:]...)
		b := benchOf(t, one(num.Add).function("reduce", num.Float32, c.shape, c.axis, "", result), c.warps)
		data := num.MakeVec(num.ClassF32, elems(c.shape))
		for i := range data.F32 {
			data.F32[i] = float32(rng.NormFloat64() * 1e3)
		}
		in := b.e.fn.Body.Instrs[1]
		order := []int{1, 0}[2-len(c.shape):]
		b.hold(in.Operands[0], data, layout.ForVector(c.shape, order, c.vec, c.warps))
		sliced, _ := in.Operands[0].Layout.Slice(c.axis)
		in.Results[0].Layout = &sliced
		b.emit(in)
		b.show(in.Results[0])
		b.run()
		want, n := num.MakeVec(num.ClassF32, elems(result)), c.shape[c.axis]
		for i := range want.F32 {
			want.F32[i] = c.sum(append([]float32{}, data.F32[i*n:(i+1)*n]...))
		}
		b.check([]num.Vec{want}, equal)
	}
}

// TestScan scans along every axis in both directions.
func TestScan(t *testing.T) {
	eachFolding(t, "scan", func(rng *rand.Rand, g region, d num.DType, shape []int, axis int) {
		for i, pick := range []picker{usualLayout, randomLayout, usualLayout, randomLayout} {
			warps := 1 << rng.IntN(4)
			reverse := i >= 2
			b := benchOf(t, g.function("scan", d, shape, axis, map[bool]string{true: ", reverse=true"}[reverse], shape), warps)
			f := g.fold(b, rng, d, shape)
			l := pick(rng, shape, warps)
			for i, v := range f.in {
				b.hold(v, f.data[i], l)
			}
			for _, v := range f.instr.Results {
				v.Layout = &l
			}
			b.emit(f.instr)
			want := make([]num.Vec, len(f.dtypes))
			for i, v := range f.instr.Results {
				v.Name = fmt.Sprintf("%s %s of %v along %d, reverse %v, in %v", v.Name, g.name, d, axis, reverse, l)
				b.show(v)
				want[i] = num.MakeVec(f.dtypes[i].Info().Class, elems(shape))
			}
			b.run()
			lines(shape, axis, func(first, step int) {
				if reverse {
					first, step = first+(shape[axis]-1)*step, -step
				}
				acc := rowAt(f.data, f.dtypes, first)
				for i := range shape[axis] {
					at := first + i*step
					if i > 0 {
						acc = g.combine(d, acc, rowAt(f.data, f.dtypes, at))
					}
					for k, s := range acc {
						s.Fill(want[k].Slice(at, at+1))
					}
				}
			})
			b.check(want, near)
		}
	})
}
