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
		r.walk = newWalker(t.layout)
		r.packed = make([]byte, room*r.size)
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
		gather(r.packed[i*r.size:(i+run)*r.size], r.data, at, stride, r.size)
	})
	return r.packed[:n*r.size]
}

// gather packs elements of so many bytes, the first at place at of src, a stride apart.
func gather(dst, src []byte, at, stride, size int) {
	step := stride * size
	at *= size
	switch {
	case stride == 1:
		copy(dst, src[at:])
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

func (r *reader) load(n int) num.Vec {
	if r.constant {
		if !r.filled {
			num.Load(r.t.dtype, r.vec, r.bytes(min(chunk, r.t.numel())))
		}
		r.filled = true
		return prefix(r.vec, n)
	}
	v := prefix(r.vec, n)
	num.Load(r.t.dtype, v, r.bytes(n))
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
		for i, x := range v.F32 {
			dst[i] = float64(x)
		}
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

// store writes v to the next n elements.
func (w *writer) store(v num.Vec, n int) {
	num.Store(w.t.dtype, w.room(n), v)
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
		for k := range run {
			copy(w.data[(at+k*stride)*w.size:][:w.size], w.packed[(i+k)*w.size:])
		}
	})
}

// ints writes values that wrap to the dtype; bool takes what differs from 0 as true.
func (w *writer) ints(src []int64) {
	v := prefix(w.vec, len(src))
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
	w.store(v, len(src))
}

// floats writes values rounded to the dtype, by way of float32 for the narrower floats.
func (w *writer) floats(src []float64) {
	v := prefix(w.vec, len(src))
	switch {
	case v.F32 != nil:
		for i, x := range src {
			// By way of float32: torch computes narrow floats there, too, and rounds at the end.
			v.F32[i] = float32(x)
		}
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
	w.store(v, len(src))
}

// singles writes values rounded to the dtype, a float no wider than float32.
func (w *writer) singles(src []float32) {
	v := prefix(w.vec, len(src))
	copy(v.F32, src)
	roundTo(w.t.dtype, v.F32)
	w.store(v, len(src))
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

func truth(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// chunks calls f with the size of each chunk of n elements.
func chunks(n int, f func(n int)) {
	for ; n > 0; n -= chunk {
		f(min(n, chunk))
	}
}

// chunksOf calls f with the bounds of each chunk of from … to.
func chunksOf(from, to int, f func(from, to int)) {
	for ; from < to; from += chunk {
		f(from, min(from+chunk, to))
	}
}
