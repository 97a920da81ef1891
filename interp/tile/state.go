package tile

import (
	"slices"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/interp/trace"
)

// repeats reports whether to enter a region of in is to begin an iteration of a loop.
func repeats(in *ir.Instr, entered *ir.Block) bool {
	return (in.Op == ops.For || in.Op == ops.While) && entered == in.Regions[0]
}

// begins tells who keeps states that the program begins, or an iteration of a loop that path leads to.
func (m *machine) begins(loop *ir.Instr, path []trace.Turn) {
	if m.states != nil {
		m.here = path
		m.states.Begins(loop, m)
	}
}

// Work implements trace.Resumable.
func (m *machine) Work() int64 { return m.run.limit - m.run.budget.Load() - m.left }

// State implements trace.Resumable. All that a program has computed is in its slots, the positions of its loops too.
func (m *machine) State() *trace.State {
	s := &trace.State{Program: m.program, Work: m.Work(), Path: m.here}
	if len(m.here) == 0 {
		return s // nothing is computed yet
	}
	s.Values = make([]num.Vec, len(m.full))
	for i, of := range m.run.kernel.slots {
		if !of.shared {
			s.Values[i] = m.full[i].Clone()
		}
	}
	return s
}

// resume makes the program ready to go on from a state, up to which it has paid.
func (m *machine) resume(s *trace.State) {
	for i, v := range s.Values {
		if !m.run.kernel.slots[i].shared {
			copyVec(m.full[i], v)
		}
	}
	m.path = s.Path
}

// takeTurn gives the region in which the program goes on; ok is false where it goes its usual way.
func (m *machine) takeTurn() (region int, ok bool) {
	if len(m.path) == 0 {
		return 0, false
	}
	region = m.path[0].Region
	m.path = m.path[1:]
	return region, true
}

// inRegion plans what a region of in does. Its path leads there: in's own step is the next one of the block around it.
func (p *planner) inRegion(in *ir.Instr, region *ir.Block, plan func()) {
	p.path = append(p.path, trace.Turn{Step: len(p.code), Region: slices.Index(in.Regions, region)})
	plan()
	p.path = p.path[:len(p.path)-1]
}
