package tensor

import "math"

// DefaultSeed is the seed of torch's generator before manual_seed (c10::detail::default_rng_seed_val).
const DefaultSeed = 67280421310721

// Generator is torch's CPU generator: a Mersenne Twister (Matsumoto and Nishimura, 1998), and the
// second of a pair of normal samples kept for the next draw.
type Generator struct {
	seed   uint64
	state  [624]uint32
	next   int
	spare  float64
	spared bool
}

// NewGenerator makes a generator as manual_seed leaves it. The engine takes the low 32 bits of seed.
func NewGenerator(seed uint64) *Generator {
	g := &Generator{}
	g.Seed(seed)
	return g
}

// Seed restarts the generator, as torch.manual_seed does.
func (g *Generator) Seed(seed uint64) {
	g.seed, g.spared, g.next = seed, false, len(g.state)
	g.state[0] = uint32(seed)
	// Knuth's multiplier, as in MT19937's init_genrand.
	for i := 1; i < len(g.state); i++ {
		prev := g.state[i-1]
		g.state[i] = 1812433253*(prev^prev>>30) + uint32(i)
	}
}

// InitialSeed is the seed that was last set.
func (g *Generator) InitialSeed() uint64 { return g.seed }

// twist renews the state.
func (g *Generator) twist() {
	const m = 397 // the middle word, and 0x9908b0df the twist matrix, of MT19937
	n := len(g.state)
	for i := range g.state {
		y := g.state[i]&0x80000000 | g.state[(i+1)%n]&0x7fffffff
		g.state[i] = g.state[(i+m)%n] ^ y>>1 ^ (-(y & 1) & 0x9908b0df)
	}
	g.next = 0
}

// uint32 is the next word of the stream.
func (g *Generator) uint32() uint32 {
	if g.next == len(g.state) {
		g.twist()
	}
	y := g.state[g.next]
	g.next++
	y ^= y >> 11 // MT19937's tempering
	y ^= y << 7 & 0x9d2c5680
	y ^= y << 15 & 0xefc60000
	return y ^ y>>18
}

// Uint32 is the next word of the stream.
func (g *Generator) Uint32() uint32 { return g.uint32() }

// uint64 takes two words, the first one high.
func (g *Generator) uint64() uint64 {
	high := g.uint32()
	return uint64(high)<<32 | uint64(g.uint32())
}

// float is uniform in [0, 1), with at most 24 bits.
func (g *Generator) float(bits int) float32 {
	return float32(g.uint32()&(1<<bits-1)) / float32(int(1)<<bits)
}

// float64 is uniform in [0, 1) with 53 bits.
func (g *Generator) float64() float64 {
	return float64(g.uint64()&(1<<53-1)) * (1.0 / (1 << 53))
}

// normal is a standard normal sample by Box and Muller's method; they come in pairs.
func (g *Generator) normal() float64 {
	if g.spared {
		g.spared = false
		return g.spare
	}
	u1, u2 := g.float64(), g.float64()
	radius := math.Sqrt(-2 * math.Log1p(-u2))
	sin, cos := sincos64(2 * math.Pi * u1)
	g.spare, g.spared = float64(radius*sin), true
	return radius * cos
}

// integer is uniform over width values from low, with torch's slight bias.
func (g *Generator) integer(low int64, width uint64) int64 {
	if width >= 1<<28 { // torch takes two words from here on, which moves the stream
		return int64(g.uint64()%width) + low
	}
	return int64(uint64(g.uint32())%width) + low
}
