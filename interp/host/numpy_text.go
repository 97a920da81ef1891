package host

import (
	"strconv"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/interp/tensor"
)

// numpyTextFunctions are those that prelude/numpy._core.arrayprint.py stands on.
func numpyTextFunctions() map[string]method {
	return map[string]method{
		"_shortest(tensor)": func(_ *machine, a arguments) Value { // the elements with the fewest digits that tell them apart
			t, out := self[Tensor](a), &List{}
			for _, v := range t.Floats() {
				out.Items = append(out.Items, python.Float(shortest(t.DType(), v)))
			}
			return out
		},
	}
}

// shortest is the float64 with the fewest digits that d rounds to v.
func shortest(d num.DType, v float64) float64 {
	if v-v != 0 {
		return v
	}
	if d == num.Float32 {
		f, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'g', -1, 32), 64)
		return f
	}
	digits := 1
	// 17 digits tell any two float64 apart.
	for ; digits < 17; digits++ {
		f, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'g', digits, 64), 64)
		c := tensor.New(tensor.Options{})
		if t, err := c.FromFloats(d, nil, []float64{f}); err == nil && t.Floats()[0] == v {
			return f
		}
	}
	return v
}
