package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// edited is the test's script with a change, in a file.
func edited(t *testing.T, old, new string) string {
	t.Helper()
	text, err := os.ReadFile("testdata/vector_add.py")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), old) {
		t.Fatalf("the script has no %q", old)
	}
	file := filepath.Join(t.TempDir(), "script.py")
	if err := os.WriteFile(file, []byte(strings.Replace(string(text), old, new, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestRun(t *testing.T) {
	for _, c := range []struct {
		name, old, new string
		args           []string
		stdout, stderr string // parts
		status         int
	}{
		{"as it is", "", "", nil, "torch: 0.0\n", "", exitOK},
		{"out of bounds", "offs < n", "offs < n + 1", nil, "", "out-of-bounds-store", exitFail},
		{"in Chinese", "offs < n", "offs < n + 1", []string{"--lang", "zh"}, "", "错误[out-of-bounds-load]", exitFail},
		{"prints", "    mask =", "    tl.device_print(\"here\", n)\n    mask =", nil, "here", "", exitOK},
		{"a list for a tensor", "(x, y, out,", "([1], y, out,", nil, "", "host-kernel-argument", exitFail},
		{"does not compile", "tl.store(out_ptr", "tl.stor(out_ptr", nil, "", "error", exitFail},
		{"a slice", "(x, y, out,", "(x, y, out[:],", nil, "torch: 0.0\n", "", exitOK},
		{"an int tensor", "torch.empty(n, ", "torch.empty(n, dtype=torch.int32, ", nil, "torch: ", "", exitOK},
		{"an unknown device", "", "", []string{"--device", "tpu"}, "", "choose auto or one of cpu", exitUsage},
		{"strict", "    mask =", "    k = lambda a: a\n    mask =", []string{"--strict"}, "", "error", exitFail},
	} {
		t.Run(c.name, func(t *testing.T) {
			args := append([]string{"run", edited(t, c.old, c.new), "--device", "cpu"}, c.args...)
			stdout, stderr, status := newt(t, args...)
			if status != c.status || !strings.Contains(stdout, c.stdout) || !strings.Contains(stderr, c.stderr) {
				t.Errorf("status %d\n%s%s", status, stdout, stderr)
			}
		})
	}
}

// TestRunWithoutHints: what the compiler advises on is for who edits the file; a program finds it in --json.
func TestRunWithoutHints(t *testing.T) {
	file := edited(t, "    mask =", "    tl.arange(0, 4) > 1 and tl.arange(0, 4) > 2\n    mask =")
	if _, stderr, status := newt(t, "run", file, "--device", "cpu"); stderr != "" || status != exitOK {
		t.Errorf("status %d\n%s", status, stderr)
	}
	_, stderr, _ := newt(t, "run", file, "--device", "cpu", "--json")
	if list := reported(t, stderr).Diagnostics; len(list) != 1 || list[0].Severity != "hint" {
		t.Errorf("%s", stderr)
	}
}

// TestRunWrongVersion: a line that asks for a version of Triton that is none is warned of.
func TestRunWrongVersion(t *testing.T) {
	file := edited(t, "import torch\n", "# triton: 2.1\nimport torch\n")
	if _, stderr, status := newt(t, "run", file, "--device", "cpu"); strings.Count(stderr, "triton-version") != 1 || status != exitOK {
		t.Errorf("status %d\n%s", status, stderr)
	}
}

func TestPuzzleOnDevice(t *testing.T) {
	solution := "../../puzzles/01_constant_add/solution.py"
	if stdout, stderr, status := newt(t, "puzzle", "check", "1", solution, "--device", "cpu"); status != exitOK || strings.Count(stdout, "ok ") != 4 {
		t.Errorf("status %d\n%s%s", status, stdout, stderr)
	}
	if stdout, _, status := newt(t, "puzzle", "check", "1", "../../puzzles/01_constant_add/starter.py", "--device", "cpu"); status != exitFail || !strings.Contains(stdout, "FAIL") {
		t.Errorf("the starter: status %d\n%s", status, stdout)
	}
	if _, stderr, status := newt(t, "puzzle", "check", "1", solution, "--device", "ws://127.0.0.1:9"); status != exitUsage || !strings.Contains(stderr, "cannot reach the runner") {
		t.Errorf("no runner: status %d\n%s", status, stderr)
	}
}

func TestCompileForGPU(t *testing.T) {
	signature := "*fp32:16, *fp32:16, *fp32:16, i32, 256"
	for _, c := range []struct {
		args   []string
		want   string // part of either output
		status int
	}{
		{[]string{"--emit", "ptx"}, ".target sm_90a\n", exitOK},
		{[]string{"--emit", "ptx", "--target", "sm_80"}, ".target sm_80\n", exitOK},
		{[]string{"--emit", "ptx", "--target", "sm_120"}, ".version 8.7\n.target sm_120\n", exitOK},
		{[]string{"--emit", "plan"}, "plan of add_kernel for sm_90a: 4 warps", exitOK},
		{[]string{"--emit", "layouts", "--num-warps", "2"}, "i32[256]", exitOK},
		{[]string{"--emit", "elf"}, "--emit must be", exitUsage},
		{[]string{"--emit", "ptx", "--target", "sm_35"}, "--target must be one of sm_80, sm_86, ", exitUsage},
		{[]string{"--num-warps", "3"}, "--num-warps must be 1, 2, 4, 8, 16 or 32, not 3", exitUsage},
		{[]string{"--num-warps", "-1"}, "not -1", exitUsage},
		{[]string{"--num-stages", "0"}, "--num-stages must be at least 1, not 0", exitUsage},
	} {
		args := append([]string{"compile", "testdata/vector_add.py", "--signature", signature}, c.args...)
		if stdout, stderr, status := newt(t, args...); status != c.status || !strings.Contains(stdout+stderr, c.want) {
			t.Errorf("%v: status %d\n%s%s", c.args, status, stdout, stderr)
		}
	}
}

// TestSanitize: each finding is a warning with its place, and as JSON it has its tensor and program; after the run comes
// what is proved.
func TestSanitize(t *testing.T) {
	_, stderr, status := newt(t, "run", "testdata/unwritten_sum.py", "--device", "cpu", "--sanitize")
	if status != exitOK || !strings.Contains(stderr, "read-unwritten") || !strings.Contains(stderr, "unwritten_sum.py:9") ||
		!strings.Contains(stderr, "line 10: store `total_ptr` in bounds: proved for any size, if total_ptr.numel() >= 8 * grid[0]") ||
		!strings.Contains(stderr, "`total_ptr` free of races between programs: proved for any size\n") {
		t.Errorf("status %d\n%s", status, stderr)
	}
	_, stderr, _ = newt(t, "run", "testdata/unwritten_sum.py", "--device", "cpu", "--sanitize", "--json")
	list, proofs := reported(t, stderr).Diagnostics, reported(t, stderr).Proofs
	if len(list) != 1 || list[0].Runtime.Tensor != "total_ptr" || list[0].Place.Line != 9 {
		t.Errorf("%s", stderr)
	}
	if len(proofs) != 1 || proofs[0].Accesses[0].Line != 9 ||
		proofs[0].Accesses[0].InBounds != "size" || proofs[0].Tensors[0].RaceFree != "size" {
		t.Errorf("%s", stderr)
	}
}

// TestOverflows: run says of the larger of two launches of a kernel that an integer wraps, as does --error-on.
func TestOverflows(t *testing.T) {
	_, stderr, status := newt(t, "run", "testdata/wrap.py", "--device", "cpu", "--json")
	var got []string
	for _, d := range reported(t, stderr).Diagnostics {
		got = append(got, fmt.Sprint(d.Place.Line, " ", d.Headline))
	}
	want := []string{
		"9 `tl.program_id(0) * stride` wraps: in program (7, 0, 0) it would be 2800000000, and int32 has -1494967296",
		"15 `tl.load(index + tl.arange(0, B)) * stride` wraps: in program (0, 0, 0) it would be 2400000000, " +
			"and int32 has -1894967296",
	}
	if status != exitOK || !slices.Equal(got, want) {
		t.Errorf("status %d\n%s", status, strings.Join(got, "\n"))
	}
	if _, stderr, status := newt(t, "run", "testdata/wrap.py", "--device", "cpu", "--error-on", "overflow"); status != exitFail {
		t.Errorf("--error-on: status %d\n%s", status, stderr)
	}
}

func TestRunReportsRaces(t *testing.T) {
	oneWorker(t)
	_, stderr, status := newt(t, "run", "testdata/racing_programs.py", "--device", "cpu", "--races")
	if status != exitOK || !strings.Contains(stderr, "race-stores") {
		t.Errorf("status %d\n%s", status, stderr)
	}
	if _, stderr, _ := newt(t, "run", "testdata/racing_programs.py", "--device", "cpu"); stderr != "" {
		t.Errorf("without --races: %s", stderr)
	}
}
