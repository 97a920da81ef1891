package sanitize

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"unsafe"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/trace"
)

// Races is the race detector: an observer of one launch.
//
// It follows the memory model of PTX at the granularity of programs. An operation that acquires synchronizes with the
// releases whose sequence it reads from: those on the same element, continued by atomic operations of any sem, and
// ended by a plain store. Relaxed operations, and those of scope cta, synchronize with no other program. Atomic
// operations and volatile loads do not race with each other unless the scope of one is cta.
//
// What a launch synchronizes by accident of the order of its programs counts as synchronized. Two more launches find
// that (launch.Kernel.Races): one in the opposite order, and a Contended one, in which locks are found taken.
//
// Memory is bounded: cells of shadow memory, accesses, releases with their sources, weak operations and races. Beyond
// a bound races may be missed; Incomplete says so.
type Races struct {
	// Contended lets atomic operations read older values, as contention says.
	Contended bool

	grid      [3]int
	shadows   *shadows[*blocks]
	order     order
	weak      map[int64]weak // by program
	events    []event        // in order; 0 is none
	found     map[race]*Race
	foundLost bool // races are missing in found, or events
	accesses  accesses
	contended *contention // nil unless Contended
}

// The bounds on programs whose weak atomic operations are remembered, weakBytes each, and on races.
const (
	maxWeak   = 1 << 16
	weakBytes = 80
	maxFound  = 1000
)

// The bound on the accesses of a launch, of all their lanes each, and what one takes in a slice that may have grown to
// twice its length.
const (
	maxEvents  = 1 << 20
	eventBytes = 2 * int64(unsafe.Sizeof(event{}))
)

// RacesBytes is the most memory that looking for races in a launch takes, whose tensors have so many elements.
func RacesBytes(elements int) int64 {
	perBlock := int64(unsafe.Sizeof(block{}) + unsafe.Sizeof([blockElements]history{}))
	return int64(min(elements, maxCells)/blockElements+1)*perBlock + maxReleases*releaseBytes +
		maxSources*sourceBytes + maxWeak*weakBytes + maxEvents*eventBytes
}

// event is an access with all its lanes; program is its number plus 1. Its time is its index among the events.
type event struct {
	program     int64
	span        source.Span
	kind        trace.Kind
	strong, cta bool
}

// access is one lane of an event; event is 0 where there was none.
type access struct{ event, lane int32 }

// history is the shadow of an element: its last write, two programs that read it since and that nothing orders, and
// the release sequence that an acquire would read from.
type history struct {
	writer, reader, other access
	sequence              int32
}

// block is the shadow of some elements that follow each other. Mostly lanes that follow each other touch all of them at
// once: then one history says it for all. Its lanes are those of the first element, and those of the next elements are
// the next ones. Nothing is released to such elements.
type block struct {
	all  history
	each *[blockElements]history // where there is one, it counts
}

const blockElements = 16

// slab is how many blocks' single histories are allocated at a time.
const slab = 32

// split gives each element of block i a history of its own.
func (s *blocks) split(i int) *[blockElements]history {
	b := &s.list[i]
	if b.each == nil {
		if len(s.free) == 0 {
			s.free = make([][blockElements]history, slab)
		}
		b.each, s.free = &s.free[0], s.free[1:]
		if b.all == (history{}) {
			return b.each
		}
		for i := range b.each {
			h := b.all
			h.writer.lane += int32(i)
			h.reader.lane += int32(i)
			h.other.lane += int32(i)
			b.each[i] = h
		}
	}
	return b.each
}

// blocks is the shadow of a storage of n elements.
type blocks struct {
	list []block
	n    int
	free [][blockElements]history
}

func newBlocks(n int) *blocks {
	return &blocks{list: make([]block, (n+blockElements-1)/blockElements), n: n}
}

// at is the history of element i, for itself.
func (s *blocks) at(i int) *history { return &s.split(i / blockElements)[i%blockElements] }

// weak are the first atomic operations of a program that do not acquire, or do not release, for other programs.
type weak struct{ acquire, release source.Span }

type race struct {
	code          string
	arg           int
	first, second source.Span
}

// Race is a pair of accesses that clash, merged over a launch.
type Race struct {
	Code          string // row of the catalogue: race-stores, race-load-store, race-same-value, race-scope, race-lanes
	Tensor        string
	First, Second source.Span // in the order of the launch
	FirstKind     trace.Kind
	Programs      [2][3]int   // the first pair of programs
	Lanes         [2]int      // of the first pair of accesses
	Access        int         // the second program's access, counted from 0
	Raced         []int       // its lanes that race; the first ones
	Index         int64       // the first element
	Count         int64       // elements in all
	Weak          source.Span // an atomic operation between the two that is too weak to order them; may be empty
	WeakKey       string      // what it lacks: phrase of the catalogue

	event int32 // the second access
}

// Launch forgets what was and begins with the arguments of a new launch.
func (r *Races) Launch(grid [3]int, args []trace.Buffer) {
	*r = Races{Contended: r.Contended, grid: grid, shadows: newShadows(args, written, newBlocks), order: newOrder(),
		weak: map[int64]weak{}, events: make([]event, 1), found: map[race]*Race{}}
	if r.Contended {
		r.contended = newContention()
	}
}

// written chooses what is watched: memory that is only read has no races.
func written(a *trace.Buffer) bool { return a.Written }

// Access compares a with earlier accesses, and orders what follows it.
func (r *Races) Access(a *trace.Access) {
	r.accesses.count(a.Program)
	if !r.shadows.reaches(a) && !a.Order.Strong {
		return
	}
	if len(r.events) > maxEvents {
		r.foundLost = true
		return
	}
	v := visit{Races: r, a: a, me: access{event: int32(len(r.events))},
		event: event{trace.ProgramNumber(r.grid, a.Program) + 1, a.Span, a.Kind, a.Order.Strong, a.Order.CTA}}
	r.events = append(r.events, v.event)
	r.order.begin(v.program)
	if r.contended != nil {
		r.contended.begin(v.program)
	}
	lanes := r.shadows.stretches(a)
	for i := range lanes {
		v.at = &lanes[i]
		v.touch()
	}
	if a.Order.Strong {
		r.noteWeak(v.program, a)
	}
	if a.Order.Release && !a.Order.CTA {
		// After all lanes have acquired: one release is enough for most operations.
		for i := range lanes {
			v.at = &lanes[i]
			v.release()
		}
	}
}

// visit is an access on its way through its lanes.
type visit struct {
	*Races
	a *trace.Access
	event
	me access
	at *stretch[*blocks]
}

// touch compares the lanes of the stretch with earlier accesses, and notes them.
func (v *visit) touch() {
	s := v.at
	end := s.cell + s.n*s.parts
	for from := s.cell; from < end; {
		b := &s.cells.list[from/blockElements]
		to := min(from/blockElements*blockElements+blockElements, end)
		v.me.lane = int32(s.lane + (from-s.cell)/s.parts)
		whole := from%blockElements == 0 && (to-from == blockElements || to == s.cells.n)
		if !whole || b.each != nil || !v.touchAll(&b.all) {
			each := s.cells.split(from / blockElements)
			for i := from; i < to; i++ {
				v.me.lane = int32(s.lane + (i-s.cell)/s.parts)
				if h := &each[i%blockElements]; !v.touchFirst(h) {
					v.touchOne(h)
				}
			}
			if whole && v.a.Kind == trace.Store && s.parts == 1 {
				*b = block{all: each[0]} // this store is all that is left to know
			}
		}
		from = to
	}
}

// touchFirst does what touchOne does for the first access to an element, if nothing else is to be noted.
func (v *visit) touchFirst(h *history) bool {
	if *h != (history{}) || v.a.Kind == trace.Atomic || v.a.Order.Strong || v.contended != nil {
		return false
	}
	if v.a.Kind == trace.Load {
		h.reader = v.me
	} else {
		h.writer = v.me
	}
	return true
}

// touchAll does for all elements of a block at once what touchOne does for one, if that is the same: it is not for
// races, for lanes of one store that meet, and for what orders other accesses.
func (v *visit) touchAll(h *history) bool {
	if v.a.Order.Strong || v.a.Kind == trace.Atomic || v.at.parts > 1 || !v.follows(h.writer) {
		return false
	}
	if v.a.Kind == trace.Load {
		v.read(h)
		return true
	}
	if !v.follows(h.reader) || !v.follows(h.other) {
		return false
	}
	v.write(h)
	return true
}

// follows reports whether an earlier access, if there was one, is of another operation and happens before this one.
func (v *visit) follows(earlier access) bool {
	return earlier.event == 0 || earlier.event != v.me.event && v.ordered(earlier)
}

// touchOne compares a lane with earlier accesses to one of its elements, and notes it.
func (v *visit) touchOne(h *history) {
	if v.readOlder(h) {
		return
	}
	v.compare(h.writer)
	if v.writes(int(v.me.lane)) {
		v.compare(h.reader)
		v.compare(h.other)
		v.write(h)
	} else {
		v.read(h)
	}
	switch {
	case v.a.Order.Acquire && !v.a.Order.CTA:
		v.order.acquire(h.sequence)
	case v.a.Kind == trace.Store || v.a.Order.CTA:
		h.sequence = 0
	}
}

func (v *visit) release() {
	s := v.at
	for i := range s.n * s.parts {
		if v.writes(s.lane + i/s.parts) {
			h := s.cells.at(s.cell + i)
			h.sequence = v.order.release(int64(v.me.event), h.sequence)
		}
	}
}

// writes reports whether a lane changes memory: a compare-and-swap that finds another value does not.
func (v *visit) writes(lane int) bool {
	if v.a.Kind == trace.Load {
		return false
	}
	return v.a.Compare.Len() == 0 || v.equal(v.a.Compare, lane, v.at.memory(lane))
}

// equal compares a lane of values with memory, bit by bit.
func (v *visit) equal(values num.Vec, lane int, memory []byte) bool {
	var b [8]byte
	num.StoreAt(v.a.DType, b[:], 0, values, lane)
	return bytes.Equal(b[:len(memory)], memory)
}

func (v *visit) read(h *history) {
	// A reader that is ordered before this one is not needed: what races with it races with this one as well.
	if h.reader.event == 0 || v.ordered(h.reader) {
		h.reader = v.me
	} else {
		h.other = v.me
	}
}

// write notes the lane as the last that wrote. Whoever races with the reads so far has been reported; from now on a
// race with this write says as much.
func (v *visit) write(h *history) { *h = history{writer: v.me, sequence: h.sequence} }

// ordered reports whether an earlier access happens before this one.
func (v *visit) ordered(earlier access) bool {
	program := v.events[earlier.event].program
	return program == v.program || v.order.before(program, int64(earlier.event))
}

// compare reports a race between an earlier access to the element and this one, if it is one.
func (v *visit) compare(earlier access) {
	if earlier.event == 0 {
		return
	}
	if earlier.event == v.me.event && v.a.Kind == trace.Store {
		v.compareLanes(earlier)
		return
	}
	e := &v.events[earlier.event]
	strong := e.strong && v.strong
	if strong && !e.cta && !v.cta || v.ordered(earlier) {
		return
	}
	v.report(v.code(e.kind, strong), earlier)
}

// code is the row of the catalogue for a race.
func (v *visit) code(earlier trace.Kind, strong bool) string {
	lane := int(v.me.lane)
	switch {
	case strong:
		return "race-scope"
	case v.a.Kind == trace.Store && earlier != trace.Atomic && v.equal(v.a.Values, lane, v.at.memory(lane)):
		return "race-same-value"
	case v.a.Kind == trace.Load || earlier == trace.Load:
		return "race-load-store"
	}
	return "race-stores"
}

// compareLanes reports two lanes of one store that write different values.
func (v *visit) compareLanes(earlier access) {
	var b [8]byte
	num.StoreAt(v.a.DType, b[:], 0, v.a.Values, int(earlier.lane))
	if !v.equal(v.a.Values, int(v.me.lane), b[:v.at.size]) {
		v.report("race-lanes", earlier)
	}
}

func (v *visit) report(code string, earlier access) {
	e := &v.events[earlier.event]
	key := race{code, v.at.arg, e.span, v.span}
	if found := v.found[key]; found != nil {
		found.Count++
		if found.event == v.me.event && len(found.Raced) < maxLanes {
			found.Raced = append(found.Raced, int(v.me.lane))
		}
		return
	}
	if len(v.found) == maxFound {
		v.foundLost = true
		return
	}
	f := &Race{
		Code: code, Tensor: v.shadows.args[v.at.arg].Name, First: e.span, Second: v.span,
		FirstKind: e.kind, Index: v.at.index(int(v.me.lane)), Count: 1,
		Programs: [2][3]int{trace.ProgramAt(v.grid, e.program-1), trace.ProgramAt(v.grid, v.program-1)},
		Lanes:    [2]int{int(earlier.lane), int(v.me.lane)},
		Access:   v.accesses.made - 1, Raced: []int{int(v.me.lane)}, event: v.me.event,
	}
	if w := v.weak[v.program].acquire; w.End > 0 {
		f.Weak, f.WeakKey = w, "race-weak-acquire"
	}
	if w := v.weak[e.program].release; w.End > 0 {
		f.Weak, f.WeakKey = w, "race-weak-release"
	}
	v.found[key] = f
}

// noteWeak remembers an atomic operation that synchronizes less than it might.
func (r *Races) noteWeak(program int64, a *trace.Access) {
	if a.Kind != trace.Atomic || len(r.weak) == maxWeak {
		return
	}
	w := r.weak[program]
	if (!a.Order.Acquire || a.Order.CTA) && w.acquire.End == 0 {
		w.acquire = a.Span
	}
	if (!a.Order.Release || a.Order.CTA) && w.release.End == 0 {
		w.release = a.Span
	}
	if w != (weak{}) {
		r.weak[program] = w
	}
}

// Found lists the races in the order of the source.
func (r *Races) Found() []Race {
	var list []Race
	for _, f := range r.found {
		list = append(list, *f)
	}
	slices.SortStableFunc(list, func(a, b Race) int {
		return cmp.Or(cmp.Compare(a.Second.Start, b.Second.Start), cmp.Compare(a.First.Start, b.First.Start),
			cmp.Compare(a.Tensor, b.Tensor), cmp.Compare(a.Code, b.Code))
	})
	return list
}

// Diagnostics puts every race in words, in the order of the source, and says whether some may be missing.
func (r *Races) Diagnostics() diag.List {
	var list diag.List
	for _, f := range r.Found() {
		list.Add(f.Diagnostic())
	}
	if d := r.Incomplete(); d != nil {
		list.Add(d)
	}
	return list
}

// Incomplete says that races may have been missed, and why; it is nil where none was.
func (r *Races) Incomplete() *diag.Diagnostic {
	if !r.order.lost && !r.foundLost && (r.shadows == nil || !r.shadows.partial) {
		return nil
	}
	d := diag.New("races-incomplete", source.Span{}, maxCells, maxReleases, maxFound)
	d.Severity = diag.Hint
	return d
}

var otherKeys = [...]string{trace.Load: "race-other-load", trace.Store: "race-other-store",
	trace.Atomic: "race-other-atomic"}

// Diagnostic puts the race in words, with both places where they differ, and what failed to order them.
func (f *Race) Diagnostic() *diag.Diagnostic {
	d := diag.Warn(f.Code, f.Second, f.Tensor, programText(f.Programs[0]), programText(f.Programs[1]), f.Index, f.Count,
		f.Lanes[0], f.Lanes[1])
	if f.Code == "race-same-value" {
		d.Severity = diag.Hint
	}
	if f.First != f.Second {
		d.Because(f.First, otherKeys[f.FirstKind])
	}
	if f.WeakKey != "" && f.Weak != f.First && f.Weak != f.Second {
		d.Because(f.Weak, f.WeakKey)
	}
	d.Runtime = &diag.Runtime{Program: f.Programs[1], Tensor: f.Tensor, Index: f.Index, Count: f.Count,
		Access: f.Access, Lanes: f.Raced}
	if f.Programs[0] != f.Programs[1] {
		d.Runtime.Other = &f.Programs[0]
	}
	return d
}

// Acquired reports whether a program of the launch acquired from another one.
func (r *Races) Acquired() bool { return r.order.sources > 0 }

func programText(p [3]int) string { return fmt.Sprintf("(%d, %d, %d)", p[0], p[1], p[2]) }
