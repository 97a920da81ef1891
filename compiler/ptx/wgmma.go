package ptx

import (
	"fmt"
	"slices"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/layout"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/asm"
)

// wgmmaRows is M of a wgmma instruction, which the four warps of a warpgroup share; wgmmaCols is the largest N.
const wgmmaRows, wgmmaCols, groupWarps = 64, 256, 4

// groupPlan makes p a product of warp groups where it can be one: by Hopper's instruction, that reads
// 16-bit operands from shared memory; it reports whether it did.
func (p *dotPlan) groupPlan(in *ir.Instr, opt Options) bool {
	shape := in.Results[0].Type.Shape
	if opt.MmaSync || opt.Target != "sm_90a" || !p.mma || p.parts > 1 || p.elem[0].Info().Bits != 16 || p.sum != num.Float32 ||
		len(shape) != 2 || opt.NumWarps%groupWarps != 0 || shape[0]%wgmmaRows != 0 {
		return false
	}
	for s := range side(2) {
		if d := in.Operands[s].Type; d.DType != p.elem[s] || min(d.Shape[0], d.Shape[1]) < 16 {
			return false
		}
	}
	groups := opt.NumWarps / groupWarps
	rows := min(groups, shape[0]/wgmmaRows)
	if cols := shape[1] / (groups / rows); cols < 16 || cols < shape[1] && cols < wgmmaRows {
		return false
	}
	p.group = true
	p.warps = []int{groupWarps * rows, groups / rows}
	p.acc = layout.WgmmaAcc(shape, p.warps)
	return true
}

// matrixDescriptor is an operand of wgmma in shared memory. Constants are in units of 16 bytes.
type matrixDescriptor struct {
	t     sharedTile
	low   asm.Reg // b32: address and leading offset of the group's part
	high  int64   // stride and swizzle
	span  int     // bytes of a row of a panel
	panel int     // bytes of a panel
	major bool    // K is the contiguous dimension
}

// swizzles are the codes of swizzled rows by their length in bytes.
var swizzles = map[int]int64{128: 1, 64: 2, 32: 3}

// publish makes what threads have written to shared memory visible to wgmma, once they have met.
func (e *emitter) publish() {
	for _, p := range e.dotPlans {
		if p.group {
			e.Effect("fence.proxy.async.shared::cta")
			return
		}
	}
}

// describe is the descriptor of the part of tile t that a group takes, which has so many rows or columns;
// group is its number along them, b32.
func (e *emitter) describe(t sharedTile, s side, group asm.Reg, part int) matrixDescriptor {
	k := s.along(2)
	major := t.mem.Off[bitOf(t.mem.Shape, k)] == 1
	fast := 1 - k
	if major {
		fast = k
	}
	d := matrixDescriptor{t: t, major: major, span: min(128, 2*t.mem.Shape[fast])}
	d.panel = d.span * t.mem.Shape[1-fast]
	d.high = int64(8*d.span>>4) | swizzles[d.span]<<30
	leading := int64(1)
	if !major {
		leading = int64(d.panel >> 4)
	}
	at := e.AddressOf(t.buf, int64(t.off))
	if t.base.OK() {
		at = e.Do("add.s32", asm.B32, asm.R(at), asm.R(t.base))
	}
	if group.OK() {
		at = e.Do("mad.lo.s32", asm.B32, asm.R(group), asm.I(int64(d.offset(part, 0))), asm.R(at))
	}
	at = e.Do("shr.u32", asm.B32, asm.R(at), asm.I(4))
	d.low = e.Do("or.b32", asm.B32, asm.R(at), asm.I(leading<<16))
	return d
}

// bitOf is the number of the lowest bit of the index along axis.
func bitOf(shape []int, axis int) int {
	n := 0
	for _, d := range shape[axis+1:] {
		for ; d > 1; d /= 2 {
			n++
		}
	}
	return n
}

// offset is where row or column i and index k begin, in bytes; i is a multiple of 64, or, where K is
// contiguous, of 8, and k of 16.
func (d matrixDescriptor) offset(i, k int) int {
	fast, slow := i, k
	if d.major {
		fast, slow = k, i
	}
	return 2*fast/d.span*d.panel + 2*fast%d.span + slow*d.span
}

// descriptorAt is the matrix descriptor of what begins at i and k, b64.
func (e *emitter) descriptorAt(d matrixDescriptor, i, k int) asm.Reg {
	low := d.low
	if n := d.offset(i, k) >> 4; n > 0 {
		low = e.Do("add.s32", asm.B32, asm.R(low), asm.I(int64(n)))
	}
	high := e.Reg(asm.B32)
	e.Move(high, asm.I(int64(int32(uint32(d.high)))))
	return e.Do("mov.b64", asm.B64, asm.V(low, high))
}

// groupSource is operand s of in for wgmma: a tile in shared memory or, of a left operand, the words of
// its fragments.
func (e *emitter) groupSource(in *ir.Instr, s side, p *dotPlan) ([]asm.Reg, sharedTile) {
	v := in.Operands[s]
	if _, ok := e.sharedSource(v); s == 0 && !ok && v.Type.Shape[0] == mmaRows*p.warps[0] {
		want := layout.MmaA(v.Type.Shape, p.warps, 16)
		if layout.Plan(e.layout(v), want, 16).Kind == layout.Rename {
			return e.packed(p.elem[0], e.in(v, want)), sharedTile{}
		}
	}
	if t, ok := e.sharedSource(v); ok {
		return nil, t
	}
	return nil, e.share(p.elem[s], e.regs(v), e.layout(v), s.along(2))
}

// groupDot adds the product to acc by wgmma.
func (e *emitter) groupDot(in *ir.Instr, p *dotPlan, acc []asm.Reg) []asm.Reg {
	words, ta := e.groupSource(in, 0, p)
	_, tb := e.groupSource(in, 1, p)
	shape, depth := p.acc.Shape, in.Operands[1].Type.Shape[0]
	groups := p.warps[0] / groupWarps
	rows, cols := shape[0]/groups, shape[1]/p.warps[1]
	number := e.Do("shr.u32", asm.B32, asm.R(e.warp), asm.I(2))
	var ofRow, ofCol asm.Reg
	if groups > 1 {
		ofRow = e.Do("and.b32", asm.B32, asm.R(number), asm.I(int64(groups-1)))
	}
	if p.warps[1] > 1 {
		ofCol = e.Do("shr.u32", asm.B32, asm.R(number), asm.I(int64(bitOf([]int{1, groups}, 0))))
	}
	var da matrixDescriptor
	if words == nil {
		da = e.describe(ta, 0, ofRow, rows)
	}
	db := e.describe(tb, 1, ofCol, cols)
	sums := acc // the loop's variables, where they are changed in place
	if !p.flying {
		sums = e.Regs(asm.B32, len(acc))
		e.assignAll(sums, acc)
	}
	yes := e.Do("setp.eq.s32", asm.Pred, asm.R(e.tid), asm.R(e.tid))
	e.Add(asm.Inst{Op: "wgmma.fence.sync.aligned", Access: asm.ReadsShared, Buffer: tb.buf, Second: ta.buf, Effect: true})
	n := min(cols, wgmmaCols)
	name := mmaTypes[p.elem[0]]
	op := fmt.Sprintf("wgmma.mma_async.sync.aligned.m64n%dk16.f32.%s.%s", n, name, name)
	flag := map[bool]asm.Operand{true: asm.I(0), false: asm.I(1)} // transposed unless K is contiguous
	for k := 0; k < depth; k += 16 {
		for row := 0; row < rows; row += wgmmaRows {
			for col := 0; col < cols; col += n {
				at := (row*cols/wgmmaRows + col) / 2
				src := []asm.Operand{asm.V(words[min(len(words), k/4):min(len(words), k/4+4)]...)}
				tail := []asm.Operand{asm.R(e.descriptorAt(db, col, k)), asm.R(yes), asm.I(1), asm.I(1)}
				if words == nil {
					src = []asm.Operand{asm.R(e.descriptorAt(da, row, k))}
					tail = append(tail, flag[da.major])
				}
				e.Add(asm.Inst{Op: op, Dst: []asm.Operand{asm.V(sums[at : at+n/2]...)}, Src: append(append(src, tail...), flag[db.major]),
					Access: asm.ReadsShared, Buffer: tb.buf, Second: ta.buf, Effect: true, Update: true})
			}
		}
	}
	e.Effect("wgmma.commit_group.sync.aligned")
	left := 0
	if p.flying {
		left = 1
	}
	e.waitGroups(tb.buf, ta.buf, left)
	return sums
}

// waitGroups waits until so many groups of wgmma are left, which read buf and, where it is not nil, second.
func (e *emitter) waitGroups(buf, second *asm.Buffer, left int) {
	e.Add(asm.Inst{Op: "wgmma.wait_group.sync.aligned", Src: []asm.Operand{asm.I(int64(left))}, Access: asm.ReadsShared, Buffer: buf, Second: second, Effect: true})
}

// flyingDot is the only product of a loop, where it is one of warp groups that both reads tiles of the
// ring and adds to a loop-carried value that nothing else uses: it may go on while the next iteration
// begins. Else nil.
func (e *emitter) flyingDot(loop *ir.Instr, loads []*ringLoad) *dotPlan {
	body := loop.Regions[0]
	uses := map[*ir.Value]int{}
	var dots []*ir.Instr
	body.Walk(func(in *ir.Instr) {
		for _, v := range in.Operands {
			uses[v]++
		}
		if in.Op == ops.Dot {
			dots = append(dots, in)
		}
	})
	if len(dots) != 1 {
		return nil
	}
	in := dots[0]
	acc, sum, p := in.Operands[2], in.Results[0], e.dotPlans[in]
	at := slices.Index(body.Terminator().Operands, sum)
	if !p.group || at < 0 || body.Args[1+at] != acc || uses[acc] != 1 || uses[sum] != 1 ||
		!e.layout(acc).Equal(p.acc) || !e.layout(sum).Equal(p.acc) || sum.Type.DType != p.sum {
		return nil
	}
	for s := range side(2) {
		if !slices.ContainsFunc(loads, func(l *ringLoad) bool { return l.in == in.Operands[s].Def }) {
			return nil
		}
	}
	return p
}
