package e2e

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"github.com/newtlab/newt/puzzles/fast"
)

// TestLadder: the starter of a puzzle of the second course is right and reaches no level, an edit reaches the next one,
// and the solution the highest, which alone says what was learned and leads to Lens and on.
func TestLadder(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/puzzle/2001")
	puzzle, _ := fast.Get(2001)
	p.wait("the puzzle", fmt.Sprintf(`document.title === %q && document.querySelector("h1")?.innerText === %q`,
		"F1 "+puzzle.Title.En+" · newt", puzzle.Title.En))
	const ladder = `document.querySelector("#ladder")`
	run := func(source, level, count string) {
		t.Helper()
		p.write(source)
		p.run()
		if !p.passed() {
			t.Fatal(p.text(".pane.result"))
		}
		p.wait(level, fmt.Sprintf(`%s?.innerText.includes(%q)`, ladder, level))
		p.wait("the count", fmt.Sprintf(`%s.querySelector("tbody td").innerText === %q`, ladder, count))
	}
	const learned = `document.querySelector("#view-result .learned")`
	run(puzzle.Text.Starter, "No level is reached yet", "8,192")
	p.wait("the next level", ladder+`.innerText.includes("Bronze takes at most 4,096 sectors of global memory; here it is 8,192.")`)
	p.wait("no solution yet", `!document.querySelector(".beside") && !`+learned+` && !document.querySelector(".pane.result .cta")`)
	run(puzzle.Text.Solutions[1].Source, "Level reached: silver", "2,048")
	p.wait("the way on", fmt.Sprintf(`document.querySelector('.pane.result .cta[href="#/puzzle/2002"]') && !%s`, learned))
	p.wait("the level, which later visits have", `JSON.parse(localStorage.getItem("newt:progress"))[2001] === "silver"`)
	run(puzzle.Text.Solutions[0].Source, "Level reached: gold", "1,024")
	p.wait("what was learned", learned)
	p.click(`document.querySelector(".menu summary")`)
	p.wait("the twelve", `document.querySelector(".menu-note").textContent === "0 of 12 solved" && document.querySelectorAll(".strip a").length === 12`)
	p.click(`document.querySelector("#menu-fast")`)
	p.wait("the mark", `document.querySelector('.map a[href="#/puzzle/2001"] .mark-solved') && document.querySelectorAll(".map a[href^='#/puzzle/20']").length === 12`)
	p.key(kb.Escape)
	p.click(ladder + `.querySelector("button.link")`)
	p.wait("the lens of the launch", lensReady+` && `+lensLines+`.some((row) => row.includes("tl.load") && row.includes("|512, ideal"))`)
}
