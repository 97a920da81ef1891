package opt

import (
	"slices"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ops"
)

// liveness marks what effects need, starting from the effects, and removes the rest: instructions,
// loop-carried values that only feed themselves, results of branches that nobody reads. It is
// mark and sweep and not use counts, since a carried value is a cycle: its use is its own yield.
type liveness struct {
	nodes    []node  // nodes[0] is the function itself
	owner    []int32 // by Value.ID: the node that defines the value, or has it as a region's argument
	live     []bool  // by Value.ID
	worklist []*ir.Value
}

// node is an instruction with the one whose region it is in.
type node struct {
	in     *ir.Instr
	parent int32
	live   bool
}

func dcePass(fn *ir.Func) {
	n := fn.Number()
	s := &liveness{nodes: make([]node, 1, n+16), owner: make([]int32, n), live: make([]bool, n)}
	s.nodes[0].live = true
	s.indexBlock(fn.Body, 0)
	for i := range s.nodes {
		if in := s.nodes[i].in; in != nil && isRoot(in) {
			s.markInstr(int32(i))
		}
	}
	// Each value enters the worklist once, when it becomes live, so this is linear in the uses.
	for len(s.worklist) > 0 {
		v := s.worklist[len(s.worklist)-1]
		s.worklist = s.worklist[:len(s.worklist)-1]
		s.markSources(v)
	}
	next := int32(1)
	s.sweepBlock(fn.Body, &next)
}

// isRoot: effects are wanted for themselves. So is a while, which may never end.
func isRoot(in *ir.Instr) bool {
	return in.Op == ops.While || !in.Op.Has(ops.Pure) && !in.Op.Has(ops.Structured) && !in.Op.Has(ops.Terminator)
}

func (s *liveness) indexBlock(b *ir.Block, parent int32) {
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
			s.indexBlock(r, self)
		}
	}
}

func (s *liveness) markValues(vs ...*ir.Value) {
	for _, v := range vs {
		if v != nil && !s.live[v.ID] {
			s.live[v.ID] = true
			s.worklist = append(s.worklist, v)
		}
	}
}

// markInstr keeps an instruction and those around it, with the operands that each needs whatever
// becomes of its results.
func (s *liveness) markInstr(i int32) {
	for n := &s.nodes[i]; !n.live; n = &s.nodes[n.parent] {
		n.live = true
		switch n.in.Op {
		case ops.For: // the bounds; a carried value is marked if its result or argument is
			s.markValues(n.in.Operands[:3]...)
		case ops.While, ops.Reduce, ops.Scan: // all that they carry: the condition may read it
			s.markValues(n.in.Operands...)
			for _, r := range n.in.Regions {
				s.markValues(r.Terminator().Operands...)
			}
		default:
			s.markValues(n.in.Operands...)
		}
	}
}

// markSources needs what a live value comes from.
func (s *liveness) markSources(v *ir.Value) {
	i := s.owner[v.ID]
	s.markInstr(i)
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
			s.markValues(in.Operands[3+k], body.Args[1+k], body.Terminator().Operands[k])
		}
	case in.Op == ops.If:
		for _, r := range in.Regions {
			s.markValues(r.Terminator().Operands[v.Index])
		}
	}
}

// sweepBlock removes what is not live; next counts the nodes in the order of index.
func (s *liveness) sweepBlock(b *ir.Block, next *int32) {
	out := b.Instrs[:0]
	for _, in := range b.Instrs {
		live := s.nodes[*next].live || in.Op.Has(ops.Terminator)
		*next++
		for _, r := range in.Regions {
			s.sweepBlock(r, next)
		}
		if !live {
			continue
		}
		switch in.Op {
		case ops.For:
			dropCarried(in, s.liveMask(in.Regions[0].Args[1:]))
		case ops.If:
			s.dropDeadResults(in)
		}
		out = append(out, in)
	}
	clear(b.Instrs[len(out):])
	b.Instrs = out
}

func (s *liveness) liveMask(vs []*ir.Value) []bool {
	keep := make([]bool, len(vs))
	for i, v := range vs {
		keep[i] = s.live[v.ID]
	}
	return keep
}

// dropDeadResults removes the results of an if that nobody reads.
func (s *liveness) dropDeadResults(in *ir.Instr) {
	keep := s.liveMask(in.Results)
	if !slices.Contains(keep, false) {
		return
	}
	in.Results = renumberValues(keepMarked(in.Results, keep), 0)
	for _, r := range in.Regions {
		end := r.Terminator()
		end.Operands = keepMarked(end.Operands, keep)
	}
}
