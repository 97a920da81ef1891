package devicetest

import (
	"context"
	"encoding/binary"
	"math"
	"slices"
	"testing"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/interp/device"
)

// tileMatmul is the tutorial's matmul, its programs in groups of two rows of tiles, masked along K.
const tileMatmul = `func @matmul(%a_ptr: *fp16 {div=16}, %b_ptr: *fp16 {div=16}, %c_ptr: *fp32 {div=16}, %M: i32 {div=16}, %N: i32 {div=16}, %K: i32 {div=16}, %sam: i32 {div=16}, %sbk: i32 {div=16}, %scm: i32 {div=16}) {
  %pid = program_id {axis=0} : i32
  %0 = const {value=i32(127)} : i32
  %1 = add %M, %0 : i32
  %2 = const {value=i32(128)} : i32
  %num_m = div %1, %2 : i32
  %3 = add %N, %0 : i32
  %num_n = div %3, %2 : i32
  %4 = const {value=i32(2)} : i32
  %5 = mul %num_n, %4 : i32
  %group = div %pid, %5 : i32
  %6 = mul %group, %4 : i32
  %7 = sub %num_m, %6 : i32
  %size_m = min %7, %4 : i32
  %8 = rem %pid, %5 : i32
  %9 = rem %8, %size_m : i32
  %pid_m = add %6, %9 : i32
  %pid_n = div %8, %size_m : i32
  %10 = mul %pid_m, %2 : i32
  %11 = arange {start=0, end=128} : i32[128]
  %12 = splat %10 {shape=[128]} : i32[128]
  %om = add %12, %11 : i32[128]
  %13 = splat %M {shape=[128]} : i32[128]
  %rm = rem %om, %13 : i32[128]
  %14 = mul %pid_n, %2 : i32
  %15 = splat %14 {shape=[128]} : i32[128]
  %on = add %15, %11 : i32[128]
  %16 = splat %N {shape=[128]} : i32[128]
  %rn = rem %on, %16 : i32[128]
  %rk = arange {start=0, end=64} : i32[64]
  %17 = expand_dims %rm {axis=1} : i32[128, 1]
  %18 = splat %sam {shape=[128, 1]} : i32[128, 1]
  %19 = mul %17, %18 : i32[128, 1]
  %20 = splat %a_ptr {shape=[128, 1]} : *fp16[128, 1]
  %21 = addptr %20, %19 : *fp16[128, 1]
  %22 = expand_dims %rk {axis=0} : i32[1, 64]
  %23 = broadcast %21 {shape=[128, 64]} : *fp16[128, 64]
  %24 = broadcast %22 {shape=[128, 64]} : i32[128, 64]
  %a = addptr %23, %24 : *fp16[128, 64]
  %25 = expand_dims %rk {axis=1} : i32[64, 1]
  %26 = splat %sbk {shape=[64, 1]} : i32[64, 1]
  %27 = mul %25, %26 : i32[64, 1]
  %28 = splat %b_ptr {shape=[64, 1]} : *fp16[64, 1]
  %29 = addptr %28, %27 : *fp16[64, 1]
  %30 = expand_dims %rn {axis=0} : i32[1, 128]
  %31 = broadcast %29 {shape=[64, 128]} : *fp16[64, 128]
  %32 = broadcast %30 {shape=[64, 128]} : i32[64, 128]
  %b = addptr %31, %32 : *fp16[64, 128]
  %acc = const {value=fp32(0), shape=[128, 128]} : fp32[128, 128]
  %33 = const {value=i32(63)} : i32
  %34 = add %K, %33 : i32
  %35 = const {value=i32(64)} : i32
  %36 = div %34, %35 : i32
  %37 = const {value=i32(0)} : i32
  %38 = const {value=i32(1)} : i32
  %39 = const {value=fp16(0), shape=[128, 64]} : fp16[128, 64]
  %40 = const {value=fp16(0), shape=[64, 128]} : fp16[64, 128]
  %41 = const {value=i32(64), shape=[128, 64]} : i32[128, 64]
  %42 = mul %sbk, %35 : i32
  %43 = splat %42 {shape=[64, 128]} : i32[64, 128]
  %acc#2, %a#2, %b#2 = for %37, %36, %38, %acc, %a, %b : fp32[128, 128], *fp16[128, 64], *fp16[64, 128] do (%k: i32, %acc#3: fp32[128, 128], %a#3: *fp16[128, 64], %b#3: *fp16[64, 128]) {
    %44 = mul %k, %35 : i32
    %45 = sub %K, %44 : i32
    %46 = splat %45 {shape=[1, 64]} : i32[1, 64]
    %47 = lt %22, %46 : i1[1, 64]
    %48 = broadcast %47 {shape=[128, 64]} : i1[128, 64]
    %x = load %a#3, %48, %39 : fp16[128, 64]
    %49 = splat %45 {shape=[64, 1]} : i32[64, 1]
    %50 = lt %25, %49 : i1[64, 1]
    %51 = broadcast %50 {shape=[64, 128]} : i1[64, 128]
    %y = load %b#3, %51, %40 : fp16[64, 128]
    %acc#4 = dot %x, %y, %acc#3 {input_precision=tf32} : fp32[128, 128]
    %a#4 = addptr %a#3, %41 : *fp16[128, 64]
    %b#4 = addptr %b#3, %43 : *fp16[64, 128]
    yield %acc#4, %a#4, %b#4
  }
  %52 = expand_dims %om {axis=1} : i32[128, 1]
  %53 = splat %scm {shape=[128, 1]} : i32[128, 1]
  %54 = mul %52, %53 : i32[128, 1]
  %55 = splat %c_ptr {shape=[128, 1]} : *fp32[128, 1]
  %56 = addptr %55, %54 : *fp32[128, 1]
  %57 = expand_dims %on {axis=0} : i32[1, 128]
  %58 = broadcast %56 {shape=[128, 128]} : *fp32[128, 128]
  %59 = broadcast %57 {shape=[128, 128]} : i32[128, 128]
  %60 = addptr %58, %59 : *fp32[128, 128]
  %61 = splat %M {shape=[128, 1]} : i32[128, 1]
  %62 = lt %52, %61 : i1[128, 1]
  %63 = splat %N {shape=[1, 128]} : i32[1, 128]
  %64 = lt %57, %63 : i1[1, 128]
  %65 = broadcast %62 {shape=[128, 128]} : i1[128, 128]
  %66 = broadcast %64 {shape=[128, 128]} : i1[128, 128]
  %67 = and %65, %66 : i1[128, 128]
  store %60, %acc#2, %67
  return
}
`

// TileMatmul is a launch of a matmul in tiles of 128 × 128 × 64, of which each load may be one of boxes of a matrix, as
// tensor copies need it, or not.
type TileMatmul struct {
	Name       string
	M, N, K    int
	PadA, PadB int // elements behind each row
	At         int // elements before each tensor, in its memory
	Boxes      int // how many of the two loads are of boxes
}

// TileMatmuls are launches of all kinds.
var TileMatmuls = []TileMatmul{
	{"as it is", 256, 128, 96, 0, 0, 0, 2}, {"other pitches", 256, 128, 96, 16, 48, 0, 2},
	{"a rest of 16", 256, 256, 144, 0, 0, 0, 2}, {"boxes would begin before the tensors", 256, 256, 48, 0, 0, 0, 0}, {"rows wrap around", 144, 128, 64, 0, 0, 0, 1},
	{"columns wrap around", 128, 144, 64, 0, 0, 0, 1}, {"parts of tensors", 128, 128, 64, 0, 0, 16, 0},
}

// ManyTiles is a launch of more programs than a device has multiprocessors, for which thread blocks are persistent if
// their stage buffers leave no room for another one on an SM, as those of four stages do.
func ManyTiles(processors int) TileMatmul {
	return TileMatmul{Name: "more programs than multiprocessors", M: 128 * (processors + 3), N: 128, K: 208, Boxes: 2}
}

// TileMatmulKernel is their kernel.
func TileMatmulKernel(t *testing.T) *ir.Func {
	t.Helper()
	fn, err := ir.Parse(tileMatmul)
	if err != nil {
		t.Fatal(err)
	}
	return fn
}

// Run launches the kernel and checks the product.
func (c TileMatmul) Run(t *testing.T, d device.Device, k device.Kernel) {
	t.Helper()
	sam, sbk := c.K+c.PadA, c.N+c.PadB
	value := func(i int) float64 { return float64(i*7%13 - 6) }
	half := func(n int) []byte {
		raw := make([]byte, 2*c.At)
		for i := range n {
			raw = binary.LittleEndian.AppendUint16(raw, uint16(num.FromFloat(num.Float16, value(i)).Bits))
		}
		return raw
	}
	pointer := func(raw []byte, dtype num.DType) device.Pointer {
		m, err := d.Alloc(len(raw))
		if err == nil {
			err = m.Write(0, raw)
		}
		if err != nil {
			t.Fatal(err)
		}
		return device.Pointer{Memory: m, DType: dtype, Offset: c.At}
	}
	out := pointer(make([]byte, 4*(c.At+c.M*c.N)), num.Float32)
	launch := device.Launch{Grid: [3]int{(c.M + 127) / 128 * ((c.N + 127) / 128), 1, 1}, Args: []device.Arg{
		pointer(half(c.M*sam), num.Float16), pointer(half(c.K*sbk), num.Float16), out}}
	for _, n := range []int{c.M, c.N, c.K, sam, sbk, c.N} {
		launch.Args = append(launch.Args, device.Scalar{Scalar: num.FromInt(num.Int32, int64(n))})
	}
	if _, err := k.Launch(context.Background(), launch); err != nil {
		t.Fatal(err)
	}
	raw := make([]byte, 4*c.M*c.N)
	if err := out.Memory.Read(4*c.At, raw); err != nil {
		t.Fatal(err)
	}
	for i := range c.M * c.N {
		want := 0.0
		for j := range c.K {
			want += value(i/c.N*sam+j) * value(j*sbk+i%c.N)
		}
		if got := math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:])); float64(got) != want {
			t.Fatalf("element (%d, %d) is %v, want %v", i/c.N, i%c.N, got, want)
		}
	}
}

// testTiles: products of tiles that are boxes of their matrices, and of tiles that are none.
func testTiles(t *testing.T, f *fixture) {
	for _, stages := range []int{3, 4} {
		k, err := f.dev.Load(TileMatmulKernel(t), device.Options{NumStages: stages})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range append(slices.Clone(TileMatmuls), ManyTiles(f.dev.Capabilities().Processors)) {
			t.Run(c.Name, func(t *testing.T) { c.Run(t, f.dev, k) })
		}
	}
}
