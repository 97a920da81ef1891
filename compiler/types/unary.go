package types

import (
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler/num"
)

// dtypeSet is a list of dtypes that a function accepts, in Triton's order.
type dtypeSet []num.DType

var (
	fp32Only   = dtypeSet{num.Float32}
	wideFloats = dtypeSet{num.Float32, num.Float64}
	wideInts   = dtypeSet{num.Int32, num.Int64, num.Uint32, num.Uint64}
)

func (s dtypeSet) check(d num.DType) *Refusal {
	if slices.Contains(s, d) {
		return nil
	}
	names := make([]string, len(s))
	for i, e := range s {
		names[i] = "'" + e.String() + "'"
	}
	return refuse(DTypeUnsupported, "["+strings.Join(names, ", ")+"]", d)
}

// unaryDTypes lists the dtypes that operations on one operand accept where these are not fp32 and fp64,
// as for most functions of tl.math; nil accepts all.
var unaryDTypes = map[num.UnaryOp]dtypeSet{
	num.Neg: nil, num.Not: nil, num.Abs: nil,
	num.SqrtRN: fp32Only,
}

// Unary gives the result dtype of op on d, which is d, or the refusal. Not is ~x.
func Unary(op num.UnaryOp, d num.DType) (num.DType, *Refusal) {
	accepted, ok := unaryDTypes[op]
	switch {
	case !ok:
		return d, wideFloats.check(d)
	case accepted != nil:
		return d, accepted.check(d)
	case op == num.Not && d.Info().Float:
		return d, refuse(InvertFloat, d)
	case op == num.Neg && d.IsFP8():
		return d, refuse(FP8Arithmetic, d)
	}
	return d, nil
}

// LogicalNot gives the result dtype of `not x` and of each side of `and` and `or` on tensors.
func LogicalNot(d num.DType) (num.DType, *Refusal) {
	if d != num.Int1 {
		return num.Int1, refuse(NotNeedsBool, d.Info().Bits, d)
	}
	return d, nil
}

// Collective is an operation over the elements of one dimension.
type Collective uint8

// The collectives.
const (
	Sum Collective = iota
	MaxOf
	MinOf
	ArgMax
	ArgMin
	XorSum
	CumSum
	CumProd
	Sort
	Flip
	Softmax
	numCollectives
)

var collectives = [numCollectives]func(num.DType) (Promotion, *Refusal){
	Sum:    func(d num.DType) (Promotion, *Refusal) { return noFP8(wordSum(d)) },
	MaxOf:  func(d num.DType) (Promotion, *Refusal) { return same(wordMax(d)) },
	MinOf:  func(d num.DType) (Promotion, *Refusal) { return same(wordMax(d)) },
	ArgMax: index, ArgMin: index,
	XorSum: func(d num.DType) (Promotion, *Refusal) {
		if d.Info().Float {
			return Promotion{}, refuse(XorSumFloat, d)
		}
		return same(d)
	},
	CumSum:  func(d num.DType) (Promotion, *Refusal) { return noFP8(bf16Up(wordSum(d))) },
	CumProd: func(d num.DType) (Promotion, *Refusal) { return noFP8(bf16Up(d)) },
	Sort:    noFP8,
	Flip:    same,
	Softmax: func(d num.DType) (Promotion, *Refusal) {
		d = wordMax(d)
		return Promotion{d, d}, wideFloats.check(d)
	},
}

// Reduce gives the dtypes of a collective: its input is converted to Compute.
func Reduce(c Collective, d num.DType) (Promotion, *Refusal) { return collectives[c](d) }

// FlipWithoutDim is Triton's answer to flip(x), which has to be told a dimension.
func FlipWithoutDim() *Refusal { return refuse(FlipNeedsDim) }

// wordSum: sums of integers narrower than a word are made in words of their signedness.
func wordSum(d num.DType) num.DType {
	info := d.Info()
	switch {
	case info.Float || info.Bits >= 32:
		return d
	case info.Signed:
		return num.Int32
	}
	return num.Uint32
}

// wordMax: what is narrower than a word is compared as int32 or fp32.
func wordMax(d num.DType) num.DType {
	info := d.Info()
	switch {
	case info.Bits >= 32:
		return d
	case info.Float:
		return num.Float32
	}
	return num.Int32
}

// index: arg reductions compare as they are and yield positions.
func index(d num.DType) (Promotion, *Refusal) {
	p, refusal := noFP8(bf16Up(d))
	return Promotion{p.Compute, num.Int32}, refusal
}
