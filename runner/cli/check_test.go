package cli

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/diag"
)

// TestCheckSeveral: files and folders are checked together, what they share is reported once, and the exit status is
// that of the worst.
func TestCheckSeveral(t *testing.T) {
	const head = "import triton\nimport triton.language as tl\n\n\n"
	tree(t, map[string]string{
		"pyproject.toml":      "",
		"good.py":             "print(1)\n",
		"lib/__init__.py":     "",
		"lib/ops.py":          head + "@triton.jit\ndef halves(x):\n    return tl.lode(x), x\n",
		"lib/one.py":          head + "from .ops import halves\n\n\n@triton.jit\ndef one(x):\n    halves(x)\n",
		"lib/two.py":          head + "from .ops import halves\n\n\n@triton.jit\ndef two(x):\n    halves(x)\n",
		"lib/README.md":       "```python\ntl.lode\n```\n",
		"lib/.cache/x.py":     "import triton\n1 +\n",
		"env/pyvenv.cfg":      "",
		"env/lib/x.py":        "import triton\n1 +\n",
		"node_modules/x/x.py": "import triton\n1 +\n",
		"empty/notes.txt":     "",
	})
	for _, c := range []struct {
		args           string
		status         int
		stdout, stderr string // the last line, and a part
	}{
		{"good.py good.py", exitOK, "Checked 2 files: 0 errors, 0 warnings, 0 hints.", ""},
		{"lib", exitFail, "Checked 4 files: 1 error, 0 warnings, 3 hints.", ""},
		{".", exitFail, "Checked 5 files: 1 error, 0 warnings, 3 hints.", ""},
		{"good.py lib --lang zh", exitFail, "已检查 5 个文件：1 个错误，0 个警告，3 个提示。", ""},
		{"good.py nope.py lib", exitUsage, "Checked 5 files: 1 error, 0 warnings, 3 hints.", "nope.py: no such file"},
		{"empty good.py", exitUsage, "", "empty has no scripts or notebooks"},
	} {
		stdout, stderr, status := newt(t, append([]string{"check"}, strings.Fields(c.args)...)...)
		lines := strings.Split(strings.TrimSuffix(stdout, "\n"), "\n")
		if last := lines[len(lines)-1]; status != c.status || last != c.stdout || !strings.Contains(stderr, c.stderr) {
			t.Errorf("check %s: status %d, want %d\nstdout: %s\nstderr: %s", c.args, status, c.status, stdout, stderr)
		}
	}
	stdout, _, _ := newt(t, "check", "lib", "good.py", "--json")
	var list []diag.JSON
	if err := json.Unmarshal([]byte(stdout), &list); err != nil ||
		slices.IndexFunc(list, func(d diag.JSON) bool { return d.File == "lib/ops.py" && d.Severity == "error" }) < 0 {
		t.Errorf("%v: %s", err, stdout)
	}
}
