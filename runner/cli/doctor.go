package cli

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/frontend"
	"github.com/newtlab/newt/runner/doctor"
	"github.com/newtlab/newt/runner/fleet"
	"github.com/newtlab/newt/runner/gpu"
	"github.com/newtlab/newt/runner/share/natskv"
	"github.com/newtlab/newt/runner/version"
)

var doctorCommand = &command{
	name:  "doctor",
	args:  "[--addr HOST:PORT] [--data DIR] [--token-file FILE] [--nats URL,… [--nats-credentials FILE] [--nats-ca FILE]] [--running] [--json] [--lang en|zh]",
	short: "check what newt needs on this machine",
	help: "Checks what newt uses (address, data directory, disk, memory, clock) and the machine's\n" +
		"GPU, and says what to do. It changes nothing. The exit status is 0 only if newt lacks\n" +
		"nothing that it needs. With --running it checks only that a newt at --addr answers.",
	run: examine,
}

func examine(ctx context.Context, e *Env, c *command, args []string) int {
	set, lang := c.flags(e)
	addr := set.String("addr", defaultAddr, "address for newt to listen on")
	data := set.String("data", dataDir(e.Getenv), "data directory of newt")
	token := set.String("token-file", "", "file with the token that clients of the devices need")
	reach := newReachFlags(set, "", "NATS servers of the fleet that newt is to be a part of")
	running := set.Bool("running", false, "check only that a newt at --addr answers")
	asJSON := set.Bool("json", false, "print one JSON object")
	if _, status, done := c.parse(e, set, args, 0, 0); done {
		return status
	}
	machine, l := doctor.Machine(), diag.ParseLang(*lang)
	if *running {
		answer := doctor.Answer(ctx, machine, *addr)
		fmt.Fprintln(e.Stdout, answer.Says.In(l))
		return verdict(answer.State != doctor.Lack)
	}
	o := doctor.Options{Addr: *addr, Data: *data, Page: frontend.Built(), Built: version.Read().Time}
	if worker, err := gpu.Find(); err == nil {
		o.Worker = worker
	}
	o.Token = *token
	if *reach.url != "" {
		o.NATS = func(ctx context.Context) fleet.Health {
			return fleet.Examine(ctx, reach.options(nil), natskv.Stream)
		}
	}
	for _, path := range []*string{&o.Data, &o.Token} {
		if abs, err := filepath.Abs(*path); *path != "" && err == nil {
			*path = abs
		}
	}
	report := doctor.Examine(ctx, machine, o)
	if *asJSON {
		if err := writeJSON(e.Stdout, report.JSON(l)); err != nil {
			return c.fail(e, err)
		}
	} else {
		fmt.Fprintf(e.Stdout, "%s\n\n", version.Read())
		report.Print(e.Stdout, l)
	}
	return verdict(report.Healthy())
}

func verdict(good bool) int {
	if good {
		return exitOK
	}
	return exitFail
}
