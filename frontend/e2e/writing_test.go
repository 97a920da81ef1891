package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/newtlab/newt/infra/soak"
	"github.com/newtlab/newt/puzzles"
)

// TestStartersAreReadable: at every width each line of every puzzle's starter is seen whole.
func TestStartersAreReadable(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/puzzle/1")
	for _, puzzle := range someOf(puzzles.All()) {
		number := puzzle.Number
		p.do(chromedp.EmulateViewport(1440, 900))
		p.visit(fmt.Sprintf("#/puzzle/%d", number))
		p.wait("the starter", editor+`.textContent.includes("@triton.jit")`)
		for _, width := range soak.Variants[int64](1440, 1024, 390) {
			p.do(chromedp.EmulateViewport(width, 900))
			p.wait("the width", fmt.Sprintf(`innerWidth === %d && document.querySelector("#editor").clientWidth < %d`, width, width+1))
			// The page's own font may come after the text: until then lines are wider.
			p.wait(fmt.Sprintf("puzzle %d at %d: no line past the edge", number, width), probe("linesFit"))
			if width > 1000 {
				p.wait(fmt.Sprintf("puzzle %d at %d: each line in one row", number, width), probe("linesInOneRow"))
			}
		}
	}
}

// optionLabels are the completions that are listed.
const optionLabels = `[...document.querySelector("#editor").shadowRoot.querySelectorAll(".cm-tooltip-autocomplete li")].map((l) => l.textContent)`

// beginLine opens an empty line at the end of the source.
func (p *page) beginLine() {
	p.Helper()
	p.js(editor + `.focus()`)
	p.key(kb.End, chromedp.ModifierCtrl)
	p.enter()
}

// TestCompletionList: what is likely comes first, and the documentation covers neither list nor line.
func TestCompletionList(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ width, height int64 }{{1440, 900}, {1024, 768}, {390, 500}} {
		p := open(t, "en", "#/puzzle/2")
		p.do(chromedp.EmulateViewport(c.width, c.height))
		if c.width < 720 {
			p.click(`document.querySelectorAll(".tabs button")[1]`)
		}
		p.beginLine()
		p.insert("    tl.")
		p.wait("completions", optionLabels+`.length > 3`)
		if got := eval[[]string](p, optionLabels)[0]; got != "program_id" {
			t.Errorf("at %d the list begins with %q, not with what the puzzle introduces", c.width, got)
		}
		p.wait("documentation", inEditor(".cm-completionInfo p")+`?.getBoundingClientRect().top > 0`)
		for _, pair := range [][2]string{
			{".cm-completionInfo", ".cm-tooltip-autocomplete ul"},
			{".cm-completionInfo", ".cm-activeLine"},
			{".cm-tooltip-autocomplete ul", ".cm-activeLine"},
		} {
			p.wait(fmt.Sprintf("at %d %s clear of %s", c.width, pair[0], pair[1]),
				probe("overlap", pair[0], pair[1])+" === 0")
		}
		if !eval[bool](p, probe("inWindow", script(inEditor(".cm-completionInfo")))) {
			t.Errorf("at %d the documentation leaves the window", c.width)
		}
		p.insert("st")
		p.wait("the list for st", optionLabels+`[0].startsWith("st")`)
		if got := eval[[]string](p, optionLabels)[0]; got != "store" {
			t.Errorf("tl.st proposes %q first", got)
		}
	}
}

// TestSlowCompletion: a list that comes late is shown all the same. Earlier the program was ended after 5 to 20 seconds.
func TestSlowCompletion(t *testing.T) {
	soak.Only(t, "TestCompletionList has the list")
	t.Parallel()
	p := open(t, "en", "#/puzzle/2")
	p.onLoad(probe("watchWorkers", `"complete":`))
	p.reload()
	p.js(`probe.holdTimers()`)
	p.beginLine()
	p.insert("    tl.")
	p.wait("the request", `probe.holding()`)
	p.js(`probe.ring(200, 21_000); probe.release()`)
	p.wait("completions", optionLabels+`.length > 3`)
}

const activeParameter = `document.querySelector("#editor").shadowRoot.querySelector(".signature-help mark")?.textContent`

// TestSignatureHelp: inside a call's brackets the parameter being given is shown, by keyboard alone.
func TestSignatureHelp(t *testing.T) {
	t.Parallel()
	for _, c := range soak.Variants([2]string{"zh", "读"}, [2]string{"en", "Reads"}) {
		lang, doc := c[0], c[1]
		p := open(t, lang, "#/puzzle/2")
		p.beginLine()
		// What is announced is taken away again after a moment.
		p.js(`window.announced = []; new MutationObserver(() => announced.push(` + inEditor(".cm-announced") + `.textContent)).observe(` + inEditor(".cm-announced") + `, { childList: true })`)
		p.insert("    x = tl.load")
		p.insert("(")
		p.wait("the first parameter", activeParameter+` === "pointer"`)
		if says := eval[string](p, inEditor(".signature-help p")+`.textContent`); !strings.Contains(says, doc) {
			t.Errorf("%s: the help says %q", lang, says)
		}
		p.insert("x_ptr, ")
		p.wait("the second parameter", activeParameter+` === "mask=None"`)
		p.wait("its announcement", `announced.some((a) => a.includes("mask=None"))`)
		p.insert("other=")
		p.wait("a parameter by name", activeParameter+` === "other=None"`)
		if area := eval[float64](p, probe("overlap", ".signature-help", ".cm-activeLine")); area > 0 {
			t.Errorf("%s: the help covers the line", lang)
		}
		p.key(kb.Escape) // the completions of other=
		p.key(kb.Escape)
		p.wait("no help", `!`+inEditor(".signature-help"))
		p.key(" ", chromedp.ModifierCtrl, chromedp.ModifierShift)
		p.wait("the help again", activeParameter+` === "other=None"`)
		p.key(kb.End)
		p.wait("no help behind the call", `!`+inEditor(".signature-help"))
	}
}

// TestDiagnosticTiming: a problem shows at once, unless it is new and on the line being typed.
func TestDiagnosticTiming(t *testing.T) {
	soak.Only(t, "TestProblems has the marks")
	t.Parallel()
	p := open(t, "en", "#/puzzle/1")
	p.onLoad(probe("watchWorkers"))
	p.reload()
	p.write("import triton\nimport triton.language as tl\n\n\n@triton.jit\n" +
		"def add_kernel(x_ptr, z_ptr, N0, B0: tl.constexpr):\n    i = tl.arange(0, B0)\n    tl.store(z_ptr + i, tl.load(x_ptr + i))")
	shown := inEditor(".cm-lintRange-error")
	p.wait("no problem", `!`+shown)
	p.js(`probe.holdTimers()`)

	p.key(kb.ArrowUp) // to the name i of line 7, which line 8 uses
	p.key(kb.Home)
	p.key(kb.ArrowRight)
	for range 8 {
		p.insert("j")
		p.wait("the problem of the next line, without a pause", shown)
		p.key(kb.Backspace)
		p.wait("no problem", `!`+shown)
	}

	p.key(kb.End)
	p.js(`probe.traffic.answered.length = 0`)
	p.insert(" + k")
	p.wait("the check's reply", `probe.traffic.answered.some((m) => m.text && JSON.parse(m.text).check?.diagnostics.length > 0)`)
	p.js(`probe.ring(200, 600)`)
	p.frames()
	if eval[bool](p, `!!`+shown) {
		t.Error("a new problem of the line being typed shows within 600 ms, before typing rests")
	}
	p.js(`probe.ring(600, 1000)`)
	p.wait("the problem of the line that was typed", shown)
}

// TestSearchPanelInChinese: what CodeMirror says by itself is in the page's language.
func TestSearchPanelInChinese(t *testing.T) {
	t.Parallel()
	p := open(t, "zh", "#/puzzle/1")
	p.waitForText()
	p.js(editor + `.focus()`)
	p.key("f", chromedp.ModifierCtrl)
	p.wait("the search panel", inEditor(".cm-search"))
	if says := eval[string](p, inEditor(".cm-search")+`.innerText`); !strings.Contains(says, "全部替换") || strings.ContainsAny(says, "abcdefghijklmnopqrstuvwxyz") {
		t.Errorf("the search panel says %q", says)
	}
}

const matmulSource = `import triton
import triton.language as tl


@triton.jit
def matmul(a_ptr, b_ptr, c_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, K, BK):
        rk = k + tl.arange(0, BK)
        a = tl.load(a_ptr + rm[:, None] * K + rk[None, :])
        b = tl.load(b_ptr + rk[:, None] * N + rn[None, :])
        acc += tl.dot(a, b)
    tl.store(c_ptr + rm[:, None] * N + rn[None, :], acc)`

// field is a field of the free page's form by its label.
func field(label string) string {
	return fmt.Sprintf(`document.querySelector('.call input[aria-label=%q]')`, label)
}

// TestFreePageProposes: a kernel of two dimensions runs right at the first go, with a call that newt
// proposes; what is wrong with a field is said at the field; the introduction makes room.
func TestFreePageProposes(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/free")
	p.showView("result")
	p.wait("the example's run", `document.querySelector("#verdict")`)
	p.wait("the introduction", `document.querySelector(".intro").open && document.querySelector(".intro .lead").checkVisibility()`)
	p.write(matmulSource)
	p.wait("the introduction folded", `!document.querySelector(".intro").open && !document.querySelector(".intro .lead")?.checkVisibility()`)
	p.wait("the shape of a", field("a_ptr: Shape")+`?.value === "M, K"`)
	for label, want := range map[string]string{"b_ptr: Shape": "K, N", "c_ptr: Shape": "M, N", "Grid": "(triton.cdiv(M, BM), triton.cdiv(N, BN))"} {
		if got := eval[string](p, field(label)+`.value`); got != want {
			t.Errorf("%s is %q, want %q", label, got, want)
		}
	}
	p.run()
	if !p.passed() {
		t.Errorf("the proposed call fails: %s", p.text("#verdict"))
	}

	p.click(field("a_ptr: Shape"))
	p.key(kb.End)
	p.insert(" + Q")
	p.wait("the problem at its field", field("a_ptr: Shape")+`.closest("li").querySelector(".field-error")?.textContent.includes("no argument Q")`)
	if got := p.text(".field-error"); strings.Contains(got, "NameError") || !strings.Contains(got, "M, N, K") {
		t.Errorf("the field says %q", got)
	}
	for range " + Q" {
		p.key(kb.Backspace)
	}
	p.wait("no problem", `!document.querySelector(".field-error")`)
	p.click(field("Grid"))
	p.key("a", chromedp.ModifierCtrl)
	p.insert("0")
	p.wait("the problem at the grid", `document.querySelector(".call-row + .field-error")`)
}
