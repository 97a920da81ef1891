package sim

import (
	"math"
	"math/big"
)

// Directed rounding of fp64, of which no wider type has exact values: the nearest value is corrected by the sign of
// what the exact one is more.

// residuals are the signs of the exact value of an operation less r.
var residuals = map[string]func(x [3]*big.Rat, r *big.Rat) int{
	"add":  func(x [3]*big.Rat, r *big.Rat) int { return new(big.Rat).Add(x[0], x[1]).Cmp(r) },
	"sub":  func(x [3]*big.Rat, r *big.Rat) int { return new(big.Rat).Sub(x[0], x[1]).Cmp(r) },
	"mul":  func(x [3]*big.Rat, r *big.Rat) int { return new(big.Rat).Mul(x[0], x[1]).Cmp(r) },
	"div":  func(x [3]*big.Rat, r *big.Rat) int { return new(big.Rat).Quo(x[0], x[1]).Cmp(r) },
	"rcp":  func(x [3]*big.Rat, r *big.Rat) int { return new(big.Rat).Inv(x[0]).Cmp(r) },
	"sqrt": func(x [3]*big.Rat, r *big.Rat) int { return x[0].Cmp(new(big.Rat).Mul(r, r)) },
	"fma":  fusedResidual, "mad": fusedResidual,
}

func fusedResidual(x [3]*big.Rat, r *big.Rat) int {
	p := new(big.Rat).Mul(x[0], x[1])
	return p.Add(p, x[2]).Cmp(r)
}

// directed makes f, which gives the nearest values of the operation of that name, one that rounds as mode says.
func directed(mode rounding, name string, f func(x operands) float64) func(x operands) float64 {
	divisor, divides := map[string]int{"rcp": 0, "div": 1}[name]
	return func(x operands) float64 {
		r := f(x)
		var exact [3]*big.Rat
		for i := range x {
			exact[i] = new(big.Rat).SetFloat64(x[i])
			if exact[i] == nil { // an infinity or a NaN
				return r
			}
		}
		switch {
		case r != r || divides && x[divisor] == 0:
			return r
		case math.IsInf(r, 0): // beyond the largest value
			return toward(mode, r, -int(math.Copysign(1, r)))
		}
		return toward(mode, r, residuals[name](exact, new(big.Rat).SetFloat64(r)))
	}
}

// toward is r, or its neighbor if mode rounds a value that is more than r, less, or r, by the sign, to that.
func toward(mode rounding, r float64, sign int) float64 {
	switch {
	case mode == roundDown && sign < 0:
		return math.Nextafter(r, math.Inf(-1))
	case mode == roundUp && sign > 0:
		return math.Nextafter(r, math.Inf(1))
	case mode == roundZero && (sign < 0 && r > 0 || sign > 0 && r < 0):
		return math.Nextafter(r, 0)
	}
	return r
}
