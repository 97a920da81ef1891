package ptx_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ptx"
	"github.com/newtlab/newt/compiler/ptx/plan"
	"github.com/newtlab/newt/interp/placed"
	"github.com/newtlab/newt/interp/tile"
)

// stagedKernel is a product whose loop carries one pointer and computes the other.
const stagedKernel = `
def staged(a_ptr, b_ptr, c_ptr, K, N, B: tl.constexpr):
    r = tl.arange(0, B)
    pid = tl.program_id(0)
    cols = (pid * B + r) % N
    a = a_ptr + r[:, None] * K + r[None, :]
    acc = tl.zeros((B, B), dtype=tl.float32)
    for k in range(0, K, B):
        x = tl.load(a, mask=(k + r)[None, :] < K, other=0.0)
        y = tl.load(b_ptr + (k + r)[:, None] * N + cols[None, :], mask=(k + r)[:, None] < K, other=0.0)
        acc = tl.dot(x, y, acc)
        a += B
    tl.store(c_ptr + r[:, None] * N + (pid * B + r)[None, :], acc, mask=(pid * B + r)[None, :] < N)
`

// TestStagedLoops: functions with pipelined loops and persistent thread blocks are well formed, mean what the kernel
// does when threads run them in any order, and have neither hazards nor copies that nobody waits for.
func TestStagedLoops(t *testing.T) {
	yes := func(*ir.Instr) bool { return true }
	for _, c := range []struct {
		name string
		b    int
		opt  ptx.Options
		in   num.DType
		plus string // what the sums begin with
	}{
		{"cp.async, two stages", 16, ptx.Options{Target: "sm_80", NumStages: 2}, num.Float16, ""},
		{"cp.async, three stages", 16, ptx.Options{Target: "sm_80", NumStages: 3}, num.Float16, ""},
		{"cp.async, in flight", 64, ptx.Options{Target: "sm_90a", NumStages: 3}, num.Float16, ""},
		{"bytes that threads transpose", 64, ptx.Options{Target: "sm_90a", NumStages: 3}, num.Float8E4M3, ""},
		{"words that threads load", 64, ptx.Options{Target: "sm_90a", NumStages: 3}, num.Float32, ""},
		{"tensor copies, ahead", 64, ptx.Options{Target: "sm_90a", NumStages: 2, Launch: plan.Launch{Boxes: yes}, EveryBox: true}, num.Float16, ""},
		{"tensor copies", 64, ptx.Options{Target: "sm_90a", NumStages: 3, Launch: plan.Launch{Boxes: yes}, EveryBox: true}, num.Float16, ""},
		{"tensor copies over scratch memory", 64, ptx.Options{Target: "sm_90a", NumStages: 3, Launch: plan.Launch{Boxes: yes}, EveryBox: true},
			num.Float16, " + tl.sum(tl.arange(0, 1024))"},
		{"persistent", 64, ptx.Options{Target: "sm_90a", NumStages: 3, Launch: plan.Launch{Boxes: yes}, EveryBox: true, Persistent: true}, num.Float16, ""},
	} {
		kernel := strings.Replace(stagedKernel, "dtype=tl.float32)\n", "dtype=tl.float32)"+c.plus+"\n", 1)
		fn := compiled(t, "staged", kernel, fmt.Sprintf("*%s:16, *%[1]s:16, *fp32:16, i32:16, i32:16, %[2]d",
			c.in.Info().Short, c.b))
		c.opt.Proved, c.opt.Bounded = yes, yes
		p := ptx.Plan(fn, c.opt)
		if errs := ir.VerifyPlaced(p.Func); len(errs) > 0 {
			t.Fatalf("%s: %v\n%s", c.name, errs[0], p.Func)
		}
		loads := strings.Contains(p.Func.String(), "local_load")
		if len(p.Async) == 0 || loads != (c.in != num.Float16) || c.opt.Persistent != (p.Persistent != nil) {
			t.Fatalf("%s: not planned so\n%s", c.name, p.Func)
		}
		for _, k := range []int{0, c.b, 2*c.b + 16, 4 * c.b} {
			const programs = 3
			n := programs * c.b
			args := func() []tile.Arg {
				factor := func(count, by int) tile.Buffer {
					b := tile.Buffer{DType: c.in, Data: make([]byte, c.in.Info().Bytes*count)}
					for i := range count {
						num.StoreAt(b.DType, b.Data, i, num.FromInt(b.DType, int64(i*by%7)-3).Vec(), 0)
					}
					return b
				}
				scalar := func(n int) tile.Scalar { return tile.Scalar{Scalar: num.FromInt(num.Int32, int64(n))} }
				return []tile.Arg{factor(max(1, c.b*k), 3), factor(max(1, k*n), 5),
					tile.Buffer{DType: num.Float32, Data: make([]byte, 4*c.b*n)}, scalar(k), scalar(n)}
			}
			want := interpreted(t, fn, [3]int{programs, 1, 1}, args())
			for seed := range uint64(2) {
				got, blocks := args(), programs
				launched := got
				if p.Persistent != nil {
					blocks = 2
					launched = append(launched, tile.Scalar{Scalar: num.FromInt(num.Int32, programs)})
				}
				report, fault := placed.Run(t.Context(), p.Func, tile.Launch{Grid: [3]int{blocks, 1, 1}, Args: launched}, seed)
				if fault != nil || len(report.Violations) > 0 {
					t.Fatalf("%s, K = %d: %v %v\n%s", c.name, k, fault, report.Violations, p.Func)
				}
				for _, h := range report.Hazards {
					t.Errorf("%s, K = %d: %s", c.name, k, h.Diagnostic().In(diag.English).Headline)
				}
				if !slices.Equal(got[2].(tile.Buffer).Data, want.buffers[2]) {
					t.Fatalf("%s, K = %d, seed %d: another product\n%s", c.name, k, seed, p.Func)
				}
			}
		}
	}
}
