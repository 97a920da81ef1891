package opt

import (
	"math"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/types"
)

func scalarType(d num.DType) types.Type { return types.Scalar(d) }

// interesting are values of d at which identities tend to break.
func interesting(d num.DType) []num.Scalar {
	var out []num.Scalar
	if d.Info().Float {
		for _, v := range []float64{0, math.Copysign(0, -1), 1, -1, 0.5, 3, -7, math.Inf(1), math.Inf(-1), math.NaN()} {
			out = append(out, num.FromFloat(d, v))
		}
		return out
	}
	for _, v := range []int64{0, 1, -1, 2, 5, -7, 127, -128, math.MaxInt32, math.MinInt32, math.MaxInt64,
		math.MinInt64} {
		out = append(out, num.FromInt(d, v))
	}
	return out
}
