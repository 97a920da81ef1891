package inspect

import (
	"strconv"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/interp/formula"
	"github.com/newtlab/newt/interp/trace"
)

// formulas follows lanes back as a slicer does, and makes formulas of what it finds.
type formulas struct {
	*slicer
	set   *formula.Set
	known map[place]*formula.Node
}

// maxFollowed is how many lanes one formula is made of at most.
const maxFollowed = 1 << 17

// storedFormula is how the operand of a store was computed; nil where that is not known.
func (s *slicer) storedFormula(target *pointed, operand int, set *formula.Set) *formula.Node {
	f := &formulas{s, set, map[place]*formula.Node{}}
	v := target.instr.Operands[operand]
	return f.lane(v, min(target.lane, v.Type.Numel()-1), len(s.records))
}

// lane is a lane of a value that record before takes.
func (f *formulas) lane(v *ir.Value, lane, before int) *formula.Node {
	p, ok := f.find(v, lane, before)
	if !ok {
		return nil
	}
	if n, ok := f.known[p]; ok || len(f.known) == maxFollowed {
		return n
	}
	n := f.at(p)
	f.known[p] = n
	return n
}

func (f *formulas) at(p place) *formula.Node {
	if p.record < 0 {
		v, err := strconv.ParseFloat(f.launch.argument(p.value), 64)
		if err != nil {
			return nil
		}
		return f.set.Number(v)
	}
	r := &f.records[p.record]
	switch {
	case p.value.Type.Pointer:
		return nil
	case r.handed != nil:
		if v := r.handed[p.value.Index]; v != nil {
			return f.lane(v, p.lane, p.record)
		}
		return f.set.Number(f.number(p)) // the number of an iteration
	}
	switch in := r.instr; in.Op {
	case ops.Load:
		return f.load(p, in)
	case ops.AtomicRMW, ops.AtomicCAS, ops.AtomicLoad, ops.Histogram, ops.InlineAsm, ops.InlineAsmVolatile:
		return nil
	case ops.Select: // with the lane that it does not choose
		return f.operation(p, in, []from{{0, p.lane}, {1, p.lane}, {2, p.lane}})
	default:
		of := f.origin(p).operands()
		if in.Op.Has(ops.WholeTile) && len(of) == 0 {
			return nil
		}
		return f.operation(p, in, of)
	}
}

// number is the value of a place.
func (s *slicer) number(p place) float64 {
	lane := s.records[p.record].lanes[p.value.Index].Slice(p.lane, p.lane+1)
	return newValue(p.value.Type, lane, s.tensorName).Lanes[0]
}

// load is an element, or what stands for one.
func (f *formulas) load(p place, in *ir.Instr) *formula.Node {
	if mask := in.Operand(1); mask != nil && f.integer(mask, p.lane, p.record) == 0 {
		if other := in.Operand(2); other != nil {
			return f.lane(other, min(p.lane, other.Type.Numel()-1), p.record)
		}
		return f.set.Undefined(f.number(p))
	}
	arg, offset := trace.Split(f.integer(in.Operands[0], p.lane, p.record))
	t := f.tensor(arg)
	if t == nil {
		return nil
	}
	n := t.view.element(offset)
	if t.view.outside(offset) != 0 || n < 0 || n >= int64(t.view.shape.Len()) {
		return f.set.Outside(f.byParam[arg], int(offset), f.number(p))
	}
	return f.set.Element(formula.Element{Tensor: f.byParam[arg], At: int(n)}, f.number(p))
}

// operation is an operation on lanes of its operands. What depends on no element is the number that it gave.
func (f *formulas) operation(p place, in *ir.Instr, of []from) *formula.Node {
	args, constant := make([]*formula.Node, len(of)), true
	for i, o := range of {
		v := in.Operands[o.operand]
		if v.Type.Pointer {
			return nil
		}
		if args[i] = f.lane(v, o.lane, p.record); args[i] == nil {
			return nil
		}
		constant = constant && args[i].IsNumber()
	}
	// Where an element is NaN, a sum with -inf is too, whose formula has no elements any more.
	if v := f.number(p); constant && (v == v || len(of) == 0) {
		return f.set.Number(v)
	}
	switch in.Op {
	case ops.Dot:
		for i := 1; i < len(args); i += 2 {
			args[i], args[i+1] = f.set.Make("*", args[i], args[i+1]), f.set.Number(0)
		}
		return f.set.Make("+", args...)
	case ops.Reduce, ops.Scan:
		return f.combined(in, args, p.value.Index)
	case ops.Gather:
		return args[len(args)-1]
	}
	return operationOf(f.set, in, args)
}

// combined folds groups of operands by the region of a reduction or scan.
func (f *formulas) combined(in *ir.Instr, args []*formula.Node, result int) *formula.Node {
	width := len(in.Operands)
	if name, ok := foldedBy(in.Regions[0]); ok && width == 1 {
		return f.set.Make(name, args...)
	}
	sofar := args[:width]
	for i := width; i+width <= len(args); i += width {
		if sofar = f.region(in.Regions[0], append(sofar[:width:width], args[i:i+width]...)); sofar == nil {
			return nil
		}
	}
	return sofar[result]
}

// foldedBy is the operation of the vocabulary that a region is, on its two arguments: all operands can be folded at
// once.
func foldedBy(b *ir.Block) (name string, ok bool) {
	in := b.Instrs[0]
	if len(b.Instrs) != 2 || len(in.Operands) != 2 || b.Terminator().Operands[0] != in.Result() {
		return "", false
	}
	name = operationName(in.Op)
	return name, name == "+" || name == "*" || name == "max" || name == "min"
}

// region is what a region gives for its arguments.
func (f *formulas) region(b *ir.Block, args []*formula.Node) (out []*formula.Node) {
	known := map[*ir.Value]*formula.Node{}
	for i, v := range b.Args {
		known[v] = args[i]
	}
	for _, in := range b.Instrs {
		var of []*formula.Node
		for _, v := range in.Operands {
			of = append(of, known[v])
		}
		switch {
		case in == b.Terminator():
			return of
		case in.Op == ops.Const:
			value := num.MakeVec(in.Result().Type.DType.Info().Class, 1)
			in.Scalar("value").Fill(value)
			known[in.Result()] = f.set.Number(scalarOf(in.Result().Type.DType, value).Lanes[0])
		default:
			known[in.Result()] = operationOf(f.set, in, of)
		}
	}
	return nil
}

// operationName is the operation of formulas that an operation of the IR is; empty where there is none. It is no
// variable: that would be linked by every program that imports the package.
func operationName(op ops.Op) string {
	return map[ops.Op]string{
		ops.Add: "+", ops.Mul: "*", ops.Div: "/", ops.DivRN: "/", ops.Rem: "%", ops.And: "&", ops.Or: "|", ops.Xor: "^",
		ops.Shl: "<<", ops.Shr: ">>", ops.Min: "min", ops.Max: "max", ops.Eq: "==", ops.Ne: "!=", ops.Gt: ">",
		ops.Ge: ">=", ops.Abs: "abs", ops.Exp: "exp", ops.Exp2: "exp2", ops.Log: "log", ops.Log2: "log2",
		ops.Sin: "sin", ops.Cos: "cos",
		ops.Sqrt: "sqrt", ops.SqrtRN: "sqrt", ops.Erf: "erf", ops.Floor: "floor", ops.Ceil: "ceil", ops.Select: "where",
	}[op]
}

// operationOf is an operation of the IR, other than those that fold or load.
func operationOf(s *formula.Set, in *ir.Instr, a []*formula.Node) *formula.Node {
	integer := func(v *ir.Value) bool { return !v.Type.DType.Info().Float }
	switch in.Op {
	case ops.Sub:
		return s.Make("+", a[0], s.Negative(a[1]))
	case ops.Neg:
		return s.Negative(a[0])
	case ops.Lt:
		return s.Make(">", a[1], a[0])
	case ops.Le:
		return s.Make(">=", a[1], a[0])
	case ops.FMA:
		return s.Make("+", s.Make("*", a[0], a[1]), a[2])
	case ops.Rsqrt:
		return s.Make("/", s.Number(1), s.Make("sqrt", a[0]))
	case ops.Not:
		if in.Result().Type.DType == num.Int1 {
			return s.Make("not", a[0])
		}
		return nil
	case ops.Div:
		if integer(in.Result()) {
			return s.Make("//", a...)
		}
	case ops.Cast:
		if integer(in.Result()) && !integer(in.Operands[0]) {
			return s.Make("int", a[0])
		}
		return a[0]
	}
	if moves[in.Op] {
		return a[0]
	}
	return s.Make(operationName(in.Op), a...)
}
