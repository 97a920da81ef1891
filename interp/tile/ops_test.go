package tile

import (
	"math"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/num"
)

// opCases: each case loads x (and where it says %b, y) whole, computes %out and stores it.
var opCases = []struct {
	name, in, body, out string
	x                   Buffer
	want                []float64
}{
	{"expand and broadcast", "i32[4]", `
  %e = expand_dims %a {axis=1} : i32[4, 1]
  %w = broadcast %e {shape=[4, 2]} : i32[4, 2]
  %out = reshape %w {shape=[8]} : i32[8]`, "i32[8]", i32(1, 2, 3, 4), []float64{1, 1, 2, 2, 3, 3, 4, 4}},
	{"broadcast rows", "i32[2]", `
  %e = expand_dims %a {axis=0} : i32[1, 2]
  %w = broadcast %e {shape=[4, 2]} : i32[4, 2]
  %out = reshape %w {shape=[8]} : i32[8]`, "i32[8]", i32(1, 2), []float64{1, 2, 1, 2, 1, 2, 1, 2}},
	{"trans", "i32[8]", `
  %m = reshape %a {shape=[2, 4]} : i32[2, 4]
  %tr = trans %m {perm=[1, 0]} : i32[4, 2]
  %out = reshape %tr {shape=[8]} : i32[8]`, "i32[8]", i32(0, 1, 2, 3, 4, 5, 6, 7), []float64{0, 4, 1, 5, 2, 6, 3, 7}},
	{"trans of three", "i32[8]", `
  %m = reshape %a {shape=[2, 2, 2]} : i32[2, 2, 2]
  %tr = trans %m {perm=[2, 0, 1]} : i32[2, 2, 2]
  %out = reshape %tr {shape=[8]} : i32[8]`, "i32[8]", i32(0, 1, 2, 3, 4, 5, 6, 7), []float64{0, 2, 4, 6, 1, 3, 5, 7}},
	{"join", "i32[4]", `
  %n = neg %a : i32[4]
  %j = join %a, %n : i32[4, 2]
  %out = reshape %j {shape=[8]} : i32[8]`, "i32[8]", i32(1, 2, 3, 4), []float64{1, -1, 2, -2, 3, -3, 4, -4}},
	{"split", "i32[8]", `
  %m = reshape %a {shape=[4, 2]} : i32[4, 2]
  %even, %odd = split %m : i32[4], i32[4]
  %ten = const {value=i32(10), shape=[4]} : i32[4]
  %o = mul %odd, %ten : i32[4]
  %out = sub %even, %o : i32[4]`, "i32[4]", i32(1, 2, 3, 4, 5, 6, 7, 8), []float64{-19, -37, -55, -73}},
	{"sum of rows", "i32[8]", `
  %m = reshape %a {shape=[2, 4]} : i32[2, 4]
  %out = reduce %m {axis=1} : i32[2] combine (%p: i32, %q: i32) {
    %s = add %p, %q : i32
    yield %s
  }`, "i32[2]", i32(1, 2, 3, 4, 10, 20, 30, 40), []float64{10, 100}},
	{"max of columns", "i32[8]", `
  %m = reshape %a {shape=[2, 4]} : i32[2, 4]
  %out = reduce %m {axis=0} : i32[4] combine (%p: i32, %q: i32) {
    %s = max %p, %q : i32
    yield %s
  }`, "i32[4]", i32(1, 20, 3, 40, 10, 2, 30, 4), []float64{10, 20, 30, 40}},
	{"a reduction keeps the order", "i32[8]", `
  %two = const {value=i32(2)} : i32
  %r = reduce %a {axis=0} : i32 combine (%p: i32, %q: i32) {
    yield %p
  }
  %l = reduce %a {axis=0} : i32 combine (%p2: i32, %q2: i32) {
    yield %q2
  }
  %ten = const {value=i32(10)} : i32
  %rt = mul %r, %ten : i32
  %both = add %rt, %l : i32
  %out = splat %both {shape=[2]} : i32[2]`, "i32[2]", i32(1, 2, 3, 4, 5, 6, 7, 8), []float64{18, 18}},
	{"a region that hands its arguments on crosswise", "i32[4]", `
  %n = neg %a : i32[4]
  %r1, %r2 = reduce %a, %n {axis=0} : i32, i32 combine (%p: i32, %pn: i32, %q: i32, %qn: i32) {
    yield %pn, %p
  }
  %s1, %s2 = scan %a, %n {axis=0} : i32[4], i32[4] combine (%x2: i32, %xn: i32, %y2: i32, %yn: i32) {
    yield %yn, %y2
  }
  %w = splat %r1 {shape=[4]} : i32[4]
  %u = splat %r2 {shape=[4]} : i32[4]
  %j = join %w, %u : i32[4, 2]
  %k2 = join %s1, %s2 : i32[4, 2]
  %sum = add %j, %k2 : i32[4, 2]
  %out = reshape %sum {shape=[8]} : i32[8]`, "i32[8]", i32(1, 2, 3, 4), []float64{2, -2, -1, 1, -2, 2, -3, 3}},
	{"argmax with the first of equals", "i32[8]", `
  %i = arange {start=0, end=8} : i32[8]
  %v, %at = reduce %a, %i {axis=0} : i32, i32 combine (%p: i32, %pi: i32, %q: i32, %qi: i32) {
    %gt = gt %p, %q : i1
    %eq = eq %p, %q : i1
    %lt = lt %pi, %qi : i1
    %tie = and %eq, %lt : i1
    %left = or %gt, %tie : i1
    %rv = select %left, %p, %q : i32
    %ri = select %left, %pi, %qi : i32
    yield %rv, %ri
  }
  %ten = const {value=i32(10)} : i32
  %vt = mul %v, %ten : i32
  %both = add %vt, %at : i32
  %out = splat %both {shape=[2]} : i32[2]`, "i32[2]", i32(3, 9, 4, 9, 1, 9, 0, 2), []float64{91, 91}},
	{"a region that reads a value from outside and the program's index", "i32[4]", `
  %two = const {value=i32(2)} : i32
  %r = reduce %a {axis=0} : i32 combine (%p: i32, %q: i32) {
    %id = program_id {axis=0} : i32
    %n = num_programs {axis=1} : i32
    %c = lt %p, %two : i1
    %t = mul %p, %two : i32
    %s = select %c, %q, %t : i32
    %s1 = add %s, %id : i32
    %s2 = add %s1, %n : i32
    yield %s2
  }
  %out = splat %r {shape=[2]} : i32[2]`, "i32[2]", i32(1, 5, 7, 9), []float64{13, 13}},
	{"a vectorized region that reads a value from outside", "i32[8]", `
  %two = const {value=i32(2)} : i32
  %out = scan %a {axis=0} : i32[8] combine (%p: i32, %q: i32) {
    %t = mul %p, %two : i32
    %s = add %t, %q : i32
    yield %s
  }`, "i32[8]", i32(1, 1, 1, 1, 0, 0, 0, 1), []float64{1, 3, 7, 15, 30, 60, 120, 241}},
	{"cumulative sum of columns", "i32[8]", `
  %m = reshape %a {shape=[4, 2]} : i32[4, 2]
  %s = scan %m {axis=0} : i32[4, 2] combine (%p: i32, %q: i32) {
    %s2 = add %p, %q : i32
    yield %s2
  }
  %out = reshape %s {shape=[8]} : i32[8]`, "i32[8]", i32(1, 10, 2, 20, 3, 30, 4, 40), []float64{1, 10, 3, 30, 6, 60, 10, 100}},
	{"reversed scan of rows", "i32[8]", `
  %m = reshape %a {shape=[2, 4]} : i32[2, 4]
  %s = scan %m {axis=1, reverse=true} : i32[2, 4] combine (%p: i32, %q: i32) {
    %s2 = add %p, %q : i32
    yield %s2
  }
  %out = reshape %s {shape=[8]} : i32[8]`, "i32[8]", i32(1, 2, 3, 4, 10, 20, 30, 40), []float64{10, 9, 7, 4, 100, 90, 70, 40}},
	{"gather", "i32[8]", `
  %m = reshape %a {shape=[2, 4]} : i32[2, 4]
  %i = arange {start=1, end=3} : i32[2]
  %e = expand_dims %i {axis=0} : i32[1, 2]
  %w = broadcast %e {shape=[2, 2]} : i32[2, 2]
  %g = gather %m, %w {axis=1} : i32[2, 2]
  %out = reshape %g {shape=[4]} : i32[4]`, "i32[4]", i32(1, 2, 3, 4, 5, 6, 7, 8), []float64{2, 3, 6, 7}},
	{"histogram", "i32[8]", `
  %out = histogram %a {num_bins=4} : i32[4]`, "i32[4]", i32(0, 1, 1, 3, 3, 3, 9, -1), []float64{1, 2, 0, 3}},
	{"histogram under a mask", "i32[8]", `
  %two = const {value=i32(2), shape=[8]} : i32[8]
  %mask = lt %a, %two : i1[8]
  %out = histogram %a, %mask {num_bins=4} : i32[4]`, "i32[4]", i32(0, 1, 1, 3, 3, 3, 9, -1), []float64{1, 2, 0, 0}},
	{"casts", "fp32[4]", `
  %h = cast %a {to=fp16} : fp16[4]
  %i = cast %h {to=i32} : i32[4]
  %out = cast %i {to=fp32} : fp32[4]`, "fp32[4]", f32(1.5, -2.75, 100.1, 0), []float64{1, -2, 100, 0}},
	{"bitcast", "fp32[2]", `
  %out = bitcast %a {to=i32} : i32[2]`, "i32[2]", f32(1, -2), []float64{0x3f800000, -0x40000000}},
	{"fma and select", "fp32[2]", `
  %two = const {value=fp32(2), shape=[2]} : fp32[2]
  %f = fma %a, %two, %a : fp32[2]
  %c = lt %a, %two : i1[2]
  %out = select %c, %f, %two : fp32[2]`, "fp32[2]", f32(1, 5), []float64{3, 2}},
	{"min and max of NaN", "fp32[2]", `
  %one = const {value=fp32(1), shape=[2]} : fp32[2]
  %m = max %a, %one : fp32[2]
  %p = min %a, %one {propagate_nan=true} : fp32[2]
  %mp = join %m, %p : fp32[2, 2]
  %out = reshape %mp {shape=[4]} : fp32[4]`, "fp32[4]", f32(float32(math.NaN()), 3), []float64{1, math.NaN(), 3, 1}},
	{"if", "i32[4]", `
  %s = reduce %a {axis=0} : i32 combine (%p: i32, %q: i32) {
    %s2 = add %p, %q : i32
    yield %s2
  }
  %ten = const {value=i32(10)} : i32
  %c = lt %s, %ten : i1
  %r, %t = if %c : i32[4], i32[4] then {
    yield %a, %a
  } else {
    %n = neg %a : i32[4]
    yield %n, %a
  }
  %out = add %r, %t : i32[4]`, "i32[4]", i32(1, 2, 3, 40), []float64{0, 0, 0, 0}},
	{"for with values that change places", "i32[4]", `
  %zero = const {value=i32(0)} : i32
  %one = const {value=i32(1)} : i32
  %n = const {value=i32(5)} : i32
  %w0 = const {value=i32(1), shape=[4]} : i32[4]
  %x1, %y1 = for %zero, %n, %one, %a, %w0 : i32[4], i32[4] do (%i: i32, %p: i32[4], %q: i32[4]) {
    %s = add %p, %q : i32[4]
    yield %q, %s
  }
  %out = add %x1, %y1 : i32[4]`, "i32[4]", i32(1, 0, 2, 3), []float64{13 + 8, 8 + 5, 18 + 11 - 0, 23 + 14 - 0}},
	{"for that only swaps", "i32[4]", `
  %zero = const {value=i32(0)} : i32
  %one = const {value=i32(1)} : i32
  %n = const {value=i32(5)} : i32
  %w0 = const {value=i32(0), shape=[4]} : i32[4]
  %x1, %y1 = for %zero, %n, %one, %a, %w0 : i32[4], i32[4] do (%i: i32, %p: i32[4], %q: i32[4]) {
    yield %q, %p
  }
  %ten = const {value=i32(10), shape=[4]} : i32[4]
  %t = mul %x1, %ten : i32[4]
  %out = add %t, %y1 : i32[4]`, "i32[4]", i32(1, 2, 3, 4), []float64{1, 2, 3, 4}},
	{"for with one value that starts two carried ones and the count", "i32[4]", `
  %one = const {value=i32(1)} : i32
  %n = reduce %a {axis=0} : i32 combine (%p0: i32, %q0: i32) {
    %m = max %p0, %q0 : i32
    yield %m
  }
  %d = add %a, %a : i32[4]
  %u, %v, %c = for %one, %n, %one, %d, %d, %n : i32[4], i32[4], i32 do (%i: i32, %p: i32[4], %q: i32[4], %k: i32) {
    %s = add %p, %q : i32[4]
    %k1 = add %k, %one : i32
    yield %s, %q, %k1
  }
  %w = sub %u, %v : i32[4]
  %cs = splat %c {shape=[4]} : i32[4]
  %out = add %w, %cs : i32[4]`, "i32[4]", i32(1, 2, 3, 4), []float64{7 + 6, 7 + 12, 7 + 18, 7 + 24}},
	{"for with a step that does not divide, and none with a negative one", "i32[4]", `
  %two = const {value=i32(2)} : i32
  %minus = const {value=i32(-3)} : i32
  %three = const {value=i32(3)} : i32
  %n = const {value=i32(10)} : i32
  %x1 = for %two, %n, %three, %a : i32[4] do (%i: i32, %p: i32[4]) {
    %t = splat %i {shape=[4]} : i32[4]
    %s = add %p, %t : i32[4]
    yield %s
  }
  %out = for %n, %two, %minus, %x1 : i32[4] do (%i2: i32, %p2: i32[4]) {
    yield %a
  }`, "i32[4]", i32(0, 1, 2, 3), []float64{15, 16, 17, 18}},
	{"while", "i32[4]", `
  %zero = const {value=i32(0)} : i32
  %one = const {value=i32(1)} : i32
  %limit = const {value=i32(100)} : i32
  %k, %v = while %zero, %a : i32, i32[4] cond (%i: i32, %p: i32[4]) {
    %s = reduce %p {axis=0} : i32 combine (%x1: i32, %y1: i32) {
      %m = max %x1, %y1 : i32
      yield %m
    }
    %c = lt %s, %limit : i1
    condition %c, %i, %p
  } do (%j: i32, %q: i32[4]) {
    %d = add %q, %q : i32[4]
    %j1 = add %j, %one : i32
    yield %j1, %d
  }
  %ks = splat %k {shape=[4]} : i32[4]
  %out = add %v, %ks : i32[4]`, "i32[4]", i32(1, 2, 3, 4), []float64{37, 69, 101, 133}},
	{"nested loops", "i32[4]", `
  %zero = const {value=i32(0)} : i32
  %one = const {value=i32(1)} : i32
  %n = const {value=i32(3)} : i32
  %out = for %zero, %n, %one, %a : i32[4] do (%i: i32, %p: i32[4]) {
    %r = for %zero, %n, %one, %p : i32[4] do (%j: i32, %q: i32[4]) {
      %c = lt %i, %j : i1
      %w = if %c : i32[4] then {
        %t = splat %j {shape=[4]} : i32[4]
        %s = add %q, %t : i32[4]
        yield %s
      } else {
        yield %q
      }
      yield %w
    }
    yield %r
  }`, "i32[4]", i32(0, 0, 1, 1), []float64{5, 5, 6, 6}},
	{"unsigned comparison and shift", "i32[2]", `
  %u = bitcast %a {to=u32} : u32[2]
  %one = const {value=u32(1), shape=[2]} : u32[2]
  %s = shr %u, %one : u32[2]
  %out = cast %s {to=fp64} : fp64[2]`, "fp64[2]", i32(-2, 4), []float64{math.MaxInt32, 2}},
}

func TestOps(t *testing.T) {
	for _, c := range opCases {
		t.Run(c.name, func(t *testing.T) {
			out := zeros(dtypeIn(c.out), numelIn(c.out))
			launch(t, plan(t, opKernel(c.in, c.body, c.out)), 1, c.x, out)
			expect(t, out, c.want...)
		})
	}
}

// opKernel loads %a of type in from the first argument and stores %out of type out to the second.
func opKernel(in, body, out string) string {
	text := `func @k(%x: *IN, %z: *OUT) {
  %xr = arange {start=0, end=NIN} : i32[NIN]
  %xs = splat %x {shape=[NIN]} : *IN[NIN]
  %xp = addptr %xs, %xr : *IN[NIN]
  %a = load %xp : IN[NIN]BODY
  %zr = arange {start=0, end=NOUT} : i32[NOUT]
  %zs = splat %z {shape=[NOUT]} : *OUT[NOUT]
  %zp = addptr %zs, %zr : *OUT[NOUT]
  store %zp, %out
  return
}
`
	it, is, _ := strings.Cut(in, "[")
	ot, os, _ := strings.Cut(out, "[")
	return strings.NewReplacer("NIN", strings.TrimSuffix(is, "]"), "NOUT", strings.TrimSuffix(os, "]"),
		"IN", it, "OUT", ot, "BODY", body).Replace(text)
}

func dtypeIn(text string) num.DType {
	name, _, _ := strings.Cut(text, "[")
	d, _ := num.Parse(name)
	return d
}

func numelIn(text string) int {
	_, n, _ := strings.Cut(strings.TrimSuffix(text, "]"), "[")
	v, _ := num.ParseScalar(num.Int32, n)
	return int(v.Int())
}
