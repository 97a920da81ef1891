package judge

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/launch"
	"github.com/newtlab/newt/puzzles"
)

// TestSolutionsAreClean: no sanitizer finds anything in the solutions.
func TestSolutionsAreClean(t *testing.T) {
	for _, p := range puzzles.All() {
		text, err := os.ReadFile(filepath.Join("..", p.Slug, "solution.py"))
		if err != nil {
			t.Fatal(err)
		}
		v := New(p).Check(t.Context(), source.NewFile("solution.py", string(text)), Options{Sanitizer: (*launch.Kernel).Sanitize})
		for _, d := range v.Diagnostics {
			t.Errorf("%s: %s: %s", p.Slug, d.Code, d.In(diag.English).Headline)
		}
		if !v.Pass() {
			t.Errorf("%s does not pass", p.Slug)
		}
	}
}
