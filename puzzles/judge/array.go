package judge

import (
	"math"
	"slices"
	"strconv"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/puzzles"
)

// Array is a tensor's values: contiguous, row-major, in memory as torch lays them out.
type Array struct {
	puzzles.Array
	Data []byte
}

func (a Array) clone() Array { return Array{a.Array, slices.Clone(a.Data)} }

// fill sets every element to v.
func (a Array) fill(v num.Scalar) {
	vec := num.MakeVec(a.DType.Info().Class, a.Len())
	v.Fill(vec)
	num.Store(a.DType, a.Data, vec)
}

// Floats are the elements as numbers.
func (a Array) Floats() []float64 {
	vec := num.MakeVec(a.DType.Info().Class, a.Len())
	num.Load(a.DType, vec, a.Data)
	out := num.MakeVec(num.ClassF64, a.Len())
	num.Cast(a.DType, num.Float64, num.RTNE)(out, vec)
	return out.F64
}

// Texts are the first n elements as a person reads them: seven significant digits for floats. They
// are fewer where the array is smaller.
func (a Array) Texts(n int) []string {
	n = min(n, a.Len())
	first := Array{puzzles.Array{DType: a.DType, Shape: []int{n}}, a.Data[:n*a.DType.Info().Bytes]}
	values := first.Floats()
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = text(a.DType, v)
	}
	return out
}

func text(d num.DType, v float64) string {
	switch {
	case math.IsNaN(v):
		return "nan"
	case math.IsInf(v, 0):
		return map[bool]string{true: "inf", false: "-inf"}[v > 0]
	case d.Info().Float:
		return strconv.FormatFloat(v, 'g', 7, 64)
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}

// Index is the position i as one index for each dimension.
func (a Array) Index(i int) []int {
	index := make([]int, len(a.Shape))
	// Row-major: the last dimension varies fastest.
	for d := len(a.Shape) - 1; d >= 0; d-- {
		index[d] = i % a.Shape[d]
		i /= a.Shape[d]
	}
	return index
}

// wrong lists the positions where got lies outside the tolerance of want, and the largest error.
// A NaN is right only where NaN is wanted.
func wrong(got, want Array, tol puzzles.Tolerance) (positions []int, maxError float64) {
	g := got.Floats()
	for i, w := range want.Floats() {
		e, isWrong := distance(g[i], w, tol)
		maxError = max(maxError, e)
		if isWrong {
			positions = append(positions, i)
		}
	}
	return positions, maxError
}

// distance is how far a value is from what is wanted, and whether that is outside the tolerance.
func distance(got, want float64, tol puzzles.Tolerance) (e float64, isWrong bool) {
	// Equal infinities are right; their difference below would be NaN.
	if got == want || math.IsNaN(got) && math.IsNaN(want) {
		return 0, false
	}
	e = math.Abs(got - want)
	if math.IsNaN(e) { // one is NaN, or both are infinite with other signs: no tolerance covers that
		e = math.Inf(1)
	}
	// As torch.allclose has it: relative to what is wanted, not to what was computed.
	return e, e > tol.ATol+tol.RTol*math.Abs(want)
}
