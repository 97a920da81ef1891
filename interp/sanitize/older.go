package sanitize

import (
	"bytes"
	"slices"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/interp/trace"
)

// contention lets atomic operations read what their element held before its value changed last: a lock that is taken, a
// flag that is not set. While programs run one after the other, nobody would see that.
//
// An operation may read the older value where the memory model allows it: nothing orders the change, or a write since,
// before it; its program has not seen a newer value; and it leaves the older value as it is, so that it may have come
// before the change. It does so a bounded number of times, after which a loop that waits goes on.
type contention struct {
	changes map[*history]*change
	reads   map[*history]int // by the present program: how often it has read an older value, or maxOlder
	program int64
	lanes   map[int][]byte // of the present access: the lanes that read an older value
}

// maxOlder bounds how often a program reads an older value of an element.
const maxOlder = 64

// maxSince bounds the writes since a change that are remembered.
const maxSince = 16

// change is the last change of an element's value.
type change struct {
	before   []byte
	sequence int32   // the release sequence that an acquire of the value before reads from
	writes   []int32 // the events: the change itself, and later ones that left the value as it was
}

func newContention() *contention {
	return &contention{changes: map[*history]*change{}, reads: map[*history]int{}, lanes: map[int][]byte{}}
}

// begin says which program runs now.
func (c *contention) begin(program int64) {
	clear(c.lanes)
	if program != c.program {
		c.program = program
		clear(c.reads)
	}
}

// Older implements trace.OlderReader.
func (r *Races) Older(lane int) []byte {
	if r.contended == nil {
		return nil
	}
	return r.contended.lanes[lane]
}

// readOlder lets the present lane read an older value of its element, if it may.
func (v *visit) readOlder(h *history) bool {
	c := v.contended
	if c == nil || v.at.parts > 1 {
		return false
	}
	lane := int(v.me.lane)
	was := c.changes[h]
	if was != nil && v.a.Order.Strong && c.reads[h] < maxOlder && !v.changes(was.before, lane) &&
		!slices.ContainsFunc(was.writes, func(e int32) bool { return v.ordered(access{event: e}) }) {
		c.reads[h]++
		c.lanes[lane] = was.before
		v.compare(h.writer)
		v.read(h)
		if v.a.Order.Acquire && !v.a.Order.CTA {
			v.order.acquire(was.sequence)
		}
		return true
	}
	c.reads[h] = maxOlder
	v.noteChange(h, was)
	return false
}

// noteChange remembers what the element held before this lane writes to it.
func (v *visit) noteChange(h *history, was *change) {
	lane, now := int(v.me.lane), v.at.memory(int(v.me.lane))
	switch {
	case !v.writes(lane):
	case v.changes(now, lane) && len(v.contended.changes) < maxWeak:
		v.contended.changes[h] = &change{slices.Clone(now), h.sequence, []int32{v.me.event}}
	case was != nil && len(was.writes) < maxSince:
		was.writes = append(was.writes, v.me.event)
	default:
		delete(v.contended.changes, h)
	}
}

// changes reports whether a lane's operation would change an element that holds old.
func (v *visit) changes(old []byte, lane int) bool {
	var before, after [8]byte
	d := v.a.DType
	switch {
	case v.a.Kind == trace.Load:
		return false
	case v.a.Compare.Len() > 0 && !v.equal(v.a.Compare, lane, old):
		return false
	case v.a.Combine == nil:
		num.StoreAt(d, after[:], 0, v.a.Values, lane)
	default:
		x := num.MakeVec(d.Info().Class, 2)
		num.LoadAt(d, x, 0, old, 0)
		v.a.Combine(x.Slice(1, 2), x.Slice(0, 1), v.a.Values.Slice(lane, lane+1))
		num.StoreAt(d, after[:], 0, x, 1)
	}
	copy(before[:], old)
	return !bytes.Equal(before[:], after[:])
}
