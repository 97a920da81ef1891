package judge

import (
	"testing"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/launch"
	"github.com/newtlab/newt/puzzles"
)

// TestSolutionsAreClean: no sanitizer finds anything in the solutions, and Triton refuses nothing of them.
func TestSolutionsAreClean(t *testing.T) {
	for _, p := range puzzles.All() {
		for _, s := range p.Text.Solutions {
			o := Options{StrictTriton: true, Sanitizer: (*launch.Kernel).Sanitize}
			v := New(p).Check(t.Context(), source.NewFile(s.File, s.Source), o)
			for _, d := range v.Diagnostics {
				t.Errorf("%s/%s: %s: %s", p.Slug, s.File, d.Code, d.In(diag.English).Headline)
			}
			if !v.Pass() {
				t.Errorf("%s/%s does not pass", p.Slug, s.File)
			}
		}
	}
}
