// Package script launches the kernels of host scripts: interp/host runs a script's Python, and hands
// each kernel[grid](…) to a Launcher, which compiles the kernel and gives the launch to an engine.
package script

import (
	"context"
	"fmt"
	"io"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/interp/host"
	"github.com/newtlab/newt/interp/launch"
	"github.com/newtlab/newt/interp/tile"
)

// Launcher is a host.Launcher: it launches a script's kernels on an engine.
type Launcher struct {
	Context context.Context
	Engine  launch.Engine
	Strict  bool        // refuse what Triton's GPU compiler refuses
	Races   bool        // report data races between programs
	Stdout  io.Writer   // where kernels print; nil discards
	With    tile.Launch // what every launch has besides its grid and arguments

	// Said are the warnings of the compiler so far, each once.
	Said diag.List

	kernels map[*host.Kernel][]*launch.Kernel // what was compiled, which may serve later launches too
}

// Launch implements host.Launcher.
func (l *Launcher) Launch(of host.Launch) *host.Failure {
	args, wrong := arguments(of)
	if wrong != nil {
		return &host.Failure{Class: "TypeError", List: diag.List{wrong}}
	}
	k, list := l.compile(of.Kernel, args)
	if k == nil {
		return &host.Failure{Class: "CompilationError", List: list}
	}
	if l.Races {
		list = append(list, k.Races(l.Context, args, tile.Launch{Grid: of.Grid})...)
	}
	for _, d := range list {
		if !has(l.Said, d) {
			l.Said.Add(d)
		}
	}
	k.NumWarps, k.NumStages = option(of, "num_warps"), option(of, "num_stages")
	with := l.With
	with.Grid = of.Grid
	out := l.Engine(l.Context, k, args, with)
	k.SuggestMasks(args, out.Diagnostics)
	if l.Stdout != nil {
		for _, p := range out.Prints {
			fmt.Fprintln(l.Stdout, p.Text)
		}
	}
	if out.Fault != nil {
		out.Diagnostics.Add(out.Fault)
	}
	if len(out.Diagnostics) == 0 {
		return nil
	}
	if l.Context.Err() != nil { // nothing in the script may catch that
		return &host.Failure{List: out.Diagnostics}
	}
	return &host.Failure{Class: "RuntimeError", List: out.Diagnostics}
}

func has(list diag.List, d *diag.Diagnostic) bool {
	for _, x := range list {
		if x.Code == d.Code && x.Primary.Span == d.Primary.Span {
			return true
		}
	}
	return false
}

func (l *Launcher) compile(of *host.Kernel, args []launch.Arg) (*launch.Kernel, diag.List) {
	for _, k := range l.kernels[of] {
		if k.Fits(args) {
			return k, nil
		}
	}
	k, list := launch.CompileFunction(of.Function, args, l.Strict)
	if k != nil {
		if l.kernels == nil {
			l.kernels = map[*host.Kernel][]*launch.Kernel{}
		}
		l.kernels[of] = append(l.kernels[of], k)
	}
	return k, list
}

// arguments are a launch's as the compiler and devices take them.
func arguments(of host.Launch) ([]launch.Arg, *diag.Diagnostic) {
	var args []launch.Arg
	for i, v := range of.Args {
		a := launch.Arg{Name: of.Kernel.Def.Params.List[i].Name, General: of.General[i]}
		if t, ok := host.AsTensor(v); ok {
			a.Tensor = &tile.Buffer{Name: a.Name, DType: t.DType(), Data: t.Storage().Bytes, Offset: t.Offset()}
		} else if a.Value, ok = host.Constant(v); !ok {
			return nil, diag.New("host-kernel-argument", of.Span, a.Name, v.Type())
		}
		args = append(args, a)
	}
	return args, nil
}

// option is an option of a launch, 0 where it is not given.
func option(of host.Launch, name string) int {
	if n, ok := python.AsInt(of.Options[name]); ok {
		if small, fits := n.Int64(); fits && small > 0 && small <= 1<<16 {
			return int(small)
		}
	}
	return 0
}
