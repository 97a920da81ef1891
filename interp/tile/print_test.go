package tile

import (
	"math"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/types"
)

// TestArrayText holds what numpy prints.
func TestArrayText(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		dtype  num.DType
		shape  []int
		values []float64
		want   string
	}{
		{num.Int32, nil, []float64{7}, "[7]"},
		{num.Int32, []int{4}, []float64{1, -20, 3, 4}, "[  1 -20   3   4]"},
		{num.Uint8, []int{2}, []float64{255, 0}, "[255   0]"},
		{num.Int1, []int{2}, []float64{1, 0}, "[ True False]"},
		{num.Float32, []int{4}, []float64{1, 2, 3, 4}, "[1. 2. 3. 4.]"},
		{num.Float32, []int{2}, []float64{0.5, 0.25}, "[0.5  0.25]"},
		{num.Float32, []int{2}, []float64{-1.5, 2}, "[-1.5  2. ]"},
		{num.Float32, []int{2}, []float64{1.0 / 3, 0.1}, "[0.33333334 0.1       ]"},
		{num.Float64, []int{1}, []float64{1.0 / 3}, "[0.33333333]"},
		{num.Float16, []int{2}, []float64{0.1, 65504}, "[1.00e-01 6.55e+04]"},
		{num.BFloat16, []int{2}, []float64{0.1, 3}, "[0.1 3. ]"},
		{num.Float32, []int{4}, []float64{nan, 1, inf, -inf}, "[ nan   1.  inf -inf]"},
		{num.Float32, []int{2}, []float64{1e10, 1}, "[1.e+10 1.e+00]"},
		{num.Float64, []int{2}, []float64{0.1, 1234.5}, "[1.0000e-01 1.2345e+03]"},
		{num.Float32, []int{2}, []float64{0, 1e-5}, "[0.e+00 1.e-05]"},
		{num.Int32, []int{2, 2}, []float64{1, 2, 3, 40}, "[[ 1  2]\n [ 3 40]]"},
		{num.Int32, []int{2, 2, 2}, []float64{0, 1, 2, 3, 4, 5, 6, 7}, "[[[0 1]\n  [2 3]]\n\n [[4 5]\n  [6 7]]]"},
		{num.Int32, []int{32}, count(32), "[ 0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18 19 20 21 22 23\n 24 25 26 27 28 29 30 31]"},
		{num.Int32, []int{2048}, count(2048), "[   0    1    2 ... 2045 2046 2047]"},
		{num.Int32, []int{1024, 2}, count(2048), "[[   0    1]\n [   2    3]\n [   4    5]\n ...\n [2042 2043]\n [2044 2045]\n [2046 2047]]"},
	} {
		v := num.MakeVec(c.dtype.Info().Class, len(c.values))
		num.Cast(num.Float64, c.dtype, num.RTNE)(v, num.Vec{F64: c.values})
		if got := textOf(types.Tile(c.dtype, c.shape...), v, false); got != c.want {
			t.Errorf("%s%v:\n%s\nwant\n%s", c.dtype, c.shape, got, c.want)
		}
	}
	if got := textOf(types.Tile(num.Int32, 2), num.Vec{I32: []int32{10, -1}}, true); got != "[0x0a 0xffffffff]" {
		t.Errorf("hexadecimal: %s", got)
	}
}

func textOf(t types.Type, v num.Vec, hex bool) string {
	w := &textBuilder{limit: MaxPrintText}
	arrayText(w, t, v, hex)
	return string(w.text)
}

func count(n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = float64(i)
	}
	return out
}

func TestDevicePrints(t *testing.T) {
	k := plan(t, `func @prints(%x: *i32) {
  %pid = program_id {axis=0} : i32
  %r = arange {start=0, end=4} : i32[4]
  print %pid, %r {text=" value: {}{}", style=device}
  print {text="no operands", style=device}
  print %pid {text="pid = {}, that is all", style=device}
  return
}
`)
	report := launch(t, k, 2, i32(0))
	var got []string
	for _, p := range report.Prints {
		got = append(got, p.Text)
	}
	want := "(0, 0, 0) value: [0]\n(0, 0, 0) value: [0 1 2 3]|(0, 0, 0) no operands|(0, 0, 0) pid = [0], that is all|(1, 0, 0) value: [1]\n(1, 0, 0) value: [0 1 2 3]|(1, 0, 0) no operands|(1, 0, 0) pid = [1], that is all"
	if s := strings.Join(got, "|"); s != want {
		t.Errorf("got %q", s)
	}
}
