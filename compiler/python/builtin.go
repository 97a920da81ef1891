package python

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"
)

type function struct {
	least, most int // arguments; most is -1 if there is no limit
	call        func(args []Value) (Value, *Error)
}

// functions are Python's built-in functions of scalars.
var functions = map[string]function{
	"int":    {0, 2, toInt},
	"float":  {0, 1, toFloat},
	"bool":   {0, 1, func(a []Value) (Value, *Error) { return Bool(len(a) == 1 && Truth(a[0])), nil }},
	"str":    {0, 1, toStr},
	"repr":   {1, 1, func(a []Value) (Value, *Error) { return Str(Repr(a[0])), nil }},
	"ascii":  {1, 1, func(a []Value) (Value, *Error) { return Str(ASCII(a[0])), nil }},
	"abs":    {1, 1, func(a []Value) (Value, *Error) { return absolute(a[0]) }},
	"round":  {1, 2, round},
	"min":    {1, -1, extreme("min", "<")},
	"max":    {1, -1, extreme("max", ">")},
	"sum":    {1, 2, sum},
	"divmod": {2, 2, func(a []Value) (Value, *Error) { return DivMod(a[0], a[1]) }},
	"pow":    {2, 2, func(a []Value) (Value, *Error) { return Binary("**", a[0], a[1]) }},
	"len":    {1, 1, length},
	"bin":    {1, 1, inBase('b')},
	"oct":    {1, 1, inBase('o')},
	"hex":    {1, 1, inBase('x')},
	"chr":    {1, 1, chr},
	"ord":    {1, 1, ord},
	"format": {1, 2, formatFunction},
}

// HasFunction reports whether Call knows a built-in function.
func HasFunction(name string) bool {
	_, ok := functions[name]
	return ok
}

// Call is name(args…) for the built-in functions of scalars: int float bool str repr ascii abs round
// min max sum divmod pow len bin oct hex chr ord format.
func Call(name string, args []Value) (Value, *Error) {
	f, ok := functions[name]
	if !ok {
		return nil, &Error{"NameError", "name '" + name + "' is not defined"}
	}
	return f.on(name, args)
}

// on calls a function with as many arguments as it takes.
func (f function) on(name string, args []Value) (Value, *Error) {
	switch {
	case len(args) < f.least:
		return nil, typeError("%s expected at least %d argument%s, got %d", name, f.least, plural(f.least), len(args))
	case f.most >= 0 && len(args) > f.most:
		return nil, typeError("%s expected at most %d argument%s, got %d", name, f.most, plural(f.most), len(args))
	}
	return f.call(args)
}

func plural(n int) string {
	if n == 1 {
		return ""
	}
	return "s"
}

func toStr(args []Value) (Value, *Error) {
	if len(args) == 0 {
		return Str(""), nil
	}
	return Str(String(args[0])), nil
}

func toInt(args []Value) (Value, *Error) {
	if len(args) == 0 {
		return Int{}, nil
	}
	base := int64(10)
	if len(args) == 2 {
		b, ok := AsInt(args[1])
		if !ok {
			return nil, typeError("'%s' object cannot be interpreted as an integer", args[1].Type())
		}
		if _, isStr := args[0].(Str); !isStr {
			return nil, typeError("int() can't convert non-string with explicit base")
		}
		n, fits := b.Int64()
		if base = n; !fits || n != 0 && (n < 2 || n > 36) {
			return nil, valueError("int() base must be >= 2 and <= 36, or 0")
		}
	}
	switch v := args[0].(type) {
	case Float:
		i, err := v.Whole()
		if err != nil {
			return nil, err
		}
		return i, nil
	case Str:
		return parseIntText(string(v), int(base))
	}
	if i, ok := AsInt(args[0]); ok {
		return i, nil
	}
	return nil, typeError("int() argument must be a string, a bytes-like object or a real number, not '%s'",
		args[0].Type())
}

// parseIntText reads an integer as int(text, base) does: with space around it, a sign, a prefix
// that fits the base, and single underscores.
func parseIntText(text string, base int) (Value, *Error) {
	digits := strings.ToLower(strings.TrimSpace(text))
	bad := valueError("invalid literal for int() with base %d: %s", base, Repr(Str(text)))
	negative := strings.HasPrefix(digits, "-")
	if negative || strings.HasPrefix(digits, "+") {
		digits = digits[1:]
	}
	for prefix, of := range map[string]int{"0x": 16, "0o": 8, "0b": 2} {
		if strings.HasPrefix(digits, prefix) && (base == of || base == 0) {
			digits, base = strings.TrimPrefix(digits[2:], "_"), of
			break
		}
	}
	if base == 0 {
		if base = 10; len(digits) > 1 && digits[0] == '0' && strings.Trim(digits, "0_") != "" {
			return nil, bad
		}
	}
	if len(digits) > 2*MaxBits {
		return nil, tooLarge()
	}
	plain := strings.ReplaceAll(digits, "_", "")
	if plain == "" || strings.Contains(digits, "__") || digits[0] == '_' || digits[len(digits)-1] == '_' ||
		plain[0] == '-' || plain[0] == '+' {
		return nil, bad
	}
	b, ok := new(big.Int).SetString(plain, base)
	if !ok {
		return nil, bad
	}
	if negative {
		b.Neg(b)
	}
	return fromBig(b)
}

func toFloat(args []Value) (Value, *Error) {
	if len(args) == 0 {
		return Float(0), nil
	}
	if s, ok := args[0].(Str); ok {
		return parseFloatText(string(s))
	}
	f, ok, err := AsFloat(args[0])
	if !ok {
		return nil, typeError("float() argument must be a string or a real number, not '%s'", args[0].Type())
	} else if err != nil {
		return nil, err
	}
	return Float(f), nil
}

func parseFloatText(text string) (Value, *Error) {
	bad := valueError("could not convert string to float: %s", Repr(Str(text)))
	digits := strings.ToLower(strings.TrimSpace(text))
	for i := range len(digits) {
		if digits[i] == '_' && (i == 0 || i+1 == len(digits) || !isDigit(digits[i-1]) || !isDigit(digits[i+1])) {
			return nil, bad
		}
	}
	digits = strings.ReplaceAll(digits, "_", "")
	f, err := strconv.ParseFloat(digits, 64)
	if err != nil && err.(*strconv.NumError).Err == strconv.ErrSyntax || strings.Contains(digits, "x") {
		return nil, bad
	}
	return Float(f), nil
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func round(args []Value) (Value, *Error) {
	digits, given := 0, false
	if len(args) == 2 && args[1] != (Value)(None{}) {
		i, ok := AsInt(args[1])
		if !ok {
			return nil, typeError("'%s' object cannot be interpreted as an integer", args[1].Type())
		}
		n, fits := i.Int64()
		if !fits {
			n = int64(i.Sign()) * MaxBits
		}
		digits, given = int(max(-MaxBits, min(n, MaxBits))), true
	}
	if f, ok := args[0].(Float); ok {
		if given {
			r, err := f.Round(digits)
			if err != nil {
				return nil, err
			}
			return r, nil
		}
		i, err := Float(math.RoundToEven(float64(f))).Whole()
		if err != nil {
			return nil, err
		}
		return i, nil
	}
	i, ok := AsInt(args[0])
	switch {
	case !ok:
		return nil, typeError("type %s doesn't define __round__ method", args[0].Type())
	case digits >= 0:
		return i, nil
	}
	unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(-digits)), nil)
	return fromBig(unit.Mul(unit, roundRat(new(big.Rat).SetFrac(i.Big(), unit))))
}

// sequence is the elements of a list, tuple or string.
func sequence(v Value) ([]Value, *Error) {
	switch v := v.(type) {
	case List:
		return v, nil
	case Tuple:
		return v, nil
	case Str:
		var list []Value
		for _, r := range string(v) {
			list = append(list, Str(r))
		}
		return list, nil
	}
	return nil, typeError("'%s' object is not iterable", v.Type())
}

func extreme(name, op string) func(args []Value) (Value, *Error) {
	return func(args []Value) (Value, *Error) {
		if len(args) == 1 {
			var err *Error
			if args, err = sequence(args[0]); err != nil {
				return nil, err
			}
			if len(args) == 0 {
				return nil, valueError("%s() arg is an empty sequence", name)
			}
		}
		best := args[0]
		for _, v := range args[1:] {
			better, err := Compare(op, v, best)
			if err != nil {
				return nil, err
			}
			if better {
				best = v
			}
		}
		return best, nil
	}
}

func sum(args []Value) (Value, *Error) {
	list, err := sequence(args[0])
	if err != nil {
		return nil, err
	}
	var total Value = Int{}
	if len(args) == 2 {
		if _, ok := args[1].(Str); ok {
			return nil, typeError("sum() can't sum strings [use ''.join(seq) instead]")
		}
		total = args[1]
	}
	for _, v := range list {
		if total, err = Binary("+", total, v); err != nil {
			return nil, err
		}
	}
	return total, nil
}

func length(args []Value) (Value, *Error) {
	if s, ok := args[0].(Str); ok {
		return NewInt(int64(s.Len())), nil
	}
	list, err := sequence(args[0])
	if err != nil {
		return nil, typeError("object of type '%s' has no len()", args[0].Type())
	}
	return NewInt(int64(len(list))), nil
}

func inBase(kind byte) func(args []Value) (Value, *Error) {
	return func(args []Value) (Value, *Error) {
		i, ok := AsInt(args[0])
		if !ok {
			return nil, typeError("'%s' object cannot be interpreted as an integer", args[0].Type())
		}
		text, err := spec{fill: ' ', precision: -1, alternate: true, kind: kind}.integer(i, i)
		if err != nil {
			return nil, err
		}
		return Str(text), nil
	}
}

func chr(args []Value) (Value, *Error) {
	i, ok := AsInt(args[0])
	if !ok {
		return nil, typeError("'%s' object cannot be interpreted as an integer", args[0].Type())
	}
	n, fits := i.Int64()
	if !fits || n != int64(int32(n)) {
		return nil, overflow("Python int too large to convert to C int")
	}
	if n < 0 || n > utf8.MaxRune {
		return nil, valueError("chr() arg not in range(0x110000)")
	}
	return Str(rune(n)), nil
}

func ord(args []Value) (Value, *Error) {
	s, ok := args[0].(Str)
	if !ok {
		return nil, typeError("ord() expected string of length 1, but %s found", args[0].Type())
	}
	if n := s.Len(); n != 1 {
		return nil, typeError("ord() expected a character, but string of length %d found", n)
	}
	r, _ := utf8.DecodeRuneInString(string(s))
	return NewInt(int64(r)), nil
}

func formatFunction(args []Value) (Value, *Error) {
	format := Str("")
	if len(args) == 2 {
		var ok bool
		if format, ok = args[1].(Str); !ok {
			return nil, typeError("format() argument 2 must be str, not %s", args[1].Type())
		}
	}
	text, err := Format(args[0], string(format))
	if err != nil {
		return nil, err
	}
	return Str(text), nil
}
