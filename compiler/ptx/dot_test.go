package ptx_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler"
	"github.com/newtlab/newt/compiler/internal/ptxas"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ptx"
	"github.com/newtlab/newt/compiler/ptx/sim"
	"github.com/newtlab/newt/compiler/source"
)

const dotHead = "import triton\nimport triton.language as tl\n\n\n@triton.jit\n"

// dotModule compiles a kernel for a signature.
func dotModule(t testing.TB, text, signature string, opt ptx.Options) *ptx.Module {
	t.Helper()
	args, err := compiler.ParseSignature(signature)
	if err != nil {
		t.Fatal(err)
	}
	art, list := compiler.Compile(source.NewFile("k.py", dotHead+text), compiler.Options{Args: args})
	if art == nil {
		t.Fatalf("%v\n%s", list, text)
		return nil
	}
	if opt.Target == "" {
		opt.Target = "sm_90a"
	}
	m, err := ptx.Compile(art.Func, opt)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// matrix is a tensor of small integers in some dtype.
type matrix struct {
	dtype  num.DType
	values []int64
}

func randomMatrix(rng *rand.Rand, d num.DType, n int) matrix {
	m := matrix{d, make([]int64, n)}
	low := int64(-4)
	if !d.Info().Signed {
		low = 0
	}
	for i := range m.values {
		m.values[i] = low + rng.Int64N(9)
	}
	return m
}

// transposed is a matrix of so many rows and columns, column by column.
func (m matrix) transposed(rows, cols int) matrix {
	t := matrix{m.dtype, make([]int64, rows*cols)}
	for i := range rows {
		for j := range cols {
			t.values[j*rows+i] = m.values[i*cols+j]
		}
	}
	return t
}

func (m matrix) bytes() []byte {
	size := m.dtype.Info().Bytes
	raw := make([]byte, 0, len(m.values)*size)
	for _, v := range m.values {
		var b [8]byte
		binary.LittleEndian.PutUint64(b[:], num.FromInt(m.dtype, v).Bits)
		raw = append(raw, b[:size]...)
	}
	return raw
}

// read takes values out of memory.
func (m matrix) read(raw []byte) []float64 {
	size := m.dtype.Info().Bytes
	out := make([]float64, len(m.values))
	for i := range out {
		var b [8]byte
		copy(b[:], raw[i*size:(i+1)*size])
		s := num.Scalar{DType: m.dtype, Bits: binary.LittleEndian.Uint64(b[:])}
		if m.dtype.Info().Float {
			out[i] = s.Float()
		} else {
			out[i] = float64(s.Int())
		}
	}
	return out
}

// dotRun is what a launch left behind.
type dotRun struct {
	report *sim.Report
	sites  []byte
	out    []float64 // of the last tensor
}

// runDot launches a module on tensors and scalars, the last tensor being the result.
func runDot(t testing.TB, m *ptx.Module, grid int, seed uint64, tensors []matrix, scalars []int64) dotRun {
	t.Helper()
	return runWithPitches(t, m, grid, seed, tensors, scalars, nil)
}

// tensorMap is a tensor map of a launch.
func tensorMap(m *ptx.TensorMap, base uint64, pitch int64) sim.TensorMap {
	return sim.TensorMap{Base: base, ElemBytes: m.ElemBytes, Dims: m.Dims,
		Strides: [2]int{ptx.TensorUnit, int(pitch) * m.ElemBytes}, Box: m.Box}
}

// runWithPitches is runDot with the pitches of tensors that are loaded from by tensor copies.
func runWithPitches(t testing.TB, m *ptx.Module, grid int, seed uint64, tensors []matrix, scalars, pitches []int64) dotRun {
	t.Helper()
	r, err := launchDot(t, m, grid, seed, tensors, scalars, pitches)
	if err != nil {
		t.Fatalf("%v\n%s", err, ptxas.Numbered(m.Text))
	}
	return r
}

// launchDot is runWithPitches of code that may be at fault.
func launchDot(t testing.TB, m *ptx.Module, grid int, seed uint64, tensors []matrix, scalars, pitches []int64) (dotRun, error) {
	t.Helper()
	mod, err := sim.Load(m.Text)
	if err != nil {
		t.Fatalf("%v\n%s", err, ptxas.Numbered(m.Text))
	}
	mem := sim.NewMemory(0)
	alloc := func(raw []byte) uint64 {
		at, err := mem.Alloc(int64(max(16, len(raw))))
		if err != nil {
			t.Fatal(err)
		}
		if err := mem.Write(at, raw); err != nil {
			t.Fatal(err)
		}
		return at
	}
	var at []uint64
	for _, x := range tensors {
		at = append(at, alloc(x.bytes()))
	}
	sites := make([]byte, 64*len(m.Sites))
	report, prints := alloc(sites), alloc(make([]byte, 64))
	var params []uint64
	maps := map[int]sim.TensorMap{}
	for i, p := range m.Params {
		switch p.Kind {
		case ptx.Tensor:
			maps[i] = tensorMap(p.Tensor, at[p.Arg], pitches[p.Arg])
			params = append(params, 0)
		case ptx.Pitch:
			params = append(params, uint64(pitches[p.Arg]))
		case ptx.Base:
			params = append(params, at[p.Arg])
		case ptx.First:
			params = append(params, 0)
		case ptx.Count:
			params = append(params, uint64(len(tensors[p.Arg].values)))
		case ptx.Value:
			params = append(params, uint64(scalars[p.Arg-len(tensors)]))
		case ptx.Report:
			params = append(params, report)
		case ptx.Prints:
			params = append(params, prints)
		case ptx.BudgetParam:
			params = append(params, 1<<40)
		case ptx.Programs:
			params = append(params, uint64(grid))
		}
	}
	if m.Persistent {
		grid = (grid + 2) / 3
	}
	r := dotRun{sites: sites}
	r.report, err = mod.Launch(context.Background(), sim.LaunchConfig{Entry: m.Entry, Grid: [3]int{grid}, Threads: m.Threads, Shared: m.Shared, Params: params, TensorMaps: maps, Memory: mem, Seed: seed})
	if err != nil {
		return r, err
	}
	last := tensors[len(tensors)-1]
	raw := last.bytes()
	if err := mem.Read(at[len(at)-1], raw); err != nil {
		t.Fatal(err)
	}
	if len(sites) > 0 {
		if err := mem.Read(report, sites); err != nil {
			t.Fatal(err)
		}
	}
	r.out = last.read(raw)
	return r, nil
}

// expect compares with what a direct product gives.
func expect(t testing.TB, got, want []float64, tolerance float64) {
	t.Helper()
	bad := 0
	for i := range want {
		if math.Abs(got[i]-want[i]) > tolerance*math.Max(1, math.Abs(want[i])) || math.IsNaN(got[i]) {
			if bad++; bad <= 5 {
				t.Errorf("element %d is %v, want %v", i, got[i], want[i])
			}
		}
	}
	if bad > 5 {
		t.Errorf("… %d wrong elements of %d", bad, len(want))
	}
}

// multiply is batch products of m×k by k×n.
func multiply(a, b []int64, batch, m, n, k int) []float64 {
	out := make([]float64, batch*m*n)
	for p := range batch {
		for i := range m {
			for j := range n {
				var sum int64
				for l := range k {
					sum += a[(p*m+i)*k+l] * b[(p*k+l)*n+j]
				}
				out[(p*m+i)*n+j] = float64(sum)
			}
		}
	}
	return out
}

const oneDot = `def k(a_ptr, b_ptr, c_ptr, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, PREC: tl.constexpr):
    rm = tl.arange(0, M)
    rn = tl.arange(0, N)
    rk = tl.arange(0, K)
    a = tl.load(a_ptr + rm[:, None] * K + rk[None, :])
    b = tl.load(b_ptr + rk[:, None] * N + rn[None, :])
    c = tl.dot(a, b, input_precision=PREC, out_dtype=OUT)
    tl.store(c_ptr + rm[:, None] * N + rn[None, :], c)
`

const batchDot = `def k(a_ptr, b_ptr, c_ptr, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, PREC: tl.constexpr):
    rp = tl.arange(0, 4)[:, None, None]
    rm = tl.arange(0, M)
    rn = tl.arange(0, N)
    rk = tl.arange(0, K)
    a = tl.load(a_ptr + rp * M * K + rm[None, :, None] * K + rk[None, None, :])
    b = tl.load(b_ptr + rp * K * N + rk[None, :, None] * N + rn[None, None, :])
    c = tl.dot(a, b, input_precision=PREC, out_dtype=OUT)
    tl.store(c_ptr + rp * M * N + rm[None, :, None] * N + rn[None, None, :], c)
`

// TestDot: every kind of product on tiles of many shapes, by different numbers of warps.
func TestDot(t *testing.T) {
	shapes := [][3]int{{16, 16, 16}, {32, 16, 64}, {64, 128, 32}, {16, 8, 32}, {128, 32, 16}, {8, 16, 32}, {4, 4, 4}, {1, 16, 32}, {64, 64, 8}}
	for _, c := range []struct {
		in, out   num.DType
		precision string
	}{
		{num.Float16, num.Float32, "tf32"}, {num.Float16, num.Float16, "tf32"}, {num.BFloat16, num.Float32, "tf32"},
		{num.Float32, num.Float32, "tf32"}, {num.Float32, num.Float32, "tf32x3"}, {num.Float32, num.Float32, "ieee"},
		{num.Float32, num.Float32, "bf16x3"}, {num.Float32, num.Float32, "bf16x6"},
		{num.Int8, num.Int32, "ieee"}, {num.Float64, num.Float64, "ieee"},
		{num.Float8E4M3, num.Float32, "ieee"}, {num.Float8E5M2, num.Float32, "ieee"},
	} {
		for i, s := range shapes {
			warps := 1 << (i % 4)
			for _, batch := range []int{1, 4} {
				if batch > 1 && i%3 != 0 {
					continue
				}
				text := oneDot
				if batch > 1 {
					text = batchDot
				}
				name := fmt.Sprintf("%v-%v-%s-%dx%dx%dx%d-%d", c.in, c.out, c.precision, batch, s[0], s[1], s[2], warps)
				t.Run(name, func(t *testing.T) {
					m, n, k := s[0], s[1], s[2]
					sig := fmt.Sprintf("*%s:16, *%s:16, *%s:16, %d, %d, %d, %q", c.in, c.in, c.out, m, n, k, c.precision)
					text := strings.ReplaceAll(text, "OUT", "tl."+c.out.Info().Attr)
					rng := rand.New(rand.NewPCG(1, uint64(i)))
					a, b := randomMatrix(rng, c.in, batch*m*k), randomMatrix(rng, c.in, batch*k*n)
					mod := dotModule(t, text, sig, ptx.Options{NumWarps: warps})
					got := runDot(t, mod, 1, 3, []matrix{a, b, {c.out, make([]int64, batch*m*n)}}, nil)
					expect(t, got.out, multiply(a.values, b.values, batch, m, n, k), 0)
				})
			}
		}
	}
}
