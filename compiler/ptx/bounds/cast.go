package bounds

import (
	"math"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
)

func cast(s *state, in *ir.Instr, v *ir.Value) {
	x := *s.x(in)
	from := in.Operands[0].Type
	switch {
	case !v.Type.IsInt():
		s.unknown(v)
	case v.Type.DType == num.Int1 && from.DType != num.Int1:
		s.truth(v, nil, nil)
	case x.i.within(ranges[v.Type.DType]):
		s.values[v.ID] = value{form: x.form, i: x.i}
		if logical(v) {
			s.values[v.ID] = x
		}
	default:
		s.unknown(v)
	}
}

func bitcast(s *state, in *ir.Instr, v *ir.Value) {
	x := *s.x(in)
	from := in.Operands[0].Type
	switch {
	case v.Type.Pointer:
		s.values[v.ID] = x
	case from.IsInt() && v.Type.IsInt() && !logical(v) && x.i.within(ranges[v.Type.DType]) && x.i.within(ranges[from.DType]):
		s.values[v.ID] = value{form: x.form, i: x.i}
	default:
		s.unknown(v)
	}
}

// choose is select. Where the condition limits what the operands are, so it does the result.
func choose(s *state, in *ir.Instr, v *ir.Value) {
	cond, x, y := *s.x(in), *s.y(in), s.values[in.Operands[2].ID]
	switch {
	case x.arg != y.arg || logical(v):
		s.unknown(v)
	default:
		s.between(v, s.under(x, cond.yes).hull(s.under(y, cond.no)), x.arg)
	}
}

// under is the interval of x where conditions hold.
func (s *state) under(x value, conds []form) interval {
	if len(conds) == 0 {
		return x.i
	}
	i := x.i
	if most, ok, none := s.largest(x.form, conds); ok && !none {
		i.hi = min(i.hi, most)
	}
	if minus, ok := s.combine(x.form, -1, form{}, 0); ok {
		if most, ok, none := s.largest(minus, conds); ok && !none && -most <= i.hi {
			i.lo = max(i.lo, -most)
		}
	}
	return i
}

// compare gives what x ? y means as conditions: x - y + k ≤ 0, or its opposite.
func compare(s *state, in *ir.Instr, v *ir.Value) {
	t := in.Operands[0].Type
	if !t.IsInt() {
		s.truth(v, nil, nil)
		return
	}
	less, ok1 := s.combine(s.x(in).form, 1, s.y(in).form, -1) // x - y
	more, ok2 := s.combine(s.x(in).form, -1, s.y(in).form, 1) // y - x
	if !ok1 || !ok2 || max(less.c, more.c) == math.MaxInt64 {
		s.truth(v, nil, nil)
		return
	}
	strictly := func(f form) form { f.c++; return f }
	switch in.Op {
	case ops.Lt:
		s.truth(v, []form{strictly(less)}, []form{more})
	case ops.Le:
		s.truth(v, []form{less}, []form{strictly(more)})
	case ops.Gt:
		s.truth(v, []form{strictly(more)}, []form{less})
	case ops.Ge:
		s.truth(v, []form{more}, []form{strictly(less)})
	case ops.Eq:
		s.truth(v, []form{less, more}, nil)
	case ops.Ne:
		s.truth(v, nil, []form{less, more})
	}
}
