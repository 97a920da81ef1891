package axis

import (
	"github.com/newtlab/newt/compiler/ops"
)

// sum is add and addptr, whose offset counts in elements where divisibility counts in bytes.
func sum(u *operation) {
	scale := int64(1)
	if u.in.Op == ops.AddPtr {
		scale = elementBytes(u.in.Operands[0])
	}
	for d := range u.out.dims {
		x, y := u.x.dims[d], u.y.dims[d]
		if u.in.Op == ops.AddPtr {
			y = y.widened(u.in.Operands[1].Type.DType)
		}
		// A run stays one if what is added is constant along it.
		c := max(min(x.Contiguity, y.Constancy), min(x.Constancy, y.Contiguity))
		u.out.dims[d].Contiguity = c
		u.out.dims[d].Divisibility = min(x.at(c), multiply(y.at(c), scale))
	}
	if u.in.Op == ops.Add {
		u.out.value, u.out.known = u.x.value+u.y.value, u.bothSmall()
	}
}

// bothSmall reports whether both operands are known and too small for what is made of them to overflow.
func (u *operation) bothSmall() bool {
	return u.x.known && u.y.known && small(u.x.value) && small(u.y.value)
}

func small(v int64) bool { return v > -1<<31 && v < 1<<31 }

// multiply is the product of two divisibilities.
func multiply(x, y int64) int64 { return min(maxDivisibility, x*y) }

func difference(u *operation) {
	u.subtract(1)
	u.out.value, u.out.known = u.x.value-u.y.value, u.bothSmall()
}

// subtract: two runs that go up together have a constant difference. One that was widened to 64 bits may have wrapped
// within it at 2^31, but in no block that it is aligned to, whose divisibility counts in units of scale.
func (u *operation) subtract(scale int64) {
	wide := u.in.Results[0].Type.DType.Info().Bits == 64
	run := func(d Dim) int64 {
		if wide {
			return min(d.Contiguity, max(1, d.Divisibility/scale))
		}
		return d.Contiguity
	}
	for d := range u.out.dims {
		x, y := u.x.dims[d], u.y.dims[d]
		c := min(x.Contiguity, y.Constancy)
		k := max(min(x.Constancy, y.Constancy), min(run(x), run(y)))
		u.out.dims[d] = Dim{c, min(x.at(c), y.at(c)), k}
	}
}

func pointerDifference(u *operation) {
	size := elementBytes(u.in.Operands[0])
	u.subtract(size)
	for d := range u.out.dims {
		u.out.dims[d].Divisibility = max(1, u.out.dims[d].Divisibility/size)
	}
}

func product(u *operation) {
	for d := range u.out.dims {
		u.out.dims[d].Divisibility = multiply(u.x.dims[d].at(1), u.y.dims[d].at(1))
	}
	switch {
	case u.x.known && u.x.value == 1:
		u.setResult(u.y)
	case u.y.known && u.y.value == 1:
		u.setResult(u.x)
	}
	u.out.value, u.out.known = u.x.value*u.y.value, u.bothSmall()
}

// setResult makes the result equal to f, of the same shape.
func (u *operation) setResult(f *fact) {
	copy(u.out.dims, f.dims)
	u.out.value, u.out.known, u.out.nonNegative = f.value, f.known, f.nonNegative
}

// quotientRun is the length, at most that of a run of the dividend, over which the dividend stays
// between two multiples of the divisor, which is constant there. It holds for dividends from 0 on.
func (u *operation) quotientRun(d int) int64 {
	x, y := u.x.dims[d], u.y.dims[d]
	return min(x.Contiguity, x.Divisibility, y.Constancy, y.at(1))
}

// mayDivide reports whether facts may rest on the dividend being natural and the divisor positive.
func (u *operation) mayDivide() bool {
	ok := true
	if !u.x.nonNegative {
		ok = u.addAssumption(u.in.Operands[0], 0)
	}
	if !u.y.known {
		ok = ok && u.addAssumption(u.in.Operands[1], 1)
	}
	return ok && !(u.y.known && u.y.value < 1)
}

// worthwhile reports whether some dimension has blocks of more than one element.
func (u *operation) worthwhile() bool {
	for d := range u.out.dims {
		if u.quotientRun(d) > 1 {
			return true
		}
	}
	return false
}

func quotient(u *operation) {
	if !u.in.Results[0].Type.IsInt() {
		return
	}
	u.out.nonNegative = u.out.nonNegative || u.x.nonNegative && u.y.nonNegative
	if u.y.known && u.y.value == 1 {
		u.setResult(u.x)
		return
	}
	step := int64(0) // the divisor, where it is a power of two
	// Divisibilities are powers of two, so only such a divisor leaves one.
	if u.y.known && u.y.value > 0 && lowBit(u.y.value) == u.y.value {
		step = u.y.value
	}
	rests := u.worthwhile() && u.mayDivide()
	for d := range u.out.dims {
		x, out := u.x.dims[d], &u.out.dims[d]
		m := u.quotientRun(d)
		if rests {
			out.Constancy = max(out.Constancy, m)
		}
		if step > 0 && x.Divisibility >= step && (x.Contiguity == 1 || rests && m == x.Contiguity) {
			out.Divisibility = x.Divisibility / step
		}
	}
	if u.bothSmall() && u.y.value != 0 {
		u.out.value, u.out.known = u.x.value/u.y.value, true
	}
}

func remainder(u *operation) {
	if !u.in.Results[0].Type.IsInt() {
		return
	}
	u.out.nonNegative = u.out.nonNegative || u.x.nonNegative
	rests := u.worthwhile() && u.mayDivide()
	for d := range u.out.dims {
		c := int64(1)
		if rests {
			c = u.quotientRun(d)
		}
		u.out.dims[d].Contiguity = c
		u.out.dims[d].Divisibility = min(u.x.dims[d].at(c), u.y.dims[d].at(1))
	}
	if u.bothSmall() && u.y.value != 0 {
		u.out.value, u.out.known = u.x.value%u.y.value, true
	}
}

// count is a shift's count where it is known and below the width.
func (u *operation) count() (n int, ok bool) {
	bits := u.in.Results[0].Type.DType.Info().Bits
	if !u.y.known || u.y.value < 0 || u.y.value >= int64(bits) {
		return 0, false
	}
	return int(u.y.value), true
}

func shiftLeft(u *operation) {
	n, ok := u.count()
	if ok && n == 0 {
		u.setResult(u.x)
		return
	}
	for d := range u.out.dims {
		u.out.dims[d].Divisibility = multiply(u.x.dims[d].at(1), 1<<min(n, 30))
	}
	if ok && u.x.known && small(u.x.value) && n < 32 {
		u.out.value, u.out.known = u.x.value<<n, true
	}
}

// shiftRight divides and rounds down, so that negative numbers need no care.
func shiftRight(u *operation) {
	u.out.nonNegative = u.out.nonNegative || u.x.nonNegative
	n, ok := u.count()
	if !ok {
		return
	}
	if n == 0 {
		u.setResult(u.x)
		return
	}
	step := int64(1) << min(n, 30)
	for d := range u.out.dims {
		x, out := u.x.dims[d], &u.out.dims[d]
		m := min(x.Contiguity, x.Divisibility, step)
		out.Constancy = max(out.Constancy, m)
		if x.Contiguity == m && n < 30 {
			out.Divisibility = max(1, x.Divisibility/step)
		}
	}
	if u.x.known {
		u.out.value, u.out.known = u.x.value>>n, true
	}
}

// and: a constant with low ones alone takes a remainder, one with low zeros rounds down.
func and(u *operation) {
	x, y := u.x, u.y
	if x.known {
		x, y = y, x
	}
	for d := range u.out.dims {
		out := &u.out.dims[d]
		c := int64(1)
		if y.known {
			run := min(x.dims[d].Contiguity, x.dims[d].Divisibility)
			c = min(run, lowBit(^y.value))
			out.Constancy = max(out.Constancy, min(run, lowBit(y.value)))
		}
		out.Contiguity = c
		out.Divisibility = max(x.dims[d].at(c), y.dims[d].at(1))
	}
	u.out.nonNegative = u.out.nonNegative || x.nonNegative || y.nonNegative
	u.out.value, u.out.known = x.value&y.value, x.known && y.known
}

// or is or and xor: in a run whose numbers differ in low bits alone, which the other operand does
// not have, both are sums.
func or(u *operation) {
	run := func(x, y Dim) int64 { return min(x.Contiguity, x.Divisibility, y.Constancy, y.at(1)) }
	for d := range u.out.dims {
		x, y := u.x.dims[d], u.y.dims[d]
		c := max(run(x, y), run(y, x))
		u.out.dims[d].Contiguity = c
		u.out.dims[d].Divisibility = min(x.at(c), y.at(c))
	}
	u.out.nonNegative = u.out.nonNegative || u.x.nonNegative && u.y.nonNegative
	if u.out.known = u.x.known && u.y.known; u.in.Op == ops.Or {
		u.out.value = u.x.value | u.y.value
	} else {
		u.out.value = u.x.value ^ u.y.value
	}
}

func smaller(u *operation) {
	u.extreme()
	u.out.nonNegative = u.out.nonNegative || u.x.nonNegative && u.y.nonNegative
	u.out.value = min(u.x.value, u.y.value)
}

func larger(u *operation) {
	u.extreme()
	u.out.nonNegative = u.out.nonNegative || u.x.nonNegative || u.y.nonNegative
	u.out.value = max(u.x.value, u.y.value)
}

func (u *operation) extreme() {
	for d := range u.out.dims {
		u.out.dims[d].Divisibility = min(u.x.dims[d].at(1), u.y.dims[d].at(1))
	}
	u.out.known = u.x.known && u.y.known
}

// reflected is the comparison with its operands exchanged.
var reflected = map[ops.Op]ops.Op{ops.Lt: ops.Gt, ops.Gt: ops.Lt, ops.Le: ops.Ge, ops.Ge: ops.Le}

// compare: a run that goes up changes sides at its bound alone. Where run and bound are multiples
// of m, the first of m elements is below the bound as the others are, or is not as the others are
// not.
func compare(u *operation) {
	for d := range u.out.dims {
		out := &u.out.dims[d]
		byX := side(u.in.Op, u.x.dims[d], u.y, d)
		byY := side(reflected[u.in.Op], u.y.dims[d], u.x, d)
		out.Constancy = max(out.Constancy, byX, byY)
	}
}

// side is how many elements of the contiguous runs of x lie on one side of bound.
func side(op ops.Op, x Dim, bound *fact, d int) int64 {
	at := bound.dims[d].at(1)
	switch op {
	case ops.Le, ops.Gt: // x ≤ b is x < b+1
		at = 1
		if bound.known {
			at = lowBit(bound.value + 1)
		}
	}
	return min(x.Contiguity, x.Divisibility, bound.dims[d].Constancy, at)
}
