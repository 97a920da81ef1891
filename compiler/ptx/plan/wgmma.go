package plan

import (
	"slices"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/layout"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/axis"
)

// WgmmaM is M of every wgmma instruction, WgmmaMaxN the largest N, wgmmaRow the bytes along K.
const WgmmaM, WgmmaMaxN, wgmmaRow = 64, 256, 32

// WarpgroupWarps is the number of warps in a warpgroup.
const WarpgroupWarps = 4

// WgmmaK is K of a warpgroup MMA's instructions.
func (m Method) WgmmaK() int { return wgmmaRow / m.Elem[0].Info().Bytes }

// Group is the instructions of a dot that are committed together: for so many steps along K, from the first.
type Group struct {
	First, Steps int
	// Waits: it is issued when no more than Pending groups are outstanding, those that read fragments at the same time,
	// since its own get the registers of the one before those.
	Pending int
	Waits   bool
}

// maxGroups is the most groups of a dot that read fragments at the same time. Fewer leave the tensor cores idle while
// threads wait for a barrier and issue copies; more take registers, 4 a group for each 64 rows.
const maxGroups = 4

// groupsOf is a dot's groups: one, or one for each step along K where threads load fragments. A step is loaded while
// those before it multiply, in this iteration or, if the dot stays in flight, in the one before.
func (p *Dot) groupsOf(in *ir.Instr) (list []Group) {
	steps := in.Operands[1].Type.Shape[0] / p.WgmmaK()
	if !p.Transposes {
		return []Group{{Steps: steps}}
	}
	most := min(maxGroups, steps)
	for i := range steps {
		list = append(list, Group{i, 1, most - 1, p.InFlight || i >= most})
	}
	return list
}

// NeedsKMajor reports whether operand s has to be contiguous along K in shared memory: wgmma transposes operands of 16
// bits alone (PTX ISA, "wgmma.mma_async", imm-trans), and threads the one that they load as fragments.
func (p *Dot) NeedsKMajor(s Side) bool {
	return p.Unit == WGMMA && p.Elem[0].Info().Bits != 16 && !p.loadsFragments(s)
}

// loadsFragments reports whether operand s is wgmma's left one and threads load it from shared memory, transposing it.
func (p *Dot) loadsFragments(s Side) bool { return p.Transposes && s == p.Left }

// wgmmaElems are the dtypes of operands that wgmma multiplies as they are, with that of the accumulator, if both are in
// one row.
var wgmmaElems = []struct {
	elems []num.DType
	acc   num.DType
}{
	{[]num.DType{num.Float16}, num.Float32},
	{[]num.DType{num.BFloat16}, num.Float32},
	{[]num.DType{num.Float32}, num.Float32}, // as tf32
	{[]num.DType{num.Float8E4M3, num.Float8E5M2}, num.Float32},
	{[]num.DType{num.Int8, num.Uint8}, num.Int32},
}

// planWgmma plans the dot as warpgroup MMA if the target, the dtypes and the shape allow it, and reports whether they
// do: wgmma, operands in dtypes of wgmmaElems, whole warpgroups, at least 64 rows for each of them, and operands that
// are contiguous as wgmma or threads can take them.
func (p *Dot) planWgmma(in *ir.Instr, target Target, facts *axis.Facts) bool {
	shape := in.Results[0].Type.Shape
	if target.MmaSync || !target.Arch.Wgmma || p.Unit != MMA || p.Splits > 1 || len(shape) != 2 ||
		target.Warps%WarpgroupWarps != 0 {
		return false
	}
	m := p.Method
	m.Unit, m.Elem = WGMMA, [2]num.DType{in.Operands[0].Type.DType, in.Operands[1].Type.DType}
	known := false
	for _, row := range wgmmaElems {
		known = known || row.acc == p.Acc && slices.Contains(row.elems, m.Elem[0]) &&
			slices.Contains(row.elems, m.Elem[1])
	}
	if !known {
		return false
	}
	for s := range Side(2) {
		if t, k := in.Operands[s].Type, s.KAxis(2); t.Shape[k] < m.WgmmaK() || t.Shape[1-k] < 16 {
			return false
		}
	}
	left, transposes, ok := m.leftOperand(in, facts)
	if !ok || shape[left]%WgmmaM != 0 {
		return false
	}
	groups := target.Warps / WarpgroupWarps
	rows := min(groups, shape[left]/WgmmaM) // warpgroups along the instruction's M; the rest go along its N
	if n := shape[1-left]; n/(groups/rows) < 16 || rows < groups && n/(groups/rows) < WgmmaM {
		return false
	}
	p.Method, p.Left, p.Transposes = m, left, transposes
	p.Warps = make([]int, 2)
	p.Warps[left], p.Warps[1-left] = WarpgroupWarps*rows, groups/rows
	p.AccLayout = p.turned(layout.WgmmaAcc(p.turnedPair(shape), p.turnedPair(p.Warps)))
	return true
}

// leftOperand is the operand that becomes wgmma's left one, and whether threads load it as fragments, which transposes
// it. Operands of 8 and 32 bits have to be contiguous along K in shared memory, but the left one may come from
// registers. So one of them may be contiguous along its other dimension; if that is the right one, the dot is computed
// transposed: Cᵀ = Bᵀ·Aᵀ.
func (m Method) leftOperand(in *ir.Instr, facts *axis.Facts) (left Side, transposes, ok bool) {
	if m.Elem[0].Info().Bits == 16 {
		return 0, false, true
	}
	var kMajor [2]bool
	for s := range Side(2) {
		kMajor[s] = loadedAlong(in.Operands[s], s.KAxis(2), facts)
	}
	switch {
	case kMajor[0] && kMajor[1]:
		return 0, false, true
	case kMajor[0]:
		left = 1
	case !kMajor[1]:
		return 0, false, false
	}
	return left, true, loadedAlong(in.Operands[left], 1-left.KAxis(2), facts)
}

// turnedPair is what belongs to the dimensions of the kernel's tile, in the order of the instructions' dimensions.
func (p *Dot) turnedPair(x []int) []int { return []int{x[p.Left], x[1-p.Left]} }

// turned is the layout of the kernel's tile where l is that of the instructions' matrix, [rows, columns] or [rows, K].
// The rows that a thread has in one or two instructions are adjacent if it loads them, so that it loads words: of two
// elements of 32 bits, or of four bytes if the warpgroup has 128 rows.
func (p *Dot) turned(l layout.Layout) layout.Layout {
	if p.Transposes {
		rows := l.Shape[0] * WarpgroupWarps / p.Warps[p.Left]
		l = l.AdjacentRows(max(2, min(32/p.Elem[p.Left].Info().Bits, rows/32)))
	}
	if p.Left == 1 {
		l = l.Trans([]int{1, 0})
	}
	return l
}

// planFences finds the warpgroup MMAs that are fenced: all but those right behind another for which nothing is computed
// in between, neither a copy of the accumulator nor words of an operand (PTX ISA, "wgmma.fence").
func (p *Plan) planFences() {
	p.Fenced = map[*ir.Instr]bool{}
	var before *ir.Instr
	p.Func.Body.Walk(func(in *ir.Instr) {
		if in.Op == ops.WGMMA {
			a := in.Operands[0]
			behind := before != nil && before.Op == ops.WGMMA && (a.Type.IsMemDesc() || p.Words[a])
			p.Fenced[in] = !behind || !p.Dots[in].InPlace || p.Dots[in].Transposes
		}
		before = in
	})
}

// loadedAlong reports whether v is loaded from memory where it is contiguous along a dimension, or is the transpose of
// such a tile: it goes to shared memory as it is.
func loadedAlong(v *ir.Value, dim int, facts *axis.Facts) bool {
	switch {
	case v.Def == nil:
		return false
	case v.Def.Op == ops.Trans:
		return loadedAlong(v.Def.Operands[0], v.Def.Perm()[dim], facts)
	}
	return v.Def.Op == ops.Load && facts.Order(v.Def.Operands[0])[0] == dim
}
