package prove

import (
	"sync"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ops"
)

// transfers say what operations give; those that are not there give anything. Operands have polys. The table is made
// when it is asked for first: one that an init function fills would be linked wherever this package is.
var transfers struct {
	once sync.Once
	of   [ops.N]func(s *walk, in *ir.Instr, v *ir.Value)
}

func transferOf(op ops.Op) func(s *walk, in *ir.Instr, v *ir.Value) {
	transfers.once.Do(func() {
		for op, f := range map[ops.Op]func(s *walk, in *ir.Instr, v *ir.Value){
			ops.Const: number, ops.ProgramID: programID, ops.NumPrograms: numPrograms, ops.Arange: arange,
			ops.Splat: same, ops.Broadcast: same, ops.Hint: same,
			ops.ExpandDims: expandDims, ops.Trans: trans, ops.Reshape: reshape,
			ops.Add: add, ops.Sub: subtract, ops.Mul: multiply, ops.AddPtr: addPtr, ops.Neg: negate,
			ops.Div: divide, ops.Rem: modulo, ops.Shl: shiftLeft, ops.Shr: shiftRight,
			ops.And: and, ops.Or: or, ops.Xor: xor, ops.Not: not,
			ops.Min: extreme, ops.Max: extreme, ops.Abs: absolute, ops.Select: choose,
			ops.Cast: cast, ops.Bitcast: bitcast,
			ops.Lt: compare, ops.Le: compare, ops.Gt: compare, ops.Ge: compare, ops.Eq: compare, ops.Ne: compare,
		} {
			transfers.of[op] = f
		}
	})
	return transfers.of[op]
}

func (s *walk) operand(in *ir.Instr, i int) value { return s.values[in.Operands[i].ID] }

func number(s *walk, in *ir.Instr, v *ir.Value) {
	if !v.Type.IsInt() {
		s.unknown(v)
		return
	}
	c := in.Scalar("value").Int()
	s.set(v, constant(c))
	if never := []poly{constant(-1)}; logical(v) && c == 0 {
		s.values[v.ID].yes = never
	} else if logical(v) {
		s.values[v.ID].no = never
	}
}

func programID(s *walk, in *ir.Instr, v *ir.Value) { s.set(v, s.programIndex(int(in.Int("axis")))) }

func (s *walk) programIndex(axis int) poly {
	n := s.grid[axis]
	if c, ok := n.value(); ok && c == 1 {
		return constant(0)
	}
	last := n.addConst(-1)
	return s.plain(atomKey{kind: program, n: axis}, interval{0, s.rangeOf(last).hi}, func(p poly) []poly {
		return []poly{last.sub(p)}
	})
}

func numPrograms(s *walk, in *ir.Instr, v *ir.Value) { s.set(v, s.grid[in.Int("axis")]) }

func arange(s *walk, in *ir.Instr, v *ir.Value) {
	start, n := in.Int("start"), in.Int("end")-in.Int("start")
	if n == 1 {
		s.set(v, constant(start))
		return
	}
	s.set(v, s.lane(0, n).addConst(start))
}

// lane is the index along dimension d, of size n.
func (s *walk) lane(d int, n int64) poly {
	a, made := s.intern(atomKey{kind: lane, n: d}, constant(n), poly{})
	self := atomPoly(a)
	if made {
		s.list[a].interval = interval{0, n - 1}
		s.list[a].facts = ends(self, s.list[a].interval)
	}
	return self
}

func same(s *walk, in *ir.Instr, v *ir.Value) { s.values[v.ID] = s.operand(in, 0) }

// move is an operation that only moves elements: dimension d becomes to[d].
func (s *walk) move(in *ir.Instr, v *ir.Value, to []int) {
	x, r := s.operand(in, 0), s.moved(to)
	s.moveGuards(x.x, r)
	s.values[v.ID] = value{r.of(x.x), x.arg, r.all(x.yes), r.all(x.no), x.all}
}

func expandDims(s *walk, in *ir.Instr, v *ir.Value) {
	to := make([]int, len(in.Operands[0].Type.Shape))
	for d := range to {
		if to[d] = d; d >= int(in.Int("axis")) {
			to[d]++
		}
	}
	s.move(in, v, to)
}

func trans(s *walk, in *ir.Instr, v *ir.Value) {
	to := make([]int, len(v.Type.Shape))
	for d, from := range in.Ints("perm") {
		to[from] = d
	}
	s.move(in, v, to)
}

// reshape moves dimensions larger than 1 where it leaves them as they are.
func reshape(s *walk, in *ir.Instr, v *ir.Value) {
	to := make([]int, len(in.Operands[0].Type.Shape))
	k, shape := 0, v.Type.Shape
	for d, n := range in.Operands[0].Type.Shape {
		if n == 1 {
			continue
		}
		for k < len(shape) && shape[k] == 1 {
			k++
		}
		if k == len(shape) || shape[k] != n {
			s.unknown(v)
			return
		}
		to[d] = k
		k++
	}
	s.move(in, v, to)
}

func add(s *walk, in *ir.Instr, v *ir.Value) { s.set(v, s.operand(in, 0).x.add(s.operand(in, 1).x)) }

func subtract(s *walk, in *ir.Instr, v *ir.Value) {
	s.set(v, s.operand(in, 0).x.sub(s.operand(in, 1).x))
}

func negate(s *walk, in *ir.Instr, v *ir.Value) { s.set(v, s.operand(in, 0).x.negated()) }

func addPtr(s *walk, in *ir.Instr, v *ir.Value) {
	s.point(v, s.operand(in, 0).arg, s.operand(in, 0).x.add(s.operand(in, 1).x))
}

func multiply(s *walk, in *ir.Instr, v *ir.Value) {
	if logical(v) {
		and(s, in, v)
		return
	}
	s.set(v, s.operand(in, 0).x.mul(s.operand(in, 1).x))
}

// divided is x/d and x%d as polys: where x is a multiple of d and what is left, or as atoms; not ok unless x is not
// negative and d positive, so that rounding down is what engines do.
func (s *walk) divided(x, d poly) (q, r poly, ok bool) {
	if !s.positive(x.addConst(1), s.path) || !s.positive(d, s.path) {
		return lost, lost, false
	}
	if len(d.terms) == 1 {
		q, r = x.split(d.terms[0])
		if s.positive(r.addConst(1), s.path) && s.positive(d.sub(r), s.path) {
			return q, r, true
		}
	}
	by, of := s.rangeOf(d), s.rangeOf(x)
	most := interval{0, unbounded}
	if of.hi < unbounded {
		most.hi = of.hi / max(1, by.lo)
	}
	q = s.derived(quotient, x, d, most, func(q poly) []poly {
		rest := x.sub(d.mul(q))
		return []poly{rest, d.sub(rest).addConst(-1)}
	})
	if most.hi = of.hi; by.hi < unbounded {
		most.hi = min(of.hi, by.hi-1)
	}
	r = s.derived(remainder, x, d, most, func(r poly) []poly { return []poly{d.sub(r).addConst(-1), x.sub(r)} })
	return q, r, true
}

func divide(s *walk, in *ir.Instr, v *ir.Value) {
	if q, _, ok := s.divided(s.operand(in, 0).x, s.operand(in, 1).x); ok {
		s.set(v, q)
		return
	}
	s.unknown(v)
}

// modulo has the sign of the dividend, and is closer to 0 than the divisor.
func modulo(s *walk, in *ir.Instr, v *ir.Value) {
	x, d := s.operand(in, 0).x, s.operand(in, 1).x
	if _, r, ok := s.divided(x, d); ok {
		s.set(v, r)
		return
	}
	if by := s.rangeOf(d); by.lo > 0 && by.hi < unbounded {
		s.unknownIn(v, interval{1 - by.hi, by.hi - 1})
		return
	}
	s.unknown(v)
}

// shift is 2 to the power of a constant shift's count.
func (s *walk) shift(in *ir.Instr, v *ir.Value) (by poly, ok bool) {
	n, ok := s.operand(in, 1).x.value()
	if !ok || n < 0 || n >= int64(min(61, v.Type.DType.Info().Bits)) {
		return lost, false
	}
	return constant(1 << n), true
}

func shiftLeft(s *walk, in *ir.Instr, v *ir.Value) {
	if by, ok := s.shift(in, v); ok {
		s.set(v, s.operand(in, 0).x.mul(by))
		return
	}
	s.unknown(v)
}

func shiftRight(s *walk, in *ir.Instr, v *ir.Value) {
	if by, ok := s.shift(in, v); ok {
		if q, _, ok := s.divided(s.operand(in, 0).x, by); ok {
			s.set(v, q)
			return
		}
	}
	s.unknown(v)
}

func and(s *walk, in *ir.Instr, v *ir.Value) {
	x, y := s.operand(in, 0), s.operand(in, 1)
	if logical(v) {
		s.conditions(v, append(x.yes[:len(x.yes):len(x.yes)], y.yes...), nil)
		s.values[v.ID].all = x.all && y.all
		return
	}
	if _, ok := x.x.value(); ok {
		x, y = y, x
	}
	bits, ok := y.x.value()
	if !ok || bits < 0 || bits >= unbounded {
		s.unknown(v)
		return
	}
	if bits&(bits+1) == 0 { // the low bits: a remainder
		if _, r, ok := s.divided(x.x, constant(bits+1)); ok {
			s.set(v, r)
			return
		}
	}
	s.unknownIn(v, interval{0, bits})
}

func or(s *walk, in *ir.Instr, v *ir.Value) {
	if logical(v) {
		x, y := s.operand(in, 0), s.operand(in, 1)
		s.conditions(v, nil, append(x.no[:len(x.no):len(x.no)], y.no...))
		return
	}
	s.unknown(v)
}

func xor(s *walk, in *ir.Instr, v *ir.Value) {
	x, y := s.operand(in, 0), s.operand(in, 1)
	s.unknown(v)
	if c, ok := y.x.value(); logical(v) && ok && c&1 == 1 {
		s.conditions(v, x.no, x.yes)
	}
}

func not(s *walk, in *ir.Instr, v *ir.Value) {
	x := s.operand(in, 0)
	switch {
	case logical(v):
		s.conditions(v, x.no, x.yes)
	case v.Type.DType.Info().Signed:
		s.set(v, x.x.negated().addConst(-1))
	default:
		s.unknown(v)
	}
}

// extreme is min and max.
func extreme(s *walk, in *ir.Instr, v *ir.Value) {
	if !v.Type.IsInt() || logical(v) {
		s.unknown(v)
		return
	}
	x, y := s.operand(in, 0).x, s.operand(in, 1).x
	a, b := s.rangeOf(x), s.rangeOf(y)
	kind, sign, i := least, int64(1), interval{min(a.lo, b.lo), min(a.hi, b.hi)}
	if in.Op == ops.Max {
		kind, sign, i = greatest, -1, interval{max(a.lo, b.lo), max(a.hi, b.hi)}
	}
	switch apart := y.sub(x).times(sign); {
	case s.positive(apart.addConst(1), s.path):
		s.set(v, x)
	case s.positive(apart.negated().addConst(1), s.path):
		s.set(v, y)
	default:
		s.set(v, s.derived(kind, x, y, i, func(m poly) []poly {
			return []poly{x.sub(m).times(sign), y.sub(m).times(sign)}
		}))
	}
}

func absolute(s *walk, in *ir.Instr, v *ir.Value) {
	if x := s.operand(in, 0).x; s.rangeOf(x).lo >= 0 {
		s.set(v, x)
		return
	}
	s.unknown(v)
}

func choose(s *walk, in *ir.Instr, v *ir.Value) { s.join(v, s.operand(in, 1), s.operand(in, 2)) }

// cast keeps what the other dtype holds as well.
func cast(s *walk, in *ir.Instr, v *ir.Value) {
	x := s.operand(in, 0)
	from, to := in.Operands[0].Type.DType, v.Type.DType
	i := s.rangeOf(x.x).meet(rangeOf(from))
	// The upper half of uint64, which no interval tells from what an int64 holds, is negative as an int64.
	upper := !from.Info().Signed && to.Info().Signed && !i.finite()
	switch {
	case logical(v) && logical(in.Operands[0]):
		same(s, in, v)
	case !v.Type.IsInt() || logical(v):
		s.unknown(v)
	case i.within(rangeOf(to)) && !upper:
		s.values[v.ID] = value{x: x.x}
	default:
		s.unknown(v)
	}
}

func bitcast(s *walk, in *ir.Instr, v *ir.Value) {
	switch {
	case v.Type.Pointer:
		same(s, in, v)
	case in.Operands[0].Type.IsInt() && v.Type.IsInt():
		cast(s, in, v)
	default:
		s.unknown(v)
	}
}

// compare gives what x ? y means as what is at least 0.
func compare(s *walk, in *ir.Instr, v *ir.Value) {
	if !in.Operands[0].Type.IsInt() || in.Operands[0].Type.Pointer {
		s.unknown(v)
		return
	}
	over := s.operand(in, 0).x.sub(s.operand(in, 1).x) // x - y
	under := over.negated()
	switch in.Op {
	case ops.Lt:
		s.conditions(v, []poly{under.addConst(-1)}, []poly{over})
	case ops.Le:
		s.conditions(v, []poly{under}, []poly{over.addConst(-1)})
	case ops.Gt:
		s.conditions(v, []poly{over.addConst(-1)}, []poly{under})
	case ops.Ge:
		s.conditions(v, []poly{over}, []poly{under.addConst(-1)})
	case ops.Eq:
		s.conditions(v, []poly{over, under}, nil)
	case ops.Ne:
		s.conditions(v, nil, []poly{over, under})
	}
	s.values[v.ID].all = in.Op != ops.Ne && !over.lost
}
