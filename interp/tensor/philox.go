package tensor

import (
	"math"
	"math/bits"
	"slices"

	"github.com/newtlab/newt/compiler/num"
)

// Philox is torch's CUDA generator: Philox4x32-10 (Salmon et al., Parallel random numbers: as easy as 1, 2, 3, 2011),
// a function of seed, thread and count. Which thread draws which element is that of an NVIDIA H200: as many threads as
// its 132 multiprocessors hold at once walk the elements, each taking the words of a draw with a stride of all threads.
type Philox struct{ seed, offset uint64 }

// The threads of torch's kernels: blocks of 256, as many as 132 multiprocessors of 2048 threads hold.
const (
	philoxBlock  = 256
	philoxBlocks = 132 * 2048 / philoxBlock
)

// NewPhilox makes a generator as manual_seed leaves it.
func NewPhilox(seed uint64) *Philox { return &Philox{seed: seed} }

// Seed restarts the generator.
func (p *Philox) Seed(seed uint64) { *p = Philox{seed: seed} }

// InitialSeed is the seed that was last set.
func (p *Philox) InitialSeed() uint64 { return p.seed }

// Offset is how many numbers each thread has drawn.
func (p *Philox) Offset() uint64 { return p.offset }

// SetOffset goes to a place of the stream, a multiple of 4.
func (p *Philox) SetOffset(offset uint64) { p.offset = offset }

// Device is cuda:0.
func (p *Philox) Device() Device { return CUDA }

// words are the four words of a thread's draw; count is in draws since the seed.
func (p *Philox) words(thread, count uint64) [4]uint32 {
	const m0, m1 = 0xd2511f53, 0xcd9e8d57 // the multipliers of the rounds
	const w0, w1 = 0x9e3779b9, 0xbb67ae85 // what the key grows by: the golden ratio and √3−1
	x := [4]uint32{uint32(count), uint32(count >> 32), uint32(thread), uint32(thread >> 32)}
	k0, k1 := uint32(p.seed), uint32(p.seed>>32)
	for range 10 {
		h0, l0 := bits.Mul32(m0, x[0])
		h1, l1 := bits.Mul32(m1, x[2])
		x = [4]uint32{h1 ^ x[1] ^ k0, l1, h0 ^ x[3] ^ k1, l0}
		k0, k1 = k0+w0, k1+w1
	}
	return x
}

// advance reserves count numbers, which torch rounds up to whole draws, and gives the first draw.
func (p *Philox) advance(count int) (first uint64) {
	first = p.offset / 4
	p.offset += uint64(count+3) &^ 3
	return first
}

// threads is how many threads share n elements.
func threads(n int) int { return min((n+philoxBlock-1)/philoxBlock, philoxBlocks) * philoxBlock }

// fillPhilox draws n elements, per of them a draw, and calls set for each with its part of the draw, from several
// goroutines.
func fillPhilox[V any](p *Philox, n, per int, values func(words [4]uint32) [4]V, set func(i int, v V)) {
	if n == 0 {
		return
	}
	total := threads(n)
	// Every thread counts as many draws as the busiest one: the offset is the same for all.
	first := p.advance(((n-1)/(total*per) + 1) * 4)
	// Draws of neighboring threads follow each other here: they write neighboring elements.
	for round := 0; round*total*per < n; round++ {
		inParallel(min(total, n-round*total*per), 1, 32, func(from, to int) {
			for thread := from; thread < to; thread++ {
				v := values(p.words(uint64(thread), first+uint64(round)))
				for lane := range per {
					// The lanes of a draw lie all threads apart.
					if i := thread + (round*per+lane)*total; i < n {
						set(i, v[lane])
					}
				}
			}
		})
	}
}

// uniform32 maps a word to (0, 1], as curand_uniform does.
func uniform32(w uint32) float32 { return float32(w)*0x1p-32 + 0x1p-33 }

// uniform64 maps two words to (0, 1], as curand_uniform2_double does.
func uniform64(x, y uint32) float64 {
	return float64(uint64(x)^uint64(y)<<21)*0x1p-53 + 0x1p-54
}

func uniforms32(w [4]uint32) (out [4]float32) {
	for i, x := range w {
		out[i] = uniform32(x)
	}
	return out
}

func uniforms64(w [4]uint32) [4]float64 {
	return [4]float64{uniform64(w[0], w[1]), uniform64(w[2], w[3])}
}

func (p *Philox) fillUniform(t *Tensor, from, to float64) {
	needFloat("check_uniform_bounds", t)
	values := make([]float64, t.numel())
	if t.dtype == num.Float64 {
		fillPhilox(p, len(values), 2, uniforms64, func(i int, u float64) {
			if values[i] = math.FMA(u, to-from, from); values[i] == to { // the bounds change places: [from, to)
				values[i] = from
			}
		})
		t.setFloats(values)
		return
	}
	round := rounding(t.dtype)
	low, high := round(from), round(to)
	fillPhilox(p, len(values), 4, uniforms32, func(i int, u float32) {
		values[i] = float64(num.Fma32(u, high-low, low))
	})
	chunksInParallel(len(values), func(from, to int) {
		round := rounding(t.dtype) // which has memory of its own
		for i := from; i < to; i++ {
			if values[i] = float64(round(values[i])); float32(values[i]) == high {
				values[i] = float64(low)
			}
		}
	})
	t.setFloats(values)
}

// normals32 is Box and Muller's method on two pairs of words. CUDA's fast sine and cosine have an absolute error of up
// to 2^-21; these are exact, so that the last bits of a sample differ.
func normals32(w [4]uint32) (out [4]float32) {
	const scale = 0x1p-32 * float32(6.2831855)
	for i := 0; i < 4; i += 2 {
		u := uniform32(w[i])
		v := float32(w[i+1])*scale + scale/2
		radius := float32(math.Sqrt(float64(float32(-2 * float32(math.Log(float64(u)))))))
		sin, cos := math.Sincos(float64(v))
		out[i], out[i+1] = radius*float32(sin), radius*float32(cos)
	}
	return out
}

// normals64 is Box and Muller's method on one pair of float64.
func normals64(w [4]uint32) [4]float64 {
	u := uniform64(w[0], w[1])
	v := float64(uint64(w[2])^uint64(w[3])<<21)*0x1p-52 + 0x1p-53 // in units of π
	radius := math.Sqrt(-2 * math.Log(u))
	sin, cos := math.Sincos(math.Pi * v)
	return [4]float64{sin * radius, cos * radius}
}

func (p *Philox) fillNormal(t *Tensor, mean, std float64) {
	needFloat("normal_kernel_cuda", t)
	values := make([]float64, t.numel())
	if t.dtype == num.Float64 {
		fillPhilox(p, len(values), 2, normals64, func(i int, v float64) { values[i] = math.FMA(v, std, mean) })
	} else {
		fillPhilox(p, len(values), 4, normals32, func(i int, v float32) {
			values[i] = float64(num.Fma32(v, float32(std), float32(mean)))
		})
	}
	t.setFloats(values)
}

// integers draws from width values: one word each, or two where one has too few bits.
func (p *Philox) integers(n int, low int64, width uint64) []int64 {
	out := make([]int64, n)
	set := func(i int, v uint64) { out[i] = int64(v%width + uint64(low)) }
	if width >= 1<<28 {
		fillPhilox(p, n, 2, pairsOfWords, set)
	} else {
		fillPhilox(p, n, 4, singleWords, set)
	}
	return out
}

// pairsOfWords makes two integers of 64 bits of a draw, the first word of each high.
func pairsOfWords(w [4]uint32) [4]uint64 {
	return [4]uint64{uint64(w[0])<<32 | uint64(w[1]), uint64(w[2])<<32 | uint64(w[3])}
}

func singleWords(w [4]uint32) [4]uint64 {
	return [4]uint64{uint64(w[0]), uint64(w[1]), uint64(w[2]), uint64(w[3])}
}

func (p *Philox) fillIntegers(t *Tensor, low, high int) {
	arithmetic("random_", t.dtype)
	if low >= high {
		runtimeError("random_ expects 'from' to be less than 'to', but got from=%d >= to=%d", low, high)
	}
	t.setInts(p.integers(t.numel(), int64(low), uint64(high)-uint64(low)))
}

func (p *Philox) fillExponential(t *Tensor, lambda float64) {
	needFloat("exponential_cuda", t)
	values := make([]float64, t.numel())
	sample := func(i int, u, epsilon float64) {
		v := math.Log(u)
		if u >= 1-epsilon/2 { // log(1) would be 0, which the distribution excludes
			v = -epsilon / 2
		}
		values[i] = -1 / lambda * v
	}
	if t.dtype == num.Float64 {
		fillPhilox(p, len(values), 2, uniforms64, func(i int, u float64) { sample(i, u, 0x1p-52) })
	} else {
		fillPhilox(p, len(values), 4, uniforms32, func(i int, u float32) { sample(i, float64(u), 0x1p-23) })
	}
	t.setFloats(values)
}

func (p *Philox) fillChosen(t *Tensor, probability float64) {
	values := make([]float64, t.numel())
	if t.dtype == num.Float64 {
		fillPhilox(p, len(values), 2, uniforms64, func(i int, u float64) {
			values[i] = float64(truth(u < probability))
		})
	} else {
		limit := float32(probability)
		fillPhilox(p, len(values), 4, uniforms32, func(i int, u float32) { values[i] = float64(truth(u < limit)) })
	}
	t.setFloats(values)
}

// fillBernoulli gives each thread four neighbors, and compares with "not above", unlike fillChosen.
func (p *Philox) fillBernoulli(t, probability *Tensor) {
	values := probability.Floats()
	// torch reserves ten numbers, whatever it draws.
	first := p.advance(10)
	for i := 0; i < len(values); i += 4 {
		u := uniforms32(p.words(uint64(i/4), first))
		for lane := range min(4, len(values)-i) {
			values[i+lane] = float64(truth(float64(u[lane]) <= values[i+lane]))
		}
	}
	t.setFloats(values)
}

// fillFactors is dropout's draw, whose threads take as many neighbors as they load at once, or fewer where that does
// not divide the number of elements; one by one, they take them as other draws do.
func (p *Philox) fillFactors(t *Tensor, vector int, keep float64) {
	n := t.numel()
	limit := float32(keep)
	scale := float64(float32(1 / float64(limit)))
	if t.dtype == num.Float64 {
		scale = 1 / keep
	}
	kept := make([]float64, n)
	choose := func(i int, u float32) {
		if u < limit {
			kept[i] = scale
		}
	}
	for vector > 1 && n%vector != 0 {
		vector /= 2
	}
	if vector == 1 {
		fillPhilox(p, n, 4, uniforms32, choose)
	} else {
		p.chooseVectors(n, vector, choose)
	}
	t.setFloats(kept)
}

func (p *Philox) chooseVectors(n, vector int, choose func(i int, u float32)) {
	total := threads(n)
	first := p.advance(((n-1)/(total*4) + 1) * 4)
	// A draw has four words: a vector of eight elements takes two.
	draws := (vector + 3) / 4
	for thread := range min(total, n/vector) {
		for round := 0; (thread+round*total)*vector < n; round++ {
			at := (thread + round*total) * vector
			for d := range draws {
				u := uniforms32(p.words(uint64(thread), first+uint64(round*draws+d)))
				for lane := range min(vector, 4) {
					choose(at+d*4+lane, u[lane])
				}
			}
		}
	}
}

// permutation sorts 0 … n−1 by random keys of just as many bits that equal ones are unlikely, and shuffles runs of
// equal keys.
func (p *Philox) permutation(n int) []int64 {
	out := make([]int64, n)
	if n == 0 {
		return out
	}
	size := float64(n)
	// So many that all keys differ with a probability of 0.9, by torch's bound for the birthday problem.
	width := min(64, int(math.Ceil(math.Log2(size-(6*size*size+1)/(12*math.Log(0.9))))))
	keys := p.sortKeys(n, width)
	for i := range out {
		out[i] = int64(i)
	}
	slices.SortStableFunc(out, func(i, j int64) int {
		return int(truth(keys[i] > keys[j])) - int(truth(keys[i] < keys[j]))
	})
	first := p.advance(n)
	for start := 0; start < n; {
		end := start + 1
		for end < n && keys[out[end]] == keys[out[start]] {
			end++
		}
		p.shuffle(out[start:end], uint64(start), first)
		start = end
	}
	return out
}

// sortKeys draws what randperm sorts by: the low bits of 32-bit or 64-bit integers.
func (p *Philox) sortKeys(n, width int) []uint64 {
	low, span := int64(math.MinInt32), uint64(math.MaxUint32)
	if width > 32 {
		low, span = math.MinInt64, math.MaxUint64
	}
	keys := make([]uint64, n)
	for i, v := range p.integers(n, low, span) {
		keys[i] = uint64(v)
		switch { // a sign takes part in the order only where all bits do
		case width == 32:
			keys[i] = uint64(uint32(v) ^ 1<<31)
		case width == 64:
			keys[i] ^= 1 << 63
		default:
			keys[i] &= 1<<width - 1
		}
	}
	return keys
}

// shuffle is Fisher and Yates' algorithm on the words of one thread.
func (p *Philox) shuffle(items []int64, thread, first uint64) {
	var words [4]uint32
	drawn := 0
	for i := len(items) - 1; i > 0; i-- {
		if drawn%4 == 0 {
			words = p.words(thread, first+uint64(drawn/4))
		}
		j := int(words[drawn%4] % uint32(i+1))
		drawn++
		items[i], items[j] = items[j], items[i]
	}
}
