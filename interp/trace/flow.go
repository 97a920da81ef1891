package trace

import (
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ops"
)

// Flow follows an OperationObserver's program through branches and loops: which values are handed to which. The zero
// Flow is at the beginning of a program.
type Flow struct {
	entered map[*ir.Instr]*ir.Block // by instruction that runs: the region that was entered last
}

// Forget goes back to the beginning of a program.
func (f *Flow) Forget() { clear(f.entered) }

// Enter enters a region of in: each of to, its arguments but for the index of a loop, gets the value in its place of
// from, all at once.
func (f *Flow) Enter(in *ir.Instr, region *ir.Block) (to, from []*ir.Value) {
	_, again := f.entered[in]
	if f.entered == nil {
		f.entered = map[*ir.Instr]*ir.Block{}
	}
	f.entered[in] = region
	switch {
	case in.Op == ops.If:
		return nil, nil
	case in.Op == ops.While && region == in.Regions[1]:
		return region.Args, in.Regions[0].Terminator().Operands[1:]
	case in.Op == ops.While && again:
		return region.Args, in.Regions[1].Terminator().Operands
	case in.Op == ops.For && again:
		return region.Args[1:], region.Terminator().Operands
	case in.Op == ops.For:
		return region.Args[1:], Inits(in)
	}
	return region.Args, in.Operands
}

// Leave leaves in: its results get what its last region yielded.
func (f *Flow) Leave(in *ir.Instr) (to, from []*ir.Value) {
	last := f.entered[in]
	delete(f.entered, in)
	switch {
	case last == nil:
		return in.Results, Inits(in)
	case in.Op == ops.While:
		return in.Results, in.Regions[0].Terminator().Operands[1:]
	}
	return in.Results, last.Terminator().Operands
}

// Inits are the operands that the carried values of a loop begin with.
func Inits(in *ir.Instr) []*ir.Value {
	if in.Op == ops.For {
		return in.Operands[3:]
	}
	return in.Operands
}
