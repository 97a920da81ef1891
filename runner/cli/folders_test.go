package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// tree writes files into a new folder and makes it the current one.
func tree(t *testing.T, files map[string]string) (folder string) {
	t.Helper()
	folder = t.TempDir()
	for name, text := range files {
		name = filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(folder)
	return folder
}

// newtWith is newt with variables of the environment.
func newtWith(environment map[string]string, args ...string) (stdout, stderr string, status int) {
	var out, err bytes.Buffer
	e := &Env{Stdout: &out, Stderr: &err, Getenv: func(name string) string { return environment[name] }}
	status = Main(e, args)
	return out.String(), err.String(), status
}

// TestModulesOfAProject: modules are found where Python and pytest find those of a project.
func TestModulesOfAProject(t *testing.T) {
	folder := tree(t, map[string]string{
		"project/pyproject.toml":           "",
		"project/src/lib/__init__.py":      "from .deep import x\n",
		"project/src/lib/deep.py":          "from . import deeper\nx = deeper.y + 1\n",
		"project/src/lib/deeper.py":        "y = 1\n",
		"project/utils.py":                 "u = 'utils'\n",
		"project/spaces/part/one.py":       "one = 1\n",
		"project/benchmarks/installed.py":  "import lib\nprint(lib.x, lib.__path__[0].endswith('/src/lib'))\n",
		"project/benchmarks/above.py":      "import sys\nsys.path.insert(0, '..')\nfrom utils import u\nprint(u)\n",
		"project/benchmarks/file.py":       "import os, sys\nsys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir))\nimport utils\nprint(utils.u)\n",
		"project/benchmarks/path.py":       "import sys\nfrom pathlib import Path\nsys.path.append(str(Path(__file__).resolve().parent.parent / 'spaces'))\nfrom part.one import one\nprint(one)\n",
		"project/benchmarks/relative.py":   "from . import installed\n",
		"project/pkg/__init__.py":          "",
		"project/pkg/main.py":              "from .other import z\nprint(z, __package__)\n",
		"project/pkg/other.py":             "z = 'z'\n",
		"project/pkg/__main__.py":          "from .main import z\n",
		"project/tests/conftest.py":        "import pytest\nimport helper\n\n@pytest.fixture\ndef size():\n    return helper.N\n\n\ndef pytest_addoption(parser):\n    parser.addoption('--device', default='cuda')\n\n\ndef pytest_configure(config):\n    config.addinivalue_line('markers', 'slow: is slow')\n",
		"project/tests/helper.py":          "N = 4\n",
		"project/tests/test_a.py":          "def test_size(size, request):\n    assert size == 4 and request.config.getoption('--device') == 'cuda'\n",
		"project/tests/own/test_b.py":      "def test_size(size):\n    assert size == 5\n",
		"project/tests/unit/__init__.py":   "",
		"project/tests/unit/common.py":     "k = 7\n",
		"project/tests/unit/test_c.py":     "from .common import k\n\n\ndef test_k(size):\n    assert k == 7\n",
		"project/tests/test_main.py":       "import sys\nimport pytest\n\n\ndef test_size(size):\n    assert size == 4\n\n\nif __name__ == '__main__':\n    sys.exit(pytest.main([__file__, '-v']))\n",
		"project/tests/test_none.py":       "import pytest\nif __name__ == '__main__':\n    print('code', pytest.main([__file__]))\n",
		"elsewhere/more.py":                "m = 'more'\n",
		"elsewhere/interpreted/kernels.py": "",
		"project/benchmarks/more.txt":      "",
		"project/benchmarks/named.py":      "import more\nprint(more.m)\n",
		"project/benchmarks/nothing.py":    "try:\n    import nothing_at_all\nexcept ImportError as e:\n    print(type(e).__name__, e)\nimport nothing_at_all\n",
	})
	t.Chdir(filepath.Join(folder, "project"))
	for _, c := range []struct {
		args, stdout, stderr string
		status               int
	}{
		{"benchmarks/installed.py", "2 True\n", "", exitOK},
		{"benchmarks/above.py", "utils\n", "", exitOK},
		{"benchmarks/file.py", "utils\n", "", exitOK},
		{"benchmarks/path.py", "1\n", "", exitOK},
		{"benchmarks/relative.py", "", "attempted relative import with no known parent package", exitFail},
		{"pkg/main.py", "", "attempted relative import with no known parent package", exitFail},
		{"-m pkg.main", "z pkg\n", "", exitOK},
		{"-m pkg", "z pkg\n", "", exitOK},
		{"-m pkg.missing", "", "no module named pkg.missing", exitUsage},
		{"tests/test_a.py", "1 passed", "", exitOK},
		{"tests/own/test_b.py", "assert 4 == 5", "", exitFail},
		{"tests/unit/test_c.py", "1 passed", "", exitOK},
		{"tests/test_main.py", "1 passed", "", exitOK},
		{"tests/test_none.py", "code 5\n", "", exitOK},
		{"benchmarks/named.py", "more\n", "", exitOK},
		{"benchmarks/nothing.py", "ModuleNotFoundError No module named 'nothing_at_all'\n", "name that folder in PYTHONPATH", exitFail},
	} {
		args := append([]string{"run", "--device", "cpu"}, strings.Fields(c.args)...)
		stdout, stderr, status := newtWith(map[string]string{"PYTHONPATH": filepath.Join(folder, "elsewhere")}, args...)
		if status != c.status || !strings.Contains(stdout, c.stdout) || !strings.Contains(stderr, c.stderr) ||
			c.stderr == "" && stderr != "" {
			t.Errorf("%s: status %d, want %d\n%s%s", c.args, status, c.status, stdout, stderr)
		}
	}
}

// TestSites: --site names a folder of packages, or a Python environment with the installation that it comes from. What
// newt has itself it does not take from there, nor what is outside of those folders.
func TestSites(t *testing.T) {
	folder := tree(t, map[string]string{
		"venv/pyvenv.cfg":                                "home = HOME\nversion = 3.12.1\n",
		"venv/lib/python3.12/site-packages/dep.py":       "import stdlib_only\nd = stdlib_only.s + ' dep'\n",
		"venv/lib/python3.12/site-packages/math.py":      "pi = 3\n",
		"venv/lib/python3.12/site-packages/fast/fast.so": "",
		"venv/lib/python3.12/site-packages/fast/__init__.py": "try:\n    from ._speed import f\n" +
			"except ImportError as e:\n    print(e)\n    f = 1\n",
		"venv/lib/python3.12/site-packages/fast/_speed.cpython-312-x86_64-linux-gnu.so": "",
		"base/lib/python3.12/os.py":          "",
		"base/lib/python3.12/stdlib_only.py": "s = 'stdlib'\n",
		"plain/alone.py":                     "a = 'alone'\n",
		"secret.py":                          "s = 1\n",
		"work/a.py":                          "import dep, alone, math, fast\nprint(dep.d, alone.a, math.pi > 3, fast.f)\n",
		"work/b.py":                          "import sys\nsys.path.append(sys.path[-1] + '/..')\nimport secret\n",
		"work/c.py":                          "import fast._speed\n",
	})
	config := filepath.Join(folder, "venv", "pyvenv.cfg")
	home := "home = " + filepath.Join(folder, "base", "bin") + "\nversion = 3.12.1\n"
	if err := os.WriteFile(config, []byte(home), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Chdir(filepath.Join(folder, "work"))
	const compiled = "No module named 'fast._speed'"
	for _, c := range []struct {
		args, stdout, stderr string
		status               int
	}{
		{"run --site ../venv --site ../plain a.py", compiled + "\nstdlib dep alone True 1\n", "", exitOK},
		{"check --site ../venv --site ../plain a.py", "", "", exitOK},
		{"run a.py", "", "there is no module named `dep`", exitFail},
		{"run --site ../plain b.py", "", "there is no module named `secret`", exitFail},
		{"run --site ../venv c.py", compiled + "\n", "is compiled code", exitFail},
		{"run --site ../none a.py", "", "no such file", exitUsage},
		{"run --site a.py a.py", "", "a.py is not a folder", exitUsage},
	} {
		stdout, stderr, status := newt(t, strings.Fields(c.args)...)
		if status != c.status || stdout != c.stdout || !strings.Contains(stderr, c.stderr) ||
			c.stderr == "" && stderr != "" {
			t.Errorf("%s: status %d, want %d\n%s%s", c.args, status, c.status, stdout, stderr)
		}
	}
}

// TestInterpretVariable: TRITON_INTERPRET=1 in front of newt is that in front of Python: kernels take tensors of the CPU.
func TestInterpretVariable(t *testing.T) {
	name := write(t, addOne+"\n\nimport torch\nx = torch.zeros(4)\nadd_one[(1,)](x, 4, B=4)\nprint(x.tolist())\n")
	if _, stderr, status := newt(t, "run", "--device", "cpu", name); status != exitFail || !strings.Contains(stderr, "cpu tensor") {
		t.Errorf("without: status %d, %s", status, stderr)
	}
	stdout, stderr, status := newtWith(map[string]string{"TRITON_INTERPRET": "1"}, "run", "--device", "cpu", name)
	if status != exitOK || stdout != "[1.0, 1.0, 1.0, 1.0]\n" {
		t.Errorf("with: status %d, %s%s", status, stdout, stderr)
	}
}

// TestProjectFolder: the project around a document is the repository, or the highest folder with a project's file.
func TestProjectFolder(t *testing.T) {
	folder := tree(t, map[string]string{"a/setup.py": "", "a/b/requirements.txt": "", "a/b/c/x.py": "", "r/setup.py": "",
		"r/s/.git/HEAD": "", "r/s/t/x.py": "", "none/x.py": ""})
	for of, want := range map[string]string{"a/b/c": "a", "r/s/t": "r/s", "none": ""} {
		got := projectOf(filepath.Join(folder, of))
		if rel, _ := filepath.Rel(folder, got); got != "" && rel != filepath.FromSlash(want) || got == "" && want != "" {
			t.Errorf("around %s is %q, want %q", of, got, want)
		}
	}
}

// TestFoldersOnce: each folder is opened once, by whatever names it is reached.
func TestFoldersOnce(t *testing.T) {
	folder := tree(t, map[string]string{"pyproject.toml": "", "src/a.py": "", "b.py": ""})
	f, err := foldersOf(&Env{Getenv: func(name string) string {
		return map[string]string{pythonPath: "src" + string(os.PathListSeparator) + folder}[name]
	}}, "b.py", sites{folder, "src"})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if len(f.roots) != 2 {
		t.Errorf("opened %v", f.roots)
	}
}

// TestAtExit: what atexit has registered runs at the end of a script, the last first, also after an error.
func TestAtExit(t *testing.T) {
	name := write(t, "import atexit\natexit.register(print, 'first')\natexit.register(print, 'last', end='.\\n')\n"+
		"print('body')\n1 / 0\n")
	if stdout, _, status := newt(t, "run", name); stdout != "body\nlast.\nfirst\n" || status != exitFail {
		t.Errorf("status %d, %q", status, stdout)
	}
}
