package cli

import (
	"context"

	"github.com/newtlab/newt/interp/host"
	"github.com/newtlab/newt/interp/script"
)

var runCommand = &command{
	name:  "run",
	args:  "FILE.py [--device auto|cpu|cuda:N|ws://HOST:PORT] [--races] [--strict] [--lang en|zh]",
	short: "run a Python script that launches kernels",
	help: "Runs FILE (- is standard input): a script that makes tensors with torch and launches Triton kernels,\n" +
		"in the part of Python and torch that newt has. Tensors stay here; each launch runs on the device:\n" +
		"auto is the first GPU, or else the CPU. The token of another newt's runner is in NEWT_TOKEN. The\n" +
		"exit status is 1 if the script fails.",
	run: runScript,
}

func runScript(ctx context.Context, e *Env, c *command, args []string) int {
	set, lang := c.flags(e)
	on := set.String("device", "auto", "device for the launches: auto, cpu, cuda:N or ws://HOST:PORT")
	strict := set.Bool("strict", false, "report as errors what Triton's GPU compiler refuses")
	races := set.Bool("races", false,
		"also run each launch on the CPU with race detection, and report data races between programs")
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
	l := &script.Launcher{Context: ctx, Device: d, Strict: *strict, Races: *races, Stdout: e.Stdout}
	session := host.New(host.Options{
		Stdout: e.Stdout, Stderr: e.Stderr, Launcher: l, Argv: words, Stop: func() bool { return ctx.Err() != nil },
	})
	list := append(l.Said, session.Run(file).Diagnostics...)
	writeDiagnostics(e, e.Stderr, session.Sources(), list, *lang)
	return exitOf(list)
}
