package api

import (
	"context"

	"github.com/newtlab/newt/interp/formula"
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
		out.Formulas = of.formulas(ctx, w, r.Element)
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

// formulas compares how an element of a puzzle's output was computed with how it is to be; nil where it is right, or
// that is not known.
func (of *inspected) formulas(ctx context.Context, w *inspect.Why, element int) *Formulas {
	if of.judged == nil {
		return nil
	}
	want, wrong := of.judged.IsWrong(element, w.Number)
	if !wrong {
		return nil
	}
	set := formula.NewSet(of.formulaTensors())
	expected := of.judged.Formula(ctx, set, element)
	if expected == nil || !expected.Gives(want) {
		return nil
	}
	var yours *formula.Node
	if w.Formula != nil {
		yours = w.Formula(set)
	}
	if yours != nil && !yours.Gives(w.Number) {
		yours = nil
	}
	c := set.Compare(yours, expected)
	out := &Formulas{
		Says: says(c.Says), Yours: formulaTexts(c.Yours), Expected: formulaTexts(c.Expected), Marks: []FormulaMark{},
	}
	if yours == nil && w.Formula == nil {
		out.Says = "notStored"
	}
	for i := range set.Tensors {
		m := FormulaMark{i, elementsIn(c.YoursMarked, i), elementsIn(c.ExpectedMarked, i)}
		if len(m.Yours)+len(m.Expected) > 0 {
			out.Marks = append(out.Marks, m)
		}
	}
	return out
}

func (of *inspected) formulaTensors() (out []formula.Tensor) {
	for _, a := range of.judged.Arrays {
		out = append(out, formula.Tensor{Name: a.Name, Shape: a.Shape})
	}
	return out
}

// says is a finding of a comparison for the page.
func says(f formula.Says) string {
	return [...]string{"differ", "same", "sameElements", "readOthers", "notFollowed"}[f]
}

// kindOf is a token that the page has a word for; empty for others.
func kindOf(k formula.Kind) string {
	return map[formula.Kind]string{
		formula.Outside: "outside", formula.Undefined: "undefined", formula.More: "more",
	}[k]
}

// formulaTexts joins neighbours that look alike.
func formulaTexts(tokens []formula.Token) []FormulaText {
	out := []FormulaText{}
	for _, t := range tokens {
		next, last := FormulaText{t.Text, kindOf(t.Kind), t.Differs}, len(out)-1
		if last >= 0 && next.Kind == "" && out[last].Kind == "" && out[last].Differs == t.Differs {
			out[last].Text += t.Text
			continue
		}
		out = append(out, next)
	}
	return out
}

// elementsIn are the elements of one tensor.
func elementsIn(list []formula.Element, tensor int) []int {
	out := []int{}
	for _, e := range list {
		if e.Tensor == tensor {
			out = append(out, e.At)
		}
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
