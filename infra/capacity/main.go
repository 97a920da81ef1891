// Package main says where a fleet bends first as it grows beyond any machines at hand: a discrete-event simulation of
// clients, gateways, the NATS server and workers, each with the costs that were measured of one.
//
//	go run ./infra/capacity                                                   # the table of infra/CAPACITY.md
//	go run ./infra/capacity -workers 1000 -gateways 8 -clients 100000 -think 60
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
		GatewayJob: 0.3e-3, NATSJob: 0.3e-3, HearWorker: 7e-6, Capacity: 119e-9, HearClient: 1.2e-6, Deliver: 5e-6,
		Hop: 0.25e-3, Turn: 0.1,
	},
	Workers: 1000, Gateways: 1, Cores: 8, Streams: 1, Told: 500, Clients: 100_000, Think: 60, Kernel: 0.01,
}

// steps are the fleets of the table, each of which changes today's.
var steps = []struct {
	name   string
	change func(f *Fleet)
}{
	{"a lab: 4 workers, 40 clients", func(f *Fleet) { f.Workers, f.Clients, f.Cores = 4, 40, 2 }},
	{"100 workers, 10,000 clients", func(f *Fleet) { f.Workers, f.Clients = 100, 10_000 }},
	{"1,000 workers, 100,000 clients", func(f *Fleet) {}},
	{"the same with 2 gateways", func(f *Fleet) { f.Gateways = 2 }},
	{"the same with 16 gateways", func(f *Fleet) { f.Gateways = 16 }},
	{"2 gateways, clients think 30 s", func(f *Fleet) { f.Gateways, f.Think = 2, 30 }},
	{"… and 4 streams", func(f *Fleet) { f.Gateways, f.Think, f.Streams = 2, 30, 4 }},
	{"… and messages with 5,000 clients", func(f *Fleet) { f.Gateways, f.Think, f.Streams, f.Told = 2, 30, 4, 5000 }},
	{"… and clients think 15 s", func(f *Fleet) { f.Gateways, f.Think, f.Streams, f.Told = 2, 15, 4, 5000 }},
	{"… and a job takes a device 10 ms", func(f *Fleet) {
		f.Gateways, f.Think, f.Streams, f.Told, f.Turn = 2, 15, 4, 5000, 0.01
	}},
}

func main() {
	f := today
	one := flag.Bool("one", false, "simulate the one fleet that the other options give")
	flag.IntVar(&f.Workers, "workers", f.Workers, "workers, with a device each")
	flag.IntVar(&f.Gateways, "gateways", f.Gateways, "gateways")
	flag.IntVar(&f.Cores, "cores", f.Cores, "cores of each gateway")
	flag.IntVar(&f.Streams, "streams", f.Streams, "streams of tickets")
	flag.IntVar(&f.Told, "told", f.Told, "clients in one message of a gateway")
	flag.IntVar(&f.Clients, "clients", f.Clients, "clients")
	flag.Float64Var(&f.Think, "think", f.Think, "mean seconds between an answer and the client's next job")
	flag.Float64Var(&f.Kernel, "kernel", f.Kernel, "median seconds of a kernel")
	flag.Float64Var(&f.Turn, "turn", f.Turn, "seconds that a job takes a device beside its kernel")
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
	for _, s := range steps {
		f := today
		s.change(&f)
		names, fleets = append(names, s.name), append(fleets, f)
	}
	writeTable(w, names, fleets)
}

// writeTable simulates fleets and writes a row of each.
func writeTable(w io.Writer, names []string, fleets []Fleet) {
	columns := []string{"fleet", "jobs/s", "p50", "p95", "p99", "gateways", "NATS", "devices", "told after", "bends first"}
	fmt.Fprintf(w, "| %s |\n|%s\n", strings.Join(columns, " | "), strings.Repeat(" --- |", len(columns)))
	for i, f := range fleets {
		o := Simulate(f)
		fmt.Fprintf(w, "| %s | %.0f | %s | %s | %s | %s | %s | %s | %.1f s | %s |\n", names[i], o.Jobs, seconds(o.P50),
			seconds(o.P95), seconds(o.P99), percent(o.Gateways), percent(o.NATS), percent(o.Workers), o.Behind, o.first())
	}
}

// full is the share from which on a queue grows fast, and late the delay from which on shares are no longer fair.
const (
	full = 0.9
	late = 5.0 // seconds
)

// first names what has no room left, or has the least.
func (o Outcome) first() string {
	most, name := 0.0, ""
	for _, part := range []struct {
		name  string
		share float64
	}{{"gateways", o.Gateways}, {"NATS", o.NATS}, {"devices", o.Workers}} {
		if part.share > most {
			most, name = part.share, part.name
		}
	}
	switch {
	case most >= full:
		return "**" + name + "**"
	case o.Behind > late:
		return "**fair shares**"
	}
	return name
}

func percent(share float64) string { return fmt.Sprintf("%.0f %%", min(1, share)*100) }

func seconds(s float64) string {
	if s < 1 {
		return fmt.Sprintf("%.0f ms", s*1000)
	}
	return fmt.Sprintf("%.1f s", s)
}
