package types

import (
	"slices"

	"github.com/newtlab/newt/compiler/num"
)

// dotResults gives the result dtype of tl.dot by the dtype of its operands.
var dotResults = map[num.DType]dotResult{
	num.Int8:     {result: num.Int32},
	num.Uint8:    {result: num.Int32},
	num.BFloat16: {result: num.Float32},
	num.Float32:  {result: num.Float32},
	num.Float64:  {result: num.Float64},
	num.Float16:  {chosen: true},
}

type dotResult struct {
	result num.DType
	chosen bool // out_dtype decides
}

// DotDType gives the result dtype of tl.dot on x and y with out_dtype (fp32 unless given).
func DotDType(x, y, out num.DType) (num.DType, *Refusal) {
	row := dotResult{chosen: true}
	if !x.IsFP8() || !y.IsFP8() {
		var left, right bool
		row, left = dotResults[x]
		_, right = dotResults[y]
		switch {
		case !left:
			return 0, refuse(DotLHS, x)
		case !right:
			return 0, refuse(DotRHS, y)
		case x != y:
			return 0, refuse(DotMixed, x, y)
		case x == num.Uint8:
			return 0, refuse(DotUint8)
		}
	}
	switch {
	case x.Info().Float && out == num.BFloat16:
		return 0, refuse(DotOutBF16)
	case row.chosen && out != num.Float16 && out != num.Float32:
		return 0, refuse(DotOut, x, out)
	case row.chosen:
		return out, nil
	}
	return row.result, nil
}

// Dot gives the result type of tl.dot(x, y): [M, K] by [K, N], or both with the same batch dimensions
// in front. Where the refusal says that it Runs, the type holds all the same.
func Dot(x, y Type, out num.DType) (Type, *Refusal) {
	d, refusal := DotDType(x.DType, y.DType, out)
	if refusal != nil {
		return Type{}, refusal
	}
	rank := len(x.Shape)
	xs, ys := ShapeString(x.Shape), ShapeString(y.Shape)
	switch {
	case rank != len(y.Shape) || rank < 2:
		return Type{}, refuse(DotRank, xs, ys)
	case !slices.Equal(x.Shape[:rank-2], y.Shape[:rank-2]):
		return Type{}, refuse(DotBatch, xs, ys)
	case x.Shape[rank-1] != y.Shape[rank-2]:
		return Type{}, refuse(DotInner, xs, ys, x.Shape[rank-1], y.Shape[rank-2])
	}
	shape := slices.Clone(x.Shape)
	shape[rank-1] = y.Shape[rank-1]
	result := Tile(d, shape...)
	if refusal := CheckShape(shape); refusal != nil {
		return Type{}, refusal
	}
	if k := dotMinK(x.DType); x.Shape[rank-1] < k {
		return result, refuse(DotTooSmall, 1, 1, k)
	}
	return result, nil
}

// DotAccumulator refuses an accumulator that is not of the result's type.
func DotAccumulator(acc, result Type) *Refusal {
	if acc.Equal(result) {
		return nil
	}
	return refuse(DotAcc, acc, result)
}

// dotMinK is the least inner extent of a dot on NVIDIA: 32 bytes, but 16 elements at least.
func dotMinK(d num.DType) int {
	if d.Info().Bits == 8 {
		return 32
	}
	return 16
}
