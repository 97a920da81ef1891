//go:build !purego

package num

// VectorBytes is the size of a vector.
const VectorBytes = 16

// HasVectors reports that every arm64 has vectors.
func HasVectors() bool { return true }
