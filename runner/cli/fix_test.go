package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const blockPointerCopy = `import triton
import triton.language as tl


@triton.jit
def copy(x_ptr, y_ptr, n, B: tl.constexpr):
    x = tl.make_block_ptr(x_ptr, (n,), (1,), (tl.program_id(0) * B,), (B,), (0,))
    y = tl.make_block_ptr(y_ptr, (n,), (1,), (tl.program_id(0) * B,), (B,), (0,))
    tl.store(y, tl.load(x, boundary_check=(0,)), boundary_check=(0,))
`

func TestFix(t *testing.T) {
	name := filepath.Join(t.TempDir(), "copy.py")
	if err := os.WriteFile(name, []byte(blockPointerCopy), 0o600); err != nil {
		t.Fatal(err)
	}
	stdout, stderr, status := newt(t, "fix", "--block-pointers", name)
	text, err := os.ReadFile(name)
	if status != exitOK || stdout+stderr != "" || err != nil {
		t.Errorf("status %d, %v\n%s%s", status, err, stdout, stderr)
	}
	want := `    offs_b = tl.program_id(0) * B + tl.arange(0, B)
    x_mask = offs_b < n
    x = x_ptr + offs_b
    y = y_ptr + offs_b
    tl.store(y, tl.load(x, mask=x_mask), mask=x_mask)
`
	if head, _, _ := strings.Cut(blockPointerCopy, "    x ="); string(text) != head+want {
		t.Error(string(text))
	}
	if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o600 {
		t.Error("the file's mode has changed")
	}
}

// TestFixKeeps: what is not rewritten stays as it is, with the reason and its line.
func TestFixKeeps(t *testing.T) {
	text := strings.Replace(blockPointerCopy, "boundary_check=(0,))\n", "boundary_check=n)\n", 1)
	name := filepath.Join(t.TempDir(), "copy.py")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	_, stderr, status := newt(t, "fix", "--block-pointers", name)
	if status != exitFail || !strings.Contains(stderr, "hint[block-pointer-kept-argument]") ||
		!strings.Contains(stderr, "copy.py:8:9") {
		t.Errorf("status %d\n%s", status, stderr)
	}
	for _, args := range [][]string{{"fix", name}, {"fix", "--block-pointers"}, {"fix", "--block-pointers", name + ".none"}} {
		if _, _, status := newt(t, args...); status != exitUsage {
			t.Errorf("%v: status %d", args, status)
		}
	}
}
