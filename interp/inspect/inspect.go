// Package inspect shows what one launch does: to each element of its tensors, over all programs, and step by step in
// one of them.
//
// A launch is made on copies of its tensors, on the interpreter, and in program order; nothing of it is recorded but
// what is asked for. Whoever wants another program, or steps further on, has the launch made again from the checkpoint
// before them: so memory stays bounded however long the programs run, and so does what a look at them takes.
//
//   - trail.go, memory.go: the checkpoints of a launch; walk.go goes on from one and leaves others, read.go reads
//     steps.
//   - summary.go: which program reads and writes each element; accesses out of bounds.
//   - steps.go: a program's operations, grouped by the expressions of the source that they come from.
//   - expressions.go: what the syntax tree says of an operation: how it is written, which variable it is assigned to.
//   - access.go, value.go, arguments.go: one access, one value, the arguments of the call, and their texts.
//   - courses.go: several programs in short, for a lane each.
//   - seek.go: the next step at which a line has run and a condition holds; condition.go evaluates that.
//   - findings.go: what the sanitizers find in the launch, each with its program, step and elements.
//   - why.go: what wrote an element of a tensor, or why nothing did, and the operations that this or a step's value
//     comes from; stores.go finds the store, tape.go keeps the operations of its program, slicer.go follows a lane back
//     through them, and lanes.go says which lanes of its operands a lane of a result is computed of; formula.go makes a
//     formula of that.
package inspect

import (
	"context"
	"slices"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/launch"
	"github.com/newtlab/newt/interp/trace"
)

// Launch is a launch to be inspected, for one goroutine.
type Launch struct {
	kernel    *launch.Kernel
	optimized *launch.Kernel // as it is launched elsewhere
	args      []launch.Arg
	with      device.Launch
	tensors   []Tensor // of the arguments that are tensors, as they are before the launch
	byParam   []int    // the tensor of each parameter, -1 for scalars
	source    *expressions

	// Yield is called every few milliseconds while the launch is made, and may block.
	Yield func()

	now   *walker // that the launch is made for
	whole *Result // of the launch, once it has been made up to its end; its steps are any program's
	trail trail
}

// Tensor is a tensor argument.
type Tensor struct {
	Name  string
	DType num.DType
	Shape []int
	// Before and After are the elements, row by row and little-endian, before and after the launch.
	Before, After []byte
	// Readers and Writers name the program that reads and the one that writes each element by its number in program
	// order, z fastest. None and Several stand for no program and for two or more.
	Readers, Writers []int32

	view view
}

// None and Several stand for no program and for more than one.
const (
	None    int32 = -1
	Several int32 = -2
)

// Result is what a launch does.
type Result struct {
	Grid      [3]int
	Program   [3]int // whose steps these are
	Arguments []Argument
	Tensors   []Tensor
	Steps     []Step
	From      int // the number of the first of Steps
	Total     int // steps of the program
	// Problem is the first program that accesses memory out of bounds or stops with a fault; nil where none does.
	Problem *[3]int
	// Diagnostics are those of the launch, with what stopped it.
	Diagnostics diag.List
}

// Limits of a result. Beyond maxSteps or maxLanes, steps are left to the next window.
const (
	maxSteps    = 2000
	maxLanes    = 1 << 18
	maxElements = 1 << 24 // of all tensors
)

// DefaultBudget is the work that a launch may do where it does not say: some tenths of a second.
const DefaultBudget = 1 << 27

// New makes a launch of k ready to be inspected. args are those of the call, and shapes belong to those of them that
// are tensors, in their order. What l says of observers and progress is left out of account. The text says why there is
// nothing to show.
func New(k *launch.Kernel, args []launch.Arg, shapes []launch.Shape, l device.Launch) (*Launch, *diag.Text) {
	out := &Launch{kernel: k.Observable(), optimized: k, args: args, with: l, source: newExpressions(k.Source())}
	out.trail.spacing, out.Yield = firstSpacing, l.Yield
	if out.with.Budget == 0 {
		out.with.Budget = DefaultBudget
	}
	at, elements := map[string]int{}, 0
	for i, a := range args {
		if a.Tensor == nil {
			continue
		}
		name := k.Param(i, a.Name)
		v := newView(a.Tensor, shapes[len(out.tensors)])
		if elements += v.shape.Len(); elements > maxElements {
			return nil, &diag.Text{Key: "inspect.too-large", Args: []any{elements, maxElements}}
		}
		t := Tensor{Name: a.Tensor.Name, DType: a.Tensor.DType, Shape: v.shape.Sizes, view: v}
		if t.Name == "" {
			t.Name = name
		}
		at[name] = len(out.tensors)
		out.tensors = append(out.tensors, t)
	}
	for _, p := range out.kernel.Func.Params {
		tensor, ok := at[p.Name]
		if !ok {
			tensor = -1
		}
		out.byParam = append(out.byParam, tensor)
	}
	for i, a := range args {
		if a.IsReachable() {
			out.byParam = append(out.byParam, at[k.Param(i, a.Name)])
		}
	}
	return out, nil
}

// Kernel is the kernel, without the optimizations that would lose expressions of its source.
func (l *Launch) Kernel() *launch.Kernel { return l.kernel }

// Grid is the number of programs along each axis.
func (l *Launch) Grid() [3]int { return l.with.Grid }

// Reached is where the launch is that Run or Seek makes, for Yield: the number of the program that runs, and its steps
// so far; there are none of programs that are not looked at.
func (l *Launch) Reached() (program int64, steps int) {
	if l.now == nil {
		return 0, 0
	}
	if l.now.watching {
		steps = l.now.result.Total
	}
	return l.now.running, steps
}

// RunProblem is Run for the program of the first problem: an access out of bounds, a fault, or else the store of the
// first of the elements of the last tensor that wrong lists. Where there is none, it is the first program. wrong may be
// nil.
func (l *Launch) RunProblem(ctx context.Context, from int, wrong func(*Result) []int) (*Result, error) {
	r, err := l.Run(ctx, [3]int{}, from)
	if err != nil {
		return nil, err
	}
	first := r.Problem
	if first == nil && wrong != nil {
		first = r.firstWriter(wrong(r))
	}
	if first == nil || *first == r.Program {
		return r, nil
	}
	return l.Run(ctx, *first, from)
}

// firstWriter is the program that writes the first of some elements of the last tensor that a single program writes;
// nil where there is none.
func (r *Result) firstWriter(elements []int) *[3]int {
	writers := r.Tensors[len(r.Tensors)-1].Writers
	at := slices.IndexFunc(elements, func(i int) bool { return writers[i] >= 0 })
	if at < 0 {
		return nil
	}
	program := r.Index(writers[elements[at]])
	return &program
}

// Run gives what the launch does, with a program's steps from a number on. The first time it makes the launch, later
// only what it takes to come to these steps.
func (l *Launch) Run(ctx context.Context, program [3]int, from int) (*Result, error) {
	if l.whole == nil {
		return l.runWhole(ctx, program, from)
	}
	r := *l.whole
	r.Program, r.From, r.Total, r.Steps, r.Diagnostics = program, from, 0, nil, slices.Clone(r.Diagnostics)
	if err := l.read(ctx, &reader{walker: l.newWalker(&r)}); err != nil {
		return nil, err
	}
	return &r, nil
}

// runWhole is Run that makes the launch up to its end.
func (l *Launch) runWhole(ctx context.Context, program [3]int, from int) (*Result, error) {
	r := &Result{Grid: l.with.Grid, Program: program, From: from, Tensors: slices.Clone(l.tensors)}
	r.Arguments = l.arguments()
	watch := &reader{walker: l.newWalker(r), whole: true}
	watch.summary = newSummary(r, l.byParam)
	l.eachTensor(l.args, func(t *Tensor, a *launch.Tensor) { t.Before = a.Elements(t.view.shape) }, r)
	args, report, fault, err := l.walk(ctx, watch, nil)
	if err != nil {
		return nil, err
	}
	l.eachTensor(args, func(t *Tensor, a *launch.Tensor) { t.After = a.Elements(t.view.shape) }, r)
	r.Diagnostics = report.Diagnostics
	l.kernel.SuggestMasks(args, r.Diagnostics)
	watch.finish(fault)
	if fault != nil {
		r.Diagnostics.Add(fault)
		if r.Problem == nil && fault.Runtime != nil {
			r.Problem = &fault.Runtime.Program
		}
	}
	if ctx.Err() == nil {
		whole := *r
		l.whole = &whole
	}
	return r, nil
}

// inputs are the values that reductions and matrix products of the kernel take, none of them computed yet.
func (l *Launch) inputs() map[*ir.Value]num.Vec {
	out := map[*ir.Value]num.Vec{}
	l.kernel.Func.Body.Walk(func(in *ir.Instr) {
		if in.Op == ops.Reduce || in.Op == ops.Dot {
			for _, v := range in.Operands {
				out[v] = num.Vec{}
			}
		}
	})
	return out
}

// observe makes the launch for an observer.
func (l *Launch) observe(ctx context.Context, args []launch.Arg, o trace.Observer) (*device.Report, *diag.Diagnostic) {
	with := l.with
	with.Observer, with.Progress, with.Yield = o, nil, l.Yield
	return l.kernel.Run(ctx, launch.Target{Device: launch.ObservingInterpreter}, args, with)
}

// eachTensor calls f with each tensor of a result and the argument that holds it.
func (l *Launch) eachTensor(args []launch.Arg, f func(*Tensor, *launch.Tensor), r *Result) {
	n := 0
	for _, a := range args {
		if a.Tensor != nil {
			f(&r.Tensors[n], a.Tensor)
			n++
		}
	}
}
