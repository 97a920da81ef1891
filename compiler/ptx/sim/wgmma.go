package sim

import (
	"fmt"
	"math/bits"
	"slices"
)

var groupOps = map[string]builder{"wgmma": wgmma}

// Rows of a wgmma, which the four warps of a group share, its depth, and its columns.
const (
	groupWarps   = 4
	groupRows    = 64
	groupDepth   = 16
	groupColumns = 256
)

var groupShapes = func() map[string]int {
	m := map[string]int{}
	for n := 8; n <= groupColumns; n += 8 {
		m[fmt.Sprintf("m%dn%dk%d", groupRows, n, groupDepth)] = n
	}
	return m
}()

// wgmma is the family of warp-group instructions. All of them need the four warps of a group, each
// whole, in the same order.
func wgmma(c *call) exec {
	form := c.need("the form", "mma_async", "fence", "commit_group", "wait_group")
	c.sync()
	if !c.flag("aligned") {
		c.failf(".aligned is missing")
	}
	var do func(w *warp) *Fault
	switch form {
	case "mma_async":
		return groupMultiply(c)
	case "fence":
		do = func(w *warp) *Fault {
			w.group.fences++
			return nil
		}
	case "commit_group":
		do = func(w *warp) *Fault {
			w.group.committed++
			return nil
		}
	default:
		n := c.constInt(7)
		do = func(w *warp) *Fault { return w.complete(n) }
	}
	return func(w *warp, mask uint32) *Fault {
		if f := w.convene(mask, groupStep{pc: w.pc}); f != nil {
			return f
		}
		return do(w)
	}
}

// groupProduct is a wgmma.mma_async as decoded: D += A·B, or D = A·B where scale is false. A is in
// registers where a is set.
type groupProduct struct {
	columns      int
	elem         *typ
	d            []int32
	a            []value
	registers    []int32 // those of D and then those of A
	descA, descB value
	scale        predicate
	sign         float64
	alongM       bool // A's rows are contiguous, not k
	alongN       bool // B's columns are
}

func groupMultiply(c *call) exec {
	v := &groupProduct{sign: 1}
	for _, m := range c.st.mods {
		if n := groupShapes[m]; n > 0 && v.columns == 0 {
			v.columns = n
			c.flag(m)
		}
	}
	elemB, elemA, sum := c.anyType(), c.anyType(), c.anyType()
	if v.columns == 0 || elemA != elemB || elemA.name != "f16" && elemA.name != "bf16" || sum.name != "f32" {
		c.failf("the simulator does not know this combination of shape and types")
		return nil
	}
	v.elem = elemA
	v.d = c.dsts(groupRows*v.columns/(groupWarps*warpSize), sum)
	if slices.Contains(v.d, sinkSlot) {
		c.failf("each element of D needs a register")
	}
	b64 := types["b64"]
	if c.peek().kind == operandVector {
		v.a = c.srcs(4, types["b32"])
	} else {
		v.descA = c.src(b64)
	}
	v.descB = c.src(b64)
	if c.peek().kind != operandName {
		c.failf("operand %d must be a predicate", c.next+1)
	}
	v.scale = c.predicate()
	v.sign = c.negation() * c.negation()
	if v.a == nil {
		v.alongM = c.constInt(1) == 1
	}
	v.alongN = c.constInt(1) == 1
	v.registers = slices.Clone(v.d)
	for _, a := range v.a {
		if a.file == fileRegister {
			v.registers = append(v.registers, a.index)
		}
	}
	c.d.observe(v)
	c.inst.product = v
	return v.exec
}

// observe notes that the kernel has a product: its registers are watched.
func (d *decoder) observe(v *groupProduct) {
	d.granule = min(d.granule, unitBytes)
	if d.fragments == nil {
		d.fragments = map[int32]bool{}
	}
	for _, s := range v.registers {
		d.fragments[s] = true
	}
}

// watch lists, for each instruction but products, the registers of products that it touches.
func (d *decoder) watch() {
	for i := range d.code {
		in := &d.code[i]
		if in.product != nil {
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

// negation takes an immediate 1 or -1.
func (c *call) negation() float64 {
	o := c.take()
	if o.kind != operandInt || o.imm+1 > 2 || o.imm == 0 {
		c.failf("operand %d must be 1 or -1", c.next)
	}
	return float64(int64(o.imm))
}

// exec computes the warp's 16 rows. That it does so at once does not show: until they are waited for
// nothing may touch the registers or change the memory.
func (v *groupProduct) exec(w *warp, mask uint32) *Fault {
	step := groupStep{pc: w.pc}
	var f *Fault
	if step.b, f = w.uniform(mask, v.descB); f != nil {
		return f
	}
	if v.a == nil {
		if step.a, f = w.uniform(mask, v.descA); f != nil {
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
	if f := w.convene(mask, step); f != nil {
		return f
	}
	if f := w.claim(v, step.scale); f != nil {
		return f
	}
	op := groupOp{product: v, group: w.group.committed}
	a, f := v.left(w, &op, step.a)
	if f != nil {
		return f
	}
	b, f := w.operand(&op, step.b, v.columns, v.alongN, v.elem)
	if f != nil {
		return f
	}
	w.group.ops = append(w.group.ops, op)
	for r, d := range v.d {
		sum := &w.regs[d]
		for t := range sum {
			x := v.sign * dot16(&a[t/4+8*(r>>1&1)], &b[8*(r>>2)+t%4*2+r&1])
			if step.scale {
				x += f32.load(sum[t])
			}
			sum[t] = f32.store(x, roundNearest)
		}
	}
	return nil
}

// left is the warp's 16 rows of A. A descriptor's 64 rows count as read by each warp.
func (v *groupProduct) left(w *warp, op *groupOp, desc uint64) ([][groupDepth]float64, *Fault) {
	if v.a == nil {
		rows, f := w.operand(op, desc, groupRows, v.alongM, v.elem)
		if f != nil {
			return nil, f
		}
		first := w.id % groupWarps * mmaM
		return rows[first : first+mmaM], nil
	}
	rows := make([][groupDepth]float64, mmaM)
	for r, x := range v.a {
		for t, word := range w.get(x) {
			row := &rows[t/4+8*(r&1)]
			k := t%4*2 + r>>1*8
			row[k] = v.elem.format.load(word & v.elem.mask())
			row[k+1] = v.elem.format.load(word >> v.elem.bits & v.elem.mask())
		}
	}
	return rows, nil
}

func dot16(a, b *[groupDepth]float64) float64 {
	var part [4]float64
	for k := 0; k < groupDepth; k += 4 {
		part[0] += a[k] * b[k]
		part[1] += a[k+1] * b[k+1]
		part[2] += a[k+2] * b[k+2]
		part[3] += a[k+3] * b[k+3]
	}
	return part[0] + part[1] + (part[2] + part[3])
}

// uniform is a value that all threads must agree on.
func (w *warp) uniform(mask uint32, v value) (uint64, *Fault) {
	x := w.get(v)
	first := x[bits.TrailingZeros32(mask)&31]
	for lane := range x {
		if mask>>lane&1 != 0 && x[lane] != first {
			return 0, faultAt(Divergent, 1<<lane, "a descriptor differs between the threads")
		}
	}
	return first, nil
}
