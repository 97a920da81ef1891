package api

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/wasm/rpc"
)

// TestSkipSweep: each point of a sweep is told before it is measured; one that is skipped leaves out the rest of its
// sweep, and the cell goes on.
func TestSkipSweep(t *testing.T) {
	s := newDocumentServer(testBudget, testLibraries)
	n := &notebook{T: t, server: s, text: `import time, triton.testing as T
@T.perf_report(T.Benchmark(x_names=['N'], x_vals=[1, 2, 3, 4, 5, 6], line_arg='p', line_vals=['a'], line_names=['a'], plot_name='speed', args={}))
def bench(N, p):
    time.sleep(0.1)
    return float(N)
for again in range(2):
    print(bench.run(return_df=True).shape[0], 'rows')
`}
	skip, _ := json.Marshal(Request{Lang: "en", Stop: &StopRequest{Sweep: true}})
	skipped := false
	var points []int
	var left float64
	n.heard = func(r *DocumentReply) {
		if r.Sweeping == nil {
			return
		}
		points, left = append(points, r.Sweeping.Number), max(left, r.Sweeping.LeftMS)
		if r.Sweeping.Name != "speed" || r.Sweeping.Total != 6 {
			t.Errorf("it is said of %+v", *r.Sweeping)
		}
		if r.Sweeping.Number >= 3 && !skipped {
			skipped = true
			s.accept(rpc.Message{Call: 1, Text: skip}, func(rpc.Message) { t.Error("a reply to the skip") })
		}
	}
	got := n.run("one")
	if text := strings.Join(got.outputs, " "); strings.Count(text, "rows") != 2 || strings.Count(text, "6 rows") != 1 || !got.ended[0] {
		t.Errorf("%v: %q", got.ended, got.outputs)
	}
	if !skipped || left < 100 {
		t.Errorf("points %v, at most %v ms left", points, left)
	}
	if d := got.last.Diagnostics; len(d) != 0 {
		t.Errorf("who skips a sweep is told %+v", d)
	}
}

// TestTritonRefuses: what Triton refuses for want of shared memory is a warning at the launch with Triton's words, and
// its exception where a document runs strictly.
func TestTritonRefuses(t *testing.T) {
	with := testLibraries
	with.TritonShared = func(_ *ir.Func, target string, o device.Options) (required, limit int) {
		if target != "sm_90a" {
			t.Errorf("it is asked of %s", target)
		}
		return 100_000 * o.NumStages, 232_448
	}
	for _, strict := range []bool{false, true} {
		n := &notebook{T: t, server: newDocumentServer(testBudget, with), text: addCells, strict: strict}
		got := n.run("one")
		var at []int
		for _, d := range got.last.Diagnostics {
			if d.Code == "triton-shared-memory" {
				at = append(at, d.Line)
				if !strings.Contains(d.Triton+d.Headline, "300000") || (d.Severity == "error") != strict || !strings.Contains(d.Headline, "sm_90a") {
					t.Errorf("strict %v: %+v", strict, d)
				}
			}
		}
		if len(at) != 1 {
			t.Errorf("strict %v: it is said at the lines %v: %+v", strict, at, got.last.Diagnostics)
		}
		if raised := strings.Contains(strings.Join(got.outputs, " "), "OutOfResources"); raised != strict {
			t.Errorf("strict %v: %q", strict, got.outputs)
		}
	}
}
