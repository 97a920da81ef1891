package sanitize

import (
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/types"
)

// mark is what a sanitizer knows of one lane of a value: a kind in the top byte, of which 0 is nothing and a higher one
// counts for more, and the number of the operation that it comes from. Of two marks the larger one counts; among those
// of a kind it is that of the operation that came first.
type mark uint32

const originBits = 24

func newMark(kind uint8, origin int) mark {
	return mark(kind)<<originBits | mark(1<<originBits-1-origin)
}

func (m mark) kind() uint8 { return uint8(m >> originBits) }

func (m mark) origin() int { return 1<<originBits - 1 - int(m&(1<<originBits-1)) }

// as is the mark with another kind.
func (m mark) as(kind uint8) mark { return newMark(kind, m.origin()) }

// marks are those of the values of one program, by lane; a value without any is absent.
type marks map[*ir.Value][]mark

// set gives v its marks.
func (m marks) set(v *ir.Value, lanes []mark) {
	var all mark
	for _, l := range lanes {
		all |= l
	}
	if all != 0 {
		m[v] = lanes
	} else {
		delete(m, v)
	}
}

// move gives each of to the marks of from, all at once.
func (m marks) move(to, from []*ir.Value) {
	moved := make([][]mark, len(to))
	for i := range to {
		moved[i] = m[from[i]]
	}
	for i, v := range to {
		m.set(v, moved[i])
	}
}

// any is the first mark of v.
func (m marks) any(v *ir.Value) mark {
	for _, l := range m[v] {
		if l != 0 {
			return l
		}
	}
	return 0
}

// through are the marks that result i of in has from its operands; nil where none has marks.
func (m marks) through(in *ir.Instr, result int, known integers) []mark {
	if len(m) == 0 {
		return nil
	}
	from, marked := make(operandMarks, len(in.Operands)), false
	for k, v := range in.Operands {
		from[k] = m[v]
		marked = marked || from[k] != nil
	}
	rule := throughOp(in.Op)
	if !marked || rule == nil {
		return nil
	}
	out := make([]mark, max(1, in.Results[result].Type.Numel()))
	rule(flow{from, in, result, known, out})
	return out
}

// operandMarks are the marks of the operands of an operation.
type operandMarks [][]mark

// lane is lane i of operand k; a scalar has one for all.
func (o operandMarks) lane(k, i int) mark {
	lanes := o[k]
	if len(lanes) == 1 {
		i = 0
	}
	if i >= len(lanes) {
		return 0
	}
	return lanes[i]
}

// integers are the lanes of integer values of a program, which decide where marks go.
type integers map[*ir.Value]num.Vec

// at is lane i of v, if it is known.
func (n integers) at(v *ir.Value, i int) (x int64, known bool) {
	lanes := n[v]
	if i >= lanes.Len() {
		return 0, false
	}
	return integer(lanes, i), true
}

// is reports whether lane i of v is known to be x.
func (n integers) is(v *ir.Value, i int, x int64) bool {
	lane, known := n.at(v, i)
	return known && lane == x
}

// keep copies the lanes of an integer value, which an operation may need later.
func (n integers) keep(v *ir.Value, lanes num.Vec) {
	if v.Type.IsInt() {
		kept := n[v]
		n[v] = num.Vec{I32: append(kept.I32[:0], lanes.I32...), I64: append(kept.I64[:0], lanes.I64...)}
	}
}

// move gives each of to the lanes of from, all at once.
func (n integers) move(to, from []*ir.Value) {
	kept := make([]num.Vec, len(to))
	for i := range to {
		if lanes, known := n[from[i]]; known {
			kept[i] = lanes.Clone()
		}
	}
	for i, v := range to {
		if delete(n, v); kept[i].Len() > 0 {
			n[v] = kept[i]
		}
	}
}

// flow is one instruction's way to marks of one of its results.
type flow struct {
	operandMarks
	in     *ir.Instr
	result int
	known  integers
	out    []mark
}

// throughOp is the rule of an operation; nil where marks do not go through it. It is a function and no table, which
// would be linked wherever the race detector is.
func throughOp(op ops.Op) func(flow) {
	switch op {
	case ops.Splat, ops.ExpandDims, ops.Reshape, ops.Hint:
		return flow.each
	case ops.Broadcast:
		return flow.broadcast
	case ops.Trans:
		return flow.trans
	case ops.Join:
		return flow.join
	case ops.Split:
		return flow.split
	case ops.Select:
		return flow.choose
	case ops.And, ops.Or, ops.Mul:
		return flow.unless
	case ops.Histogram:
		return flow.histogram
	case ops.Dot:
		return flow.dot
	case ops.Reduce:
		return flow.reduce
	case ops.Scan:
		return flow.scan
	case ops.Gather:
		return flow.gather
	case ops.Load, ops.AtomicRMW, ops.AtomicCAS:
		return nil // what memory gives is not marked by the address that it is read from
	}
	if op.Has(ops.Elementwise) {
		return flow.each
	}
	return nil
}

func (f flow) each() {
	for k, lanes := range f.operandMarks {
		switch len(lanes) {
		case 0:
		case len(f.out):
			for i, l := range lanes {
				f.out[i] = max(f.out[i], l)
			}
		default:
			for i := range f.out {
				f.out[i] = max(f.out[i], f.lane(k, i))
			}
		}
	}
}

// mapped takes each lane from that of operand 0 whose index is the sum of the lane's coordinates times steps.
func (f flow) mapped(steps []int) {
	shape := f.in.Results[0].Type.Shape
	by := types.Strides(shape)
	for i := range f.out {
		from := 0
		for d := range shape {
			from += i / by[d] % shape[d] * steps[d]
		}
		f.out[i] = f.lane(0, from)
	}
}

func (f flow) broadcast() {
	shape := f.in.Operands[0].Type.Shape
	steps := types.Strides(shape)
	for d, n := range shape {
		if n == 1 {
			steps[d] = 0
		}
	}
	f.mapped(steps)
}

func (f flow) trans() {
	from, perm := types.Strides(f.in.Operands[0].Type.Shape), f.in.Ints("perm")
	steps := make([]int, len(perm))
	for d, p := range perm {
		steps[d] = from[p]
	}
	f.mapped(steps)
}

func (f flow) join() {
	for i := range f.out {
		f.out[i] = f.lane(i%2, i/2)
	}
}

func (f flow) split() {
	for i := range f.out {
		f.out[i] = f.lane(0, 2*i+f.result)
	}
}

// choose is select: only the operand that is chosen counts.
func (f flow) choose() {
	for i := range f.out {
		k := 2
		if !f.known.is(f.in.Operands[0], i, 0) {
			k = 1
		}
		f.out[i] = max(f.lane(0, i), f.lane(k, i))
	}
}

// unless is each, but for lanes that an integer without a mark decides alone: a 0 of and and mul, all ones of or.
func (f flow) unless() {
	f.each()
	decisive := int64(0)
	if d := f.in.Results[0].Type.DType; f.in.Op == ops.Or {
		decisive = integer(num.FromInt(d, -1).Vec(), 0)
	}
	for k, v := range f.in.Operands {
		for i := range f.out {
			if f.lane(k, i) == 0 && f.known.is(v, i, decisive) {
				f.out[i] = 0
			}
		}
	}
}

// dot: an element depends on its row of a, its column of b, and its own of the accumulator.
func (f flow) dot() {
	a, b := f.in.Operands[0].Type.Shape, f.in.Operands[1].Type.Shape
	m, k, n := a[len(a)-2], a[len(a)-1], b[len(b)-1]
	for i := range f.out {
		batch, row, col := i/(m*n), i/n%m, i%n
		l := f.lane(2, i)
		for j := range k {
			l = max(l, f.lane(0, (batch*m+row)*k+j), f.lane(1, (batch*k+j)*n+col))
		}
		f.out[i] = l
	}
}

// along calls visit for each lane of the operands in row-major order, with the lane before it along the axis, -1 for
// the first, and the index of its row among all of them.
func (f flow) along(visit func(i, before, row int)) {
	shape, axis := f.in.Operands[0].Type.Shape, int(f.in.Int("axis"))
	by, n := types.Strides(shape)[axis], shape[axis]
	for i := range f.in.Operands[0].Type.Numel() {
		before := i - by
		if i/by%n == 0 {
			before = -1
		}
		visit(i, before, i/(by*n)*by+i%by)
	}
}

// operands is lane i of any operand.
func (f flow) operands(i int) (l mark) {
	for k := range f.in.Operands {
		l = max(l, f.lane(k, i))
	}
	return l
}

func (f flow) reduce() {
	f.along(func(i, _, row int) { f.out[row] = max(f.out[row], f.operands(i)) })
}

func (f flow) scan() {
	if f.in.Bool("reverse") {
		f.along(func(i, _, row int) { f.out[i] = f.operands(i) })
		by := types.Strides(f.in.Operands[0].Type.Shape)[f.in.Int("axis")]
		n := f.in.Operands[0].Type.Shape[f.in.Int("axis")]
		for i := len(f.out) - 1; i >= 0; i-- {
			if i/by%n < n-1 {
				f.out[i] = max(f.out[i], f.out[i+by])
			}
		}
		return
	}
	f.along(func(i, before, _ int) {
		f.out[i] = f.operands(i)
		if before >= 0 {
			f.out[i] = max(f.out[i], f.out[before])
		}
	})
}

// gather: an element has the mark of its index, and of the element that a known one picks.
func (f flow) gather() {
	shape, axis := f.in.Operands[0].Type.Shape, int(f.in.Int("axis"))
	by := types.Strides(shape)[axis]
	of := f.in.Results[0].Type.Shape
	step := types.Strides(of)[axis]
	for i := range f.out {
		f.out[i] = f.lane(1, i)
		if x, known := f.known.at(f.in.Operands[1], i); known && x >= 0 && x < int64(shape[axis]) {
			row := i/(step*of[axis])*(by*shape[axis]) + i%step
			f.out[i] = max(f.out[i], f.lane(0, row+int(x)*by))
		}
	}
}

// histogram: a lane that is counted may be in any bin.
func (f flow) histogram() {
	var any mark
	mask := f.in.Operand(1)
	for i, l := range f.operandMarks[0] {
		if mask == nil || !f.known.is(mask, i, 0) {
			any = max(any, l)
		}
	}
	for _, lanes := range f.operandMarks[1:] {
		for _, l := range lanes {
			any = max(any, l)
		}
	}
	for i := range f.out {
		f.out[i] = any
	}
}
