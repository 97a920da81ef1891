package inspect

import (
	"github.com/newtlab/newt/interp/trace"
)

// summary observes all programs: which of them touch each element, and which is the first to leave its tensors.
type summary struct {
	result  *Result
	byParam []int // the tensor of each parameter, -1 for scalars
}

func newSummary(r *Result, byParam []int) *summary {
	for i := range r.Tensors {
		t := &r.Tensors[i]
		n := t.view.shape.Len()
		t.Readers, t.Writers = fresh(n), fresh(n)
	}
	return &summary{r, byParam}
}

// fresh are n elements that no program has touched.
func fresh(n int) []int32 {
	out := make([]int32, n)
	for i := range out {
		out[i] = None
	}
	return out
}

// Launch implements trace.Observer.
func (s *summary) Launch([3]int, []trace.Buffer) {}

// Access implements trace.Observer.
func (s *summary) Access(a *trace.Access) {
	program := int32(trace.ProgramNumber(s.result.Grid, a.Program))
	for i, p := range a.Ptr {
		if !a.Active(i) {
			continue
		}
		arg, offset := trace.Split(p)
		t := s.tensor(arg)
		if t == nil || t.view.outside(offset) != 0 {
			s.problem(a.Program)
			continue
		}
		n := t.view.element(offset)
		if n < 0 || n >= int64(len(t.Readers)) {
			continue // in the memory, but not in the part of it that the tensor is
		}
		if a.Kind != trace.Store {
			touch(t.Readers, n, program)
		}
		if a.Kind != trace.Load {
			touch(t.Writers, n, program)
		}
	}
}

// touch adds a program to those of element n.
func touch(by []int32, n int64, program int32) {
	if by[n] == None {
		by[n] = program
	} else if by[n] != program {
		by[n] = Several
	}
}

// tensor is that of a pointer's argument; nil where it points into none.
func (s *summary) tensor(arg int) *Tensor {
	if arg >= len(s.byParam) || s.byParam[arg] < 0 {
		return nil
	}
	return &s.result.Tensors[s.byParam[arg]]
}

// tensorName names that of a pointer's argument.
func (s *summary) tensorName(arg int) string {
	if t := s.tensor(arg); t != nil {
		return t.Name
	}
	return "?"
}

// problem notes a program with an access out of bounds, if it is the first: programs come in order.
func (s *summary) problem(program [3]int) {
	if s.result.Problem == nil {
		s.result.Problem = &program
	}
}

// Index is the program of a number in program order.
func (r *Result) Index(number int32) [3]int {
	return trace.ProgramAt(r.Grid, int64(number))
}
