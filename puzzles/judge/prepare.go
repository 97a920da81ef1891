package judge

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/exact"
	"github.com/newtlab/newt/interp/host"
	"github.com/newtlab/newt/interp/launch"
	"github.com/newtlab/newt/interp/script"
	"github.com/newtlab/newt/interp/tensor"
	"github.com/newtlab/newt/puzzles"
)

// prepared is a case made ready: what does not depend on the answer.
type prepared struct {
	instance puzzles.Instance
	inputs   []Array
	start    Array // what the output holds before the launch
	filled   bool  // the puzzle says what that is, so it stays so in every test
	expected Array
	meant    map[exact.Rules][]exact.Number // what the elements of expected mean, once that was asked for
}

// prepare makes a test ready, once.
func (j *Judge) prepare(ctx context.Context, c puzzles.Case, number int) (*prepared, error) {
	if p := j.prepared[number]; p != nil {
		return p, nil
	}
	p, err := j.ready(ctx, c)
	if err != nil {
		return nil, err
	}
	// Kept only when it is complete: a specification that was stopped is evaluated again next time.
	j.prepared[number] = p
	return p, nil
}

// ready draws a case's inputs and computes its expected output.
func (j *Judge) ready(ctx context.Context, c puzzles.Case) (*prepared, error) {
	p, err := j.drawn(c)
	if err == nil {
		p.expected, err = j.evaluate(ctx, p)
	}
	return p, err
}

// drawn draws a case's inputs.
func (j *Judge) drawn(c puzzles.Case) (*prepared, error) {
	in, err := j.puzzle.Instance(c)
	if err != nil {
		return nil, err
	}
	p := &prepared{instance: in, filled: j.puzzle.Output.Fill != ""}
	return p, p.draw(j.puzzle, c)
}

// draw fills the tensors from torch's random stream, the output last.
func (p *prepared) draw(of *puzzles.Puzzle, c puzzles.Case) error {
	d := drawer{tensor.New(tensor.Options{}), c}
	// One stream for all tensors, in the order of puzzle.json: the published inputs to the last bit.
	d.Generator.Seed(uint64(c.Seed))
	for i, a := range p.instance.Inputs {
		array, err := d.draw(a, of.Inputs[i].Fill)
		if err != nil {
			return err
		}
		p.inputs = append(p.inputs, array)
	}
	var err error
	p.start, err = d.draw(p.instance.Output, of.Output.Fill)
	return err
}

type drawer struct {
	*tensor.Context
	puzzles.Case
}

// minInteger and maxInteger bound integer inputs: the range of the published notebooks.
const minInteger, maxInteger = int64(-100_000), int64(100_000)

func (d drawer) draw(a puzzles.Array, fill string) (Array, error) {
	make := d.published
	if fill != "" {
		make = func(a puzzles.Array) (*tensor.Tensor, error) { return d.filled(a, fill) }
	}
	t, err := make(a)
	if err == nil {
		// torch draws in fp32 and rounds; drawing in the dtype itself would give other numbers.
		t, err = d.method(t, "to", a.DType)
	}
	if err != nil {
		return Array{}, err
	}
	return Array{a, t.Bytes()}, nil
}

// published draws as the published notebooks do: one rand for each tensor, whatever comes of it.
func (d drawer) published(a puzzles.Array) (*tensor.Tensor, error) {
	shape := make([]any, len(a.Shape))
	for i, n := range a.Shape {
		shape[i] = int64(n)
	}
	t, err := d.call("rand", shape, map[string]any{"dtype": num.Float32})
	if err != nil {
		return nil, err
	}
	// Integers are drawn again: the fp32 draw before has advanced the stream, as in the notebooks.
	if a.DType.Info().Float {
		return d.scaled(t)
	}
	return d.call("randint", []any{minInteger, maxInteger, shape}, nil)
}

// filled evaluates one of puzzles.Fills.
func (d drawer) filled(a puzzles.Array, fill string) (*tensor.Tensor, error) {
	text := fmt.Sprintf("import math\nimport torch\nshape, dtype = %s, torch.%s\nvalue = %s\n", shapeText(a.Shape),
		a.DType.Info().Attr, puzzles.Fills[fill])
	module, list := host.Load(source.NewFile("fill.py", text),
		host.Options{Tensors: d.Context, Libraries: host.SpecLibraries()})
	for _, problem := range list {
		if problem.Severity == diag.Error {
			return nil, specError(module.Sources(), problem)
		}
	}
	value, _ := module.Global("value")
	t, ok := host.AsTensor(value)
	switch {
	case !ok:
		return nil, fmt.Errorf("%s gives no tensor", fill)
	case a.DType.Info().Float && (fill == "rand" || fill == "randn"):
		return d.scaled(t)
	}
	return t, nil
}

// shapeText is a shape as Python writes it, a list.
func shapeText(shape []int) string { return strings.ReplaceAll(fmt.Sprint(shape), " ", ", ") }

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
	op, ok := d.Operations.Lookup(where, name)
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
	module   *host.Session
	function *host.Function
	params   []string
	launcher *specLauncher
	file     *source.File
	def      source.Span // where the function is defined
}

// maxSpecLaunches bounds the launches of a specification for one case; DefaultBudget bounds each.
const maxSpecLaunches = 64

// specLauncher launches the kernels of a specification on the interpreter.
type specLauncher struct {
	script.Launcher
	launches int // for one case
}

// Launch implements host.Launcher.
func (l *specLauncher) Launch(of host.Launch) (host.Launched, *host.Failure) {
	if l.launches++; l.launches > maxSpecLaunches {
		problem := broken(fmt.Errorf("spec.py launches kernels more than %d times for one test", maxSpecLaunches))
		return host.Launched{}, &host.Failure{Class: "RuntimeError", List: diag.List{problem}}
	}
	return l.Launcher.Launch(of)
}

// evaluate runs the specification on a case's inputs.
func (j *Judge) evaluate(ctx context.Context, p *prepared) (Array, error) {
	s, err := j.loadSpec()
	if err != nil {
		return Array{}, err
	}
	args, err := s.arguments(p)
	if err != nil {
		return Array{}, err
	}
	value, problem := s.call(ctx, args)
	if problem != nil {
		return Array{}, specError(s.module.Sources(), problem)
	}
	return s.output(value, p.instance.Output)
}

// needs reports whether all wrong elements of a case are others if some elements of an input are.
func (j *Judge) needs(ctx context.Context, p *prepared, c *Case, input int, elements []int) bool {
	changed, in, size := *p, p.inputs[input].clone(), p.inputs[input].DType.Info().Bytes
	other := in.clone()
	other.fill(undefined(in.DType))
	for _, i := range elements {
		copy(in.Data[i*size:(i+1)*size], other.Data[i*size:])
	}
	changed.inputs = slices.Clone(p.inputs)
	changed.inputs[input] = in
	value, err := j.evaluate(ctx, &changed)
	if err != nil {
		return false
	}
	different, _ := wrong(value, p.expected, c.Tolerance)
	return !slices.ContainsFunc(c.Wrong, func(i int) bool {
		_, isDifferent := slices.BinarySearch(different, i)
		return !isDifferent
	})
}

// wrong is a fault of the specification's function.
func (s *spec) wrong(code string, args ...any) error {
	return specError(s.file, diag.New(code, s.def, args...))
}

// call runs the specification. The module is loaded once and serves all cases; the bound on launches is for each.
func (s *spec) call(ctx context.Context, args []host.Value) (host.Value, *diag.Diagnostic) {
	s.launcher.Context, s.launcher.launches = ctx, 0
	return s.module.Call(s.function, args...)
}

// arguments are the inputs in order, and after them what the function's parameters name: sizes,
// blocks, constants, and the output as it begins.
func (s *spec) arguments(p *prepared) ([]host.Value, error) {
	tensors := append(slices.Clone(p.inputs), p.start)
	values := make([]host.Value, len(tensors))
	for i, a := range tensors {
		t, err := s.module.Tensors().FromBytes(a.DType, a.Shape, a.Data)
		if err != nil {
			return nil, err
		}
		values[i] = host.FromTensor(t)
	}
	args, start := values[:len(p.inputs)], values[len(p.inputs)]
	for _, name := range s.params[min(len(args), len(s.params)):] {
		at := slices.IndexFunc(p.instance.Args, func(a puzzles.Scalar) bool { return a.Name == name })
		switch {
		case name == p.instance.Output.Name:
			args = append(args, start)
		case at >= 0:
			args = append(args, host.FromConstant(p.instance.Args[at].Value))
		default:
			return nil, s.wrong("spec-argument", name)
		}
	}
	return args, nil
}

func (s *spec) output(value host.Value, want puzzles.Array) (Array, error) {
	t, ok := host.AsTensor(value)
	if !ok {
		return Array{}, s.wrong("spec-result")
	}
	got := puzzles.Array{Name: want.Name, DType: t.DType(), Shape: t.Shape()}
	if got.DType != want.DType || !slices.Equal(got.Shape, want.Shape) {
		return Array{}, s.wrong("spec-output",
			got.DType.Info().Attr, shapeText(got.Shape), want.DType.Info().Attr, shapeText(want.Shape))
	}
	return Array{got, t.Bytes()}, nil
}

func (j *Judge) loadSpec() (*spec, error) {
	if j.spec != nil {
		return j.spec, nil
	}
	file := source.NewFile(j.puzzle.Slug+"/spec.py", j.puzzle.SpecSource)
	// Expected values are as exact as they can be; a kernel that launches here is not a test of itself.
	launcher := &specLauncher{Launcher: script.Launcher{Anywhere: true,
		Context: context.Background(), Device: launch.Interpreter,
		With: device.Launch{Budget: DefaultBudget, ExactDot: true},
	}}
	module, list := host.Load(file, host.Options{Launcher: launcher, Libraries: j.Libraries})
	for _, d := range list {
		if d.Severity == diag.Error {
			return nil, specError(file, d)
		}
	}
	function, ok := module.Func(j.puzzle.Spec)
	if !ok {
		return nil, fmt.Errorf("spec.py has no function %s", j.puzzle.Spec)
	}
	signature, d := module.Signature(function)
	if d != nil {
		return nil, specError(file, d)
	}
	j.spec = &spec{
		module: module, function: function, launcher: launcher, file: file, def: definition(file, j.puzzle.Spec),
	}
	for _, p := range signature.Params {
		j.spec.params = append(j.spec.params, p.Name)
	}
	return j.spec, nil
}

// specFault is what is wrong with a specification.
type specFault struct {
	file *source.File
	*diag.Diagnostic
}

func specError(files source.Files, d *diag.Diagnostic) error {
	return specFault{files.File(d.Primary.Span), d}
}

func (f specFault) Error() string { return f.In(diag.English) }

// In is the place and the headline.
func (f specFault) In(lang diag.Lang) string {
	line := f.file.Position(f.Primary.Span.Start).Line
	return fmt.Sprintf("%s:%d: %s", f.file.Name, line, f.Diagnostic.In(lang).Headline)
}
