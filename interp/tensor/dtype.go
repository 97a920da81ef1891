package tensor

import (
	"cmp"
	"math"

	"github.com/newtlab/newt/compiler/num"
)

// torchNames are the names that differ from Triton's attribute names.
var torchNames = [num.Complex128 + 1]string{
	num.Int1:         "bool",
	num.Float8E4M3:   "float8_e4m3fn",
	num.Float8E5M2:   "float8_e5m2",
	num.Float8E4M3B8: "float8_e4m3fnuz",
	num.Float8E5B16:  "float8_e5m2fnuz",
}

// TorchName is how torch names a dtype, without the "torch." in front: bool, int64, float32.
func TorchName(d num.DType) string {
	return cmp.Or(torchNames[d], d.Info().Attr)
}

// dtypeNames holds every name under torch that is a dtype.
var dtypeNames = func() map[string]num.DType {
	m := map[string]num.DType{
		"half": num.Float16, "float": num.Float32, "double": num.Float64, "short": num.Int16,
		"int": num.Int32, "long": num.Int64, "complex64": num.Complex64, "cfloat": num.Complex64,
		"complex128": num.Complex128, "cdouble": num.Complex128,
	}
	for d := range num.NumDTypes {
		if d != num.Float8E4B15 {
			m[TorchName(d)] = d
		}
	}
	return m
}()

// DTypeNamed finds a dtype by torch's name for it, aliases such as "half" and "long" included.
func DTypeNamed(name string) (num.DType, bool) {
	d, ok := dtypeNames[name]
	return d, ok
}

// DTypeNames lists every name that DTypeNamed knows.
func DTypeNames() []string { return sortedKeys(dtypeNames) }

// legacyNames are the names that torch's messages and type() use.
var legacyNames = [num.Complex128 + 1]string{
	num.Int1: "Bool", num.Int8: "Char", num.Int16: "Short", num.Int32: "Int", num.Int64: "Long",
	num.Uint8: "Byte", num.Uint16: "UInt16", num.Uint32: "UInt32", num.Uint64: "UInt64",
	num.Float16: "Half", num.BFloat16: "BFloat16", num.Float32: "Float", num.Float64: "Double",
	num.Float8E4M3: "Float8_e4m3fn", num.Float8E5M2: "Float8_e5m2",
	num.Float8E4M3B8: "Float8_e4m3fnuz", num.Float8E5B16: "Float8_e5m2fnuz", num.Complex64: "ComplexFloat",
	num.Complex128: "ComplexDouble",
}

// nativeNames are the C++ types of dtypes, as messages about the conversion of a scalar name them.
var nativeNames = [num.Complex128 + 1]string{
	num.Int8: "int8_t", num.Int16: "int16_t", num.Int32: "int", num.Int64: "int64_t",
	num.Uint8: "uint8_t", num.Uint16: "uint16_t", num.Uint32: "uint32_t", num.Uint64: "uint64_t",
	num.Float16: "c10::Half", num.BFloat16: "c10::BFloat16", num.Float32: "float", num.Float64: "double",
	num.Float8E4M3: "c10::Float8_e4m3fn", num.Float8E5M2: "c10::Float8_e5m2",
	num.Float8E4M3B8: "c10::Float8_e4m3fnuz", num.Float8E5B16: "c10::Float8_e5m2fnuz",
	num.Complex64: "c10::complex<float>", num.Complex128: "c10::complex<double>",
}

// MaxFinite holds the largest finite values of the float dtypes.
var MaxFinite = [num.Complex128 + 1]float64{
	num.Float8E4M3: 448, num.Float8E5M2: 57344, num.Float8E4M3B8: 240, num.Float8E5B16: 57344,
	num.Float16: 65504, num.BFloat16: 0x1.fep127, num.Float32: math.MaxFloat32, num.Float64: math.MaxFloat64,
}

// refuseOverflow raises where a number does not fit a dtype, whose name in the message is given: c10::checked_convert.
// Negative integers down to -max wrap to unsigned dtypes; bool takes any number.
func refuseOverflow(v any, d num.DType, name string) {
	if overflows(v, d) {
		runtimeError("value cannot be converted to type %s without overflow", name)
	}
}

func overflows(v any, d num.DType) bool {
	n, isInt := v.(int64)
	f, isFloat := v.(float64)
	if isInt {
		f = float64(n)
	}
	info := d.Info()
	switch {
	case d == num.Int1 || isComplex(d) || !isInt && !isFloat:
		return false
	case info.Float:
		hasInfinity := !math.IsNaN(float64(fp8Overflow[d].becomes))
		return math.Abs(f) > MaxFinite[d] && !(hasInfinity && math.IsInf(f, 0))
	case isInt && info.Bits == 64:
		return false
	}
	low, high := 0.0, math.Ldexp(1, info.Bits)-1
	switch {
	case info.Signed:
		low, high = -math.Ldexp(1, info.Bits-1), math.Ldexp(1, info.Bits-1)-1
	case isInt:
		low = -high
	}
	return !(f >= low && f <= high) // NaN, too
}

// ScalarType is a dtype as torch's C++ names it: BFloat16, Float8_e4m3fn.
func ScalarType(d num.DType) string { return legacyNames[d] }

// category ranks dtypes as torch's promotion does: bool < integer < float < complex.
func category(d num.DType) int {
	switch {
	case isComplex(d):
		return 3
	case d == num.Int1:
		return 0
	case !d.Info().Float:
		return 1
	}
	return 2
}

// promote is the smallest dtype that holds both, by torch.promote_types.
func promote(a, b num.DType) num.DType {
	if a == b {
		return a
	}
	if isComplex(a) || isComplex(b) {
		return promoteComplex(a, b)
	}
	if a.IsFP8() || b.IsFP8() {
		runtimeError("Promotion for Float8 Types is not supported, attempted to promote %s and %s", legacyNames[a],
			legacyNames[b])
	}
	if ca, cb := category(a), category(b); ca != cb {
		if ca > cb {
			return a
		}
		return b
	}
	ia, ib := a.Info(), b.Info()
	switch {
	case ia.Float:
		// Neither float16 nor bfloat16 holds the other.
		if ia.Bits == ib.Bits {
			return num.Float32
		}
	case ia.Signed != ib.Signed:
		return promoteSigns(a, b)
	}
	if ia.Bits > ib.Bits {
		return a
	}
	return b
}

// promoteSigns promotes one signed and one unsigned integer dtype.
func promoteSigns(a, b num.DType) num.DType {
	if !a.Info().Signed {
		a, b = b, a
	}
	if b != num.Uint8 {
		runtimeError("Promotion for uint16, uint32, uint64 types is not supported, attempted to promote %s and %s",
			legacyNames[a], legacyNames[b])
	}
	// The signed dtypes of 16 bits and more hold uint8 themselves.
	if a == num.Int8 {
		return num.Int16
	}
	return a
}

// operand is a tensor or a Python number; numbers are held as 0-dim tensors of
// int64, float64, complex128 or bool.
type operand struct {
	*Tensor
	number bool
}

// resultType applies torch.result_type: dimensions outrank 0-dim tensors, which outrank Python
// numbers, unless the lower rank is of a higher category.
func resultType(operands ...operand) num.DType {
	var ranks [3]num.DType
	var seen [3]bool
	for _, o := range operands {
		d, rank := o.dtype, 0
		switch {
		case o.number:
			rank = 2
			// Python's floats have torch's default dtype.
			if d.Info().Float {
				d = num.Float32
			} else if isComplex(d) {
				d = num.Complex64
			}
		case len(o.shape) == 0:
			rank = 1
		}
		if seen[rank] {
			d = promote(ranks[rank], d)
		}
		ranks[rank], seen[rank] = d, true
	}
	// From the lowest rank up: a higher one decides unless a lower one is of a higher category, as a float number
	// among integers.
	result, known := num.Int1, false
	for rank := 2; rank >= 0; rank-- {
		if !seen[rank] {
			continue
		}
		switch {
		case known && isComplex(result) && ranks[rank].Info().Float: // whose precision it has
			result = complexOf(ranks[rank])
		case !known || category(ranks[rank]) >= category(result):
			result, known = ranks[rank], true
		}
	}
	return result
}
