package inspect

import "github.com/newtlab/newt/interp/launch"

// view is where in its memory the elements of a tensor are.
type view struct {
	sizes []int
	size  int // bytes of an element
	// least and limit bound the offsets from the first element on that lie in the memory.
	least, limit int64
	places       []int64         // the offset of each element; nil where it is the element's number
	numbers      map[int64]int32 // its inverse
}

func newView(t *launch.Tensor, s Shape) view {
	size := t.DType.Info().Bytes
	v := view{sizes: s.Sizes, size: size, least: -int64(t.Offset), limit: int64(t.Bytes()/size - t.Offset)}
	if s.Strides != nil && !contiguous(s) {
		v.places = places(s)
		v.numbers = make(map[int64]int32, len(v.places))
		for i, at := range v.places {
			v.numbers[at] = int32(i)
		}
	}
	return v
}

// contiguous reports whether elements lie row by row without gaps.
func contiguous(s Shape) bool {
	next := 1
	for d := len(s.Strides) - 1; d >= 0; d-- {
		if s.Sizes[d] != 1 && s.Strides[d] != next {
			return false
		}
		next *= s.Sizes[d]
	}
	return true
}

// places are the offsets of a tensor's elements, row by row.
func places(s Shape) []int64 {
	at := []int64{0}
	for d, n := range s.Sizes {
		next := make([]int64, 0, len(at)*n)
		for _, from := range at {
			for i := range n {
				next = append(next, from+int64(i*s.Strides[d]))
			}
		}
		at = next
	}
	return at
}

func (v *view) len() int {
	n := 1
	for _, d := range v.sizes {
		n *= d
	}
	return n
}

// element is the number of the element at an offset; it is not one of the tensor's where it is negative or too large.
func (v *view) element(offset int64) int64 {
	if v.places == nil {
		return offset
	}
	if n, ok := v.numbers[offset]; ok {
		return int64(n)
	}
	return int64(None)
}

// outside says on which side of the memory an offset lies: -1 before its beginning, 1 past its end, 0 within.
func (v *view) outside(offset int64) int {
	switch {
	case offset < v.least:
		return -1
	case offset >= v.limit:
		return 1
	}
	return 0
}

// elements copies a tensor's elements in the order of their numbers.
func (v *view) elements(t *launch.Tensor) []byte {
	n := v.len()
	out := make([]byte, 0, n*v.size)
	if v.places == nil {
		return append(out, t.Data[t.Offset*v.size:][:n*v.size]...)
	}
	for _, at := range v.places {
		out = append(out, t.Data[(t.Offset+int(at))*v.size:][:v.size]...)
	}
	return out
}
