package ptx_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ptx"
	"github.com/newtlab/newt/compiler/ptx/plan"
	"github.com/newtlab/newt/interp/tile"
)

// serializedAdd is Triton's test_atomic_cas: the order of the exchange that opens the lock is the default, acq_rel, whatever that of
// the swap that closes it is.
const serializedAdd = `
def kernel(data, lock, B: tl.constexpr):
    at = data + tl.arange(0, B)
    while tl.atomic_cas(lock, 0, 1, SEM) == 1:
        pass
    tl.store(at, tl.load(at) + 1.0)
    tl.debug_barrier()
    tl.atomic_xchg(lock, 0)
`

// lockedSum is the backward pass of Triton's tutorial on layer normalization: programs add rows to one of two buffers under its
// lock; the first to come overwrites what is there.
const lockedSum = `
def kernel(rows, sums, locks, B: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, B)
    part = tl.load(rows + row * B + cols)
    lock = locks + row % 2
    count = lock + 2
    sum = sums + row % 2 * B + cols
    while tl.atomic_cas(lock, 0, 1) == 1:
        pass
    if tl.load(count) == 0:
        tl.atomic_xchg(count, 1)
    else:
        part += tl.load(sum)
    tl.store(sum, part)
    tl.atomic_xchg(lock, 0)
`

// handOver: program 0 hands a tile to the others, which have looked at it before: every thread loads what one has acquired.
const handOver = `
def kernel(data, flag, seen, B: tl.constexpr):
    cols = tl.arange(0, B)
    row = tl.program_id(0)
    if row == 0:
        tl.store(data + cols, cols + 1.0)
        tl.atomic_xchg(flag, 1, sem=RELEASE, scope=SCOPE)
    else:
        old = tl.load(data + cols)
        while tl.atomic_add(flag, 0, sem=ACQUIRE, scope=SCOPE) == 0:
            pass
        tl.store(seen + row * B + cols, tl.load(data + B - 1 - cols) + 0 * old)
`

// polled is handOver by atomic stores and polls.
var polled = "\n# triton: 3.9" + strings.NewReplacer(
	"tl.atomic_xchg(flag, 1, sem=RELEASE, scope=SCOPE)", "tl.atomic_store(flag, 1, sem=RELEASE, scope=SCOPE)",
	"while tl.atomic_add(flag, 0, sem=ACQUIRE, scope=SCOPE) == 0:\n            pass",
	"tl.atomic_poll(flag, 1, sem=ACQUIRE, scope=SCOPE)").Replace(handOver)

const orderSeeds = 6

// floats are n elements of float32 as a buffer.
func floats(n int, of func(i int) float64) tile.Buffer {
	b := tile.Buffer{DType: num.Float32, Data: make([]byte, 4*n)}
	for i := range n {
		num.StoreAt(num.Float32, b.Data, i, num.FromFloat(num.Float32, of(i)).Vec(), 0)
	}
	return b
}

func words(n int) tile.Buffer { return tile.Buffer{DType: num.Int32, Data: make([]byte, 4*n)} }

func quoted(s string) string { return fmt.Sprintf("%q", s) }

func zero(int) float64 { return 0 }

// TestAtomicOrder runs what only the memory order keeps right, where the multiprocessors' caches are not coherent.
func TestAtomicOrder(t *testing.T) {
	const programs, n = 9, 64
	for _, sem := range []string{"acq_rel", "acquire", "release", "relaxed"} {
		fn := compiled(t, "serialized_add", strings.Replace(serializedAdd, "SEM", quoted(sem), 1), fmt.Sprintf("*fp32:16, *i32:16, %d", n))
		leaves(t, sem, fn, programs, func() []tile.Arg { return []tile.Arg{floats(n, zero), words(1)} }, floats(n, func(int) float64 { return programs }))
	}
	row := func(i int) float64 { return float64(i%7 + i/n) }
	fn := compiled(t, "locked_sum", lockedSum, fmt.Sprintf("*fp32:16, *fp32:16, *i32:16, %d", n))
	leaves(t, "locked sum", fn, programs, func() []tile.Arg {
		return []tile.Arg{floats(programs*n, row), floats(2*n, func(int) float64 { return -1 }), words(4)}
	}, floats(programs*n, row), floats(2*n, func(i int) (sum float64) {
		for k := i / n; k < programs; k += 2 {
			sum += row(k*n + i%n)
		}
		return sum
	}))
}

// TestHandOver: threads see what the program has acquired, and nothing newer where it has not.
func TestHandOver(t *testing.T) {
	const programs, n = 2, 256
	for _, c := range []struct {
		kernel, release, acquire, scope string
		ordered                         bool
	}{
		{handOver, "release", "acquire", "gpu", true}, {handOver, "acq_rel", "acq_rel", "gpu", true}, {handOver, "release", "acq_rel", "sys", true},
		{handOver, "relaxed", "acquire", "gpu", false}, {handOver, "release", "relaxed", "gpu", false}, {handOver, "acq_rel", "acq_rel", "cta", false},
		{polled, "release", "acquire", "gpu", true}, {polled, "release", "acquire", "sys", true},
		{polled, "relaxed", "acquire", "gpu", false}, {polled, "release", "relaxed", "gpu", false},
	} {
		name := fmt.Sprintf("%s, %s, %s", c.release, c.acquire, c.scope)
		text := strings.NewReplacer("RELEASE", quoted(c.release), "ACQUIRE", quoted(c.acquire), "SCOPE", quoted(c.scope)).Replace(c.kernel)
		fn := compiled(t, "hand_over", text, fmt.Sprintf("*fp32:16, *i32:16, *fp32:16, %d", n))
		want := floats(programs*n, func(i int) float64 { return float64(i/n) * float64(n-i%n) })
		stale, runs := 0, uint64(4*orderSeeds)
		if !c.ordered {
			runs = 400 // until one sees it: of a flag that comes before the data, few do
		}
		for seed := uint64(0); seed < runs && stale == 0; seed++ {
			args := []tile.Arg{floats(n, zero), words(1), floats(programs*n, zero)}
			got, err := simulated(t, fn, [3]int{programs, 1, 1}, args, ptx.Options{Target: "sm_90a", NumWarps: 4}, nil, seed)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if !slices.Equal(got.buffers[2], want.Data) {
				stale++
			}
		}
		if c.ordered != (stale == 0) {
			t.Errorf("%s: %d of %d runs saw old data", name, stale, runs)
		}
	}
}

// leaves runs a kernel on the simulator under several seeds and compares its first arguments with what is wanted.
func leaves(t *testing.T, name string, fn *ir.Func, programs int, args func() []tile.Arg, want ...tile.Buffer) {
	t.Helper()
	for _, warps := range []int{1, 4} {
		for seed := range uint64(orderSeeds) {
			got, err := simulated(t, fn, [3]int{programs, 1, 1}, args(), ptx.Options{Target: "sm_90a", NumWarps: warps}, nil, seed)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			for i, w := range want {
				if at := differs(w.DType, got.buffers[i], w.Data); at >= 0 {
					t.Errorf("%s, %d warps, seed %d: element %d of argument %d is %v, want %v", name, warps, seed, at, i,
						element(w.DType, got.buffers[i], at), element(w.DType, w.Data, at))
				}
			}
		}
	}
}

func element(d num.DType, raw []byte, i int) num.Scalar {
	v := num.MakeVec(d.Info().Class, 1)
	num.LoadAt(d, v, 0, raw, i)
	return num.ScalarAt(d, v, 0)
}

// TestOrderAsWritten: no instruction has a weaker order than the program asks for, also where nobody wants what it
// returns. red takes no acquire.
func TestOrderAsWritten(t *testing.T) {
	const kernel = `
def kernel(x, old, B: tl.constexpr):
    i = tl.arange(0, B)
    WAS = tl.atomic_OP
    USE
`
	for _, c := range []struct{ op, sem, plain, fetched string }{
		{"add(x, 1, sem=SEM)", "relaxed", "red.relaxed.gpu.global.add.u32", "atom.relaxed.gpu.global.add.u32"},
		{"add(x, 1, sem=SEM)", "release", "red.release.gpu.global.add.u32", "atom.release.gpu.global.add.u32"},
		{"add(x, 1, sem=SEM)", "acquire", "atom.acquire.gpu.global.add.u32", "atom.acquire.gpu.global.add.u32"},
		{"add(x, 1, sem=SEM, scope=\"sys\")", "acq_rel", "atom.acq_rel.sys.global.add.u32", "atom.acq_rel.sys.global.add.u32"},
		{"xchg(x, 1, sem=SEM)", "acq_rel", "atom.acq_rel.gpu.global.exch.b32", "atom.acq_rel.gpu.global.exch.b32"},
		{"cas(x, 1, 2, sem=SEM, scope=\"cta\")", "acquire", "atom.acquire.cta.global.cas.b32", "atom.acquire.cta.global.cas.b32"},
		{"add(x + i, 1, sem=SEM)", "acq_rel", "fence.acq_rel.gpu atom.relaxed.gpu.global.add.u32 fence.acq_rel.gpu",
			"fence.acq_rel.gpu atom.relaxed.gpu.global.add.u32 fence.acq_rel.gpu"},
		{"add(x + i, 1, sem=SEM)", "release", "fence.acq_rel.gpu red.relaxed.gpu.global.add.u32", "fence.acq_rel.gpu atom.relaxed.gpu.global.add.u32"},
		{"add(x + i, 1, sem=SEM)", "acquire", "atom.relaxed.gpu.global.add.u32 fence.acq_rel.gpu", "atom.relaxed.gpu.global.add.u32 fence.acq_rel.gpu"},
	} {
		for _, fetched := range []bool{false, true} {
			use, want := "pass", c.plain
			if fetched {
				use, want = "tl.store(old + i, WAS)", c.fetched
			}
			text := strings.NewReplacer("OP", strings.Replace(c.op, "SEM", quoted(c.sem), 1), "USE", use).Replace(kernel)
			fn := compiled(t, "order", strings.ReplaceAll(text, "WAS", "was"), "*i32:16, *i32:16, 256")
			m, err := ptx.Compile(fn, ptx.Options{Target: "sm_90a", NumWarps: 4, Launch: plan.Launch{Proved: func(*ir.Instr) bool { return true }}})
			if err != nil {
				t.Fatal(err)
			}
			got := slices.Compact(regexp.MustCompile(`(?m)\b(atom|red|fence)\.[\w.]+`).FindAllString(m.Text, -1))
			if s := strings.Join(got, " "); s != want {
				t.Errorf("%s, %s, fetched %t: %s, want %s", c.op, c.sem, fetched, s, want)
			}
		}
	}
}
