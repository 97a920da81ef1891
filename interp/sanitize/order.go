package sanitize

import (
	"container/heap"
	"slices"
)

// release is an operation that releases: what its program did until then happens before whatever acquires from it.
type release struct {
	program, time int64
	// sources are the releases that happen before this one: those that its program had acquired from, or those of the
	// release sequence that it continues.
	sources []int32
	seen    int64 // the program that last learnt of it; 0 is none
}

// The bounds on releases and on their sources, and what each takes: a release itself, its place in frontier and its
// program's in last; a source, in a slice that may have grown to twice its length.
const (
	maxReleases  = 1 << 18
	maxSources   = 1 << 20
	releaseBytes = 120
	sourceBytes  = 8
)

// order is the happens-before order between the program that runs now and those that ran before it.
//
// It is that of vector clocks. Programs run one after the other, so that only the present one has a clock that
// changes; it is not stored but found from a graph of the releases, which point to what happens before them, and only
// as far back as a question needs. A lock that passes through n programs thus costs each of them one step and not n.
type order struct {
	releases []release // by time; 0 is none
	sources  int       // that are stored in all
	lost     bool      // a bound was exceeded

	program  int64
	acquired []int32         // by the present program
	frontier indices         // releases that happen before now, whose sources were not looked at
	last     map[int64]int64 // by program: the time of the last release that happens before now, as far as was looked
}

func newOrder() order { return order{releases: make([]release, 1), last: map[int64]int64{}} }

// begin says which program runs now.
func (o *order) begin(program int64) {
	if program == o.program {
		return
	}
	o.program, o.acquired, o.frontier = program, nil, o.frontier[:0]
	clear(o.last)
}

// acquire says that the present program has acquired from release i; 0 is none.
func (o *order) acquire(i int32) {
	if o.knows(i) {
		return
	}
	if o.sources++; o.sources > maxSources {
		o.lost = true
		return
	}
	o.acquired = append(o.acquired, i)
	o.push(i)
}

// knows reports whether release i happens before now and is among what was acquired, or a source of it.
func (o *order) knows(i int32) bool { return i == 0 || o.releases[i].seen == o.program }

func (o *order) push(i int32) {
	if !o.knows(i) {
		o.releases[i].seen = o.program
		heap.Push(&o.frontier, i)
	}
}

// release adds a release by the present program, which also continues the release sequence of earlier; 0 is none.
// The lanes of one operation share a release, as far as they continue nothing that their program does not know.
func (o *order) release(time int64, earlier int32) int32 {
	top := len(o.releases) - 1
	known := o.knows(earlier)
	switch {
	case known && o.releases[top].time == time && o.releases[top].seen == o.program:
		return int32(top)
	case top == maxReleases || o.sources > maxSources:
		o.lost = true
		return 0
	}
	sources, seen := slices.Clip(o.acquired), o.program
	if !known {
		sources, seen = append(sources, earlier), 0
		o.sources += len(sources)
	}
	o.releases = append(o.releases, release{o.program, time, sources, seen})
	return int32(top + 1)
}

// before reports whether an access by another program at a time happens before now. Where releases were lost that is
// assumed, so that no race is invented.
func (o *order) before(program, time int64) bool {
	if o.lost {
		return true
	}
	// Releases before time cannot say anything about it, nor can their sources, which are older still.
	for len(o.frontier) > 0 && o.releases[o.frontier[0]].time >= time {
		r := &o.releases[heap.Pop(&o.frontier).(int32)]
		o.last[r.program] = max(o.last[r.program], r.time)
		for _, s := range r.sources {
			o.push(s)
		}
	}
	return o.last[program] >= time
}

// indices is a heap with the largest index, the latest release, on top.
type indices []int32

func (h indices) Len() int           { return len(h) }
func (h indices) Less(i, j int) bool { return h[i] > h[j] }
func (h indices) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *indices) Push(x any)        { *h = append(*h, x.(int32)) }
func (h *indices) Pop() any {
	last := len(*h) - 1
	x := (*h)[last]
	*h = (*h)[:last]
	return x
}
