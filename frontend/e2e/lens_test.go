package e2e

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/newtlab/newt/infra/soak"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/device/cpu"
)

// lensLines are the texts of the lens's table by line; lensReady tells that it is of the current text.
const (
	lensReady = `document.querySelector(".lens[aria-busy=false] .lens-table")`
	lensLines = `[...document.querySelectorAll("#view-lens section:first-of-type tbody tr")].map((row) => [...row.cells].map((cell) => cell.innerText.trim()).join("|"))`
)

// TestLens: the lens says how many sectors each line moves of what a recount gives, follows the text, and leads to the line.
func TestLens(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/puzzle/2")
	p.pictured(addBlock())
	p.showView("lens")
	// 200 elements of fp32 are 25 sectors of 32 bytes, in seven blocks of which each begins at a sector. Each of the four
	// warps loads a copy of its block, which has 32 elements; one warp stores it.
	p.wait("the sectors of load and store", lensReady+` && `+lensLines+`.some((row) => row.includes("|100, ideal")) && `+lensLines+`.some((row) => row.includes("tl.store") && row.includes("|25, ideal"))`)
	p.wait("the sentence", `document.querySelector("#view-lens").innerText.includes("7 programs of 128 threads") && document.querySelector("#view-lens").innerText.includes("as few sectors of global memory")`)
	p.wait("the roofline", `document.querySelector(".lens-roofline svg[role=img]")?.ariaLabel.includes("H200 SXM")`)
	line := 1 + strings.Count(addBlock()[:strings.Index(addBlock(), "tl.load")], "\n")
	if n := eval[int](p, `[...document.querySelectorAll(".lens th")].filter((th) => !th.innerText.trim()).length`); n > 0 {
		t.Errorf("%d headings of the tables are empty", n)
	}
	p.js(fmt.Sprintf(`[...document.querySelectorAll(".lens-table th button")].find((b) => b.innerText === "%d").focus()`, line))
	p.key(kb.Enter)
	p.wait("its line", editor+`.querySelector(".cm-activeLine")?.textContent.includes("tl.load")`)
	p.write(strings.Replace(addBlock(), "tl.load(x_ptr + i", "tl.load(x_ptr + i * 8 % 200", 1))
	p.wait("what a stride wastes", `document.querySelector("#view-lens").innerText.includes("wastes the most") && document.querySelector(".lens-bar .beyond[width]:not([width='0'])")`)
	p.write("import triton\n")
	p.wait("nothing to simulate", `document.querySelector("#view-lens .fault, #view-lens .empty")`)
}

// TestLensOfADocument: the lens is of the launch that a document shows.
func TestLensOfADocument(t *testing.T) {
	soak.Only(t, "TestLens has the counts, TestMemoryOfADocument the launches of a document")
	t.Parallel()
	p := open(t, "en", "#/document")
	p.wait("the document page", `document.querySelector("#open-file")`)
	p.showView("lens")
	p.wait("no launch", `document.querySelector("#view-lens .empty")`)
	p.write(manyPrograms)
	p.key(kb.Enter, chromedp.ModifierCtrl)
	p.wait("the sample", lensReady+` && document.querySelector("#view-lens").innerText.includes("1,000 programs")`)
	p.wait("its line", lensLines+`.some((row) => row.startsWith("9|") && row.includes("tl.load"))`)
}

// TestLaunchOfCode: the views of the code and the lens are of the launch that is chosen in them, also once the text was edited
// and has run again.
func TestLaunchOfCode(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/document")
	p.wait("the document page", `document.querySelector("#open-file")`)
	script := `import torch
import triton
import triton.language as tl
@triton.jit
def fill(x_ptr, B: tl.constexpr): tl.store(x_ptr + tl.program_id(0) * B + tl.arange(0, B), 1.0)
x = torch.zeros(1024, device="cuda")
fill[(8,)](x, B=128)
fill[(4,)](x, B=256, num_warps=8, num_stages=2)`
	p.write(script)
	p.key(kb.Enter, chromedp.ModifierCtrl)
	const picked = `document.querySelector("#memory-launch:enabled")?.selectedOptions[0].label`
	p.showView("ptx")
	p.wait("the last launch", picked+` === "2: fill[(4)] num_warps=8 num_stages=2 B=256" && document.querySelector(".code").innerText.includes("Launch 2: fill")`)
	p.js(`const s = document.querySelector("#memory-launch"); s.value = "1"; s.dispatchEvent(new Event("change", { bubbles: true }))`)
	p.wait("the first one's code", picked+` === "1: fill[(8)] num_warps=4 num_stages=3 B=128" && document.querySelector(".code").innerText.includes("Launch 1: fill")`)
	p.showView("lens")
	p.wait("its costs", lensReady+` && document.querySelector("#view-lens").innerText.includes("8 programs of 128 threads")`)
	p.write(script + "\n# edited\n")
	p.key(kb.Enter, chromedp.ModifierCtrl)
	p.wait("a second run", `document.querySelector(".outline").innerText.includes("[2]") && `+lensReady+` && `+picked+`?.includes("fill[(8)]") && document.querySelector("#view-lens").innerText.includes("8 programs")`)
	p.showView("layouts")
	p.wait("its layouts", picked+`?.includes("fill[(8)]") && document.querySelector(".code").innerText.includes("[128]")`)
}

// TestLaunchNames: the names of launches with many arguments stay within the pane, and so do its texts; while a run goes on
// that the lens waits for, it says so.
func TestLaunchNames(t *testing.T) {
	soak.Only(t, "TestLaunchOfCode chooses launches")
	t.Parallel()
	p := open(t, "en", "#/document")
	p.wait("the document page", `document.querySelector("#open-file")`)
	p.showView("ptx")
	p.wait("room beside the text", `parseFloat(getComputedStyle(document.querySelector("#view-ptx > .empty") ?? document.body).paddingLeft) > 10`)
	p.write(`import torch
import triton
import triton.language as tl
@triton.jit
def fill(output_ptr, first_stride, second_stride, third_stride, BLOCK_SIZE: tl.constexpr):
    tl.store(output_ptr + tl.program_id(0) * BLOCK_SIZE + tl.arange(0, BLOCK_SIZE), 1.0)
for n in [128, 256]:
    fill[(n,)](torch.zeros(n * n, device="cuda"), n, 2 * n, 3 * n, BLOCK_SIZE=n)
# %%
while True: pass
`)
	p.key(kb.Home, chromedp.ModifierCtrl)
	p.key(kb.Enter, chromedp.ModifierCtrl)
	p.wait("the launches", `document.querySelectorAll("#memory-launch:enabled option").length === 2`)
	if !eval[bool](p, `document.querySelector("#memory-launch").getBoundingClientRect().right <= document.querySelector("#view-ptx").getBoundingClientRect().right`) {
		t.Error("the names of launches stand out of their pane")
	}
	p.click(`document.querySelector("#run-all")`)
	p.wait("the second cell", `document.querySelectorAll(".outline-code")[1]?.dataset.state === "running"`)
	p.showView("lens")
	p.wait("what it waits for", `document.querySelector("#view-lens")?.innerText.includes("simulated when the run has ended")`)
	p.click(`document.querySelector(".bar .run.stop")`)
	p.wait("the lens", lensReady)
}

// named is a device under another name.
type named struct {
	device.Device
	name string
}

func (d named) Capabilities() device.Capabilities {
	c := d.Device.Capabilities()
	c.Name = d.name
	return c
}

// TestLensMeasured: the lens sets what a runner measured of its launch beside the model's figures, as long as the text and the
// launch are those that were timed. A device that the model knows is compared with it, another one is not.
func TestLensMeasured(t *testing.T) {
	t.Parallel()
	axe := axeSource(t)
	for _, c := range []struct{ device, says, saysNot, zh string }{
		{"NVIDIA H200", "The model’s least for H200 SXM is", "sets no bound", "模型给出的 H200 SXM 最短时间是"},
		{"Another GPU", "sets no bound", "times as long", "不能作为这个设备的下限"},
	} {
		t.Run(c.device, func(t *testing.T) {
			t.Parallel()
			p := open(t, "en", "#/puzzle/2")
			p.pictured(addBlock())
			p.showView("lens")
			p.wait("the model alone", lensReady+` && document.querySelector("#view-lens").innerText.includes("Nothing here is measured.") && !document.querySelector("#lens-measured")`)
			p.addRunner(newRunnerWith(t, testToken, named{cpu.New(cpu.Options{}), c.device}).address(), testToken)
			p.chooseDevice()
			p.runThere()
			p.wait("times", `document.querySelector("#timings")`)
			median := p.text("#timings tbody td")
			p.showView("lens")
			section := `(document.querySelector("#lens-measured")?.closest("section").innerText ?? "")`
			p.wait("what was measured", section+`.includes("Measured on `+c.device+`: ")`)
			if got := eval[string](p, section); !strings.Contains(got, c.says) || strings.Contains(got, c.saysNot) {
				t.Errorf("the lens says %q", got)
			}
			if got, want := p.text(`section[aria-labelledby="lens-measured"] tbody td`), amount(t, median); math.Abs(amount(t, got)-want) > want/50 {
				t.Errorf("the lens has a time of %s, the result of %s", got, median)
			}
			if ring := eval[bool](p, `[...document.querySelectorAll(".lens-roofline text")].some((e) => e.textContent === "measured")`); ring != (c.saysNot == "sets no bound") {
				t.Errorf("the time is in the roofline: %v", ring)
			}
			p.picture("lens-measured-" + c.device)
			p.click(`document.querySelector("#language")`)
			p.js(`document.documentElement.dataset.theme = "dark"`)
			p.wait("Chinese", section+`.includes("`+c.zh+`")`)
			eval[bool](p, axe+"; true")
			for _, width := range soak.Variants[int64](1440, 390) {
				p.do(chromedp.EmulateViewport(width, 900))
				p.js(`document.querySelectorAll(".tabs button")[2]?.click()`)
				p.auditWidth("lens-measured", width)
			}
			p.write(addBlock() + "# edited\n")
			p.wait("the model alone again", lensReady+` && !document.querySelector("#lens-measured")`)
		})
	}
}

// amount is a time as the page writes it, in nanoseconds.
func amount(t *testing.T, text string) float64 {
	t.Helper()
	number, unit, _ := strings.Cut(text, " ")
	n, err := strconv.ParseFloat(number, 64)
	scale, ok := map[string]float64{"ns": 1, "µs": 1e3, "ms": 1e6, "s": 1e9}[unit]
	if err != nil || !ok {
		t.Fatalf("%q is no time", text)
	}
	return n * scale
}

// TestLensAccessibility: axe-core on the lens in both themes and languages, at three widths.
func TestLensAccessibility(t *testing.T) {
	soak.Only(t, "TestViewsZoomed has axe-core see each view in both themes and languages")
	t.Parallel()
	axe := axeSource(t)
	for _, c := range appearances() {
		p := open(t, c.lang, "#/puzzle/11")
		p.choose(fmt.Sprintf(`{"lang":%q,"theme":%q}`, c.lang, c.theme))
		p.pictured(solution(11))
		p.showView("lens")
		p.wait("the lens", lensReady+` && document.querySelector(".lens-roofline svg")`)
		eval[bool](p, axe+"; true")
		for _, width := range soak.Variants[int64](1440, 1024, 390) {
			p.do(chromedp.EmulateViewport(width, 900))
			p.js(`document.querySelectorAll(".tabs button")[2]?.click()`)
			p.auditWidth(fmt.Sprintf("lens-%s-%s", c.lang, c.theme), width)
		}
	}
}
