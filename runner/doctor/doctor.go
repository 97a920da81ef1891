// Package doctor checks whether a machine meets newt's requirements, and explains what to do where it
// does not. A check is a pure function of a System and the Options, so that tests can simulate
// machines.
package doctor

import (
	"context"
	"fmt"
	"time"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/runner/fleet"
)

// State is the result of a check.
type State string

// The states, from good to bad. Only Lack keeps newt from working.
const (
	OK   State = "ok"
	Note State = "note" // a fact: nothing has to be done
	Warn State = "warn" // newt works, but something should be done
	Lack State = "lack" // a requirement is not met
)

// Words are a text in both languages.
type Words struct{ En, Zh string }

// In returns the text in one language.
func (w Words) In(lang diag.Lang) string {
	if lang == diag.Chinese {
		return w.Zh
	}
	return w.En
}

// localized formats a text in both languages, each with the same arguments.
func localized(en, zh string, args ...any) Words {
	return Words{fmt.Sprintf(en, args...), fmt.Sprintf(zh, args...)}
}

// Finding is the outcome of one check.
type Finding struct {
	Check string // its name in the table
	Area  Area
	State State
	Says  Words
	Do    Words // what to do; empty where there is nothing
}

// Area groups findings.
type Area string

// The areas, in the order of the report.
const (
	Serving Area = "serving" // serving the page and the CPU
	GPU     Area = "gpu"     // running kernels on this machine's GPU, which is optional
)

// Options describe how newt is to be used on the machine.
type Options struct {
	Addr string // where it is to listen, as for `newt serve`
	Data string // its data directory, an absolute path; "" where none can be named
	// Token is the token file, an absolute path; "" for none.
	Token string
	// NATS examines the NATS servers of a fleet; nil where newt is not to be a part of one.
	NATS func(context.Context) fleet.Health
	// Worker is the file of the program that drives NVIDIA GPUs; "" for none.
	Worker string
	Page   bool      // whether the page is built into the program
	Built  time.Time // no clock that is right shows an earlier time; zero where it is not known
}

// check is a row of the table. A check that does not apply to the machine returns a Finding
// without a State, and is left out.
type check struct {
	name    string
	area    Area
	linux   bool // it reads files that only Linux has
	examine func(context.Context, System, Options) Finding
}

var checks = []check{
	{"page", Serving, false, checkPage},
	{"address", Serving, false, checkAddress},
	{"reach", Serving, false, checkReach},
	{"data", Serving, false, checkData},
	{"token", Serving, false, checkToken},
	{"nats", Serving, false, checkNATS},
	{"space", Serving, false, checkSpace},
	{"memory", Serving, true, checkMemory},
	{"files", Serving, false, checkFiles},
	{"clock", Serving, false, checkClock},
	{"time-sync", Serving, true, checkSync},
	{"time-zone", Serving, false, checkZone},
	{"card", GPU, true, checkCard},
	{"driver", GPU, true, checkDriver},
	{"devices", GPU, true, checkDevices},
	{"libcuda", GPU, true, checkLibrary},
	{"nvidia-smi", GPU, true, checkSMI},
	{"toolkit", GPU, true, checkToolkit},
	{"worker", GPU, true, checkWorker},
}

// Report are the findings, in the order of the table.
type Report []Finding

// Examine runs every check that applies to the machine.
func Examine(ctx context.Context, s System, o Options) Report {
	var report Report
	for _, c := range checks {
		if c.linux && s.OS() != "linux" {
			continue
		}
		if f := c.examine(ctx, s, o); f.State != "" {
			f.Check, f.Area = c.name, c.area
			report = append(report, f)
		}
	}
	return report
}

// Healthy reports whether all requirements are met.
func (r Report) Healthy() bool {
	for _, f := range r {
		if f.State == Lack {
			return false
		}
	}
	return true
}
