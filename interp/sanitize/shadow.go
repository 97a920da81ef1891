// Package sanitize finds data races between programs, which a right result can hide. It observes the accesses of a
// launch that runs its programs one after the other.
//
// Each element of the tensors has a shadow: its last write and the last reads by two programs since. A race is a pair
// of accesses to one element by different programs, at least one of them a write, that no happens-before edge orders
// (order.go); programs are otherwise free to run in any order or at once, so that seeing them run in order is no
// excuse. As in ThreadSanitizer, the verdict is about the accesses and not about what the order of this run happened
// to be. Two lanes of one store that write different values to one element are a race, too.
package sanitize

import (
	"unsafe"

	"github.com/newtlab/newt/interp/trace"
)

// shadow is the shadow memory of one storage, which several arguments may point into.
type shadow[T any] struct {
	data  []byte
	width int // bytes of an element: the narrowest of the arguments
	cells []T
}

// shadows finds the shadow of an element by argument and offset.
type shadows[T any] struct {
	args    []trace.Buffer
	byArg   []*shadow[T] // by argument; nil for scalars and for what is beyond the limit
	partial bool         // some are beyond the limit
}

// maxCells bounds the elements that are watched in one launch; later arguments are left out.
const maxCells = 1 << 20

func newShadows[T any](args []trace.Buffer) *shadows[T] {
	m := &shadows[T]{args: args, byArg: make([]*shadow[T], len(args))}
	by := map[*byte]*shadow[T]{}
	for i, a := range args {
		if len(a.Data) == 0 {
			continue
		}
		key := unsafe.SliceData(a.Data)
		s := by[key]
		if s == nil {
			s = &shadow[T]{data: a.Data, width: a.DType.Info().Bytes}
			by[key] = s
		}
		s.width = min(s.width, a.DType.Info().Bytes)
		m.byArg[i] = s
	}
	// All arguments are known now, and with them the width of each shadow's cells.
	left := maxCells
	for i, s := range m.byArg {
		if s == nil || s.cells != nil {
			continue
		}
		n := len(s.data) / s.width
		if n > left {
			m.byArg[i], m.partial = nil, true
			continue
		}
		left -= n
		s.cells = make([]T, n)
	}
	return m
}

// shadowed is the part of the shadow that a lane of an access touches.
type shadowed[T any] struct {
	arg    int
	offset int64
	cells  []T    // one for each part of the element
	bytes  []byte // its present value
}

// eachLane calls f for every lane of a that takes part and is in bounds.
func (m *shadows[T]) eachLane(a *trace.Access, f func(lane int, p shadowed[T])) {
	size := a.DType.Info().Bytes
	for i, ptr := range a.Ptr {
		if !a.Active(i) {
			continue
		}
		arg, offset := trace.Split(ptr)
		if arg >= len(m.args) || m.byArg[arg] == nil {
			continue
		}
		s, of := m.byArg[arg], &m.args[arg]
		at := (offset + int64(of.Offset)) * int64(size)
		if at < 0 || at+int64(size) > int64(len(of.Data)) {
			continue
		}
		// Through a wider dtype, one access touches several cells.
		first, parts := int(at)/s.width, max(1, size/s.width)
		if first+parts > len(s.cells) {
			continue
		}
		f(i, shadowed[T]{arg, offset, s.cells[first : first+parts], of.Data[at : at+int64(size)]})
	}
}
