package tile

import (
	"maps"
	"math/bits"
	"slices"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
)

// combiner applies the region of a reduction or scan to vectors: results[i] = region(x…, y…)[i].
type combiner struct {
	single      num.BinaryFn // the whole region if it is one kernel; then the rest is unused
	commutes    bool         // and that kernel's operands may change places
	code, fills []step
	slots       []int // the region's
	x, y, out   []int // slots of the region's arguments and of what it yields
}

// combiner plans the region of in for calls of up to n lanes.
func (p *planner) combiner(in *ir.Instr, n int) *combiner {
	b := in.Regions[0]
	k := len(b.Args) / 2
	if kernel := singleOperation(b); kernel != nil {
		return &combiner{single: kernel, commutes: commutes(b)}
	}
	c := &combiner{}
	outside := p.slots.enterLanes(n)
	for i, a := range b.Args {
		s := p.slots.take(p.kindOf(a.Type))
		p.slotOf[a] = s
		p.slots.pin(s) // the caller points it at its operands
		if i < k {
			c.x = append(c.x, s)
		} else {
			c.y = append(c.y, s)
		}
	}
	c.code, _ = p.planRegion(in, b, func(t *ir.Instr) {
		for _, v := range t.Operands {
			c.out = append(c.out, p.copyOfArgument(v, b))
		}
	})
	l := p.slots.leaveLanes(outside)
	c.slots, c.fills = slices.Sorted(maps.Keys(l.used)), l.fills
	return c
}

// copyOfArgument is a slot with v that is not one of b's arguments: those are the caller's memory, which it
// writes to one result at a time.
func (p *planner) copyOfArgument(v *ir.Value, b *ir.Block) int {
	s := p.slot(v)
	if !slices.Contains(b.Args, p.live.root(v)) {
		return s
	}
	d := p.slots.like(s)
	p.emitStep(p.slots.len(d), func(m *machine) { copyVec(m.v[d], m.v[s]) })
	return d
}

// singleOperation is the kernel of a region that is one operation on its two arguments.
func singleOperation(b *ir.Block) num.BinaryFn {
	if len(b.Args) != 2 || len(b.Instrs) != 2 {
		return nil
	}
	in, t := b.Instrs[0], b.Instrs[1]
	combines := in.Op.Class() == ops.Binary && in.Operands[0] == b.Args[0] && in.Operands[1] == b.Args[1]
	if !combines || t.Operands[0] != in.Results[0] {
		return nil
	}
	return binaryKernel(in)
}

// begin makes captured values ready; once for any number of calls.
func (c *combiner) begin(m *machine) { m.exec(c.fills) }

// apply sets each dst[i] to the region of x and y. dst may be x or y.
func (c *combiner) apply(m *machine, dst, x, y []num.Vec) {
	if c.single != nil {
		c.single(dst[0], x[0], y[0])
		return
	}
	// The levels of a tree have fewer and fewer lanes; the region's slots are cut to those of this call.
	n := x[0].Len()
	for _, s := range c.slots {
		m.v[s] = m.full[s].Slice(0, n)
	}
	for i := range c.x {
		m.v[c.x[i]], m.v[c.y[i]] = x[i], y[i]
	}
	m.exec(c.code)
	for i := range dst {
		copyVec(dst[i], m.v[c.out[i]])
	}
}

// axisPlan describes a reduction or scan: size elements along the axis, rest lines.
type axisPlan struct {
	op         *combiner
	size, rest int
	inner      int   // the stride of the axis: the shape is (outer, size, inner), row-major
	in, work   []int // slots; work holds the operands with the axis outermost
	out        []int
	order      []int32 // where each element of work comes from
	outermost  bool    // the axis is the operands' first one
}

// alongAxis plans what reductions and scans share.
func (p *planner) alongAxis(in *ir.Instr) *axisPlan {
	shape := in.Operands[0].Type.Shape
	axis := int(in.Int("axis"))
	a := &axisPlan{size: shape[axis], rest: 1, inner: 1, outermost: axis == 0}
	for i, n := range shape {
		if i != axis {
			a.rest *= n
		}
		if i > axis {
			a.inner *= n
		}
	}
	a.op = p.combiner(in, max(1, a.size/2)*a.rest)
	a.in = p.slotsOf(in.Operands)
	for _, s := range a.in {
		a.work = append(a.work, p.slots.like(s))
	}
	a.out = p.resultSlots(in)
	// Not before the results have their slots, which must be others.
	for _, s := range a.work {
		p.slots.release(s)
	}
	return a
}

// arrange makes the order in which reorder copies: place says which element of a line is worked on as the i-th. With
// the axis outermost, one step of a reduction is one call on two contiguous halves.
func (p *planner) arrange(a *axisPlan, place func(i, size int) int) {
	a.order = p.newTable(a.size * a.rest)
	for i := range a.size {
		for j := range a.rest {
			a.order[i*a.rest+j] = int32((j/a.inner*a.size+place(i, a.size))*a.inner + j%a.inner)
		}
	}
}

// reorder copies the operands to the work slots.
func (a *axisPlan) reorder(m *machine) {
	for i, s := range a.in {
		pick(classOf(m.v[s]), m.v[a.work[i]], m.v[s], a.order)
	}
}

func classOf(v num.Vec) num.Class {
	switch {
	case v.I32 != nil:
		return num.ClassI32
	case v.I64 != nil:
		return num.ClassI64
	case v.F32 != nil:
		return num.ClassF32
	}
	return num.ClassF64
}

// sliceWork are elements lo to hi of the work slots.
func (a *axisPlan) sliceWork(m *machine, into []num.Vec, lo, hi int) []num.Vec {
	for i, s := range a.work {
		into[i] = m.v[s].Slice(lo, hi)
	}
	return into
}

// bitReversed is i with its bits reversed: halving a tile in this order combines neighbors.
func bitReversed(i, size int) int {
	return int(bits.Reverse64(uint64(i)) >> (64 - bits.Len(uint(size-1))))
}

// The threads of a GPU's warp, and those of the four warps that run a program by default.
const (
	warp  = 32
	block = 4 * warp
)

// warpOrder is the element that is worked on as the i-th, so that halving combines what a GPU
// does with one element a thread: those 16, 8, 4, 2 and 1 apart within each warp, then the warps.
func warpOrder(i, size int) int {
	warps := size / warp
	return i%warps*warp + i/warps
}

// warpOrdered reports whether a reduction is one whose order on a GPU is known: a vector with at most
// one element a thread, and more than one warp. That of a single warp is the order of halves.
func warpOrdered(in *ir.Instr) bool {
	shape := in.Operands[0].Type.Shape
	return len(shape) == 1 && shape[0] > warp && shape[0] <= block && commutes(in.Regions[0])
}

// commutes reports whether a region is one operation whose operands may change places.
func commutes(b *ir.Block) bool {
	return singleOperation(b) != nil && b.Instrs[0].Op.Has(ops.Commutative)
}

func planReduce(p *planner, in *ir.Instr) {
	a, warps := p.alongAxis(in), warpOrdered(in)
	k, total := len(a.in), a.size*a.rest
	begin := a.reorder
	next := func(m *machine, size int, x, y []num.Vec) { // the halves that a step combines
		a.sliceWork(m, x, 0, size*a.rest)
		a.sliceWork(m, y, size*a.rest, 2*size*a.rest)
	}
	switch {
	case warps:
		p.arrange(a, warpOrder)
	case a.outermost && a.op.commutes && a.size > 1: // the first step reads the operand itself
		begin = func(*machine) {}
		next = func(m *machine, size int, x, y []num.Vec) {
			from := a.from(m, 0, size)
			x[0], y[0] = from.Slice(0, size*a.rest), from.Slice(size*a.rest, 2*size*a.rest)
		}
	case a.inner == 1 && a.size > 1: // neighbors are
		begin = func(*machine) {}
		next = func(m *machine, size int, x, y []num.Vec) {
			n, half := size*a.rest, total/2
			for i, s := range a.work {
				at := half + n
				if n == half { // the other half is free, since this step reads the operand
					at = 0
				}
				x[i], y[i] = m.v[s].Slice(half, half+n), m.v[s].Slice(at, at+n)
				deinterleave(x[i], y[i], a.from(m, i, size))
			}
		}
	default:
		p.arrange(a, bitReversed)
	}
	p.emitStep(2*total*k, func(m *machine) {
		dst, x, y := m.scratchVectors(k)
		begin(m)
		a.op.begin(m)
		// Tiles have sizes of powers of two, so each step halves what is left.
		for size := a.size / 2; size >= 1 && !m.halted; size /= 2 {
			next(m, size, x, y)
			a.op.apply(m, a.sliceWork(m, dst, 0, size*a.rest), x, y)
		}
		for i, s := range a.out {
			copyVec(m.v[s], m.v[a.work[i]].Slice(0, a.rest))
		}
	})
}

// from is what a step that leaves size elements along the axis reads of the i-th operand: all of it at first.
func (a *axisPlan) from(m *machine, i, size int) num.Vec {
	if 2*size == a.size {
		return m.v[a.in[i]]
	}
	return m.v[a.work[i]].Slice(0, 2*size*a.rest)
}

// deinterleave sets evens to the elements of from with even numbers, and odds to the others.
func deinterleave(evens, odds, from num.Vec) {
	if wide(classOf(from)) {
		num.Deinterleave(words64(evens), words64(odds), words64(from))
	} else {
		num.Deinterleave(words32(evens), words32(odds), words32(from))
	}
}

func planScan(p *planner, in *ir.Instr) {
	place := func(i, _ int) int { return i }
	if in.Bool("reverse") {
		place = func(i, size int) int { return size - 1 - i }
	}
	a := p.alongAxis(in)
	p.arrange(a, place)
	back := p.newTable(len(a.order))
	for i, at := range a.order {
		back[at] = int32(i)
	}
	k := len(a.in)
	p.emitStep(3*len(a.order)*k+stepCost*a.size, func(m *machine) {
		_, x, y := m.scratchVectors(k)
		a.reorder(m)
		a.op.begin(m)
		// Element i becomes region(element i-1, element i): the order of the operands matters to associative regions.
		for i := 1; i < a.size && !m.halted; i++ {
			a.sliceWork(m, x, (i-1)*a.rest, i*a.rest)
			a.sliceWork(m, y, i*a.rest, (i+1)*a.rest)
			a.op.apply(m, y, x, y)
		}
		for i, s := range a.out {
			pick(classOf(m.v[s]), m.v[s], m.v[a.work[i]], back)
		}
	})
}
