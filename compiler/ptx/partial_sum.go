package ptx

import (
	"slices"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ptx/asm"
	"github.com/newtlab/newt/compiler/ptx/plan"
)

// partialSum is a reduction within a loop, down to one part for each thread (plan.Plan.PartialSums), and what is left
// of it for behind the loop.
type partialSum struct {
	reduction
	left []plan.ReduceStep // in lanes and warps
}

// emitPartialSum gives the results of a reduction each thread's parts.
func (e *emitter) emitPartialSum(in *ir.Instr, r *reduction) {
	n := slices.IndexFunc(r.plan.Steps, func(s plan.ReduceStep) bool { return s.Kind != plan.InRegisters })
	r.emit(r.plan.Steps[:n])
	e.setRegs(in.Results[0], r.regs[0])
	e.partialSums[e.plan.PartialSums[in].Parts] = partialSum{*r, r.plan.Steps[n:]}
}

// combineParts gives the variables of a loop's carried values that are partial sums the whole ones, behind the loop.
func (e *emitter) combineParts(loop *ir.Instr, vars *carriedVars) {
	exchanged := false
	for i := range vars.slots {
		s := &vars.slots[i]
		sum, ok := e.partialSums[s.v]
		if !ok {
			continue
		}
		sum.regs, sum.scratch, sum.exchanged = [][]asm.Reg{s.vars}, e.scratch(loop), exchanged
		sum.emit(sum.left)
		s.vars, exchanged = sum.regs[0], sum.exchanged
	}
}
