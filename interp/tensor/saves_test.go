package tensor

import (
	"math"
	"testing"

	"github.com/newtlab/newt/compiler/num"
)

// varies reports whether f depends on its first argument, going by a few points where it is a number.
func varies(f func(v, other float64) float64) bool {
	for _, other := range []float64{-0.7, 0.3, 0.9} {
		first := f(0.6, other)
		for _, v := range []float64{0.2, 0.4, -0.3} {
			if got := f(v, other); got != first && !math.IsNaN(got) && !math.IsNaN(first) {
				return true
			}
		}
	}
	return false
}

// TestSaves: each row saves what its derivative is computed from.
func TestSaves(t *testing.T) {
	check := func(name string, declared saves, parts ...func(v, other float64) float64) {
		t.Helper()
		var found saves
		for i, f := range parts {
			if f != nil && varies(f) {
				found |= 1 << i
			}
		}
		if name == "pow" { // its derivatives vary with the exponent where the base is 0, which is none of the points
			found |= declared & savesOther
		}
		if found != declared {
			t.Errorf("%s: saves %03b, but its derivative varies with %03b", name, declared, found)
		}
	}
	for _, u := range unaryOps {
		if u.slope == nil {
			check(u.name, u.saves)
			continue
		}
		check(u.name, u.saves, u.slope, nil, func(y, x float64) float64 { return u.slope(x, y) })
	}
	for _, b := range binaryOps {
		for i, d := range [...]func(x, y, z float64) float64{b.dx, b.dy} {
			if d == nil {
				check(b.name, b.saves[i])
				continue
			}
			check(b.name, b.saves[i],
				func(v, other float64) float64 { return d(v, other, other) },
				func(v, other float64) float64 { return d(other, v, other) },
				func(v, other float64) float64 { return d(other, other, v) })
		}
	}
}

// TestResultsThatAreNotSaved may be written to: their derivatives come from the input alone.
func TestResultsThatAreNotSaved(t *testing.T) {
	for _, name := range []string{"asin", "acos", "square"} {
		if err := backwardAfterWrite(name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, name := range []string{"exp", "tanh", "sqrt"} {
		if backwardAfterWrite(name) == nil {
			t.Errorf("%s: its result was overwritten, and backward did not mind", name)
		}
	}
	c := New(Options{})
	x := leaf(c)
	y := applyBinaryNumber(c, "pow", x, 2)
	if err := overwrittenBackward(c, y); err != nil {
		t.Errorf("pow: %v", err)
	}
}

// TestOverwrittenInputs: backward refuses where the input that a derivative is computed from was overwritten.
func TestOverwrittenInputs(t *testing.T) {
	for _, c := range []struct {
		where Where
		name  string
	}{
		{InFunctional, "gelu"}, {InFunctional, "leaky_relu"}, {InFunctional, "elu"}, {InFunctional, "silu"}, {InFunctional, "softplus"},
		{InTorch, "nan_to_num"}, {InTorch, "sin"}, {InTorch, "clamp_min"}, {InTorch, "amax"}, {InTorch, "prod"},
	} {
		k := New(Options{})
		x := mul(k, leaf(k), leaf(k))
		op, _ := AllOperations().Lookup(c.where, c.name)
		args := []any{x}
		if c.name == "clamp_min" {
			args = append(args, 0.1)
		}
		y, err := k.Call(op, args, nil)
		if err != nil {
			t.Fatal(c.name, err)
		}
		add, _ := AllOperations().Lookup(InMethod, "add_")
		if _, err := k.Call(add, []any{x, int64(1)}, nil); err != nil {
			t.Fatal(c.name, err)
		}
		total := reduceSum(k, y.(*Tensor), nil, false)
		if k.Backward(total, nil) == nil {
			t.Errorf("%s: its input was overwritten, and backward did not mind", c.name)
		}
	}
}

func leaf(c *Context) *Tensor {
	x, _ := c.FromFloats(num.Float32, []int{2}, []float64{0.25, 0.5})
	x.requireGrad(true)
	return x
}

func backwardAfterWrite(name string) error {
	c := New(Options{})
	return overwrittenBackward(c, applyUnary(c, name, leaf(c)))
}

func overwrittenBackward(c *Context, y *Tensor) error {
	add, _ := AllOperations().Lookup(InMethod, "add_")
	if _, err := c.Call(add, []any{y, int64(1)}, nil); err != nil {
		return err
	}
	seed, err := c.FromFloats(num.Float32, []int{2}, []float64{1, 1})
	if err != nil {
		return err
	}
	return c.Backward(y, seed)
}
