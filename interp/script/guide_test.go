package script

import (
	"encoding/json"
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/newtlab/newt/interp/device/cpu"
	"github.com/newtlab/newt/interp/document"
	"github.com/newtlab/newt/interp/figure"
	"github.com/newtlab/newt/interp/host"
)

// guideFiles are the files beside the guide: its picture, and the module that it moves its helpers to.
type guideFiles struct{ helpers string }

func (f guideFiles) ReadFile(name string) ([]byte, error) {
	switch name {
	case "puppy.jpg":
		return os.ReadFile(recorded + name)
	case "triton_util.py":
		return []byte(f.helpers), nil
	}
	return nil, fs.ErrNotExist
}

// TestGuide runs the cells of a tutorial in order. They print and show what Python, torch and Triton did, figures and
// pictures included; of its benchmarks, which are shortened to their first size, the table's head. Some kernels load
// out of bounds, as they do there.
func TestGuide(t *testing.T) {
	text := read(t, recorded+"guide.md")
	text = strings.NewReplacer("range(5, 12, 1)", "range(5, 6, 1)", "range(4, 7, 1)", "range(4, 5, 1)").Replace(text)
	doc, list := document.Parse("guide.md", text)
	if doc == nil {
		t.Fatal(list)
	}
	var cells []*document.Cell
	for _, c := range doc.Cells {
		if c.Kind == document.Code {
			cells = append(cells, c)
		}
	}
	r := New(doc, Options{Launcher: &Launcher{Device: cpu.New(cpu.Options{}), Tolerant: true},
		Host: host.Options{Files: guideFiles{cells[0].Source}}})
	figures := map[int]string{18: "picture", 21: "picture", 37: "line", 38: "line", 39: "line", 43: "line"}
	wants := rows[struct{ Out, Display string }](t, "guide.jsonl.gz")
	if len(wants) != len(cells) {
		t.Fatalf("%d of %d cells are recorded", len(wants), len(cells))
	}
	for n, want := range wants {
		c := cells[n]
		result := r.Cell(t.Context(), c)
		if result.Status != 0 {
			t.Errorf("cell %d:\n%s\n%s", n, c.Source, result.Traceback)
		}
		printed, shown, kind := "", "", ""
		for _, o := range c.Outputs {
			if text, ok := o.Form(figure.MIME); ok {
				var f figure.Figure
				if err := json.Unmarshal([]byte(text), &f); err != nil {
					t.Error(err)
				}
				kind = string(f.Axes[0].Marks[len(f.Axes[0].Marks)-1].Kind)
				continue
			}
			text, _ := o.Form("text/plain")
			printed, shown = printed+o.Text, shown+text
		}
		if strings.Contains(c.Source, "benchmark.run(") {
			printed, want.Out = firstLines(printed, 2), firstLines(want.Out, 2)
		}
		if printed != want.Out || shown != want.Display || kind != figures[n] {
			t.Errorf("cell %d:\n%s\nprints %q, want %q\nshows %q, want %q\ndraws %q, want %q", n, c.Source, printed, want.Out,
				shown, want.Display, kind, figures[n])
		}
	}
}

// firstLines are the first n lines of a text.
func firstLines(text string, n int) string {
	return strings.Join(strings.SplitAfterN(text, "\n", n+1)[:n], "")
}
