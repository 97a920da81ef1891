package host

import (
	"hash"
	"math"
	"math/big"
	"math/bits"
	"slices"

	"github.com/newtlab/newt/compiler/python"
)

// twister is the Mersenne Twister MT19937 (Matsumoto and Nishimura 1998), which CPython's random draws from.
type twister struct {
	state [624]uint32
	next  int
	gauss Value // the second value of the pair that gauss() made, nil if it was used
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
	t.state[0], t.next, t.gauss = 1<<31, len(t.state), nil
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

// index is below for the sizes of sequences.
func (t *twister) index(n int) int {
	k := bits.Len(uint(n))
	if k > 32 {
		return int(t.below(big.NewInt(int64(n))).Int64())
	}
	// The upper bits, as getrandbits gives them.
	r := t.word() >> (32 - k)
	for int(r) >= n {
		r = t.word() >> (32 - k)
	}
	return int(r)
}

// newTwister is seeded with a fixed number: a run without a seed of its own is repeatable.
func newTwister() *twister {
	t := &twister{}
	t.seedInt(new(big.Int))
	return t
}

// randomMethod is a function of random, or a method of random.Random.
type randomMethod func(m *machine, t *twister, a arguments) Value

// randomLibrary is random: the functions of one hidden object, as in Python.
func randomLibrary(*machine) map[string]Value {
	shared := newTwister()
	class := nativeClass("random", "Random", map[string]method{
		"__init__": func(m *machine, a arguments) Value {
			o, t := self[*Instance](a), newTwister()
			o.native = t
			if len(a.positional) > 1 && a.positional[1] != none {
				seedTwister(m, t, a.positional[1])
			}
			return none
		},
	})
	members := map[string]Value{"Random": class, "SystemRandom": refused("random.SystemRandom")}
	for name, f := range randomMethods() {
		members[name] = &Builtin{name, func(m *machine, a arguments) Value { return f(m, shared, a) }}
		class.define(name, &Builtin{name, func(m *machine, a arguments) Value {
			return f(m, native[*twister](a), a.tail())
		}})
	}
	return members
}

// seedTwister is seed(a) of Python's version 2.
func seedTwister(m *machine, t *twister, v Value) {
	switch v := v.(type) {
	case python.Bool, python.Int:
		i, _ := python.AsInt(v)
		t.seedInt(i.Big())
	case python.Str:
		// Version 2 of seed(): the text and its SHA-512 are one big-endian integer.
		sum := hasherNamed(m, "sha512")
		sum.Write([]byte(v))
		t.seedInt(new(big.Int).SetBytes(sum.Sum([]byte(v))))
	case python.None:
		t.seedInt(new(big.Int))
	case python.Float:
		t.seedInt(floatHash(float64(v)))
	default:
		raise("TypeError", "The only supported seed types are: None,\nint, float, str, bytes, and bytearray.")
	}
}

// hasherNamed is a hash function by its name in hashlib.
func hasherNamed(m *machine, name string) hash.Hash {
	h, ok := m.options.Codecs.Hash(name)
	if !ok {
		lack("NotImplementedError", "hashlib."+name, nil)
	}
	return h
}

// floatHash is Python's hash of a float: its value modulo 2^61 - 1.
func floatHash(f float64) *big.Int {
	r := new(big.Rat)
	// sys.hash_info.inf; only the same stream on each run matters for nan.
	if r.SetFloat64(f) == nil {
		return big.NewInt(314159)
	}
	p := big.NewInt(1<<61 - 1)
	// The hash of a fraction is numerator times inverse of the denominator ("hashing of numeric types" in the
	// manual).
	h := new(big.Int).ModInverse(r.Denom(), p)
	h.Mul(h, new(big.Int).Abs(r.Num())).Mod(h, p)
	if f < 0 {
		h.Neg(h)
	}
	return h
}

func bigOf(v Value) *big.Int {
	i, ok := python.AsInt(plain(v))
	if !ok {
		raise("TypeError", "'%s' object cannot be interpreted as an integer", v.Type())
	}
	return i.Big()
}

// variate is a function of floats; usual are the parameters' defaults, NaN where there is none.
func variate(name, signature string, usual []float64, f func(t *twister, p []float64) float64) randomMethod {
	return func(m *machine, t *twister, a arguments) Value {
		p := slices.Clone(usual)
		for i, v := range a.bound(name, signature) {
			if v != nil {
				p[i] = m.floatOf(v)
			}
		}
		m.budget.countStep(m.at)
		return python.Float(f(t, p))
	}
}

func randomMethods() map[string]randomMethod {
	return map[string]randomMethod{
		"seed": func(m *machine, t *twister, a arguments) Value {
			v := a.bound("seed", "a=, version=")
			seedTwister(m, t, given(v[0], none))
			return none
		},
		"random": func(m *machine, t *twister, a arguments) Value {
			a.want("random", 0, 0)
			return python.Float(t.float())
		},
		"getrandbits": func(m *machine, t *twister, a arguments) Value {
			k := asIndex(a.bound("getrandbits", "k")[0])
			if k < 0 {
				raise("ValueError", "number of bits must be non-negative")
			}
			return must(python.NewBig(t.bits(int(min(k, python.MaxBits+1)))))
		},
		"randbytes": func(m *machine, t *twister, a arguments) Value {
			n := asIndex(a.bound("randbytes", "n")[0])
			m.budget.chargeItems(int(min(max(n, 0), 1<<40)))
			data := t.bits(8 * int(n)).FillBytes(make([]byte, n))
			slices.Reverse(data) // getrandbits(8 n) in the little order of bytes
			return Bytes(data)
		},
		"randrange": randomRange,
		"randint": func(m *machine, t *twister, a arguments) Value {
			v := a.bound("randint", "a, b")
			low, high := bigOf(v[0]), bigOf(v[1])
			n := new(big.Int).Sub(high, low)
			if n.Add(n, big.NewInt(1)).Sign() <= 0 {
				raise("ValueError", "empty range for randrange() (%s, %s, %s)", low, high.Add(high, big.NewInt(1)), n)
			}
			return must(python.NewBig(low.Add(low, t.below(n))))
		},
		"choice": func(m *machine, t *twister, a arguments) Value {
			seq := a.bound("choice", "seq")[0]
			n := m.lengthOf(seq)
			if n == 0 {
				raise("IndexError", "Cannot choose from an empty sequence")
			}
			return m.itemOf(seq, intValue(t.index(n)))
		},
		"shuffle": func(m *machine, t *twister, a arguments) Value {
			x := a.bound("shuffle", "x")[0]
			// The order of the draws is part of the result: Lib/random.py walks from the end.
			for i := m.lengthOf(x) - 1; i > 0; i-- {
				m.budget.countStep(m.at)
				j := t.index(i + 1)
				u, v := m.itemOf(x, intValue(i)), m.itemOf(x, intValue(j))
				m.setItem(x, intValue(i), v)
				m.setItem(x, intValue(j), u)
			}
			return none
		},
		"sample":  randomSample,
		"choices": randomChoices,
		"uniform": variate("uniform", "a, b", make([]float64, 2), func(t *twister, p []float64) float64 {
			width := p[1] - p[0]
			return p[0] + float64(width*t.float()) // rounded after the product: no fused operation
		}),
		"triangular": variate("triangular", "low=, high=, mode=", []float64{0, 1, math.NaN()}, triangular),
		"gauss":      variate("gauss", "mu=, sigma=", []float64{0, 1}, (*twister).normal),
		"normalvariate": variate("normalvariate", "mu=, sigma=", []float64{0, 1},
			func(t *twister, p []float64) float64 { return p[0] + float64(t.kinderman()*p[1]) }),
		"lognormvariate": variate("lognormvariate", "mu=, sigma=", []float64{0, 1},
			func(t *twister, p []float64) float64 { return python.Exp(p[0] + float64(t.kinderman()*p[1])) }),
		"expovariate": variate("expovariate", "lambd=", []float64{1},
			func(t *twister, p []float64) float64 { return -python.Log(1-t.float()) / p[0] }),
		"paretovariate": variate("paretovariate", "alpha", []float64{0},
			func(t *twister, p []float64) float64 { return exactPower(1-t.float(), -1/p[0]) }),
		"weibullvariate": variate("weibullvariate", "alpha, beta", make([]float64, 2),
			func(t *twister, p []float64) float64 { return p[0] * exactPower(-python.Log(1-t.float()), 1/p[1]) }),
		"gammavariate": variate("gammavariate", "alpha, beta", make([]float64, 2), gammaVariate),
		"betavariate": variate("betavariate", "alpha, beta", make([]float64, 2), func(t *twister, p []float64) float64 {
			y := gammaVariate(t, []float64{p[0], 1})
			if y == 0 {
				return 0
			}
			return y / (y + gammaVariate(t, []float64{p[1], 1}))
		}),
		"getstate": func(m *machine, t *twister, a arguments) Value {
			words := make(Tuple, 0, len(t.state)+1)
			for _, w := range t.state {
				words = append(words, python.NewInt(int64(w)))
			}
			m.budget.chargeItems(len(words))
			// 3 is the version of the state that CPython 3.12 pickles.
			return Tuple{intValue(3), append(words, intValue(t.next)), given(t.gauss, none)}
		},
		"setstate": func(m *machine, t *twister, a arguments) Value {
			parts, ok := a.bound("setstate", "state")[0].(Tuple)
			if !ok || len(parts) != 3 || m.lengthOf(parts[1]) != len(t.state)+1 {
				raise("ValueError", "state vector is the wrong size")
			}
			words := m.itemsOf(parts[1])
			for i := range t.state {
				t.state[i] = uint32(asIndex(words[i]))
			}
			t.next, t.gauss = int(asIndex(words[len(t.state)])), nil
			if parts[2] != none {
				t.gauss = parts[2]
			}
			return none
		},
	}
}

func randomRange(m *machine, t *twister, a arguments) Value {
	v := a.bound("randrange", "start, stop=, step=")
	low, high, step := new(big.Int), bigOf(v[0]), big.NewInt(1)
	if v[1] != nil && v[1] != none {
		low, high = high, bigOf(v[1])
	}
	if v[2] != nil {
		step = bigOf(v[2])
	}
	n := new(big.Int).Sub(high, low)
	switch step.Sign() {
	case 0:
		raise("ValueError", "zero step for randrange()")
	case 1:
		n.Add(n, step).Sub(n, big.NewInt(1)).Div(n, step)
	default:
		n.Add(n, step).Add(n, big.NewInt(1)).Quo(n, step)
	}
	if n.Sign() <= 0 {
		if v[1] == nil {
			raise("ValueError", "empty range for randrange()")
		}
		if step.Cmp(big.NewInt(1)) == 0 {
			raise("ValueError", "empty range for randrange() (%s, %s, %s)", low, high, new(big.Int).Sub(high, low))
		}
		raise("ValueError", "empty range for randrange()")
	}
	return must(python.NewBig(low.Add(low, step.Mul(step, t.below(n)))))
}

func randomSample(m *machine, t *twister, a arguments) Value {
	v := a.bound("sample", "population, k, *, counts=")
	if _, isSet := v[0].(*Set); isSet {
		raise("TypeError", "Population must be a sequence.  For dicts or sets, use sorted(d).")
	}
	population := m.itemsOf(v[0])
	if v[2] != nil && v[2] != none {
		var all []Value
		for i, c := range m.itemsOf(v[2]) {
			n := int(max(asIndex(c), 0))
			m.budget.chargeItems(n)
			for range n {
				all = append(all, population[i])
			}
		}
		population = all
	}
	n, k := len(population), int(asIndex(v[1]))
	if k < 0 || k > n {
		raise("ValueError", "Sample larger than population or is negative")
	}
	m.budget.chargeItems(k)
	result := make([]Value, k)
	// Python's choice between a pool and a set of what was drawn, which decides the numbers drawn.
	size := 21
	if k > 5 {
		size += int(math.Pow(4, math.Ceil(math.Log(float64(k*3))/math.Log(4))))
	}
	if n <= size {
		pool := slices.Clone(population)
		for i := range k {
			j := t.index(n - i)
			result[i] = pool[j]
			pool[j] = pool[n-i-1]
		}
		return &List{result}
	}
	drawn := map[int]bool{}
	for i := range k {
		j := t.index(n)
		for drawn[j] {
			j = t.index(n)
		}
		drawn[j] = true
		result[i] = population[j]
	}
	return &List{result}
}

func randomChoices(m *machine, t *twister, a arguments) Value {
	v := a.bound("choices", "population, weights=, *, cum_weights=, k=")
	population, k := m.itemsOf(v[0]), int(max(asIndex(given(v[3], intValue(1))), 0))
	n := len(population)
	m.budget.chargeItems(k)
	out := make([]Value, k)
	if given(v[1], v[2]) == nil || given(given(v[1], v[2]), none) == none {
		if n == 0 && k > 0 {
			raise("IndexError", "list index out of range")
		}
		for i := range out {
			out[i] = population[int(math.Floor(t.float()*float64(n)))]
		}
		return &List{out}
	}
	sums := weightSums(m, v[1], v[2])
	if len(sums) != n {
		raise("ValueError", "The number of weights does not match the population")
	}
	if n == 0 || sums[n-1] <= 0 {
		raise("ValueError", "Total of weights must be greater than zero")
	}
	for i := range out {
		x := t.float() * sums[n-1]
		at, _ := slices.BinarySearchFunc(sums[:n-1], x, func(s, x float64) int {
			if s <= x { // bisect_right: to the right of equal sums
				return -1
			}
			return 1
		})
		out[i] = population[at]
	}
	return &List{out}
}

// weightSums are the cumulative weights: given, or added up.
func weightSums(m *machine, weights, sums Value) []float64 {
	var out []float64
	total := 0.0
	if weights != nil && weights != none {
		if sums != nil && sums != none {
			raise("TypeError", "Cannot specify both weights and cumulative weights")
		}
		for _, w := range m.itemsOf(weights) {
			total += m.floatOf(w)
			out = append(out, total)
		}
		return out
	}
	for _, s := range m.itemsOf(sums) {
		out = append(out, m.floatOf(s))
	}
	return out
}

func triangular(t *twister, p []float64) float64 {
	low, high, u, c := p[0], p[1], t.float(), 0.5
	if !math.IsNaN(p[2]) {
		if high == low {
			return low
		}
		c = (p[2] - low) / (high - low)
	}
	if u > c {
		u, c, low, high = 1-u, 1-c, high, low
	}
	return low + float64((high-low)*math.Sqrt(u*c))
}

// normal is gauss(): the Box-Muller transform, which makes two values at once.
func (t *twister) normal(p []float64) float64 {
	z := t.gauss
	t.gauss = nil
	if z == nil {
		angle := t.float() * (2 * math.Pi)
		radius := math.Sqrt(-2 * python.Log(1-t.float()))
		z = python.Float(python.Cos(angle) * radius)
		t.gauss = python.Float(python.Sin(angle) * radius)
	}
	f, _ := z.(python.Float)
	return p[0] + float64(float64(f)*p[1])
}

// kinderman draws from the normal distribution by the ratio of uniform deviates (Kinderman and Monahan 1977).
func (t *twister) kinderman() float64 {
	magic := 4 * math.Exp(-0.5) / math.Sqrt(2)
	for {
		u, v := t.float(), 1-t.float()
		z := magic * (u - 0.5) / v
		if z*z/4 <= -python.Log(v) {
			return z
		}
	}
}

// gammaVariate follows CPython's: Cheng 1977 above 1, the exponential at 1, Kennedy and Gentle below.
func gammaVariate(t *twister, p []float64) float64 {
	alpha, beta := p[0], p[1]
	if alpha <= 0 || beta <= 0 {
		raise("ValueError", "gammavariate: alpha and beta must be > 0.0")
	}
	switch {
	case alpha > 1:
		ainv := math.Sqrt(2*alpha - 1)
		b, c := alpha-math.Log(4), alpha+ainv
		for {
			u1 := t.float()
			if !(1e-7 < u1 && u1 < 0.9999999) {
				continue
			}
			u2 := 1 - t.float()
			v := python.Log(u1/(1-u1)) / ainv
			x := alpha * python.Exp(v)
			z := u1 * u1 * u2
			r := b + float64(c*v) - x
			if r+(1+math.Log(4.5))-4.5*z >= 0 || r >= python.Log(z) {
				return x * beta
			}
		}
	case alpha == 1:
		return -python.Log(1-t.float()) * beta
	}
	for {
		b := (math.E + alpha) / math.E
		p := b * t.float()
		x := -python.Log((b - p) / alpha)
		if p <= 1 {
			x = exactPower(p, 1/alpha)
		}
		u := t.float()
		if p > 1 && u <= exactPower(x, alpha-1) || p <= 1 && u <= python.Exp(-x) {
			return x * beta
		}
	}
}

// exactPower is x ** y as C's pow rounds it.
func exactPower(x, y float64) float64 {
	v, err := python.Binary("**", python.Float(x), python.Float(y))
	f, _ := must(v, err).(python.Float)
	return float64(f)
}
