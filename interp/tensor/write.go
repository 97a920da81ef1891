package tensor

// checkInPlace refuses in-place writes that torch refuses: to leaves that require a gradient, and to elements that
// share memory.
func (c *Context) checkInPlace(t *Tensor) {
	if c.GradEnabled && t.graphNode() != nil {
		switch {
		case t.base == nil && t.isLeaf():
			runtimeError("a leaf Variable that requires grad is being used in an in-place operation.")
		case t.base != nil && t.base.isLeaf():
			runtimeError("a view of a leaf Variable that requires grad is being used in an in-place operation.")
		}
	}
	// What is written to parts of complex tensors would not be followed.
	base := t
	if t.base != nil {
		base = t.base
	}
	if n := base.node; c.GradEnabled && n != nil && (t.IsComplex() || n.name == "ViewAsRealBackward0") {
		lack("NotImplementedError", "writing to complex tensors that require a gradient")
	}
	for i, d := range t.shape {
		if d > 1 && t.strides[i] == 0 {
			runtimeError("unsupported operation: more than one element of the written-to tensor refers to a single " +
				"memory location. Please clone() the tensor before performing the operation.")
		}
	}
}

// writeInPlace writes value, of a shape that broadcasts to t's, over t's elements and gives t the graph of value; it
// returns t. The caller has called checkInPlace.
func (c *Context) writeInPlace(t, value *Tensor) *Tensor {
	if category(value.dtype) > category(t.dtype) {
		runtimeError("result type %s can't be cast to the desired output type %s", legacyNames[value.dtype],
			legacyNames[t.dtype])
	}
	t.checkHolds(value.shape)
	c.copyInto(t, value)
	return t
}

// checkHolds refuses a value of a shape that does not broadcast to t's, as torch does.
func (t *Tensor) checkHolds(shape []int) {
	if both := broadcastShapes(t.shape, shape); !equalShapes(both, t.shape) {
		runtimeError("output with shape %s doesn't match the broadcast shape %s", shapeText(t.shape), shapeText(both))
	}
}

// copyInto is replace without the rule against changing category, as index assignment and
// copy_ convert.
func (c *Context) copyInto(t, value *Tensor) {
	if c.GradEnabled && t.IsComplex() && value.needsGrad() {
		lack("NotImplementedError", "writing what requires a gradient to complex tensors")
	}
	t.copyFrom(value)
	t.storage.writes++ // nodes that saved this storage refuse backward from now on
	if !c.GradEnabled || !t.isFloat() || (t.graphNode() == nil && value.graphNode() == nil) {
		return
	}
	if t.base == nil {
		// The old value has no part in the gradient any more. If value was made for this write alone, as for x.add_(y),
		// its own node serves.
		t.node = &node{name: backwardName("copy"), edges: []edge{value.edge()},
			vjp: func(g *Tensor) []*Tensor { return []*Tensor{g} }}
		if value.node != nil && value.node.leaf == nil && equalShapes(value.shape, t.shape) && value.dtype == t.dtype {
			t.node = value.node
		}
		t.requiresGrad = value.graphNode() != nil
		t.version++
		return
	}
	c.copyIntoView(t, value)
}

// copyIntoView gives t's base a node that takes the written places from value and the others
// from what was there.
func (c *Context) copyIntoView(t, value *Tensor) {
	base, within := t.base, *t.inBase
	shape := base.shape
	base.node = &node{name: "CopySlices", edges: []edge{base.edge(), value.edge()}, vjp: func(g *Tensor) []*Tensor {
		// What was written gets its part of the gradient, and what it replaced gets none.
		kept := clone(c, g)
		part := kept.asStrided(within)
		written := clone(c, part)
		part.fill(0.0)
		return []*Tensor{reshape(c, kept, shape), written}
	}}
	base.requiresGrad = true
	base.version++ // the base's other views make their nodes anew (graphNode)
}
