package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/newtlab/newt/infra/soak"
)

// addWrong adds 11 in place of 10.
func addWrong() string { return strings.Replace(addBlock(), "x + 10.0", "x + 11.0", 1) }

const (
	whyButtons = `[...document.querySelectorAll(".memory-why li button")]`
	stepLine   = `document.querySelector("#editor").shadowRoot.querySelector(".cm-step-line")?.textContent`
)

// TestWhyByKeyboard follows a wrong answer from its first wrong element to its line, and a cell of the picture, with keys alone.
func TestWhyByKeyboard(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/puzzle/2")
	p.pictured(addWrong())
	p.run()
	p.js(`document.querySelector("#tab-result").focus()`)
	for range 40 {
		if eval[bool](p, `document.activeElement.matches(".elements .link")`) {
			break
		}
		p.key(kb.Tab)
	}
	p.key(kb.Enter)
	p.wait("the answer", `document.querySelector("[data-tensor=z] .memory-why")?.innerText.includes("z[0] = ") && document.activeElement === `+whyButtons+`[0]`)
	if got := p.text(".memory-why"); !strings.Contains(got, "expected") || !strings.Contains(got, "program 0, lane 0") {
		t.Errorf("the answer is %q", got)
	}
	for range 10 {
		if eval[bool](p, `document.activeElement.innerText.includes("x + 11.0")`) {
			break
		}
		p.key(kb.ArrowDown)
	}
	p.key(kb.Enter)
	p.wait("its line", stepLine+`?.includes("x + 11.0")`)
	p.key(kb.Escape)
	p.wait("the picture again", `!document.querySelector(".memory-why") && document.activeElement.matches("[data-tensor=z] .memory-picture")`)
	for range 3 {
		p.key(kb.ArrowRight)
	}
	p.key("w")
	p.wait("another answer", `document.querySelector("[data-tensor=z] .memory-why")?.innerText.includes("z[2] = ")`)
	p.pictured(addBlock())
	p.wait("no answer about an earlier text", `!document.querySelector(".memory-why")`)
}

// TestWhyOfFailingTest: Memory follows the first test that fails, which its list marks and names; Why? of that test shows the
// program and the step that the element comes from, with the answer in view.
func TestWhyOfFailingTest(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/puzzle/2")
	p.pictured(strings.ReplaceAll(addBlock(), "i < N0", "i < 200"))
	p.run()
	p.wait("the test in a problem", `document.querySelector(".problem-line")?.innerText.includes("test 3")`)
	p.click(`document.querySelector("#view-result .elements .link")`)
	p.wait("the answer in view", probe("inView", script(`document.querySelector(".memory-why li")`), script(`document.querySelector("#view-memory")`)))
	p.wait("the program of the element", `document.querySelector("[data-program='6'][aria-checked=true]") && `+stepLine+`?.includes("tl.store")`)
	if got := p.text("#memory-test option:checked"); got != "✗ 2 of 5: an odd number of elements" {
		t.Errorf("the test is %q", got)
	}
}

// TestWhyFormulas: a wrong answer's element has yours and what it should be side by side, from the verdict by keyboard: what
// differs is marked in the formulas and in the pictures, in the program and at the step that stored it.
func TestWhyFormulas(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/puzzle/4")
	p.pictured(strings.Replace(solution(4), "j[:, None] * N0", "j[:, None] * N1", 1))
	p.run()
	p.wait("a wrong element", `document.querySelector("#view-result .elements .link")`)
	p.js(`document.querySelector("#view-result .elements .link").focus()`)
	p.key(kb.Enter)
	p.wait("the formulas in view", probe("inView", script(`document.querySelector(".memory-why .formulas")`), script(`document.querySelector("#view-memory")`)))
	p.wait("the focus in the answer", `document.activeElement === `+whyButtons+`[0]`)
	const sides = `[...document.querySelectorAll(".formulas dd")].map((side) => [side, ...side.querySelectorAll("mark")].map((of) => of.innerText).join())`
	if got, want := eval[[]string](p, sides), []string{"x[10] + y[1],x[10]", "x[0] + y[1],x[0]"}; !slices.Equal(got, want) {
		t.Errorf("%s: the formulas are %q, not %q", p.text(".memory-why b"), got, want)
	}
	p.wait("the operands in the picture of x", `document.querySelectorAll(".found-cells[style]").length === 2 && document.querySelectorAll("[data-tensor=x] .found-cells").length === 2`)
	p.wait("the step", stepLine+`?.includes("tl.store")`)
	for _, width := range soak.Variants[int64](1440, 390) {
		p.do(chromedp.EmulateViewport(width, 900))
		p.wait("the formulas in view", probe("inView", script(`document.querySelector(".memory-why .formulas")`), script(`document.querySelector("#view-memory")`)))
		p.picture(fmt.Sprintf("why-formulas-%d", width))
	}
	p.do(chromedp.EmulateViewport(1440, 900))
	p.js(`document.querySelector(".formulas dd button").focus()`)
	p.key(kb.Enter)
	p.wait("the picture in view", probe("inView", script(`document.querySelector("[data-tensor=x] .found-cells")`), script(`document.querySelector("#view-memory")`)))
	p.key(kb.Escape)
	p.wait("no marks", `!document.querySelector(".found-cells[style]")`)
}

// TestWhyAccessibility: axe-core on the answer, in both languages and themes.
func TestWhyAccessibility(t *testing.T) {
	soak.Only(t, "TestViewsZoomed has axe-core see each view in both themes and languages")
	t.Parallel()
	axe := axeSource(t)
	for _, c := range appearances() {
		p := open(t, c.lang, "#/puzzle/2")
		p.choose(fmt.Sprintf(`{"lang":%q,"theme":%q}`, c.lang, c.theme))
		p.pictured(addWrong())
		p.js(`document.querySelector("[data-tensor=z] .memory-picture").focus()`)
		p.key(kb.ArrowRight)
		p.key(kb.Enter)
		p.wait("the answer", whyButtons+`.length > 2 && document.querySelector(".memory-why .formulas mark")`)
		eval[bool](p, axe+"; true")
		for _, width := range soak.Variants[int64](1440, 1024) {
			p.do(chromedp.EmulateViewport(width, 900))
			name := fmt.Sprintf("why-%s-%s-%d", c.lang, c.theme, width)
			p.audit(name)
			p.picture(name)
		}
		p.blockOf("x")
		p.js(`document.querySelector(".memory-block .grid-row").focus()`)
		p.key(kb.ArrowRight)
		p.key(kb.Enter)
		p.wait("the answer about a value", `document.querySelector(".memory-block .memory-why li")`)
		p.audit("why of a value, " + c.theme)
	}
}

// blockOf opens the block of the chip of a variable.
func (p *page) blockOf(name string) {
	p.Helper()
	p.click(fmt.Sprintf(`[...document.querySelector("#editor").shadowRoot.querySelectorAll(".cm-line-value")].find((c) => c.dataset.text.startsWith(%q))`, name+" "))
	p.wait("the block of "+name, blockSentence+fmt.Sprintf(`?.startsWith(%q)`, name))
}

// TestWhyOfValue follows an element of a block of values to the load and the element of the tensor that it comes from, by keyboard
// and with the mouse, in its second plane too.
func TestWhyOfValue(t *testing.T) {
	t.Parallel()
	const answer = `document.querySelector(".memory-block .memory-why")`
	for _, c := range soak.Variants([2]string{"zh", "它读取 x[33]"}, [2]string{"en", "it reads x[33]"}) {
		lang, reads := c[0], c[1]
		p := open(t, lang, "#/puzzle/2")
		p.choose(fmt.Sprintf(`{"lang":%q}`, lang))
		p.pictured(withValues())
		p.click(`document.querySelector("[data-program='1']")`)
		p.wait("program 1", captionOf("z")+`?.includes("z[32:64]")`)
		p.blockOf("x")
		p.js(`document.querySelector(".memory-block .grid-row").focus()`)
		p.key(kb.ArrowRight)
		p.key(kb.ArrowRight)
		p.key(kb.Enter)
		p.wait("the answer", answer+`?.innerText.includes("x[1] = ") && document.activeElement === `+whyButtons+`[0]`)
		if got := p.text(".memory-block .memory-why"); !strings.Contains(got, reads) {
			t.Errorf("%s: the answer is %q", lang, got)
		}
		p.key(kb.Enter)
		p.wait("its line", stepLine+`?.includes("tl.load")`)
		p.key(kb.Escape)
		p.wait("the block again", `!`+answer+` && document.activeElement.matches(".memory-block .grid-row")`)

		p.blockOf("cube")
		p.js(`document.querySelector("#block-plane").focus()`)
		p.key(kb.ArrowRight)
		p.wait("the second plane", `document.querySelector("#block-plane").value === "1"`)
		p.click(`document.querySelector(".memory-block canvas")`)
		p.click(`document.querySelector(".memory-block .values > .link")`)
		p.wait("the answer about the second plane", answer+`?.innerText.includes("cube[1, ")`)
		p.click(`document.querySelector("[data-program='2']")`)
		p.wait("no answer about another program", `!`+answer)
	}
}
