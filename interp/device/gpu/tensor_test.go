package gpu_test

import (
	"context"
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/device/gpu"
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

// TestTensorMaps: loads whose tiles are boxes of their matrices in a launch are made by tensor copies, with tensor maps of
// its own pitches; those whose rows or columns wrap around, or whose tensors are parts of others, are not; all are right.
func TestTensorMaps(t *testing.T) {
	file := source.NewFile("matmul.py", boxedMatmul)
	args, err := compiler.ParseSignature("*fp16:16, *fp16:16, *fp32:16, i32:16, i32:16, i32:16, i32:16, i32:16, i32:16, 128, 128, 64")
	if err != nil {
		t.Fatal(err)
	}
	art, list := compiler.Compile(file, compiler.Options{Kernel: "matmul", Args: args})
	if art == nil {
		t.Fatal(list[0])
	}
	driver := &counting{Driver: gpu.NewSimulator(gpu.SimulatorOptions{})}
	d := gpu.Open(driver, gpu.Options{})
	defer d.Close()
	k, err := d.Load(art.Func, device.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name           string
		m, n, k        int
		padA, padB, at int // elements behind the rows, and before the tensors
		boxes          int // of the two loads
	}{
		{"as it is", 256, 128, 96, 0, 0, 0, 2}, {"other pitches, the same code", 256, 128, 96, 16, 48, 0, 2},
		{"one iteration", 256, 256, 16, 0, 0, 0, 2}, {"rows wrap around", 144, 128, 64, 0, 0, 0, 1},
		{"columns wrap around", 128, 144, 64, 0, 0, 0, 1}, {"parts of tensors", 128, 128, 64, 0, 0, 16, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			sam, sbk := c.k+c.padA, c.n+c.padB
			value := func(i int) float64 { return float64(i*7%13 - 6) }
			half := func(n int) []byte {
				raw := make([]byte, 2*c.at)
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
				return device.Pointer{Memory: m, DType: dtype, Offset: c.at}
			}
			out := pointer(make([]byte, 4*(c.at+c.m*c.n)), num.Float32)
			launch := device.Launch{Grid: [3]int{(c.m + 127) / 128 * ((c.n + 127) / 128), 1, 1}, Args: []device.Arg{
				pointer(half(c.m*sam), num.Float16), pointer(half(c.k*sbk), num.Float16), out}}
			for _, n := range []int{c.m, c.n, c.k, sam, sbk, c.n} {
				launch.Args = append(launch.Args, device.Scalar{Scalar: num.FromInt(num.Int32, int64(n))})
			}
			if _, err := k.Launch(context.Background(), launch); err != nil {
				t.Fatal(err)
			}
			text := k.(interface{ Compiled() *device.Compiled }).Compiled().PTX
			if got := strings.Count(text, "_tensor[128]"); got != c.boxes {
				t.Errorf("%d tensor maps, want %d", got, c.boxes)
			}
			raw := make([]byte, 4*c.m*c.n)
			if err := out.Memory.Read(4*c.at, raw); err != nil {
				t.Fatal(err)
			}
			for i := range c.m * c.n {
				want := 0.0
				for j := range c.k {
					want += value(i/c.n*sam+j) * value(j*sbk+i%c.n)
				}
				if got := math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:])); float64(got) != want {
					t.Fatalf("element (%d, %d) is %v, want %v", i/c.n, i%c.n, got, want)
				}
			}
		})
	}
	if n := len(driver.loads); n != 4 {
		t.Errorf("%d modules, want one for each set of tensor maps", n)
	}
}
