package python

import (
	"math"
	"math/big"
)

// NaN has the bits that C compilers give it; Go's math.NaN has another.
var NaN = Float(math.Float64frombits(0x7ff8 << 48))

// MathConstants are the numbers of the module math.
var MathConstants = map[string]Float{
	"pi":  Float(math.Pi),
	"e":   Float(math.E),
	"tau": Float(2 * math.Pi),
	"inf": Float(math.Inf(1)),
	"nan": NaN,
}

var mathFunctions = map[string]function{
	"floor":    {1, 1, toWhole(math.Floor)},
	"ceil":     {1, 1, toWhole(math.Ceil)},
	"trunc":    {1, 1, toWhole(math.Trunc)},
	"isnan":    {1, 1, mathTest(math.IsNaN)},
	"isinf":    {1, 1, mathTest(func(x float64) bool { return math.IsInf(x, 0) })},
	"isfinite": {1, 1, mathTest(func(x float64) bool { return x-x == 0 })},
	"log":      {1, 2, mathLog},
	"pow":      {2, 2, mathPow},
	"gcd":      {0, -1, mathGCD},
	"isqrt":    {1, 1, mathISqrt},
}

func init() {
	for name, f := range map[string]func(float64) float64{
		"sqrt":    math.Sqrt,
		"exp":     Exp,
		"exp2":    exp2,
		"expm1":   math.Expm1,
		"log2":    log2,
		"log10":   log10,
		"log1p":   math.Log1p,
		"sin":     Sin,
		"cos":     Cos,
		"tan":     tan,
		"asin":    asin,
		"acos":    acos,
		"atan":    atan,
		"sinh":    sinh,
		"cosh":    cosh,
		"tanh":    tanh,
		"erf":     math.Erf,
		"erfc":    math.Erfc,
		"gamma":   math.Gamma,
		"fabs":    math.Abs,
		"asinh":   asinh,
		"acosh":   acosh,
		"atanh":   math.Atanh,
		"cbrt":    Cbrt,
		"lgamma":  func(x float64) float64 { y, _ := math.Lgamma(x); return y },
		"ulp":     ulp,
		"degrees": func(x float64) float64 { return x * (180 / math.Pi) },
		"radians": func(x float64) float64 { return x * (math.Pi / 180) },
	} {
		mathFunctions[name] = function{1, 1, func(args []Value) (Value, *Error) {
			x, err := realNumber(args[0])
			if err != nil {
				return nil, err
			}
			return inDomain(f(x), x)
		}}
	}
}

// MathNames lists the functions of the module math.
func MathNames() []string {
	names := make([]string, 0, len(mathFunctions))
	for name := range mathFunctions {
		names = append(names, name)
	}
	return names
}

// HasMath reports whether Math knows a function.
func HasMath(name string) bool {
	_, ok := mathFunctions[name]
	return ok
}

// Math is math.name(args…).
func Math(name string, args []Value) (Value, *Error) {
	f, ok := mathFunctions[name]
	if !ok {
		return nil, &Error{"AttributeError", "module 'math' has no attribute '" + name + "'"}
	}
	return f.on(name, args)
}

func realNumber(v Value) (float64, *Error) {
	x, ok, err := AsFloat(v)
	if !ok {
		return 0, typeError("must be real number, not %s", v.Type())
	}
	return x, err
}

// inDomain raises what Python does where a function of finite arguments is no finite number.
func inDomain(y float64, args ...float64) (Value, *Error) {
	for _, x := range args {
		if x-x != 0 {
			return Float(y), nil
		}
	}
	switch {
	case math.IsNaN(y), math.IsInf(y, -1):
		return nil, &Error{"ValueError", "math domain error"}
	case math.IsInf(y, 1):
		return nil, &Error{"OverflowError", "math range error"}
	}
	return Float(y), nil
}

func toWhole(f func(float64) float64) func(args []Value) (Value, *Error) {
	return func(args []Value) (Value, *Error) {
		if i, ok := AsInt(args[0]); ok {
			return i, nil
		}
		x, err := realNumber(args[0])
		if err != nil {
			return nil, err
		}
		whole, err := Float(f(x)).Whole()
		if err != nil {
			return nil, err
		}
		return whole, nil
	}
}

func mathTest(f func(float64) bool) func(args []Value) (Value, *Error) {
	return func(args []Value) (Value, *Error) {
		x, err := realNumber(args[0])
		if err != nil {
			return nil, err
		}
		return Bool(f(x)), nil
	}
}

// mathLog is the natural logarithm, or the one to a base.
func mathLog(args []Value) (Value, *Error) {
	out := [2]float64{1: 1}
	for i, v := range args {
		x, err := realNumber(v)
		if err != nil {
			return nil, err
		}
		if x <= 0 {
			return nil, &Error{"ValueError", "math domain error"}
		}
		out[i] = Log(x)
	}
	if out[1] == 0 {
		return nil, zeroDivision("division by zero")
	}
	return Float(out[0] / out[1]), nil
}

func mathPow(args []Value) (Value, *Error) {
	x, err := realNumber(args[0])
	if err != nil {
		return nil, err
	}
	y, err := realNumber(args[1])
	if err != nil {
		return nil, err
	}
	if x == 0 && y < 0 {
		return nil, &Error{"ValueError", "math domain error"}
	}
	return inDomain(math.Pow(x, y), x, y)
}

func mathGCD(args []Value) (Value, *Error) {
	g := new(big.Int)
	for _, v := range args {
		i, ok := AsInt(v)
		if !ok {
			return nil, typeError("'%s' object cannot be interpreted as an integer", v.Type())
		}
		g.GCD(nil, nil, g, new(big.Int).Abs(i.Big()))
	}
	return fromBig(g)
}

func mathISqrt(args []Value) (Value, *Error) {
	i, ok := AsInt(args[0])
	if !ok {
		return nil, typeError("'%s' object cannot be interpreted as an integer", args[0].Type())
	}
	if i.Sign() < 0 {
		return nil, &Error{"ValueError", "isqrt() argument must be nonnegative"}
	}
	return fromBig(new(big.Int).Sqrt(i.Big()))
}

// ulp is the value of the last bit of a float.
func ulp(x float64) float64 {
	x = math.Abs(x)
	switch {
	case x-x != 0:
		return x
	case x == math.MaxFloat64:
		return x - math.Nextafter(x, 0)
	}
	return math.Nextafter(x, math.Inf(1)) - x
}
