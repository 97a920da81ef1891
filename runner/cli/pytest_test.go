package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/newtlab/newt/runner/pytestplugin"
)

// TestPytestPlugin: the plugin runs a suite's launches. Of pytest and torch it finds what testdata/pytest has of them:
// CI has CPython alone.
func TestPytestPlugin(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("there is no CPython")
	}
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "newt_pytest.py"), []byte(pytestplugin.Source), 0o600); err != nil {
		t.Fatal(err)
	}
	for options, file := range map[string]string{"": "all.txt", "--newt-error-on=oob --newt-triton=3.6": "oob.txt"} {
		python := exec.Command("python3", append([]string{"pytest.py", "test_kernels"}, strings.Fields(options)...)...)
		python.Dir = "testdata/pytest"
		python.Env = append(os.Environ(), asNewt+"=1", "NEWT="+os.Args[0], "PYTHONPATH="+folder, "PYTHONDONTWRITEBYTECODE=1",
			"LC_ALL=C.UTF-8")
		python.Stderr = os.Stderr
		out, err := python.Output()
		if err != nil {
			t.Fatalf("%s: %v\n%s", options, err, out)
		}
		want, err := os.ReadFile(filepath.Join("testdata/pytest", file))
		if err != nil || string(out) != string(want) {
			t.Errorf("%s: %v\n%s", options, err, out)
		}
	}
}

// TestPytestPluginWithoutNewt: what a person reads who has no newt.
func TestPytestPluginWithoutNewt(t *testing.T) {
	python := exec.Command("python3", "-c", pytestplugin.Source+"\nimport triton")
	python.Env = append(os.Environ(), "NEWT=newt-that-is-not-there", "PYTHONPATH=testdata/pytest", "PYTHONDONTWRITEBYTECODE=1")
	out, err := python.CombinedOutput()
	if python.Err != nil {
		t.Skip("there is no CPython")
	}
	if err == nil || !strings.Contains(string(out), "Put newt into PATH") {
		t.Errorf("%v\n%s", err, out)
	}
}
