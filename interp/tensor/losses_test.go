package tensor

import (
	"math"
	"testing"

	"github.com/newtlab/newt/compiler/num"
)

// TestMargins compares losses that compare with their definitions, element by element.
func TestMargins(t *testing.T) {
	c := New(Options{})
	tensor := func(shape []int, v ...float64) *Tensor {
		x, err := c.FromFloats(num.Float64, shape, v)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	column := []int{5}
	x, y := tensor(column, -1.5, 0.25, 2, -0.5, 0.75), tensor(column, 0.5, -0.25, 1, 3, 0.5)
	signs := tensor(column, 1, -1, 1, -1, 0)
	xs, ys, ts := x.Floats(), y.Floats(), signs.Floats()
	rows := func(t *Tensor) *Tensor { return unsqueeze(c, t, 1) }
	above := func(v float64) float64 { return max(v, 0) }
	for name, loss := range map[string]struct {
		arguments []any
		want      func(i int) float64
	}{
		"margin_ranking_loss": {[]any{x, y, signs, 0.5}, func(i int) float64 { return above(-ts[i]*(xs[i]-ys[i]) + 0.5) }},
		"hinge_embedding_loss": {[]any{x, signs, 0.8}, func(i int) float64 {
			switch ts[i] {
			case 1:
				return xs[i]
			case -1:
				return above(0.8 - xs[i])
			}
			return above(0.8-xs[i]) + xs[i]
		}},
		"cosine_embedding_loss": {[]any{rows(x), rows(y), signs, 0.25}, func(i int) float64 {
			cos := math.Copysign(1, xs[i]*ys[i])
			return map[float64]float64{1: 1 - cos, -1: above(cos - 0.25)}[ts[i]]
		}},
		"triplet_margin_loss": {[]any{rows(x), rows(y), rows(signs), 0.5, 2.0, 0.0, true}, func(i int) float64 {
			return above(math.Abs(xs[i]-ys[i]) - min(math.Abs(xs[i]-ts[i]), math.Abs(ys[i]-ts[i])) + 0.5)
		}},
		"soft_margin_loss": {[]any{x, signs}, func(i int) float64 { return math.Log(1 + math.Exp(-ts[i]*xs[i])) }},
		"gaussian_nll_loss": {[]any{x, signs, applyUnary(c, "square", y), true}, func(i int) float64 {
			square := ys[i] * ys[i]
			return (math.Log(2*math.Pi*square) + (xs[i]-ts[i])*(xs[i]-ts[i])/square) / 2
		}},
	} {
		op, _ := AllOperations().Lookup(InFunctional, name)
		result, err := c.Call(op, loss.arguments, map[string]any{"reduction": "none"})
		if err != nil {
			t.Fatal(name, err)
		}
		for i, v := range result.(*Tensor).Floats() {
			if want := loss.want(i); math.Abs(v-want) > 1e-9 {
				t.Errorf("%s: element %d is %v, want %v", name, i, v, want)
			}
		}
	}
}
