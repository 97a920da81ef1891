package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/host"
	"github.com/newtlab/newt/interp/launch"
	"github.com/newtlab/newt/interp/tile"
	"github.com/newtlab/newt/puzzles/judge"
)

var runCommand = &command{
	name:  "run",
	args:  "FILE.py [--device auto|cpu|cuda:N|ws://HOST:PORT] [--strict] [--lang en|zh]",
	short: "run a Python script that launches kernels",
	help: "Runs FILE (- is standard input): a script that makes tensors with torch and launches Triton kernels,\n" +
		"in the part of Python and torch that newt has. Tensors live here; each launch is made on the device:\n" +
		"auto is the first GPU, or else the CPU. The token of another newt's runner stands in NEWT_TOKEN. The\n" +
		"exit status is 1 where the script fails.",
	run: runScript,
}

func runScript(ctx context.Context, e *Env, c *command, args []string) int {
	set, lang := c.flags(e)
	on := set.String("device", "auto", "device for the launches: auto, cpu, cuda:N or ws://HOST:PORT")
	strict := set.Bool("strict", false, "refuse what Triton's GPU compiler refuses")
	words, status, done := c.parse(e, set, args, 1, 1)
	if done {
		return status
	}
	file, err := readSource(words[0])
	if err != nil {
		return c.fail(e, err)
	}
	_, d, err := openDevice(e, *on)
	if err != nil {
		return c.fail(e, err)
	}
	defer d.Close()
	l := &launcher{ctx: ctx, file: file, engine: engineOn(d), strict: *strict, stdout: e.Stdout}
	_, list := host.Load(file, host.Options{
		Stdout: e.Stdout, Launcher: l, Argv: words, Stop: func() bool { return ctx.Err() != nil },
	})
	list = append(l.said, list...)
	writeDiagnostics(e, e.Stderr, file, list, *lang)
	return exitOf(list)
}

// launcher launches a script's kernels.
type launcher struct {
	ctx    context.Context
	file   *source.File
	engine judge.Engine
	strict bool
	stdout io.Writer

	kernels []compiled
	said    diag.List // beside what ended the script
}

// compiled is a kernel that may serve later launches too.
type compiled struct {
	name   string
	kernel *launch.Kernel
}

// Launch implements host.Launcher.
func (l *launcher) Launch(of host.Launch) *diag.Diagnostic {
	args, wrong := arguments(of)
	if wrong != nil {
		return wrong
	}
	k, list := l.compile(of.Kernel.Name, args)
	if k == nil {
		return l.tell(list)
	}
	for _, d := range list {
		if !has(l.said, d) {
			l.said.Add(d)
		}
	}
	k.NumWarps, k.NumStages = option(of, "num_warps"), option(of, "num_stages")
	out := l.engine(l.ctx, k, args, tile.Launch{Grid: of.Grid})
	for _, p := range out.Prints {
		fmt.Fprintln(l.stdout, p.Text)
	}
	if out.Fault != nil {
		out.Diagnostics.Add(out.Fault)
	}
	return l.tell(out.Diagnostics)
}

// tell keeps all but the last of a list and gives that one, which ends the script.
func (l *launcher) tell(list diag.List) *diag.Diagnostic {
	if len(list) == 0 {
		return nil
	}
	l.said = append(l.said, list[:len(list)-1]...)
	return list[len(list)-1]
}

func has(list diag.List, d *diag.Diagnostic) bool {
	for _, x := range list {
		if x.Code == d.Code && x.Primary.Span == d.Primary.Span {
			return true
		}
	}
	return false
}

func (l *launcher) compile(name string, args []launch.Arg) (*launch.Kernel, diag.List) {
	for _, c := range l.kernels {
		if c.name == name && c.kernel.Fits(args) {
			return c.kernel, nil
		}
	}
	k, list := launch.Compile(l.file, name, args, l.strict)
	if k != nil {
		l.kernels = append(l.kernels, compiled{name, k})
	}
	return k, list
}

// arguments are a launch's as the compiler and devices take them; the kernel's defaults count where
// there is none.
func arguments(of host.Launch) ([]launch.Arg, *diag.Diagnostic) {
	var args []launch.Arg
	for i, v := range of.Args {
		if v == nil {
			continue
		}
		name := of.Kernel.Def.Params.List[i].Name
		if t, ok := host.AsTensor(v); ok {
			args = append(args, launch.Arg{Name: name, Tensor: &tile.Buffer{Name: name, DType: t.DType(), Data: t.Storage().Bytes, Offset: t.Offset()}})
			continue
		}
		value, ok := host.Constant(v)
		if !ok {
			return nil, diag.New("host-kernel-argument", of.Span, name, v.Type())
		}
		args = append(args, launch.Arg{Name: name, Value: value})
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
