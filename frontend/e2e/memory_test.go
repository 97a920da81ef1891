package e2e

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/newtlab/newt/infra/soak"
	"github.com/newtlab/newt/runner/share/link"
)

// addBlock is puzzle 2's solution; addOutside is the same without the masks, whose last program reads and writes past the end.
func addBlock() string { return solution(2) }

func addOutside() string {
	return strings.ReplaceAll(strings.ReplaceAll(addBlock(), ", mask=mask", ""), "    mask = i < N0\n", "")
}

// captionOf is the sentence under a tensor's picture.
func captionOf(tensor string) string {
	return fmt.Sprintf(`document.querySelector("[data-tensor=%s] figcaption")?.textContent`, tensor)
}

// colourAt is the colour in the middle of a cell of a tensor's picture, in a picture whose rows have 32 cells.
func colourAt(tensor string, cell int) string {
	return probe("colourAt", tensor, cell)
}

// pictured writes a text, and waits until the pictures are of it: until then they may move.
func (p *page) pictured(text string) {
	p.Helper()
	p.write(text)
	p.wait("the pictures", `document.querySelector(".memory-launch[aria-busy=false][data-outdated=false]")`)
}

// TestMemoryComesFirst: a puzzle opens with the memory view, which follows the text without Run; a run shows the verdict, and a
// mark of it stays on its tab.
func TestMemoryComesFirst(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/puzzle/2")
	p.wait("the view", `document.querySelector("#tab-memory[aria-selected=true]") && document.querySelector("#view-memory")`)
	p.pictured(addBlock())
	p.wait("a picture of each tensor", `document.querySelectorAll("#view-memory canvas").length === 2`)
	p.wait("seven programs", `document.querySelectorAll("[data-program]").length === 7`)
	p.run()
	p.wait("the verdict's mark", `document.querySelector("#tab-result[aria-selected=true] .badge-pass")`)
	p.showView("memory")
	p.wait("the tests", `document.querySelectorAll("#memory-test option").length === 5`)
	p.js(`const s = document.querySelector("#memory-test"); s.value = "1"; s.dispatchEvent(new Event("change", { bubbles: true }))`)
	p.wait("another test's tensor", `!document.querySelector("[data-tensor=x] .memory-name").textContent.includes("[200]")`)
}

// TestFewViews: the first puzzles have memory and the result alone, until a person asks for more, which is kept.
func TestFewViews(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/puzzle/1")
	views := func(n int) string {
		return fmt.Sprintf(`document.querySelectorAll(".views [role=tab]").length === %d`, n)
	}
	p.wait("two views", views(2)+` && document.querySelector("#tab-result")`)
	p.js(`location.hash = "#/puzzle/7"`)
	p.wait("all views", views(6)+` && !document.querySelector("#all-views")`)
	p.js(`location.hash = "#/puzzle/6"`)
	p.wait("two views again", views(2))
	p.js(`document.querySelector("#all-views").focus()`)
	p.key(kb.Enter)
	p.wait("all of them, and the focus", views(6)+` && document.activeElement.id === "tab-memory"`)
	p.reload()
	p.wait("all of them, still", views(6))
}

// TestMemoryOfAMask: the last program of puzzle 2 reads and writes 8 elements; its steps, by keyboard, fill in what it writes.
func TestMemoryOfAMask(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/puzzle/2")
	p.expect("willReadFrequently")
	p.pictured(addBlock())
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

// TestMemoryStepIsWhole: a step, or an edit, draws the cells alone that it changes, and gives the picture that is drawn anew of it.
func TestMemoryStepIsWhole(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/puzzle/4")
	p.pictured(solution(4))
	p.click(`document.querySelector("[data-program='11']")`)
	p.wait("the program", chosenProgram+` === "11"`)
	pictures := `[...document.querySelectorAll(".memory-tensor canvas")].map((c) => c.toDataURL())`
	wholeAfter := func(change func()) {
		t.Helper()
		before := eval[[]string](p, pictures)
		change()
		p.wait("another picture", pictures+`.some((url, i) => url !== `+list(before)+`[i])`)
		changed := eval[[]string](p, pictures)
		p.showView("reference")
		p.wait("no pictures", `!document.querySelector(".memory-tensor")`)
		p.showView("memory")
		p.wait("the same pictures, drawn anew", pictures+`.length === 3 && `+pictures+`.every((url, i) => url === `+list(changed)+`[i])`)
	}
	for _, key := range []string{kb.Home, kb.End, kb.ArrowLeft, kb.ArrowRight} {
		wholeAfter(func() {
			p.js(`document.querySelector(".timeline-strip").focus()`)
			p.key(key)
		})
	}
	fewer := strings.Replace(solution(4), "z, mask=mask", "z, mask=mask & (i[None, :] < 40)", 1)
	if fewer == solution(4) {
		t.Fatalf("the solution has changed:\n%s", fewer)
	}
	wholeAfter(func() { p.write(fewer) })
}

// list is texts as an array of JavaScript.
func list(texts []string) string {
	quoted, err := json.Marshal(texts)
	if err != nil {
		panic(err)
	}
	return string(quoted)
}

// TestMemoryOutside: lanes past the end are shown and said, and the first problem is one key press away.
func TestMemoryOutside(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/puzzle/2")
	p.pictured(addOutside())
	p.click(`document.querySelector("[data-program='0']")`)
	p.wait("program 0", captionOf("x")+`.includes("x[0:32]")`)
	p.js(`document.querySelector("#first-problem").focus()`)
	p.key(kb.Enter)
	p.wait("the first problem", captionOf("x")+`.includes("24 lanes") && document.querySelector("[data-program='6'][aria-checked=true]") && document.querySelector(".timeline-here.wrong")`)
	p.wait("its line", `document.querySelector("#editor").shadowRoot.querySelector(".cm-step-line")?.textContent.includes("tl.load")`)
}

// TestOtherSizes: an answer that passes its tests and reads past the end at other sizes is told so, with the mask to add, and a
// click shows that launch. It stays a choice while the mistake is mended.
func TestOtherSizes(t *testing.T) {
	t.Parallel()
	slip := strings.Replace(addBlock(), "x = tl.load(x_ptr + i, mask=mask)",
		"x = tl.load(x_ptr + i, mask=mask)\n    if pid == 1:\n        x = tl.load(x_ptr + i)", 1)
	p := open(t, "en", "#/puzzle/2")
	p.write(slip)
	p.run()
	p.wait("the verdict", `document.querySelector("#verdict")?.dataset.pass === "true"`)
	p.click(`document.querySelector("#try-sizes")`)
	p.wait("the smallest size", `document.querySelector(".other-sizes p")?.innerText.includes("fails at N0 = 33: x is read at index 33")`)
	p.wait("the line", `document.querySelector("#view-result .problem-text")?.innerText.includes("33")`)
	p.picture("other-sizes")
	p.click(`document.querySelector(".other-sizes button")`)
	p.wait("the launch", `document.querySelector("[data-tensor=x] .memory-name")?.textContent.includes("[33]") && document.querySelector("#memory-test").value === "5"`)
	p.wait("its program", `document.querySelector("[data-program='1'][aria-checked=true]") && `+captionOf("x")+`.includes("31 lanes")`)
	p.write(addBlock())
	p.wait("the mended launch", captionOf("z")+`?.includes("z[0:32]")`)
	p.run()
	p.wait("no failure", `document.querySelector(".other-sizes p")?.innerText.startsWith("Also right at 20 other sizes")`)
	p.wait("no launch of it", `!document.querySelector(".other-sizes button")`)
}

// TestMemoryFollowsEdits: an edit shows at once; one that does not compile keeps the last picture and says so.
func TestMemoryFollowsEdits(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/puzzle/2")
	p.pictured(addBlock())
	p.click(`document.querySelector("[data-program='1']")`)
	p.wait("a block", captionOf("z")+`.includes("z[32:64]")`)
	p.pictured(strings.ReplaceAll(addBlock(), "z_ptr + i", "z_ptr + i + 1"))
	p.wait("the next element", captionOf("z")+`.includes("z[33:65]")`)
	p.write(strings.ReplaceAll(addBlock(), "z_ptr + i", "z_ptr + j"))
	p.wait("why it is outdated", `document.querySelector("[data-outdated=true]") && document.querySelector("#view-memory .problem-text")?.innerText.includes("j")`)
	if !eval[bool](p, captionOf("z")+`.includes("z[33:65]")`) {
		t.Error("the last picture is gone")
	}
	p.pictured(addBlock())
	p.wait("a picture of the text", `document.querySelector("[data-outdated=false]") && `+captionOf("z")+`.includes("z[32:64]")`)
}

// TestMemoryBlock: a value in the code opens its block; values can be switched off.
func TestMemoryBlock(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/puzzle/2")
	p.pictured(addBlock())
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
	soak.Only(t, "TestViewsZoomed has axe-core see each view in both themes and languages")
	t.Parallel()
	axe := axeSource(t)
	for _, c := range appearances() {
		p := open(t, c.lang, "#/puzzle/2")
		p.choose(fmt.Sprintf(`{"lang":%q,"theme":%q}`, c.lang, c.theme))
		p.pictured(addOutside())
		p.wait("the pictures", captionOf("x"))
		p.click(`document.querySelector(".memory-steps summary")`)
		eval[bool](p, axe+"; true")
		for _, width := range soak.Variants[int64](1440, 1024) {
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

// TestMemoryForcedColors: with the system's own colours the chosen program, the key and the steps still look different from
// the others.
func TestMemoryForcedColors(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/puzzle/2")
	p.pictured(addOutside())
	p.forceColors()
	p.picture("memory-forced-colors")
	const styles = `[...document.querySelectorAll(%q)].map((e) => { const s = getComputedStyle(e); return %s; })`
	chips := eval[[]string](p, fmt.Sprintf(styles, "[data-program]", "s.outlineStyle + s.outlineWidth"))
	if len(chips) != 7 || chips[6] == chips[0] || chips[0] != chips[5] {
		t.Errorf("the outlines of the programs: %v", chips)
	}
	for what, n := range map[string]int{".memory-key i": 4, ".timeline-block:is(.load, .store, .wrong, .compute)": 2} {
		looks := eval[[]string](p, fmt.Sprintf(styles, what, "s.background + s.border + s.outline"))
		if slices.Sort(looks); len(slices.Compact(looks)) < n {
			t.Errorf("%s look alike: %v", what, looks)
		}
	}
}

// TestMemoryZoom: at 400 % of 1280 × 1024 pictures, programs and steps are reached by scrolling down alone.
func TestMemoryZoom(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/puzzle/2")
	p.pictured(addOutside())
	p.do(chromedp.EmulateViewport(320, 256))
	p.click(`document.querySelectorAll(".tabs button")[2]`)
	for i, part := range []string{"[data-program='0']", "[data-tensor=x] canvas", "[data-tensor=z] figcaption", ".timeline-buttons button", ".timeline-strip"} {
		p.wait(part+" in view", probe("reached", part))
		p.picture(fmt.Sprintf("memory-zoom-%d", i+1))
	}
	if width := eval[float64](p, `document.documentElement.scrollWidth`); width > 320 {
		t.Errorf("the page is %g px wide", width)
	}
}

// TestMemoryOfTheFreePage: the free page opens with what its kernel does to memory, with no Run; Run shows the result, and
// F9 leads back.
func TestMemoryOfTheFreePage(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/free")
	p.wait("the picture", pictured+` && document.querySelector("#tab-memory[aria-selected=true]")`)
	p.key(kb.Enter, chromedp.ModifierCtrl)
	p.wait("the result", `document.querySelector("#tab-result[aria-selected=true]") && document.querySelector("#verdict")`)
	p.key(kb.F9)
	p.wait("memory again", `document.querySelector("#tab-memory[aria-selected=true]") && `+pictured)
}

// marking is a kernel whose program 290 of 300 writes past the end.
const marking = `import triton
import triton.language as tl

@triton.jit
def mark(z_ptr):
    pid = tl.program_id(0)
    tl.store(z_ptr + pid + (pid == 290) * 1000, pid)`

// TestMemoryOfALargeGrid: the program of a grid with too many for chips is chosen by its number, and by its problem.
func TestMemoryOfALargeGrid(t *testing.T) {
	soak.Only(t, "the other tests of the memory view choose programs of grids that fit")
	t.Parallel()
	p := open(t, "en", "#/free")
	call := &link.Free{Kernel: "mark", Grid: "(300,)", Args: []link.FreeArg{
		{Name: "z_ptr", Kind: "tensor", DType: "float32", Shape: "300", Fill: "zeros"},
	}}
	p.do(chromedp.Navigate(origin + "/#l=" + payload(t, link.State{Source: marking, Free: call})))
	const number = `document.querySelector(".memory-programs input[type=number]")`
	p.wait("the program of the first problem", number+`?.value === "290" && `+captionOf("z_ptr")+`.includes("past the end")`)
	enter := func(text string) {
		p.click(number)
		p.key("a", chromedp.ModifierCtrl)
		p.insert(text)
		p.key(kb.Enter)
	}
	enter("17")
	p.wait("program 17", captionOf("z_ptr")+`.includes("z_ptr[17]")`)
	enter("9999")
	p.wait("the last program", number+`.value === "299" && `+captionOf("z_ptr")+`.includes("z_ptr[299]")`)
	p.click(`document.querySelector("#first-problem")`)
	p.wait("the first problem", number+`.value === "290" && document.querySelector(".timeline-now .bad")`)
}

// shownStep is the number of the step that is shown, and of how many.
const shownStep = `document.querySelector(".timeline-now b")?.textContent`

// chosenProgram is the number of the program that is shown.
const chosenProgram = `document.querySelector("[data-program][aria-checked=true]")?.dataset.program`

// TestShareMemory: a link, whole or short, opens with the test, program and step that its author looked at.
func TestShareMemory(t *testing.T) {
	t.Parallel()
	author := open(t, "en", "#/puzzle/2")
	author.pictured(addBlock())
	author.js(`const s = document.querySelector("#memory-test"); s.value = "1"; s.dispatchEvent(new Event("change", { bubbles: true }))`)
	author.wait("the second test", `!document.querySelector("[data-tensor=x] .memory-name").textContent.includes("[200]")`)
	author.click(`document.querySelector("[data-program='1']")`)
	author.wait("program 1", chosenProgram+` === "1"`)
	for range 3 {
		author.key(kb.F9, chromedp.ModifierShift)
	}
	want := eval[string](author, shownStep)
	name := author.text("[data-tensor=x] .memory-name")
	whole := author.share(false)
	for _, link := range soak.Variants(author.shorten, func() string { return whole }) {
		address := link()
		reader := open(t, "en", "#/free")
		reader.do(chromedp.Navigate(address))
		reader.wait("the author's program and step", fmt.Sprintf(chosenProgram+` === "1" && `+shownStep+` === %q`, want))
		if got := reader.text("[data-tensor=x] .memory-name"); got != name || eval[string](reader, `document.querySelector("#memory-test").value`) != "1" {
			t.Errorf("the reader sees another test: %s", got)
		}
	}
}

// TestLinkBeyond: a link to a test, program and step that its kernel does not have opens with the last ones.
func TestLinkBeyond(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/free")
	look := &link.Look{Test: 1 << 20, Program: []int{1<<31 - 1, 7, 7}, Step: 1 << 48}
	p.do(chromedp.Navigate(origin + "/#l=" + payload(t, link.State{Source: addBlock(), Puzzle: 2, View: "memory", Look: look})))
	p.wait("the last test", `document.querySelector("#memory-test")?.value === "4"`)
	p.wait("its last program", chosenProgram+` === String(document.querySelectorAll("[data-program]").length - 1)`)
	p.wait("its last step", `/^Step (\d+) of \1$/.test(`+shownStep+`)`)
	if got := p.source(); got != addBlock() {
		t.Errorf("the text became %q", got)
	}
}

// TestLinkViews: a link opens with the view that it names.
func TestLinkViews(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/puzzle/2")
	for _, view := range []string{"layouts", "reference", "memory"} {
		p.do(chromedp.Navigate(origin + "/#l=" + payload(t, link.State{Source: addBlock(), Puzzle: 2, View: view})))
		p.wait(view, fmt.Sprintf(`document.querySelector("#tab-%s[aria-selected=true]")`, view))
	}
}

// TestMemoryOfADocument: before a document has run, the memory view says what to do; then it shows the last launch, or
// the one that is chosen, on the tensors that it was made with.
func TestMemoryOfADocument(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/document")
	p.wait("the document page", `document.querySelector("#open-file")`)
	p.wait("what to do", `document.querySelector("#view-memory .empty")?.innerText.includes("Ctrl+Enter")`)
	p.write(`import torch
import triton
import triton.language as tl
@triton.jit
def fill(x_ptr, value): tl.store(x_ptr + tl.program_id(0), value)
x = torch.zeros(3, device="cuda")
fill[(3,)](x, 7.0)
fill[(2,)](x, 8.0)`)
	p.key(kb.Enter, chromedp.ModifierCtrl)
	p.wait("the last launch", `document.querySelectorAll("[data-program]").length === 2`)
	p.wait("the list of launches", `document.querySelector("#memory-launch:enabled")`)
	p.js(`const s = document.querySelector("#memory-launch"); s.value = "1"; s.dispatchEvent(new Event("change", { bubbles: true }))`)
	p.wait("the first one", `document.querySelectorAll("[data-program]").length === 3`)
	p.click(`document.querySelector("[data-program='2']")`)
	p.wait("what the last one writes", `document.querySelector(".memory-tensor figcaption").textContent.includes("[2]")`)
}
