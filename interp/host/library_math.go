package host

import (
	"math"
	"math/big"

	"github.com/newtlab/newt/compiler/python"
)

// mathLibrary is Python's math module.
func mathLibrary() map[string]Value {
	members := functions(mathFunctions())
	for name, f := range python.MathConstants {
		members[name] = f
	}
	for _, name := range python.MathNames() {
		members[name] = &Builtin{name, func(m *machine, a arguments) Value {
			a.want(name, len(a.positional), len(a.positional)) // no keywords
			args := make([]Value, len(a.positional))
			for i, v := range a.positional {
				args[i] = plainNumber(m, v)
			}
			return must(python.Math(name, args))
		}}
	}
	return members
}

// plainNumber is a number as it is, anything else (a tensor with one element) as a float.
func plainNumber(m *machine, v Value) Value {
	switch v.(type) {
	case python.Bool, python.Int, python.Float:
		return v
	case python.Str:
		raise("TypeError", "must be real number, not str")
	}
	return floatOf(m, arguments{positional: []Value{v}})
}

// mathFunctions are those of math with several arguments or results.
func mathFunctions() map[string]method {
	return map[string]method{
		"prod": func(m *machine, a arguments) Value {
			v := a.bound("prod", "iterable, *, start=")
			total := given(v[1], python.NewInt(1))
			it := m.iterateOver(v[0])
			for x, ok := it(); ok; x, ok = it() {
				m.budget.countStep(m.at)
				total = m.binaryOp("*", total, x)
			}
			return total
		},
		"atan2":     floats2("atan2", python.Atan2),
		"copysign":  floats2("copysign", math.Copysign),
		"nextafter": floats2("nextafter", math.Nextafter),
		"fmod": floats2("fmod", func(x, y float64) float64 {
			if y == 0 || math.IsInf(x, 0) {
				raise("ValueError", "math domain error")
			}
			return math.Mod(x, y)
		}),
		"remainder": floats2("remainder", math.Remainder),
		"ldexp": func(m *machine, a arguments) Value {
			v := a.bound("ldexp", "x, i")
			x, y := m.floatOf(v[0]), 0.0
			if y = math.Ldexp(x, int(max(min(asIndex(v[1]), 1<<20), -1<<20))); math.IsInf(y, 0) && !math.IsInf(x, 0) {
				raise("OverflowError", "math range error")
			}
			return python.Float(y)
		},
		"frexp": func(m *machine, a arguments) Value {
			f, e := math.Frexp(m.floatOf(a.bound("frexp", "x")[0]))
			return Tuple{python.Float(f), intValue(e)}
		},
		"modf": func(m *machine, a arguments) Value {
			x := m.floatOf(a.bound("modf", "x")[0])
			if math.IsInf(x, 0) {
				return Tuple{python.Float(math.Copysign(0, x)), python.Float(x)}
			}
			whole := math.Trunc(x)
			return Tuple{python.Float(math.Copysign(x-whole, x)), python.Float(whole)}
		},
		"hypot": func(m *machine, a arguments) Value {
			a.want("hypot", 0, 1<<30)
			var list []float64
			for _, v := range a.positional {
				list = append(list, m.floatOf(v))
			}
			return python.Float(norm(list))
		},
		"dist": func(m *machine, a arguments) Value {
			v := a.bound("dist", "p, q")
			p, q := m.itemsOf(v[0]), m.itemsOf(v[1])
			if len(p) != len(q) {
				raise("ValueError", "both points must have the same number of dimensions")
			}
			list := make([]float64, len(p))
			for i := range p {
				list[i] = m.floatOf(p[i]) - m.floatOf(q[i])
			}
			return python.Float(norm(list))
		},
		"fsum":      mathFsum,
		"sumprod":   mathSumprod,
		"isclose":   mathIsclose,
		"factorial": mathFactorial,
		"comb": func(m *machine, a arguments) Value {
			v := a.bound("comb", "n, k")
			n, k := notNegative(v[0], "n"), notNegative(v[1], "k")
			if k > n {
				return intValue(0)
			}
			return countedInt(m, n, min(k, n-k), func() *big.Int { return new(big.Int).Binomial(n, k) })
		},
		"perm": func(m *machine, a arguments) Value {
			v := a.bound("perm", "n, k=")
			n := notNegative(v[0], "n")
			k := notNegative(given(v[1], v[0]), "k")
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
		"lcm": func(m *machine, a arguments) Value {
			a.want("lcm", 0, 1<<30)
			total := big.NewInt(1)
			for _, v := range a.positional {
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

// floats2 wraps a function of two floats.
func floats2(name string, f func(x, y float64) float64) method {
	return func(m *machine, a arguments) Value {
		v := a.bound(name, "x, y")
		return python.Float(f(m.floatOf(v[0]), m.floatOf(v[1])))
	}
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
		return math.NaN()
	}
	f, _ := sum.Sqrt(sum).Float64()
	return f
}

// mathFsum is the exact sum, rounded once.
func mathFsum(m *machine, a arguments) Value {
	// 2200 bits hold any sum of floats exactly.
	sum, rest := new(big.Float).SetPrec(2200), 0.0
	for _, v := range m.itemsOf(a.bound("fsum", "seq")[0]) {
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
	v := a.bound("sumprod", "p, q")
	p, q := m.itemsOf(v[0]), m.itemsOf(v[1])
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
	v := a.bound("isclose", "a, b, *, rel_tol=, abs_tol=")
	x, y := m.floatOf(v[0]), m.floatOf(v[1])
	rel, abs := m.floatOf(given(v[2], python.Float(1e-9))), m.floatOf(given(v[3], python.Float(0)))
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
	n := a.bound("factorial", "n")[0]
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
