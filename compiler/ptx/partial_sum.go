package ptx

import (
	"slices"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/layout"
	"github.com/newtlab/newt/compiler/ptx/asm"
)

// partialSum is a reduction within a loop, down to one part for each thread (plan.Plan.PartialSums), and what is left
// of it for behind the loop.
type partialSum struct {
	reduction
	axis int
	left []layout.Place // in lanes and warps
}

// emitPartialSum gives the results of a reduction each thread's parts.
func (e *emitter) emitPartialSum(in *ir.Instr, r *reduction, axis int, along []layout.Place) {
	n := slices.IndexFunc(along, func(b layout.Place) bool { return b.In != layout.InReg })
	r.reduceBits(along[:n])
	e.setRegs(in.Results[0], r.regs[0])
	e.partialSums[e.plan.PartialSums[in].Parts] = partialSum{*r, axis, along[n:]}
}

// combineParts gives the variables of a loop's carried values that are partial sums the whole ones, behind the loop.
func (e *emitter) combineParts(vars *carriedVars) {
	for i := range vars.slots {
		s := &vars.slots[i]
		sum, ok := e.partialSums[s.v]
		if !ok {
			continue
		}
		sum.regs = [][]asm.Reg{s.vars}
		sum.reduceBits(sum.left)
		result, _ := sum.layout.Slice(sum.axis)
		s.vars = e.convert(sum.dtypes[0], sum.regs[0], result, e.layoutOf(s.v))
	}
}
