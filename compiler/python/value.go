// Package python has the arithmetic of Python's own scalars as pure functions: what CPython
// computes for None, bool, int, float and str, with its error messages. Constant evaluation in
// kernels and the interpreter of host scripts both use it.
package python

import (
	"fmt"
	"math/big"
)

// Value is one of None, Bool, Int, Float, Str, and of Tuple and List where a function returns or
// takes several values. Values do not change once made.
type Value interface {
	// Type is the name of the Python class: "NoneType", "bool", "int", "float", "str", "tuple", "list".
	Type() string
}

// The values. The zero Int is 0.
type (
	None  struct{}
	Bool  bool
	Float float64
	Str   string // text in UTF-8; lengths and indices count code points
	Tuple []Value
	List  []Value
	// Int is an integer of any size up to MaxBits.
	Int struct {
		small int64
		large *big.Int // set where the value does not fit an int64
	}
)

func (None) Type() string  { return "NoneType" }
func (Bool) Type() string  { return "bool" }
func (Int) Type() string   { return "int" }
func (Float) Type() string { return "float" }
func (Str) Type() string   { return "str" }
func (Tuple) Type() string { return "tuple" }
func (List) Type() string  { return "list" }

// Error is an exception: the name of its class, and its message as CPython words it.
type Error struct{ Class, Message string }

func (e *Error) Error() string {
	if e.Message == "" {
		return e.Class
	}
	return e.Class + ": " + e.Message
}

func typeError(format string, args ...any) *Error {
	return &Error{"TypeError", fmt.Sprintf(format, args...)}
}

func valueError(format string, args ...any) *Error {
	return &Error{"ValueError", fmt.Sprintf(format, args...)}
}

func zeroDivision(message string) *Error { return &Error{"ZeroDivisionError", message} }
func overflow(message string) *Error     { return &Error{"OverflowError", message} }

// MaxBits is the size beyond which integers are refused, where CPython would go on.
const MaxBits = 1 << 16

// maxText is the length in bytes beyond which texts are refused.
const maxText = 1 << 22

// NewInt makes an Int.
func NewInt(i int64) Int { return Int{small: i} }

// smallInts are the values from -5 to 256, which are made once, as CPython's are.
var smallInts = func() (list [262]Value) {
	for i := range list {
		list[i] = NewInt(int64(i) - 5)
	}
	return list
}()

// IntValue is NewInt as a Value.
func IntValue(i int64) Value {
	if -5 <= i && i <= 256 {
		return smallInts[i+5]
	}
	return NewInt(i)
}

// NewBig makes an Int of any size up to MaxBits; beyond, it is an OverflowError.
func NewBig(b *big.Int) (Int, *Error) {
	if b.IsInt64() {
		return Int{small: b.Int64()}, nil
	}
	if b.BitLen() > MaxBits {
		return Int{}, tooLarge()
	}
	return Int{large: b}, nil
}

func tooLarge() *Error {
	return overflow(fmt.Sprintf("integers of more than %d bits are beyond newt", MaxBits))
}

// ParseInt reads decimal digits with an optional sign, as syntax.Constant holds them.
func ParseInt(decimal string) (Int, *Error) {
	if n := int64(0); len(decimal) > 0 && len(decimal) <= 18 {
		for i := 0; ; i++ {
			if i == len(decimal) {
				return NewInt(n), nil
			}
			if decimal[i] < '0' || decimal[i] > '9' {
				break // a sign, or no integer
			}
			n = 10*n + int64(decimal[i]-'0')
		}
	}
	b, ok := new(big.Int).SetString(decimal, 10)
	if !ok {
		return Int{}, valueError("invalid literal for int() with base 10: %s", Repr(Str(decimal)))
	}
	return NewBig(b)
}

// Int64 is the value where it fits.
func (i Int) Int64() (int64, bool) { return i.small, i.large == nil }

// Big is the value as a fresh big.Int.
func (i Int) Big() *big.Int {
	if i.large != nil {
		return new(big.Int).Set(i.large)
	}
	return big.NewInt(i.small)
}

// Sign is -1, 0 or 1.
func (i Int) Sign() int {
	switch {
	case i.large != nil:
		return i.large.Sign()
	case i.small < 0:
		return -1
	case i.small > 0:
		return 1
	}
	return 0
}

func (i Int) bits() int {
	if i.large != nil {
		return i.large.BitLen()
	}
	return big.NewInt(i.small).BitLen()
}

// AsInt is the integer that a bool or an int is; ok is false for other values.
func AsInt(v Value) (i Int, ok bool) {
	switch v := v.(type) {
	case Int:
		return v, true
	case Bool:
		if v {
			return NewInt(1), true
		}
		return Int{}, true
	}
	return Int{}, false
}

// AsFloat converts a bool, an int or a float as arithmetic with a float does; ok is false for other
// values. An int beyond float64's range is an OverflowError.
func AsFloat(v Value) (f float64, ok bool, err *Error) {
	if f, isFloat := v.(Float); isFloat {
		return float64(f), true, nil
	}
	i, ok := AsInt(v)
	if !ok {
		return 0, false, nil
	}
	f, err = i.float()
	return f, true, err
}

// float rounds to the nearest float64, ties to even.
func (i Int) float() (float64, *Error) {
	if i.large == nil {
		return float64(i.small), nil
	}
	f, _ := new(big.Float).SetInt(i.large).Float64()
	if f-f != 0 {
		return 0, overflow("int too large to convert to float")
	}
	return f, nil
}

// Truth is bool(v).
func Truth(v Value) bool {
	switch v := v.(type) {
	case Bool:
		return bool(v)
	case Int:
		return v.Sign() != 0
	case Float:
		return v != 0
	case Str:
		return v != ""
	case Tuple:
		return len(v) > 0
	case List:
		return len(v) > 0
	}
	return false
}
