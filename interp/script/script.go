// Package script launches the kernels of host scripts: interp/host runs a script's Python, and hands
// each kernel[grid](…) to a Launcher, which compiles the kernel and launches it on a device.
package script

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/lower"
	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/triton"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/host"
	"github.com/newtlab/newt/interp/launch"
	"github.com/newtlab/newt/interp/tensor"
)

// Launcher is a host.Launcher: it launches a script's kernels on a device.
type Launcher struct {
	Context context.Context
	Device  device.Device
	Strict  bool           // refuse what Triton's GPU compiler refuses
	Triton  triton.Version // to compile for
	// Sanitizer looks at each launch before it is made; nil for none.
	Sanitizer launch.Sanitizer
	With      device.Launch // what every launch has besides its grid and arguments
	// Tolerant goes on after accesses out of bounds: such a load gives 0, such a store is left out, and a warning says
	// so.
	Tolerant bool
	// Anywhere takes tensors of the CPU, too, which Triton refuses.
	Anywhere bool
	// Assemble makes code for a GPU where the device makes none; nil for no code.
	Assemble Assembler

	// TritonShared says what Triton allocates, so that what it refuses is reported; nil where that is not known.
	TritonShared TritonShared

	// Model says what a launch may take without making it; nil where there is no model.
	Model Model

	// WithoutHints leaves hints of the compiler out of Said: advice for who edits a file, not for who runs it.
	WithoutHints bool

	// Said is what the compiler and the Sanitizer have said so far, each once.
	Said diag.List

	functions map[functionKey]*launch.JITFunction
	shared    map[sharedKey]tritonBytes
	printed   map[*launch.Kernel]bool // what tl.static_print says of a kernel is told once
}

// Launch implements host.Launcher.
func (l *Launcher) Launch(of host.Launch) (host.Launched, *host.Failure) {
	k, args, failed := l.compile(of)
	if failed == nil {
		failed = cmp.Or(l.refuseCPU(of), l.refuseThreads(of))
	}
	if failed != nil {
		return host.Launched{}, failed
	}
	l.Said.AddNew(l.changedByTuning(of, k, args)...)
	if l.Sanitizer != nil {
		l.Said.AddNew(placed(of, l.Sanitizer(k, l.Context, args, device.Launch{Grid: of.Grid}))...)
	}
	with := l.With
	with.Grid = of.Grid
	target := l.target(of)
	if len(k.Calls) > 0 { // only the interpreter hands over what a program of the grid has computed
		target.Device = launch.Interpreter
	}
	report, fault := k.Run(l.Context, target, args, with)
	k.SuggestMasks(args, report.Diagnostics)
	done := host.Launched{Elapsed: report.Elapsed, Work: report.Work, Compiled: l.compiled(of, k)}
	done.Prints = l.staticPrints(k)
	for _, p := range report.Prints {
		done.Prints = append(done.Prints, printed(k, p))
	}
	if (l.Tolerant || of.Tolerant) && fault == nil {
		done.Went = l.goneOn(report)
		return done, nil
	}
	return done, l.failure(of, report, fault)
}

// refuseCPU is Triton's error for a tensor that is not on the device.
func (l *Launcher) refuseCPU(of host.Launch) *host.Failure {
	if l.Anywhere || of.Interpreted {
		return nil
	}
	at := 0 // Triton counts without the tuples around
	for _, p := range passed(of) {
		if p.tuple != nil {
			continue
		}
		if t, ok := host.AsTensor(p.value); ok && t.Device() == tensor.CPU && t.Numel() > 0 {
			return &host.Failure{Class: "ValueError", List: diag.List{diag.New("cpu-tensor", of.Span, p.name)},
				Text: fmt.Sprintf("Pointer argument (at %d) cannot be accessed from Triton (cpu tensor?)", at)}
		}
		at++
	}
	return nil
}

// staticPrints is what tl.static_print printed while k was compiled, the first time that k is used.
func (l *Launcher) staticPrints(k *launch.Kernel) (lines []host.Printed) {
	if l.printed[k] {
		return nil
	}
	if l.printed == nil {
		l.printed = map[*launch.Kernel]bool{}
	}
	l.printed[k] = true
	for _, p := range k.Prints {
		lines = append(lines, host.Printed{Text: p.Text})
	}
	return lines
}

// printed is what a program of k printed: a line, or a call with the texts of its values.
func printed(k *launch.Kernel, p device.Print) host.Printed {
	number, values, _ := strings.Cut(p.Text, lower.HostValueSeparator)
	n, err := strconv.Atoi(number)
	if !p.Call || err != nil || n >= len(k.Calls) {
		return host.Printed{Text: p.Text}
	}
	return host.Printed{Call: &k.Calls[n], Values: strings.Split(values, lower.HostValueSeparator)}
}

// goneOn makes warnings of accesses out of bounds.
func (l *Launcher) goneOn(report *device.Report) diag.List {
	for _, d := range report.Diagnostics {
		d.Severity = diag.Warning
	}
	l.Said.AddNew(report.Diagnostics...)
	return report.Diagnostics
}

// changedByTuning warns of tensors that triton.autotune changes by timing a config, where it is the interpreter that
// makes the launch, and times none.
func (l *Launcher) changedByTuning(of host.Launch, k *launch.Kernel, args []launch.Arg) (list diag.List) {
	if of.Tuned == nil || !l.Device.Capabilities().Observes {
		return nil
	}
	for _, param := range k.Again(l.Context, args, of.Grid, of.Tuned.Restored, l.With.Budget) {
		d := diag.Warn("autotune-accumulates", of.Span, param, of.Kernel.Name)
		d.Because(of.Tuned.Decorator, "host.tuned-here")
		list.Add(d)
	}
	return list
}

// placed has diagnostics that have no place in the kernel point at the launch.
func placed(of host.Launch, list diag.List) diag.List {
	for _, d := range list {
		if d.Primary.Span == (source.Span{}) {
			d.Primary.Span = of.Span
		}
	}
	return list
}

// failure is what a launch has failed with; nil where it has not.
func (l *Launcher) failure(of host.Launch, report *device.Report, fault *diag.Diagnostic) *host.Failure {
	if fault != nil {
		report.Diagnostics.Add(fault)
	}
	placed(of, report.Diagnostics)
	switch {
	case len(report.Diagnostics) == 0:
		return nil
	case l.Context.Err() != nil: // nothing in the script may catch that
		return &host.Failure{List: report.Diagnostics}
	}
	return failureOf("RuntimeError", report.Diagnostics, report.Diagnostics[len(report.Diagnostics)-1])
}

// Compile implements host.Launcher.
func (l *Launcher) Compile(of host.Launch) (host.Compiled, *host.Failure) {
	k, args, failed := l.compile(of)
	if failed != nil {
		return nil, failed
	}
	l.Said.AddNew(l.changedByTuning(of, k, args)...)
	return l.compiled(of, k), nil
}

// Time implements host.Timer.
func (l *Launcher) Time(of host.Launch, warmup, measure time.Duration) ([]time.Duration, bool, *host.Failure) {
	if _, inPlace := l.Device.(device.InPlace); inPlace || !l.Device.Capabilities().Times {
		return nil, false, nil
	}
	k, args, failed := l.compile(of)
	if failed != nil {
		return nil, false, failed
	}
	with := l.With
	with.Grid = of.Grid
	request := device.TimingRequest{Warmup: warmup, Measure: measure}
	timings, fault := k.Time(l.Context, l.target(of), args, with, request)
	if fault != nil {
		return nil, false, l.failure(of, &device.Report{}, fault)
	}
	return timings.Samples, true, nil
}

// maxThreads is how many threads a block has at most (CUDA C++ Programming Guide, "Compute Capabilities").
const maxThreads = 1024

// Model is what a model of a GPU expects of a launch with arguments that it does not change.
type Model func(ctx context.Context, k *launch.Kernel, args []launch.Arg, o device.Options, grid [3]int) (
	host.Estimate, *diag.Diagnostic)

// refuseThreads is the failure of a launch with more threads than a block has; Triton's interpreter has none.
func (l *Launcher) refuseThreads(of host.Launch) *host.Failure {
	threads := 32 * option(of, "num_warps")
	if of.Interpreted || threads <= maxThreads {
		return nil
	}
	too := diag.New("too-many-threads", of.Span, of.Kernel.Name, threads, maxThreads)
	return failureOf(outOfResources, diag.List{too}, too)
}

// Estimate implements host.Estimator.
func (l *Launcher) Estimate(of host.Launch) (host.Estimate, bool, *host.Failure) {
	k, args, failed := l.compile(of)
	o := l.target(of).Options
	if failed == nil {
		failed = l.refuseThreads(of)
	}
	if failed != nil || l.Model == nil {
		return host.Estimate{}, false, failed
	}
	o.NumWarps = cmp.Or(o.NumWarps, k.NumWarps, DefaultWarps)
	o.NumStages = cmp.Or(o.NumStages, k.NumStages, DefaultStages)
	e, fault := l.Model(l.Context, k, args, o, of.Grid)
	failed = l.failure(of, &device.Report{}, fault)
	if failed != nil && failed.Class != outOfResources && l.Context.Err() == nil {
		hint := diag.New("autotune-unranked", of.Span, of.Kernel.Name, headline{fault})
		hint.Severity = diag.Hint
		l.Said.AddNew(hint)
	}
	return e, fault == nil, failed
}

// headline is a diagnostic as an argument of another.
type headline struct{ of *diag.Diagnostic }

// In puts it into words.
func (h headline) In(lang diag.Lang) string { return h.of.In(lang).Headline }

// compile compiles the kernel of a launch for its arguments.
func (l *Launcher) compile(of host.Launch) (*launch.Kernel, []launch.Arg, *host.Failure) {
	args, wrong := arguments(of)
	if wrong != nil {
		return nil, nil, &host.Failure{Class: "TypeError", List: diag.List{wrong},
			Text: fmt.Sprintf("failed to specialize argument of type: %v", wrong.Args[1])}
	}
	fn := l.function(of)
	if was, now, changed := fn.Changed(); changed && !of.Interpreted {
		return nil, nil, globalChanged(of, was, now)
	}
	k, list := fn.Compile(args)
	if k == nil {
		return nil, nil, refusal(list)
	}
	if k.Func.TakesAddresses() {
		tellAddresses(of)
	}
	for _, d := range list {
		if !l.WithoutHints || d.Severity != diag.Hint {
			l.Said.AddNew(d)
		}
	}
	if refused := l.tritonRefuses(of, k); refused != nil {
		return nil, nil, refused
	}
	return k, args, nil
}

// globalChanged is Triton's refusal of a kernel that was compiled with another value of a global.
func globalChanged(of host.Launch, was lower.Read, now lower.Outer) *host.Failure {
	d := diag.New("global-changed", of.Span, was.Name, of.Kernel.Name, host.Str(host.FromConstant(was.Value)),
		host.Str(host.FromConstant(now.Value)))
	if now.Span != (source.Span{}) {
		d.Because(now.Span, "defined-here", was.Name)
	}
	return &host.Failure{Class: "RuntimeError", List: diag.List{d}, Text: d.In(diag.English).Triton}
}

// classOf is Triton's exception for a diagnostic, where it has one of its own.
var classOf = map[string]string{
	"static-assert": "CompileTimeAssertionFailure", "shared-memory": outOfResources, "too-many-threads": outOfResources,
	"triton-shared-memory": outOfResources,
}

const outOfResources = "OutOfResources"

// resourceOf is what a diagnostic finds too little of, in the words of Triton's OutOfResources. The diagnostic's second
// and third arguments are how much is needed, and how much there is.
var resourceOf = map[string]string{"shared-memory": "shared memory", "triton-shared-memory": "shared memory",
	"too-many-threads": "threads"}

// refusal is what Triton raises for a kernel that cannot be compiled: it stops at the first error. The errors come
// after what else is said.
func refusal(list diag.List) *host.Failure {
	var errors, others diag.List
	for _, d := range list {
		if d.Severity == diag.Error {
			errors.Add(d)
		} else {
			others.Add(d)
		}
	}
	return failureOf("CompilationError", append(others, errors...), errors[0])
}

// failureOf is a failure with the class that Triton raises for its reason, otherwise class.
func failureOf(class string, list diag.List, reason *diag.Diagnostic) *host.Failure {
	f := &host.Failure{Class: cmp.Or(classOf[reason.Code], class), List: list, Reason: reason}
	if resource := resourceOf[reason.Code]; resource != "" && len(reason.Args) >= 3 {
		f.Text = fmt.Sprintf("out of resource: %s, Required: %v, Hardware limit: %v. "+
			"Reducing block sizes or `num_stages` may help.", resource, reason.Args[1], reason.Args[2])
	}
	return f
}

// target is the device with the launch's own options.
func (l *Launcher) target(of host.Launch) launch.Target {
	return launch.Target{Device: l.Device,
		Options: device.Options{NumWarps: option(of, "num_warps"), NumStages: option(of, "num_stages")}}
}

// functionKey tells the kernels of a script apart: by their values, and by how they run.
type functionKey struct {
	kernel       *host.Kernel
	interpreted  bool
	dotPrecision string
	warps        int
}

// function is a kernel of the script with what was compiled of it for earlier launches.
func (l *Launcher) function(of host.Launch) *launch.JITFunction {
	key := functionKey{of.Kernel, of.Interpreted, of.DotPrecision, option(of, "num_warps")}
	if l.functions == nil {
		l.functions = map[functionKey]*launch.JITFunction{}
	}
	if l.functions[key] == nil {
		f := launch.Held(of.Kernel.Function, l.Strict).For(l.Triton).With(key.dotPrecision, key.warps)
		if of.Interpreted {
			f = f.Interpreted()
		}
		l.functions[key] = f
	}
	return l.functions[key]
}

// option is an option of a launch, 0 if it is not given.
func option(of host.Launch, name string) int {
	if n, ok := python.AsInt(of.Options[name]); ok {
		if small, fits := n.Int64(); fits && small > 0 && small <= 1<<16 {
			return int(small)
		}
	}
	return 0
}
