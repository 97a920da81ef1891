package api

import (
	"slices"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/interp/inspect"
	"github.com/newtlab/newt/interp/launch"
)

// maxFindings is how many findings a reply lists.
const maxFindings = 200

// wholeBudget bounds the work under the sanitizers of a launch that a person wants to be checked wholly: some ten
// seconds in a page.
const wholeBudget = 64 * launch.SanitizeBudget

// findings says what the sanitizers find in a launch.
func (d *documents) findings(c *call, r *FindingsRequest) *FindingsReply {
	out := &FindingsReply{Findings: []Finding{}, Limits: []string{}}
	budget := int64(launch.SanitizeBudget)
	if r.Whole {
		budget = wholeBudget
	}
	unknown := emptyInspection()
	of := d.find(c, c.unjudged)(&r.Of, unknown)
	if of == nil {
		out.Message = unknown.Message
		return out
	}
	of.with.Budget, of.with.Yield = min(c.budget, budget), pauses()
	l, why := inspect.New(of.kernel, of.args, of.shapes, of.with)
	if why != nil {
		out.Message = why.In(c.lang)
		return out
	}
	var wraps diag.List
	out.Proof, wraps = c.proof(of, &r.Of)
	ctx, done := c.interrupts.begin(c.id)
	defer done()
	found, limits, err := l.Findings(ctx)
	if err != nil {
		out.Message = err.Error()
		return out
	}
	for _, d := range limits {
		out.Limits = append(out.Limits, d.In(c.lang).Headline)
		out.More = out.More || d.Code == "sanitize-budget" && !r.Whole
	}
	wraps = slices.DeleteFunc(wraps, func(d *diag.Diagnostic) bool {
		return slices.ContainsFunc(found, func(f inspect.Finding) bool {
			return f.Code == d.Code && f.Primary.Span == d.Primary.Span
		})
	})
	for _, d := range wraps {
		out.Findings = append(out.Findings, Finding{Diagnostic: c.diagnostic(of.places, d),
			Program: d.Runtime.Program[:], Step: -1, Tensor: -1, Elements: []int32{}})
	}
	out.Total = len(wraps) + len(found)
	for _, f := range found[:min(len(found), maxFindings)] {
		out.Findings = append(out.Findings, Finding{
			Diagnostic: c.diagnostic(of.places, f.Diagnostic), Program: f.Program[:], Step: f.Step, Tensor: f.Tensor,
			Elements: slices.Concat([]int32{}, f.Elements), Where: f.Where.In(c.lang), Value: f.Value,
		})
	}
	return out
}
