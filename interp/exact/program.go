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
	rows     map[row][2]Number
	launched map[int]*memory // what a launch has left in a storage, by the number of the write
	lost     bool            // a launch was not followed
}

// row is what an operation takes elements from, by the first of them: of a softmax the sum of the exponentials is
// known, of normalize the mean and the factor.
type row struct {
	op    string
	first tensor.Element
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
	if x, ok := r.known[r.Trace.LastWrite(e)]; ok {
		return x
	}
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
		return operand{Of(o.Numbers[0]), value}
	case o.Op == "number":
		return operand{Of(value), value}
	case o.Op == "":
		return operand{input(value), value}
	}
	if r.Budget -= int64(len(o.Of)); r.Budget < 0 {
		r.lost = true
		return operand{Unknown, value}
	}
	if r.known == nil {
		r.known, r.rows = map[tensor.Write]operand{}, map[row][2]Number{}
	}
	x := operand{r.computed(o, value), value}
	r.known[o.Write] = x
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
		return c.clamp(c.x(0), c.x(1), c.x(2))
	case "sum", "cumsum":
		return c.sum(c.all())
	case "mean":
		return c.apply("div", c.sum(c.all()), Number(len(c.origin.Of)))
	case "var":
		x := c.all()
		mean := c.apply("div", c.sum(x), Number(len(x)))
		return c.apply("div", c.squares(x, mean), Of(c.origin.Numbers[0]))
	case "vector_norm":
		return c.apply("sqrt", c.squares(c.all(), 0))
	case "normalize":
		return c.normalized()
	case "softmax":
		return c.apply("div", exponential(c.x(0)), c.exponentials())
	case "log_softmax":
		return c.apply("sub", c.x(0).Number, c.apply("log", c.exponentials()))
	case "prod", "cumprod":
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
	x := c.all()
	if len(x) == 1 {
		if y, ok := c.activation(name, x[0]); ok {
			return y
		}
	}
	if len(x) <= maxOperands && len(c.origin.Numbers) == 0 {
		return apply(name, x, c.value)
	}
	return Unknown
}

// The constants of the self-normalising unit (Klambauer et al., 2017).
const (
	seluAlpha = 1.6732632423543772848170429916717
	seluScale = 1.0507009873554804934193349852946
)

// activation is a function of torch.nn.functional that has branches; not ok for others.
func (c *call) activation(name string, x operand) (of Number, ok bool) {
	n := make([]Number, 2) // its numbers
	for i, v := range c.origin.Numbers {
		n[i] = Of(v)
	}
	positive := x.value > 0
	// exponential is a·(exp(x/b) - 1).
	exponential := func(a, b Number) Number {
		return c.apply("mul", a, c.apply("expm1", c.apply("div", x.Number, b)))
	}
	switch name {
	case "leaky_relu":
		return c.either(positive, x.Number, c.apply("mul", x.Number, n[0])), true
	case "elu":
		return c.either(positive, x.Number, exponential(n[0], 1)), true
	case "celu":
		return c.either(positive, x.Number, exponential(n[0], n[0])), true
	case "selu":
		return c.apply("mul", Of(seluScale), c.either(positive, x.Number, exponential(Of(seluAlpha), 1))), true
	case "hardtanh":
		return c.clamp(x, operand{n[0], c.origin.Numbers[0]}, operand{n[1], c.origin.Numbers[1]}), true
	case "relu6":
		return c.clamp(x, operand{0, 0}, operand{6, 6}), true
	case "hardsigmoid", "hardswish":
		of := operand{c.apply("add", x.Number, 3), x.value + 3}
		sixth := c.apply("div", c.clamp(of, operand{0, 0}, operand{6, 6}), 6)
		return c.either(name == "hardsigmoid", sixth, c.apply("mul", x.Number, sixth)), true
	case "softsign":
		return c.apply("div", x.Number, c.apply("add", 1, apply("abs", []operand{x}, 0))), true
	case "softplus":
		inner := c.apply("log1p", c.apply("exp", c.apply("mul", x.Number, n[0])))
		return c.either(x.value*c.origin.Numbers[0] > c.origin.Numbers[1], x.Number, c.apply("div", inner, n[0])), true
	case "threshold":
		return c.either(x.value > c.origin.Numbers[0], x.Number, n[1]), true
	}
	return Unknown, false
}

// either is one of two.
func (c *call) either(first bool, x, y Number) Number {
	if first {
		return x
	}
	return y
}

// clamp is x between two bounds.
func (c *call) clamp(x, low, high operand) Number {
	least := operand{c.extreme(true, []operand{x, low}), max(x.value, low.value)}
	return c.extreme(false, []operand{least, high})
}

// sum adds numbers.
func (c *call) sum(list []operand) Number {
	out := Number(0)
	for _, x := range list {
		out = c.apply("add", out, x.Number)
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
	of := c.origin.Of[1:]
	key := row{"softmax", of[0]}
	known, ok := c.program.rows[key]
	if !ok {
		for _, e := range of {
			known[0] = c.apply("add", known[0], exponential(c.program.at(e)))
		}
		c.program.rows[key] = known
	}
	return known[0]
}

// normalized is an element less the mean of its row, if that is asked for, divided by the root of the mean square.
func (c *call) normalized() Number {
	n, of := c.origin.Numbers, c.origin.Of[1:]
	weight, bias := Number(1), Number(0)
	if n[2] != 0 {
		weight, of = c.program.at(of[0]).Number, of[1:]
	}
	if n[3] != 0 {
		bias, of = c.program.at(of[0]).Number, of[1:]
	}
	key := row{"normalize", of[0]}
	known, ok := c.program.rows[key]
	if !ok {
		list := make([]operand, len(of))
		for i, e := range of {
			list[i] = c.program.at(e)
		}
		if n[1] != 0 {
			known[0] = c.apply("div", c.sum(list), Number(len(of)))
		}
		variance := c.apply("div", c.squares(list, known[0]), Number(len(of)))
		known[1] = c.apply("rsqrt", c.apply("add", variance, Of(n[0])))
		c.program.rows[key] = known
	}
	x := c.apply("mul", c.apply("sub", c.x(0).Number, known[0]), known[1])
	return c.apply("fma", x, weight, bias)
}

// squares is the sum of the square differences from a number.
func (c *call) squares(list []operand, from Number) Number {
	out := Number(0)
	for _, x := range list {
		out = c.apply("add", out, c.apply("square", c.apply("sub", x.Number, from)))
	}
	return out
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
