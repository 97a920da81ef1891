package layout

// Fragments of the matrix instructions, after the tables of the PTX ISA ("Matrix Fragments for mma.m16n8k16" and
// its kin, "Register Fragments for wgmma.mma_async.m64nNk16"). Registers are numbered so that an instruction's
// operands are runs of registers: with p = 32/elemBits elements in a .b32, operand register i is made of registers
// p·i … p·i+p-1, lowest first. After one instruction's fragment come those of the next, first along K (in operands)
// or N (in accumulators), then along the other dimension, then along the batch.
//
//	MmaAcc  4 registers an instruction: (row, col) (row, col+1) (row+8, col) (row+8, col+1)
//	MmaA    4·p registers: a0 … a3, which are (row, k) (row+8, k) (row, k+4p) (row+8, k+4p)
//	WgmmaA  those of MmaA
//	MmaB    2·p registers: b0 b1, which are (k, col) (k+4p, col)
//
// Warps are counted per dimension of the result, [M, N] or [batch, M, N], and numbered along M first, then N, then
// the batch. Each has a contiguous part of the result. A's elements are replicated along the warps of N and B's
// along those of M. M and N may be smaller than the instruction's, which replicates; K may not be (see MmaK).

// MmaK is how many elements along K one mma.sync takes: 256 bits' worth.
func MmaK(elemBits int) int { return 256 / elemBits }

// MmaAcc is the layout of the accumulator of mma.sync's m16n8 instructions with 32-bit elements, for a result of
// shape [M, N] or [batch, M, N].
func MmaAcc(shape, warps []int) Layout {
	m := len(shape) - 2
	n := m + 1
	b := newBuilder(shape)
	b.fragment(n, 2)
	b.lane(n, 4)
	b.lane(m, 8)
	b.fragment(m, 2)
	b.spread(m, warps[m], n, warps[n])
	b.batch(warps)
	return b.rest(innerFirst(len(shape)))
}

// MmaA is the layout of mma.sync's left operand, [M, K] or [batch, M, K], with elements of 8, 16 or 32 bits.
func MmaA(shape, warps []int, elemBits int) Layout {
	m := len(shape) - 2
	k := m + 1
	b := newBuilder(shape)
	b.leftFragments(m, k, elemBits)
	b.chunked(m, warps[m])
	b.replicate(warps[k])
	b.batch(warps)
	return b.rest(innerFirst(len(shape)))
}

// MmaB is the layout of mma.sync's right operand, [K, N] or [batch, K, N], with elements of 8, 16 or 32 bits.
func MmaB(shape, warps []int, elemBits int) Layout {
	k := len(shape) - 2
	n := k + 1
	b := newBuilder(shape)
	b.fragment(k, 32/elemBits)
	b.lane(k, 4)
	b.lane(n, 8)
	b.fragment(k, 2)
	b.reg(k, b.left(k))
	b.replicate(warps[k])
	b.chunked(n, warps[n])
	b.batch(warps)
	return b.rest(innerFirst(len(shape)))
}

// WgmmaAcc is the layout of the accumulator of wgmma's m64nN instructions with 32-bit elements, for a result [M, N]
// of at least 64 rows. warps[0] is a multiple of 4: the four warps of a group share 64 rows. A group's registers
// go along N first, so an instruction with N columns has the first N/2 of them, and so on.
func WgmmaAcc(shape, warps []int) Layout {
	const m, n = 0, 1
	b := newBuilder(shape)
	b.fragment(n, 2)
	b.lane(n, 4)
	b.lane(m, 8)
	b.fragment(m, 2)
	b.warp(m, 4)
	b.spread(m, warps[m]/4, n, warps[n])
	return b.rest([]int{n, m})
}

// WgmmaA is the layout of wgmma's left operand in registers, [M, K] of at least 64 rows, with elements of 8, 16 or 32
// bits. An instruction has 64 rows, of which a warp has 16, as in MmaA; after its registers come those of the next,
// first along K, then along M. Warps are those of WgmmaAcc.
func WgmmaA(shape, warps []int, elemBits int) Layout {
	const m, k = 0, 1
	b := newBuilder(shape)
	b.leftFragments(m, k, elemBits)
	b.warp(m, 4)
	b.chunked(m, warps[m]/4)
	b.replicate(warps[k])
	return b.rest([]int{k, m})
}

// adjacentRows has, for 2 and 4 rows, the bit of a row's number in the tile by the bit of its number in wgmma's
// instructions: those of the lane (3), of the half of a warp's 16 rows, of the warp (2), of the instruction.
//
// With 2 rows of 32 bits, 16 lanes load 128 bytes at a time: four lanes along K, which Atom's swizzle moves by 16 and
// 32 bytes, and four along the rows, which are 8 and 64 bytes apart, so that all banks are used.
var adjacentRows = map[int][]int{2: {1, 4, 2, 0, 3, 5}, 4: {2, 3, 4, 0, 5, 6, 1}}

// AdjacentRows renumbers the rows of WgmmaAcc or WgmmaA so that each n of them, 2 or 4, that a thread has in one
// instruction or in two are adjacent. What the accumulator and the left operand agree on is a right order of rows. With
// 4, a warpgroup has at least 128 rows.
func (l Layout) AdjacentRows(n int) Layout {
	var to [32]uint32
	for i := range to {
		to[i] = 1 << i
	}
	first := shift(l.Shape, 0)
	for i, j := range adjacentRows[n] {
		to[first+i] = 1 << (first + j)
	}
	return l.mapped(l.Shape, &to)
}

// leftFragments are the left operand's registers and lanes for 16 rows: of one instruction, then of the next along K.
func (b *builder) leftFragments(m, k, elemBits int) {
	b.fragment(k, 32/elemBits)
	b.lane(k, 4)
	b.lane(m, 8)
	b.fragment(m, 2)
	b.fragment(k, 2)
	b.reg(k, b.left(k))
}

// fragment adds registers that the instruction has, replicas where the tile is smaller.
func (b *builder) fragment(axis, n int) {
	b.l.Reg = append(b.l.Reg, b.take(axis, n)...)
}

// spread gives warps contiguous parts along both dimensions; the registers of a part go along the second one first.
func (b *builder) spread(m, warpsM, n, warpsN int) {
	perM, perN := b.part(m, warpsM), b.part(n, warpsN)
	b.reg(n, perN)
	b.reg(m, perM)
	b.warp(m, warpsM)
	b.warp(n, warpsN)
}

// chunked gives warps contiguous parts along axis.
func (b *builder) chunked(axis, warps int) {
	b.reg(axis, b.part(axis, warps))
	b.warp(axis, warps)
}

// part is how many of the elements left along axis each of so many warps has.
func (b *builder) part(axis, warps int) int { return max(1, b.left(axis)/warps) }

// replicate adds warps that hold the same elements.
func (b *builder) replicate(warps int) {
	b.l.Warp = append(b.l.Warp, make([]uint32, log2(warps))...)
}

// batch gives the warps of a batch, where there is one, their matrices.
func (b *builder) batch(warps []int) {
	if len(b.l.Shape) == 3 {
		b.chunked(0, warps[0])
	}
}

// innerFirst is the dimensions from the last to the first.
func innerFirst(rank int) []int {
	order := make([]int, rank)
	for i := range order {
		order[i] = rank - 1 - i
	}
	return order
}
