package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler"
	"github.com/newtlab/newt/infra/soak"
)

// kernelOf is a kernel for puzzle 1 with that body.
func kernelOf(body string) string {
	return "import triton\nimport triton.language as tl\n\n\n@triton.jit\ndef add_kernel(x_ptr, z_ptr, N0, B0: tl.constexpr):\n    " +
		strings.ReplaceAll(body, "\n", "\n    ") + "\n"
}

// TestHostileFiles: whatever a file holds, check, compile and puzzle check end with a diagnostic
// or a bounded run, and with status 1 where check finds an error.
func TestHostileFiles(t *testing.T) {
	compiler.Trace = func(reason any, stack []byte) { t.Errorf("panic: %v\n%s", reason, stack) }
	defer func() { compiler.Trace = nil }()
	for _, c := range []struct {
		name, text string
		status     int    // of check
		says       string // a part of what check says
	}{
		{"empty", "", exitOK, ""},
		{"not Python", "\x7fELF\x02\x01\x01\x00\x00\x00", exitFail, "NUL"},
		{"a picture", "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\xff\xd8\xfe", exitFail, "UTF-8"},
		{"UTF-16", "\xff\xfed\x00e\x00f\x00 \x00k\x00", exitFail, "error"},
		{"a byte order mark", "\ufeff" + kernelOf("tl.store(z_ptr, N0)"), exitOK, ""},
		{"old Mac lines", strings.ReplaceAll(kernelOf("tl.store(z_ptr, N0)"), "\n", "\r"), exitOK, ""},
		{"an unterminated string", kernelOf("s = 'abc"), exitFail, "no closing"},
		{"tabs and spaces", kernelOf("if N0:\n    N0 += 1\n\tN0 += 2"), exitFail, "tabs"},
		{"2 MB", strings.Repeat("x = 1\n", 2<<20/6), exitFail, "bytes"},
		{"17 MB", strings.Repeat("x = 1\n", 17<<20/6), exitFail, "bytes"},
		{"10000 parentheses", kernelOf("tl.store(z_ptr, " + strings.Repeat("(", 10000) + "N0" + strings.Repeat(")", 10000) + ")"), exitFail, "deeply"},
		{"a kernel that calls itself", kernelOf("add_kernel(x_ptr, z_ptr, N0, B0)"), exitFail, "calls itself"},
		{"a tile of 2^21", kernelOf("tl.store(z_ptr + tl.arange(0, 2097152), 0)"), exitFail, "2097152"},
		{"an endless loop", kernelOf("while N0 < 1000000:\n    tl.store(z_ptr, N0)"), exitOK, ""},
		{"escapes of a terminal", kernelOf("\x1b[2J\x1b]0;owned\x07 = 1"), exitFail, "error"},
		{"text that turns around", kernelOf("s = '\u202e'\nx = \u202e1"), exitFail, "error"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if len(c.text) > maxSource {
				soak.Only(t, "2 MB, which are also too many")
			}
			file := write(t, c.text)
			stdout, stderr, status := newt(t, "check", file)
			if status != c.status || !strings.Contains(stdout, c.says) || stderr != "" {
				t.Errorf("check: status %d, want %d\n%.500s%.500s", status, c.status, stdout, stderr)
			}
			if i := strings.IndexFunc(stdout, func(r rune) bool { return r < ' ' && r != '\n' && r != '\t' || r == '\u202e' }); i >= 0 {
				t.Errorf("check prints the control character %q", stdout[i:i+1])
			}
			stdout, _, _ = newt(t, "check", "--json", file)
			var list []struct{ Severity string }
			err := json.Unmarshal([]byte(stdout), &list)
			list = slices.DeleteFunc(list, func(d struct{ Severity string }) bool { return d.Severity == "hint" })
			if err != nil || (len(list) > 0) != (c.status == exitFail) {
				t.Errorf("check --json: %v\n%.500s", err, stdout)
			}
			if _, stderr, status := newt(t, "compile", file, "--signature", "*fp32, *fp32, i32, 32"); c.text != "" && status != c.status {
				t.Errorf("compile: status %d\n%.500s", status, stderr)
			}
			if strings.Contains(c.name, "endless") {
				return // the judge's own tests run these with a small budget
			}
			stdout, stderr, status = newt(t, "puzzle", "check", "1", file, "--json")
			var verdict struct{ Pass bool }
			if err := json.Unmarshal([]byte(stdout), &verdict); err != nil || verdict.Pass || status != exitFail {
				t.Errorf("puzzle check: %v, status %d\n%.500s%.500s", err, status, stdout, stderr)
			}
		})
	}
}

// TestHostileArguments: what is no file, and what is no signature.
func TestHostileArguments(t *testing.T) {
	good := write(t, addOne)
	for _, c := range []struct {
		args   []string
		status int
		stderr string
	}{
		{[]string{"check", t.TempDir()}, exitUsage, "has no scripts or notebooks"},
		{[]string{"check", "a\x00b"}, exitUsage, "newt check"},
		{[]string{"check", ""}, exitUsage, "newt check"},
		{[]string{"check", strings.Repeat("a", 5000)}, exitUsage, "newt check"},
		{[]string{"check"}, exitUsage, "wrong number"},
		{[]string{"puzzle", "check", "99999999999999999999", good}, exitUsage, "newt puzzle list"},
		{[]string{"puzzle", "check", "-1", good}, exitUsage, "newt puzzle"},
		{[]string{"puzzle", "check", "1", filepath.Join(good, "x")}, exitUsage, "newt puzzle"},
		{[]string{"compile", good, "--signature", strings.Repeat("*fp32,", 100000)}, exitUsage, "argument 100001"},
		{[]string{"compile", good, "--signature", strings.Repeat("*fp32,", 1000) + "i32"}, exitFail, "error"},
		{[]string{"compile", good, "--signature", "*fp32:-1, i32, 32"}, exitUsage, "*fp32:-1"},
		{[]string{"compile", good, "--signature", "*fp32, i32, 99999999999999999999999"}, exitFail, "error"},
		{[]string{"compile", good, "--signature", "*fp32, i32, '\x00'"}, exitFail, "error"},
		{[]string{"compile", good, "--signature", "*fp32, i32, 1048576"}, exitOK, ""},
		{[]string{"compile", good, "--signature", "*fp32, i32, 2097152"}, exitFail, "2097152"},
		{[]string{"compile", good, "--signature", "*fp32, i32, nan"}, exitFail, "error"},
		{[]string{"compile", good, "--signature", "n=*fp32, i32, 32"}, exitFail, "error"},
	} {
		t.Run(strings.Join(c.args, " ")[:min(80, len(strings.Join(c.args, " ")))], func(t *testing.T) {
			stdout, stderr, status := newt(t, c.args...)
			if status != c.status || !strings.Contains(stderr, c.stderr) {
				t.Errorf("status %d, want %d\nstdout: %.300s\nstderr: %.500s", status, c.status, stdout, stderr)
			}
			if len(stderr) > 1<<16 {
				t.Errorf("%d bytes of complaint", len(stderr))
			}
		})
	}
	if err := os.Chmod(good, 0); err == nil && os.Getuid() != 0 {
		if _, stderr, status := newt(t, "check", good); status != exitUsage || !strings.Contains(stderr, "permission") {
			t.Errorf("status %d: %s", status, stderr)
		}
	}
}
