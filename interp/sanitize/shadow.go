// Package sanitize finds what a right result of a launch can hide: data races between programs, reads of memory that
// nobody has written, uses of lanes that a mask left undefined, and where NaNs and infinities come from. Its types
// observe a launch that runs its programs one after the other.
//
// Each element of the tensors that a kernel writes to has a shadow: its last write and the last reads by two programs
// since. A race is a pair of accesses to one element by different programs, at least one of them a write, that no
// happens-before edge orders (order.go); programs are otherwise free to run in any order or at once, so that seeing
// them run in order is no excuse. As in ThreadSanitizer, the verdict is about the accesses and not about what the order
// of this run happened to be. Two lanes of one store that write different values to one element are a race, too.
package sanitize

import (
	"unsafe"

	"github.com/newtlab/newt/interp/trace"
)

// shadow is the shadow memory of one storage, which several arguments may point into.
type shadow[C any] struct {
	width   int // bytes of an element: of the narrowest of the arguments
	watched bool
	cells   C // one for each element
}

// shadows finds the shadow of an element by argument and offset.
type shadows[C any] struct {
	args    []trace.Buffer
	byArg   []*shadow[C] // by argument; nil for scalars, for what is not watched, and for what is beyond the limit
	partial bool         // some are beyond the limit
	found   []stretch[C]
}

// maxCells bounds the elements that are watched in one launch; later arguments are left out.
const maxCells = 1 << 20

// newShadows makes the shadows of the storages that an argument to be watched points into.
func newShadows[C any](args []trace.Buffer, watch func(*trace.Buffer) bool, cells func(int) C) *shadows[C] {
	m := &shadows[C]{args: args, byArg: make([]*shadow[C], len(args))}
	by := map[*byte]*shadow[C]{}
	for i := range args {
		a := &args[i]
		if len(a.Data) == 0 {
			continue
		}
		width := a.DType.Info().Bytes
		if a.Reachable {
			width = 1
		}
		key := unsafe.SliceData(a.Data)
		s := by[key]
		if s == nil {
			s = &shadow[C]{width: width}
			by[key] = s
		}
		s.width, s.watched = min(s.width, width), s.watched || watch(a)
		m.byArg[i] = s
	}
	// All arguments are known now, and with them the width of each shadow's cells.
	left, made := maxCells, map[*shadow[C]]bool{}
	for i, s := range m.byArg {
		switch {
		case s == nil || made[s]:
		case !s.watched:
			m.byArg[i] = nil
		case len(args[i].Data)/s.width > left:
			m.byArg[i], m.partial = nil, true
		default:
			n := len(args[i].Data) / s.width
			left -= n
			s.cells, made[s] = cells(n), true
		}
	}
	return m
}

// stretch is a run of lanes of an access whose elements are in a shadow, one after the other.
type stretch[C any] struct {
	arg    int
	lane   int   // the first one
	offset int64 // of its element
	bytes  []byte
	size   int // bytes of an element
	cells  C   // the whole shadow
	cell   int // the first one of the stretch
	parts  int // cells of a lane: several through a wider dtype
	n      int // lanes
}

// memory is the present value of the element of a lane.
func (s *stretch[C]) memory(lane int) []byte {
	at := (lane - s.lane) * s.size
	return s.bytes[at : at+s.size]
}

// index is the offset of the element of a lane.
func (s *stretch[C]) index(lane int) int64 { return s.offset + int64(lane-s.lane) }

// reaches reports whether an access may be to memory that has a shadow.
func (m *shadows[C]) reaches(a *trace.Access) bool {
	for _, arg := range a.Args {
		if m.byArg[arg] != nil {
			return true
		}
	}
	return len(a.Args) == 0
}

// stretches are the lanes of a that take part, are in bounds, and have a shadow. They are valid until the next call.
func (m *shadows[C]) stretches(a *trace.Access) []stretch[C] {
	m.found = m.found[:0]
	size := a.DType.Info().Bytes
	for _, run := range a.Runs() {
		arg, offset := trace.Split(a.Ptr[run.First])
		if arg >= len(m.args) || m.byArg[arg] == nil {
			continue
		}
		of, cells := &m.args[arg], m.byArg[arg]
		// The first element's index in the storage, and the elements of the run that the storage has.
		at := offset + int64(of.Offset)
		first, end := max(at, 0), min(at+int64(run.End-run.First), int64(len(of.Data)/size))
		if first >= end {
			continue
		}
		skipped := int(first - at)
		parts := size / cells.width
		m.found = append(m.found, stretch[C]{
			arg: arg, lane: run.First + skipped, offset: offset + int64(skipped), size: size,
			bytes: of.Data[first*int64(size) : end*int64(size)],
			cells: cells.cells, cell: int(first) * parts, parts: parts, n: int(end - first),
		})
	}
	return m.found
}
