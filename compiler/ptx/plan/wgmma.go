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

// NeedsKMajor reports whether operands in shared memory have to be contiguous along K: wgmma transposes those of 16
// bits alone (PTX ISA, "wgmma.mma_async", imm-trans).
func (m Method) NeedsKMajor() bool { return m.Unit == WGMMA && m.Elem[0].Info().Bits != 16 }

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
// do: sm_90a, operands in dtypes of wgmmaElems, whole warpgroups, at least 64 rows for each of them, and operands that
// wgmma need not transpose where it cannot.
func (p *Dot) planWgmma(in *ir.Instr, target Target, facts *axis.Facts) bool {
	shape := in.Results[0].Type.Shape
	if target.MmaSync || target.Arch != "sm_90a" || p.Unit != MMA || p.Splits > 1 || len(shape) != 2 ||
		target.Warps%WarpgroupWarps != 0 || shape[0]%WgmmaM != 0 {
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
		t, k := in.Operands[s].Type, s.KAxis(2)
		if t.Shape[k] < m.WgmmaK() || t.Shape[1-k] < 16 || m.NeedsKMajor() && !loadedAlong(in.Operands[s], k, facts) {
			return false
		}
	}
	groups := target.Warps / WarpgroupWarps
	rows := min(groups, shape[0]/WgmmaM) // warpgroups along M; the rest go along N
	if cols := shape[1] / (groups / rows); cols < 16 || cols < shape[1] && cols < WgmmaM {
		return false
	}
	p.Method = m
	p.Warps = []int{WarpgroupWarps * rows, groups / rows}
	p.AccLayout = layout.WgmmaAcc(shape, p.Warps)
	return true
}

// loadedAlong reports whether v is loaded from memory where it is contiguous along a dimension, or is the transpose of
// such a tile: it goes to shared memory as it is.
func loadedAlong(v *ir.Value, dim int, facts *axis.Facts) bool {
	switch {
	case v.Def == nil:
		return false
	case v.Def.Op == ops.Trans:
		return loadedAlong(v.Def.Operands[0], Perm(v.Def)[dim], facts)
	}
	return v.Def.Op == ops.Load && facts.Order(v.Def.Operands[0])[0] == dim
}
