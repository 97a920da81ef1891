package layout

import "slices"

// builder hands out the bits of an element's number to the inputs of a layout, dimension by dimension.
type builder struct {
	l    Layout
	next []int // per dimension, how many of its bits are given away
}

func newBuilder(shape []int) *builder {
	return &builder{Layout{Shape: slices.Clone(shape)}, make([]int, len(shape))}
}

// take is the next n elements' worth of steps along axis: one basis for each doubling. Where the dimension is used
// up the rest are 0.
func (b *builder) take(axis, n int) []uint32 {
	var bases []uint32
	for range log2(n) {
		var basis uint32
		if b.left(axis) > 1 {
			basis = 1 << (shift(b.l.Shape, axis) + b.next[axis])
			b.next[axis]++
		}
		bases = append(bases, basis)
	}
	return bases
}

// left is how many elements along axis are not given away yet.
func (b *builder) left(axis int) int { return b.l.Shape[axis] >> b.next[axis] }

// reg gives up to n elements along axis to each thread.
func (b *builder) reg(axis, n int) {
	b.l.Reg = append(b.l.Reg, b.take(axis, min(n, b.left(axis)))...)
}

func (b *builder) lane(axis, n int) { b.l.Lane = append(b.l.Lane, b.take(axis, n)...) }
func (b *builder) warp(axis, n int) { b.l.Warp = append(b.l.Warp, b.take(axis, n)...) }

// rest gives each thread what is left of the given dimensions.
func (b *builder) rest(order []int) Layout {
	for _, axis := range order {
		b.reg(axis, b.left(axis))
	}
	return b.l
}

// Blocked gives each thread a block of perThread elements, puts lanes of these side by side in a warp and warps
// of those in a program, each along the dimensions in order, fastest first; what the shape has beyond that is more
// registers, in order again. The counts are powers of two, one per dimension, with 32 lanes in all. Where the shape
// is smaller, lanes and warps hold replicas.
func Blocked(shape, perThread, lanes, warps, order []int) Layout {
	b := newBuilder(shape)
	for _, axis := range order {
		b.reg(axis, perThread[axis])
	}
	for _, axis := range order {
		b.lane(axis, lanes[axis])
	}
	for _, axis := range order {
		b.warp(axis, warps[axis])
	}
	return b.rest(order)
}

// ForVector is the layout of coalesced access: vec elements a thread along order[0], then lanes, then warps, then
// more registers, each going through the dimensions in order, fastest first. A thread without elements of its own
// holds a replica.
func ForVector(shape, order []int, vec, numWarps int) Layout {
	b := newBuilder(shape)
	if len(order) > 0 {
		b.reg(order[0], vec)
	}
	b.l.Lane = b.stream(order, LaneBits)
	b.l.Warp = b.stream(order, log2(numWarps))
	return b.rest(order)
}

// WithWarpsOf is l with the warps of m, which have the same elements in both then: threads keep l's first vec registers
// and its lanes. It is not ok if the warps of m differ in an element's bit that those number.
func (l Layout) WithWarpsOf(m Layout, vec int) (out Layout, ok bool) {
	first := min(log2(vec), len(l.Reg))
	free := slices.Concat(l.Reg[first:], l.Warp)
	for _, b := range m.Warp {
		i := slices.Index(free, b)
		if b == 0 || i < 0 {
			return l, false
		}
		free = slices.Delete(free, i, i+1)
	}
	slices.Sort(free)
	return Layout{Shape: l.Shape, Reg: slices.Concat(l.Reg[:first], free), Lane: l.Lane, Warp: m.Warp}, true
}

// stream is the next n bases through the dimensions in order.
func (b *builder) stream(order []int, n int) []uint32 {
	bases := make([]uint32, n)
	i := 0
	for _, axis := range order {
		for ; i < n && b.left(axis) > 1; i++ {
			bases[i] = b.take(axis, 2)[0]
		}
	}
	return bases
}
