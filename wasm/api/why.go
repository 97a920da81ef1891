package api

import (
	"github.com/newtlab/newt/interp/inspect"
)

// why says what wrote an element of a tensor of a launch, and what its value comes from.
func (d *documents) why(c *call, r *WhyRequest) *WhyReply {
	out := &WhyReply{Program: []int{}, Origins: []Origin{}}
	of, l := d.looked(c, &r.Of, &out.Message)
	if l == nil {
		return out
	}
	last := len(of.shapes) - 1
	if out.Tensor = r.Tensor; r.Tensor < 0 {
		out.Tensor = last
	}
	if out.Tensor < 0 || out.Tensor > last || r.Element < 0 || r.Element >= of.shapes[out.Tensor].Len() {
		out.Message = c.text("why.no-element")
		return out
	}
	ctx, done := c.interrupts.begin(c.id)
	defer done()
	w, err := l.Why(ctx, out.Tensor, r.Element)
	if err != nil {
		out.Message = err.Error()
		return out
	}
	out.Element, out.Got, out.Program, out.Left = w.Element, w.Value, w.Program[:], w.Left
	if of.expected != nil && out.Tensor == last {
		out.Expected = of.expected(r.Element)
	}
	for _, o := range w.Origins {
		origin := Origin{Depth: o.Depth, Step: o.Step, Sentence: o.Sentence.In(c.lang)}
		if o.Step >= 0 {
			origin.Line = of.places.Position(o.Span.Start).Line
		}
		out.Origins = append(out.Origins, origin)
	}
	return out
}

// looked is the launch that a request names; l is nil where message says why there is none.
func (d *documents) looked(c *call, r *InspectRequest, message *string) (of *inspected, l *inspect.Launch) {
	unknown := emptyInspection()
	of, l = c.lookedAt(r, unknown, d.find(c, c.observed))
	if l == nil {
		*message = unknown.Message
	}
	return of, l
}
