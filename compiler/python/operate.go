package python

import (
	"math"
	"math/big"
	"strings"
)

// Binary is a op b for Python's arithmetic and bitwise operators: + - * / // % ** << >> & | ^ @.
func Binary(op string, a, b Value) (Value, *Error) {
	if v, ok := bothBool(op, a, b); ok {
		return v, nil
	}
	if s, ok := a.(Str); ok {
		return binaryStr(op, s, b)
	}
	if s, ok := b.(Str); ok && op == "*" {
		return binaryStr(op, s, a)
	}
	x, xInt := AsInt(a)
	y, yInt := AsInt(b)
	if xInt && yInt {
		if f := integerOps[op]; f != nil {
			return f(x, y)
		}
		return nil, unsupported(op, a, b)
	}
	f := floatOps[op]
	if f == nil || !isNumber(a) || !isNumber(b) {
		return nil, unsupported(op, a, b)
	}
	u, _, err := AsFloat(a)
	if err != nil {
		return nil, err
	}
	v, _, err := AsFloat(b)
	if err != nil {
		return nil, err
	}
	return f(u, v)
}

func isNumber(v Value) bool {
	switch v.(type) {
	case Bool, Int, Float:
		return true
	}
	return false
}

// bothBool keeps & | ^ of two bools a bool.
func bothBool(op string, a, b Value) (Value, bool) {
	x, xBool := a.(Bool)
	y, yBool := b.(Bool)
	if !xBool || !yBool {
		return nil, false
	}
	switch op {
	case "&":
		return x && y, true
	case "|":
		return x || y, true
	case "^":
		return Bool(x != y), true
	}
	return nil, false
}

func unsupported(op string, a, b Value) *Error {
	if op == "**" {
		op = "** or pow()"
	}
	return typeError("unsupported operand type(s) for %s: '%s' and '%s'", op, a.Type(), b.Type())
}

func binaryStr(op string, s Str, b Value) (Value, *Error) {
	switch op {
	case "+":
		t, ok := b.(Str)
		if !ok {
			return nil, typeError("can only concatenate str (not \"%s\") to str", b.Type())
		}
		if len(s)+len(t) > maxText {
			return nil, &Error{Class: "MemoryError"}
		}
		return s + t, nil
	case "*":
		n, ok := AsInt(b)
		if !ok {
			return nil, typeError("can't multiply sequence by non-int of type '%s'", b.Type())
		}
		return repeat(s, n)
	case "%":
		if t, ok := b.(Tuple); ok {
			return percentValue(string(s), t)
		}
		return percentValue(string(s), []Value{b})
	}
	return nil, unsupported(op, s, b)
}

func repeat(s Str, n Int) (Value, *Error) {
	switch {
	case n.large != nil:
		return nil, overflow("cannot fit 'int' into an index-sized integer")
	case n.Sign() <= 0 || s == "":
		return Str(""), nil
	case n.small > int64(maxText/len(s)):
		return nil, &Error{Class: "MemoryError"}
	}
	return Str(strings.Repeat(string(s), int(n.small))), nil
}

// Unary is op a for + - ~ and not.
func Unary(op string, a Value) (Value, *Error) {
	if op == "not" {
		return Bool(!Truth(a)), nil
	}
	if f, ok := a.(Float); ok && op != "~" {
		if op == "-" {
			return -f, nil
		}
		return f, nil
	}
	i, ok := AsInt(a)
	if !ok {
		return nil, typeError("bad operand type for unary %s: '%s'", op, a.Type())
	}
	switch op {
	case "-":
		return subInt(Int{}, i)
	case "~":
		return subInt(NewInt(-1), i)
	}
	return i, nil
}

// Compare is a op b for == != < <= > >= in, not in, is, is not.
func Compare(op string, a, b Value) (bool, *Error) {
	switch op {
	case "==":
		return equal(a, b), nil
	case "!=":
		return !equal(a, b), nil
	case "is":
		return a.Type() == b.Type() && equal(a, b), nil
	case "is not":
		return a.Type() != b.Type() || !equal(a, b), nil
	case "in":
		return contains(b, a)
	case "not in":
		found, err := contains(b, a)
		return !found, err
	}
	sign, ordered, ok := order(a, b)
	if !ok {
		return false, typeError("'%s' not supported between instances of '%s' and '%s'", op, a.Type(), b.Type())
	}
	if !ordered {
		return false, nil
	}
	switch op {
	case "<":
		return sign < 0, nil
	case "<=":
		return sign <= 0, nil
	case ">":
		return sign > 0, nil
	}
	return sign >= 0, nil
}

// order compares two values: ordered is false if one is NaN, ok if they have an order at all.
func order(a, b Value) (sign int, ordered, ok bool) {
	if s, isStr := a.(Str); isStr {
		t, isStr := b.(Str)
		return strings.Compare(string(s), string(t)), isStr, isStr
	}
	if !isNumber(a) || !isNumber(b) {
		return 0, false, false
	}
	x, xInt := AsInt(a)
	y, yInt := AsInt(b)
	f, _ := a.(Float)
	g, _ := b.(Float)
	switch {
	case xInt && yInt:
		return x.Compare(y), true, true
	case math.IsNaN(float64(f)) || math.IsNaN(float64(g)):
		return 0, false, true
	case xInt:
		return compareIntFloat(x, float64(g)), true, true
	case yInt:
		return -compareIntFloat(y, float64(f)), true, true
	case f < g:
		return -1, true, true
	case f > g:
		return 1, true, true
	}
	return 0, true, true
}

func equal(a, b Value) bool {
	if x, y, ok := items(a, b); ok {
		if len(x) != len(y) {
			return false
		}
		for i := range x {
			if !equal(x[i], y[i]) {
				return false
			}
		}
		return true
	}
	if sign, ordered, ok := order(a, b); ok {
		return ordered && sign == 0
	}
	_, aNone := a.(None)
	_, bNone := b.(None)
	return aNone && bNone
}

// items are the elements of two sequences of the same class.
func items(a, b Value) (x, y []Value, ok bool) {
	switch a := a.(type) {
	case Tuple:
		b, ok := b.(Tuple)
		return a, b, ok
	case List:
		b, ok := b.(List)
		return a, b, ok
	}
	return nil, nil, false
}

func contains(whole, part Value) (bool, *Error) {
	var list []Value
	switch whole := whole.(type) {
	case Str:
		s, ok := part.(Str)
		if !ok {
			return false, typeError("'in <string>' requires string as left operand, not %s", part.Type())
		}
		return strings.Contains(string(whole), string(s)), nil
	case Tuple:
		list = whole
	case List:
		list = whole
	default:
		return false, typeError("argument of type '%s' is not iterable", whole.Type())
	}
	for _, v := range list {
		if equal(v, part) {
			return true, nil
		}
	}
	return false, nil
}

// DivMod is divmod(a, b): the floor quotient and the remainder.
func DivMod(a, b Value) (Value, *Error) {
	if !isNumber(a) || !isNumber(b) {
		return nil, typeError("unsupported operand type(s) for divmod(): '%s' and '%s'", a.Type(), b.Type())
	}
	q, err := Binary("//", a, b)
	if err != nil {
		if err.Class == "ZeroDivisionError" && q == nil && err.Message == "float floor division by zero" {
			err = zeroDivision("float divmod()")
		}
		return nil, err
	}
	m, err := Binary("%", a, b)
	if err != nil {
		return nil, err
	}
	return Tuple{q, m}, nil
}

// absolute is abs(v).
func absolute(v Value) (Value, *Error) {
	if f, ok := v.(Float); ok {
		return Float(math.Abs(float64(f))), nil
	}
	i, ok := AsInt(v)
	if !ok {
		return nil, typeError("bad operand type for abs(): '%s'", v.Type())
	}
	return fromBig(new(big.Int).Abs(i.Big()))
}
