package api

import (
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/inspect"
)

// seek finds the next step of a launch at which a line has run and a condition holds.
func (d *documents) seek(c *call, r *SeekRequest) *SeekReply {
	out := &SeekReply{Stop: -1, Program: []int{}}
	of, l := d.looked(c, &r.Of, &out.Message)
	if l == nil {
		return out
	}
	what := inspect.Seek{Step: r.Step, Back: r.Back, Within: r.Within}
	what.Line = func(at source.Span) int { return of.places.Position(at.Start).Line }
	copy(what.Program[:], r.Program)
	for _, s := range r.Stops {
		what.Stops = append(what.Stops, inspect.Stop(s))
	}
	ctx, done := c.interrupts.begin(c.id)
	defer done()
	found, wrong, err := l.Seek(ctx, what)
	switch {
	case err != nil:
		out.Message = err.Error()
	case wrong != nil:
		out.Message = wrong.In(c.lang)
		out.Stop = found.Stop
	default:
		out.Stop, out.Program, out.Step = found.Stop, found.Program[:], found.Step
	}
	return out
}
