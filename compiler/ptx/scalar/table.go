package scalar

import (
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/asm"
)

// row is an operation by kind of dtype; what is nil has no meaning, but that narrow floats without
// code of their own take single's.
type row struct {
	bool   code
	int    func(t integer) code
	half   code                   // fp16
	brain  code                   // bf16
	eight  func(d num.DType) code // 8-bit floats
	single code
	double code
	truth  bool // the result is an int1
}

func (r row) of(d num.DType) code {
	info := d.Info()
	switch {
	case d == num.Int1:
		return r.bool
	case !info.Float && r.int != nil:
		return r.int(integerOf(d))
	case !info.Float:
		return nil
	case d == num.Float64:
		return r.double
	case d == num.Float16 && r.half != nil:
		return r.half
	case d == num.BFloat16 && r.brain != nil:
		return r.brain
	case d.IsFP8() && r.eight != nil:
		return r.eight(d)
	case d != num.Float32 && r.single != nil:
		return r.widened(d)
	}
	return r.single
}

// widened computes in fp32 and rounds.
func (r row) widened(d num.DType) code {
	return func(g gen, x []asm.Reg) asm.Reg {
		wide := make([]asm.Reg, len(x))
		for i, v := range x {
			wide[i] = v
			if v.Class != asm.Pred {
				wide[i] = g.toSingle(d, v)
			}
		}
		out := r.single(g, wide)
		if r.truth {
			return out
		}
		return g.fromSingle(d, num.RTNE, out)
	}
}

// floats is a row of which op is the instruction's name for every float that has it.
func floats(op string, native ...string) row {
	r := row{single: direct(op + ".f32"), double: direct(op + ".f64")}
	for _, t := range native {
		switch t {
		case "f16":
			r.half = direct(op + ".f16")
		case "bf16":
			r.brain = direct(op + ".bf16")
		}
	}
	return r
}

func (r row) ints(b code, i func(t integer) code) row {
	r.bool, r.int = b, i
	return r
}

func comparison(b code, op, float string) row {
	return row{
		bool: b,
		int: func(t integer) code {
			return direct("setp." + op + "." + t.name())
		},
		half:   direct("setp." + float + ".f16"),
		single: direct("setp." + float + ".f32"),
		double: direct("setp." + float + ".f64"),
		truth:  true,
	}
}

var table = [ops.N]row{
	ops.Add:    floats("add", "f16").ints(direct("xor.pred"), wrapping("add")),
	ops.Sub:    floats("sub", "f16").ints(direct("xor.pred"), wrapping("sub")),
	ops.Mul:    floats("mul", "f16").ints(direct("and.pred"), wrapping("mul.lo")),
	ops.Div:    {single: direct("div.full.f32"), double: direct("div.rn.f64"), bool: direct("and.pred"), int: quotient},
	ops.DivRN:  floats("div.rn"),
	ops.Rem:    {single: remainder32, double: remainder64, bool: never, int: remainder},
	ops.And:    {bool: direct("and.pred"), int: bitwise("and")},
	ops.Or:     {bool: direct("or.pred"), int: bitwise("or")},
	ops.Xor:    {bool: direct("xor.pred"), int: bitwise("xor")},
	ops.Shl:    {bool: andNot, int: shiftLeft},
	ops.Shr:    {bool: andNot, int: shiftRight},
	ops.Min:    floats("min", "f16", "bf16").ints(direct("and.pred"), within("min")),
	ops.Max:    floats("max", "f16", "bf16").ints(direct("or.pred"), within("max")),
	ops.UMulHi: {int: upperHalf},

	ops.Eq: comparison(xnor, "eq", "eq"),
	ops.Ne: comparison(direct("xor.pred"), "ne", "neu"),
	ops.Lt: comparison(flipped(andNot), "lt", "lt"),
	ops.Le: comparison(flipped(orNot), "le", "le"),
	ops.Gt: comparison(andNot, "gt", "gt"),
	ops.Ge: comparison(orNot, "ge", "ge"),

	ops.Neg:    floats("neg", "f16", "bf16").ints(same, negated),
	ops.Not:    {bool: direct("not.pred"), int: inverted},
	ops.Abs:    floats("abs", "f16", "bf16").ints(same, magnitude),
	ops.Exp:    {single: exp32, double: exp64},
	ops.Exp2:   {single: direct("ex2.approx.ftz.f32"), double: exp2of64},
	ops.Log:    {single: log32, double: log64},
	ops.Log2:   {single: log2of32, double: log2of64},
	ops.Sin:    {single: sin32, double: sin64},
	ops.Cos:    {single: cos32, double: cos64},
	ops.Sqrt:   {single: direct("sqrt.approx.f32"), double: direct("sqrt.rn.f64")},
	ops.SqrtRN: floats("sqrt.rn"),
	ops.Rsqrt:  {single: direct("rsqrt.approx.f32"), double: rsqrt64},
	ops.Erf:    {single: erf32, double: erf64},
	ops.Floor:  {single: direct("cvt.rmi.f32.f32"), double: direct("cvt.rmi.f64.f64")},
	ops.Ceil:   {single: direct("cvt.rpi.f32.f32"), double: direct("cvt.rpi.f64.f64")},

	ops.FMA: {half: direct("fma.rn.f16"), brain: direct("fma.rn.bf16"), eight: fusedEight,
		single: direct("fma.rn.f32"), double: direct("fma.rn.f64")},
	ops.Select: {bool: selectBool, int: func(t integer) code { return choose("b" + t.width()) },
		half: choose("b16"), eight: func(num.DType) code { return choose("b16") }, brain: choose("b16"), single: choose("b32"), double: choose("b64")},
}

// propagating are the forms of min and max in which a NaN wins.
var propagating = map[ops.Op]row{
	ops.Min: {half: direct("min.NaN.f16"), brain: direct("min.NaN.bf16"), single: direct("min.NaN.f32"),
		double: orNaN("min.f64")},
	ops.Max: {half: direct("max.NaN.f16"), brain: direct("max.NaN.bf16"), single: direct("max.NaN.f32"),
		double: orNaN("max.f64")},
}
