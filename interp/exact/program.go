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
	case !ok:
		r.note(Gap{Op: o.Op})
		return operand{Unknown, value}
	case o.Op == "launch":
		return r.left(o, value, kept)
	case o.Op == "fill":
		return operand{Of(o.Value), o.Value}
	case o.Op == "" && kept:
		return operand{Of(value), value}
	case o.Op == "":
		return operand{Unknown, math.NaN()}
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
		x = r.computed(o, value, kept)
		r.known[o.Write] = x
	}
	return x
}

// left is an element that a launch has written, whose value is known if it was kept.
func (r *Program) left(o tensor.Origin, value float64, kept bool) operand {
	c := &r.launched[o.Write.Number].cells[o.Write.At]
	switch {
	case kept:
		return operand{c.read(num.FromFloat(o.DType, value)), value}
	case c.state == integer:
		return operand{Unknown, math.NaN()}
	}
	return operand{c.Number, math.NaN()}
}

// computed is what an operation gives, whose value is known if it was kept.
func (r *Program) computed(o tensor.Origin, value float64, kept bool) operand {
	if !kept {
		value = math.NaN()
	}
	if !o.DType.Info().Float {
		if o.Op == "copy" {
			return r.at(o.Of[0])
		}
		if !kept {
			return operand{Unknown, value}
		}
		return operand{Of(value), value}
	}
	c := call{program: r, origin: o, value: value, kept: kept}
	x := c.number()
	if x == Unknown && !slices.ContainsFunc(o.Of, func(e tensor.Element) bool { return r.at(e).Number == Unknown }) {
		r.note(Gap{Op: o.Op})
	}
	if y := r.rounded(x, o.DType, value); y == x || kept {
		return operand{y, value}
	}
	return operand{Unknown, value}
}

// call is one operation of torch.
type call struct {
	program *Program
	origin  tensor.Origin
	value   float64
	kept    bool
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

// apply is a function of numbers, in which r is the value of the call.
func (c *call) apply(name string, x ...Number) Number {
	args, r := make([]operand, len(x)), c.value
	for i, n := range x {
		if args[i] = (operand{n, math.NaN()}); !n.finite() && !c.kept {
			return Unknown
		}
	}
	if !c.kept { // then it is not known to be infinite, or to have underflowed
		r = 1
	}
	return apply(name, args, r)
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
	case "add", "sub", "mul", "div":
		return c.apply(name, c.x(0).Number, c.x(1).Number)
	case "where":
		return c.choose(c.x(0), func(v operand) bool { return v.value != 0 }, 1, 2)
	case "maximum", "minimum", "fmax", "fmin", "amax", "amin":
		return c.extreme(strings.Contains(name, "max"), c.all())
	case "relu":
		return c.relu()
	case "clamp":
		inner := c.all()
		low := c.pick(inner[0], inner[1], inner[0].value >= inner[1].value)
		return c.pick(low, inner[2], low.value <= inner[2].value).Number
	case "sum", "mean":
		return c.sum(name == "mean")
	case "cumsum":
		return c.sum(false)
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
	case "square":
		return c.apply("mul", c.x(0).Number, c.x(0).Number)
	case "reciprocal":
		return c.apply("div", 1, c.x(0).Number)
	case "pow":
		return c.power(c.x(0), c.x(1))
	case "sigmoid", "silu", "tanh", "expm1", "log1p", "logsigmoid":
		if x := c.x(0).Number; x.finite() {
			return c.apply("add", 0, composed(name, x))
		}
		return c.special()
	}
	return c.function(name)
}

// composed are functions that kernels write with others.
func composed(name string, x Number) Number {
	switch name {
	case "sigmoid":
		return inverse(add(1, exp(neg(x))))
	case "silu":
		return div(x, add(1, exp(neg(x))))
	case "tanh":
		e := exp(add(x, x))
		return div(sub(e, 1), add(e, 1))
	case "expm1":
		return sub(exp(x), 1)
	case "log1p":
		return log(add(1, x))
	}
	return neg(log(add(1, exp(neg(x))))) // logsigmoid
}

// special is the value of the call where an operand is not finite.
func (c *call) special() Number {
	if c.x(0).Number == Unknown || !c.kept {
		return Unknown
	}
	return Of(c.value)
}

// function is a function of one operand whose value matters.
func (c *call) function(name string) Number {
	switch name {
	case "neg", "abs", "exp", "exp2", "log", "log2", "sqrt", "rsqrt", "sin", "cos", "erf", "floor", "ceil":
		x := c.x(0)
		if !c.kept || x.value != x.value && x.Number != nan {
			return Unknown
		}
		return apply(name, []operand{x}, c.value)
	case "trunc", "round", "sign":
		if c.kept {
			return Of(c.value)
		}
	}
	return Unknown
}

// sum adds all operands.
func (c *call) sum(mean bool) Number {
	out := Number(0)
	for _, x := range c.all() {
		out = c.apply("add", out, x.Number)
	}
	if mean {
		return c.apply("div", out, Number(len(c.origin.Of)))
	}
	return out
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

// power is x to the y.
func (c *call) power(x, y operand) Number {
	n := math.Abs(y.value)
	switch {
	case y.Number != Of(y.value) || !x.finite() || !c.kept:
		return Unknown
	case n == math.Trunc(n) && n <= 64:
		z := power(x.Number, uint64(n))
		if y.value < 0 {
			return inverse(z)
		}
		return z
	case n == 0.5:
		z := root(x.Number, math.Pow(c.value, y.value/n))
		if y.value < 0 {
			return inverse(z)
		}
		return z
	}
	return opaque("pow", x.Number, y.Number)
}

// extreme is the largest or the smallest of some operands.
func (c *call) extreme(largest bool, x []operand) Number {
	out := x[0]
	for _, y := range x[1:] {
		out = c.pick(out, y, out.value == y.value || (out.value > y.value) == largest)
	}
	return out.Number
}

// relu chooses by its result, since it may have been computed in place.
func (c *call) relu() Number {
	switch {
	case !c.kept:
		return Unknown
	case c.value <= 0:
		return 0
	}
	return c.x(0).Number
}

// pick is one of two operands whose values are known.
func (c *call) pick(x, y operand, first bool) operand {
	switch {
	case x.value != x.value || y.value != y.value:
		return operand{Unknown, math.NaN()}
	case first:
		return x
	}
	return y
}

// choose is one of two operands, by a third.
func (c *call) choose(by operand, holds func(operand) bool, yes, no int) Number {
	switch {
	case by.value != by.value:
		return Unknown
	case holds(by):
		return c.x(yes).Number
	}
	return c.x(no).Number
}

// gradient is the derivative of z = f(x, y), times the gradient g of z; the operands are g, x, y and z, or g, x and z.
func (c *call) gradient(name, partial string) Number {
	g := c.x(0).Number
	times := func(slope Number) Number { return c.apply("mul", g, slope) }
	switch name + " " + partial {
	case "relu dx":
		if x := c.x(2); x.value == x.value { // z has the sign
			if x.value > 0 {
				return g
			}
			return 0
		}
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
