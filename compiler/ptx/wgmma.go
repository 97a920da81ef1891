package ptx

import (
	"fmt"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/asm"
	"github.com/newtlab/newt/compiler/ptx/plan"
)

// Warpgroup MMA: dots by wgmma.mma_async, Hopper's tensor core instruction (PTX ISA, "Asynchronous Warpgroup Level
// Matrix Instructions"). The four warps of a warpgroup issue it together; it reads B, and A unless that is in
// registers, from shared memory through matrix descriptors, and runs asynchronously:
//
//	wgmma.fence          registers and shared memory written before are visible to the instructions that follow
//	wgmma.mma_async …    D += A·B, one for each 64 rows, n columns and 16 of K
//	wgmma.commit_group   closes the group of instructions
//	wgmma.wait_group N   all groups but the N youngest are complete
//
// It reads shared memory through the async proxy, so what threads store there needs a proxy fence (fence_async).

// matrixDescriptor describes an operand in shared memory to wgmma (PTX ISA, "Matrix Descriptor Format"):
//
//	bits  0-13  start address / 16
//	bits 16-29  leading dimension byte offset / 16: between panels if MN is contiguous; not used if K is
//	bits 32-45  stride dimension byte offset / 16: between groups of 8 rows
//	bits 62-63  swizzle mode
//
// The tile is a sequence of panels. A panel is as wide as the swizzle (rowBytes) and as high as the tile's other
// dimension; its rows follow each other without a gap.
type matrixDescriptor struct {
	tile       sharedTile
	start      asm.Reg // b32: the start address field, for the warpgroup's part of the tile
	fields     int64   // the other fields
	rowBytes   int
	panelBytes int
	kMajor     bool // K is the contiguous dimension
}

// swizzleModes are the values of the descriptor's swizzle field, by the swizzle's width in bytes.
var swizzleModes = map[int]int64{128: 1, 64: 2, 32: 3}

// emitFenceAsync makes a thread's writes (the generic proxy's), to shared memory or to all, visible to wgmma and tensor
// copies (the async proxy), which read them after the next barrier (PTX ISA, "membar / fence", fence.proxy.async).
func emitFenceAsync(e *emitter, in *ir.Instr) {
	if in.Bool("global") {
		e.Effect("fence.proxy.async")
		return
	}
	e.Effect("fence.proxy.async.shared::cta")
}

// newDescriptor computes the descriptor of the part of tile t that a warpgroup multiplies: part rows (of A) or columns
// (of B). group is the warpgroup's number along that dimension, b32; none if there is one.
func newDescriptor(t *threadCode, tile sharedTile, s plan.Side, group asm.Reg, part int) matrixDescriptor {
	k := s.KAxis(2)
	kMajor := tile.contiguousAlong(k)
	contiguous := 1 - k
	if kMajor {
		contiguous = k
	}
	elemBytes := tile.mem.ElemBits / 8
	d := matrixDescriptor{tile: tile, kMajor: kMajor, rowBytes: min(128, elemBytes*tile.mem.Shape[contiguous])}
	d.panelBytes = d.rowBytes * tile.mem.Shape[1-contiguous]
	// any value does: swizzled K-major tiles have no leading offset
	leading := int64(1)
	if !kMajor {
		leading = int64(d.panelBytes >> 4)
	}
	d.fields = leading<<16 | int64(8*d.rowBytes>>4)<<32 | swizzleModes[d.rowBytes]<<62
	describe := func() {
		address := t.AddressOf(int64(tile.off))
		if tile.base.OK() {
			address = t.Do("add.s32", asm.R(address), asm.R(tile.base))
		}
		if group.OK() {
			address = t.Do("mad.lo.s32", asm.R(group), asm.I(int64(d.offset(part, 0))), asm.R(address))
		}
		d.start = t.Do("shr.u32", asm.R(address), asm.I(4))
	}
	d.emit(t, describe)
	return d
}

// emit emits f's code: in the kernel's entry, if the tile does not move.
func (d matrixDescriptor) emit(t *threadCode, f func()) {
	if d.tile.base.OK() {
		f()
	} else {
		t.Entry(f)
	}
}

// bitOf is the number of the lowest bit, in an element's row-major number, of the index along axis.
func bitOf(shape []int, axis int) int {
	n := 0
	for _, d := range shape[axis+1:] {
		for ; d > 1; d /= 2 {
			n++
		}
	}
	return n
}

// offset is the byte offset of row or column i and index k in the tile. The swizzle leaves it as it is, since i is a
// multiple of 64, or of 8 if K is contiguous, and k of 32 bytes: whole atoms of the swizzle along the rows, and within
// a row the hardware swizzles the address bits itself.
func (d matrixDescriptor) offset(i, k int) int {
	contiguous, row := i, k
	if d.kMajor {
		contiguous, row = k, i
	}
	bytes := d.tile.mem.ElemBits / 8 * contiguous
	return bytes/d.rowBytes*d.panelBytes + bytes%d.rowBytes + row*d.rowBytes
}

// at is the descriptor of the matrix that begins at i and k, b64. The start address field has room for all of
// shared memory: the sum carries nothing into the next field, so the upper half is a constant.
func (d matrixDescriptor) at(t *threadCode, i, k int) (r asm.Reg) {
	op, n := "or.b32", int64(d.offset(i, k)>>4)
	if n > 0 {
		op = "add.s32"
	}
	d.emit(t, func() {
		low := t.Do(op, asm.R(d.start), asm.I(int64(int32(d.fields))+n))
		high := t.Do("mov.b32", asm.I(d.fields>>32))
		r = t.Do("mov.b64", asm.V(low, high))
	})
	return r
}

// wgmmaOperand is operand s of in as wgmma takes it: a tile in shared memory or, of one operand, the words of its
// register fragments.
func (dc *dotCode) wgmmaOperand(s plan.Side) (fragments *lazyRegs, tile sharedTile) {
	v := dc.in.Operands[s]
	switch words := dc.e.words[v]; {
	case v.Type.IsMemDesc():
		return nil, dc.e.staged[v]
	case words != nil:
		return words, tile
	}
	return dc.e.packLazily(loadedRegs(dc.e.regs(v)), dc.p.Elem[s]), tile
}

// wgmmaCode is the instructions of one warpgroup for a dot, each for 64 rows, n columns and one step along K.
type wgmmaCode struct {
	dc         *dotCode
	rows, cols int       // of the warpgroup's part of the result
	n, steps   int       // columns of an instruction, steps along K
	fragments  *lazyRegs // A's words; nil: it is in shared memory
	a, b       matrixDescriptor
	sums       []asm.Reg
	addsFirst  asm.Operand // scale-d of the first step along K: whether it adds to the sums or overwrites them
	adds       asm.Operand // scale-d of the others
	flags      []asm.Operand
}

func init() { emitters[ops.WGMMAWait] = emitWgmmaWait }

// emitWgmma emits in as warpgroup MMA and gives the registers of the sum, in p.AccLayout.
func (dc *dotCode) emitWgmma(acc []asm.Reg) []asm.Reg {
	var tiles [2]sharedTile
	var fragments *lazyRegs
	for s := range plan.Side(2) {
		x, tile := dc.wgmmaOperand(s)
		tiles[s] = tile
		if x != nil {
			fragments = x
		}
	}
	c := dc.newWgmma(tiles, fragments)
	// A wgmma in flight writes its accumulator after the code that follows, so that has to be the loop's variables.
	// Else it may be: ptxas keeps copies of them, if there are waits for groups between the instructions.
	c.sums = acc
	if !dc.p.InFlight && !dc.p.InPlace {
		c.sums = dc.e.Regs(asm.B32, len(acc))
		dc.e.moveAll(c.sums, acc)
	}
	for _, g := range dc.p.Groups {
		c.issue(g)
	}
	return c.sums
}

// emitWgmmaWait waits for the warpgroup MMA whose result is the operand, which reads shared memory until then. If its
// first group has waited, that was for the one before it.
func emitWgmmaWait(e *emitter, in *ir.Instr) {
	v := in.Operands[0]
	if d := e.plan.Dots[v.Def]; d == nil || !d.Groups[0].Waits {
		e.waitWgmma(int(in.Int("pending")))
	}
	e.setRegs(in.Results[0], e.regs(v))
}

// newWgmma computes what the instructions of a dot have in common: the operands' descriptors, scale-d and flags.
// fragments is the left operand if that is in registers, tiles the others.
func (dc *dotCode) newWgmma(tiles [2]sharedTile, fragments *lazyRegs) *wgmmaCode {
	left, right := dc.p.Left, 1-dc.p.Left
	shape := dc.p.AccLayout.Shape
	groups := dc.p.Warps[left] / plan.WarpgroupWarps // along the instructions' M
	c := &wgmmaCode{dc: dc, rows: shape[left] / groups, cols: shape[right] / dc.p.Warps[right], fragments: fragments}
	c.n = min(c.cols, plan.WgmmaMaxN)
	c.steps = dc.in.Operands[1].Type.Shape[0] / dc.p.WgmmaK()
	var rowGroup, colGroup asm.Reg
	dc.e.Entry(func() {
		group := warpgroup(dc.e.threadCode)
		if groups > 1 {
			rowGroup = dc.e.Do("and.b32", asm.R(group), asm.I(int64(groups-1)))
		}
		if dc.p.Warps[right] > 1 {
			colGroup = dc.e.Do("shr.u32", asm.R(group), asm.I(int64(bitOf([]int{1, groups}, 0))))
		}
	})
	if fragments == nil {
		c.a = newDescriptor(dc.e.threadCode, tiles[left], left, rowGroup, c.rows)
	}
	c.b = newDescriptor(dc.e.threadCode, tiles[right], right, colGroup, c.cols)
	// scale-d is a predicate register that has to be true for D += A·B.
	c.adds = asm.R(dc.e.always(true))
	c.addsFirst = c.adds
	if use := dc.in.Operand(3); use != nil {
		c.addsFirst = asm.R(dc.e.regs(use)[0])
	}
	c.flags = dc.wgmmaFlags(fragments != nil, c.a.kMajor, c.b.kMajor)
	return c
}

// always is a predicate that is true or false for all threads, whose number is its own.
func (t *threadCode) always(holds bool) asm.Reg {
	op := map[bool]string{true: "setp.eq.s32", false: "setp.ne.s32"}[holds]
	return t.Do(op, asm.R(t.tid), asm.R(t.tid))
}

// warpgroup is the warpgroup's number, b32. Coming from one lane, it is uniform for ptxas too, which then computes
// descriptors in uniform registers.
func warpgroup(t *threadCode) asm.Reg {
	group := t.Do("shr.u32", asm.R(t.warp), asm.I(2))
	return t.shuffleWord(firstLane, group)
}

// issue emits the instructions of a group. Fragments are loaded before it waits, and permuted after that: they get the
// registers of those that it waits for.
func (c *wgmmaCode) issue(g plan.Group) {
	e := c.dc.e
	if c.fragments != nil && c.fragments.load != nil {
		c.eachWord(g, c.fragments.load)
	}
	if g.Waits {
		e.waitWgmma(g.Pending)
	}
	if c.fragments != nil {
		c.eachWord(g, func(i int) { c.fragments.get(i) })
	}
	if e.plan.Fenced[c.dc.in] {
		e.Effect("wgmma.fence.sync.aligned")
	}
	for i := range g.Steps {
		c.step(g.First + i)
	}
	e.Effect("wgmma.commit_group.sync.aligned")
}

// eachWord calls f with the number of each word of A's fragments for a group.
func (c *wgmmaCode) eachWord(g plan.Group, f func(i int)) {
	for row := 0; row < c.rows; row += plan.WgmmaM {
		for i := range 4 * g.Steps {
			f(c.firstWord(row, g.First) + i)
		}
	}
}

// step emits the instructions of one step along K.
func (c *wgmmaCode) step(step int) {
	e, k := c.dc.e, step*c.dc.p.WgmmaK()
	op, adds := wgmmaOp(c.dc.p, c.n), c.adds
	if step == 0 {
		adds = c.addsFirst
	}
	for row := 0; row < c.rows; row += plan.WgmmaM {
		for col := 0; col < c.cols; col += c.n {
			// Each of the 128 threads has n/2 of an instruction's 64·n sums, and cols/2 of 64 whole rows.
			first := row/plan.WgmmaM*c.cols/2 + col/2
			d := asm.V(c.sums[first : first+c.n/2]...)
			src := append([]asm.Operand{{}, asm.R(c.b.at(e.threadCode, col, k)), adds}, c.flags...)
			if c.fragments != nil {
				src[0] = asm.V(c.fragments.regs[c.firstWord(row, step):][:4]...)
			} else {
				src[0] = asm.R(c.a.at(e.threadCode, row, k))
			}
			e.Add(asm.Inst{Op: asm.Op(op), Dst: []asm.Operand{d}, Src: src, Update: true})
		}
	}
}

// firstWord is the number of the first of a thread's 4 words of A's fragment, 64 rows by 32 bytes, for an instruction.
func (c *wgmmaCode) firstWord(row, step int) int { return (row/plan.WgmmaM*c.steps + step) * 4 }

// wgmmaOp is the instruction of a dot with n columns: types of D, A and B (PTX ISA, "wgmma.mma_async").
func wgmmaOp(p *plan.Dot, n int) string {
	return fmt.Sprintf("wgmma.mma_async.sync.aligned.m64n%dk%d.%s.%s.%s", n, p.WgmmaK(), mmaAccTypes[p.Acc],
		mmaTypes[p.Elem[p.Left]], mmaTypes[p.Elem[1-p.Left]])
}

// wgmmaFlags are the immediates at the end of an instruction: scale-a and scale-b, 1 or -1, which negates, of floats;
// and of 16-bit operands in shared memory imm-trans, 1 unless K is contiguous.
func (dc *dotCode) wgmmaFlags(aInRegisters, aKMajor, bKMajor bool) (flags []asm.Operand) {
	if dc.p.Acc.Info().Float {
		flags = append(flags, asm.I(1), asm.I(1))
	}
	if dc.p.Elem[0].Info().Bits != 16 {
		return flags
	}
	transpose := map[bool]asm.Operand{true: asm.I(0), false: asm.I(1)}
	if !aInRegisters {
		flags = append(flags, transpose[aKMajor])
	}
	return append(flags, transpose[bKMajor])
}

// waitWgmma waits until at most so many wgmma groups are outstanding.
func (t *threadCode) waitWgmma(outstanding int) {
	t.Effect("wgmma.wait_group.sync.aligned", asm.I(int64(outstanding)))
}
