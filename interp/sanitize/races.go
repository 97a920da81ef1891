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

// Races observes a launch and finds elements that one program writes and another one uses without
// anything between them that orders the two.
//
// What orders two programs are atomic operations: one that the earlier program does after its
// access, and one that the later program does before its own. Which elements those use is not
// asked, so a race may be missed where programs also synchronise; none is made up. Atomic
// operations do not race with each other, nor do stores of the value that is there already.
//
// What it remembers is bounded: elements of tensors, programs with atomic operations, and races. Beyond a bound races
// may be missed; Incomplete tells.
type Races struct {
	grid     [3]int
	memory   *memory[cell]
	synced   map[int64]int64 // by program: the time of its last atomic operation
	unsynced bool            // programs are missing in synced
	now      int64
	found    map[race]*Race
	more     bool // races are missing in found
}

// The bounds on programs with atomic operations, about syncedBytes each, and on races.
const (
	maxSynced   = 1 << 18
	syncedBytes = 40
	maxFound    = 1000
)

// RacesBytes is the most memory that looking for races in a launch takes, whose tensors have so many elements.
func RacesBytes(elements int) int64 {
	return int64(min(elements, maxCells))*int64(unsafe.Sizeof(cell{})) + maxSynced*syncedBytes
}

// visit is one access to an element; program is 0 where there was none, else its number plus 1.
type visit struct {
	program, time int64
	span          source.Span
	atomic        bool
}

// cell remembers an element's last writer and two programs that read it since.
type cell struct{ writer, reader, other visit }

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
	*r = Races{grid: grid, memory: newMemory[cell](args), synced: map[int64]int64{}, found: map[race]*Race{}}
}

// Access compares a with earlier accesses of other programs.
func (r *Races) Access(a *trace.Access) {
	r.now++
	me := visit{r.number(a.Program) + 1, r.now, a.Span, a.Kind == trace.Atomic}
	scratch := make([]byte, a.DType.Info().Bytes)
	r.memory.each(a, func(lane int, p place[cell]) {
		if a.Kind == trace.Store {
			num.StoreAt(a.DType, scratch, 0, a.Values, lane)
		}
		same := a.Kind == trace.Store && bytes.Equal(scratch, p.bytes)
		for i := range p.cells {
			r.meet(&p.cells[i], me, a.Kind, same, p.arg, p.offset)
		}
	})
	if me.atomic {
		r.sync(me.program)
	}
}

// meet compares me with the earlier visits of one cell and then adds me to them.
func (r *Races) meet(c *cell, me visit, kind trace.Kind, same bool, arg int, offset int64) {
	if kind == trace.Load {
		r.clash(c.writer, me, "race-load-store", trace.Store, arg, offset)
		switch {
		case c.reader.program == 0 || c.reader.program == me.program:
			c.reader = me
		default:
			c.other = me
		}
		return
	}
	if !same {
		r.clash(c.writer, me, "race-stores", trace.Store, arg, offset)
		r.clash(c.reader, me, "race-load-store", trace.Load, arg, offset)
		r.clash(c.other, me, "race-load-store", trace.Load, arg, offset)
	}
	*c = cell{writer: me}
}

// clash records a race between an earlier visit and me unless something orders them.
func (r *Races) clash(earlier, me visit, code string, kind trace.Kind, arg int, offset int64) {
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
		r.more = true
		return
	}
	r.found[key] = &Race{
		Code: code, Tensor: r.memory.args[arg].Name, First: earlier.span, Second: me.span, FirstKind: kind,
		Programs: [2][3]int{r.program(earlier.program - 1), r.program(me.program - 1)}, Index: offset, Count: 1,
	}
}

// sync remembers that a program did an atomic operation.
func (r *Races) sync(program int64) {
	if _, ok := r.synced[program]; !ok && len(r.synced) == maxSynced {
		r.unsynced = true
		return
	}
	r.synced[program] = r.now
}

// ordered reports whether atomic operations may order an earlier visit and me. Of a program that is not remembered
// that is assumed, so that no race is made up.
func (r *Races) ordered(earlier, me visit) bool {
	_, mine := r.synced[me.program]
	last, its := r.synced[earlier.program]
	return (mine || r.unsynced) && (its && last > earlier.time || !its && r.unsynced)
}

func (r *Races) number(p [3]int) int64 {
	return (int64(p[0])*int64(r.grid[1])+int64(p[1]))*int64(r.grid[2]) + int64(p[2])
}

func (r *Races) program(n int64) [3]int {
	y, z := int64(r.grid[1]), int64(r.grid[2])
	return [3]int{int(n / z / y), int(n / z % y), int(n % z)}
}

// Found lists the races in the order of the source.
func (r *Races) Found() []Race {
	var list []Race
	for _, f := range r.found {
		list = append(list, *f)
	}
	slices.SortFunc(list, func(a, b Race) int {
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
	if !r.unsynced && !r.more && (r.memory == nil || !r.memory.partial) {
		return nil
	}
	d := diag.New("races-incomplete", source.Span{}, maxCells, maxSynced, maxFound)
	d.Severity = diag.Hint
	return d
}

var otherKeys = [...]string{trace.Load: "race-other-load", trace.Store: "race-other-store", trace.Atomic: "race-other-atomic"}

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
