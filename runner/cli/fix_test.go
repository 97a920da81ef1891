package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
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

// TestFixNotebook: the cells of a notebook are one program, in which lines of IPython stay as they are, and all of the
// file but the cell that changes.
func TestFixNotebook(t *testing.T) {
	lines := func(text string) string {
		data, err := json.Marshal(strings.SplitAfter(strings.TrimSuffix(text, "\n"), "\n"))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	notebook := func(kernel string) string {
		return fmt.Sprintf(`{"cells": [
 {"cell_type": "code", "execution_count": 3, "metadata": {}, "outputs": [], "source": %s},
 {"cell_type": "markdown", "metadata": {}, "source": ["tl.make_block_ptr"]},
 {"cell_type": "code", "execution_count": null, "metadata": {"x":  1}, "outputs": [], "source": %s},
 {"cell_type": "code", "execution_count": null, "metadata": {}, "outputs": [], "source": "!ls"}
], "metadata": {}, "nbformat": 4, "nbformat_minor": 2}`,
			lines("%pip install triton\nimport triton\nimport triton.language as tl\n"), kernel)
	}
	imports, kernel, _ := strings.Cut(blockPointerCopy, "\n\n\n")
	name := filepath.Join(t.TempDir(), "copy.ipynb")
	kernel = "%%time\n!echo 𝛼\n" + kernel
	if err := os.WriteFile(name, []byte(notebook(lines(kernel))), 0o600); err != nil {
		t.Fatal(err)
	}
	stdout, stderr, status := newt(t, "fix", "--block-pointers", name)
	text, err := os.ReadFile(name)
	if status != exitOK || stdout+stderr != "" || err != nil {
		t.Fatalf("status %d, %v\n%s%s", status, err, stdout, stderr)
	}
	// What a script becomes is what the cell becomes.
	script := filepath.Join(t.TempDir(), "copy.py")
	if err := os.WriteFile(script, []byte(imports+"\n\n\n"+strings.TrimPrefix(kernel, "%%time\n!echo 𝛼\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	newt(t, "fix", "--block-pointers", script)
	fixed, err := os.ReadFile(script)
	if err != nil {
		t.Fatal(err)
	}
	_, fixedKernel, _ := strings.Cut(string(fixed), "\n\n\n")
	var got, want any
	if err := errors.Join(json.Unmarshal(text, &got),
		json.Unmarshal([]byte(notebook(lines("%%time\n!echo 𝛼\n"+fixedKernel))), &want)); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) || !strings.Contains(string(text), `"metadata": {"x":  1}`) {
		t.Errorf("%s", text)
	}

	// What is kept has a line of a cell.
	kernel = strings.Replace(kernel, "boundary_check=(0,))\n", "boundary_check=n)\n", 1)
	if err := os.WriteFile(name, []byte(notebook(lines(kernel))), 0o600); err != nil {
		t.Fatal(err)
	}
	_, stderr, status = newt(t, "fix", "--block-pointers", name)
	if status != exitFail || !strings.Contains(stderr, "copy.ipynb:cell 3:6:9") {
		t.Errorf("status %d\n%s", status, stderr)
	}
	if err := os.WriteFile(name, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, stderr, status = newt(t, "fix", "--block-pointers", name); status != exitFail || stderr == "" {
		t.Errorf("no notebook: status %d\n%s", status, stderr)
	}
}
