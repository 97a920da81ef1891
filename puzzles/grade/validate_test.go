package grade

import (
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/puzzles"
	"github.com/newtlab/newt/puzzles/fast"
	"github.com/newtlab/newt/puzzles/goal"
	"github.com/newtlab/newt/puzzles/judge"
)

// TestValidate: goals are such that the first solution meets all of them, and the starter does not.
func TestValidate(t *testing.T) {
	ours, _ := fast.Get(2001)
	for _, c := range []struct {
		name       string
		most       []float64
		file, says string // "": the puzzle is sound
	}{
		{"ours", []float64{4096, 2048, 1126}, "", ""},
		{"goals that nobody can meet", []float64{4096, 2048, 1000}, "solution.py", "`sectors` is 1024, and gold takes 1000"},
		{"goals that everybody meets", []float64{9000, 9000, 9000}, "starter.py", "`sectors` is 8192, and gold takes 9000"},
	} {
		p := *ours
		p.Goals = []goal.Goal{{Count: "sectors", Most: c.most}}
		flaws := Validate(t.Context(), &p, judge.Options{})
		switch {
		case c.file == "" && len(flaws) == 0:
		case len(flaws) != 1 || !strings.HasSuffix(flaws[0].File.Name, c.file) || !strings.Contains(flaws[0].In(diag.English).Headline, c.says):
			t.Errorf("%s: %+v", c.name, flaws)
		}
	}
	twelve, _ := puzzles.Get(1)
	if flaws := Validate(t.Context(), twelve, judge.Options{}); len(flaws) > 0 {
		t.Errorf("%+v", flaws)
	}
}
