package opt

import (
	"slices"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ops"
)

// sweeper finds what effects need, starting from the effects, and removes the rest: instructions,
// values that loops carry for themselves alone, results of branches that nobody reads.
type sweeper struct {
	nodes []node  // nodes[0] stands for the function
	owner []int32 // by Value.ID: the node that defines the value, or has it as a region's argument
	live  []bool  // by Value.ID
	todo  []*ir.Value
}

// node is an instruction with the one whose region it is in.
type node struct {
	in     *ir.Instr
	parent int32
	live   bool
}

func dcePass(fn *ir.Func) {
	n := fn.Number()
	s := &sweeper{nodes: make([]node, 1, n+16), owner: make([]int32, n), live: make([]bool, n)}
	s.nodes[0].live = true
	s.index(fn.Body, 0)
	for i := range s.nodes {
		if in := s.nodes[i].in; in != nil && isRoot(in) {
			s.need(int32(i))
		}
	}
	for len(s.todo) > 0 {
		v := s.todo[len(s.todo)-1]
		s.todo = s.todo[:len(s.todo)-1]
		s.follow(v)
	}
	next := int32(1)
	s.sweep(fn.Body, &next)
}

// isRoot: effects are wanted for themselves. So is a while, which may never end.
func isRoot(in *ir.Instr) bool {
	return in.Op == ops.While || !in.Op.Has(ops.Pure) && !in.Op.Has(ops.Structured) && !in.Op.Has(ops.Terminator)
}

func (s *sweeper) index(b *ir.Block, parent int32) {
	for _, a := range b.Args {
		s.owner[a.ID] = parent
	}
	for _, in := range b.Instrs {
		self := int32(len(s.nodes))
		s.nodes = append(s.nodes, node{in: in, parent: parent})
		for _, v := range in.Results {
			s.owner[v.ID] = self
		}
		for _, r := range in.Regions {
			s.index(r, self)
		}
	}
}

func (s *sweeper) mark(vs ...*ir.Value) {
	for _, v := range vs {
		if v != nil && !s.live[v.ID] {
			s.live[v.ID] = true
			s.todo = append(s.todo, v)
		}
	}
}

// need keeps an instruction and those around it, with the operands that each needs whatever
// becomes of its results.
func (s *sweeper) need(i int32) {
	for n := &s.nodes[i]; !n.live; n = &s.nodes[n.parent] {
		n.live = true
		switch n.in.Op {
		case ops.For:
			s.mark(n.in.Operands[:3]...)
		case ops.While, ops.Reduce, ops.Scan:
			s.mark(n.in.Operands...)
			for _, r := range n.in.Regions {
				s.mark(r.Terminator().Operands...)
			}
		default:
			s.mark(n.in.Operands...)
		}
	}
}

// follow needs what a live value comes from.
func (s *sweeper) follow(v *ir.Value) {
	i := s.owner[v.ID]
	s.need(i)
	in := s.nodes[i].in
	switch {
	case in == nil:
	case in.Op == ops.For:
		k := v.Index
		if v.Def == nil {
			k-- // the first argument is the index
		}
		if k >= 0 {
			body := in.Regions[0]
			s.mark(in.Operands[3+k], body.Args[1+k], body.Terminator().Operands[k])
		}
	case in.Op == ops.If:
		for _, r := range in.Regions {
			s.mark(r.Terminator().Operands[v.Index])
		}
	}
}

// sweep removes what is not live; next counts the nodes in the order of index.
func (s *sweeper) sweep(b *ir.Block, next *int32) {
	out := b.Instrs[:0]
	for _, in := range b.Instrs {
		live := s.nodes[*next].live || in.Op.Has(ops.Terminator)
		*next++
		for _, r := range in.Regions {
			s.sweep(r, next)
		}
		if !live {
			continue
		}
		switch in.Op {
		case ops.For:
			dropCarried(in, s.liveAmong(in.Regions[0].Args[1:]))
		case ops.If:
			s.dropResults(in)
		}
		out = append(out, in)
	}
	clear(b.Instrs[len(out):])
	b.Instrs = out
}

func (s *sweeper) liveAmong(vs []*ir.Value) []bool {
	keep := make([]bool, len(vs))
	for i, v := range vs {
		keep[i] = s.live[v.ID]
	}
	return keep
}

// dropResults removes the results of an if that nobody reads.
func (s *sweeper) dropResults(in *ir.Instr) {
	keep := s.liveAmong(in.Results)
	if !slices.Contains(keep, false) {
		return
	}
	in.Results = renumber(kept(in.Results, keep), 0)
	for _, r := range in.Regions {
		end := r.Terminator()
		end.Operands = kept(end.Operands, keep)
	}
}
