package plan

import (
	"slices"

	"github.com/newtlab/newt/compiler/facts"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/axis"
)

// TritonShared is how much shared memory Triton 3.6 allocates at least for a program: the stage buffers of the loop
// that has the most, and the loop-invariant operands that its warpgroup MMAs read meanwhile. What conversions and
// reductions take beside them is not counted, nor what Triton may pipeline and may not.
//
// A load whose tile is an operand of a dot has as many buffers as the loop has stages where warpgroup MMAs read it,
// which are waited for an iteration later, and one less where others do. ptx/testdata/triton_shared.jsonl is what
// Triton said.
func TritonShared(fn *ir.Func, target Target, facts *axis.Facts) (most int) {
	if !slices.ContainsFunc(fn.Body.Instrs, func(in *ir.Instr) bool { return len(in.Regions) > 0 }) {
		return 0
	}
	target.Shared = 1 << 40 // bounds nothing
	p := decide(fn, target, facts)
	for _, r := range p.Pipelines {
		loadsAddress := slices.ContainsFunc(r.AddressSlice, func(in *ir.Instr) bool { return in.Op == ops.Load })
		if !loadsAddress { // else stages are divided between the levels of loads
			most = max(most, p.tritonLoop(r))
		}
	}
	return most
}

func (p *Plan) tritonLoop(r *Pipeline) (bytes int) {
	stages := p.Target.Stages
	if n := int(r.Loop.Int("num_stages")); n > 0 {
		stages = n
	}
	if trips, ok := facts.ConstTrips(r.Loop, p.Facts.Const); ok {
		stages = int(min(uint64(stages), trips))
	}
	dots, _ := loopDots(r.Loop)
	kept := map[*ir.Value]bool{}
	for _, in := range dots {
		for s := range Side(2) {
			v := in.Operands[s]
			for v.Def != nil && v.Def.Op == ops.Trans {
				v = v.Def.Operands[0]
			}
			if v.Def == nil || v.Def.Op != ops.Load || kept[v] {
				continue
			}
			kept[v] = true
			at := slices.IndexFunc(r.Loads, func(l *AsyncLoad) bool { return l.In == v.Def })
			switch warpgroup := p.tritonWarpgroup(in); {
			case at >= 0 && r.Loads[at].ToRegisters:
			case at >= 0 && p.tritonTransposes(in, s, r.Loads[at]):
				bytes += r.Loads[at].Mem.Bytes()
			case at >= 0 && warpgroup:
				bytes += stages * r.Loads[at].Mem.Bytes()
			case at >= 0:
				bytes += (stages - 1) * r.Loads[at].Mem.Bytes()
			case warpgroup && !inside(r.Loop, v.Def):
				bytes += v.Type.Numel() * v.Type.DType.Info().Bytes
			}
		}
	}
	return bytes
}

// tritonWarpgroup reports whether Triton makes a dot a warpgroup MMA.
func (p *Plan) tritonWarpgroup(in *ir.Instr) bool {
	d, shape := p.Dots[in], in.Results[0].Type.Shape
	return p.Target.Arch.Wgmma && p.Target.Warps%WarpgroupWarps == 0 && len(shape) == 2 &&
		shape[0]%WgmmaM == 0 && shape[1]%8 == 0 && d.Splits == 1 && (d.Unit == MMA || d.Unit == WGMMA)
}

// tritonTransposes reports whether an operand of bytes goes through registers, since it is not contiguous along K: then
// it is not pipelined.
func (p *Plan) tritonTransposes(in *ir.Instr, s Side, l *AsyncLoad) bool {
	v := in.Operands[s]
	k := s.KAxis(len(v.Type.Shape))
	for ; v.Def.Op == ops.Trans; v = v.Def.Operands[0] {
		k = v.Def.Perm()[k]
	}
	return v.Type.DType.Info().Bits <= 8 && FastestDim(p.Accesses[l.In].Layout) != k
}

// inside reports whether an instruction is in a loop.
func inside(loop, in *ir.Instr) (found bool) {
	loop.Regions[0].Walk(func(x *ir.Instr) { found = found || x == in })
	return found
}
