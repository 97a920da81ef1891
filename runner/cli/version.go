package cli

import (
	"context"
	"fmt"

	"github.com/newtlab/newt/runner/version"
)

var versionCommand = &command{
	name:  "version",
	args:  "[--json]",
	short: "print the version",
	help:  "Prints the version, the commit that it was built from, the Go toolchain and the platform.",
	run: func(_ context.Context, e *Env, c *command, args []string) int {
		set, _ := c.flags(e)
		asJSON := set.Bool("json", false, "print one JSON object")
		if _, status, done := c.parse(e, set, args, 0, 0); done {
			return status
		}
		if !*asJSON {
			fmt.Fprintln(e.Stdout, version.Read())
			return exitOK
		}
		if err := writeJSON(e.Stdout, version.Read()); err != nil {
			return c.fail(e, err)
		}
		return exitOK
	},
}
