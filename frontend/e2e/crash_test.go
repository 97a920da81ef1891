package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/newtlab/newt/runner/share/link"
)

// TestOutOfMemory runs what needs more memory than a page can have: the engine dies, the page
// says so, the text stays, and the next run works.
func TestOutOfMemory(t *testing.T) {
	const tensors = 15 // of 2^24 float64 elements each: with what the run keeps of them, more than the 4 GiB of WASM
	var names []string
	form := &link.Free{Kernel: "k", Grid: "1"}
	for i := range tensors {
		name := fmt.Sprintf("x%d_ptr", i)
		names = append(names, name)
		form.Args = append(form.Args, link.Arg{Name: name, Kind: "tensor", DType: "float64", Shape: "16777216", Fill: "zeros"})
	}
	source := "import triton\nimport triton.language as tl\n\n\n@triton.jit\ndef k(" + strings.Join(names, ", ") + "):\n    tl.store(x0_ptr, 1.0)\n"
	p := open(t, "en", "#/free")
	p.do(chromedp.Navigate(origin + "/#l=" + payload(t, link.State{Source: source, Free: form})))
	p.click(`document.querySelector("#link-open")`)
	p.wait("the form", fmt.Sprintf(`document.querySelectorAll(".arg").length === %d`, tensors))
	p.js(`document.querySelector(".bar .run").click()`)
	p.wait("word of the crash", `document.querySelector(".fault")?.innerText.startsWith("The engine ran out of memory or crashed")`)
	if got := p.kept(); got != source {
		t.Errorf("the browser keeps %q", got)
	}
	p.js(`location.hash = "#/puzzle/1"`)
	p.wait("the puzzle", editor+`.textContent.includes("def add_kernel")`)
	p.run()
}

// TestStrictMode turns on what Triton's GPU compiler refuses, and off again.
func TestStrictMode(t *testing.T) {
	p := open(t, "en", "#/puzzle/1")
	// A name for two: newt takes it, Triton does not.
	p.write(kernel("a = i = tl.arange(0, B0)\nx = tl.load(x_ptr + a)\ntl.store(z_ptr + i, x + 10)"))
	severity := func(name string) string {
		return fmt.Sprintf(`document.querySelector("#editor").shadowRoot.querySelector(".cm-lintRange-%s")`, name)
	}
	p.wait("a warning", severity("warning"))
	strict := `document.querySelector(".bar .switch input")`
	p.click(strict)
	p.wait("an error", severity("error"))
	p.run()
	if p.passed() {
		t.Error("what strict mode refuses has passed")
	}
	p.reload()
	p.wait("the choice kept", strict+`.checked && `+severity("error"))
	p.click(strict)
	p.wait("a warning again", severity("warning")+` && !`+severity("error"))
}
