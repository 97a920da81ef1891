package api

import (
	"time"

	"github.com/newtlab/newt/interp/inspect"
	"github.com/newtlab/newt/wasm/rpc"
)

// wholeRuns is how many runs' work a launch may do that a person wants to see wholly.
const wholeRuns = 8

// looked is the launch that was looked at last. It is kept, since its checkpoints make the next look at it short.
type looked struct {
	key    string // the request for it, but for what of the launch it asks for
	of     *inspected
	launch *inspect.Launch
}

// finds finds the launch that a request names; nil where the reply says why there is none.
type finds func(*InspectRequest, *InspectReply) *inspected

// lookedAt is the launch that a request names, which find finds; l is nil where out says why there is none.
func (c *call) lookedAt(r *InspectRequest, out *InspectReply, find finds) (of *inspected, l *inspect.Launch) {
	same := *r
	same.Program, same.From = nil, 0
	text, err := rpc.Encode(&same)
	if err != nil {
		out.Message = err.Error()
		return nil, nil
	}
	if c.looked.key != string(text) {
		c.looked = looked{}
		if of = find(r, out); of == nil {
			return nil, nil
		}
		of.with.Budget = min(c.budget, inspect.DefaultBudget)
		if r.Whole {
			of.with.Budget = wholeRuns * c.budget
		}
		l, why := inspect.New(of.kernel, of.args, of.shapes, of.with)
		if why != nil {
			out.Message = why.In(c.lang)
			return nil, nil
		}
		c.looked = looked{string(text), of, l}
	}
	of, l = c.looked.of, c.looked.launch
	out.Kernel, out.Cases, out.Case = of.kernel.Kernel, of.cases, of.number
	l.Yield = c.reports(l)
	return of, l
}

// reports suspends the launch now and then, and says how far it has come.
func (c *call) reports(l *inspect.Launch) func() {
	pause, last := pauses(), time.Now()
	grid := l.Grid()
	return func() {
		pause()
		if time.Since(last) < progressInterval {
			return
		}
		last = time.Now()
		if program, steps := l.Reached(); steps > 0 {
			c.progress("steps", steps, 0)
		} else {
			c.progress("programs", int(program), grid[0]*grid[1]*grid[2])
		}
	}
}

// progressInterval is how often a look says how far it has come.
const progressInterval = 200 * time.Millisecond
