package inspect

import (
	"slices"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/interp/trace"
)

// stores observes all programs, for what writes one element of a tensor, or else comes near to it.
type stores struct {
	byParam []int
	tensor  int // of Launch.tensors
	of      *Tensor
	element int64

	program [3]int // that runs
	access  int    // its last access, counted from 0

	last     *pointed // the last lane that wrote the element; nil where none did
	times    int
	programs [][3]int // that wrote it
	masked   *pointed // the first lane that points at it and is masked off
	nearest  *pointed // the lane that wrote the element nearest to it
}

// pointed is a lane of a store or an atomic operation, and the element that it points at.
type pointed struct {
	program [3]int
	access  int // of the program, counted from 0
	lane    int
	element int64
	kind    trace.Kind
	instr   *ir.Instr
}

// Launch implements trace.Observer.
func (s *stores) Launch([3]int, []trace.Buffer) { s.access = -1 }

// Access implements trace.Observer.
func (s *stores) Access(a *trace.Access) {
	if s.access++; a.Program != s.program {
		s.program, s.access = a.Program, 0
	}
	if a.Kind == trace.Load {
		return
	}
	for i := range a.Ptr {
		n, ok := s.elementOf(a, i)
		if !ok {
			continue
		}
		at := func() *pointed { return &pointed{a.Program, s.access, i, n, a.Kind, a.Instr} }
		switch {
		case !a.Active(i):
			if n == s.element && s.masked == nil && !s.wraps(a, i) {
				s.masked = at()
			}
		case n == s.element:
			s.last = at()
			if s.times++; !slices.Contains(s.programs, a.Program) {
				s.programs = append(s.programs, a.Program)
			}
		case s.nearest == nil || distance(n, s.element) < distance(s.nearest.element, s.element):
			s.nearest = at()
		}
	}
}

// elementOf is the element of the tensor that a lane points at; it is not ok where it points elsewhere.
func (s *stores) elementOf(a *trace.Access, lane int) (n int64, ok bool) {
	arg, offset := trace.Split(a.Ptr[lane])
	if arg >= len(s.byParam) || s.byParam[arg] != s.tensor {
		return 0, false
	}
	n = s.of.view.element(offset)
	return n, n >= 0 && n < int64(s.of.view.shape.Len())
}

// wraps reports whether a lane of a block lies past the end of its row of a matrix: it has the address of an element of
// the next row, which is not what its mask leaves out.
func (s *stores) wraps(a *trace.Access, lane int) bool {
	block, shape := a.Instr.Operands[0].Type.Shape, s.of.Shape
	if len(block) < 2 || len(shape) < 2 {
		return false
	}
	across := int64(shape[len(shape)-1])
	n, _ := s.elementOf(a, lane)
	first, ok := s.elementOf(a, lane-lane%block[len(block)-1])
	return ok && n/across != first/across
}

func distance(a, b int64) int64 { return max(a-b, b-a) }
