package e2e

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"github.com/newtlab/newt/puzzles"
)

// TestWarmUp goes from a solved puzzle to the warm-up after it, which the strip and the count leave out, solves it and
// goes on to the puzzle that it prepares for, all by keys.
func TestWarmUp(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/puzzle/6")
	warmUp, _ := puzzles.Get(601)
	follow := func(link string) {
		p.wait(link, fmt.Sprintf(`document.querySelector(%q)`, link))
		p.js(fmt.Sprintf(`document.querySelector(%q).focus()`, link))
		p.key(kb.Enter)
	}
	follow(".menu summary")
	follow(`.menu-list .warm-up a[href="#/puzzle/601"]`)
	p.wait("the warm-up", fmt.Sprintf(`document.querySelector("h1")?.innerText === %q`, warmUp.Title.En))
	p.wait("its label", `document.title.startsWith("6a ") && document.querySelector(".overline").textContent.includes("6a")`)
	p.typeLines(warmUp.Text.Solutions[0].Source)
	p.run()
	if !p.passed() {
		t.Fatal(p.text(".pane.result"))
	}
	p.wait("the count", `document.querySelector(".menu-note").textContent === "0 of 12 solved"`)
	follow(`#verdict .cta[href="#/puzzle/7"]`)
	p.wait("puzzle 7", `document.title.startsWith("7 ") && document.querySelectorAll(".strip a").length === 12`)
	p.wait("the mark", `document.querySelector(".menu-list .warm-up .mark").classList.contains("mark-solved")`)
}
