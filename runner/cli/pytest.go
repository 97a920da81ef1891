package cli

import (
	"context"
	"io"
	"os"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/triton"
	"github.com/newtlab/newt/interp/device/cpu"
	"github.com/newtlab/newt/interp/host"
	"github.com/newtlab/newt/interp/host/codec"
	"github.com/newtlab/newt/interp/launch"
	"github.com/newtlab/newt/interp/script"
	"github.com/newtlab/newt/interp/tensor"
	"github.com/newtlab/newt/runner/pytestplugin"
)

var pytestCommand = &command{
	name:  "pytest-plugin",
	args:  "[--serve [--triton VERSION] [--error-on KINDS]] > newt_pytest.py",
	short: "print a plugin of pytest that runs a suite's launches on the CPU, under sanitizers",
	help: "Prints newt_pytest.py, one file for a suite that needs CPython's packages; newt test runs the others. Where Python\n" +
		"finds it, pytest -p newt_pytest, or as the suite's conftest.py, it stands in for Triton, and each launch of a\n" +
		"kernel is made by newt, which it finds in PATH or by the variable NEWT. Its text says more.\n\n" +
		"With --serve it makes the plugin's launches, and speaks with it on standard input and output.",
	run: pytestPlugin,
}

func pytestPlugin(ctx context.Context, e *Env, c *command, args []string) int {
	set, lang := c.flags(e)
	serve := set.Bool("serve", false, "make the launches of a plugin")
	var version triton.Version
	tritonFlag(set, &version)
	var errors errorKinds
	set.Func("error-on", "the `KINDS` of findings that fail a test, "+kindsOfFindings()+
		" (default: all warnings of the sanitizers)", errors.Set)
	if _, status, done := c.parse(e, set, args, 0, 0); done {
		return status
	}
	if !*serve {
		if _, err := io.WriteString(e.Stdout, pytestplugin.Source); err != nil {
			return c.fail(e, err)
		}
		return exitOK
	}
	fails := errors.has
	if len(errors) == 0 {
		fails = func(d *diag.Diagnostic) bool { return d.Severity == diag.Warning && sanitizerKinds.has(d) }
	}
	d := cpu.New(cpu.Options{})
	defer d.Close()
	err := pytestplugin.Serve(ctx, os.Stdin, e.Stdout, pytestplugin.Options{
		Triton: version, Lang: diag.ParseLang(*lang), Fails: fails,
		Script: func() script.Options {
			return script.Options{Host: host.Options{Codecs: codec.Go{}, Tensors: tensor.New(tensorLimits())},
				Launcher: &script.Launcher{Device: d, Assemble: assemble, Sanitizer: (*launch.Kernel).Sanitize,
					WithoutHints: true}}
		},
	})
	if err != nil {
		return c.fail(e, err)
	}
	return exitOK
}
