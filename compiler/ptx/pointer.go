package ptx

import (
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/layout"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/asm"
	"github.com/newtlab/newt/compiler/ptx/axis"
	"github.com/newtlab/newt/compiler/ptx/scalar"
)

func init() {
	emitters[ops.AddPtr] = emitAddPtr
	emitters[ops.PtrDiff] = emitPtrDiff
}

// pointer is a pointer, or a tile of pointers: an argument and an offset in elements, which is the sum
// of a part that all threads and elements share and a part of each register's own. A pointer that may
// point into one of several arguments is a number: the argument in the top 16 bits, and below them a
// signed offset.
type pointer struct {
	arg     int     // index into ir.Func.Params, or axis.Mixed
	uniform asm.Reg // b64; none: 0
	// off is the part of each register's own; nil: 0. Registers are b32, signed, or b64; with the
	// constant they make up a sum that does not wrap. Mixed: the numbers.
	off []elem
	// beside is a second such part, added to off only in an address: of rows and columns there are far
	// fewer than of both together. Nil: 0.
	beside []elem
}

// argumentShift is where a number has the argument.
const argumentShift = 48

// pointerIn is v in layout l.
func (e *emitter) pointerIn(v *ir.Value, l layout.Layout) pointer {
	p := e.ptrs[v.ID]
	if v.Type.IsScalar() || e.layout(v).Equal(l) {
		return p
	}
	if c := e.version(v, l); c != nil {
		return c.ptr
	}
	return e.convertPointer(p, e.layout(v), l)
}

func (e *emitter) convertPointer(p pointer, src, dst layout.Layout) pointer {
	if p.off == nil {
		return p
	}
	p = e.single(p)
	d, regs := num.Int32, make([]asm.Reg, len(p.off))
	for _, x := range p.off {
		if x.reg.Class == asm.B64 || int64(int32(x.imm)) != x.imm {
			d = num.Int64
		}
	}
	if d == num.Int32 {
		regs = e.registers(d, p.off)
	} else {
		for i, x := range p.off {
			regs[i] = e.wide(x)
		}
	}
	p.off = asElems(e.convert(d, regs, src, dst))
	return p
}

// extend is a register as a b64 integer.
func (e *emitter) extend(d num.DType, r asm.Reg) asm.Reg {
	return scalar.Cast(e.Program, d, num.Int64, num.RTNE, r)
}

// wide is an exact elem as one b64 register.
func (e *emitter) wide(x elem) asm.Reg {
	if x.reg.OK() && x.reg.Class == asm.B32 {
		x.reg = e.extend(num.Int32, x.reg)
	}
	return e.register(num.Int64, x)
}

// single has one part of each register's own.
func (e *emitter) single(p pointer) pointer {
	if p.beside != nil {
		p.off, p.beside = e.plus(p.off, p.beside), nil
	}
	return p
}

// own is register r's own part of the offset, b64.
func (e *emitter) own(p pointer, r int) asm.Reg {
	if p.off == nil {
		return e.register(num.Int64, elem{})
	}
	own := e.wide(p.off[r])
	if p.beside != nil {
		own = e.add64(own, e.wide(p.beside[r]))
	}
	return own
}

// add64 is x + y, where none is 0.
func (e *emitter) add64(x, y asm.Reg) asm.Reg {
	switch {
	case !x.OK():
		return y
	case !y.OK():
		return x
	}
	return e.Do("add.s64", asm.B64, asm.R(x), asm.R(y))
}

// total is register r's offset, b64.
func (e *emitter) total(p pointer, r int) asm.Reg {
	switch {
	case p.off != nil:
		return e.add64(p.uniform, e.own(p, r))
	case p.uniform.OK():
		return p.uniform
	}
	return e.register(num.Int64, elem{})
}

// number is register r as a number.
func (e *emitter) number(p pointer, r int) asm.Reg {
	n := e.total(p, r)
	if p.arg <= 0 {
		return n
	}
	return e.Do("add.s64", asm.B64, asm.R(n), asm.I(int64(p.arg)<<argumentShift))
}

// splatOf is the scalar that every element of a tile is, if the code says so.
func splatOf(v *ir.Value) (s *ir.Value, c num.Scalar, ok bool) {
	for v.Def != nil && renames[v.Def.Op] && v.Def.Op != ops.Splat {
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
	l := e.layout(v)
	p := e.pointerIn(in.Operands[0], l)
	if s, c, ok := splatOf(y); ok && p.arg != axis.Mixed {
		p.uniform = e.advanced(p.uniform, s, c)
		e.ptrs[v.ID] = p
		return
	}
	more := e.offsets(y, l)
	switch p = e.single(p); {
	case p.off == nil:
		p.off = more
	case p.mixed():
		p.off = e.plus(p.off, more)
	default:
		p.beside = more
	}
	e.ptrs[v.ID] = p
}

// advanced is a uniform offset plus a scalar or, where there is none, a constant.
func (e *emitter) advanced(uniform asm.Reg, s *ir.Value, c num.Scalar) asm.Reg {
	if s != nil {
		return e.add64(uniform, e.extend(s.Type.DType, e.regs(s)[0]))
	}
	return e.register(num.Int64, elem{uniform, c.Int()})
}

// plus adds exact elems. Sums are b64, since those of 32 bits may wrap.
func (e *emitter) plus(x, y []elem) []elem {
	type pair [2]asm.Reg
	widened, seen := map[asm.Reg]asm.Reg{}, map[pair]asm.Reg{}
	wide := func(r asm.Reg) asm.Reg {
		if !r.OK() || r.Class == asm.B64 {
			return r
		}
		if _, ok := widened[r]; !ok {
			widened[r] = e.extend(num.Int32, r)
		}
		return widened[r]
	}
	out := make([]elem, len(y))
	for i := range y {
		k := pair{wide(x[i].reg), wide(y[i].reg)}
		if _, ok := seen[k]; !ok {
			seen[k] = e.add64(k[0], k[1])
		}
		out[i] = elem{seen[k], x[i].imm + y[i].imm}
	}
	return out
}

// offsets are the elements of an integer tile in layout l as exact sums. A constant of 32 bits may
// lead past the largest integer, where the offset wraps; it does not within aligned runs of
// contiguous elements.
func (e *emitter) offsets(v *ir.Value, l layout.Layout) []elem {
	d := v.Type.DType
	if d != num.Int32 {
		x := e.elemsIn(v, l)
		if d == num.Int64 {
			return x
		}
		seen := map[asm.Reg]asm.Reg{}
		regs := e.in(v, l)
		out := make([]elem, len(regs))
		for i, r := range regs {
			if _, ok := seen[r]; !ok {
				seen[r] = e.extend(d, r)
			}
			out[i].reg = seen[r]
		}
		return out
	}
	type group struct {
		reg asm.Reg
		run uint32
	}
	within := e.run(v)
	first := map[group]elem{}
	elems, regs := e.elemsIn(v, l), e.in(v, l)
	out := make([]elem, len(elems))
	for i, x := range elems {
		g := group{x.reg, l.At(i, 0, 0) &^ within}
		f, ok := first[g]
		switch {
		case !x.reg.OK():
			out[i] = x
			continue
		case !ok:
			f = elem{regs[i], x.imm}
			first[g] = f
		}
		out[i] = elem{f.reg, x.imm - f.imm}
	}
	return out
}

// run is the bits, in an element's number, within which v's elements follow each other without
// wrapping.
func (e *emitter) run(v *ir.Value) uint32 {
	var best uint32
	behind := uint32(1) // elements from one index to the next
	shape, dims := v.Type.Shape, e.facts.Dims(v)
	for i := len(shape) - 1; i >= 0; i-- {
		if n := uint32(min(dims[i].Contiguity, dims[i].Divisibility)); n > 1 && (n-1)*behind > best {
			best = (n - 1) * behind
		}
		behind *= uint32(shape[i])
	}
	return best
}

func emitPtrDiff(e *emitter, in *ir.Instr) {
	v := in.Results[0]
	l := e.layout(v)
	x, y := e.pointerIn(in.Operands[0], l), e.pointerIn(in.Operands[1], l)
	same := x.arg == y.arg
	out := make([]asm.Reg, l.Regs())
	for r := range out {
		if same {
			out[r] = e.Do("sub.s64", asm.B64, asm.R(e.total(x, r)), asm.R(e.total(y, r)))
		} else {
			out[r] = e.Do("sub.s64", asm.B64, asm.R(e.number(x, r)), asm.R(e.number(y, r)))
		}
	}
	e.set(v, out)
}

func (e *emitter) comparePointers(in *ir.Instr) {
	v := in.Results[0]
	l := e.layout(v)
	x, y := e.pointerIn(in.Operands[0], l), e.pointerIn(in.Operands[1], l)
	out := make([]asm.Reg, l.Regs())
	for r := range out {
		out[r] = scalar.Compare(e.Program, in.Op, num.Int64, e.number(x, r), e.number(y, r))
	}
	e.set(v, out)
}

func (e *emitter) selectPointers(in *ir.Instr) {
	v := in.Results[0]
	l := e.layout(v)
	cond := e.in(in.Operands[0], l)
	x, y := e.pointerIn(in.Operands[1], l), e.pointerIn(in.Operands[2], l)
	e.ptrs[v.ID] = e.merged(v, x, y, func(r int, x, y asm.Reg) asm.Reg {
		return scalar.Select(e.Program, num.Int64, cond[r], x, y)
	})
}

// merged is a pointer whose registers f makes of those of two others.
func (e *emitter) merged(v *ir.Value, x, y pointer, f func(r int, x, y asm.Reg) asm.Reg) pointer {
	of := e.total
	p := pointer{arg: x.arg}
	if x.arg != y.arg || x.arg == axis.Mixed {
		p.arg, of = axis.Mixed, e.number
	}
	n := e.layout(v).Regs()
	p.off = make([]elem, n)
	for r := range n {
		p.off[r].reg = f(r, of(x, r), of(y, r))
	}
	return p.settled(v)
}

// settled has a scalar's offset where scalars have it: in the uniform part, but for numbers.
func (p pointer) settled(v *ir.Value) pointer {
	if v.Type.IsScalar() && p.arg != axis.Mixed && p.off != nil {
		p.uniform, p.off = p.off[0].reg, nil
	}
	return p
}

// joinPointers is join of pointers, whose halves have layout half.
func (e *emitter) joinPointers(in *ir.Instr, half layout.Layout) {
	v := in.Results[0]
	x, y := e.pointerIn(in.Operands[0], half), e.pointerIn(in.Operands[1], half)
	e.ptrs[v.ID] = e.merged(v, x.twice(), y.twice(), func(r int, x, y asm.Reg) asm.Reg {
		return [2]asm.Reg{x, y}[r%2]
	})
}

// twice has each of the registers two times in a row.
func (p pointer) twice() pointer {
	if p.off != nil {
		p.off = interleaved(p.off, p.off)
	}
	if p.beside != nil {
		p.beside = interleaved(p.beside, p.beside)
	}
	return p
}
