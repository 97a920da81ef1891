package opt

import (
	"math/bits"
	"slices"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
)

// subexpressions eliminates common subexpressions: pure instructions that compute what a dominating
// one has computed. In a tree of regions an instruction dominates what follows it in its block and
// all below, so the table is scoped: leaving a block takes its entries off again. It is a hash table
// whose entries form one chain per bucket, newest first, kept in one slice to spare allocations.
type subexpressions struct {
	replace   []*ir.Value // by Value.ID
	entries   []entry
	heads     []int32 // by bucket: the newest entry, counted from 1
	reachable int32   // entries before this one are out of reach
}

type entry struct {
	in     *ir.Instr
	bucket uint32
	older  int32 // the next entry of the chain, counted from 1
}

func csePass(fn *ir.Func) {
	n := fn.Number()
	m := &subexpressions{replace: make([]*ir.Value, n), heads: make([]int32, 1<<bits.Len(uint(n)))}
	m.visitBlock(fn.Body)
}

func (m *subexpressions) visitBlock(b *ir.Block) {
	mark := len(m.entries)
	out := b.Instrs[:0]
	for _, in := range b.Instrs {
		for i, v := range in.Operands {
			if v != nil && m.replace[v.ID] != nil {
				in.Operands[i] = m.replace[v.ID]
			}
		}
		// Operands are already those of the first of equals, so equal trees are found from the
		// leaves up in this one walk.
		if same := m.findOrEnter(in); same != nil {
			m.replaceResults(in, same)
			continue
		}
		m.visitRegions(in)
		out = append(out, in)
	}
	clear(b.Instrs[len(out):])
	b.Instrs = out
	// The entries of this block head their chains: newest first, they are unlinked in reverse.
	for i := len(m.entries) - 1; i >= mark; i-- {
		m.heads[m.entries[i].bucket] = m.entries[i].older
	}
	m.entries = m.entries[:mark]
}

// visitRegions looks into in's regions. Reductions run theirs once per element, so they keep what they
// compute to themselves rather than reach for values outside.
func (m *subexpressions) visitRegions(in *ir.Instr) {
	first := m.reachable
	if in.Op.Has(ops.Pure) {
		m.reachable = int32(len(m.entries))
	}
	for _, r := range in.Regions {
		m.visitBlock(r)
	}
	m.reachable = first
}

// replaceResults replaces the results of in by those of same. A constant that several variables share
// loses its name: calling the 0 of a mask "acc" would mislead.
func (m *subexpressions) replaceResults(in, same *ir.Instr) {
	for i, v := range in.Results {
		kept := same.Results[i]
		m.replace[v.ID] = kept
		switch {
		case in.Op == ops.Const && kept.Name != v.Name:
			kept.Name = ""
		case kept.Name == "":
			kept.Name = v.Name
		}
	}
}

// findOrEnter is the earlier instruction that computes what in does; if there is none, in is entered.
func (m *subexpressions) findOrEnter(in *ir.Instr) *ir.Instr {
	if !in.Op.Has(ops.Pure) || in.Op.Has(ops.Structured) {
		return nil
	}
	bucket := hashInstr(in) & uint32(len(m.heads)-1)
	for i := m.heads[bucket]; i > m.reachable; i = m.entries[i-1].older {
		if same := m.entries[i-1].in; equalInstrs(in, same) {
			return same
		}
	}
	m.entries = append(m.entries, entry{in, bucket, m.heads[bucket]})
	m.heads[bucket] = int32(len(m.entries))
	return nil
}

func hashInstr(in *ir.Instr) uint32 {
	h := uint64(in.Op)
	for _, v := range in.Operands {
		if v == nil {
			continue
		}
		// A sum, so that the order of operands does not matter; the product spreads small IDs.
		h += uint64(v.ID+1) * 0x9e3779b97f4a7c15
	}
	for i := range in.Attrs {
		h = mixHash(h, hashAttr(in.Attrs[i].Value))
	}
	return uint32(mixHash(h, 0) >> 32)
}

func mixHash(h, v uint64) uint64 { return (bits.RotateLeft64(h, 29) ^ v) * 0x9e3779b97f4a7c15 }

func hashAttr(value any) (h uint64) {
	switch v := value.(type) {
	case int64:
		return uint64(v)
	case []int64:
		for _, d := range v {
			h = mixHash(h, uint64(d))
		}
	case string:
		for i := range len(v) {
			h = mixHash(h, uint64(v[i]))
		}
	case bool:
		return 1 // false is written by leaving it out
	case num.Scalar:
		return mixHash(v.Bits, uint64(v.DType))
	}
	return h
}

func equalInstrs(a, b *ir.Instr) bool {
	if a.Op != b.Op {
		return false
	}
	if !slices.Equal(a.Operands, b.Operands) && !(a.Op.Has(ops.Commutative) && equalSwapped(a, b)) {
		return false
	}
	return slices.EqualFunc(a.Attrs, b.Attrs, ir.Attr.Equal)
}

func equalSwapped(a, b *ir.Instr) bool {
	return a.Operands[0] == b.Operands[1] && a.Operands[1] == b.Operands[0]
}
