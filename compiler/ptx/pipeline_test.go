package ptx_test

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/internal/ptxas"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ptx"
	"github.com/newtlab/newt/compiler/ptx/plan"
	"github.com/newtlab/newt/interp/tile"
)

// matmulKernel is a blocked matmul with masks along k, as people write it.
const matmulKernel = `def matmul(a_ptr, b_ptr, c_ptr, M, N, K, sam, sak, sbk, sbn, scm, scn,
           BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr):
    pid = tl.program_id(0)
    num_m = tl.cdiv(M, BM)
    num_n = tl.cdiv(N, BN)
    per_group = GROUP * num_n
    group = pid // per_group
    first_m = group * GROUP
    size_m = min(num_m - first_m, GROUP)
    pid_m = first_m + (pid % per_group) % size_m
    pid_n = (pid % per_group) // size_m
    rm = (pid_m * BM + tl.arange(0, BM)) % M
    rn = (pid_n * BN + tl.arange(0, BN)) % N
    rk = tl.arange(0, BK)
    a = a_ptr + rm[:, None] * sam + rk[None, :] * sak
    b = b_ptr + rk[:, None] * sbk + rn[None, :] * sbn
    acc = tl.zeros((BM, BN), dtype=ACC)
    for k in range(0, tl.cdiv(K, BK)):
        x = tl.load(a, mask=rk[None, :] < K - k * BK, other=0.0)
        y = tl.load(b, mask=rk[:, None] < K - k * BK, other=0.0)
        acc = tl.dot(x, y, acc, input_precision="PREC", out_dtype=ACC)
        a += BK * sak
        b += BK * sbk
    c = acc.to(c_ptr.dtype.element_ty)
    om = pid_m * BM + tl.arange(0, BM)
    on = pid_n * BN + tl.arange(0, BN)
    tl.store(c_ptr + om[:, None] * scm + on[None, :] * scn, c, mask=(om[:, None] < M) & (on[None, :] < N))
`

// matmulCase is a blocked matmul.
type matmulCase struct {
	in, acc, out           num.DType
	precision              string
	bm, bn, bk             int
	m, n, k                int
	warps, stages          int
	aTransposed            bool // a's columns are contiguous
	bTransposed            bool // b's columns are contiguous
	div                    int  // 16 where strides are multiples of 16
	proved, bounded, wgmma bool
	boxes                  bool   // loads are made by tensor copies
	persistent             bool   // the launch wants persistent thread blocks
	target                 string // sm_90a where empty
	shared                 int    // what the device has, where that is less than the target's
}

func (c matmulCase) name() string {
	name := fmt.Sprintf("%v-%s-%dx%dx%d-of-%dx%dx%d-w%d-s%d-t%v", c.in, c.precision, c.bm, c.bn, c.bk, c.m, c.n, c.k, c.warps, c.stages, c.bTransposed)
	if c.aTransposed {
		name += "-a"
	}
	return name
}

func (c matmulCase) compile(t testing.TB) *ptx.Module {
	text := strings.ReplaceAll(strings.ReplaceAll(matmulKernel, "ACC", "tl."+c.acc.Info().Attr), "PREC", c.precision)
	hint := ""
	if c.div == 16 {
		hint = ":16"
	}
	strides := map[bool]string{false: "i32" + hint + ", 1", true: "1, i32" + hint}
	sig := fmt.Sprintf("*%s:16, *%s:16, *%s:16, i32%s, i32%s, i32%s, %s, %s, i32%s, 1, %d, %d, %d, 8",
		c.in, c.in, c.out, hint, hint, hint, strides[c.aTransposed], strides[c.bTransposed], hint, c.bm, c.bn, c.bk)
	opt := ptx.Options{NumWarps: c.warps, NumStages: c.stages, MmaSync: !c.wgmma, Target: c.target, Shared: c.shared,
		Persistent: c.persistent}
	if c.proved {
		opt.Proved = func(*ir.Instr) bool { return true }
	}
	if c.bounded {
		opt.Bounded = func(*ir.Instr) bool { return true }
	}
	if c.boxes {
		opt.Boxes, opt.EveryBox = func(*ir.Instr) bool { return true }, true
	}
	return dotModule(t, text, sig, opt)
}

func (c matmulCase) run(t testing.TB, m *ptx.Module, seed uint64) dotRun {
	rng := rand.New(rand.NewPCG(seed, 7))
	a, b := randomMatrix(rng, c.in, c.m*c.k), randomMatrix(rng, c.in, c.k*c.n)
	memoryA, strideA := a, c.k
	if c.aTransposed {
		memoryA, strideA = a.transposed(c.m, c.k), c.m
	}
	memoryB, strideB := b, c.n
	if c.bTransposed {
		memoryB, strideB = b.transposed(c.k, c.n), c.k
	}
	grid := (c.m + c.bm - 1) / c.bm * ((c.n + c.bn - 1) / c.bn)
	scalars := []int64{int64(c.m), int64(c.n), int64(c.k), int64(strideA), int64(strideB), int64(c.n)}
	r := runWithPitches(t, m, grid, seed, []matrix{memoryA, memoryB, {c.out, make([]int64, c.m*c.n)}}, scalars,
		[]int64{int64(strideA), int64(strideB)})
	want := multiply(a.values, b.values, 1, c.m, c.n, c.k)
	if c.out.Info().Float {
		for i := range want {
			want[i] = num.FromFloat(c.out, want[i]).Float()
		}
	}
	expect(t, r.out, want, 0)
	for i, b := range r.sites {
		if b != 0 {
			t.Fatalf("a violation is reported (byte %d)", i)
		}
	}
	return r
}

// TestPipeline: matmuls of many kinds, software-pipelined or not.
func TestPipeline(t *testing.T) {
	base := matmulCase{in: num.Float16, acc: num.Float32, out: num.Float16, precision: "tf32", bm: 64, bn: 64, bk: 32, m: 64, n: 64, k: 128, warps: 4, stages: 3, div: 16}
	var cases []matmulCase
	add := func(f func(c *matmulCase)) {
		c := base
		f(&c)
		cases = append(cases, c)
	}
	for stages := 1; stages <= 5; stages++ {
		for _, k := range []int{0, 16, 32, 48, 64, 112, 272} {
			add(func(c *matmulCase) { c.stages, c.k = stages, k })
		}
	}
	for _, s := range [][3]int{{80, 48, 64}, {128, 128, 96}, {200, 136, 40}} {
		add(func(c *matmulCase) { c.m, c.n, c.k = s[0], s[1], s[2] })
		add(func(c *matmulCase) { c.m, c.n, c.k, c.div = s[0]+1, s[1]+3, s[2]+5, 1 })
	}
	for _, warps := range []int{1, 2, 8} {
		add(func(c *matmulCase) { c.warps = warps })
	}
	for _, transposed := range []bool{false, true} {
		for _, kind := range []struct {
			in, acc, out num.DType
			precision    string
		}{
			{num.BFloat16, num.Float32, num.BFloat16, "tf32"}, {num.Float16, num.Float16, num.Float16, "tf32"},
			{num.Float32, num.Float32, num.Float32, "tf32"}, {num.Float32, num.Float32, num.Float32, "tf32x3"},
			{num.Float32, num.Float32, num.Float32, "ieee"}, {num.Float32, num.Float32, num.Float32, "bf16x3"},
			{num.Int8, num.Int32, num.Int32, "ieee"}, {num.Float8E4M3, num.Float32, num.Float16, "ieee"},
			{num.Float8E5M2, num.Float32, num.Float16, "ieee"},
		} {
			add(func(c *matmulCase) {
				c.in, c.acc, c.out, c.precision, c.bTransposed, c.k = kind.in, kind.acc, kind.out, kind.precision, transposed, 80
			})
		}
	}
	for i, c := range cases {
		t.Run(c.name(), func(t *testing.T) {
			c.proved, c.bounded = i%2 == 1, i%4 > 1
			c.run(t, c.compile(t), uint64(i))
		})
	}
}

// sizedKernel has no masks: what is outside its arguments shows.
const sizedKernel = `def sized(a_ptr, b_ptr, c_ptr, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rm = tl.arange(0, BM)
    rn = tl.arange(0, BN)
    rk = tl.arange(0, BK)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, K, BK):
        x = tl.load(a_ptr + rm[:, None] * K + (k + rk)[None, :])
        y = tl.load(b_ptr + (k + rk)[:, None] * BN + rn[None, :])
        acc = tl.dot(x, y, acc)
    tl.store(c_ptr + rm[:, None] * BN + rn[None, :], acc)
`

// TestPipelineBounds: elements outside are reported and count as 0, those inside beside them do not, and
// prefetches beyond the trip count are no accesses.
func TestPipelineBounds(t *testing.T) {
	const m, n, k, lacking = 32, 32, 96, 5
	mod := dotModule(t, sizedKernel, fmt.Sprintf("*fp16:16, *fp16:16, *fp32:16, i32:16, %d, %d, 32", m, n), ptx.Options{NumWarps: 2, NumStages: 4})
	rng := rand.New(rand.NewPCG(1, 1))
	a, b := randomMatrix(rng, num.Float16, m*k), randomMatrix(rng, num.Float16, k*n)
	whole := runDot(t, mod, 1, 1, []matrix{a, b, {num.Float32, make([]int64, m*n)}}, []int64{k})
	expect(t, whole.out, multiply(a.values, b.values, 1, m, n, k), 0)
	for i, x := range whole.sites {
		if x != 0 {
			t.Fatalf("without violations, byte %d of the reports is %d", i, x)
		}
	}
	cut := matrix{num.Float16, a.values[:m*k-lacking]}
	got := runDot(t, mod, 1, 2, []matrix{cut, b, {num.Float32, make([]int64, m*n)}}, []int64{k})
	for i := range lacking {
		a.values[m*k-1-i] = 0
	}
	expect(t, got.out, multiply(a.values, b.values, 1, m, n, k), 0)
	var outside []uint64
	for i := 0; i < len(got.sites); i += 64 {
		if got.sites[i] != 0 {
			outside = append(outside, binary.LittleEndian.Uint64(got.sites[i+24:]))
		}
	}
	if len(outside) != 1 || outside[0] != m*k-lacking {
		t.Errorf("reported offsets %v, want %d", outside, m*k-lacking)
	}
}

// benchConfigs are those of the reference measurements: BM, BN, BK, stages, warps.
var benchConfigs = [][5]int{
	{128, 256, 64, 3, 8}, {64, 256, 32, 4, 4}, {128, 128, 32, 4, 4}, {128, 128, 64, 4, 4}, {128, 128, 64, 3, 8},
	{128, 64, 32, 4, 4}, {64, 128, 32, 4, 4}, {256, 128, 64, 3, 8}, {128, 256, 128, 3, 8}, {64, 64, 64, 3, 4},
}

// TestPipelineMachine: what the reference configurations become: there is one barrier an iteration, shared
// memory has no bank conflicts, and the assembler finds registers for everything where Triton does.
func TestPipelineMachine(t *testing.T) {
	kinds := []matmulCase{
		{in: num.Float16, acc: num.Float32, out: num.Float16, precision: "tf32"},
		{in: num.Float32, acc: num.Float32, out: num.Float32, precision: "ieee"},
		{in: num.Float32, acc: num.Float32, out: num.Float32, precision: "tf32"},
		{in: num.Int8, acc: num.Int32, out: num.Int32, precision: "ieee"},
		{in: num.Float8E4M3, acc: num.Float32, out: num.Float16, precision: "ieee", bTransposed: true},
	}
	for _, c := range kinds {
		for i, b := range benchConfigs {
			if c.in != num.Float16 && i != 5 && i != 9 || i == 7 || i == 8 {
				continue
			}
			c.bm, c.bn, c.bk, c.stages, c.warps = b[0], b[1], b[2], b[3], b[4]
			c.m, c.n, c.k, c.div, c.proved, c.bounded = b[0], b[1], 2*b[2], 16, true, true
			t.Run(c.name(), func(t *testing.T) {
				m := c.compile(t)
				loop := loopText(m.Text)
				if n := strings.Count(loop, "bar.sync"); n != 1 {
					t.Errorf("%d barriers an iteration", n)
				}
				if bad := conflictsOf(m, c.run(t, m, 1)); len(bad) > 0 {
					t.Errorf("bank conflicts: %v", bad)
				}
				if c.in != num.Float8E4M3 {
					t.Logf("%d instructions in the loop; %s", strings.Count(loop, ";"), ptxas.Assemble(t, "sm_90a", m.Text))
				}
			})
		}
	}
}

// loopText is the text of a kernel's only loop.
func loopText(text string) string {
	_, rest, _ := strings.Cut(text, "\n$for")
	body, _, _ := strings.Cut(rest, "bra $for")
	return body
}

// conflictsOf counts the passes of shared memory beyond what accesses need, by opcode.
func conflictsOf(m *ptx.Module, r dotRun) map[string]uint64 {
	all := map[string]uint64{}
	for i, line := range strings.Split(m.Text, "\n") {
		if n := r.report.Lines[i+1].Shared.Sum().Excess(); n > 0 {
			all[strings.Fields(strings.TrimSpace(line))[0]] += n
		}
	}
	return all
}

// TestPipelineFits: there are as many stage buffers as shared memory has room for, on every target and device.
func TestPipelineFits(t *testing.T) {
	c := matmulCase{in: num.Float16, acc: num.Float32, out: num.Float16, precision: "tf32", bm: 128, bn: 128, bk: 64, m: 128, n: 128, k: 256, warps: 8, stages: 4, div: 16, wgmma: true}
	for _, device := range []struct {
		target       string
		shared, want int
	}{{"sm_80", 0, 128 << 10}, {"sm_86", 0, 96 << 10}, {"sm_89", 0, 96 << 10}, {"sm_90", 0, 128 << 10}, {"sm_90", 99 << 10, 96 << 10}, {"sm_90a", 0, 160 << 10}} {
		c.target, c.shared = device.target, device.shared
		m := c.compile(t)
		if m.Shared != device.want {
			t.Errorf("%s with %d bytes: %d bytes of shared memory are used, want %d", device.target, device.shared, m.Shared, device.want)
		}
		ptxas.Assemble(t, device.target, m.Text)
	}
}

// TestVolatileIsNotCopied: a volatile load is made at its place, not by a copy that is issued iterations ahead.
func TestVolatileIsNotCopied(t *testing.T) {
	const text = `
def kernel(a, b, c):
    r = tl.arange(0, 64)
    acc = tl.zeros((64, 64), dtype=tl.float32)
    for k in range(0, 256, 64):
        x = tl.load(a + r[:, None] * 256 + (k + r)[None, :], volatile=VOLATILE)
        y = tl.load(b + (k + r)[:, None] * 64 + r[None, :], volatile=VOLATILE)
        acc = tl.dot(x, y, acc)
    tl.store(c + r[:, None] * 64 + r[None, :], acc)
`
	yes := func(*ir.Instr) bool { return true }
	for value, copied := range map[string]bool{"True": false, "False": true} {
		m := dotModule(t, strings.ReplaceAll(text, "VOLATILE", value), "*fp16:16, *fp16:16, *fp32:16",
			ptx.Options{NumWarps: 4, NumStages: 3, Launch: plan.Launch{Proved: yes, Bounded: yes}})
		if got := strings.Contains(m.Text, "cp.async"); got != copied {
			t.Errorf("volatile=%s: copied is %t", value, got)
		}
	}
}

// TestLoadsOfIntToPtr: addresses that integers hold may be of one memory: what a loop stores through one of them it loads
// through the other in the next iteration.
func TestLoadsOfIntToPtr(t *testing.T) {
	fn := compiled(t, "inttoptr", `
def kernel(x, b, c, n):
    pa = tl.load(x).to(tl.pointer_type(tl.float16))
    pb = tl.load(x + 1).to(tl.pointer_type(tl.float16))
    r = tl.arange(0, 64)
    acc = tl.zeros((64, 64), dtype=tl.float32)
    for k in range(0, n, 64):
        u = tl.load(tl.multiple_of(pa, 16) + r[:, None] * 512 + (k + r)[None, :])
        y = tl.load(b + (k + r)[:, None] * 64 + r[None, :])
        acc = tl.dot(u, y, acc)
        tl.store(pb + r[:, None] * 512 + (k + 64 + r)[None, :], (acc.to(tl.int32) % 7).to(tl.float16))
    tl.store(c + r[:, None] * 64 + r[None, :], acc)
`, "*i64:16, *fp16:16, *fp32:16, i32")
	const address = 1 << 20
	halves := func(n int) []byte {
		raw := make([]byte, 2*n)
		for k := range n {
			num.StoreAt(num.Float16, raw, k, num.FromInt(num.Float16, int64(k*7%5)).Vec(), 0)
		}
		return raw
	}
	args := func() []tile.Arg {
		x := binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, address), address)
		return []tile.Arg{tile.Buffer{DType: num.Int64, Data: x}, tile.Buffer{DType: num.Float16, Data: halves(16384)},
			tile.Buffer{DType: num.Float32, Data: make([]byte, 16384)}, tile.Scalar{Scalar: num.FromInt(num.Int32, 256)},
			tile.Buffer{DType: num.Float16, Data: halves(65536), Address: address}}
	}
	compare(t, "inttoptr", fn, one, args, ptx.Options{Target: "sm_80", NumWarps: 4}, 1)
}

// TestPipelineOfPages: tiles whose rows a page table numbers are copied ahead, if the loop does not store to the table;
// rows outside of the tensor, and entries outside of the table, are reported once.
func TestPipelineOfPages(t *testing.T) {
	const text = `
def kernel(x, pages, b, c, n):
    r = tl.arange(0, 64)
    acc = tl.zeros((64, 64), dtype=tl.float32)
    for k in range(0, n, 64):
        page = tl.load(pages + k + r, mask=k + r < n, other=0)
        u = tl.load(x + r[:, None] * 256 + (k + r)[None, :])
        y = tl.load(b + page[:, None] * 64 + r[None, :], mask=(k + r)[:, None] < n, other=0)
        acc = tl.dot(u, y, acc)
STORE
    tl.store(c + r[:, None] * 64 + r[None, :], acc)
`
	bytes := func(d num.DType, n int, value func(i int) int64) tile.Buffer {
		raw := make([]byte, n*d.Info().Bytes)
		for i := range n {
			num.StoreAt(d, raw, i, num.FromInt(d, value(i)).Vec(), 0)
		}
		return tile.Buffer{DType: d, Data: raw}
	}
	small := func(i int) int64 { return int64(i*7%5) - 2 }
	for _, c := range []struct {
		name, store string
		n, table    int
		far         int64 // an entry of the table that is no page
	}{
		{"no iteration", "", 0, 256, 0}, {"one", "", 64, 256, 0}, {"a rest", "", 200, 256, 0}, {"whole", "", 256, 256, 0},
		{"a page outside", "", 256, 256, 5000}, {"a short table", "", 256, 150, 0},
		{"a table that is written", "        tl.store(pages + k + 64 + r, page * 0 + k // 64, mask=k + 64 + r < n)", 256, 256, 0},
	} {
		fn := compiled(t, "pages", strings.ReplaceAll(text, "STORE\n", c.store+"\n"), "*fp16:16, *i32:16, *fp16:16, *fp32:16, i32")
		args := func() []tile.Arg {
			table := bytes(num.Int32, c.table, func(i int) int64 { return int64(i * 37 % 128) })
			if c.far > 0 {
				num.StoreAt(num.Int32, table.Data, 77, num.FromInt(num.Int32, c.far).Vec(), 0)
			}
			return []tile.Arg{bytes(num.Float16, 64*256, small), table, bytes(num.Float16, 128*64, small),
				bytes(num.Float32, 64*64, func(int) int64 { return 0 }), tile.Scalar{Scalar: num.FromInt(num.Int32, int64(c.n))}}
		}
		for _, target := range []string{"sm_80", "sm_90a"} {
			o := ptx.Options{Target: target, NumWarps: 4, NumStages: 3}
			m, err := ptx.Compile(fn, o)
			if err != nil {
				t.Fatal(err)
			}
			// Copies of x's rows and of b's, in the prologue and the loop.
			if n := strings.Count(m.Text, "cp.async.c"); n < 24 && c.store == "" {
				t.Errorf("%s: %d copies", c.name, n)
			}
			compare(t, c.name+" "+target, fn, one, args, o, 1)
		}
	}
}
