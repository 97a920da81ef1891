package cli

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/newtlab/newt/runner/fleet"
	"github.com/newtlab/newt/runner/fleet/census"
)

var statusCommand = &command{
	name:  "status",
	args:  "--nats URL,… [--nats-credentials FILE] [--nats-ca FILE] [--json]",
	short: "show the machines of a fleet, and what they do",
	help: "Lists the gateways and workers of a fleet, their queues, and who uses how much; nothing of what\n" +
		"anybody runs. It needs the credentials of a gateway.",
	run: status,
}

func status(ctx context.Context, e *Env, c *command, args []string) int {
	set, _ := c.flags(e)
	reach := newReachFlags(set, "", natsUsage)
	asJSON := set.Bool("json", false, "print one JSON object")
	if _, status, done := c.parse(e, set, args, 0, 0); done {
		return status
	}
	if *reach.url == "" {
		return c.misuse(e, missingNATS)
	}
	report, err := fleet.TakeCensus(ctx, reach.options(slog.New(slog.DiscardHandler)))
	if err != nil {
		return c.fail(e, err)
	}
	if *asJSON {
		err = writeJSON(e.Stdout, report)
	} else {
		err = printCensus(e.Stdout, report)
	}
	if err != nil {
		return c.fail(e, err)
	}
	return verdict(len(report.Gateways) > 0 && len(report.Workers) > 0)
}

// printCensus prints tables.
func printCensus(to io.Writer, c *census.Report) error {
	out := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	fmt.Fprintln(out, "WORKER\tMACHINE\tDEVICE\tAS\tSTATE\tRUNNING\tJOBS\tUP\tNEWT")
	for _, w := range c.Workers {
		fmt.Fprintf(out, "%s\t%s\t%s\t%s\t%s\t%d\t%d\t%v\t%s\n", w.ID, w.Machine, w.Device, strings.Join(w.Pools, ","),
			w.State, w.Running, w.Jobs, w.Up(), w.Newt)
	}
	fmt.Fprintln(out, "\nGATEWAY\tMACHINE\tCLIENTS\tWAITING+RUNNING\tUP\tNEWT")
	for _, g := range c.Gateways {
		var queues []string
		for _, device := range slices.Sorted(maps.Keys(g.Queues)) {
			q := g.Queues[device]
			queues = append(queues, fmt.Sprintf("%s %d+%d", device, q.Waiting, q.Running))
		}
		fmt.Fprintf(out, "%s\t%s\t%d\t%s\t%v\t%s\n",
			g.ID, g.Machine, g.Clients, strings.Join(queues, ", "), g.Up(), g.Newt)
	}
	fmt.Fprintln(out, "\nPERSON\tGATEWAY\tJOBS\tDEVICE SECONDS LATELY\tBYTES")
	for _, g := range c.Gateways {
		for _, p := range g.People {
			fmt.Fprintf(out, "%s\t%s\t%d\t%.2f\t%d\n", p.Person, g.ID, p.Jobs, p.Seconds, p.Bytes)
		}
		if g.MorePeople > 0 {
			fmt.Fprintf(out, "%d more\t%s\t\t\t\n", g.MorePeople, g.ID)
		}
	}
	fmt.Fprintf(out, "\n%d tickets in the queue\n", c.Tickets)
	return out.Flush()
}
