package api

import (
	"maps"
	"testing"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/interp/trace"
)

// TestProductsByArithmetic: products count under the names of devices' ceilings.
func TestProductsByArithmetic(t *testing.T) {
	var seen traffic
	for i, p := range []trace.Product{
		{A: num.Float16}, {A: num.BFloat16}, {A: num.Float32, Precision: "ieee"}, {A: num.Float32, Precision: "tf32"},
		{A: num.Float32, Precision: "bf16x3"}, {A: num.Int8}, {A: num.Float8E5M2},
	} {
		p.Operations = 1 << i
		seen.Product(p)
	}
	want := map[string]float64{"fp16": 1, "bf16": 2, "fp32": 4, "tf32": 8, "bf16x3": 16, "int8": 32, "fp8e5": 64}
	if !maps.Equal(seen.products, want) {
		t.Errorf("%v, not %v", seen.products, want)
	}
}
