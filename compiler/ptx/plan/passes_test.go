package plan

import (
	"os"
	"slices"
	"strings"
	"testing"
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
