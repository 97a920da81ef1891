package exact

import (
	"math"
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/interp/trace"
)

// operand is a lane of an operand: what it means, and its value.
type operand struct {
	Number
	value float64
}

// Rules are what counts as a difference.
type Rules struct {
	// IgnoreRounding has a narrow dtype keep what a number means that is rounded to it; else the rounded number is a
	// function of the number and the dtype.
	IgnoreRounding bool
}

// element is what a lane means that an elementwise operation gives, whose value is r.
func (l *Launch) element(in *ir.Instr, x []operand, r float64) Number {
	switch in.Op {
	case ops.Select:
		y := x[2].Number
		if x[0].value != 0 {
			y = x[1].Number
		}
		if !Equal(x[1].Number, x[2].Number) && y.finite() {
			y |= x[0].Number & doubt
		}
		return y
	case ops.Min:
		return l.chosen(x[0], x[1], x[0].value <= x[1].value || x[1].value != x[1].value)
	case ops.Max:
		return l.chosen(x[0], x[1], x[0].value >= x[1].value || x[1].value != x[1].value)
	case ops.Abs:
		return l.chosen(x[0], operand{apply("neg", x, r), -x[0].value}, x[0].value >= 0)
	case ops.Const, ops.Hint, ops.Cast, ops.Bitcast:
		if len(x) == 0 {
			return Of(in.Scalar("value").Float())
		}
		return l.narrowed(in, x[0].Number, r)
	}
	name := functionOf(in.Op)
	if name == "" {
		return Unknown
	}
	return l.narrowed(in, apply(name, x, r), r)
}

// isFollowed reports whether element knows an operation.
func isFollowed(op ops.Op) bool {
	switch op {
	case ops.Select, ops.Min, ops.Max, ops.Abs, ops.Const, ops.Hint, ops.Cast, ops.Bitcast:
		return true
	}
	return functionOf(op) != ""
}

// functionOf names the function that an operation is; empty where it is none that is followed.
func functionOf(op ops.Op) string {
	switch op {
	case ops.DivRN:
		return "div"
	case ops.SqrtRN:
		return "sqrt"
	case ops.Add, ops.Sub, ops.Mul, ops.Div, ops.FMA, ops.Rem, ops.Exp, ops.Exp2, ops.Log, ops.Log2, ops.Sin, ops.Cos,
		ops.Sqrt, ops.Rsqrt, ops.Erf, ops.Floor, ops.Ceil, ops.Neg:
		return op.String()
	}
	return ""
}

// chosen is one of two, as their values say: which it is may be chance where these are close.
func (l *Launch) chosen(x, y operand, first bool) Number {
	of := y.Number
	if first {
		of = x.Number
	}
	if of.finite() && math.Abs(x.value-y.value) <= l.close && !Equal(x.Number, y.Number) {
		return of | doubt
	}
	return of
}

// compared is doubt where values that are compared are close, and mean something else.
func (l *Launch) compared(in *ir.Instr, x []operand) Number {
	switch in.Op {
	case ops.Eq, ops.Ne, ops.Lt, ops.Le, ops.Gt, ops.Ge:
		if isFloat(in.Operands[0]) && math.Abs(x[0].value-x[1].value) <= l.close && !Equal(x[0].Number, x[1].Number) {
			return doubt
		}
	case ops.And, ops.Or, ops.Xor:
		return (x[0].Number | x[1].Number) & doubt
	}
	return 0
}

// ulps is how many units in the last place of the largest lane the values of two lanes may be apart that rounding could
// exchange.
const ulps = 4

// setClose sets what is close among the lanes of an operation's float operands.
func (l *Launch) setClose(in *ir.Instr) {
	l.close = 0
	dtype := num.Float32
	for _, v := range in.Operands {
		if v == nil || !isFloat(v) {
			continue
		}
		dtype = v.Type.DType
		for i := range l.lanes[v].Len() {
			if x := math.Abs(l.value(v, i)); x > l.close && x <= math.MaxFloat32 {
				l.close = x
			}
		}
	}
	switch dtype {
	case num.Float64:
		l.close *= ulps * 0x1p-52
	case num.Float32:
		l.close *= ulps * 0x1p-23
	case num.Float16:
		l.close *= ulps * 0x1p-10
	default:
		l.close *= ulps * 0x1p-7
	}
}

// libraryFunction is apply's name for a function of libdevice; known is false where that is libdevice's own.
func libraryFunction(name string) (of string, known bool) {
	switch name {
	case "exp", "exp10", "expm1", "log1p", "log10", "pow", "sinh", "cosh", "tanh", "tan", "erfc", "hypot", "trunc":
		return name, true
	case "rint", "nearbyint":
		return "round", true
	case "round":
		return "round away from 0", true
	case "fast_dividef":
		return "div", true
	case "rcp_rn", "rcp_rz", "rcp_rd", "rcp_ru":
		return "reciprocal", true
	}
	if fast, ok := strings.CutPrefix(name, "fast_"); ok {
		return strings.TrimSuffix(fast, "f"), true
	}
	for _, of := range []string{"add", "sub", "mul", "div", "fma", "sqrt", "rsqrt"} {
		if strings.HasPrefix(name, of+"_r") {
			return of, true
		}
	}
	return name, false
}

// masking is how large a number is with which people leave a score out where others take inf: its exponential is 0. The
// exponentials of other numbers are what they are, also where fp32 has 0 for them, since factors may make up for it.
const masking = 5000

// maxOperands is how many a function has at most.
const maxOperands = 3

// apply is what a function of real numbers means, whose value is r.
func apply(name string, x []operand, r float64) Number {
	var args [maxOperands]operand
	kept := Number(0)
	for i, a := range x {
		switch {
		case a.Number == Unknown:
			return Unknown
		case !a.finite():
			return Of(r)
		}
		if a.Number&imaginary != 0 && isSquared(name, x, i) {
			kept |= doubt
		}
		kept |= a.Number & marks
		args[i] = operand{a.Number &^ marks, a.value}
	}
	if r-r != 0 { // an overflow, or no number
		return Of(r)
	}
	if lacksInverse(name, args[0].Number, args[1].Number) {
		kept |= doubt
	}
	return function(name, args, r) | kept
}

// lacksInverse reports whether a function divides by a multiple of p, or has no more than its name there: one number in
// p is one by chance.
func lacksInverse(name string, x, y Number) bool {
	switch name {
	case "div", "rem":
		return y%p == 0
	case "reciprocal", "sqrt", "rsqrt", "pow", "hypot", "log", "log2", "log10":
		return x%p == 0
	case "log1p":
		return add(x, 1)%p == 0
	}
	return false
}

// isSquared reports whether a function multiplies an imaginary operand by one.
func isSquared(name string, x []operand, i int) bool {
	switch name {
	case "mul", "div", "fma", "rem":
		return i == 1 && x[0].Number&imaginary != 0
	case "square", "pow", "sqrt", "rsqrt":
		return true
	}
	return false
}

// function is apply for finite numbers.
func function(name string, x [maxOperands]operand, r float64) Number {
	a, b := x[0].Number, x[1].Number
	switch name {
	case "neg":
		return neg(a)
	case "abs":
		if x[0].value < 0 {
			return neg(a)
		}
		return a
	case "add":
		return add(a, b)
	case "sub":
		return sub(a, b)
	case "mul":
		return mul(a, b)
	case "div":
		return div(a, b)
	case "reciprocal":
		return inverse(a)
	case "fma":
		return add(mul(a, b), x[2].Number)
	case "rem":
		return sub(a, mul(Of(math.Trunc(x[0].value/x[1].value)), b))
	case "exp", "exp2":
		switch {
		case x[0].value < -masking:
			return 0
		case name == "exp2":
			return exp2(a)
		}
		return exp(a)
	case "log":
		return log(a)
	case "log2":
		return mul(log(a), log2e())
	case "sqrt":
		return root(a)
	case "rsqrt":
		y := root(a)
		return inverse(y&^marks) | y&marks
	case "square":
		return mul(a, a)
	case "pow":
		return raised(a, x[1])
	case "hypot":
		return root(add(mul(a, a), mul(b, b)))
	case "floor", "ceil", "trunc", "round", "round away from 0", "sign":
		return Of(r) | isStep(x[0])
	case "sin", "erf":
		return odd(name, a)
	case "cos":
		return even(name, a)
	case "sigmoid":
		return sigmoid(a)
	case "logsigmoid":
		return log(sigmoid(a))
	case "silu":
		return mul(a, sigmoid(a))
	case "mish":
		return mul(a, tanh(log(add(1, exp(a)))))
	case "gelu":
		return mul(mul(a, half), add(1, odd("erf", mul(a, inverse(root(2))))))
	case "gelu_tanh":
		inner := add(a, mul(Of(0.044715), mul(a, mul(a, a))))
		return mul(mul(a, half), add(1, tanh(mul(Of(math.Sqrt2/math.SqrtPi), inner))))
	case "tanh":
		return tanh(a)
	case "sinh":
		return mul(sub(exp(a), exp(neg(a))), half)
	case "cosh":
		return mul(add(exp(a), exp(neg(a))), half)
	case "tan":
		return div(odd("sin", a), even("cos", a))
	case "exp10":
		return exp(mul(a, log(10)))
	case "log10":
		return div(log(a), log(10))
	case "expm1":
		return sub(exp(a), 1)
	case "log1p":
		return log(add(1, a))
	case "erfc":
		return sub(1, odd("erf", a))
	}
	// Of the others nothing is known but their name, and people write them otherwise.
	return opaque(name, a, b, x[2].Number) | doubt
}

func sigmoid(a Number) Number { return inverse(add(1, exp(neg(a)))) }

func tanh(a Number) Number {
	e := exp(add(a, a))
	return div(sub(e, 1), add(e, 1))
}

// odd is a function with f(-x) = -f(x).
func odd(name string, a Number) Number {
	if a%cube > cube/2 {
		return neg(opaque(name, neg(a)))
	}
	return opaque(name, a)
}

// even is a function with f(-x) = f(x).
func even(name string, a Number) Number {
	if a%cube > cube/2 {
		return opaque(name, neg(a))
	}
	return opaque(name, a)
}

// isStep is doubt where a value is so close to an integer, or halfway between two, that rounding may have moved it over
// the step of a function that has one there.
func isStep(x operand) Number {
	if twice := 2 * x.value; Equal(x.Number, Of(x.value)) || math.Abs(twice-math.Round(twice)) > 1e-5*math.Abs(twice) {
		return 0
	}
	return doubt
}

// raised is x to the power of y, which is a root of a power where y is half of an integer.
func raised(x Number, y operand) Number {
	twice := math.Abs(2 * y.value)
	if y.Number != Of(y.value) || twice != math.Trunc(twice) || twice > 128 {
		return opaque("pow", x, y.Number)
	}
	z, r := power(x, uint64(twice/2)), Number(1)
	if int(twice)%2 == 1 {
		r = root(x)
	}
	if z = mul(z, r&^marks); y.value < 0 {
		z = inverse(z)
	}
	return z | r&marks
}

// narrowed is the result x of an operation, whose value is r, as its dtype has it.
func (a Rules) narrowed(in *ir.Instr, x Number, r float64) Number {
	d := in.Results[0].Type.DType
	switch {
	case !x.finite():
		return x
	case r-r != 0:
		return Of(r)
	}
	return a.rounded(x, d, r)
}

// rounded is what x means in a dtype, in which its value is v.
func (a Rules) rounded(x Number, d num.DType, v float64) Number {
	if info := d.Info(); !info.Float || info.Bits >= 32 || a.IgnoreRounding || !x.finite() {
		return x
	}
	return rounded(x, d.String(), v)
}

// combine finds what a reduction or a scan gives.
func (l *Launch) combine(in *ir.Instr, result int, out []Number) {
	axis, scan := trace.AxisOf(in), in.Op == ops.Scan
	l.setClose(in)
	for row := range in.Operands[0].Type.Numel() / axis.Len {
		first, step := axis.Line(in, row)
		total := l.group(in, first)
		for k := range axis.Len {
			if k > 0 {
				total = l.region(in.Regions[0], total, l.group(in, first+k*step))
			}
			if scan {
				out[first+k*step] = total[result].Number
			}
		}
		if !scan {
			out[row] = total[result].Number
		}
	}
}

// group is a lane of each operand.
func (l *Launch) group(in *ir.Instr, i int) []lane {
	out := make([]lane, len(in.Operands))
	for k, v := range in.Operands {
		out[k] = lane{operand{l.number(v, i), l.value(v, i)}, l.lanes[v].Slice(i, i+1)}
	}
	return out
}

// lane is an operand with its value as the operations of the IR take it.
type lane struct {
	operand
	vec num.Vec
}

// region combines two groups.
func (l *Launch) region(b *ir.Block, x, y []lane) []lane {
	if in := b.Instrs[0]; len(b.Instrs) == 2 && slices.Equal(in.Operands, b.Args) { // as most are
		return []lane{l.step(in, []lane{x[0], y[0]})}
	}
	known := map[*ir.Value]lane{}
	for i, v := range b.Args {
		known[v] = append(x[:len(x):len(x)], y...)[i]
	}
	for _, in := range b.Instrs {
		args := make([]lane, len(in.Operands))
		for k, v := range in.Operands {
			args[k] = known[v]
		}
		if in.Op.Has(ops.Terminator) {
			return args
		}
		known[in.Results[0]] = l.step(in, args)
	}
	return nil
}

// step is one operation on lanes.
func (l *Launch) step(in *ir.Instr, args []lane) lane {
	t := in.Results[0].Type
	out := lane{vec: num.MakeVec(t.Class(), 1)}
	x := make([]operand, len(args))
	for k := range args {
		x[k] = args[k].operand
	}
	switch {
	case in.Op == ops.Const:
		in.Scalar("value").Fill(out.vec)
	case in.Op == ops.Select:
		out.vec = args[2].vec
		if args[0].value != 0 {
			out.vec = args[1].vec
		}
	case in.Op == ops.Cast:
		num.Cast(in.Operands[0].Type.DType, t.DType, num.RTNE)(out.vec, args[0].vec)
	case in.Op == ops.FMA:
		num.Fma(t.DType)(out.vec, args[0].vec, args[1].vec, args[2].vec)
	case len(args) == 2:
		f := in.Op.BinaryKernel(in.Operands[0].Type.DType, in.Bool("propagate_nan"))
		if f == nil {
			return lane{operand: operand{Unknown, math.NaN()}, vec: out.vec}
		}
		f(out.vec, args[0].vec, args[1].vec)
	default:
		f := in.Op.UnaryKernel(in.Operands[0].Type.DType)
		if f == nil || len(args) != 1 {
			return lane{operand: operand{Unknown, math.NaN()}, vec: out.vec}
		}
		f(out.vec, args[0].vec)
	}
	out.value = valueAt(t, out.vec, 0)
	if t.DType.Info().Float {
		out.Number = l.element(in, x, out.value)
	} else {
		out.Number = Of(out.value) | l.compared(in, x)
	}
	return out
}
