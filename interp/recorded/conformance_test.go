package recorded

import (
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/interp/device/cpu"
	"github.com/newtlab/newt/interp/script"
)

// approximate are the kernels of testdata/conformance whose floats are approximations, which differ from Triton's on a
// GPU by up to so many units in the last place of fp32 and of fp64. All else is the same bit for bit, except that all NaNs
// are alike. Exponentials of large numbers are the farthest off: ex2.approx takes x · log2 e, rounded.
var approximate = map[string]struct{ fp32, fp64 float64 }{
	"quotients": {fp32: 1}, "wide_quotients": {fp32: 1}, // div.full
	"functions": {fp32: 10, fp64: 26}, "softmaxes": {fp32: 36, fp64: 2},
	"random":     {fp32: 300}, // a + b·c - d cancels
	"of_a_float": {fp32: 30, fp64: 26}, "of_two_floats": {fp32: 10, fp64: 2}, "of_a_float32": {fp32: 12116},
	"of_floats32": {fp32: 100}, "of_a_float_and_an_int": {fp32: 1, fp64: 1},
}

// flushing are the kernels of functions for which Triton flushes fp32 subnormals to zero; newt keeps them.
var flushing = map[string]bool{"functions": true, "softmaxes": true, "of_a_float": true, "of_two_floats": true,
	"of_a_float_and_an_int": true, "of_floats32": true}

// unspecified are the rows of results that have no defined order: of tl.view, which is tl.reshape with can_reorder.
var unspecified = map[string]int{"shapes": 11}

// TestConformance replays the launches of testdata/conformance, which newt_record recorded under Triton on an H100, on the
// interpreter.
func TestConformance(t *testing.T) {
	data, err := os.ReadFile("testdata/conformance.launch")
	if err != nil {
		t.Fatal(err)
	}
	f, wrong := Read("conformance.launch", data, MaxBytes)
	if wrong != nil {
		t.Fatal(wrong.In(diag.English).Headline)
	}
	o := script.Options{Launcher: &script.Launcher{Device: cpu.New(cpu.Options{})}}
	for i := range f.Launches {
		l := &f.Launches[i]
		out, contents := f.Launch(t.Context(), i, o)
		if contents == nil {
			t.Errorf("launch %d, %s: %s", i, l.Kernel, out.Outcome)
			continue
		}
		for s, got := range contents {
			if text := l.conforms(s, got, f.members[l.Storages[s].After]); text != "" {
				t.Errorf("launch %d, %s: %s", i, l.Kernel, text)
			}
		}
	}
}

// conforms says which elements of the i-th storage are farther from the recording than the kernel allows.
func (l *Launch) conforms(i int, got, want []byte) string {
	d, out := l.dtype(i), l.views(i)[0]
	limit := approximate[l.Kernel].fp32
	if d == num.Float64 {
		limit = approximate[l.Kernel].fp64
	}
	have, wanted := load(d, got), load(d, want)
	var b strings.Builder
	worst, n := 0.0, 0
	for e := range len(want) / d.Info().Bytes {
		g, w := num.ScalarAt(d, have, e), num.ScalarAt(d, wanted, e)
		off := ulps(g, w)
		if off <= limit || flushing[l.Kernel] && isFlushed(g) && isFlushed(w) || isKnown(l.Kernel, g, w) {
			continue
		}
		index, _ := out.index(e)
		if row, ok := unspecified[l.Kernel]; ok && out.name == "out_ptr" && index[0] == row {
			continue
		}
		if worst, n = max(worst, off), n+1; n <= 4 {
			fmt.Fprintf(&b, " %s%s is %v, not %v;", out.name, bracketed(index), g, w)
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%d elements of %v differ by up to %g ulps:%s", n, d, worst, b.String())
}

const smallestNormal = 0x1p-126 // of fp32

// isFlushed reports whether an fp32 may have been flushed to zero before it was rounded, or has been.
func isFlushed(s num.Scalar) bool {
	return s.DType == num.Float32 && math.Abs(s.Float()) <= smallestNormal
}

// isKnown reports what newt does otherwise on purpose: Triton makes a number of an fp8e5 NaN that it converts to bf16.
func isKnown(kernel string, g, w num.Scalar) bool {
	return kernel == "to_floats" && g.DType == num.BFloat16 && g.Float() != g.Float() && w.Float() == 114688
}

// ulps is how far two numbers are apart, in steps from one float to the next. Numbers of other dtypes differ or do not.
func ulps(g, w num.Scalar) float64 {
	switch {
	case g == w:
		return 0
	case !g.DType.Info().Float || g.Float() != g.Float() || w.Float() != w.Float():
		return math.Inf(1)
	}
	a, b := ordinal(g), ordinal(w)
	if a < 0 != (b < 0) {
		return math.Abs(float64(a) - float64(b))
	}
	return math.Abs(float64(a - b))
}

// ordinal numbers the floats of a dtype in order, with -0 before 0.
func ordinal(s num.Scalar) int64 {
	sign := uint64(1) << (s.DType.Info().Bits - 1)
	if s.Bits&sign != 0 {
		return -int64(s.Bits&^sign) - 1
	}
	return int64(s.Bits)
}
