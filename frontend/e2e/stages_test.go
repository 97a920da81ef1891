package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/newtlab/newt/infra/soak"
	"github.com/newtlab/newt/runner/share/link"
)

// chooseOption chooses an option of a select by its value.
func (p *page) chooseOption(id, value string) {
	p.Helper()
	p.wait("the option", fmt.Sprintf(`[...document.querySelector("#%s")?.options ?? []].some((o) => o.value === %q)`, id, value))
	p.js(fmt.Sprintf(`(() => { const s = document.querySelector("#%s"); s.focus(); s.value = %q; s.dispatchEvent(new Event("change", { bubbles: true })) })()`, id, value))
}

const (
	codeText   = `(document.querySelector(".code-lines")?.innerText ?? "")`
	difference = `(document.querySelector("#difference")?.innerText ?? "")`
)

// TestStages goes through the stages of a kernel, and compares two passes and two sets of options, by keys where a person has a
// choice of them.
func TestStages(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/puzzle/8")
	p.write(solution(8))
	p.showCode("ptx")
	p.chooseOption("code-stage", "lower")
	p.wait("the IR", codeText+`.includes("func @")`)
	p.wait("what the stage is for", `document.querySelector(".code-head").innerText.includes("an operation for each expression")`)
	p.picture("stages-lower")
	store := 1 + strings.Count(solution(8)[:strings.Index(solution(8), "tl.store")], "\n")
	p.click(fmt.Sprintf(`[...document.querySelectorAll(".code-lines [data-line='%d']")].at(-1)`, store))
	p.wait("its place in the text", editor+`.querySelector(".cm-related")?.textContent.includes("tl.store")`)

	// Two passes: dead code elimination takes what common subexpression elimination has left over.
	p.chooseOption("code-stage", "dce")
	p.js(`document.querySelector("#compare-stages").focus()`)
	p.key(kb.Enter)
	p.wait("the stage before", `document.querySelector("#base-stage")?.value === "tidy"`)
	p.wait("what dce takes", `/^\+0 −\d+ lines?; the first is line \d+, from line \d+ of the code\./.test(`+difference+`)`)
	removed := `document.querySelectorAll(".code-lines [data-kind=removed]").length`
	if !eval[bool](p, difference+`.startsWith("+0 −" + `+removed+`)`) {
		t.Errorf("%q, but %d lines are marked", eval[string](p, difference), eval[int](p, removed))
	}
	p.picture("stages-passes")
	p.js(`document.querySelector("#next-difference").focus()`)
	p.key(kb.Enter)
	p.wait("the first difference", `document.querySelector(".code-lines [aria-selected=true]")?.dataset.kind === "removed" && document.querySelector(".code-lines [aria-selected=true]").innerText.startsWith("− ")`)

	// Two sets of options: the plan of eight warps, and of the launch's four.
	p.chooseOption("code-stage", "plan")
	p.chooseOption("base-stage", "plan")
	p.chooseOption("base-target", "sm_90a")
	p.wait("no difference", `document.querySelector("#view-ptx")?.innerText.includes("The two do not differ.")`)
	p.chooseOption("base-numWarps", "8")
	p.wait("other warps", `document.querySelector(".code-lines [data-kind=removed]")?.innerText.includes("8 warps") && document.querySelector(".code-lines [data-kind=added]")?.innerText.includes("4 warps")`)
	p.chooseOption("base-numStages", "5")
	p.wait("other stages", `document.querySelector(".code-lines [data-kind=removed]")?.innerText.includes("8 warps, 5 stages")`)
	p.chooseOption("code-stage", "ptx")
	p.chooseOption("base-stage", "ptx")
	p.chooseOption("base-target", "sm_80")
	p.wait("another target", `[...document.querySelectorAll(".code-lines [data-kind=removed]")].some((row) => row.innerText.includes(".target sm_80"))`)
	p.picture("stages-options")
	p.click(`document.querySelector("#compare-stages")`)
	p.wait("the PTX alone", codeText+`.includes(".entry") && !document.querySelector(".code-lines [data-kind]")`)
}

// TestShareStages: a link, whole or short, opens with the stage and the comparison that its author looked at, and with the other
// text that it is compared with.
func TestShareStages(t *testing.T) {
	soak.Only(t, "TestShareMemory opens a link with what its author looked at")
	t.Parallel()
	before := addBlock()
	author := open(t, "en", "#/puzzle/2")
	author.write(before)
	author.run()
	author.write(strings.Replace(before, "+ 10", "* 10", 1))
	author.showCode("ptx")
	author.chooseOption("code-stage", "plan")
	author.click(`document.querySelector("#unchecked")`)
	author.click(`document.querySelector("#compare-stages")`)
	author.chooseOption("base-numWarps", "8")
	author.chooseOption("base-stage", "cse")
	author.chooseOption("code-stage", "cse")
	author.chooseOption("base-text", "run")
	shown := `[...document.querySelectorAll(".code-lines [data-kind=removed], .code-lines [data-kind=added]")].map((row) => row.innerText).join("\n")`
	author.wait("what the other text has", shown+`.includes("add") && `+shown+`.includes("mul")`)
	want, rows := eval[string](author, `probe.chosenCode()`), eval[string](author, shown)
	whole := author.share(false)
	for _, link := range soak.Variants(func() string { return whole }, author.shorten) {
		address := link()
		reader := open(t, "en", "#/free")
		reader.do(chromedp.Navigate(address))
		reader.wait("the author's comparison", fmt.Sprintf(shown+` === %q`, rows))
		if got, kept := eval[string](reader, `probe.chosenCode()`), strings.TrimSuffix(want, "run")+"kept"; got != kept {
			t.Errorf("the reader sees %q, want %q", got, kept)
		}
	}
}

// TestLinkStageUnknown: in place of a stage or a target that the page does not have it shows its first choice.
func TestLinkStageUnknown(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/free")
	code := &link.Code{Stage: "llvm", Target: "sm_99", Base: &link.Base{Stage: "__proto__", Target: "gfx942", Source: "def"}}
	p.do(chromedp.Navigate(origin + "/#l=" + payload(t, link.State{Source: addBlock(), Puzzle: 2, View: "ptx", Code: code})))
	p.wait("that the other text is no kernel", `document.querySelector("#view-ptx [role=alert]")?.innerText.includes("no kernel that compiles")`)
	if got := eval[string](p, `probe.chosenCode()`); got != "sm_90a false ptx ptx sm_90a 0 0 kept" {
		t.Errorf("it shows %q", got)
	}
	p.chooseOption("base-text", "same")
	p.wait("no difference", `document.querySelector("#view-ptx")?.innerText.includes("The two do not differ.")`)
}

// TestStagesAccessible: axe-core on stages and differences in both languages and themes, at three widths.
func TestStagesAccessible(t *testing.T) {
	soak.Only(t, "TestViewsZoomed has axe-core see each view in both themes and languages")
	t.Parallel()
	axe := axeSource(t)
	for _, c := range appearances() {
		alike := map[string]string{"en": "lines alike", "zh": "行相同"}[c.lang]
		p := open(t, c.lang, "#/puzzle/11")
		p.choose(fmt.Sprintf(`{"lang":%q,"theme":%q}`, c.lang, c.theme))
		p.write(solution(11))
		p.showCode("ptx")
		p.click(`document.querySelector("#compare-stages")`)
		p.wait("the difference", difference+` && document.querySelector(".code-lines")?.innerText.includes(`+fmt.Sprintf("%q", alike)+`)`)
		eval[bool](p, axe+"; true")
		for _, width := range soak.Variants[int64](1440, 1024, 390) {
			p.do(chromedp.EmulateViewport(width, 900))
			p.js(`document.querySelectorAll(".tabs button")[2]?.click()`)
			p.auditWidth(fmt.Sprintf("stages-%s-%s", c.lang, c.theme), width)
		}
	}
}

// TestTritonRefusesFreeLaunch: of a launch for which Triton has too little shared memory the free page says so beneath
// the result, and the view of PTX above the code: once each.
func TestTritonRefusesFreeLaunch(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/free")
	p.write(`import triton
import triton.language as tl


@triton.jit
def product(a, b, c):
    i, j, k = tl.arange(0, 128), tl.arange(0, 256), tl.arange(0, 128)
    acc = tl.zeros((128, 256), dtype=tl.float32)
    for at in range(0, 256, 128):
        x = tl.load(a + i[:, None] * 256 + (at + k)[None, :])
        y = tl.load(b + (at + k)[:, None] * 256 + j[None, :])
        acc = tl.dot(x, y, acc)
    tl.store(c + i[:, None] * 256 + j[None, :], acc)
`)
	p.wait("the proposed call", field("a: Shape"))
	p.key(kb.Enter, chromedp.ModifierCtrl)
	p.showView("result")
	const says = `document.querySelector("#refused")?.innerText.includes("Triton refuses this launch of product on sm_90a")`
	p.wait("the refusal in the result", says)
	p.picture("refused-free")
	p.showView("ptx")
	p.wait("the refusal above the PTX", says+` && document.querySelector("#view-ptx .code-lines, #view-ptx [role=listbox], #view-ptx pre") !== null`)
	if n := eval[int](p, `document.querySelectorAll("#refused").length`); n != 1 {
		t.Errorf("it is said %d times", n)
	}
}
