package judge

import (
	"math"
	"strconv"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/puzzles"
)

// Array is a tensor's values: contiguous, row-major, in memory as torch lays them out.
type Array struct {
	puzzles.Array
	Data []byte
}

func newArray(a puzzles.Array) Array {
	return Array{a, make([]byte, a.Len()*a.DType.Info().Bytes)}
}

func (a Array) clone() Array {
	return Array{a.Array, append([]byte(nil), a.Data...)}
}

// fill sets every element to v.
func (a Array) fill(v num.Scalar) {
	vec := num.MakeVec(a.DType.Info().Class, a.Len())
	v.Fill(vec)
	num.Store(a.DType, a.Data, vec)
}

// Value is element i as a number.
func (a Array) Value(i int) float64 {
	return num.Cast64(a.DType, a.Data, i)
}

// Text is element i as a person reads it: seven significant digits for floats.
func (a Array) Text(i int) string {
	v := a.Value(i)
	switch {
	case !a.DType.Info().Float:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case math.IsNaN(v):
		return "nan"
	case math.IsInf(v, 0):
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return strconv.FormatFloat(v, 'g', 7, 64)
}

// Index is the position i as one index for each dimension.
func (a Array) Index(i int) []int {
	index := make([]int, len(a.Shape))
	for d := len(a.Shape) - 1; d >= 0; d-- {
		index[d] = i % a.Shape[d]
		i /= a.Shape[d]
	}
	return index
}

// wrong lists the positions where got lies outside the tolerance of want, and the largest error.
// A NaN is right only where NaN is wanted.
func wrong(got, want Array, tol puzzles.Tolerance) (positions []int, maxError float64) {
	for i := range want.Len() {
		g, w := got.Value(i), want.Value(i)
		if g == w || math.IsNaN(g) && math.IsNaN(w) {
			continue
		}
		e := math.Abs(g - w)
		if math.IsNaN(e) {
			e = math.Inf(1)
		}
		maxError = max(maxError, e)
		if !(e <= tol.ATol+tol.RTol*math.Abs(w)) {
			positions = append(positions, i)
		}
	}
	return positions, maxError
}
