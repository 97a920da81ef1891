package sanitize

import (
	"math/bits"
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
	accesses accesses
	shadows  *shadows[bitset] // the undefined elements; nil where no tensor begins undefined
}

// bitset is a set of small numbers.
type bitset []uint64

// Launch begins with the arguments of a launch.
func (u *Unwritten) Launch(_ [3]int, args []trace.Buffer) {
	*u = Unwritten{}
	undefined := func(a *trace.Buffer) bool { return a.Undefined }
	if slices.ContainsFunc(args, func(a trace.Buffer) bool { return undefined(&a) }) {
		u.shadows = newShadows(args, undefined, func(n int) bitset {
			all := make(bitset, (n+63)/64)
			for i := range all {
				all[i] = ^uint64(0)
			}
			return all
		})
	}
}

// Access reports undefined elements that a reads, and remembers what it writes.
func (u *Unwritten) Access(a *trace.Access) {
	if u.shadows == nil {
		return
	}
	u.accesses.count(a.Program)
	if !u.shadows.reaches(a) {
		return
	}
	lanes := u.shadows.stretches(a)
	for i := range lanes {
		s := &lanes[i]
		for at, end := s.cell, s.cell+s.n*s.parts; at < end; {
			word, n := at/64, min(64-at%64, end-at)
			touched := ^uint64(0) >> (64 - n) << (at % 64)
			if a.Kind != trace.Store && !overwrites(a) {
				for left := s.cells[word] & touched; left != 0; left &= left - 1 {
					u.report(a, s, (word*64+bits.TrailingZeros64(left)-s.cell)/s.parts)
				}
			}
			if a.Kind != trace.Load {
				s.cells[word] &^= touched
			}
			at += n
		}
	}
}

// overwrites reports whether an atomic operation does no more than store: an exchange whose old values nobody uses.
func overwrites(a *trace.Access) bool {
	return a.Kind == trace.Atomic && a.Unread && a.Combine == nil && a.Compare.Len() == 0
}

// report reports the undefined element of a lane, counted from the stretch's first one.
func (u *Unwritten) report(a *trace.Access, s *stretch[bitset], i int) {
	tensor, index := u.shadows.args[s.arg].Name, s.index(s.lane+i)
	at := diag.Runtime{Program: a.Program, Tensor: tensor, Index: index, Access: u.accesses.made - 1,
		Lanes: []int{s.lane + i}}
	u.add("read-unwritten", a.Span, at, tensor, index, programText(a.Program), s.lane+i)
}
