package tensor

import (
	"math"

	"github.com/newtlab/newt/compiler/num"
)

// DefaultSeed is the seed of torch's generator before manual_seed (c10::detail::default_rng_seed_val).
const DefaultSeed = 67280421310721

// Generator is torch's CPU generator: a Mersenne Twister, and the
// second of a pair of normal samples kept for the next draw.
type Generator struct {
	seed   uint64
	state  [num.TwisterWords]uint32
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

// words are the next words of the stream.
func (g *Generator) words(out []uint32) {
	for len(out) > 0 {
		if g.next == len(g.state) {
			num.Twist(&g.state)
			g.next = 0
		}
		n := min(len(out), len(g.state)-g.next)
		num.Temper(out[:n], g.state[g.next:])
		out, g.next = out[n:], g.next+n
	}
}

// uint32 is the next word of the stream.
func (g *Generator) uint32() uint32 {
	var word [1]uint32
	g.words(word[:])
	return word[0]
}

// Uint32 is the next word of the stream.
func (g *Generator) Uint32() uint32 { return g.uint32() }

// uint64 takes two words, the first one high.
func (g *Generator) uint64() uint64 {
	high := g.uint32()
	return uint64(high)<<32 | uint64(g.uint32())
}

// singles are uniform in [0, 1), with at most 24 bits.
func (g *Generator) singles(out []float32, bits int) {
	var words [256]uint32
	mask, unit := uint32(1)<<bits-1, 1/float32(int(1)<<bits)
	for len(out) > 0 {
		n := min(len(out), len(words))
		g.words(words[:n])
		for i, w := range words[:n] {
			out[i] = float32(w&mask) * unit
		}
		out = out[n:]
	}
}

// doubles are uniform in [0, 1) with 53 bits.
func (g *Generator) doubles(out []float64) {
	for i := range out {
		out[i] = g.float64()
	}
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
