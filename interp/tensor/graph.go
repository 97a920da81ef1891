package tensor

import (
	"strings"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/interp/device"
)

// node is one operation of the graph that backward walks.
type node struct {
	name  string // as grad_fn shows it: MulBackward0
	edges []edge // one an input
	vjp   func(g *Tensor) []*Tensor
	leaf  *Tensor // for accumulators: the tensor whose grad collects
	owner *Tensor // the result, kept only where its gradient is retained
	saved []saved
	hooks []*hook

	release func() // frees what a custom function has saved
	freed   bool   // a walk of backward has used up what the gradient is computed from
}

// saved is a value that a gradient is computed from, as it was when the operation ran.
type saved struct {
	t      *Tensor
	writes int
}

// save notes which values the gradient of out's node is computed from.
func (out *Tensor) save(values ...*Tensor) {
	if out.node == nil {
		return
	}
	for _, t := range values {
		out.node.saved = append(out.node.saved, saved{t, t.storage.writes})
	}
}

// saves says which values a derivative is computed from.
type saves uint8

const (
	savesInput saves = 1 << iota
	savesOther       // the second input
	savesOutput
)

// saveFor notes the values of an operation that its derivative is computed from.
func (out *Tensor) saveFor(s saves, input, other *Tensor) {
	for i, t := range [...]*Tensor{input, other, out} {
		if s>>i&1 != 0 {
			out.save(t)
		}
	}
}

// valuesFor are an operation's tensors as its gradient sees them: those that it does not need the values of are zeros
// of their shapes, so that the graph does not keep the memory of the others.
func (out *Tensor) valuesFor(s saves, input, other *Tensor) (x, y, result *Tensor) {
	list := [...]*Tensor{input, other, out}
	if !input.needsGrad() && (other == nil || !other.needsGrad()) {
		return input, other, out
	}
	for i, t := range list {
		if t != nil && s>>i&1 == 0 {
			bare := &Storage{Storage: *device.NewStorage(8), cuda: t.storage.cuda, of: t.storage.of}
			list[i] = &Tensor{layout: layout{t.shape, make([]int, len(t.shape)), 0}, storage: bare, dtype: t.dtype}
		}
	}
	return list[0], list[1], list[2]
}

// checkSaved refuses a gradient whose values have been overwritten since.
func (n *node) checkSaved() {
	if n.freed {
		runtimeError("Trying to backward through the graph a second time (or directly access saved tensors after " +
			"they have already been freed). Saved intermediate values of the graph are freed when you call " +
			".backward() or autograd.grad(). Specify retain_graph=True if you need to backward through the graph a " +
			"second time or if you need to access saved tensors after calling backward.")
	}
	for _, s := range n.saved {
		if s.t.storage.writes != s.writes {
			runtimeError("one of the variables needed for gradient computation has been modified by an inplace "+
				"operation: [torch.%sTensor %s], which %s needs",
				legacyNames[s.t.dtype], shapeText(s.t.shape), n.name)
		}
	}
}

// free gives up what the node has saved.
func (n *node) free() {
	if n.freed = n.release != nil || len(n.saved) > 0; n.freed {
		n.saved, n.vjp = nil, nil // vjp holds the values, too
	}
	if n.release != nil {
		n.release()
	}
}

// needsGrad reports whether the graph of t goes on to some leaf.
func (t *Tensor) needsGrad() bool { return t.graphNode() != nil }

// requiresGradient is requires_grad: that of its base for a view, even one made where gradients are off, though none
// reaches the base through such a view.
func (t *Tensor) requiresGradient() bool {
	return t.needsGrad() || t.base != nil && t.isFloat() && t.base.needsGrad()
}

// edge leads to where an input's gradient goes; node is nil where none is wanted.
type edge struct {
	node  *node
	shape []int
	dtype num.DType
	cuda  bool
}

// graphNode is the node that t's gradient goes to, made afresh where t is a view whose base has
// been written to since, and nil where t needs no gradient.
func (t *Tensor) graphNode() *node {
	if t.base != nil && t.version != t.base.version {
		t.version = t.base.version
		t.requiresGrad = t.base.requiresGrad
		if t.requiresGrad {
			// Somebody wrote to the base, or to another view of it: what t holds is now a part of the base's new value.
			base, within := t.base, *t.inBase
			t.node = &node{name: "AsStridedBackward0", edges: []edge{base.edge()},
				vjp: viewGradient(base.storage.of, base.shape, within)}
		}
	}
	if t.requiresGrad && t.node == nil {
		t.node = &node{name: "torch::autograd::AccumulateGrad", leaf: t}
	}
	if !t.requiresGrad {
		return nil
	}
	return t.node
}

func (t *Tensor) edge() edge { return edge{t.graphNode(), t.shape, t.dtype, t.storage.cuda} }

func (t *Tensor) isLeaf() bool { n := t.graphNode(); return n == nil || n.leaf != nil }

// record hangs a node on out if gradients are on and an input wants one. vjp maps the gradient of
// out to the gradients of the inputs, nil for none; they may still have a broadcast shape.
func (c *Context) record(out *Tensor, name string, inputs []*Tensor, vjp func(g *Tensor) []*Tensor) *Tensor {
	if !c.GradEnabled || !out.differentiable() {
		return out
	}
	edges, wanted := make([]edge, len(inputs)), false
	for i, t := range inputs {
		edges[i] = t.edge()
		wanted = wanted || edges[i].node != nil
	}
	if wanted {
		out.requiresGrad = true
		out.node = &node{name: backwardName(name), edges: edges, vjp: vjp}
	}
	return out
}

// backwardName is torch's name for the gradient of an operation: index_select → IndexSelectBackward0.
func backwardName(op string) string {
	if name, ok := gradNames[op]; ok {
		return name
	}
	var b strings.Builder
	for _, part := range strings.Split(op, "_") {
		if part != "" {
			b.WriteString(strings.ToUpper(part[:1]) + part[1:])
		}
	}
	return b.String() + "Backward0"
}

// gradNames are the names that do not follow from the operation's.
var gradNames = map[string]string{
	"copy": "CopyBackwards", "slices": "CopySlices", "reshape": "ViewBackward0", "T": "PermuteBackward0",
	"to": "ToCopyBackward0", "square": "PowBackward0",
}

// Backward accumulates into the leaves the gradient of t, weighed by seed; a nil seed is 1 and
// needs a t of one element.
func (c *Context) Backward(t, seed *Tensor) (err error) {
	defer guard(&err)
	c.backward(t, seed, nil, false)
	return nil
}

// backward walks the graph from t. Where wanted has nodes, their gradients are returned in it
// instead of being accumulated. Nodes that have saved values are of no further use, unless the graph is to be kept.
func (c *Context) backward(t, seed *Tensor, wanted map[*node]*Tensor, keep bool) {
	defer c.placeOn(t.storage.cuda)()
	root := t.graphNode()
	if root == nil {
		runtimeError("element 0 of tensors does not require grad and does not have a grad_fn")
	}
	switch {
	case seed == nil && t.numel() != 1:
		runtimeError("grad can be implicitly created only for scalar outputs")
	case seed == nil:
		if t.IsComplex() {
			runtimeError("grad can be implicitly created only for real scalar outputs but got torch.%s",
				TorchName(t.dtype))
		}
		seed = c.alloc(t.dtype, t.shape...)
		seed.fill(1.0)
	case !equalShapes(seed.shape, t.shape):
		runtimeError("Mismatch in shape: grad_output[0] has a shape of %s and output[0] has a shape of %s.",
			sizeText(seed.shape), sizeText(t.shape))
	}
	// Gradients are computed with the operations of this package, which must not extend the graph that is walked.
	enabled := c.GradEnabled
	c.GradEnabled = false
	defer func() { c.GradEnabled = enabled }()
	b := backprop{c, map[*node]*Tensor{root: seed}, wanted, keep}
	for _, n := range topological(root) {
		if g := b.grads[n]; g != nil {
			delete(b.grads, n) // complete: every node that adds to it came before
			b.visit(n, g)
		}
	}
}

// backprop is one walk of backward.
type backprop struct {
	c      *Context
	grads  map[*node]*Tensor // what the nodes so far have added up, by node
	wanted map[*node]*Tensor // nil: gradients are accumulated in leaves
	keep   bool              // the graph is walked again later
}

// visit hands the gradient g of node n on to its inputs: the vector-Jacobian product.
func (b *backprop) visit(n *node, g *Tensor) {
	defer b.c.placeOn(g.storage.cuda)()
	for _, h := range n.hooks {
		if changed := h.call(g); changed != nil {
			g = changed
		}
	}
	if _, ok := b.wanted[n]; ok {
		b.wanted[n] = g
	} else if n.leaf != nil && b.wanted == nil {
		b.accumulate(n.leaf, g)
	}
	if n.owner != nil && n.owner.retainsGrad && b.wanted == nil {
		b.accumulate(n.owner, g)
	}
	n.checkSaved()
	if n.vjp == nil {
		return
	}
	if !b.keep {
		defer n.free()
	}
	for i, gi := range n.vjp(g) {
		e := n.edges[i]
		if gi == nil || e.node == nil {
			continue
		}
		gi = b.fit(gi, e)
		if sum := b.grads[e.node]; sum != nil {
			gi = add(b.c, sum, gi)
		}
		b.grads[e.node] = gi
	}
}

// accumulate adds g to t.grad, as each call of backward does until the gradient is set to None.
func (b *backprop) accumulate(t, g *Tensor) {
	if t.grad != nil {
		g = add(b.c, t.grad, g)
	} else {
		g = clone(b.c, g)
	}
	t.grad = g
}

// fit undoes broadcasting and conversion: it sums g to the input's shape, in the input's dtype and on its device.
func (b *backprop) fit(g *Tensor, e edge) *Tensor {
	if !equalShapes(g.shape, e.shape) {
		// Dimensions that broadcasting added, or stretched from 1: each element of the input was used in all of them.
		var dims []int
		lead := len(g.shape) - len(e.shape)
		for i := range g.shape {
			if i < lead || e.shape[i-lead] == 1 && g.shape[i] != 1 {
				dims = append(dims, i)
			}
		}
		g = reshape(b.c, reduceSum(b.c, g, dims, true), e.shape)
	}
	return toDevice(b.c, g, e.cuda, e.dtype)
}

// topological lists the nodes that root depends on, each before its inputs.
func topological(root *node) []*node {
	var order []*node
	seen := map[*node]bool{root: true}
	type frame struct {
		n    *node
		next int
	}
	stack := []frame{{root, 0}}
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		if top.next == len(top.n.edges) {
			order = append(order, top.n)
			stack = stack[:len(stack)-1]
			continue
		}
		e := top.n.edges[top.next].node
		top.next++
		if e != nil && !seen[e] {
			seen[e] = true
			stack = append(stack, frame{e, 0})
		}
	}
	// Reversed post-order: every node comes before those that it depends on.
	for i, j := 0, len(order)-1; i < j; i, j = i+1, j-1 {
		order[i], order[j] = order[j], order[i]
	}
	return order
}
