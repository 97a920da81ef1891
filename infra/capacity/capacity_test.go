package main

import (
	"flag"
	"math"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the table of CAPACITY.md anew")

// document has the table between its markers.
const (
	document = "../CAPACITY.md"
	begin    = "<!-- The output of go run ./infra/capacity -->\n"
	end      = "<!-- end -->\n"
)

// TestGoldenTable: the document has the table that the simulation makes.
func TestGoldenTable(t *testing.T) {
	text, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(text), begin)
	have, after, closed := strings.Cut(rest, end)
	if !found || !closed {
		t.Fatalf("%s has no markers", document)
	}
	var want strings.Builder
	writeSteps(&want)
	if have == want.String() {
		return
	}
	if !*update {
		t.Fatalf("the table of %s is old: go test ./infra/capacity -update\n%s", document, &want)
	}
	if err := os.WriteFile(document, []byte(before+begin+want.String()+end+after), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestSimulate compares simulations with what can be computed.
func TestSimulate(t *testing.T) {
	near := func(what string, got, want, within float64) {
		t.Helper()
		if math.Abs(got-want) > within*want {
			t.Errorf("%s is %g, not %g", what, got, want)
		}
	}
	f := today
	f.Workers, f.Clients, f.Think, f.Gateways = 50, 100, 10, 2
	kernel := f.Kernel * math.Exp(kernelSigma*kernelSigma/2) // the mean of the log-normal distribution
	o := Simulate(f)
	near("an idle fleet's rate", o.Jobs, float64(f.Clients)/(f.Think+f.Turn+kernel), 0.2)
	near("an idle fleet's median", o.P50, f.Turn+8*f.Hop+f.GatewayJob+f.NATSJob, 0.02)
	near("an idle fleet's devices", o.Workers, o.Jobs*(f.Turn+kernel+4*f.Hop+f.GatewayJob/2)/float64(f.Workers), 0.1)

	f.Clients = 10_000 // far more than the devices serve
	o = Simulate(f)
	near("a full fleet's devices", o.Workers, 1, 0.02)
	near("a full fleet's rate", o.Jobs, float64(f.Workers)/(f.Turn+kernel+4*f.Hop+f.GatewayJob/2), 0.1)
	if o.first() != "**devices**" {
		t.Errorf("a full fleet lacks %s", o.first())
	}
}
