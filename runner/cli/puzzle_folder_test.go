package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/diag"
)

// TestPuzzleMistake: check names the mistake of a wrong answer that a single change mends, and says nothing of others.
func TestPuzzleMistake(t *testing.T) {
	const folder = "../../puzzles/02_constant_add_block"
	solution, err := os.ReadFile(folder + "/solution.py")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ puzzle, old, new, code string }{
		{"2", "tl.program_id(0)", "tl.program_id(1)", "mistake-grid-axis"},
		{folder, "tl.program_id(0)", "tl.program_id(1)", "mistake-grid-axis"},
		{"2", "+ 10", "* 3 - 10 * x", ""},
		{"2", "", "", ""}, // it is right
	} {
		file := write(t, strings.ReplaceAll(string(solution), c.old, c.new))
		if c.old == "" {
			file = write(t, string(solution))
		}
		stdout, stderr, _ := newt(t, "puzzle", "check", c.puzzle, file)
		if strings.Contains(stdout, "hint[mistake-") != (c.code != "") || !strings.Contains(stdout, c.code) {
			t.Errorf("%s: no %q in\n%s%s", c.new, c.code, stdout, stderr)
		}
		stdout, _, _ = newt(t, "puzzle", "check", c.puzzle, file, "--json")
		var got struct{ Mistake diag.JSON }
		if err := json.Unmarshal([]byte(stdout), &got); err != nil || got.Mistake.Code != c.code {
			t.Errorf("%s: %v, mistake %+v", c.new, err, got.Mistake)
		}
	}
}

// TestCheckFolder: check of a folder names each puzzle, and says of its slips what learners are told; of a file that is
// wrong it says where, what, why and what to do.
func TestCheckFolder(t *testing.T) {
	dir := folder(t, nil)
	if err := os.CopyFS(filepath.Join(dir, "08_long_softmax"), os.DirFS("../../puzzles/08_long_softmax")); err != nil {
		t.Fatal(err)
	}
	both := strings.Replace(course, "[2]", "[2, 8]", 1)
	if err := os.WriteFile(filepath.Join(dir, "course.json"), []byte(both), 0o644); err != nil {
		t.Fatal(err)
	}
	single := filepath.Join(dir, "02_own")
	for of, parts := range map[string][]string{
		dir:    {"ok    course.json  A week", "ok    02_own  Constant Add Block", "ok    08_long_softmax", "slip.py"},
		single: {"ok    02_own  Constant Add Block"},
	} {
		stdout, stderr, status := newt(t, "puzzle", "check", of)
		for _, part := range parts {
			if status != exitOK || !strings.Contains(stdout, part) {
				t.Errorf("status %d, no %q in\n%s%s", status, part, stdout, stderr)
			}
		}
	}
	courses := folder(t, map[string]string{"../course.json": strings.Replace(course, "[2]", "[3]", 1)})
	stdout, _, status := newt(t, "puzzle", "check", courses, "--lang", "zh")
	for _, part := range []string{"错误[course-number]", "这个文件夹里没有第 3 题", filepath.Join(courses, "course.json") + ":1:"} {
		if status != exitFail || !strings.Contains(stdout, part) {
			t.Errorf("status %d, no %q in\n%s", status, part, stdout)
		}
	}
	const question = `"refused": ["condition-tile", "address-stored", "needs-constexpr"]`
	for _, c := range []struct {
		file, old, new string
		says           []string
	}{
		{"puzzle.json", `"kernel"`, `"kernal"`, []string{"error[puzzle-json-field]: there is no field `kernal` here", "02_own/puzzle.json:", "did you mean `kernel`?", "try: "}},
		{"puzzle.json", `"number": 2,`, `"number": 3,`, []string{"error[puzzle-number]: the number is 3, and the folder is called `02_own`"}},
		{"puzzle.json", `"number": 2,`, `"number": 2`, []string{"error[puzzle-json]: `\"` is not expected here in JSON"}},
		{"puzzle.json", `"number": 2,`, `"number": 2, "goals": [{"count": "sector", "most": [3, 2, 1]}],`, []string{"error[puzzle-choice]: `sector` is not one of", "did you mean `sectors`?"}},
		{"text.json", question, `"refused": ["condition-tile", "lambda", "needs-constexpr"]`, []string{"error[puzzle-question-example]: newt has no example of `lambda` that it refuses", "02_own/text.json:20"}},
		{"text.json", question, `"refused": ["loop-type", "lambda-x", "loop-unstable"]`, []string{"error[puzzle-question-code]: there is no diagnostic with the code `lambda-x`", "did you mean `lambda`?"}},
		{"text.json", question, `"refused": ["loop-type", "address-stored", "loop-unstable"]`, []string{"error[puzzle-question-reason]: `loop-unstable` is refused for the same reason as `loop-type`"}},
	} {
		text, err := os.ReadFile(filepath.Join(single, c.file))
		changed := strings.Replace(string(text), c.old, c.new, 1)
		if err != nil || changed == string(text) {
			t.Errorf("%q is not in the file, %v", c.old, err)
		}
		stdout, _, status := newt(t, "puzzle", "check", folder(t, map[string]string{c.file: changed}))
		for _, part := range c.says {
			if status != exitFail || !strings.Contains(stdout, part) {
				t.Errorf("%s: status %d, no %q in\n%s", c.new, status, part, stdout)
			}
		}
	}
	t.Chdir(filepath.Join(dir, "08_long_softmax"))
	if stdout, stderr, status := newt(t, "puzzle", "check", "."); status != exitOK || !strings.Contains(stdout, "slip.py") {
		t.Errorf("in the folder itself: status %d\n%s%s", status, stdout, stderr)
	}
}
