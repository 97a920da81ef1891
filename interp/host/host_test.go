package host

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/host/codec"
)

// withLibraries adds all libraries to a session's options.
func withLibraries(o Options) Options {
	o.Libraries, o.Codecs = AllLibraries(), codec.Go{}
	return o
}

// run runs a script and gives what it printed and what went wrong.
func run(text string, o Options) (string, diag.List) {
	var out bytes.Buffer
	o.Stdout = &out
	_, diags := Load(source.NewFile("script.py", text), o)
	return out.String(), diags
}

// words puts the diagnostics into English.
func words(list diag.List) string {
	var parts []string
	for _, d := range list {
		parts = append(parts, d.In(diag.English).Headline)
	}
	return strings.Join(parts, "\n")
}

// TestPython compares the scripts of testdata/python with what CPython 3.11 prints for them.
func TestPython(t *testing.T) { compareScripts(t, "python") }

// compareScripts runs the scripts in a folder of testdata and compares what they print with the .out files beside them.
func compareScripts(t *testing.T, folder string) {
	t.Helper()
	files, _ := filepath.Glob("testdata/" + folder + "/*.py")
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
		got, diags := run(string(text), withLibraries(Options{}))
		if diags.HasErrors() {
			t.Errorf("%s: %s at %v", name, words(diags), place(string(text), diags))
		}
		compareLines(t, name, got, string(want))
	}
}

// TestAssertClose compares testdata/assert_close.py with the words of torch 2.11: its .out follows
// torch/testing/_comparison.py and was read against it line by line, not recorded from torch.
func TestAssertClose(t *testing.T) {
	text, err := os.ReadFile("testdata/assert_close.py")
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("testdata/assert_close.out")
	if err != nil {
		t.Fatal(err)
	}
	got, diags := run(string(text), withLibraries(Options{}))
	if diags.HasErrors() {
		t.Errorf("%s at %v", words(diags), place(string(text), diags))
	}
	compareLines(t, "assert_close.py", got, string(want))
}

func place(text string, list diag.List) source.Position {
	return source.NewFile("", text).Position(list[len(list)-1].Primary.Span.Start)
}

// compareLines reports the lines that differ.
func compareLines(t *testing.T, name, got, want string) {
	t.Helper()
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			t.Errorf("%s, line %d of the output:\n%s\nwant\n%s", name, i+1, g[i], w[i])
		}
	}
	if len(g) != len(w) {
		t.Errorf("%s: %d lines, want %d", name, len(g), len(w))
	}
}
