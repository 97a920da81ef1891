package num

// PhiloxRun is how many threads draw at a time.
const PhiloxRun = 256

// PhiloxWords are the words of the draws of a run of threads: all first words, all second ones and so on.
type PhiloxWords [4][PhiloxRun]uint32

// Philox makes the draws of the first n threads of a run from the random generator Philox4x32-10 (Salmon et al.,
// "Parallel random numbers: as easy as 1, 2, 3", 2011); count is in draws since the seed.
func Philox(out *PhiloxWords, seed, thread, count uint64, n int) {
	const m0, m1 = 0xd2511f53, 0xcd9e8d57 // the multipliers of the rounds
	var keys [10][2]uint64
	for i := range keys { // which grow by the golden ratio and √3−1
		round := uint32(i)
		keys[i] = [2]uint64{uint64(uint32(seed) + round*0x9e3779b9), uint64(uint32(seed>>32) + round*0xbb67ae85)}
	}
	if n == PhiloxRun && uint64(uint32(thread+PhiloxRun)) == thread+PhiloxRun {
		var threads [PhiloxRun]uint64
		for i := range threads {
			threads[i] = thread + uint64(i)
		}
		counts := [2]uint64{count & (1<<32 - 1), count >> 32}
		if runOver(loopPhilox, out[0][:], threads[:], keys[:], counts[:]) == n {
			return
		}
	}
	for i := range n {
		at := thread + uint64(i)
		x0, x1, x2, x3 := uint32(count), uint32(count>>32), uint32(at), uint32(at>>32)
		for _, key := range keys {
			a, b := m0*uint64(x0), m1*uint64(x2)
			x0, x1, x2, x3 = uint32(b>>32)^x1^uint32(key[0]), uint32(b), uint32(a>>32)^x3^uint32(key[1]), uint32(a)
		}
		out[0][i], out[1][i], out[2][i], out[3][i] = x0, x1, x2, x3
	}
}

// WordsToFloat32 converts words without a sign.
func WordsToFloat32(dst []float32, words []uint32) {
	words = words[:len(dst)]
	n := runOver(loopUint32ToFloat32, dst, words, []byte(nil), []byte(nil))
	for i, w := range words[n:] {
		dst[n+i] = float32(w)
	}
}
