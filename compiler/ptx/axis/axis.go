// Package axis is what the compiler to PTX asks of package facts: which runs of a pointer are contiguous, what their
// first addresses are multiples of, over which runs a mask stays the same. That decides how many elements one
// instruction of the machine moves at once, and which dimension neighboring threads should walk along.
//
// Facts about signed quotients and remainders hold where the dividend is not negative and the divisor positive. Where
// that does not follow from the code it is an [Assumption], which the host decides before a launch (package bounds);
// [AnalyzeSigned] makes none. Hints in the source are believed, and what rests on them is marked ([Facts.Hinted]): a
// false one must never lead to an unchecked access. Parameters are as divisible as ir.Param.Divisible says.
package axis

import (
	"slices"

	"github.com/newtlab/newt/compiler/facts"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
)

// Mixed is the argument of a pointer that may point into one of several arguments.
const Mixed = facts.Anywhere

// Assumption is a condition that facts rest on: every element of Value is at least AtLeast.
type Assumption struct {
	Value   *ir.Value
	AtLeast int64
}

// Facts are what Analyze found out about one function. They refer to values by ir.Value.ID and
// hold until the function is numbered anew.
type Facts struct {
	*facts.Walk
	values   []facts.Value
	dims     [][]facts.Dim // of those that were asked for
	assumes  []Assumption
	unhinted *Facts // those that rest on no hint
}

// Analyze finds the facts of a function that Number has numbered.
func Analyze(fn *ir.Func) *Facts { return withUnhinted(fn, true) }

// AnalyzeSigned is Analyze without assumptions; Assumptions of its result is empty.
func AnalyzeSigned(fn *ir.Func) *Facts { return withUnhinted(fn, false) }

// withUnhinted finds the facts with the author's hints, and those without.
func withUnhinted(fn *ir.Func, assume bool) *Facts {
	f := analyze(fn, assume, true)
	f.unhinted = f
	if f.Walk.Hinted {
		f.unhinted = analyze(fn, assume, false)
		for _, a := range f.unhinted.assumes {
			if !slices.Contains(f.assumes, a) {
				f.assumes = append(f.assumes, a)
			}
		}
	}
	return f
}

// analyze walks a function of which any launch may come.
func analyze(fn *ir.Func, assume, believe bool) *Facts {
	w := facts.Begin(fn)
	f := &Facts{Walk: w, values: w.Values, dims: make([][]facts.Dim, len(w.Values))}
	w.Tiles, w.Believe = true, believe
	w.SetAnyGrid()
	for i, p := range fn.Params {
		if t := p.Value.Type; t.IsInt() && t.DType != num.Int1 {
			a, _ := w.Plain(facts.Key{Kind: facts.Argument, N: int32(i)}, facts.Range(t.DType))
			w.Args[i] = w.Sum(a)
		}
	}
	if assume {
		w.Natural = func(v *ir.Value, least int64) bool {
			if a := (Assumption{v, least}); !slices.Contains(f.assumes, a) {
				f.assumes = append(f.assumes, a)
			}
			return true
		}
	}
	w.Run()
	return f
}

// Renumbered are the facts of a function whose value with ID i is the one with ID from[i] of the function that was
// analysed; nothing is known of those where that is negative.
func (f *Facts) Renumbered(from []int) *Facts {
	of := func(f *Facts) *Facts {
		g := &Facts{f.Walk, make([]facts.Value, len(from)), make([][]facts.Dim, len(from)), f.assumes, nil}
		for i, id := range from {
			g.values[i] = facts.Value{Sum: facts.Unknown, I: facts.Everything, Arg: Mixed}
			if id >= 0 {
				g.values[i], g.dims[i] = f.values[id], f.dims[id]
			}
		}
		return g
	}
	g := of(f)
	if g.unhinted = g; f.unhinted != f {
		g.unhinted = of(f.unhinted)
		g.unhinted.unhinted = g.unhinted
	}
	return g
}

// Dims are the facts about v: one for each dimension, or a single one where v is a scalar. Divisibility of pointers is
// in bytes. The slice is shared.
func (f *Facts) Dims(v *ir.Value) []facts.Dim {
	if f.dims[v.ID] == nil {
		x := &f.values[v.ID]
		list := f.Walk.Dims(x.Sum, v.Type.Shape)
		for i := range list {
			if d := &list[i].Divisibility; v.Type.Pointer {
				*d = min(f.Alignment(x.Arg), *d*elementBytes(v))
			}
		}
		f.dims[v.ID] = list
	}
	return f.dims[v.ID]
}

// UnhintedDims are the facts about v that rest on no hint.
func (f *Facts) UnhintedDims(v *ir.Value) []facts.Dim { return f.unhinted.Dims(v) }

// Constancy is Dim.Constancy of v along dimension dim, as far as it rests on no hint.
func (f *Facts) Constancy(v *ir.Value, dim int) int64 { return f.UnhintedDims(v)[dim].Constancy }

// Slope is by how much v, an integer of 32 or 64 bits, grows with each index along dimension dim, modulo its range, as
// far as that rests on no hint: not ok where it is not known to grow evenly.
func (f *Facts) Slope(v *ir.Value, dim int) (slope int64, ok bool) {
	return f.unhinted.Walk.Slope(f.SumOf(v), dim, int64(v.Type.Shape[dim]), v.Type.DType.Info().Bits)
}

// Spread is the range of what is each element's own of v, an integer or a pointer's offset, as far as that rests on no
// hint.
func (f *Facts) Spread(v *ir.Value) facts.Interval {
	return f.unhinted.Walk.Spread(f.SumOf(v), v.Type.Shape)
}

// SumOf is what v is, as far as that rests on no hint.
func (f *Facts) SumOf(v *ir.Value) facts.Sum { return f.unhinted.values[v.ID].Sum }

// GrowthsIn are those of such sums in a loop.
func (f *Facts) GrowthsIn(loop *ir.Instr) *facts.Growths {
	first := facts.Unknown
	if args := loop.Regions[0].Args; len(args) > 0 {
		first = f.SumOf(args[0])
	}
	return f.unhinted.Walk.GrowthsIn(first)
}

// Const is the integer that every element of v is known to be.
func (f *Facts) Const(v *ir.Value) (value int64, ok bool) {
	value, ok = f.values[v.ID].Value()
	return value, ok && v.Type.IsInt()
}

// NonNegative reports whether it is known of the integer v that no element is negative.
func (f *Facts) NonNegative(v *ir.Value) bool { return v.Type.IsInt() && f.values[v.ID].I.Lo >= 0 }

// Argument is what pointer v derives from: a parameter, by its index into ir.Func.Params; an inttoptr, by the number of
// parameters plus the ID of its result; or Mixed.
func (f *Facts) Argument(v *ir.Value) int {
	if !v.Type.Pointer {
		return Mixed
	}
	return f.values[v.ID].Arg
}

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
	for dim := range f.Dims(ptr) {
		if f.VectorAlong(in, dim) != f.unhinted.VectorAlong(in, dim) {
			return true
		}
	}
	return false
}

// Order is the dimensions of v by contiguity, largest first; later dimensions first among equals.
func (f *Facts) Order(v *ir.Value) []int {
	dims := f.Dims(v)
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
	d := f.Dims(ptr)[dim]
	n := min(d.Contiguity, d.Divisibility/size, maxAccess/size)
	if mask := Mask(in); mask != nil {
		n = min(n, f.Dims(mask)[dim].Constancy)
	}
	return int(max(1, n))
}

func elementBytes(ptr *ir.Value) int64 { return int64(ptr.Type.DType.Info().Bytes) }
