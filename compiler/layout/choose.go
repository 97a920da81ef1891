package layout

import (
	"math/bits"
	"slices"
)

// Choose is the layout through which a tile goes from threads that hold it as src to threads that want it as dst,
// without bank conflicts on either side, and the most elements that a side may access at once (see Mem.Access).
//
// Lowest are registers that both sides hold, up to 16 bytes, or what fills a word from one side. Then come the banks:
// the lane bits that a wavefront has on one side are paired with those on the other, and a pair shares a bit of the
// bank, so that each side's lanes reach banks of their own. Topmost are registers of both sides, so that the tile
// can go through in parts.
func Choose(src, dst Layout, elemBits int) (m Mem, maxVec int) {
	m = Mem{src.Shape, make([]uint32, log2(src.Elems())), elemBits}
	c := chooser{off: m.Off, rest: uint32(src.Elems() - 1)}
	elemBytes := log2(elemBits / 8)
	srcReg, dstReg := union(src.Reg), union(dst.Reg)
	common := srcReg & dstReg
	c.place(common, log2(maxVecBytes)-elemBytes)
	vec, word := c.at, log2(wordBytes)-elemBytes
	lanes := union(src.Lane) | union(dst.Lane)
	for _, set := range [...]uint32{srcReg, dstReg, ^lanes, lanes} {
		c.place(set, word-c.at)
	}
	// One wavefront serves half as many lanes for each doubling of the access above a word.
	tile := LaneBits - max(0, vec-word)
	c.placeBanks(union(src.Lane[:tile]), union(dst.Lane[:tile]))
	c.place(^common, 32)
	c.place(common, 32)
	return m, 1 << max(0, vec, word)
}

// chooseForMatrices is the layout through which a tile goes that is stored as 8×8 matrices (Ldmatrix) and loaded by
// 16 bytes, without bank conflicts on either side. It is not ok if threads that hold the tile as src do not have the
// fragments of such matrices, without replicas, or if those that want it as dst do not have their rows. What the
// registers of both sides step through is topmost, so that the tile can go in parts (Conversion.Parts).
func chooseForMatrices(src, dst Layout, elemBits int) (m Mem, ok bool) {
	pack := log2(32 / min(32, elemBits))
	if len(src.Reg) < pack || elems(src.Shape)*elemBits/8 < 8*maxVecBytes ||
		slices.Contains(slices.Concat(src.Reg, src.Lane, src.Warp), 0) {
		return m, false
	}
	row := slices.Concat(src.Reg[:pack], src.Lane[:ldmatrixLanes])
	if union(row)&^union(dst.Reg) != 0 {
		return m, false
	}
	m = Mem{src.Shape, make([]uint32, log2(src.Elems())), elemBits}
	c := chooser{off: m.Off, rest: uint32(src.Elems() - 1)}
	for _, b := range row {
		c.place(b, 1)
	}
	c.placeBanks(union(src.Lane[ldmatrixLanes:]), union(dst.Lane[:ldmatrixRows]))
	common := union(src.Reg) & union(dst.Reg)
	c.place(^(union(src.Warp) | common), 32)
	c.place(union(src.Warp), 32)
	c.place(common, 32)
	return m, true
}

// chooser gives the bits of an offset, lowest first, to the bits of an element's number.
type chooser struct {
	off  []uint32
	rest uint32 // element bits that have none yet
	at   int
}

// place gives the next offset bits to at most n element bits of set.
func (c *chooser) place(set uint32, n int) {
	for set &= c.rest; set != 0 && n > 0; set &= set - 1 {
		c.off[bits.TrailingZeros32(set)] |= 1 << c.at
		c.rest &^= set & -set
		c.at++
		n--
	}
}

// placeBanks gives the banks' bits to the bits that the lanes of a wavefront have on each of two sides.
func (c *chooser) placeBanks(src, dst uint32) {
	s, d := src&c.rest, dst&c.rest
	c.place(s&d, LaneBits)
	s, d = s&c.rest, d&c.rest
	for ; s != 0 && d != 0; s, d = s&(s-1), d&(d-1) {
		c.off[bits.TrailingZeros32(d)] |= 1 << c.at
		c.place(s&-s, 1)
	}
	c.place(s, LaneBits)
	c.place(d, LaneBits)
}

// union has the bits of all the bases.
func union(bases []uint32) (set uint32) {
	for _, b := range bases {
		set |= b
	}
	return set
}
