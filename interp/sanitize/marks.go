package sanitize

import (
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/types"
	"github.com/newtlab/newt/interp/trace"
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

// marks are those of the values of one program, by lane; a value without any is absent. Values share slices, whose
// lanes do not change once they have been set.
type marks struct {
	of    map[*ir.Value][]mark
	arena arena
	flow  flow // of the present instruction
}

// arena is memory for the marks of one program after the other.
type arena struct {
	chunk []mark
	used  int
	zeros []mark // never written to
}

const arenaChunk = 1 << 14

// make gives n lanes without marks, which are the caller's until the next program begins.
func (a *arena) make(n int) []mark {
	if a.used+n > len(a.chunk) {
		a.chunk, a.used = make([]mark, max(n, arenaChunk)), 0
	}
	out := a.chunk[a.used : a.used+n : a.used+n]
	a.used += n
	clear(out)
	return out
}

// none are n lanes without marks, which nobody may write to.
func (a *arena) none(n int) []mark {
	if len(a.zeros) < n {
		a.zeros = make([]mark, n)
	}
	return a.zeros[:n]
}

// forget begins with a new program.
func (m *marks) forget() {
	clear(m.of)
	m.arena.used = 0
}

// set gives v its marks; nil are none.
func (m *marks) set(v *ir.Value, lanes []mark) {
	if anyMark(lanes) != 0 {
		m.of[v] = lanes
	} else {
		delete(m.of, v)
	}
}

// anyMark is the first mark of some lanes; 0 where there is none.
func anyMark(lanes []mark) mark {
	for _, l := range lanes {
		if l != 0 {
			return l
		}
	}
	return 0
}

// move gives each of to the marks of from, all at once.
func (m *marks) move(to, from []*ir.Value) {
	if len(m.of) == 0 {
		return
	}
	moved := make([][]mark, len(to))
	for i := range to {
		moved[i] = m.of[from[i]]
	}
	for i, v := range to {
		m.set(v, moved[i])
	}
}

// through are the marks that result i of in has from its operands; nil where none has marks.
func (m *marks) through(in *ir.Instr, result int, known integers) []mark {
	if len(m.of) == 0 {
		return nil
	}
	from, marked := m.flow.from[:0], false
	for _, v := range in.Operands {
		lanes := m.of[v]
		from, marked = append(from, lanes), marked || lanes != nil
	}
	m.flow = flow{from, in, result, known, &m.arena, max(1, in.Results[result].Type.Numel())}
	if rule := throughOp(in.Op); marked && rule != nil {
		return rule(&m.flow)
	}
	return nil
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

// lane is lane i of v, of which a number has one for all.
func (n integers) lane(v *ir.Value, i int) (x int64, known bool) {
	if n[v].Len() == 1 {
		i = 0
	}
	return n.at(v, i)
}

// keep copies the lanes of an integer value, which an operation may need later.
func (n integers) keep(v *ir.Value, lanes num.Vec) {
	if v.Type.IsInt() {
		n.put(v, lanes)
	}
}

// put copies the lanes of an integer or a pointer.
func (n integers) put(v *ir.Value, lanes num.Vec) {
	kept := n[v]
	n[v] = num.Vec{I32: append(kept.I32[:0], lanes.I32...), I64: append(kept.I64[:0], lanes.I64...)}
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
	from   [][]mark // by operand; a scalar has one lane for all
	in     *ir.Instr
	result int
	known  integers
	arena  *arena
	n      int // lanes of the result
}

// throughOp is the rule of an operation; nil where marks do not go through it. It is a function and no table, which
// would be linked wherever the race detector is.
func throughOp(op ops.Op) func(*flow) []mark {
	switch op {
	case ops.Splat, ops.ExpandDims, ops.Reshape, ops.Hint:
		return (*flow).each
	case ops.Broadcast:
		return (*flow).broadcast
	case ops.Trans:
		return (*flow).trans
	case ops.Join:
		return (*flow).join
	case ops.Split:
		return (*flow).split
	case ops.Select:
		return (*flow).choose
	case ops.And, ops.Or, ops.Mul:
		return (*flow).unless
	case ops.Histogram:
		return (*flow).histogram
	case ops.Dot:
		return (*flow).dot
	case ops.Reduce:
		return (*flow).reduce
	case ops.Scan:
		return (*flow).scan
	case ops.Gather:
		return (*flow).gather
	case ops.Load, ops.AtomicRMW, ops.AtomicCAS, ops.AtomicLoad:
		return nil // what memory gives is not marked by the address that it is read from
	}
	if op.Has(ops.Elementwise) {
		return (*flow).each
	}
	return nil
}

// operand is operand k in n lanes, which nobody may write to.
func (f *flow) operand(k, n int) []mark {
	switch lanes := f.from[k]; len(lanes) {
	case n:
		return lanes
	case 1:
		out := f.arena.make(n)
		for i := range out {
			out[i] = lanes[0]
		}
		return out
	}
	return f.arena.none(n)
}

// lane is lane i of operand k.
func (f *flow) lane(k, i int) mark {
	if i >= len(f.from[k]) {
		return 0
	}
	return f.from[k][i]
}

// each: a lane has the marks of that lane of all operands.
func (f *flow) each() []mark { return f.merged(f.n) }

// merged are n lanes with the marks of all operands.
func (f *flow) merged(n int) []mark {
	var out []mark
	own := false
	for k, lanes := range f.from {
		switch {
		case lanes == nil || len(out) > 0 && &out[0] == &lanes[0]:
		case out == nil:
			out = f.operand(k, n)
		default:
			if lanes = f.operand(k, n); !own {
				out, own = append(f.arena.make(n)[:0], out...), true
			}
			for i, l := range lanes {
				out[i] = max(out[i], l)
			}
		}
	}
	return out
}

// mapped takes each lane from that of operand 0 whose index is the sum of the lane's coordinates times steps.
func (f *flow) mapped(steps []int) []mark {
	shape, lanes, out := f.in.Results[0].Type.Shape, f.from[0], f.arena.make(f.n)
	last := len(shape) - 1
	var at [8]int // coordinates of a row
	for i, from := 0, 0; i < f.n; {
		for j := range shape[last] {
			out[i] = lanes[from+j*steps[last]]
			i++
		}
		for d := last - 1; d >= 0; d-- {
			at[d]++
			from += steps[d]
			if at[d] < shape[d] {
				break
			}
			from -= at[d] * steps[d]
			at[d] = 0
		}
	}
	return out
}

func (f *flow) broadcast() []mark {
	shape := f.in.Operands[0].Type.Shape
	steps := types.Strides(shape)
	for d, n := range shape {
		if n == 1 {
			steps[d] = 0
		}
	}
	return f.mapped(steps)
}

func (f *flow) trans() []mark {
	from, perm := types.Strides(f.in.Operands[0].Type.Shape), f.in.Ints("perm")
	steps := make([]int, len(perm))
	for d, p := range perm {
		steps[d] = from[p]
	}
	return f.mapped(steps)
}

func (f *flow) join() []mark {
	out := f.arena.make(f.n)
	for i := range out {
		out[i] = f.lane(i%2, i/2)
	}
	return out
}

func (f *flow) split() []mark {
	out := f.arena.make(f.n)
	for i := range out {
		out[i] = f.lane(0, 2*i+f.result)
	}
	return out
}

// choose is select: only the operand that is chosen counts.
func (f *flow) choose() []mark {
	cond := f.known[f.in.Operands[0]].I32
	c, yes, no, out := f.operand(0, f.n), f.operand(1, f.n), f.operand(2, f.n), f.arena.make(f.n)
	for i := range out {
		chosen := no[i]
		if i < len(cond) && cond[i] != 0 {
			chosen = yes[i]
		}
		out[i] = max(c[i], chosen)
	}
	return out
}

// unless is each, but for lanes that an integer without a mark decides alone: a 0 of and and mul, all ones of or.
func (f *flow) unless() []mark {
	out := f.each()
	decisive := int64(0)
	if d := f.in.Results[0].Type.DType; f.in.Op == ops.Or {
		decisive = integer(num.FromInt(d, -1).Vec(), 0)
	}
	for k, v := range f.in.Operands {
		lanes := f.known[v]
		if lanes.Len() != f.n {
			continue
		}
		own, left := f.operand(k, f.n), f.arena.make(f.n)
		for i, l := range out {
			if own[i] != 0 || integer(lanes, i) != decisive {
				left[i] = l
			}
		}
		out = left
	}
	return out
}

// dot: an element depends on its row of a, its column of b, and its own of the accumulator.
func (f *flow) dot() []mark {
	shape, b := f.in.Operands[0].Type.Shape, f.in.Operands[1].Type.Shape
	m, k, n := shape[len(shape)-2], shape[len(shape)-1], b[len(b)-1]
	batches := f.n / (m * n)
	rows, cols := f.arena.make(batches*m), f.arena.make(batches*n)
	for i, l := range f.from[0] {
		rows[i/k] = max(rows[i/k], l)
	}
	for i, l := range f.from[1] {
		at := i/(k*n)*n + i%n
		cols[at] = max(cols[at], l)
	}
	acc, out := f.operand(2, f.n), f.arena.make(f.n)
	for i := range out {
		out[i] = max(acc[i], rows[i/n], cols[i/(m*n)*n+i%n])
	}
	return out
}

// along calls visit for each lane of the operands in row-major order, with the lane before it along the axis, -1 for
// the first, and the index of its row among all of them.
func (f *flow) along(visit func(i, before, row int)) {
	axis := trace.AxisOf(f.in)
	for i := range f.in.Operands[0].Type.Numel() {
		before := i - axis.Step
		if i/axis.Step%axis.Len == 0 {
			before = -1
		}
		visit(i, before, i/(axis.Step*axis.Len)*axis.Step+i%axis.Step)
	}
}

func (f *flow) reduce() []mark {
	lanes, out := f.merged(f.in.Operands[0].Type.Numel()), f.arena.make(f.n)
	f.along(func(i, _, row int) { out[row] = max(out[row], lanes[i]) })
	return out
}

func (f *flow) scan() []mark {
	out := append(f.arena.make(f.n)[:0], f.merged(f.n)...)
	if f.in.Bool("reverse") {
		axis := trace.AxisOf(f.in)
		for i := len(out) - 1; i >= 0; i-- {
			if i/axis.Step%axis.Len < axis.Len-1 {
				out[i] = max(out[i], out[i+axis.Step])
			}
		}
		return out
	}
	f.along(func(i, before, _ int) {
		if before >= 0 {
			out[i] = max(out[i], out[before])
		}
	})
	return out
}

// gather: an element has the mark of its index, and of the element that a known one picks.
func (f *flow) gather() []mark {
	axis := trace.AxisOf(f.in)
	by := axis.Step // of the result, too: the dimensions after the axis agree
	picks := f.in.Results[0].Type.Shape[f.in.Int("axis")]
	out := f.arena.make(f.n)
	for i := range out {
		out[i] = f.lane(1, i)
		if x, known := f.known.at(f.in.Operands[1], i); known && x >= 0 && x < int64(axis.Len) {
			out[i] = max(out[i], f.lane(0, i/(by*picks)*(by*axis.Len)+i%by+int(x)*by))
		}
	}
	return out
}

// histogram: a lane that is counted may be in any bin.
func (f *flow) histogram() []mark {
	var any mark
	mask := f.in.Operand(1)
	for i, l := range f.from[0] {
		if mask == nil || !f.known.is(mask, i, 0) {
			any = max(any, l)
		}
	}
	for _, lanes := range f.from[1:] {
		any = max(any, anyMark(lanes))
	}
	out := f.arena.make(f.n)
	for i := range out {
		out[i] = any
	}
	return out
}
