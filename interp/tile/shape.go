package tile

import (
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/types"
)

func planSplat(p *planner, in *ir.Instr) {
	x := p.slot(in.Operands[0])
	d := p.resultSlot(in.Results[0])
	p.emitStep(p.slots.len(d), func(m *machine) { fillVec(m.v[d], m.v[x]) })
}

// dim is one dimension of a copy: its length, and how far apart the source's elements are.
type dim struct{ n, stride int }

// strides are the dimensions of a row-major tile.
func strides(shape []int) []dim {
	dims := make([]dim, len(shape))
	for i, by := range types.Strides(shape) {
		dims[i] = dim{shape[i], by}
	}
	return dims
}

// merged joins neighboring dimensions that one stride walks through and leaves out those of size 1.
func merged(dims []dim) []dim {
	var out []dim
	for _, d := range dims {
		if d.n == 1 {
			continue
		}
		if k := len(out) - 1; k >= 0 && out[k].stride == d.stride*d.n {
			out[k] = dim{out[k].n * d.n, d.stride}
			continue
		}
		out = append(out, d)
	}
	if len(out) == 0 {
		out = []dim{{1, 1}}
	}
	return out
}

// strided copies src's elements in the order of dims to dst and returns the rest of dst.
func strided[T any](dst, src []T, dims []dim) []T {
	d := dims[0]
	if len(dims) > 1 {
		for i := range d.n {
			dst = strided(dst, src[i*d.stride:], dims[1:])
		}
		return dst
	}
	row := dst[:d.n]
	switch d.stride {
	case 0:
		num.Fill(row, src[0])
	case 1:
		copy(row, src)
	default:
		at := 0
		for i := range row {
			row[i] = src[at]
			at += d.stride
		}
	}
	return dst[d.n:]
}

// stridedStep plans a copy of slot x in the order of dims to slot d.
func (p *planner) stridedStep(d, x int, dims []dim) {
	dims = merged(dims)
	if wide(p.slots.class(d)) {
		p.emitStep(p.slots.len(d), func(m *machine) { strided(words64(m.v[d]), words64(m.v[x]), dims) })
		return
	}
	p.emitStep(p.slots.len(d), func(m *machine) { strided(words32(m.v[d]), words32(m.v[x]), dims) })
}

func planBroadcast(p *planner, in *ir.Instr) {
	dims := strides(in.Operands[0].Type.Shape)
	for i, n := range in.Results[0].Type.Shape {
		if dims[i].n != n { // a dimension of 1, read again and again
			dims[i] = dim{n, 0}
		}
	}
	x := p.slot(in.Operands[0])
	p.stridedStep(p.resultSlot(in.Results[0]), x, dims)
}

func planTrans(p *planner, in *ir.Instr) {
	from := strides(in.Operands[0].Type.Shape)
	dims := make([]dim, len(from))
	for i, axis := range in.Ints("perm") {
		dims[i] = from[axis]
	}
	x := p.slot(in.Operands[0])
	p.stridedStep(p.resultSlot(in.Results[0]), x, dims)
}

func planJoin(p *planner, in *ir.Instr) {
	x, y := p.slot(in.Operands[0]), p.slot(in.Operands[1])
	d := p.resultSlot(in.Results[0])
	c := p.slots.class(d)
	p.emitStep(p.slots.len(d), func(m *machine) {
		if wide(c) {
			interleave(words64(m.v[d]), words64(m.v[x]), words64(m.v[y]))
		} else {
			interleave(words32(m.v[d]), words32(m.v[x]), words32(m.v[y]))
		}
	})
}

func interleave[T any](dst, x, y []T) {
	for i := range x {
		dst[2*i], dst[2*i+1] = x[i], y[i]
	}
}

func planSplit(p *planner, in *ir.Instr) {
	x := p.slot(in.Operands[0])
	dims := []dim{{in.Results[0].Type.Numel(), 2}}
	for part, r := range in.Results {
		d := p.resultSlot(r)
		if wide(p.slots.class(d)) {
			p.emitStep(dims[0].n, func(m *machine) { strided(words64(m.v[d]), words64(m.v[x])[part:], dims) })
		} else {
			p.emitStep(dims[0].n, func(m *machine) { strided(words32(m.v[d]), words32(m.v[x])[part:], dims) })
		}
	}
}

// planGather plans result[…, i, …] = src[…, index[…, i, …], …]. An index outside the axis gives 0
// and is reported.
func planGather(p *planner, in *ir.Instr) {
	src, index := in.Operands[0].Type, in.Operands[1].Type
	axis := int(in.Int("axis"))
	base := p.newTable(index.Numel())
	dims := strides(src.Shape)
	to := strides(index.Shape)
	for i := range base {
		at := 0
		// Everything but the axis is known now; the index adds its part when the program runs.
		for k, d := range to {
			if k != axis {
				at += i / d.stride % d.n * dims[k].stride
			}
		}
		base[i] = int32(at)
	}
	x, at := p.slot(in.Operands[0]), p.slot(in.Operands[1])
	d := p.resultSlot(in.Results[0])
	along, class, span := dims[axis], p.slots.class(d), in.Span
	get := indexReader(index.DType)
	p.emitStep(len(base), func(m *machine) {
		for i, b := range base {
			k := get(m.v[at], i)
			if k < 0 || k >= int64(along.n) {
				m.violate(finding{"out-of-bounds-gather", span, noArgument}, k, int64(along.n), i, i, len(base))
				zeroAt(m.v[d], i)
				continue
			}
			moveAt(class, m.v[d], i, m.v[x], int(b)+int(k)*along.stride)
		}
	})
}

// indexReader reads integers of dtype d.
func indexReader(d num.DType) func(v num.Vec, i int) int64 {
	switch {
	case d.Info().Class == num.ClassI64:
		return func(v num.Vec, i int) int64 { return v.I64[i] }
	case d == num.Uint32:
		return func(v num.Vec, i int) int64 { return int64(uint32(v.I32[i])) }
	}
	return func(v num.Vec, i int) int64 { return int64(v.I32[i]) }
}

func moveAt(c num.Class, dst num.Vec, i int, src num.Vec, k int) {
	if wide(c) {
		words64(dst)[i] = words64(src)[k]
	} else {
		words32(dst)[i] = words32(src)[k]
	}
}

func zeroAt(v num.Vec, i int) {
	switch {
	case v.I32 != nil:
		v.I32[i] = 0
	case v.I64 != nil:
		v.I64[i] = 0
	case v.F32 != nil:
		v.F32[i] = 0
	default:
		v.F64[i] = 0
	}
}

// planHistogram counts values 0 … bins-1; others are dropped.
func planHistogram(p *planner, in *ir.Instr) {
	get := indexReader(in.Operands[0].Type.DType)
	x, mask := p.slot(in.Operands[0]), p.optionalSlot(in.Operand(1))
	d := p.resultSlot(in.Results[0])
	n := in.Operands[0].Type.Numel()
	p.emitStep(n+p.slots.len(d), func(m *machine) {
		count := m.v[d].I32
		clear(count)
		for i := range n {
			if mask >= 0 && m.v[mask].I32[i] == 0 {
				continue
			}
			if k := get(m.v[x], i); k >= 0 && k < int64(len(count)) {
				count[k]++
			}
		}
	})
}
