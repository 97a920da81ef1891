package tile

import (
	"encoding/binary"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/interp/trace"
)

// region is the memory that an access reaches whose pointers and mask have forms, and all whose elements exist.
type region struct {
	box          // the lanes that take part
	columns int  // lanes of a row
	whole   bool // all lanes take part in one row, whose elements follow each other
	data    []byte
	at      affine // the byte of each lane; lanes that take no part may lie outside of data
}

// find is the memory that o reaches; ok is false where that is to be found lane by lane.
func (r *region) find(m *machine, o *memoryOp) (ok bool) {
	if o.extent == nil {
		return false
	}
	p := &m.forms[o.ptr]
	if !p.valid {
		return false
	}
	r.columns, r.box = o.extent.columns, o.extent.all()
	all := true
	if o.mask >= 0 {
		f := &m.forms[o.mask]
		if !f.valid {
			return false
		}
		all, r.box = f.box == r.box, f.box
		if r.empty() {
			r.box = box{}
			return true
		}
	}
	arg, off := trace.Split(p.first)
	if arg >= len(m.args) {
		return false
	}
	a := &m.args[arg]
	r.data, r.at = a.data, affine{off<<o.shift + a.origin, p.down << o.shift, p.across << o.shift}
	least, most := r.at.extremes(r.box)
	if least < 0 || most > int64(len(a.data))-1<<o.shift {
		return false
	}
	// Rows that follow each other are one.
	if all && o.contiguous(r) && (r.bottom == 1 || r.at.down == r.at.across*int64(r.columns)) {
		r.columns *= r.bottom
		r.right, r.bottom = r.columns, 1
		r.whole = true
	}
	return true
}

// contiguous reports whether the elements of a row follow each other.
func (o *memoryOp) contiguous(r *region) bool { return r.at.across == 1<<o.shift }

// row is the lanes of row i that take part, and the byte of the first of them.
func (r *region) row(i int) (lo, hi, at int) {
	return i*r.columns + r.left, i*r.columns + r.right, int(r.at.first + int64(i)*r.at.down + int64(r.left)*r.at.across)
}

// rows is where the rows of the lanes that take part lie, if these are whole rows.
func (r *region) rows() (rows num.Rows, whole bool) {
	_, _, at := r.row(r.top)
	return num.Rows{At: at, Pitch: int(r.at.down)}, r.left == 0 && r.right == r.columns
}

// loadRegion loads the lanes of r, and gives the others what lanes without a value have.
func (o *loadOp) loadRegion(m *machine, r *region) {
	dst := m.v[o.dst]
	done := 0 // the lanes that have their values
	if rows, whole := r.rows(); whole {
		lo, hi := r.top*r.columns, r.bottom*r.columns
		switch {
		case o.contiguous(r):
			num.LoadRows(o.dtype, dst.Slice(lo, hi), r.columns, r.data, rows)
			r.top, done = r.bottom, hi
		case r.at.down == 4 && o.shift == 2: // columns are contiguous
			rows.Pitch = int(r.at.across)
			num.LoadColumns(words32(dst)[lo:hi], r.columns, r.data, rows)
			r.top, done = r.bottom, hi
		}
		o.fill(m, dst, 0, min(lo, done))
	}
	for i := r.top; i < r.bottom; i++ {
		lo, hi, at := r.row(i)
		o.fill(m, dst, done, lo)
		done = hi
		if o.contiguous(r) {
			num.Load(o.dtype, dst.Slice(lo, hi), r.data[at:])
			continue
		}
		for step := int(r.at.across); lo < hi; lo += stripLanes {
			n := min(hi-lo, stripLanes)
			copyElements(1<<o.shift, n, m.strip[:], 0, 1<<o.shift, r.data, at, step)
			num.Load(o.dtype, dst.Slice(lo, lo+n), m.strip[:])
			at += n * step
		}
	}
	o.fill(m, dst, done, dst.Len())
}

// storeRegion stores the lanes of r in their order.
func (o *storeOp) storeRegion(m *machine, value num.Vec, r *region) {
	if rows, whole := r.rows(); whole && o.contiguous(r) {
		num.StoreRows(o.dtype, r.data, rows, value.Slice(r.top*r.columns, r.bottom*r.columns), r.columns)
		return
	}
	for i := r.top; i < r.bottom; i++ {
		lo, hi, at := r.row(i)
		if o.contiguous(r) {
			num.Store(o.dtype, r.data[at:], value.Slice(lo, hi))
			continue
		}
		for step := int(r.at.across); lo < hi; lo += stripLanes {
			n := min(hi-lo, stripLanes)
			num.Store(o.dtype, m.strip[:], value.Slice(lo, lo+n))
			copyElements(1<<o.shift, n, r.data, at, step, m.strip[:], 0, 1<<o.shift)
			at += n * step
		}
	}
}

// stripLanes is how many lanes of a row whose elements do not follow each other are converted at a time.
const stripLanes = 64

// copyElements copies n elements of so many bytes, 1, 2, 4 or 8, one after the other: from src at byte from on, every
// fromStep bytes, to dst in the same way.
func copyElements(size, n int, dst []byte, to, toStep int, src []byte, from, fromStep int) {
	switch size {
	case 1:
		for range n {
			dst[to] = src[from]
			to, from = to+toStep, from+fromStep
		}
	case 2:
		for range n {
			binary.LittleEndian.PutUint16(dst[to:], binary.LittleEndian.Uint16(src[from:]))
			to, from = to+toStep, from+fromStep
		}
	case 4:
		for range n {
			binary.LittleEndian.PutUint32(dst[to:], binary.LittleEndian.Uint32(src[from:]))
			to, from = to+toStep, from+fromStep
		}
	default:
		for range n {
			binary.LittleEndian.PutUint64(dst[to:], binary.LittleEndian.Uint64(src[from:]))
			to, from = to+toStep, from+fromStep
		}
	}
}
