package layout

import "slices"

// Access is how the threads of a program reach their registers' elements in shared memory. Access i covers the
// registers Regs[i·Vec … i·Vec+Vec-1], whose elements follow each other in memory; its byte address is
//
//	base + (thread ^ At[i].Xor) + At[i].Imm
//
// where thread is the XOR of Lane and Warp over the bits set in the lane's and the warp's numbers. It is a multiple
// of the access's size if base is. Registers that repeat others of their thread have no access: register r has the
// element of register Same[r].
type Access struct {
	Vec        int
	Regs, Same []int
	Lane, Warp []uint32
	At         []Offset
}

// Offset is a register's part of an address, in bytes: Imm has no bits in common with the threads' part, so it may be
// an instruction's immediate.
type Offset struct{ Xor, Imm uint32 }

// Thread is the part of the address that comes from the thread's place.
func (a Access) Thread(lane, warp int) uint32 {
	return apply(a.Lane, lane) ^ apply(a.Warp, warp)
}

// Access is how threads that hold a tile as l reach it in m, up to maxVec elements at once and no more than 16 bytes.
func (m Mem) Access(l Layout, maxVec int) Access {
	size := uint32(m.ElemBits / 8)
	reg, lane, warp := m.images(l.Reg), m.images(l.Lane), m.images(l.Warp)
	a := Access{Lane: scaled(lane, size), Warp: scaled(warp, size)}
	low := m.run(reg, min(maxVec, maxVecBytes/int(size)))
	a.Vec = 1 << len(low)
	var order [32]int
	n := copy(order[:], low)
	for i, image := range reg {
		if image != 0 && !slices.Contains(low, i) {
			order[n] = i
			n++
		}
	}
	a.Regs = numbered(order[:n])
	a.Same = withoutReplicas(l.Reg)
	thread := union(a.Lane) | union(a.Warp)
	a.At = make([]Offset, len(a.Regs)/a.Vec)
	for i := range a.At {
		a.At[i] = offset(apply(reg, a.Regs[i*a.Vec])*size, thread)
	}
	return a
}

// offset splits a register's part of an address by whether the threads' part has bits there.
func offset(image, thread uint32) Offset { return Offset{image & thread, image &^ thread} }

// images is the offset, in elements, that each basis leads to.
func (m Mem) images(bases []uint32) []uint32 {
	to := make([]uint32, len(bases))
	for i, b := range bases {
		to[i] = m.At(b)
	}
	return to
}

func scaled(images []uint32, by uint32) []uint32 {
	for i := range images {
		images[i] *= by
	}
	return images
}

// run is the register bits, lowest first, that step through at most n elements that follow each other in memory and
// start at a multiple of their number.
func (m Mem) run(reg []uint32, n int) []int {
	low := make([]int, 0, 4)
	for 2<<len(low) <= n {
		step := uint32(1) << len(low)
		at, owners := -1, 0
		for i, image := range reg {
			if image == step {
				at = i
			}
		}
		for _, image := range m.Off {
			if image&step != 0 {
				owners++
			}
		}
		// A swizzle that XORs another bit into this one would break the run.
		if at < 0 || owners != 1 {
			break
		}
		low = append(low, at)
	}
	return low
}

// numbered lists the numbers that the given bits make, the first of them fastest.
func numbered(order []int) []int {
	all := append(make([]int, 0, 1<<len(order)), 0)
	for _, i := range order {
		for _, n := range all[:len(all):len(all)] {
			all = append(all, n|1<<i)
		}
	}
	return all
}

// withoutReplicas says for each register which one has its element: itself, or one it repeats.
func withoutReplicas(reg []uint32) []int {
	keep := 0
	for i, b := range reg {
		if b != 0 {
			keep |= 1 << i
		}
	}
	same := make([]int, 1<<len(reg))
	for r := range same {
		same[r] = r & keep
	}
	return same
}
