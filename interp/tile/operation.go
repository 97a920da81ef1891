package tile

import (
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/interp/trace"
)

// notify plans that an observer is told of in: of its results, or of the arguments of the region that is entered. It
// comes at once, since the next instruction may have its result in the same slot.
func (p *planner) notify(in *ir.Instr, entered *ir.Block, values []*ir.Value) {
	if !p.watch(in) || p.slots.lanes != nil { // within a reduction, lanes are those of many elements
		return
	}
	slots := p.slotsOf(values)
	p.emitStep(0, func(m *machine) {
		if m.watched {
			m.notifyOperation(in, entered, slots)
		}
	})
}

func (m *machine) notifyOperation(in *ir.Instr, entered *ir.Block, slots []int) {
	m.told = trace.Operation{Program: m.programIndex(), Instr: in, Region: entered, Lanes: m.told.Lanes[:0]}
	for _, s := range slots {
		m.told.Lanes = append(m.told.Lanes, m.v[s])
	}
	m.watch.Operation(&m.told)
}
