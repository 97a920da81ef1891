package editor_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/editor"
	"github.com/newtlab/newt/compiler/source"
)

var expectation = regexp.MustCompile(`(error|warning): ([a-z0-9-]+) "([^"]*)"`)

// TestCheckFiles holds Check to the errors and warnings that the files in testdata/check name at
// the end of their lines, and to no others.
func TestCheckFiles(t *testing.T) {
	names, err := filepath.Glob("testdata/check/*.py")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		file := source.NewFile(filepath.Base(name), string(text))
		found := make(map[int][]*diag.Diagnostic)
		for _, d := range editor.Check(t.Context(), file, editor.Options{}) {
			if d.Severity != diag.Hint {
				line := file.Position(d.Primary.Span.Start).Line
				found[line] = append(found[line], d)
			}
		}
		for i, line := range strings.Split(string(text), "\n") {
			_, comment, _ := strings.Cut(line, "# ")
			for _, want := range expectation.FindAllStringSubmatch(comment, -1) {
				if at := slices.IndexFunc(found[i+1], func(d *diag.Diagnostic) bool { return says(d, want) }); at >= 0 {
					found[i+1] = slices.Delete(found[i+1], at, at+1)
				} else {
					t.Errorf("%s:%d: no %s", name, i+1, want[0])
				}
			}
			for _, d := range found[i+1] {
				t.Errorf("%s:%d: %v %s %q is not expected", name, i+1, d.Severity, d.Code, d.In(diag.English).Headline)
			}
		}
	}
}

// TestCheckFixes applies the first fix of a kernel's one error and checks what comes of it.
func TestCheckFixes(t *testing.T) {
	for _, c := range []struct{ name, before, after string }{
		{"addresses stored", "    i = tl.arange(0, B)\n    tl.store(z_ptr + i, x_ptr + 10)\n", "    i = tl.arange(0, B)\n    tl.store(z_ptr + i, tl.load(x_ptr + 10))\n"},
		{"addresses stored under a mask", "    i = tl.arange(0, B)\n    tl.store(z_ptr + i, x_ptr + i, mask=i < n)\n",
			"    i = tl.arange(0, B)\n    tl.store(z_ptr + i, tl.load(x_ptr + i, mask=i < n), mask=i < n)\n"},
		{"arange without tl", "    tl.store(z_ptr + arange(0, B), n)\n", "    tl.store(z_ptr + tl.arange(0, B), n)\n"},
		{"load without tl", "    tl.store(z_ptr, load(x_ptr))\n", "    tl.store(z_ptr, tl.load(x_ptr))\n"},
		{"a function cut short", "    tl.sto(z_ptr, n)\n", "    tl.store(z_ptr, n)\n"},
		{"a parameter cut short", "    tl.store(z_p, n)\n", "    tl.store(z_ptr, n)\n"},
		{"a line to the left", "    a = n + 1\nb = a + 2\n    tl.store(z_ptr, b)\n", "    a = n + 1\n    b = a + 2\n    tl.store(z_ptr, b)\n"},
		{"a line between two depths", "    a = n + 1\n  b = a + 2\n    tl.store(z_ptr, b)\n", "    a = n + 1\n    b = a + 2\n    tl.store(z_ptr, b)\n"},
		{"a line to the left in a loop", "    for j in range(n):\n        a = j + 1\n    b = a + 2\n        tl.store(z_ptr, b)\n",
			"    for j in range(n):\n        a = j + 1\n        b = a + 2\n        tl.store(z_ptr, b)\n"},
		{"a line far to the left in a loop", "    for j in range(n):\n        a = j + 1\nb = a + 2\n        tl.store(z_ptr, b)\n    tl.store(x_ptr, n)\n",
			"    for j in range(n):\n        a = j + 1\n        b = a + 2\n        tl.store(z_ptr, b)\n    tl.store(x_ptr, n)\n"},
	} {
		kernel := head + "@triton.jit\ndef kernel(x_ptr, z_ptr, n, B: tl.constexpr):\n"
		list := editor.Check(t.Context(), source.NewFile("k.py", kernel+c.before), editor.Options{})
		if len(list) != 1 || len(list[0].Fixes) == 0 {
			t.Errorf("%s: %v, want one error with a fix", c.name, codesOf(list))
			continue
		}
		got := apply(kernel+c.before, list[0].Fixes[0].Edits)
		if got != kernel+c.after {
			t.Errorf("%s: got\n%s", c.name, got)
		}
		if list := editor.Check(t.Context(), source.NewFile("k.py", got), editor.Options{}); len(list) > 0 {
			t.Errorf("%s: %v after the fix", c.name, codesOf(list))
		}
	}
}

// apply makes edits, which come in the order of the text.
func apply(text string, edits []diag.Edit) string {
	for _, e := range slices.Backward(edits) {
		text = text[:e.Span.Start] + e.New + text[e.Span.End:]
	}
	return text
}

func codesOf(list diag.List) (codes []string) {
	for _, d := range list {
		codes = append(codes, d.Code)
	}
	return codes
}

// TestCheckIsOneCause: what follows from one bad indentation is not told.
func TestCheckIsOneCause(t *testing.T) {
	const rest = "B = tl.arange(0, 8)\ni = pid * B\nx = tl.load(x_ptr + i)\ntl.store(z_ptr + i, x)\n"
	indented := "    " + strings.ReplaceAll(strings.TrimSpace(rest), "\n", "\n    ") + "\n"
	for name, c := range map[string]struct{ text, want string }{
		"too deep":        {"    pid = tl.program_id(0)\n      B = 8\n" + indented, "unexpected-indent"},
		"body at left":    {"pid = tl.program_id(0)\n" + rest, "expected-block"},
		"rest at left":    {"    pid = tl.program_id(0)\n" + rest, "left-function"},
		"two lines at 2":  {"    pid = tl.program_id(0)\n  a = pid\n  b = a\n" + indented, "bad-dedent"},
		"everything well": {"    pid = tl.program_id(0)\n" + indented, ""},
	} {
		text := head + "@triton.jit\ndef kernel(x_ptr, z_ptr):\n" + c.text
		if got := strings.Join(codesOf(editor.Check(t.Context(), source.NewFile("k.py", text), editor.Options{})), " "); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// TestUnchecked: kernels whose arguments no launch tells are named, once for a file, where that is asked for.
func TestUnchecked(t *testing.T) {
	const text = head + `@triton.jit
def helper(x):
    return x + 1
@triton.jit
def launched(x):
    tl.store(x, helper(1))
@triton.jit
def first(x, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(x + i, tl.dot(tl.load(x + i), tl.load(x + i)))
@triton.jit
def second(x):
    tl.store(x, 1)
launched[(1,)](1)
`
	list := editor.Check(t.Context(), source.NewFile("k.py", text), editor.Options{Unchecked: true})
	if len(list) != 1 || list[0].Code != "kernels-not-launched" || list[0].Args[0] != "first, second" {
		t.Errorf("%v: %v", codesOf(list), list)
	}
}

// TestLibrary: what Triton has and newt has not is a warning in a file that launches nothing.
func TestLibrary(t *testing.T) {
	const text = head + `@triton.jit
def kernel(x):
    tl.async_task([0])
    tl.store(x, tl.lode(x))
`
	for library, want := range map[bool]string{
		false: "error not-in-newt, error unknown-name",
		true:  "warning not-in-newt, error unknown-name",
	} {
		var got []string
		for _, d := range editor.Check(t.Context(), source.NewFile("k.py", text), editor.Options{Library: library}) {
			got = append(got, d.Severity.String()+" "+d.Code)
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("a library %v: %q, want %q", library, got, want)
		}
	}
}

// TestCheckIsBounded: many undefined names take time in proportion to their number, give a bounded
// number of diagnostics, and a context ends the work. Loops are not unrolled in full.
func TestCheckIsBounded(t *testing.T) {
	var b strings.Builder
	b.WriteString(head + "@triton.jit\ndef kernel(z_ptr, N: tl.constexpr):\n")
	for i := range 8000 {
		fmt.Fprintf(&b, "    y%d = zz%d + qq%d\n", i, i, i)
	}
	file := source.NewFile("k.py", b.String())
	start := time.Now()
	list := editor.Check(t.Context(), file, editor.Options{})
	if d := time.Since(start); d > 30*time.Second {
		t.Errorf("8,000 undefined names take %v", d) // 0.3 s alone on a machine; 90 s where it was quadratic
	}
	if len(list) == 0 || len(list) > 101 {
		t.Errorf("%d diagnostics", len(list))
	}
	loops := head + "@triton.jit\ndef kernel(z_ptr, N: tl.constexpr):\n    i = tl.arange(0, N)\n"
	for depth := range 8 {
		loops += strings.Repeat("    ", depth+1) + fmt.Sprintf("for j%d in tl.static_range(N):\n", depth)
	}
	loops += strings.Repeat("    ", 9) + "tl.store(z_ptr + i, j0 + j1 + j2 + j3 + j4 + j5 + j6 + j7)\n"
	start = time.Now()
	if list := editor.Check(t.Context(), source.NewFile("k.py", loops), editor.Options{}); len(list) > 0 {
		t.Error(codesOf(list))
	}
	if d := time.Since(start); d > 5*time.Second {
		t.Errorf("nested loops take %v", d)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if list := editor.Check(ctx, source.NewFile("k.py", head+"@triton.jit\ndef kernel(z_ptr):\n    tl.store(z_ptr, tl.lod(1))\n"), editor.Options{}); len(list) > 0 {
		t.Errorf("lowered after it was cancelled: %v", codesOf(list))
	}
}

func says(d *diag.Diagnostic, want []string) bool {
	return d.Severity.String() == want[1] && d.Code == want[2] && strings.Contains(d.In(diag.English).Headline, want[3])
}
