package tensor

// mayWrite refuses in-place writes that would break the graph.
func (c *Context) mayWrite(t *Tensor) {
	if c.GradEnabled && t.graphNode() != nil {
		switch {
		case t.base == nil && t.isLeaf():
			runtimeError("a leaf Variable that requires grad is being used in an in-place operation.")
		case t.base != nil && t.base.isLeaf():
			runtimeError("a view of a leaf Variable that requires grad is being used in an in-place operation.")
		}
	}
	for i, d := range t.shape {
		if d > 1 && t.strides[i] == 0 {
			runtimeError("unsupported operation: more than one element of the written-to tensor refers to a single memory location. Please clone() the tensor before performing the operation.")
		}
	}
}

// replace writes value, of a shape that broadcasts to t's, over t's elements and carries the
// graph along; it returns t. The caller has asked mayWrite.
func (c *Context) replace(t, value *Tensor) *Tensor {
	if category(value.dtype) > category(t.dtype) {
		runtimeError("result type %s can't be cast to the desired output type %s", legacyNames[value.dtype], legacyNames[t.dtype])
	}
	if !equalShapes(value.shape, broadcastShapes(value.shape, t.shape)) && len(value.shape) > len(t.shape) {
		runtimeError("output with shape %s doesn't match the broadcast shape %s", shapeText(t.shape), shapeText(value.shape))
	}
	c.overwrite(t, value)
	return t
}

// overwrite is replace without the rule against changing category, as index assignment and
// copy_ convert.
func (c *Context) overwrite(t, value *Tensor) {
	t.copyFrom(value)
	t.storage.writes++
	if !c.GradEnabled || !t.isFloat() || (t.graphNode() == nil && value.graphNode() == nil) {
		return
	}
	if t.base == nil {
		t.node = &node{name: backwardName("copy"), edges: []edge{value.edge()}, vjp: func(g *Tensor) []*Tensor { return []*Tensor{g} }}
		if value.node != nil && value.node.leaf == nil && equalShapes(value.shape, t.shape) && value.dtype == t.dtype {
			t.node = value.node
		}
		t.requiresGrad = value.graphNode() != nil
		t.version++
		return
	}
	c.overwriteView(t, value)
}

// overwriteView gives t's base a node that takes the written places from value and the others
// from what was there.
func (c *Context) overwriteView(t, value *Tensor) {
	base, within := t.base, *t.within
	shape := base.shape
	base.node = &node{name: "CopySlices", edges: []edge{base.edge(), value.edge()}, vjp: func(g *Tensor) []*Tensor {
		kept := c.clone(g)
		part := kept.over(within)
		written := c.clone(part)
		part.fill(0.0)
		return []*Tensor{c.reshape(kept, shape), written}
	}}
	base.requiresGrad = true
	base.version++
}
