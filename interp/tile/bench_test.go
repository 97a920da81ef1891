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
