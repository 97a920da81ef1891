package e2e

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/newtlab/newt/infra/soak"
	"github.com/newtlab/newt/runner/share/link"
)

// TestCrash lets the engine's program die under a run (newt's limits keep kernels from doing so):
// the page says so, the text stays, and the next run works.
func TestCrash(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/puzzle/1")
	p.onLoad(probe("watchWorkers"))
	p.reload()
	p.write(solution(1)) // a wrong answer starts another worker, which looks for the mistake
	p.run()
	for n := range 3 {
		p.write(fmt.Sprintf("%s\n# %d", solution(1), n))
		// What is no module ends the program, as a fault of its own would.
		p.js(`probe.workers.at(-1).postMessage({ module: undefined }); document.querySelector(".bar .run").click()`)
		p.wait("word of the crash", `document.querySelector(".fault")?.innerText.startsWith("The engine crashed")`)
		if got, want := p.source(), fmt.Sprintf("%s\n# %d", solution(1), n); got != want {
			t.Errorf("after a crash the editor holds %q", got)
		}
		p.run()
	}
	p.wait("diagnostics, which another worker makes", `!document.querySelector(".status.bad")`)
}

// TestTooLarge asks for more memory than newt allows, in a kernel's values and in its arguments:
// both are refused in words, and nothing crashes.
func TestTooLarge(t *testing.T) {
	t.Parallel()
	const blocks = 100 // of 2^20 int64 elements each, all needed until the end
	lines := []string{"big = tl.arange(0, 1048576).to(tl.int64)"}
	for n := range blocks {
		lines = append(lines, fmt.Sprintf("b%d = big * tl.load(x_ptr + %d).to(tl.int64)", n, n))
	}
	for n := range blocks {
		lines = append(lines, fmt.Sprintf("big *= b%d", blocks-1-n))
	}
	state := link.State{
		Puzzle: 1, Source: kernel(strings.Join(append(lines, "tl.store(z_ptr + big, big)"), "\n")),
	}
	p := open(t, "en", "#/puzzle/1")
	p.do(chromedp.Navigate(origin + "/#l=" + payload(t, state)))
	p.wait("the link's kernel", editor+`.textContent.includes("b0 = big")`)
	p.run()
	p.wait("the limit on a program's values", `document.querySelector(".pane.result").innerText.includes("MiB for the values of one program")`)

	state = link.State{Source: "import triton\n\n\n@triton.jit\ndef k(x_ptr, y_ptr, z_ptr):\n    pass\n", Free: &link.Free{Kernel: "k", Grid: "1"}}
	for _, name := range []string{"x_ptr", "y_ptr", "z_ptr"} {
		state.Free.Args = append(state.Free.Args, link.FreeArg{Name: name, Kind: "tensor", DType: "float64", Shape: "16777216", Fill: "zeros"})
	}
	p.do(chromedp.Navigate(origin + "/#l=" + payload(t, state)))
	p.wait("the form", `document.querySelectorAll(".arg").length === 3`)
	p.run()
	p.wait("the limit on tensors", `document.querySelector("#verdict").innerText.includes("not enough memory")`)
}

// TestStrictMode turns on what Triton's GPU compiler refuses, and off again.
func TestStrictMode(t *testing.T) {
	soak.Only(t, "package judge tries what Triton refuses, TestTritonRefusesFreeLaunch shows it")
	t.Parallel()
	p := open(t, "en", "#/puzzle/1")
	// A name for two: newt takes it, Triton does not.
	p.write(kernel("a = i = tl.arange(0, B0)\nx = tl.load(x_ptr + a)\ntl.store(z_ptr + i, x + 10)"))
	severity := func(name string) string {
		return fmt.Sprintf(`document.querySelector("#editor").shadowRoot.querySelector(".cm-lintRange-%s")`, name)
	}
	p.wait("a warning", severity("warning"))
	strict := `document.querySelector(".bar .switch input")`
	p.js(`document.querySelector(".options").open = true`)
	p.click(strict)
	p.wait("an error", severity("error"))
	p.run()
	if p.passed() {
		t.Error("what strict mode refuses has passed")
	}
	p.reload()
	p.wait("the choice kept", strict+`.checked && `+severity("error"))
	p.js(`document.querySelector(".options").open = true`)
	p.click(strict)
	p.wait("a warning again", severity("warning")+` && !`+severity("error"))
}

// TestEngineUnavailable: the program cannot be fetched. Once it can, one click has both engines run and the launch shown.
func TestEngineUnavailable(t *testing.T) {
	t.Parallel()
	origin, back := missing(t, ".wasm")
	p := fresh(t, &page{origin: origin})
	p.expect("Failed to load resource")
	p.begin("en", "#/puzzle/1", false)
	p.wait("word of the failure", `document.querySelector(".bar .status.bad button")`)
	p.wait("Run, which cannot be used", `document.querySelector(".bar .run").disabled`)
	back()
	p.click(`document.querySelector(".bar .status.bad button")`)
	p.wait("the launch", `document.querySelector('.memory-launch[data-outdated="false"][aria-busy="false"]')`)
	p.write(theirs)
	p.run()
}

// TestCompilerUnavailable: the compiler to PTX cannot be fetched. Once it can, one click has the kernel compiled.
func TestCompilerUnavailable(t *testing.T) {
	soak.Only(t, "TestEngineUnavailable has a program that cannot be fetched")
	t.Parallel()
	origin, back := missing(t, "/assets/ptx-")
	p := openAt(t, origin, "en", "#/puzzle/2")
	p.expect("Failed to load resource")
	p.pictured(addBlock())
	p.showView("ptx")
	p.wait("word of the failure", `document.querySelector("#view-ptx .fault button")`)
	back()
	p.click(`document.querySelector("#view-ptx .fault button")`)
	p.wait("the PTX", codeText+`.includes(".visible .entry")`)
}

// TestSaveWithoutEngine: a document of which newt cannot make a file is saved as the text that it is.
func TestSaveWithoutEngine(t *testing.T) {
	t.Parallel()
	origin, _ := missing(t, ".wasm")
	p := fresh(t, &page{origin: origin})
	p.expect("Failed to load resource")
	p.begin("en", "#/document", false)
	p.write("print('mine')")
	p.wait("word of the failure", `document.querySelector(".bar .status.bad")`)
	p.click(`document.querySelector('[data-save="notebook"]')`)
	p.wait("that it is not saved", `document.querySelector(".document-panel .field-error")?.innerText.includes("could not be saved")`)
	saved, err := os.ReadFile(p.download(`document.querySelector('[data-save="python"]')`))
	if err != nil || string(saved) != "print('mine')" {
		t.Errorf("saved as %q, %v", saved, err)
	}
}

// TestLookStopped: who stops a look at an edited kernel is told that the pictures are an earlier text's.
func TestLookStopped(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/puzzle/2")
	p.onLoad(probe("watchWorkers"))
	p.reload()
	p.pictured(addBlock())
	p.js(`probe.traffic.hold = /"inspect":/`)
	p.write(addBlock() + "# edited")
	p.wait("a way to stop it", `document.querySelector("#stop-look")`)
	p.click(`document.querySelector("#stop-look")`)
	p.wait("word of it", `document.querySelector(".memory-outdated")?.innerText.includes("Stopped")`)
	p.wait("the earlier text's pictures", `document.querySelector(".memory-launch[aria-busy=false][data-outdated=true]")`)
	p.js(`probe.traffic.hold = undefined`)
	p.pictured(addBlock() + "\n")
}

// TestLensStopped: who stops the simulation of an edited kernel is told that the counts are of an earlier one.
func TestLensStopped(t *testing.T) {
	soak.Only(t, "TestLookStopped stops a look")
	t.Parallel()
	p := open(t, "en", "#/puzzle/2")
	p.onLoad(probe("watchWorkers"))
	p.reload()
	p.pictured(addBlock())
	p.showView("lens")
	p.wait("the lens", lensReady)
	p.js(`probe.traffic.hold = /"launch":/`)
	p.write(addBlock() + "# edited")
	p.click(`document.querySelector(".lens-busy button")`)
	p.wait("word of it", `document.querySelector("#view-lens .fault")?.innerText.includes("Stopped. What follows") && document.querySelector(".lens-table")`)
	p.js(`probe.traffic.hold = undefined`)
	p.write(addBlock())
	p.wait("the lens again", lensReady+` && !document.querySelector("#view-lens .fault")`)
}

// TestKernelsLost: a run of the free page goes on if the program dies that is to list the text's kernels.
func TestKernelsLost(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/free")
	p.onLoad(probe("watchWorkers"))
	p.reload()
	p.showView("result")
	p.wait("the run of the example", `document.querySelector("#verdict")`)
	p.js(`probe.traffic.hold = /"kernels":/`)
	p.write(strings.TrimSpace(p.source()) + "\n# edited")
	p.key(kb.Enter, chromedp.ModifierCtrl)
	p.wait("a run that waits", `document.querySelector(".bar .run.stop")`)
	p.js(`probe.traffic.hold = undefined; probe.workers[0].postMessage({ module: undefined })`)
	p.wait("its end", `document.querySelector("#verdict") && !document.querySelector(".bar .run.stop, .last-run")`)
}
