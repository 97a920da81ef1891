package host

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestTorchScripts compares the scripts of testdata/torch with what torch 2.11 prints for them on a machine with an
// NVIDIA H200: values that torch's documentation, Triton's tutorials or the rules of its source give.
func TestTorchScripts(t *testing.T) {
	files, _ := filepath.Glob("testdata/torch/*.py")
	if len(files) == 0 {
		t.Fatal("no scripts")
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(strings.TrimSuffix(name, ".py") + ".out")
		if err != nil {
			t.Fatal(err)
		}
		got, diags := run(string(text), Options{})
		if diags.HasErrors() {
			t.Errorf("%s: %s at %v", name, words(diags), place(string(text), diags))
		}
		compareLines(t, name, got, string(want))
	}
}
