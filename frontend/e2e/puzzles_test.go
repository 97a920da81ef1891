package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/newtlab/newt/infra/soak"
	"github.com/newtlab/newt/puzzles"
)

// show goes to a puzzle and waits for its statement and its text in the editor.
func (p *page) show(puzzle *puzzles.Puzzle, lang string) {
	p.Helper()
	p.js(fmt.Sprintf(`location.hash = "#/puzzle/%d"`, puzzle.Number))
	p.wait("the statement", fmt.Sprintf(`document.querySelector("h1")?.innerText === %q`, puzzle.Title.In(lang)))
	p.wait("the text", fmt.Sprintf(editor+`.textContent.includes("def %s")`, puzzle.Kernel))
}

// TestSolveAll solves every puzzle by typing its first solution, in both languages.
func TestSolveAll(t *testing.T) {
	t.Parallel()
	verdict := map[string]string{"en": "Solved: ", "zh": "通过："}
	all := someOf(puzzles.All())
	for _, lang := range soak.Variants("zh", "en") {
		t.Run(lang, func(t *testing.T) {
			p := open(t, lang, "#/puzzle/1")
			for _, puzzle := range all {
				p.show(puzzle, lang)
				p.typeLines(puzzle.Text.Solutions[0].Source)
				p.run()
				if got := p.text("#verdict h2"); !p.passed() || !strings.HasPrefix(got, verdict[lang]) {
					t.Errorf("puzzle %d: verdict %q\n%s", puzzle.Number, got, p.text(".pane.result"))
				}
			}
			p.reload()
			p.wait("all marks", fmt.Sprintf(`document.querySelectorAll(".menu-list .mark-solved").length === %d`, len(all)))
		})
	}
}

// someOf takes two of a list, such as the puzzles: the first one and that in the middle. What they compute is tested
// natively; the soak takes all.
func someOf[T any](all []T) []T {
	if soak.On() {
		return all
	}
	return []T{all[0], all[len(all)/2]}
}

// TestStarters runs every starter: none passes, and each says why.
func TestStarters(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/puzzle/1")
	for _, puzzle := range someOf(puzzles.All()) {
		p.show(puzzle, "en")
		p.run()
		if p.passed() || p.text("#verdict h2") == "" {
			t.Errorf("puzzle %d: the starter's verdict is %q", puzzle.Number, p.text("#verdict"))
		}
	}
}
