package judge

import (
	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/interp/host"
	"github.com/newtlab/newt/interp/tensor"
)

// seed seeds torch's random numbers.
func (p *program) seed(n uint32) {
	p.Tensors().Generator.Seed(uint64(n))
	p.Tensors().CUDAGenerator.Seed(uint64(n))
}

// construct makes the objects that are called at a point: the reference's, the same in float64, and the submission's.
// The seed is the same for all three, so that their parameters are. The reason says why nothing can be judged.
func (j *judging) construct(p point) *diag.Text {
	for _, k := range p {
		j.reference.SetGlobal(k.Name, k.Value)
	}
	seed := j.random.Uint32()
	j.reference.seed(seed)
	f, ok := j.reference.Global(j.protocol.constructor)
	var args host.Value = host.Tuple{}
	if ok {
		var d *diag.Diagnostic
		if args, d = j.reference.Call(f); d != nil {
			return j.failing(d, "judge-report.reference-fails-at", SizesText(p.sizes()))
		}
	}
	instance := func(s *program, class string) (host.Value, *diag.Diagnostic, error) {
		copied, err := newCopier(s.Tensors()).values(args)
		if err != nil {
			return nil, nil, err
		}
		c := s.Tensors()
		heard, on := c.Called, c.DefaultDevice
		c.Called, c.DefaultDevice = nil, tensor.CUDA
		defer func() { c.Called, c.DefaultDevice, c.GradEnabled = heard, on, false }()
		s.seed(seed)
		c.GradEnabled = true
		of, _ := s.Global(class)
		made, d := s.callWith(of, copied)
		return made.result, d, nil
	}
	var d *diag.Diagnostic
	var err error
	if j.want, d, err = instance(j.reference, j.protocol.reference); d == nil && err == nil {
		j.wantExact, d, err = instance(j.reference, j.protocol.reference)
	}
	if d == nil && err == nil {
		j.wantExact, d = j.reference.Call(j.double, j.wantExact)
	}
	switch {
	case err != nil:
		return &diag.Text{Key: "judge-report.inputs-form", Args: []any{err.Error()}}
	case d != nil:
		return j.failing(d, "judge-report.reference-fails-at", SizesText(p.sizes()))
	}
	if j.got, d, _ = instance(j.submission, j.protocol.submission); d != nil {
		if d = j.placed(d); hasCode(d, lacks) {
			return j.lacking(d)
		}
		j.got = nil
		j.fault(d)
		j.add(Test{Sizes: p.sizes(), Kind: Values, Outcome: Failed, Message: d.In(j.o.Lang).Headline})
	}
	return nil
}
