package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/newtlab/newt/puzzles"
)

// addBlock is puzzle 2's solution; addOutside is the same without the masks, whose last program reads and writes past the end.
func addBlock() string {
	puzzle, _ := puzzles.Get(2)
	return puzzle.Text.Solutions[0].Source
}

func addOutside() string {
	return strings.ReplaceAll(strings.ReplaceAll(addBlock(), ", mask=mask", ""), "    mask = i < N0\n", "")
}

// captionOf is the sentence under a tensor's picture.
func captionOf(tensor string) string {
	return fmt.Sprintf(`document.querySelector("[data-tensor=%s] figcaption")?.textContent`, tensor)
}

// colourAt is the colour in the middle of a cell of a tensor's picture, in a picture whose rows have 32 cells.
func colourAt(tensor string, cell int) string {
	return fmt.Sprintf(`(() => {
		const c = document.querySelector("[data-tensor=%s] canvas"), rows = Math.ceil(c.dataset.cells / 32);
		const x = (%d + 0.5) * c.width / 32, y = (%d + 0.5) * c.height / rows;
		return c.getContext("2d").getImageData(x, y, 1, 1).data.join();
	})()`, tensor, cell%32, cell/32)
}

// TestMemoryComesFirst: a puzzle opens with the memory view, which follows the text without Run; a run shows the verdict, and a
// mark of it stays on its tab.
func TestMemoryComesFirst(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/puzzle/2")
	p.wait("the view", `document.querySelector("#tab-memory[aria-selected=true]") && document.querySelector("#view-memory")`)
	p.write(addBlock())
	p.wait("a picture of each tensor", `document.querySelectorAll("#view-memory canvas").length === 2`)
	p.wait("seven programs", `document.querySelectorAll("[data-program]").length === 7`)
	p.run()
	p.wait("the verdict's mark", `document.querySelector("#tab-result[aria-selected=true] .badge-pass")`)
	p.click(`document.querySelector("#tab-memory")`)
	p.wait("the tests", `document.querySelectorAll("#memory-test option").length === 5`)
	p.js(`const s = document.querySelector("#memory-test"); s.value = "1"; s.dispatchEvent(new Event("change", { bubbles: true }))`)
	p.wait("another test's tensor", `!document.querySelector("[data-tensor=x] .memory-name").textContent.includes("[200]")`)
}

// TestMemoryOfAMask: the last program of puzzle 2 reads and writes 8 elements; its steps, by keyboard, fill in what it writes.
func TestMemoryOfAMask(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/puzzle/2")
	p.expect("willReadFrequently")
	p.write(addBlock())
	p.click(`document.querySelector("[data-program='6']")`)
	p.wait("the sentences", captionOf("x")+`?.includes("x[192:200]") && `+captionOf("z")+`?.includes("z[192:200]") && `+captionOf("z")+`.includes("24")`)
	p.wait("cells for the masked lanes", `document.querySelector("[data-tensor=z] canvas").dataset.cells === "224"`)
	last := eval[string](p, colourAt("z", 192))

	p.js(`document.querySelector(".timeline-strip").focus()`)
	p.key(kb.Home)
	p.wait("nothing written", captionOf("z")+`.includes("does not touch z")`)
	if first := eval[string](p, colourAt("z", 192)); first == last {
		t.Errorf("z[192] has the colour %s before and after its store", first)
	}
	steps := eval[int](p, `Number(document.querySelector(".timeline-strip").ariaValueMax)`)
	for range steps - 1 {
		p.key(kb.ArrowRight)
	}
	p.wait("the last step", captionOf("z")+`.includes("z[192:200]")`)
	if again := eval[string](p, colourAt("z", 192)); again != last {
		t.Errorf("z[192] has the colour %s after all steps, and %s when they are shown at once", again, last)
	}
	if got := eval[int](p, `document.querySelector("#editor").shadowRoot.querySelectorAll(".cm-step-line").length`); got != 1 {
		t.Errorf("%d lines of the step are marked", got)
	}
	p.wait("values in the code", `[...document.querySelector("#editor").shadowRoot.querySelectorAll(".cm-line-value")].some((c) => c.dataset.text.includes("8 of 32 true"))`)
	if source := p.source(); source != strings.TrimRight(addBlock(), "\n") {
		t.Errorf("the values are part of the text:\n%s", source)
	}

	p.js(`document.querySelector("[data-program='6']").focus()`)
	p.key(kb.ArrowLeft)
	p.wait("the program before", captionOf("z")+`.includes("z[160:192]") && document.activeElement.dataset.program === "5"`)
	p.click(`document.querySelector("#all-programs")`)
	p.wait("all programs", captionOf("z")+`.includes("200 elements written")`)
	p.js(`document.querySelector("[data-tensor=z] .memory-picture").focus()`)
	p.key(kb.ArrowRight)
	p.wait("a cell", `document.querySelector("[data-tensor=z] .memory-cell").innerText.includes("written by program 0")`)
}

// TestMemoryOutside: lanes past the end are shown and said, and the first problem is one key press away.
func TestMemoryOutside(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/puzzle/2")
	p.write(addOutside())
	p.wait("the pictures", captionOf("x"))
	p.click(`document.querySelector("[data-program='0']")`)
	p.wait("program 0", captionOf("x")+`.includes("x[0:32]")`)
	p.js(`document.querySelector("#first-problem").focus()`)
	p.key(kb.Enter)
	p.wait("the first problem", captionOf("x")+`.includes("24 lanes") && document.querySelector("[data-program='6'][aria-checked=true]") && document.querySelector(".timeline-block.now.wrong")`)
	p.wait("its line", `document.querySelector("#editor").shadowRoot.querySelector(".cm-step-line")?.textContent.includes("tl.load")`)
}

// TestMemoryFollowsEdits: an edit shows at once; one that does not compile keeps the last picture and says so.
func TestMemoryFollowsEdits(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/puzzle/2")
	p.write(addBlock())
	p.wait("the sentence", captionOf("z"))
	p.click(`document.querySelector("[data-program='1']")`)
	p.wait("a block", captionOf("z")+`.includes("z[32:64]")`)
	p.write(strings.ReplaceAll(addBlock(), "z_ptr + i", "z_ptr + i + 1"))
	p.wait("the next element", captionOf("z")+`.includes("z[33:65]")`)
	p.write(strings.ReplaceAll(addBlock(), "z_ptr + i", "z_ptr + j"))
	p.wait("why it is outdated", `document.querySelector("[data-outdated=true]") && document.querySelector("#view-memory .problem-text")?.innerText.includes("j")`)
	if !eval[bool](p, captionOf("z")+`.includes("z[33:65]")`) {
		t.Error("the last picture is gone")
	}
	p.write(addBlock())
	p.wait("a picture of the text", `document.querySelector("[data-outdated=false]") && `+captionOf("z")+`.includes("z[32:64]")`)
}

// TestMemoryBlock: a value in the code opens its block; values can be switched off.
func TestMemoryBlock(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/puzzle/2")
	p.write(addBlock())
	const chips = `[...document.querySelector("#editor").shadowRoot.querySelectorAll(".cm-line-value")]`
	p.wait("values", chips+`.some((c) => c.dataset.text.startsWith("x "))`)
	p.click(chips + `.find((c) => c.dataset.text.startsWith("x "))`)
	p.wait("the block of x", `document.querySelector(".memory-block figcaption")?.textContent.startsWith("x: float32[32]")`)
	p.click(`document.querySelector(".memory-block > .tool")`)
	p.wait("no block", `!document.querySelector(".memory-block")`)
	p.click(`document.querySelector("#line-values")`)
	p.wait("no values", chips+`.length === 0`)
	p.key(kb.F9, chromedp.ModifierShift)
	p.wait("a step back", `(({ ariaValueNow, ariaValueMax }) => Number(ariaValueNow) === Number(ariaValueMax) - 1)(document.querySelector(".timeline-strip"))`)
}

// TestMemoryAccessibility: axe-core in both themes and languages, on a phone too, where nothing is wider than the page.
func TestMemoryAccessibility(t *testing.T) {
	t.Parallel()
	axe := axeSource(t)
	for _, c := range []struct{ lang, theme string }{{"en", "light"}, {"zh", "dark"}} {
		p := open(t, c.lang, "#/puzzle/2")
		p.choose(fmt.Sprintf(`{"lang":%q,"theme":%q}`, c.lang, c.theme))
		p.write(addOutside())
		p.wait("the pictures", captionOf("x"))
		p.click(`document.querySelector(".memory-steps summary")`)
		eval[bool](p, axe+"; true")
		for _, width := range []int64{1440, 1024} {
			p.do(chromedp.EmulateViewport(width, 900))
			name := fmt.Sprintf("memory-%s-%s-%d", c.lang, c.theme, width)
			p.audit(name)
			p.picture(name)
		}
		p.click(`document.querySelector("#all-programs")`)
		p.audit(c.theme + ", all programs")
		p.do(chromedp.EmulateViewport(390, 844, chromedp.EmulateMobile, chromedp.EmulateTouch))
		p.click(`document.querySelectorAll(".tabs button")[2]`)
		p.audit(c.theme + ", a phone")
		p.picture(fmt.Sprintf("memory-%s-%s-390", c.lang, c.theme))
		if width := eval[float64](p, `document.documentElement.scrollWidth`); width > 390 {
			t.Errorf("the page is %g px wide", width)
		}
	}
}

// TestMemoryOfADocument: the launch of a document is shown, on the tensors that it was made with.
func TestMemoryOfADocument(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/document")
	p.wait("the document page", `document.querySelector("#open-file")`)
	p.write(`import torch
import triton
import triton.language as tl
@triton.jit
def fill(x_ptr, value): tl.store(x_ptr + tl.program_id(0), value)
x = torch.zeros(3, device="cuda")
fill[(3,)](x, 7.0)`)
	p.key(kb.Enter, chromedp.ModifierCtrl)
	p.wait("the run", endedCells+` === 1`)
	p.click(`document.querySelector("#tab-memory")`)
	p.wait("its three programs", `document.querySelectorAll("[data-program]").length === 3`)
	p.click(`document.querySelector("[data-program='2']")`)
	p.wait("what the last one writes", `document.querySelector(".memory-tensor figcaption").textContent.includes("[2]")`)
}
