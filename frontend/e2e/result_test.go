package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"github.com/newtlab/newt/infra/soak"
	"github.com/newtlab/newt/puzzles"
)

// TestSuccessShowsPictures: a right answer opens the first test, whose name is in plain words.
func TestSuccessShowsPictures(t *testing.T) {
	t.Parallel()
	names := map[string]string{"en": "Test 1 of 5: 200 elements, blocks of 32", "zh": "测试 1 / 5：200 个元素，每块 32 个"}
	for lang, name := range names {
		t.Run(lang, func(t *testing.T) {
			p := open(t, lang, "#/puzzle/2")
			puzzle, _ := puzzles.Get(2)
			p.write(puzzle.Text.Solutions[0].Source)
			p.run()
			if !p.passed() {
				t.Fatal(p.text(".pane.result"))
			}
			p.wait("the first test, open", `document.querySelectorAll(".case").length === 5 && document.querySelectorAll(".case[open]").length === 1 && document.querySelector(".case").open`)
			p.wait("its pictures", `probe.shownPictures().filter(({ width }) => width > 60).length === 3`)
			if got := p.text(".case .case-name"); got != name {
				t.Errorf("the first test is %q, want %q", got, name)
			}
			if !eval[bool](p, `[...document.querySelectorAll(".case > summary")].every((s) => s.querySelector(".icon-right"))`) {
				t.Error("nothing shows that the tests open")
			}
			text := strings.ToLower(eval[string](p, `document.body.innerText`))
			for _, jargon := range []string{"classic", "strict", "notebook's sizes", "poison", "launches", "笔记本", "毒", "内核", "经典", "严格"} {
				if strings.Contains(text, jargon) {
					t.Errorf("the page says %q", jargon)
				}
			}
		})
	}
}

// TestTransposedResult: what was got, expected and the difference lie side by side, whole, with a cursor over all.
func TestTransposedResult(t *testing.T) {
	soak.Only(t, "TestViewsZoomed shows a wrong result")
	t.Parallel()
	p := open(t, "en", "#/puzzle/4")
	puzzle, _ := puzzles.Get(4)
	p.write(strings.ReplaceAll(puzzle.Text.Solutions[0].Source, "j[:, None] * N0 + i[None, :]", "i[None, :] * N1 + j[:, None]"))
	p.run()
	p.wait("three pictures in a row", `probe.picturesInRow()`)
	p.wait("their labels", `[...document.querySelectorAll(".case[open] .grid-label b")].map((b) => b.textContent).join() === "Got,Expected,Difference"`)
	p.wait("a line each for what they span", `new Set([...document.querySelectorAll(".case[open] .grid-label")].map((e) => e.offsetHeight)).size === 1`)
	// All of 90 × 100: the last element can be read, with the same cell marked in each picture.
	p.js(`document.querySelector(".case[open] .grid-row").focus()`)
	p.key(kb.ArrowRight)
	for range 89 {
		p.key(kb.ArrowDown)
	}
	p.wait("the last row", `document.querySelector(".case[open] .grid-at").innerText.startsWith("z[89, 0]") && document.querySelectorAll(".case[open] .grid-cursor").length === 3`)
	// Values keep their colours: far more of them than cells drawn in the one colour of what is wrong.
	colours := eval[int](p, probe("colours", ".case[open] .grid canvas"))
	if colours < 100 {
		t.Errorf("the picture of a wrong output has %d colours", colours)
	}
	p.click(`document.querySelector(".case[open] .values summary")`)
	p.wait("a row as a table", `document.querySelectorAll(".case[open] .values .elements tbody tr").length === 100`)
}

// TestUnwritten: what no program wrote is said to be unwritten, whatever memory held.
func TestUnwritten(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/puzzle/4")
	p.run()
	p.wait("the table", fmt.Sprintf(`((rows) => rows.length > 0 && rows.every((row) => row[1] === "unwritten"))(%s)`,
		probe("table", ".case[open] .case-body > .table-box tbody tr")))
	p.js(`document.querySelector(".case[open] .grid-row").focus()`)
	p.key(kb.ArrowRight)
	p.wait("the reading", `/Got\s+unwritten/.test(document.querySelector(".case[open] .grid-at").innerText)`)
	p.click(`document.querySelectorAll(".case > summary")[2]`)
	p.wait("the detail of another test", `document.querySelectorAll(".case")[2].querySelectorAll(".grid canvas").length === 3`)
}

// TestStaleVerdict: a verdict shrinks to a line at the first edit of the text or of the call, and while a new run takes long.
func TestStaleVerdict(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/puzzle/1")
	puzzle, _ := puzzles.Get(1)
	solution := puzzle.Text.Solutions[0].Source
	p.write(solution)
	p.run()
	p.js(editor + `.focus()`)
	p.insert("#")
	const line = `document.querySelector(".last-run:not([open])")?.innerText.startsWith("Last run Solved") && !document.querySelector("#verdict, .cta")`
	p.wait("one line", line)
	p.click(`document.querySelector(".last-run summary")`)
	p.wait("the whole outcome on demand", `document.querySelector(".last-run .case canvas")`)

	p.write(kernel("i = 0\nwhile i < 1:\n    i = i * 1\ntl.store(z_ptr, i)"))
	p.js(`document.querySelector(".bar .run").click()`)
	p.wait("the last run, quiet, while the next runs", `(document.querySelector(".bar .stop") && `+line+`) || document.querySelector("#verdict")`)
	p.js(`document.querySelector(".bar .stop")?.click()`)
	p.wait("an outcome", `document.querySelector(".fault, #verdict")`)

	free := open(t, "en", "#/free")
	free.showView("result")
	free.wait("the example's run", `document.querySelector("#verdict")`)
	free.js(`const seed = document.querySelector(".seed input"); seed.value = "7"; seed.dispatchEvent(new Event("input", { bubbles: true }))`)
	free.wait("one line", `document.querySelector(".last-run") && !document.querySelector("#verdict")`)
	free.run()
	free.wait("a fresh result", `!document.querySelector(".last-run")`)
}

// TestOutcomeIsAnnounced: the live region tells the cause, not only the verdict.
func TestOutcomeIsAnnounced(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/puzzle/1")
	p.run()
	p.wait("the failed test", `/Not yet.*Test 1 of 4.*no program writes to z/.test(document.querySelector(".pane.result > .unseen[role=status]").textContent)`)
	p.write(kernel("tl.store(z_ptr + j, 1)"))
	p.run()
	p.wait("the error with its line", `/does not compile.*line 7: .*j.* is not defined/i.test(document.querySelector(".pane.result > .unseen[role=status]").textContent)`)
	if got := eval[[]string](p, `[...document.querySelectorAll(".grid-row")].map((g) => g.getAttribute("role"))`); len(got) > 0 {
		t.Errorf("pictures of what did not run: %v", got)
	}
}

// TestTestNames: no test of any puzzle is named by where its sizes come from.
func TestTestNames(t *testing.T) {
	for _, p := range puzzles.All() {
		for _, name := range []string{p.Classic.Name.En, p.Classic.Name.Zh} {
			if strings.Contains(name, "notebook") || strings.Contains(name, "原题") || !strings.ContainsAny(name, "0123456789") {
				t.Errorf("puzzle %d: %s", p.Number, fmt.Sprintf("%q", name))
			}
		}
	}
}

// TestAnswerBeside: an answer that passed is shown beside that of the puzzle's own which is most like it, with the lines
// in which they differ, and then beside the other ways to do it, with what one might prefer them for.
func TestAnswerBeside(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/puzzle/1")
	p.write(strings.ReplaceAll(solution(1), "x + 10.0", "10.0 + x"))
	p.run()
	p.wait("the answers", `document.querySelector(".beside summary")`)
	p.click(`document.querySelector(".beside summary")`)
	p.wait("their difference", `document.querySelector(".beside .line-removed").innerText.includes("10.0 + x") && document.querySelector(".beside .line-added").innerText.includes("x + 10.0")`)
	p.wait("another way", `document.querySelectorAll(".beside section").length === 2 && document.querySelectorAll(".beside .prose").length === 2`)
	titles := func() string {
		return eval[string](p, `[...document.querySelectorAll(".beside h4")].map((h) => h.innerText.split(":")[0]).join(", ") + " " + document.querySelector(".beside h4").innerText.split(": ")[1]`)
	}
	if got := titles(); got != "Most like yours, Another way No mask" {
		t.Errorf("the first answer is beside %q", got)
	}
	p.picture("beside")
	p.js(axeSource(t))
	p.audit("an answer beside ours")
	puzzle, _ := puzzles.Get(1)
	p.write(puzzle.Text.Solutions[1].Source)
	p.run()
	p.wait("the other order", `document.querySelector(".beside h4")?.textContent === "Most like yours: With a mask that lets every lane through"`)
}
