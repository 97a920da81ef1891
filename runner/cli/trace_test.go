package cli

import (
	"strings"
	"testing"
)

// TestTrace: the first launch of each call is traced, also one that fails, and nothing of it goes to standard output.
func TestTrace(t *testing.T) {
	loop := edited(t, "add_kernel[", "for _ in range(3): add_kernel[")
	outside := edited(t, "offs < n", "offs < n + 1")
	for _, c := range []struct {
		name   string
		args   []string
		want   []string
		launch int // how many reports
		status int
	}{
		{"as it is", []string{"testdata/vector_add.py"}, []string{"line 17: add_kernel, program 0 of a grid of 4",
			"program 0 reads x_ptr[0:256]", "a cell is 1 × 16 elements", "w written"}, 1, exitOK},
		{"a loop", []string{loop}, []string{"program 0 writes out_ptr[0:256]"}, 1, exitOK},
		{"another program", []string{"testdata/vector_add.py", "--program", "3"},
			[]string{"program 3 reads x_ptr[768:1000]; 24 lanes are masked off"}, 1, exitOK},
		{"no such program", []string{"testdata/vector_add.py", "--program", "1,1"},
			[]string{"there is no program (1, 1) in a grid of 4"}, 1, exitOK},
		{"a problem", []string{outside}, []string{"program 3 of a grid of 4", "1 lane lies past the end",
			"`x_ptr` is read at index 1000, but it has 1000 elements"}, 1, exitFail},
	} {
		t.Run(c.name, func(t *testing.T) {
			args := append([]string{"run", "--device", "cpu", "--trace"}, c.args...)
			plain, _, _ := newt(t, append([]string{"run", "--device", "cpu"}, c.args[0])...)
			stdout, stderr, status := newt(t, args...)
			if status != c.status || stdout != plain {
				t.Errorf("status %d, output %q, not %q", status, stdout, plain)
			}
			for _, want := range c.want {
				if !strings.Contains(stderr, want) {
					t.Errorf("no %q in\n%s", want, stderr)
				}
			}
			if n := strings.Count(stderr, ": add_kernel"); n != c.launch {
				t.Errorf("%d launches in\n%s", n, stderr)
			}
		})
	}
	if _, stderr, status := newt(t, "run", "--program", "a", "testdata/vector_add.py"); status != exitUsage ||
		!strings.Contains(stderr, "such as 6 or 1,0") {
		t.Errorf("status %d: %s", status, stderr)
	}
}

// TestTraceJSON: the same as a list in the one document.
func TestTraceJSON(t *testing.T) {
	_, stderr, _ := newt(t, "run", "--device", "cpu", "--trace", "--json", "testdata/vector_add.py")
	reports := reported(t, stderr).Traces
	if len(reports) != 1 || len(reports[0].Tensors) != 3 || reports[0].Steps[0].Op != "tl.program_id" {
		t.Errorf("%+v", reports)
	}
}

// TestSanitizeJSON: a finding has its kind, line, tensor and programs, and what is proved follows.
func TestSanitizeJSON(t *testing.T) {
	oneWorker(t)
	file := edited(t, "tl.store(out_ptr + offs,", "tl.store(out_ptr + offs % 7,")
	_, stderr, _ := newt(t, "run", "--device", "cpu", "--sanitize", "--json", file)
	raced := false
	for _, d := range reported(t, stderr).Diagnostics {
		r := d.Runtime
		raced = raced || strings.HasPrefix(d.Code, "race") && d.Place.Line > 0 && r != nil && r.Tensor == "out_ptr" &&
			r.Other != nil && *r.Other != r.Program
	}
	if !raced || !strings.Contains(stderr, `"inBounds"`) || !strings.Contains(stderr, `"raceFree"`) {
		t.Errorf("%s", stderr)
	}
}
