package judge

import (
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/interp/trace"
)

// accesses remembers which program wrote each element of the output last, and which elements of the inputs are read.
type accesses struct {
	output int // the argument
	last   []*[3]int
	reads  [][]reading // by argument and element
	used   map[*ir.Value]bool
}

// reading says what becomes of an element of an input.
type reading uint8

const (
	unread reading = iota
	unused         // it is loaded, and nothing is made of that
	used
)

// usedValues are the results that an instruction takes.
func usedValues(fn *ir.Func) map[*ir.Value]bool {
	list := map[*ir.Value]bool{}
	fn.Body.Walk(func(in *ir.Instr) {
		for _, v := range in.Operands {
			list[v] = true
		}
	})
	return list
}

func (s *accesses) Launch([3]int, []trace.Buffer) {}

func (s *accesses) Access(a *trace.Access) {
	of := unused
	if a.Kind == trace.Load && s.used[a.Instr.Results[0]] {
		of = used
	}
	program := a.Program // one for all elements
	// Accesses come in the order in which programs run, so that the last one to write an element stays.
	for i, p := range a.Ptr {
		switch arg, offset := trace.Split(p); {
		case !a.Active(i):
		case a.Kind != trace.Load && arg == s.output && offset >= 0 && int(offset) < len(s.last):
			s.last[offset] = &program
		case a.Kind == trace.Load && arg < len(s.reads) && offset >= 0 && int(offset) < len(s.reads[arg]):
			s.reads[arg][offset] = max(s.reads[arg][offset], of)
		}
	}
}

var _ trace.Observer = (*accesses)(nil)
