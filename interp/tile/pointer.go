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
	d := p.result(in.Results[0])
	n := p.slots[d].n
	xs, ys := step1(p.slots[x].n, n), step1(p.slots[y].n, n)
	p.emit(n, func(m *machine) {
		dst, ptr := m.v[d].I64, m.v[x].I64
		switch {
		case off.Class() == num.ClassI64:
			movePointers(dst, ptr, xs, m.v[y].I64, ys)
		case off.DType == num.Uint32:
			movePointers(dst, ptr, xs, words32(m.v[y]), ys)
		default:
			movePointers(dst, ptr, xs, m.v[y].I32, ys)
		}
	})
}

// step1 is how far apart the values of two lanes are in a slot of have elements.
func step1(have, want int) int {
	if have == 1 && want > 1 {
		return 0
	}
	return 1
}

// movePointers sets each dst to a pointer moved by an offset; a step of 0 repeats the first one.
func movePointers[O int32 | uint32 | int64](dst, x []int64, xs int, off []O, offs int) {
	if offs == 0 {
		moveAll(dst, x, int64(off[0]))
		return
	}
	off = off[:len(dst)]
	if xs != 0 {
		x = x[:len(dst)]
		for i, o := range off {
			dst[i] = movePointer(x[i], int64(o))
		}
		return
	}
	base := x[0]
	if _, at := trace.Split(base); unsafe.Sizeof(off[0]) == 4 && at > -half/2 && at < half/2 {
		for i, o := range off { // 32 bits cannot leave the range from near its middle
			dst[i] = base + int64(o)
		}
		return
	}
	for i, o := range off {
		dst[i] = movePointer(base, int64(o))
	}
}

func moveAll(dst, x []int64, off int64) {
	x = x[:len(dst)]
	for i, p := range x {
		dst[i] = movePointer(p, off)
	}
}

// movePointer is p moved by off elements.
func movePointer(p, off int64) int64 {
	to := p + off
	if uint64((to+half)^(p+half)|(off+half))>>trace.OffsetBits == 0 {
		return to
	}
	return saturated(p, off)
}

func saturated(p, off int64) int64 {
	arg, _ := trace.Split(p)
	if off < 0 {
		return trace.Pointer(arg, -half)
	}
	return trace.Pointer(arg, maxOffset)
}

func planPtrDiff(p *planner, in *ir.Instr) {
	x, y := p.slot(in.Operands[0]), p.slot(in.Operands[1])
	d := p.result(in.Results[0])
	kernel := num.Binary(num.Sub, num.Int64)
	p.emit(p.slots[d].n, func(m *machine) { kernel(m.v[d], m.v[x], m.v[y]) })
}
