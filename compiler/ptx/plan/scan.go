package plan

import (
	"slices"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/layout"
)

// ScanRun is a run of bits of the index, along which a scan goes, that are in one input: registers, lanes with
// consecutive bits, or warps. Exchange, of warps, gives each thread what the warps that differ in the bits hold.
type ScanRun struct {
	In       layout.Input
	Bits     []int
	Exchange []*Conversion
}

// scan is the runs of a scan, from the lowest bit of the index on.
func (p *Plan) scan(in *ir.Instr) (runs []ScanRun) {
	l, _ := in.Operands[0].Layout.DropReplicas()
	for _, b := range l.AlongBits(int(in.Int("axis"))) {
		bit := int(b.Bit)
		if n := len(runs) - 1; n >= 0 && runs[n].In == b.In && (b.In != layout.InLane ||
			runs[n].Bits[len(runs[n].Bits)-1] == bit-1) {
			runs[n].Bits = append(runs[n].Bits, bit)
			continue
		}
		runs = append(runs, ScanRun{In: b.In, Bits: []int{bit}})
	}
	// Bits that are done are gone from registers, and lanes and warps hold replicas along them.
	src := layout.Layout{Reg: slices.Clone(l.Reg), Lane: slices.Clone(l.Lane), Warp: slices.Clone(l.Warp)}
	for i, run := range runs {
		bases := [...][]uint32{src.Reg, src.Lane, src.Warp}[run.In]
		if run.In == layout.InWarp {
			from, dst := src, src
			from.Reg = slices.DeleteFunc(slices.Clone(src.Reg), func(b uint32) bool { return b == 0 })
			dst.Reg, dst.Warp = slices.Clone(from.Reg), slices.Clone(src.Warp)
			for _, b := range run.Bits {
				dst.Reg = append(dst.Reg, src.Warp[b])
				dst.Warp[b] = 0
			}
			runs[i].Exchange = p.exchangeWarps(dtypesOf(in.Operands), from, dst)
		}
		for _, b := range run.Bits {
			bases[b] = 0
		}
	}
	return runs
}
