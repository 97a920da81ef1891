package layout

import (
	"math/bits"
	"slices"
)

// Shape operations, forward and backward. A forward one takes the operand's layout to a layout of the result that
// leaves every element in its thread; a backward one, named Un…, takes a layout wanted of the result to the operand's
// layout that gives it. ExpandDims, Trans and Reshape and their backward forms leave registers their numbers; the
// others also return regs, which says for each register of the result which one of the operand it is.

// ExpandDims has a new dimension of size 1 at axis.
func (l Layout) ExpandDims(axis int) Layout {
	return l.under(slices.Insert(slices.Clone(l.Shape), axis, 1))
}

// UnExpandDims lacks the dimension axis, whose size is 1.
func (l Layout) UnExpandDims(axis int) Layout {
	return l.under(slices.Delete(slices.Clone(l.Shape), axis, axis+1))
}

// Reshape has the same elements in row-major order under another shape.
func (l Layout) Reshape(shape []int) Layout { return l.under(slices.Clone(shape)) }

// UnReshape is the operand, of the given shape, whose Reshape is l.
func (l Layout) UnReshape(operand []int) Layout { return l.Reshape(operand) }

func (l Layout) under(shape []int) Layout {
	l.Shape = shape
	return l
}

// Trans has dimension perm[i] of the operand as dimension i.
func (l Layout) Trans(perm []int) Layout {
	shape := make([]int, len(perm))
	for i, p := range perm {
		shape[i] = l.Shape[p]
	}
	var to [32]uint32
	for i, p := range perm {
		from, dst := shift(l.Shape, p), shift(shape, i)
		for j := range log2(shape[i]) {
			to[from+j] = 1 << (dst + j)
		}
	}
	return l.mapped(shape, &to)
}

// UnTrans is the operand whose Trans by perm is l.
func (l Layout) UnTrans(perm []int) Layout {
	back := make([]int, len(perm))
	for i, p := range perm {
		back[p] = i
	}
	return l.Trans(back)
}

// mapped replaces each bit of an element's number: bit i by to[i], which may be none.
func (l Layout) mapped(shape []int, to *[32]uint32) Layout {
	move := func(bases []uint32) []uint32 {
		moved := make([]uint32, len(bases))
		for i, b := range bases {
			if b != 0 {
				moved[i] = to[bits.TrailingZeros32(b)&31]
			}
		}
		return moved
	}
	return Layout{shape, move(l.Reg), move(l.Lane), move(l.Warp)}
}

// Slice lacks the dimension axis: the layout of a reduction's result when every thread along the axis has it.
// regs are the operand's registers at index 0 of the registers' part of the axis.
func (l Layout) Slice(axis int) (result Layout, regs []int) {
	return l.withoutAxis(axis, slices.Delete(slices.Clone(l.Shape), axis, axis+1)).DropReplicas()
}

// withoutAxis strikes an axis's bits out of every basis.
func (l Layout) withoutAxis(axis int, shape []int) Layout {
	var to [32]uint32
	first, n := shift(l.Shape, axis), log2(l.Shape[axis])
	for i := range log2(l.Elems()) {
		switch {
		case i < first:
			to[i] = 1 << i
		case i >= first+n:
			to[i] = 1 << (i - n)
		}
	}
	return l.mapped(shape, &to)
}

// DropReplicas lacks the registers that repeat others of their thread.
func (l Layout) DropReplicas() (result Layout, regs []int) {
	kept := make([]uint32, 0, len(l.Reg))
	order := make([]int, 0, len(l.Reg))
	for i, b := range l.Reg {
		if b != 0 {
			kept = append(kept, b)
			order = append(order, i)
		}
	}
	l.Reg = kept
	return l, numbered(order)
}

// Replicas undoes DropReplicas: for each register of l, the one of what that leaves that has its element.
func (l Layout) Replicas() []int {
	var kept []int // for each register bit of l, its bit in the result, or none
	n := 0
	for _, b := range l.Reg {
		if b == 0 {
			kept = append(kept, 0)
			continue
		}
		kept = append(kept, 1<<n)
		n++
	}
	regs := make([]int, l.Regs())
	for r := range regs {
		for i, bit := range kept {
			regs[r] |= bit & -(r >> i & 1)
		}
	}
	return regs
}

// Broadcast repeats dimensions of size 1 to reach shape. Threads that hold replicas are given different elements
// first, lowest lane bits and last dimension first; what is left of the new elements are more registers.
func (l Layout) Broadcast(shape []int) (result Layout, regs []int) {
	result, fresh := l.stretched(shape)
	for _, bases := range [][]uint32{result.Lane, result.Warp} {
		for i, b := range bases {
			if b == 0 && fresh != 0 {
				bases[i] = fresh & -fresh
				fresh &= fresh - 1
			}
		}
	}
	result = result.withRegs(fresh)
	regs = make([]int, result.Regs())
	for r := range regs {
		regs[r] = r & (l.Regs() - 1)
	}
	return result, regs
}

// stretched is l under a shape whose dimensions may be larger, and the bits of an element's number that are then
// still the basis of no input.
func (l Layout) stretched(shape []int) (result Layout, fresh uint32) {
	var to [32]uint32
	for axis := range shape {
		from, dst := shift(l.Shape, axis), shift(shape, axis)
		for j := range log2(l.Shape[axis]) {
			to[from+j] = 1 << (dst + j)
		}
	}
	result = l.mapped(slices.Clone(shape), &to)
	old := union(result.Reg) | union(result.Lane) | union(result.Warp)
	return result, uint32(elems(shape)-1) &^ old
}

// withRegs has one more register basis for each bit of set.
func (l Layout) withRegs(set uint32) Layout {
	for ; set != 0; set &= set - 1 {
		l.Reg = append(l.Reg, set&-set)
	}
	return l
}

// UnBroadcast is the operand, of the given shape, whose Broadcast can be l: replicas along the dimensions that have
// size 1 there.
func (l Layout) UnBroadcast(operand []int) (result Layout, regs []int) {
	result = l
	for axis, d := range operand {
		if d != l.Shape[axis] {
			shape := slices.Clone(result.Shape)
			shape[axis] = 1
			result = result.withoutAxis(axis, shape)
		}
	}
	regs = result.Replicas()
	result, _ = result.DropReplicas()
	return result, regs
}

// Join has two tiles of layout l side by side in a new last dimension of size 2. Register r of the result is register
// r/2 of operand r%2.
func (l Layout) Join() Layout {
	var to [32]uint32
	for i := range 31 {
		to[i] = 2 << i
	}
	result := l.mapped(append(slices.Clone(l.Shape), 2), &to)
	result.Reg = slices.Insert(result.Reg, 0, 1)
	return result
}

// Split undoes Join: the layout of both results, and for each the operand's registers that it has. It fails where
// the last dimension, of size 2, is not in the registers; see ForSplit.
func (l Layout) Split() (result Layout, regs [2][]int, ok bool) {
	axis := len(l.Shape) - 1
	at := slices.Index(l.Reg, 1)
	if at < 0 {
		return Layout{}, regs, false
	}
	result = l.withoutAxis(axis, l.Shape[:axis:axis])
	result.Reg = slices.Delete(result.Reg, at, at+1)
	for r := range l.Regs() {
		half := r >> at & 1
		regs[half] = append(regs[half], r)
	}
	return result, regs, true
}

// ForSplit is l with the last dimension, of size 2, in the lowest register bit, and replicas where it was before:
// what Split needs.
func (l Layout) ForSplit() Layout {
	axis := len(l.Shape) - 1
	result := l.withoutAxis(axis, l.Shape[:axis:axis])
	if at := slices.Index(l.Reg, 1); at >= 0 {
		result.Reg = slices.Delete(result.Reg, at, at+1)
	}
	return result.Join()
}

// Vector is the longest run of neighbors along the dimensions in order, fastest first, that a thread can hold in
// consecutive registers, and the order that does it: regs[i·n … i·n+n-1] are n neighbors, the first of which starts
// at a multiple of n. The run goes on into a next dimension where one ends within it, as memory without gaps does.
func (l Layout) Vector(order ...int) (n int, regs []int) {
	var run []int // register bits, lowest step first
	for _, axis := range order {
		first := shift(l.Shape, axis)
		for j := range log2(l.Shape[axis]) {
			at := slices.Index(l.Reg, 1<<(first+j))
			if at < 0 {
				return 1 << len(run), l.regsBy(run)
			}
			run = append(run, at)
		}
	}
	return 1 << len(run), l.regsBy(run)
}

// regsBy numbers the registers with the given register bits lowest and the others after them.
func (l Layout) regsBy(low []int) []int {
	all := slices.Clone(low)
	for i := range l.Reg {
		if !slices.Contains(low, i) {
			all = append(all, i)
		}
	}
	return numbered(all)
}
