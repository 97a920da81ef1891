package sanitize

import (
	"math"
	"math/big"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/axis"
	"github.com/newtlab/newt/compiler/types"
	"github.com/newtlab/newt/interp/trace"
)

// Overflows finds signed integers that wrap, and because of which an access reaches another element, a mask admits or
// leaves out another lane, or a branch or a loop is decided differently. It is an observer of one launch of a kernel
// that was planned for WatchIntegers.
//
// It computes what the lanes would be in arithmetic where only unsigned integers wrap, as in C, for those lanes that
// differ from the launch's. So a sum that wraps back is right, and so are the low bits of a hash. A cast from unsigned
// to signed keeps its bits, which its author has asked for; one to a narrower signed integer wraps as a sum does.
type Overflows struct {
	Params []*ir.Param
	Args   []num.Scalar                   // for the parameters that are no pointers
	Text   func(*ir.Instr) any            // names what an operation computes
	Found  map[*ir.Instr]*diag.Diagnostic // by what wraps
	// Programs is how many were watched.
	Programs int64
	exact    []exact // what marks of the program stand for
	left     int     // lanes that may still be followed
	follower
}

// exact is what a lane would be if signed integers did not wrap; n is nil where that is not known. The reason is the
// first operation that has wrapped, with what its lane would be and is.
type exact struct {
	n         *big.Int
	reason    *ir.Instr
	would, is *big.Int
}

const (
	isExact = 1 // the kind of the marks, whose origin is an index into Overflows.exact

	maxExact     = 1 << 20 // lanes of a launch that are followed
	maxExactBits = 256     // of a number that is followed
)

// Launch begins with the arguments of a launch.
func (o *Overflows) Launch(_ [3]int, args []trace.Buffer) {
	*o = Overflows{Params: o.Params, Args: o.Args, Text: o.Text, Found: map[*ir.Instr]*diag.Diagnostic{},
		left: maxExact, follower: newFollower(args)}
	for i, p := range o.Params {
		if o.known[p.Value] = o.Args[i].Vec(); p.Value.Type.Pointer {
			o.known[p.Value] = num.Vec{I64: []int64{trace.Pointer(i, 0)}}
		}
	}
}

// Watches is true of every program, until there was too much to follow.
func (o *Overflows) Watches([3]int) bool {
	if !o.Partial() {
		o.Programs++
	}
	return !o.Partial()
}

// Partial reports whether there was too much to follow: the last of Programs was not followed to its end.
func (o *Overflows) Partial() bool { return o.left <= 0 }

// WatchIntegers chooses the operations that Overflows is told of: control flow, accesses, and all that addresses,
// masks, branches and loops are computed from.
func WatchIntegers(fn *ir.Func) func(*ir.Instr) bool {
	reached, reach := values{}, axis.Reach(fn)
	fn.Body.Walk(func(in *ir.Instr) {
		if axis.Accesses(in) {
			for v := range reach(in) {
				reached[v] = true
			}
		}
	})
	return func(in *ir.Instr) bool {
		return axis.Accesses(in) || handovers(in) != nil || reached.any(in.Results)
	}
}

// Operation follows one operation.
func (o *Overflows) Operation(op *trace.Operation) {
	in := op.Instr
	if op.Program != o.program {
		o.exact = o.exact[:0]
	}
	o.begin(op.Program)
	switch {
	case o.Partial():
	case op.Region != nil:
		if in.Op == ops.If || in.Op == ops.While && op.Region == in.Regions[1] {
			o.checkBranch(in)
		}
		o.enter(in, op.Region)
		o.keep(op.Region.Args, op.Lanes)
	case handovers(in) != nil:
		if in.Op != ops.If { // a loop of no iterations was decided, too
			o.checkBranch(in)
		}
		o.leave(in)
		o.keep(in.Results, op.Lanes)
	default:
		o.keep(in.Results, op.Lanes)
		for i, r := range in.Results {
			o.marks.set(r, o.follow(in, i))
		}
		if axis.Accesses(in) && len(o.marks.of) > 0 {
			o.checkAccess(in)
		}
	}
}

// keep copies the lanes of integers and pointers.
func (o *Overflows) keep(values []*ir.Value, lanes []num.Vec) {
	for i, v := range values {
		o.known.put(v, lanes[i])
	}
}

// follow are the marks of a result: of lanes that an operation gives other numbers without wrapping.
func (o *Overflows) follow(in *ir.Instr, result int) []mark {
	r := in.Results[result]
	if in.Op.Has(ops.Reads) || !r.Type.Pointer && !r.Type.IsInt() {
		return nil
	}
	marked := false
	for _, v := range in.Operands {
		marked = marked || o.marks.of[v] != nil
	}
	switch in.Op {
	case ops.Splat, ops.ExpandDims, ops.Broadcast, ops.Reshape, ops.Trans, ops.Join, ops.Split, ops.Hint:
		return o.through(in, result)
	case ops.Reduce, ops.Scan:
		if combine := combination(in); combine != nil && (marked || mayWrap(combine)) {
			return o.combined(in, combine)
		}
	}
	if !marked && !mayWrap(in) {
		return nil
	}
	lanes, out := o.known[r], o.marks.arena.make(r.Type.Numel())
	args := make([]*big.Int, len(in.Operands))
	for i := range out {
		from := o.markOf(in, i)
		if from == 0 && (!mayWrap(in) || o.fits(in, i, integer(lanes, i))) {
			continue
		}
		for k, v := range in.Operands {
			args[k] = o.number(v, i)
		}
		out[i] = o.differs(in, evaluate(in, args), numberAt(r.Type, lanes, i), from)
	}
	return out
}

// mayWrap reports whether an operation on signed integers may wrap.
func mayWrap(in *ir.Instr) bool {
	t := in.Results[0].Type
	if !t.IsInt() || !t.DType.Info().Signed {
		return false
	}
	switch in.Op {
	case ops.Add, ops.Sub, ops.Mul, ops.Neg, ops.Abs, ops.Shl:
		return true
	case ops.Cast:
		from := in.Operands[0].Type
		return from.IsInt() && from.DType.Info().Signed && from.DType.Info().Bits > t.DType.Info().Bits
	}
	return false
}

// fits reports whether lane i of an operation that may wrap, which is n, does not.
func (o *Overflows) fits(in *ir.Instr, i int, n int64) bool {
	x, ok := o.known.lane(in.Operands[0], i)
	if !ok {
		return true // as far as is known
	}
	if len(in.Operands) == 1 {
		switch in.Op {
		case ops.Neg:
			return x != math.MinInt64 && n == -x
		case ops.Abs:
			return n == max(x, -x) && n >= 0
		}
		return n == x
	}
	y, ok := o.known.lane(in.Operands[1], i)
	if !ok {
		return true
	}
	switch in.Op {
	case ops.Add:
		return n == x+y && (x^n)&(y^n) >= 0
	case ops.Sub:
		return n == x-y && (x^y)&(x^n) >= 0
	case ops.Shl:
		return 0 <= y && y < 64 && n == x<<y && n>>y == x
	}
	product, ok := num.MulExact(x, y)
	return ok && n == product
}

// markOf is the mark of an operand's lane; of several, that of the first operand that has one.
func (o *Overflows) markOf(in *ir.Instr, i int) mark {
	for _, v := range in.Operands {
		if m := o.markAt(v, i); m != 0 {
			return m
		}
	}
	return 0
}

// markAt is that of lane i of v, of which a number has one for all.
func (o *Overflows) markAt(v *ir.Value, i int) mark {
	lanes := o.marks.of[v]
	if len(lanes) == 1 {
		i = 0
	}
	if i >= len(lanes) {
		return 0
	}
	return lanes[i]
}

// number is lane i of v without wrapping; nil where it is not known.
func (o *Overflows) number(v *ir.Value, i int) *big.Int {
	if m := o.markAt(v, i); m != 0 {
		return o.exact[m.origin()].n
	}
	lanes := o.known[v]
	if lanes.Len() == 1 {
		i = 0
	}
	if i >= lanes.Len() {
		return nil
	}
	return numberAt(v.Type, lanes, i)
}

// numberAt is an element of integers or pointers of type t.
func numberAt(t types.Type, lanes num.Vec, i int) *big.Int {
	if t.Pointer || t.DType.Info().Signed {
		return big.NewInt(integer(lanes, i))
	}
	return new(big.Int).SetUint64(num.ScalarAt(t.DType, lanes, i).Bits)
}

// differs is the mark of a lane that in gives is and, without wrapping, n: none if they are equal. from is the mark of
// an operand, if one has a mark.
func (o *Overflows) differs(in *ir.Instr, n, is *big.Int, from mark) mark {
	if n != nil && n.Cmp(is) == 0 {
		return 0
	}
	if n != nil && n.BitLen() > maxExactBits {
		n = nil
	}
	e := exact{n, in, n, is}
	if from != 0 {
		e = o.exact[from.origin()]
		e.n = n
	}
	o.exact = append(o.exact, e)
	o.left--
	return newMark(isExact, len(o.exact)-1)
}

// evaluate computes a lane of in from those of its operands without wrapping; nil where that is not known.
func evaluate(in *ir.Instr, args []*big.Int) *big.Int {
	if in.Op == ops.Select && args[0] != nil {
		return args[2-args[0].Sign()]
	}
	for _, x := range args {
		if x == nil {
			return nil
		}
	}
	t := in.Results[0].Type
	n := arithmetic(in.Op, in.Operands[0].Type.DType, args)
	if n == nil || t.Pointer {
		return n
	}
	switch from := in.Operands[0].Type; {
	case in.Op == ops.Cast && t.DType == num.Int1:
		return big.NewInt(int64(n.CmpAbs(new(big.Int))))
	case !t.DType.Info().Signed, in.Op == ops.Bitcast, in.Op == ops.Cast && !from.DType.Info().Signed:
		return modulo(t.DType, n)
	}
	return n
}

// modulo is the number of a dtype that is n modulo a power of two.
func modulo(d num.DType, n *big.Int) *big.Int {
	info := d.Info()
	size := new(big.Int).Lsh(big.NewInt(1), uint(info.Bits))
	n = new(big.Int).Mod(n, size)
	if info.Signed && n.Bit(info.Bits-1) == 1 {
		n.Sub(n, size)
	}
	return n
}

// arithmetic is what an operation on integers of dtype d means; nil where it means nothing, or is not followed.
func arithmetic(op ops.Op, d num.DType, args []*big.Int) *big.Int {
	z, x := new(big.Int), args[0]
	if len(args) == 1 {
		switch op {
		case ops.Neg:
			return z.Neg(x)
		case ops.Not:
			return z.Not(x)
		case ops.Abs:
			return z.Abs(x)
		case ops.Cast, ops.Bitcast:
			return x
		}
		return nil
	}
	if len(args) != 2 {
		return nil
	}
	y := args[1]
	switch c := x.Cmp(y); op {
	case ops.Add, ops.AddPtr:
		return z.Add(x, y)
	case ops.Sub, ops.PtrDiff:
		return z.Sub(x, y)
	case ops.Mul:
		return z.Mul(x, y)
	case ops.UMulHi:
		return z.Rsh(z.Mul(x, y), uint(d.Info().Bits))
	case ops.Div:
		if y.Sign() != 0 {
			return z.Quo(x, y)
		}
	case ops.Rem:
		if y.Sign() != 0 {
			return z.Rem(x, y)
		}
	case ops.And:
		return z.And(x, y)
	case ops.Or:
		return z.Or(x, y)
	case ops.Xor:
		return z.Xor(x, y)
	case ops.Shl, ops.Shr:
		switch {
		case !y.IsInt64() || y.Int64() < 0 || y.Int64() > maxExactBits:
		case op == ops.Shl:
			return z.Lsh(x, uint(y.Int64()))
		default:
			return z.Rsh(x, uint(y.Int64()))
		}
	case ops.Min, ops.Max:
		if (c < 0) == (op == ops.Min) {
			return x
		}
		return y
	case ops.Eq, ops.Ne, ops.Lt, ops.Le, ops.Gt, ops.Ge:
		holds := map[ops.Op]bool{ops.Eq: c == 0, ops.Ne: c != 0, ops.Lt: c < 0, ops.Le: c <= 0, ops.Gt: c > 0,
			ops.Ge: c >= 0}
		return new(big.Int).SetUint64(num.FromBool(holds[op]).Bits)
	}
	return nil
}

// combination is the operation that a reduction or a scan of integers combines two with; nil where it does more.
func combination(in *ir.Instr) *ir.Instr {
	body := in.Regions[0]
	if len(in.Operands) != 1 || len(body.Instrs) != 2 || len(body.Instrs[0].Operands) != 2 ||
		!in.Results[0].Type.IsInt() {
		return nil
	}
	return body.Instrs[0]
}

// combined are the marks of a reduction or a scan.
func (o *Overflows) combined(in, combine *ir.Instr) []mark {
	v, r := in.Operands[0], in.Results[0]
	axis, scan := trace.AxisOf(in), in.Op == ops.Scan
	out := o.marks.arena.make(r.Type.Numel())
	for row := range v.Type.Numel() / axis.Len {
		first, step := axis.Line(in, row)
		var total *big.Int
		var from mark
		for k := range axis.Len {
			i := first + k*step
			if from == 0 {
				from = o.markAt(v, i)
			}
			switch x := o.number(v, i); {
			case k == 0:
				total = x
			default:
				total = evaluate(combine, []*big.Int{total, x})
			}
			if scan {
				out[i] = o.differs(in, total, numberAt(r.Type, o.known[r], i), from)
			}
		}
		if !scan {
			out[row] = o.differs(in, total, numberAt(r.Type, o.known[r], row), from)
		}
	}
	return out
}

func (o *Overflows) checkBranch(in *ir.Instr) {
	for _, c := range conditionsOf(in) {
		o.report(in, anyMark(o.marks.of[c]), "overflow-branch", o.atBranch(""))
	}
}

// checkAccess reports lanes that take part, or do not, because something wraps, and those whose address wraps.
func (o *Overflows) checkAccess(in *ir.Instr) {
	mask := in.Mask()
	for i := range max(1, in.Operands[0].Type.Numel()) {
		at := o.atAccess(o.tensor(i), i)
		if m := o.markAt(mask, i); m != 0 {
			o.report(in, m, "overflow-mask", at)
		} else if o.active(i) {
			o.report(in, o.markAt(in.Operands[0], i), "overflow-address", at)
		}
	}
}

// report reports what has wrapped and where that matters, if it is known to.
func (o *Overflows) report(in *ir.Instr, m mark, because string, at diag.Runtime) {
	if m == 0 || o.exact[m.origin()].n == nil {
		return
	}
	e := &o.exact[m.origin()]
	if d := o.Found[e.reason]; d != nil && d.Runtime.Tensor != at.Tensor {
		return // one for all accesses
	}
	d := o.add("integer-overflow", e.reason.Span, at, o.Text(e.reason), programText(o.program), e.would,
		e.reason.Results[0].Type.DType.String(), e.is)
	if d != nil {
		o.Found[e.reason] = d
		d.Because(in.Span, because)
	}
}
