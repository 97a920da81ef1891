package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/newtlab/newt/infra/soak"
)

// storesUndefined is puzzle 2's solution without the mask of the store: the last program stores undefined lanes past the end.
func storesUndefined() string {
	return strings.Replace(addBlock(), "x + 10.0, mask=mask)", "x + 10.0)", 1)
}

const (
	findingRows   = `[...document.querySelectorAll(".finding-go")]`
	findingsCount = `document.querySelector(".findings[aria-busy=false] .findings-count")?.innerText`
	foundCells    = `document.querySelectorAll("[data-tensor=z] .found-cells")`
)

// TestSanitizersBegin: unasked, the sanitizers begin once a launch is shown that is no stored one. Whoever turns them off is not asked
// again.
func TestSanitizersBegin(t *testing.T) {
	soak.Only(t, "TestFindings has the sanitizers on")
	t.Parallel()
	p := open(t, "en", "")
	p.js(probe("watch", script(`!!document.querySelector(".memory-launch[aria-busy=true]") && document.querySelector("#sanitize")?.checked || undefined`)))
	p.wait("the sanitizers", findingsCount+` === "No findings"`)
	if eval[bool](p, `probe.seen.length > 0`) {
		t.Error("the sanitizers began before the first live picture")
	}
	p.click(`document.querySelector("#sanitize")`)
	p.wait("no list", `!document.querySelector(".findings")`)
	p.onLoad(`const set = setTimeout; window.setTimeout = (f, ms, ...rest) => set(f, Math.min(ms ?? 0, 10), ...rest)`)
	p.choose(`{"lang":"en","sanitize":false}`)
	p.wait("the pictures", `document.querySelector(".memory-launch[aria-busy=false]")`)
	const begun = `document.querySelector("#sanitize").checked || document.querySelector(".findings") !== null`
	if eval[bool](p, `new Promise((rested) => setTimeout(() => requestIdleCallback(() => rested(`+begun+`)), 20))`) {
		t.Error("the sanitizers began against a person's wish")
	}
}

// TestFindings: the sanitizers check what the text launches after each edit. With keys alone a finding leads to its program, step,
// cells and line; the table of the steps has it as text, and F8 goes to it.
func TestFindings(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/puzzle/2")
	p.pictured(storesUndefined())
	p.wait("two findings", findingsCount+` === "2 findings"`)
	p.js(findingRows + `[0].focus()`)
	p.key(kb.ArrowDown)
	p.wait("the second", `document.activeElement === `+findingRows+`[1]`)
	p.key(kb.Enter)
	p.wait("its program and step", `document.querySelector("[data-program='6'][aria-checked=true]") && document.querySelector(".timeline-now code")?.innerText === "tl.store"`)
	p.wait("its cells", foundCells+`.length === 1 && `+captionOf("z")+`.startsWith("Program 6, lanes 8 to 31: z[200:224].")`)
	p.wait("its line", stepLine+`?.includes("tl.store")`)
	if got := p.text(".finding-go[aria-current]"); !strings.Contains(got, "stores an undefined value") || !strings.Contains(got, "line 12") {
		t.Errorf("the finding is %q", got)
	}
	if got := p.text(".finding-detail"); !strings.Contains(got, "mask the store as well") || !strings.Contains(got, "Line 11: this load leaves the lane undefined") {
		t.Errorf("it says %q", got)
	}
	p.js(`document.querySelector(".memory-steps").open = true`)
	p.wait("its row", `[...document.querySelectorAll(".memory-steps tr")].at(-1)?.innerText.includes("stores an undefined value")`)
	p.js(editor + `.focus()`)
	p.key(kb.F8)
	p.wait("its card", `document.querySelector("#editor").shadowRoot.querySelector(".card-warning")?.innerText.includes("stores an undefined value")`)
	p.click(`document.querySelector("[data-program='1']")`)
	p.wait("another program without the cells", foundCells+`.length === 0 && !document.querySelector(".finding-go[aria-current]")`)
	p.pictured(addBlock())
	p.wait("no findings", findingsCount+` === "No findings"`)
	p.wait("no marks", `!document.querySelector("#editor").shadowRoot.querySelector(".cm-lintRange")`)
}

// manyPrograms is a script whose launch is larger than what is checked unasked. Its last program races with the first.
const manyPrograms = `import torch
import triton
import triton.language as tl
@triton.jit
def sums(x_ptr, z_ptr, PROGRAMS: tl.constexpr):
    pid = tl.program_id(0)
    s = 0.0
    for k in range(220):
        s += tl.load(x_ptr + k % 8)
    tl.store(z_ptr + pid % (PROGRAMS - 1), s + pid)
x = torch.ones(8, device="cuda")
z = torch.zeros(1000, device="cuda")
sums[(1000,)](x, z, 1000)
`

// TestFindingsOfADocument: a document's launches are checked at once, a large one in part until a person asks for the rest.
func TestFindingsOfADocument(t *testing.T) {
	soak.Only(t, "TestFindings has the findings, TestMemoryOfADocument the launches of a document")
	t.Parallel()
	p := open(t, "en", "#/document")
	p.wait("the document page", `document.querySelector("#open-file")`)
	p.write(manyPrograms)
	p.key(kb.Enter, chromedp.ModifierCtrl)
	p.wait("a part", findingsCount+` === "No findings" && document.querySelector(".findings").innerText.includes("of 1000 programs")`)
	p.click(`document.querySelector("#check-all")`)
	p.wait("all programs", findingsCount+` === "1 finding" && !document.querySelector("#check-all")`)
	p.click(findingRows + `[0]`)
	p.wait("the program", `document.querySelector(".memory-programs input")?.value === "999" && document.querySelectorAll("[data-tensor=z_ptr] .found-cells").length === 1`)
	p.wait("the line", stepLine+`?.includes("tl.store")`)
}

// TestFindingsAccessibility: axe-core on the findings, in both languages and themes and at three widths; the cells of one are
// marked with forced colours, too.
func TestFindingsAccessibility(t *testing.T) {
	soak.Only(t, "TestViewsZoomed has axe-core see each view in both themes and languages")
	t.Parallel()
	axe := axeSource(t)
	for _, c := range appearances() {
		p := open(t, c.lang, "#/puzzle/2")
		p.choose(fmt.Sprintf(`{"lang":%q,"theme":%q,"sanitize":true}`, c.lang, c.theme))
		p.pictured(storesUndefined())
		p.wait("the findings", findingRows+`.length === 2 && `+findingsCount)
		p.click(findingRows + `[1]`)
		p.wait("its cells", foundCells+`.length === 1`)
		eval[bool](p, axe+"; true")
		for _, width := range soak.Variants[int64](1440, 1024, 390) {
			p.do(chromedp.EmulateViewport(width, 900))
			p.js(`document.querySelectorAll(".tabs button")[2]?.click()`)
			p.js(`document.querySelector(".findings").scrollIntoView({ block: "center" })`)
			name := fmt.Sprintf("findings-%s-%s-%d", c.lang, c.theme, width)
			p.audit(name)
			p.picture(name)
			if wide := eval[bool](p, `document.querySelector(".findings").scrollWidth > document.querySelector(".findings").clientWidth`); wide {
				t.Errorf("%s: something is clipped", name)
			}
		}
		p.forceColors()
		if got := eval[string](p, `getComputedStyle(document.querySelector(".found-cells")).outlineWidth`); got != "3px" {
			t.Errorf("the outline of the cells is %s wide with forced colours", got)
		}
	}
}
