package cli

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/triton"
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

// TestCheckVersions: each version of Triton has its verdict and its words, and a fix is kept where none refuses it.
func TestCheckVersions(t *testing.T) {
	const head = "import triton\nimport triton.language as tl\n\n\n@triton.jit\ndef kernel(x, n, B: tl.constexpr):\n    "
	tree(t, map[string]string{
		"blocks.py": head + "p = tl.make_block_ptr(x, (n,), (1,), (0,), (16,), (0,))\n    tl.store(p, tl.load(p))\n",
		"fix.py":    head + "tl.store(x + tl.arange(0, 4), tl.softmax(tl.load(x + tl.arange(0, 4)), 0, True))\n",
		"plain.py":  head + "tl.store(x, n)\n",
		"asks.py":   "# triton: 3.9\n" + head + "p = tl.make_block_ptr(x, (n,), (1,), (0,), (16,), (0,))\n",
	})
	type versions []struct {
		File     string
		Versions []struct {
			Triton, Verdict string
			Diagnostics     []diag.JSON
		}
	}
	for _, c := range []struct {
		file, verdicts, fixes string
		status                int
	}{
		{"blocks.py", "accepts warns warns refuses", "", exitFail},
		{"fix.py", "accepts accepts accepts refuses", "keep_dims=", exitFail},
		{"plain.py", "accepts accepts accepts accepts", "", exitOK},
	} {
		stdout, _, status := newt(t, "check", "--all-versions", "--json", c.file)
		var list versions
		if err := json.Unmarshal([]byte(stdout), &list); err != nil || len(list) != 1 {
			t.Fatalf("%v: %s", err, stdout)
		}
		var verdicts []string
		fixes := ""
		for _, v := range list[0].Versions {
			verdicts = append(verdicts, v.Verdict)
			for _, d := range v.Diagnostics {
				for _, f := range d.Fixes {
					fixes += f.Edits[0].New
				}
			}
		}
		if got := strings.Join(verdicts, " "); got != c.verdicts || fixes != c.fixes || status != c.status {
			t.Errorf("%s: %s, fixes %q, status %d", c.file, got, fixes, status)
		}
	}
	stdout, _, _ := newt(t, "check", "--all-versions", "blocks.py")
	for _, want := range []string{"blocks.py\n  Triton 3.6  accepts it\n  Triton 3.7  warns\n", "\nTriton 3.7, 3.8:\nwarning[name-deprecated]",
		"\nTriton 3.9:\nerror[name-removed]"} {
		if !strings.Contains(stdout, want) {
			t.Errorf("no %q in\n%s", want, stdout)
		}
	}
	// The flag is asked first, then the document.
	for _, c := range []struct{ args, want string }{
		{"check asks.py", "error[name-removed]"}, {"check --triton 3.8 asks.py", "warning[name-deprecated]"},
		{"check --triton 3.7 blocks.py", "warning[name-deprecated]"}, {"check --triton latest blocks.py", "error[name-removed]"},
	} {
		if stdout, _, _ := newt(t, strings.Fields(c.args)...); !strings.Contains(stdout, c.want) {
			t.Errorf("%s: %s", c.args, stdout)
		}
	}
	if stdout, _, status := newt(t, "check", "--triton", "3.6", "blocks.py"); strings.Contains(stdout, "deprecated") || status != exitOK {
		t.Errorf("3.6: %s", stdout)
	}
	if _, stderr, status := newt(t, "check", "--triton", "2.1", "blocks.py"); status != exitUsage || !strings.Contains(stderr, "3.6|3.7|3.8|3.9|latest") {
		t.Errorf("status %d: %s", status, stderr)
	}
}

// TestRunVersion: a program sees the version that it is run for.
func TestRunVersion(t *testing.T) {
	const body = "import triton\nimport triton.language as tl\nprint(triton.__version__, hasattr(tl, 'squeeze'), " +
		"hasattr(tl, 'advance'), hasattr(tl, 'make_block_ptr'))\n"
	tree(t, map[string]string{"plain.py": body, "asks.py": "# triton: 3.9\n" + body})
	for args, want := range map[string]string{
		"run plain.py":              triton.Default.Full() + " True True True\n",
		"run asks.py":               "3.9.0 True False True\n",
		"run --triton 3.6 asks.py":  "3.6.0 False True True\n",
		"run --triton 3.7 plain.py": "3.7.0 True True True\n",
	} {
		if stdout, stderr, _ := newt(t, strings.Fields(args)...); stdout != want {
			t.Errorf("%s: %q %s", args, stdout, stderr)
		}
	}
}
