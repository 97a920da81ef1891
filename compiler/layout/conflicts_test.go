package layout

import "slices"

// BankConflicts is how many wavefronts more than necessary a warp needs for its accesses of a tile: one for each word
// beyond the first that a bank has to serve to the lanes of a wavefront. A wavefront has all lanes for accesses up
// to 4 bytes, half of them for 8, and a quarter for 16.
func (m Mem) BankConflicts(l Layout, maxVec int) int {
	a := m.Access(l, maxVec)
	return len(a.At) * conflicts(a.Lane, a.Vec*m.ElemBits/8)
}

// conflicts counts the extra wavefronts of one access of so many bytes. What other registers and warps add to the
// address is XORed to every lane's, so it permutes the banks and the count is the same.
func conflicts(lane []uint32, bytes int) (extra int) {
	// A wavefront moves 128 bytes: fewer lanes, the more bytes each has.
	group := 32 / max(1, bytes/wordBytes)
	for first := 0; first < 32; first += group {
		var words [32][]uint32
		most := 1
		for thread := first; thread < first+group; thread++ {
			word := apply(lane, thread) / wordBytes
			for range max(1, bytes/wordBytes) {
				bank := &words[word%32]
				// Lanes that read the same word share it (a broadcast), so a word counts once.
				if !slices.Contains(*bank, word) {
					*bank = append(*bank, word)
					most = max(most, len(*bank))
				}
				word++
			}
		}
		extra += most - 1
	}
	return extra
}

// Conflicts is how many wavefronts more than necessary all the instructions of a warp need: each matrix is one, whose
// rows should lie in different banks.
func (x Matrices) Conflicts() int {
	return len(x.At) * x.Count * (conflicts(append(slices.Clone(x.Lane[:ldmatrixRows]), 0, 0), maxVecBytes) / 4)
}
