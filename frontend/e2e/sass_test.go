package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/newtlab/newt/infra/soak"
	"github.com/newtlab/newt/interp/device/cpu"
	"github.com/newtlab/newt/runner/endpoint"
	"github.com/newtlab/newt/runner/sass"
	"github.com/newtlab/newt/runner/sched"
)

// cudaTools are those that `make need-cuda` has fetched; without them the test is skipped.
func cudaTools(t *testing.T) sass.Tools {
	t.Helper()
	folder, err := filepath.Abs("../../.build/cuda/bin")
	if err != nil {
		t.Fatal(err)
	}
	tools := sass.Tools{PTXAS: filepath.Join(folder, "ptxas"), NVDisasm: filepath.Join(folder, "nvdisasm")}
	for _, path := range []string{tools.PTXAS, tools.NVDisasm} {
		if _, err := os.Stat(path); err != nil {
			if os.Getenv("CI") == "true" {
				t.Fatal(err)
			}
			t.Skip(err)
		}
	}
	return tools
}

// runnerWithTools is a runner whose CPU has the tools beside it.
func runnerWithTools(t *testing.T) *testRunner {
	t.Helper()
	return newRunnerOf(t, testToken, endpoint.Options{
		Devices: []sched.Device{{ID: "cpu", Device: cpu.New(cpu.Options{})}}, Disassembler: cudaTools(t),
	})
}

// disassembled runs the page's kernel on a runner with the tools, and shows the machine code.
func (p *page) disassembled(runner *testRunner) {
	p.Helper()
	p.addRunner(runner.address(), testToken)
	p.chooseDevice()
	p.showCode("ptx")
	p.chooseOption("code-stage", "sass")
	p.wait("how to get it", `document.querySelector("#view-ptx [role=status]")?.innerText.includes("to run on CPU")`)
	p.runThere()
	p.showCode("ptx")
	p.wait("the machine code", codeText+`.includes("LDG.") && `+codeText+`.includes("EXIT")`)
}

// TestSASS: the stage is there once a device of a runner with the tools is chosen; a run there while it is shown gives the machine
// code, whose lines belong to those of the text.
func TestSASS(t *testing.T) {
	soak.Only(t, "TestViewsZoomed shows the machine code of a device")
	t.Parallel()
	axe := axeSource(t)
	runner := runnerWithTools(t)
	p := open(t, "en", "#/puzzle/2")
	p.pictured(addBlock())
	p.showCode("ptx")
	const offered = `[...document.querySelector("#code-stage").options].some((o) => o.value === "sass")`
	p.wait("the stages", `document.querySelector("#code-stage")`)
	if eval[bool](p, offered) {
		t.Error("SASS is offered without a device")
	}
	p.disassembled(runner)
	if got := p.text(".code p.code-head"); !strings.Contains(got, "for sm_90a, which ptxas on the machine of CPU has made of the PTX; it was not run") {
		t.Errorf("it says %q", got)
	}
	store := 1 + strings.Count(addBlock()[:strings.Index(addBlock(), "tl.store")], "\n")
	p.hover(fmt.Sprintf(`[...document.querySelectorAll(".code-lines [data-line='%d']")].find((row) => row.innerText.includes("STG."))`, store))
	p.wait("its line in the editor", editor+`.querySelector(".cm-pointed")?.textContent.includes("tl.store")`)
	p.picture("sass")
	p.click(`document.querySelector("#language")`)
	p.wait("Chinese", `document.querySelector(".code p.code-head")?.innerText.includes("面向 sm_90a")`)
	p.js(`document.documentElement.dataset.theme = "dark"`)
	eval[bool](p, axe+"; true")
	for _, width := range soak.Variants[int64](1440, 390) {
		p.do(chromedp.EmulateViewport(width, 900))
		p.js(`document.querySelectorAll(".tabs button")[2]?.click()`)
		p.auditWidth("sass", width)
	}
}
