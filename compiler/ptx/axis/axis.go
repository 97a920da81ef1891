// Package axis finds out how the elements of tiles follow each other: which runs of a pointer are
// contiguous, what their first addresses are multiples of, over which runs a mask stays the same.
// That decides how many elements one instruction of the machine moves at once, and which dimension
// neighboring threads should walk along.
//
// # What a fact says
//
// A [Dim] speaks of one dimension, the indices of all others held fixed. Its three numbers are
// powers of two, the first and the last at most the dimension's size:
//
//   - in each run of Contiguity elements that begins at a multiple of Contiguity, every element is
//     its predecessor plus one (pointers: the next element);
//   - the first element of each of these runs is a multiple of Divisibility (pointers: in bytes);
//   - each run of Constancy elements that begins at a multiple of Constancy holds one value.
//
// A scalar has one dimension of size 1. Integers wrap: a contiguous run may pass from the largest to the smallest, and
// in 64-bit integers and offsets of pointers each element is its predecessor plus one modulo 2^32. No part of a run
// wraps whose length and first element are both multiples of the same power of two, since no run is longer than 2^31,
// or than half of what a narrower dtype holds: who needs numbers that grow, as comparisons and vectors do, uses such
// parts alone. Of a whole run no more is known than that its elements differ, modulo 2^32 or the dtype's range.
//
// # What facts rest on
//
// Facts about signed quotients and remainders hold where the dividend is not negative and the
// divisor positive. Where that does not follow from the code it is an [Assumption], which the host
// decides before a launch (package bounds); [AnalyzeSigned] makes none. Hints in the source are
// believed, and what rests on them is marked ([Facts.Hinted]): a false one must never lead to an
// unchecked access. Parameters are as divisible as ir.Param.Divisible says.
package axis

import (
	"slices"

	"github.com/newtlab/newt/compiler/ir"
)

// maxDivisibility is what 0 counts as a multiple of.
const maxDivisibility = 1 << 30

// Mixed is the argument of a pointer that may point into one of several arguments.
const Mixed = -1

// Dim is what is known along one dimension; see the package's comment.
type Dim struct{ Contiguity, Divisibility, Constancy int64 }

// unknown is the dimension of which nothing is known.
var unknown = Dim{1, 1, 1}

// Assumption is a condition that facts rest on: every element of Value is at least AtLeast.
type Assumption struct {
	Value   *ir.Value
	AtLeast int64
}

// Facts are what Analyze found out about one function. They refer to values by ir.Value.ID and
// hold until the function is numbered anew.
type Facts struct {
	values   []fact
	assumes  []Assumption
	unhinted *Facts // those that rest on no hint
}

// fact is what is known of one value.
type fact struct {
	dims        []Dim // nil: not reached yet
	value       int64 // of every element, where known
	known       bool
	nonNegative bool // no element is negative
	hinted      bool // rests on a hint
	argument    int  // of a pointer: see Facts.Argument
}

// Analyze finds the facts of a function that Number has numbered.
func Analyze(fn *ir.Func) *Facts { return withUnhinted(fn, true) }

// AnalyzeSigned is Analyze without assumptions; Assumptions of its result is empty.
func AnalyzeSigned(fn *ir.Func) *Facts { return withUnhinted(fn, false) }

// withUnhinted finds the facts with the author's hints, and those without.
func withUnhinted(fn *ir.Func, assume bool) *Facts {
	f := analyze(fn, assume, true)
	f.unhinted = f
	if slices.ContainsFunc(f.values, func(x fact) bool { return x.hinted }) {
		f.unhinted = analyze(fn, assume, false)
		for _, a := range f.unhinted.assumes {
			if !slices.Contains(f.assumes, a) {
				f.assumes = append(f.assumes, a)
			}
		}
	}
	return f
}

// Renumbered are the facts of a function whose value with ID i is the one with ID from[i] of the function that was
// analysed.
func (f *Facts) Renumbered(from []int) *Facts {
	of := func(values []fact) []fact {
		out := make([]fact, len(from))
		for i, id := range from {
			out[i] = values[id]
		}
		return out
	}
	g := &Facts{values: of(f.values), assumes: f.assumes}
	if g.unhinted = g; f.unhinted != f {
		g.unhinted = &Facts{values: of(f.unhinted.values)}
	}
	return g
}

// Dims are the facts about v: one for each dimension, or a single one where v is a scalar. The
// slice is shared.
func (f *Facts) Dims(v *ir.Value) []Dim { return f.values[v.ID].dims }

// UnhintedDims are the facts about v that rest on no hint.
func (f *Facts) UnhintedDims(v *ir.Value) []Dim { return f.unhinted.values[v.ID].dims }

// Constancy is Dim.Constancy of v along dimension dim, as far as it rests on no hint.
func (f *Facts) Constancy(v *ir.Value, dim int) int64 { return f.UnhintedDims(v)[dim].Constancy }

// Const is the integer that every element of v is known to be.
func (f *Facts) Const(v *ir.Value) (value int64, ok bool) {
	x := &f.values[v.ID]
	return x.value, x.known
}

// NonNegative reports whether it is known of the integer v that no element is negative.
func (f *Facts) NonNegative(v *ir.Value) bool { return f.values[v.ID].nonNegative }

// Argument is what pointer v derives from: a parameter, by its index into ir.Func.Params; an inttoptr, by the number of
// parameters plus the ID of its result; or Mixed.
func (f *Facts) Argument(v *ir.Value) int { return f.values[v.ID].argument }

// Assumptions are the conditions that the facts rest on, in the order of the code; those that are needed without hints
// alone come last.
func (f *Facts) Assumptions() []Assumption { return f.assumes }

// Hinted reports whether the vectors of a load, store or atomic rest on a hint of the author: without it they would be
// shorter, or along another dimension.
func (f *Facts) Hinted(in *ir.Instr) bool {
	ptr := in.Operands[0]
	if !slices.Equal(f.Order(ptr), f.unhinted.Order(ptr)) {
		return true
	}
	for dim := range f.values[ptr.ID].dims {
		if f.VectorAlong(in, dim) != f.unhinted.VectorAlong(in, dim) {
			return true
		}
	}
	return false
}

// Order is the dimensions of v by contiguity, largest first; later dimensions first among equals.
func (f *Facts) Order(v *ir.Value) []int {
	dims := f.values[v.ID].dims
	order := make([]int, len(dims))
	for i := range order {
		order[i] = len(dims) - 1 - i
	}
	slices.SortStableFunc(order, func(a, b int) int { return int(dims[b].Contiguity - dims[a].Contiguity) })
	return order
}

// maxAccess is the most bytes that one thread moves with one instruction.
const maxAccess = 16

// Vector is how many elements one thread may load, store or combine at once: they follow each
// other in memory along the first dimension of its pointer's Order, begin at an address that is a
// multiple of their size together, and are all let through by the mask or all left out.
func (f *Facts) Vector(in *ir.Instr) int { return f.VectorAlong(in, f.Order(in.Operands[0])[0]) }

// VectorAlong is Vector along dimension dim.
func (f *Facts) VectorAlong(in *ir.Instr, dim int) int {
	ptr := in.Operands[0]
	size := elementBytes(ptr)
	d := f.values[ptr.ID].dims[dim]
	n := min(d.Contiguity, d.Divisibility/size, maxAccess/size)
	if mask := Mask(in); mask != nil {
		n = min(n, f.values[mask.ID].dims[dim].Constancy)
	}
	return int(max(1, n))
}

func elementBytes(ptr *ir.Value) int64 { return int64(ptr.Type.DType.Info().Bytes) }
