package tensor

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/newtlab/newt/compiler/num"
)

var order = binary.LittleEndian

// reader hands out a tensor's elements in row-major order, at most a chunk at a time.
type reader struct {
	t        *Tensor
	data     []byte // of its storage
	size     int
	done     int
	walk     *walker // nil for contiguous tensors
	packed   []byte
	block    *block  // of columns; nil where rows are packed one by one
	vec      num.Vec // registers for one chunk
	constant bool    // all elements are one place: registers are filled once
	filled   bool
}

func (t *Tensor) reader() *reader { return t.elements(t.storage.read()) }

// elements walks the tensor in data, which is its storage's.
func (t *Tensor) elements(data []byte) *reader {
	info, room := t.dtype.Info(), min(chunk, t.numel())
	r := &reader{t: t, data: data, size: info.Bytes, vec: num.MakeVec(info.Class, room)}
	// Gaps cost a packed copy a chunk; contiguous tensors are read where they lie.
	if !t.isContiguous() {
		r.walk = newWalker(t.layout.merged())
		r.packed = make([]byte, room*r.size)
		r.block = newBlock(r.walk.layout, r.size)
		r.constant = !slices.ContainsFunc(t.strides, func(s int) bool { return s != 0 })
	}
	return r
}

// seek goes to the n-th element, which exists.
func (r *reader) seek(n int) {
	r.done = n
	if r.walk != nil {
		r.walk.seek(n)
	}
}

// bytes packs the next n elements.
func (r *reader) bytes(n int) []byte {
	if r.walk == nil {
		at := (r.t.offset + r.done) * r.size
		r.done += n
		return r.data[at : at+n*r.size]
	}
	r.walk.runs(n, func(i, at, run, stride int) {
		dst := r.packed[i*r.size : (i+run)*r.size]
		if r.block != nil {
			r.block.copy(dst, r.data, r.walk)
		} else {
			gather(dst, r.data, at, stride, r.size)
		}
	})
	return r.packed[:n*r.size]
}

// block holds the next rows of a tensor whose rows are columns in memory, as those of a transposed matrix are: a line
// of the processor's cache has an element of each.
type block struct {
	size  int // of an element
	first int // the place where the first row begins; -1: none yet
	apart int // from a row to the next, in elements
	rows  []byte
}

// blockRows is how many rows a block has, as many float32 as a line of the cache, and blockBytes the most that they
// take, so that they stay in the second cache.
const (
	blockRows  = 16
	blockBytes = 1 << 19
)

func newBlock(g layout, size int) *block {
	last := len(g.shape) - 1
	if last < 1 || g.strides[last-1] != 1 || g.shape[last-1] < blockRows || g.shape[last]*size > blockBytes/blockRows {
		return nil
	}
	// Rows lie farther apart than they are long: the cache has few places for addresses a power of two apart.
	apart := g.shape[last] + blockRows
	return &block{size, -1, apart, make([]byte, blockRows*apart*size)}
}

// copy packs elements from where w is, which lie in one row.
func (b *block) copy(dst, src []byte, w *walker) {
	last := len(w.shape) - 1
	column, row := w.index[last], w.index[last-1]%blockRows
	if first := w.at - column*w.strides[last] - row; first != b.first {
		b.first = first
		count := min(blockRows, w.shape[last-1]-(w.index[last-1]-row))
		for i := range w.shape[last] {
			unpack(b.rows, i, b.apart, src[(first+i*w.strides[last])*b.size:][:count*b.size], b.size)
		}
	}
	copy(dst, b.rows[(row*b.apart+column)*b.size:])
}

// gather packs elements of so many bytes, the first at place at of src, a stride apart.
func gather(dst, src []byte, at, stride, size int) {
	step := stride * size
	at *= size
	switch {
	case stride == 1:
		copy(dst, src[at:])
	case size == 1:
		for ; len(dst) > 0; dst, at = dst[1:], at+step {
			dst[0] = src[at]
		}
	case size == 2:
		for ; len(dst) > 0; dst, at = dst[2:], at+step {
			order.PutUint16(dst, order.Uint16(src[at:]))
		}
	case size == 4:
		for ; len(dst) > 0; dst, at = dst[4:], at+step {
			order.PutUint32(dst, order.Uint32(src[at:]))
		}
	default:
		for ; len(dst) > 0; dst, at = dst[size:], at+step {
			copy(dst[:size], src[at:])
		}
	}
}

// unpack is gather's reverse: it takes the elements of src apart.
func unpack(dst []byte, at, stride int, src []byte, size int) {
	step := stride * size
	at *= size
	switch {
	case stride == 1:
		copy(dst[at:], src)
	case size == 1:
		for ; len(src) > 0; src, at = src[1:], at+step {
			dst[at] = src[0]
		}
	case size == 2:
		for ; len(src) > 0; src, at = src[2:], at+step {
			order.PutUint16(dst[at:], order.Uint16(src))
		}
	case size == 4:
		for ; len(src) > 0; src, at = src[4:], at+step {
			order.PutUint32(dst[at:], order.Uint32(src))
		}
	default:
		for ; len(src) > 0; src, at = src[size:], at+step {
			copy(dst[at:], src[:size])
		}
	}
}

// prefix is the first n elements of v.
func prefix(v num.Vec, n int) num.Vec {
	switch {
	case v.I32 != nil:
		return num.Vec{I32: v.I32[:n]}
	case v.I64 != nil:
		return num.Vec{I64: v.I64[:n]}
	case v.F32 != nil:
		return num.Vec{F32: v.F32[:n]}
	}
	return num.Vec{F64: v.F64[:n]}
}

// load gives the next n elements, which the caller must not change: they may lie in the tensor's memory.
func (r *reader) load(n int) num.Vec {
	if r.constant {
		if !r.filled {
			num.Load(r.t.dtype, r.vec, r.bytes(min(chunk, r.t.numel())))
		}
		r.filled = true
		return prefix(r.vec, n)
	}
	v, raw := prefix(r.vec, n), r.bytes(n)
	if !num.View(r.t.dtype, &v, raw) {
		num.Load(r.t.dtype, v, raw)
	}
	return v
}

// ints reads the next elements; floats truncate.
func (r *reader) ints(dst []int64) {
	switch v := r.load(len(dst)); {
	case v.I32 != nil:
		// Registers of 32 bits hold a uint32 as the int32 of the same bits.
		unsigned := r.t.dtype == num.Uint32
		for i, x := range v.I32 {
			if dst[i] = int64(x); unsigned {
				dst[i] = int64(uint32(x))
			}
		}
	case v.I64 != nil:
		copy(dst, v.I64)
	case v.F32 != nil:
		for i, x := range v.F32 {
			dst[i] = toInt64(float64(x))
		}
	default:
		for i, x := range v.F64 {
			dst[i] = toInt64(x)
		}
	}
}

// floats reads the next elements, converted.
func (r *reader) floats(dst []float64) {
	switch v := r.load(len(dst)); {
	case v.I32 != nil:
		unsigned := r.t.dtype == num.Uint32
		for i, x := range v.I32 {
			if dst[i] = float64(x); unsigned {
				dst[i] = float64(uint32(x))
			}
		}
	case v.I64 != nil:
		unsigned := r.t.dtype == num.Uint64
		for i, x := range v.I64 {
			if dst[i] = float64(x); unsigned {
				dst[i] = float64(uint64(x))
			}
		}
	case v.F32 != nil:
		num.Cast(num.Float32, num.Float64, num.RTNE)(num.Vec{F64: dst}, v)
	default:
		copy(dst, v.F64)
	}
}

// singles reads the next elements of a float no wider than float32.
func (r *reader) singles(dst []float32) { copy(dst, r.load(len(dst)).F32) }

// toInt64 truncates; what does not fit gives the least int64, as x86-64 converts.
func toInt64(v float64) int64 {
	if v >= -0x1p63 && v < 0x1p63 {
		return int64(v)
	}
	return math.MinInt64
}

// writer stores a tensor's elements in row-major order, at most a chunk at a time.
type writer struct{ reader }

func (t *Tensor) writer() *writer { return &writer{*t.elements(t.storage.write())} }

// put writes to the next n elements what fill makes of their registers.
func (w *writer) put(n int, fill func(v num.Vec)) {
	v, room := prefix(w.vec, n), w.room(n)
	inMemory := num.View(w.t.dtype, &v, room)
	if fill(v); !inMemory {
		num.Store(w.t.dtype, room, v)
	}
	w.scatter(n)
}

// room is where the bytes of the next n elements are written, before scatter moves on.
func (w *writer) room(n int) []byte {
	if w.walk == nil {
		return w.bytes(n) // those of a contiguous tensor are its storage's
	}
	return w.packed[:n*w.size]
}

// scatter brings what was written to room to the elements of a tensor with gaps.
func (w *writer) scatter(n int) {
	if w.walk == nil {
		return
	}
	w.walk.runs(n, func(i, at, run, stride int) {
		unpack(w.data, at, stride, w.packed[i*w.size:(i+run)*w.size], w.size)
	})
}

// ints writes values that wrap to the dtype; bool takes what differs from 0 as true.
func (w *writer) ints(src []int64) {
	w.put(len(src), func(v num.Vec) {
		boolean := w.t.dtype == num.Int1
		switch {
		case boolean:
			for i, x := range src {
				v.I32[i] = int32(truth(x != 0))
			}
		case v.I32 != nil:
			for i, x := range src {
				v.I32[i] = int32(x)
			}
		case v.I64 != nil:
			copy(v.I64, src)
		case v.F32 != nil:
			for i, x := range src {
				v.F32[i] = float32(x)
			}
			roundTo(w.t.dtype, v.F32)
		default:
			for i, x := range src {
				v.F64[i] = float64(x)
			}
		}
	})
}

// floats writes values rounded to the dtype, by way of float32 for the narrower floats.
func (w *writer) floats(src []float64) {
	w.put(len(src), func(v num.Vec) {
		switch {
		case v.F32 != nil:
			// By way of float32: torch computes narrow floats there, too, and rounds at the end.
			num.Cast(num.Float64, num.Float32, num.RTNE)(v, num.Vec{F64: src})
			roundTo(w.t.dtype, v.F32)
		case v.F64 != nil:
			copy(v.F64, src)
		case w.t.dtype == num.Int1:
			for i, x := range src {
				v.I32[i] = int32(truth(x != 0))
			}
		case v.I32 != nil:
			for i, x := range src {
				v.I32[i] = int32(toInt64(x))
			}
		default:
			for i, x := range src {
				v.I64[i] = toInt64(x)
			}
		}
	})
}

// singles writes values rounded to the dtype, a float no wider than float32.
func (w *writer) singles(src []float32) {
	w.put(len(src), func(v num.Vec) {
		copy(v.F32, src)
		roundTo(w.t.dtype, v.F32)
	})
}

// roundTo brings float32 values to a narrower dtype. Where Triton's fp8 keeps the
// largest value, torch's becomes infinity, or NaN in a dtype without infinity.
func roundTo(d num.DType, v []float32) {
	if d == num.Float32 {
		return
	}
	large, isFP8 := fp8Overflow[d]
	var over []int
	for i, x := range v {
		if isFP8 && (x > large.limit || x < -large.limit) {
			over = append(over, i)
		}
	}
	num.Cast(num.Float32, d, num.RTNE)(num.Vec{F32: v}, num.Vec{F32: v})
	for _, i := range over {
		v[i] *= large.becomes // the cast has left the largest value, with its sign
	}
}

// fp8Overflow holds, for the fp8 dtypes, the largest float32 that still rounds to a finite value, and what torch makes
// of larger ones.
var fp8Overflow = func() map[num.DType]struct{ limit, becomes float32 } {
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	return map[num.DType]struct{ limit, becomes float32 }{
		num.Float8E5M2: {61439.996, inf}, num.Float8E4M3: {464, nan}, num.Float8E4M3B8: {247.99998, nan},
		num.Float8E5B16: {61439.996, nan},
	}
}()

// truth is 1 or 0, in a form for which Go's compiler needs no branch.
func truth(b bool) (one int64) {
	if b {
		one = 1
	}
	return one
}
