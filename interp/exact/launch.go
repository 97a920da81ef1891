package exact

import (
	"context"
	"math"
	"slices"
	"unsafe"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/types"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/launch"
	"github.com/newtlab/newt/interp/trace"
)

// Launch is what the floats of a launch mean, computed beside it by an observer. Addresses, masks, branches,
// comparisons and what min and max choose are those of the launch; so are integers.
type Launch struct {
	Rules
	// before is what an element of memory meant before the launch, by its number as one of a dtype; false for an input.
	before func(data *byte, d num.DType, at int) (Number, bool)
	note   func(Gap) // hears of what is not followed; nil for nobody
	work   int64     // of the launch

	args    []trace.Buffer
	memory  map[*byte]*memory
	numbers map[*ir.Value][]Number // of floats
	lanes   map[*ir.Value]num.Vec  // of all values
	// unsure are integers and truth values that were made of the bits of a float: nobody knows what a float means that
	// is made of them.
	unsure  map[*ir.Value]bool
	sources map[*ir.Instr][]int32     // of operations that move lanes, by result
	library map[*ir.Value]libraryCall // by its result
	control trace.Flow
	program [3]int
	access  trace.Access
	close   float64 // see setClose
}

// memory is what the elements of a storage mean that the launch has read or written.
type memory struct {
	dtype num.DType // or another one of its width
	cells []cell
}

// cell is what an element means, and its bits: where there are others, something else has written them.
type cell struct {
	Number
	bits  uint64
	state state
}

// state says where a cell has its number from.
type state uint8

const (
	untouched state = iota
	loaded          // it is what it was before the launch
	integer         // the launch has written an integer: as a float it is what its bits are
	stored          // the launch has written it
)

// Run launches a kernel on args, whose tensors are Data, and follows what their elements mean. It is nil where the
// launch fails.
func (a Rules) Run(ctx context.Context, k *launch.Kernel, args []launch.Arg, l device.Launch) *Launch {
	return (&Launch{Rules: a}).run(ctx, k, args, l)
}

func (l *Launch) run(ctx context.Context, k *launch.Kernel, args []launch.Arg, with device.Launch) *Launch {
	k = k.Observable() // one operation for each that the source has
	l.memory, l.sources, l.program = map[*byte]*memory{}, map[*ir.Instr][]int32{}, [3]int{-1}
	l.numbers, l.lanes, l.unsure = map[*ir.Value][]Number{}, map[*ir.Value]num.Vec{}, map[*ir.Value]bool{}
	for i, v := range k.Numbers(args) {
		if p := k.Func.Params[i].Value; !p.Type.Pointer {
			if l.lanes[p] = v.Vec(); isFloat(p) {
				l.numbers[p] = []Number{Of(v.Float())}
			}
		}
	}
	l.library = map[*ir.Value]libraryCall{}
	for _, c := range k.Library {
		l.library[c.Result] = libraryCall{c.Name, c.Args}
	}
	with.Observer = l
	report, fault := k.Run(ctx, launch.Target{Device: launch.ObservingInterpreter}, args, with)
	if l.work = report.Work; fault != nil {
		return nil
	}
	return l
}

// Launch implements trace.Observer.
func (l *Launch) Launch(_ [3]int, args []trace.Buffer) { l.args = args }

func isFloat(v *ir.Value) bool { return !v.Type.Pointer && v.Type.DType.Info().Float }

// Watches is true of every program.
func (l *Launch) Watches([3]int) bool { return true }

// Access keeps the lanes for the operation that made the access, which comes next.
func (l *Launch) Access(a *trace.Access) { l.access = *a }

// Operation follows one operation.
func (l *Launch) Operation(o *trace.Operation) {
	if o.Program != l.program {
		l.program = o.Program
		l.control.Forget()
	}
	in := o.Instr
	switch {
	case o.Region != nil:
		l.move(l.control.Enter(in, o.Region))
		l.keep(o.Region.Args, o.Lanes)
	case in.Op == ops.If || in.Op == ops.For || in.Op == ops.While:
		l.move(l.control.Leave(in))
		l.keep(in.Results, o.Lanes)
	default:
		l.keep(in.Results, o.Lanes)
		l.follow(in)
	}
	if o.Region == nil && len(l.library) > 0 {
		l.called(in)
	}
}

// libraryCall is a call of a function of libdevice.
type libraryCall struct {
	name string
	args []*ir.Value
}

// called gives what functions of libdevice mean by their names, where apply knows them or where they make floats of
// bits.
func (l *Launch) called(in *ir.Instr) {
	for _, r := range in.Results {
		c, ok := l.library[r]
		if !ok || !isFloat(r) || len(c.args) > maxOperands {
			continue
		}
		name, known := libraryFunction(c.name)
		out, x := make([]Number, r.Type.Numel()), make([]operand, len(c.args))
		for i := range out {
			if out[i] = l.number(r, i); !known && out[i] != Unknown {
				continue
			}
			for k, v := range c.args {
				x[k] = operand{l.number(v, i), l.value(v, i)}
			}
			out[i] = l.rounded(apply(name, x, l.value(r, i)), r.Type.DType, l.value(r, i))
		}
		l.numbers[r] = out
	}
}

// keep copies the lanes of values.
func (l *Launch) keep(values []*ir.Value, lanes []num.Vec) {
	for i, v := range values {
		l.lanes[v] = lanes[i].Clone()
	}
}

// move gives each of to what is known of the value in its place of from, all at once.
func (l *Launch) move(to, from []*ir.Value) {
	numbers, unsure := make([][]Number, len(to)), make([]bool, len(to))
	for i, v := range from {
		numbers[i], unsure[i] = l.numbers[v], l.unsure[v]
	}
	for i, v := range to {
		l.numbers[v], l.unsure[v] = numbers[i], unsure[i]
	}
}

// follow finds what the results of an operation mean.
func (l *Launch) follow(in *ir.Instr) {
	unsure := in.Op == ops.InlineAsm || in.Op == ops.InlineAsmVolatile
	for i, v := range in.Operands {
		decides := in.Op == ops.Select && i == 0 // as the launch does
		unsure = unsure || v != nil && l.unsure[v] && !decides
	}
	unsure = unsure || in.Op == ops.Bitcast && isFloat(in.Operands[0]) != isFloat(in.Results[0])
	switch in.Op {
	case ops.Load, ops.AtomicLoad:
		l.load(in)
		return
	case ops.Store, ops.AtomicStore, ops.AtomicRMW, ops.AtomicCAS:
		l.store(in)
		return
	}
	for i, r := range in.Results {
		switch out := make([]Number, r.Type.Numel()); {
		case !isFloat(r):
			l.unsure[r] = unsure && !r.Type.Pointer
			l.decide(in, r)
		case unsure:
			for k := range out {
				out[k] = Unknown
			}
			l.numbers[r] = out
			l.gap(in)
		default:
			l.compute(in, i, out)
			l.numbers[r] = out
		}
	}
}

// decide notes which lanes of a comparison, or of what is made of some, may as well be otherwise.
func (l *Launch) decide(in *ir.Instr, r *ir.Value) {
	delete(l.numbers, r)
	switch in.Op {
	case ops.Eq, ops.Ne, ops.Lt, ops.Le, ops.Gt, ops.Ge:
		if !isFloat(in.Operands[0]) {
			return
		}
		l.setClose(in)
	case ops.And, ops.Or, ops.Xor:
		if l.numbers[in.Operands[0]] == nil && l.numbers[in.Operands[1]] == nil {
			return
		}
	default:
		return
	}
	out, any := make([]Number, r.Type.Numel()), Number(0)
	x := make([]operand, len(in.Operands))
	for i := range out {
		l.operands(x, in, i)
		out[i] = l.compared(in, x)
		any |= out[i]
	}
	if any != 0 {
		l.numbers[r] = out
	}
}

// operands are lane i of an operation's operands.
func (l *Launch) operands(x []operand, in *ir.Instr, i int) {
	for k, v := range in.Operands {
		x[k] = operand{l.number(v, i), l.value(v, i)}
	}
}

// gap notes an operation that is not followed.
func (l *Launch) gap(in *ir.Instr) {
	if l.note != nil {
		l.note(Gap{in.Op.String(), in.Span})
	}
}

// compute finds what the lanes of a result mean.
func (l *Launch) compute(in *ir.Instr, result int, out []Number) {
	r := in.Results[result]
	switch in.Op {
	case ops.Dot:
		l.dot(in, out)
	case ops.Reduce, ops.Scan:
		l.combine(in, result, out)
		return // which has rounded
	case ops.Gather:
		l.gather(in, out)
	case ops.Splat, ops.ExpandDims, ops.Broadcast, ops.Reshape, ops.Trans, ops.Join, ops.Split:
		for i, from := range l.source(in, result) {
			operand := 0
			if in.Op == ops.Join {
				operand = i % 2
			}
			out[i] = l.number(in.Operands[operand], int(from))
		}
	default:
		if !isFollowed(in.Op) {
			l.gap(in)
		}
		if in.Op == ops.Min || in.Op == ops.Max || in.Op == ops.Abs {
			l.setClose(in)
		}
		x := make([]operand, len(in.Operands))
		for i := range out {
			l.operands(x, in, i)
			out[i] = l.element(in, x, l.value(r, i))
		}
		return
	}
	for i := range out {
		out[i] = l.narrowed(in, out[i], l.value(r, i))
	}
}

// number is what lane i of v means, of which a number has one for all; of an integer it is its value, in doubt where
// l.numbers has that.
func (l *Launch) number(v *ir.Value, i int) Number {
	lanes := l.numbers[v]
	if !isFloat(v) {
		switch {
		case v.Type.Pointer:
			return Unknown
		case lanes == nil:
			return Of(l.value(v, i))
		case len(lanes) == 1:
			return Of(l.value(v, i)) | lanes[0]
		}
		return Of(l.value(v, i)) | lanes[i]
	}
	if len(lanes) == 1 {
		i = 0
	}
	if i >= len(lanes) {
		return Unknown
	}
	return lanes[i]
}

// value is lane i of v, of which a number has one for all.
func (l *Launch) value(v *ir.Value, i int) float64 {
	lanes := l.lanes[v]
	if lanes.Len() == 1 {
		i = 0
	}
	if i >= lanes.Len() {
		return math.NaN()
	}
	return valueAt(v.Type, lanes, i)
}

func valueAt(t types.Type, lanes num.Vec, i int) float64 {
	switch {
	case lanes.F64 != nil:
		return lanes.F64[i]
	case lanes.F32 != nil:
		return float64(lanes.F32[i])
	case t.Pointer:
		return float64(lanes.I64[i])
	}
	return num.ScalarAt(t.DType, lanes, i).Float()
}

// source are the lanes that those of a result are moved from.
func (l *Launch) source(in *ir.Instr, result int) []int32 {
	if known, ok := l.sources[in]; ok && result == 0 {
		return known
	}
	shape := in.Results[result].Type.Shape
	from := make([]int32, in.Results[result].Type.Numel())
	steps := types.Strides(shape)
	switch in.Op {
	case ops.Splat:
		steps = make([]int, len(shape))
	case ops.Broadcast:
		steps = types.Strides(in.Operands[0].Type.Shape)
		for d, n := range in.Operands[0].Type.Shape {
			if n == 1 {
				steps[d] = 0
			}
		}
	case ops.Trans:
		strides := types.Strides(in.Operands[0].Type.Shape)
		for d, k := range in.Ints("perm") {
			steps[d] = strides[k]
		}
	}
	for i := range from {
		rest := i
		for d := len(shape) - 1; d >= 0; d-- {
			from[i] += int32(rest % shape[d] * steps[d])
			rest /= shape[d]
		}
		switch in.Op {
		case ops.Join:
			from[i] = int32(i / 2)
		case ops.Split:
			from[i] = int32(2*i + result)
		}
	}
	if result == 0 {
		l.sources[in] = from
	}
	return from
}

// gather picks lanes by the launch's indices.
func (l *Launch) gather(in *ir.Instr, out []Number) {
	v, index := in.Operands[0], in.Operands[1]
	axis, picks := trace.AxisOf(in), index.Type.Shape[in.Int("axis")]
	by := axis.Step
	for i := range out {
		if k := int(l.value(index, i)); k >= 0 && k < axis.Len {
			out[i] = l.number(v, i/(by*picks)*(by*axis.Len)+i%by+k*by)
		} else {
			out[i] = Unknown
		}
	}
}

// dot is a matrix product added to an accumulator.
func (l *Launch) dot(in *ir.Instr, out []Number) {
	a, b, acc := l.numbers[in.Operands[0]], l.numbers[in.Operands[1]], l.numbers[in.Operands[2]]
	shape, last := in.Operands[0].Type.Shape, in.Operands[1].Type.Shape
	rows, inner, cols := shape[len(shape)-2], shape[len(shape)-1], last[len(last)-1]
	for i := range out {
		at, row, col := i/(rows*cols), i/cols%rows, i%cols
		r := l.value(in.Results[0], i)
		out[i] = acc[i]
		for k := range inner {
			x, y := a[(at*rows+row)*inner+k], b[(at*inner+k)*cols+col]
			if max(x, y, out[i]) < modulus {
				out[i] = add(out[i], mul(x, y))
			} else {
				out[i] = apply("fma", []operand{{x, r}, {y, r}, {out[i], r}}, r)
			}
		}
	}
}

// load gives what memory means: what the launch has written there, or the value that is there.
func (l *Launch) load(in *ir.Instr) {
	r := in.Results[0]
	if !isFloat(r) {
		l.unsure[r] = false
		return
	}
	out := make([]Number, max(1, r.Type.Numel()))
	for i := range out {
		if c := l.cell(i); c != nil {
			out[i] = l.read(c, i, num.ScalarAt(r.Type.DType, l.lanes[r], i))
		} else if out[i] = input(l.value(r, i)); in.Operand(2) != nil && !l.access.Active(i) {
			out[i] = l.number(in.Operand(2), i)
		}
	}
	l.numbers[r] = out
}

// read is what the element of lane i of the last access means, whose value is v.
func (l *Launch) read(c *cell, i int, v num.Scalar) Number {
	if c.state == untouched && l.before != nil {
		data, at := l.place(i)
		if n, ok := l.before(unsafe.SliceData(data), v.DType, at); ok {
			*c = cell{n, v.Bits, loaded}
		}
	}
	return c.read(v)
}

// read is what an element means that holds a value.
func (c *cell) read(v num.Scalar) Number {
	switch changed := c.bits != v.Bits; {
	case c.state == integer:
		return input(v.Float())
	case c.state == untouched, c.state == loaded && changed:
		*c = cell{input(v.Float()), v.Bits, loaded}
	case changed:
		return Unknown
	}
	return c.Number
}

// place is the element that lane i of the last access reaches, by its number as one of the access's dtype; data is
// empty where there is none.
func (l *Launch) place(i int) (data []byte, at int) {
	if !l.access.Active(i) {
		return nil, 0
	}
	arg, offset := trace.Split(l.access.Ptr[i])
	if arg >= len(l.args) {
		return nil, 0
	}
	b, width := &l.args[arg], int64(l.access.DType.Info().Bytes)
	from := offset*width + int64(b.Offset*b.DType.Info().Bytes)
	if from < 0 || from+width > int64(len(b.Data)) {
		return nil, 0
	}
	return b.Data, int(from / width)
}

// cell is that of the element that lane i of the last access reaches; nil where it reaches none.
func (l *Launch) cell(i int) *cell {
	data, at := l.place(i)
	if len(data) == 0 {
		return nil
	}
	key, width := unsafe.SliceData(data), l.access.DType.Info().Bytes
	m := l.memory[key]
	if m == nil || m.dtype.Info().Bytes != width {
		cells := make([]cell, len(data)/width)
		if m != nil && slices.ContainsFunc(m.cells, cell.isWritten) { // in another width
			for k := range cells {
				cells[k] = cell{Number: Unknown, state: stored}
			}
		}
		m = &memory{l.access.DType, cells}
		l.memory[key] = m
	}
	return &m.cells[at]
}

func (c cell) isWritten() bool { return c.state >= integer }

// store writes what a store or an atomic operation writes, lane by lane.
func (l *Launch) store(in *ir.Instr) {
	v, d := in.Operands[1], l.access.DType
	var old []Number
	if len(in.Results) > 0 && isFloat(in.Results[0]) {
		old = make([]Number, max(1, in.Results[0].Type.Numel()))
	}
	if old != nil {
		l.setClose(in)
	}
	for i := range l.access.Ptr {
		c := l.cell(i)
		switch x := (operand{l.number(v, i), l.value(v, i)}); {
		case c == nil && old != nil:
			old[i] = Unknown
		case c == nil:
		case l.unsure[v]:
			*c = cell{Number: Unknown, state: stored}
		case !isFloat(v):
			c.state = integer
		case old == nil:
			*c = cell{x.Number, num.ScalarAt(d, l.access.Values, i).Bits, stored}
		default:
			before := operand{l.read(c, i, num.ScalarAt(d, l.lanes[in.Results[0]], i)), l.value(in.Results[0], i)}
			after, value := l.exchanged(in, before, x)
			old[i], *c = before.Number, cell{after, num.FromFloat(d, value).Bits, stored}
		}
	}
	if old != nil {
		l.numbers[in.Results[0]] = old
	}
}

// exchanged is what an atomic operation leaves in memory.
func (l *Launch) exchanged(in *ir.Instr, before, x operand) (Number, float64) {
	if in.Op != ops.AtomicRMW {
		return Unknown, 0
	}
	switch in.Str("rmw") {
	case "add":
		v := before.value + x.value
		return apply("add", []operand{before, x}, v), v
	case "xchg":
		return x.Number, x.value
	case "max":
		return l.chosen(before, x, before.value >= x.value), max(before.value, x.value)
	case "min":
		return l.chosen(before, x, before.value <= x.value), min(before.value, x.value)
	}
	return Unknown, 0
}

// Numbers are what the elements mean of memory that the launch may have written, of dtype d.
func (l *Launch) Numbers(data []byte, d num.DType) []Number {
	width := d.Info().Bytes
	values := num.MakeVec(d.Info().Class, len(data)/width)
	num.Load(d, values, data)
	m, out := l.memory[unsafe.SliceData(data)], make([]Number, values.Len())
	for i := range out {
		if v := num.ScalarAt(d, values, i); m != nil && m.dtype.Info().Bytes == width && d.Info().Float {
			out[i] = m.cells[i].read(v)
		} else {
			out[i] = input(v.Float())
		}
	}
	return out
}

// Comparison says of the elements of a result, by number, which do not mean what they are to mean.
type Comparison struct {
	Elements  int
	Different []int
	Unknown   []int // of which it is not known
}

// compare compares what elements of dtype d mean, whose values are known, with what they are to mean.
func (a Rules) compare(got []Number, d num.DType, value func(i int) float64, want []Number) *Comparison {
	out := &Comparison{Elements: len(want)}
	for i, y := range want {
		switch y = a.rounded(y, d, value(i)); { // what it is to be may be of another dtype
		case got[i] != Unknown && Equal(got[i], y):
		case got[i] == Unknown || y == Unknown || (got[i]|y)&doubt != 0:
			out.Unknown = append(out.Unknown, i)
		default:
			out.Different = append(out.Different, i)
		}
	}
	return out
}

// Compare compares the elements of memory that the launch may have written, of dtype d and in their order, with what
// they are to mean.
func (l *Launch) Compare(data []byte, d num.DType, want []Number) *Comparison {
	got := l.Numbers(data, d)
	values := num.MakeVec(d.Info().Class, len(got))
	num.Load(d, values, data)
	return l.compare(got, d, func(i int) float64 { return num.ScalarAt(d, values, i).Float() }, want)
}
