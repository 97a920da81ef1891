package facts

import (
	"math/bits"
	"slices"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
)

// Dim is what is known along one dimension of a tile, the indices of all others held fixed. Its three numbers are
// powers of two, the first and the last at most the dimension's size:
//
//   - in each run of Contiguity elements that begins at a multiple of Contiguity, every element is its predecessor plus
//     one, modulo 2^32: a run may pass from the largest integer to the smallest;
//   - the first element of each of these runs is a multiple of Divisibility;
//   - each run of Constancy elements that begins at a multiple of Constancy holds one value.
//
// A scalar has one dimension of size 1. No part of a run wraps whose length and first element are both multiples of the
// same power of two, since no run is longer than 2^31: who needs numbers that grow, as comparisons and vectors do, uses
// such parts alone. Of a whole run no more is known than that its elements differ modulo 2^32.
type Dim struct{ Contiguity, Divisibility, Constancy int64 }

// maxDivisibility is what 0 counts as a multiple of.
const maxDivisibility = 1 << 30

// LowBit is the largest power of two that divides v.
func LowBit(v int64) int64 {
	if v == 0 {
		return maxDivisibility
	}
	return min(maxDivisibility, int64(1)<<min(bits.TrailingZeros64(uint64(v)), 30))
}

// at is what every element at a multiple of c is a multiple of.
func (d Dim) at(c int64) int64 {
	if c >= d.Contiguity {
		return d.Divisibility
	}
	return min(d.Divisibility, c)
}

// part is how many elements grow one by one from a multiple of their number on, without wrapping.
func (d Dim) part() int64 { return min(d.Contiguity, d.Divisibility) }

// cut is what is known where runs have at most c elements.
func (d Dim) cut(c int64) Dim {
	c = min(c, d.Contiguity)
	return Dim{c, d.at(c), d.Constancy}
}

// of is what is known of a dtype's numbers: those of narrow ones wrap at less than 2^32.
func (d Dim) of(dtype num.DType) Dim {
	if bits := dtype.Info().Bits; bits < 32 {
		return d.cut(min(d.Divisibility, 1<<(bits-1)))
	}
	return d
}

// shared is what is known of elements that are each computed from those of x and y.
func shared(x, y Dim) Dim { return Dim{1, 1, min(x.Constancy, y.Constancy)} }

// join is what two values that may stand for each other have in common.
func join(x, y Dim) Dim {
	c := min(x.Contiguity, y.Contiguity)
	return Dim{c, min(x.at(c), y.at(c)), min(x.Constancy, y.Constancy)}
}

// Dims are the dimensions of a sum of this shape.
func (w *Walk) Dims(x Sum, shape []int) []Dim {
	list := make([]Dim, max(1, len(shape)))
	for k := range list {
		list[k] = w.dim(x, k, sizeOf(shape, k))
	}
	return list
}

func sizeOf(shape []int, k int) int64 {
	if k < len(shape) {
		return int64(shape[k])
	}
	return 1
}

// dim is dimension k, of size n, of a sum. A run of one term stays one where the others are constant along it.
func (w *Walk) dim(x Sum, k int, n int64) Dim {
	if x.Lost {
		return Dim{1, 1, 1}
	}
	var room [8]Dim
	parts := room[:0]
	out := Dim{1, LowBit(x.C), n}
	for _, u := range x.Terms {
		d := w.dimOf(u.Atom, k, n)
		parts = append(parts, d)
		out.Constancy = min(out.Constancy, d.Constancy)
	}
	for i, u := range x.Terms {
		c := parts[i].Contiguity
		for j := range parts {
			if j != i {
				c = min(c, parts[j].Constancy)
			}
		}
		if u.Coef == 1 {
			out.Contiguity = max(out.Contiguity, c)
		}
	}
	for i, u := range x.Terms {
		out.Divisibility = min(out.Divisibility, LowBit(u.Coef)*parts[i].at(out.Contiguity))
	}
	return out
}

// Slope is by how much a sum of so many bits, 32 or 64, grows with each index along dimension k, of size n, modulo 2 to
// the bits: not ok where it is not known to grow evenly.
func (w *Walk) Slope(x Sum, k int, n int64, bits int) (slope int64, ok bool) {
	for _, u := range x.Terms {
		a, d, each := w.list[u.Atom], w.dimOf(u.Atom, k, n), int64(1)
		switch {
		case d.Constancy >= n:
			continue
		case d.Contiguity >= n && (bits == 32 || a.Kind == Lane):
		case a.Kind == Wrapped && num.DType(a.N).Info().Bits >= bits:
			if each, ok = w.Slope(w.of(u.Atom).of[0], k, n, bits); !ok {
				return 0, false
			}
		default:
			return 0, false
		}
		slope += u.Coef * each
	}
	if bits == 32 {
		slope = int64(int32(slope))
	}
	return slope, !x.Lost
}

// Spread is the range of the part of a sum that is not the same for all elements of a tile of this shape.
func (w *Walk) Spread(x Sum, shape []int) Interval {
	own := Sum{Lost: x.Lost}
	for _, u := range x.Terms {
		for k, n := range shape {
			if w.dimOf(u.Atom, k, int64(n)).Constancy < int64(n) {
				own.Terms = append(own.Terms, u)
				break
			}
		}
	}
	return w.RangeOf(own)
}

// along is a dimension of an atom.
type along struct {
	Atom
	k int
	n int64
}

// dimOf is dimension k, of size n, of an atom.
func (w *Walk) dimOf(a Atom, k int, n int64) Dim {
	x := &w.list[a]
	switch {
	case x.Kind == Lane && int(x.N) == k:
		return Dim{x.Size, maxDivisibility, 1}
	case x.Kind == Argument:
		return Dim{1, LowBit(int64(w.fn.Params[x.N].Divisible)), n}
	case x.Kind < Opaque:
		return Dim{1, 1, n}
	}
	key := along{a, k, n}
	d, known := w.dims[key]
	if !known {
		if w.dims == nil {
			w.dims = map[along]Dim{}
		}
		w.dims[key] = Dim{1, 1, 1} // for what steps of a loop are made of themselves
		d = w.dimOfParts(a, k, n)
		w.dims[key] = d
	}
	return d
}

// dimOfParts is dimOf of an atom by its definition.
func (w *Walk) dimOfParts(a Atom, k int, n int64) Dim {
	x := w.list[a]
	switch x.Kind {
	case Opaque:
		return w.dimOfOpaque(x, k, n)
	case product:
		out := Dim{1, 1, n}
		for _, b := range w.of(a).factors {
			d := w.dimOf(b, k, n)
			out.Constancy = min(out.Constancy, d.Constancy)
			out.Divisibility = min(maxDivisibility, out.Divisibility*d.at(1))
		}
		return out
	case Wrapped:
		return w.dim(w.of(a).of[0], k, n).of(num.DType(x.N))
	}
	p, q := w.dim(w.of(a).of[0], k, n), w.dim(w.of(a).of[1], k, n)
	out, run := shared(p, q), quotientRun(p, q)
	switch x.Kind {
	case Quotient:
		out.Constancy = max(out.Constancy, run)
		// Divisibilities are powers of two, so only such a divisor leaves one.
		if d, ok := w.of(a).of[1].Value(); ok && LowBit(d) == d && p.Divisibility >= d && run == p.Contiguity {
			out.Divisibility = p.Divisibility / d
		}
	case Remainder:
		out.Contiguity = run
		out.Divisibility = min(p.at(run), q.at(1))
	default:
		out.Divisibility = min(p.at(1), q.at(1))
	}
	return out
}

// quotientRun is the length, at most that of a run of the dividend x, over which this stays between two multiples of
// the divisor y, which is constant there.
func quotientRun(x, y Dim) int64 { return min(x.part(), y.Constancy, y.at(1)) }

// dimOfOpaque is that of the value which an Opaque atom is an element of, seen in another shape.
func (w *Walk) dimOfOpaque(x atom, k int, n int64) Dim {
	shape, at, most := x.value.Type.Shape, 0, int64(1)
	for own := range max(1, len(shape)) {
		d := w.dimOfResult(x.value, own, sizeOf(shape, own))
		if steps, ok := w.steps[x.N]; ok {
			d = w.dimOfSteps(steps, own, sizeOf(shape, own))
		}
		if sizeOf(shape, own) > 1 {
			if int(x.View>>at&15)-1 == k {
				return d
			}
			at += 4
		}
		most = max(most, d.at(1))
	}
	return Dim{1, most, n}
}

// dimOfSteps is dimension k, of size n, of a sum of any number of steps.
func (w *Walk) dimOfSteps(steps []Step, k int, n int64) Dim {
	out := Dim{1, maxDivisibility, n}
	for _, s := range steps {
		d := w.dim(w.Values[s.Value.ID].Sum, k, n)
		out.Constancy, out.Divisibility = min(out.Constancy, d.Constancy), min(out.Divisibility, d.at(1))
	}
	return out
}

// dimOfOperand is dimension k of an operand.
func (w *Walk) dimOfOperand(in *ir.Instr, i, k int) Dim {
	v := in.Operands[i]
	return w.dim(w.Values[v.ID].Sum, k, sizeOf(v.Type.Shape, k))
}

// everywhere is what all elements of an operand are multiples of.
func (w *Walk) everywhere(in *ir.Instr, i int) (most int64) {
	for k := range max(1, len(in.Operands[i].Type.Shape)) {
		most = max(most, w.dimOfOperand(in, i, k).at(1))
	}
	return most
}

// dimOfResult is dimension k, of size n, of what an operation gives that is no sum.
func (w *Walk) dimOfResult(v *ir.Value, k int, n int64) Dim {
	in := v.Def
	if in == nil {
		return Dim{1, 1, 1}
	}
	out := Dim{1, 1, 1}
	if in.Op.Has(ops.Pure|ops.Elementwise) && in.Op != ops.InlineAsm {
		out.Constancy = n
		for i, x := range in.Operands {
			if x != nil {
				out = shared(out, w.dimOfOperand(in, i, k))
			}
		}
	}
	of := func(i int) Dim { return w.dimOfOperand(in, i, k) }
	switch in.Op {
	case ops.Const:
		out.Constancy = n
	case ops.Select: // a run lies in one operand where the condition is constant
		d := join(of(1), of(2)).cut(of(0).Constancy)
		out.Contiguity, out.Divisibility = d.Contiguity, d.Divisibility
	case ops.Shl:
		out.Divisibility = of(0).at(1)
	case ops.And: // a number with low ones alone takes a remainder, one with low zeros rounds down
		for i, y := range in.Operands {
			if c, ok := w.Values[y.ID].Value(); ok && !logical(v) {
				x := of(1 - i)
				out.Contiguity = min(x.part(), LowBit(^c))
				out.Constancy = max(out.Constancy, min(x.part(), LowBit(c)))
			}
		}
		out.Divisibility = max(of(0).at(out.Contiguity), of(1).at(1))
	case ops.Or, ops.Xor: // sums, where numbers differ in low bits alone, which the other operand does not have
		x, y := of(0), of(1)
		out.Contiguity = max(quotientRun(x, y), quotientRun(y, x))
		out.Divisibility = min(x.at(out.Contiguity), y.at(out.Contiguity))
	case ops.Lt, ops.Le, ops.Gt, ops.Ge:
		out.Constancy = max(out.Constancy, w.sameSide(in, k, n))
	case ops.Hint:
		out = w.hinted(in, k, n)
	case ops.Reshape:
		return w.reshaped(in, k)
	case ops.Join:
		if k == len(in.Operands[0].Type.Shape) {
			return Dim{1, min(w.everywhere(in, 0), w.everywhere(in, 1)), 1}
		}
		return join(of(0), of(1))
	case ops.Split:
		if v.Type.IsScalar() {
			return Dim{1, w.everywhere(in, 0), 1}
		}
		return of(0)
	case ops.IntToPtr:
		out.Divisibility = max(1, of(0).at(1)/bytesOf(v))
	case ops.PtrToInt:
		if arg := w.Values[in.Operands[0].ID].Arg; arg >= 0 && arg < len(w.fn.Params) {
			out.Divisibility = min(w.Alignment(arg), bytesOf(in.Operands[0])*of(0).at(1))
		}
	default:
		first := true
		Flows(in, func(to, from []*ir.Value) {
			if i := slices.Index(to, v); i >= 0 {
				d := w.dim(w.Values[from[i].ID].Sum, k, n)
				if !first {
					d = join(out, d)
				}
				out, first = d, false
			}
		})
	}
	if v.Type.IsInt() {
		out = out.of(v.Type.DType)
	}
	return out
}

func bytesOf(ptr *ir.Value) int64 { return int64(ptr.Type.DType.Info().Bytes) }

// Alignment is of how many bytes the address is a multiple that a pointer of this [Value.Arg] derives from; of one that
// is no parameter's, the offset says that.
func (w *Walk) Alignment(arg int) int64 {
	least := int64(maxDivisibility)
	for i, p := range w.fn.Params {
		if p.Value.Type.Pointer && (arg == i || arg == Anywhere) {
			least = min(least, LowBit(int64(p.Divisible)))
		}
	}
	return least
}

// sameSide is the length of runs over which a comparison gives the same: g ≥ 0 for a sum g that grows, or falls, by one
// changes at one number alone, which is a multiple of the length.
func (w *Walk) sameSide(in *ir.Instr, k int, n int64) (most int64) {
	if !in.Operands[0].Type.IsInt() {
		return 1
	}
	g := w.Values[in.Operands[0].ID].Sub(w.Values[in.Operands[1].ID].Sum)
	if in.Op == ops.Le || in.Op == ops.Gt {
		g = g.AddConst(-1)
	}
	for i, u := range g.Terms {
		bound := Sum{slices.Delete(slices.Clone(g.Terms), i, i+1), g.C, g.Lost}
		if u.Coef == -1 {
			bound = bound.AddConst(1)
		}
		if u.Coef == 1 || u.Coef == -1 {
			most = max(most, quotientRun(w.dimOf(u.Atom, k, n), w.dim(bound, k, n)))
		}
	}
	return most
}

// reshaped keeps runs along dimensions that stay: those of the same size that have as many elements behind them. The
// last dimension of the operand, cut or lengthened, keeps shorter ones.
func (w *Walk) reshaped(in *ir.Instr, k int) Dim {
	from, to := in.Operands[0].Type.Shape, in.Results[0].Type.Shape
	all := w.everywhere(in, 0)
	out := Dim{1, all, 1}
	behind, old := int64(1), int64(1)
	for _, n := range to[min(k+1, len(to)):] {
		behind *= int64(n)
	}
	for d := len(from) - 1; d >= 0 && len(to) > 0; d-- {
		x, size := w.dimOfOperand(in, 0, d), int64(from[d])
		if old <= behind && behind < old*size {
			out.Constancy = max(1, min(x.Constancy*old/behind, int64(to[k])))
			if old == behind {
				c := min(x.Contiguity, int64(to[k]))
				out.Contiguity, out.Divisibility = c, max(all, x.at(c))
			}
		}
		old *= size
	}
	return out
}

// hinted believes the author: numbers that are no powers of two count as the largest that divides them.
func (w *Walk) hinted(in *ir.Instr, k int, n int64) Dim {
	out := w.dimOfOperand(in, 0, k)
	raise := func(p *int64, name string, most int64) {
		if list := in.Ints(name); k < len(list) {
			*p = max(*p, min(LowBit(list[k]), most))
		}
	}
	raise(&out.Divisibility, "divisibility", maxDivisibility)
	raise(&out.Contiguity, "contiguity", n)
	raise(&out.Constancy, "constancy", n)
	return out
}

// hint is its operand, of which more is known if the author is believed.
func hint(w *Walk, in *ir.Instr, v *ir.Value) {
	same(w, in, v)
	x := &w.Values[v.ID]
	if _, number := x.Value(); number || !w.Believe {
		return
	}
	for k := range max(1, len(v.Type.Shape)) {
		if w.hinted(in, k, sizeOf(v.Type.Shape, k)) != w.dimOfOperand(in, 0, k) {
			w.Hinted = true
			x.Sum = w.Sum(w.fresh(v, x.I))
			return
		}
	}
}

// divides reports whether it makes a difference for runs that a quotient is of natural numbers.
func (w *Walk) divides(in *ir.Instr) bool {
	for k := range in.Operands[0].Type.Shape {
		if quotientRun(w.dimOfOperand(in, 0, k), w.dimOfOperand(in, 1, k)) > 1 {
			return true
		}
	}
	return false
}
