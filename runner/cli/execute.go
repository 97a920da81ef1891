package cli

import (
	"context"
	"errors"
	"os"

	"github.com/newtlab/newt/runner/operation"
)

var executeCommand = &command{
	name:  "execute",
	args:  "[--memory BYTES]",
	short: "run commands for newt serve and newt mcp, which start it",
	help: "Reads commands as JSON from standard input, runs one after the other, and writes what each prints as JSON. With\n" +
		"--memory the process can allocate no more than that on Linux.",
	run: executeCommands,
}

func executeCommands(_ context.Context, e *Env, c *command, args []string) int {
	set, _ := c.flags(e)
	memory := set.Int64("memory", 0, "bytes that the process may allocate; 0: no limit")
	if _, status, done := c.parse(e, set, args, 0, 0); done {
		return status
	}
	if *memory > 0 {
		if err := limitMemory(*memory); err != nil && !errors.Is(err, os.ErrPermission) {
			return c.fail(e, err) // a service that may not bound itself is bounded by its control group
		}
		limitHeap(*memory)
	}
	err := operation.Serve(os.Stdin, os.Stdout, func(ctx context.Context, args []string, to operation.Streams) int {
		with := &Env{Stdout: to.Output, Stderr: to.Errors, Document: to.Document, Getenv: e.Getenv}
		return find(args[0]).run(ctx, with, find(args[0]), args[1:])
	})
	if err != nil {
		return c.fail(e, err)
	}
	return exitOK
}
