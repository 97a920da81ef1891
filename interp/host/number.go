package host

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/newtlab/newt/compiler/python"
)

var intClass, floatClass, noneClass, ellipsisClass = &Class{Name: "int"}, &Class{Name: "float"},
	&Class{Name: "NoneType"}, &Class{Name: "ellipsis"}

var boolClass = &Class{Name: "bool", bases: []*Class{intClass}}

func init() {
	number := typeRecord{
		make: laidOut("builtins", "int(x=0, /, base=...)", intOf),
		base: true,
		slots: slots{
			truth:     func(_ *machine, v Value) bool { return python.Truth(plain(v)) },
			compare:   compareNumbers,
			binaryOps: " + - * / // % ** << >> & | ^ ",
			binary:    operateNumbers,
			unaryOps:  " - + ~ abs ",
			unary: func(_ *machine, op string, v Value) Value {
				if v = plain(v); op == "abs" {
					return must(python.Call("abs", []Value{v}))
				}
				return must(python.Unary(op, v))
			},
			hash: func(v Value, _ int) int64 {
				i, _ := python.AsInt(plain(v))
				return hashInt(i)
			},
			repr:   leaf(func(v Value) string { return python.Repr(plain(v)) }),
			format: formatScalar,
		},
		methods: intMethods(),
	}
	intClass.describe(number)

	number.base = false
	number.make = laidOut("builtins", "bool(object=False, /)", func(m *machine, a arguments) Value {
		return python.Bool(m.truthOf(a.positional[0]))
	})
	number.methods = nil
	boolClass.describe(number)

	number.base, number.make, number.methods = true, laidOut("builtins", "float(x=0.0, /)", floatOf), floatMethods()
	number.binaryOps, number.unaryOps = " + - * / // % ** ", " - + abs "
	number.hash = func(v Value, _ int) int64 { return hashFloat(float64(valueOf[python.Float](v))) }
	floatClass.describe(number)

	for c, names := range map[*Class]string{intClass: "real imag numerator denominator", floatClass: "real imag"} {
		for _, name := range strings.Fields(names) {
			c.defineAll(map[string]method{"@property " + name + "(self)": func(_ *machine, a arguments) Value {
				return numberPart(plain(a.positional[0]), name)
			}})
		}
	}

	noneClass.describe(typeRecord{make: refuseConstruction("NoneType"), slots: slots{
		truth: func(*machine, Value) bool { return false },
		hash:  hashIdentity,
		repr:  leaf(func(Value) string { return "None" }),
	}})
	ellipsisClass.describe(typeRecord{make: refuseConstruction("ellipsis"), slots: slots{
		hash: hashIdentity,
		repr: leaf(func(Value) string { return "Ellipsis" }),
	}})
}

// Ellipsis is "...".
type Ellipsis struct{}

// Type is "ellipsis".
func (Ellipsis) Type() string { return "ellipsis" }

// compareNumbers is op of two ints, bools or floats.
func compareNumbers(_ *machine, op string, v, other Value) Value {
	if y := plain(other); isNumber(y) {
		return python.Bool(must(python.Compare(op, plain(v), y)))
	}
	return notImplemented
}

// operateNumbers is op of two ints, bools or floats.
func operateNumbers(_ *machine, op string, v, other Value, reflected bool) Value {
	x, y := plain(v), plain(other)
	if !isNumber(y) || op == "@" {
		return notImplemented
	}
	if reflected {
		x, y = y, x
	}
	return must(python.Binary(op, x, y))
}

// integerSelf is the int that a method was called on.
func integerSelf(a arguments) python.Int {
	i, ok := python.AsInt(plain(a.positional[0]))
	if !ok {
		raise("TypeError", "this method does not apply to a '%s' object", a.positional[0].Type())
	}
	return i
}

// intMethods are those of int and bool.
func intMethods() map[string]method {
	return map[string]method{
		"bit_length(self, /)": func(m *machine, a arguments) Value { return intValue(integerSelf(a).Big().BitLen()) },
		"bit_count(self, /)": func(m *machine, a arguments) Value {
			return intValue(strings.Count(integerSelf(a).Big().Text(2), "1"))
		},
		"conjugate(self, /)":        func(m *machine, a arguments) Value { return integerSelf(a) },
		"is_integer(self, /)":       func(*machine, arguments) Value { return python.Bool(true) },
		"as_integer_ratio(self, /)": func(m *machine, a arguments) Value { return Tuple{integerSelf(a), intValue(1)} },
		"to_bytes(self, /, length=1, byteorder='big', *, signed=False)":            intToBytes,
		"@classmethod from_bytes(cls, /, bytes, byteorder='big', *, signed=False)": intFromBytes,
		"__int__(self, /)": intSelf, "__index__(self, /)": intSelf, "__float__(self, /)": floatOfSelf,
		"__trunc__(self, /)": roundingOf("trunc"), "__floor__(self, /)": roundingOf("floor"),
		"__ceil__(self, /)": roundingOf("ceil"), "__round__(self, ndigits=None, /)": roundSelf,
		"__divmod__(self, value, /)": divmodSelf,
	}
}

func byteOrder(m *machine, v Value) string {
	order := m.strOf(v)
	if order != "big" && order != "little" {
		raise("ValueError", "byteorder must be either 'little' or 'big'")
	}
	return order
}

func intToBytes(m *machine, a arguments) Value {
	n, length := integerSelf(a).Big(), asIndex(a.positional[1])
	order, signed := byteOrder(m, a.positional[2]), m.truthOf(a.positional[3])
	switch {
	case length < 0:
		raise("ValueError", "length argument must be non-negative")
	case n.Sign() < 0 && !signed:
		raise("OverflowError", "can't convert negative int to unsigned")
	}
	m.budget.chargeItems(int(min(length, 1<<40)))
	bits := uint(8 * length)
	least, most := new(big.Int), new(big.Int).Lsh(big.NewInt(1), bits)
	if signed { // two's complement: the highest bit is the sign
		most.Rsh(most, 1)
		least.Neg(most)
	}
	if n.Cmp(least) < 0 || n.Cmp(most) >= 0 {
		raise("OverflowError", "int too big to convert")
	}
	if n.Sign() < 0 {
		n.Add(n, new(big.Int).Lsh(big.NewInt(1), bits))
	}
	data := n.FillBytes(make([]byte, length))
	if order == "little" {
		slices.Reverse(data)
	}
	return Bytes(data)
}

func intFromBytes(m *machine, a arguments) Value {
	data := []byte(bytesFrom(m, "bytes", a.positional[1]))
	if byteOrder(m, a.positional[2]) == "little" {
		slices.Reverse(data)
	}
	n := new(big.Int).SetBytes(data)
	if m.truthOf(a.positional[3]) && len(data) > 0 && data[0]&0x80 != 0 {
		n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(8*len(data))))
	}
	return must(python.NewBig(n))
}

// floatMethods are those of float.
func floatMethods() map[string]method {
	return map[string]method{
		"is_integer(self, /)": func(m *machine, a arguments) Value {
			f := float64(self[python.Float](a))
			return python.Bool(f == math.Trunc(f) && !math.IsInf(f, 0))
		},
		"conjugate(self, /)": func(m *machine, a arguments) Value { return self[python.Float](a) },
		"as_integer_ratio(self, /)": func(m *machine, a arguments) Value {
			f := float64(self[python.Float](a))
			switch {
			case math.IsNaN(f):
				raise("ValueError", "cannot convert NaN to integer ratio")
			case math.IsInf(f, 0):
				raise("OverflowError", "cannot convert Infinity to integer ratio")
			}
			r := new(big.Rat).SetFloat64(f)
			return Tuple{must(python.NewBig(r.Num())), must(python.NewBig(r.Denom()))}
		},
		"hex(self, /)": func(m *machine, a arguments) Value {
			return python.Str(floatHex(float64(self[python.Float](a))))
		},
		"@classmethod fromhex(cls, string, /)": func(m *machine, a arguments) Value {
			text := strings.ToLower(strings.TrimSpace(m.strOf(a.positional[1])))
			sign, digits := "", text
			if strings.HasPrefix(text, "-") || strings.HasPrefix(text, "+") {
				sign, digits = text[:1], text[1:]
			}
			digits = strings.TrimPrefix(digits, "0x")
			if !strings.ContainsAny(digits, "pn") {
				digits += "p0" // which Go demands
			}
			if !strings.Contains(digits, "n") {
				digits = "0x" + digits
			}
			f, err := strconv.ParseFloat(sign+digits, 64)
			if err != nil && !math.IsInf(f, 0) {
				raise("ValueError", "invalid hexadecimal floating-point string")
			} else if err != nil {
				raise("OverflowError", "hexadecimal value too large to represent as a float")
			}
			return python.Float(f)
		},
		"__int__(self, /)": intSelf, "__float__(self, /)": floatOfSelf,
		"__trunc__(self, /)": roundingOf("trunc"), "__floor__(self, /)": roundingOf("floor"),
		"__ceil__(self, /)":                roundingOf("ceil"),
		"__round__(self, ndigits=None, /)": roundSelf, "__divmod__(self, value, /)": divmodSelf,
	}
}

// The methods of numbers behind int(), float(), round() and their like.

func intSelf(m *machine, a arguments) Value {
	return integerFrom(m, plain(a.positional[0]))
}
func floatOfSelf(m *machine, a arguments) Value {
	return floatFrom(m, plain(a.positional[0]))
}

func roundingOf(name string) method {
	return func(_ *machine, a arguments) Value { return must(python.Math(name, []Value{plain(a.positional[0])})) }
}

func roundSelf(m *machine, a arguments) Value {
	return roundTo(m, plain(a.positional[0]), a.positional[1])
}

func divmodSelf(_ *machine, a arguments) Value {
	return must(python.DivMod(plain(a.positional[0]), plain(a.positional[1])))
}

// floatHex is float.hex: 13 hexadecimal digits behind the point, the exponent in decimal.
func floatHex(f float64) string {
	switch {
	case math.IsNaN(f) || math.IsInf(f, 0):
		return python.Repr(python.Float(f))
	case f == 0:
		return map[bool]string{false: "0x0.0p+0", true: "-0x0.0p+0"}[math.Signbit(f)]
	}
	sign := ""
	if f < 0 {
		sign, f = "-", -f
	}
	bits := math.Float64bits(f)
	lead, exponent := 1, int(bits>>52)-1023
	if bits>>52 == 0 { // subnormal
		lead, exponent = 0, -1022
	}
	return fmt.Sprintf("%s0x%d.%013xp%+d", sign, lead, bits&(1<<52-1), exponent)
}

// numberPart is an attribute of an int or a float that says what kind of number it is.
func numberPart(v Value, name string) Value {
	f, isFloat := v.(python.Float)
	i, _ := python.AsInt(v)
	switch {
	case isFloat && name == "real":
		return f
	case isFloat:
		return python.Float(0)
	case name == "imag":
		return intValue(0)
	case name == "denominator":
		return intValue(1)
	}
	return i
}

func intOf(m *machine, a arguments) Value {
	x, base := a.positional[0], a.positional[1]
	if base == nil {
		return integerFrom(m, x)
	}
	s, ok := plain(x).(python.Str)
	if !ok {
		raise("TypeError", "int() can't convert non-string with explicit base")
	}
	return must(python.Call("int", []Value{s, plain(base)}))
}

// integerFrom is int(x).
func integerFrom(m *machine, x Value) Value {
	switch v := plain(x).(type) {
	case python.Int:
		return v
	case python.Bool:
		i, _ := python.AsInt(v)
		return i
	case python.Float:
		return must(v.Whole())
	case python.Str:
		return must(python.Call("int", []Value{v}))
	case Bytes, *ByteArray:
		data, _ := bytesIn(v)
		return must(python.Call("int", []Value{python.Str(data)}))
	case Tensor:
		return integerFrom(m, onlyElement(m, v))
	case *Instance:
		if r, ok := m.callSpecial(v, "__int__"); ok {
			return r
		}
	}
	// The order of PyNumber_Long: __int__, __index__, __trunc__.
	for _, name := range []string{"__index__", "__trunc__"} {
		if r, ok := m.callSpecial(x, name); ok {
			return r
		}
	}
	raise("TypeError", "int() argument must be a string, a bytes-like object or a real number, not '%s'", x.Type())
	return nil
}

func floatOf(m *machine, a arguments) Value {
	return floatFrom(m, a.positional[0])
}

// floatFrom is float(x).
func floatFrom(m *machine, x Value) Value {
	f, ok := asFloat(m, x)
	if !ok {
		raise("TypeError", "float() argument must be a string or a real number, not '%s'", x.Type())
	}
	return f
}

// asFloat is floatFrom, not ok of what is no number.
func asFloat(m *machine, x Value) (f Value, ok bool) {
	switch v := plain(x).(type) {
	case python.Str:
		text := strings.ToLower(strings.TrimSpace(string(v)))
		switch strings.TrimPrefix(strings.TrimPrefix(text, "+"), "-") {
		case "inf", "infinity":
			return python.Float(math.Inf(map[bool]int{true: -1, false: 1}[strings.HasPrefix(text, "-")])), true
		case "nan":
			return python.NaN, true
		}
		f, err := strconv.ParseFloat(strings.ReplaceAll(text, "_", ""), 64)
		// Go's ParseFloat reads hexadecimal floats, Python's float() does not; past the range both give infinity.
		if err != nil && !math.IsInf(f, 0) || strings.ContainsAny(text, "xp") {
			raise("ValueError", "could not convert string to float: %s", python.Repr(v))
		}
		return python.Float(f), true
	case Tensor:
		return floatFrom(m, onlyElement(m, v)), true
	default:
		if o, ok := v.(*Instance); ok {
			if r, ok := m.callSpecial(o, "__float__"); ok {
				return r, true
			}
		}
		f, ok, err := python.AsFloat(v)
		return must(python.Float(f), err), ok
	}
}

// onlyElement is the element of a tensor that int() and float() convert.
func onlyElement(m *machine, t Tensor) Value {
	if t.Numel() != 1 {
		raise("ValueError", "only one element tensors can be converted to Python scalars")
	}
	return m.tensorMethod(t, "item")
}
