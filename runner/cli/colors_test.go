package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestColors: a stream has colors where it is a terminal itself, whatever the other stream is.
func TestColors(t *testing.T) {
	open := func(name string) *os.File {
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			t.Skipf("no %s: %v", name, err)
		}
		t.Cleanup(func() { f.Close() })
		return f
	}
	terminal, null, file := open("/dev/ptmx"), open(os.DevNull), open(filepath.Join(t.TempDir(), "errors"))
	for _, noColor := range []string{"", "1"} {
		e := &Env{Stdout: terminal, Stderr: file, Getenv: func(name string) string { return map[string]string{"NO_COLOR": noColor}[name] }}
		if got, want := e.colors(terminal), noColor == ""; got != want {
			t.Errorf("NO_COLOR=%q: colors on a terminal: %v", noColor, got)
		}
		if e.colors(file) || e.colors(null) || e.colors(&bytes.Buffer{}) {
			t.Errorf("NO_COLOR=%q: colors in a redirected stream", noColor)
		}
	}
}

// TestErrorsInFile: what compile says of the source goes to a file without colors although standard
// output is a terminal.
func TestErrorsInFile(t *testing.T) {
	terminal, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip(err)
	}
	defer terminal.Close()
	dir := t.TempDir()
	source, errors := filepath.Join(dir, "k.py"), filepath.Join(dir, "errors")
	if err := os.WriteFile(source, []byte("import triton\n\n@triton.jit\ndef k(x):\n    y = z\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(errors)
	if err != nil {
		t.Fatal(err)
	}
	if status := Main(&Env{Stdout: terminal, Stderr: f, Getenv: func(string) string { return "" }}, []string{"compile", source, "--signature", "*fp32"}); status != exitFail {
		t.Errorf("status %d", status)
	}
	f.Close()
	text, err := os.ReadFile(errors)
	if err != nil || !strings.Contains(string(text), "error[") || strings.Contains(string(text), "\x1b") {
		t.Errorf("%v %q", err, text)
	}
}
