package cli

import (
	"strings"
	"testing"
	"time"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/interp/host"
)

// TestProgress: a terminal sees which point of a sweep is measured and about how long the rest takes; what is printed
// next removes the line. Anything but a terminal sees nothing.
func TestProgress(t *testing.T) {
	var out strings.Builder
	p := &progress{w: &out, lang: diag.English}
	p.sweep(host.SweepPoint{Name: "speed", Number: 3, Total: 62, Elapsed: 8 * time.Second})
	p.launch(5, 10) // at once after the line
	p.clear()
	p.clear()
	if want := "\r\x1b[Kspeed: point 3 of 62, about 4m0s left\r\x1b[K"; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
	out.Reset()
	quiet := progressOn(&out, diag.English)
	quiet.sweep(host.SweepPoint{Name: "speed", Number: 1, Total: 2})
	quiet.clear()
	if out.Len() > 0 {
		t.Errorf("%q is written to what is no terminal", out.String())
	}
}

const sweep = `
import time, triton, triton.testing

@triton.testing.perf_report(triton.testing.Benchmark(x_names=["N"], x_vals=[1, 2, 3, 4], line_arg="p", line_vals=["a", "b"],
                            line_names=["a", "b"], plot_name="speed", args={}))
def bench(N, p):
    return N * 10.0

bench.run(print_data=True)
`

// TestSweepFlags: --no-sweep measures nothing, --sweep everything, and without either all of a sweep that is short.
func TestSweepFlags(t *testing.T) {
	for _, c := range []struct {
		flag  string
		rows  int
		ended bool
	}{{"--no-sweep", 0, true}, {"--sweep", 4, false}, {"--strict", 4, false}} {
		stdout, stderr, status := newt(t, "run", "--device", "cpu", "--json", c.flag, write(t, sweep))
		if rows := strings.Count(stdout, ".0") / 3; status != exitOK || rows != c.rows ||
			strings.Contains(stderr, "`speed`: 8 of 8 points were not measured") != c.ended {
			t.Errorf("%s: status %d\n%s%s", c.flag, status, stdout, stderr)
		}
	}
}
