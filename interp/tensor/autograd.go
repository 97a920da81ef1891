package tensor

import "slices"

// gradOps steer reverse-mode differentiation.
var gradOps = []Op{
	{Name: "backward", Where: InMethod, mixes: true,
		Signature: "input: Tensor, gradient: Tensor? = None, retain_graph: bool? = None, create_graph: bool = False",
		run: func(c *Context, a args) any {
			noSecondOrder(a.bool(3))
			c.backward(a.tensor(0), a.tensor(1), nil, a.bool(2))
			return nil
		}},
	{Name: "requires_grad_", Where: InMethod, Signature: "input: Tensor, requires_grad: bool = True",
		run: func(c *Context, a args) any {
			a.tensor(0).requireGrad(a.bool(1))
			return a.tensor(0)
		}},
	{Name: "retain_grad", Where: InMethod, Signature: "input: Tensor", run: func(c *Context, a args) any {
		t := a.tensor(0)
		n := t.graphNode()
		if n == nil {
			runtimeError("can't retain_grad on Tensor that has requires_grad=False")
		}
		if n.leaf == nil {
			t.retainsGrad, n.owner = true, t
		}
		return nil
	}},
	{Name: "detach", Where: everywhere, Signature: "input: Tensor",
		run: func(c *Context, a args) any { return a.tensor(0).detach() }},
	{Name: "detach_", Where: InMethod, Signature: "input: Tensor", run: func(c *Context, a args) any {
		t := a.tensor(0)
		if t.base != nil {
			runtimeError("Can't detach views in-place. Use detach() instead.")
		}
		t.node, t.requiresGrad = nil, false
		return t
	}},
	{Name: "grad", Where: InAutograd,
		Signature: "outputs: any, inputs: any, grad_outputs: any = None, retain_graph: bool? = None, create_graph: bool = False, only_inputs: bool = True, allow_unused: bool = False, materialize_grads: bool = False",
		run: func(c *Context, a args) any {
			noSecondOrder(a.bool(4))
			return gradients(c, listOf(a[0]), listOf(a[1]), a)
		}},
	{Name: "backward", Where: InAutograd,
		Signature: "tensors: any, grad_tensors: any = None, retain_graph: bool? = None, create_graph: bool = False",
		run: func(c *Context, a args) any {
			noSecondOrder(a.bool(3))
			seeds := seedsFor(a[1], len(listOf(a[0])))
			for i, t := range listOf(a[0]) {
				c.backward(t, seeds[i], nil, a.bool(2) || i < len(seeds)-1)
			}
			return nil
		}},
}

func noSecondOrder(on bool) {
	if on {
		lack("NotImplementedError", "create_graph=True (gradients of gradients)")
	}
}

// listOf takes one tensor or a sequence of them.
func listOf(v any) []*Tensor {
	if t, ok := v.(*Tensor); ok {
		return []*Tensor{t}
	}
	list, ok := takeTensors(v)
	if !ok {
		typeError("expected a Tensor or a sequence of Tensors, not %s", pythonType(v))
	}
	return list.([]*Tensor)
}

func seedsFor(v any, n int) []*Tensor {
	if v == nil {
		return make([]*Tensor, n)
	}
	seeds := listOf(v)
	if len(seeds) != n {
		runtimeError("got %d tensors and %d gradients", n, len(seeds))
	}
	return seeds
}

// gradients is torch.autograd.grad: the sums of the outputs' gradients for each input.
func gradients(c *Context, outputs, inputs []*Tensor, a args) any {
	grads := make([]*Tensor, len(inputs))
	weights := seedsFor(a[2], len(outputs))
	for k, out := range outputs {
		wanted := map[*node]*Tensor{}
		for _, t := range inputs {
			n := t.graphNode()
			if n == nil {
				runtimeError("One of the differentiated Tensors does not require grad")
			}
			wanted[n] = nil
		}
		// One walk an output, for all of which but the last the graph must live on; what they bring is summed.
		c.backward(out, weights[k], wanted, a.bool(3) || k < len(outputs)-1)
		for i, t := range inputs {
			switch g := wanted[t.graphNode()]; {
			case g == nil:
			case grads[i] == nil:
				grads[i] = g
			default:
				grads[i] = add(c, grads[i], g)
			}
		}
	}
	list := make([]any, len(grads)) // with None for what was not used
	for i, g := range grads {
		switch {
		case g != nil:
			list[i] = g
		case a.bool(7):
			list[i] = c.alloc(inputs[i].dtype, inputs[i].shape...)
		case !a.bool(6):
			runtimeError("One of the differentiated Tensors appears to not have been used in the graph. " +
				"Set allow_unused=True if this is the desired behavior.")
		}
	}
	if slices.Contains(list, nil) {
		return Several(list)
	}
	return grads
}

// Layout is a torch.layout, by its name.
type Layout string

// Several is a tuple of results, some of them None.
type Several []any

// Attribute is a property of tensors, such as shape; false where torch has none of that name.
func (c *Context) Attribute(t *Tensor, name string) (v any, ok bool, err error) {
	defer guard(&err)
	get, ok := attributes[name]
	if !ok {
		return nil, false, nil
	}
	v = get(c, t)
	if c.Called != nil && name == "grad" {
		c.Called(".grad", []*Tensor{t}, tensorsIn(v))
	}
	return v, true, nil
}

// AttributeNames lists the properties that Attribute knows.
func AttributeNames() []string { return sortedKeys(attributes) }

// attributes are the properties of tensors.
var attributes = map[string]func(c *Context, t *Tensor) any{
	"shape":         func(_ *Context, t *Tensor) any { return Size(t.Shape()) },
	"dtype":         func(_ *Context, t *Tensor) any { return t.dtype },
	"device":        func(_ *Context, t *Tensor) any { return t.Device() },
	"ndim":          func(_ *Context, t *Tensor) any { return int64(len(t.shape)) },
	"itemsize":      func(_ *Context, t *Tensor) any { return int64(t.dtype.Info().Bytes) },
	"nbytes":        func(_ *Context, t *Tensor) any { return int64(t.numel() * t.dtype.Info().Bytes) },
	"is_cuda":       func(_ *Context, t *Tensor) any { return t.storage.cuda },
	"is_leaf":       func(_ *Context, t *Tensor) any { return t.isLeaf() },
	"requires_grad": func(_ *Context, t *Tensor) any { return t.requiresGradient() },
	"data":          func(c *Context, t *Tensor) any { return t.detach() },
	"real":          func(c *Context, t *Tensor) any { return complexPart(c, t, 0) },
	"imag":          func(c *Context, t *Tensor) any { return complexPart(c, t, 1) },
	"layout":        func(_ *Context, _ *Tensor) any { return Layout("torch.strided") },
	"is_cpu":        func(_ *Context, t *Tensor) any { return !t.storage.cuda },
	"is_meta":       func(_ *Context, _ *Tensor) any { return false },
	"retains_grad":  func(_ *Context, t *Tensor) any { return t.retainsGrad },
	"output_nr":     func(_ *Context, _ *Tensor) any { return int64(0) },
	"H":             func(c *Context, t *Tensor) any { return conjugate(c, permute(c, t, reversed(len(t.shape)))) },
	"mH":            func(c *Context, t *Tensor) any { return conjugate(c, transpose(c, t, -1, -2)) },
	"is_sparse":     func(_ *Context, _ *Tensor) any { return false },
	"is_quantized":  func(_ *Context, _ *Tensor) any { return false },
	"T":             func(c *Context, t *Tensor) any { return permute(c, t, reversed(len(t.shape))) },
	"mT":            func(c *Context, t *Tensor) any { return transpose(c, t, -1, -2) },
	"grad": func(_ *Context, t *Tensor) any {
		if t.grad == nil {
			return nil
		}
		return t.grad
	},
	"grad_fn": func(_ *Context, t *Tensor) any {
		if n := t.graphNode(); n != nil && n.leaf == nil {
			return GradFn{n}
		}
		return nil
	},
}

// GradFn is a node of the graph: the operation that a tensor came from.
type GradFn struct{ node *node }

// Name is the operation's, as torch writes it: MulBackward0.
func (f GradFn) Name() string { return f.node.name }

// Inputs are the nodes that f hands gradients on to; false where an input needs none.
func (f GradFn) Inputs() (list []GradFn, wanted []bool) {
	for _, e := range f.node.edges {
		list, wanted = append(list, GradFn{e.node}), append(wanted, e.node != nil)
	}
	return list, wanted
}

// AddHook makes backward call f with the gradient of t, and go on with what it returns if that is not nil. The function
// that AddHook returns takes the hook away.
func (c *Context) AddHook(t *Tensor, f func(g *Tensor) *Tensor) (remove func(), err error) {
	defer guard(&err)
	n := t.graphNode()
	if n == nil {
		runtimeError("cannot register a hook on a tensor that doesn't require gradient")
	}
	h := &hook{f} // its address tells it from a second hook of the same function
	n.hooks = append(n.hooks, h)
	return func() { n.hooks = slices.DeleteFunc(n.hooks, func(o *hook) bool { return o == h }) }, nil
}

// hook sees a gradient on its way, and may change it.
type hook struct{ call func(g *Tensor) *Tensor }

// SetAttribute assigns requires_grad, grad or data; false where torch has no such property to set.
func (c *Context) SetAttribute(t *Tensor, name string, v any) (ok bool, err error) {
	defer guard(&err)
	value, isTensor := v.(*Tensor)
	switch {
	case name == "requires_grad":
		on, isBool := v.(bool)
		if !isBool {
			typeError("requires_grad must be a bool")
		}
		t.requireGrad(on)
	case name == "grad" && v == nil:
		t.grad = nil
	case name == "grad" && isTensor:
		if !equalShapes(value.shape, t.shape) {
			runtimeError("assigned grad has data of a different size")
		}
		t.grad = value
	case name == "data" && isTensor:
		// The node of the graph stays: torch's .data replaces the elements behind autograd's back.
		t.layout, t.storage, t.dtype = value.layout, value.storage, value.dtype
	default:
		return false, nil
	}
	return true, nil
}
