package cli

import (
	"context"
	"flag"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/inspect"
	"github.com/newtlab/newt/interp/inspect/report"
	"github.com/newtlab/newt/interp/script"
)

// traceUsage is the description of --trace.
const traceUsage = "make the first launch of each call once more on the CPU, and report what one of its programs does: " +
	"each line's value, and what it reads, writes and masks off, with a picture of each tensor, to standard error"

// defineProgram adds the flags that narrow what the flag named of reports.
func defineProgram(set *flag.FlagSet, o *report.Options, of string) {
	set.Func("program", "the `PROGRAM` that "+of+" reports, such as 6 or 1,0 (default: the one with the first "+
		"problem, or else the first)", func(text string) (err error) {
		o.Program, err = parseProgram(text)
		return err
	})
	set.IntVar(&o.Line, "line", 0, "the only line of the source that "+of+" reports")
}

// parseProgram reads the ids of a program along the axes of its grid.
func parseProgram(text string) (*[3]int, error) {
	program := &[3]int{}
	for axis, word := range strings.Split(text, ",") {
		id, err := strconv.Atoi(strings.TrimSpace(word))
		if err != nil || id < 0 || axis >= len(program) {
			return nil, fmt.Errorf("a program has up to three ids with commas between them, such as 6 or 1,0")
		}
		program[axis] = id
	}
	return program, nil
}

// traces are the reports of a document's launches.
type traces struct {
	report.Options
	on   bool
	list []*report.Report
}

// traceKeep bounds the arguments that are kept to make launches again: those of the first launch of each call.
var traceKeep = script.Keep{Launches: 1 << 16, Bytes: 1 << 30, Alike: 1}

// traceBudget bounds the work of a launch that is traced: some seconds.
const traceBudget = 1 << 31

// keep is what a run keeps of its launches.
func (t *traces) keep() script.Keep {
	if !t.on {
		return script.Keep{}
	}
	return traceKeep
}

// add reports a launch, if its arguments were kept.
func (t *traces) add(ctx context.Context, run *script.Run, of *script.Launch) {
	k, args, _, ok := run.Open(of)
	if !ok {
		return
	}
	var r *report.Report
	l, why := inspect.New(k, args, of.Shapes(args), device.Launch{Grid: of.Grid, Budget: traceBudget})
	if why != nil {
		r = report.Nothing(of.Kernel, of.Grid, why.In(t.Lang))
	} else {
		r = report.Of(ctx, l, t.Options)
	}
	r.Call = report.LineOf(run.Sources(), of.Span)
	t.list = append(t.list, r)
}

// write writes the reports for people.
func (t *traces) write(w io.Writer) {
	for _, r := range t.list {
		io.WriteString(w, r.Text(t.Lang))
	}
}
