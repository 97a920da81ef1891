package axis

import (
	"math/bits"
	"slices"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
)

// operation is one operation while its result's facts are computed.
type operation struct {
	*analysis
	in   *ir.Instr
	x, y *fact // the first operands, nil where absent
	out  fact  // begins as what is true of any result
}

// transfers are the transfer functions: what an operation adds to what is known of any elementwise result, which is
// constant where its operands are.
var transfers = map[ops.Op]func(u *operation){
	ops.Const: constant, ops.Arange: arange, ops.ProgramID: natural, ops.NumPrograms: natural,
	ops.Splat: splat, ops.ExpandDims: expandDims, ops.Broadcast: broadcast, ops.Reshape: reshape,
	ops.Trans: trans, ops.Join: joinTiles,
	ops.Add: sum, ops.AddPtr: sum, ops.Sub: difference, ops.PtrDiff: pointerDifference, ops.Mul: product,
	ops.Div: quotient, ops.Rem: remainder, ops.Shl: shiftLeft, ops.Shr: shiftRight,
	ops.And: and, ops.Or: or, ops.Xor: or, ops.Min: smaller, ops.Max: larger,
	ops.Lt: compare, ops.Ge: compare, ops.Le: compare, ops.Gt: compare,
	ops.Select: choose, ops.Cast: cast, ops.Bitcast: sameBits, ops.IntToPtr: intToPtr, ops.PtrToInt: ptrToInt,
	ops.Hint: hint,
}

// transfer finds the facts of an operation without regions.
func (a *analysis) transfer(in *ir.Instr) {
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
	u := &operation{analysis: a, in: in, out: bottom(in.Results[0])}
	for i, v := range in.Operands {
		if v == nil {
			continue
		}
		f := &a.values[v.ID]
		u.out.hinted = u.out.hinted || f.hinted
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
		u.shareConstancy()
	}
	if f := transfers[in.Op]; f != nil {
		f(u)
	}
	u.foldConstant()
	u.capRuns()
	a.values[in.Results[0].ID] = u.out
}

// shareConstancy gives the result the constant runs that all operands share.
func (u *operation) shareConstancy() {
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

// foldConstant gives a result whose value is known all that follows from it. What an int64 does not hold, the upper
// half of uint64, is not known: orders and quotients of it would be those of negative numbers.
func (u *operation) foldConstant() {
	f := &u.out
	t := u.in.Results[0].Type
	held := func() bool {
		return num.FromInt(t.DType, f.value).Int() == f.value && (f.value >= 0 || t.DType.Info().Signed)
	}
	if f.known && (!t.IsInt() || !held()) {
		f.known = false
	}
	if !f.known {
		f.value = 0
		f.hinted = f.hinted && slices.ContainsFunc(f.dims, func(d Dim) bool { return d != unknown })
		return
	}
	f.nonNegative = f.nonNegative || f.value >= 0
	for d := range f.dims {
		f.dims[d] = Dim{1, lowBit(f.value), u.size(d)}
	}
}

// capRuns cuts the runs of integers narrower than 32 bits, i1 among them, to what one sign of the dtype holds.
func (u *operation) capRuns() {
	t := u.in.Results[0].Type
	if !t.IsInt() || t.DType.Info().Bits >= wideBits {
		return
	}
	most := int64(1) << (t.DType.Info().Bits - 1)
	for d := range u.out.dims {
		if x := u.out.dims[d]; x.Contiguity > most {
			u.out.dims[d].Contiguity, u.out.dims[d].Divisibility = most, x.at(most)
		}
	}
}

// size is the result's size along dimension d.
func (u *operation) size(d int) int64 {
	if shape := u.in.Results[0].Type.Shape; len(shape) > 0 {
		return int64(shape[d])
	}
	return 1
}

// addAssumption adds an assumption that the facts rest on; it reports whether they may.
func (u *operation) addAssumption(v *ir.Value, least int64) bool {
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

func constant(u *operation) {
	s := u.in.Scalar("value")
	for d := range u.out.dims {
		u.out.dims[d].Constancy = u.size(d)
	}
	if t := u.in.Results[0].Type; t.IsInt() {
		u.out.value, u.out.known = s.Int(), t.DType != num.Uint64 || s.Int() >= 0
	}
}

func arange(u *operation) {
	start := u.in.Int("start")
	u.out.dims[0] = Dim{u.size(0), lowBit(start), 1}
	u.out.nonNegative = start >= 0
}

// intToPtr: a launch's memory is aligned alike at its address and on the device. Each address of a tile may be in other
// memory.
func intToPtr(u *operation) {
	if !u.in.Results[0].Type.IsScalar() {
		u.out.argument = Mixed
		return
	}
	u.out.dims[0].Divisibility = u.x.dims[0].Divisibility
	u.out.argument = u.params + u.in.Results[0].ID
}

// ptrToInt: in a run, addresses are one element's bytes apart.
func ptrToInt(u *operation) {
	bytes := elementBytes(u.in.Operands[0])
	for d, x := range u.x.dims {
		if x.Contiguity > 1 && bytes > 1 {
			x.Contiguity, x.Divisibility = 1, min(x.Divisibility, bytes)
		}
		u.out.dims[d] = x
	}
}

func natural(u *operation) { u.out.nonNegative = true }

func splat(u *operation) {
	for d := range u.out.dims {
		u.out.dims[d] = Dim{1, u.x.dims[0].Divisibility, u.size(d)}
	}
	u.passThrough()
}

// passThrough hands on the facts that do not depend on the order of elements.
func (u *operation) passThrough() {
	u.out.value, u.out.known, u.out.nonNegative = u.x.value, u.x.known, u.x.nonNegative
}

func expandDims(u *operation) {
	u.passThrough()
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

func broadcast(u *operation) {
	u.passThrough()
	copy(u.out.dims, u.x.dims)
	for d, n := range u.in.Operands[0].Type.Shape {
		if n == 1 {
			u.out.dims[d].Constancy = u.size(d)
		}
	}
}

func trans(u *operation) {
	u.passThrough()
	copy(u.out.dims, u.x.dims) // of a scalar there is nothing else
	for d, from := range u.in.Ints("perm") {
		u.out.dims[d] = u.x.dims[from]
	}
}

func joinTiles(u *operation) {
	u.passThrough()
	u.out.nonNegative = u.x.nonNegative && u.y.nonNegative
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
func reshape(u *operation) {
	u.passThrough()
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
func choose(u *operation) {
	cond, x, y := u.x, u.y, &u.values[u.in.Operands[2].ID]
	z := join(*x, *y)
	for d := range u.out.dims {
		c := min(z.dims[d].Contiguity, cond.dims[d].Constancy)
		u.out.dims[d].Contiguity, u.out.dims[d].Divisibility = c, z.dims[d].at(c)
	}
	u.out.nonNegative, u.out.argument = z.nonNegative, z.argument
	u.out.value, u.out.known = z.value, z.known
}

// wideBits is from how many bits on a run that wraps counts as contiguous in wider integers and pointers.
const wideBits = 32

// widened is the facts about integers of dtype from where they become wider ones. Of narrow ones, only runs that do not
// wrap stay runs: those that begin at a multiple of their length.
func (d Dim) widened(from num.DType) Dim {
	if from.Info().Bits < wideBits {
		c := min(d.Contiguity, d.Divisibility)
		return Dim{c, d.at(c), d.Constancy}
	}
	return d
}

func cast(u *operation) {
	from, to := u.in.Operands[0].Type, u.in.Results[0].Type
	if !from.IsInt() || !to.IsInt() || to.DType == num.Int1 {
		if from.IsInt() && to.DType == num.Int1 && u.x.known {
			u.out.value, u.out.known = num.FromInt(from.DType, u.x.value).Cast(num.Int1).Int(), true
		}
		return
	}
	wider := to.DType.Info().Bits > from.DType.Info().Bits
	for d, x := range u.x.dims {
		if wider {
			x = x.widened(from.DType)
		}
		u.out.dims[d].Contiguity, u.out.dims[d].Divisibility = x.Contiguity, x.Divisibility
	}
	u.out.value, u.out.known = u.x.value, u.x.known
	u.out.nonNegative = u.out.nonNegative || u.x.nonNegative && wider
}

func sameBits(u *operation) {
	if t := u.in.Operands[0].Type; t.Pointer || t.IsInt() && u.in.Results[0].Type.IsInt() {
		copy(u.out.dims, u.x.dims)
	}
}

// hint believes the author: numbers that are no powers of two count as the largest that divides them.
func hint(u *operation) {
	u.passThrough()
	copy(u.out.dims, u.x.dims)
	raise := func(name string, field func(*Dim) *int64, most func(d int) int64) {
		for d, v := range u.in.Ints(name) {
			if p, n := field(&u.out.dims[d]), min(lowBit(v), most(d)); u.believe && n > *p {
				*p, u.out.hinted = n, true
			}
		}
	}
	raise("divisibility", func(d *Dim) *int64 { return &d.Divisibility }, func(int) int64 { return maxDivisibility })
	raise("contiguity", func(d *Dim) *int64 { return &d.Contiguity }, u.size)
	raise("constancy", func(d *Dim) *int64 { return &d.Constancy }, u.size)
}
