package axis

import (
	"slices"

	"github.com/newtlab/newt/compiler/facts"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ops"
)

// Control finds the instructions in the backward slice of control flow (conditions, loop bounds) whose results the
// threads of a program may disagree about when each computes them for itself: scalar loads and atomics, since memory
// may change in between, inline assembly, which may read a clock, and scalars made of tiles, such as reductions. One
// thread's result has to be broadcast to the others.
func Control(fn *ir.Func) map[*ir.Instr]bool {
	found := map[*ir.Instr]bool{}
	s := newSlice(fn)
	s.follow(func(in *ir.Instr) bool {
		differs := in.Results[0].Type.IsScalar() && (Accesses(in) || isInlineAsm(in) || ofTile(in))
		if differs {
			found[in] = true
		}
		return differs
	})
	return found
}

// Reach gives for an access the values that decide which elements it reaches: the address, the mask and the control
// flow around it, with all that these are computed from.
func Reach(fn *ir.Func) func(access *ir.Instr) map[*ir.Value]bool {
	s := newSlice(fn)
	around := map[*ir.Instr][]*ir.Value{}
	var visit func(b *ir.Block, decides []*ir.Value)
	visit = func(b *ir.Block, decides []*ir.Value) {
		for _, in := range b.Instrs {
			around[in] = decides
			for _, r := range in.Regions {
				visit(r, slices.Concat(decides, deciding(in)))
			}
		}
	}
	visit(fn.Body, nil)
	return func(access *ir.Instr) map[*ir.Value]bool {
		s.seen, s.todo = map[*ir.Value]bool{}, nil
		s.want(access.Operands[0], Mask(access))
		s.want(around[access]...)
		s.follow(func(*ir.Instr) bool { return false })
		return s.seen
	}
}

// deciding are the values that decide how often the regions of in run.
func deciding(in *ir.Instr) []*ir.Value {
	switch in.Op {
	case ops.If:
		return in.Operands[:1]
	case ops.For:
		return in.Operands[:3]
	case ops.While:
		return in.Regions[0].Terminator().Operands[:1]
	}
	return nil
}

// backwardSlice follows values back to what they are computed from.
type backwardSlice struct {
	sources map[*ir.Value][]*ir.Value // of blocks' arguments and of results of if and loops
	seen    map[*ir.Value]bool
	todo    []*ir.Value
}

// newSlice begins with the values that decide about control flow.
func newSlice(fn *ir.Func) *backwardSlice {
	s := &backwardSlice{sources: map[*ir.Value][]*ir.Value{}, seen: map[*ir.Value]bool{}}
	fn.Body.Walk(s.connect)
	return s
}

// follow goes on to where all values come from, but for those of operations at which it ends.
func (s *backwardSlice) follow(ends func(*ir.Instr) bool) {
	for len(s.todo) > 0 {
		v := s.todo[len(s.todo)-1]
		s.todo = s.todo[:len(s.todo)-1]
		if from, ok := s.sources[v]; ok {
			s.want(from...)
		} else if v.Def != nil && !ends(v.Def) {
			s.want(v.Def.Operands...)
		}
	}
}

// connect records where the values of regions come from, what decides about them included, and starts with that.
func (s *backwardSlice) connect(in *ir.Instr) {
	s.want(deciding(in)...)
	if in.Op == ops.For {
		s.sources[in.Regions[0].Args[0]] = deciding(in)
	}
	facts.Flows(in, func(to, from []*ir.Value) {
		for i, v := range to {
			s.sources[v] = append(s.sources[v], from[i])
		}
	})
	for _, v := range in.Results {
		if from, ok := s.sources[v]; ok {
			s.sources[v] = append(from, deciding(in)...)
		}
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
