package host

import (
	"encoding/binary"
	"math"
	"math/big"
	"slices"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/python"
)

// structFunctions are those that prelude/struct.py stands on.
func structFunctions() map[string]method {
	return map[string]method{
		"_bytes": func(_ *machine, a arguments) Value { return Bytes(mustBytes(a.positional[0])) },
		"_floats(values, width, big)": func(m *machine, a arguments) Value { // as bytes, each of a width
			width := int(asIndex(a.positional[1]))
			var out []byte
			for _, x := range m.itemsOf(a.positional[0]) {
				part := binary.LittleEndian.AppendUint64(nil, floatBits(m.floatOf(x), width))[:width]
				if m.truthOf(a.positional[2]) {
					slices.Reverse(part)
				}
				out = append(out, part...)
			}
			m.budget.chargeItems(len(out))
			return Bytes(out)
		},
		"_numbers(data, kind, width, big)": func(m *machine, a arguments) Value { // of bytes: floats "f", signed "i" or unsigned "u"
			data, kind, width := mustBytes(a.positional[0]), m.strOf(a.positional[1]), int(asIndex(a.positional[2]))
			m.budget.chargeItems(len(data) / width)
			out := &List{}
			for part := range slices.Chunk([]byte(data), width) {
				if m.truthOf(a.positional[3]) {
					slices.Reverse(part)
				}
				var bits uint64
				for i, b := range part {
					bits |= uint64(b) << (8 * i)
				}
				shift := 64 - 8*width
				switch {
				case kind == "f":
					out.Items = append(out.Items, python.Float(floatOfBits(bits, width)))
				case kind == "i": // the sign is the highest bit of the field
					out.Items = append(out.Items, python.NewInt(int64(bits<<shift)>>shift))
				default:
					out.Items = append(out.Items, must(python.NewBig(new(big.Int).SetUint64(bits))))
				}
			}
			return out
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
	if x != x { // of which Go has another
		x = float64(python.NaN)
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
