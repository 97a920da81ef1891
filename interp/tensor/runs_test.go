package tensor

import (
	"slices"
	"testing"

	"github.com/newtlab/newt/compiler/num"
)

// TestLayoutsOfRuns: operations along a dimension give the same for any layout of the same elements, forward and
// backward.
func TestLayoutsOfRuns(t *testing.T) {
	for _, size := range []int{3, 40, 2100} { // fewer than a block of columns, more than one, and more than a chunk
		c := New(Options{})
		row := c.alloc(num.Float32, 1, size)
		c.Generator.fillNormal(row, 0, 1)
		matrix := c.alloc(num.Float32, 37, size)
		c.Generator.fillNormal(matrix, 0, 1)
		for name, x := range map[string]*Tensor{
			"expanded": row.asStrided(row.expandTo([]int{37, size})), "transposed": transpose(c, matrix, 0, 1),
			"every other": narrow(c, matrix, 1, 0, size/2, 2), "contiguous": matrix,
		} {
			for op, f := range map[string]func(x *Tensor) *Tensor{
				"softmax":            func(x *Tensor) *Tensor { return softmax(c, x, -1) },
				"softmax of columns": func(x *Tensor) *Tensor { return softmax(c, x, 0) },
				"log-softmax":        func(x *Tensor) *Tensor { return logSoftmax(c, x, -1) },
				"layer norm": func(x *Tensor) *Tensor {
					return normalize(c, x, []int{-1}, selectAt(c, x, 0, 1), selectAt(c, x, 0, 2), 1e-5, true)
				},
				"rms norm of columns": func(x *Tensor) *Tensor { return normalize(c, x, []int{0}, nil, nil, 1e-5, false) },
				"cumsum":              func(x *Tensor) *Tensor { return cumsum(c, x, 0) },
				"sum":                 func(x *Tensor) *Tensor { return reduceSum(c, x, []int{0}, false) },
				"variance":            func(x *Tensor) *Tensor { return variance(c, x, []int{0}, 1, false) },
				"maximum":             func(x *Tensor) *Tensor { return extremeAlongDim(c, x, "max", 0, false).Values[0] },
				"copy":                func(x *Tensor) *Tensor { return clone(c, x) },
			} {
				results := func(x *Tensor) (values []float64) {
					x = x.detach()
					x.requireGrad(true)
					y := f(x)
					seed := c.alloc(y.dtype, []int{1}...)
					seed.fill(0.5)
					if err := c.Backward(y, seed.asStrided(seed.expandTo(y.shape))); err != nil {
						t.Fatal(op, err)
					}
					return append(y.Floats(), x.grad.Floats()...)
				}
				if !slices.Equal(results(x), results(clone(c, x))) {
					t.Errorf("%s, %s, %d: the layout makes a difference", op, name, size)
				}
			}
		}
	}
}
