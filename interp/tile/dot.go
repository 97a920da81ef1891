package tile

import (
	"math"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/interp/gemm"
	"github.com/newtlab/newt/interp/trace"
)

// split says how a precision takes its fp32 inputs apart, and which products of the parts it adds.
type split struct {
	round func(float32) float32
	parts int
	pairs [][2]int // small products first
}

var (
	threeProducts = [][2]int{{1, 0}, {0, 1}, {0, 0}}
	sixProducts   = [][2]int{{2, 0}, {1, 1}, {0, 2}, {1, 0}, {0, 1}, {0, 0}}
)

// splits holds every precision but ieee, which multiplies fp32 as it is.
var splits = map[string]split{
	"tf32":   {num.TruncateTF32, 1, [][2]int{{0, 0}}}, // Triton hands fp32 operands over unconverted
	"tf32x3": {num.RoundTF32, 2, threeProducts},
	"bf16x3": {roundBF16, 2, threeProducts},
	"bf16x6": {roundBF16, 3, sixProducts},
}

// roundBF16 rounds to nearest, ties to even.
func roundBF16(x float32) float32 {
	b := math.Float32bits(x)
	if b&0x7f80_0000 == 0x7f80_0000 { // an infinity or NaN: adding would carry into the exponent
		return x
	}
	// Half of the last kept bit, less one, plus that bit: ties go to even.
	return math.Float32frombits((b + 0x7fff + b>>16&1) &^ 0xffff)
}

// dotOp is batch products of m×k by k×n added to an accumulator.
type dotOp struct {
	batch, m, n, k int
	a, b, acc, dst int // slots
	parts          [2][]int
	split          split
	round          num.UnaryFn // for accumulators narrower than 32 bits
	seen           trace.Product
}

// accumulators are the dtypes that products are added in, by the storage class of the result.
var accumulators = [...]num.DType{
	num.ClassI32: num.Int32, num.ClassI64: num.Int64, num.ClassF32: num.Float32, num.ClassF64: num.Float64,
}

func planDot(p *planner, in *ir.Instr) {
	if in.Operand(3) != nil { // whether it adds to the accumulator, which is not known here
		panic(unsupported(in))
	}
	a, b, r := in.Operands[0].Type, in.Operands[1].Type, in.Results[0].Type
	rank := len(a.Shape)
	o := &dotOp{batch: 1, m: a.Shape[rank-2], k: a.Shape[rank-1], n: b.Shape[rank-1]}
	if rank == 3 {
		o.batch = a.Shape[0]
	}
	o.a, o.b = p.dotInput(in.Operands[0], r.Class()), p.dotInput(in.Operands[1], r.Class())
	o.acc = p.slot(in.Operands[2])
	temps := p.dotTemps(in, o)
	o.dst = p.resultSlot(in.Results[0])
	for _, s := range temps {
		p.slots.release(s)
	}
	if r.DType.Info().Bits < 32 { // the sum is rounded once, after the last product
		o.round = num.Cast(accumulators[r.Class()], r.DType, num.RTNE)
	}
	o.seen = trace.Product{A: a.DType, B: b.DType, Precision: in.Str("input_precision"),
		Operations: 2 * o.batch * o.m * o.n * o.k}
	products := max(1, len(o.split.pairs))
	p.emitStep(o.batch*o.m*o.n*(o.k/4+1)*products, o.run)
}

// dotInput is v in the class that products are added in.
func (p *planner) dotInput(v *ir.Value, c num.Class) int {
	s := p.slot(v)
	if p.slots.class(s) == c {
		return s
	}
	d := p.slots.take(slot{class: c, n: p.slots.len(s)})
	kernel := num.Cast(v.Type.DType, accumulators[c], num.RTNE)
	p.emitStep(p.slots.len(d), func(m *machine) { kernel(m.v[d], m.v[s]) })
	return d
}

// splitOf is how in takes its inputs apart.
func splitOf(in *ir.Instr) split {
	if in.Operands[0].Type.DType != num.Float32 || in.Operands[1].Type.DType != num.Float32 ||
		in.Results[0].Type.Class() != num.ClassF32 {
		return split{}
	}
	return splits[in.Str("input_precision")]
}

// needsTemps reports whether in works on copies of its inputs.
func needsTemps(in *ir.Instr) bool {
	c := in.Results[0].Type.Class()
	return splitOf(in).parts > 0 || in.Operands[0].Type.Class() != c || in.Operands[1].Type.Class() != c
}

// dotTemps finds slots for the parts of split inputs, and gives the slots to release with those of
// converted inputs.
func (p *planner) dotTemps(in *ir.Instr, o *dotOp) []int {
	var temps []int
	for i, s := range [2]int{o.a, o.b} {
		if s != p.slot(in.Operands[i]) {
			temps = append(temps, s)
		}
	}
	o.split = splitOf(in)
	// Parts exist together, since every pair of them is multiplied.
	for range o.split.parts {
		o.parts[0] = append(o.parts[0], p.slots.like(o.a))
		o.parts[1] = append(o.parts[1], p.slots.like(o.b))
	}
	return append(append(temps, o.parts[0]...), o.parts[1]...)
}

func (o *dotOp) run(m *machine) {
	if to, ok := m.observe.(trace.ProductObserver); ok {
		to.Product(o.seen)
	}
	dst, acc, a, b := m.v[o.dst], m.v[o.acc], m.v[o.a], m.v[o.b]
	switch {
	case dst.F64 != nil:
		multiply(m, o, dst.F64, acc.F64, a.F64, b.F64)
	case dst.I32 != nil:
		multiply(m, o, dst.I32, acc.I32, a.I32, b.I32)
	case dst.I64 != nil:
		multiply(m, o, dst.I64, acc.I64, a.I64, b.I64)
	case o.split.parts == 0 || m.exact:
		multiply(m, o, dst.F32, acc.F32, a.F32, b.F32)
	default:
		o.runSplit(m, dst.F32, acc.F32)
	}
	if o.round != nil {
		o.round(dst, dst)
	}
}

func (o *dotOp) runSplit(m *machine, dst, acc []float32) {
	o.splitInto(m, o.parts[0], m.v[o.a].F32)
	o.splitInto(m, o.parts[1], m.v[o.b].F32)
	// Small products come first, so that their sum is not lost in that of the large ones.
	for _, pair := range o.split.pairs {
		multiply(m, o, dst, acc, m.v[o.parts[0][pair[0]]].F32, m.v[o.parts[1][pair[1]]].F32)
		acc = dst
	}
}

// splitInto splits x into parts that add up to it, or nearly.
func (o *dotOp) splitInto(m *machine, slots []int, x []float32) {
	for i, v := range x {
		for _, s := range slots {
			// Each part is what the format keeps of the rest; the subtraction is exact.
			part := o.split.round(v)
			m.v[s].F32[i] = part
			v -= part
		}
	}
}

// multiply makes the products of all batches. It ends early if the machine is halted meanwhile.
func multiply[T gemm.Number](m *machine, o *dotOp, dst, acc, a, b []T) {
	if &dst[0] != &acc[0] {
		copy(dst, acc)
	}
	for i := range o.batch {
		c := dst[i*o.m*o.n : (i+1)*o.m*o.n]
		gemm.Add(c, a[i*o.m*o.k:(i+1)*o.m*o.k], b[i*o.k*o.n:(i+1)*o.k*o.n], o.n, o.k, m.poll)
	}
}
