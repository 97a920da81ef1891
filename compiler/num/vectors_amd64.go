//go:build !purego

package num

// VectorBytes is the size of a vector.
const VectorBytes = 32

// HasVectors reports whether the processor has what the functions on vectors are written for, which is AVX2, and the
// system saves its registers.
func HasVectors() bool
