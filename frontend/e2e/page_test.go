package e2e

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/newtlab/newt/infra/soak"
	"github.com/newtlab/newt/runner/share/link"
)

func TestFirstVisit(t *testing.T) {
	t.Parallel()
	p := openAt(t, origin, "en", "")
	p.wait("what its example does to memory", pictured)
	if eval[bool](p, `!!document.querySelector("dialog:modal")`) {
		t.Error("a dialog is in the way")
	}
	if got := p.text(".intro .cta"); !strings.Contains(got, "puzzle 1") {
		t.Errorf("the next step is %q", got)
	}
	p.showView("result")
	p.wait("a kernel that has run", `document.querySelector("#verdict")?.dataset.pass === "true"`)
	p.click(`document.querySelector(".intro .cta")`)
	p.wait("puzzle 1", `location.hash === "#/puzzle/1" && document.querySelector("h1")?.innerText === "Constant Add"`)
	p.wait("its formulas", `document.querySelector(".katex math")`)
}

// firstLoadBudget keeps what a first visit transfers until it shows what a kernel does, in bytes, from growing
// again; RATIONALE.md tells what it consists of.
const firstLoadBudget = 1_640_000

// TestFirstLoad adds up what a first visit transfers, as the browser counts it.
func TestFirstLoad(t *testing.T) {
	t.Parallel()
	// The page fetches the rest of the program meanwhile; what has not come by the first picture is not counted.
	origin, _ := heldBack(t, restOfProgram)
	p := openAt(t, origin, "en", "")
	p.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		if _, err := cdp.Call(ctx, t, network.Enable, network.EnableParams{}); err != nil {
			return err
		}
		_, err := cdp.Call(ctx, t, network.SetCacheDisabled, network.SetCacheDisabledParams{CacheDisabled: true})
		return err
	}))
	p.reload()
	p.wait("the first picture", pictured)
	sizes := eval[map[string]int](p, `probe.transferred()`)
	total := 0
	for name, size := range sizes {
		total += size
		t.Logf("%10d %s", size, name)
	}
	t.Logf("%10d in all; the first picture was there after %.0f ms", total, eval[float64](p, "performance.now()"))
	if total > firstLoadBudget {
		t.Errorf("a first visit transfers %d bytes, %d over its budget", total, total-firstLoadBudget)
	}
}

// restOfProgram begins the path of the functions that a first visit does not run.
const restOfProgram = "/assets/rest-"

// TestRestOfProgram: what a person comes to see is there without the rest of the program, and what needs it waits for it.
func TestRestOfProgram(t *testing.T) {
	t.Parallel()
	for _, lang := range soak.Variants("en", "zh") {
		origin, load := heldBack(t, restOfProgram)
		p := openAt(t, origin, lang, "")
		p.wait("the first picture", pictured)
		p.showView("result")
		p.wait("what has run", `document.querySelector("#verdict")?.dataset.pass === "true"`)
		p.js(`location.hash = "#/puzzle/1"`)
		p.wait("the puzzle's pictures", `document.querySelector("[data-tensor=z] canvas")?.width > 10`)
		p.write(kernel("tl.store(z_ptr + i, 1)"))
		load()
		p.wait("a mark on the unknown name", inEditor(".cm-lintRange-error")+`?.textContent === "i"`)
	}
}

// TestInlineAssembly: the program of a first visit has no assembler, so that both engines go on with the larger one.
func TestInlineAssembly(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/puzzle/2")
	asm := `tl.inline_asm_elementwise("add.f32 $0, $1, 0f41200000;", "=f,f", [x], tl.float32, True, 1)`
	p.pictured(strings.Replace(addBlock(), "x + 10.0", asm, 1))
	p.run()
	if !p.passed() {
		t.Errorf("the verdict is %q", p.text("#verdict"))
	}
	p.wait("no problems", `!document.querySelector("#editor").shadowRoot.querySelector(".cm-lintRange")`)
}

func TestTextIsKept(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/puzzle/1")
	p.write("# my own text")
	p.kept()
	p.reload()
	if got := p.source(); got != "# my own text" {
		t.Errorf("after a reload the editor holds %q", got)
	}
	p.click(`document.querySelector("#reset")`)
	p.wait("the starter", editor+`.textContent.includes("def add_kernel")`)
	p.click(`document.querySelector(".status .link")`)
	p.wait("the text back", editor+`.textContent === "# my own text"`)
	p.wait("no word of what is undone", `!document.querySelector(".status .link")`)

	// Whoever leaves for another document leaves at once.
	p.js(editor + `.focus()`)
	p.key(kb.End)
	p.js(`document.execCommand("insertText", false, ", in haste"); location.hash = "#/puzzle/2"`)
	p.wait("another document", editor+`.textContent.includes("def add_mask2_kernel")`)
	p.js(`location.hash = "#/puzzle/1"`)
	p.wait("the last words", editor+`.textContent === "# my own text, in haste"`)
}

// TestLineEnds: a text that was kept with CRLF has no empty lines of its own, and is not edited by being shown.
func TestLineEnds(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/puzzle/1")
	p.js(`localStorage.setItem("newt:text:puzzle-1", JSON.stringify([{ tab: "earlier", text: "a = 1\r\nb = 2\r\n", at: 1 }]))`)
	p.reload()
	if got := p.source(); got != "a = 1\nb = 2\n" {
		t.Errorf("the editor holds %q", got)
	}
	p.kept()
	if kept := eval[int](p, `JSON.parse(localStorage.getItem("newt:text:puzzle-1")).length`); kept != 1 {
		t.Errorf("the text that nobody edited was saved: there are %d", kept)
	}
}

// TestStartOverAtOnce: the text that this browser keeps is there before the puzzle is, and its starter with it.
func TestStartOverAtOnce(t *testing.T) {
	t.Parallel()
	origin, load := heldBack(t, "/assets/content.zh-")
	p := openAt(t, origin, "en", "#/puzzle/1")
	p.write("# my own text")
	p.kept()
	p.click(`document.querySelector("#language")`)
	p.reload()
	p.wait("nothing to start over with", `document.querySelector("#reset").disabled`)
	load()
	p.click(`document.querySelector("#reset")`)
	p.wait("the starter", editor+`.textContent.includes("def add_kernel")`)
}

func TestOtherTab(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/puzzle/1")
	p.write("# first tab")
	p.kept()
	other := p.sibling("#/puzzle/1")
	other.write("# second tab")
	other.kept()
	p.wait("the offer", `document.querySelector(".offer")`)
	if got := p.source(); got != "# first tab" {
		t.Errorf("the other tab overwrote this one with %q", got)
	}
	p.click(`document.querySelector(".offer button")`)
	p.wait("the other tab's text", editor+`.textContent === "# second tab"`)
	p.key("z", chromedp.ModifierCtrl)
	p.wait("undo", editor+`.textContent === "# first tab"`)
}

func TestLanguageAndTheme(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/puzzle/8")
	p.wait("English", `document.querySelector("h1")?.innerText === "Long Softmax"`)
	p.click(`document.querySelector("#language")`)
	p.wait("Chinese", `document.documentElement.lang === "zh-Hans" && /[\u4e00-\u9fff]/.test(document.querySelector("h1").innerText)`)
	p.click(`document.querySelector("#theme")`)
	p.click(`document.querySelector("#theme")`)
	p.wait("dark", `document.documentElement.dataset.theme === "dark"`)
	p.reload()
	p.wait("the choices kept", `document.documentElement.dataset.theme === "dark" && document.documentElement.lang === "zh-Hans"`)
}

func TestKeyboard(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/puzzle/1")
	p.key(kb.Tab)
	p.wait("the way to the editor first", `document.activeElement.className === "skip"`)
	p.key(kb.Enter)
	p.wait("the editor", `document.activeElement.id === "editor"`)
	p.key(kb.Escape)
	p.key(kb.Tab)
	p.wait("the way out of the editor", `document.activeElement.classList.contains("run")`)
	p.key("?")
	p.wait("help", `document.querySelector(".help")?.open`)
	p.key(kb.Escape)
	p.wait("no help", `!document.querySelector(".help").open`)
	p.js(`document.querySelector(".splitter").focus()`)
	before := eval[float64](p, `document.querySelector(".statement").clientWidth`)
	p.key(kb.ArrowRight)
	p.wait("a wider statement", fmt.Sprintf(`document.querySelector(".statement").clientWidth > %g`, before))
}

func TestHintsAndSolution(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/puzzle/2")
	for n := 1; n <= 3; n++ {
		p.click(`document.querySelector(".hints > button")`)
		p.wait("a hint", fmt.Sprintf(`document.querySelectorAll(".hint").length === %d`, n))
	}
	p.click(`document.querySelector(".solution button")`)
	p.wait("a question", `document.querySelector(".solution.asking")`)
	if eval[bool](p, `!!document.querySelector(".answer")`) {
		t.Error("the solution shows without being asked for twice")
	}
	p.click(`document.querySelector(".solution button")`)
	p.wait("both solutions, with why", `document.querySelectorAll(".answer .prose").length === 2`)
	p.click(`document.querySelector(".answer button")`)
	p.wait("the solution in the editor", editor+`.textContent.includes("tl.store")`)
	p.key("z", chromedp.ModifierCtrl)
}

// TestPhone looks at a narrow window: nothing may stick out, and everything must be large enough to touch.
func TestPhone(t *testing.T) {
	t.Parallel()
	for _, hash := range []string{"#/free", "#/puzzle/11"} {
		p := open(t, "en", hash)
		p.do(chromedp.EmulateViewport(320, 640, chromedp.EmulateMobile, chromedp.EmulateTouch))
		for i := range 3 {
			p.click(fmt.Sprintf(`document.querySelectorAll(".tabs button")[%d]`, i))
			if width := eval[float64](p, `document.documentElement.scrollWidth`); width > 320 {
				t.Errorf("%s, pane %d is %g px wide", hash, i, width)
			}
			small := eval[[]string](p, probe("smallTargets", "body", true))
			if len(small) > 0 {
				t.Errorf("%s, pane %d: too small to touch: %s", hash, i, strings.Join(small, "\n"))
			}
		}
	}
	p := open(t, "zh", "#/puzzle/1")
	p.do(chromedp.EmulateViewport(320, 640, chromedp.EmulateMobile, chromedp.EmulateTouch))
	for _, d := range dialogs(t) {
		p.js(d.open)
		p.wait(d.name, d.shown)
		if over := eval[float64](p, `(() => { const d = document.querySelector("dialog:modal"); return d.scrollWidth - d.clientWidth })()`); over > 0 {
			t.Errorf("%s sticks out by %g px", d.name, over)
		}
		p.key(kb.Escape)
		p.wait("no dialog", `!document.querySelector("dialog:modal") && !location.hash.startsWith("#l=")`)
	}
}

// TestAccessibility asks axe-core for violations of WCAG 2.2 A and AA.
func TestAccessibility(t *testing.T) {
	t.Parallel()
	axe := axeSource(t)
	for _, theme := range []string{"light", "dark"} {
		for _, hash := range soak.Variants("#/puzzle/2", "#/free") {
			p := open(t, "en", hash)
			p.choose(fmt.Sprintf(`{"lang":"en","theme":%q}`, theme))
			p.wait("the text", `document.querySelector("h1")`)
			eval[bool](p, axe+"; true")
			if soak.On() { // TestViewsZoomed shows them in both themes
				p.run()
				p.audit(theme + " " + hash)
			}
			if hash == "#/free" {
				continue
			}
			for _, d := range dialogs(t) {
				if !soak.On() && slices.ContainsFunc(zoomed, func(v view) bool { return v.name == d.name }) {
					continue // TestViewsZoomed shows it in both themes
				}
				p.js(d.open)
				p.wait(d.name, d.shown)
				p.audit(theme + " " + d.name)
				p.key(kb.Escape)
				p.wait("no dialog", `!document.querySelector("dialog:modal") && !location.hash.startsWith("#l=")`)
			}
		}
	}
}

func axeSource(t *testing.T) string {
	t.Helper()
	axe, err := os.ReadFile("../node_modules/axe-core/axe.min.js")
	if err != nil {
		t.Fatal(err)
	}
	return string(axe)
}

// audit reports what axe-core, which is loaded, has against the page as it is.
func (p *page) audit(what string) {
	p.Helper()
	p.auditPart(what, "html")
}

// auditPart asks axe-core of a part of the page alone.
func (p *page) auditPart(what, part string) {
	p.Helper()
	p.wait("stillness", `document.getAnimations().every((a) => a.playState === "finished")`)
	found := eval[[]string](p, probe("violations", part))
	for _, violation := range found {
		p.Errorf("%s: %s", what, violation)
	}
}

// auditWidth audits the page in a window of that width, takes a picture, and reports a page that is wider.
func (p *page) auditWidth(what string, width int64) {
	p.Helper()
	what = fmt.Sprintf("%s-%d", what, width)
	p.audit(what)
	p.picture(what)
	if got := eval[float64](p, `document.documentElement.scrollWidth`); got > float64(width) {
		p.Errorf("%s: the page is %g px wide", what, got)
	}
}

// appearances are the languages and themes in which axe-core sees what a test has brought about, at several widths; in
// `make test` it is the first one, and TestViewsZoomed shows it each view in both themes.
func appearances() []appearance {
	return soak.Variants(appearance{"en", "light"}, appearance{"zh", "dark"})
}

type appearance struct{ lang, theme string }

// dialog is a window over the page: what opens it, and what tells that it is complete.
type dialog struct{ name, open, shown string }

func dialogs(t *testing.T) []dialog {
	state := link.State{
		Source: theirs, Free: &link.Free{Kernel: "k", Grid: "1"}, Custom: ownPuzzle("90_add_again", "Again"),
		Results: &link.Results{Message: "right", Prints: []string{"x"}, Tensors: []link.Tensor{{Name: "x", DType: "float32", Shape: "[4]", Text: "1 2 3 4"}}},
	}
	return []dialog{
		{"help", `document.querySelector('.tools button:last-child').click()`, `document.querySelector(".help")?.open`},
		{"palette", `dispatchEvent(new KeyboardEvent("keydown", { key: "F1" }))`, `document.querySelector(".palette")?.open`},
		{"share", `document.querySelector("#share").click()`, `document.querySelector(".share-dialog .short-link") && document.querySelector(".link-field input").value`},
		{"own puzzle", `document.querySelector(".menu-own").click()`, `document.querySelector(".own-dialog")?.open`},
		{"link", `location.hash = "#l=` + payload(t, state) + `"`, `document.querySelector("#link-source")`},
		{"lesson", `location.hash = "#/puzzle/0"`, `document.querySelector(".basics .concept")`},
		{"bad link", `location.hash = "#l=AAAA"`, `document.querySelector("#bad-link")`},
	}
}
