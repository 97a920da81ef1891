package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
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

// TestLensAccessibility: axe-core on the lens in both themes and languages, at three widths.
func TestLensAccessibility(t *testing.T) {
	t.Parallel()
	axe := axeSource(t)
	for _, c := range []struct{ lang, theme string }{{"en", "light"}, {"zh", "dark"}} {
		p := open(t, c.lang, "#/puzzle/11")
		p.choose(fmt.Sprintf(`{"lang":%q,"theme":%q}`, c.lang, c.theme))
		p.pictured(solution(11))
		p.showView("lens")
		p.wait("the lens", lensReady+` && document.querySelector(".lens-roofline svg")`)
		eval[bool](p, axe+"; true")
		for _, width := range []int64{1440, 1024, 390} {
			p.do(chromedp.EmulateViewport(width, 900))
			p.js(`document.querySelectorAll(".tabs button")[2]?.click()`)
			p.auditWidth(fmt.Sprintf("lens-%s-%s", c.lang, c.theme), width)
		}
	}
}
