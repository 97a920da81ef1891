package api

import (
	"github.com/newtlab/newt/interp/inspect"
)

// why says what an element of a launch comes from.
func (d *documents) why(c *call, r *WhyRequest) *WhyReply {
	out := &WhyReply{Tensor: -1, Program: []int{}, Origins: []Origin{}}
	of, l := d.looked(c, &r.Of, &out.Message)
	if l == nil {
		return out
	}
	ctx, done := c.interrupts.begin(c.id)
	defer done()
	var w *inspect.Why
	var err error
	if r.Value != nil {
		var program [3]int
		copy(program[:], r.Value.Program)
		w, err = l.WhyValue(ctx, program, r.Value.Step, r.Element)
	} else if out.Tensor = of.tensor(r); out.Tensor >= 0 {
		w, err = l.Why(ctx, out.Tensor, r.Element)
	}
	switch {
	case err != nil:
		out.Message = err.Error()
		return out
	case w == nil:
		out.Message = c.text("why.no-element")
		return out
	}
	out.Element, out.Got, out.Program, out.Left = w.Element, w.Value, w.Program[:], w.Left
	if of.expected != nil && out.Tensor == len(of.shapes)-1 {
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

// tensor is the tensor that a request asks about an element of; -1 where there is no such element.
func (of *inspected) tensor(r *WhyRequest) int {
	last := len(of.shapes) - 1
	at := r.Tensor
	if at < 0 {
		at = last
	}
	if at < 0 || at > last || r.Element < 0 || r.Element >= of.shapes[at].Len() {
		return -1
	}
	return at
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
