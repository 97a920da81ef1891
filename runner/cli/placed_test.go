package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPlaced: what compile prints of a placed function runs; without its barrier, hazards are reported.
func TestPlaced(t *testing.T) {
	const kernel = `import triton
import triton.language as tl

@triton.jit
def reverse(x, z, n, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(x + i, i + n)
    tl.store(z + i, tl.load(x + B - 1 - i))
`
	text, stderr, status := newt(t, "compile", write(t, kernel), "--signature", "*i32, *i32, i32, 256", "--emit", "placed")
	if status != exitOK {
		t.Fatal(stderr)
	}
	file := filepath.Join(t.TempDir(), "k.ir")
	for _, c := range []struct {
		name, text string
		args       []string
		status     int
		out, said  string
	}{
		{"as it is", text, []string{"256", "256", "5"}, exitOK, "z: int32[256] 260 259 258 257 256 255 254 253 … 12 11 10 9 8 7 6 5\n", ""},
		{"no barrier", strings.Replace(text, "  barrier\n", "", 1), []string{"256", "256", "5"}, exitFail, "",
			"error[placed-raw]: `load` reads what `store` wrote in another warp, with no barrier in between"},
		{"outside", text, []string{"200", "256", "5"}, exitFail, "", "error[out-of-bounds-store]"},
		{"another operation", strings.Replace(text, "barrier", "barier", 1), nil, exitUsage, "", `line 16: unknown operation "barier"`},
		{"not placed", "func @k() {\n  return\n}\n", []string{}, exitOK, "", ""},
		{"too few arguments", text, []string{"256"}, exitUsage, "", "the function takes x: *i32, z: *i32, n: i32"},
		{"no number", text, []string{"256", "256", "n"}, exitUsage, "", "n is no int32: n"},
	} {
		if err := os.WriteFile(file, []byte(c.text), 0o644); err != nil {
			t.Fatal(err)
		}
		stdout, stderr, status := newt(t, append([]string{"run", file}, c.args...)...)
		if status != c.status || !strings.Contains(stdout, c.out) || !strings.Contains(stderr, c.said) {
			t.Errorf("%s: status %d\n%s%s", c.name, status, stdout, stderr)
		}
	}
}
