package tile

import (
	"slices"

	"github.com/newtlab/newt/compiler/ir"
)

// notify plans that an observer is told of in: of its results, or of the arguments of the region that is entered. It
// comes at once, since the next instruction may have its result in the same slot.
func (p *planner) notify(in *ir.Instr, entered *ir.Block, values []*ir.Value) {
	if !p.watch(in) || p.slots.lanes != nil { // within a reduction, lanes are those of many elements
		return
	}
	slots := p.slotsOf(values)
	loop, path := entered != nil && repeats(in, entered), slices.Clone(p.path)
	p.emitStep(0, func(m *machine) {
		if m.watched {
			if loop {
				m.begins(in, path)
			}
			m.notifyOperation(in, entered, slots)
		}
	})
}

func (m *machine) notifyOperation(in *ir.Instr, entered *ir.Block, slots []int) {
	m.told.Instr, m.told.Region, m.told.Lanes = in, entered, m.told.Lanes[:0]
	for _, s := range slots {
		m.told.Lanes = append(m.told.Lanes, m.v[s])
	}
	m.watch.Operation(&m.told)
}
