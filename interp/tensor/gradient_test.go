package tensor

import (
	"math"
	"testing"

	"github.com/newtlab/newt/compiler/num"
)

// differentiable lists functions of one float64 tensor of shape [3, 4], each smooth where it is probed.
var differentiable = map[string]func(c *Context, x *Tensor) *Tensor{
	"product with a view": func(c *Context, x *Tensor) *Tensor { return c.mul(x, c.selectAt(x, 0, 1)) },
	"quotient": func(c *Context, x *Tensor) *Tensor {
		return c.div(x, c.applyUnary("exp", c.transpose(c.reshape(x, []int{4, 3}), 0, 1)))
	},
	"expanded":       func(c *Context, x *Tensor) *Tensor { return c.mul(c.expand(c.unsqueeze(x, 0), []int{2, 3, 4}), x) },
	"matrix product": func(c *Context, x *Tensor) *Tensor { return c.matmul(x, c.transpose(c.applyUnary("sin", x), 0, 1)) },
	"batched product": func(c *Context, x *Tensor) *Tensor {
		return c.matmul(c.expand(c.unsqueeze(x, 0), []int{2, 3, 4}), c.reshape(x, []int{4, 3}))
	},
	"matrix and vector": func(c *Context, x *Tensor) *Tensor { return c.matmul(x, c.selectAt(x, 0, 2)) },
	"gathered twice":    func(c *Context, x *Tensor) *Tensor { return c.index(x, []any{c.fromInts([]int64{0, 2, 0})}) },
	"masked": func(c *Context, x *Tensor) *Tensor {
		return c.index(x, []any{c.applyBinary("gt", operand{x, false}, numberOperand(0.0))})
	},
	"strided slice": func(c *Context, x *Tensor) *Tensor {
		two := 2
		return c.index(x, []any{Ellipsis{}, Slice{Step: &two}})
	},
	"sum, mean, product": func(c *Context, x *Tensor) *Tensor {
		return c.mul(c.reduceSum(x, []int{0}, true), c.mul(c.reduceMean(x, []int{1}, true), c.reduceProd(x, []int{1}, true)))
	},
	"maximum":          func(c *Context, x *Tensor) *Tensor { return c.extremeAlongDim(x, "max", 1, false).Values[0] },
	"amin":             func(c *Context, x *Tensor) *Tensor { return c.reduceExtreme(x, "amin", []int{0}, false) },
	"variance":         func(c *Context, x *Tensor) *Tensor { return c.variance(x, []int{1}, 1, false) },
	"norm":             func(c *Context, x *Tensor) *Tensor { return c.norm(x, 3, []int{1}, false) },
	"softmax":          func(c *Context, x *Tensor) *Tensor { return c.softmax(x, 1) },
	"log-sum-exp":      func(c *Context, x *Tensor) *Tensor { return c.logSumExp(x, []int{0}, false) },
	"cumulative sum":   func(c *Context, x *Tensor) *Tensor { return c.cumsum(x, 1) },
	"joined":           func(c *Context, x *Tensor) *Tensor { return c.cat([]*Tensor{x, c.applyUnary("square", x), x}, 1) },
	"padded":           func(c *Context, x *Tensor) *Tensor { return c.pad(x, []int{1, -1, 0, 2}, 3.0) },
	"rolled, repeated": func(c *Context, x *Tensor) *Tensor { return c.repeat(c.roll(x, []int{1}, []int{1}), []int{2, 1}) },
	"clamped":          func(c *Context, x *Tensor) *Tensor { return c.clamp(x, -0.5, 0.6) },
	"chosen": func(c *Context, x *Tensor) *Tensor {
		return c.where(c.applyBinary("lt", operand{x, false}, numberOperand(0.0)), operand{c.applyUnary("exp", x), false}, operand{x, false})
	},
	"power": func(c *Context, x *Tensor) *Tensor {
		return c.applyBinary("pow", operand{c.applyUnary("exp", x), false}, operand{x, false})
	},
	"windowed": func(c *Context, x *Tensor) *Tensor { return c.unfold(x, 1, 3, 1) },
	"diagonal": func(c *Context, x *Tensor) *Tensor { return c.diagonal(x, 1, 0, 1) },
	"einsum":   func(c *Context, x *Tensor) *Tensor { return c.einsum("ij,kj,ij->k", []*Tensor{x, x, x}) },
	"written in place": func(c *Context, x *Tensor) *Tensor {
		z := c.mul(x, x)
		c.setIndex(z, []any{int64(1)}, c.selectAt(x, 0, 0))
		part := c.narrow(z, 1, 1, 2, 1)
		c.checkInPlace(part)
		c.writeInPlace(part, c.applyBinaryNumber("mul", part, 3))
		return c.mul(z, x)
	},
	"scattered": func(c *Context, x *Tensor) *Tensor {
		places := c.reshape(c.fromInts([]int64{0, 2, 1, 0}), []int{1, 4})
		return c.scatter(c.mul(x, x), 0, places, c.selectAt(c.applyUnary("exp", x), 0, 1).unsqueezed(c), true)
	},
}

func (t *Tensor) unsqueezed(c *Context) *Tensor { return c.unsqueeze(t, 0) }

// weigh is a scalar that depends on every element of y differently.
func weigh(c *Context, y *Tensor) *Tensor {
	w := make([]float64, y.numel())
	for i := range w {
		w[i] = math.Cos(float64(3 * i))
	}
	weights, _ := c.FromFloats(num.Float64, y.shape, w)
	return c.reduceSum(c.mul(y, weights), nil, false)
}

func probe(c *Context) *Tensor {
	v := make([]float64, 12)
	for i := range v {
		v[i] = math.Sin(float64(i)*1.7+0.2) + 0.01*float64(i)
	}
	x, _ := c.FromFloats(num.Float64, []int{3, 4}, v)
	return x
}

// TestGradients compares backward with central differences.
func TestGradients(t *testing.T) {
	for name, f := range differentiable {
		c := New(Options{})
		x := probe(c)
		x.requireGrad(true)
		if err := c.Backward(weigh(c, f(c, x)), nil); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		compareWithDifferences(t, name, c, f, x.grad.Floats())
	}
	for name, u := range unaryNamed {
		if u.slope == nil || name == "acosh" { // which begins at 1
			continue
		}
		// Inside every function's domain, away from kinks.
		f := func(c *Context, x *Tensor) *Tensor {
			return c.unary(u, c.applyBinaryNumber("mul", c.applyUnary("sigmoid", x), 0.9))
		}
		c := New(Options{})
		x := probe(c)
		x.requireGrad(true)
		c.backward(weigh(c, f(c, x)), nil, nil, false)
		compareWithDifferences(t, u.name, c, f, x.grad.Floats())
	}
}

// TestOverwritten checks that a gradient is refused once the values that it needs are gone, and
// only then.
func TestOverwritten(t *testing.T) {
	for _, c := range []struct {
		name    string
		f       func(c *Context, x *Tensor) *Tensor
		refused bool
	}{
		{"square", func(c *Context, x *Tensor) *Tensor { return c.mul(x, x) }, true},
		{"constant factor", func(c *Context, x *Tensor) *Tensor { return c.applyBinaryNumber("mul", x, 2) }, false},
		{"sum", func(c *Context, x *Tensor) *Tensor { return c.add(x, x) }, false},
		{"exp keeps its result", func(c *Context, x *Tensor) *Tensor { return c.applyUnary("exp", x) }, false},
		{"log keeps its operand", func(c *Context, x *Tensor) *Tensor { return c.applyUnary("log", x) }, true},
		{"matrix product", func(c *Context, x *Tensor) *Tensor { return c.matmul(x, c.transpose(x, 0, 1)) }, true},
	} {
		k := New(Options{})
		x := probe(k)
		x.requireGrad(true)
		h := k.applyBinaryNumber("add", x, 2)
		y := c.f(k, h)
		k.checkInPlace(h)
		k.writeInPlace(h, k.applyBinaryNumber("add", h, 1))
		if err := k.Backward(k.reduceSum(y, nil, false), nil); (err != nil) != c.refused {
			t.Errorf("%s: error %v", c.name, err)
		}
	}
}

func compareWithDifferences(t *testing.T, name string, c *Context, f func(c *Context, x *Tensor) *Tensor, got []float64) {
	t.Helper()
	const step = 1e-6
	at := func(i int, by float64) float64 {
		x := probe(c)
		v := x.Floats()
		v[i] += by
		x.setFloats(v)
		return weigh(c, f(c, x)).Floats()[0]
	}
	for i, g := range got {
		want := (at(i, step) - at(i, -step)) / (2 * step)
		if math.Abs(g-want) > 1e-6*(1+math.Abs(want)) {
			t.Errorf("%s: gradient %d is %v, differences give %v", name, i, g, want)
		}
	}
}
