package types

import "slices"

// BroadcastShapes gives the shape that two shapes share: the shorter is extended by 1 on the
// left, an extent of 1 takes the other's. No shape (a scalar) takes any. It is refused if the
// shared shape is too large for a tile.
func BroadcastShapes(x, y []int) ([]int, *Refusal) {
	if len(x) == 0 {
		return y, nil
	}
	if len(y) == 0 || slices.Equal(x, y) {
		return x, nil
	}
	rank := max(len(x), len(y))
	shape := make([]int, rank)
	for i := range shape {
		a, b := extent(x, i-rank+len(x)), extent(y, i-rank+len(y))
		switch {
		case a == 1:
			shape[i] = b
		case b == 1 || a == b:
			shape[i] = a
		default:
			return nil, refuse(ShapeMismatch, i, a, b, ShapeString(x), ShapeString(y))
		}
	}
	if r := CheckShape(shape); r != nil {
		return nil, r
	}
	return shape, nil
}

func extent(shape []int, i int) int {
	if i < 0 {
		return 1
	}
	return shape[i]
}

// CheckShape refuses shapes that no tile may have: an extent that is not a power of two, or more
// than MaxNumel elements.
func CheckShape(shape []int) *Refusal {
	n := 1
	for i, d := range shape {
		switch {
		case d <= 0:
			return refuse(DimPositive, i, d)
		case d&(d-1) != 0:
			return refuse(DimPowerOfTwo, i, d)
		case d > MaxNumel: // before it can overflow n
			return refuse(TileTooLarge, d, MaxNumel)
		}
		if n *= d; n > MaxNumel {
			return refuse(TileTooLarge, n, MaxNumel)
		}
	}
	return nil
}

// CheckArange refuses the ranges that arange does not make: start may be any int32, the length
// must be a power of two.
func CheckArange(start, end int64) *Refusal {
	switch {
	case start != int64(int32(start)) || end != int64(int32(end)):
		return refuse(ArangeInt32, start, end)
	case end <= start:
		return refuse(ArangeRange, start, end)
	case (end-start)&(end-start-1) != 0:
		return refuse(ArangePowerOfTwo, start, end)
	case end-start > MaxNumel:
		return refuse(TileTooLarge, end-start, MaxNumel)
	}
	return nil
}
