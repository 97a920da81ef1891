package facts

import (
	"math/bits"
	"sync"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ops"
)

// rule says what an operation gives, whose operands are followed.
type rule func(w *Walk, in *ir.Instr, v *ir.Value)

// rules are of all operations; those without one give anything. The table is made when it is asked for first: one that
// an init function fills would be linked wherever this package is.
var rules struct {
	once sync.Once
	of   [ops.N]rule
}

func ruleOf(op ops.Op) rule {
	rules.once.Do(func() {
		for op, f := range map[ops.Op]rule{
			ops.Const: constant, ops.ProgramID: programID, ops.NumPrograms: numPrograms, ops.Arange: arange,
			ops.Splat: same, ops.Broadcast: same, ops.Hint: hint, ops.ConvertLayout: same, ops.Uniform: same,
			ops.ExpandDims: expandDims, ops.Trans: trans, ops.Reshape: reshape, ops.Join: either,
			ops.Add: add, ops.Sub: subtract, ops.Mul: multiply, ops.AddPtr: addPtr, ops.Neg: negate,
			ops.Div: divide, ops.Rem: modulo, ops.Shl: shiftLeft, ops.Shr: shiftRight,
			ops.And: and, ops.Or: or, ops.Xor: xor, ops.Not: not,
			ops.Min: extreme, ops.Max: extreme, ops.Abs: absolute, ops.Select: choose,
			ops.Cast: cast, ops.Bitcast: bitcast,
			ops.Lt: compare, ops.Le: compare, ops.Gt: compare, ops.Ge: compare, ops.Eq: compare, ops.Ne: compare,
		} {
			rules.of[op] = f
		}
	})
	return rules.of[op]
}

func (w *Walk) operand(in *ir.Instr, i int) Value { return w.Values[in.Operands[i].ID] }

func constant(w *Walk, in *ir.Instr, v *ir.Value) {
	if !v.Type.IsInt() {
		w.Forget(v)
		return
	}
	w.Set(v, Constant(in.Scalar("value").Int()))
	w.decide(v)
}

// decide says of a truth value that is known which conditions it stands for.
func (w *Walk) decide(v *ir.Value) {
	x := &w.Values[v.ID]
	if !logical(v) || x.Lost {
		return
	}
	never := w.one(Constant(-1))
	if x.All = true; x.C == 0 {
		x.Yes = never
	} else {
		x.No = never
	}
}

func programID(w *Walk, in *ir.Instr, v *ir.Value) { w.keep(v, w.ProgramIndex(int(in.Int("axis")))) }

// ProgramIndex is the program's index along an axis of the grid.
func (w *Walk) ProgramIndex(axis int) Sum {
	n := w.Grid[axis]
	c, known := n.Value()
	if known && c == 1 {
		return Constant(0)
	}
	last := n.AddConst(-1)
	a, made := w.Plain(Key{Kind: Program, N: int32(axis)}, Interval{0, w.RangeOf(last).Hi})
	if made && !known {
		w.know(a, w.Combine(last, 1, w.Sum(a), -1))
	}
	return w.Sum(a)
}

func numPrograms(w *Walk, in *ir.Instr, v *ir.Value) { w.keep(v, w.Grid[in.Int("axis")]) }

func arange(w *Walk, in *ir.Instr, v *ir.Value) {
	start, n := in.Int("start"), in.Int("end")-in.Int("start")
	if n == 1 {
		w.Set(v, Constant(start))
		return
	}
	a, _ := w.Plain(Key{Kind: Lane, Size: n}, Interval{0, n - 1})
	w.Set(v, w.Sum(a).AddConst(start))
}

func same(w *Walk, in *ir.Instr, v *ir.Value) { w.Values[v.ID] = w.operand(in, 0) }

// move is an operation that only moves elements: dimension d becomes to[d].
func (w *Walk) move(in *ir.Instr, v *ir.Value, to []int) {
	x := w.operand(in, 0)
	if max(len(v.Type.Shape), len(in.Operands[0].Type.Shape)) > MaxRank {
		w.SetIn(v, x.I)
		return
	}
	r := w.renaming(to)
	x.Sum, x.Yes, x.No = r.of(x.Sum), r.all(x.Yes), r.all(x.No)
	w.Values[v.ID] = x
}

func expandDims(w *Walk, in *ir.Instr, v *ir.Value) {
	var to [MaxRank]int
	axis := int(in.Int("axis"))
	for d := range to {
		if to[d] = d; d >= axis {
			to[d]++
		}
	}
	w.move(in, v, to[:])
}

func trans(w *Walk, in *ir.Instr, v *ir.Value) {
	to := make([]int, len(v.Type.Shape))
	for d, from := range in.Ints("perm") {
		to[from] = d
	}
	w.move(in, v, to)
}

// reshape moves dimensions larger than 1 where it leaves them as they are.
func reshape(w *Walk, in *ir.Instr, v *ir.Value) {
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
			w.SetIn(v, w.operand(in, 0).I)
			return
		}
		to[d] = k
		k++
	}
	w.move(in, v, to)
}

// either is a tile of the elements of two.
func either(w *Walk, in *ir.Instr, v *ir.Value) {
	w.SetIn(v, w.operand(in, 0).I.Hull(w.operand(in, 1).I))
}

func add(w *Walk, in *ir.Instr, v *ir.Value)      { w.linear(in, v, 1, w.operand(in, 1), 1) }
func subtract(w *Walk, in *ir.Instr, v *ir.Value) { w.linear(in, v, 1, w.operand(in, 1), -1) }
func negate(w *Walk, in *ir.Instr, v *ir.Value)   { w.linear(in, v, -1, Value{}, 0) }

// linear makes v k times the first operand plus m times y. Sums that become too long leave their interval.
func (w *Walk) linear(in *ir.Instr, v *ir.Value, k int64, y Value, m int64) {
	x := w.operand(in, 0)
	if sum := w.Combine(x.Sum, k, y.Sum, m); !sum.Lost {
		w.Set(v, sum)
		return
	}
	w.setIfHeld(v, x.I.by(k).Plus(y.I.by(m)))
}

// setIfHeld makes v anything in an interval, if its dtype holds that.
func (w *Walk) setIfHeld(v *ir.Value, i Interval) {
	if !i.Finite() || !i.Within(Range(v.Type.DType)) {
		i = Everything
	}
	w.SetIn(v, i)
}

func addPtr(w *Walk, in *ir.Instr, v *ir.Value) {
	// Pointers move back by what is in the upper half of uint64.
	if d := in.Operands[1].Type.DType.Info(); d.Bits == 64 && !d.Signed && !w.operand(in, 1).I.Finite() {
		w.Forget(v)
		return
	}
	w.point(v, w.operand(in, 0).Arg, w.Combine(w.operand(in, 0).Sum, 1, w.operand(in, 1).Sum, 1))
}

func multiply(w *Walk, in *ir.Instr, v *ir.Value) {
	if logical(v) {
		and(w, in, v)
		return
	}
	x, y := w.operand(in, 0), w.operand(in, 1)
	product, i := w.Mul(x.Sum, y.Sum), x.I.Times(y.I)
	switch held := i.Finite() && i.Within(Range(v.Type.DType)) && !w.RangeOf(product).Within(i); {
	case held && w.Tiles && !product.Lost:
		w.Values[v.ID] = Value{Sum: product, I: i}
	case held: // multiplied out, the interval would be wider
		w.SetIn(v, i)
	default:
		w.Set(v, product)
	}
}

// divided is the Quotient or the Remainder of x by d: where x is a multiple of d and what is left, or an atom. Not ok
// where rounding down may not be what engines do: unless d is positive and x a multiple of it, not negative or shifted.
func (w *Walk) divided(in *ir.Instr, kind Kind, x, d Sum) (z Sum, ok bool) {
	if !w.above(d) && !w.natural(in, 1, 1) {
		return Unknown, false
	}
	down := in.Op == ops.Shr || w.above(x.AddConst(1))
	if unit, ok := d.Unit(); ok && unit.Coef > 0 {
		q, r := w.Split(x, unit)
		if r.IsZero() || down && w.above(r.AddConst(1)) && w.above(w.Combine(d, 1, r, -1)) {
			if kind == Remainder {
				q = r
			}
			return q, true
		}
	}
	if !down && !w.natural(in, 0, 0) {
		return Unknown, false
	}
	by, of, i := w.RangeOf(d), w.RangeOf(x), Interval{0, Unbounded}
	by.Lo, by.Hi = max(1, by.Lo), max(1, by.Hi) // where control never comes, no number may be positive
	if in.Op != ops.Shr {
		of.Lo = max(0, of.Lo)
	}
	switch {
	case kind == Remainder:
		i.Hi = min(of.Hi, by.Plus(Exactly(-1)).Hi)
	case of.Lo < 0 && !of.Finite():
		i = Everything
	case of.Lo < 0:
		i = Interval{floorDiv(of.Lo, by.Lo), floorDiv(of.Hi, by.Lo)}
	case of.Hi < Unbounded:
		i = Interval{of.Lo / by.Hi, of.Hi / by.Lo}
	}
	if kind == Quotient && !by.Single() {
		i = w.quotientByCases(x, d, i)
	}
	return w.Sum(w.derived(Key{Kind: kind}, x, d, i)), true
}

// natural reports whether an operand of a division of tiles may be taken to be at least so much.
func (w *Walk) natural(in *ir.Instr, i int, least int64) bool {
	return w.Natural != nil && (in.Op == ops.Div || in.Op == ops.Rem) && w.divides(in) &&
		w.RangeOf(w.operand(in, i).Sum).Hi >= least && w.Natural(in.Operands[i], least)
}

// divide truncates. A divisor that may be 0 gives anything: engines differ.
func divide(w *Walk, in *ir.Instr, v *ir.Value) {
	x, y := w.operand(in, 0), w.operand(in, 1)
	if q, ok := w.divided(in, Quotient, x.Sum, y.Sum); ok {
		w.keep(v, q)
		return
	}
	i, ok := corners(x.I, y.I, func(a, b int64) (int64, bool) {
		if b == 0 {
			return 0, false
		}
		return a / b, true
	})
	if !ok || y.I.Lo < 0 && y.I.Hi > 0 {
		i = Everything
	}
	w.setIfHeld(v, i)
}

// modulo has the sign of the dividend and is closer to 0 than both operands, the divisor aside.
func modulo(w *Walk, in *ir.Instr, v *ir.Value) {
	x, y := w.operand(in, 0), w.operand(in, 1)
	if r, ok := w.divided(in, Remainder, x.Sum, y.Sum); ok {
		w.keep(v, r)
		return
	}
	if y.I.Lo <= 0 && y.I.Hi >= 0 || !y.I.Finite() {
		w.Forget(v)
		return
	}
	most := max(abs(y.I.Lo), abs(y.I.Hi)) - 1
	w.SetIn(v, Interval{max(min(x.I.Lo, 0), -most), min(max(x.I.Hi, 0), most)})
}

// shift is a shift's count, not ok where it may reach the width.
func (w *Walk) shift(in *ir.Instr, v *ir.Value) (i Interval, ok bool) {
	i = w.operand(in, 1).I
	return i, i.Lo >= 0 && i.Hi < int64(min(62, v.Type.DType.Info().Bits))
}

func shiftLeft(w *Walk, in *ir.Instr, v *ir.Value) {
	n, ok := w.shift(in, v)
	switch {
	case !ok:
		w.Forget(v)
	case n.Single():
		w.linear(in, v, 1<<n.Lo, Value{}, 0)
	default:
		w.setIfHeld(v, w.operand(in, 0).I.Times(Interval{1 << n.Lo, 1 << n.Hi}))
	}
}

func shiftRight(w *Walk, in *ir.Instr, v *ir.Value) {
	n, ok := w.shift(in, v)
	if !ok {
		w.Forget(v)
		return
	}
	x := w.operand(in, 0)
	if q, ok := w.divided(in, Quotient, x.Sum, Constant(1<<n.Lo)); ok && n.Single() {
		w.keep(v, q)
		return
	}
	i, ok := corners(x.I, n, func(a, b int64) (int64, bool) { return a >> b, true })
	if !ok {
		i = Everything
	}
	w.SetIn(v, i)
}

// own is the atom that x is nothing but.
func (x *Value) own() (a Atom, ok bool) {
	if x.Lost || len(x.Terms) != 1 || x.C != 0 || x.Terms[0].Coef != 1 {
		return One, false
	}
	return x.Terms[0].Atom, true
}

func and(w *Walk, in *ir.Instr, v *ir.Value) {
	x, y := w.operand(in, 0), w.operand(in, 1)
	if logical(v) {
		w.conditions(v, concat(x.Yes, y.Yes), nil)
		w.Values[v.ID].All = x.All && y.All && len(x.Yes)+len(y.Yes) <= maxConds
		return
	}
	if x.I.Single() {
		x, y = y, x
	}
	if mask := y.I.Lo; y.I.Single() && mask > 0 && mask&(mask+1) == 0 { // the low bits: a remainder
		if r, ok := w.divided(in, Remainder, x.Sum, Constant(mask+1)); ok {
			w.keep(v, r)
			return
		}
	}
	i := Everything
	for _, z := range []Interval{x.I, y.I} {
		if z.Lo >= 0 {
			i = i.Meet(Interval{0, z.Hi})
		}
	}
	w.SetIn(v, i)
}

func or(w *Walk, in *ir.Instr, v *ir.Value) {
	if logical(v) {
		w.conditions(v, nil, concat(w.operand(in, 0).No, w.operand(in, 1).No))
		return
	}
	w.bitCount(in, v)
}

func xor(w *Walk, in *ir.Instr, v *ir.Value) {
	if !logical(v) {
		w.bitCount(in, v)
		return
	}
	x, y := w.operand(in, 0), w.operand(in, 1)
	w.conditions(v, nil, nil)
	if c, ok := y.Value(); ok && c&1 == 1 {
		w.conditions(v, x.No, x.Yes)
	}
}

// bitCount is or and xor of numbers: no bit above those of the operands.
func (w *Walk) bitCount(in *ir.Instr, v *ir.Value) {
	x, y := w.operand(in, 0).I, w.operand(in, 1).I
	if x.Lo < 0 || y.Lo < 0 || x.Hi == Unbounded || y.Hi == Unbounded {
		w.Forget(v)
		return
	}
	w.SetIn(v, Interval{0, 1<<bits.Len64(uint64(x.Hi|y.Hi)) - 1})
}

func not(w *Walk, in *ir.Instr, v *ir.Value) {
	x := w.operand(in, 0)
	switch {
	case logical(v):
		w.conditions(v, x.No, x.Yes)
	default:
		w.linear(in, v, -1, Value{Sum: Constant(1), I: Exactly(1)}, -1)
	}
}

// extreme is min and max; the result is on one side of both operands.
func extreme(w *Walk, in *ir.Instr, v *ir.Value) {
	if !v.Type.IsInt() || logical(v) {
		w.Forget(v)
		return
	}
	x, y := w.operand(in, 0), w.operand(in, 1)
	kind, sign := Least, int64(1)
	i := Interval{min(x.I.Lo, y.I.Lo), min(x.I.Hi, y.I.Hi)}
	if in.Op == ops.Max {
		kind, sign, i = Greatest, -1, Interval{max(x.I.Lo, y.I.Lo), max(x.I.Hi, y.I.Hi)}
	}
	apart := w.Combine(y.Sum, sign, x.Sum, -sign)
	switch {
	case w.above(apart.AddConst(1)):
		w.keep(v, x.Sum)
	case w.above(w.Combine(apart, -1, Constant(1), 1)):
		w.keep(v, y.Sum)
	default:
		w.keep(v, w.Sum(w.derived(Key{Kind: kind}, x.Sum, y.Sum, i)))
		if !apart.Lost {
			w.addCases(v, x.Sum, []Sum{apart}, y.Sum, []Sum{w.Scale(apart, -1)})
		}
	}
}

func absolute(w *Walk, in *ir.Instr, v *ir.Value) {
	x := w.operand(in, 0)
	switch i := x.I; {
	case i.Lo >= 0:
		w.keep(v, x.Sum)
	case !i.Finite():
		w.Forget(v)
	default:
		out := Interval{0, max(abs(i.Lo), abs(i.Hi))}
		if i.Hi < 0 {
			out.Lo = -i.Hi
		}
		w.setIfHeld(v, out)
	}
}

// choose is select. Where the condition limits what the operands are, so it does the result.
func choose(w *Walk, in *ir.Instr, v *ir.Value) {
	cond, x, y := w.operand(in, 0), w.operand(in, 1), w.operand(in, 2)
	switch {
	case w.Never(cond.Yes):
		w.Values[v.ID] = y
	case w.Never(cond.No):
		w.Values[v.ID] = x
	case logical(v):
		w.Forget(v)
	case x.Arg == y.Arg && x.Equal(y.Sum):
		w.Values[v.ID] = x
	default:
		w.SetIn(v, w.intervalWhere(x.Sum, cond.Yes).Hull(w.intervalWhere(y.Sum, cond.No)))
		if !v.Type.Pointer {
			w.addCases(v, x.Sum, cond.Yes, y.Sum, cond.No)
		}
	}
}

// cast keeps what the other dtype holds as well; the rest wraps.
func cast(w *Walk, in *ir.Instr, v *ir.Value) {
	x, from, to := w.operand(in, 0), in.Operands[0], v.Type.DType
	i := x.I.Meet(Range(from.Type.DType))
	// The upper half of uint64, which no interval tells from what an int64 holds, is negative as an int64.
	upper := !from.Type.DType.Info().Signed && to.Info().Signed && !i.Finite()
	switch {
	case logical(v) && logical(from):
		same(w, in, v)
	case !v.Type.IsInt() || logical(v):
		w.Forget(v)
	case logical(from):
		w.SetIn(v, Interval{0, 1})
	case i.Within(Range(to)) && !upper:
		w.Values[v.ID] = Value{Sum: x.Sum, I: x.I}
	default:
		w.wrap(v, x.Sum)
	}
}

func bitcast(w *Walk, in *ir.Instr, v *ir.Value) {
	switch {
	case v.Type.Pointer:
		same(w, in, v)
	case in.Operands[0].Type.IsInt() && v.Type.IsInt() && !logical(v) && !logical(in.Operands[0]):
		cast(w, in, v)
	default:
		w.Forget(v)
	}
}

// compare gives what x ? y means as conditions.
func compare(w *Walk, in *ir.Instr, v *ir.Value) {
	if !in.Operands[0].Type.IsInt() {
		w.Forget(v)
		return
	}
	over := w.Combine(w.operand(in, 0).Sum, 1, w.operand(in, 1).Sum, -1) // x - y
	under := w.Scale(over, -1)
	switch in.Op {
	case ops.Lt:
		w.conditions(v, w.one(under.AddConst(-1)), w.one(over))
	case ops.Le:
		w.conditions(v, w.one(under), w.one(over.AddConst(-1)))
	case ops.Gt:
		w.conditions(v, w.one(over.AddConst(-1)), w.one(under))
	case ops.Ge:
		w.conditions(v, w.one(over), w.one(under.AddConst(-1)))
	case ops.Eq:
		w.conditions(v, []Sum{over, under}, nil)
	case ops.Ne:
		w.conditions(v, nil, []Sum{over, under})
	}
	w.Values[v.ID].All = len(w.Values[v.ID].Yes) > 0
}
