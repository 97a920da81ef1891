package layout

import "slices"

// Kind is the way a conversion goes.
type Kind uint8

// The ways, cheapest first.
const (
	Rename  Kind = iota // other names for a thread's registers
	Shuffle             // values pass between the lanes of a warp
	Shared              // values pass through shared memory
)

// Conversion is how a tile goes from one layout to another.
type Conversion struct {
	Kind     Kind
	Regs     []int    // Rename: for each register of the result, the source's
	Exchange Exchange // Shuffle
	// Shared: threads store by Store, meet, and load by Load. A register that has no access in Load is a copy
	// (see Access.Same).
	Mem         Mem
	Store, Load Access
	WithinWarps bool // Shared: each warp loads what it stored, at addresses that are no other warp's
	// Matrices, of Shared, has the stores as stmatrix instructions, where PlanMatrices has planned it.
	Matrices *Matrices
}

// Plan is the cheapest way to go from src to dst, which have the same shape, with elements of so many bits.
func Plan(src, dst Layout, elemBits int) Conversion {
	want := dst.places()
	if inThread(src, &want) {
		return Conversion{Kind: Rename, Regs: renaming(src, dst, &want)}
	}
	elemBits = max(8, elemBits)
	if e, ok := exchange(src, dst, &want); ok && e.cost() <= sharedCost(src, dst, elemBits) {
		return Conversion{Kind: Shuffle, Exchange: e}
	}
	m, vec := Choose(src, dst, elemBits)
	return sharedConversion(m, vec, src, dst)
}

// sharedConversion is a conversion through shared memory.
func sharedConversion(m Mem, vec int, src, dst Layout) Conversion {
	within := slices.Equal(src.Warp, dst.Warp) && !slices.Contains(src.Warp, 0)
	return Conversion{Kind: Shared, Mem: m, Store: m.Access(src, vec), Load: m.Access(dst, vec), WithinWarps: within}
}

// PlanMatrices is a way through shared memory that stores by stmatrix and loads by 16 bytes: from the accumulators of
// MMAs, converted to 16 bits, to rows. It is not ok where these instructions cannot do it.
func PlanMatrices(src, dst Layout, elemBits int) (c Conversion, ok bool) {
	m, ok := chooseForMatrices(src, dst, elemBits)
	if !ok {
		return c, false
	}
	ordered, regs := commonLast(src, dst, log2(32/elemBits))
	x, ok := Ldmatrix(m, ordered)
	x.Regs = regs
	c = sharedConversion(m, maxVecBytes*8/elemBits, src, dst)
	c.Matrices = &x
	return c, ok && !x.Trans && c.Load.Vec*elemBits == maxVecBytes*8
}

// commonLast is src with the bits of its register numbers in another order, behind the first few: those that are also
// in dst's register numbers come last, for parts of a tile to differ by, and the others first, which an instruction's
// matrices differ by. regs is src's registers in that order.
func commonLast(src, dst Layout, first int) (ordered Layout, regs []int) {
	var own, common []int
	for i := range src.Reg {
		if i >= first && src.Reg[i]&union(dst.Reg) != 0 {
			common = append(common, i)
		} else {
			own = append(own, i)
		}
	}
	ordered = src
	ordered.Reg = nil
	regs = []int{0}
	for _, i := range append(own, common...) {
		ordered.Reg = append(ordered.Reg, src.Reg[i])
		for _, r := range regs {
			regs = append(regs, r|1<<i)
		}
	}
	return ordered, regs
}

// inThread reports whether every element that a thread wants is in one of its registers, whose number depends on
// the wanted register alone.
func inThread(src Layout, want *[32]Place) bool {
	for i, b := range src.Lane {
		if b != 0 && want[log2(int(b))] != (Place{InLane, uint8(i)}) {
			return false
		}
	}
	for _, b := range src.Reg {
		if b != 0 && want[log2(int(b))].In != InReg {
			return false
		}
	}
	return inWarp(src, want)
}

// inWarp reports whether every element that a warp wants is in it.
func inWarp(src Layout, want *[32]Place) bool {
	for i, b := range src.Warp {
		if b != 0 && want[log2(int(b))] != (Place{InWarp, uint8(i)}) {
			return false
		}
	}
	return true
}

// renaming is, for each register of dst, the register of src with the same element.
func renaming(src, dst Layout, want *[32]Place) []int {
	var image [32]int // of each bit of dst's register number
	for i, b := range src.Reg {
		if b != 0 {
			image[want[log2(int(b))].Bit] = 1 << i
		}
	}
	regs := make([]int, dst.Regs())
	for i := range dst.Reg {
		for r := range 1 << i {
			regs[r|1<<i] = regs[r] | image[i]
		}
	}
	return regs
}

// sharedCost estimates a trip through shared memory in issue slots of a warp: a slot for each wavefront and a fixed
// price for the barrier and the latency on both its sides.
func sharedCost(src, dst Layout, elemBits int) int {
	const barrier = 16
	return barrier + (1<<held(src.Reg)+1<<held(dst.Reg))*elemBits/(8*wordBytes)
}

// held is the number of bases that are not replicas.
func held(bases []uint32) (n int) {
	for _, b := range bases {
		if b != 0 {
			n++
		}
	}
	return n
}

// Parts is into how many parts a conversion through shared memory is to be cut so that each needs at most limit
// bytes, where that is possible, and the bytes that it then needs. Part p has the accesses of Store and of Load
// whose Imm/bytes is p, at the address with Imm%bytes; between parts threads meet again.
func (c Conversion) Parts(limit int) (parts, bytes int) {
	parts, bytes = 1, c.Mem.Bytes()
	whole := max(c.Store.Vec, c.Load.Vec) * c.Mem.ElemBits / 8
	splits := func(bit uint32) bool {
		x := c.Matrices
		return c.Store.splits(bit) && c.Load.splits(bit) && (x == nil || (union(x.Lane)|union(x.Warp))&bit == 0)
	}
	for bytes > limit && bytes > whole && splits(uint32(bytes/2)) {
		parts, bytes = parts*2, bytes/2
	}
	return parts, bytes
}

// splits reports whether the registers alone decide on the given bit of the address.
func (a Access) splits(bit uint32) bool {
	return (union(a.Lane)|union(a.Warp))&bit == 0
}
