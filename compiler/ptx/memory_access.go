package ptx

import (
	"math/bits"
	"strings"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/layout"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ptx/asm"
	"github.com/newtlab/newt/compiler/ptx/axis"
)

// access is one load, store or atomic while it is emitted: a list of vectors, each of which one
// instruction moves. Vectors that leave their argument are masked off, and after all of them one
// branch leads to code that reports them and does the elements that are inside one by one.
type access struct {
	*emitter
	in      *ir.Instr
	p       pointer
	bytes   int      // of an element
	size    int      // elements of a vector
	parts   [][]elem // of the pointer's offset, beside the uniform one
	vectors []vector
	checked bool
	aligned bool // checks of alignment are not needed
	bad     asm.Reg
	owned   asm.Reg // holds for one thread an element; none where all hold elements of their own
}

// vector is what one instruction moves.
type vector struct {
	regs  []int   // registers of the tile, neighbours in memory
	addr  asm.Reg // b64, with imm the address in bytes
	imm   int64
	mask  asm.Reg // pred: the threads that take part; none: all
	guard asm.Reg // pred: those of them that are inside; none: all
	out   asm.Reg // pred: those that are not; none where unchecked
	where place
}

// place is what an address is compared with.
type place struct {
	past        asm.Reg // b64: bytes from the first of the storage
	limit       asm.Reg // b64: at which the vector no longer fits
	single      asm.Reg // b64: at which an element no longer fits
	arg, first  asm.Reg // mixed: the argument's number and first element; else none
	argumentNum int
}

// newAccess lays out an access in layout l: at most size elements at once. Where once is set, an
// element is moved by one thread alone, however many hold it.
func (e *emitter) newAccess(in *ir.Instr, l layout.Layout, size int, once bool) *access {
	ptr := in.Operands[0]
	a := &access{emitter: e, in: in, p: e.pointerIn(ptr, l), bytes: ptr.Type.DType.Info().Bytes, aligned: true}
	var mask []asm.Reg
	if m := axis.Mask(in); m != nil {
		mask = e.in(m, l)
	}
	a.group(l, size)
	if a.checked = e.opt.Proved == nil || !e.opt.Proved(in); a.checked {
		a.aligned = a.size == 1 || !e.facts.Vouched(in)
	}
	a.owned = e.owner(l)
	var owner asm.Reg
	if once {
		owner = a.owned
	}
	owner = e.both(map[asm.Reg]asm.Reg{}, owner, e.during)
	seen := map[asm.Reg]asm.Reg{}
	a.parts = a.p.ownParts()
	addresses := map[[2]asm.Reg]asm.Reg{}
	for i := range a.vectors {
		v := &a.vectors[i]
		if mask != nil {
			v.mask = mask[v.regs[0]]
		}
		v.mask = e.both(seen, v.mask, owner)
		a.address(v, addresses)
		if v.guard = v.mask; a.checked {
			a.check(v)
		}
	}
	return a
}

// group deals the registers out to vectors, without those that repeat others.
func (a *access) group(l layout.Layout, size int) {
	ptr := a.in.Operands[0]
	n, regs := 1, []int{0}
	if !ptr.Type.IsScalar() {
		n, regs = l.Vector(a.facts.Order(ptr)[0])
	}
	if a.p.mixed() {
		size = 1
	}
	a.size = min(n, size)
	replicas := int(l.Free().Reg)
	for ; len(regs) > 0; regs = regs[a.size:] {
		if regs[0]&replicas == 0 {
			a.vectors = append(a.vectors, vector{regs: regs[:a.size]})
		}
	}
}

// both is a predicate that holds where x and y do, none standing for true.
func (e *emitter) both(seen map[asm.Reg]asm.Reg, x, y asm.Reg) asm.Reg {
	switch {
	case !x.OK():
		return y
	case !y.OK():
		return x
	}
	if _, ok := seen[x]; !ok {
		seen[x] = e.Do("and.pred", asm.Pred, asm.R(x), asm.R(y))
	}
	return seen[x]
}

// owner is a predicate that holds for one thread an element of l, none where all threads hold
// elements of their own.
func (e *emitter) owner(l layout.Layout) asm.Reg {
	free := l.Free()
	mask := int64(free.Lane) | int64(free.Warp)<<layout.LaneBits
	if mask == 0 {
		return asm.Reg{}
	}
	var r asm.Reg
	e.Early(func() {
		free := e.Do("and.b32", asm.B32, asm.R(e.tid), asm.I(mask))
		r = e.Do("setp.eq.s32", asm.Pred, asm.R(free), asm.I(0))
	})
	return r
}

// wideMultiply is the instruction by which an offset becomes an address.
var wideMultiply = [...]string{asm.B32: "mad.wide.s32", asm.B64: "mad.lo.s64"}

// address finds a vector's address: base + bytes · (uniform + own).
func (a *access) address(v *vector, seen map[[2]asm.Reg]asm.Reg) {
	if a.p.mixed() {
		a.mixedAddress(v)
		return
	}
	r := a.args[a.p.arg].base
	if a.p.uniform.OK() {
		r = a.scaled(seen, r, a.p.uniform)
	}
	for _, part := range a.parts {
		own := part[v.regs[0]]
		r = a.scaled(seen, r, own.reg)
		v.imm += own.imm * int64(a.bytes)
	}
	v.addr = r
	if v.imm != int64(int32(v.imm)) {
		v.addr, v.imm = a.register(num.Int64, elem{r, v.imm}), 0
	}
	v.where.argumentNum = a.p.arg
}

// scaled is an address moved by an offset, computed once.
func (a *access) scaled(seen map[[2]asm.Reg]asm.Reg, address, offset asm.Reg) asm.Reg {
	if !offset.OK() {
		return address
	}
	k := [2]asm.Reg{address, offset}
	if _, ok := seen[k]; !ok {
		seen[k] = a.Do(wideMultiply[offset.Class], asm.B64, asm.R(offset), asm.I(int64(a.bytes)), asm.R(address))
	}
	return seen[k]
}

// ownParts are the parts of the offsets that registers have of their own, the one with the fewest
// different registers first: what is added first is shared.
func (p pointer) ownParts() [][]elem {
	switch {
	case p.off == nil:
		return nil
	case p.beside == nil:
		return [][]elem{p.off}
	case distinct(p.beside) < distinct(p.off):
		return [][]elem{p.beside, p.off}
	}
	return [][]elem{p.off, p.beside}
}

// distinct counts registers.
func distinct(elems []elem) int {
	seen := map[asm.Reg]bool{}
	for _, x := range elems {
		seen[x.reg] = true
	}
	return len(seen)
}

func (a *access) mixedAddress(v *vector) {
	index, offset, arg := a.argumentOf(a.wide(a.p.off[v.regs[0]]))
	v.addr = a.Do("mad.lo.s64", asm.B64, asm.R(offset), asm.I(int64(a.bytes)), asm.R(arg.base))
	low := a.Do("mad.lo.s64", asm.B64, asm.R(arg.first), asm.I(int64(a.bytes)), asm.R(arg.base))
	limit := a.limitOf(arg.count, a.bytes, 1)
	v.where = place{a.Do("sub.s64", asm.B64, asm.R(v.addr), asm.R(low)), limit, limit, index, arg.first, axis.Mixed}
}

// check finds which threads' vectors are inside.
func (a *access) check(v *vector) {
	w := &v.where
	if !a.p.mixed() {
		w.past = a.Do("sub.s64", asm.B64, asm.R(a.register(num.Int64, elem{v.addr, v.imm})), asm.R(a.lowest(a.p.arg, a.bytes)))
		w.limit, w.single = a.limit(bound{a.p.arg, a.bytes, a.size}), a.limit(bound{a.p.arg, a.bytes, 1})
	}
	in := a.Do("setp.lt.u64", asm.Pred, asm.R(w.past), asm.R(w.limit))
	if !a.aligned {
		low := a.Do("and.b64", asm.B64, asm.R(a.register(num.Int64, elem{v.addr, v.imm})), asm.I(int64(a.bytes*a.size-1)))
		in = a.Do("and.pred", asm.Pred, asm.R(in), asm.R(a.Do("setp.eq.s64", asm.Pred, asm.R(low), asm.I(0))))
	}
	v.guard = in
	if v.mask.OK() {
		v.guard = a.Do("and.pred", asm.Pred, asm.R(in), asm.R(v.mask))
		v.out = a.Do("xor.pred", asm.Pred, asm.R(v.guard), asm.R(v.mask))
	} else {
		v.out = a.Do("not.pred", asm.Pred, asm.R(in))
	}
	if a.bad.OK() {
		a.bad = a.Do("or.pred", asm.Pred, asm.R(a.bad), asm.R(v.out))
	} else {
		a.bad = v.out
	}
}

// operand is a vector's place in memory.
func (v *vector) operand() asm.Operand { return asm.M(v.addr, v.imm) }

// apart does an element of a vector that is not inside as a whole, given by its number there, its address
// and a predicate that holds where it takes part and is inside.
type apart func(v *vector, i int, at asm.Operand, inside asm.Reg)

// several is f where vectors have several elements: where they have one, that is outside.
func (a *access) several(f apart) apart {
	if a.size == 1 {
		return nil
	}
	return f
}

// finish branches to what remains where vectors are not inside as a whole: one for each of their
// elements, done after each vector. Either may be nil, where nothing is left to do.
func (a *access) finish(one apart, done func(v *vector)) {
	if !a.checked {
		return
	}
	label, back := a.NewLabel("outside"), a.NewLabel("inside")
	a.Branch(label, a.bad, false)
	a.Bind(back)
	a.Effect("bar.warp.sync", asm.I(-1)) // what follows may want the threads of a warp together
	a.Cold(func() {
		a.Bind(label)
		first, count, arg, low := a.Reg(asm.B64), a.Reg(asm.B32), a.Reg(asm.B64), a.Reg(asm.B64)
		a.Move(count, asm.I(0))
		a.Move(first, asm.I(0))
		a.Move(arg, asm.I(int64(a.p.arg)))
		a.Move(low, asm.I(0))
		if !a.p.mixed() {
			a.Move(low, asm.R(a.args[a.p.arg].first))
		}
		for i := len(a.vectors) - 1; i >= 0; i-- {
			v := &a.vectors[i]
			a.Unless(v.out, true, func() { a.outside(v, one, done, first, count, arg, low) })
		}
		a.violation(first, count, arg, low)
		a.Branch(back, asm.Reg{}, false)
	})
}

// outside does a vector of which some elements are outside, last element first, so that first ends as
// the byte offset of the first of them.
func (a *access) outside(v *vector, one apart, done func(*vector), first, count, arg, low asm.Reg) {
	for i := len(v.regs) - 1; i >= 0; i-- {
		step := int64(i * a.bytes)
		past := a.register(num.Int64, elem{v.where.past, step})
		in := a.Do("setp.lt.u64", asm.Pred, asm.R(past), asm.R(v.where.single))
		a.When(in, true, func() {
			a.Move(first, asm.R(past))
			a.Add(asm.Inst{Op: "add.s32", Dst: []asm.Operand{asm.R(count)}, Src: []asm.Operand{asm.R(count), asm.I(1)}})
			if v.where.arg.OK() {
				a.Move(arg, asm.R(v.where.arg))
				a.Move(low, asm.R(v.where.first))
			}
		})
		if one != nil {
			one(v, i, asm.M(v.addr, v.imm+step), in)
		}
	}
	if done != nil {
		done(v)
	}
}

// violation reports count elements outside, the first at a byte offset behind element low of argument
// arg's storage.
func (a *access) violation(first, count, arg, low asm.Reg) {
	some := a.both(map[asm.Reg]asm.Reg{}, a.Do("setp.ne.s32", asm.Pred, asm.R(count), asm.I(0)), a.owned)
	a.Unless(some, true, func() {
		shift := int64(bits.TrailingZeros(uint(a.bytes)))
		offset := a.add64(a.Do("shr.s64", asm.B64, asm.R(first), asm.I(shift)), low)
		a.tell(a.site(Bounds, a.in), offset, a.Do("cvt.u32.u64", asm.B32, asm.R(arg)), count)
	})
}

// instruction is the name of a load or store of n elements of dtype d.
func (a *access) instruction(name string, d num.DType, n int) string {
	count, bits := cells(d, n)
	var s strings.Builder
	s.WriteString(name)
	switch evict, cache := a.in.Str("eviction"), a.in.Str("cache"); {
	case a.in.Bool("volatile"):
		s.WriteString(".volatile.global")
	case evict != "":
		s.WriteString(".global.L1::" + evict)
	case cache != "":
		s.WriteString(".global." + cacheOperators[name][cache])
	default:
		s.WriteString(".global")
	}
	s.WriteString(vectors[count] + unitType(d, bits))
	return s.String()
}

// cacheOperators are those that PTX has for loads and for stores; what one lacks is its default.
var cacheOperators = map[string]map[string]string{
	"ld": {"ca": "ca", "cg": "cg", "cs": "cs", "cv": "cv", "wb": "ca", "wt": "ca"},
	"st": {"wb": "wb", "cg": "cg", "cs": "cs", "wt": "wt", "ca": "wb", "cv": "wt"},
}
