package sim

import (
	"math"
)

func matrixOps() map[string]builder {
	return map[string]builder{
		"ldmatrix": loadMatrix,
		"stmatrix": storeMatrix,
		"mma":      mma,
	}
}

// Matrices of ldmatrix and stmatrix: 8 rows of 16 bytes; thread t has two elements of row t/4, or,
// transposed, of column t/4.
const (
	matrixRows  = 8
	matrixBytes = 16
)

var matrixCounts = map[string]int{"x1": 1, "x2": 2, "x4": 4}

// fragment is the row and the column of the first of two elements that thread t has, and the steps
// to the second.
func fragment(t int, trans bool) (row, col, rowStep, colStep int) {
	if trans {
		return t % 4 * 2, t / 4, 1, 0
	}
	return t / 4, t % 4 * 2, 0, 1
}

// matrices is what ldmatrix and stmatrix share.
func (c *cursor) matrices() (n int, trans bool) {
	c.d.granule = min(c.d.granule, matrixBytes)
	return matrixCounts[c.oneOf("x1", "x2", "x4")], c.has("trans")
}

// rows checks and orders the warp's accesses to n matrices and gives their bytes, one row of a
// matrix for each of the first 8·n threads' addresses.
func (w *warp) rows(mode Access, mask uint32, a address, n int) (rows [warpSize][]byte, f *Fault) {
	if f := w.checkConverged(mask, full); f != nil {
		return rows, f
	}
	w.synchronize(mask)
	var at lanes
	a.of(w, &at)
	f = w.reach(spaceShared, mode, consistency{}, uint32(maskBits(matrixRows*n)), &at, matrixBytes, func(lane int,
		data []byte) {
		rows[lane] = data
	})
	w.synchronize(mask)
	return rows, f
}

func loadMatrix(c *cursor) exec {
	n, trans := c.matrices()
	var dst []int32
	for _, o := range c.takeVector(n) {
		dst = append(dst, c.dstOf(o, types["b32"]))
	}
	a := c.takeAddress(spaceShared)
	return func(w *warp, mask uint32) *Fault {
		rows, f := w.rows(AccessRead, mask, a, n)
		if f != nil {
			return f
		}
		for m, d := range dst {
			for t := range w.regs[d] {
				row, col, down, right := fragment(t, trans)
				x := readBits(rows[m*matrixRows+row][2*col : 2*col+2])
				y := readBits(rows[m*matrixRows+row+down][2*(col+right) : 2*(col+right)+2])
				w.regs[d][t] = y<<16 | x
			}
		}
		return nil
	}
}

func storeMatrix(c *cursor) exec {
	n, trans := c.matrices()
	a := c.takeAddress(spaceShared)
	var values []value
	for _, o := range c.takeVector(n) {
		values = append(values, c.srcOf(o, types["b32"]))
	}
	return func(w *warp, mask uint32) *Fault {
		rows, f := w.rows(AccessWrite, mask, a, n)
		if f != nil {
			return f
		}
		for m, v := range values {
			x := w.get(v)
			for t := range x {
				row, col, down, right := fragment(t, trans)
				writeBits(rows[m*matrixRows+row][2*col:2*col+2], x[t])
				writeBits(rows[m*matrixRows+row+down][2*(col+right):2*(col+right)+2], x[t]>>16)
			}
		}
		return nil
	}
}

const (
	mmaM = 16
	mmaN = 8
	maxK = 32
)

// multiplication is an mma as decoded. A register of A or B holds per = 32/bits neighbors in k.
type multiplication struct {
	k, per        int
	elemA, elemB  *typ
	sum           *typ
	a, b, c       []value
	d             []int32
	clampIntegers bool
}

func mma(c *cursor) exec {
	v := &multiplication{k: c.op.Shape[2], clampIntegers: c.has("satfinite")}
	v.sum, v.elemB, v.elemA, _ = c.takeType(), c.takeType(), c.takeType(), c.takeType()
	v.per = 32 / v.elemA.bits
	reg, sumReg := types["b32"], v.sum
	sums := mmaM * mmaN / warpSize
	if v.sum.bits == 16 {
		sums, sumReg = sums/2, reg
	}
	v.d = c.takeDsts(sums, sumReg)
	v.a, v.b = c.takeSrcs(mmaM*v.k/v.per/warpSize, reg), c.takeSrcs(v.k*mmaN/v.per/warpSize, reg)
	v.c = c.takeSrcs(sums, sumReg)
	return v.exec
}

// exec gathers A (16×k), B (k×8) and C from the registers, multiplies, and hands D out. Products
// and sums are exact to fp64's 53 bits and rounded once to nearest, which is closer than hardware.
func (v *multiplication) exec(w *warp, mask uint32) *Fault {
	if f := w.checkConverged(mask, full); f != nil {
		return f
	}
	w.synchronize(mask)
	var a [mmaM][maxK]float64
	var b [mmaN][maxK]float64
	for r, x := range v.a {
		for t, word := range w.get(x) {
			// PTX ISA, "Matrix Fragments for mma.m16n8k16": register r of A has row t/4 or, if odd, 8 below;
			// registers 2 and 3 the second half of k. B has column t/4 alone.
			v.spread(v.elemA, word, a[t/4+8*(r&1)][:], t%4*v.per+(r>>1)*4*v.per)
		}
	}
	for r, x := range v.b {
		for t, word := range w.get(x) {
			v.spread(v.elemB, word, b[t/4][:], t%4*v.per+r*4*v.per)
		}
	}
	var sums [4]lanes
	for i := range sums {
		c := w.get(v.c[i*v.sum.bits/32])
		for t := range sums[i] {
			old := c[t] >> (i * v.sum.bits % 32) & v.sum.mask()
			sums[i][t] = v.dot(&a[t/4+8*(i>>1)], &b[t%4*2+i&1], old)
		}
	}
	for r, d := range v.d {
		if v.sum.bits == 32 {
			w.regs[d] = sums[r]
			continue
		}
		for t := range w.regs[d] {
			w.regs[d][t] = sums[2*r][t] | sums[2*r+1][t]<<16
		}
	}
	return nil
}

// spread writes the elements of a register to row from index k on.
func (v *multiplication) spread(t *typ, word uint64, row []float64, k int) {
	for e := 0; e < v.per; e++ {
		row[k+e] = t.element(word >> (e * t.bits) & t.mask())
	}
}

// element is an element of a matrix as fp64: a float, or an integer of 8 bits.
func (t *typ) element(x uint64) float64 {
	switch {
	case t.isFloat():
		return t.format.load(x)
	case t.signed():
		return float64(int8(x))
	}
	return float64(x)
}

// dot is one element of D as bits.
func (v *multiplication) dot(a, b *[maxK]float64, old uint64) uint64 {
	sum := dotOf(a, b, v.k)
	if v.sum.isFloat() {
		return v.sum.format.store(sum+v.sum.format.load(old), roundNearest)
	}
	// Integers: exact, since 32 products of 8-bit numbers and a 32-bit sum fit fp64's 53 bits.
	sum += float64(int32(old))
	if v.clampIntegers {
		sum = math.Max(math.MinInt32, math.Min(math.MaxInt32, sum))
	}
	return uint64(uint32(int64(sum)))
}

// dotOf is the sum of k products, k a multiple of 4.
func dotOf(a, b *[maxK]float64, k int) float64 {
	// Four sums that do not wait for each other; hardware's order is not documented.
	var part [4]float64
	for i := 0; i < k; i += 4 {
		part[0] += a[i] * b[i]
		part[1] += a[i+1] * b[i+1]
		part[2] += a[i+2] * b[i+2]
		part[3] += a[i+3] * b[i+3]
	}
	return part[0] + part[1] + (part[2] + part[3])
}
