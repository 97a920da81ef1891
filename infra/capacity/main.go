// Package main says where a fleet bends first as it grows beyond any machines at hand: a discrete-event simulation of
// clients, gateways, the NATS server and workers, each with the costs that were measured of one.
//
//	go run ./infra/capacity                                                   # the table of infra/CAPACITY.md
//	go run ./infra/capacity -one -workers 1000 -gateways 8 -clients 100000 -think 60
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
)

// today has the costs of version 1 of the fleet's messages, measured on two cores of a virtual machine, as CAPACITY.md
// says with the commands, and the settings of its code.
var today = Fleet{
	Costs: Costs{
		GatewayJob: 0.3e-3, NATSJob: 0.3e-3, HearWorker: 7e-6, Capacity: 119e-9, HearClient: 2e-6, Deliver: 5e-6,
		Hop: 0.25e-3, Turn: 0.1,
	},
	Workers: 1000, Gateways: 1, Cores: 8, Streams: 1, Clients: 100_000, Think: 60, Kernel: 0.01,
}

// steps are the fleets of the table, each of which changes the one before.
var steps = []struct {
	name   string
	change func(f *Fleet)
}{
	{"a lab: 4 workers, 40 clients", func(f *Fleet) { f.Workers, f.Clients, f.Cores = 4, 40, 2 }},
	{"100 workers, 10,000 clients", func(f *Fleet) { f.Workers, f.Clients, f.Cores = 100, 10_000, today.Cores }},
	{"1,000 workers, 100,000 clients, 16 gateways", func(f *Fleet) {
		f.Workers, f.Clients, f.Gateways = today.Workers, today.Clients, 16
	}},
	{"… with 4 gateways", func(f *Fleet) { f.Gateways = 4 }},
	{"… and clients think 30 s", func(f *Fleet) { f.Think = 30 }},
	{"… and 4 streams", func(f *Fleet) { f.Streams = 4 }},
	{"… and clients think 14 s", func(f *Fleet) { f.Think = 14 }},
	{"… and 12 s", func(f *Fleet) { f.Think = 12 }},
	{"… and a job takes a device 10 ms", func(f *Fleet) { f.Turn = 0.01 }},
}

func main() {
	f := today
	one := flag.Bool("one", false, "simulate the one fleet that the other options give")
	flag.IntVar(&f.Workers, "workers", f.Workers, "workers, with a device each")
	flag.IntVar(&f.Gateways, "gateways", f.Gateways, "gateways")
	flag.IntVar(&f.Cores, "cores", f.Cores, "cores of each gateway")
	flag.IntVar(&f.Streams, "streams", f.Streams, "streams of tickets")
	flag.IntVar(&f.Clients, "clients", f.Clients, "clients")
	flag.Float64Var(&f.Think, "think", f.Think, "mean seconds between an answer and the client's next job")
	flag.Float64Var(&f.Kernel, "kernel", f.Kernel, "median seconds of a kernel")
	flag.Float64Var(&f.Turn, "turn", f.Turn, "seconds that a job takes a device in addition to its kernel")
	flag.Parse()
	if *one {
		writeTable(os.Stdout, []string{"as given"}, []Fleet{f})
		return
	}
	writeSteps(os.Stdout)
}

func writeSteps(w io.Writer) {
	var names []string
	var fleets []Fleet
	f := today
	for _, s := range steps {
		s.change(&f)
		names, fleets = append(names, s.name), append(fleets, f)
	}
	writeTable(w, names, fleets)
}

// writeTable simulates fleets and writes a row of each.
func writeTable(w io.Writer, names []string, fleets []Fleet) {
	columns := []string{
		"fleet", "jobs/s", "p50", "p95", "p99", "gateways", "NATS", "devices", "least room",
	}
	fmt.Fprintf(w, "| %s |\n|%s\n", strings.Join(columns, " | "), strings.Repeat(" --- |", len(columns)))
	for i, f := range fleets {
		o := Simulate(f)
		fmt.Fprintf(w, "| %s | %.*f | %s | %s | %s | %s | %s | %s | %s |\n", names[i], digits(o.Jobs), o.Jobs,
			seconds(o.P50), seconds(o.P95), seconds(o.P99),
			percent(o.Gateways), percent(o.NATS), percent(o.Workers), o.first())
	}
}

// full is the share from which on a queue grows fast.
const full = 0.9

// first names what has the least room, in bold if that is next to none.
func (o Outcome) first() string {
	most, name := o.Gateways, "gateways"
	if o.NATS > most {
		most, name = o.NATS, "NATS"
	}
	if o.Workers > most {
		most, name = o.Workers, "devices"
	}
	if most >= full {
		return "**" + name + "**"
	}
	return name
}

// digits is how many digits of a rate follow the point.
func digits(rate float64) int {
	if rate < 10 {
		return 1
	}
	return 0
}

func percent(share float64) string { return fmt.Sprintf("%.0f %%", min(1, share)*100) }

func seconds(s float64) string {
	if s < 1 {
		return fmt.Sprintf("%.0f ms", s*1000)
	}
	return fmt.Sprintf("%.1f s", s)
}
