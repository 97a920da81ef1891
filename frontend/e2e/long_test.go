package e2e

import (
	"fmt"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/newtlab/newt/infra/soak"
)

// longScript prints and launches for some seconds.
const longScript = `import time, torch, triton
import triton.language as tl

@triton.jit
def fill(x_ptr, v, B: tl.constexpr):
    tl.store(x_ptr + tl.program_id(0) * B + tl.arange(0, B), v)

x = torch.zeros(4096, device="cuda")
began, n = time.time(), 0
while time.time() - began < %d:
    fill[(16,)](x, n, B=256)
    n += 1
    print("round", n, x[0].item())
print("end")`

// TestOutputIsCut: output beyond the limit is left out with a note in the page's language, and the script goes on.
func TestOutputIsCut(t *testing.T) {
	t.Parallel()
	for _, c := range soak.Variants([2]string{"zh", "这个单元格的输出太长"}, [2]string{"en", "the output of this cell is too long"}) {
		lang, note := c[0], c[1]
		p := open(t, lang, "#/document")
		p.write("for i in range(4000): print('line', i, '.' * 90)\nlast = i")
		p.key(kb.Enter, chromedp.ModifierCtrl)
		p.output(0, note)
		p.wait("the end", endedCells+" === 1")
		if size := eval[int](p, cellOutputs+`[0].length`); size > 300_000 {
			t.Errorf("%s: %d characters are shown", lang, size)
		}
		p.write("print('last is', last)")
		p.key(kb.Enter, chromedp.ModifierCtrl)
		p.wait("the script's end", fmt.Sprintf(`%s.some((o) => o.includes("last is 3999"))`, cellOutputs))
	}
}

// TestLongScript measures a script that runs and prints for a minute: the page's long tasks, its memory, and the time
// that Stop takes.
//
//	go test ./frontend/e2e -run TestLongScript -v -timings 60
func TestLongScript(t *testing.T) {
	if *timings == 0 {
		t.Skip("not asked for")
	}
	p := open(t, "en", "#/document")
	p.write(fmt.Sprintf(longScript, 10**timings))
	p.js(`probe.watchLongTasks()`)
	const heap = `performance.memory.usedJSHeapSize / 1e6`
	p.key(kb.Enter, chromedp.ModifierCtrl)
	p.output(0, "round 1 ")
	before := eval[float64](p, heap)
	time.Sleep(time.Duration(*timings) * time.Second) // the measured time itself
	tasks := eval[[]int](p, `probe.longTasks`)
	after := eval[float64](p, heap)
	took := eval[float64](p, `probe.stopTime()`)
	t.Logf("%d s: %d long tasks %v ms; heap %.1f MB, then %.1f MB; stopped in %.0f ms", *timings, len(tasks), tasks, before, after, took)
}
