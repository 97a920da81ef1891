package num

// TwisterWords is how many words a Mersenne Twister's state has (Matsumoto and Nishimura, "Mersenne Twister: A
// 623-Dimensionally Equidistributed Uniform Pseudo-Random Number Generator", 1998).
const TwisterWords = 624

// Twist renews the state of MT19937.
func Twist(s *[TwisterWords]uint32) {
	const middle, last = 397, TwisterWords - 1
	// What is twisted in has to be twisted before: in one go, as many words as lie behind the middle.
	twist(s[:TwisterWords-middle], s[1:], s[middle:])
	twist(s[TwisterWords-middle:last], s[TwisterWords-middle+1:], s[:])
	twist(s[last:], s[:1], s[middle-1:])
}

// twist renews words, given those behind them and those to twist in.
func twist(words, behind, in []uint32) {
	for i := runOver(loopTwist, words, words, behind, in); i < len(words); i++ {
		y := words[i]&(1<<31) | behind[i]&(1<<31-1)
		words[i] = in[i] ^ y>>1 ^ -(y&1)&0x9908b0df
	}
}

// Temper makes random words of those of a state.
func Temper(dst, words []uint32) {
	words = words[:len(dst)]
	for i := runOver(loopTemper, dst, words, []byte(nil), []byte(nil)); i < len(words); i++ {
		y := words[i]
		y ^= y >> 11
		y ^= y << 7 & 0x9d2c5680
		y ^= y << 15 & 0xefc60000
		dst[i] = y ^ y>>18
	}
}
