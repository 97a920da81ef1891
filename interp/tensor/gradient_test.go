package tensor

import (
	"math"
	"slices"
	"testing"

	"github.com/newtlab/newt/compiler/num"
)

// differentiable lists functions of one float64 tensor of shape [3, 4], each smooth where it is probed.
var differentiable = map[string]func(c *Context, x *Tensor) *Tensor{
	"product with a view": func(c *Context, x *Tensor) *Tensor { return mul(c, x, selectAt(c, x, 0, 1)) },
	"quotient": func(c *Context, x *Tensor) *Tensor {
		return div(c, x, applyUnary(c, "exp", transpose(c, reshape(c, x, []int{4, 3}), 0, 1)))
	},
	"expanded":       func(c *Context, x *Tensor) *Tensor { return mul(c, expand(c, unsqueeze(c, x, 0), []int{2, 3, 4}), x) },
	"matrix product": func(c *Context, x *Tensor) *Tensor { return matmul(c, x, transpose(c, applyUnary(c, "sin", x), 0, 1)) },
	"batched product": func(c *Context, x *Tensor) *Tensor {
		return matmul(c, expand(c, unsqueeze(c, x, 0), []int{2, 3, 4}), reshape(c, x, []int{4, 3}))
	},
	"matrix and vector": func(c *Context, x *Tensor) *Tensor { return matmul(c, x, selectAt(c, x, 0, 2)) },
	"gathered twice":    func(c *Context, x *Tensor) *Tensor { return getItem(c, x, []any{fromInts(c, []int64{0, 2, 0})}) },
	"masked": func(c *Context, x *Tensor) *Tensor {
		return getItem(c, x, []any{applyBinary(c, "gt", operand{x, false}, numberOperand(0.0))})
	},
	"strided slice": func(c *Context, x *Tensor) *Tensor {
		two := 2
		return getItem(c, x, []any{Ellipsis{}, Slice{Step: &two}})
	},
	"sum, mean, product": func(c *Context, x *Tensor) *Tensor {
		return mul(c, reduceSum(c, x, []int{0}, true), mul(c, reduceMean(c, x, []int{1}, true), reduceProd(c, x, []int{1}, true)))
	},
	"maximum":        func(c *Context, x *Tensor) *Tensor { return extremeAlongDim(c, x, "max", 1, false).Values[0] },
	"amin":           func(c *Context, x *Tensor) *Tensor { return reduceExtreme(c, x, "amin", []int{0}, false) },
	"variance":       func(c *Context, x *Tensor) *Tensor { return variance(c, x, []int{1}, 1, false) },
	"norm":           func(c *Context, x *Tensor) *Tensor { return norm(c, x, 3, []int{1}, false) },
	"softmax":        func(c *Context, x *Tensor) *Tensor { return softmax(c, x, 1) },
	"log-softmax":    func(c *Context, x *Tensor) *Tensor { return logSoftmax(c, x, 0) },
	"euclidean norm": func(c *Context, x *Tensor) *Tensor { return norm(c, x, 2, []int{1}, false) },
	"standardized":   func(c *Context, x *Tensor) *Tensor { return normalize(c, x, []int{1}, nil, nil, 1e-5, true) },
	"layer norm": func(c *Context, x *Tensor) *Tensor {
		return normalize(c, x, []int{1}, selectAt(c, applyUnary(c, "exp", x), 0, 1), selectAt(c, x, 0, 2), 1e-5, true)
	},
	"rms norm of columns": func(c *Context, x *Tensor) *Tensor {
		return normalize(c, x, []int{0}, selectAt(c, applyUnary(c, "exp", x), 0, 1), nil, 1e-5, false)
	},
	"log-sum-exp":      func(c *Context, x *Tensor) *Tensor { return logSumExp(c, x, []int{0}, false) },
	"cumulative sum":   func(c *Context, x *Tensor) *Tensor { return cumsum(c, x, 1) },
	"joined":           func(c *Context, x *Tensor) *Tensor { return cat(c, []*Tensor{x, applyUnary(c, "square", x), x}, 1) },
	"reflected":        func(c *Context, x *Tensor) *Tensor { return padFromWithin(c, x, []int{2, 1}, "reflect") },
	"replicated":       func(c *Context, x *Tensor) *Tensor { return padFromWithin(c, x, []int{2, -1}, "replicate") },
	"wrapped":          func(c *Context, x *Tensor) *Tensor { return padFromWithin(c, x, []int{4, 1}, "circular") },
	"padded":           func(c *Context, x *Tensor) *Tensor { return pad(c, x, []int{1, -1, 0, 2}, 3.0) },
	"rolled, repeated": func(c *Context, x *Tensor) *Tensor { return repeat(c, roll(c, x, []int{1}, []int{1}), []int{2, 1}) },
	"clamped":          func(c *Context, x *Tensor) *Tensor { return clamp(c, x, -0.5, 0.6) },
	"chosen": func(c *Context, x *Tensor) *Tensor {
		return where(c, applyBinary(c, "lt", operand{x, false}, numberOperand(0.0)), operand{applyUnary(c, "exp", x), false}, operand{x, false})
	},
	"power": func(c *Context, x *Tensor) *Tensor {
		return applyBinary(c, "pow", operand{applyUnary(c, "exp", x), false}, operand{x, false})
	},
	"windowed": func(c *Context, x *Tensor) *Tensor { return unfold(c, x, 1, 3, 1) },
	"diagonal": func(c *Context, x *Tensor) *Tensor { return diagonal(c, x, 1, 0, 1) },
	"einsum":   func(c *Context, x *Tensor) *Tensor { return einsum(c, "ij,kj,ij->k", []*Tensor{x, x, x}) },
	"written in place": func(c *Context, x *Tensor) *Tensor {
		z := mul(c, x, x)
		setItem(c, z, []any{int64(1)}, selectAt(c, x, 0, 0))
		part := narrow(c, z, 1, 1, 2, 1)
		c.checkInPlace(part)
		c.writeInPlace(part, applyBinaryNumber(c, "mul", part, 3))
		return mul(c, z, x)
	},
	"scattered": func(c *Context, x *Tensor) *Tensor {
		places := reshape(c, fromInts(c, []int64{0, 2, 1, 0}), []int{1, 4})
		return scatter(c, mul(c, x, x), 0, places, selectAt(c, applyUnary(c, "exp", x), 0, 1).unsqueezed(c), true)
	},
}

func (t *Tensor) unsqueezed(c *Context) *Tensor { return unsqueeze(c, t, 0) }

// weigh is a scalar that depends on every element of y differently.
func weigh(c *Context, y *Tensor) *Tensor {
	w := make([]float64, y.numel())
	for i := range w {
		w[i] = math.Cos(float64(3 * i))
	}
	weights, _ := c.FromFloats(num.Float64, y.shape, w)
	return reduceSum(c, mul(c, y, weights), nil, false)
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
			return computeUnary(c, u, applyBinaryNumber(c, "mul", applyUnary(c, "sigmoid", x), 0.9))
		}
		c := New(Options{})
		x := probe(c)
		x.requireGrad(true)
		c.backward(weigh(c, f(c, x)), nil, nil, false)
		compareWithDifferences(t, u.name, c, f, x.grad.Floats())
	}
}

// TestSharedGraph: torch.autograd.backward of several outputs needs what they share for all of them, and torch.autograd.grad
// too; a later one finds it freed.
func TestSharedGraph(t *testing.T) {
	c := New(Options{})
	x, _ := c.FromFloats(num.Float64, []int{2}, []float64{1, -3})
	x.requireGrad(true)
	square := mul(c, x, x)
	outputs := []*Tensor{square, applyBinaryNumber(c, "mul", square, 2)}
	one := full(c, []int{2}, 1.0, num.Float64)
	ones := []*Tensor{one, one}
	call := func(name string, args ...any) any {
		v, err := c.Call(must(t, InAutograd, name), args, nil)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		return v
	}
	got := call("grad", outputs, []*Tensor{x}, ones, true).([]*Tensor)
	call("backward", outputs, ones)
	for _, g := range []*Tensor{got[0], x.grad} {
		if !slices.Equal(g.Floats(), []float64{6, -18}) {
			t.Errorf("d(x² + 2x²)/dx at 1 and -3 is %v", g.Floats())
		}
	}
	if _, err := c.Call(must(t, InAutograd, "backward"), []any{outputs, ones}, nil); err == nil {
		t.Error("the graph is there after backward")
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
		{"square", func(c *Context, x *Tensor) *Tensor { return mul(c, x, x) }, true},
		{"constant factor", func(c *Context, x *Tensor) *Tensor { return applyBinaryNumber(c, "mul", x, 2) }, false},
		{"sum", func(c *Context, x *Tensor) *Tensor { return add(c, x, x) }, false},
		{"exp keeps its result", func(c *Context, x *Tensor) *Tensor { return applyUnary(c, "exp", x) }, false},
		{"log keeps its operand", func(c *Context, x *Tensor) *Tensor { return applyUnary(c, "log", x) }, true},
		{"matrix product", func(c *Context, x *Tensor) *Tensor { return matmul(c, x, transpose(c, x, 0, 1)) }, true},
	} {
		k := New(Options{})
		x := probe(k)
		x.requireGrad(true)
		h := applyBinaryNumber(k, "add", x, 2)
		y := c.f(k, h)
		k.checkInPlace(h)
		k.writeInPlace(h, applyBinaryNumber(k, "add", h, 1))
		if err := k.Backward(reduceSum(k, y, nil, false), nil); (err != nil) != c.refused {
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
