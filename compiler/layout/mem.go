package layout

import (
	"math/bits"
	"slices"
	"strconv"
)

// Constants of shared memory: 32 banks of 4 bytes serve one wavefront, and a thread accesses up to 16 bytes at once.
const (
	wordBytes      = 4
	maxVecBytes    = 16
	wavefrontBytes = 128
)

// Mem is a layout of a tile in shared memory. Off[i] is what bit i of an element's number contributes to its offset,
// counted in elements; the contributions are XORed, and different elements have different offsets below Elems.
// ElemBits is 8, 16, 32 or 64. A buffer begins at a multiple of Align bytes.
type Mem struct {
	Shape    []int
	Off      []uint32
	ElemBits int
}

// Align is the alignment in bytes that a buffer needs for its swizzle: eight wavefronts, the largest pattern.
const Align = 8 * wavefrontBytes

// At is the offset of element e, in elements.
func (m Mem) At(e uint32) uint32 {
	var off uint32
	for ; e != 0; e &= e - 1 {
		off ^= m.Off[bits.TrailingZeros32(e)]
	}
	return off
}

// Bytes is the size of a buffer.
func (m Mem) Bytes() int { return elems(m.Shape) * m.ElemBits / 8 }

// Equal reports whether two buffers have the same layout.
func (m Mem) Equal(o Mem) bool {
	return m.ElemBits == o.ElemBits && slices.Equal(m.Shape, o.Shape) && slices.Equal(m.Off, o.Off)
}

// Valid reports whether elements have sizes that shared memory has, and each an offset of its own below their number.
func (m Mem) Valid() bool {
	n := len(m.Off)
	if !slices.Contains([]int{8, 16, 32, 64}, m.ElemBits) || elems(m.Shape) != 1<<n {
		return false
	}
	var basis []uint32 // what the offsets before span, each with a leading bit of its own
	for _, off := range m.Off {
		for _, b := range basis {
			off = min(off, off^b)
		}
		if off == 0 || off >= 1<<n {
			return false
		}
		basis = append(basis, off)
	}
	return true
}

// String lists what each bit of an element's number adds to its offset, the last dimension's lowest bit first. For
// example `[16, 8] bits 16 offset 1 2 4 8 17 34 64`.
func (m Mem) String() string {
	s := append(appendShape(nil, m.Shape), " bits "...)
	s = append(strconv.AppendInt(s, int64(m.ElemBits), 10), " offset"...)
	for _, off := range m.Off {
		s = strconv.AppendUint(append(s, ' '), uint64(off), 10)
	}
	return string(s)
}

// Trans is the same buffer seen as a tile whose dimension i is dimension perm[i] of m.
func (m Mem) Trans(perm []int) Mem {
	t := Mem{ElemBits: m.ElemBits}
	for _, p := range perm {
		t.Shape = append(t.Shape, m.Shape[p])
	}
	for i := len(perm) - 1; i >= 0; i-- {
		first := shift(m.Shape, perm[i])
		t.Off = append(t.Off, m.Off[first:first+log2(t.Shape[i])]...)
	}
	return t
}

// RowMajor has the dimensions in order, fastest first, without gaps or swizzle.
func RowMajor(shape, order []int, elemBits int) Mem {
	m := Mem{slices.Clone(shape), make([]uint32, log2(elems(shape))), elemBits}
	at := 0
	for _, axis := range order {
		first := shift(shape, axis)
		for j := range log2(shape[axis]) {
			m.Off[first+j] = 1 << at
			at++
		}
	}
	return m
}

// Atom is a shared-memory operand of wgmma, whose last two dimensions are the matrix: fast is the contiguous
// dimension (the last one, or the one before), span the swizzle's 32, 64 or 128 bytes, or 16 for none. Rows along
// fast are cut in panels of span bytes; a panel has all the rows, one after the other; 16-byte pieces of a row are
// permuted with the row's number as wgmma's descriptors say. Batches follow each other.
// The source is the PTX ISA's section on wgmma shared-memory layouts.
func Atom(shape []int, fast, elemBits, span int) Mem {
	return swizzled(shape, fast, elemBits, span, []int{0, 1, 2}, 4)
}

// ForDot is the layout of an operand of mma.sync that is loaded from global memory in 16-byte pieces along fast and
// read in the fragments of MmaA or MmaB, along whose dimension k the product is summed. None has bank conflicts.
// For 16-bit elements, and for any that are contiguous along k, it is one of wgmma's atoms and ldmatrix reads it.
func ForDot(shape []int, k, fast, elemBits int) Mem {
	span := swizzleSpan(shape, fast, elemBits)
	switch {
	case k == fast || elemBits == 16:
		return Atom(shape, fast, elemBits, span)
	case elemBits == 32:
		return swizzled(shape, fast, elemBits, span, []int{0, 1}, 5)
	}
	return swizzled(shape, fast, elemBits, span, []int{2, 3}, 5)
}

// ForAdjacentRows is ForDot for an operand that is read in the fragments of WgmmaA with adjacent rows. For elements of
// 32 bits it is one of wgmma's atoms, which tensor copies write.
func ForAdjacentRows(shape []int, k, fast, elemBits int) Mem {
	if elemBits == 32 {
		return Atom(shape, fast, elemBits, swizzleSpan(shape, fast, elemBits))
	}
	return ForDot(shape, k, fast, elemBits)
}

// swizzleSpan is the widest swizzle, in bytes, of a tile that is contiguous along fast.
func swizzleSpan(shape []int, fast, elemBits int) int {
	return min(wavefrontBytes, max(maxVecBytes, shape[fast]*elemBits/8))
}

// swizzled stores panels of span bytes along fast, the rows of a panel one after the other, and XORs bits of the
// row's number into the bank: those listed that do not reach the banks by themselves, each to the lowest bit of the
// byte address from low to 6 that none of the others has.
func swizzled(shape []int, fast, elemBits, span int, rowBits []int, low int) Mem {
	rank := len(shape)
	rows := 2*rank - 3 - fast
	m := Mem{slices.Clone(shape), make([]uint32, log2(elems(shape))), elemBits}
	at := 0
	put := func(axis, from, n int) {
		first := shift(shape, axis) + from
		for j := range n {
			m.Off[first+j] = 1 << at
			at++
		}
	}
	// at counts bits of the offset in elements; rowBase and bank are bits of the byte address.
	elemBytes := log2(elemBits / 8)
	inner := min(log2(shape[fast]), log2(span)-elemBytes)
	put(fast, 0, inner)
	rowBase := at + elemBytes
	put(rows, 0, log2(shape[rows]))
	put(fast, inner, log2(shape[fast])-inner)
	for axis := rank - 3; axis >= 0; axis-- {
		put(axis, 0, log2(shape[axis]))
	}
	bank := max(low, elemBytes)
	first := shift(shape, rows)
	for _, j := range rowBits {
		// A bit may be XORed only into lower ones of the same row or row group, which keeps offsets distinct.
		if j >= log2(shape[rows]) || rowBase+j < log2(wavefrontBytes) {
			continue
		}
		for taken(rowBits, rowBase, bank) {
			bank++
		}
		if bank < min(log2(wavefrontBytes), rowBase+j) {
			m.Off[first+j] |= 1 << (bank - elemBytes)
			bank++
		}
	}
	return m
}

// taken reports whether one of the row bits reaches a bit of the byte address by itself.
func taken(rowBits []int, rowBase, bit int) bool {
	return slices.Contains(rowBits, bit-rowBase)
}
