package tile

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/num"
)

// bench runs k on one worker.
func bench(b *testing.B, k *Kernel, grid [3]int, args ...Arg) {
	b.Helper()
	b.ReportAllocs()
	for b.Loop() {
		if _, fault := k.Run(context.Background(), Launch{Grid: grid, Args: args, Workers: 1}); fault != nil {
			b.Fatal(fault)
		}
	}
}

func BenchmarkVectorAdd(b *testing.B) {
	const n = 1 << 20
	for _, block := range []int{32, 128, 1024} {
		b.Run(fmt.Sprint(block), func(b *testing.B) {
			k := plan(b, strings.ReplaceAll(vectorAdd, "BLOCK", fmt.Sprint(block)))
			b.SetBytes(3 * 4 * n)
			bench(b, k, [3]int{n / block, 1, 1}, zeros(num.Float32, n), zeros(num.Float32, n), zeros(num.Float32, n), int32Arg(n))
		})
	}
}

func BenchmarkDot(b *testing.B) {
	for _, n := range []int{32, 64, 512} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			text := strings.ReplaceAll(bareDot, "SIZE", fmt.Sprint(n))
			k := plan(b, strings.ReplaceAll(text, "AREA", fmt.Sprint(n*n)))
			x := zeros(num.Float32, n*n)
			bench(b, k, [3]int{1, 1, 1}, x, x, zeros(num.Float32, n*n))
			flops(b, n)
		})
	}
}

func flops(b *testing.B, n int) {
	total := 2 * float64(n) * float64(n) * float64(n) * float64(b.N)
	b.ReportMetric(total/b.Elapsed().Seconds()/1e9, "GFLOP/s")
}

const bareDot = `func @dot(%x: *fp32, %y: *fp32, %z: *fp32) {
  %r = arange {start=0, end=AREA} : i32[AREA]
  %offs = reshape %r {shape=[SIZE, SIZE]} : i32[SIZE, SIZE]
  %xs = splat %x {shape=[SIZE, SIZE]} : *fp32[SIZE, SIZE]
  %xp = addptr %xs, %offs : *fp32[SIZE, SIZE]
  %a = load %xp : fp32[SIZE, SIZE]
  %ys = splat %y {shape=[SIZE, SIZE]} : *fp32[SIZE, SIZE]
  %yp = addptr %ys, %offs : *fp32[SIZE, SIZE]
  %b = load %yp : fp32[SIZE, SIZE]
  %zero = const {value=fp32(0), shape=[SIZE, SIZE]} : fp32[SIZE, SIZE]
  %c = dot %a, %b, %zero {input_precision=ieee} : fp32[SIZE, SIZE]
  %zs = splat %z {shape=[SIZE, SIZE]} : *fp32[SIZE, SIZE]
  %zp = addptr %zs, %offs : *fp32[SIZE, SIZE]
  store %zp, %c
  return
}
`

// softmaxRows is a softmax of 128 rows of 1024, a program per row.
const softmaxRows = `func @softmax(%x: *fp32, %z: *fp32) {
  %pid = program_id {axis=0} : i32
  %c = const {value=i32(1024)} : i32
  %start = mul %pid, %c : i32
  %r = arange {start=0, end=1024} : i32[1024]
  %s = splat %start {shape=[1024]} : i32[1024]
  %offs = add %s, %r : i32[1024]
  %xs = splat %x {shape=[1024]} : *fp32[1024]
  %xp = addptr %xs, %offs : *fp32[1024]
  %v = load %xp : fp32[1024]
  %m = reduce %v {axis=0} : fp32 combine (%a: fp32, %b: fp32) {
    %q = max %a, %b : fp32
    yield %q
  }
  %ms = splat %m {shape=[1024]} : fp32[1024]
  %d = sub %v, %ms : fp32[1024]
  %e = exp %d : fp32[1024]
  %t = reduce %e {axis=0} : fp32 combine (%a2: fp32, %b2: fp32) {
    %q2 = add %a2, %b2 : fp32
    yield %q2
  }
  %ts = splat %t {shape=[1024]} : fp32[1024]
  %w = div %e, %ts : fp32[1024]
  %zs = splat %z {shape=[1024]} : *fp32[1024]
  %zp = addptr %zs, %offs : *fp32[1024]
  store %zp, %w
  return
}
`

func BenchmarkSoftmax(b *testing.B) {
	const n = 128 * 1024
	b.SetBytes(2 * 4 * n)
	bench(b, plan(b, softmaxRows), [3]int{128, 1, 1}, zeros(num.Float32, n), zeros(num.Float32, n))
}

// matmul is C = A·B of 512 × 512 in blocks of 64, as a kernel would do it.
const matmul = `func @matmul(%x: *fp32, %y: *fp32, %z: *fp32) {
  %pi = program_id {axis=0} : i32
  %pj = program_id {axis=1} : i32
  %block = const {value=i32(64)} : i32
  %size = const {value=i32(512), shape=[64, 1]} : i32[64, 1]
  %i0 = mul %pi, %block : i32
  %j0 = mul %pj, %block : i32
  %r = arange {start=0, end=64} : i32[64]
  %is = splat %i0 {shape=[64]} : i32[64]
  %ir = add %is, %r : i32[64]
  %i = expand_dims %ir {axis=1} : i32[64, 1]
  %row = mul %i, %size : i32[64, 1]
  %js = splat %j0 {shape=[64]} : i32[64]
  %jr = add %js, %r : i32[64]
  %j = expand_dims %jr {axis=0} : i32[1, 64]
  %k = expand_dims %r {axis=0} : i32[1, 64]
  %kc = expand_dims %r {axis=1} : i32[64, 1]
  %krow = mul %kc, %size : i32[64, 1]
  %rowb = broadcast %row {shape=[64, 64]} : i32[64, 64]
  %kb = broadcast %k {shape=[64, 64]} : i32[64, 64]
  %krowb = broadcast %krow {shape=[64, 64]} : i32[64, 64]
  %jb = broadcast %j {shape=[64, 64]} : i32[64, 64]
  %aoff = add %rowb, %kb : i32[64, 64]
  %boff = add %krowb, %jb : i32[64, 64]
  %coff = add %rowb, %jb : i32[64, 64]
  %xs = splat %x {shape=[64, 64]} : *fp32[64, 64]
  %ap0 = addptr %xs, %aoff : *fp32[64, 64]
  %ys = splat %y {shape=[64, 64]} : *fp32[64, 64]
  %bp0 = addptr %ys, %boff : *fp32[64, 64]
  %zero = const {value=fp32(0), shape=[64, 64]} : fp32[64, 64]
  %lo = const {value=i32(0)} : i32
  %hi = const {value=i32(8)} : i32
  %one = const {value=i32(1)} : i32
  %astep = const {value=i32(64), shape=[64, 64]} : i32[64, 64]
  %bstep = const {value=i32(32768), shape=[64, 64]} : i32[64, 64]
  %acc, %ap9, %bp9 = for %lo, %hi, %one, %zero, %ap0, %bp0 : fp32[64, 64], *fp32[64, 64], *fp32[64, 64] do (%t: i32, %c: fp32[64, 64], %ap: *fp32[64, 64], %bp: *fp32[64, 64]) {
    %a = load %ap : fp32[64, 64]
    %b = load %bp : fp32[64, 64]
    %c2 = dot %a, %b, %c {input_precision=ieee} : fp32[64, 64]
    %ap2 = addptr %ap, %astep : *fp32[64, 64]
    %bp2 = addptr %bp, %bstep : *fp32[64, 64]
    yield %c2, %ap2, %bp2
  }
  %zs = splat %z {shape=[64, 64]} : *fp32[64, 64]
  %zp = addptr %zs, %coff : *fp32[64, 64]
  store %zp, %acc
  return
}
`

func BenchmarkMatmul(b *testing.B) {
	const n = 512
	x := zeros(num.Float32, n*n)
	bench(b, plan(b, matmul), [3]int{n / 64, n / 64, 1}, x, x, zeros(num.Float32, n*n))
	flops(b, n)
}

// transposed copies 64 × 64 tiles: rows are read, columns are written.
const transposed = `func @transposed(%x: *fp32, %z: *fp32) {
  %r = arange {start=0, end=4096} : i32[4096]
  %from = reshape %r {shape=[64, 64]} : i32[64, 64]
  %to = trans %from {perm=[1, 0]} : i32[64, 64]
  %xs = splat %x {shape=[64, 64]} : *fp32[64, 64]
  %xp = addptr %xs, FROM : *fp32[64, 64]
  %v = load %xp : fp32[64, 64]
  %zs = splat %z {shape=[64, 64]} : *fp32[64, 64]
  %zp = addptr %zs, TO : *fp32[64, 64]
  store %zp, %v
  return
}
`

func BenchmarkStrided(b *testing.B) {
	for _, c := range []struct{ name, from, to string }{{"loads", "%to", "%from"}, {"stores", "%from", "%to"}} {
		b.Run(c.name, func(b *testing.B) {
			k := plan(b, strings.NewReplacer("FROM", c.from, "TO", c.to).Replace(transposed))
			b.SetBytes(2 * 4 * 4096)
			bench(b, k, [3]int{1, 1, 1}, zeros(num.Float32, 4096), zeros(num.Float32, 4096))
		})
	}
}
