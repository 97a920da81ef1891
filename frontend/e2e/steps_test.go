package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/newtlab/newt/infra/soak"
	"github.com/newtlab/newt/puzzles"
	"github.com/newtlab/newt/runner/share/link"
)

// withLoop is puzzle 2's solution with a loop of six iterations, and one in it.
func withLoop() string {
	return strings.Replace(addBlock(), "    mask = i < N0\n", `    mask = i < N0
    s = pid
    for k in range(6):
        for j in range(k):
            s += k * j
`, 1)
}

// chip is the value behind a line of the code that begins so.
func chip(value string) string {
	return fmt.Sprintf(`[...document.querySelector("#editor").shadowRoot.querySelectorAll(".cm-line-value")].some((c) => c.dataset.text.startsWith(%q))`, value)
}

// stepNow is the line that the timeline says the step is of.
const stepNow = `document.querySelector(".timeline-now").innerText`

// withLong is puzzle 2's solution with a loop of so many iterations, of a step or two each.
func withLong(loop string) string {
	return strings.Replace(addBlock(), "    mask = i < N0\n", "    mask = i < N0\n    s = pid\n    "+loop+"\n        s = (s * 3 + 1) & 1023\n", 1)
}

// TestWholeLaunch: a launch of more work than a look does says so. A person may have it run to its end, is told how far
// it has come, and may stop it; its last step and the middle of its loop are then a moment away.
func TestWholeLaunch(t *testing.T) {
	soak.Only(t, "TestLongLoop has the engine look for an iteration, TestLookStopped stops a look")
	t.Parallel()
	p := open(t, "en", "#/puzzle/2")
	p.onLoad(probe("watchWorkers"))
	p.reload()
	p.pictured(withLong("while s >= 0:"))
	p.click(`document.querySelector("#look-wholly")`)
	p.wait("how far it has come", `/^[\d,]+ steps so far/.test(document.querySelector("#long-look")?.innerText)`)
	p.wait("a way to stop it", `document.querySelector("#stop-look")`)
	p.click(`document.querySelector("#stop-look")`)
	p.wait("what there was before", `!document.querySelector("#long-look") && document.querySelector("#look-wholly")`)
	p.pictured(withLong("for k in range(200000):"))
	p.wait("the end of the budget", `document.querySelector("#look-wholly")`)
	p.click(`document.querySelector("#look-wholly")`)
	p.wait("the whole launch", `!document.querySelector("#look-wholly") && !document.querySelector("#long-look")`)
	p.js(`document.querySelector(".timeline-strip").focus()`)
	p.key(kb.End)
	p.wait("the last step", `(([, at, all]) => at === all && Number(at) > 800000)(/Step (\d+) of (\d+)/.exec(`+stepNow+`) ?? [])`)
	p.click(`document.querySelector("#breakpoints")`)
	p.wait("the breakpoints", `document.querySelector(".breakpoints .fine")`)
	p.click(lineNumber(13))
	p.wait("the breakpoint", `document.querySelector("#breakpoint-13")`)
	p.click(`document.querySelector("#stop-before")`)
	p.wait("the last iteration", stepNow+`.includes("iteration 199999")`)
	p.js(`const loop = document.querySelector(".timeline-loops input"); loop.value = 100000; loop.dispatchEvent(new Event("input", { bubbles: true }))`)
	p.wait("the middle of the loop", stepNow+`.includes("iteration 100000")`)
	seeks := `probe.traffic.asked.filter((m) => m.text?.includes('"seek":')).length`
	before := eval[int](p, seeks)
	p.js(`const loop = document.querySelector(".timeline-loops input"); for (let i = 1; i <= 20; i++) { loop.value = 5000 * i; loop.dispatchEvent(new Event("input", { bubbles: true })) }`)
	p.js(`const loop = document.querySelector(".timeline-loops input"); loop.value = 20000; loop.dispatchEvent(new Event("input", { bubbles: true }))`)
	p.wait("where a drag has ended", stepNow+`.includes("iteration 20000")`)
	if n := eval[int](p, seeks) - before; n > 2 {
		t.Errorf("a drag over 21 iterations asks for %d", n)
	}
}

// TestLookFails: a look at a launch of which the program dies says so of what it still shows, and the next edit is looked at.
func TestLookFails(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/puzzle/2")
	p.onLoad(probe("watchWorkers"))
	p.reload()
	p.pictured(addBlock())
	p.write(withLong("while s >= 0:"))
	p.wait("a look that takes long", `document.querySelector("#long-look")`)
	p.js(`for (const w of probe.workers) w.postMessage({ module: undefined })`)
	p.wait("word that it failed", `document.querySelector(".memory-outdated")?.innerText.includes("could not trace")`)
	p.wait("the earlier text's pictures", `document.querySelector(".memory-launch[aria-busy=false][data-outdated=true]")`)
	p.pictured(addBlock() + "\n")
}

// lineNumber is a line's number in the editor.
func lineNumber(line int) string {
	return fmt.Sprintf(`[...document.querySelector("#editor").shadowRoot.querySelectorAll(".cm-lineNumbers .cm-gutterElement")].find((e) => e.textContent === "%d" && e.offsetHeight > 0)`, line)
}

// TestStepsByKeyboard: operations, lines and programs are gone through by keys, forwards and back, and values are those of a
// recount in Go at each iteration that a loop's slider chooses.
func TestStepsByKeyboard(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/puzzle/2")
	p.pictured(withLoop())
	p.click(`document.querySelector("[data-program='1']")`)
	p.wait("program 1", captionOf("z")+`?.includes("z[32:64]")`)
	p.js(`document.querySelector(".timeline-strip").focus()`)
	p.key(kb.Home)
	p.wait("the first step", stepNow+`.includes("line 7")`)
	for _, line := range []int{8, 10, 12, 12, 13, 14, 12} {
		p.key(kb.ArrowRight, chromedp.ModifierShift)
		p.wait("the next line", stepNow+fmt.Sprintf(`.includes("line %d")`, line))
	}
	p.wait("iteration 2", stepNow+`.includes("iteration 2")`)
	for _, line := range []int{14, 13, 12, 12, 10, 8} {
		p.key(kb.F9, chromedp.ModifierCtrl|chromedp.ModifierShift)
		p.wait("the line before", stepNow+fmt.Sprintf(`.includes("line %d")`, line))
	}
	p.key(kb.F9, chromedp.ModifierCtrl)
	p.wait("line 10 again", stepNow+`.includes("line 10")`)
	p.key(kb.ArrowDown)
	p.wait("the next program, at the same line", stepNow+`.includes("line 10") && document.querySelector("[data-program='2'][aria-checked=true]")`)
	p.key(kb.ArrowUp)
	p.wait("the program before", `document.querySelector("[data-program='1'][aria-checked=true]")`)
	p.key(kb.Enter)
	p.wait("the block of the step", blockSentence+`?.startsWith("mask: int1[32] of program 1. 32 of 32 lanes true.")`)

	p.js(`document.querySelector(".timeline-strip").focus()`)
	for range 7 {
		p.key(kb.ArrowRight, chromedp.ModifierShift)
	}
	p.wait("both loops", `document.querySelectorAll(".timeline-loops input").length === 2 && `+stepNow+`.includes("line 14")`)
	s := 1
	for k := range 6 {
		for j := range k {
			s += k * j
		}
		if k < 2 {
			continue
		}
		p.js(fmt.Sprintf(`const r = document.querySelector(".timeline-loops [data-depth='0']"); r.value = %d; r.dispatchEvent(new Event("input", { bubbles: true }))`, k))
		p.wait("the iteration", fmt.Sprintf(`document.querySelector(".timeline-loops [data-depth='0']").ariaValueText === "iteration %d of 0 to 5" && `, k)+stepNow+fmt.Sprintf(`.includes("iteration %d.")`, k))
		p.js(`document.querySelector(".timeline-loops [data-depth='1']").focus()`)
		p.key(kb.End)
		p.wait("the last inner iteration", stepNow+fmt.Sprintf(`.includes("iteration %d.%d")`, k, k-1)+` && `+chip(fmt.Sprintf("s  int32  %d", s)))
		p.wait("the loop's index", chip(fmt.Sprintf("k  int32  %d", k)))
	}
}

// TestStepsAccessibility: axe-core on the sliders of loops in both themes and languages, at three widths.
func TestStepsAccessibility(t *testing.T) {
	soak.Only(t, "TestViewsZoomed has axe-core see each view in both themes and languages")
	t.Parallel()
	axe := axeSource(t)
	for _, c := range appearances() {
		p := open(t, c.lang, "#/puzzle/2")
		p.choose(fmt.Sprintf(`{"lang":%q,"theme":%q}`, c.lang, c.theme))
		p.pictured(withLoop())
		p.js(`document.querySelector(".timeline-strip").focus()`)
		for range 5 {
			p.key(kb.ArrowLeft)
		}
		p.wait("the loops", `document.querySelectorAll(".timeline-loops input").length === 2`)
		p.click(`document.querySelector("#breakpoints")`)
		p.click(`document.querySelector("#add-breakpoint")`)
		p.wait("the breakpoint", `document.querySelector(".breakpoints input")`)
		p.js(`const c = document.querySelector(".breakpoints input"); c.value = "pid = 3"; c.dispatchEvent(new Event("input", { bubbles: true }))`)
		p.wait("the condition", `document.querySelector(".breakpoints input").value === "pid = 3"`)
		p.click(`document.querySelector("#stop-next")`)
		p.wait("what is wrong with it", `document.querySelector(".breakpoints li > .bad")`)
		eval[bool](p, axe+"; true")
		for _, width := range soak.Variants[int64](1440, 1024, 390) {
			p.do(chromedp.EmulateViewport(width, 900))
			if width == 390 {
				p.click(`document.querySelectorAll(".tabs button")[2]`)
			}
			if height := eval[int](p, `document.querySelector(".timeline .timeline-buttons").offsetHeight`); height > 60 {
				t.Errorf("at %d px the timeline's buttons are %d px high: they cover what is above", width, height)
			}
			p.auditWidth(fmt.Sprintf("steps-%s-%s", c.lang, c.theme), width)
		}
	}
}

// TestBreakpoints: a click on a line's number or a button sets a breakpoint; the stops of all programs are gone through both
// ways by keyboard, where a condition holds, and what is wrong with one is said.
func TestBreakpoints(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/puzzle/2")
	p.pictured(withLoop())
	p.click(`document.querySelector("[data-program='0']")`)
	p.wait("program 0", captionOf("z")+`?.includes("z[0:32]")`)
	p.js(`document.querySelector(".timeline-strip").focus()`)
	p.key(kb.Home)
	p.js(`document.querySelector("#breakpoints").focus()`)
	p.key(kb.Enter)
	p.wait("the breakpoints", `document.querySelector(".breakpoints .fine")`)
	number := lineNumber(14)
	p.click(number)
	p.wait("line 14 in the list", `document.querySelector("#breakpoint-14")`)
	p.wait("its mark", number+`.classList.contains("cm-breakpoint")`)
	status := `document.querySelector(".breakpoints [role=status]").innerText`

	p.js(`document.querySelector("#breakpoint-14").focus()`)
	p.key("pid == 3 and k * j > 5")
	p.key(kb.Enter)
	s := 3
	var want []int // the sums at the stops of program 3
	for k := range 6 {
		for j := range k {
			if s += k * j; k*j > 5 {
				want = append(want, s)
			}
		}
	}
	for i, s := range want {
		if i > 0 {
			p.key(kb.Enter)
		}
		p.wait("the next stop", stepNow+`.includes("line 14") && document.querySelector("[data-program='3'][aria-checked=true]") && `+chip(fmt.Sprintf("s  int32  %d", s)))
	}
	p.wait("the stop in words", status+`.startsWith("Stopped in program 3 at step")`)
	p.key(kb.Enter)
	p.wait("no more stops", status+`.startsWith("No program stops further on")`)
	p.js(`document.querySelector("#stop-before").focus()`)
	p.key(kb.Enter)
	p.wait("the stop before", chip(fmt.Sprintf("s  int32  %d", want[len(want)-2])))

	p.js(`const c = document.querySelector("#breakpoint-14"); c.value = "kk > 5"; c.dispatchEvent(new Event("input", { bubbles: true })); c.focus()`)
	p.key(kb.Enter)
	p.wait("what is wrong", `document.querySelector("#breakpoint-14-wrong")?.innerText.includes("neither a variable that the function computes")`)
	p.wait("the field that has it", `document.querySelector("#breakpoint-14[aria-invalid=true]")`)

	// An edit above moves the breakpoint along with its line.
	p.js(editor + `.focus()`)
	p.key(kb.Home, chromedp.ModifierCtrl)
	p.insert("# a sum\n")
	p.wait("line 15", `document.querySelector("#breakpoint-15")?.value === "kk > 5" && !document.querySelector("#breakpoint-14")`)
	p.click(`document.querySelector(".breakpoints li .tool")`)
	p.wait("none", `!document.querySelector(".breakpoints li") && document.querySelector("#stop-next").disabled`)
}

// TestBreakpointsAreKept: breakpoints are there again after a reload, marked before their list is opened.
func TestBreakpointsAreKept(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/puzzle/2")
	p.altered = true
	p.pictured(withLoop())
	p.click(`document.querySelector("#breakpoints")`)
	p.wait("the breakpoints", `document.querySelector(".breakpoints .fine")`)
	p.click(lineNumber(14))
	p.wait("line 14 in the list", `document.querySelector("#breakpoint-14")`)
	p.js(`document.querySelector("#breakpoint-14").focus()`)
	p.key("pid == 3")
	p.wait("what is kept", `localStorage.getItem("newt:breakpoints:puzzle-2")?.includes("pid == 3")`)
	p.reload()
	p.wait("the mark", lineNumber(14)+`?.classList.contains("cm-breakpoint")`)
	p.click(`document.querySelector("#breakpoints")`)
	p.wait("its condition", `document.querySelector("#breakpoint-14")?.value === "pid == 3"`)
	p.click(`document.querySelector(".breakpoints li .tool")`)
	p.wait("nothing kept", `localStorage.getItem("newt:breakpoints:puzzle-2") === null`)
}

// TestBreakpointAtOnce: a breakpoint is set where the button for it is clicked as soon as it shows, and where another text was
// opened since.
func TestBreakpointAtOnce(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/puzzle/2")
	p.pictured(addBlock())
	p.js(probe("clickAtOnce", "#add-breakpoint"))
	p.click(`document.querySelector("#breakpoints")`)
	p.wait("a breakpoint", `document.querySelectorAll(".breakpoints input").length === 1`)
	p.js(`location.hash = "#/puzzle/1"`)
	p.wait("none in the other text", `location.hash === "#/puzzle/1" && document.querySelector(".breakpoints .fine") && !document.querySelector(".breakpoints input")`)
	p.click(`document.querySelector("#add-breakpoint")`)
	p.wait("one", `document.querySelectorAll(".breakpoints input").length === 1`)
}

// TestLongLoop: an iteration beyond the window of steps that the page holds is looked for by the engine.
func TestLongLoop(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/puzzle/2")
	p.pictured(strings.NewReplacer("range(6)", "range(100)").Replace(withLoop()))
	p.click(`document.querySelector("[data-program='1']")`)
	p.js(`document.querySelector(".timeline-strip").focus()`)
	p.key(kb.Home)
	for range 9 {
		p.key(kb.ArrowRight, chromedp.ModifierShift)
	}
	p.wait("the first iterations", stepNow+`.includes("line 14, iteration 2.0") && document.querySelector(".timeline-loops input")`)
	for _, k := range []int{90, 3, 99} {
		p.js(fmt.Sprintf(`const r = document.querySelector(".timeline-loops [data-depth='0']"); r.value = %d; r.dispatchEvent(new Event("input", { bubbles: true }))`, k))
		p.wait("the iteration", stepNow+fmt.Sprintf(`.includes("line 14, iteration %d.") && `, k)+chip(fmt.Sprintf("k  int32  %d", k)))
	}
}

// TestProgramsSideBySide: a lane for each program has the steps, accesses and first problem that the steps of the program have,
// counted again; a click or Enter goes there.
func TestProgramsSideBySide(t *testing.T) {
	soak.Only(t, "TestViewsZoomed shows the lanes of the programs")
	t.Parallel()
	p := open(t, "en", "#/puzzle/2")
	longer := strings.Replace(addOutside(), "    x = tl.load", "    s = pid\n    for k in range(pid):\n        s += k\n    x = tl.load", 1)
	p.pictured(longer)
	p.click(`document.querySelector("[data-program='0']")`)
	p.wait("program 0", captionOf("z")+`?.includes("z[0:32]")`)
	steps := eval[int](p, `Number(document.querySelector(".timeline-strip").ariaValueMax)`)
	p.js(`document.querySelector("#lanes").focus()`)
	p.key(kb.Enter)
	p.wait("seven lanes", `document.querySelectorAll(".lane canvas[width]").length === 7`)
	p.wait("them in words", fmt.Sprintf(`document.querySelector(".courses [role=status]").innerText.startsWith("7 programs of %d to %d steps. The first problem is in program 6, at step")`, steps, steps+12))
	p.click(`document.querySelector(".courses summary")`)
	p.wait("the table", `document.querySelectorAll(".courses tbody tr").length === 7`)
	rows := eval[[]string](p, `[...document.querySelectorAll(".courses tbody tr")].map((row) => [...row.cells].slice(0, 5).map((cell) => cell.innerText).join(" "))`)
	for i, row := range rows {
		if want := fmt.Sprintf("%d %d 1 1 0", i, steps+2*i); row != want {
			t.Errorf("the table says %q, not %q", row, want)
		}
	}
	p.js(`document.querySelectorAll(".lane")[6].focus()`)
	p.key(kb.Enter)
	p.wait("program 6", `document.querySelector("[data-program='6'][aria-checked=true]") && document.querySelectorAll(".lane")[6].ariaCurrent === "true"`)
	p.click(`document.querySelectorAll(".courses tbody button")[6]`)
	p.wait("its problem", `document.querySelector(".timeline-here.wrong")`)
	p.click(`document.querySelectorAll(".lane canvas")[3]`)
	p.wait("the middle of program 3", fmt.Sprintf(`document.querySelector("[data-program='3'][aria-checked=true]") && Math.abs(Number(document.querySelector(".timeline-strip").ariaValueNow) - %d) <= 2`, (steps+6)/2))
	axe := axeSource(t)
	for _, c := range appearances() {
		p.choose(fmt.Sprintf(`{"lang":%q,"theme":%q}`, c.lang, c.theme))
		p.pictured(longer)
		p.click(`document.querySelector("#lanes")`)
		p.wait("the lanes", `document.querySelectorAll(".lane canvas[width]").length === 7`)
		eval[bool](p, axe+"; true")
		for _, width := range soak.Variants[int64](1440, 390) {
			p.do(chromedp.EmulateViewport(width, 900))
			if width == 390 {
				p.click(`document.querySelectorAll(".tabs button")[2]`)
			}
			p.js(`document.querySelector(".courses").scrollIntoView()`)
			p.picture(fmt.Sprintf("lanes-%s-%d", c.theme, width))
			p.audit(fmt.Sprintf("lanes, %s, %d px", c.theme, width))
		}
		p.do(chromedp.EmulateViewport(1440, 900))
	}
}

// TestStepTimes measures how long a step takes in the page, until pictures, values in the code and timeline are laid out again:
// with two thousand steps in the window and an open block, and with pictures of 10^5 cells; on a machine that does nothing else.
//
//	go test ./frontend/e2e -run TestStepTimes -v -timings 1
func TestStepTimes(t *testing.T) {
	if *timings == 0 {
		t.Skip("not asked for")
	}
	p := open(t, "en", "#/puzzle/2")
	p.pictured(strings.NewReplacer("range(6)", "range(60)").Replace(withLoop()))
	p.openChip("i")
	p.stepTimes("a step with a block")

	vector := func(name string) link.FreeArg {
		return link.FreeArg{Name: name, Kind: "tensor", DType: "float32", Shape: "36864", Fill: "rand"}
	}
	large := link.State{Source: kernel("i = tl.program_id(0) * 9216 + tl.arange(0, 1024)\ns = tl.zeros((1024,), tl.float32)\n" +
		"for k in range(9):\n    at = i + k * 1024\n    s += tl.load(x_ptr + at)\n    tl.store(y_ptr + at, s)\n    tl.store(z_ptr + at, s * 2)"),
		View: "memory", Look: &link.Look{Program: []int{1}, Step: link.LastStep}}
	large.Source = strings.Replace(large.Source, "(x_ptr, z_ptr, N0, B0: tl.constexpr)", "(x_ptr, y_ptr, z_ptr)", 1)
	large.Free = &link.Free{Kernel: "add_kernel", Grid: "(4,)", Args: []link.FreeArg{vector("x_ptr"), vector("y_ptr"), vector("z_ptr")}}
	p = open(t, "en", "#/free")
	p.do(chromedp.Navigate(origin + "/#l=" + payload(t, large)))
	p.wait("the pictures", chosenProgram+` === "1" && document.querySelectorAll(".memory-tensor canvas").length === 3`)
	p.stepTimes("a step with 10^5 cells")
}

// stepTimes goes through sixty steps from the first one, and reports them if most take longer than a frame.
func (p *page) stepTimes(what string) {
	p.Helper()
	p.js(`document.querySelector(".timeline-strip").focus()`)
	p.key(kb.Home)
	p.wait("the first step", stepNow+`.includes("Step 1 of")`)
	times := eval[[]float64](p, probe("stepTimes"))
	p.Logf("%s takes %.1f ms, the slowest tenth %.1f ms or more", what, times[len(times)/2], times[len(times)*9/10])
	// What else runs on the machine makes some steps longer, not most of them.
	if usual := times[len(times)/4]; usual > 16 {
		p.Errorf("%s: a quarter take less than %.1f ms, which is more than a frame", what, usual)
	}
}

// TestEditTimes measures, for each puzzle, how long it takes from an edit to pictures, values and timeline of the edited text;
// the budget is 100 ms, on a machine that does nothing else.
//
//	go test ./frontend/e2e -run TestEditTimes -v -timings 12
func TestEditTimes(t *testing.T) {
	if *timings == 0 {
		t.Skip("not asked for")
	}
	p := open(t, "en", "#/puzzle/1")
	for _, puzzle := range puzzles.All() {
		p.show(puzzle, "en")
		p.pictured(puzzle.Text.Solutions[0].Source)
		p.js(editor + `.focus()`)
		p.key(kb.End, chromedp.ModifierCtrl)
		times := eval[[]float64](p, probe("editTimes", *timings))
		t.Logf("puzzle %2d: %.0f ms, the fastest %.0f ms, a quarter %.0f ms or less", puzzle.Number, times[len(times)/2], times[0], times[len(times)/4])
		// What else runs on the machine makes some edits longer, not most of them.
		if usual := times[len(times)/4]; usual > 100 {
			t.Errorf("puzzle %d: a quarter of the edits show in less than %.0f ms; the budget is 100", puzzle.Number, usual)
		}
	}
}
