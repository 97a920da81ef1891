package e2e

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"github.com/newtlab/newt/infra/soak"
)

// TestMistake: a wrong answer has a sentence that names its mistake. By keys one comes to its line, sees the change and
// makes it; the answer then passes, and the sentence is gone.
func TestMistake(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/puzzle/4")
	p.write(strings.Replace(solution(4), "j[:, None] * N0", "j[:, None] * N1", 1))
	const tests = `document.querySelector(".tests").getBoundingClientRect().top`
	p.run()
	before := eval[float64](p, tests)
	p.wait("the mistake", `document.querySelector("#mistake p")?.innerText === "Line 14: the stride of j[:, None] is N0 here, not N1."`)
	if after := eval[float64](p, tests); after != before {
		t.Errorf("the tests are at %g px, and were at %g before the mistake was known", after, before)
	}
	p.picture("mistake")
	p.js(axeSource(t))
	p.audit("a mistake")
	p.js(`document.querySelector("#mistake-show").focus()`)
	p.key(kb.Enter)
	p.wait("the change", `document.querySelector("#mistake-change ins")?.innerText.includes("j[:, None] * N0")`)
	p.js(`document.querySelector("#mistake-line").focus()`)
	p.key(kb.Enter)
	p.wait("its line", editor+`.querySelector(".cm-activeLine")?.textContent.includes("tl.store")`)
	p.js(`document.querySelector("#mistake-apply").focus()`)
	p.key(kb.Enter)
	p.run()
	if !p.passed() {
		t.Error(p.text(".pane.result"))
	}
	p.wait("no mistake", `!document.querySelector("#mistake")`)
}

// TestMistakeAgain: the third answer in a row that fails for the same concept has its card offered, by keys, and tests stay
// where they are as it comes.
func TestMistakeAgain(t *testing.T) {
	soak.Only(t, "frontend/test has the rows of failures, and TestMistake the sentence")
	t.Parallel()
	p := open(t, "en", "#/puzzle/4")
	wrong := strings.Replace(solution(4), "j[:, None] * N0", "j[:, None] * N1", 1)
	for n := range 3 {
		p.write(wrong + strings.Repeat("# Another try.\n", n))
		p.run()
		const tests = `document.querySelector(".tests").getBoundingClientRect().top`
		before := eval[float64](p, tests)
		p.wait("the mistake", `document.querySelector("#mistake p")?.innerText.includes("the stride of j[:, None] is N0 here")`)
		if after := eval[float64](p, tests); after != before {
			t.Errorf("answer %d: the tests are at %g px, and were at %g before the mistake was known", n, after, before)
		}
		if offered := eval[bool](p, `!!document.querySelector("#mistake-idea")`); offered != (n == 2) {
			t.Errorf("answer %d: the card is offered: %t", n, offered)
		}
	}
	p.picture("mistake-again")
	p.js(`document.querySelector("#mistake-idea").focus()`)
	p.key(kb.Enter)
	p.wait("the card", concept("stride"))
	p.key(kb.Escape)

	// An answer that passes ends the row.
	p.write(solution(4))
	p.run()
	p.write(wrong)
	p.run()
	p.wait("the mistake", `document.querySelector("#mistake p")?.innerText.includes("the stride of j[:, None] is N0 here") && !document.querySelector("#mistake-idea")`)
}
