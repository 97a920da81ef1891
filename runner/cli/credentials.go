package cli

import (
	"context"
	"fmt"

	"github.com/newtlab/newt/runner/fleet"
)

var credentialsCommand = &command{
	name:  "credentials",
	args:  "NAME --nats-credentials FILE",
	short: "let a machine into the NATS server of a fleet",
	help: "Adds a name to the file that `newt serve --nats embedded --nats-credentials FILE` reads when it starts,\n" +
		"and prints the line with which the machine of that name connects: it is nowhere else, for the file has the\n" +
		"hash of the password. Machines should have different names: each reads only what is meant for its own. The\n" +
		"name gateway is for other gateways and for `newt status`. To take the right away, remove the name's line.",
	run: credentials,
}

func credentials(_ context.Context, e *Env, c *command, args []string) int {
	set, _ := c.flags(e)
	file := set.String("nats-credentials", "", "file of the NATS server's users")
	words, status, done := c.parse(e, set, args, 1, 1)
	if done {
		return status
	}
	if *file == "" {
		return c.misuse(e, "--nats-credentials is missing: the file that newt serve --nats-credentials reads")
	}
	line, err := fleet.AddUser(*file, words[0])
	if err != nil {
		return c.fail(e, err)
	}
	fmt.Fprintln(e.Stdout, line)
	return exitOK
}
