package inspect

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/types"
	"github.com/newtlab/newt/interp/trace"
)

// Finding is what a sanitizer finds, or an access out of bounds, with its place in a program.
type Finding struct {
	*diag.Diagnostic
	Program [3]int
	Step    int // of the program; -1 where that is not known
	Tensor  int // of Launch's tensors, the one that is accessed; -1 where none is
	// Elements are those that the lanes concerned access, by number; not in the tensor where they are negative or too
	// large.
	Elements []int32
	Where    diag.Text // program 1, lanes 8 to 31: x[40:64]
	Value    string    // that the first of the lanes loads or stores; empty where it is not known
}

// Findings makes the launch under each sanitizer, within its budget, and says where in the programs they have found
// something, in the order of the source. limits say why not all of the launch was checked; there are none where it was.
// The error says that ctx is done.
func (l *Launch) Findings(ctx context.Context) (list []Finding, limits diag.List, err error) {
	with := l.with
	with.Observer, with.Progress, with.Poison = nil, nil, false // a poisoned lane is NaN because of its mask alone
	sanitized, found := l.optimized.SanitizeWithin(ctx, l.args, with)
	l.kernel.SuggestMasks(l.args, found)
	found.AddNew(sanitized...)
	found.Sort()
	for _, d := range found {
		switch {
		case d.Runtime != nil:
			list = append(list, Finding{Diagnostic: d, Program: d.Runtime.Program, Step: -1, Tensor: -1,
				Where: diag.Text{Key: "why.program", Args: []any{ProgramText(l.with.Grid, d.Runtime.Program)}}})
		case d.Code == "sanitize-budget" || d.Primary.Span == source.Span{}:
			limits.Add(d)
		}
	}
	if len(list) > 0 {
		at := newLocator(l, list)
		_, _, err = l.again(ctx, at)
		at.settle()
	}
	return list, limits, cmp.Or(err, ctx.Err())
}

// locator finds the steps and elements of findings. It observes the programs that have some.
type locator struct {
	stepper
	pending map[[3]int][]*Finding
	open    []*Finding          // of the program that runs
	made    int                 // accesses of the program
	last    map[source.Span]int // steps of the program
}

func newLocator(l *Launch, list []Finding) *locator {
	r := &Result{Grid: l.with.Grid, Tensors: slices.Clone(l.tensors), From: math.MaxInt}
	out := &locator{pending: map[[3]int][]*Finding{}}
	out.stepper = stepper{summary: newSummary(r, l.byParam), source: l.source}
	for i := range list {
		f := &list[i]
		out.pending[f.Program] = append(out.pending[f.Program], f)
	}
	return out
}

// Watches begins with a program, if it has findings.
func (l *locator) Watches(program [3]int) bool {
	l.settle()
	l.open = l.pending[program]
	l.enterProgram(program)
	l.made, l.last = 0, map[source.Span]int{}
	return len(l.open) > 0
}

// settle is for what was found after the last access of the program.
func (l *locator) settle() {
	for _, f := range l.open {
		l.place(f)
	}
	l.open = nil
}

// Access implements trace.Observer.
func (l *locator) Access(a *trace.Access) {
	if len(l.open) == 0 || a.Program != l.result.Program {
		return
	}
	l.stepper.begin(a.Span)
	l.last[a.Span] = l.result.Total - 1
	l.open = slices.DeleteFunc(l.open, func(f *Finding) bool { return l.at(f, a) })
	l.made++
}

// at places a finding of this access, or of an operation before it, and reports whether it was one.
func (l *locator) at(f *Finding, a *trace.Access) bool {
	lanes := f.Runtime.Lanes
	if f.Severity == diag.Error {
		if a.Span != f.Primary.Span {
			return false
		}
		if lanes = l.outside(a, f.Runtime.Tensor); len(lanes) == 0 {
			return false
		}
	} else if f.Runtime.Access != l.made {
		return false
	}
	l.place(f)
	l.elements(f, a, lanes)
	return true
}

// place gives a finding the last step of its expression.
func (l *locator) place(f *Finding) {
	if step, ok := l.last[f.Primary.Span]; ok {
		f.Step = step
	}
}

// outside are the lanes that take part and point out of the memory of a tensor, or to none where that has no name.
func (l *locator) outside(a *trace.Access, tensor string) (lanes []int) {
	for i, p := range a.Ptr {
		arg, offset := trace.Split(p)
		t := l.tensor(arg)
		if a.Active(i) && (t == nil && tensor == "" || t != nil && t.Name == tensor && t.view.outside(offset) != 0) {
			lanes = append(lanes, i)
		}
	}
	return lanes
}

// elements says which elements the lanes of an access concern, those of the first one's tensor.
func (l *locator) elements(f *Finding, a *trace.Access, lanes []int) {
	if len(lanes) == 0 {
		return
	}
	first, _ := trace.Split(a.Ptr[lanes[0]])
	t := l.tensor(first)
	if t == nil {
		return
	}
	f.Tensor = l.byParam[first]
	slices.Sort(lanes)
	lanes = slices.Compact(lanes)
	for _, lane := range lanes {
		if arg, offset := trace.Split(a.Ptr[lane]); arg == first {
			f.Elements = append(f.Elements, int32(max(math.MinInt32, min(math.MaxInt32, t.view.element(offset)))))
		}
	}
	shape := a.Instr.Operands[0].Type.Shape
	f.Value = newValue(types.Type{DType: a.DType, Shape: shape}, a.Values, l.tensorName).lane(lanes[0], whyDigits)
	where := (&Access{Elements: f.Elements}).where(t)
	f.Where = diag.Text{Key: "inspect.finding", Args: []any{who(f.Where, shape, lanes), where}}
}

// who names lanes of a program: those of a vector that follow each other by the first and the last, others by the first
// and their number.
func who(program diag.Text, shape, lanes []int) diag.Text {
	first, last := lanes[0], lanes[len(lanes)-1]
	switch {
	case len(shape) == 0:
		return program
	case len(lanes) == 1:
		return diag.Text{Key: "why.lane-of", Args: []any{program, laneText(shape, first)}}
	case len(shape) == 1 && last-first == len(lanes)-1:
		return diag.Text{Key: "inspect.lanes", Args: []any{program, first, last}}
	}
	return diag.Text{Key: "inspect.some-lanes", Args: []any{program, len(lanes), laneText(shape, first)}}
}

// Operation implements trace.OperationObserver.
func (l *locator) Operation(o *trace.Operation) {
	if len(l.open) == 0 {
		return
	}
	l.stepper.Operation(o)
	if l.result.Total > 0 {
		l.last[o.Instr.Span] = l.result.Total - 1
	}
}
