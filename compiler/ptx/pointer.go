package ptx

import (
	"math"
	"slices"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/layout"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/asm"
	"github.com/newtlab/newt/compiler/ptx/axis"
	"github.com/newtlab/newt/compiler/ptx/plan"
	"github.com/newtlab/newt/compiler/ptx/scalar"
)

func init() {
	emitters[ops.AddPtr] = emitAddPtr
	emitters[ops.PtrDiff] = emitPtrDiff
	emitters[ops.ConvertLayout] = emitConvertLayout
}

// pointer is a pointer, or a tile of pointers, into an argument's storage. Its offset, in elements, is the sum of a
// part that is uniform, the same for all threads and elements, and of parts that each register has of its own. Scalars
// that a loop adds go to the uniform part, so that a tile of pointers is one induction variable.
//
// A pointer that may point into one of several arguments (axis.Mixed) has tagged offsets instead: the argument's number
// in the top 16 bits, a signed offset in the 48 bits below.
type pointer struct {
	arg     int     // as axis.Facts.Argument has it
	uniform asm.Reg // b64; none: 0
	// off is each register's own part; nil: 0. Bases are b32, signed, or b64; base plus immediate does not wrap.
	// Mixed: the tagged offsets.
	off []baseImm
	// off2 is a second part, added to off only in the address: of rows and columns, a matrix has far fewer than
	// elements. Nil: 0.
	off2 []baseImm
}

// tagShift is the lowest bit of the argument's number in a tagged offset.
const tagShift = 48

// emitConvertLayout emits the conversion of a tile to another layout.
func emitConvertLayout(e *emitter, in *ir.Instr) {
	x, v, c := in.Operands[0], in.Results[0], e.plan.Conversions[in]
	if v.Type.Pointer {
		e.ptrs[v.ID] = e.convertPointer(e.ptrs[x.ID], c, e.scratch(in))
		return
	}
	e.setRegs(v, e.convert(v.Type.DType, e.regs(x), c, e.scratch(in)))
}

// convertPointer converts a tile of pointers: each register's own part.
func (b *bindings) convertPointer(p pointer, c *plan.Conversion, scratch int) pointer {
	if p.off == nil {
		return p
	}
	p = b.collapseOffsets(p)
	regs := make([]asm.Reg, len(p.off))
	for i, x := range p.off {
		regs[i] = b.widenSum(x)
	}
	p.off = withoutImm(b.convert(num.Int64, regs, c, scratch))
	return p
}

// extendToB64 is a register as a b64 integer.
func (t *threadCode) extendToB64(d num.DType, r asm.Reg) asm.Reg {
	return scalar.Cast(t.Program, d, num.Int64, num.RTNE, r)
}

// withWideBases is elements with bases of dtype d as b64 integers, each distinct one computed once.
func (t *threadCode) withWideBases(d num.DType, elems []baseImm) []baseImm {
	out, seen := slices.Clone(elems), map[asm.Reg]asm.Reg{}
	for i, x := range elems {
		if !x.base.OK() || x.base.Class == asm.B64 {
			continue
		}
		if _, ok := seen[x.base]; !ok {
			seen[x.base] = t.extendToB64(d, x.base)
		}
		out[i].base = seen[x.base]
	}
	return out
}

// widenSum is base plus immediate, which does not wrap, as one b64 register.
func (t *threadCode) widenSum(x baseImm) asm.Reg {
	if x.base.OK() && x.base.Class == asm.B32 {
		x.base = t.extendToB64(num.Int32, x.base)
	}
	return t.materializeSum(num.Int64, x)
}

// collapseOffsets adds up the two parts of each register's own.
func (t *threadCode) collapseOffsets(p pointer) pointer {
	if p.off2 != nil {
		p.off, p.off2 = t.addOffsets(p.off, p.off2), nil
	}
	return p
}

// ownOffset is register r's own part of the offset, b64.
func (t *threadCode) ownOffset(p pointer, r int) asm.Reg {
	if p.off == nil {
		return t.materializeSum(num.Int64, baseImm{})
	}
	own := t.widenSum(p.off[r])
	if p.off2 != nil {
		own = t.add64(own, t.widenSum(p.off2[r]))
	}
	return own
}

// add64 is x + y; a Reg that is none counts as 0.
func (t *threadCode) add64(x, y asm.Reg) asm.Reg {
	switch {
	case !x.OK():
		return y
	case !y.OK():
		return x
	}
	return t.Do("add.s64", asm.R(x), asm.R(y))
}

// fullOffset is register r's offset, b64.
func (t *threadCode) fullOffset(p pointer, r int) asm.Reg {
	switch {
	case p.off != nil:
		return t.add64(p.uniform, t.ownOffset(p, r))
	case p.uniform.OK():
		return p.uniform
	}
	return t.materializeSum(num.Int64, baseImm{})
}

// taggedOffset is register r's tagged offset.
func (t *emitter) taggedOffset(p pointer, r int) asm.Reg {
	n := t.fullOffset(p, r)
	if a, ok := t.params.addressed[p.arg]; ok {
		return t.add64(a.tag, n)
	}
	// Argument 0 has the tag 0.
	if p.arg <= 0 {
		return n
	}
	return t.Do("add.s64", asm.R(n), asm.I(int64(p.arg)<<tagShift))
}

// uniformScalar is the scalar that every element of a tile is, if the code says so: a value, or (nil) the constant c.
func uniformScalar(v *ir.Value) (s *ir.Value, c num.Scalar, ok bool) {
	for v.Def != nil && plan.ViewOps[v.Def.Op] && v.Def.Op != ops.Splat {
		v = v.Def.Operands[0]
	}
	switch {
	case v.Type.IsScalar():
		return v, c, true
	case v.Def != nil && v.Def.Op == ops.Splat:
		return v.Def.Operands[0], c, true
	case v.Def != nil && v.Def.Op == ops.Const:
		return nil, v.Def.Scalar("value"), true
	}
	return nil, c, false
}

func emitAddPtr(e *emitter, in *ir.Instr) {
	v, y := in.Results[0], in.Operands[1]
	l := *v.Layout
	p := e.ptrs[in.Operands[0].ID]
	// A scalar goes to the uniform part, whatever the shape of the tile.
	if s, c, ok := uniformScalar(y); ok && p.arg != axis.Mixed {
		p.uniform = e.advanceUniform(p.uniform, s, c)
		e.ptrs[v.ID] = p
		return
	}
	narrow := e.plan.Target.Proved(in)
	more := e.exactOffsets(y, l, narrow)
	// There is room for two parts of each register's own; a third is added to the first.
	switch p = e.collapseOffsets(p); {
	case p.off == nil:
		p.off = more
	case p.mixed():
		p.off = e.addOffsets(p.off, more)
	default:
		p.off2 = more
	}
	e.ptrs[v.ID] = p
}

// advanceUniform is a uniform offset plus a scalar or, if that is nil, a constant.
func (e *emitter) advanceUniform(uniform asm.Reg, s *ir.Value, c num.Scalar) asm.Reg {
	if s != nil {
		return e.add64(uniform, e.extendToB64(s.Type.DType, e.regs(s)[0]))
	}
	return e.materializeSum(num.Int64, baseImm{uniform, c.Int()})
}

// addOffsets adds elements that do not wrap, in b64, since a sum of 32 bits might.
func (t *threadCode) addOffsets(x, y []baseImm) []baseImm {
	seen := map[[2]asm.Reg]asm.Reg{}
	x, y = t.withWideBases(num.Int32, x), t.withWideBases(num.Int32, y)
	out := make([]baseImm, len(y))
	for i := range y {
		k := [2]asm.Reg{x[i].base, y[i].base}
		if _, ok := seen[k]; !ok {
			seen[k] = t.add64(k[0], k[1])
		}
		out[i] = baseImm{seen[k], x[i].imm + y[i].imm}
	}
	return out
}

// exactOffsets is the elements of an integer tile in layout l as sums that do not wrap when they are widened. base +
// immediate of 32 bits may wrap, and the address must wrap with it. It does not within aligned runs of contiguous
// elements (contiguousBits), nor in a tile that is narrow, of which the launch has proved that its elements span less
// than 2^31 (bounds.Proof.InRange): there the immediate is kept, relative to the first element of the run or tile.
func (e *emitter) exactOffsets(v *ir.Value, l layout.Layout, narrow bool) []baseImm {
	d := v.Type.DType
	if d != num.Int32 {
		x := e.elements(v)
		if d == num.Int64 {
			return x
		}
		return e.withWideBases(d, withoutImm(e.regs(v)))
	}
	type group struct {
		reg asm.Reg
		run uint32
	}
	within := e.contiguousBits(v)
	if narrow {
		within = math.MaxUint32
	}
	first := map[group]baseImm{}
	elems, regs := e.elements(v), e.regs(v)
	out := make([]baseImm, len(elems))
	for i, x := range elems {
		// Elements with one base in one aligned run: the first one's sum is computed with the dtype's wrapping, the
		// others differ from it by constants that cannot wrap.
		g := group{x.base, l.At(i, 0, 0) &^ within}
		f, ok := first[g]
		switch {
		case !x.base.OK():
			out[i] = x
			continue
		case !ok:
			f = baseImm{regs[i], x.imm}
			first[g] = f
		}
		out[i] = baseImm{f.base, wrapTo(d, x.imm-f.imm)}
	}
	return out
}

// contiguousBits is the bits, in an element's row-major number, within which v's elements follow each other without
// wrapping: a power of two of elements that is contiguous and aligned to its size.
func (e *emitter) contiguousBits(v *ir.Value) uint32 {
	var best uint32
	stride := uint32(1) // elements from one index to the next
	shape, dims := v.Type.Shape, e.facts.UnhintedDims(v)
	for i := len(shape) - 1; i >= 0; i-- {
		if n := uint32(min(dims[i].Contiguity, dims[i].Divisibility)); n > 1 && (n-1)*stride > best {
			best = (n - 1) * stride
		}
		stride *= uint32(shape[i])
	}
	return best
}

func emitPtrDiff(e *emitter, in *ir.Instr) {
	v := in.Results[0]
	l := *v.Layout
	x, y := e.ptrs[in.Operands[0].ID], e.ptrs[in.Operands[1].ID]
	same := x.arg == y.arg
	out := make([]asm.Reg, l.Regs())
	for r := range out {
		if same {
			out[r] = e.Do("sub.s64", asm.R(e.fullOffset(x, r)), asm.R(e.fullOffset(y, r)))
		} else {
			out[r] = e.Do("sub.s64", asm.R(e.taggedOffset(x, r)), asm.R(e.taggedOffset(y, r)))
		}
	}
	e.setRegs(v, out)
}

func (e *emitter) comparePointers(in *ir.Instr) {
	v := in.Results[0]
	l := *v.Layout
	x, y := e.ptrs[in.Operands[0].ID], e.ptrs[in.Operands[1].ID]
	out := make([]asm.Reg, l.Regs())
	for r := range out {
		out[r] = scalar.Compare(e.Program, in.Op, num.Int64, e.taggedOffset(x, r), e.taggedOffset(y, r))
	}
	e.setRegs(v, out)
}

func (e *emitter) selectPointers(in *ir.Instr) {
	v := in.Results[0]
	cond := e.regs(in.Operands[0])
	x, y := e.ptrs[in.Operands[1].ID], e.ptrs[in.Operands[2].ID]
	e.ptrs[v.ID] = e.mergePointers(v, x, y, func(r int, x, y asm.Reg) asm.Reg {
		return scalar.Select(e.Program, num.Int64, cond[r], x, y)
	})
}

// mergePointers is a pointer whose offsets f makes of those of two others.
func (e *emitter) mergePointers(v *ir.Value, x, y pointer, f func(r int, x, y asm.Reg) asm.Reg) pointer {
	of := e.fullOffset
	p := pointer{arg: e.facts.Argument(v)}
	// Selecting between pointers into two arguments makes it unknown which: offsets carry the argument from here on.
	if p.mixed() {
		of = e.taggedOffset
	}
	n := v.Layout.Regs()
	p.off = make([]baseImm, n)
	for r := range n {
		p.off[r].base = f(r, of(x, r), of(y, r))
	}
	return p.normalized(v)
}

// normalized has a scalar's offset in the uniform part, unless it is tagged.
func (p pointer) normalized(v *ir.Value) pointer {
	if v.Type.IsScalar() && p.arg != axis.Mixed && p.off != nil {
		p.uniform, p.off = p.off[0].base, nil
	}
	return p
}

// joinPointers is join of pointers.
func (e *emitter) joinPointers(in *ir.Instr) {
	v := in.Results[0]
	x, y := e.ptrs[in.Operands[0].ID], e.ptrs[in.Operands[1].ID]
	e.ptrs[v.ID] = e.mergePointers(v, x.doubled(), y.doubled(), func(r int, x, y asm.Reg) asm.Reg {
		return [2]asm.Reg{x, y}[r%2]
	})
}

// doubled has each register twice in a row.
func (p pointer) doubled() pointer {
	if p.off != nil {
		p.off = interleaved(p.off, p.off)
	}
	if p.off2 != nil {
		p.off2 = interleaved(p.off2, p.off2)
	}
	return p
}
