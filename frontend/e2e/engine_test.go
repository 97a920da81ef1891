package e2e

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"github.com/newtlab/newt/infra/soak"
)

// kernel wraps the body of puzzle 1's kernel.
func kernel(body string) string {
	return "import triton\nimport triton.language as tl\n\n\n@triton.jit\n" +
		"def add_kernel(x_ptr, z_ptr, N0, B0: tl.constexpr):\n    " + strings.ReplaceAll(body, "\n", "\n    ") + "\n"
}

// TestProblems follows a diagnostic from its mark through its card and the list, until it is gone.
func TestProblems(t *testing.T) {
	t.Parallel()
	for _, c := range soak.Variants([2]string{"zh", "错误"}, [2]string{"en", "Error"}) {
		lang, word := c[0], c[1]
		t.Run(lang, func(t *testing.T) {
			p := open(t, lang, "#/puzzle/1")
			p.write(kernel("x = tl.load(x_ptr + tl.arange(0, B0))\ntl.store(z_ptr + i, x)"))
			p.wait("a mark on the unknown name", inEditor(".cm-lintRange-error")+`?.textContent === "i"`)
			p.key(kb.F8)
			p.wait("its card", inEditor(".card .headline")+fmt.Sprintf(`?.textContent.startsWith(%q)`, word))
			p.key(kb.Escape)
			p.wait("no card", "!"+inEditor(".card"))
			p.click(`document.querySelector(".problem > button")`)
			p.wait("the card again", inEditor(".card"))
			p.write(kernel("i = tl.arange(0, B0)\nx = tl.load(x_ptr + i)\ntl.store(z_ptr + i, x + 10)"))
			p.wait("no problems", `!document.querySelector(".count.bad") && !`+inEditor(".cm-lintRange-error"))
		})
	}
}

// TestCompletionAndHover asks for the language's names while typing.
func TestCompletionAndHover(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/puzzle/1")
	p.write(kernel("x = tl.load(x_ptr)\ntl.sto"))
	p.key("r")
	p.wait("a proposal", inEditor(".cm-tooltip-autocomplete li")+`?.textContent.startsWith("store")`)
	p.wait("its documentation", inEditor(".cm-completionInfo"))
	p.key(kb.Escape)
	p.hover(`[...` + editor + `.querySelectorAll("span")].find((s) => s.textContent === "load")`)
	p.wait("the signature", inEditor(".card .signature")+`?.textContent.startsWith("tl.load(")`)
}

// TestWrongElements reads the table of the first wrong elements.
func TestWrongElements(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/puzzle/1")
	p.write(kernel("i = tl.arange(0, B0)\nx = tl.load(x_ptr + i)\ntl.store(z_ptr + i, x + 9)"))
	p.run()
	if p.passed() {
		t.Fatal("x + 9 passes")
	}
	const rows = ".case[open] .elements tbody tr"
	p.wait("rows", fmt.Sprintf(`document.querySelector(%q)`, rows))
	table := eval[[][]string](p, probe("table", rows))
	if len(table) > 16 || table[0][0] != "[0]" {
		t.Errorf("%d rows, the first of %s", len(table), table[0][0])
	}
	for _, row := range table {
		want, err1 := strconv.ParseFloat(row[1], 64)
		got, err2 := strconv.ParseFloat(row[2], 64)
		if err1 != nil || err2 != nil || math.Abs(got-want-1) >= 1e-3 || !strings.HasPrefix(row[3], "program (0)") {
			t.Errorf("a row is %q", row)
		}
	}
	p.wait("the three pictures", `document.querySelectorAll(".case[open] .grid canvas").length === 3`)
}

// TestEndless runs what never ends: the page stays alive and the text stays.
func TestEndless(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/puzzle/1")
	source := kernel("i = 0\nwhile i < 1:\n    i = i * 1\ntl.store(z_ptr, i)")
	p.write(source)
	p.js(`document.querySelector(".bar .run").click()`)
	p.wait("an end, or a way to stop", `document.querySelector(".bar .stop") || document.querySelector("#verdict")`)
	p.js(`document.querySelector(".bar .stop")?.click()`)
	p.wait("an outcome", `document.querySelector(".fault, #verdict")`)
	if got := p.source(); got != strings.TrimSpace(source) {
		t.Errorf("the editor holds %q", got)
	}
	p.write(kernel("i = tl.arange(0, B0)\ntl.store(z_ptr + i, tl.load(x_ptr + i) + 10)"))
	p.run()
	if !p.passed() {
		t.Errorf("after the endless run a right answer gets %q", p.text("#verdict"))
	}
}

// TestReference finds a name in the language's reference and runs its example.
func TestReference(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/puzzle/1")
	p.click(`document.querySelector("#reference")`)
	p.click(`document.querySelector(".reference input")`)
	p.key("arange")
	p.wait("tl.arange first", `document.querySelector(".entry code")?.textContent === "tl.arange"`)
	p.click(`document.querySelector(".entry summary")`)
	p.click(`document.querySelector(".entry .example button")`)
	p.wait("what it prints", `document.querySelector(".printed")?.textContent.includes("7")`)
}

// TestFreePage changes an argument and the grid of a kernel of one's own.
func TestFreePage(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/free")
	p.onLoad(probe("watchWorkers"))
	p.reload()
	p.showView("result")
	p.wait("the run of the first example", `document.querySelector("#verdict")`)
	p.click(`document.querySelectorAll(".chip")[1]`)
	p.wait("the form of vector add", `[...document.querySelectorAll(".arg > code")].map((c) => c.textContent).join() === "x_ptr,y_ptr,out_ptr,n,BLOCK"`)
	// An example runs by itself, once; a run that is asked for meanwhile is that one.
	p.wait("its run", `document.querySelector("#verdict") && document.querySelector(".timing")?.innerText.includes(": 4 programs")`)
	p.run()
	if !p.passed() || !strings.Contains(p.text(".timing"), ": 4 programs") {
		t.Errorf("vector add: %q", p.text(".pane.result"))
	}
	if runs := eval[int](p, `probe.traffic.asked.filter((m) => m.text && JSON.parse(m.text).free).length`); runs != 3 {
		t.Errorf("two examples and one run that was asked for make %d runs", runs)
	}
	p.wait("only out_ptr changed", `[...document.querySelectorAll(".tensor summary")].filter((s) => s.textContent.includes("unchanged")).length === 2`)
}
