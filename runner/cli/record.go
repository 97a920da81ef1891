package cli

import (
	"context"
	"io"

	"github.com/newtlab/newt/runner/recorder"
)

var recordCommand = &command{
	name:  "record",
	args:  "> newt_record.py",
	short: "print the Python program that records kernel launches on a machine with torch and Triton",
	help: "Prints newt_record.py, one file that needs torch and Triton alone. Where Python finds it, it records the launches\n" +
		"of Triton kernels into a .launch file:\n\n" +
		"    with newt_record.to(\"run.launch\"): …        around any code\n" +
		"    python -m newt_record script.py ARGUMENTS\n" +
		"    pytest -p newt_record\n\n" +
		"Its text says which options there are. newt replay runs a .launch file, and the page opens it.",
	run: func(_ context.Context, e *Env, c *command, args []string) int {
		set, _ := c.flags(e)
		if _, status, done := c.parse(e, set, args, 0, 0); done {
			return status
		}
		if _, err := io.WriteString(e.Stdout, recorder.Source); err != nil {
			return c.fail(e, err)
		}
		return exitOK
	},
}
