package cli

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/newtlab/newt/puzzles/goal"
)

// TestPuzzleLadder: check gives the level of an answer that passes, in both languages and as JSON, and none to a wrong one.
func TestPuzzleLadder(t *testing.T) {
	const folder = "../../puzzles/fast/2001_strided_copy/"
	for _, c := range []struct {
		file, lang string
		status     int
		says       []string
	}{
		{"starter.py", "en", exitOK, []string{"Level: none yet.", "sectors of global memory: 8192; bronze takes 4096 at most"}},
		{"solution_fours.py", "zh", exitOK, []string{"等级：银。", "全局内存扇区：2048；金级最多 1126"}},
		{"solution.py", "en", exitOK, []string{"Level: gold.", "sectors of global memory: 1024\n"}},
		{"slip.py", "en", exitFail, nil},
	} {
		stdout, stderr, status := newt(t, "puzzle", "check", "F1", folder+c.file, "--lang", c.lang)
		for _, part := range c.says {
			if !strings.Contains(stdout, part) {
				t.Errorf("%s: no %q in\n%s", c.file, part, stdout)
			}
		}
		if status != c.status || (c.says == nil) == strings.Contains(stdout, "Level") && c.lang == "en" {
			t.Errorf("%s: status %d\n%s%s", c.file, status, stdout, stderr)
		}
		stdout, _, _ = newt(t, "puzzle", "check", "2001", folder+c.file, "--json")
		var got struct{ Ladder *goal.Ladder }
		if err := json.Unmarshal([]byte(stdout), &got); err != nil || (got.Ladder == nil) != (c.says == nil) {
			t.Errorf("%s: %v\n%s", c.file, err, stdout)
		}
	}
}
