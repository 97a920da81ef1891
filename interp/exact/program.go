package exact

import (
	"context"
	"math"
	"slices"
	"strings"
	"unsafe"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/launch"
	"github.com/newtlab/newt/interp/tensor"
)

// Program says what elements of tensors mean that operations of torch and launches have computed. Trace must have been
// that of their context, and Launch must have been called for each launch.
type Program struct {
	Rules
	Trace *tensor.Trace
	// Budget bounds what is followed: the work of launches, and the operands of operations of torch. Beyond it nothing
	// is known.
	Budget int64
	// Gaps are what was not followed and is why numbers are Unknown, the first few.
	Gaps []Gap

	known    map[tensor.Write]operand
	sums     map[tensor.Element]Number // of the exponentials along a dimension of softmax, by its first element
	launched map[int]*memory           // what a launch has left in a storage, by the number of the write
	lost     bool                      // a launch was not followed
}

// Gap is an operation that is not followed.
type Gap struct {
	Op string      // of torch, by its name, or of the IR
	At source.Span // of the IR's
}

// maxGaps is how many are kept.
const maxGaps = 8

// note notes a gap.
func (r *Program) note(g Gap) {
	if len(r.Gaps) < maxGaps && !slices.Contains(r.Gaps, g) {
		r.Gaps = append(r.Gaps, g)
	}
}

// Launch follows a launch that is about to be made, by one on copies of its tensors. Where that fails, nothing is known
// of the program any more.
func (r *Program) Launch(ctx context.Context, k *launch.Kernel, args []launch.Arg, l device.Launch) {
	own, err := launch.Copied(args)
	storages := map[*byte]*device.Storage{}
	for i, a := range own {
		if a.Tensor != nil {
			storages[unsafe.SliceData(a.Tensor.Data)] = args[i].Tensor.Storage
		}
	}
	before := func(data *byte, d num.DType, at int) (Number, bool) {
		return r.at(r.Trace.InStorage(storages[data], d, at)).Number, true
	}
	following := &Launch{Rules: r.Rules, before: before, note: r.note}
	l.Budget = max(r.Budget, 1)
	if r.lost = r.lost || err != nil || following.run(ctx, k, own, l) == nil; r.lost {
		return
	}
	r.Budget -= following.work
	if r.launched == nil {
		r.launched = map[int]*memory{}
	}
	for data, m := range following.memory {
		r.launched[r.Trace.Launched(storages[data], m.dtype, func(at int) bool { return m.cells[at].isWritten() })] = m
	}
}

// Compare compares what the elements of t mean, row by row, as they are now, with those of a tensor of as many elements
// in another program. It is nil where one of the two was not followed.
func (r *Program) Compare(t *tensor.Tensor, other *Program, want *tensor.Tensor) *Comparison {
	x, y, values := r.Numbers(t), other.Numbers(want), t.Floats()
	if x == nil || y == nil {
		return nil
	}
	return r.compare(x, t.DType(), func(i int) float64 { return values[i] }, y)
}

// Numbers are what the elements of t mean, row by row, as they are now; nil where that is not known: it takes more than
// the budget, or a launch failed, or a float was handed to Python.
func (r *Program) Numbers(t *tensor.Tensor) []Number {
	out := make([]Number, t.Numel())
	for i := range out {
		out[i] = r.at(r.Trace.Element(t, i)).Number
	}
	if r.lost || r.Trace.Left(true) {
		return nil
	}
	return out
}

// at is an element. Its value is NaN where memory does not have it any more.
func (r *Program) at(e tensor.Element) operand {
	o, ok := r.Trace.Origin(e)
	value, kept := r.Trace.Value(e)
	switch {
	case !ok || !kept:
		r.note(Gap{Op: o.Op})
		return operand{Unknown, math.NaN()}
	case o.Op == "launch":
		c := &r.launched[o.Write.Number].cells[o.Write.At]
		return operand{c.read(num.FromFloat(o.DType, value)), value}
	case o.Op == "fill":
		return operand{Of(o.Value), value}
	case o.Op == "":
		return operand{Of(value), value}
	}
	x, ok := r.known[o.Write]
	if r.Budget -= int64(len(o.Of)); r.Budget < 0 {
		r.lost = true
		return operand{Unknown, value}
	}
	if !ok {
		if r.known == nil {
			r.known, r.sums = map[tensor.Write]operand{}, map[tensor.Element]Number{}
		}
		x = operand{r.computed(o, value), value}
		r.known[o.Write] = x
	}
	return x
}

// computed is what an operation gives.
func (r *Program) computed(o tensor.Origin, value float64) Number {
	switch {
	case o.DType.Info().Float:
	case o.Op == "copy": // of the bits, perhaps
		return r.at(o.Of[0]).Number
	default:
		return Of(value)
	}
	c := call{program: r, origin: o, value: value}
	x := c.number()
	if x == Unknown && !slices.ContainsFunc(o.Of, func(e tensor.Element) bool { return r.at(e).Number == Unknown }) {
		r.note(Gap{Op: o.Op})
	}
	return r.rounded(x, o.DType, value)
}

// call is one operation of torch.
type call struct {
	program *Program
	origin  tensor.Origin
	value   float64
}

// x is operand i, which is followed when it is asked for: what a gradient does not use may be gone.
func (c *call) x(i int) operand { return c.program.at(c.origin.Of[i]) }

// all are all operands.
func (c *call) all() (list []operand) {
	for i := range c.origin.Of {
		list = append(list, c.x(i))
	}
	return list
}

// apply is a function of numbers, as a step to the value of the call.
func (c *call) apply(name string, x ...Number) Number {
	args := make([]operand, len(x))
	for i, n := range x {
		args[i] = operand{n, math.NaN()}
	}
	return apply(name, args, c.value)
}

// number is what the operation gives, by torch's name for it.
func (c *call) number() Number {
	name, partial, _ := strings.Cut(c.origin.Op, " ")
	if partial != "" {
		return c.gradient(name, partial)
	}
	switch name {
	case "copy", "positive":
		return c.x(0).Number
	case "where":
		if c.x(0).value != 0 {
			return c.x(1).Number
		}
		return c.x(2).Number
	case "maximum", "minimum", "fmax", "fmin", "amax", "amin":
		return c.extreme(strings.Contains(name, "max"), c.all())
	case "relu":
		return c.extreme(true, []operand{c.x(0), {0, 0}})
	case "clamp":
		x := c.all()
		return c.extreme(false, []operand{{c.extreme(true, x[:2]), max(x[0].value, x[1].value)}, x[2]})
	case "sum", "mean", "cumsum":
		out := Number(0)
		for _, x := range c.all() {
			out = c.apply("add", out, x.Number)
		}
		if name == "mean" {
			out = c.apply("div", out, Number(len(c.origin.Of)))
		}
		return out
	case "softmax":
		return c.apply("div", exponential(c.x(0)), c.exponentials())
	case "log_softmax":
		return c.apply("sub", c.x(0).Number, c.apply("log", c.exponentials()))
	case "prod":
		out := Number(1)
		for _, x := range c.all() {
			out = c.apply("mul", out, x.Number)
		}
		return out
	case "matmul":
		out := Number(0)
		for i := 0; i < len(c.origin.Of); i += 2 {
			out = c.apply("fma", c.x(i).Number, c.x(i+1).Number, out)
		}
		return out
	}
	if isFunction(name) {
		return apply(name, c.all(), c.value)
	}
	return Unknown
}

// exponential is exp(x), whose value may be too large for its dtype.
func exponential(x operand) Number {
	if math.IsInf(x.value, -1) {
		return 0
	}
	return apply("exp", []operand{x}, 1)
}

// exponentials are the sum of those along a dimension, which a softmax divides by.
func (c *call) exponentials() Number {
	row := c.origin.Of[1:]
	sum, ok := c.program.sums[row[0]]
	if !ok {
		for _, e := range row {
			sum = c.apply("add", sum, exponential(c.program.at(e)))
		}
		c.program.sums[row[0]] = sum
	}
	return sum
}

// extreme is the largest or the smallest of some operands.
func (c *call) extreme(largest bool, x []operand) Number {
	out := x[0]
	for _, y := range x[1:] {
		if y.value != y.value || out.value != out.value {
			if c.value != c.value {
				return nan
			}
			return Unknown
		}
		if out.value != y.value && (out.value > y.value) != largest {
			out = y
		}
	}
	return out.Number
}

// gradient is the derivative of z = f(x, y), times the gradient g of z; the operands are g, x, y and z, or g, x and z.
func (c *call) gradient(name, partial string) Number {
	g := c.x(0).Number
	times := func(slope Number) Number { return c.apply("mul", g, slope) }
	switch name + " " + partial {
	case "relu dx":
		if c.x(2).value > 0 { // z has the sign
			return g
		}
		return 0
	case "neg dx":
		return c.apply("neg", g)
	case "exp dx":
		return times(c.x(2).Number)
	case "square dx":
		return times(c.apply("mul", 2, c.x(1).Number))
	case "log dx":
		return c.apply("div", g, c.x(1).Number)
	case "sqrt dx":
		return c.apply("div", g, c.apply("mul", 2, c.x(2).Number))
	case "sigmoid dx":
		y := c.x(2).Number
		return times(c.apply("mul", y, c.apply("sub", 1, y)))
	case "tanh dx":
		y := c.x(2).Number
		return times(c.apply("sub", 1, c.apply("mul", y, y)))
	case "div dx":
		return c.apply("div", g, c.x(2).Number)
	case "div dy":
		y := c.x(2).Number
		return c.apply("div", c.apply("neg", times(c.x(1).Number)), c.apply("mul", y, y))
	}
	return Unknown
}
