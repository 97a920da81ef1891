package ptx

import (
	"strings"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/layout"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/asm"
	"github.com/newtlab/newt/compiler/ptx/axis"
	"github.com/newtlab/newt/compiler/ptx/plan"
)

// access is one load, store or atomic while it is emitted: a list of vectors, each moved by one instruction, which are
// checked as is planned (bounds_check.go).
type access struct {
	*plan.Access
	e           *emitter
	in          *ir.Instr
	ahead       *plan.AsyncLoad // whose copy it is, for a later iteration of a pipelined loop; nil: of none
	p           pointer
	elemBytes   int
	offsetParts [][]baseImm // the parts of the pointer's offset that registers have of their own
	vectors     []vector
	together    bool    // all threads of a warp have one range
	anyOutside  asm.Reg // pred: whether a vector of this thread is out of bounds; if ranged: may be
	rolled      asm.Reg // b32 variable: offset in its vector of the element, in a slow path that is a loop; else none
	leader      asm.Reg // pred: the thread that stands for all with the same elements; none: no two have one
}

// vector is what one instruction moves.
type vector struct {
	regs    []int   // registers of the tile, neighbors in memory
	addr    asm.Reg // b64; plus imm: the address in bytes
	imm     int64
	mask    asm.Reg // pred: the threads that take part; none: all
	guard   asm.Reg // pred: those of them that are in bounds; none: all
	outside asm.Reg // pred: those that are not; none if unchecked
	bounds  boundsCheck
}

// newAccess computes the addresses, masks and checks of an access.
func (e *emitter) newAccess(in *ir.Instr) *access {
	ptr := in.Operands[0]
	a := &access{Access: e.plan.Accesses[in], e: e, in: in, ahead: e.plan.Async[in].Load, p: e.ptrs[ptr.ID],
		elemBytes: ptr.Type.DType.Info().Bytes}
	var mask []asm.Reg
	if m := axis.Mask(in); m != nil {
		mask = e.regs(m)
	}
	a.formVectors()
	// Reads may be done by every replica: that is as fast, and saves broadcasting the result.
	a.leader = e.leaderPred(a.Layout)
	var owner asm.Reg
	if in.Op.Has(ops.Writes) {
		owner = a.leader
	}
	if a.ahead != nil { // whether there is such an iteration
		owner = e.andPred(map[asm.Reg]asm.Reg{}, owner, e.predicate(in.Operand(3)))
	}
	seen := map[asm.Reg]asm.Reg{}
	a.offsetParts = a.p.perRegisterParts()
	// Sums of base, uniform part and bases are shared among vectors.
	addresses := map[[2]asm.Reg]asm.Reg{}
	for i := range a.vectors {
		v := &a.vectors[i]
		// axis.Facts.Vector has made sure that the mask is constant along a vector.
		if mask != nil && mask[v.regs[0]] != e.proven {
			v.mask = mask[v.regs[0]]
		}
		v.mask = e.andPred(seen, v.mask, owner)
		a.address(v, addresses)
		v.guard = v.mask
	}
	switch a.Check {
	case plan.ByRange:
		a.checkRange(owner, addresses)
	case plan.ByVector:
		a.checkVectors()
	}
	return a
}

// uniformAddress is the address of the uniform part of the offset.
func (a *access) uniformAddress(seen map[[2]asm.Reg]asm.Reg) asm.Reg {
	base := a.e.params.argument(a.p.arg).base
	if !a.p.uniform.OK() {
		return base
	}
	return a.scaled(seen, base, a.p.uniform)
}

// formVectors groups the registers into vectors, without replicas.
func (a *access) formVectors() {
	ptr, regs := a.in.Operands[0], []int{0}
	if !ptr.Type.IsScalar() {
		_, regs = a.Layout.Vector(a.e.facts.Order(ptr)[0])
	}
	replicas := int(a.Layout.Free().Reg)
	for ; len(regs) > 0; regs = regs[a.Vector:] {
		// A vector of replicas repeats another's elements.
		if regs[0]&replicas == 0 {
			a.vectors = append(a.vectors, vector{regs: regs[:a.Vector]})
		}
	}
}

// andPred is x and y, predicates of which none stands for true.
func (t *threadCode) andPred(seen map[asm.Reg]asm.Reg, x, y asm.Reg) asm.Reg {
	switch {
	case !x.OK():
		return y
	case !y.OK():
		return x
	}
	if _, ok := seen[x]; !ok {
		seen[x] = t.Do("and.pred", asm.R(x), asm.R(y))
	}
	return seen[x]
}

// leaderPred holds for the leader of each element's replicas in l, the thread with 0 in the bits of its number that l
// does not depend on. It is none if no element has replicas in other threads.
func (t *threadCode) leaderPred(l layout.Layout) asm.Reg {
	free := l.Free()
	mask := int64(free.Lane) | int64(free.Warp)<<layout.LaneBits
	if mask == 0 {
		return asm.Reg{}
	}
	var r asm.Reg
	t.Entry(func() {
		free := t.Do("and.b32", asm.R(t.tid), asm.I(mask))
		r = t.Do("setp.eq.s32", asm.R(free), asm.I(0))
	})
	return r
}

// The instructions that scale an offset, and those that add it to an address, too, by the offset's class.
var (
	scaleOps    = [...]string{asm.B32: "mul.wide.s32", asm.B64: "mul.lo.s64"}
	scaleAddOps = [...]string{asm.B32: "mad.wide.s32", asm.B64: "mad.lo.s64"}
)

// address computes a vector's address, base + elemBytes · (uniform + own parts). Constants become its immediate, of 32
// bits with a sign (PTX ISA, "Addresses as Operands"). In a pipelined loop the own parts are added up first: the loop
// moves the uniform part alone, and ptxas computes their sum before it.
func (a *access) address(v *vector, seen map[[2]asm.Reg]asm.Reg) {
	if a.p.mixed() {
		a.taggedAddress(v)
		return
	}
	uniform := a.uniformAddress(seen)
	r := uniform
	if a.ahead != nil {
		r = asm.Reg{}
	}
	for _, part := range a.offsetParts {
		own := part[v.regs[0]]
		r = a.scaled(seen, r, own.base)
		v.imm += own.imm * int64(a.elemBytes)
	}
	if a.ahead != nil {
		r = a.e.add64(r, uniform)
	}
	v.addr = r
	// too far for an immediate
	if v.imm != int64(int32(v.imm)) {
		v.addr, v.imm = a.e.materializeSum(num.Int64, baseImm{r, v.imm}), 0
	}
}

// scaled is an address, 0 if it is none, plus an offset in elements, computed once for each pair.
func (a *access) scaled(seen map[[2]asm.Reg]asm.Reg, address, offset asm.Reg) asm.Reg {
	if !offset.OK() {
		return address
	}
	k := [2]asm.Reg{address, offset}
	_, ok := seen[k]
	switch size := asm.I(int64(a.elemBytes)); {
	case ok:
	case address.OK():
		seen[k] = a.e.Do(scaleAddOps[offset.Class], asm.R(offset), size, asm.R(address))
	default:
		seen[k] = a.e.Do(scaleOps[offset.Class], asm.R(offset), size)
	}
	return seen[k]
}

// perRegisterParts are the parts of the offsets that registers have of their own, the one with the fewest distinct
// bases first: sums with it are shared by the most vectors.
func (p pointer) perRegisterParts() [][]baseImm {
	switch {
	case p.off == nil:
		return nil
	case p.off2 == nil:
		return [][]baseImm{p.off}
	case distinctBases(p.off2) < distinctBases(p.off):
		return [][]baseImm{p.off2, p.off}
	}
	return [][]baseImm{p.off, p.off2}
}

// distinctBases counts the base registers of elems.
func distinctBases(elems []baseImm) int {
	seen := map[asm.Reg]bool{}
	for _, x := range elems {
		seen[x.base] = true
	}
	return len(seen)
}

// taggedAddress is address for a tagged offset, whose argument is known only at run time.
func (a *access) taggedAddress(v *vector) {
	index, offset, arg := a.e.params.untagArgument(a.e.widenSum(a.p.off[v.regs[0]]), a.elemBytes)
	v.addr = a.e.Do("mad.lo.s64", asm.R(offset), asm.I(int64(a.elemBytes)), asm.R(arg.base))
	low := a.e.Do("mad.lo.s64", asm.R(arg.first), asm.I(int64(a.elemBytes)), asm.R(arg.base))
	limit := a.e.extentBytesOf(arg.count, a.elemBytes, 1)
	v.bounds = boundsCheck{baseImm{base: a.e.Do("sub.s64", asm.R(v.addr), asm.R(low))}, limit, limit, index, arg.first}
}

// operand is a vector's memory operand.
func (v *vector) operand() asm.Operand { return asm.M(v.addr, v.imm) }

// opcode is the load ("ld") or store ("st") of n elements of dtype d, with the access's cache operator or eviction
// priority (PTX ISA, "Cache Operators", "Cache Eviction Priority Hints").
func (a *access) opcode(name string, d num.DType, n int) string {
	count, bits := wordsFor(d, n)
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
	s.WriteString(vectorSuffixes[count] + memoryType(d, bits))
	return s.String()
}

// cacheOperators are PTX's, by instruction and by the program's cache_modifier; what an instruction lacks is its
// default.
var cacheOperators = map[string]map[string]string{
	"ld": {"ca": "ca", "cg": "cg", "cs": "cs", "cv": "cv", "wb": "ca", "wt": "ca"},
	"st": {"wb": "wb", "cg": "cg", "cs": "cs", "wt": "wt", "ca": "wb", "cv": "wt"},
}
