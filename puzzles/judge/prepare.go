package judge

import (
	"fmt"
	"slices"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/host"
	"github.com/newtlab/newt/interp/tensor"
	"github.com/newtlab/newt/puzzles"
)

// prepared is a case made ready: what does not depend on the answer.
type prepared struct {
	instance puzzles.Instance
	inputs   []Array
	start    Array // what the output holds before the launch
	expected Array
}

// prepare draws a case's inputs and computes its expected output, once.
func (j *Judge) prepare(c puzzles.Case, number int) (*prepared, error) {
	if p := j.prepared[number]; p != nil {
		return p, nil
	}
	in, err := j.puzzle.Instance(c)
	if err != nil {
		return nil, err
	}
	p := &prepared{instance: in}
	if err := p.draw(c); err != nil {
		return nil, err
	}
	if p.expected, err = j.evaluate(p); err != nil {
		return nil, err
	}
	j.prepared[number] = p
	return p, nil
}

// draw fills the tensors from torch's random stream, the output last.
func (p *prepared) draw(c puzzles.Case) error {
	d := drawer{tensor.New(tensor.Options{}), c}
	d.Generator.Seed(uint64(c.Seed))
	for _, a := range p.instance.Inputs {
		array, err := d.draw(a)
		if err != nil {
			return err
		}
		p.inputs = append(p.inputs, array)
	}
	var err error
	p.start, err = d.draw(p.instance.Output)
	return err
}

type drawer struct {
	*tensor.Context
	puzzles.Case
}

// minInteger and maxInteger bound integer inputs: the range of the published notebooks.
const minInteger, maxInteger = int64(-100_000), int64(100_000)

func (d drawer) draw(a puzzles.Array) (Array, error) {
	shape := make([]any, len(a.Shape))
	for i, n := range a.Shape {
		shape[i] = int64(n)
	}
	t, err := d.call("rand", shape, map[string]any{"dtype": num.Float32})
	if err != nil {
		return Array{}, err
	}
	if !a.DType.Info().Float {
		t, err = d.call("randint", []any{minInteger, maxInteger, shape}, nil)
	} else if t, err = d.scaled(t); err != nil {
		return Array{}, err
	}
	if err == nil {
		t, err = d.method(t, "to", a.DType)
	}
	if err != nil {
		return Array{}, err
	}
	return Array{a, t.Bytes()}, nil
}

func (d drawer) scaled(t *tensor.Tensor) (*tensor.Tensor, error) {
	var err error
	if d.Scale != 0 {
		t, err = d.method(t, "mul", d.Scale)
	}
	if err == nil && d.Shift != 0 {
		t, err = d.method(t, "add", d.Shift)
	}
	return t, err
}

func (d drawer) call(name string, args []any, keywords map[string]any) (*tensor.Tensor, error) {
	return d.run(tensor.InTorch, name, args, keywords)
}

func (d drawer) method(t *tensor.Tensor, name string, arg any) (*tensor.Tensor, error) {
	return d.run(tensor.InMethod, name, []any{t, arg}, nil)
}

func (d drawer) run(where tensor.Where, name string, args []any, keywords map[string]any) (*tensor.Tensor, error) {
	op, ok := tensor.Lookup(where, name)
	if !ok {
		return nil, fmt.Errorf("torch has no %s", name)
	}
	result, err := d.Call(op, args, keywords)
	if err != nil {
		return nil, err
	}
	t, ok := result.(*tensor.Tensor)
	if !ok {
		return nil, fmt.Errorf("%s gives no tensor", name)
	}
	return t, nil
}

// spec is a puzzle's specification, loaded.
type spec struct {
	module   *host.Module
	function *host.Function
}

// evaluate runs the specification on a case's inputs.
func (j *Judge) evaluate(p *prepared) (Array, error) {
	s, err := j.loadSpec()
	if err != nil {
		return Array{}, err
	}
	args := make([]host.Value, len(p.inputs))
	for i, a := range p.inputs {
		t, err := s.module.Tensors().FromBytes(a.DType, a.Shape, a.Data)
		if err != nil {
			return Array{}, err
		}
		args[i] = host.FromTensor(t)
	}
	value, problem := s.module.Call(s.function, args...)
	if problem != nil {
		return Array{}, specError(s.module.File(), problem)
	}
	return asOutput(value, p.instance.Output)
}

func asOutput(value host.Value, want puzzles.Array) (Array, error) {
	t, ok := host.AsTensor(value)
	if !ok {
		return Array{}, fmt.Errorf("the specification returns no tensor")
	}
	got := puzzles.Array{Name: want.Name, DType: t.DType(), Shape: t.Shape()}
	if got.DType != want.DType || !slices.Equal(got.Shape, want.Shape) {
		return Array{}, fmt.Errorf("the specification returns %v%v; puzzle.json promises %v%v", got.DType, got.Shape, want.DType, want.Shape)
	}
	return Array{got, t.Bytes()}, nil
}

func (j *Judge) loadSpec() (*spec, error) {
	if j.spec != nil {
		return j.spec, nil
	}
	file := source.NewFile(j.puzzle.Slug+"/spec.py", j.puzzle.SpecSource)
	module, list := host.Load(file, host.Options{})
	for _, d := range list {
		if d.Severity == diag.Error {
			return nil, specError(file, d)
		}
	}
	function, ok := module.Func(j.puzzle.Spec)
	if !ok {
		return nil, fmt.Errorf("spec.py has no function %s", j.puzzle.Spec)
	}
	j.spec = &spec{module, function}
	return j.spec, nil
}

func specError(file *source.File, d *diag.Diagnostic) error {
	return fmt.Errorf("%s, line %d: %s", file.Name, file.Position(d.Primary.Span.Start).Line, d.In(diag.English).Headline)
}
