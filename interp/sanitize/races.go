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
// Two programs are ordered by an atomic operation that the earlier one does after its access and one that the later
// one does before its own. Which addresses those use is not asked: a race may be missed between programs that also
// synchronize, but none is invented. Atomic operations do not race with each other, nor do stores of the value that is
// there already (benign races: every program that stores its part of a table that all of them share).
//
// Memory is bounded: cells of shadow memory, programs with atomic operations, and races. Beyond a bound races may be
// missed; Incomplete says so.
type Races struct {
	grid      [3]int
	shadows   *shadows[history]
	synced    map[int64]int64 // by program: the time of its last atomic operation
	syncLost  bool            // programs are missing in synced
	now       int64
	found     map[race]*Race
	foundLost bool // races are missing in found
}

// The bounds on programs with atomic operations, about syncedBytes each, and on races.
const (
	maxSynced   = 1 << 18
	syncedBytes = 40
	maxFound    = 1000
)

// RacesBytes is the most memory that looking for races in a launch takes, whose tensors have so many elements.
func RacesBytes(elements int) int64 {
	return int64(min(elements, maxCells))*int64(unsafe.Sizeof(history{})) + maxSynced*syncedBytes
}

// access is one access to an element; program is 0 where there was none, else its number plus 1.
type access struct {
	program, time int64
	span          source.Span
	atomic        bool
}

// history is the shadow of an element: its last write, and two programs that read it since. Two are enough: a write by
// one of them still races with the other.
type history struct{ writer, reader, other access }

type race struct {
	code          string
	arg           int
	first, second source.Span
}

// Race is a pair of accesses that clash, merged over a launch.
type Race struct {
	Code          string // row of the catalogue: race-stores, race-load-store
	Tensor        string
	First, Second source.Span // in program order
	FirstKind     trace.Kind
	Programs      [2][3]int // the first pair of programs
	Index         int64     // the first element
	Count         int64     // elements in all
}

// Launch forgets what was and begins with the arguments of a new launch.
func (r *Races) Launch(grid [3]int, args []trace.Buffer) {
	*r = Races{grid: grid, shadows: newShadows[history](args), synced: map[int64]int64{}, found: map[race]*Race{}}
}

// Access compares a with earlier accesses of other programs.
func (r *Races) Access(a *trace.Access) {
	r.now++
	me := access{r.programNumber(a.Program) + 1, r.now, a.Span, a.Kind == trace.Atomic}
	scratch := make([]byte, a.DType.Info().Bytes)
	r.shadows.eachLane(a, func(lane int, p shadowed[history]) {
		if a.Kind == trace.Store {
			num.StoreAt(a.DType, scratch, 0, a.Values, lane)
		}
		same := a.Kind == trace.Store && bytes.Equal(scratch, p.bytes)
		for i := range p.cells {
			r.record(&p.cells[i], me, a.Kind, same, p.arg, p.offset)
		}
	})
	// After its lanes: an atomic operation orders what comes after it, not itself.
	if me.atomic {
		r.synchronize(me.program)
	}
}

// record compares me with the earlier accesses of one cell and then adds me to them.
func (r *Races) record(c *history, me access, kind trace.Kind, same bool, arg int, offset int64) {
	if kind == trace.Load {
		r.report(c.writer, me, "race-load-store", trace.Store, arg, offset)
		switch {
		case c.reader.program == 0 || c.reader.program == me.program:
			c.reader = me
		default:
			c.other = me
		}
		return
	}
	if !same {
		r.report(c.writer, me, "race-stores", trace.Store, arg, offset)
		r.report(c.reader, me, "race-load-store", trace.Load, arg, offset)
		r.report(c.other, me, "race-load-store", trace.Load, arg, offset)
	}
	// Whoever races with the reads so far has been reported; from now on a race with this write says as much.
	*c = history{writer: me}
}

// report records a race between an earlier access and me, unless the two are ordered.
func (r *Races) report(earlier, me access, code string, kind trace.Kind, arg int, offset int64) {
	if earlier.program == 0 || earlier.program == me.program || earlier.atomic && me.atomic {
		return
	}
	if r.ordered(earlier, me) {
		return
	}
	if earlier.atomic {
		kind = trace.Atomic
	}
	key := race{code, arg, earlier.span, me.span}
	if found := r.found[key]; found != nil {
		found.Count++
		return
	}
	if len(r.found) == maxFound {
		r.foundLost = true
		return
	}
	r.found[key] = &Race{
		Code: code, Tensor: r.shadows.args[arg].Name, First: earlier.span, Second: me.span, FirstKind: kind,
		Programs: [2][3]int{r.programIndex(earlier.program - 1), r.programIndex(me.program - 1)}, Index: offset,
		Count: 1,
	}
}

// synchronize remembers the time of a program's last atomic operation: a release of all that it did before, and, for
// whatever it does later, an acquire.
func (r *Races) synchronize(program int64) {
	if _, ok := r.synced[program]; !ok && len(r.synced) == maxSynced {
		r.syncLost = true
		return
	}
	r.synced[program] = r.now
}

// ordered reports whether an atomic operation by the earlier program, after its access, may happen before one by mine.
// Of a program that is not remembered that is assumed, so that no race is invented.
func (r *Races) ordered(earlier, me access) bool {
	_, mine := r.synced[me.program]
	last, its := r.synced[earlier.program]
	return (mine || r.syncLost) && (its && last > earlier.time || !its && r.syncLost)
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
	if !r.syncLost && !r.foundLost && (r.shadows == nil || !r.shadows.partial) {
		return nil
	}
	d := diag.New("races-incomplete", source.Span{}, maxCells, maxSynced, maxFound)
	d.Severity = diag.Hint
	return d
}

var otherKeys = [...]string{trace.Load: "race-other-load", trace.Store: "race-other-store",
	trace.Atomic: "race-other-atomic"}

// Diagnostic puts the race in words, with both places where they differ.
func (f *Race) Diagnostic() *diag.Diagnostic {
	d := diag.Warn(f.Code, f.Second, f.Tensor, programText(f.Programs[0]), programText(f.Programs[1]), f.Index, f.Count)
	if f.First != f.Second {
		d.Because(f.First, otherKeys[f.FirstKind])
	}
	d.Runtime = &diag.Runtime{Program: f.Programs[1], Tensor: f.Tensor, Index: f.Index, Count: f.Count}
	return d
}

func programText(p [3]int) string { return fmt.Sprintf("(%d, %d, %d)", p[0], p[1], p[2]) }
