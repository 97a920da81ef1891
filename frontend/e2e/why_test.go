package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
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

// TestWhyAccessibility: axe-core on the answer, in both languages and themes.
func TestWhyAccessibility(t *testing.T) {
	t.Parallel()
	axe := axeSource(t)
	for _, c := range []struct{ lang, theme string }{{"en", "light"}, {"zh", "dark"}} {
		p := open(t, c.lang, "#/puzzle/2")
		p.choose(fmt.Sprintf(`{"lang":%q,"theme":%q}`, c.lang, c.theme))
		p.pictured(addWrong())
		p.js(`document.querySelector("[data-tensor=z] .memory-picture").focus()`)
		p.key(kb.ArrowRight)
		p.key(kb.Enter)
		p.wait("the answer", whyButtons+`.length > 2`)
		eval[bool](p, axe+"; true")
		for _, width := range []int64{1440, 1024} {
			p.do(chromedp.EmulateViewport(width, 900))
			name := fmt.Sprintf("why-%s-%s-%d", c.lang, c.theme, width)
			p.audit(name)
			p.picture(name)
		}
	}
}
