package host

import (
	"maps"
	"slices"

	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/interp/tensor"
)

// autogradLibrary is torch.autograd, whose Function is in Python.
func autogradLibrary(m *machine) map[string]Value {
	members := operationMembers(m, tensor.InAutograd)
	maps.Copy(members, functions(map[string]method{"_attach(name, ctx, backward, inputs, out)": attach,
		"set_grad_enabled(mode)": setGradEnabled, "no_grad": gradSwitch(false), "enable_grad": gradSwitch(true)}))
	return members
}

// attach makes the results of a custom function's forward differentiable: _attach(name, ctx, backward, inputs, out).
func attach(m *machine, a arguments) Value {
	ctx, inputs, out := a.positional[1].(*Instance), m.itemsOf(a.positional[3]), a.positional[4]
	f := &custom{m: m, name: m.strOf(a.positional[0]), ctx: ctx, backward: a.positional[2], inputs: inputs}
	results, several := out.(Tuple)
	if !several {
		results = Tuple{out}
	}
	if !m.tensors.GradEnabled || !f.wanted() {
		return out
	}
	attached, err := m.tensors.Attach(f.describe(results))
	check(err)
	for i, t := range attached {
		if t != nil {
			results[i] = Tensor{t}
		}
	}
	if several {
		return results
	}
	return results[0]
}

// custom is one call of an autograd.Function.
type custom struct {
	m        *machine
	name     string
	ctx      *Instance
	backward Value
	inputs   []Value // all arguments of apply
	outputs  []Value
	places   []int // of the tensors among inputs
}

func (f *custom) wanted() bool {
	return slices.ContainsFunc(f.inputs, func(v Value) bool {
		t, ok := v.(Tensor)
		return ok && t.RequiresGrad()
	})
}

func (f *custom) describe(results Tuple) tensor.Custom {
	f.outputs = slices.Clone(results)
	c := tensor.Custom{Name: f.name, Backward: f.gradients}
	for i, v := range f.inputs {
		if t, ok := v.(Tensor); ok {
			f.places = append(f.places, i)
			c.Inputs = append(c.Inputs, t.Tensor)
		}
	}
	constant := f.noted("_constant")
	for _, v := range results {
		t, ok := v.(Tensor)
		if !ok || slices.Contains(constant, t.Tensor) {
			c.Outputs = append(c.Outputs, nil)
			continue
		}
		c.Outputs = append(c.Outputs, t.Tensor)
	}
	c.Dirty = f.noted("_dirty")
	c.Release = func() {
		f.ctx.attrs.put("_saved", Tuple{})
		f.ctx.attrs.put("_freed", python.Bool(true))
	}
	return c
}

// noted lists the tensors that forward has passed to one of the context's mark_… methods.
func (f *custom) noted(name string) (list []*tensor.Tensor) {
	for _, v := range f.m.itemsOf(f.ctx.attrs.at(name)) {
		if t, ok := v.(Tensor); ok {
			list = append(list, t.Tensor)
		}
	}
	return list
}

// gradients calls backward with a gradient for each output: zeros where none came, unless the context wants None.
func (f *custom) gradients(grads []*tensor.Tensor) []*tensor.Tensor {
	m := f.m
	args := []Value{f.ctx}
	for i, g := range grads {
		out, isTensor := f.outputs[i].(Tensor)
		switch {
		case g != nil:
			args = append(args, Tensor{g})
		case isTensor && m.truthOf(f.ctx.attrs.at("_materialize")):
			args = append(args, m.callTorch("zeros_like", out))
		default:
			args = append(args, none)
		}
	}
	result := m.callValue(f.backward, arguments{positional: args})
	list, ok := result.(Tuple)
	if !ok {
		list = Tuple{result}
	}
	if n := len(f.inputs); len(list) < n || slices.ContainsFunc(list[n:], func(v Value) bool { return v != none }) {
		raise("RuntimeError", "function %s returned an incorrect number of gradients (expected %d, got %d)", f.name, n,
			len(list))
	}
	out := make([]*tensor.Tensor, len(f.places))
	for k, i := range f.places {
		switch g := list[i].(type) {
		case Tensor:
			out[k] = g.Tensor
		case python.None:
		default:
			raise("TypeError", "expected Variable or None (got %s)", g.Type())
		}
	}
	return out
}

// parameterData is the first argument of Parameter or Buffer: no elements without one.
func parameterData(m *machine, a arguments) (Tensor, bool) {
	if a.positional[0] == nil {
		return m.callTorch("empty", intValue(0)).(Tensor), true
	}
	t, ok := a.positional[0].(Tensor)
	return t, ok
}

// makeBuffer is torch.nn.Buffer(data): a tensor that a module keeps beside its parameters.
func makeBuffer(m *machine, a arguments) Value {
	data, ok := parameterData(m, a)
	if !ok {
		raise("TypeError", "Buffer(): argument 'data' must be Tensor, not %s", a.positional[0].Type())
	}
	t := m.tensorMethod(data, "detach").(Tensor)
	t.Buffer = true
	return t
}

// makeParameter is torch.nn.Parameter(data, requires_grad): a tensor of data's storage that modules know as theirs.
func makeParameter(m *machine, a arguments) Value {
	data, ok := parameterData(m, a)
	if !ok {
		raise("TypeError", "Parameter(): argument 'data' must be Tensor, not %s", a.positional[0].Type())
	}
	t := m.tensorMethod(data, "detach").(Tensor)
	t.Parameter = true
	if m.truthOf(a.positional[1]) {
		if !t.DType().Info().Float {
			raise("RuntimeError", "Only Tensors of floating point and complex dtype can require gradients")
		}
		m.tensorMethod(t, "requires_grad_")
	}
	return t
}
