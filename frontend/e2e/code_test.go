package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/infra/soak"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/device/cpu"
	"github.com/newtlab/newt/puzzles"
)

// showCode opens a view of the kernel's code and waits for its lines.
func (p *page) showCode(view string) {
	p.Helper()
	p.showView(view)
	p.wait("its lines", `document.querySelectorAll(".code-lines [role=option]").length > 5`)
}

// TestCode looks at the PTX and the layouts of a puzzle's solution: links both ways, keys, targets,
// and what becomes of them when the text changes.
func TestCode(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/puzzle/2")
	puzzle, _ := puzzles.Get(2)
	source := puzzle.Text.Solutions[0].Source
	p.write(source)
	p.showCode("ptx")
	p.wait("code for Hopper", `[".target sm_90a", "st.global"].every((s) => document.querySelector(".code-lines").innerText.includes(s))`)
	store := 1 + strings.Count(source[:strings.Index(source, "tl.store")], "\n")

	row := fmt.Sprintf(`document.querySelector(".code-lines [data-line='%d']")`, store)
	p.click(row)
	p.wait("its place in the text", editor+`.querySelector(".cm-related")?.textContent.includes("tl.store")`)
	p.wait("the choice", row+`.getAttribute("aria-selected") === "true" && document.querySelector(".code-lines").getAttribute("aria-activedescendant") === `+row+`.id`)

	p.js(`window.before = document.querySelector(".code-lines").getAttribute("aria-activedescendant"); document.querySelector(".code-lines").focus()`)
	p.key(kb.ArrowDown)
	p.wait("the next line", `document.querySelector(".code-lines").getAttribute("aria-activedescendant") !== window.before`)
	p.key(kb.Home)
	p.wait("the first line", `document.querySelector("#code-0").getAttribute("aria-selected") === "true"`)

	p.click(`[...` + editor + `.querySelectorAll(".cm-line")].find((l) => l.textContent.includes("tl.store"))`)
	p.wait("the lines of the cursor's", row+`.classList.contains("linked")`)

	p.js(`const s = document.querySelector("#code-target"); s.value = "sm_80"; s.dispatchEvent(new Event("change", { bubbles: true }))`)
	p.wait("code for Ampere", `document.querySelector(".code-lines").innerText.includes(".target sm_80")`)
	p.showCode("layouts")
	p.wait("a picture of lanes and warps", `document.querySelectorAll(".tile-grid span").length >= 16 && document.querySelector(".tile-key").innerText.includes("warp 0")`)
	p.write("def nothing():\n    pass")
	p.wait("no kernel", `document.querySelector("#view-layouts").innerText.includes("does not compile")`)
	p.write(source)
	p.wait("layouts again", `document.querySelector(".tile-grid")`)
	p.js(`document.querySelector("#tab-layouts").focus()`)
	p.key(kb.ArrowRight)
	p.wait("the lens", `document.activeElement.id === "tab-lens" && document.querySelector("#view-lens")`)
	p.key(kb.ArrowRight)
	p.wait("the reference", `document.activeElement.id === "tab-reference" && document.querySelector("#view-reference")`)
	p.key(kb.ArrowRight)
	p.wait("memory", `document.activeElement.id === "tab-memory" && document.querySelector("#view-memory")`)
}

// TestPointedLines: what the mouse is over is marked in the editor and in the code, from either of them.
func TestPointedLines(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/puzzle/2")
	p.pictured(addBlock())
	line := func(name string) int { return 1 + strings.Count(addBlock()[:strings.Index(addBlock(), name)], "\n") }
	load, mask := line("tl.load"), line("mask = ")
	pointed := editor + `.querySelector(".cm-pointed")`
	for _, view := range []struct{ name, row string }{
		{"ptx", `[...document.querySelectorAll(".code-lines [data-line='%d']")]`},
		{"lens", `[...document.querySelectorAll(".lens-table [data-line='%d']")]`},
	} {
		p.showView(view.name)
		row := func(line int) string { return fmt.Sprintf(view.row, line) }
		p.wait("its lines", row(load)+`.length`)
		p.hover(row(load) + `.at(-1)`)
		p.wait("the line in the editor", pointed+`?.textContent.includes("tl.load")`)
		p.wait("all of its lines in the code", row(load)+`.every((r) => r.classList.contains("linked"))`)
		p.hover(fmt.Sprintf(`[...`+editor+`.querySelectorAll(".cm-line")][%d]`, mask-1))
		p.wait("its lines in the code", row(mask)+`.every((r) => r.classList.contains("linked")) && !`+row(load)+`[0].classList.contains("linked")`)
		p.wait("no other mark in the editor", `!`+pointed)
		p.hover(`document.querySelector("h1")`)
		p.wait("nothing pointed at", `!`+row(mask)+`.some((r) => r.classList.contains("linked"))`)
	}
}

// TestCodeOfAll compiles every solution to PTX in the page, in time for typing.
func TestCodeOfAll(t *testing.T) {
	t.Parallel()
	p := open(t, "zh", "#/puzzle/1")
	p.showView("ptx")
	for _, puzzle := range someOf(puzzles.All()) {
		p.show(puzzle, "zh")
		p.write(puzzle.Text.Solutions[0].Source)
		// The starter's PTX stores nothing.
		p.wait("its PTX", fmt.Sprintf(codeText+`?.includes(".entry %s") && `+codeText+`.includes("st.global")`, puzzle.Kernel))
		t.Logf("puzzle %d: %s", puzzle.Number, p.text(".code-head p"))
	}
}

// TestDeviceOfServer chooses the device of the page's own server, by keys alone.
func TestDeviceOfServer(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/puzzle/1")
	p.key(kb.Enter, chromedp.ModifierCtrl|chromedp.ModifierShift)
	p.wait("the dialog", `document.querySelector(".device-dialog")?.open`)
	p.wait("the server's device", `document.querySelector("[data-runner=own][data-state=ready] input")`)
	p.js(`document.querySelector(".device input").focus()`)
	p.key(kb.ArrowDown)
	p.wait("its choice", `document.querySelector("[data-runner=own] input").checked`)
	p.key(kb.Escape)
	p.wait("no dialog", `!document.querySelector("dialog:modal")`)
	p.runThere()
	if p.text("#verdict h2") == "" || p.passed() {
		t.Errorf("the starter's verdict is %q", p.text("#verdict"))
	}
}

// TestCodeAccessibility: axe-core on what is new, in both themes, and a phone's width.
func TestCodeAccessibility(t *testing.T) {
	soak.Only(t, "TestViewsZoomed has axe-core see each view in both themes and languages")
	t.Parallel()
	axe := axeSource(t)
	for _, theme := range soak.Variants("light", "dark") {
		p := open(t, "en", "#/puzzle/1")
		p.choose(fmt.Sprintf(`{"lang":"en","theme":%q}`, theme))
		p.wait("the text", `document.querySelector("h1")`)
		puzzle, _ := puzzles.Get(1)
		p.write(puzzle.Text.Solutions[0].Source)
		eval[bool](p, axe+"; true")
		p.openDevices()
		p.wait("the server's device", `document.querySelector("[data-runner=own][data-state=ready] input")`)
		p.audit(theme + " devices")
		p.picture("devices-" + theme)
		p.click(`document.querySelector("[data-runner=own] input")`)
		p.key(kb.Escape)
		p.wait("no dialog", `!document.querySelector("dialog:modal")`)
		p.runThere()
		p.wait("times", `document.querySelector("#timings")`)
		p.audit(theme + " outcome")
		p.js(`document.querySelector("#timings").scrollIntoView({ block: "end" })`)
		p.picture("outcome-" + theme)
		p.showCode("ptx")
		p.click(`document.querySelector(".code-lines [data-line]")`)
		p.audit(theme + " PTX")
		p.picture("ptx-" + theme)
		p.choose(fmt.Sprintf(`{"lang":"zh","theme":%q}`, theme))
		p.do(chromedp.EmulateViewport(320, 640, chromedp.EmulateMobile, chromedp.EmulateTouch))
		p.runThere()
		p.wait("times", `document.querySelector("#timings")`)
		if width := eval[float64](p, `document.documentElement.scrollWidth`); width > 320 {
			t.Errorf("the outcome is %g px wide", width)
		}
		p.js(`document.querySelector("#timings").scrollIntoView({ block: "end" })`)
		p.picture("phone-outcome-" + theme)
		p.showCode("ptx")
		p.picture("phone-ptx-" + theme)
		p.click(`document.querySelectorAll(".tabs button")[1]`)
		p.wait("stillness", `document.getAnimations().every((a) => a.playState === "finished")`)
		p.picture("phone-editor-" + theme)
		p.openDevices()
		p.wait("the server's device", `document.querySelector("[data-runner=own][data-state=ready] input")`)
		p.picture("phone-devices-" + theme)
		if over := eval[float64](p, `(() => { const d = document.querySelector("dialog:modal"); return d.scrollWidth - d.clientWidth })()`); over > 0 {
			t.Errorf("the dialog sticks out by %g px", over)
		}
	}
}

// compiling is the CPU, which says that it has compiled what it runs to PTX of one line, from the first letter of the text.
type compiling struct{ device.Device }

func (d compiling) Load(fn *ir.Func, o device.Options) (device.Kernel, error) {
	kernel, err := d.Device.Load(fn, o)
	return compiledKernel{kernel}, err
}

type compiledKernel struct{ device.Kernel }

func (compiledKernel) Compiled() *device.Compiled {
	return &device.Compiled{PTX: "ret;\n", Lines: []source.Span{{Start: 0, End: 1}}}
}

// TestCodeOfRun: the PTX of a run on a device is shown for the text that was run, and for no other.
func TestCodeOfRun(t *testing.T) {
	t.Parallel()
	p := solving(t, newRunnerWith(t, testToken, compiling{cpu.New(cpu.Options{})}))
	p.runThere()
	p.showCode("ptx")
	p.chooseOption("code-target", "run")
	p.wait("the run's PTX", codeText+`.trim().endsWith("ret;")`)
	p.write(strings.TrimSpace(p.source()) + "\n# edited")
	p.wait("the page's own", `document.querySelector("#code-target").value === "sm_90a" && `+codeText+`.includes(".visible .entry")`)
	if eval[bool](p, `[...document.querySelector("#code-target").options].some((o) => o.value === "run")`) {
		t.Error("the PTX of an earlier text is offered")
	}
}
