package script

import (
	"slices"
	"time"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/document"
	"github.com/newtlab/newt/interp/host"
	"github.com/newtlab/newt/interp/launch"
	"github.com/newtlab/newt/interp/tensor"
)

// Keep bounds the log of a document's launches.
type Keep struct {
	Launches int // that are listed; later ones are counted
	Bytes    int // of arguments, so that launches can be opened; the oldest are forgotten first
	Alike    int // launches of one kernel by one call whose arguments are kept: a loop launches often
}

// DefaultKeep is what a page keeps.
var DefaultKeep = Keep{Launches: 1000, Bytes: 64 << 20, Alike: 4}

// Launch is one launch of a document, as a list of launches shows it.
type Launch struct {
	Number  int            // from 1, in the order of the run
	Cell    *document.Cell // that made it
	Kernel  string
	Grid    [3]int
	Args    []Arg
	Options map[string]string // num_warps and such
	Span    source.Span       // of the call, in the Run's Sources
	Took    time.Duration     // of the compilation and the launch
	Failure *diag.Diagnostic  // nil if it succeeded
	State   State

	of    host.Launch  // without its arguments
	args  []launch.Arg // as they were before the launch
	bytes int
}

// Arg is an argument of a launch. DType, as torch names it, Shape and Strides are a tensor's; Value is any other's
// repr.
type Arg struct {
	Name           string
	DType          string
	Shape, Strides []int
	Value          string
}

// State says whether a launch can be opened.
type State string

// The states of a launch.
const (
	Kept     State = "kept"
	TooLarge State = "too large to keep"
	Repeated State = "one of many by the same call"
	Dropped  State = "forgotten for later launches"
)

// log lists the launches of a run.
type log struct {
	keep     Keep
	cell     *document.Cell // that runs
	launches []*Launch
	number   int // of the last launch
	more     int // that were not listed
	bytes    int // of the arguments that are kept
}

// Launches are the launches so far, without those of earlier runs of a cell that has run again; more is how many
// are not listed.
func (r *Run) Launches() (list []*Launch, more int) {
	return r.log.launches, r.log.more
}

// begin forgets the launches of a cell that runs again.
func (l *log) begin(c *document.Cell) {
	l.cell = c
	l.launches = slices.DeleteFunc(l.launches, func(old *Launch) bool {
		if old.Cell == c {
			l.forget(old, Dropped)
		}
		return old.Cell == c
	})
}

func (l *log) forget(old *Launch, state State) {
	if old.State == Kept {
		l.bytes -= old.bytes
		old.args, old.State = nil, state
	}
}

// add lists a launch that is about to be made; nil where the log is full.
func (l *log) add(of host.Launch) *Launch {
	l.number++
	if len(l.launches) >= l.keep.Launches {
		l.more++
		return nil
	}
	entry := &Launch{Number: l.number, Cell: l.cell, Kernel: of.Kernel.Name, Grid: of.Grid, Span: of.Span, of: of,
		Options: map[string]string{}}
	for _, p := range passed(of) {
		if p.tuple == nil {
			entry.Args = append(entry.Args, argumentOf(p.name, p.value))
		}
	}
	for name, v := range of.Options {
		entry.Options[name] = host.Repr(v)
	}
	l.launches = append(l.launches, entry)
	l.save(entry)
	// What the list holds of the arguments is in Args and args: the tensors themselves are the document's to give up.
	entry.of = host.Launch{Kernel: of.Kernel, Options: of.Options, Interpreted: of.Interpreted,
		DotPrecision: of.DotPrecision}
	return entry
}

func argumentOf(name string, v host.Value) Arg {
	if t, ok := host.AsTensor(v); ok {
		return Arg{Name: name, DType: tensor.TorchName(t.DType()), Shape: t.Shape(), Strides: t.Strides()}
	}
	return Arg{Name: name, Value: host.Repr(v)}
}

// save keeps the arguments of a launch as they are now, if there is room.
func (l *log) save(entry *Launch) {
	alike := 0
	for _, old := range l.launches {
		if old.Span == entry.Span && old.Kernel == entry.Kernel && old.Cell == entry.Cell {
			alike++
		}
	}
	args, wrong := arguments(entry.of)
	entry.bytes = launch.Bytes(args)
	switch {
	case wrong != nil: // the launch will say so
	case alike > l.keep.Alike:
		entry.State = Repeated
	case entry.bytes > l.keep.Bytes:
		entry.State = TooLarge
	default:
		for _, old := range l.launches {
			if l.bytes+entry.bytes > l.keep.Bytes {
				l.forget(old, Dropped)
			}
		}
		own, err := launch.Copied(args)
		if err != nil { // the device has lost them, as the launch will say
			entry.State = Dropped
			return
		}
		entry.State, entry.args = Kept, own
		l.bytes += entry.bytes
	}
}

// Open is what it takes to make a launch again: its kernel, compiled, and copies of its arguments as they were before
// it, then of the memory that it may reach by addresses. ok is false if they have not been kept, or if the kernel does
// not compile.
func (r *Run) Open(l *Launch) (k *launch.Kernel, args []launch.Arg, target launch.Target, ok bool) {
	if l.State != Kept {
		return nil, nil, target, false
	}
	args, _ = launch.Copied(l.args) // which are in this process
	k, _ = r.o.Launcher.function(l.of).Compile(args)
	if k != nil && !k.Func.Addresses() {
		args = slices.DeleteFunc(args, launch.Arg.IsReachable)
	}
	return k, args, r.o.Launcher.target(l.of), k != nil
}

// Shape is how the tensor of the i-th argument lies in its memory, or the memory itself where it is reached by its
// address.
func (l *Launch) Shape(i int, t *launch.Tensor) launch.Shape {
	if i >= len(l.Args) {
		return launch.Shape{Sizes: []int{t.Bytes() / t.DType.Info().Bytes}}
	}
	return launch.Shape{Sizes: l.Args[i].Shape, Strides: l.Args[i].Strides}
}

// Shapes are those of the arguments that are tensors, in their order.
func (l *Launch) Shapes(args []launch.Arg) (list []launch.Shape) {
	for i, a := range args {
		if a.Tensor != nil {
			list = append(list, l.Shape(i, a.Tensor))
		}
	}
	return list
}

// logged is a launcher that logs what it launches.
type logged struct {
	*Launcher
	r *Run
}

// Launch implements host.Launcher.
func (l logged) Launch(of host.Launch) (host.Launched, *host.Failure) {
	if of.Internal {
		return l.Launcher.Launch(of)
	}
	entry := l.r.log.add(of)
	start := time.Now()
	done, failed := l.Launcher.Launch(of)
	if entry != nil {
		entry.Took = time.Since(start)
		if failed != nil {
			entry.Failure = failed.Cause()
		}
		l.r.o.Emit(Event{Kind: Launched, Cell: entry.Cell, Launch: entry})
	}
	return done, failed
}
