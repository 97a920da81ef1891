package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/interp/host"
	"github.com/newtlab/newt/interp/launch"
	"github.com/newtlab/newt/interp/tile"
	"github.com/newtlab/newt/puzzles/judge"
)

var runCommand = &command{
	name:  "run",
	args:  "FILE.py [--device auto|cpu|cuda:N|ws://HOST:PORT] [--races] [--strict] [--lang en|zh]",
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
	races := set.Bool("races", false, "also launch each kernel on the CPU, observed, and report data races between programs")
	words, status, done := c.parse(e, set, args, 1, 1)
	if done {
		return status
	}
	file, err := readSource(words[0])
	if err != nil {
		return c.fail(e, err)
	}
	_, d, err := openDevice(ctx, e, *on)
	if err != nil {
		return c.fail(e, err)
	}
	defer d.Close()
	l := &launcher{ctx: ctx, engine: engineOn(d), strict: *strict, races: *races, stdout: e.Stdout, kernels: map[*host.Kernel][]*launch.Kernel{}}
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
	engine judge.Engine
	strict bool
	races  bool // report data races between programs
	stdout io.Writer

	kernels map[*host.Kernel][]*launch.Kernel // what was compiled, which may serve later launches too
	said    diag.List                         // warnings of the compiler
}

// Launch implements host.Launcher.
func (l *launcher) Launch(of host.Launch) *host.Failure {
	args, wrong := arguments(of)
	if wrong != nil {
		return &host.Failure{Class: "TypeError", List: diag.List{wrong}}
	}
	k, list := l.compile(of.Kernel, args)
	if k == nil {
		return &host.Failure{Class: "CompilationError", List: list}
	}
	if l.races {
		list = append(list, k.Races(l.ctx, args, tile.Launch{Grid: of.Grid})...)
	}
	for _, d := range list {
		if !has(l.said, d) {
			l.said.Add(d)
		}
	}
	k.NumWarps, k.NumStages = option(of, "num_warps"), option(of, "num_stages")
	out := l.engine(l.ctx, k, args, tile.Launch{Grid: of.Grid})
	k.SuggestMasks(args, out.Diagnostics)
	for _, p := range out.Prints {
		fmt.Fprintln(l.stdout, p.Text)
	}
	if out.Fault != nil {
		out.Diagnostics.Add(out.Fault)
	}
	if len(out.Diagnostics) == 0 {
		return nil
	}
	if l.ctx.Err() != nil { // nothing in the script may catch that
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

func (l *launcher) compile(of *host.Kernel, args []launch.Arg) (*launch.Kernel, diag.List) {
	for _, k := range l.kernels[of] {
		if k.Fits(args) {
			return k, nil
		}
	}
	k, list := launch.CompileFunction(of.Function, args, l.strict)
	if k != nil {
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
