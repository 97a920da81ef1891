package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/newtlab/newt/infra/soak"
)

// problemCard is a problem in full; signature help is a card as well.
var problemCard = inEditor(".card:has(.headline)")

// takeFix waits for so many problems, opens the card of the first, which says what is wrong, and takes its fix.
func (p *page) takeFix(problems int, says string) {
	p.Helper()
	p.wait(fmt.Sprintf("problems, %d of them", problems), fmt.Sprintf(`document.querySelectorAll(".problem > button").length === %d`, problems))
	p.click(`document.querySelector(".problem > button")`)
	p.wait("a card that says "+says, fmt.Sprintf(`%s?.innerText.includes(%q)`, problemCard, says))
	p.wait("its fix", problemCard+`.querySelector(".fixes button")`)
	p.js(problemCard + `.querySelector(".fixes button").click()`)
	p.wait("no card", "!"+problemCard)
}

// TestMessagesOfCheck: each of a beginner's slips is one problem, named as what it is, with a fix that mends it.
func TestMessagesOfCheck(t *testing.T) {
	t.Parallel()
	right := kernel("i = tl.arange(0, B0)\nx = tl.load(x_ptr + i)\ntl.store(z_ptr + i, x + 10)")
	for _, slip := range []struct{ name, right, wrong, says string }{
		{"a name without tl", "tl.arange(", "arange(", "the language has tl.arange"},
		{"addresses stored", "i, x + 10)", "i, x_ptr + 10)", "x_ptr + 10 holds addresses"},
		{"a bad indent", "    x = ", "  x = ", "matches no enclosing block"},
	} {
		t.Run(slip.name, func(t *testing.T) {
			p := open(t, "en", "#/puzzle/1")
			p.write(strings.Replace(right, slip.right, slip.wrong, 1))
			p.takeFix(1, slip.says)
			p.wait("no problems", `!document.querySelector(".problem, .count.bad")`)
		})
	}
}

// TestFixInList: what a slip is taken for, and its fix, are in the list of problems as well as on the card.
func TestFixInList(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/puzzle/1")
	p.write(kernel("i = tl.arange(0, B0)\nx = tl.load(x_ptr + i)\ntl.stroe(z_ptr + i, x + 10)"))
	p.wait("the suggestion", `document.querySelector(".problem-help")?.innerText === "Did you mean store?"`)
	p.click(`document.querySelector(".problem-fixes button")`)
	p.wait("the fix", editor+`.textContent.includes("tl.store(z_ptr") && !document.querySelector(".problem")`)
}

// TestStarterGoesOn: who opens a puzzle and types writes at the end of the kernel, and what is behind a return is grey.
func TestStarterGoesOn(t *testing.T) {
	t.Parallel()
	p := openAt(t, origin, "en", "#/puzzle/2")
	p.wait("the starter", editor+`?.textContent.includes("program_id")`)
	p.js(`document.querySelector(".skip").click()`)
	p.wait("the editor", `document.activeElement.id === "editor"`)
	p.insert("return\n    i = pid")
	p.wait("the last lines", fmt.Sprintf(`[...%s.querySelectorAll(".cm-line")].slice(-2).map((l) => l.textContent.split("pid")[0]).join() === "    return,    i = "`, editor))
	p.wait("grey code", inEditor(".cm-unreachable")+`?.textContent === "i = pid"`)
}

// TestMistakeInCard: the card of a problem has an example of its code, folded, in the language of the page. A card low in
// the editor stays on the screen and scrolls.
func TestMistakeInCard(t *testing.T) {
	t.Parallel()
	for _, c := range soak.Variants([2]string{"zh", "改正之后："}, [2]string{"en", "Put right:"}) {
		lang, says := c[0], c[1]
		t.Run(lang, func(t *testing.T) {
			p := open(t, lang, "#/puzzle/1")
			p.write(kernel("i = tl.arange(0, B0)\nx = tl.load(x_ptr + i)\n" + strings.Repeat("x += 1\n", 17) +
				"if x > 0:\n    tl.store(z_ptr + i, x + 10)"))
			p.wait("a problem", `document.querySelector(".problem > button")`)
			p.click(`document.querySelector(".problem > button")`)
			p.wait("a folded example", problemCard+`?.querySelector(".mistake:not([open]) summary")`)
			p.click(problemCard + `.querySelector(".mistake summary")`)
			p.wait("the example", fmt.Sprintf(`["if offs < n:", "mask=offs < n", %q].every((part) => %s?.querySelector(".mistake[open]")?.innerText.includes(part))`, says, problemCard))
			p.wait("its end within reach", fmt.Sprintf(`getComputedStyle(%[1]s.parentElement).overflowY === "auto" && probe.rect(%[1]s.parentElement).bottom <= innerHeight`, problemCard))
		})
	}
}

// addUnmasked is an answer to puzzle 2 that reads and writes past the end.
var addUnmasked = strings.Replace(kernel("i = tl.program_id(0) * B0 + tl.arange(0, B0)\nx = tl.load(x_ptr + i)\ntl.store(z_ptr + i, x + 10)"),
	"add_kernel", "add_mask2_kernel", 1)

// TestMaskIsOffered: an access outside of a tensor names the program and its lanes; the masks that are offered mend it.
func TestMaskIsOffered(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/puzzle/2")
	p.write(addUnmasked)
	for _, access := range []struct {
		problems     int
		says, masked string
	}{
		{2, "program (6, 0, 0), lanes 8 to 31 of 32", "tl.load(x_ptr + i, mask=i < N0)"},
		{1, "program (6, 0, 0), lanes 8 to 31 of 32", "tl.store(z_ptr + i, x + 10, mask=i < N0)"},
	} {
		p.run()
		p.takeFix(access.problems, access.says)
		p.wait("the mask", fmt.Sprintf(`%s.textContent.includes(%q)`, editor, access.masked))
	}
	p.run()
	if !p.passed() {
		t.Error(p.text(".pane.result"))
	}
}

// TestProblemAheadOfCheck: a problem that a run has found leads to its card before the check of the same text has come.
func TestProblemAheadOfCheck(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/puzzle/2")
	p.onLoad(probe("watchWorkers", `"check":`))
	p.reload()
	p.write(addUnmasked)
	p.run()
	p.click(`document.querySelector(".problem > button")`)
	p.wait("a card", problemCard+`?.innerText.includes("x is read at index 200")`)
}
