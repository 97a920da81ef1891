package tile

import (
	"unsafe"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/interp/trace"
)

// Offsets stay within their 48 bits: one that would leave them stops at the end, where nothing
// lies, rather than reach another argument.
const (
	half      = 1 << (trace.OffsetBits - 1)
	maxOffset = half - 1
)

// planAddPtr plans pointer + offset, either of which may be one scalar for all lanes.
func planAddPtr(p *planner, in *ir.Instr) {
	off := in.Operands[1].Type
	x, y := p.slot(in.Operands[0]), p.slot(in.Operands[1])
	d := p.resultSlot(in.Results[0])
	n := p.slots.len(d)
	xs, ys := laneStep(p.slots.len(x), n), laneStep(p.slots.len(y), n)
	p.emitStep(n, func(m *machine) {
		dst, ptr := m.v[d].I64, m.v[x].I64
		switch {
		case off.Class() == num.ClassI64:
			addOffsets(dst, ptr, xs, m.v[y].I64, ys)
		case off.DType == num.Uint32:
			addOffsets(dst, ptr, xs, words32(m.v[y]), ys)
		default:
			addOffsets(dst, ptr, xs, m.v[y].I32, ys)
		}
	})
}

// laneStep is how far apart the values of two lanes are in a slot of have elements.
func laneStep(have, want int) int {
	if have == 1 && want > 1 {
		return 0
	}
	return 1
}

// addOffsets sets each dst to a pointer moved by an offset; a step of 0 repeats the first one.
// dst may be x. Sums are made first and looked at together: leaving an argument is rare.
func addOffsets[O int32 | uint32 | int64](dst, x []int64, xs int, off []O, offs int) {
	var left int64 // has bits above the offset's if any sum left its argument
	switch {
	case xs == 0 && offs == 0:
		num.Fill(dst, addSaturating(x[0], int64(off[0])))
	case offs == 0:
		left = addUniform(dst, x, int64(off[0]))
	case xs == 0:
		left = addToUniform(dst, x[0], off)
	default:
		left = addEach(dst, x, off)
	}
	if uint64(left)>>trace.OffsetBits == 0 {
		return
	}
	// dst may have overwritten x: the pointer is found again by taking the offset off.
	for i := range dst {
		o := int64(off[i*offs])
		dst[i] = addSaturating(dst[i]-o, o)
	}
}

// overflowBits has a bit above the offset's where sum, p moved by off, left p's argument.
func overflowBits(sum, p, off int64) int64 { return (sum + half) ^ (p + half) | (off + half) }

func addUniform(dst, x []int64, off int64) (left int64) {
	x = x[:len(dst)]
	for i, p := range x {
		sum := p + off
		left |= overflowBits(sum, p, off)
		dst[i] = sum
	}
	return left
}

func addToUniform[O int32 | uint32 | int64](dst []int64, p int64, off []O) (left int64) {
	off = off[:len(dst)]
	if _, at := trace.Split(p); unsafe.Sizeof(off[0]) == 4 && at > -half/2 && at < half/2 {
		for i, o := range off { // 32 bits cannot lead out from near the middle
			dst[i] = p + int64(o)
		}
		return 0
	}
	for i, o := range off {
		sum := p + int64(o)
		left |= overflowBits(sum, p, int64(o))
		dst[i] = sum
	}
	return left
}

func addEach[O int32 | uint32 | int64](dst, x []int64, off []O) (left int64) {
	x, off = x[:len(dst)], off[:len(dst)]
	for i, o := range off {
		p := x[i]
		sum := p + int64(o)
		left |= overflowBits(sum, p, int64(o))
		dst[i] = sum
	}
	return left
}

// addSaturating is p moved by off elements.
func addSaturating(p, off int64) int64 {
	to := p + off
	if uint64(overflowBits(to, p, off))>>trace.OffsetBits == 0 {
		return to
	}
	// Nothing lies at either end, so an access there is out of bounds, and of this argument.
	arg, _ := trace.Split(p)
	if off < 0 {
		return trace.Pointer(arg, -half)
	}
	return trace.Pointer(arg, maxOffset)
}

// planIntToPtr plans the pointers to addresses in reachable memory.
func planIntToPtr(p *planner, in *ir.Instr) {
	bytes := int64(in.Results[0].Type.DType.Info().Bytes)
	x, d := p.slot(in.Operands[0]), p.resultSlot(in.Results[0])
	n := p.slots.len(d)
	step := laneStep(p.slots.len(x), n)
	p.emitStep(n*len(p.fn.Params), func(m *machine) {
		dst, addresses := m.v[d].I64, m.v[x].I64
		for i := range dst {
			dst[i] = m.pointerTo(addresses[i*step], bytes)
		}
	})
}

// pointerTo is the pointer to an element of so many bytes at an address. One in no reachable memory, or that is not
// aligned, is a pointer into an argument that does not exist.
func (m *machine) pointerTo(address, bytes int64) int64 {
	for i := len(m.run.kernel.fn.Params); i < len(m.args); i++ {
		a := &m.args[i]
		if past := address - a.address; past >= 0 && past < int64(len(a.data)) && past%bytes == 0 {
			return trace.Pointer(i, past/bytes)
		}
	}
	return trace.Pointer(len(m.args), 0)
}

// planPtrToInt plans the addresses of pointers' elements.
func planPtrToInt(p *planner, in *ir.Instr) {
	bytes := int64(in.Operands[0].Type.DType.Info().Bytes)
	x, d := p.slot(in.Operands[0]), p.resultSlot(in.Results[0])
	n := p.slots.len(d)
	step := laneStep(p.slots.len(x), n)
	p.emitStep(n, func(m *machine) {
		dst, pointers := m.v[d].I64, m.v[x].I64
		for i := range dst {
			dst[i] = m.addressOf(pointers[i*step], bytes)
		}
	})
}

// addressOf is the address of the element of so many bytes that a pointer points to. Nothing begins at 0.
func (m *machine) addressOf(pointer, bytes int64) int64 {
	arg, offset := trace.Split(pointer)
	var start int64
	if arg < len(m.args) {
		start = m.args[arg].address + m.args[arg].origin
	}
	return start + offset*bytes
}

func planPtrDiff(p *planner, in *ir.Instr) {
	x, y := p.slot(in.Operands[0]), p.slot(in.Operands[1])
	d := p.resultSlot(in.Results[0])
	kernel := num.Binary(num.Sub, num.Int64)
	p.emitStep(p.slots.len(d), func(m *machine) { kernel(m.v[d], m.v[x], m.v[y]) })
}
