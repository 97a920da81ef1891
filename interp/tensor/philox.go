package tensor

import (
	"math"

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

const philoxRun = num.PhiloxRun // any number of threads above it is a multiple of it

type philoxWords = num.PhiloxWords

// draw is a draw of the first n threads of a run; count is in draws since the seed.
func (p *Philox) draw(out *philoxWords, thread, count uint64, n int) {
	num.Philox(out, p.seed, thread, count, n)
}

// advance reserves count numbers, which torch rounds up to whole draws, and gives the first draw.
func (p *Philox) advance(count int) (first uint64) {
	first = p.offset / 4
	p.offset += uint64(count+3) &^ 3
	return first
}

// threads is how many threads share n elements.
func threads(n int) int { return min((n+philoxBlock-1)/philoxBlock, philoxBlocks) * philoxBlock }

// philoxLanes are the elements that a run of threads makes of a draw: all first ones, all second ones and so on.
type philoxLanes[V any] [4][philoxRun]V

// fillPhilox draws n elements, per of them a draw, and hands them to sink by several goroutines.
func fillPhilox[V any](p *Philox, n, per int, elements func(w *philoxWords, out *philoxLanes[V]), to sink[V]) {
	if n == 0 {
		return
	}
	total := threads(n)
	// Every thread counts as many draws as the busiest one: the offset is the same for all.
	first := p.advance(((n-1)/(total*per) + 1) * 4)
	for round := 0; round*total*per < n; round++ {
		base := round * total * per
		inParallel(min(total, n-base), philoxRun, 16, func(from, end int) {
			write, words, lanes := to(), &philoxWords{}, &philoxLanes[V]{}
			for thread := from; thread < end; thread += philoxRun {
				p.draw(words, uint64(thread), first+uint64(round), philoxRun)
				elements(words, lanes)
				for lane := range per {
					// The lanes of a draw lie all threads apart.
					if at := base + lane*total + thread; at < n {
						write(at, lanes[lane][:min(philoxRun, n-at)])
					}
				}
			}
		})
	}
}

// sink makes, for one goroutine, what takes runs of elements, each with the index of its first one.
type sink[V any] func() func(at int, run []V)

// intoTensor writes the elements of a tensor.
func intoTensor[V any](t *Tensor, write func(*writer, []V)) sink[V] {
	data := t.storage.write()
	return func() func(int, []V) {
		w := &writer{*t.elements(data)}
		return func(at int, run []V) {
			t.storage.of.poll()
			w.seek(at)
			write(w, run)
		}
	}
}

// intoSlice writes the elements of a slice.
func intoSlice[V any](c *Context, s []V) sink[V] {
	return func() func(int, []V) { return func(at int, run []V) { c.poll(); copy(s[at:], run) } }
}

// uniform32 maps a word to (0, 1], as curand_uniform does.
func uniform32(w uint32) float32 { return float32(w)*0x1p-32 + 0x1p-33 }

// uniform64 maps two words to (0, 1], as curand_uniform2_double does.
func uniform64(x, y uint32) float64 {
	return float64(uint64(x)^uint64(y)<<21)*0x1p-53 + 0x1p-54
}

// eachWord makes an element of each word.
func eachWord[V any](f func(w uint32) V) func(*philoxWords, *philoxLanes[V]) {
	return func(w *philoxWords, out *philoxLanes[V]) {
		for lane := range w {
			for i, x := range w[lane] {
				out[lane][i] = f(x)
			}
		}
	}
}

// eachPair makes an element of the first two words, and one of the last two.
func eachPair[V any](f func(x, y uint32) V) func(*philoxWords, *philoxLanes[V]) {
	return func(w *philoxWords, out *philoxLanes[V]) {
		for lane := range 2 {
			for i, x := range w[2*lane] {
				out[lane][i] = f(x, w[2*lane+1][i])
			}
		}
	}
}

// uniforms32 is eachWord of uniform32.
func uniforms32(w *philoxWords, out *philoxLanes[float32]) {
	for lane := range w {
		uniforms(out[lane][:], w[lane][:])
	}
}

// uniforms are the numbers in (0, 1] that uniform32 has for words.
func uniforms(dst []float32, words []uint32) {
	num.WordsToFloat32(dst, words)
	for i, x := range dst {
		dst[i] = x*0x1p-32 + 0x1p-33
	}
}

// scale32 changes v to v·by + plus, rounded once.
func scale32(v []float32, by, plus float32) {
	for i, x := range v {
		if by == 1 {
			v[i] = x + plus
		} else {
			v[i] = num.Fma32(x, by, plus)
		}
	}
}

func (p *Philox) fillUniform(t *Tensor, from, to float64) {
	needFloat("check_uniform_bounds", t)
	if t.dtype == num.Float64 {
		fillPhilox(p, t.numel(), 2, eachPair(func(x, y uint32) float64 {
			if v := math.FMA(uniform64(x, y), to-from, from); v != to {
				return v
			}
			return from // the bounds change places: [from, to)
		}), intoTensor(t, (*writer).floats))
		return
	}
	bounds := []float32{float32(from), float32(to)}
	roundTo(t.dtype, bounds)
	low, high := bounds[0], bounds[1]
	fillPhilox(p, t.numel(), 4, uniforms32, intoTensor(t, func(w *writer, run []float32) {
		scale32(run, high-low, low)
		roundTo(t.dtype, run)
		for i, v := range run {
			if v == high {
				run[i] = low
			}
		}
		w.singles(run)
	}))
}

// normals32 is Box and Muller's method on two pairs of words. CUDA's fast sine and cosine have an absolute error of up
// to 2^-21; these are exact, so that the last bits of a sample differ.
func normals32(w *philoxWords, out *philoxLanes[float32]) {
	const scale = 0x1p-32 * float32(6.2831855)
	var u, angle [philoxRun]float32
	radius := num.Vec{F32: u[:]}
	for pair := 0; pair < 4; pair += 2 {
		uniforms(u[:], w[pair][:])
		num.WordsToFloat32(angle[:], w[pair+1][:])
		for i, x := range angle {
			angle[i] = float32(x*scale) + scale/2
		}
		num.Unary(num.Log, num.Float32)(radius, radius)
		for i, x := range u {
			u[i] = -2 * x
		}
		num.Unary(num.Sqrt, num.Float32)(radius, radius)
		sines, cosines := &out[pair], &out[pair+1]
		num.SinCos32(sines[:], cosines[:], angle[:])
		num.Binary(num.Mul, num.Float32)(num.Vec{F32: sines[:]}, num.Vec{F32: sines[:]}, radius)
		num.Binary(num.Mul, num.Float32)(num.Vec{F32: cosines[:]}, num.Vec{F32: cosines[:]}, radius)
	}
}

// normals64 is Box and Muller's method on one pair of float64.
func normals64(w *philoxWords, out *philoxLanes[float64]) {
	for i := range philoxRun {
		u := uniform64(w[0][i], w[1][i])
		v := float64(uint64(w[2][i])^uint64(w[3][i])<<21)*0x1p-52 + 0x1p-53 // in units of π
		radius := math.Sqrt(-2 * math.Log(u))
		sin, cos := math.Sincos(math.Pi * v)
		out[0][i], out[1][i] = sin*radius, cos*radius
	}
}

func (p *Philox) fillNormal(t *Tensor, mean, std float64) {
	needFloat("normal_kernel_cuda", t)
	if t.dtype == num.Float64 {
		fillPhilox(p, t.numel(), 2, normals64, intoTensor(t, func(w *writer, run []float64) {
			for i, v := range run {
				run[i] = math.FMA(v, std, mean)
			}
			w.floats(run)
		}))
		return
	}
	fillPhilox(p, t.numel(), 4, normals32, intoTensor(t, func(w *writer, run []float32) {
		scale32(run, float32(std), float32(mean))
		w.singles(run)
	}))
}

// integers draws from width values, 0 for all of 64 bits: one word each, or two where one has too few bits.
func (p *Philox) integers(n int, low int64, width uint64, wide bool, to sink[int64]) {
	among := func(v uint64) int64 {
		if width != 0 {
			v %= width
		}
		return int64(v + uint64(low))
	}
	if wide {
		fillPhilox(p, n, 2, eachPair(func(x, y uint32) int64 { return among(uint64(x)<<32 | uint64(y)) }), to)
	} else {
		fillPhilox(p, n, 4, eachWord(func(w uint32) int64 { return among(uint64(w)) }), to)
	}
}

func (p *Philox) fillIntegers(t *Tensor, low, high int) {
	arithmetic("random_", t.dtype)
	if low >= high {
		runtimeError("random_ expects 'from' to be less than 'to', but got from=%d >= to=%d", low, high)
	}
	width := uint64(high) - uint64(low)
	p.integers(t.numel(), int64(low), width, width >= 1<<28, intoTensor(t, (*writer).ints))
}

func (p *Philox) fillExponential(t *Tensor, lambda float64) {
	needFloat("exponential_cuda", t)
	sample := func(u, epsilon float64) float64 {
		v := math.Log(u)
		if u >= 1-epsilon/2 { // log(1) would be 0, which the distribution excludes
			v = -epsilon / 2
		}
		return -1 / lambda * v
	}
	to := intoTensor(t, (*writer).floats)
	if t.dtype == num.Float64 {
		double := func(x, y uint32) float64 { return sample(uniform64(x, y), 0x1p-52) }
		fillPhilox(p, t.numel(), 2, eachPair(double), to)
	} else {
		single := func(w uint32) float64 { return sample(float64(uniform32(w)), 0x1p-23) }
		fillPhilox(p, t.numel(), 4, eachWord(single), to)
	}
}

func (p *Philox) fillChosen(t *Tensor, probability float64) {
	to := intoTensor(t, (*writer).ints)
	if t.dtype == num.Float64 {
		double := func(x, y uint32) int64 { return truth(uniform64(x, y) < probability) }
		fillPhilox(p, t.numel(), 2, eachPair(double), to)
	} else {
		limit := float32(probability)
		fillPhilox(p, t.numel(), 4, eachWord(func(w uint32) int64 { return truth(uniform32(w) < limit) }), to)
	}
}

// fillBernoulli gives each thread four neighbors, and compares with "not above", unlike fillChosen.
func (p *Philox) fillBernoulli(t, probability *Tensor) {
	values := probability.Floats()
	// torch reserves ten numbers, whatever it draws.
	drawn := make([]float32, len(values))
	p.neighbors(len(values), 4, len(values), p.advance(10), intoSlice(t.storage.of, drawn))
	for i, u := range polled(t.storage.of, drawn) {
		values[i] = float64(truth(float64(u) <= values[i]))
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
	to := intoTensor(t, func(w *writer, run []float32) {
		kept := make([]float64, len(run))
		for i, u := range run {
			if u < limit {
				kept[i] = scale
			}
		}
		w.floats(kept)
	})
	for vector > 1 && n%vector != 0 {
		vector /= 2
	}
	if vector == 1 {
		fillPhilox(p, n, 4, uniforms32, to)
		return
	}
	total := threads(n)
	p.neighbors(n, vector, total, p.advance(((n-1)/(total*4)+1)*4), to)
}

// neighbors draws n elements, of which each of total threads takes so many neighbors at a time, as numbers in (0, 1].
// first is its first draw.
func (p *Philox) neighbors(n, vector, total int, first uint64, to sink[float32]) {
	// A draw has four words: a vector of eight elements takes two.
	draws := (vector + 3) / 4
	inParallel((n+vector-1)/vector, philoxRun, 4*vector, func(from, end int) {
		write, words, run := to(), &philoxWords{}, make([]float32, philoxRun*vector)
		for group := from; group < end; group += philoxRun {
			count := min(philoxRun, end-group)
			for d := range draws {
				p.draw(words, uint64(group%total), first+uint64(group/total*draws+d), count)
				for lane := range min(vector, 4) {
					for i, w := range words[lane][:count] {
						run[i*vector+4*d+lane] = uniform32(w)
					}
				}
			}
			write(group*vector, run[:min(count*vector, n-group*vector)])
		}
	})
}

// fillPermutation sorts 0 … n−1 by random keys of just as many bits that equal ones are unlikely, and shuffles runs of
// equal keys.
func (p *Philox) fillPermutation(t *Tensor) {
	n, c := t.numel(), t.storage.of
	if n == 0 {
		return
	}
	size := float64(n)
	// So many that all keys differ with a probability of 0.9, by torch's bound for the birthday problem.
	width := min(64, int(math.Ceil(math.Log2(size-(6*size*size+1)/(12*math.Log(0.9))))))
	keys := p.sortKeys(c, n, width)
	sortKeys(c, keys, make([]sortKey, n))
	out, first, start := make([]int64, n), p.advance(n), 0
	for i, key := range polled(c, keys) {
		out[i] = key.at
		if end := i + 1; end == n || keys[end].rank != key.rank {
			p.shuffle(out[start:end], uint64(start), first)
			start = end
		}
	}
	t.setInts(out)
}

// sortKeys draws what randperm sorts by: the low bits of 32-bit or 64-bit integers.
func (p *Philox) sortKeys(c *Context, n, width int) []sortKey {
	low, span := int64(math.MinInt32), uint64(math.MaxUint32)
	if width > 32 {
		low, span = math.MinInt64, math.MaxUint64
	}
	drawn, keys := make([]int64, n), make([]sortKey, n)
	p.integers(n, low, span, true, intoSlice(c, drawn))
	for i, v := range polled(c, drawn) {
		rank := uint64(v)
		switch { // a sign takes part in the order only where all bits do
		case width == 32:
			rank = uint64(uint32(v) ^ 1<<31)
		case width == 64:
			rank ^= 1 << 63
		default:
			rank &= 1<<width - 1
		}
		keys[i] = sortKey{rank, int64(i)}
	}
	return keys
}

// shuffle is Fisher and Yates' algorithm on the words of one thread.
func (p *Philox) shuffle(items []int64, thread, first uint64) {
	var words philoxWords
	drawn := 0
	for i := len(items) - 1; i > 0; i-- {
		if drawn%4 == 0 {
			p.draw(&words, thread, first+uint64(drawn/4), 1)
		}
		j := int(words[drawn%4][0] % uint32(i+1))
		drawn++
		items[i], items[j] = items[j], items[i]
	}
}
