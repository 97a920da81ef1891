package inspect

import (
	"math"
	"slices"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/interp/trace"
)

// tape observes one program up to one of its accesses, or to the end of one of its steps, and keeps the lanes of its
// operations.
type tape struct {
	stepper
	end     tapeEnd
	stop    func() // ends the launch once the tape's end is reached
	reached bool
	value   *ir.Value // of the last step; nil where it gives none

	seen    int // accesses of the program so far
	records []record
	kept    int // lanes of records
	control trace.Flow
}

// tapeEnd is where a tape of a program ends: at an access or after a step, counted from 0.
type tapeEnd struct {
	program      [3]int
	access, step int // beyond is an end that does not come
}

// beyond is more than a program has accesses or steps.
const beyond = math.MaxInt

// record is one operation, or the entry into one of its regions.
type record struct {
	instr  *ir.Instr
	values []*ir.Value // its results, or the arguments of the region
	lanes  []num.Vec
	// handed are the values that values are of a loop or a branch, which computes none itself; nil elsewhere.
	handed     []*ir.Value
	step       int
	iterations []int
}

// maxTape is how many lanes a tape keeps, 16 MB or some more.
const maxTape = 1 << 22

// Access implements trace.Observer.
func (t *tape) Access(a *trace.Access) {
	if t.reached {
		return
	}
	t.stepper.Access(a)
	if t.Watches(a.Program) {
		t.seen++
		t.check()
	}
}

// check ends the launch where the tape does. A step has ended once another one has begun.
func (t *tape) check() {
	if t.reached = t.seen > t.end.access || t.result.Total-1 > t.end.step; t.reached {
		t.stop()
		return
	}
	t.value = t.given
}

// Operation implements trace.OperationObserver.
func (t *tape) Operation(o *trace.Operation) {
	if t.reached {
		return
	}
	t.stepper.Operation(o)
	if t.check(); t.reached {
		return
	}
	in := o.Instr
	r := record{instr: in, values: in.Results, step: t.result.Total - 1, iterations: t.iterations()}
	switch {
	case o.Region != nil:
		r.values = o.Region.Args
		_, r.handed = t.control.Enter(in, o.Region)
		if in.Op == ops.For {
			r.handed = slices.Concat([]*ir.Value{nil}, r.handed)
		}
	case in.Op == ops.If || in.Op == ops.For || in.Op == ops.While:
		_, r.handed = t.control.Leave(in)
	}
	for _, lanes := range o.Lanes {
		copied := lanes.Clone()
		r.lanes = append(r.lanes, copied)
		t.kept += copied.Len()
	}
	t.records = append(t.records, r)
	if t.kept+len(t.records) > maxTape {
		t.forget()
	}
}

// iterations are those of the loops that the program is in. Records of one iteration share them.
func (t *tape) iterations() []int {
	var now []int
	for _, l := range t.loops {
		now = append(now, l.of.Last)
	}
	if n := len(t.records); n > 0 && slices.Equal(t.records[n-1].iterations, now) {
		return t.records[n-1].iterations
	}
	return now
}

// forget drops the older half of the records, but for those of values that no later one replaces.
func (t *tape) forget() {
	replaced := map[*ir.Value]bool{}
	var kept []record
	t.kept = 0
	for i := range slices.Backward(t.records) {
		r := t.records[i]
		if len(r.values) == 0 || i < len(t.records)/2 && replaced[r.values[0]] {
			continue
		}
		for _, v := range r.values {
			replaced[v] = true
		}
		for _, lanes := range r.lanes {
			t.kept += lanes.Len()
		}
		kept = append(kept, r)
	}
	slices.Reverse(kept)
	t.records = kept
}
