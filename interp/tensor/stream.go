package tensor

import (
	"math"

	"github.com/newtlab/newt/compiler/num"
)

// Stream is a source of random numbers, as torch has one for each device: it fills tensors with the values that torch
// draws there.
type Stream interface {
	// Seed restarts the stream.
	Seed(seed uint64)
	// InitialSeed is the seed that was last set.
	InitialSeed() uint64
	// State is the stream's state as torch lays it out in bytes, and SetState puts it back; false for other bytes.
	State() []byte
	SetState(data []byte) bool
	// Device is where the tensors lie that the stream may fill.
	Device() Device

	fillUniform(t *Tensor, from, to float64)
	fillNormal(t *Tensor, mean, std float64)
	fillIntegers(t *Tensor, low, high int)
	// fillWhole fills t with integers from all that its dtype holds: from 0 to the largest, or up to which floats are
	// exact.
	fillWhole(t *Tensor)
	fillExponential(t *Tensor, lambda float64)
	// fillPermutation writes 0 … n−1 in a random order.
	fillPermutation(t *Tensor)
	// fillChosen writes 1 with probability p, and 0 otherwise.
	fillChosen(t *Tensor, p float64)
	// fillBernoulli writes 1 with the probability that p has at each element, and 0 otherwise.
	fillBernoulli(t *Tensor, p *Tensor)
	// fillFactors writes what dropout multiplies by: the inverse of keep with probability keep, and 0 otherwise; a
	// thread of a GPU takes atOnce neighbors.
	fillFactors(t *Tensor, atOnce int, keep float64)
}

// NewStream makes a stream for a device, as torch.Generator(device) does.
func NewStream(d Device) Stream {
	if d.Type == "cuda" {
		return NewPhilox(DefaultSeed)
	}
	return NewGenerator(DefaultSeed)
}

// stream is the one that an operation draws from: the generator that it was given, or that of the place of its result.
func (c *Context) stream(given any) Stream {
	own := Stream(c.Generator)
	if c.cuda {
		own = c.CUDAGenerator
	}
	s, ok := given.(Stream)
	if !ok {
		return own
	}
	if s.Device() != own.Device() {
		runtimeError("Expected a '%s' device type for generator but found '%s'", own.Device().Type, s.Device().Type)
	}
	return s
}

// Device is cpu.
func (g *Generator) Device() Device { return CPU }

func (g *Generator) fillChosen(t *Tensor, p float64) {
	g.choose(t, func(int) float64 { return p })
}

func (g *Generator) fillBernoulli(t *Tensor, p *Tensor) {
	probabilities := p.Floats()
	g.choose(t, func(i int) float64 { return probabilities[i] })
}

// choose makes each element 1 with its probability, and 0 otherwise.
func (g *Generator) choose(t *Tensor, probability func(i int) float64) {
	values, drawn := make([]int64, t.numel()), make([]float32, chunk)
	t.storage.of.chunksOf(0, len(values), func(from, to int) {
		g.singles(drawn[:to-from], 24)
		for i := range values[from:to] {
			values[from+i] = truth(float64(drawn[i]) < probability(from+i))
		}
	})
	t.setInts(values)
}

func (g *Generator) fillFactors(t *Tensor, _ int, keep float64) {
	g.fillChosen(t, keep)
	mapFloats(t, t.dtype, []*Tensor{t}, func(dst []float64, in [][]float64) {
		for i, v := range in[0] {
			dst[i] = v / keep
		}
	})
}

// The layout of the CPU generator's state (at::CPUGeneratorImplState): a Mersenne Twister's with words of eight bytes,
// a sample of the normal distribution in float64 that is kept for the next draw, and one in float32.
const (
	stateSeed   = 0
	stateLeft   = 8 // words left before the state is renewed, plus one
	stateSeeded = 12
	stateNext   = 16 // the next word
	stateWords  = 24
	stateSpare  = stateWords + 8*624 + 8 // behind a field that is no longer used
	stateSpared = stateSpare + 16
	stateSize   = 5056
)

// State is the generator's state as torch.get_rng_state gives it.
func (g *Generator) State() []byte {
	data := make([]byte, stateSize)
	order.PutUint64(data[stateSeed:], g.seed)
	order.PutUint32(data[stateLeft:], uint32(len(g.state)-g.next)+1)
	order.PutUint32(data[stateSeeded:], 1)
	order.PutUint64(data[stateNext:], uint64(g.next))
	for i, w := range g.state {
		order.PutUint64(data[stateWords+8*i:], uint64(w))
	}
	order.PutUint64(data[stateSpare:], math.Float64bits(g.spare))
	order.PutUint32(data[stateSpared:], uint32(truth(g.spared)))
	return data
}

// SetState puts back what State gave.
func (g *Generator) SetState(data []byte) bool {
	if len(data) != stateSize || order.Uint64(data[stateNext:]) > uint64(len(g.state)) {
		return false
	}
	g.seed, g.next = order.Uint64(data[stateSeed:]), int(order.Uint64(data[stateNext:]))
	for i := range g.state {
		g.state[i] = uint32(order.Uint64(data[stateWords+8*i:]))
	}
	g.spare = math.Float64frombits(order.Uint64(data[stateSpare:]))
	g.spared = order.Uint32(data[stateSpared:]) != 0
	return true
}

// State is the seed and the offset.
func (p *Philox) State() []byte {
	return order.AppendUint64(order.AppendUint64(nil, p.seed), p.offset)
}

// SetState puts back what State gave.
func (p *Philox) SetState(data []byte) bool {
	if len(data) != 16 {
		return false
	}
	p.seed, p.offset = order.Uint64(data), order.Uint64(data[8:])
	return true
}

// wholeRange is how many values random_ draws from, without bounds; 0 means 2^63.
func wholeRange(d num.DType) uint64 {
	info := d.Info()
	switch {
	case d == num.Int1:
		return 2
	case d == num.Float64:
		return 1<<53 + 1
	case info.Float:
		return 1<<digits[d] + 1
	case info.Signed:
		return 1 << (info.Bits - 1)
	}
	return 1 << info.Bits // 0 for uint64
}

func (g *Generator) fillWhole(t *Tensor) {
	out, width := make([]int64, t.numel()), wholeRange(t.dtype)
	for i := range polled(t.storage.of, out) {
		switch v := uint64(0); {
		case t.dtype.Info().Bits == 64:
			if v = g.uint64(); width != 0 {
				v %= width
			}
			out[i] = int64(v)
		default:
			out[i] = int64(uint64(g.uint32()) % width)
		}
	}
	t.setInts(out)
}

func (p *Philox) fillWhole(t *Tensor) {
	p.integers(t.numel(), 0, wholeRange(t.dtype), t.dtype.Info().Bits == 64, intoTensor(t, (*writer).ints))
}
