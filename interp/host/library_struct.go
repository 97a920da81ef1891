package host

import (
	"fmt"
	"math"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/python"
)

// structFunctions are those that prelude/struct.py stands on.
func structFunctions() map[string]method {
	return map[string]method{
		"_bytes": func(_ *machine, a arguments) Value { return Bytes(mustBytes(a.positional[0])) },
		"_bits": func(m *machine, a arguments) Value { // of a float, at a size in bytes
			bits := floatBits(m.floatOf(a.positional[0]), int(asIndex(a.positional[1])))
			return must(python.ParseInt(fmt.Sprint(bits)))
		},
		"_float": func(m *machine, a arguments) Value { // of bits, at a size in bytes
			return python.Float(floatOfBits(integerOf(a.positional[0]).Big().Uint64(), int(asIndex(a.positional[1]))))
		},
	}
}

// floatBits are the bits of a float of 2, 4 or 8 bytes.
func floatBits(x float64, size int) uint64 {
	switch size {
	case 2:
		return num.FromFloat(num.Float16, x).Bits
	case 4:
		if math.IsInf(float64(float32(x)), 0) && !math.IsInf(x, 0) {
			raise("OverflowError", "float too large to pack with f format")
		}
		return uint64(math.Float32bits(float32(x)))
	}
	return math.Float64bits(x)
}

func floatOfBits(bits uint64, size int) float64 {
	switch size {
	case 2:
		return num.Scalar{DType: num.Float16, Bits: bits}.Float()
	case 4:
		return float64(math.Float32frombits(uint32(bits)))
	}
	return math.Float64frombits(bits)
}
