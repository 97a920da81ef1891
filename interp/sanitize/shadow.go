// Package sanitize finds mistakes that a right result can hide: it observes a launch's accesses.
package sanitize

import (
	"unsafe"

	"github.com/newtlab/newt/interp/trace"
)

// storage is memory that one or more arguments point into, with what is known of each element.
type storage[T any] struct {
	data  []byte
	width int // bytes of an element: the narrowest of the arguments
	cells []T
}

// memory finds what is known of elements by argument and offset.
type memory[T any] struct {
	args     []trace.Buffer
	storages []*storage[T] // by argument; nil for scalars and for what is beyond the limit
	partial  bool          // some are beyond the limit
}

// maxCells bounds the elements that are watched in one launch; later arguments are left out.
const maxCells = 1 << 20

func newMemory[T any](args []trace.Buffer) *memory[T] {
	m := &memory[T]{args: args, storages: make([]*storage[T], len(args))}
	by := map[*byte]*storage[T]{}
	for i, a := range args {
		if len(a.Data) == 0 {
			continue
		}
		key := unsafe.SliceData(a.Data)
		s := by[key]
		if s == nil {
			s = &storage[T]{data: a.Data, width: a.DType.Info().Bytes}
			by[key] = s
		}
		s.width = min(s.width, a.DType.Info().Bytes)
		m.storages[i] = s
	}
	left := maxCells
	for i, s := range m.storages {
		if s == nil || s.cells != nil {
			continue
		}
		n := len(s.data) / s.width
		if n > left {
			m.storages[i], m.partial = nil, true
			continue
		}
		left -= n
		s.cells = make([]T, n)
	}
	return m
}

// place is the part of the shadow that a lane of an access touches.
type place[T any] struct {
	arg    int
	offset int64
	cells  []T    // one for each part of the element
	bytes  []byte // its present value
}

// each calls f for every lane of a that takes part and is in bounds.
func (m *memory[T]) each(a *trace.Access, f func(lane int, p place[T])) {
	size := a.DType.Info().Bytes
	for i, ptr := range a.Ptr {
		if !a.Active(i) {
			continue
		}
		arg, offset := trace.Split(ptr)
		if arg >= len(m.args) || m.storages[arg] == nil {
			continue
		}
		s, of := m.storages[arg], &m.args[arg]
		at := (offset + int64(of.Offset)) * int64(size)
		if at < 0 || at+int64(size) > int64(len(of.Data)) {
			continue
		}
		first, parts := int(at)/s.width, max(1, size/s.width)
		if first+parts > len(s.cells) {
			continue
		}
		f(i, place[T]{arg, offset, s.cells[first : first+parts], of.Data[at : at+int64(size)]})
	}
}
