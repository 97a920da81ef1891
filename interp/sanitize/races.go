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
// What a launch synchronizes by accident of the order of its programs counts as synchronized; a second launch in the
// opposite order finds most of that (launch.Kernel.Races), though not a lock that is taken without waiting: while one
// program runs after the other, it is always free.
//
// Memory is bounded: cells of shadow memory, accesses, releases with their sources, weak operations and races. Beyond
// a bound races may be missed; Incomplete says so.
type Races struct {
	grid      [3]int
	shadows   *shadows[history]
	order     order
	weak      map[int64]weak // by program
	events    []event        // in order; 0 is none
	found     map[race]*Race
	foundLost bool // races are missing in found, or events
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
	return int64(min(elements, maxCells))*int64(unsafe.Sizeof(history{})) + maxReleases*releaseBytes +
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
	Index         int64       // the first element
	Count         int64       // elements in all
	Weak          source.Span // an atomic operation between the two that is too weak to order them; may be empty
	WeakKey       string      // what it lacks: phrase of the catalogue
}

// Launch forgets what was and begins with the arguments of a new launch.
func (r *Races) Launch(grid [3]int, args []trace.Buffer) {
	*r = Races{grid: grid, shadows: newShadows[history](args), order: newOrder(), weak: map[int64]weak{},
		events: make([]event, 1), found: map[race]*Race{}}
}

// Access compares a with earlier accesses, and orders what follows it.
func (r *Races) Access(a *trace.Access) {
	if len(r.events) > maxEvents {
		r.foundLost = true
		return
	}
	v := visit{r, a, event{r.programNumber(a.Program) + 1, a.Span, a.Kind, a.Order.Strong, a.Order.CTA},
		access{event: int32(len(r.events))}}
	r.events = append(r.events, v.event)
	r.order.begin(v.program)
	r.shadows.eachLane(a, v.lane)
	if a.Order.Strong {
		r.noteWeak(v.program, a)
	}
	if a.Order.Release && !a.Order.CTA {
		// After all lanes have acquired: one release is enough for most operations.
		r.shadows.eachLane(a, v.release)
	}
}

// visit is an access on its way through its lanes.
type visit struct {
	*Races
	a *trace.Access
	event
	me access
}

func (v *visit) lane(lane int, p shadowed[history]) {
	v.me.lane = int32(lane)
	for i := range p.cells {
		c := &p.cells[i]
		if v.writes(lane, p) {
			v.write(c, p)
		} else {
			v.read(c, p)
		}
		switch {
		case v.a.Order.Acquire && !v.a.Order.CTA:
			v.order.acquire(c.sequence)
		case v.a.Kind == trace.Store || v.a.Order.CTA:
			c.sequence = 0
		}
	}
}

func (v *visit) release(lane int, p shadowed[history]) {
	if !v.writes(lane, p) {
		return
	}
	for i := range p.cells {
		p.cells[i].sequence = v.order.release(int64(v.me.event), p.cells[i].sequence)
	}
}

// writes reports whether a lane changes memory: a compare-and-swap that finds another value does not.
func (v *visit) writes(lane int, p shadowed[history]) bool {
	if v.a.Kind == trace.Load {
		return false
	}
	return v.a.Compare.Len() == 0 || v.equal(v.a.Compare, lane, p.bytes)
}

// equal compares a lane of values with memory, bit by bit.
func (v *visit) equal(values num.Vec, lane int, memory []byte) bool {
	var b [8]byte
	num.StoreAt(v.a.DType, b[:], 0, values, lane)
	return bytes.Equal(b[:len(memory)], memory)
}

func (v *visit) read(c *history, p shadowed[history]) {
	v.compare(c.writer, p)
	// A reader that is ordered before this one is not needed: what races with it races with this one as well.
	if c.reader.event == 0 || v.ordered(c.reader) {
		c.reader = v.me
	} else {
		c.other = v.me
	}
}

func (v *visit) write(c *history, p shadowed[history]) {
	v.compare(c.writer, p)
	v.compare(c.reader, p)
	v.compare(c.other, p)
	// Whoever races with the reads so far has been reported; from now on a race with this write says as much.
	*c = history{writer: v.me, sequence: c.sequence}
}

// ordered reports whether an earlier access happens before this one.
func (v *visit) ordered(earlier access) bool {
	program := v.events[earlier.event].program
	return program == v.program || v.order.before(program, int64(earlier.event))
}

// compare reports a race between an earlier access to the element and this one, if it is one.
func (v *visit) compare(earlier access, p shadowed[history]) {
	if earlier.event == 0 {
		return
	}
	if earlier.event == v.me.event && v.a.Kind == trace.Store {
		v.compareLanes(earlier, p)
		return
	}
	e := &v.events[earlier.event]
	strong := e.strong && v.strong
	if strong && !e.cta && !v.cta || v.ordered(earlier) {
		return
	}
	v.report(v.code(e.kind, p, strong), earlier, p)
}

// code is the row of the catalogue for a race.
func (v *visit) code(earlier trace.Kind, p shadowed[history], strong bool) string {
	switch {
	case strong:
		return "race-scope"
	case v.a.Kind == trace.Store && earlier != trace.Atomic && v.equal(v.a.Values, int(v.me.lane), p.bytes):
		return "race-same-value"
	case v.a.Kind == trace.Load || earlier == trace.Load:
		return "race-load-store"
	}
	return "race-stores"
}

// compareLanes reports two lanes of one store that write different values.
func (v *visit) compareLanes(earlier access, p shadowed[history]) {
	var b [8]byte
	num.StoreAt(v.a.DType, b[:], 0, v.a.Values, int(earlier.lane))
	if !v.equal(v.a.Values, int(v.me.lane), b[:len(p.bytes)]) {
		v.report("race-lanes", earlier, p)
	}
}

func (v *visit) report(code string, earlier access, p shadowed[history]) {
	e := &v.events[earlier.event]
	key := race{code, p.arg, e.span, v.span}
	if found := v.found[key]; found != nil {
		found.Count++
		return
	}
	if len(v.found) == maxFound {
		v.foundLost = true
		return
	}
	f := &Race{
		Code: code, Tensor: v.shadows.args[p.arg].Name, First: e.span, Second: v.span,
		FirstKind: e.kind, Index: p.offset, Count: 1,
		Programs: [2][3]int{v.programIndex(e.program - 1), v.programIndex(v.program - 1)},
		Lanes:    [2]int{int(earlier.lane), int(v.me.lane)},
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

func (r *Races) programNumber(p [3]int) int64 {
	return (int64(p[0])*int64(r.grid[1])+int64(p[1]))*int64(r.grid[2]) + int64(p[2])
}

func (r *Races) programIndex(n int64) [3]int {
	y, z := int64(r.grid[1]), int64(r.grid[2])
	return [3]int{int(n / z / y), int(n / z % y), int(n % z)}
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
	d.Runtime = &diag.Runtime{Program: f.Programs[1], Tensor: f.Tensor, Index: f.Index, Count: f.Count}
	return d
}

// Acquired reports whether a program of the launch acquired from another one.
func (r *Races) Acquired() bool { return r.order.sources > 0 }

func programText(p [3]int) string { return fmt.Sprintf("(%d, %d, %d)", p[0], p[1], p[2]) }
