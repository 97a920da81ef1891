package e2e

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/newtlab/newt/interp/device/gpu"
)

// sweepDocument tunes a kernel, then uses a tensor that an earlier launch has left on the device.
const sweepDocument = `import torch
import triton
import triton.language as tl

@triton.autotune([triton.Config({"B": b}) for b in (16, 32)], ["n"], restore_value=["x"], warmup=1, rep=1)
@triton.jit
def add_one(x, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(x + i, tl.load(x + i, i < n) + 1, i < n)

x = torch.zeros(32, device="cuda")
add_one[lambda meta: (triton.cdiv(32, meta["B"]),)](x, 32)
# %%
add_one[lambda meta: (triton.cdiv(32, meta["B"]),)](x, 32)
print("sum", x.sum().item())`

// TestDocumentOnDevice: a document runs on a runner's device, where its tensors stay from cell to cell; a sweep is drawn
// config by config. Its variables and its tensors are still there for a cell that runs alone.
func TestDocumentOnDevice(t *testing.T) {
	t.Parallel()
	r := newRunnerWith(t, testToken, gpu.Open(gpu.NewSimulator(gpu.SimulatorOptions{}), gpu.Options{}))
	p := open(t, "en", "#/document")
	p.addRunner(r.address(), testToken)
	p.chooseDevice()
	p.write(sweepDocument)
	p.startThere()
	p.wait("both cells", endedCells+" === 2")
	p.output(1, "sum 64")
	p.wait("where it ran", `document.querySelector(".on-device-outcome")`)
	p.wait("the sweep", `document.querySelectorAll(".sweep tbody tr").length === 2`)
	p.wait("its end", `document.querySelector(".sweep figcaption").innerText.includes("2 of 2 measured")`)
	if n := eval[int](p, `document.querySelectorAll(".sweep .best").length`); n != 1 {
		t.Errorf("%d configs are the best", n)
	}
	p.picture("sweep")
	p.js(editor + `.focus()`)
	p.key(kb.End, chromedp.ModifierCtrl)
	p.insert("\nprint(x.device, 'again', x[3].item())")
	p.key(kb.Enter, chromedp.ModifierCtrl)
	p.output(1, "cuda:0 again 3.0")
	p.wait("the device in the session's words", `document.querySelector(".session")?.innerText.includes("CUDA tensors are on")`)
	p.click(`document.querySelector("#run-all")`)
	p.wait("the page's own run", endedCells+` === 2 && !document.querySelector(".session")?.innerText.includes("CUDA tensors are on")`)
	p.output(1, "sum 64")
}
