package cli

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the recorded outputs of testdata/documents and the links of FOUND.md")

// essential are the lines of diagnostics that say what is wrong, where, and the lines that led there.
var essential = regexp.MustCompile(`(?m)^(\w+\[|  testdata| +\d+ \| |  Triton says).*\n`)

// TestGoldenDocuments runs the scripts of testdata/documents and compares standard output, the exit status
// and the diagnostics with what is recorded next to them.
func TestGoldenDocuments(t *testing.T) {
	files, _ := filepath.Glob("testdata/documents/*.py")
	if len(files) == 0 {
		t.Fatal("no scripts")
	}
	for _, name := range files {
		t.Run(filepath.Base(name), func(t *testing.T) {
			stdout, stderr, status := newt(t, "run", filepath.ToSlash(name), "--device", "cpu")
			got := fmt.Sprintf("%s-- exit status %d --\n%s", stdout, status, strings.Join(essential.FindAllString(stderr, -1), ""))
			recorded := strings.TrimSuffix(name, ".py") + ".out"
			if *update {
				if err := os.WriteFile(recorded, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(recorded)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("gives\n%s\nrecorded is\n%s", got, want)
			}
		})
	}
}

// TestPuzzleReach: what the kernel of a puzzle does not reach does not fail its check.
func TestPuzzleReach(t *testing.T) {
	solution, err := os.ReadFile("../../puzzles/01_constant_add/solution.py")
	if err != nil {
		t.Fatal(err)
	}
	file := write(t, string(solution)+"\n\ndef other():\n    return missing\n\n\n@triton.jit\ndef never(x):\n    tl.store(x, missing)\n")
	if stdout, stderr, status := newt(t, "puzzle", "check", "1", file); status != exitOK {
		t.Errorf("status %d\n%s%s", status, stdout, stderr)
	}
}
