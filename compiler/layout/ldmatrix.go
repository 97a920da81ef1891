package layout

import "slices"

// Matrices is how a tile's fragments are read by ldmatrix (or, where the layout is an accumulator's, written by
// stmatrix), which moves Count (1, 2 or 4) matrices of 8 rows of 16 bytes; Trans is its .trans form. The lane that
// gives the address of a row gives
//
//	base + (thread ^ At[i].Xor) + At[i].Imm
//
// for instruction i, where thread is the XOR of Lane and Warp over the bits set in the lane's and warp's numbers.
// Its register j is made of the layout's registers (i·Count+j)·p … (i·Count+j)·p+p-1, lowest first, with
// p = 32/elemBits; or of those that Regs has there.
type Matrices struct {
	Count      int
	Regs       []int // the layout's registers in the order of the instructions; nil: as they are
	Trans      bool
	Lane, Warp []uint32
	At         []Offset
}

// Thread is the part of the address that comes from the thread's place.
func (x Matrices) Thread(lane, warp int) uint32 {
	return apply(x.Lane, lane) ^ apply(x.Warp, warp)
}

// ldmatrixLanes are the lane bits within a row, and those that go through the rows of a matrix.
const ldmatrixLanes, ldmatrixRows = 2, 3

// Ldmatrix divides the reading of m by threads that hold it as l into ldmatrix instructions, or reports that they
// cannot do it. Without .trans, a row has the elements of the packed registers and of lane bits 0-1, and lane bits
// 2-4 are its rows. With it, for 16-bit elements, a row has those of lane bits 2-4, and the packed registers and
// lane bits 0-1 are its rows.
func Ldmatrix(m Mem, l Layout) (x Matrices, ok bool) {
	if m.ElemBits > 32 || len(l.Reg) < log2(32/m.ElemBits) || m.Bytes() < maxVecBytes*8 {
		return Matrices{}, false
	}
	pack := log2(32 / m.ElemBits)
	reg, lane := m.images(l.Reg), m.images(l.Lane)
	row := slices.Concat(reg[:pack], lane[:ldmatrixLanes])
	rows := lane[ldmatrixLanes:]
	if !m.isRow(row, slices.Concat(rows, reg[pack:], m.images(l.Warp))) {
		if m.ElemBits != 16 {
			return Matrices{}, false
		}
		row, rows = rows, row
		if !m.isRow(row, slices.Concat(rows, reg[pack:], m.images(l.Warp))) {
			return Matrices{}, false
		}
		x.Trans = true
	}
	x.fill(m, l, rows, pack)
	return x, true
}

// isRow reports whether images are the steps through 16 bytes, and whether none of the others moves inside them.
func (m Mem) isRow(images, others []uint32) bool {
	for i, image := range images {
		if image != 1<<i {
			return false
		}
	}
	return union(others)&(1<<len(images)-1) == 0
}

// fill finds the addresses: of the rows of a matrix from lane bits 0-2, of the matrices of an instruction from lane
// bits 3-4, and of the instructions from the other registers.
func (x *Matrices) fill(m Mem, l Layout, rows []uint32, pack int) {
	size := uint32(m.ElemBits / 8)
	reg := m.images(l.Reg)
	n := min(LaneBits-ldmatrixRows, len(reg)-pack)
	x.Count = 1 << n
	x.Lane = make([]uint32, LaneBits)
	copy(x.Lane, scaled(slices.Clone(rows), size))
	copy(x.Lane[ldmatrixRows:], scaled(slices.Clone(reg[pack:pack+n]), size))
	x.Warp = scaled(m.images(l.Warp), size)
	thread := union(x.Lane) | union(x.Warp)
	each := x.Count << pack
	x.At = make([]Offset, l.Regs()/each)
	for i := range x.At {
		x.At[i] = offset(apply(reg, i*each)*size, thread)
	}
}
