package launch

// Shape is how a tensor argument lies in its memory: the sizes of its dimensions, and the elements from one index to
// the next of each. Without strides they lie row by row without gaps.
type Shape struct{ Sizes, Strides []int }

// Len is the number of elements.
func (s Shape) Len() int {
	n := 1
	for _, d := range s.Sizes {
		n *= d
	}
	return n
}

// Contiguous reports whether elements lie row by row without gaps.
func (s Shape) Contiguous() bool {
	next := 1
	for d := len(s.Strides) - 1; d >= 0; d-- {
		if s.Sizes[d] != 1 && s.Strides[d] != next {
			return false
		}
		next *= s.Sizes[d]
	}
	return true
}

// Offsets are those of the elements from the first one, in row-major order of their indices. The shape has strides.
func (s Shape) Offsets() []int {
	at := []int{0}
	for d, n := range s.Sizes {
		next := make([]int, 0, len(at)*n)
		for _, from := range at {
			for i := range n {
				next = append(next, from+i*s.Strides[d])
			}
		}
		at = next
	}
	return at
}

// Elements copies the elements of a tensor of this process, in row-major order of their indices.
func (t *Tensor) Elements(s Shape) []byte {
	size := t.DType.Info().Bytes
	if s.Contiguous() {
		return append([]byte{}, t.Data[t.Offset*size:][:s.Len()*size]...)
	}
	out := make([]byte, 0, s.Len()*size)
	for _, at := range s.Offsets() {
		out = append(out, t.Data[(t.Offset+at)*size:][:size]...)
	}
	return out
}
