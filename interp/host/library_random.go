package host

import (
	"hash"
	"math/big"

	"github.com/newtlab/newt/compiler/python"
)

// twister is the Mersenne Twister MT19937 (Matsumoto and Nishimura 1998), which CPython's random draws from.
type twister struct {
	state [624]uint32
	next  int
}

// seedWords is init_by_array of the reference implementation.
func (t *twister) seedWords(key []uint32) {
	// The constants are those of init_by_array and init_genrand in mt19937ar.c.
	t.state[0] = 19650218
	for i := 1; i < len(t.state); i++ {
		t.state[i] = 1812433253*(t.state[i-1]^t.state[i-1]>>30) + uint32(i)
	}
	i := 1
	advance := func() {
		if i++; i == len(t.state) {
			t.state[0], i = t.state[len(t.state)-1], 1
		}
	}
	for k := range max(len(t.state), len(key)) {
		j := k % len(key)
		t.state[i] = t.state[i] ^ (t.state[i-1]^t.state[i-1]>>30)*1664525 + key[j] + uint32(j)
		advance()
	}
	for range len(t.state) - 1 {
		t.state[i] = t.state[i] ^ (t.state[i-1]^t.state[i-1]>>30)*1566083941 - uint32(i)
		advance()
	}
	// The top bit alone makes the state certain not to be all zeros. The first draw makes new words.
	t.state[0], t.next = 1<<31, len(t.state)
}

// seedInt seeds with the absolute value of an integer, 32 bits at a time from the lowest.
func (t *twister) seedInt(n *big.Int) {
	rest := new(big.Int).Abs(n)
	key := []uint32{}
	for rest.Sign() > 0 {
		key = append(key, uint32(rest.Uint64()))
		rest.Rsh(rest, 32)
	}
	if len(key) == 0 {
		key = []uint32{0}
	}
	t.seedWords(key)
}

// word draws 32 bits.
func (t *twister) word() uint32 {
	if t.next >= len(t.state) {
		for i := range t.state {
			// The twist of genrand_uint32: 397 is M, 0x9908b0df the matrix A.
			y := t.state[i]&0x80000000 | t.state[(i+1)%len(t.state)]&0x7fffffff
			t.state[i] = t.state[(i+397)%len(t.state)] ^ y>>1 ^ -(y&1)&0x9908b0df
		}
		t.next = 0
	}
	y := t.state[t.next]
	t.next++
	// Tempering, with the masks of the paper.
	y ^= y >> 11
	y ^= y << 7 & 0x9d2c5680
	y ^= y << 15 & 0xefc60000
	return y ^ y>>18
}

// float draws from [0, 1) with 53 bits.
func (t *twister) float() float64 {
	// 27 and 26 bits, in the order of random_random in _randommodule.c.
	a, b := t.word()>>5, t.word()>>6
	return (float64(a)*(1<<26) + float64(b)) / (1 << 53)
}

// bits draws a k-bit integer: words from the lowest, the last one cut to its upper bits.
func (t *twister) bits(k int) *big.Int {
	n := new(big.Int)
	for at := 0; at < k; at += 32 {
		w := uint64(t.word())
		if k-at < 32 {
			w >>= 32 - (k - at)
		}
		n.Or(n, new(big.Int).Lsh(new(big.Int).SetUint64(w), uint(at)))
	}
	return n
}

// below draws an integer from [0, n).
func (t *twister) below(n *big.Int) *big.Int {
	// _randbelow_with_getrandbits: draws that are too large are thrown away, so that none is more likely.
	k := n.BitLen()
	r := t.bits(k)
	for r.Cmp(n) >= 0 {
		r = t.bits(k)
	}
	return r
}

// newTwister is seeded with a fixed number: a run without a seed of its own is repeatable.
func newTwister() *twister {
	t := &twister{}
	t.seedInt(new(big.Int))
	return t
}

// twisterLibrary is what prelude/random.py derives Random from: _random.Random of CPython.
func twisterLibrary() map[string]Value {
	return map[string]Value{"SystemRandom": refused("random.SystemRandom"),
		"_Twister": nativeClass("_random", "Random", map[string]method{
			"__new__": func(m *machine, a arguments) Value {
				return m.newNative(valueOf[*Class](a.positional[0]), newTwister())
			},
			"_seed": func(m *machine, a arguments) Value {
				native[*twister](a).seedInt(integerOf(a.positional[1]).Big())
				return none
			},
			"random(self, /)": func(m *machine, a arguments) Value {
				return python.Float(native[*twister](a).float())
			},
			"getrandbits(self, /, k)": func(m *machine, a arguments) Value {
				k := asIndex(a.positional[1])
				if k < 0 {
					raise("ValueError", "number of bits must be non-negative")
				}
				return must(python.NewBig(native[*twister](a).bits(int(min(k, python.MaxBits+1)))))
			},
			"_below": func(m *machine, a arguments) Value { // an integer from [0, n), of n > 0
				return must(python.NewBig(native[*twister](a).below(integerOf(a.positional[1]).Big())))
			},
			"_state(self, /)": func(m *machine, a arguments) Value {
				t := native[*twister](a)
				words := make(Tuple, 0, len(t.state)+1)
				for _, w := range t.state {
					words = append(words, python.NewInt(int64(w)))
				}
				m.budget.chargeItems(len(words))
				return append(words, intValue(t.next))
			},
			"_set_state": func(m *machine, a arguments) Value {
				t, words := native[*twister](a), m.itemsOf(a.positional[1])
				if len(words) != len(t.state)+1 {
					raise("ValueError", "state vector is the wrong size")
				}
				for i := range t.state {
					t.state[i] = uint32(asIndex(words[i]))
				}
				t.next = int(asIndex(words[len(t.state)]))
				return none
			},
		})}
}

// hasherNamed is a hash function by its name in hashlib.
func hasherNamed(m *machine, name string) hash.Hash {
	h, ok := m.options.Codecs.Hash(name)
	if !ok {
		lack("NotImplementedError", "hashlib."+name, nil)
	}
	return h
}
