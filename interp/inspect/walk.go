package inspect

import (
	"context"
	"maps"
	"slices"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/launch"
	"github.com/newtlab/newt/interp/trace"
)

// walker observes a launch from a checkpoint on, and leaves checkpoints on its way.
type walker struct {
	stepper
	writes writes
	trail  *trail
	from   *checkpoint // nil is the beginning of the launch
	end    func()
	done   bool // nothing is left to look at: the launch ends soon

	running  int64 // the program that runs
	watching bool  // it
}

// walks is a walker with what it looks for.
type walks interface {
	trace.StateObserver
	walk() *walker
}

func (w *walker) walk() *walker { return w }

// newWalker makes a walker whose steps go to r.
func (l *Launch) newWalker(r *Result) walker {
	w := walker{trail: &l.trail}
	w.stepper = stepper{summary: &summary{r, l.byParam}, source: l.source, inputs: l.inputs()}
	w.set = make([]int, len(l.source.variables))
	return w
}

// walk makes the launch from a checkpoint on, until the observer has seen what it looks for.
func (l *Launch) walk(ctx context.Context, of walks, from *checkpoint) (
	args []launch.Arg, report *device.Report, fault *diag.Diagnostic, err error) {
	upTo, end := context.WithCancel(ctx)
	defer end()
	w := of.walk()
	w.from, w.end, w.done = from, end, false
	if args, err = launch.Copied(l.args); err != nil {
		return nil, nil, nil, err
	}
	l.now = w
	defer func() { l.now = nil }()
	with := l.with
	with.Observer, with.Progress, with.Yield = of, nil, l.Yield
	if from != nil {
		with.From = from.State
	}
	report, fault = l.kernel.Run(upTo, launch.Target{Device: launch.ObservingInterpreter}, args, with)
	if w.done {
		fault = nil // the launch was stopped because nothing is left to look at
	}
	return args, report, fault, nil
}

// stop ends the launch.
func (w *walker) stop() {
	w.done = true
	w.end()
}

// Launch implements trace.Observer.
func (w *walker) Launch(_ [3]int, args []trace.Buffer) { w.writes.begin(args, w.from) }

// Access implements trace.Observer.
func (w *walker) Access(a *trace.Access) {
	if w.done {
		return
	}
	w.writes.access(a)
	if w.watching {
		w.accessed(a)
	}
}

// Operation implements trace.OperationObserver.
func (w *walker) Operation(o *trace.Operation) {
	if !w.done {
		w.stepper.Operation(o)
	}
}

// Begins implements trace.StateObserver.
func (w *walker) Begins(loop *ir.Instr, program trace.Resumable) {
	if w.done || loop != nil && !w.source.at[loop.Span].loop {
		return
	}
	w.close() // an iteration is a step of its own
	c, wanted := w.trail.at(program.Work())
	switch {
	case c != nil:
		w.writes.reach(c)
	case wanted:
		w.trail.add(w.checkpoint(program.State(), loop == nil))
	}
}

// checkpoint is one where the launch is now.
func (w *walker) checkpoint(state *trace.State, beginning bool) *checkpoint {
	c := &checkpoint{State: state, memory: w.writes.keep()}
	if beginning {
		return c
	}
	c.steps, c.loops, c.set = w.result.Total, copied(w.loops), slices.Clone(w.set)
	c.inputs = cloned(w.inputs)
	return c
}

func copied(loops []iteration) []iteration {
	out := slices.Clone(loops)
	for i := range out {
		of := *out[i].of
		out[i].of = &of
	}
	return out
}

func cloned(inputs map[*ir.Value]num.Vec) map[*ir.Value]num.Vec {
	out := maps.Clone(inputs)
	for v, lanes := range out {
		out[v] = lanes.Clone()
	}
	return out
}

// number is the program that is watched by its number.
func (w *walker) number() int64 { return trace.ProgramNumber(w.result.Grid, w.result.Program) }

// enter begins to watch a program, at its beginning or where the launch goes on. The first of the loops that it is in
// then are those of before, which it was in when the launch was stopped.
func (w *walker) enter(program [3]int, before []iteration) {
	w.enterProgram(program)
	w.watching = true
	c := w.from
	if c.isBeginning() || c.Program != w.number() {
		return
	}
	w.result.Total, w.loops, w.inputs = c.steps, copied(c.loops), cloned(c.inputs)
	copy(w.set, c.set)
	for i := range before {
		before[i].of.Last = w.loops[i].of.Last
		w.loops[i].of = before[i].of
	}
}
