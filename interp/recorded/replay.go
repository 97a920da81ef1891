package recorded

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/triton"
	"github.com/newtlab/newt/interp/document"
	"github.com/newtlab/newt/interp/launch"
	"github.com/newtlab/newt/interp/script"
	"github.com/newtlab/newt/interp/tensor"
)

// Outcome is what a launch that was made again came to.
type Outcome string

// The outcomes, the best first.
const (
	Identical Outcome = "identical" // every byte of every storage is as it was recorded
	Close     Outcome = "close"     // floats differ by no more than rounding explains
	Differs   Outcome = "differs"
	Fault     Outcome = "fault"   // the launch failed: an access out of bounds, a time limit
	Refused   Outcome = "refused" // newt does not compile the kernel, or does not take the call
)

// Result is what a launch that was made again came to.
type Result struct {
	Outcome     Outcome
	Worst       Difference    // of the storages the one that is farthest off; zero where all are identical
	At          string        // the element Worst.First, as the kernel's arguments have it: z_ptr[3, 4]
	Took        time.Duration // to compile and to launch
	Diagnostics diag.List     // warnings, and last what the launch failed with; places are in Sources
	Sources     *source.Set
	SourceLine  int // at which the launch's source begins in the text that Diagnostics are about
}

// Replay makes the i-th launch of the file again, and compares its storages with the recording. o says where: its
// Launcher, and the Host's limits. Of a launch whose floats are farther off than their own rounding explains, it asks
// how far the rounding errors of its operations move them, by launching on the interpreter.
func (f *File) Replay(ctx context.Context, i int, o script.Options) *Result {
	out, contents := f.Launch(ctx, i, o)
	if contents == nil {
		return out
	}
	l := &f.Launches[i]
	differences := make([]Difference, len(contents))
	for s, got := range contents {
		differences[s] = compare(l.dtype(s), got, f.members[l.Storages[s].After])
	}
	if slices.ContainsFunc(differences, func(d Difference) bool { return d.outcome() == Differs }) {
		for s, spread := range f.spreads(ctx, i, o) {
			differences[s].explain(spread)
		}
	}
	out.Outcome = Identical
	names := f.script(l).names
	for s, d := range differences {
		outcome := d.outcome()
		worse := rank[outcome] - rank[out.Outcome]
		if worse > 0 || worse == 0 && d.ULPs > out.Worst.ULPs {
			out.Outcome, out.Worst, out.At = outcome, d, place(names[s], l.views(s), d.DType, d.First)
		}
	}
	return out
}

// Launch makes the i-th launch of the file again, and gives the bytes that it left in its storages, with the recorded
// addresses in place of its own; nil where it failed, as the Outcome of the Result says, which is empty otherwise. What
// o emits is that of the script around the launch.
func (f *File) Launch(ctx context.Context, i int, o script.Options) (*Result, [][]byte) {
	l := &f.Launches[i]
	s := f.script(l)
	out := &Result{Outcome: Refused, SourceLine: strings.Count(imports, "\n") + 2}
	o.Script, o.Host.Files = true, f.Files()
	o.Keep = script.Keep{Launches: 1}
	emit := o.Emit
	o.Emit = func(e script.Event) {
		if emit != nil {
			emit(e)
		}
		switch e.Kind {
		case script.Launched:
			out.Took = e.Launch.Took
		case script.Ended:
			out.Diagnostics = e.Result.Diagnostics
			// Of the script's errors, this one alone is that of a kernel that runs.
			if strings.Contains(e.Result.Traceback, "\nRuntimeError: ") {
				out.Outcome = Fault
			}
		}
	}
	whole := code(imports + "\n" + f.source(l) + "\n" + s.launch)
	whole.Line = 1
	if o.Host.Triton == 0 {
		o.Host.Triton, _ = triton.Parse(f.Versions["triton"]) // of an older one, as of the default
	}
	run := script.New(document.New(l.Kernel+".py", document.Python, whole), o)
	out.Sources = run.Sources()
	if run.All(ctx) != 0 {
		return out, nil
	}
	contents := make([][]byte, len(l.Storages))
	for i, storage := range l.Storages {
		t, ok := run.Tensor(s.names[i])
		if !ok || t.Storage().Len() != storage.Bytes {
			out.Outcome = Refused // the source has made something else of the variable
			return out, nil
		}
		var err error
		if contents[i], err = t.Storage().Read(); err != nil {
			out.Outcome, out.Diagnostics = Fault, append(out.Diagnostics, launch.Diagnostic(err))
			return out, nil
		}
		contents[i] = l.withAddresses(i, contents[i], f.members[storage.After])
	}
	out.Outcome = ""
	return out, contents
}

// withAddresses is what a launch left in its i-th storage, with the recorded addresses in place of its own.
func (l *Launch) withAddresses(i int, got, want []byte) []byte {
	if len(l.Addresses) == 0 {
		return got
	}
	got = slices.Clone(got)
	for _, a := range l.Addresses {
		if a.Storage == i {
			copy(got[a.At*8:][:8], want[a.At*8:])
		}
	}
	return got
}

// views are the tensors in the i-th storage.
func (l *Launch) views(i int) (views []operand) {
	for _, t := range l.tensors() {
		if t.Storage == i {
			views = append(views, t)
		}
	}
	return views
}

// dtype is that of the elements of the i-th storage.
func (l *Launch) dtype(i int) num.DType {
	name, _ := l.base(i, l.views(i))
	d, _ := tensor.DTypeNamed(name)
	return d
}

var rank = map[Outcome]int{Identical: 0, Close: 1, Differs: 2}

// place is an element of a storage as an element of a tensor in it: z_ptr[3, 4]. Elements that no tensor has are places
// from the first tensor's pointer on, as the kernel reaches them.
func place(name string, views []operand, d num.DType, element int) string {
	for _, v := range views {
		if index, ok := v.index(element); ok && dtypes(v.DType) == d.Info().Bytes {
			return v.name + bracketed(index)
		}
	}
	if len(views) == 0 || dtypes(views[0].DType) != d.Info().Bytes {
		return name + bracketed([]int{element})
	}
	return fmt.Sprintf("%s + %d", views[0].name, element-views[0].Offset)
}

// index is that of an element of the storage in the tensor, where it has one.
func (t *Tensor) index(element int) (index []int, ok bool) {
	left := element - t.Offset
	index = make([]int, len(t.Shape))
	done := make([]bool, len(t.Shape))
	for range t.Shape {
		widest := -1
		for i, s := range t.Strides {
			if !done[i] && s > 0 && (widest < 0 || s > t.Strides[widest]) {
				widest = i
			}
		}
		if widest < 0 {
			break
		}
		done[widest] = true
		index[widest] = min(max(left, 0)/t.Strides[widest], max(t.Shape[widest]-1, 0))
		left -= index[widest] * t.Strides[widest]
	}
	return index, left == 0 && !slices.Contains(t.Shape, 0)
}
