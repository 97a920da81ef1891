package judge

import (
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
	if len(m.Different) > 0 {
		t.find("judge-meaning", name, len(m.Different), m.Elements)
	}
}
