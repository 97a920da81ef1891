// Package script launches the kernels of host scripts: interp/host runs a script's Python, and hands
// each kernel[grid](…) to a Launcher, which compiles the kernel and launches it on a device.
package script

import (
	"context"
	"fmt"
	"io"

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

	// Said are the warnings of the compiler so far, each once.
	Said diag.List

	functions map[*host.Kernel]*launch.JITFunction
}

// Launch implements host.Launcher.
func (l *Launcher) Launch(of host.Launch) *host.Failure {
	args, wrong := arguments(of)
	if wrong != nil {
		return &host.Failure{Class: "TypeError", List: diag.List{wrong}}
	}
	k, list := l.function(of.Kernel).Compile(args)
	if k == nil {
		return &host.Failure{Class: "CompilationError", List: list}
	}
	if l.Races {
		list = append(list, k.Races(l.Context, args, device.Launch{Grid: of.Grid})...)
	}
	l.Said.AddNew(list...)
	with := l.With
	with.Grid = of.Grid
	report, fault := k.Run(l.Context, l.target(of), args, with)
	k.SuggestMasks(args, report.Diagnostics)
	if l.Stdout != nil {
		for _, p := range report.Prints {
			fmt.Fprintln(l.Stdout, p.Text)
		}
	}
	if fault != nil {
		report.Diagnostics.Add(fault)
	}
	if len(report.Diagnostics) == 0 {
		return nil
	}
	if l.Context.Err() != nil { // nothing in the script may catch that
		return &host.Failure{List: report.Diagnostics}
	}
	return &host.Failure{Class: "RuntimeError", List: report.Diagnostics}
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
			a.Tensor = &launch.Tensor{Name: a.Name, DType: t.DType(), Data: t.Storage().Bytes, Offset: t.Offset()}
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
