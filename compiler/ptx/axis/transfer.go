package axis

import (
	"math/bits"
	"slices"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
)

// use is one operation while its result is found out.
type use struct {
	*analysis
	in   *ir.Instr
	x, y *fact // the first operands, nil where absent
	out  fact  // begins as what is true of any result
}

// transfers say what an operation adds to what is known of any elementwise result: that it is
// constant where its operands are.
var transfers = map[ops.Op]func(u *use){
	ops.Const: constant, ops.Arange: arange, ops.ProgramID: natural, ops.NumPrograms: natural,
	ops.Splat: splat, ops.ExpandDims: expandDims, ops.Broadcast: broadcast, ops.Reshape: reshape,
	ops.Trans: trans, ops.Join: joinTiles,
	ops.Add: sum, ops.AddPtr: sum, ops.Sub: difference, ops.PtrDiff: pointerDifference, ops.Mul: product,
	ops.Div: quotient, ops.Rem: remainder, ops.Shl: shiftLeft, ops.Shr: shiftRight,
	ops.And: and, ops.Or: or, ops.Xor: or, ops.Min: smaller, ops.Max: larger,
	ops.Lt: compare, ops.Ge: compare, ops.Le: compare, ops.Gt: compare,
	ops.Select: choose, ops.Cast: cast, ops.Bitcast: sameBits, ops.Hint: hint,
}

// plain finds the facts of an operation without regions.
func (a *analysis) plain(in *ir.Instr) {
	if len(in.Results) == 0 {
		return
	}
	if in.Op == ops.Split {
		f := a.values[in.Operands[0].ID]
		f.dims = f.dims[: len(f.dims)-1 : len(f.dims)-1]
		if len(f.dims) == 0 {
			f.dims = []Dim{{1, a.values[in.Operands[0].ID].everywhere(), 1}}
		}
		a.values[in.Results[0].ID], a.values[in.Results[1].ID] = f, f
		return
	}
	u := &use{analysis: a, in: in, out: bottom(in.Results[0])}
	for i, v := range in.Operands {
		if v == nil {
			continue
		}
		f := &a.values[v.ID]
		u.out.vouched = u.out.vouched || f.vouched
		switch i {
		case 0:
			u.x, u.out.argument = f, f.argument
		case 1:
			u.y = f
		}
	}
	if !in.Results[0].Type.Pointer {
		u.out.argument = Mixed
	}
	if in.Op.Has(ops.Pure | ops.Elementwise) {
		u.constancy()
	}
	if f := transfers[in.Op]; f != nil {
		f(u)
	}
	u.fold()
	if in.Results[0].Type.DType == num.Int1 && !in.Results[0].Type.Pointer {
		for d := range u.out.dims { // there is no next after true
			u.out.dims[d].Divisibility, u.out.dims[d].Contiguity = u.out.everywhere(), 1
		}
	}
	a.values[in.Results[0].ID] = u.out
}

// constancy gives the result the runs that all operands share.
func (u *use) constancy() {
	for d := range u.out.dims {
		k := u.size(d)
		for _, v := range u.in.Operands {
			if v != nil {
				k = min(k, u.values[v.ID].dims[d].Constancy)
			}
		}
		u.out.dims[d].Constancy = k
	}
}

// fold lets a result whose value is known have all that follows from it.
func (u *use) fold() {
	f := &u.out
	t := u.in.Results[0].Type
	if f.known && (!t.IsInt() || num.FromInt(t.DType, f.value).Int() != f.value) {
		f.known = false
	}
	if !f.known {
		f.value = 0
		f.vouched = f.vouched && slices.ContainsFunc(f.dims, func(d Dim) bool { return d != unknown })
		return
	}
	f.natural = f.natural || f.value >= 0
	for d := range f.dims {
		f.dims[d] = Dim{1, lowBit(f.value), u.size(d)}
	}
}

// size is the result's size along dimension d.
func (u *use) size(d int) int64 {
	if shape := u.in.Results[0].Type.Shape; len(shape) > 0 {
		return int64(shape[d])
	}
	return 1
}

// assumes adds an assumption that the facts rest on; it reports whether they may.
func (u *use) assumes(v *ir.Value, least int64) bool {
	if !u.assume {
		return false
	}
	if u.record {
		u.analysis.assumes = append(u.analysis.assumes, Assumption{v, least})
	}
	return true
}

// lowBit is the largest power of two that divides v.
func lowBit(v int64) int64 {
	if v == 0 {
		return maxDivisibility
	}
	return min(maxDivisibility, int64(1)<<min(bits.TrailingZeros64(uint64(v)), 30))
}

// everywhere is what every element is a multiple of.
func (f *fact) everywhere() int64 {
	most := int64(1)
	for _, d := range f.dims {
		most = max(most, d.at(1))
	}
	return most
}

func constant(u *use) {
	s := u.in.Scalar("value")
	for d := range u.out.dims {
		u.out.dims[d].Constancy = u.size(d)
	}
	if t := u.in.Results[0].Type; t.IsInt() {
		u.out.value, u.out.known = s.Int(), t.DType != num.Uint64 || s.Int() >= 0
	}
}

func arange(u *use) {
	start := u.in.Int("start")
	u.out.dims[0] = Dim{u.size(0), lowBit(start), 1}
	u.out.natural = start >= 0
}

func natural(u *use) { u.out.natural = true }

func splat(u *use) {
	for d := range u.out.dims {
		u.out.dims[d] = Dim{1, u.x.dims[0].Divisibility, u.size(d)}
	}
	u.pass()
}

// pass hands on what does not depend on the order of elements.
func (u *use) pass() {
	u.out.value, u.out.known, u.out.natural = u.x.value, u.x.known, u.x.natural
}

func expandDims(u *use) {
	u.pass()
	axis := int(u.in.Int("axis"))
	from := u.x.dims
	if len(u.in.Operands[0].Type.Shape) == 0 {
		from = nil
	}
	for d := range u.out.dims {
		switch {
		case d == axis:
			u.out.dims[d] = Dim{1, u.x.everywhere(), 1}
		case d < axis:
			u.out.dims[d] = from[d]
		default:
			u.out.dims[d] = from[d-1]
		}
	}
}

func broadcast(u *use) {
	u.pass()
	copy(u.out.dims, u.x.dims)
	for d, n := range u.in.Operands[0].Type.Shape {
		if n == 1 {
			u.out.dims[d].Constancy = u.size(d)
		}
	}
}

func trans(u *use) {
	u.pass()
	copy(u.out.dims, u.x.dims) // of a scalar there is nothing else
	for d, from := range u.in.Ints("perm") {
		u.out.dims[d] = u.x.dims[from]
	}
}

func joinTiles(u *use) {
	u.pass()
	u.out.natural = u.x.natural && u.y.natural
	u.out.known = u.x.known && u.y.known && u.x.value == u.y.value
	z := join(*u.x, *u.y)
	u.out.argument = z.argument
	last := len(u.out.dims) - 1
	if last > 0 { // of scalars there is nothing to copy
		copy(u.out.dims, z.dims[:last])
	}
	u.out.dims[last] = Dim{1, min(u.x.everywhere(), u.y.everywhere()), 1}
}

// reshape keeps runs along dimensions that stay: those of the same size that have as many elements
// behind them. The last dimension of the operand, cut or lengthened, keeps shorter ones.
func reshape(u *use) {
	u.pass()
	from, to := u.in.Operands[0].Type.Shape, u.in.Results[0].Type.Shape
	all := u.x.everywhere()
	behind := int64(1)
	for d := len(to) - 1; d >= 0; d-- {
		out := &u.out.dims[d]
		out.Divisibility = all
		old := int64(1)
		for k := len(from) - 1; k >= 0; k-- {
			x, size := u.x.dims[k], int64(from[k])
			if old <= behind && behind < old*size {
				out.Constancy = max(1, min(x.Constancy*old/behind, int64(to[d])))
				if old == behind {
					c := min(x.Contiguity, int64(to[d]))
					out.Contiguity, out.Divisibility = c, max(all, x.at(c))
				}
			}
			old *= size
		}
		behind *= int64(to[d])
	}
	if len(to) == 0 {
		u.out.dims[0].Divisibility = all
	}
}

// choose is select: a run of the result lies in one operand where the condition is constant.
func choose(u *use) {
	cond, x, y := u.x, u.y, &u.values[u.in.Operands[2].ID]
	z := join(*x, *y)
	for d := range u.out.dims {
		c := min(z.dims[d].Contiguity, cond.dims[d].Constancy)
		u.out.dims[d].Contiguity, u.out.dims[d].Divisibility = c, z.dims[d].at(c)
	}
	u.out.natural, u.out.argument = z.natural, z.argument
	u.out.value, u.out.known = z.value, z.known
}

// narrow is below what sums of indices are computed in; there, wrapping is usual.
const narrow = 32

func cast(u *use) {
	from, to := u.in.Operands[0].Type, u.in.Results[0].Type
	if !from.IsInt() || !to.IsInt() || to.DType == num.Int1 {
		if from.IsInt() && to.DType == num.Int1 && u.x.known {
			u.out.value, u.out.known = num.FromInt(from.DType, u.x.value).Cast(num.Int1).Int(), true
		}
		return
	}
	wider := to.DType.Info().Bits > from.DType.Info().Bits
	for d := range u.out.dims {
		x := u.x.dims[d]
		c := x.Contiguity
		if wider && from.DType.Info().Bits < narrow {
			c = min(c, x.Divisibility)
		}
		u.out.dims[d].Contiguity, u.out.dims[d].Divisibility = c, x.at(c)
	}
	u.out.value, u.out.known = u.x.value, u.x.known
	u.out.natural = u.out.natural || u.x.natural && wider
}

func sameBits(u *use) {
	if t := u.in.Operands[0].Type; t.Pointer || t.IsInt() && u.in.Results[0].Type.IsInt() {
		copy(u.out.dims, u.x.dims)
	}
}

// hint believes the author: numbers that are no powers of two count as the largest that divides them.
func hint(u *use) {
	u.pass()
	copy(u.out.dims, u.x.dims)
	raise := func(name string, field func(*Dim) *int64, most func(d int) int64) {
		for d, v := range u.in.Ints(name) {
			if p, n := field(&u.out.dims[d]), min(lowBit(v), most(d)); n > *p {
				*p, u.out.vouched = n, true
			}
		}
	}
	raise("divisibility", func(d *Dim) *int64 { return &d.Divisibility }, func(int) int64 { return maxDivisibility })
	raise("contiguity", func(d *Dim) *int64 { return &d.Contiguity }, u.size)
	raise("constancy", func(d *Dim) *int64 { return &d.Constancy }, u.size)
}
