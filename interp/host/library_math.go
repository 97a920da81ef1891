package host

import (
	"math"
	"math/big"

	"github.com/newtlab/newt/compiler/python"
)

func mathLibrary() map[string]Value {
	members := map[string]Value{"pi": python.Float(math.Pi), "e": python.Float(math.E), "tau": python.Float(2 * math.Pi), "inf": python.Float(math.Inf(1)), "nan": python.Float(math.NaN())}
	for name, f := range map[string]func(float64) float64{
		"sqrt": math.Sqrt, "exp": math.Exp, "exp2": math.Exp2, "expm1": math.Expm1, "log2": math.Log2, "log10": math.Log10, "log1p": math.Log1p,
		"sin": math.Sin, "cos": math.Cos, "tan": math.Tan, "asin": math.Asin, "acos": math.Acos, "atan": math.Atan, "sinh": math.Sinh, "cosh": math.Cosh,
		"tanh": math.Tanh, "erf": math.Erf, "erfc": math.Erfc, "gamma": math.Gamma, "fabs": math.Abs, "radians": func(x float64) float64 { return x * math.Pi / 180 },
	} {
		members[name] = &Builtin{name, mathFunction(name, f)}
	}
	for name, f := range mathSpecials {
		members[name] = &Builtin{name, f}
	}
	return members
}

func (m *machine) number(v Value) float64 {
	return float64(m.toFloat(arguments{positional: []Value{v}}).(python.Float))
}

// mathFunction refuses arguments outside the function's domain, as Python does.
func mathFunction(name string, f func(float64) float64) method {
	return func(m *machine, a arguments) Value {
		a.want(name, 1, 1)
		x := m.number(a.positional[0])
		y := f(x)
		switch {
		case y != y && x == x:
			raise("ValueError", "math domain error")
		case math.IsInf(y, -1) && !math.IsInf(x, 0):
			raise("ValueError", "math domain error")
		case math.IsInf(y, 1) && !math.IsInf(x, 0):
			raise("OverflowError", "math range error")
		}
		return python.Float(y)
	}
}

// rounded is floor, ceil or trunc: a float to an int.
func rounded(f func(float64) float64) method {
	return func(m *machine, a arguments) Value {
		a.want("floor", 1, 1)
		if i, ok := python.AsInt(a.positional[0]); ok {
			return i
		}
		return must(python.Float(f(m.number(a.positional[0]))).Whole())
	}
}

var mathSpecials = map[string]method{
	"floor": rounded(math.Floor), "ceil": rounded(math.Ceil), "trunc": rounded(math.Trunc),
	"log": func(m *machine, a arguments) Value {
		a.want("log", 1, 2)
		x := m.number(a.positional[0])
		if x <= 0 {
			raise("ValueError", "math domain error")
		}
		if len(a.positional) == 2 {
			return python.Float(math.Log(x) / math.Log(m.number(a.positional[1])))
		}
		return python.Float(math.Log(x))
	},
	"pow": func(m *machine, a arguments) Value {
		a.want("pow", 2, 2)
		return python.Float(math.Pow(m.number(a.positional[0]), m.number(a.positional[1])))
	},
	"isnan": func(m *machine, a arguments) Value {
		a.want("isnan", 1, 1)
		return python.Bool(math.IsNaN(m.number(a.positional[0])))
	},
	"isinf": func(m *machine, a arguments) Value {
		a.want("isinf", 1, 1)
		return python.Bool(math.IsInf(m.number(a.positional[0]), 0))
	},
	"isfinite": func(m *machine, a arguments) Value {
		a.want("isfinite", 1, 1)
		x := m.number(a.positional[0])
		return python.Bool(x-x == 0)
	},
	"prod": func(m *machine, a arguments) Value {
		a.want("prod", 1, 1)
		var total Value = python.NewInt(1)
		it := m.iterate(a.positional[0])
		for v, ok := it(); ok; v, ok = it() {
			m.step(m.at)
			total = m.binary("*", total, v)
		}
		return total
	},
	"gcd": func(m *machine, a arguments) Value {
		g := new(big.Int)
		for _, v := range a.positional {
			i, ok := python.AsInt(v)
			if !ok {
				raise("TypeError", "'%s' object cannot be interpreted as an integer", v.Type())
			}
			g.GCD(nil, nil, g, new(big.Int).Abs(i.Big()))
		}
		return must(python.NewBig(g))
	},
	"isqrt": func(m *machine, a arguments) Value {
		a.want("isqrt", 1, 1)
		i, ok := python.AsInt(a.positional[0])
		if !ok || i.Sign() < 0 {
			raise("ValueError", "isqrt() argument must be nonnegative")
		}
		return must(python.NewBig(new(big.Int).Sqrt(i.Big())))
	},
}
