package host

import (
	"math"
	"math/big"

	"github.com/newtlab/newt/compiler/python"
)

// mathLibrary is Python's math module.
func mathLibrary() map[string]Value {
	table := mathFunctions()
	for _, name := range python.MathNames() {
		table[name+"(*args)"] = func(m *machine, a arguments) Value {
			var args []Value
			for _, v := range a.positional[0].(Tuple) {
				args = append(args, plainNumber(m, v))
			}
			return must(python.Math(name, args))
		}
	}
	for name, f := range map[string]func(x, y float64) float64{"atan2": python.Atan2, "copysign": math.Copysign,
		"nextafter": math.Nextafter, "fmod": fmod, "remainder": math.Remainder} {
		table[name+"(x, y, /)"] = func(m *machine, a arguments) Value {
			return python.Float(f(m.floatOf(a.positional[0]), m.floatOf(a.positional[1])))
		}
	}
	members := functions(table)
	for name, f := range python.MathConstants {
		members[name] = f
	}
	return members
}

// plainNumber is a number as it is, anything else (a tensor with one element) as a float.
func plainNumber(m *machine, v Value) Value {
	switch v.(type) {
	case python.Bool, python.Int, python.Float:
		return v
	}
	if !is[python.Str](plain(v)) {
		if f, ok := asFloat(m, v); ok {
			return f
		}
	}
	raise("TypeError", "must be real number, not %s", v.Type())
	return nil
}

// mathFunctions are those of math with several arguments or results.
func mathFunctions() map[string]method {
	return map[string]method{
		"prod(iterable, /, *, start=1)": func(m *machine, a arguments) Value {
			total := a.positional[1]
			it := m.iterateOver(a.positional[0])
			for x, ok := it(); ok; x, ok = it() {
				m.budget.countStep(m.at)
				total = m.binaryOp("*", total, x)
			}
			return total
		},
		"ldexp(x, i, /)": func(m *machine, a arguments) Value {
			x, y := m.floatOf(a.positional[0]), 0.0
			if y = math.Ldexp(x, int(max(min(asIndex(a.positional[1]), 1<<20), -1<<20))); math.IsInf(y, 0) && !math.IsInf(x, 0) {
				raise("OverflowError", "math range error")
			}
			return python.Float(y)
		},
		"frexp(x, /)": func(m *machine, a arguments) Value {
			f, e := math.Frexp(m.floatOf(a.positional[0]))
			return Tuple{python.Float(f), intValue(e)}
		},
		"modf(x, /)": func(m *machine, a arguments) Value {
			x := m.floatOf(a.positional[0])
			if math.IsInf(x, 0) {
				return Tuple{python.Float(math.Copysign(0, x)), python.Float(x)}
			}
			whole := math.Trunc(x)
			return Tuple{python.Float(math.Copysign(x-whole, x)), python.Float(whole)}
		},
		"hypot(*coordinates)": func(m *machine, a arguments) Value {
			var list []float64
			for _, v := range a.positional[0].(Tuple) {
				list = append(list, m.floatOf(v))
			}
			return python.Float(norm(list))
		},
		"dist(p, q, /)": func(m *machine, a arguments) Value {
			p, q := m.itemsOf(a.positional[0]), m.itemsOf(a.positional[1])
			if len(p) != len(q) {
				raise("ValueError", "both points must have the same number of dimensions")
			}
			list := make([]float64, len(p))
			for i := range p {
				list[i] = m.floatOf(p[i]) - m.floatOf(q[i])
			}
			return python.Float(norm(list))
		},
		"fsum(seq, /)":     mathFsum,
		"sumprod(p, q, /)": mathSumprod,
		"isclose(a, b, *, rel_tol=1e-09, abs_tol=0.0)": mathIsclose,
		"factorial(n, /)": mathFactorial,
		"comb(n, k, /)": func(m *machine, a arguments) Value {
			n, k := notNegative(a.positional[0], "n"), notNegative(a.positional[1], "k")
			if k > n {
				return intValue(0)
			}
			return countedInt(m, n, min(k, n-k), func() *big.Int { return new(big.Int).Binomial(n, k) })
		},
		"perm(n, k=None, /)": func(m *machine, a arguments) Value {
			n := notNegative(a.positional[0], "n")
			k := notNegative(given(a.positional[1], a.positional[0]), "k")
			if k > n {
				return intValue(0)
			}
			return countedInt(m, n, k, func() *big.Int {
				p := big.NewInt(1)
				for i := range k {
					p.Mul(p, big.NewInt(n-i))
				}
				return p
			})
		},
		"lcm(*integers)": func(m *machine, a arguments) Value {
			total := big.NewInt(1)
			for _, v := range a.positional[0].(Tuple) {
				n := integerOf(v).Big()
				if n.Sign() == 0 {
					return intValue(0)
				}
				n.Abs(n)
				gcd := new(big.Int).GCD(nil, nil, total, n)
				must(python.NewBig(total.Mul(total, n.Div(n, gcd))))
			}
			return must(python.NewBig(total))
		},
	}
}

// fmod is math.fmod.
func fmod(x, y float64) float64 {
	if y == 0 && x == x || math.IsInf(x, 0) && y == y {
		raise("ValueError", "math domain error")
	}
	return math.Mod(x, y)
}

// norm is the Euclidean norm, rounded once.
func norm(list []float64) float64 {
	sum, inf, nan := new(big.Float).SetPrec(256), false, false
	for _, x := range list {
		inf, nan = inf || math.IsInf(x, 0), nan || math.IsNaN(x)
		if !inf && !nan {
			b := new(big.Float).SetPrec(256).SetFloat64(x)
			sum.Add(sum, b.Mul(b, b))
		}
	}
	switch {
	case inf:
		return math.Inf(1)
	case nan:
		return float64(python.NaN)
	}
	f, _ := sum.Sqrt(sum).Float64()
	return f
}

// mathFsum is the exact sum, rounded once.
func mathFsum(m *machine, a arguments) Value {
	// 2200 bits hold any sum of floats exactly.
	sum, rest := new(big.Float).SetPrec(2200), 0.0
	for _, v := range m.itemsOf(a.positional[0]) {
		m.budget.countStep(m.at)
		x := m.floatOf(v)
		if x-x != 0 {
			rest += x
			continue
		}
		sum.Add(sum, new(big.Float).SetFloat64(x))
	}
	if rest != 0 {
		return python.Float(rest)
	}
	f, _ := sum.Float64()
	return python.Float(f)
}

func mathSumprod(m *machine, a arguments) Value {
	p, q := m.itemsOf(a.positional[0]), m.itemsOf(a.positional[1])
	if len(p) != len(q) {
		raise("ValueError", "Inputs are not the same length")
	}
	var total Value = python.NewInt(0)
	for i := range p {
		total = m.binaryOp("+", total, m.binaryOp("*", p[i], q[i]))
	}
	return total
}

func mathIsclose(m *machine, a arguments) Value {
	x, y := m.floatOf(a.positional[0]), m.floatOf(a.positional[1])
	rel, abs := m.floatOf(a.positional[2]), m.floatOf(a.positional[3])
	if rel < 0 || abs < 0 {
		raise("ValueError", "tolerances must be non-negative")
	}
	if x == y {
		return python.Bool(true)
	}
	if math.IsInf(x, 0) || math.IsInf(y, 0) {
		return python.Bool(false)
	}
	diff := math.Abs(x - y)
	return python.Bool(diff <= math.Abs(rel*y) || diff <= math.Abs(rel*x) || diff <= abs)
}

func mathFactorial(m *machine, a arguments) Value {
	n := a.positional[0]
	if is[python.Float](n) {
		raise("TypeError", "'float' object cannot be interpreted as an integer")
	}
	k := asIndex(n)
	if k < 0 {
		raise("ValueError", "factorial() not defined for negative values")
	}
	return countedInt(m, k, k, func() *big.Int { return new(big.Int).MulRange(1, k) })
}

func notNegative(v Value, name string) int64 {
	n := asIndex(v)
	if n < 0 {
		raise("ValueError", "%s must be a non-negative integer", name)
	}
	return n
}

// countedInt makes a product of k factors up to n, if it can be within the size of integers.
func countedInt(m *machine, n, k int64, f func() *big.Int) Value {
	if k > python.MaxBits {
		return must(python.NewBig(new(big.Int).Lsh(big.NewInt(1), python.MaxBits+1)))
	}
	return must(python.NewBig(f()))
}
