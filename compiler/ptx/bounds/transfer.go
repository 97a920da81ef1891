package bounds

import (
	"math"
	"sync"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
)

// evaluators say what operations give; those that are not there give anything. Operands are usable integers or
// pointers. The table is made when it is asked for first: one that an init function fills would be linked wherever this
// package is.
var evaluators struct {
	once sync.Once
	of   [ops.N]func(s *state, in *ir.Instr, v *ir.Value)
}

func evaluatorOf(op ops.Op) func(s *state, in *ir.Instr, v *ir.Value) {
	evaluators.once.Do(func() {
		for op, f := range map[ops.Op]func(s *state, in *ir.Instr, v *ir.Value){
			ops.Const: constant, ops.ProgramID: programID, ops.NumPrograms: numPrograms, ops.Arange: arange,
			ops.Splat: same, ops.Broadcast: same, ops.Hint: same,
			ops.ExpandDims: expandDims, ops.Trans: trans, ops.Reshape: reshape, ops.Join: join,
			ops.Add: add, ops.Sub: subtract, ops.Mul: multiply, ops.AddPtr: addPtr, ops.Neg: negate,
			ops.Div: divide, ops.Rem: remainder, ops.Shl: shiftLeft, ops.Shr: shiftRight,
			ops.And: and, ops.Or: or, ops.Xor: xor, ops.Not: not,
			ops.Min: extreme, ops.Max: extreme, ops.Abs: absolute, ops.Select: choose,
			ops.Cast: cast, ops.Bitcast: bitcast,
			ops.Lt: compare, ops.Le: compare, ops.Gt: compare, ops.Ge: compare, ops.Eq: compare, ops.Ne: compare,
		} {
			evaluators.of[op] = f
		}
	})
	return evaluators.of[op]
}

func (s *state) firstOperand(in *ir.Instr) *value  { return &s.values[in.Operands[0].ID] }
func (s *state) secondOperand(in *ir.Instr) *value { return &s.values[in.Operands[1].ID] }

// logical reports whether v holds truth values.
func logical(v *ir.Value) bool { return v.Type.DType == num.Int1 && !v.Type.Pointer }

func constant(s *state, in *ir.Instr, v *ir.Value) {
	if v.Type.IsInt() {
		s.setConstant(v, in.Scalar("value"))
		return
	}
	s.setUnknown(v)
}

func programID(s *state, in *ir.Instr, v *ir.Value) {
	s.setInterval(v, interval{0, int64(s.args.Grid[in.Int("axis")]) - 1}, 0)
}

func numPrograms(s *state, in *ir.Instr, v *ir.Value) {
	n := int64(s.args.Grid[in.Int("axis")])
	s.setInterval(v, interval{n, n}, 0)
}

func arange(s *state, in *ir.Instr, v *ir.Value) {
	s.setInterval(v, interval{in.Int("start"), in.Int("end") - 1}, 0)
	for _, t := range s.values[v.ID].form.terms {
		s.atoms[t.atom].arange = true
	}
}

func same(s *state, in *ir.Instr, v *ir.Value) { s.values[v.ID] = *s.firstOperand(in) }

// moveDims is an operation that only moves elements: dimension d becomes to[d].
func (s *state) moveDims(in *ir.Instr, v *ir.Value, to *[viewDims]int) {
	if len(v.Type.Shape) > viewDims || len(in.Operands[0].Type.Shape) > viewDims {
		s.setInterval(v, s.firstOperand(in).i, s.firstOperand(in).arg)
		return
	}
	x := *s.firstOperand(in)
	x.form = s.renameDims(x.form, to)
	x.yes, x.no = s.renameAll(x.yes, to), s.renameAll(x.no, to)
	s.values[v.ID] = x
}

func (s *state) renameAll(list []form, to *[viewDims]int) []form {
	if len(list) == 0 {
		return nil
	}
	out := make([]form, len(list))
	for i, f := range list {
		out[i] = s.renameDims(f, to)
	}
	return out
}

func expandDims(s *state, in *ir.Instr, v *ir.Value) {
	axis := int(in.Int("axis"))
	var to [viewDims]int
	for d := range to {
		if to[d] = d; d >= axis {
			to[d] = d + 1
		}
	}
	s.moveDims(in, v, &to)
}

func trans(s *state, in *ir.Instr, v *ir.Value) {
	var to [viewDims]int
	for d, from := range in.Ints("perm") {
		if d < viewDims && from < viewDims {
			to[from] = d
		}
	}
	s.moveDims(in, v, &to)
}

// reshape moves dimensions larger than 1 where it leaves them as they are.
func reshape(s *state, in *ir.Instr, v *ir.Value) {
	var to [viewDims]int
	shape := v.Type.Shape
	k := 0
	for d, n := range in.Operands[0].Type.Shape {
		if n == 1 {
			continue
		}
		for k < len(shape) && shape[k] == 1 {
			k++
		}
		if k == len(shape) || shape[k] != n || d >= viewDims {
			s.setInterval(v, s.firstOperand(in).i, s.firstOperand(in).arg)
			return
		}
		to[d] = k
		k++
	}
	s.moveDims(in, v, &to)
}

func join(s *state, in *ir.Instr, v *ir.Value) {
	x, y := s.firstOperand(in), s.secondOperand(in)
	if x.arg != y.arg {
		s.setUnknown(v)
		return
	}
	s.setInterval(v, x.i.hull(y.i), x.arg)
}

func add(s *state, in *ir.Instr, v *ir.Value) { s.addLinear(in, v, 1) }

func subtract(s *state, in *ir.Instr, v *ir.Value) { s.addLinear(in, v, -1) }

// addLinear is x + sign·y.
func (s *state) addLinear(in *ir.Instr, v *ir.Value, sign int64) {
	f, ok := s.combineForms(s.firstOperand(in).form, 1, s.secondOperand(in).form, sign)
	if !ok {
		sum := func(a, b int64) (int64, bool) { return weigh(a, 1, b, sign) }
		if i, ok := corners(s.firstOperand(in).i, s.secondOperand(in).i, sum); ok {
			s.setInterval(v, i, 0)
			return
		}
	}
	s.setForm(v, f, ok, 0)
}

func addPtr(s *state, in *ir.Instr, v *ir.Value) {
	f, ok := s.combineForms(s.firstOperand(in).form, 1, s.secondOperand(in).form, 1)
	s.setForm(v, f, ok, s.firstOperand(in).arg)
}

func negate(s *state, in *ir.Instr, v *ir.Value) {
	f, ok := s.combineForms(s.firstOperand(in).form, -1, form{}, 0)
	s.setForm(v, f, ok, 0)
}

func multiply(s *state, in *ir.Instr, v *ir.Value) {
	if logical(v) {
		and(s, in, v)
		return
	}
	x, y := s.firstOperand(in), s.secondOperand(in)
	if x.i.single() {
		x, y = y, x
	}
	if y.i.single() {
		f, ok := s.combineForms(x.form, y.i.lo, form{}, 0)
		s.setForm(v, f, ok, 0)
		return
	}
	i, ok := corners(x.i, y.i, num.MulExact)
	s.setIntervalIf(v, i, ok)
}

func (s *state) setIntervalIf(v *ir.Value, i interval, ok bool) {
	if !ok {
		s.setUnknown(v)
		return
	}
	s.setInterval(v, i, 0)
}

// divide truncates. A divisor that may be 0 gives anything: engines differ.
func divide(s *state, in *ir.Instr, v *ir.Value) {
	x, y := s.firstOperand(in), s.secondOperand(in)
	if !v.Type.IsInt() || y.i.lo <= 0 && y.i.hi >= 0 {
		s.setUnknown(v)
		return
	}
	i, ok := corners(x.i, y.i, func(a, b int64) (int64, bool) { return a / b, a != math.MinInt64 || b != -1 })
	switch {
	case y.i.single() && y.i.lo > 0:
		s.setQuotient(v, *x, y.i.lo, i)
		return
	case ok && x.i.lo >= 0 && y.i.lo > 0:
		i = s.quotientByCases(x, y, i)
	}
	s.setIntervalIf(v, i, ok)
}

// setQuotient makes v x/d, known to be in i, where d is positive. Unless x is negative somewhere,
// d·v ≤ x < d·v + d.
func (s *state) setQuotient(v *ir.Value, x value, d int64, i interval) {
	if f, ok := exact(s, x.form, d); ok {
		s.setForm(v, f, true, 0)
		return
	}
	s.setInterval(v, i, 0)
	if x.i.lo >= 0 {
		s.addFloor(v, x.form, d)
		s.quotients = append(s.quotients, quotient{x.form, d, s.values[v.ID].form})
	}
}

// addFloor relates v to the form that it is the quotient by d of, rounded down.
func (s *state) addFloor(v *ir.Value, x form, d int64) {
	below, ok1 := s.combineForms(s.values[v.ID].form, d, x, -1)
	above, ok2 := s.combineForms(x, 1, s.values[v.ID].form, -d)
	if ok2 {
		above.c, ok2 = num.AddExact(above.c, 1-d)
	}
	s.addRelation(v, below, ok1, above, ok2)
}

// exact is f/d where d divides every coefficient.
func exact(s *state, f form, d int64) (form, bool) {
	if f.c%d != 0 {
		return form{}, false
	}
	out := form{s.allocTerms(len(f.terms)), f.c / d}
	for _, t := range f.terms {
		if t.coef%d != 0 {
			return form{}, false
		}
		out.terms = append(out.terms, term{t.atom, t.coef / d})
	}
	return out, true
}

// remainder has the sign of the dividend and is closer to 0 than both operands, the divisor aside.
func remainder(s *state, in *ir.Instr, v *ir.Value) {
	x, y := *s.firstOperand(in), s.secondOperand(in)
	if !v.Type.IsInt() || y.i.lo <= 0 && y.i.hi >= 0 || y.i.lo == math.MinInt64 {
		s.setUnknown(v)
		return
	}
	if x.i.single() && y.i.single() {
		rest := x.i.lo % y.i.lo
		s.setInterval(v, interval{rest, rest}, 0)
		return
	}
	most := max(abs(y.i.lo), abs(y.i.hi)) - 1
	if x.i.lo >= 0 && (y.i.lo > x.i.hi || y.i.lo > 0 && s.provenLess(x.form, y.form)) {
		s.proof.proved[s.prover.index[in]] = true
		same(s, in, v)
		return
	}
	s.setInterval(v, interval{max(min(x.i.lo, 0), -most), min(max(x.i.hi, 0), most)}, 0)
	if x.i.lo >= 0 {
		if rest, ok := s.restOf(x.form, y.i); ok {
			s.addEqual(v, rest)
			return
		}
		below, ok1 := s.combineForms(s.values[v.ID].form, 1, x.form, -1)
		less, ok2 := below, ok1
		if y.i.lo > 0 {
			less, ok2 = s.combineForms(s.values[v.ID].form, 1, y.form, -1)
			less.c++
		}
		s.addRelation(v, below, ok1, less, ok2)
	}
}

// shiftCount is the interval of a shift's count, not ok where it may reach the width.
func (s *state) shiftCount(in *ir.Instr, v *ir.Value) (i interval, ok bool) {
	i = s.secondOperand(in).i
	return i, i.lo >= 0 && i.hi < int64(min(63, v.Type.DType.Info().Bits))
}

func shiftLeft(s *state, in *ir.Instr, v *ir.Value) {
	n, ok := s.shiftCount(in, v)
	if !ok || n.hi > 61 {
		s.setUnknown(v)
		return
	}
	if n.single() {
		f, ok := s.combineForms(s.firstOperand(in).form, 1<<n.lo, form{}, 0)
		s.setForm(v, f, ok, 0)
		return
	}
	i, ok := corners(s.firstOperand(in).i, n, func(a, b int64) (int64, bool) { return num.MulExact(a, 1<<b) })
	s.setIntervalIf(v, i, ok)
}

func shiftRight(s *state, in *ir.Instr, v *ir.Value) {
	n, ok := s.shiftCount(in, v)
	if !ok {
		s.setUnknown(v)
		return
	}
	x := *s.firstOperand(in)
	i, _ := corners(x.i, n, func(a, b int64) (int64, bool) { return a >> b, true })
	if !n.single() || n.lo > 61 {
		s.setInterval(v, i, 0)
		return
	}
	d := int64(1) << n.lo
	if f, ok := exact(s, x.form, d); ok {
		s.setForm(v, f, true, 0)
		return
	}
	s.setInterval(v, i, 0)
	s.addFloor(v, x.form, d)
}

// extreme is min and max; the result is on one side of both operands.
func extreme(s *state, in *ir.Instr, v *ir.Value) {
	if !v.Type.IsInt() || logical(v) {
		s.setUnknown(v)
		return
	}
	x, y := *s.firstOperand(in), *s.secondOperand(in)
	sign := int64(1)
	i := interval{min(x.i.lo, y.i.lo), min(x.i.hi, y.i.hi)}
	if in.Op == ops.Max {
		sign = -1
		i = interval{max(x.i.lo, y.i.lo), max(x.i.hi, y.i.hi)}
	}
	s.setInterval(v, i, 0)
	f := s.values[v.ID].form
	underX, ok1 := s.combineForms(f, sign, x.form, -sign)
	underY, ok2 := s.combineForms(f, sign, y.form, -sign)
	s.addRelation(v, underX, ok1, underY, ok2)
	less, ok1 := s.combineForms(x.form, sign, y.form, -sign)
	more, ok2 := s.combineForms(x.form, -sign, y.form, sign)
	if ok1 && ok2 {
		s.addCases(v, x.form, []form{less}, y.form, []form{more})
	}
}

func absolute(s *state, in *ir.Instr, v *ir.Value) {
	x := s.firstOperand(in).i
	if !v.Type.IsInt() || x.lo == math.MinInt64 {
		s.setUnknown(v)
		return
	}
	i := interval{0, max(abs(x.lo), abs(x.hi))}
	if x.lo > 0 || x.hi < 0 {
		i.lo = min(abs(x.lo), abs(x.hi))
	}
	s.setInterval(v, i, 0)
}
