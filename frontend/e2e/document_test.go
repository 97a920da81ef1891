package e2e

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/newtlab/newt/infra/soak"
)

// cellOutputs are the texts of what stands beneath the document's cells, in order; textCells those of its prose.
const (
	cellOutputs = `[...document.querySelector("#editor").shadowRoot.querySelectorAll(".cm-cell-output slot")].map((s) => s.assignedElements()[0].innerText)`
	textCells   = `[...document.querySelector("#editor").shadowRoot.querySelectorAll(".cm-cell-text slot")].map((s) => s.assignedElements()[0].innerText)`
)

// endedCells counts the cells whose last run has ended.
const endedCells = `document.querySelectorAll('.outline [data-state="done"], .outline [data-state="failed"]').length`

// openFile opens a file with a name and a text as the document.
func (p *page) openFile(name, text string) {
	p.Helper()
	path := filepath.Join(p.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		p.Fatal(err)
	}
	p.wait("the place to open files", `document.querySelector("#open-file input")`)
	p.do(chromedp.SetUploadFiles(`#open-file input`, []string{path}))
	p.wait("the file", fmt.Sprintf(`document.querySelector(".file-name")?.innerText === %q`, name))
}

// output waits for a text beneath a cell, counted from 0 among those that have outputs.
func (p *page) output(cell int, text string) {
	p.Helper()
	p.wait("an output", fmt.Sprintf(`%s[%d]?.includes(%q)`, cellOutputs, cell, text))
}

// TestDocumentScript: a script runs as it stands with what it prints beneath it, and its launch is listed and shown.
func TestDocumentScript(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/free")
	p.click(`document.querySelector('.ways > [href="#/document"]')`)
	p.wait("the document page", `document.querySelector("#open-file")`)
	p.write(`import torch
import triton
import triton.language as tl
@triton.jit
def fill(x_ptr, value): tl.store(x_ptr + tl.program_id(0), value)
x = torch.zeros(3, device="cuda")
fill[(3,)](x, 7.0)
print("sum", x.sum().item())
x.cpu()
`)
	p.key(kb.Enter, chromedp.ModifierCtrl)
	p.output(0, "sum 21.0")
	p.output(0, "tensor([7., 7., 7.])")
	p.showView("result")
	p.wait("the launch", `document.querySelector(".launch")?.innerText.includes("fill[(3)]")`)
	p.click(`document.querySelector(".launch button")`)
	p.wait("its tensor", `document.querySelector(".launch .grid canvas")?.width > 50`)
	p.picture("document")
	p.showView("ptx")
	p.wait("its PTX", `document.querySelector(".code")?.innerText.includes("Launch 1: fill") && document.querySelector(".code [role=listbox]")?.innerText.includes(".entry fill")`)
	p.wait("the line of the store", `document.querySelector('.code [data-line="5"]')`)
}

// TestScriptOutputSeen: what a script prints that is longer than the editor is in view once it has run.
func TestScriptOutputSeen(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/document")
	p.wait("the document page", `document.querySelector("#open-file")`)
	p.write("a = 0\n" + strings.Repeat("a += 1\n", 120) + `print("a is", a)`)
	p.js(editor + `.focus()`)
	p.key(kb.Home, chromedp.ModifierCtrl)
	p.click(`document.querySelector("#run-all")`)
	p.output(0, "a is 120")
	p.wait("the output in view", `(() => { const r = document.querySelector("#editor").shadowRoot.querySelector(".cm-cell-output").getBoundingClientRect(); return r.top > 0 && r.bottom < innerHeight })()`)
}

// TestDocumentSweep: a sweep says which point is measured, and goes without its rest if a person skips that.
func TestDocumentSweep(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/document")
	p.wait("the document page", `document.querySelector("#open-file")`)
	p.write(`import time, triton.testing as T
@T.perf_report(T.Benchmark(x_names=["N"], x_vals=list(range(1, 4000)), line_arg="p", line_vals=["a"], line_names=["a"], plot_name="speed", args={}))
def bench(N, p):
    time.sleep(0.2)
    return float(N)
bench.run(return_df=True)
print("went on")
`)
	p.key(kb.Enter, chromedp.ModifierCtrl)
	p.wait("how far it is", `/speed: point \d+ of 3999, about \d+ min left/.test(`+cellOutputs+`[0])`)
	p.click(`[...document.querySelectorAll(".foot button")].find((b) => b.innerText.startsWith("Skip"))`)
	p.output(0, "went on")
	if out := eval[[]string](p, cellOutputs); strings.Contains(out[0], "Skip the rest") {
		t.Errorf("after the skip: %q", out[0])
	}
}

// TestDocumentNotebook: a notebook opens with the outputs that its file holds, runs cell by cell in one namespace, and is
// saved with its new outputs.
func TestDocumentNotebook(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/document")
	p.write("mine = True")
	// Frames come late on a busy machine. Outputs are placed in the text of the file nevertheless, not in the one before.
	p.js(`requestAnimationFrame = (frame) => setTimeout(() => frame(performance.now()), 300)`)
	cell := func(source, outputs string) string {
		return fmt.Sprintf(`{"cell_type": "code", "execution_count": null, "metadata": {}, "outputs": [%s], "source": [%q]}`, outputs, source)
	}
	p.openFile("a.ipynb", `{"cells": [{"cell_type": "markdown", "metadata": {}, "source": ["# A title"]}, `+
		cell("a = 20", `{"output_type": "stream", "name": "stdout", "text": ["from the file\n"]}`)+", "+cell("a + 1", "")+
		`], "metadata": {"mine": "kept"}, "nbformat": 4, "nbformat_minor": 4}`)
	p.output(0, "from the file")
	p.wait("the text cell", textCells+`[0]?.includes("A title")`)
	if eval[bool](p, `document.documentElement.scrollHeight > innerHeight`) {
		t.Error("the page itself scrolls, and its header with it")
	}
	p.wait("the offer of the text before", `document.querySelector("#before")`)
	p.js(editor + `.focus()`)
	p.key(kb.Home, chromedp.ModifierCtrl)
	for range 3 {
		p.key(kb.Enter, chromedp.ModifierShift)
	}
	p.output(1, "21")
	p.wait("two cells that ran", endedCells+" === 2")
	if out := eval[[]string](p, cellOutputs); strings.Contains(out[0], "from the file") {
		t.Errorf("the output of the file is still there: %q", out)
	}
	path := p.download(`document.querySelector('[data-save="notebook"]')`)
	saved, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var notebook struct {
		Cells []struct {
			Outputs []struct{ Data map[string][]string }
		}
		Metadata map[string]string
	}
	if err := json.Unmarshal(saved, &notebook); err != nil {
		t.Fatalf("%v:\n%s", err, saved)
	}
	if len(notebook.Cells) != 3 || len(notebook.Cells[2].Outputs) != 1 || notebook.Cells[2].Outputs[0].Data["text/plain"][0] != "21" || notebook.Metadata["mine"] != "kept" {
		t.Errorf("the notebook is saved as\n%s", saved)
	}
	p.click(`document.querySelector("#before button")`)
	p.wait("the text before", editor+`.textContent === "mine = True"`)
}

// TestDocumentRests: the page of a document does nothing once it is there. A signal that set itself again kept it busy.
func TestDocumentRests(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/document")
	p.wait("the list of cells", `document.querySelector(".outline")`)
	const window = 500 * time.Millisecond
	for deadline := time.Now().Add(*patience); ; {
		before := p.taskTime()
		time.Sleep(window)
		if busy := p.taskTime() - before; busy < window/2 {
			return
		} else if time.Now().After(deadline) {
			t.Fatalf("the page is busy for %v of %v, and nobody uses it", busy, window)
		}
	}
}

// taskTime is how long the page's own thread has been busy so far.
func (p *page) taskTime() time.Duration {
	p.Helper()
	metrics, err := chromedp.Run(p.ctx, func(ctx context.Context, t *chromedp.Target) (performance.GetMetricsResult, error) {
		if _, err := cdp.Call(ctx, t, performance.Enable, performance.EnableParams{}); err != nil {
			return performance.GetMetricsResult{}, err
		}
		return cdp.Call(ctx, t, performance.GetMetrics, cdp.Empty{})
	})
	if err != nil {
		p.Fatal(err)
	}
	for _, m := range metrics.Metrics {
		if m.Name == "TaskDuration" {
			return time.Duration(m.Value * float64(time.Second))
		}
	}
	p.Fatal("the browser does not say how long its tasks took")
	return 0
}

// TestDocumentFailingCell: Run all goes on after a cell that fails; a cell alone finds what the others made.
func TestDocumentFailingCell(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/document")
	p.write("a = 1\n# %%\nmissing\n# %%\nprint('a is', a)")
	p.click(`document.querySelector("#run-all")`)
	p.wait("three cells that ran", endedCells+" === 3")
	p.output(1, "NameError: name 'missing' is not defined")
	p.output(2, "a is 1")
	p.wait("the error in the list", `document.querySelector(".problem-error")?.innerText.includes("line 3")`)
	p.js(editor + `.focus()`)
	p.key(kb.End, chromedp.ModifierCtrl)
	p.insert("\na += 1")
	p.key(kb.Enter, chromedp.ModifierCtrl)
	p.wait("the fourth run", fmt.Sprintf(`%s[2]?.includes("[4]")`, cellOutputs))
	if out := eval[[]string](p, cellOutputs); len(out) != 3 {
		t.Errorf("the outputs: %q", out)
	}
}

// TestDocumentRunBeforeKept: what a cell prints stays when the outputs of an earlier visit come after it.
func TestDocumentRunBeforeKept(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/document")
	p.write("import time\nprint(time.time())\n# %%\nprint('second')")
	p.click(`document.querySelector("#run-all")`)
	p.output(1, "second")
	p.wait("the outputs are kept", `(await probe.documents()).some((d) => d.cells.length === 2 && d.cells[1].source.includes("second"))`)
	p.onLoad(probe("holdDatabases"))
	p.reload()
	p.key(kb.Home, chromedp.ModifierCtrl)
	p.key(kb.Enter, chromedp.ModifierCtrl)
	p.wait("the run", endedCells+" === 1")
	now := eval[[]string](p, cellOutputs)[0]
	p.js(`probe.release()`)
	p.wait("the second cell's outputs", fmt.Sprintf(`%s[1]?.includes("second")`, cellOutputs))
	if out := eval[[]string](p, cellOutputs); len(out) != 2 || out[0] != now {
		t.Errorf("beneath the first cell is %q, and was %q", out[0], now)
	}
}

// TestDocumentStop: a loop without end shows what it prints and is stopped; the variables are still there.
func TestDocumentStop(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/document")
	p.write("a = 1\nprint('before')\nwhile True:\n    pass")
	p.key(kb.Enter, chromedp.ModifierCtrl)
	p.output(0, "before")
	p.click(`document.querySelector(".bar .run.stop")`)
	p.output(0, "the run was stopped")
	p.write("print('a is', a)")
	p.key(kb.Enter, chromedp.ModifierCtrl)
	p.wait("a run after it", fmt.Sprintf(`%s.some((o) => o.includes("a is 1"))`, cellOutputs))
}

// queueSecond runs a cell that sets a and goes on for some seconds, and has the next one wait for it.
func (p *page) queueSecond(seconds int) {
	p.Helper()
	p.write(fmt.Sprintf("import time\na = time.time()\nprint('one')\nwhile time.time() < a + %d: pass\n# %%%%\nprint('two')", seconds))
	p.key(kb.Home, chromedp.ModifierCtrl)
	p.key(kb.Enter, chromedp.ModifierShift)
	p.output(0, "one")
	p.key(kb.Enter, chromedp.ModifierShift)
	p.output(1, "Waiting…")
}

// TestDocumentQueueStopped: Stop ends the cell that runs, and those that wait for it.
func TestDocumentQueueStopped(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/document")
	p.queueSecond(600)
	p.click(`document.querySelector(".bar .run.stop")`)
	p.output(1, "Not run")
	p.output(0, "the run was stopped")
	p.wait("no other run", `!document.querySelector(".bar .run").matches(".stop, [aria-disabled=true]")`)
	p.output(1, "Not run")
}

// TestDocumentQueueMoves: the cell that waits is run, wherever an edit has moved it by then.
func TestDocumentQueueMoves(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/document")
	p.queueSecond(5)
	p.key(kb.Home, chromedp.ModifierCtrl)
	p.insert("print('new')\n# %%\n")
	p.wait("the second cell's run", cellOutputs+`.at(-1).startsWith("two")`)
	if out := eval[[]string](p, cellOutputs); len(out) != 2 {
		t.Errorf("the outputs: %q", out)
	}
}

// TestDocumentQueueLeft: a file that is opened in the place of a document that runs has variables of its own, and no cell
// of it runs unasked.
func TestDocumentQueueLeft(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/document")
	p.queueSecond(600)
	p.openFile("other.py", "try:\n    a\nexcept NameError:\n    print('no a')\n# %%\nprint('unasked')")
	p.wait("the end of the run", `!document.querySelector(".bar .run").matches(".stop, [aria-disabled=true]")`)
	p.js(editor + `.focus()`)
	p.key(kb.Home, chromedp.ModifierCtrl)
	p.key(kb.Enter, chromedp.ModifierCtrl)
	p.output(0, "no a")
	p.wait("one cell that ran", endedCells+` === 1`)
	if out := eval[[]string](p, cellOutputs); len(out) != 1 {
		t.Errorf("the outputs: %q", out)
	}
}

// TestDocumentQueueAfterPuzzle: a cell that is to run while a puzzle does runs after it.
func TestDocumentQueueAfterPuzzle(t *testing.T) {
	soak.Only(t, "TestDocumentQueueMoves has the queue")
	t.Parallel()
	p := open(t, "en", "#/puzzle/1")
	p.write(kernel("i = 0\nwhile i < 50000:\n    i += 1\ntl.store(z_ptr, i)"))
	p.key(kb.Enter, chromedp.ModifierCtrl)
	p.visit("#/document")
	p.write("print('after')")
	p.key(kb.Enter, chromedp.ModifierCtrl)
	p.output(0, "after")
}

// TestDocumentLacks: what newt does not have is among a document's problems at once, unless it is a file beside it.
func TestDocumentLacks(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/document")
	p.write("import torch\nimport helper\n# %%\ntorch.arnge(3)")
	const lines = `[...document.querySelectorAll(".problem-line")].map((l) => l.innerText).join()`
	p.wait("both problems", lines+` === "line 2,line 4"`)
	path := filepath.Join(t.TempDir(), "helper.py")
	if err := os.WriteFile(path, []byte("a = 1"), 0o644); err != nil {
		t.Fatal(err)
	}
	p.do(chromedp.SetUploadFiles(`#add-files input`, []string{path}))
	p.wait("one problem", lines+` === "line 4"`)
}

// TestDocumentProject: a folder and a zip give a document the modules in them, and a file of theirs opens in its place.
func TestDocumentProject(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/document")
	p.write("from lib.scale import factor\nimport more\nprint(factor * more.x)")
	root := t.TempDir()
	for name, text := range map[string]string{"lib/scale.py": "factor = 6", "main.py": "import lib.scale, more\nprint('main', more.x)",
		".git/config": "hidden"} {
		path := filepath.Join(root, "project", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var packed bytes.Buffer
	w := zip.NewWriter(&packed)
	f, err := w.Create("extra/more.py")
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(f, "x = 7\n"+strings.Repeat("# so long that it is deflated\n", 100))
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	archive := filepath.Join(root, "extra.zip")
	if err := os.WriteFile(archive, packed.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	const names = `[...document.querySelectorAll(".siblings li code")].map((c) => c.innerText).join()`
	p.wait("the place for a folder", `document.querySelector("#add-folder input")`)
	p.do(chromedp.SetUploadFiles(`#add-folder input`, []string{filepath.Join(root, "project")}))
	p.wait("the folder's files", names+` === "lib/scale.py,main.py"`)
	p.do(chromedp.SetUploadFiles(`#add-files input`, []string{archive}))
	p.wait("the zip's file", names+` === "lib/scale.py,main.py,more.py"`)
	p.js(editor + `.focus()`)
	p.key(kb.Enter, chromedp.ModifierCtrl)
	p.output(0, "42")
	p.click(`[...document.querySelectorAll(".siblings li button")].find((b) => b.innerText === "main.py")`)
	p.wait("the document", `document.querySelector(".file-name")?.innerText === "main.py"`)
	p.wait("the files", names+` === "lib/scale.py,main.py,more.py"`)
	p.js(editor + `.focus()`)
	p.key(kb.Enter, chromedp.ModifierCtrl)
	p.output(0, "main 7")
}

// TestDocumentFilesAfterStop: a run that is stopped before the program is here has given it no file; the next one does.
func TestDocumentFilesAfterStop(t *testing.T) {
	soak.Only(t, "TestDocumentQueueLeft and frontend/test have runs that are stopped")
	t.Parallel()
	origin, load := heldBack(t, "/assets/documents-")
	p := openAt(t, origin, "en", "#/document")
	p.write("import helper\nprint('a is', helper.a)")
	path := filepath.Join(t.TempDir(), "helper.py")
	if err := os.WriteFile(path, []byte("a = 1"), 0o644); err != nil {
		t.Fatal(err)
	}
	p.wait("the place for files", `document.querySelector("#add-files input")`)
	p.do(chromedp.SetUploadFiles(`#add-files input`, []string{path}))
	p.wait("the file", `document.querySelector(".siblings li")`)
	p.key(kb.Enter, chromedp.ModifierCtrl)
	p.click(`document.querySelector(".bar .run.stop")`)
	p.wait("its end", `document.querySelector(".bar .run:not(.stop)")`)
	load()
	p.js(editor + `.focus()`)
	p.key(kb.Enter, chromedp.ModifierCtrl)
	p.output(0, "a is 1")
}

// TestDocumentDrop: a file that is dropped on any page opens as the document, and nowhere in place of the page.
func TestDocumentDrop(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/puzzle/1")
	p.click(`document.querySelector("#share")`)
	p.wait("a dialog", `document.querySelector("dialog:modal")`)
	if eval[bool](p, `probe.drop(".share-dialog")`) {
		t.Error("the browser would leave the page for a file that is dropped on a dialog")
	}
	p.click(`document.querySelector(".share-dialog .tool")`)
	p.wait("no dialog, and the page as it was", `!document.querySelector("dialog:modal") && location.hash === "#/puzzle/1"`)
	p.js(`probe.drop("#editor")`)
	p.wait("the document", `location.hash === "#/document" && document.querySelector(".file-name")?.innerText === "dropped.py"`)
	p.wait("its text", editor+`.textContent.includes("print('dropped')")`)
	p.wait("the file that came with it", `document.querySelector(".siblings li")?.innerText.includes("beside.csv")`)
}

// unfoldCall opens the free page's call, which is folded while it is the first example's.
func (p *page) unfoldCall() {
	p.Helper()
	p.click(`document.querySelector(".call-form > summary")`)
	p.wait("the call", `document.querySelector(".call-form").open`)
}

// TestOpenAsDocument: the free page's call becomes Python beneath its kernel, which runs.
func TestOpenAsDocument(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/free")
	p.unfoldCall()
	p.click(`document.querySelector("#as-document")`)
	p.wait("the document", `location.hash === "#/document" && `+editor+`.textContent.includes("ripple[(H,)](out_ptr, H, W, BLOCK=BLOCK)")`)
	p.click(`document.querySelector("#run-all")`)
	p.wait("both cells", endedCells+" === 2")
	p.output(1, "tensor([[")
}

// TestDocumentLink: a link carries a document to the document page.
func TestDocumentLink(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/document")
	const text = "a = 1\n# %%\nprint(a)"
	p.write(text)
	link := p.share(false)
	other := open(t, "en", "#/free")
	other.visit(link[strings.Index(link, "#"):])
	other.wait("the document", `location.hash === "#/document" && `+editor+`.textContent === "a = 1# %%print(a)"`)
}

// TestDocumentAccessibility: axe-core on a document that ran, in both themes and on a phone; nothing is wider than it.
func TestDocumentAccessibility(t *testing.T) {
	soak.Only(t, "TestViewsZoomed has axe-core see each view in both themes and languages")
	t.Parallel()
	axe := axeSource(t)
	for _, lang := range soak.Variants("en", "zh") {
		p := open(t, lang, "#/document")
		if lang == "zh" {
			p.choose(`{"lang":"zh","theme":"dark"}`)
		}
		p.wait("the outline", `document.querySelectorAll(".outline li").length === 4`)
		p.click(`document.querySelector("#run-all")`)
		p.wait("the cells", endedCells+" === 3")
		p.showView("result")
		p.wait("the launch", `document.querySelector(".launch button")`)
		p.click(`document.querySelector(".launch button")`)
		p.wait("its tensors", `document.querySelector(".launch .grid canvas")?.width > 50`)
		eval[bool](p, axe+"; true")
		for _, width := range soak.Variants[int64](1440, 390) {
			p.do(chromedp.EmulateViewport(width, 860))
			p.wait("the width", fmt.Sprintf(`innerWidth === %d`, width))
			p.audit(fmt.Sprintf("%s, %d px", lang, width))
			if wide := eval[float64](p, `document.documentElement.scrollWidth`); wide > float64(width) {
				t.Errorf("%s: the page is %g px wide", lang, wide)
			}
			p.picture(fmt.Sprintf("document-%s-%d", lang, width))
		}
	}
}
