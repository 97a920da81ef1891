package exact

import (
	"math"
	"slices"

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
func (a Rules) element(in *ir.Instr, x []operand, r float64) Number {
	switch in.Op {
	case ops.Select:
		return chosen(x[1], x[2], x[0].value != 0)
	case ops.Min:
		return chosen(x[0], x[1], x[0].value <= x[1].value || x[1].value != x[1].value)
	case ops.Max:
		return chosen(x[0], x[1], x[0].value >= x[1].value || x[1].value != x[1].value)
	case ops.Const, ops.Hint, ops.Cast, ops.Bitcast:
		if len(x) == 0 {
			return Of(in.Scalar("value").Float())
		}
		return a.narrowed(in, x[0].Number, r)
	case ops.Neg:
		return apply("neg", x, r)
	case ops.Abs:
		return apply("abs", x, r)
	}
	name := functionOf(in.Op)
	if name == "" {
		return Unknown
	}
	return a.narrowed(in, apply(name, x, r), r)
}

// isFollowed reports whether element knows an operation.
func isFollowed(op ops.Op) bool {
	switch op {
	case ops.Select, ops.Min, ops.Max, ops.Const, ops.Hint, ops.Cast, ops.Bitcast, ops.Neg, ops.Abs:
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
		ops.Sqrt, ops.Rsqrt, ops.Erf, ops.Floor, ops.Ceil:
		return op.String()
	}
	return ""
}

// masking is how large a number is with which people leave a score out where others take inf: its exponential is 0. The
// exponentials of other numbers are what they are, also where fp32 has 0 for them, since factors may make up for it.
const masking = 5000

// apply is what a function of real numbers means, whose value is r.
func apply(name string, x []operand, r float64) Number {
	for _, a := range x {
		switch {
		case a.Number == Unknown:
			return Unknown
		case !a.finite():
			return Of(r)
		}
	}
	if r-r != 0 { // an overflow, or no number
		return Of(r)
	}
	a := x[0].Number
	switch name {
	case "neg":
		return neg(a)
	case "abs":
		if x[0].value < 0 {
			return neg(a)
		}
		return a
	case "add":
		return add(a, x[1].Number)
	case "sub":
		return sub(a, x[1].Number)
	case "mul":
		return mul(a, x[1].Number)
	case "div":
		return div(a, x[1].Number)
	case "fma":
		return add(mul(a, x[1].Number), x[2].Number)
	case "rem":
		return sub(a, mul(Of(math.Trunc(x[0].value/x[1].value)), x[1].Number))
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
		return root(a, r)
	case "rsqrt":
		return inverse(root(a, 1/r))
	case "floor", "ceil":
		return Of(r)
	case "sin", "erf": // odd
		if x[0].value < 0 {
			return neg(opaque(name, neg(a)))
		}
	case "cos": // even
		if x[0].value < 0 {
			return opaque(name, neg(a))
		}
	}
	return opaque(name, a)
}

// chosen is one of two.
func chosen(x, y operand, first bool) Number {
	if first {
		return x.Number
	}
	return y.Number
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
func (a Rules) region(b *ir.Block, x, y []lane) []lane {
	if in := b.Instrs[0]; len(b.Instrs) == 2 && slices.Equal(in.Operands, b.Args) { // as most are
		return []lane{a.step(in, []lane{x[0], y[0]})}
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
		known[in.Results[0]] = a.step(in, args)
	}
	return nil
}

// step is one operation on lanes.
func (a Rules) step(in *ir.Instr, args []lane) lane {
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
	if out.Number = Of(out.value); t.DType.Info().Float {
		out.Number = a.element(in, x, out.value)
	}
	return out
}
