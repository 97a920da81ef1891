package tile

import (
	"math"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
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
	"tf32":   {num.RoundTF32, 1, [][2]int{{0, 0}}},
	"tf32x3": {num.RoundTF32, 2, threeProducts},
	"bf16x3": {roundBF16, 2, threeProducts},
	"bf16x6": {roundBF16, 3, sixProducts},
}

// roundBF16 rounds to nearest, ties to even.
func roundBF16(x float32) float32 {
	b := math.Float32bits(x)
	if b&0x7f80_0000 == 0x7f80_0000 {
		return x
	}
	return math.Float32frombits((b + 0x7fff + b>>16&1) &^ 0xffff)
}

// dotOp is batch products of m×k by k×n added to an accumulator.
type dotOp struct {
	batch, m, n, k int
	a, b, acc, dst int // slots
	parts          [2][]int
	split          split
	round          num.UnaryFn // for accumulators narrower than fp32
}

func planDot(p *planner, in *ir.Instr) {
	a, b := in.Operands[0].Type, in.Operands[1].Type
	rank := len(a.Shape)
	o := &dotOp{batch: 1, m: a.Shape[rank-2], k: a.Shape[rank-1], n: b.Shape[rank-1]}
	if rank == 3 {
		o.batch = a.Shape[0]
	}
	o.a, o.b, o.acc = p.slot(in.Operands[0]), p.slot(in.Operands[1]), p.slot(in.Operands[2])
	o.dst = p.result(in.Results[0])
	class := p.slots[o.dst].class
	if in.Results[0].Type.DType.Info().Bits < 32 {
		o.round = num.Cast(num.Float32, in.Results[0].Type.DType, num.RTNE)
	}
	if a.DType == num.Float32 && class == num.ClassF32 {
		o.split = splits[in.Str("input_precision")]
		for range o.split.parts {
			o.parts[0] = append(o.parts[0], p.newTemp(p.slots[o.a]))
			o.parts[1] = append(o.parts[1], p.newTemp(p.slots[o.b]))
		}
	}
	for _, list := range o.parts {
		for _, s := range list {
			p.release(s)
		}
	}
	products := max(1, len(o.split.pairs))
	p.emit(o.batch*o.m*o.n*(o.k/4+1)*products, o.run(class, p.slots[o.a].class))
}

func (o *dotOp) run(acc, in num.Class) step {
	switch {
	case acc == num.ClassF32 && in == num.ClassF32:
		return o.runF32
	case acc == num.ClassF64 && in == num.ClassF64:
		return func(m *machine) { dotAll(o, m.v[o.dst].F64, m.v[o.acc].F64, m.v[o.a].F64, m.v[o.b].F64, mulAdd64) }
	case acc == num.ClassI32 && in == num.ClassI32:
		return func(m *machine) { dotAll(o, m.v[o.dst].I32, m.v[o.acc].I32, m.v[o.a].I32, m.v[o.b].I32, mulAdd[int32]) }
	}
	panic(&Fault{Code: "unsupported-operation", Args: []any{"dot", "mixed"}})
}

func (o *dotOp) runF32(m *machine) {
	dst, acc := m.v[o.dst].F32, m.v[o.acc].F32
	a, b := m.v[o.a].F32, m.v[o.b].F32
	if o.split.parts == 0 {
		dotAll(o, dst, acc, a, b, mulAdd32)
	} else {
		o.take(m, o.parts[0], a)
		o.take(m, o.parts[1], b)
		for _, pair := range o.split.pairs {
			dotAll(o, dst, acc, m.v[o.parts[0][pair[0]]].F32, m.v[o.parts[1][pair[1]]].F32, mulAdd32)
			acc = dst
		}
	}
	if o.round != nil {
		o.round(m.v[o.dst], m.v[o.dst])
	}
}

// take splits x into parts that add up to it, or nearly.
func (o *dotOp) take(m *machine, slots []int, x []float32) {
	for i, v := range x {
		for _, s := range slots {
			part := o.split.round(v)
			m.v[s].F32[i] = part
			v -= part
		}
	}
}

func dotAll[T any](o *dotOp, dst, acc, a, b []T, kernel func(c, a, b []T, n, k int)) {
	if &dst[0] != &acc[0] {
		copy(dst, acc)
	}
	for i := range o.batch {
		c := dst[i*o.m*o.n : (i+1)*o.m*o.n]
		kernel(c, a[i*o.m*o.k:(i+1)*o.m*o.k], b[i*o.k*o.n:(i+1)*o.k*o.n], o.n, o.k)
	}
}
