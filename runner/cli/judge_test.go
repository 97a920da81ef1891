package cli

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/newtlab/newt/interp/judge"
)

// judgeData is where the judge's own submissions are, which interp/judge tests.
func judgeData(t *testing.T) string {
	folder, err := filepath.Abs("../../interp/judge/testdata")
	if err != nil {
		t.Fatal(err)
	}
	return folder
}

// TestJudge: the verdict comes first and decides the exit status.
func TestJudge(t *testing.T) {
	data := judgeData(t)
	broken := write(t, "import torch\n\n\ndef inputs(N):\n    raise RuntimeError('no inputs')\n\n\ndef add(x, y):\n    return x + y\n")
	for _, c := range []struct {
		submission, against string
		flags               []string
		status              int
		begins, has         string
	}{
		{"right/add.py", "add.py", nil, exitOK, "Right: ", ""},
		{"right/add.py", "add.py", []string{"--sizes", "N=1,128:dtype=bfloat16"}, exitOK, "Right: 9 tests pass", ""},
		{"wrong/off_by_one_less.py", "add.py", []string{"--sizes", "N=66"}, exitFail,
			"Wrong: at N = 66: result is wrong in 1 of 66 elements", "FAIL  N = 66, values: at N = 66"},
		{"wrong/torch_computes.py", "add.py", []string{"--sizes", "N=66", "--allow-torch"}, exitFail,
			"Wrong: at N = 66: no kernel has written result", "hint[judge-torch-computes]"},
		{"right/linear_module.py", "linear_module.py", []string{"--sizes", "batch=1,5:features=7"}, exitOK,
			"Right: ", ""},
		{"wrong/module_without_bias.py", "linear_module.py", []string{"--sizes", "batch=3"}, exitFail,
			"Wrong: at batch = 3: result is wrong in", ""},
		{"right/add.py", "add.py", []string{"--sizes", "M=3"}, exitUsage,
			"Nothing can be said: `inputs` has no parameter `M`", ""},
		{"right/add.py", "softmax.py", nil, exitUsage, "Nothing can be said: the submission has none", ""},
		{"right/add.py", "softmax.py", []string{"--function", "softmax"}, exitUsage, "Nothing can be said: ", ""},
		{"right/add.py", broken, []string{"--sizes", "N=3"}, exitUsage, "Nothing can be said: the reference fails at N = 3",
			"no inputs"},
		{"unjudged/looks_into_gc.py", "add.py", nil, exitUsage, "Nothing can be said: newt has no `gc.get_objects`", ""},
	} {
		against := c.against
		if !filepath.IsAbs(against) {
			against = filepath.Join(data, "references", against)
		}
		args := append([]string{"judge", filepath.Join(data, c.submission), "--against", against, "--seed", "7"}, c.flags...)
		out, stderr, status := newt(t, args...)
		if status != c.status || !strings.HasPrefix(out, c.begins) || !strings.Contains(out, c.has) {
			t.Errorf("%v: status %d\n%s%s", args, status, out, stderr)
		}
		text, _, again := newt(t, append(args, "--json")...)
		var r judge.Report
		if err := json.Unmarshal([]byte(text), &r); err != nil || again != status || r.Version != judge.ReportVersion ||
			!strings.HasPrefix(out, r.Message) {
			t.Errorf("%v: %v, status %d\n%s", args, err, again, text)
		}
	}
	for _, sizes := range []string{"N", "N=", "=3", "N=x", "N=3;M=4"} {
		if _, stderr, status := newt(t, "judge", "x.py", "--against", "y.py", "--sizes", sizes); status != exitUsage {
			t.Errorf("--sizes %s: %s", sizes, stderr)
		}
	}
}
