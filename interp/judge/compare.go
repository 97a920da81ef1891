package judge

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/interp/tensor"
)

// closeTo are the tolerances of torch.testing.assert_close by dtype: the relative and the absolute one
// (torch/testing/_comparison.py, _DTYPE_PRECISIONS). Other dtypes have to be equal.
var closeTo = map[num.DType][2]float64{
	num.Float16: {1e-3, 1e-5}, num.BFloat16: {1.6e-2, 1e-5}, num.Float32: {1.3e-6, 1e-5}, num.Float64: {1e-7, 1e-7},
}

// roundings is how many times the reference's own error a submission may have: it may sum in another order.
const roundings = 4

// shownElements is how many wrong elements of an output are listed.
const shownElements = 8

// compared compares an output with the reference's: own is what the reference computes in the inputs' dtypes, and exact
// what it computes in float64, nil where it cannot. A tolerance that is smaller than least is as large as that.
func compared(name string, got, own, exact *tensor.Tensor, least float64) Output {
	out := Output{Name: name, DType: tensor.TorchName(got.DType()), Shape: got.Shape(), Total: got.Numel()}
	switch {
	case got.IsComplex():
		size := got.DType().Info().Bytes
		a, b := got.Bytes(), own.Bytes()
		for i := range out.Total {
			if x, y := a[i*size:(i+1)*size], b[i*size:(i+1)*size]; !bytes.Equal(x, y) {
				out.wrong(got, i, fmt.Sprintf("%x", x), fmt.Sprintf("%x", y))
			}
		}
		return out
	case !got.DType().Info().Float:
		// In float64 the index of the largest of two may be another, where they are equal once they are rounded.
		g, o := got.Ints(), own.Ints()
		w := o
		if exact != nil && exact.DType() == got.DType() && exact.Numel() == out.Total {
			w = exact.Ints()
		}
		for i := range g {
			if g[i] != o[i] && g[i] != w[i] {
				out.wrong(got, i, strconv.FormatInt(g[i], 10), strconv.FormatInt(o[i], 10))
			}
		}
		return out
	}
	g, o := got.Floats(), own.Floats()
	w := o
	if exact != nil && exact.Numel() == out.Total {
		w = exact.Floats()
	}
	allowed := closeTo[got.DType()]
	out.Tolerance = Tolerance{Relative: max(allowed[0], least), Absolute: max(allowed[1], least)}
	for i := range w {
		if e := math.Abs(o[i] - w[i]); !math.IsNaN(e) && !math.IsInf(e, 0) {
			out.Tolerance.Rounding = max(out.Tolerance.Rounding, roundings*e)
		}
	}
	for i := range g {
		if e := math.Abs(g[i] - w[i]); !math.IsNaN(e) && !math.IsInf(e, 0) {
			out.MaxError = max(out.MaxError, e)
		}
		// Where the dtype overflows, the reference's own value is the only one that there can be.
		if !out.Tolerance.allows(g[i], w[i]) && !out.Tolerance.allows(g[i], o[i]) {
			out.wrong(got, i, number(g[i]), number(w[i]))
		}
	}
	return out
}

// allows reports whether an element is near enough to what it should be. NaN is near NaN alone.
func (t Tolerance) allows(got, want float64) bool {
	switch {
	case got == want || math.IsNaN(got) && math.IsNaN(want):
		return true
	case math.IsNaN(got) || math.IsNaN(want) || math.IsInf(got, 0) || math.IsInf(want, 0):
		return false
	}
	return math.Abs(got-want) <= max(t.Absolute+t.Relative*math.Abs(want), t.Rounding)
}

// wrong counts a wrong element.
func (o *Output) wrong(t *tensor.Tensor, i int, got, want string) {
	if o.Wrong++; len(o.First) < shownElements {
		o.First = append(o.First, Element{indexOf(t, i), got, want})
	}
}

// indexOf is the index of the i-th element, row by row.
func indexOf(t *tensor.Tensor, i int) []int {
	index := make([]int, t.Dim())
	for d, n := range slices.Backward(t.Shape()) {
		index[d], i = i%n, i/n
	}
	return index
}

// indexText is an index as Python writes it.
func indexText(index []int) string { return strings.ReplaceAll(fmt.Sprint(index), " ", ", ") }

// number writes a float so that floats that differ are texts that differ.
func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
