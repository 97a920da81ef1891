package judge

import (
	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/exact"
	"github.com/newtlab/newt/interp/tensor"
)

// maxExact bounds what is followed of a call, in the units of a kernel's work, of which each takes some hundred times
// as long, and in operands of torch's operations.
const maxExact = 1 << 19

// follow follows what a call means until stop is called; nil where that is not asked for.
func (t *trial) follow(p *program) (of *exact.Program, stop func()) {
	if !t.o.Exact || t.Kind != Values {
		return nil, func() {}
	}
	of = &exact.Program{Rules: exact.Rules{IgnoreRounding: true}, Trace: &tensor.Trace{}, Budget: maxExact}
	p.Tensors().Trace, p.launcher.follows = of.Trace, of
	return of, func() { p.Tensors().Trace, p.launcher.follows = nil, nil }
}

// meaning compares what the elements of an output mean, which is near enough, with what the reference's mean: in
// float64 if it has that, where rounding does not decide what a maximum or a comparison chooses.
func (t *trial) meaning(name string, got, own, exact *tensor.Tensor) {
	want := t.ownMeaning
	if exact != nil && exact.Numel() == got.Numel() {
		own, want = exact, t.exactMeaning
	}
	if want == nil || t.theirMeaning == nil || !got.DType().Info().Float || got.IsComplex() {
		return
	}
	m := t.theirMeaning.Compare(got, want, own)
	if m == nil {
		return
	}
	t.Exact = append(t.Exact, Exact{name, m.Elements, len(m.Different), len(m.Unknown)})
	gaps := append(t.theirMeaning.Gaps, want.Gaps...)
	switch {
	case len(m.Different) > 0:
		t.find("judge-meaning", name, len(m.Different), m.Elements, indexText(indexOf(got, m.Different[0])))
	case len(m.Unknown) > 0 && (len(m.Unknown) == m.Elements || len(gaps) > 0) && !t.unknown:
		t.unknown = true // which is said once
		d := diag.New("judge-meaning-unknown", t.at, sizesArg(t.Sizes), name, len(m.Unknown), m.Elements, reason(gaps))
		if len(t.theirMeaning.Gaps) > 0 {
			d.Primary.Span = gaps[0].At
		}
		d.Severity = diag.Hint
		t.report.Diagnostics.AddNew(t.placed(d))
	}
}

// reason says why something is not known.
func reason(gaps []exact.Gap) diag.Text {
	switch {
	case len(gaps) == 0:
		return diag.Text{Key: "judge-gap.doubt"}
	case gaps[0].At == (source.Span{}):
		return diag.Text{Key: "judge-gap.torch", Args: []any{gaps[0].Op}}
	case gaps[0].Op == "bitcast":
		return diag.Text{Key: "judge-gap.kernel"}
	}
	return diag.Text{Key: "judge-gap.operation", Args: []any{gaps[0].Op}}
}

// exactly says in a sentence how much was compared without a tolerance.
func (j *judging) exactly() string {
	known, unknown := 0, 0
	for _, t := range j.report.Tests {
		for _, e := range t.Exact {
			known, unknown = known+e.Elements-e.Unknown, unknown+e.Unknown
		}
	}
	switch {
	case known+unknown == 0:
		return j.phrase("judge-report.not-exact")
	case unknown == 0:
		return j.phrase("judge-report.exact", known)
	}
	return j.phrase("judge-report.exact-in-part", known, unknown)
}
