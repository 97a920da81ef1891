package tile

import "github.com/newtlab/newt/compiler/num"

// form is a tile of integers, pointers or truth values in a few numbers: most offsets and masks are arithmetic on
// aranges. The slot of a value that has one (planner.formed) has its elements only where something needs them, or
// where no form can say them.
type form struct {
	valid  bool // else the elements are all there is
	made   bool // the slot has the elements, too
	exact  bool // affine is integers.numbers of what the operation gave, and least and most are their extremes
	affine      // of integers and pointers
	least  int64
	most   int64
	box    // of a mask
}

// extent is the size of a tile without its dimensions of 1: a vector is one row.
type extent struct {
	rows, columns int
	mask          bool // the elements are truth values
}

// affine is a tile whose element (i, j) is first + i·down + j·across. Integers of 32 bits are the lower half of that.
type affine struct{ first, down, across int64 }

func (a affine) plus(b affine) affine {
	return affine{a.first + b.first, a.down + b.down, a.across + b.across}
}

func (a affine) times(x int64) affine { return affine{a.first * x, a.down * x, a.across * x} }

// uniform reports whether all elements are the same.
func (a affine) uniform() bool { return a.down|a.across == 0 }

// extremes are the least and the largest of a's elements in the lanes of b, which is not empty.
func (a affine) extremes(b box) (least, most int64) {
	up, down := a.down*int64(b.top), a.down*int64(b.bottom-1)
	left, right := a.across*int64(b.left), a.across*int64(b.right-1)
	return a.first + min(up, down) + min(left, right), a.first + max(up, down) + max(left, right)
}

// box is the mask of the lanes (i, j) with top <= i < bottom and left <= j < right.
type box struct{ top, bottom, left, right int }

func (b box) empty() bool { return b.top >= b.bottom || b.left >= b.right }

func (b box) and(c box) box {
	return box{max(b.top, c.top), min(b.bottom, c.bottom), max(b.left, c.left), min(b.right, c.right)}
}

// all is the mask of every lane.
func (e *extent) all() box { return box{0, e.rows, 0, e.columns} }

// where is the mask of all lanes or of none.
func (e *extent) where(all bool) box {
	if all {
		return e.all()
	}
	return box{}
}

// negative is the mask of a's elements that are less than 0; ok is false where that may be no box.
func (e *extent) negative(a affine) (b box, ok bool) {
	b = e.all()
	switch {
	case a.down == 0:
		b.left, b.right = negative(a.first, a.across, e.columns)
	case a.across == 0:
		b.top, b.bottom = negative(a.first, a.down, e.rows)
	default: // all or none
		least, most := a.extremes(b)
		return e.where(most < 0), most < 0 || least >= 0
	}
	return b, true
}

// negative is the range of the i from 0 to n with first + i·step < 0.
func negative(first, step int64, n int) (lo, hi int) {
	switch {
	case step > 0: // those before the first one at 0 or more
		return 0, int(min(int64(n), (max(-first, 0)+step-1)/step))
	case first < 0:
		return 0, n
	case step < 0: // those after the last one at 0 or more
		return int(min(int64(n), first/-step+1)), n
	}
	return 0, 0
}

// integers is the range of a dtype.
type integers struct {
	wide, unsigned bool
	least, most    int64
}

// wideLimit bounds what is computed with of 64-bit integers and the steps between them, so that nothing overflows:
// tiles have at most 2^20 elements.
const (
	wideLimit = 1 << 61
	stepLimit = 1 << 32
)

func integersOf(d num.DType) integers {
	switch d {
	case num.Int32:
		return integers{false, false, -1 << 31, 1<<31 - 1}
	case num.Uint32:
		return integers{false, true, 0, 1<<32 - 1}
	case num.Uint64:
		return integers{true, true, 0, wideLimit}
	}
	return integers{true, false, -wideLimit, wideLimit}
}

// numbers is a with the numbers that first and steps stand for, and their extremes; ok is false where elements may
// wrap.
func (in *integers) numbers(a affine, e *extent) (out affine, least, most int64, ok bool) {
	switch {
	case in.wide:
		steps := min(a.down, a.across) >= -stepLimit && max(a.down, a.across) <= stepLimit
		if !steps || a.first < -wideLimit || a.first > wideLimit {
			return a, 0, 0, false
		}
	case in.unsigned:
		a = affine{int64(uint32(a.first)), int64(int32(a.down)), int64(int32(a.across))}
	default:
		a = affine{int64(int32(a.first)), int64(int32(a.down)), int64(int32(a.across))}
	}
	least, most = a.extremes(e.all())
	return a, least, most, least >= in.least && most <= in.most
}

// elements makes the elements of slot s, whose value has a form and this extent, unless it has them.
func (m *machine) elements(s int, e *extent) {
	f := &m.forms[s]
	if !f.valid || f.made {
		return
	}
	f.made = true
	v := &m.v[s]
	for i := range e.rows {
		lo, hi := i*e.columns, (i+1)*e.columns
		switch first := f.first + int64(i)*f.down; {
		case e.mask:
			f.box.row(v.I32[lo:hi], i)
		case v.I32 != nil:
			countUp(v.I32[lo:hi], int32(first), int32(f.across))
		default:
			countUp(v.I64[lo:hi], first, f.across)
		}
	}
}

// countUp sets dst to first, first + step, …
func countUp[T int32 | int64](dst []T, first, step T) {
	for i := range dst {
		dst[i] = first
		first += step
	}
}

// row sets dst to row i of the mask.
func (b box) row(dst []int32, i int) {
	clear(dst)
	if i >= b.top && i < b.bottom && b.left < b.right {
		num.Fill(dst[b.left:b.right], 1)
	}
}

// moveForm copies slot src to dst, both of whose values have forms.
func (m *machine) moveForm(dst, src int) {
	m.forms[dst] = m.forms[src]
	m.forms[dst].made = false
	if !m.forms[dst].valid {
		copyVec(m.v[dst], m.v[src])
	}
}
