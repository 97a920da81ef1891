package devicetest

import (
	"context"
	"encoding/binary"
	"math"
	"testing"

	"github.com/newtlab/newt/compiler"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/device"
)

const boxedMatmul = `import triton
import triton.language as tl

@triton.jit
def matmul(a_ptr, b_ptr, c_ptr, M, N, K, sam, sbk, scm, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    pid = tl.program_id(0)
    num_m = tl.cdiv(M, BM)
    num_n = tl.cdiv(N, BN)
    group = pid // (2 * num_n)
    size_m = min(num_m - group * 2, 2)
    pid_m = group * 2 + (pid % (2 * num_n)) % size_m
    pid_n = (pid % (2 * num_n)) // size_m
    rm = (pid_m * BM + tl.arange(0, BM)) % M
    rn = (pid_n * BN + tl.arange(0, BN)) % N
    rk = tl.arange(0, BK)
    a = a_ptr + rm[:, None] * sam + rk[None, :]
    b = b_ptr + rk[:, None] * sbk + rn[None, :]
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, tl.cdiv(K, BK)):
        x = tl.load(a, mask=rk[None, :] < K - k * BK, other=0.0)
        y = tl.load(b, mask=rk[:, None] < K - k * BK, other=0.0)
        acc = tl.dot(x, y, acc)
        a += BK
        b += BK * sbk
    om = pid_m * BM + tl.arange(0, BM)
    on = pid_n * BN + tl.arange(0, BN)
    tl.store(c_ptr + om[:, None] * scm + on[None, :], acc, mask=(om[:, None] < M) & (on[None, :] < N))
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

// TileMatmulKernel is their kernel.
func TileMatmulKernel(t *testing.T) *ir.Func {
	t.Helper()
	args, err := compiler.ParseSignature(
		"*fp16:16, *fp16:16, *fp32:16, i32:16, i32:16, i32:16, i32:16, i32:16, i32:16, 128, 128, 64")
	if err != nil {
		t.Fatal(err)
	}
	file := source.NewFile("matmul.py", boxedMatmul)
	art, list := compiler.Compile(file, compiler.Options{Kernel: "matmul", Args: args})
	if art == nil {
		t.Fatal(list[0])
	}
	return art.Func
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
	k, err := f.dev.Load(TileMatmulKernel(t), device.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range TileMatmuls {
		t.Run(c.Name, func(t *testing.T) { c.Run(t, f.dev, k) })
	}
}
