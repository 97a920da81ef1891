package num

import "math/bits"

// AddExact is x + y; not ok where int64 does not hold it.
func AddExact(x, y int64) (z int64, ok bool) {
	z = x + y
	return z, (x^z)&(y^z) >= 0
}

// MulExact is x · y; not ok where int64 does not hold it.
func MulExact(x, y int64) (z int64, ok bool) {
	hi, lo := bits.Mul64(uint64(x), uint64(y))
	// bits.Mul64 multiplies x + 2^64 in the place of a negative x, which adds y to the high word.
	signed := int64(hi)
	if x < 0 {
		signed -= y
	}
	if y < 0 {
		signed -= x
	}
	return int64(lo), signed == int64(lo)>>63
}
