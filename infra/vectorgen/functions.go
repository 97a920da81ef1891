package vectorgen

import (
	"math"
	"math/bits"
	"slices"
)

// tile is func(c, a, b []T, rows, depth, n, k, pitch int) with elements of size bytes: to each four of the rows of c it
// adds, depth times, an element of each of as many rows of a times two vectors of a row of b. Rows of c are n elements
// apart, those of a k, and those of b pitch. Product and sum are rounded apart.
func tile(name string, size int, mul, add operation) function {
	const height, unrolled = 4, 4
	return function{name, 14 * 8, func(b *builder) {
		// Arguments are read where they are used, since registers are few.
		distance := func(name string, word, rows int) integer {
			i := b.argument(name, word)
			b.integer(integerShift, i, bits.Len(uint(rows*size))-1)
			return i
		}
		c, a := b.argument("c_base", 0), b.argument("a_base", 3)
		eachRow := func(first, pitch integer, f func(row int, p integer)) {
			p := b.copy(first)
			for row := range height {
				if row > 0 {
					p = b.copy(p)
					b.add(p, pitch)
				}
				f(row, p)
			}
		}
		b.repeat(b.argument("rows", 9), height, func() {
			var sums [height][2]vector
			eachRow(c, distance("n", 11, 1), func(row int, p integer) {
				for i := range sums[row] {
					sums[row][i] = b.load(load, p, i*b.bytes, size)
				}
			})
			var factors [height]integer
			eachRow(a, distance("k", 12, 1), func(row int, p integer) { factors[row] = p })
			from, pitch := b.argument("b_base", 6), distance("pitch", 13, 1)
			step := func(at int) {
				x, y := b.load(load, from, 0, size), b.load(load, from, b.bytes, size)
				for row, sum := range sums {
					factor := b.load(loadSplat, factors[row], at*size, size)
					b.set(sum[0], add, sum[0], b.binary(mul, factor, x))
					b.set(sum[1], add, sum[1], b.binary(mul, factor, y))
				}
				b.add(from, pitch)
			}
			steps := func(n int) {
				for at := range n {
					step(at)
				}
				for _, p := range factors {
					b.advance(p, n*size)
				}
			}
			depth := b.argument("depth", 10)
			b.integer(integerAnd, depth, -unrolled)
			b.repeat(depth, unrolled, func() { steps(unrolled) })
			depth = b.argument("depth", 10)
			b.integer(integerAnd, depth, unrolled-1)
			b.repeat(depth, 1, func() { steps(1) })
			eachRow(c, distance("n", 11, 1), func(row int, p integer) {
				for i, sum := range sums[row] {
					b.store(store, p, i*b.bytes, sum)
				}
			})
			b.add(c, distance("n", 11, height))
			b.add(a, distance("k", 12, height))
		})
	}}
}

// powers is func(dst, x []float32, steps float64, table *[32]uint64) (n int), as compiler/num has it in Go. What is out
// of fp32's range becomes 0 or infinite as the result is rounded to it.
func powers(name string) function {
	return function{name, 9 * 8, func(b *builder) {
		lanes := b.bytes / 8
		dst, count, x, table := b.argument("dst_base", 0), b.argument("dst_len", 1), b.argument("x_base", 3), b.argument("table", 7)
		b.integer(integerAnd, count, -lanes)
		b.result("n", 8, count)
		steps := b.make(instruction{operation: argument, name: "steps", size: 6})
		limit := b.f64(160 * 32)
		within := func(t vector) vector { // between the limits, or NaN
			t = b.choose(b.binary(gtF64, t, limit), limit, t)
			return b.choose(b.binary(gtF64, b.f64(-160*32), t), b.f64(-160*32), t)
		}
		b.repeat(count, lanes, func() {
			t := within(b.binary(mulF64, b.load(loadSingles, x, 0, 4), steps))
			b.store(storeSingles, dst, 0, b.power(t, table))
			b.advance(dst, lanes*4)
			b.advance(x, lanes*4)
		})
	}}
}

// copyRows is func(dst, src unsafe.Pointer, rows, bytes, to, from int). Rows of so many bytes, which fill vectors, are
// to bytes apart in dst and from bytes in src.
func copyRows(name string) function {
	return function{name, 6 * 8, func(b *builder) {
		dst, src := b.argument("dst", 0), b.argument("src", 1)
		rows, bytes := b.argument("rows", 2), b.argument("bytes", 3)
		to, from := b.argument("to", 4), b.argument("from", 5)
		b.repeat(rows, 1, func() {
			p, q, left := b.copy(dst), b.copy(src), b.copy(bytes)
			b.repeat(left, b.bytes, func() {
				b.store(store, p, 0, b.load(load, q, 0, 4))
				b.advance(p, b.bytes)
				b.advance(q, b.bytes)
			})
			b.add(dst, to)
			b.add(src, from)
		})
	}}
}

// transpose is func(dst, src unsafe.Pointer, blocks, to, from int). A block is the first lanes, of 32 bits, of as many
// rows of src as a vector has lanes; its columns are rows of dst. Rows of dst are to bytes apart, those of src from.
// The next block of src is behind the rows of this one, that of dst beside it.
func transpose(name string) function {
	return function{name, 5 * 8, func(b *builder) {
		dst, src, blocks := b.argument("dst", 0), b.argument("src", 1), b.argument("blocks", 2)
		to, from := b.argument("to", 3), b.argument("from", 4)
		lanes := b.bytes / 4
		b.repeat(blocks, 1, func() {
			block := make([]vector, lanes)
			for i := range block {
				block[i] = b.load(load, src, 0, 4)
				b.add(src, from)
			}
			// With the number of a row in front of that of a lane, each turn moves the last bit to the front.
			for range bits.Len(uint(lanes)) - 1 {
				next := make([]vector, lanes)
				for i := range lanes / 2 {
					next[i] = b.binary(even, block[2*i], block[2*i+1])
					next[i+lanes/2] = b.binary(odd, block[2*i], block[2*i+1])
				}
				block = next
			}
			p := b.copy(dst)
			for _, row := range block {
				b.store(store, p, 0, row)
				b.add(p, to)
			}
			b.advance(dst, b.bytes)
		})
	}}
}

// power is 2^(t/32), within fp64's range, as compiler/num has it in Go. The table has the 32 roots of an octave.
func (b *builder) power(t vector, table integer) vector {
	round, interval := b.f64(0x1.8p52), b.bits64(31)
	whole := b.binary(addF64, t, round) // its lower bits are the nearest integer
	r := b.binary(mulF64, b.binary(subF64, t, b.binary(subF64, whole, round)), b.f64(math.Ln2/32))
	p := b.polynomial(r, 1.0/24, 1.0/6, 0.5, 1, 1)
	scale := b.make(instruction{operation: lookUp, a: b.binary(and, whole, interval), integers: [2]integer{table}})
	// What is left of the integer goes to where fp64 has the exponent, 52 bits above that of an octave.
	scale = b.binary(addI64, scale, b.shift(shlI64, b.binary(andNot, whole, interval), 47))
	return b.binary(mulF64, p, scale)
}

// polynomial is that of x with coefficients, the one of the highest power first.
func (b *builder) polynomial(x vector, coefficients ...float64) vector {
	p := b.here(coefficients[0])
	for _, c := range coefficients[1:] {
		p = b.binary(addF64, b.binary(mulF64, p, x), b.here(c))
	}
	return p
}

// exponential is a loop whose third pointer is to power's table: 0 or infinite where fp32 is. Its results are of fp64;
// so are its operands, or, of 4 bytes, they are of fp32 and it subtracts the number behind the last pointer.
func exponential(name string, size int) function {
	return loopOf(name, 8, func(b *builder, p [4]integer) {
		var x vector
		if size == 8 {
			x = b.load(load, p[1], 0, 8)
		} else {
			x = b.binary(subF64, b.load(loadSingles, p[1], 0, 4), b.load(loadSplat, p[3], 0, 8))
		}
		t := b.binary(mulF64, x, b.f64(32*math.Log2E))
		limit := math.Nextafter(160*32, 0)
		r := b.choose(b.binary(gtF64, t, b.f64(limit)), b.f64(math.Inf(1)), b.power(t, p[2]))
		b.store(store, p[0], 0, b.binary(andNot, r, b.binary(gtF64, b.f64(-limit), t)))
		b.advance(p[0], b.bytes)
		b.advance(p[1], b.bytes/8*size)
	})
}

// singles is a loop over half a vector of fp32, in fp64.
func singles(name string, body func(b *builder, p [4]integer)) function {
	return function{name, loopFrame, func(b *builder) {
		p, n, lanes := b.pointers(), b.argument("n", 5), b.bytes/8
		b.integer(integerAnd, n, -lanes)
		b.result("done", 6, n)
		b.repeat(n, lanes, func() { body(b, p) })
	}}
}

// sum is a loop that adds its elements, of size bytes, to four sums in dst in turns, in fp64.
func sum(name string, size int) function {
	return function{name, loopFrame, func(b *builder) {
		o := load
		if size == 4 {
			o = loadSingles
		}
		const lanes = 4
		p, n := b.pointers(), b.argument("n", 5)
		b.integer(integerAnd, n, -lanes)
		b.result("done", 6, n)
		var sums []vector
		for at := 0; at < lanes*8; at += b.bytes {
			sums = append(sums, b.load(load, p[0], at, 8))
		}
		b.repeat(n, lanes, func() {
			for i, v := range sums {
				b.set(v, addF64, v, b.load(o, p[1], i*b.bytes/8*size, size))
			}
			b.advance(p[1], lanes*size)
		})
		for i, v := range sums {
			b.store(store, p[0], i*b.bytes, v)
		}
	}}
}

// logarithm is octave times that of base 2, and unit times an area tangent, as compiler/num has it in Go.
func logarithm(name string, octave, unit float64) function {
	return singles(name, func(b *builder, p [4]integer) {
		const bias = 1024 << 52 // so that the exponent has no sign
		v, zero := b.load(loadSingles, p[1], 0, 4), b.bits(0)
		k := b.shift(shrI64, b.binary(addI64, v, b.bits64(bias-0x3fe6_a09e_667f_3bcd)), 52)
		m := b.binary(addI64, b.binary(subI64, v, b.shift(shlI64, k, 52)), b.bits64(bias))
		s := b.binary(divF64, b.binary(subF64, m, b.f64(1)), b.binary(addF64, m, b.f64(1)))
		z := b.binary(mulF64, s, s)
		tail := b.binary(mulF64, z, b.polynomial(z, 1.0/13, 1.0/11, 1.0/9, 1.0/7, 1.0/5, 1.0/3))
		artanh := b.binary(addF64, s, b.binary(mulF64, s, tail))
		// The bits of 2^52 + k are those of 2^52, and k.
		whole := b.binary(subF64, b.binary(or, k, b.f64(0x1p52)), b.f64(0x1p52+1024))
		r := b.binary(addF64, b.binary(mulF64, whole, b.here(octave)), b.binary(mulF64, artanh, b.here(unit)))
		// Infinity is itself, and of what is not positive, zeros become -infinity and the others NaN.
		r = b.choose(b.binary(gtF64, b.f64(math.Inf(1)), v), r, v)
		size := b.binary(andNot, v, b.here(math.Copysign(0, -1)))
		other := b.choose(b.binary(gtF64, zero, v), b.here(math.NaN()), b.binary(divF64, b.here(-1), size))
		b.store(storeSingles, p[0], 0, b.choose(b.binary(gtF64, v, zero), r, other))
		b.advance(p[0], b.bytes/2)
		b.advance(p[1], b.bytes/2)
	})
}

// waves is a loop that makes sines in dst and cosines in x of y, as compiler/num has it in Go.
func waves(name string) function {
	return singles(name, func(b *builder, p [4]integer) {
		const head = 0x1.921fb544p0 // of π/2
		v, one, round := b.load(loadSingles, p[2], 0, 4), b.f64(1), b.f64(0x1.8p52)
		whole := b.binary(addF64, b.binary(mulF64, v, b.f64(2/math.Pi)), round) // its lower bits are the quarter turns
		k := b.binary(subF64, whole, round)
		r := b.binary(subF64, v, b.binary(mulF64, k, b.f64(head)))
		r = b.binary(subF64, r, b.binary(mulF64, k, b.f64(math.Pi/2-head)))
		z := b.binary(mulF64, r, r)
		sine := b.polynomial(z, 1.0/6227020800, -1.0/39916800, 1.0/362880, -1.0/5040, 1.0/120, -1.0/6)
		sine = b.binary(mulF64, r, b.binary(addF64, one, b.binary(mulF64, z, sine)))
		cosine := b.polynomial(z, 1.0/479001600, -1.0/3628800, 1.0/40320, -1.0/720, 1.0/24, -0.5)
		cosine = b.binary(addF64, one, b.binary(mulF64, z, cosine))
		odd := b.binary(subI64, b.bits(0), b.binary(and, whole, b.bits64(1)))
		sign := func(n vector) vector { return b.shift(shlI64, b.shift(shrI64, n, 1), 63) }
		b.store(storeSingles, p[0], 0, b.binary(xor, b.choose(odd, cosine, sine), sign(whole)))
		next := b.binary(addI64, whole, b.bits64(1))
		b.store(storeSingles, p[1], 0, b.binary(xor, b.choose(odd, sine, cosine), sign(next)))
		for _, at := range p[:3] {
			b.advance(at, b.bytes/2)
		}
	})
}

// boxMuller is a loop that makes two normal samples, in dst and x, of two uniform ones in y and z, as compiler/num has
// it in Go, or NaN where rounding twice may have gone wrong.
func boxMuller(name string) function {
	return singles(name, func(b *builder, p [4]integer) {
		single := func(v vector) vector { return b.unary(singleF64, v) }
		mul := func(x, y vector) vector { return single(b.binary(mulF64, x, y)) }
		add := func(x, y vector) vector { return single(b.binary(addF64, x, y)) }
		number := func(x float32) vector { return b.here(float64(x)) }
		doubt := b.bits64(0)
		fused := func(x, y, z vector) vector {
			s := b.binary(addF64, b.binary(mulF64, x, y), z)
			// What fp32 drops is in front: where it is half a unit, no more, 1 borrows the first bit.
			dropped := b.shift(shlI64, s, 64-29)
			doubt = b.binary(or, doubt, b.binary(andNot, dropped, b.binary(subI64, dropped, b.bits64(1))))
			return single(s)
		}
		// exact is fused where fp64 has the sum as it is.
		exact := func(x, y, z vector) vector { return single(b.binary(addF64, b.binary(mulF64, x, y), z)) }
		polynomial := func(x vector, coefficients ...float32) vector {
			y := number(coefficients[0])
			for _, c := range coefficients[1:] {
				y = fused(y, x, number(c))
			}
			return y
		}

		const bias, halfRoot = 1024 << 52, 0x3fe6_a09e_6000_0000 // sqrt(1/2) in fp32
		x := b.binary(subF64, b.here(1), b.load(loadSingles, p[2], 0, 4))
		k := b.shift(shrI64, b.binary(addI64, x, b.bits64(bias-halfRoot)), 52)
		m := b.binary(addI64, b.binary(subI64, x, b.shift(shlI64, k, 52)), b.bits64(bias))
		x = b.binary(subF64, m, b.here(1))
		e := b.binary(subF64, b.binary(or, k, b.here(0x1p52)), b.here(0x1p52+1024))
		z := mul(x, x)
		y := mul(polynomial(x, 7.0376836292e-2, -1.1514610310e-1, 1.1676998740e-1, -1.2420140846e-1, 1.4249322787e-1,
			-1.6668057665e-1, 2.0000714765e-1, -2.4999993993e-1, 3.3333331174e-1), x)
		y = add(fused(y, z, mul(e, number(-2.12194440e-4))), mul(z, number(-0.5)))
		y = exact(e, number(0.693359375), add(x, y))
		radius := single(b.unary(sqrtF64, b.binary(mulF64, y, b.here(-2))))

		x = mul(b.load(loadSingles, p[3], 0, 4), number(2*math.Pi))
		eighths := mul(x, number(1.27323954473516))
		// The quarter turns, rounded up from the middle on: fp32 has nothing so near below it.
		quarters := b.binary(addF64, b.binary(mulF64, eighths, b.here(0.5)), b.here(0x1p-30))
		whole := b.binary(addF64, quarters, b.here(0x1.8p52))
		y = b.binary(mulF64, b.binary(subF64, whole, b.here(0x1.8p52)), b.here(2))
		for _, part := range []float32{-0.78515625, -2.4187564849853515625e-4, -3.77489497744594108e-8} {
			x = exact(y, number(part), x)
		}
		z = mul(x, x)
		c := mul(polynomial(z, 2.443315711809948e-5, -1.388731625493765e-3, 4.166664568298827e-2), z)
		c = add(fused(c, z, mul(z, number(-0.5))), b.here(1))
		s := polynomial(z, -1.9515295891e-4, 8.3321608736e-3, -1.6666654611e-1)
		s = fused(mul(s, z), x, x)

		mask := func(n vector) vector { return b.binary(subI64, b.bits64(0), n) }
		odd := mask(b.binary(and, whole, b.bits64(1)))
		uncertain := mask(b.shift(shrI64, doubt, 63))
		for i, wave := range []vector{b.choose(odd, s, c), b.choose(odd, c, s)} {
			turn := whole
			if i == 0 {
				turn = b.binary(addI64, whole, b.bits64(1))
			}
			sign := b.shift(shlI64, b.shift(shrI64, turn, 1), 63)
			r := b.binary(or, mul(radius, b.binary(xor, wave, sign)), uncertain)
			b.store(storeSingles, p[i], 0, r)
		}
		for _, at := range p {
			b.advance(at, b.bytes/2)
		}
	})
}

// philox is a loop over 256 draws that makes their four words in dst, all first ones in front: of the threads in x, of
// 64 bits, with the two keys of each round in y and the two words of the count in z, each in 64 bits.
func philox(name string) function {
	return loopOf(name, 4, func(b *builder, p [4]integer) {
		const rounds = 10
		var words [4][2]vector
		for half := range 2 {
			x := [4]vector{b.load(loadSplat, p[3], 0, 8), b.load(loadSplat, p[3], 8, 8),
				b.load(load, p[1], half*b.bytes, 8), b.bits(0)}
			for round := range rounds { // of each lane of 64 bits, the lower half counts
				first := b.binary(mulU32, b.bits64(0xd2511f53), x[0])
				last := b.binary(mulU32, b.bits64(0xcd9e8d57), x[2])
				mix := func(product, word vector, key int) vector {
					word = b.binary(xor, word, b.load(loadSplat, p[2], 16*round+8*key, 8))
					return b.binary(xor, b.shift(shrI64, product, 32), word)
				}
				x = [4]vector{mix(last, x[1], 0), last, mix(first, x[3], 1), first}
			}
			for i, word := range x {
				words[i][half] = word
			}
		}
		for i, word := range words {
			b.store(store, p[0], i*256*4, b.binary(even, word[0], word[1]))
		}
		b.advance(p[0], b.bytes)
		b.advance(p[1], 2*b.bytes)
	})
}

// loopFrame is the size of what the loops of compiler/num are given and return. They are func(f loop, dst, x, y, z
// unsafe.Pointer, n int) (done int), and done is the part of n that fills vectors.
const loopFrame = 7 * 8

// each is a loop that computes vectors of 32 bits from vectors of up to three operands.
func each(name string, operands int, f func(b *builder, x [3]vector) vector) function {
	return eachOf(name, 4, operands, f)
}

// eachOf is each for elements of size bytes.
func eachOf(name string, size, operands int, f func(b *builder, x [3]vector) vector) function {
	return loopOf(name, size, func(b *builder, p [4]integer) {
		var x [3]vector
		for i := range operands {
			x[i] = b.load(load, p[i+1], 0, size)
		}
		b.store(store, p[0], 0, f(b, x))
		for _, at := range p[:operands+1] {
			b.advance(at, b.bytes)
		}
	})
}

// loopOf is a loop over vectors of elements of size bytes; body is given the pointers.
func loopOf(name string, size int, body func(b *builder, p [4]integer)) function {
	return function{name, loopFrame, func(b *builder) {
		p, n := b.pointers(), b.argument("n", 5)
		b.integer(integerAnd, n, -b.bytes/size)
		b.result("done", 6, n)
		b.repeat(n, b.bytes/size, func() { body(b, p) })
	}}
}

// pointers are the arguments of a loop.
func (b *builder) pointers() (p [4]integer) {
	for i, name := range []string{"dst", "x", "y", "z"} {
		p[i] = b.argument(name, 1+i)
	}
	return p
}

// binaryOf is the loop of one operation.
func binaryOf(name string, o operation) function {
	size := 4
	if addF64 <= o && o <= divF64 {
		size = 8
	}
	return eachOf(name, size, 2, func(b *builder, x [3]vector) vector { return b.binary(o, x[0], x[1]) })
}

// withNumber is the loop of one operation on fp64 whose second operand is one element.
func withNumber(name string, o operation) function {
	return loopOf(name, 8, func(b *builder, p [4]integer) {
		b.store(store, p[0], 0, b.binary(o, b.load(load, p[1], 0, 8), b.load(loadSplat, p[2], 0, 8)))
		b.advance(p[0], b.bytes)
		b.advance(p[1], b.bytes)
	})
}

// truth is a mask as int1.
func (b *builder) truth(mask vector) vector { return b.shift(shrI32, mask, 31) }

func compareOf(name string, o operation) function {
	return each(name, 2, func(b *builder, x [3]vector) vector { return b.truth(b.binary(o, x[0], x[1])) })
}

// unlike is a comparison that holds where o does not.
func unlike(name string, o operation) function {
	return each(name, 2, func(b *builder, x [3]vector) vector {
		return b.binary(andNot, b.bits(1), b.binary(o, x[0], x[1]))
	})
}

// extreme is the larger of two numbers, or the smaller: 0 is larger than -0. If propagate, a NaN is the result, else
// the other operand is.
func extreme(name string, largest, propagate bool) function {
	return each(name, 2, func(b *builder, x [3]vector) vector {
		zeros, first, second := and, x[0], x[1]
		if !largest {
			zeros, first, second = or, x[1], x[0]
		}
		kept := b.binary(gtF32, first, second) // x[0] is
		isNaN := func(v vector) vector { return b.binary(andNot, b.bits(math.MaxUint32), b.binary(eqF32, v, v)) }
		if propagate {
			kept = b.binary(or, kept, isNaN(x[0]))
		} else {
			kept = b.binary(or, kept, isNaN(x[1]))
		}
		r := b.choose(kept, x[0], x[1])
		return b.choose(b.binary(eqF32, x[0], x[1]), b.binary(zeros, x[0], x[1]), r)
	})
}

// half is a float of 16 bits, as compiler/num has formats: the bits of a mantissa that fp32 has beyond it, its least
// encoding that is no finite number, and the factor between its exponents in fp32's place and fp32's; 1 where they are
// the same.
type half struct {
	dropped int
	special uint32
	up      float32
}

var (
	fp16 = half{13, 0x7c00, 0x1p112}
	bf16 = half{16, 0x7f80, 1}
)

const (
	signBit  = 1 << 31
	infinity = 0x7f80_0000
)

// magnitude is the bits of x without the sign, and the sign.
func (b *builder) magnitude(x vector) (magnitude, sign vector) {
	return b.binary(andNot, x, b.bits(signBit)), b.binary(and, x, b.bits(signBit))
}

// rounded is a loop that rounds fp32 to nearest, ties to even.
func (h half) rounded(name string) function {
	return each(name, 1, func(b *builder, x [3]vector) vector {
		low := uint32(1)<<h.dropped - 1
		magnitude, sign := b.magnitude(x[0])
		tie := b.binary(and, b.shift(shrI32, magnitude, h.dropped), b.bits(1))
		r := b.binary(addI32, b.binary(addI32, magnitude, b.bits(low/2)), tie)
		r = b.binary(andNot, r, b.bits(low))
		if h.up != 1 { // what is less than the least normal number is a multiple of the least number
			magic, normal := b.f32(0x1p-126*h.up*float32(int(1)<<h.dropped)), math.Float32bits(0x1p-126*h.up)
			multiple := b.binary(subF32, b.binary(addF32, magnitude, magic), magic)
			r = b.choose(b.binary(gtI32, b.bits(normal), magnitude), multiple, r)
		}
		largest := math.Float32bits(math.Float32frombits((h.special-1)<<h.dropped) * h.up)
		r = b.choose(b.binary(gtI32, r, b.bits(largest)), b.bits(infinity), r)
		nan := b.bits(infinity | (0x7fff^h.special)<<h.dropped)
		return b.choose(b.binary(gtI32, magnitude, b.bits(infinity)), nan, b.binary(or, r, sign))
	})
}

// loaded is a loop that reads memory.
func (h half) loaded(name string) function {
	return loopOf(name, 4, func(b *builder, p [4]integer) {
		x := b.load(loadHalves, p[1], 0, 2)
		r := b.shift(shlI32, x, 16)
		if h.up != 1 {
			magnitude := b.binary(and, x, b.bits(0x7fff))
			placed := b.shift(shlI32, magnitude, h.dropped)
			special := b.binary(or, b.binary(xor, placed, b.bits(h.special<<h.dropped)), b.bits(infinity))
			finite := b.binary(mulF32, placed, b.f32(h.up))
			finite = b.choose(b.binary(gtI32, magnitude, b.bits(h.special-1)), special, finite)
			r = b.binary(or, finite, b.binary(and, r, b.bits(signBit)))
		}
		b.store(store, p[0], 0, r)
		b.advance(p[0], b.bytes)
		b.advance(p[1], b.bytes/2)
	})
}

// stored is a loop that writes values of the format to memory. A NaN keeps the bits that the format has, if that leaves
// one.
func (h half) stored(name string) function {
	return loopOf(name, 4, func(b *builder, p [4]integer) {
		magnitude, sign := b.magnitude(b.load(load, p[1], 0, 4))
		placed := b.shift(shrI32, magnitude, h.dropped)
		finite := placed
		if h.up != 1 {
			finite = b.shift(shrI32, b.binary(mulF32, magnitude, b.f32(1/h.up)), h.dropped)
		}
		special := b.binary(or, b.binary(and, placed, b.bits(h.special&-h.special-1)), b.bits(h.special))
		lost := b.binary(eqI32, placed, b.bits(infinity>>h.dropped))
		lost = b.binary(and, lost, b.binary(gtI32, magnitude, b.bits(infinity)))
		special = b.choose(lost, b.bits(0x7fff), special)
		r := b.choose(b.binary(gtI32, magnitude, b.bits(infinity-1)), special, finite)
		b.store(storeHalves, p[0], 0, b.binary(or, r, b.shift(shrI32, sign, 16)))
		b.advance(p[0], b.bytes/2)
		b.advance(p[1], b.bytes)
	})
}

// loops are those of compiler/num that a first visit to the page runs, in the order of their numbers.
var loops = []function{
	binaryOf("AddFloat32", addF32),
	binaryOf("SubFloat32", subF32),
	binaryOf("MulFloat32", mulF32),
	binaryOf("DivFloat32", divF32),
	extreme("MinFloat32", false, false),
	extreme("MaxFloat32", true, false),
	extreme("MinNaNFloat32", false, true),
	extreme("MaxNaNFloat32", true, true),
	compareOf("EqFloat32", eqF32),
	unlike("NeFloat32", eqF32),
	each("LtFloat32", 2, func(b *builder, x [3]vector) vector { return b.truth(b.binary(gtF32, x[1], x[0])) }),
	each("LeFloat32", 2, func(b *builder, x [3]vector) vector { return b.truth(b.binary(geF32, x[1], x[0])) }),
	each("NegFloat32", 1, func(b *builder, x [3]vector) vector { return b.binary(xor, x[0], b.bits(signBit)) }),
	each("AbsFloat32", 1, func(b *builder, x [3]vector) vector { return b.binary(andNot, x[0], b.bits(signBit)) }),
	each("SqrtFloat32", 1, func(b *builder, x [3]vector) vector {
		return b.choose(b.binary(gtF32, b.bits(0), x[0]), b.f32(float32(math.NaN())), b.unary(sqrtF32, x[0]))
	}),
	binaryOf("AddInt32", addI32),
	binaryOf("SubInt32", subI32),
	binaryOf("MulInt32", mulI32),
	each("MinInt32", 2, func(b *builder, x [3]vector) vector { return b.choose(b.binary(gtI32, x[0], x[1]), x[1], x[0]) }),
	each("MaxInt32", 2, func(b *builder, x [3]vector) vector { return b.choose(b.binary(gtI32, x[0], x[1]), x[0], x[1]) }),
	binaryOf("And32", and),
	binaryOf("Or32", or),
	binaryOf("Xor32", xor),
	compareOf("EqInt32", eqI32),
	unlike("NeInt32", eqI32),
	each("LtInt32", 2, func(b *builder, x [3]vector) vector { return b.truth(b.binary(gtI32, x[1], x[0])) }),
	unlike("LeInt32", gtI32),
	each("Select32", 3, func(b *builder, x [3]vector) vector {
		return b.choose(b.binary(subI32, b.bits(0), x[0]), x[1], x[2])
	}),
	each("Int32ToFloat32", 1, func(b *builder, x [3]vector) vector { return b.unary(i32ToF32, x[0]) }),
	each("Float32ToInt32", 1, func(b *builder, x [3]vector) vector {
		r := b.unary(f32ToI32, x[0])
		if !b.saturates { // out of range it is the least number, whose bits are those of the largest inverted
			r = b.binary(xor, r, b.binary(geF32, x[0], b.f32(0x1p31)))
			r = b.binary(and, r, b.binary(eqF32, x[0], x[0]))
		}
		return r
	}),
	// The elements of y with even numbers go to dst, those with odd ones to x.
	loopOf("Deinterleave32", 4, func(b *builder, p [4]integer) {
		x, y := b.load(load, p[2], 0, 4), b.load(load, p[2], b.bytes, 4)
		b.store(store, p[0], 0, b.binary(even, x, y))
		b.store(store, p[1], 0, b.binary(odd, x, y))
		b.advance(p[0], b.bytes)
		b.advance(p[1], b.bytes)
		b.advance(p[2], 2*b.bytes)
	}),
	waves("SinCos"),
	// x is one element.
	loopOf("Fill32", 4, func(b *builder, p [4]integer) {
		b.store(store, p[0], 0, b.load(loadSplat, p[1], 0, 4))
		b.advance(p[0], b.bytes)
	}),
	singles("Float32ToFloat64", func(b *builder, p [4]integer) {
		b.store(store, p[0], 0, b.load(loadSingles, p[1], 0, 4))
		b.advance(p[0], b.bytes)
		b.advance(p[1], b.bytes/2)
	}),
	singles("Float64ToFloat32", func(b *builder, p [4]integer) {
		b.store(storeSingles, p[0], 0, b.load(load, p[1], 0, 8))
		b.advance(p[0], b.bytes/2)
		b.advance(p[1], b.bytes)
	}),
	withNumber("AddNumber", addF64),
	withNumber("MulNumber", mulF64),
	sum("SumFloat32", 4),
	sum("SumFloat64", 8),
	// The next words of a Mersenne Twister, of those in x, behind them in y, and in z.
	each("Twist", 3, func(b *builder, x [3]vector) vector {
		word := b.binary(or, b.binary(and, x[0], b.bits(signBit)), b.binary(andNot, x[1], b.bits(signBit)))
		odd := b.binary(subI32, b.bits(0), b.binary(and, word, b.bits(1)))
		matrix := b.binary(and, odd, b.bits(0x9908b0df))
		return b.binary(xor, b.binary(xor, x[2], b.shift(shrI32, word, 1)), matrix)
	}),
	each("Temper", 1, func(b *builder, x [3]vector) vector {
		y := b.binary(xor, x[0], b.shift(shrI32, x[0], 11))
		y = b.binary(xor, y, b.binary(and, b.shift(shlI32, y, 7), b.bits(0x9d2c5680)))
		y = b.binary(xor, y, b.binary(and, b.shift(shlI32, y, 15), b.bits(0xefc60000)))
		return b.binary(xor, y, b.shift(shrI32, y, 18))
	}),
}

// laterLoops are its others. They are a function apart, which the page need not fetch with the first ones.
var laterLoops = []function{
	binaryOf("AddFloat64", addF64),
	binaryOf("SubFloat64", subF64),
	binaryOf("MulFloat64", mulF64),
	binaryOf("DivFloat64", divF64),
	fp16.rounded("RoundFloat16"),
	bf16.rounded("RoundBFloat16"),
	fp16.loaded("LoadFloat16"),
	bf16.loaded("LoadBFloat16"),
	fp16.stored("StoreFloat16"),
	bf16.stored("StoreBFloat16"),
	each("Uint32ToFloat32", 1, func(b *builder, x [3]vector) vector {
		high := b.binary(mulF32, b.unary(i32ToF32, b.shift(shrI32, x[0], 16)), b.f32(1<<16))
		return b.binary(addF32, high, b.unary(i32ToF32, b.binary(and, x[0], b.bits(0xffff))))
	}),
	eachOf("RoundToFloat32", 8, 1, func(b *builder, x [3]vector) vector { return b.unary(singleF64, x[0]) }),
	exponential("Exp", 8),
	exponential("ExpAbove", 4),
	logarithm("Log", math.Ln2, 2),
	logarithm("Log2", 1, 2*math.Log2E),
	philox("Philox"),
	boxMuller("BoxMuller"),
}

// names are what compiler/num calls the loops by.
func names() string {
	out := "// Code generated by infra/vectorgen. DO NOT EDIT.\n\npackage num\n\n" +
		"// The loops on vectors. 0 stands for none.\nconst (\n\t_ loop = iota\n"
	for _, f := range slices.Concat(loops, laterLoops) {
		out += "\tloop" + f.name + "\n"
	}
	return out + ")\n\n" +
		"// firstLater is the first one that laterLoops has.\nconst firstLater = loop" + laterLoops[0].name + "\n"
}

// goPackage has functions on vectors: those of tables and others.
type goPackage struct {
	folder    string
	tables    []table
	functions []function
}

// table are functions without names in Go, and the name of the function that goes on with the one that its argument
// numbers, from 1 on.
type table struct {
	name      string
	functions []function
}

func (p goPackage) path() string { return "github.com/newtlab/newt/" + p.folder }

func packages() []goPackage {
	return []goPackage{
		{"compiler/num", []table{{"loops", loops}, {"laterLoops", laterLoops}}, []function{
			powers("vectorPowers"), copyRows("copyRows"), transpose("transpose"),
		}},
		{"interp/gemm", nil, []function{tile("addSingles", 4, mulF32, addF32), tile("addDoubles", 8, mulF64, addF64)}},
	}
}

// files are the files of the tree that are written here.
func files() map[string]string {
	out := map[string]string{"compiler/num/loops.go": names()}
	for _, p := range packages() {
		for name, t := range targets {
			out[p.folder+"/vectors_"+name+".s"] = t.assembly(p)
		}
	}
	return out
}
