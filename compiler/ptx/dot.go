package ptx

import (
	"slices"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/layout"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
)

// product is a way to multiply matrices: what each operand's elements are brought to, and what
// products are added in. Where mma is set, warps multiply by mma.sync; else each thread by
// multiply-adds, in ascending order along k, as the interpreter does.
type product struct {
	mma   bool
	elem  [2]num.DType
	sum   num.DType
	parts int      // into how many elems an fp32 operand is taken apart, from the largest on
	pairs [][2]int // the parts whose products are added, small ones first
}

// dotRow says which products multiply operands of the given dtypes into one of the results.
type dotRow struct {
	operands, results []num.DType
	precision         string // of fp32 operands; "" is any
	elem              num.DType
	asIs              bool // elem is the operand's own dtype
	sum               num.DType
	parts             int
	pairs             [][2]int
}

var (
	fp8s = []num.DType{num.Float8E4M3, num.Float8E5M2, num.Float8E4M3B8, num.Float8E5B16, num.Float8E4B15}
	// Every fp8 value is an fp16 value, so fp8 operands go through fp16 without loss.
	halves      = append([]num.DType{num.Float16}, fp8s...)
	bytesOnly   = []num.DType{num.Int8, num.Uint8}
	upTo32      = []num.DType{num.Int8, num.Int16, num.Int32, num.Uint8, num.Uint16, num.Uint32}
	narrowFloat = append([]num.DType{num.BFloat16, num.Float32}, halves...)

	onePair   = [][2]int{{0, 0}}
	threePair = [][2]int{{1, 0}, {0, 1}, {0, 0}}
	sixPair   = [][2]int{{2, 0}, {1, 1}, {0, 2}, {1, 0}, {0, 1}, {0, 0}}
)

// dotRows is the choice of mma.sync instructions, first fit first. What fits none is multiplied by
// threads.
var dotRows = []dotRow{
	{operands: halves, results: []num.DType{num.Float16}, elem: num.Float16, sum: num.Float16, parts: 1, pairs: onePair},
	{operands: halves, results: narrowFloat, elem: num.Float16, sum: num.Float32, parts: 1, pairs: onePair},
	{operands: []num.DType{num.BFloat16}, results: narrowFloat, elem: num.BFloat16, sum: num.Float32, parts: 1, pairs: onePair},
	{operands: bytesOnly, results: upTo32, asIs: true, sum: num.Int32, parts: 1, pairs: onePair},
	{operands: []num.DType{num.Float32}, results: narrowFloat, precision: "tf32", elem: num.Float32, sum: num.Float32, parts: 1, pairs: onePair},
	{operands: []num.DType{num.Float32}, results: narrowFloat, precision: "tf32x3", elem: num.Float32, sum: num.Float32, parts: 2, pairs: threePair},
	{operands: []num.DType{num.Float32}, results: narrowFloat, precision: "bf16x3", elem: num.BFloat16, sum: num.Float32, parts: 2, pairs: threePair},
	{operands: []num.DType{num.Float32}, results: narrowFloat, precision: "bf16x6", elem: num.BFloat16, sum: num.Float32, parts: 3, pairs: sixPair},
}

// threadSums are the dtypes that threads add products in, by the storage class of the result, as in
// the interpreter.
var threadSums = [...]num.DType{
	num.ClassI32: num.Int32, num.ClassI64: num.Int64, num.ClassF32: num.Float32, num.ClassF64: num.Float64,
}

// productOf chooses how to multiply. Where results shall be as the interpreter's to the last bit (exact),
// floats that are multiplied as they are go through threads.
func productOf(in *ir.Instr, exact bool) product {
	a, b, r := in.Operands[0].Type, in.Operands[1].Type, in.Results[0].Type
	k := a.Shape[len(a.Shape)-1]
	for _, row := range dotRows {
		if !slices.Contains(row.operands, a.DType) || !slices.Contains(row.operands, b.DType) ||
			!slices.Contains(row.results, r.DType) || row.precision != "" && row.precision != in.Str("input_precision") {
			continue
		}
		if exact && row.precision == "" && row.sum.Info().Float {
			continue
		}
		p := product{mma: true, elem: [2]num.DType{row.elem, row.elem}, sum: row.sum, parts: row.parts, pairs: row.pairs}
		if row.asIs {
			p.elem = [2]num.DType{a.DType, b.DType}
		}
		if k >= layout.MmaK(p.elem[0].Info().Bits) {
			return p
		}
	}
	sum := threadSums[r.Class()]
	return product{elem: [2]num.DType{sum, sum}, sum: sum, parts: 1, pairs: onePair}
}

// dotPlan is how one dot is done: the product, and how the result lies in the threads. The
// accumulator is wanted in the same layout.
type dotPlan struct {
	product
	group  bool  // by wgmma
	flying bool  // the result is waited for in the next iteration of the loop
	warps  []int // per dimension of the result
	acc    layout.Layout
}

// planDots plans every dot of fn.
func planDots(fn *ir.Func, opt Options) map[*ir.Instr]*dotPlan {
	plans := map[*ir.Instr]*dotPlan{}
	fn.Body.Walk(func(in *ir.Instr) {
		if in.Op == ops.Dot {
			plans[in] = &dotPlan{product: productOf(in, opt.Exact)}
		}
	})
	chained := chainedDots(plans)
	for in, p := range plans {
		shape := in.Results[0].Type.Shape
		if p.groupPlan(in, opt) {
			continue
		}
		if p.mma {
			p.warps = mmaWarps(shape, opt.NumWarps, chained[in])
			p.acc = layout.MmaAcc(shape, p.warps)
		} else {
			p.warps, p.acc = fmaLayout(shape, opt.NumWarps)
		}
	}
	return plans
}

// chainedDots are the dots whose result is part of what another dot multiplies, and those others: in
// attention, the scores and what they weigh.
func chainedDots(plans map[*ir.Instr]*dotPlan) map[*ir.Instr]bool {
	chained := map[*ir.Instr]bool{}
	for in := range plans {
		seen := map[*ir.Value]bool{}
		var back func(v *ir.Value)
		back = func(v *ir.Value) {
			if v == nil || seen[v] || v.Def == nil {
				return
			}
			seen[v] = true
			if v.Def.Op == ops.Dot {
				chained[in], chained[v.Def] = true, true
				return
			}
			for _, o := range v.Def.Operands {
				back(o)
			}
		}
		back(in.Operands[0])
		back(in.Operands[1])
	}
	return chained
}

// mmaRows and mmaCols are the shape of the result of an mma.sync instruction (m16n8kK).
const mmaRows, mmaCols = 16, 8

// mmaWarps deals warps out over [batch,] M, N: to the batch first; then to M alone where rows should
// stay in one warp (chained), as a softmax between two products wants; else one doubling at a time to
// the dimension that has more instructions a warp, counting N in pairs, since ldmatrix reads two.
func mmaWarps(shape []int, numWarps int, chained bool) []int {
	m, n := len(shape)-2, len(shape)-1
	warps := make([]int, len(shape))
	for i := range warps {
		warps[i] = 1
	}
	if m > 0 {
		warps[0] = min(shape[0], numWarps)
		numWarps /= warps[0]
	}
	for left := numWarps; left > 1; left /= 2 {
		rows, cols := shape[m]/mmaRows/warps[m], shape[n]/(2*mmaCols)/warps[n]
		switch {
		case rows > 1 && (chained || rows >= cols):
			warps[m] *= 2
		default:
			warps[n] *= 2
		}
	}
	return warps
}

// fmaLanes is the number of lanes of a warp along N at most, fmaVec that of adjacent columns in a thread: eight
// lanes read 128 bytes of a row of fp32 at once, while four rows of lanes read the same.
const fmaLanes, fmaVec = 8, 4

// fmaLayout is how a result that threads add up lies in them, and the warps per dimension. A thread's
// rows and columns are as many as each other, as far as possible: that takes the fewest reads of the
// operands for each multiply-add.
func fmaLayout(shape []int, numWarps int) (warps []int, acc layout.Layout) {
	rank := len(shape)
	m, n := rank-2, rank-1
	perThread, lanes, warps := ones(rank), ones(rank), ones(rank)
	perThread[n] = min(fmaVec, shape[n], max(1, volume(shape)/(warpSize*numWarps)))
	lanes[n] = min(fmaLanes, shape[n]/perThread[n])
	lanes[m] = min(warpSize/lanes[n], shape[m])
	lanes[n] *= warpSize / (lanes[n] * lanes[m])
	if m > 0 {
		warps[0] = min(numWarps, max(1, shape[0]))
		numWarps /= warps[0]
	}
	for left := numWarps; left > 1; left /= 2 {
		rows, cols := shape[m]/lanes[m]/warps[m], shape[n]/lanes[n]/warps[n]
		if rows >= cols && rows > 1 {
			warps[m] *= 2
		} else {
			warps[n] *= 2
		}
	}
	order := make([]int, rank)
	for i := range order {
		order[i] = rank - 1 - i
	}
	return warps, layout.Blocked(shape, perThread, lanes, warps, order)
}

func ones(n int) []int { return slices.Repeat([]int{1}, n) }

func volume(ns []int) int {
	p := 1
	for _, n := range ns {
		p *= n
	}
	return p
}
