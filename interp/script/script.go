// Package script launches the kernels of host scripts: interp/host runs a script's Python, and hands
// each kernel[grid](…) to a Launcher, which compiles the kernel and launches it on a device.
package script

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/host"
	"github.com/newtlab/newt/interp/launch"
)

// Launcher is a host.Launcher: it launches a script's kernels on a device.
type Launcher struct {
	Context context.Context
	Device  device.Device
	Strict  bool          // refuse what Triton's GPU compiler refuses
	Races   bool          // report data races between programs
	Stdout  io.Writer     // where kernels print; nil discards
	With    device.Launch // what every launch has besides its grid and arguments
	// Tolerant goes on after accesses out of bounds: such a load gives 0, such a store is left out, and a warning says
	// so.
	Tolerant bool
	// Assemble makes code for a GPU where the device makes none; nil for no code.
	Assemble Assembler

	// Said are the warnings of the compiler so far, each once.
	Said diag.List

	functions map[*host.Kernel]*launch.JITFunction
}

// Launch implements host.Launcher.
func (l *Launcher) Launch(of host.Launch) (host.Launched, *host.Failure) {
	k, args, failed := l.compile(of)
	if failed != nil {
		return host.Launched{}, failed
	}
	if l.Races {
		l.Said.AddNew(k.Races(l.Context, args, device.Launch{Grid: of.Grid})...)
	}
	with := l.With
	with.Grid = of.Grid
	target := l.target(of)
	report, fault := k.Run(l.Context, target, args, with)
	k.SuggestMasks(args, report.Diagnostics)
	if l.Stdout != nil {
		for _, p := range report.Prints {
			fmt.Fprintln(l.Stdout, p.Text)
		}
	}
	done := host.Launched{Elapsed: report.Elapsed, Work: report.Work, Compiled: l.compiled(of, k)}
	return done, l.failure(report, fault)
}

// failure is what a launch has failed with; nil where it has not.
func (l *Launcher) failure(report *device.Report, fault *diag.Diagnostic) *host.Failure {
	if l.Tolerant && fault == nil {
		for _, d := range report.Diagnostics {
			d.Severity = diag.Warning
		}
		l.Said.AddNew(report.Diagnostics...)
		return nil
	}
	if fault != nil {
		report.Diagnostics.Add(fault)
	}
	switch {
	case len(report.Diagnostics) == 0:
		return nil
	case l.Context.Err() != nil: // nothing in the script may catch that
		return &host.Failure{List: report.Diagnostics}
	}
	return failureOf("RuntimeError", report.Diagnostics)
}

// Compile implements host.Launcher.
func (l *Launcher) Compile(of host.Launch) (host.Compiled, *host.Failure) {
	k, _, failed := l.compile(of)
	if failed != nil {
		return nil, failed
	}
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
		return nil, false, l.failure(&device.Report{}, fault)
	}
	return timings.Samples, true, nil
}

// compile compiles the kernel of a launch for its arguments.
func (l *Launcher) compile(of host.Launch) (*launch.Kernel, []launch.Arg, *host.Failure) {
	args, wrong := arguments(of)
	if wrong != nil {
		return nil, nil, &host.Failure{Class: "TypeError", List: diag.List{wrong}}
	}
	k, list := l.function(of.Kernel).Compile(args)
	if k == nil {
		return nil, nil, failureOf("CompilationError", list)
	}
	l.Said.AddNew(list...)
	return k, args, nil
}

// classOf is Triton's exception for a diagnostic, where it has one of its own.
var classOf = map[string]string{
	"static-assert": "CompileTimeAssertionFailure", "shared-memory": "OutOfResources", "too-many-threads": "OutOfResources",
}

// failureOf is a failure with the class that Triton raises for it, otherwise class.
func failureOf(class string, list diag.List) *host.Failure {
	f := &host.Failure{Class: class, List: list}
	for _, d := range list {
		if own := classOf[d.Code]; own != "" {
			f.Class = own
			if d.Code == "shared-memory" && len(d.Args) == 3 {
				f.Text = fmt.Sprintf("out of resource: shared memory, Required: %v, Hardware limit: %v. "+
					"Reducing block sizes or `num_stages` may help.", d.Args[1], d.Args[2])
			}
		}
	}
	return f
}

// target is the device with the launch's own options.
func (l *Launcher) target(of host.Launch) launch.Target {
	return launch.Target{Device: l.Device,
		Options: device.Options{NumWarps: option(of, "num_warps"), NumStages: option(of, "num_stages")}}
}

// function is a kernel of the script with what was compiled of it for earlier launches. Its identity is the kernel's
// value.
func (l *Launcher) function(of *host.Kernel) *launch.JITFunction {
	if l.functions[of] == nil {
		if l.functions == nil {
			l.functions = map[*host.Kernel]*launch.JITFunction{}
		}
		l.functions[of] = launch.Held(of.Function, l.Strict)
	}
	return l.functions[of]
}

// arguments are a launch's as the compiler and devices take them.
func arguments(of host.Launch) ([]launch.Arg, *diag.Diagnostic) {
	var args []launch.Arg
	for i, v := range of.Args {
		a := launch.Arg{Name: of.Kernel.Def.Params.List[i].Name, General: of.General[i]}
		if t, ok := host.AsTensor(v); ok {
			a.Tensor = &launch.Tensor{Name: a.Name, DType: t.DType(), Storage: &t.Storage().Storage, Offset: t.Offset()}
		} else if a.Value, ok = host.Constant(v); !ok {
			return nil, diag.New("host-kernel-argument", of.Span, a.Name, v.Type())
		}
		args = append(args, a)
	}
	return args, nil
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
