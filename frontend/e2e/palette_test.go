package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/newtlab/newt/infra/soak"
)

const paletteShown = `document.querySelector(".palette")?.open && document.querySelector(".palette li")`

// openPalette opens the list of all actions by its keys.
func (p *page) openPalette() {
	p.Helper()
	p.key("P", chromedp.ModifierCtrl|chromedp.ModifierShift)
	p.wait("the palette", paletteShown+` && document.activeElement.role === "combobox"`)
}

// search types words into the palette and waits until an action is the one that Enter chooses.
func (p *page) search(words, action string) {
	p.Helper()
	p.insert(words)
	p.wait("the action "+action, fmt.Sprintf(`document.querySelector(".palette [aria-selected=true]")?.dataset.action === %q`, action))
}

// listed are the ids of the actions that the palette lists.
func (p *page) listed() []string {
	p.Helper()
	return eval[[]string](p, `[...document.querySelectorAll(".palette li")].map((li) => li.dataset.action)`)
}

// TestPalette: actions are found by words of either language, chosen by keys and done with the focus where it was; the text stays
// as it is; what was chosen comes first the next time.
func TestPalette(t *testing.T) {
	t.Parallel()
	p := open(t, "zh", "#/puzzle/2")
	p.pictured(addBlock())
	before := p.source()
	p.openPalette()
	listed := strings.Join(p.listed(), ",")
	if !strings.Contains(listed, "run,") || !strings.Contains(listed, "puzzle-3") || strings.Contains(listed, "runAll") || strings.Contains(listed, "nextProblem") || strings.Contains(listed, "stop") {
		t.Errorf("of a puzzle without problems the palette lists %s", listed)
	}
	p.key(kb.Escape)
	p.wait("the editor again", `!document.querySelector(".palette").open && document.activeElement.id === "editor"`)

	p.openPalette()
	p.search("下一", "nextStep")
	p.key(kb.ArrowDown)
	p.search("", "nextLine")
	p.wait("its name for screen readers", `document.querySelector(".palette [aria-selected=true]").id === document.activeElement.getAttribute("aria-activedescendant")`)
	p.key(kb.ArrowUp)
	p.search("", "nextStep")
	p.key(kb.Escape)

	p.openPalette()
	p.search("hint", "hint")
	p.enter()
	p.wait("the hint", `document.querySelectorAll(".hint").length === 1`)
	p.openPalette()
	p.search("解答", "solution")
	p.enter()
	p.wait("the question before the solution", `document.querySelector(".solution.asking")`)

	p.openPalette()
	p.search("ptx", "view ptx")
	p.enter()
	p.wait("PTX", `!document.querySelector(".palette").open && document.querySelector("#tab-ptx").ariaSelected === "true"`)
	p.openPalette()
	if first := p.listed()[0]; first != "view ptx" {
		t.Errorf("what was chosen last is not first: %s", first)
	}
	p.search("outer vector", "puzzle-3")
	p.key(kb.Escape)

	p.showView("memory")
	p.wait("the steps", `document.querySelector(".timeline-strip")`)
	p.js(editor + `.focus()`)
	p.openPalette()
	p.search("breakpoint cursor", "breakpoint")
	p.enter()
	p.wait("the breakpoint", `document.querySelector(".breakpoints input") && document.activeElement.id === "editor"`)
	if after := p.source(); after != before {
		t.Errorf("the text became %q", after)
	}
}

// TestPaletteOfProblems: an action of the editor leaves the focus in it, and what does not apply any more is listed no more.
func TestPaletteOfProblems(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/puzzle/1")
	p.write(kernel("tl.store(z_ptr + j, 1)"))
	p.wait("an error's count", `document.querySelector(".bar .count")`)
	p.key(kb.F1)
	p.wait("the palette", paletteShown)
	p.search("nepr", "nextProblem")
	p.enter()
	p.wait("the problem's card", problemCard+` && document.activeElement.id === "editor"`)
	p.openPalette()
	p.search("find and", "find")
	p.enter()
	p.wait("the search panel", inEditor(".cm-search"))
	p.key(kb.Escape)
	p.openPalette()
	p.insert("no such thing")
	p.wait("why nothing is listed", `document.querySelector(".palette [role=status]")?.innerText === "No such action." && !document.querySelector(".palette li")`)
	p.enter()
	p.frames()
	if !eval[bool](p, `document.querySelector(".palette").open`) {
		t.Error("Enter closed the palette without an action")
	}
}

// TestPaletteOfDocument: a document has actions of its own: its cells run, and files are opened and saved.
func TestPaletteOfDocument(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/document")
	p.write("print(6 * 7)")
	p.openPalette()
	p.search("all cells", "runAll")
	p.enter()
	p.output(0, "42")

	p.js(`HTMLInputElement.prototype.click = function () { window.chooser = this }`)
	p.openPalette()
	p.search("open file", "openFile")
	p.enter()
	p.wait("the choice of files", `window.chooser?.type === "file" && chooser.multiple && chooser.accept.includes(".ipynb")`)
	p.js(`chooser.files = probe.files({ "one.py": "print(1)" }).files; chooser.dispatchEvent(new Event("change"))`)
	p.wait("the file", `document.querySelector(".file-name")?.innerText === "one.py"`)

	p.js(`window.made = []; const make = URL.createObjectURL; URL.createObjectURL = (blob) => { made.push(blob); return make.call(URL, blob); }`)
	p.openPalette()
	p.search("save notebook", "saveNotebook")
	p.enter()
	p.wait("the notebook", `made.length`)
	if !eval[bool](p, `made[0].text().then((text) => JSON.parse(text).nbformat === 4)`) {
		t.Error("what was saved is no notebook")
	}
}

// TestPaletteByTouch: on a phone the palette is reached from the help, and a finger chooses.
func TestPaletteByTouch(t *testing.T) {
	soak.Only(t, "TestPalette finds actions by keys, TestLessonByTouch has the finger")
	t.Parallel()
	p := open(t, "en", "#/puzzle/1")
	p.do(chromedp.EmulateViewport(390, 844, chromedp.EmulateMobile, chromedp.EmulateTouch))
	for _, theme := range []string{"dark", "light"} {
		p.tap(`document.querySelector(".tools button:last-child")`)
		p.wait("the help", `document.querySelector(".help")?.open`)
		p.tap(`document.querySelector(".help [data-action=palette]")`)
		p.wait("the palette", paletteShown)
		if small := p.smallTargets(".palette"); len(small) > 0 {
			t.Errorf("too small to touch: %s", strings.Join(small, "\n"))
		}
		p.search(theme+" theme", "theme"+strings.ToUpper(theme[:1])+theme[1:])
		p.tap(`document.querySelector(".palette [aria-selected=true]")`)
		p.wait("the theme", fmt.Sprintf(`document.documentElement.dataset.theme === %q && !document.querySelector("dialog:modal")`, theme))
	}
}

// TestPaletteLooks: in forced colors the chosen action is outlined.
func TestPaletteLooks(t *testing.T) {
	soak.Only(t, "TestViewsZoomed has axe-core see the palette")
	t.Parallel()
	p := open(t, "en", "#/free")
	for _, theme := range []string{"light", "dark"} {
		p.choose(fmt.Sprintf(`{"lang":"en","theme":%q}`, theme))
		p.openPalette()
		p.picture("palette-1440-" + theme)
		p.do(chromedp.EmulateViewport(390, 844))
		p.picture("palette-390-" + theme)
		p.do(chromedp.EmulateViewport(1440, 900))
		p.key(kb.Escape)
	}
	p.forceColors()
	p.openPalette()
	if got := eval[string](p, `getComputedStyle(document.querySelector(".palette [aria-selected=true]")).outlineStyle`); got != "solid" {
		t.Errorf("in forced colours the chosen action has the outline %q", got)
	}
}
