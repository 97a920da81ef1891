package plan

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/internal/snapshot"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ptx/arch"
	"github.com/newtlab/newt/compiler/ptx/axis"
)

// TestPasses: each pass comes after those that it needs, and the drawing in ARCHITECTURE.md is of them.
func TestPasses(t *testing.T) {
	var before []string
	for _, x := range slices.Concat(decisions, rewrites) {
		for _, name := range strings.Fields(x.after) {
			if !slices.Contains(before, name) {
				t.Errorf("%s comes before %s", x.name, name)
			}
		}
		before = append(before, x.name)
	}
	text, err := os.ReadFile("../../ARCHITECTURE.md")
	if err != nil || !strings.Contains(string(text), Passes()) {
		t.Errorf("%v: no such drawing in ARCHITECTURE.md:\n%s", err, Passes())
	}
}

// layoutNumber is the number of a layout in a line, which depends on those before.
var layoutNumber = regexp.MustCompile(` [#$]\d+`)

// TestGoldenPasses: what each pass makes of kernels of testdata/passes is what it was: of the first one that changes a
// function the text, then the lines that each takes away and puts in.
func TestGoldenPasses(t *testing.T) {
	yes := func(*ir.Instr) bool { return true }
	seen := map[string]bool{}
	for _, c := range []struct {
		name, kernel string
		Target
	}{
		{"turns", "two_products", Target{Warps: 8, Stages: 3, Launch: Launch{Boxes: yes}}},
		{"in_flight", "product", Target{Warps: 4, Stages: 3}},
		{"scaled", "scaled", Target{Warps: 4, Launch: Launch{Scales: yes}}},
		{"transposing", "transposing", Target{Warps: 4, Stages: 3}},
		{"persistent", "product", Target{Warps: 8, Stages: 3, Launch: Launch{Boxes: yes}, EveryBox: true, Persistent: true}},
	} {
		text, err := os.ReadFile(filepath.Join("testdata/passes", c.kernel+".ir"))
		if err != nil {
			t.Fatal(err)
		}
		fn, err := ir.Parse(string(text))
		if err != nil {
			t.Fatal(err)
		}
		fn.Number()
		c.Arch, c.Shared, c.Record = arch.Find("sm_90a"), arch.Find("sm_90a").BlockShared(), true
		var got, last string
		p := Make(fn, c.Target, axis.Analyze(fn))
		for i, s := range p.Stages.Stages() {
			switch {
			case i == 0:
				got = "-- " + s.Name + ": " + s.Why + " --\n" + s.Text()
			case s.Changed:
				seen[s.Name] = true
				got += "\n-- " + s.Name + ": " + s.Why + " --\n" + snapshot.Changes(last, layoutNumber.ReplaceAllString(s.Text(), ""))
			}
			last = layoutNumber.ReplaceAllString(s.Text(), "")
		}
		snapshot.Compare(t, filepath.Join("testdata/passes", c.name+".txt"), got)
	}
	for _, name := range placing[1:] {
		if !seen[name] {
			t.Errorf("no golden of pass %s", name)
		}
	}
}
