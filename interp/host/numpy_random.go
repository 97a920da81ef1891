package host

import (
	"math"
	"math/big"
	"math/bits"
	"sync"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/interp/tensor"
)

// pcg is numpy's PCG64: a linear congruential generator of 128 bits whose words are xored and rotated (O'Neill, PCG: a
// family of simple fast space-efficient statistically good algorithms for random number generation, 2014).
type pcg struct {
	high, low  uint64 // the state
	incH, incL uint64 // what is added in each step
	spare      uint32 // the other half of a word of which one was used
	spared     bool
}

// newPCG seeds a generator as numpy.random.default_rng(seed) does.
func newPCG(entropy []uint32) *pcg {
	words := seedWords(entropy, 8)
	word := func(i int) uint64 { return uint64(words[2*i]) | uint64(words[2*i+1])<<32 }
	p := &pcg{}
	// The sequence is the odd number that the increment becomes.
	p.incH, p.incL = word(2)<<1|word(3)>>63, word(3)<<1|1
	p.step()
	var carry uint64
	p.low, carry = bits.Add64(p.low, word(1), 0)
	p.high, _ = bits.Add64(p.high, word(0), carry)
	p.step()
	return p
}

// seedWords is numpy.random.SeedSequence(entropy).generate_state(n): the hash of M. E. O'Neill's seed_seq_fe.
func seedWords(entropy []uint32, n int) []uint32 {
	const multA, multB, mixL, mixR = 0x931e8875, 0x58f38ded, 0xca01f9dd, 0x4973f715
	constant := uint32(0x43b0d7e5)
	hash := func(v uint32) uint32 {
		v ^= constant
		constant *= multA
		v *= constant
		return v ^ v>>16
	}
	mix := func(x, y uint32) uint32 {
		v := mixL*x - mixR*y
		return v ^ v>>16
	}
	var pool [4]uint32
	for i := range pool {
		v := uint32(0)
		if i < len(entropy) {
			v = entropy[i]
		}
		pool[i] = hash(v)
	}
	for from := range pool {
		for to := range pool {
			if from != to {
				pool[to] = mix(pool[to], hash(pool[from]))
			}
		}
	}
	for _, v := range entropy[min(len(pool), len(entropy)):] {
		for to := range pool {
			pool[to] = mix(pool[to], hash(v))
		}
	}
	out, constant2 := make([]uint32, n), uint32(0x8b51f9dd)
	for i := range out {
		v := pool[i%len(pool)] ^ constant2
		constant2 *= multB
		v *= constant2
		out[i] = v ^ v>>16
	}
	return out
}

// step moves on by one: state·multiplier + increment, modulo 2^128.
func (p *pcg) step() {
	const multH, multL = 0x2360ed051fc65da4, 0x4385df649fccf645
	high, low := bits.Mul64(p.low, multL)
	high += p.high*multL + p.low*multH
	var carry uint64
	p.low, carry = bits.Add64(low, p.incL, 0)
	p.high, _ = bits.Add64(high, p.incH, carry)
}

func (p *pcg) uint64() uint64 {
	p.step()
	return bits.RotateLeft64(p.high^p.low, -int(p.high>>58))
}

// uint32 uses a word's low half, and its high half the next time.
func (p *pcg) uint32() uint32 {
	if p.spared {
		p.spared = false
		return p.spare
	}
	v := p.uint64()
	p.spare, p.spared = uint32(v>>32), true
	return uint32(v)
}

func (p *pcg) float64() float64 { return float64(p.uint64()>>11) * 0x1p-53 }

// below is uniform in [0, n) by Lemire's method (Fast random integer generation in an interval, 2019).
func (p *pcg) below(n uint64) uint64 {
	switch {
	case n == 1:
		return 0
	case n == 0: // all of 64 bits
		return p.uint64()
	case n == 1<<32:
		return uint64(p.uint32())
	case n < 1<<32:
		product := uint64(p.uint32()) * n
		for least := uint64(-uint32(n)) % n; uint64(uint32(product)) < least; {
			product = uint64(p.uint32()) * n
		}
		return product >> 32
	}
	high, low := bits.Mul64(p.uint64(), n)
	for least := -n % n; low < least; {
		high, low = bits.Mul64(p.uint64(), n)
	}
	return high
}

// ziggurat are the tables of Marsaglia and Tsang's method for the normal distribution (The ziggurat method for
// generating random variables, 2000) with 256 layers: of each layer its right edge in units of 2^-52, the part of it
// that lies below the curve, and the density at the edge.
type ziggurat struct {
	width   [256]float64
	inside  [256]uint64
	density [256]float64
}

// zigguratEdge is where the tail begins.
const zigguratEdge = 3.6541528853610087963519472518

var normalZiggurat = sync.OnceValue(func() *ziggurat {
	f := func(x float64) float64 { return math.Exp(-0.5 * x * x) }
	z := &ziggurat{}
	// All layers have the area of the tail with the rectangle before it.
	area := zigguratEdge*f(zigguratEdge) + math.Sqrt(math.Pi/2)*math.Erfc(zigguratEdge/math.Sqrt2)
	base := area / f(zigguratEdge)
	z.width[0], z.inside[0], z.density[0] = base*0x1p-52, uint64(zigguratEdge/base*0x1p52), 1
	x := float64(zigguratEdge)
	for i := 255; i > 0; i-- {
		next := 0.0
		if i > 1 {
			next = math.Sqrt(-2 * math.Log(area/x+f(x)))
		}
		z.width[i], z.inside[i], z.density[i] = x*0x1p-52, uint64(next/x*0x1p52), f(x)
		x = next
	}
	return z
})

// normal is a standard normal sample.
func (p *pcg) normal() float64 {
	z := normalZiggurat()
	for {
		word := p.uint64()
		layer, negative, size := word&0xff, word>>8&1 != 0, word>>9&(1<<52-1)
		x := float64(size) * z.width[layer]
		if negative {
			x = -x
		}
		switch {
		case size < z.inside[layer]:
			return x
		case layer != 0:
			if (z.density[layer-1]-z.density[layer])*p.float64()+z.density[layer] < math.Exp(-0.5*x*x) {
				return x
			}
			continue
		}
		// The tail, by Marsaglia's method of 1964.
		for {
			beyond := -1 / zigguratEdge * math.Log1p(-p.float64())
			if y := -math.Log1p(-p.float64()); y+y > beyond*beyond {
				if size>>8&1 != 0 {
					return -(zigguratEdge + beyond)
				}
				return zigguratEdge + beyond
			}
		}
	}
}

// integer is uniform in [low, high).
func (p *pcg) integer(low, high int64) int64 { return low + int64(p.below(uint64(high)-uint64(low))) }

// numpyTwister is numpy's MT19937 with the samplers of RandomState.
type numpyTwister struct {
	words *tensor.Generator
	spare float64 // the other normal sample of a pair; NaN: there is none
}

// float64 takes 53 bits of two words.
func (t *numpyTwister) float64() float64 {
	a, b := t.words.Uint32()>>5, t.words.Uint32()>>6
	return (float64(a)*(1<<26) + float64(b)) / (1 << 53)
}

// normal is Marsaglia's polar method, which makes two samples at a time.
func (t *numpyTwister) normal() float64 {
	if spare := t.spare; spare == spare { // which NaN is not
		t.spare = math.NaN()
		return spare
	}
	for {
		x, y := 2*t.float64()-1, 2*t.float64()-1
		if r := x*x + y*y; r < 1 && r != 0 {
			// legacy_gauss of numpy/random: the second of the pair is given first.
			f := math.Sqrt(-2 * math.Log(r) / r)
			t.spare = f * x
			return f * y
		}
	}
}

// integer masks words until one lies in [low, high), with the smallest mask of ones that covers it.
func (t *numpyTwister) integer(low, high int64) int64 {
	span := uint64(high-low) - 1
	if span > math.MaxUint32 {
		lack("NotImplementedError", "random integers from a range of more than 2**32", nil)
	}
	if span == 0 {
		return low
	}
	mask := uint32(1)<<bits.Len64(span) - 1
	for {
		if v := t.words.Uint32() & mask; uint64(v) <= span {
			return low + int64(v)
		}
	}
}

// numpyStream is what a numpy.random.Generator or RandomState draws from.
type numpyStream struct {
	source interface {
		float64() float64
		normal() float64
		integer(low, high int64) int64
	}
	name string
}

// Type is numpy's name for the class.
func (s *numpyStream) Type() string { return s.name }

// numpyRandomFunctions are what numpy.random is written with.
func numpyRandomFunctions() map[string]method {
	return map[string]method{
		"_pcg(seed, /)": func(m *machine, a arguments) Value {
			seed, ok := python.AsInt(a.positional[0])
			if !ok || seed.Sign() < 0 {
				raise("ValueError", "expected non-negative integer")
			}
			v, _ := new(big.Int).SetString(seed.String(), 10)
			var entropy []uint32
			for word := big.NewInt(math.MaxUint32); v.Sign() > 0 || len(entropy) == 0; v.Rsh(v, 32) {
				entropy = append(entropy, uint32(new(big.Int).And(v, word).Uint64()))
			}
			return &numpyStream{newPCG(entropy), "PCG64"}
		},
		"_twister(seed, /)": func(m *machine, a arguments) Value {
			seed := asIndex(a.positional[0])
			if seed < 0 || seed > math.MaxUint32 {
				raise("ValueError", "Seed must be between 0 and 2**32 - 1")
			}
			return &numpyStream{&numpyTwister{tensor.NewGenerator(uint64(seed)), math.NaN()}, "MT19937"}
		},
		"_draw(stream, kind, count, low=..., high=..., /)": func(m *machine, a arguments) Value {
			from, n := self[*numpyStream](a).source, int(asIndex(a.positional[2]))
			m.budget.chargeItems(n)
			if m.strOf(a.positional[1]) == "integer" {
				low, high := asIndex(a.positional[3]), asIndex(a.positional[4])
				if low >= high {
					raise("ValueError", "low >= high")
				}
				ints := make([]int64, n)
				for i := range ints {
					ints[i] = from.integer(low, high)
				}
				return tensorOfInts(m, ints)
			}
			draw := from.float64
			if m.strOf(a.positional[1]) == "normal" {
				draw = from.normal
			}
			floats := make([]float64, n)
			for i := range floats {
				floats[i] = draw()
			}
			t, err := m.tensors.FromFloats(num.Float64, []int{n}, floats)
			check(err)
			return Tensor{t}
		},
		"_permutation(stream, count, /)": func(m *machine, a arguments) Value {
			from, n := self[*numpyStream](a).source, int(asIndex(a.positional[1]))
			m.budget.chargeItems(n)
			order := make([]int64, n)
			for i := range order {
				order[i] = int64(i)
			}
			for i := n - 1; i > 0; i-- {
				j := from.integer(0, int64(i)+1)
				order[i], order[j] = order[j], order[i]
			}
			return tensorOfInts(m, order)
		},
	}
}

// tensorOfInts makes a 1-dim tensor of int64.
func tensorOfInts(m *machine, v []int64) Value {
	data := make([]byte, 0, 8*len(v))
	for _, x := range v {
		for i := range 8 {
			data = append(data, byte(uint64(x)>>(8*i)))
		}
	}
	t, err := m.tensors.FromBytes(num.Int64, []int{len(v)}, data)
	check(err)
	return Tensor{t}
}
