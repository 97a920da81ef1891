package tile

import (
	"maps"
	"slices"

	"github.com/newtlab/newt/compiler/num"
)

// slot is the kind of a place in a worker's frame: a vector of one storage class and length.
type slot struct {
	class  num.Class
	n      int
	shared bool // written once a launch and read by every worker
	view   bool // what is loaded there may be a view of an argument's memory, so nothing else is ever written there
}

func (s slot) bytes() int {
	if s.class == num.ClassI32 || s.class == num.ClassF32 {
		return 4 * s.n
	}
	return 8 * s.n
}

// slotTable allocates slots: it is a register allocator whose registers are vectors, as many as are needed. A slot
// whose value is dead is given to the next value of the same class and length.
//
// A pinned slot belongs to an operation with regions, which expects the values that its regions yield there. It never
// becomes free; while no live value is in it, it is vacant, and the value that is to be yielded there may be computed
// in it. Without that, each turn of a loop would copy what it carries.
type slotTable struct {
	slots   []slot
	free    map[slot][]int
	pinned  map[int]int  // how many operations keep the slot
	vacant  map[int]bool // pinned slots without a live value
	lanes   *lanes       // set inside the region of a reduction
	noReuse bool         // no slot twice: what tests compare with

	laneFree map[slot][]int // free slots of regions of reductions
}

func newSlotTable() *slotTable {
	return &slotTable{
		free: map[slot][]int{}, laneFree: map[slot][]int{}, pinned: map[int]int{}, vacant: map[int]bool{},
	}
}

func (t *slotTable) class(s int) num.Class { return t.slots[s].class }

// len is the number of elements that slot s holds.
func (t *slotTable) len(s int) int { return t.slots[s].n }

// bytes is the size of a worker's frame.
func (t *slotTable) bytes() (total int64) {
	for _, s := range t.slots {
		total += int64(s.bytes())
	}
	return total
}

// add makes a slot that no other value will share.
func (t *slotTable) add(s slot) int {
	t.slots = append(t.slots, s)
	return len(t.slots) - 1
}

// like finds or makes a free slot of the class and length of slot s, for elements that a step writes.
func (t *slotTable) like(s int) int {
	kind := t.slots[s]
	kind.view = false
	return t.take(kind)
}

// take finds or makes a free slot.
func (t *slotTable) take(s slot) int {
	s.shared = false
	list := t.free[s]
	if len(list) == 0 {
		list = []int{t.add(s)}
	}
	last := len(list) - 1
	t.free[s] = list[:last]
	if t.lanes != nil {
		t.lanes.used[list[last]] = true
	}
	return list[last]
}

// release ends the life of the value in slot s.
func (t *slotTable) release(s int) {
	switch {
	case t.pinned[s] > 0:
		t.vacant[s] = true
	case !t.slots[s].shared && !t.noReuse:
		if t.lanes != nil {
			t.lanes.used[s] = false
		}
		t.free[t.slots[s]] = append(t.free[t.slots[s]], s)
	}
}

// claim takes a pinned slot for the value that is to be yielded there, if it is vacant.
func (t *slotTable) claim(s int) bool {
	if !t.vacant[s] || t.noReuse {
		return false
	}
	delete(t.vacant, s)
	return true
}

func (t *slotTable) pin(slots ...int) {
	for _, s := range slots {
		t.pinned[s]++
	}
}

func (t *slotTable) unpin(slots ...int) {
	for _, s := range slots {
		t.pinned[s]--
		delete(t.vacant, s)
	}
}

// vacate lets values that are yielded into the pinned slots be computed there from now on.
func (t *slotTable) vacate(slots ...int) {
	for _, s := range slots {
		t.vacant[s] = true
	}
}

// lanes is the state of the table inside the region of a reduction or scan, where each scalar is a vector of n lanes.
// Such regions share slots with each other alone: a call of the region cuts its slots to the number of lanes of that
// call, which no other step may see.
type lanes struct {
	n     int
	used  map[int]bool // the region's slots: whether a live value is in them
	from  map[int]int  // slots outside, and the copies that the region reads
	fills []step       // make the copies
}

// enterLanes begins a region of n lanes; leaveLanes ends it, and is given what enterLanes returned.
func (t *slotTable) enterLanes(n int) (outside map[slot][]int) {
	outside, t.free = t.free, t.laneFree
	t.lanes = &lanes{n: n, used: map[int]bool{}, from: map[int]int{}}
	return outside
}

func (t *slotTable) leaveLanes(outside map[slot][]int) *lanes {
	l := t.lanes
	for _, s := range slices.Sorted(maps.Keys(l.used)) {
		t.pinned[s] = 0
		if l.used[s] {
			t.release(s)
		}
	}
	t.lanes, t.free = nil, outside
	return l
}

// width is the number of lanes of a scalar.
func (t *slotTable) width() int {
	if t.lanes != nil {
		return t.lanes.n
	}
	return 1
}

// inside is where the region of a reduction finds what slot s holds: a scalar from outside is repeated in every lane.
// The copy has a slot of its own, since all copies are made before the region's code runs: what that code did earlier
// with a slot that it shared with the copy would be lost.
func (t *slotTable) inside(s int) int {
	l := t.lanes
	if l == nil {
		return s
	}
	if _, own := l.used[s]; own {
		return s
	}
	if c, ok := l.from[s]; ok {
		return c
	}
	c := t.add(slot{class: t.class(s), n: l.n})
	l.used[c], l.from[s] = true, c
	l.fills = append(l.fills, func(m *machine) { fillVec(m.full[c], m.v[s]) })
	return c
}
