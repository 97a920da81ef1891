// Package ptxas has NVIDIA's assembler read PTX that tests produce.
package ptxas

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

// Targets are architectures that newt's PTX is made for, one for each set of instructions that it chooses from.
var Targets = []string{"sm_80", "sm_90a"}

// All is those on which all PTX has to assemble. Those that need a newer PTX ISA than the assembler knows are not among
// them, and of sm_90 the code is that for sm_90a without wgmma.
var All = []string{"sm_80", "sm_86", "sm_89", "sm_90a"}

// find is where the assembler is: where `make need-cuda` puts it, on the PATH, or where NVIDIA's
// installer does; "" where there is none.
func find() string {
	places := []string{"/usr/local/cuda/bin/ptxas"}
	if path, err := exec.LookPath("ptxas"); err == nil {
		places = append([]string{path}, places...)
	}
	if root, err := moduleRoot(); err == nil {
		places = append([]string{filepath.Join(root, ".build", "cuda", "bin", "ptxas")}, places...)
	}
	for _, path := range places {
		if _, err := os.Stat(path); err == nil {
			return path
		}
	}
	return ""
}

// moduleRoot is the nearest folder with a go.mod, from the test's own upwards.
func moduleRoot() (string, error) {
	folder, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(folder, "go.mod")); err == nil {
			return folder, nil
		}
		up := filepath.Dir(folder)
		if up == folder {
			return "", os.ErrNotExist
		}
		folder = up
	}
}

// have is where the assembler is, "" where there is none: then the test fails where CI=true says that
// there must be one. In a page no program can be started. Under -short nothing is assembled, which would take most of
// the time: the simulator's loader holds the same text to the table of instructions.
func have(t testing.TB) string {
	t.Helper()
	if runtime.GOOS == "js" || testing.Short() {
		return ""
	}
	path := find()
	if path == "" && os.Getenv("CI") == "true" {
		t.Fatal("there is no ptxas: make need-cuda fetches it")
	}
	return path
}

// Need skips a test that is about the assembler where there is none.
func Need(t testing.TB) {
	t.Helper()
	if have(t) == "" {
		t.Skip("nothing is assembled: no ptxas (make need-cuda fetches it), or -short")
	}
}

var spills = regexp.MustCompile(`(\d+) bytes spill stores`)

// Assemble is Accept for kernels that must not spill.
func Assemble(t testing.TB, target, text string) string {
	t.Helper()
	out := Accept(t, target, text)
	for _, m := range spills.FindAllStringSubmatch(out, -1) {
		if m[1] != "0" {
			t.Errorf("a kernel spills: %s", out)
		}
	}
	return out
}

// Accept has ptxas assemble a module, with warnings as errors, and gives what it says of registers. It fails the test
// where ptxas refuses the module, with the module's text. Where there is no ptxas it says nothing.
func Accept(t testing.TB, target, text string) string {
	t.Helper()
	if have(t) == "" {
		return ""
	}
	v := ask(t, text, "-v", "--warning-as-error", "-arch="+target)
	if v.Code != 0 {
		t.Fatalf("ptxas -arch=%s: exit status %d: %s\n%s", target, v.Code, v.Output, Numbered(text))
	}
	if !spills.MatchString(v.Output) {
		t.Errorf("ptxas says nothing of registers: %s", v.Output)
	}
	return v.Output
}

var refusal = regexp.MustCompile(`line (\d+); (?:error|warning)\s*: (.*)`)

// Refused is what ptxas says against lines of a module, by their numbers.
func Refused(t testing.TB, target, text string) map[int]string {
	t.Helper()
	v := ask(t, text, "-O0", "-arch="+target)
	refused := map[int]string{}
	for _, m := range refusal.FindAllStringSubmatch(v.Output, -1) {
		line, _ := strconv.Atoi(m[1])
		refused[line] = m[2]
	}
	if v.Code != 0 && len(refused) == 0 {
		t.Fatalf("ptxas -arch=%s: exit status %d: %s", target, v.Code, v.Output)
	}
	return refused
}

// Numbered is a text with the numbers of its lines.
func Numbered(text string) string {
	var b strings.Builder
	n := 0
	for line := range strings.Lines(text) {
		n++
		fmt.Fprintf(&b, "%4d %s", n, line)
	}
	return b.String()
}
