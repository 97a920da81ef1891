package sim

import (
	"math/bits"
	"slices"
)

func wgmmaOps() map[string]builder { return map[string]builder{"wgmma": wgmma} }

// M of a wgmma, which the four warps of a warpgroup share, the bytes of a row of A along K, and the largest N.
const (
	warpgroupWarps = 4
	wgmmaM         = 64
	wgmmaRow       = 32
)

// wgmma is the family of warpgroup MMA instructions. All of them need the four warps of a warpgroup, each whole, in the
// same order.
func wgmma(c *cursor) exec {
	var do func(w *warp) *Fault
	switch c.op.Words[1] {
	case "mma_async":
		return decodeMmaAsync(c)
	case "fence":
		do = func(w *warp) *Fault {
			w.wgmma.fences++
			return nil
		}
	case "commit_group":
		do = func(w *warp) *Fault {
			w.wgmma.committed++
			return nil
		}
	default:
		n := c.constInt(7)
		do = func(w *warp) *Fault { return w.waitWgmma(n) }
	}
	return func(w *warp, mask uint32) *Fault {
		if f := w.joinWarpgroup(mask, wgmmaStep{pc: w.pc}); f != nil {
			return f
		}
		return do(w)
	}
}

// wgmmaInst is a wgmma.mma_async as decoded: D += A·B, or D = A·B where scale is false. A is in registers if a is set.
type wgmmaInst struct {
	columns      int
	depth        int     // K: of 32 bytes
	elem         [2]*typ // of A and B
	sum          *typ    // of D
	d            []int32
	a            []value
	registers    []int32 // those of D and then those of A
	descA, descB value
	scale        predicate
	sign         float64
	alongM       bool // A's rows are contiguous, not k
	alongN       bool // B's columns are
}

// decodeMmaAsync takes D, A or its descriptor, B's descriptor, scale-d, the signs of A and B, and which of them are
// transposed (PTX ISA, "wgmma.mma_async").
func decodeMmaAsync(c *cursor) exec {
	v := &wgmmaInst{sign: 1}
	elemB, elemA, sum := c.takeType(), c.takeType(), c.takeType()
	v.columns, v.depth = c.op.Shape[1], c.op.Shape[2]
	v.elem, v.sum = [2]*typ{elemA, elemB}, sum
	v.d = c.takeDsts(wgmmaM*v.columns/(warpgroupWarps*warpSize), sum)
	// an accumulator cannot be _
	if slices.Contains(v.d, sinkSlot) {
		c.failf("each element of D needs a register")
	}
	b64 := types["b64"]
	// A in registers: four words a thread, and no transpose flag for it.
	if c.peekOperand().kind == operandVector {
		v.a = c.takeSrcs(4, types["b32"])
	} else {
		v.descA = c.takeSrc(b64)
	}
	v.descB = c.takeSrc(b64)
	if c.peekOperand().kind != operandName {
		c.failf("operand %d must be a predicate", c.next+1)
	}
	v.scale = c.takePredicate()
	// Floats may be negated, and operands of 16 bits transposed; the others have K contiguous.
	if sum.isFloat() {
		v.sign = takeNegation(c) * takeNegation(c)
	}
	if elemA.bits == 16 && v.a == nil {
		v.alongM = c.constInt(1) == 1
	}
	if elemA.bits == 16 {
		v.alongN = c.constInt(1) == 1
	}
	v.registers = slices.Clone(v.d)
	for _, a := range v.a {
		if a.file == fileRegister {
			v.registers = append(v.registers, a.index)
		}
	}
	c.d.addFragments(v)
	c.inst.wgmma = v
	return v.exec
}

// addFragments has the registers of a wgmma watched.
func (d *decoder) addFragments(v *wgmmaInst) {
	d.granule = min(d.granule, chunkBytes)
	if d.fragments == nil {
		d.fragments = map[int32]bool{}
	}
	for _, s := range v.registers {
		d.fragments[s] = true
	}
}

// watchFragments lists, for each instruction but wgmma, the registers of wgmma that it accesses.
func (d *decoder) watchFragments() {
	for i := range d.code {
		in := &d.code[i]
		if in.wgmma != nil {
			continue
		}
		for _, list := range [2][]int32{in.uses, in.defs} {
			for _, s := range list {
				if d.fragments[s] {
					in.fragments = append(in.fragments, s)
				}
			}
		}
	}
}

// takeNegation takes imm-scale, 1 or -1.
func takeNegation(c *cursor) float64 {
	o := c.takeOperand()
	if o.kind != operandInt || o.imm+1 > 2 || o.imm == 0 {
		c.failf("operand %d must be 1 or -1", c.next)
	}
	return float64(int64(o.imm))
}

// exec computes the warp's 16 rows at once. That does not show: until they are waited for nothing may access the
// registers or change the memory.
func (v *wgmmaInst) exec(w *warp, mask uint32) *Fault {
	step := wgmmaStep{pc: w.pc}
	var f *Fault
	if step.b, f = w.uniformValue(mask, v.descB); f != nil {
		return f
	}
	if v.a == nil {
		if step.a, f = w.uniformValue(mask, v.descA); f != nil {
			return f
		}
	}
	switch w.pred(v.scale) {
	case full:
		step.scale = true
	case 0:
	default:
		return faultAt(Divergent, w.pred(v.scale), "scale-d differs between the threads")
	}
	if f := w.joinWarpgroup(mask, step); f != nil {
		return f
	}
	if f := w.acquireRegisters(v, step.scale); f != nil {
		return f
	}
	op := outstandingWgmma{in: v, group: w.wgmma.committed}
	a, f := v.loadA(w, &op, step.a)
	if f != nil {
		return f
	}
	b, f := w.operand(&op, step.b, v.columns, v.alongN, v.elem[1])
	if f != nil {
		return f
	}
	w.wgmma.ops = append(w.wgmma.ops, op)
	for r, d := range v.d {
		sum := &w.regs[d]
		for t := range sum {
			// Thread t has rows t/4 and t/4+8 and, of each 8 columns, 2·(t%4) and the next (PTX ISA, "Register
			// Fragments").
			x := v.sign * dotOf(&a[t/4+8*(r>>1&1)], &b[8*(r>>2)+t%4*2+r&1], v.depth)
			sum[t] = v.plus(x, sum[t], step.scale)
		}
	}
	return nil
}

// plus is x as bits of D, added to what D is if scale holds.
func (v *wgmmaInst) plus(x float64, d uint64, scale bool) uint64 {
	if v.sum.isFloat() {
		if scale {
			x += f32.load(d)
		}
		return f32.store(x, roundNearest)
	}
	// Integers wrap; the sum of 32 products of 8 bits and one of 32 is exact in fp64.
	if scale {
		x += float64(int32(d))
	}
	return uint64(uint32(int64(x)))
}

// loadA is the warp's 16 rows of A. A descriptor's 64 rows count as read by each warp.
func (v *wgmmaInst) loadA(w *warp, op *outstandingWgmma, desc uint64) ([][maxK]float64, *Fault) {
	if v.a == nil {
		rows, f := w.operand(op, desc, wgmmaM, v.alongM, v.elem[0])
		if f != nil {
			return nil, f
		}
		// Warp i of the warpgroup has rows 16·i to 16·i+15 of the 64.
		first := w.id % warpgroupWarps * mmaM
		return rows[first : first+mmaM], nil
	}
	rows := make([][maxK]float64, mmaM)
	elem, per := v.elem[0], 32/v.elem[0].bits // elements in a word
	for r, x := range v.a {
		for t, word := range w.get(x) {
			row := &rows[t/4+8*(r&1)]
			k := (t%4 + r>>1*4) * per
			for e := range per {
				row[k+e] = elem.element(word >> (e * elem.bits) & elem.mask())
			}
		}
	}
	return rows, nil
}

// uniformValue is a value that all threads must agree on.
func (w *warp) uniformValue(mask uint32, v value) (uint64, *Fault) {
	x := w.get(v)
	first := x[bits.TrailingZeros32(mask)&31]
	for lane := range x {
		if mask>>lane&1 != 0 && x[lane] != first {
			return 0, faultAt(Divergent, 1<<lane, "a descriptor differs between the threads")
		}
	}
	return first, nil
}
