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
var intMethods = map[string]method{
	"bit_length": func(m *machine, a arguments) Value { return intValue(integerSelf(a).Big().BitLen()) },
	"bit_count": func(m *machine, a arguments) Value {
		return intValue(strings.Count(integerSelf(a).Big().Text(2), "1"))
	},
	"conjugate":        func(m *machine, a arguments) Value { return integerSelf(a) },
	"is_integer":       func(m *machine, a arguments) Value { return python.Bool(true) },
	"as_integer_ratio": func(m *machine, a arguments) Value { return Tuple{integerSelf(a), intValue(1)} },
	"to_bytes":         intToBytes,
	"from_bytes":       intFromBytes,
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
var floatMethods = map[string]method{
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
		if digits = strings.TrimPrefix(digits, "0x"); !strings.Contains(digits, "p") && !strings.Contains(digits, "n") {
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

// numberParts are the attributes of ints and floats that say what kind of number they are.
func numberParts(v Value, name string) (Value, bool) {
	switch x := v.(type) {
	case python.Int, python.Bool:
		i, _ := python.AsInt(x)
		switch name {
		case "real", "numerator":
			return i, true
		case "imag":
			return intValue(0), true
		case "denominator":
			return intValue(1), true
		}
	case python.Float:
		switch name {
		case "real":
			return x, true
		case "imag":
			return python.Float(0), true
		}
	}
	return nil, false
}
