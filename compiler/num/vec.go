package num

import "slices"

// Len is the number of elements.
func (v Vec) Len() int { return max(len(v.I32), len(v.I64), len(v.F32), len(v.F64)) }

// Slice is elements lo to hi of v; they share v's memory.
func (v Vec) Slice(lo, hi int) Vec {
	switch {
	case v.I32 != nil:
		return Vec{I32: v.I32[lo:hi]}
	case v.I64 != nil:
		return Vec{I64: v.I64[lo:hi]}
	case v.F32 != nil:
		return Vec{F32: v.F32[lo:hi]}
	}
	return Vec{F64: v.F64[lo:hi]}
}

// Clone is a copy of v with memory of its own.
func (v Vec) Clone() Vec {
	return Vec{I32: slices.Clone(v.I32), I64: slices.Clone(v.I64), F32: slices.Clone(v.F32), F64: slices.Clone(v.F64)}
}
