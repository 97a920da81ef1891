package bounds

import (
	"math"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
)

func cast(s *state, in *ir.Instr, v *ir.Value) {
	x := *s.firstOperand(in)
	from := in.Operands[0].Type
	switch {
	case !v.Type.IsInt():
		s.setUnknown(v)
	case v.Type.DType == num.Int1 && from.DType != num.Int1:
		s.conditionsOf(v, nil, nil)
	case x.i.within(ranges[v.Type.DType]):
		s.values[v.ID] = value{form: x.form, i: x.i}
		if logical(v) {
			s.values[v.ID] = x
		}
	default:
		s.setUnknown(v)
	}
}

func bitcast(s *state, in *ir.Instr, v *ir.Value) {
	x := *s.firstOperand(in)
	from := in.Operands[0].Type
	switch {
	case v.Type.Pointer:
		s.values[v.ID] = x
	case from.IsInt() && v.Type.IsInt() && !logical(v) && x.i.within(ranges[v.Type.DType]) &&
		x.i.within(ranges[from.DType]):
		s.values[v.ID] = value{form: x.form, i: x.i}
	default:
		s.setUnknown(v)
	}
}

// choose is select. Where the condition limits what the operands are, so it does the result.
func choose(s *state, in *ir.Instr, v *ir.Value) {
	cond, x, y := *s.firstOperand(in), *s.secondOperand(in), s.values[in.Operands[2].ID]
	switch {
	case s.never(cond.yes):
		s.values[v.ID] = y
	case s.never(cond.no):
		s.values[v.ID] = x
	case x.arg != y.arg || logical(v):
		s.setUnknown(v)
	default:
		s.setInterval(v, s.intervalWhere(x, cond.yes).hull(s.intervalWhere(y, cond.no)), x.arg)
		if !v.Type.Pointer {
			s.addCases(v, x.form, cond.yes, y.form, cond.no)
		}
	}
}

// never reports whether conditions contradict each other.
func (s *state) never(conds []form) bool {
	if len(conds) == 0 {
		return false
	}
	_, _, none := s.boundUnder(form{}, conds)
	return none
}

// intervalWhere is the interval of x where conditions hold.
func (s *state) intervalWhere(x value, conds []form) interval {
	if len(conds) == 0 {
		return x.i
	}
	i := x.i
	if most, ok, none := s.boundUnder(x.form, conds); ok && !none {
		i.hi = min(i.hi, most)
	}
	if minus, ok := s.combineForms(x.form, -1, form{}, 0); ok {
		if most, ok, none := s.boundUnder(minus, conds); ok && !none && -most <= i.hi {
			i.lo = max(i.lo, -most)
		}
	}
	return i
}

// compare gives what x ? y means as conditions: x - y + k ≤ 0, or its opposite.
func compare(s *state, in *ir.Instr, v *ir.Value) {
	t := in.Operands[0].Type
	if !t.IsInt() {
		s.conditionsOf(v, nil, nil)
		return
	}
	less, ok1 := s.combineForms(s.firstOperand(in).form, 1, s.secondOperand(in).form, -1) // x - y
	more, ok2 := s.combineForms(s.firstOperand(in).form, -1, s.secondOperand(in).form, 1) // y - x
	if !ok1 || !ok2 || max(less.c, more.c) == math.MaxInt64 {
		s.conditionsOf(v, nil, nil)
		return
	}
	strictly := func(f form) form { f.c++; return f }
	switch in.Op {
	case ops.Lt:
		s.conditionsOf(v, []form{strictly(less)}, []form{more})
	case ops.Le:
		s.conditionsOf(v, []form{less}, []form{strictly(more)})
	case ops.Gt:
		s.conditionsOf(v, []form{strictly(more)}, []form{less})
	case ops.Ge:
		s.conditionsOf(v, []form{more}, []form{strictly(less)})
	case ops.Eq:
		s.conditionsOf(v, []form{less, more}, nil)
	case ops.Ne:
		s.conditionsOf(v, nil, []form{less, more})
	}
}
