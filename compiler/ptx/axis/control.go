package axis

import (
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ops"
)

// Control finds the instructions in the backward slice of control flow (conditions, loop bounds) whose results the
// threads of a program may disagree about when each computes them for itself: scalar loads and atomics, since memory
// may change in between, inline assembly, which may read a clock, and scalars made of tiles, such as reductions. One
// thread's result has to be broadcast to the others.
func Control(fn *ir.Func) map[*ir.Instr]bool {
	s := &backwardSlice{sources: map[*ir.Value][]*ir.Value{}, seen: map[*ir.Value]bool{}, found: map[*ir.Instr]bool{}}
	fn.Body.Walk(s.connect)
	for len(s.todo) > 0 {
		v := s.todo[len(s.todo)-1]
		s.todo = s.todo[:len(s.todo)-1]
		s.visit(v)
	}
	return s.found
}

// backwardSlice follows values back to what they are computed from.
type backwardSlice struct {
	sources map[*ir.Value][]*ir.Value // of blocks' arguments and of results of if and loops
	seen    map[*ir.Value]bool
	todo    []*ir.Value
	found   map[*ir.Instr]bool
}

// connect records where the values of regions come from, and starts with those that decide.
func (s *backwardSlice) connect(in *ir.Instr) {
	switch in.Op {
	case ops.If:
		s.want(in.Operands[0])
		for _, r := range in.Regions {
			s.flow(in.Results, r.Terminator().Operands)
		}
	case ops.For:
		s.want(in.Operands[:3]...)
		body := in.Regions[0]
		s.sources[body.Args[0]] = in.Operands[:3]
		for _, from := range [][]*ir.Value{in.Operands[3:], body.Terminator().Operands} {
			s.flow(body.Args[1:], from)
			s.flow(in.Results, from)
		}
	case ops.While:
		before, after := in.Regions[0], in.Regions[1]
		passed := before.Terminator().Operands
		s.want(passed[0])
		s.flow(before.Args, in.Operands)
		s.flow(before.Args, after.Terminator().Operands)
		s.flow(after.Args, passed[1:])
		s.flow(in.Results, passed[1:])
	}
}

func (s *backwardSlice) flow(to, from []*ir.Value) {
	for i, v := range to {
		s.sources[v] = append(s.sources[v], from[i])
	}
}

func (s *backwardSlice) want(values ...*ir.Value) {
	for _, v := range values {
		if v != nil && !s.seen[v] {
			s.seen[v] = true
			s.todo = append(s.todo, v)
		}
	}
}

func (s *backwardSlice) visit(v *ir.Value) {
	if from, ok := s.sources[v]; ok {
		s.want(from...)
		return
	}
	if v.Def == nil {
		return
	}
	if v.Type.IsScalar() && (Accesses(v.Def) || isInlineAsm(v.Def) || ofTile(v.Def)) {
		s.found[v.Def] = true
		return
	}
	s.want(v.Def.Operands...)
}

func isInlineAsm(in *ir.Instr) bool { return in.Op == ops.InlineAsm || in.Op == ops.InlineAsmVolatile }

// ofTile reports whether some operand is a tile.
func ofTile(in *ir.Instr) bool {
	for _, v := range in.Operands {
		if v != nil && !v.Type.IsScalar() {
			return true
		}
	}
	return false
}
