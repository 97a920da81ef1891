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
		make: intOf,
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
	number.make = func(m *machine, a arguments) Value {
		a.want("bool", 0, 1)
		return python.Bool(m.truthOf(a.at(0, none)))
	}
	number.methods = nil
	boolClass.describe(number)

	number.base, number.make, number.methods = true, floatOf, floatMethods()
	number.binaryOps, number.unaryOps = " + - * / // % ** ", " - + abs "
	number.hash = func(v Value, _ int) int64 { return hashFloat(float64(valueOf[python.Float](v))) }
	floatClass.describe(number)

	for c, names := range map[*Class]string{intClass: "real imag numerator denominator", floatClass: "real imag"} {
		for _, name := range strings.Fields(names) {
			c.define(name, getter(func(_ *machine, a arguments) Value {
				return numberPart(plain(a.at(0, none)), name)
			}))
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
	if len(a.positional) == 0 {
		raise("TypeError", "unbound method int needs an argument")
	}
	i, ok := python.AsInt(plain(a.positional[0]))
	if !ok {
		raise("TypeError", "this method does not apply to a '%s' object", a.positional[0].Type())
	}
	return i
}

// intMethods are those of int and bool.
func intMethods() map[string]method {
	return map[string]method{
		"bit_length": func(m *machine, a arguments) Value { return intValue(integerSelf(a).Big().BitLen()) },
		"bit_count": func(m *machine, a arguments) Value {
			return intValue(strings.Count(integerSelf(a).Big().Text(2), "1"))
		},
		"conjugate":        func(m *machine, a arguments) Value { return integerSelf(a) },
		"is_integer":       func(m *machine, a arguments) Value { return python.Bool(true) },
		"as_integer_ratio": func(m *machine, a arguments) Value { return Tuple{integerSelf(a), intValue(1)} },
		"to_bytes":         intToBytes,
		"from_bytes":       intFromBytes,
		"__int__":          intSelf, "__index__": intSelf, "__float__": floatOfSelf,
		"__trunc__": roundingOf("trunc"), "__floor__": roundingOf("floor"), "__ceil__": roundingOf("ceil"),
		"__round__": roundSelf, "__divmod__": divmodSelf,
	}
}

func byteOrder(m *machine, v Value) string {
	order := m.strOf(given(v, python.Str("big")))
	if order != "big" && order != "little" {
		raise("ValueError", "byteorder must be either 'little' or 'big'")
	}
	return order
}

func intToBytes(m *machine, a arguments) Value {
	v := a.tail().bound("to_bytes", "length=, byteorder=, *, signed=")
	n, length := integerSelf(a).Big(), asIndex(given(v[0], intValue(1)))
	order, signed := byteOrder(m, v[1]), m.truthOr(v[2], false)
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
	if len(a.positional) > 0 && !is[Bytes](a.positional[0]) && is[python.Int](a.positional[0]) {
		a = a.tail() // called on an int
	}
	v := a.bound("from_bytes", "bytes, byteorder=, *, signed=")
	data := []byte(newBytes(m, "bytes", arguments{positional: v[:1]}))
	if byteOrder(m, v[1]) == "little" {
		slices.Reverse(data)
	}
	n := new(big.Int).SetBytes(data)
	if m.truthOr(v[2], false) && len(data) > 0 && data[0]&0x80 != 0 {
		n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(8*len(data))))
	}
	return must(python.NewBig(n))
}

// floatMethods are those of float.
func floatMethods() map[string]method {
	return map[string]method{
		"is_integer": func(m *machine, a arguments) Value {
			f := float64(self[python.Float](a))
			return python.Bool(f == math.Trunc(f) && !math.IsInf(f, 0))
		},
		"conjugate": func(m *machine, a arguments) Value { return self[python.Float](a) },
		"as_integer_ratio": func(m *machine, a arguments) Value {
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
		"hex": func(m *machine, a arguments) Value { return python.Str(floatHex(float64(self[python.Float](a)))) },
		"fromhex": func(m *machine, a arguments) Value {
			text := strings.ToLower(strings.TrimSpace(m.strOf(a.at(len(a.positional)-1, python.Str("")))))
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
		"__int__": intSelf, "__float__": floatOfSelf,
		"__trunc__": roundingOf("trunc"), "__floor__": roundingOf("floor"), "__ceil__": roundingOf("ceil"),
		"__round__": roundSelf, "__divmod__": divmodSelf,
	}
}

// The methods of numbers behind int(), float(), round() and their like.

func intSelf(m *machine, a arguments) Value {
	return intOf(m, arguments{positional: []Value{plain(a.at(0, none))}})
}
func floatOfSelf(m *machine, a arguments) Value {
	return floatOf(m, arguments{positional: []Value{plain(a.at(0, none))}})
}

func roundingOf(name string) method {
	return func(_ *machine, a arguments) Value { return must(python.Math(name, []Value{plain(a.at(0, none))})) }
}

func roundSelf(m *machine, a arguments) Value {
	return builtinRound(m, arguments{append([]Value{plain(a.at(0, none))}, a.positional[1:]...), a.keywords})
}

func divmodSelf(_ *machine, a arguments) Value {
	a.want("__divmod__", 2, 2)
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
	given := a.bound("int", "x=, base=")
	if given[0] == nil {
		given[0] = python.NewInt(0)
	}
	if given[1] != nil && !is[python.Str](plain(given[0])) {
		raise("TypeError", "int() can't convert non-string with explicit base")
	}
	switch v := plain(given[0]).(type) {
	case python.Int:
		return v
	case python.Bool:
		i, _ := python.AsInt(v)
		return i
	case python.Float:
		return must(v.Whole())
	case python.Str:
		if given[1] == nil {
			given[1] = intValue(10)
		}
		return must(python.Call("int", []Value{v, plain(given[1])}))
	case Bytes, *ByteArray:
		data, _ := bytesIn(v)
		return must(python.Call("int", []Value{python.Str(data)}))
	case Tensor:
		return intOf(m, arguments{positional: []Value{onlyElement(m, v)}})
	case *Instance:
		if r, ok := m.callSpecial(v, "__int__"); ok {
			return r
		}
	}
	// The order of PyNumber_Long: __int__, __index__, __trunc__.
	for _, name := range []string{"__index__", "__trunc__"} {
		if r, ok := m.callSpecial(given[0], name); ok {
			return r
		}
	}
	raise("TypeError", "int() argument must be a string, a bytes-like object or a real number, not '%s'",
		given[0].Type())
	return nil
}

func floatOf(m *machine, a arguments) Value {
	a.want("float", 0, 1)
	switch v := plain(a.at(0, python.Float(0))).(type) {
	case python.Str:
		text := strings.ToLower(strings.TrimSpace(string(v)))
		switch strings.TrimPrefix(strings.TrimPrefix(text, "+"), "-") {
		case "inf", "infinity":
			return python.Float(math.Inf(map[bool]int{true: -1, false: 1}[strings.HasPrefix(text, "-")]))
		case "nan":
			return python.Float(math.NaN())
		}
		f, err := strconv.ParseFloat(strings.ReplaceAll(text, "_", ""), 64)
		// Go's ParseFloat reads hexadecimal floats, Python's float() does not; past the range both give infinity.
		if err != nil && !math.IsInf(f, 0) || strings.ContainsAny(text, "xp") {
			raise("ValueError", "could not convert string to float: %s", python.Repr(v))
		}
		return python.Float(f)
	case Tensor:
		return floatOf(m, arguments{positional: []Value{onlyElement(m, v)}})
	default:
		if o, ok := v.(*Instance); ok {
			if r, ok := m.callSpecial(o, "__float__"); ok {
				return r
			}
		}
		f, ok, err := python.AsFloat(v)
		if !ok {
			raise("TypeError", "float() argument must be a string or a real number, not '%s'", v.Type())
		}
		return must(python.Float(f), err)
	}
}

// onlyElement is the element of a tensor that int() and float() convert.
func onlyElement(m *machine, t Tensor) Value {
	if t.Numel() != 1 {
		raise("ValueError", "only one element tensors can be converted to Python scalars")
	}
	return m.tensorMethod(t, "item")
}
