package sanitize

import (
	"slices"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/interp/trace"
)

// Unwritten finds loads and atomic operations that read memory which nobody has written: elements of tensors that
// begin undefined (trace.Buffer.Undefined), as those of torch.empty do, before a program has stored to them. It is an
// observer of one launch. A store counts for all programs after it; whether it is ordered before their loads, Races
// tells.
type Unwritten struct {
	reports
	shadows *shadows[bool] // whether the element is undefined; nil where no tensor begins undefined
}

// Launch begins with the arguments of a launch.
func (u *Unwritten) Launch(_ [3]int, args []trace.Buffer) {
	*u = Unwritten{}
	if !slices.ContainsFunc(args, func(a trace.Buffer) bool { return a.Undefined }) {
		return
	}
	u.shadows = newShadows[bool](args)
	for i, s := range u.shadows.byArg {
		if s == nil || !args[i].Undefined {
			continue
		}
		for c := range s.cells {
			s.cells[c] = true
		}
	}
}

// Access reports undefined elements that a reads, and remembers what it writes.
func (u *Unwritten) Access(a *trace.Access) {
	if u.shadows == nil {
		return
	}
	u.shadows.eachLane(a, func(lane int, p shadowed[bool]) {
		for i := range p.cells {
			if p.cells[i] && a.Kind != trace.Store {
				tensor := u.shadows.args[p.arg].Name
				u.add("read-unwritten", a.Span, diag.Runtime{Program: a.Program, Tensor: tensor, Index: p.offset},
					tensor, p.offset, programText(a.Program), lane)
			}
			p.cells[i] = p.cells[i] && a.Kind == trace.Load
		}
	})
}
