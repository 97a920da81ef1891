package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/newtlab/newt/puzzles"
)

// TestExplain: the first wrong element is followed to its store and its load, or to the mask that left it out; a right
// answer has nothing to explain.
func TestExplain(t *testing.T) {
	p, _ := puzzles.Get(2)
	right := p.Text.Solutions[0].Source
	for _, c := range []struct {
		from, to string
		want     []string
	}{
		{"x + 10.0", "x + 11.0", []string{"test 1: z[0] is 11.49626, and should be 10.49626",
			"z[0] = 11.49626 was stored by program 0, lane 0", "it reads x[0]"}},
		{"x + 10.0", "x + i", []string{"test 1: add_mask2_kernel, program 0 of a grid of 7", "program 0 reads x[0:32]",
			"|rrrrrrrr...", "x = tl.load"}},
		{"i < N0\n", "i < N0 - 1\n", []string{"no program writes z[199]: program 6, lane 7", "N0 = 200, an argument"}},
	} {
		file := filepath.Join(t.TempDir(), "answer.py")
		if err := os.WriteFile(file, []byte(strings.Replace(right, c.from, c.to, 1)), 0o600); err != nil {
			t.Fatal(err)
		}
		stdout, _, status := newt(t, "puzzle", "check", "2", file, "--explain")
		for _, want := range c.want {
			if status != exitFail || !strings.Contains(stdout, want) {
				t.Errorf("status %d: %q is missing in\n%s", status, want, stdout)
			}
		}
		stdout, _, _ = newt(t, "puzzle", "check", "2", file, "--explain", "--json")
		var v jsonVerdict
		if err := json.Unmarshal([]byte(stdout), &v); err != nil || v.Why == nil || len(v.Why.Origins) < 3 ||
			v.Why.Origins[0].Line == 0 || v.Why.Test != 1 || v.Trace == nil || v.Trace.Program != v.Why.Program {
			t.Errorf("%v: %s", err, stdout)
		}
	}
	file := filepath.Join(t.TempDir(), "right.py")
	if err := os.WriteFile(file, []byte(right), 0o600); err != nil {
		t.Fatal(err)
	}
	stdout, _, status := newt(t, "puzzle", "check", "2", file, "--explain", "--program", "6", "--line", "11")
	if status != exitOK || strings.Contains(stdout, "should be") || strings.Contains(stdout, "writes z") ||
		!strings.Contains(stdout, "program 6 reads x[192:200]; 24 lanes are masked off") {
		t.Errorf("status %d\n%s", status, stdout)
	}
}
