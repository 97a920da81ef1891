package num

// DType is an element type.
type DType uint8

// The dtypes, in the order of Triton's documentation. Int1 is unsigned: its values are 0 and 1.
const (
	Int1 DType = iota
	Int8
	Int16
	Int32
	Int64
	Uint8
	Uint16
	Uint32
	Uint64
	Float8E4M3   // fp8e4nv: 4 exponent bits, bias 7, no infinity
	Float8E5M2   // fp8e5
	Float8E4M3B8 // fp8e4b8: bias 8, no infinity, no negative zero
	Float8E5B16  // fp8e5b16: bias 16, no infinity, no negative zero
	Float8E4B15  // fp8e4b15: bias 15, neither infinity nor NaN
	Float16
	BFloat16
	Float32
	Float64
	NumDTypes
)

// Complex64 and Complex128 are torch's pairs of fp32 and of fp64. Triton has none, and this package describes them
// alone.
const (
	Complex64 = NumDTypes + iota
	Complex128
	numTorchDTypes
)

// Class is the Go slice that holds a dtype's values in registers.
type Class uint8

// The storage classes. Narrow integers live sign- or zero-extended in int32 (uint32 as its bit
// pattern), narrow floats as float32 already rounded to their dtype. Pointers use ClassI64.
const (
	ClassI32 Class = iota
	ClassI64
	ClassF32
	ClassF64
)

// Info describes a dtype.
type Info struct {
	Name   string // as Triton prints it: int32, fp32
	Short  string // as signatures and the IR's text form write it: i32, fp32
	Attr   string // as tl.<Attr> names it: int32, float32
	Bits   int
	Bytes  int // size in memory; int1 takes one byte
	Float  bool
	Signed bool
	Class  Class
}

var infos = [numTorchDTypes]Info{
	Int1:         {"int1", "i1", "int1", 1, 1, false, false, ClassI32},
	Int8:         {"int8", "i8", "int8", 8, 1, false, true, ClassI32},
	Int16:        {"int16", "i16", "int16", 16, 2, false, true, ClassI32},
	Int32:        {"int32", "i32", "int32", 32, 4, false, true, ClassI32},
	Int64:        {"int64", "i64", "int64", 64, 8, false, true, ClassI64},
	Uint8:        {"uint8", "u8", "uint8", 8, 1, false, false, ClassI32},
	Uint16:       {"uint16", "u16", "uint16", 16, 2, false, false, ClassI32},
	Uint32:       {"uint32", "u32", "uint32", 32, 4, false, false, ClassI32},
	Uint64:       {"uint64", "u64", "uint64", 64, 8, false, false, ClassI64},
	Float8E4M3:   {"fp8e4nv", "fp8e4nv", "float8e4nv", 8, 1, true, true, ClassF32},
	Float8E5M2:   {"fp8e5", "fp8e5", "float8e5", 8, 1, true, true, ClassF32},
	Float8E4M3B8: {"fp8e4b8", "fp8e4b8", "float8e4b8", 8, 1, true, true, ClassF32},
	Float8E5B16:  {"fp8e5b16", "fp8e5b16", "float8e5b16", 8, 1, true, true, ClassF32},
	Float8E4B15:  {"fp8e4b15", "fp8e4b15", "float8e4b15", 8, 1, true, true, ClassF32},
	Float16:      {"fp16", "fp16", "float16", 16, 2, true, true, ClassF32},
	BFloat16:     {"bf16", "bf16", "bfloat16", 16, 2, true, true, ClassF32},
	Float32:      {"fp32", "fp32", "float32", 32, 4, true, true, ClassF32},
	Float64:      {"fp64", "fp64", "float64", 64, 8, true, true, ClassF64},
	Complex64:    {"complex64", "c64", "complex64", 64, 8, false, true, ClassF32},
	Complex128:   {"complex128", "c128", "complex128", 128, 16, false, true, ClassF64},
}

// Info returns the description of d.
func (d DType) Info() *Info { return &infos[d] }

func (d DType) String() string { return infos[d].Name }

// Unsigned is the unsigned integer dtype of a width: of 1, 8, 16, 32 or 64 bits.
func Unsigned(bits int) DType {
	for _, d := range []DType{Int1, Uint8, Uint16, Uint32} {
		if d.Info().Bits == bits {
			return d
		}
	}
	return Uint64
}

// IsFP8 reports whether d is one of the 8-bit floats.
func (d DType) IsFP8() bool { return d >= Float8E4M3 && d <= Float8E4B15 }

// Parse finds a dtype by any of its three names.
func Parse(name string) (DType, bool) {
	for d := range NumDTypes {
		if i := &infos[d]; name == i.Name || name == i.Short || name == i.Attr {
			return d, true
		}
	}
	return 0, false
}

// Vec holds the values of one tile or scalar: exactly one slice is used, the one of its dtype's Class.
type Vec struct {
	I32 []int32
	I64 []int64
	F32 []float32
	F64 []float64
}

// MakeVec allocates n zero values of class c.
func MakeVec(c Class, n int) Vec {
	switch c {
	case ClassI32:
		return Vec{I32: make([]int32, n)}
	case ClassI64:
		return Vec{I64: make([]int64, n)}
	case ClassF32:
		return Vec{F32: make([]float32, n)}
	}
	return Vec{F64: make([]float64, n)}
}
