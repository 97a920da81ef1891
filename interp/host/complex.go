package host

import (
	"math"
	"math/cmplx"
	"strconv"
	"strings"

	"github.com/newtlab/newt/compiler/python"
)

// Complex is complex.
type Complex complex128

// Type is "complex".
func (Complex) Type() string { return "complex" }

// repr writes (3+4j), or 4j where the real part is +0.
func (c Complex) repr() string {
	if real(c) == 0 && !math.Signbit(real(c)) {
		return complexPart(imag(c)) + "j"
	}
	sign := "+"
	if math.Signbit(imag(c)) && !math.IsNaN(imag(c)) {
		sign = ""
	}
	return "(" + complexPart(real(c)) + sign + complexPart(imag(c)) + "j)"
}

// complexPart is a float without the ".0" of a whole number.
func complexPart(f float64) string { return strings.TrimSuffix(python.Repr(python.Float(f)), ".0") }

var complexClass = &Class{Name: "complex"}

func init() {
	complexClass.describe(typeRecord{
		make: laidOut("builtins", "complex(real=0, imag=...)", complexOf),
		base: true,
		slots: slots{
			truth: func(_ *machine, v Value) bool { return valueOf[Complex](v) != 0 },
			compare: func(_ *machine, op string, v, other Value) Value {
				y, ok := asComplex(other)
				if !ok {
					return notImplemented
				}
				return compareEqual(op, complex128(valueOf[Complex](v)) == y)
			},
			binaryOps: " + - * / ** ",
			binary: func(_ *machine, op string, v, other Value, reflected bool) Value {
				x := complex128(valueOf[Complex](v))
				y, ok := asComplex(other)
				if !ok {
					return notImplemented
				}
				if reflected {
					x, y = y, x
				}
				return operateComplex(op, x, y)
			},
			unaryOps: " - + abs ",
			unary: func(_ *machine, op string, v Value) Value {
				switch x := valueOf[Complex](v); op {
				case "-":
					return -x
				case "+":
					return x
				case "abs":
					return python.Float(norm([]float64{real(x), imag(x)}))
				}
				return refuseUnary(op, v)
			},
			hash: func(v Value, _ int) int64 { // complex_hash in complexobject.c
				x := valueOf[Complex](v)
				return reserveHash(hashFloat(real(x)) + 1000003*hashFloat(imag(x)))
			},
			repr: leaf(func(v Value) string { return valueOf[Complex](v).repr() }),
			format: func(m *machine, v Value, spec string) string {
				if spec == "" {
					return m.strOf(v)
				}
				return formatComplex(valueOf[Complex](v), spec)
			},
		},
		methods: map[string]method{
			"@property real(self)": func(_ *machine, a arguments) Value {
				return python.Float(real(self[Complex](a)))
			},
			"@property imag(self)": func(_ *machine, a arguments) Value {
				return python.Float(imag(self[Complex](a)))
			},
			"conjugate": func(_ *machine, a arguments) Value {
				return Complex(cmplx.Conj(complex128(self[Complex](a))))
			},
		},
	})
}

// asComplex is a number as a complex one.
func asComplex(v Value) (complex128, bool) {
	v = plain(v)
	if c, ok := v.(Complex); ok {
		return complex128(c), true
	}
	f, ok, err := python.AsFloat(v)
	return complex(must(f, err), 0), ok
}

// operateComplex is x op y.
func operateComplex(op string, x, y complex128) Value {
	switch op {
	case "+":
		return Complex(x + y)
	case "-":
		return Complex(x - y)
	case "*":
		return Complex(x * y)
	case "/":
		if y == 0 {
			raise("ZeroDivisionError", "complex division by zero")
		}
		return Complex(x / y)
	case "**":
		return Complex(complexPower(x, y))
	}
	return notImplemented
}

// complexPower multiplies where the exponent is a small integer, as CPython does: the result is exact more often.
func complexPower(x, y complex128) complex128 {
	n := int(real(y))
	if imag(y) != 0 || float64(n) != real(y) || n < -100 || n > 100 {
		if x == 0 && (real(y) < 0 || imag(y) != 0) {
			raise("ZeroDivisionError", "0.0 to a negative or complex power")
		}
		return cmplx.Pow(x, y)
	}
	if n < 0 {
		if x == 0 {
			raise("ZeroDivisionError", "0.0 to a negative or complex power")
		}
		return 1 / complexPower(x, -y)
	}
	result := complex(1, 0)
	for bit := 1; bit <= n; bit <<= 1 {
		if n&bit != 0 {
			result *= x
		}
		x *= x
	}
	return result
}

// complexOf is complex(real, imag).
func complexOf(m *machine, a arguments) Value {
	v := a.positional
	if s, ok := v[0].(python.Str); ok {
		if v[1] != nil {
			raise("TypeError", "complex() can't take second arg if first is a string")
		}
		return parseComplex(string(s))
	}
	if v[1] != nil && is[python.Str](plain(v[1])) {
		raise("TypeError", "complex() second arg can't be a string")
	}
	part := func(v Value, wanted string) complex128 {
		if v == nil {
			return 0
		}
		if o, ok := v.(*Instance); ok {
			if r, ok := m.callSpecial(o, "__complex__"); ok {
				v = r
			}
		}
		if t, ok := v.(Tensor); ok {
			v = m.tensorMethod(t, "item")
		}
		if c, ok := asComplex(v); ok {
			return c
		}
		f, ok := asFloat(m, v)
		if !ok {
			raise("TypeError", "complex() %s, not '%s'", wanted, v.Type())
		}
		return complex(float64(f.(python.Float)), 0)
	}
	x, y := part(v[0], "first argument must be a string or a number"), part(v[1], "second argument must be a number")
	if imag(x) == 0 && imag(y) == 0 { // so that -0.0 stays one
		return Complex(complex(real(x), real(y)))
	}
	return Complex(complex(real(x)-imag(y), imag(x)+real(y)))
}

// parseComplex reads a text such as 1+2j.
func parseComplex(text string) Value {
	c, err := strconv.ParseComplex(strings.ReplaceAll(strings.Trim(strings.TrimSpace(text), "()"), "j", "i"), 128)
	if err != nil {
		raise("ValueError", "complex() arg is a malformed string")
	}
	return Complex(c)
}

// cmathLibrary is cmath.
func cmathLibrary() map[string]Value {
	members := map[string]Value{
		"pi": python.Float(math.Pi), "e": python.Float(math.E), "tau": python.Float(2 * math.Pi),
		"inf": python.Float(math.Inf(1)), "nan": python.NaN, "infj": Complex(complex(0, math.Inf(1))),
		"nanj": Complex(complex(0, float64(python.NaN))),
	}
	number := func(m *machine, v Value) complex128 {
		c, ok := asComplex(v)
		if !ok {
			c = complex(m.floatOf(v), 0)
		}
		return c
	}
	table := map[string]method{
		"log(z, base=..., /)": func(m *machine, a arguments) Value {
			z := number(m, a.positional[0])
			if z == 0 {
				raise("ValueError", "math domain error")
			}
			if a.positional[1] == nil {
				return Complex(cmplx.Log(z))
			}
			return Complex(cmplx.Log(z) / cmplx.Log(number(m, a.positional[1])))
		},
		"phase(z, /)": func(m *machine, a arguments) Value {
			return python.Float(cmplx.Phase(number(m, a.positional[0])))
		},
		"polar(z, /)": func(m *machine, a arguments) Value {
			r, phi := cmplx.Polar(number(m, a.positional[0]))
			return Tuple{python.Float(r), python.Float(phi)}
		},
		"rect(r, phi, /)": func(m *machine, a arguments) Value {
			return Complex(cmplx.Rect(m.floatOf(a.positional[0]), m.floatOf(a.positional[1])))
		},
	}
	for name, f := range map[string]func(complex128) complex128{
		"sqrt": cmplx.Sqrt, "exp": cmplx.Exp, "sin": cmplx.Sin, "cos": cmplx.Cos, "tan": cmplx.Tan, "sinh": cmplx.Sinh,
		"cosh": cmplx.Cosh, "tanh": cmplx.Tanh, "asin": cmplx.Asin, "acos": cmplx.Acos, "atan": cmplx.Atan,
		"log10": cmplx.Log10,
	} {
		table[name+"(z, /)"] = func(m *machine, a arguments) Value { return Complex(f(number(m, a.positional[0]))) }
	}
	for name, f := range map[string]func(complex128) bool{
		"isnan": cmplx.IsNaN, "isinf": cmplx.IsInf,
		"isfinite": func(z complex128) bool { return !cmplx.IsNaN(z) && !cmplx.IsInf(z) },
	} {
		table[name+"(z, /)"] = func(m *machine, a arguments) Value { return python.Bool(f(number(m, a.positional[0]))) }
	}
	return union(members, functions(table))
}

// formatComplex formats both parts of a complex number by one spec.
func formatComplex(c Complex, spec string) string {
	re := must(python.Format(python.Float(real(c)), spec))
	im := must(python.Format(python.Float(imag(c)), spec))
	if !strings.HasPrefix(im, "-") && !strings.HasPrefix(im, "+") {
		im = "+" + im
	}
	return re + im + "j"
}
