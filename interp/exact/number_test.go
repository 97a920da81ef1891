package exact

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestNumbers: the numbers are a ring with an exponential function, in which fractions are what they are.
func TestNumbers(t *testing.T) {
	if mul(half, 2) != 1 || mul(third, 3) != 1 || mul(sixth, 6) != 1 {
		t.Error("fractions")
	}
	r := rand.New(rand.NewPCG(1, 2))
	equal := func(what string, x, y Number) {
		t.Helper()
		if !Equal(x, y) {
			t.Errorf("%s: %d, %d", what, x, y)
		}
	}
	for range 1000 {
		x, y, z := Number(r.Uint64N(modulus)), Number(r.Uint64N(modulus)), Number(r.Uint64N(modulus))
		equal("x + (y + z)", add(x, add(y, z)), add(add(x, y), z))
		equal("x·(y + z)", mul(x, add(y, z)), add(mul(x, y), mul(x, z)))
		equal("x - x", sub(x, x), 0)
		equal("exp(x + y)", exp(add(x, y)), mul(exp(x), exp(y)))
		equal("exp(-x)", exp(neg(x)), inverse(exp(x)))
		equal("exp2", exp2(mul(x, log2e())), exp(x))
		equal("log(exp(x))", log(exp(x)), x)
		equal("exp by powers", exp(x%1000), power(1+p, uint64(x%1000)))
		if x%p != 0 && y%p != 0 {
			equal("x/x", div(x, x), 1)
			equal("log(x·y)", log(mul(x, y)), add(log(x), log(y)))
		}
		r, s := root(x), root(y)
		if r&imaginary == 0 {
			equal("sqrt(x)²", mul(r, r), x)
			if s&imaginary == 0 {
				equal("sqrt(x)·sqrt(y)", mul(r, s), root(mul(x, y)))
			}
		} else if s&imaginary == 0 {
			equal("sqrt(x)·sqrt(y) of one square", mul(r&^marks, s), root(mul(x, y)))
		}
		if once := rounded(x, "fp16", 0.3); once == x || rounded(once, "fp16", 0.3) != once {
			t.Errorf("%d is rounded to %d and that to %d", x, once, rounded(once, "fp16", 0.3))
		}
	}
}

// TestConstants: constants that are rounded in different ways mean the same, and those that are close do not.
func TestConstants(t *testing.T) {
	third := Of(1.0 / 3)
	for _, c := range []struct {
		what string
		x, y Number
	}{
		{"1/3 in fp32", Of(float64(float32(1.0 / 3))), third},
		{"3·(1/3)", mul(3, third), 1},
		{"0.1 in fp32", Of(float64(float32(0.1))), Of(0.1)},
		{"0.1 + 0.2", add(Of(0.1), Of(0.2)), Of(0.1 + 0.2)},
		{"0.044715", Of(float64(float32(0.044715))), mul(Of(0.000001), 44715)},
		{"log2(e)", Of(1.44269504), log2e()},
		{"log2(e) in fp32", Of(float64(float32(math.Log2E))), Of(math.Log2E)},
		{"log2(e)/8", Of(1.44269504 * 0.125), div(log2e(), 8)},
		{"ln(2)", mul(Of(0.6931472), Of(1.442695)), 1},
		{"1/sqrt(128)", Of(float64(float32(1 / math.Sqrt(128)))), inverse(root(128))},
		{"sqrt(64)", root(64), 8},
		{"sqrt(0.25)", root(Of(0.25)), Of(0.5)},
		{"-2.5", Of(-2.5), neg(div(5, 2))},
		{"sqrt(2/pi)", root(Of(2 / math.Pi)), Of(0.7978845608)},
		{"sqrt(2/pi)·0.044715", mul(Of(0.7978845608028654), Of(0.044715)), Of(0.035677408136300125)},
		{"log2(e)/sqrt(96)", mul(log2e(), Of(1/math.Sqrt(96))), Of(float64(float32(math.Log2E / math.Sqrt(96))))},
		{"2^-40", mul(Of(math.Ldexp(1, -40)), Of(1<<40)), 1},
		{"1e-6·1e6", mul(Of(float64(float32(1e-6))), 1_000_000), 1},
	} {
		if !Equal(c.x, c.y) {
			t.Errorf("%s: %d, %d", c.what, c.x, c.y)
		}
	}
	for _, v := range []float64{1.0001, 0.9999, 1.00001, 1.44, 1.4427, 0.693, 0.333, 0.3334, 5_000_001} {
		for _, w := range []float64{1, math.Log2E, math.Ln2, 1.0 / 3, 5e6} {
			if Equal(Of(v), Of(w)) {
				t.Errorf("%v and %v are equal", v, w)
			}
		}
	}
	infinite := Equal(Of(math.Inf(1)), plusInf) && !Equal(plusInf, minusInf)
	if !infinite || Equal(Unknown, Unknown) || !Equal(Of(math.NaN()), nan) {
		t.Error("numbers that are not finite")
	}
}
