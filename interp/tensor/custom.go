package tensor

import "github.com/newtlab/newt/compiler/num"

// Custom is one call of a function that a script differentiates itself: torch.autograd.Function.
type Custom struct {
	Name    string    // of the graph's node: MyFunctionBackward
	Inputs  []*Tensor // of the forward pass
	Outputs []*Tensor // that a gradient can come from; nil where none can
	Dirty   []*Tensor // the inputs that the forward pass has written to and returns
	// Backward maps the gradients of Outputs, nil where there is none, to those of Inputs.
	Backward func(grads []*Tensor) []*Tensor
	// Release is called once the graph is of no use any more.
	Release func()
}

// Attach hangs a custom function's node on its outputs, and gives the tensors that take their places: an output that
// has a graph already, such as an input that is returned, becomes a view.
func (c *Context) Attach(f Custom) (outputs []*Tensor, err error) {
	defer guard(&err)
	shared := &node{name: f.Name, release: f.Release}
	for _, t := range f.Inputs {
		shared.edges = append(shared.edges, t.edge())
	}
	slots := make([]*Tensor, len(f.Outputs))
	shared.vjp = func(*Tensor) []*Tensor {
		grads := make([]*Tensor, len(slots))
		copy(grads, slots)
		clear(slots)
		return f.checked(f.Backward(grads))
	}
	for i, t := range f.Outputs {
		if t == nil || !t.isFloat() {
			outputs = append(outputs, t)
			continue
		}
		dirty := isAmong(t, f.Dirty)
		if !dirty && t.graphNode() != nil {
			t = t.detach()
		}
		// The node of each output puts its gradient aside, for the function's own to take them all.
		t.node = &node{name: f.Name, edges: []edge{{node: shared, dtype: num.Float32, cuda: t.storage.cuda}},
			vjp: func(g *Tensor) []*Tensor {
				slots[i] = g
				return []*Tensor{c.alloc(num.Float32)}
			}}
		t.requiresGrad = true
		if dirty {
			t.storage.writes++
		}
		outputs = append(outputs, t)
	}
	return outputs, nil
}

func isAmong(t *Tensor, list []*Tensor) bool {
	for _, u := range list {
		if t == u {
			return true
		}
	}
	return false
}

// checked refuses gradients whose shapes do not fit the inputs'.
func (f *Custom) checked(grads []*Tensor) []*Tensor {
	for i, g := range grads {
		if g != nil && !stretches(f.Inputs[i].shape, g.shape) {
			runtimeError("Function %s returned an invalid gradient at index %d - got %s but expected shape "+
				"compatible with %s",
				f.Name, i, shapeText(g.shape), shapeText(f.Inputs[i].shape))
		}
	}
	return grads
}
