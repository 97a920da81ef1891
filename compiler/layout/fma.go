package layout

import "slices"

// FmaA is the layout of the left operand, [M, K] or [batch, M, K], of a product that each thread adds up by itself:
// for every row of the result acc that it has, all k elements. Registers go along M first, then K.
func FmaA(acc Layout, k int) Layout { return acc.withAxis(len(acc.Shape)-1, k) }

// FmaB is the layout of the right operand, [K, N] or [batch, K, N]: for every column of the result acc that a
// thread has, all k elements. Registers go along N first, then K.
func FmaB(acc Layout, k int) Layout { return acc.withAxis(len(acc.Shape)-2, k) }

// withAxis has another axis of n elements, all of them in the registers, in place of one.
func (l Layout) withAxis(axis, n int) Layout {
	shape := slices.Clone(l.Shape)
	shape[axis] = 1
	one, _ := l.withoutAxis(axis, shape).DropReplicas()
	shape = slices.Clone(shape)
	shape[axis] = n
	result, fresh := one.stretched(shape)
	return result.withRegs(fresh)
}
