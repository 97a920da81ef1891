package python

import (
	"math"
	"math/big"
	"strconv"
	"strings"
)

// FloatOperation is a binary operator of two floats by its symbol, nil where they have none.
func FloatOperation(op string) func(a, b float64) (Value, *Error) { return floatOps[op] }

// floatOps are the binary operations of two floats.
var floatOps = map[string]func(a, b float64) (Value, *Error){
	"+":  func(a, b float64) (Value, *Error) { return Float(a + b), nil },
	"-":  func(a, b float64) (Value, *Error) { return Float(a - b), nil },
	"*":  func(a, b float64) (Value, *Error) { return Float(a * b), nil },
	"/":  divFloat,
	"//": func(a, b float64) (Value, *Error) { return nonZero(b, "float floor division by zero", a, floorDiv) },
	"%":  func(a, b float64) (Value, *Error) { return nonZero(b, "float modulo", a, floorMod) },
	"**": powFloat,
}

func nonZero(b float64, message string, a float64, f func(a, b float64) float64) (Value, *Error) {
	if b == 0 {
		return nil, zeroDivision(message)
	}
	return Float(f(a, b)), nil
}

func divFloat(a, b float64) (Value, *Error) {
	return nonZero(b, "float division by zero", a, func(a, b float64) float64 { return a / b })
}

// floorMod has the sign of b, and is exact.
func floorMod(a, b float64) float64 {
	m := math.Mod(a, b)
	switch {
	case m == 0:
		return math.Copysign(0, b)
	case (m < 0) != (b < 0):
		return m + b
	}
	return m
}

// floorDiv is (a - floorMod(a, b)) / b, rounded to an integer.
func floorDiv(a, b float64) float64 {
	m := math.Mod(a, b)
	q := (a - m) / b
	if m != 0 && (m < 0) != (b < 0) {
		q--
	}
	if q == 0 {
		return math.Copysign(0, a/b)
	}
	whole := math.Floor(q)
	if q-whole > 0.5 {
		whole++
	}
	return whole
}

func powFloat(a, b float64) (Value, *Error) {
	switch {
	case a == 0 && b < 0 && !math.IsInf(b, -1):
		return nil, zeroDivision("0.0 cannot be raised to a negative power")
	case a < 0 && !math.IsInf(a, 0) && b-b == 0 && b != math.Floor(b):
		return nil, valueError("a negative number to a fractional power is complex, which is beyond newt")
	}
	p := power(a, b)
	if math.IsInf(p, 0) && !math.IsInf(a, 0) && !math.IsInf(b, 0) {
		return nil, overflow("(34, 'Numerical result out of range')")
	}
	return Float(p), nil
}

// Round rounds to digits places after the point (before it, where negative), ties to even on the
// exact decimal value, as round(f, digits) does.
func (f Float) Round(digits int) (Float, *Error) {
	x := float64(f)
	switch {
	case x-x != 0 || x == 0 || digits > 323:
		return f, nil
	case digits < -308:
		return Float(math.Copysign(0, x)), nil
	case digits >= 0:
		rounded, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'f', digits, 64), 64)
		return Float(rounded), nil
	}
	unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(-digits)), nil)
	exact := new(big.Rat).SetFloat64(x)
	whole := roundRat(exact.Quo(exact, new(big.Rat).SetInt(unit)))
	rounded, _ := new(big.Float).SetInt(whole.Mul(whole, unit)).Float64()
	if math.IsInf(rounded, 0) {
		return 0, overflow("rounded value too large to represent")
	}
	return Float(math.Copysign(rounded, x)), nil
}

// roundRat rounds to an integer, ties to even.
func roundRat(r *big.Rat) *big.Int {
	two := big.NewInt(2)
	q, m := new(big.Int).DivMod(r.Num(), r.Denom(), new(big.Int))
	switch m.Mul(m, two).Cmp(r.Denom()) {
	case 0:
		if q.Bit(0) == 1 {
			q.Add(q, big.NewInt(1))
		}
	case 1:
		q.Add(q, big.NewInt(1))
	}
	return q
}

// Whole is the integer that a float is after rounding towards zero, as int(f) gives it.
func (f Float) Whole() (Int, *Error) {
	switch x := float64(f); {
	case math.IsNaN(x):
		return Int{}, valueError("cannot convert float NaN to integer")
	case math.IsInf(x, 0):
		return Int{}, overflow("cannot convert float infinity to integer")
	}
	b, _ := new(big.Float).SetFloat64(float64(f)).Int(nil)
	return NewBig(b)
}

// formatRepr is the shortest text that reads back as f, as CPython prints it.
func formatRepr(f float64) string {
	switch {
	case math.IsNaN(f):
		return "nan"
	case math.IsInf(f, 1):
		return "inf"
	case math.IsInf(f, -1):
		return "-inf"
	}
	text := strconv.FormatFloat(f, 'e', -1, 64)
	exponent, _ := strconv.Atoi(text[strings.IndexByte(text, 'e')+1:])
	if exponent < -4 || exponent >= 16 {
		return text
	}
	text = strconv.FormatFloat(f, 'f', -1, 64)
	if !strings.Contains(text, ".") {
		text += ".0"
	}
	return text
}
