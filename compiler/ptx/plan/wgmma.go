package plan

import (
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/layout"
	"github.com/newtlab/newt/compiler/num"
)

// WgmmaM is M of every wgmma instruction, WgmmaMaxN the largest N, WgmmaK the K for 16-bit elements.
const WgmmaM, WgmmaMaxN, WgmmaK = 64, 256, 16

// WarpgroupWarps is the number of warps in a warpgroup.
const WarpgroupWarps = 4

// planWgmma plans the dot as warpgroup MMA if the target, the dtypes and the shape allow it, and reports whether they
// do: sm_90a, 16-bit operands, an fp32 accumulator, whole warpgroups, and at least 64 rows for each of them.
func (p *Dot) planWgmma(in *ir.Instr, target Target) bool {
	shape := in.Results[0].Type.Shape
	if target.MmaSync || target.Arch != "sm_90a" || p.Unit != MMA || p.Splits > 1 || p.Elem[0].Info().Bits != 16 ||
		p.Acc != num.Float32 ||
		len(shape) != 2 || target.Warps%WarpgroupWarps != 0 || shape[0]%WgmmaM != 0 {
		return false
	}
	for s := range Side(2) {
		if d := in.Operands[s].Type; d.DType != p.Elem[s] || min(d.Shape[0], d.Shape[1]) < 16 {
			return false
		}
	}
	groups := target.Warps / WarpgroupWarps
	rows := min(groups, shape[0]/WgmmaM) // warpgroups along M; the rest go along N
	if cols := shape[1] / (groups / rows); cols < 16 || cols < shape[1] && cols < WgmmaM {
		return false
	}
	p.Unit = WGMMA
	p.Warps = []int{WarpgroupWarps * rows, groups / rows}
	p.AccLayout = layout.WgmmaAcc(shape, p.Warps)
	return true
}
