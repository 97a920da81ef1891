package plan

import (
	"slices"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/layout"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/axis"
)

// How dots are done, decided before anything is emitted: by the tensor cores (mma.sync, or wgmma for whole warpgroups
// on sm_90a), or by each thread with fused multiply-adds (fma). A Dot has the choice, the dtypes, and the layout of
// the accumulator, from which layout assignment begins.

// Method is a way to multiply matrices. Tensor cores add products in an order of their own; threads add them in
// ascending order along k, as the interpreter does.
type Method struct {
	Unit Unit
	Elem [2]num.DType // that the operands' elements are converted to
	Acc  num.DType    // of the accumulator
	// Splits is into how many elems each fp32 element is split, the first of which has its leading bits; Terms are the
	// pairs of splits whose products are added, the smallest first.
	Splits int
	Terms  [][2]int
}

// Unit is what multiplies.
type Unit uint8

// The units.
const (
	FMA   Unit = iota // each thread, by fused multiply-adds
	MMA               // the tensor cores, by a warp: mma.sync
	WGMMA             // the tensor cores, by a warpgroup: wgmma.mma_async
)

// mmaRow is a method for operands and results of some dtypes.
type mmaRow struct {
	operands, results []num.DType
	precision         string // input_precision, of fp32 operands; "": any
	elem              num.DType
	keepsDType        bool // elem is the operand's own dtype
	acc               num.DType
	splits            int
	terms             [][2]int
}

var (
	fp8s = []num.DType{num.Float8E4M3, num.Float8E5M2, num.Float8E4M3B8, num.Float8E5B16, num.Float8E4B15}
	// Every fp8 value is an fp16 value, so fp8 operands go through fp16 without loss.
	halves      = append([]num.DType{num.Float16}, fp8s...)
	bytesOnly   = []num.DType{num.Int8, num.Uint8}
	upTo32      = []num.DType{num.Int8, num.Int16, num.Int32, num.Uint8, num.Uint16, num.Uint32}
	narrowFloat = append([]num.DType{num.BFloat16, num.Float32}, halves...)

	oneTerm    = [][2]int{{0, 0}}
	threeTerms = [][2]int{{1, 0}, {0, 1}, {0, 0}}
	sixTerms   = [][2]int{{2, 0}, {1, 1}, {0, 2}, {1, 0}, {0, 1}, {0, 0}}
)

// mmaRows is the choice of tensor core instructions, first fit first (PTX ISA, "Matrix multiply-accumulate operation
// using mma instruction"). What fits no row is multiplied by threads.
var mmaRows = []mmaRow{
	{operands: halves, results: []num.DType{num.Float16}, elem: num.Float16, acc: num.Float16, splits: 1, terms: oneTerm},
	{operands: halves, results: narrowFloat, elem: num.Float16, acc: num.Float32, splits: 1, terms: oneTerm},
	{operands: []num.DType{num.BFloat16}, results: narrowFloat, elem: num.BFloat16, acc: num.Float32, splits: 1,
		terms: oneTerm},
	{operands: bytesOnly, results: upTo32, keepsDType: true, acc: num.Int32, splits: 1, terms: oneTerm},
	{operands: []num.DType{num.Float32}, results: narrowFloat, precision: "tf32", elem: num.Float32,
		acc: num.Float32, splits: 1, terms: oneTerm},
	{operands: []num.DType{num.Float32}, results: narrowFloat, precision: "tf32x3", elem: num.Float32,
		acc: num.Float32, splits: 2, terms: threeTerms},
	{operands: []num.DType{num.Float32}, results: narrowFloat, precision: "bf16x3", elem: num.BFloat16,
		acc: num.Float32, splits: 2, terms: threeTerms},
	{operands: []num.DType{num.Float32}, results: narrowFloat, precision: "bf16x6", elem: num.BFloat16,
		acc: num.Float32, splits: 3, terms: sixTerms},
}

// fmaAccumulators are the accumulators of dots that threads do, by the storage class of the result, as in the
// interpreter.
var fmaAccumulators = [...]num.DType{
	num.ClassI32: num.Int32, num.ClassI64: num.Int64, num.ClassF32: num.Float32, num.ClassF64: num.Float64,
}

// chooseMethod chooses how to multiply. With exact, results have to be the interpreter's to the last bit, so floats
// that are multiplied as they are go through threads.
func chooseMethod(in *ir.Instr, exact bool) Method {
	a, b, r := in.Operands[0].Type, in.Operands[1].Type, in.Results[0].Type
	k := a.Shape[len(a.Shape)-1]
	for _, row := range mmaRows {
		takes := slices.Contains(row.operands, a.DType) && slices.Contains(row.operands, b.DType)
		gives := slices.Contains(row.results, r.DType)
		precise := row.precision == "" || row.precision == in.Str("input_precision")
		if !takes || !gives || !precise {
			continue
		}
		// Tensor cores round sums of floats in an order of their own; integers are exact either way.
		if exact && row.precision == "" && row.acc.Info().Float {
			continue
		}
		p := Method{
			Unit: MMA, Elem: [2]num.DType{row.elem, row.elem}, Acc: row.acc,
			Splits: row.splits, Terms: row.terms,
		}
		if row.keepsDType {
			p.Elem = [2]num.DType{a.DType, b.DType}
		}
		if k >= layout.MmaK(p.Elem[0].Info().Bits) {
			return p
		}
	}
	sum := fmaAccumulators[r.Class()]
	return Method{Elem: [2]num.DType{sum, sum}, Acc: sum, Splits: 1, Terms: oneTerm}
}

// Dot is how one dot is done.
type Dot struct {
	Method
	InPlace  bool // the sums may overwrite the accumulator
	InFlight bool // a warpgroup MMA that is waited for in the next iteration of its loop
	// ZeroInit: the accumulator, a variable of a pipelined loop, is 0 in the first iteration: the warpgroup MMA
	// overwrites it there.
	ZeroInit bool
	// Left is the operand that is wgmma's left one: the right one if the product is computed transposed. Transposes
	// says that threads load it as fragments, since it is not contiguous along K.
	Left       Side
	Transposes bool
	Groups     []Group       // of a warpgroup MMA, along K
	Chunks     []Chunks      // the operands of multiply-adds in a loop along K; nil: they are in no loop
	Warps      []int         // per dimension of the result
	AccLayout  layout.Layout // of the result, and in which the accumulator is required
}

// planDots plans every dot of fn.
func planDots(fn *ir.Func, target Target, facts *axis.Facts) map[*ir.Instr]*Dot {
	plans := map[*ir.Instr]*Dot{}
	fn.Body.Walk(func(in *ir.Instr) {
		if in.Op == ops.Dot {
			plans[in] = &Dot{Method: chooseMethod(in, target.Exact)}
		}
	})
	chained := chainedDots(plans)
	for in, p := range plans {
		shape := in.Results[0].Type.Shape
		if p.planWgmma(in, target, facts) {
			continue
		}
		if p.Unit == MMA {
			p.Warps = mmaWarps(shape, target.Warps, chained[in])
			p.AccLayout = layout.MmaAcc(shape, p.Warps)
		} else {
			p.Warps, p.AccLayout = fmaLayout(shape, target.Warps)
		}
	}
	return plans
}

// chainedDots are the dots whose result another dot multiplies, after whatever happens to it, and those others: in
// attention, q·k and p·v.
func chainedDots(plans map[*ir.Instr]*Dot) map[*ir.Instr]bool {
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

// MmaM and MmaN are the shape of the result of an mma.sync instruction (m16n8kK).
const MmaM, MmaN = 16, 8

// mmaWarps distributes warps over [batch,] M, N: along the batch first; then along M alone for chained dots, so that a
// softmax between them finds each row in one warp; else one doubling at a time along the dimension in which a warp has
// more instructions, counting N in pairs, since one ldmatrix reads two of B.
func mmaWarps(shape []int, numWarps int, chained bool) []int {
	m, n := len(shape)-2, len(shape)-1
	warps := make([]int, len(shape))
	for i := range warps {
		warps[i] = 1
	}
	if m > 0 {
		// Batches share no operands, so warps that have one each load nothing twice.
		warps[0] = min(shape[0], numWarps)
		numWarps /= warps[0]
	}
	for left := numWarps; left > 1; left /= 2 {
		rows, cols := shape[m]/MmaM/warps[m], shape[n]/(2*MmaN)/warps[n]
		switch {
		case rows > 1 && (chained || rows >= cols):
			warps[m] *= 2
		default:
			warps[n] *= 2
		}
	}
	return warps
}

// fmaLanesN is the most lanes of a warp along N, fmaVecN the most adjacent columns in a thread: eight lanes read 128
// bytes of a row of fp32, one wavefront, and the four lanes above each other read the same addresses.
const fmaLanesN, fmaVecN = 8, 4

// fmaLayout is the layout of a result that threads add up, and the warps per dimension. A thread's part is as square as
// possible, since that takes the fewest operand loads for each multiply-add.
func fmaLayout(shape []int, numWarps int) (warps []int, acc layout.Layout) {
	rank := len(shape)
	m, n := rank-2, rank-1
	perThread, lanes, warps := onesOf(rank), onesOf(rank), onesOf(rank)
	// No more per thread than the tile has, or threads would hold replicas.
	perThread[n] = min(fmaVecN, shape[n], max(1, volume(shape)/(warpSize*numWarps)))
	lanes[n] = min(fmaLanesN, shape[n]/perThread[n])
	lanes[m] = min(warpSize/lanes[n], shape[m])
	// What M has no rows for goes along N, as replicas if need be: a warp always has 32 lanes.
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

// MmaK is K of an mma.sync instruction.
func (m Method) MmaK() int { return layout.MmaK(m.Elem[0].Info().Bits) }

// Side is one operand of a dot: 0 the left, 1 the right one.
type Side int

// KAxis is the dimension that the dot sums along.
func (s Side) KAxis(rank int) int { return rank - 1 - int(s) }

// mmaFragments are the layouts of A and B in registers, for elements of so many bits (PTX ISA, "Matrix Fragments for
// mma.m16n8k16" and its siblings).
var mmaFragments = [2]func(shape, warps []int, elemBits int) layout.Layout{layout.MmaA, layout.MmaB}

// Fragments is the layout of operand s, of the given shape, in registers, for elements of so many bits.
func (p *Dot) Fragments(s Side, shape []int, elemBits int) layout.Layout {
	if p.Unit == WGMMA && s == p.Left {
		return p.turned(layout.WgmmaA(p.turnedPair(shape), p.turnedPair(p.Warps), elemBits))
	}
	return mmaFragments[s](shape, p.Warps, elemBits)
}

// OperandForm is the dtype and the register layout in which the dot takes operand s. An operand that goes through
// shared memory has that dtype there.
func (p *Dot) OperandForm(in *ir.Instr, s Side) (num.DType, layout.Layout) {
	shape := in.Operands[s].Type.Shape
	switch k := shape[s.KAxis(len(shape))]; {
	// threads read rows of A and columns of B as the accumulator's layout wants
	case p.Unit == FMA && s == 0:
		return p.Elem[s], layout.FmaA(p.AccLayout, k)
	case p.Unit == FMA:
		return p.Elem[s], layout.FmaB(p.AccLayout, k)
	}
	want := p.Fragments(s, shape, p.Elem[s].Info().Bits)
	if p.Splits > 1 {
		return num.Float32, want
	}
	return p.Elem[s], want
}

// ReadsDirectly reports whether the dot can read operand s from shared memory in the dtype that it has in global
// memory: asynchronous copies convert nothing.
func (p *Dot) ReadsDirectly(in *ir.Instr, s Side) bool {
	t := in.Operands[s].Type
	switch d := t.DType; {
	case p.Splits > 1 || d == p.Elem[s]:
		return true
	case p.Unit != FMA && d.IsFP8() && in.Operands[1-s].Type.DType.IsFP8():
		return t.Shape[s.KAxis(len(t.Shape))] >= layout.MmaK(8)
	}
	return false
}
