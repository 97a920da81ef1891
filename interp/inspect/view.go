package inspect

import "github.com/newtlab/newt/interp/launch"

// view is where in its memory the elements of a tensor are.
type view struct {
	shape launch.Shape
	// least and limit bound the offsets from the first element on that lie in the memory.
	least, limit int64
	numbers      map[int64]int32 // the element at each offset; nil where its number is the offset
}

func newView(t *launch.Tensor, s launch.Shape) view {
	v := view{shape: s, least: -int64(t.Offset), limit: int64(t.Bytes()/t.DType.Info().Bytes - t.Offset)}
	if !s.Contiguous() {
		v.numbers = make(map[int64]int32, s.Len())
		for i, at := range s.Offsets() {
			v.numbers[int64(at)] = int32(i)
		}
	}
	return v
}

// element is the number of the element at an offset; it is not one of the tensor's where it is negative or too large.
func (v *view) element(offset int64) int64 {
	if v.numbers == nil {
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
