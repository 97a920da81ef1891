package tile

import (
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ptx/inline"
)

// planInlineAsm plans inline assembly. A result may be in the slot of an argument: a group's elements are read before
// its results are written.
func planInlineAsm(p *planner, in *ir.Instr) {
	a := in.InlineAsm()
	if p.tables += a.FrameBytes(); p.tables > maxFrame {
		panic(p.tooLarge(p.tables))
	}
	number := p.runners
	p.runners++
	args, results := p.slotsOf(in.Operands), p.resultSlots(in)
	scalars := in.Results[0].Type.IsScalar()
	work := p.slots.len(results[0]) * (a.Len() + len(args) + len(results))
	p.emitStep(work, func(m *machine) {
		y, x, _ := m.scratchVectors(max(len(args), len(results)))
		for i, s := range args {
			x[i] = m.v[s]
		}
		for i, s := range results {
			y[i] = m.v[s]
		}
		m.runner(number, a).Run(y, x, y[0].Len(), scalars)
	})
}

// runner is the machine's own runner of an inline assembly.
func (m *machine) runner(number int, a *inline.Asm) *inline.Runner {
	for len(m.runners) <= number {
		m.runners = append(m.runners, nil)
	}
	if m.runners[number] == nil {
		m.runners[number] = a.NewRunner()
	}
	return m.runners[number]
}
