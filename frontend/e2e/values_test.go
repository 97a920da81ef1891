package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/newtlab/newt/infra/soak"
)

// withValues is puzzle 2's solution with blocks of three axes, and with an infinity and a NaN in program 1.
func withValues() string {
	return strings.Replace(addBlock(), "    mask = i < N0\n", `    mask = i < N0
    cube = tl.reshape(i * 2, (2, 4, 4))
    odd = tl.where(i == 33, float("inf"), tl.where(i == 34, float("nan"), i * 1.0))
`, 1)
}

// blockSentence is the sentence of the block that is open.
const blockSentence = `document.querySelector(".memory-block figcaption")?.textContent`

// hoverWord moves the mouse over a piece of a line of the editor.
func (p *page) hoverWord(line, text string) {
	p.Helper()
	at := eval[[2]float64](p, probe("wordAt", line, text))
	p.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, at[0], at[1]))
}

// TestValueUnderThePointer: a name has the value and the type that it has at the chosen step, an argument that of the call, and
// an operator that of its expression. A click opens all of it.
func TestValueUnderThePointer(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/puzzle/2")
	p.pictured(withValues())
	p.click(`document.querySelector("[data-program='1']")`)
	p.wait("program 1", captionOf("z")+`?.includes("z[32:64]")`)
	const card = `document.querySelector("#editor").shadowRoot.querySelector(".value-card")?.innerText.replaceAll("\n", " ")`
	for _, c := range []struct{ line, text, want string }{
		{"mask = i < N0", "mask", "mask int1[32] 32 of 32 true After step"},
		{"mask = i < N0", "i", "i int32[32] 32 33 … 63 After step"},
		{"mask = i < N0", "N0", "N0 int32 200 Argument of the launch."},
		{"mask = i < N0", "<", "i < N0 int1[32] 32 of 32 true After step"},
		{"x = tl.load", "x_ptr", "x_ptr pointer<float32> x[0] Argument"},
	} {
		p.hoverWord(c.line, c.text)
		p.wait(c.text, card+fmt.Sprintf(`?.replace(/\s+/g, " ").includes(%q)`, c.want))
		p.hover(`document.querySelector("#tab-memory")`)
		p.wait("no card", card+` === undefined`)
	}
	p.js(`document.querySelector(".timeline-strip").focus()`)
	p.key(kb.Home)
	p.hoverWord("mask = i < N0", "mask")
	p.wait("that it is not computed yet", card+`?.includes("Not computed yet at this step.")`)
	p.key(kb.End)
	p.hover(`document.querySelector("#tab-memory")`)
	p.hoverWord("mask = i < N0", "i")
	p.wait("the card", card+`?.includes("63")`)
	p.click(`document.querySelector("#editor").shadowRoot.querySelector(".value-card button")`)
	p.wait("the block of i", blockSentence+`?.startsWith("i: int32[32] of program 1. 32 values from 32 to 63, 47.5 on average.")`)
}

// TestCardRests: what there is to tell about a name comes at once, however long its documentation takes: a part that came later would move
// the buttons of the card while they are clicked.
func TestCardRests(t *testing.T) {
	soak.Only(t, "TestCompletionAndHover has the card")
	t.Parallel()
	p := open(t, "en", "#/puzzle/2")
	p.onLoad(probe("watchWorkers", `"hover":`))
	p.reload()
	p.pictured(withValues())
	const button = `document.querySelector("#editor").shadowRoot.querySelector(".value-card button")`
	p.js(probe("watch", script(`((y) => y > 0 ? y : undefined)(`+button+`?.getBoundingClientRect().y)`)))
	p.hoverWord("mask = i < N0", "i")
	p.wait("the request for its documentation", `probe.holding()`)
	p.frames()
	p.js(`probe.release()`)
	p.wait("the documentation", `document.querySelector("#editor").shadowRoot.querySelector(".cm-tooltip-hover .card:not(.value-card)")`)
	p.middle(button)
	if places := eval[[]float64](p, `probe.seen`); len(places) > 1 {
		t.Errorf("the button was at %v", places)
	}
}

// TestBlockOfValues: the block of a step says, draws and lists what a recount in Go has; it follows the step, and Escape closes it.
func TestBlockOfValues(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/puzzle/2")
	p.pictured(withValues())
	p.click(`document.querySelector("[data-program='1']")`)
	p.wait("program 1", captionOf("z")+`?.includes("z[32:64]")`)
	p.js(`const steps = document.querySelector(".memory-steps"); steps.querySelector("summary").click()`)
	row := func(name string) string {
		return fmt.Sprintf(`[...document.querySelectorAll(".memory-steps th button")].find((b) => b.innerText.startsWith(%q))`, name+" = ")
	}
	p.wait("the table", row("odd"))
	p.js(row("odd") + `.focus()`)
	p.key(kb.Enter)

	var finite []float64
	sum := 0.0
	for i := 32; i < 64; i++ {
		if i != 33 && i != 34 {
			finite = append(finite, float64(i))
			sum += float64(i)
		}
	}
	p.wait("the block of odd", blockSentence+fmt.Sprintf(`?.startsWith("odd: float32[32] of program 1. %d values from 32 to 63, %.1f on average. Not finite: 1 nan, 1 inf.")`,
		len(finite), sum/float64(len(finite))))
	bins := make([]int, 24)
	for _, v := range finite {
		bins[min(23, int((v-32)/(31.0/24)))]++
	}
	p.click(`document.querySelector(".histogram summary")`)
	p.wait("the histogram as a table", `document.querySelector(".histogram tbody tr")`)
	if got, want := eval[[]string](p, `[...document.querySelectorAll(".histogram tbody td")].map((cell) => cell.innerText)`), strings.Fields(strings.Trim(fmt.Sprint(bins), "[]")); strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("the histogram counts %v, not %v", got, want)
	}
	if got := eval[int](p, `[...document.querySelectorAll(".histogram-bars span")].filter((bar) => bar.offsetHeight > 0).length`); got != len(bins)-strings.Count(fmt.Sprint(bins), "0") {
		t.Errorf("%d bars of %v", got, bins)
	}

	p.js(row("cube") + `.click()`)
	p.wait("the block of cube", blockSentence+`?.startsWith("cube: int32[2, 4, 4] of program 1. 32 values from 64 to 126")`)
	p.js(`document.querySelector("#block-plane").focus()`)
	p.key(kb.ArrowRight)
	p.wait("the second plane", `document.querySelector("#block-plane").ariaValueText === "[1, :, :], one of 2"`)
	p.js(`document.querySelector(".memory-block .grid-row").focus()`)
	p.key(kb.ArrowRight)
	p.wait("its first element", `document.querySelector(".memory-block .grid-at").innerText.includes("cube[1][0, 0]") && document.querySelector(".memory-block .grid-at span code").innerText === "96"`)

	p.js(`document.querySelector("[data-program='2']").click()`)
	p.wait("the block of the next program", blockSentence+`?.startsWith("cube: int32[2, 4, 4] of program 2. 32 values from 128 to 190")`)
	p.js(`document.querySelector(".memory-block .grid-row").focus()`)
	p.key(kb.Escape)
	p.wait("no block", `!document.querySelector(".memory-block")`)
}

// TestValuesAccessibility: axe-core on an open block in both themes and languages, at three widths.
func TestValuesAccessibility(t *testing.T) {
	soak.Only(t, "TestViewsZoomed has axe-core see each view in both themes and languages")
	t.Parallel()
	axe := axeSource(t)
	for _, c := range appearances() {
		p := open(t, c.lang, "#/puzzle/2")
		p.choose(fmt.Sprintf(`{"lang":%q,"theme":%q}`, c.lang, c.theme))
		p.pictured(withValues())
		p.click(`document.querySelector("[data-program='1']")`)
		for _, name := range []string{"odd", "cube"} {
			p.click(fmt.Sprintf(`[...document.querySelector("#editor").shadowRoot.querySelectorAll(".cm-line-value")].find((c) => c.dataset.text.startsWith(%q))`, name+" "))
			p.wait("the block of "+name, blockSentence+fmt.Sprintf(`?.startsWith(%q)`, name))
			p.js(`const h = document.querySelector(".histogram details"); if (!h.open) h.querySelector("summary").click()`)
			eval[bool](p, axe+"; true")
			for _, width := range soak.Variants[int64](1440, 1024, 390) {
				p.do(chromedp.EmulateViewport(width, 900))
				if width == 390 {
					p.click(`document.querySelectorAll(".tabs button")[2]`)
					p.js(`document.querySelector(".memory-block").scrollIntoView()`)
				}
				picture := fmt.Sprintf("values-%s-%s-%s-%d", name, c.lang, c.theme, width)
				p.audit(picture)
				p.picture(picture)
				if got := eval[float64](p, `document.documentElement.scrollWidth`); got > float64(width) {
					t.Errorf("%s: the page is %g px wide", picture, got)
				}
			}
			p.do(chromedp.EmulateViewport(1440, 900))
		}
	}
}

// withProduct is puzzle 2's solution with a matrix product and a reduction.
func withProduct() string {
	return strings.Replace(addBlock(), "    mask = i < N0\n", `    mask = i < N0
    g = tl.arange(0, 16)
    a = (g[:, None] + g[None, :]).to(tl.float32)
    d = tl.dot(a, a)
    r = tl.sum(a, axis=1)
`, 1)
}

// openChip opens the block of a variable by its value behind the line.
func (p *page) openChip(name string) {
	p.Helper()
	p.click(fmt.Sprintf(`[...document.querySelector("#editor").shadowRoot.querySelectorAll(".cm-line-value")].find((c) => c.dataset.text.startsWith(%q))`, name+" "))
	p.wait("the block of "+name, blockSentence+fmt.Sprintf(`?.startsWith(%q)`, name))
}

// TestCursorOfLargerBlock: a cursor that was left in a large block is in no element of a small one.
func TestCursorOfLargerBlock(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/puzzle/2")
	p.pictured(withLoop())
	p.openChip("x")
	p.js(`document.querySelector(".memory-block .grid-row").focus()`)
	for range 3 {
		p.key(kb.ArrowRight)
	}
	p.wait("a cell", `document.querySelector(".memory-block .grid-at")?.innerText.startsWith("x[2]")`)
	p.openChip("s")
	p.frames()
	if got := p.text(".memory-block .grid-at"); got != "" {
		t.Errorf("the reading of a scalar is %q", got)
	}
}

// TestSweep: a matrix product is gone through along K, and a reduction along its axis, by keyboard; the results so far are those
// of a recount in Go.
func TestSweep(t *testing.T) {
	t.Parallel()
	axe := axeSource(t)
	a := func(i, j int) int { return i + j }
	for _, c := range appearances() {
		p := open(t, c.lang, "#/puzzle/2")
		p.choose(fmt.Sprintf(`{"lang":%q,"theme":%q}`, c.lang, c.theme))
		p.pictured(withProduct())
		eval[bool](p, axe+"; true")
		for _, s := range []struct {
			name   string
			partly func(done, cell int) int
		}{
			{"d", func(done, cell int) (sum int) {
				for k := range done {
					sum += a(0, k) * a(k, cell)
				}
				return sum
			}},
			{"r", func(done, cell int) (sum int) {
				for k := range done {
					sum += a(cell, k)
				}
				return sum
			}},
		} {
			p.openChip(s.name)
			p.js(`document.querySelector("#sweep").focus()`)
			p.key(kb.Home)
			done := eval[int](p, `Number(document.querySelector("#sweep").min)`)
			for ; done < 5; done++ {
				p.key(kb.ArrowRight)
			}
			p.wait("five lanes", `document.querySelector("#sweep").value === "5"`)
			p.js(`document.querySelector(".sweep .values .grid-row").focus()`)
			for cell := range 4 {
				p.key(kb.ArrowRight)
				p.wait("the sum so far", fmt.Sprintf(`document.querySelector(".sweep .grid-at span code")?.innerText === "%d"`, s.partly(done, cell)))
			}
			p.js(`document.querySelector("#sweep").focus()`)
			p.key(kb.End)
			p.wait("the whole sum", fmt.Sprintf(`document.querySelector(".sweep .grid-at span code")?.innerText === "%d"`, s.partly(16, 3)))
			for range 9 {
				p.key(kb.ArrowLeft)
			}
			for _, width := range soak.Variants[int64](1440, 1024, 390) {
				p.do(chromedp.EmulateViewport(width, 900))
				if width == 390 {
					p.click(`document.querySelectorAll(".tabs button")[2]`)
				}
				p.js(`document.querySelector(".sweep").scrollIntoView()`)
				picture := fmt.Sprintf("sweep-%s-%s-%s-%d", s.name, c.lang, c.theme, width)
				p.audit(picture)
				p.picture(picture)
				if got := eval[float64](p, `document.documentElement.scrollWidth`); got > float64(width) {
					t.Errorf("%s: the page is %g px wide", picture, got)
				}
			}
			p.do(chromedp.EmulateViewport(1440, 900))
		}
	}
}
