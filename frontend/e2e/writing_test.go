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
			p.wait(fmt.Sprintf("puzzle %d at %d: no line past the edge", number, width), `(() => {
				const root = document.querySelector("#editor").shadowRoot;
				const scroller = root.querySelector(".cm-scroller");
				const edge = scroller.getBoundingClientRect().left + scroller.clientWidth;
				const right = (line) => {
					const range = document.createRange();
					range.selectNodeContents(line);
					return Math.max(0, ...[...range.getClientRects()].map((r) => r.right));
				};
				return Math.max(...[...root.querySelectorAll(".cm-line")].map(right)) <= edge;
			})()`)
			if width > 1000 {
				p.wait(fmt.Sprintf("puzzle %d at %d: each line in one row", number, width), `(() => {
					const lines = [...document.querySelector("#editor").shadowRoot.querySelectorAll(".cm-line")];
					// The value at a line's end, which has no text of its own, may take a row more.
					const height = (line) => {
						const texts = document.createTreeWalker(line, NodeFilter.SHOW_TEXT), range = document.createRange(), rows = [];
						while (texts.nextNode()) {
							range.selectNodeContents(texts.currentNode);
							rows.push(...range.getClientRects());
						}
						return Math.max(0, ...rows.map((r) => r.bottom)) - Math.min(...rows.map((r) => r.top));
					};
					return Math.max(...lines.map(height)) <= 1.5 * lines[0].getBoundingClientRect().height;
				})()`)
			}
		}
	}
}

// optionLabels are the completions that are listed.
const optionLabels = `[...document.querySelector("#editor").shadowRoot.querySelectorAll(".cm-tooltip-autocomplete li")].map((l) => l.textContent)`

// boxOverlap is the area in px² that two elements of the editor share; of a line its text counts.
const boxOverlap = `((a, b) => {
	const box = (selector) => {
		const element = document.querySelector("#editor").shadowRoot.querySelector(selector);
		const range = document.createRange();
		range.selectNodeContents(element);
		return (selector === ".cm-activeLine" ? range : element).getBoundingClientRect();
	};
	const [x, y] = [box(a), box(b)];
	const across = Math.min(x.right, y.right) - Math.max(x.left, y.left), down = Math.min(x.bottom, y.bottom) - Math.max(x.top, y.top);
	return across > 1 && down > 1 ? across * down : 0;
})`

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
				fmt.Sprintf(`%s(%q, %q) === 0`, boxOverlap, pair[0], pair[1]))
		}
		if out := eval[bool](p, `(() => { const r = `+inEditor(".cm-completionInfo")+`.getBoundingClientRect();
			return r.left < 0 || r.right > innerWidth || r.top < 0 || r.bottom > innerHeight })()`); out {
			t.Errorf("at %d the documentation leaves the window", c.width)
		}
		p.insert("st")
		p.wait("the list for st", optionLabels+`[0].startsWith("st")`)
		if got := eval[[]string](p, optionLabels)[0]; got != "store" {
			t.Errorf("tl.st proposes %q first", got)
		}
	}
}

// lateAnswers holds the answers to one kind of request until releaseAnswers is called, as on a machine that is busy.
func lateAnswers(request string) string {
	return fmt.Sprintf(`window.lateAnswers = [];
	window.releaseAnswers = () => lateAnswers.splice(0).forEach((answer) => answer());
	window.Worker = class extends Worker {
		late = new Set();
		postMessage(message, ...rest) {
			if (message.text && %q in JSON.parse(message.text)) this.late.add(message.call);
			super.postMessage(message, ...rest);
		}
		set onmessage(take) {
			super.onmessage = (event) => {
				if (event.data.text && this.late.has(JSON.parse(event.data.text).id)) lateAnswers.push(() => take(event));
				else take(event);
			};
		}
	};`, request)
}

// TestSlowCompletion: a list that comes late is shown all the same. Earlier the program was ended after 5 to 20 seconds.
func TestSlowCompletion(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/puzzle/2")
	p.onLoad(lateAnswers("complete"))
	p.reload()
	p.js(holdTimers)
	p.beginLine()
	p.insert("    tl.")
	p.wait("the answer", `lateAnswers.length > 0`)
	p.js(`ring(200, 21_000); releaseAnswers()`)
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
		if area := eval[float64](p, boxOverlap+`(".signature-help", ".cm-activeLine")`); area > 0 {
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

// holdTimers keeps the page's timers of 200 ms and more from firing; ring fires those that last from least
// to less than most milliseconds.
const holdTimers = `(() => {
	const { setTimeout: start, clearTimeout: stop } = window;
	const held = new Map();
	let last = 1e9;
	window.setTimeout = (callback, ms, ...rest) => {
		if (!(ms >= 200)) return start(callback, ms, ...rest);
		held.set(++last, { ms, fire: () => callback(...rest) });
		return last;
	};
	window.clearTimeout = (id) => held.delete(id) || stop(id);
	window.ring = (least, most) => {
		for (const [id, { ms, fire }] of [...held]) if (ms >= least && ms < most && held.delete(id)) fire();
	};
})()`

// TestDiagnosticTiming: a problem shows at once, unless it is new and on the line being typed.
func TestDiagnosticTiming(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/puzzle/1")
	p.onLoad(recordWorkers)
	p.reload()
	p.write("import triton\nimport triton.language as tl\n\n\n@triton.jit\n" +
		"def add_kernel(x_ptr, z_ptr, N0, B0: tl.constexpr):\n    i = tl.arange(0, B0)\n    tl.store(z_ptr + i, tl.load(x_ptr + i))")
	shown := inEditor(".cm-lintRange-error")
	p.wait("no problem", `!`+shown)
	p.js(holdTimers)

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
	p.js(`answered.length = 0`)
	p.insert(" + k")
	p.wait("the check's reply", `answered.some((m) => m.text && JSON.parse(m.text).check?.diagnostics.length > 0)`)
	p.js(`ring(200, 600)`)
	p.frames()
	if eval[bool](p, `!!`+shown) {
		t.Error("a new problem of the line being typed shows within 600 ms, before typing rests")
	}
	p.js(`ring(600, 1000)`)
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
