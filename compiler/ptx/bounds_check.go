package ptx

import (
	"math/bits"
	"slices"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ptx/asm"
	"github.com/newtlab/newt/compiler/ptx/plan"
)

// Bounds checks of accesses that the launch has not proved to stay in their arguments' memory. Vectors that do not are
// masked off. After all of them one branch leads to an out-of-bounds slow path behind the kernel's end, which does the
// elements that are in bounds one by one (a scalar fallback) and reports the first that is not.
//
// Of several vectors the range of a thread's addresses is checked instead (checkRange): a thread whose range is not in
// bounds branches to code behind the kernel's end that checks each vector, and the others have no checks but this one.
// If all vectors are in bounds that the mask lets through, that code branches back.

// boundsCheck is what a vector's address is compared with. One unsigned comparison checks both ends: an address below
// the storage is a very large pastStart.
type boundsCheck struct {
	pastStart  baseImm // b64: bytes from the start of the argument's storage
	limit      asm.Reg // b64: the least pastStart at which the vector no longer fits
	elemLimit  asm.Reg // b64: the least pastStart at which one element no longer fits
	arg, first asm.Reg // tagged: the argument's number and first element; else none
}

// checkVectors checks each vector.
func (a *access) checkVectors() {
	a.anyOutside = asm.Reg{}
	pastStarts := map[asm.Reg]asm.Reg{}
	for i := range a.vectors {
		a.check(&a.vectors[i], pastStarts)
	}
}

// checkRange computes whether a thread's lowest and highest address are in bounds: if they are, all between are.
// Threads where owner does not hold make no access.
func (a *access) checkRange(owner asm.Reg, addresses map[[2]asm.Reg]asm.Reg) {
	e := a.e
	r := a.ownRange()
	at := e.Do("sub.s64", asm.R(a.uniformAddress(addresses)),
		asm.R(e.params.storageStart(a.p.arg, a.elemBytes)))
	inside := e.Do("setp.lt.u64", asm.R(e.add64(at, r.lowest)), asm.R(r.room))
	a.together = r.ofWarp
	a.anyOutside = e.andPred(map[asm.Reg]asm.Reg{}, e.Do("not.pred", asm.R(inside)), owner)
	a.voteOutside()
}

// addressRange is the range of a thread's addresses but for the uniform part of the offset, which is all that most
// loops move.
type addressRange struct {
	parts  [][]baseImm // the parts of the offsets that it is the range of
	lowest asm.Reg     // b64: bytes from the uniform address
	room   asm.Reg     // b64: the least pastStart of the lowest address at which the highest vector no longer fits
	ofWarp bool        // all threads of a warp have the same range
}

// ownRange is the access's range. Bounds of the parts of an offset are added up, so it may be larger than the
// addresses', never smaller. The copies of a pipelined loop have the range of a warp, found in the prologue: a check is
// of uniform values then.
func (a *access) ownRange() addressRange {
	e := a.e
	if r, ok := e.ranges[a.ahead]; ok && slices.EqualFunc(r.parts, a.offsetParts, slices.Equal) {
		return r
	}
	ends, ofWarp := [2]baseImm{}, a.ahead != nil
	for _, part := range a.offsetParts {
		for i, end := range a.partRange(part) {
			switch base := end.base; {
			case !base.OK() || a.ahead == nil:
			case base.Class == asm.B32:
				end.base = e.Do(reduxMinMax[i], asm.R(base), asm.I(-1))
			default:
				ofWarp = false
			}
			ends[i].base = a.scaled(map[[2]asm.Reg]asm.Reg{}, ends[i].base, end.base)
			ends[i].imm += end.imm * int64(a.elemBytes)
		}
	}
	lowest, highest := e.materializeSum(num.Int64, ends[0]), e.materializeSum(num.Int64, ends[1])
	reach := e.Do("sub.s64", asm.R(highest), asm.R(lowest))
	limit := e.params.extentBytes(extentKey{a.p.arg, a.elemBytes, a.Vector})
	room := e.Do("sub.s64", asm.R(limit), asm.R(reach))
	r := addressRange{a.offsetParts, lowest, e.Do("max.s64", asm.R(room), asm.I(0)), ofWarp}
	if a.ahead != nil {
		e.ranges[a.ahead] = r
	}
	return r
}

// minMax are the instructions that find the ends of a range in a thread, and in a warp (PTX ISA, "redux.sync").
var minMax = [...][2]string{asm.B32: {"min.s32", "max.s32"}, asm.B64: {"min.s64", "max.s64"}}
var reduxMinMax = [2]string{"redux.sync.min.s32", "redux.sync.max.s32"}

// partRange is the lowest and the highest of the vectors' own offsets in a part, whose bases have one class. Offsets of
// 64 bits are compared by how far they are from the first one, which is not far (plan.ByRange): they may wrap.
func (a *access) partRange(part []baseImm) [2]baseImm {
	e, first, d := a.e, part[a.vectors[0].regs[0]], num.Int32
	var origin asm.Reg // b64: the first offset; none: they have 32 bits
	out := [2]baseImm{first, first}
	if slices.ContainsFunc(part, func(x baseImm) bool { return x.base.Class == asm.B64 }) {
		d, origin, out = num.Int64, e.materializeSum(num.Int64, first), [2]baseImm{}
	}
	seen := map[asm.Reg]bool{out[0].base: true}
	for _, v := range a.vectors[1:] {
		x := part[v.regs[0]]
		switch {
		case !origin.OK():
		case x.base == first.base:
			x = baseImm{imm: x.imm - first.imm}
		default:
			x = baseImm{base: e.Do("sub.s64", asm.R(e.materializeSum(d, x)), asm.R(origin))}
		}
		out[0].imm, out[1].imm = min(out[0].imm, x.imm), max(out[1].imm, x.imm)
		if !seen[x.base] {
			seen[x.base] = true
			for i, op := range minMax[classOf(d)] {
				end := asm.R(baseOrZero(e.threadCode, d, out[i].base))
				out[i].base = e.Do(op, end, asm.R(baseOrZero(e.threadCode, d, x.base)))
			}
		}
	}
	for i := range out {
		out[i].base = e.add64(origin, out[i].base)
	}
	return out
}

// baseOrZero is a base of a sum of dtype d as a register; none stands for 0.
func baseOrZero(t *threadCode, d num.DType, base asm.Reg) asm.Reg {
	if base.OK() {
		return base
	}
	return t.materializeSum(d, baseImm{})
}

// check computes which threads' vectors are in bounds, and aligned if that is not known. pastStarts has the bytes from
// the start of the storage by address.
func (a *access) check(v *vector, pastStarts map[asm.Reg]asm.Reg) {
	w := &v.bounds
	if !a.p.mixed() {
		if _, ok := pastStarts[v.addr]; !ok {
			start := a.e.params.storageStart(a.p.arg, a.elemBytes)
			pastStarts[v.addr] = a.e.Do("sub.s64", asm.R(v.addr), asm.R(start))
		}
		w.pastStart = baseImm{pastStarts[v.addr], v.imm}
		w.limit, w.elemLimit = a.e.params.extentBytes(extentKey{a.p.arg, a.elemBytes,
			a.Vector}), a.e.params.extentBytes(extentKey{a.p.arg, a.elemBytes, 1})
	}
	in := a.e.Do("setp.lt.u64", asm.R(a.e.materializeSum(num.Int64, w.pastStart)), asm.R(w.limit))
	// A vector that is not aligned would trap, so it goes to the slow path, which has no vectors.
	if !a.Aligned {
		low := a.e.Do("and.b64", asm.R(a.e.materializeSum(num.Int64, baseImm{v.addr, v.imm})),
			asm.I(int64(a.elemBytes*a.Vector-1)))
		in = a.e.Do("and.pred", asm.R(in), asm.R(a.e.Do("setp.eq.s64", asm.R(low), asm.I(0))))
	}
	v.guard = in
	// Out of bounds are the threads that take part and are not in bounds: guard ⊆ mask, so xor is and-not.
	if v.mask.OK() {
		v.guard = a.e.Do("and.pred", asm.R(in), asm.R(v.mask))
		v.outside = a.e.Do("xor.pred", asm.R(v.guard), asm.R(v.mask))
	} else {
		v.outside = a.e.Do("not.pred", asm.R(in))
	}
	if a.anyOutside.OK() {
		a.anyOutside = a.e.Do("or.pred", asm.R(a.anyOutside), asm.R(v.outside))
	} else {
		a.anyOutside = v.outside
	}
}

// elementFallback emits the access to element i, at address at, of a vector that is out of bounds in part, for the
// threads where inBounds holds.
type elementFallback func(v *vector, i int, at asm.Operand, inBounds asm.Reg)

// ifVector is f if vectors have several elements: the only element of a vector that is out of bounds is, too.
func (a *access) ifVector(f elementFallback) elementFallback {
	if a.Vector == 1 {
		return nil
	}
	return f
}

// emit emits the access: f emits one vector, one an element of a vector that is not in bounds as a whole, done what
// follows after the elements of such a vector. one and done may be nil.
func (a *access) emit(f func(v *vector), one elementFallback, done func(v *vector)) {
	outside, inside, back := a.e.NewLabel("outside"), a.e.NewLabel("inside"), a.e.NewLabel("back")
	if a.Check == plan.ByRange {
		a.e.Branch(outside, a.anyOutside, false)
		a.e.Bind(inside)
	}
	for i := range a.vectors {
		f(&a.vectors[i])
	}
	if a.Check == plan.Proved {
		return
	}
	if a.Check == plan.ByVector {
		a.e.Branch(outside, a.anyOutside, false)
	}
	a.e.Bind(back)
	if !a.together {
		a.reconverge()
	}
	a.e.Cold(func() {
		a.e.Bind(outside)
		if a.Check == plan.ByRange {
			// The range has vectors that the mask leaves out, and more than the vectors.
			a.checkVectors()
			a.voteOutside()
			a.e.Branch(inside, a.anyOutside, true)
		}
		a.emitSlowPath(f, one, done)
		if a.together {
			a.reconverge()
		}
		a.e.Branch(back, asm.Reg{}, false)
	})
}

// voteOutside has the threads of a warp take the slow path together, if they go together: ptxas then knows that the
// branch does not diverge.
func (a *access) voteOutside() {
	if a.together {
		a.anyOutside = a.e.Do("vote.sync.any.pred", asm.R(a.anyOutside), asm.I(-1))
	}
}

// reconverge waits for all threads of a warp: what follows may want them together.
func (a *access) reconverge() { a.e.Effect("bar.warp.sync", asm.I(-1)) }

// emitSlowPath emits the out-of-bounds slow path: the elements of each vector that is not in bounds as a whole, and the
// report.
func (a *access) emitSlowPath(f func(v *vector), one elementFallback, done func(v *vector)) {
	first, count, arg, low := a.e.Reg(asm.B64), a.e.Reg(asm.B32), a.e.Reg(asm.B64), a.e.Reg(asm.B64)
	a.e.Move(count, asm.I(0))
	a.e.Move(first, asm.I(0))
	a.e.Move(arg, asm.I(int64(a.p.arg)))
	a.e.Move(low, asm.I(0))
	if of, ok := a.e.params.addressed[a.p.arg]; ok {
		a.e.Move(arg, asm.R(of.number))
	} else if !a.p.mixed() {
		a.e.Move(low, asm.R(a.e.params.args[a.p.arg].first))
	}
	for i := len(a.vectors) - 1; i >= 0; i-- {
		v := &a.vectors[i]
		if a.Check == plan.ByRange {
			// Again, one after the other, which takes fewer registers than to keep what checkVectors found.
			a.check(v, map[asm.Reg]asm.Reg{})
			f(v)
		}
		a.e.Unless(v.outside, true, func() { a.emitScalarFallback(v, one, done, first, count, arg, low) })
	}
	a.reportViolation(first, count, arg, low)
}

// emitScalarFallback emits a vector of which some elements are out of bounds, the last element first, so that first
// ends as the byte offset of the first one.
func (a *access) emitScalarFallback(v *vector, one elementFallback, done func(*vector), first, count, arg,
	low asm.Reg) {
	// Each element is compared by itself: a vector may begin before the storage or end behind it.
	element := func(i int, past asm.Reg, at asm.Operand) {
		in := a.e.Do("setp.lt.u64", asm.R(past), asm.R(v.bounds.elemLimit))
		a.e.When(in, true, func() {
			a.e.Move(first, asm.R(past))
			a.e.Into(count, "add.s32", asm.R(count), asm.I(1))
			if v.bounds.arg.OK() {
				a.e.Move(arg, asm.R(v.bounds.arg))
				a.e.Move(low, asm.R(v.bounds.first))
			}
		})
		if one != nil {
			one(v, i, at, in)
		}
	}
	if a.rolled.OK() {
		a.emitRolled(v, element)
		return
	}
	past := v.bounds.pastStart
	for i := len(v.regs) - 1; i >= 0; i-- {
		step := int64(i * a.elemBytes)
		element(i, a.e.materializeSum(num.Int64, baseImm{past.base, past.imm + step}), asm.M(v.addr, v.imm+step))
	}
	if done != nil {
		done(v)
	}
}

// emitRolled emits the elements of a vector as a loop, in which rolled is the element's offset in the vector.
func (a *access) emitRolled(v *vector, element func(i int, past asm.Reg, at asm.Operand)) {
	e := a.e
	head := e.NewLabel("element")
	e.Move(a.rolled, asm.I(int64(len(v.regs)*a.elemBytes)))
	e.Loop(head, func() {
		e.Add(asm.Inst{Op: asm.Op("sub.s32"), Dst: []asm.Operand{asm.R(a.rolled)},
			Src: []asm.Operand{asm.R(a.rolled), asm.I(int64(a.elemBytes))}})
		off := e.extendToB64(num.Int32, a.rolled)
		element(0, e.add64(e.materializeSum(num.Int64, v.bounds.pastStart), off), asm.M(e.add64(v.addr, off), v.imm))
		e.Branch(head, e.Do("setp.ne.s32", asm.R(a.rolled), asm.I(0)), false)
	})
}

// reportViolation reports count elements out of bounds, the first of them at byte offset first from element low, the
// start of argument arg's storage.
func (a *access) reportViolation(first, count, arg, low asm.Reg) {
	if a.in.Bool("silent") {
		return
	}
	some := a.e.andPred(map[asm.Reg]asm.Reg{}, a.e.Do("setp.ne.s32", asm.R(count), asm.I(0)), a.leader)
	a.e.Unless(some, true, func() {
		shift := int64(bits.TrailingZeros(uint(a.elemBytes)))
		offset := a.e.add64(a.e.Do("shr.s64", asm.R(first), asm.I(shift)), low)
		site := a.e.reports.addSite(Bounds, a.in)
		a.e.reports.writeReport(site, offset, a.e.Do("cvt.u32.u64", asm.R(arg)), count)
	})
}
