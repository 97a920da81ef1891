package e2e

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/newtlab/newt/infra/soak"
	"github.com/newtlab/newt/runner/recorder"
)

// openRecording opens a file of recorded launches.
func (p *page) openRecording(path string) {
	p.Helper()
	p.wait("the place to open files", `document.querySelector("#open-file input")`)
	p.do(chromedp.SetUploadFiles(`#open-file input`, []string{path}))
}

// TestRecordedLaunch: a file of launches that were recorded under Triton on an H200 opens as a document, runs and computes
// what was recorded; after a reload it is still there with its storages. A file that is none is refused in words.
func TestRecordedLaunch(t *testing.T) {
	soak.Only(t, "package recorded runs the recorded launches")
	t.Parallel()
	path, err := filepath.Abs("../../interp/recorded/testdata/h200.launch")
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	p := open(t, "en", "#/document")
	p.wait("the document page", `document.querySelector("#open-file")`)
	program := eval[string](p, `fetch(document.querySelector('[download="newt_record.py"]').href).then((r) => r.text())`)
	if program != recorder.Source {
		t.Errorf("the recorder is served as %.100s", program)
	}
	p.openRecording(path)
	p.wait("the document", `document.querySelector(".file-name")?.innerText === "h200.py"`)
	p.wait("its storages", `document.querySelectorAll(".siblings li").length > 1`)
	p.click(`document.querySelector("#run-all")`)
	p.wait("the end of all cells", endedCells+` === document.querySelectorAll(".outline .outline-code").length`)
	if failed := eval[int](p, `document.querySelectorAll('.outline [data-state="failed"]').length`); failed > 0 {
		t.Errorf("%d cells failed: %q", failed, eval[[]string](p, cellOutputs))
	}
	p.showView("result")
	p.wait("the launch", `document.querySelector(".launch")?.innerText.includes("[(")`)
	p.picture("recorded")

	damaged := filepath.Join(t.TempDir(), "damaged.launch")
	if err := os.WriteFile(damaged, data[:len(data)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	p.openRecording(damaged)
	p.wait("the refusal", `document.querySelector(".document-panel .field-error")?.innerText.includes("not a zip archive")`)

	p.reload()
	p.wait("the document again", `document.querySelector(".file-name")?.innerText === "h200.py"`)
	p.wait("its storages again", `document.querySelectorAll(".siblings li").length > 1`)
}
