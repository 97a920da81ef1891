package tensor

// Stream is a source of random numbers, as torch has one for each device: it fills tensors with the values that torch
// draws there.
type Stream interface {
	// Seed restarts the stream.
	Seed(seed uint64)
	// InitialSeed is the seed that was last set.
	InitialSeed() uint64
	// Device is where the tensors lie that the stream may fill.
	Device() Device

	fillUniform(t *Tensor, from, to float64)
	fillNormal(t *Tensor, mean, std float64)
	fillIntegers(t *Tensor, low, high int)
	fillExponential(t *Tensor, lambda float64)
	permutation(n int) []int64
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
	values := make([]float64, t.numel())
	for i := range values {
		values[i] = float64(truth(float64(g.float(24)) < p))
	}
	t.setFloats(values)
}

func (g *Generator) fillBernoulli(t *Tensor, p *Tensor) {
	values := p.Floats()
	for i, v := range values {
		values[i] = float64(truth(float64(g.float(24)) < v))
	}
	t.setFloats(values)
}

func (g *Generator) fillFactors(t *Tensor, _ int, keep float64) {
	g.fillChosen(t, keep)
	mapFloats(t, t.dtype, []*Tensor{t}, func(dst []float64, in [][]float64) {
		for i, v := range in[0] {
			dst[i] = v / keep
		}
	})
}
