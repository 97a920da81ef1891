package plan

import (
	"slices"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/layout"
	"github.com/newtlab/newt/compiler/ops"
)

// Partial sums: a loop that adds up the sums of tiles, as that of attention does with
//
//	l = l*α + sum(p, 1)
//
// need not have them in an iteration. Each thread adds up what it has of every tile, and the parts of lanes and warps
// are combined once, behind the loop, in place of once an iteration with shuffles, or a barrier, in the way of the rest
// (Dao, "FlashAttention-2: Faster Attention with Better Parallelism and Work Partitioning", has the idea by hand).
// Floats round otherwise than in the order as written, as sums over lanes do anyway. Attention gained 1 to 3 % (H200).

// PartialSum is where a loop adds up each thread's parts of the sums that a reduction is as written. So neither the
// reduction's result nor Parts means anything to another operation than those of the sum.
type PartialSum struct {
	Parts *ir.Value // a carried value of the loop: each thread's part
	Whole *ir.Value // the loop's result: the sum
}

// planPartialSums decides the plan's PartialSums.
func (p *Plan) planPartialSums() {
	p.PartialSums = map[*ir.Instr]*PartialSum{}
	if p.Target.Exact {
		return
	}
	p.Func.Body.Walk(func(loop *ir.Instr) {
		if loop.Op != ops.For {
			return
		}
		_, uses := loopDots(loop)
		for _, in := range loop.Regions[0].Instrs {
			if c := p.partialSum(loop, in, uses); c >= 0 {
				p.PartialSums[in] = &PartialSum{loop.Regions[0].Args[1+c], loop.Results[c]}
			}
		}
	})
}

// partialSum is the number of the carried value that nothing but the sums of a reduction is added to, from 0 on, or -1.
// It may be multiplied before: by what is the same for all parts of a sum.
func (p *Plan) partialSum(loop, reduce *ir.Instr, uses map[*ir.Value]int) int {
	if !p.addsFloats(reduce) {
		return -1
	}
	body, sum := loop.Regions[0], reduce.Results[0]
	for c, next := range body.Terminator().Operands {
		arg := body.Args[1+c]
		if next.Def == nil || next.Def.Op != ops.Add || !slices.Contains(body.Instrs, next.Def) ||
			!IsZero(loop.Operands[3+c]) {
			continue
		}
		i := slices.Index(next.Def.Operands, sum)
		if i < 0 {
			continue
		}
		chain := []*ir.Value{sum, next, next.Def.Operands[1-i]}
		if before := chain[2]; before != arg {
			if before.Def == nil || before.Def.Op != ops.Mul || !slices.Contains(before.Def.Operands, arg) {
				continue
			}
			chain = append(chain, arg)
		}
		if !slices.ContainsFunc(chain, func(v *ir.Value) bool {
			return uses[v] != 1 || p.Tiles[v.ID].Rematerialized || !v.Layout.Equal(*arg.Layout)
		}) {
			return c
		}
	}
	return -1
}

// addsFloats reports whether in is a sum of floats of 32 bits or more along an axis that several threads share, whose
// result stays where the parts are.
func (p *Plan) addsFloats(in *ir.Instr) bool {
	if in.Op != ops.Reduce || len(in.Operands) != 1 {
		return false
	}
	region, info := in.Regions[0], in.Operands[0].Type.DType.Info()
	add := region.Terminator().Operands[0].Def
	if !info.Float || info.Bits < 32 || add == nil || add.Op != ops.Add ||
		!slices.Equal(add.Operands, region.Args) {
		return false
	}
	l, _ := in.Operands[0].Layout.DropReplicas()
	axis := int(in.Int("axis"))
	result, _ := l.Slice(axis)
	shared := slices.ContainsFunc(l.AlongBits(axis), func(b layout.Place) bool { return b.In != layout.InReg })
	return shared && result.Equal(*in.Results[0].Layout)
}
