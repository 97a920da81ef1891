package tensor

import (
	"slices"

	"github.com/newtlab/newt/compiler/num"
)

// reshaping maps one layout to another over the same storage; it reports false if no strides
// can express it.
type reshaping func(g layout) (layout, bool)

// always wraps a mapping that every layout allows.
func always(f func(g layout) layout) reshaping {
	return func(g layout) (layout, bool) { return f(g), true }
}

// recordView makes the view of t that f describes, with its place in t's base and its gradient.
func recordView(c *Context, t *Tensor, name string, f reshaping) *Tensor {
	g, ok := f(t.layout)
	if !ok {
		runtimeError("view size is not compatible with input tensor's size and stride (at least one dimension " +
			"spans across two contiguous subspaces). Use .reshape(...) instead.")
	}
	out := t.asStrided(g)
	// The gradient of t is contiguous, whatever t is: the view is taken of that, too.
	rel, _ := f(contiguous(t.shape))
	c.record(out, name, []*Tensor{t}, viewGradient(c, t.shape, rel))
	if !t.isFloat() {
		return out
	}
	within := &rel
	out.base = t
	if t.base != nil {
		// A view of a view is one of the base. graphNode brings t's node up to date first.
		t.graphNode()
		out.base = t.base
		// Strides may allow the view of t but not of a contiguous base: then writes to it are not tracked.
		if placed, ok := f(*t.inBase); ok {
			within = &placed
		} else {
			within = nil
		}
	}
	if within == nil {
		out.base = nil
		return out
	}
	out.inBase, out.version = within, out.base.version
	return out
}

// viewGradient is the gradient of a view whose window is rel on a contiguous tensor of shape:
// each place of the tensor gets the sum over the view's elements that lie there. Where the view has each place once, it
// is a view of g, as torch's is: that of an expanded gradient has strides of 0, too.
func viewGradient(c *Context, shape []int, rel layout) func(g *Tensor) []*Tensor {
	return func(g *Tensor) []*Tensor {
		c.poll() // g may be the sum of another view, which has no context to ask
		if back, ok := viewBack(shape, rel, g.layout); ok {
			return []*Tensor{g.asStrided(back)}
		}
		if g.IsComplex() {
			parts := realView(&Tensor{layout: rel, dtype: g.dtype}).layout
			sums := viewGradient(c, append(slices.Clone(shape), 2), parts)(realView(g))
			return []*Tensor{complexView(sums[0])}
		}
		out := contiguous(shape)
		sum := &Tensor{layout: out, storage: newStorage(out.numel() * g.dtype.Info().Bytes), dtype: g.dtype}
		sum.storage.cuda = g.storage.cuda
		if !rel.overlaps() {
			sum.asStrided(rel).copyBytes(g)
			return []*Tensor{sum}
		}
		sums, values := make([]float64, out.numel()), g.Floats()
		eachElement(g.storage.of, rel, func(i, at int) { sums[at] += values[i] })
		sum.setFloats(sums)
		return []*Tensor{sum}
	}
}

// overlaps reports whether two elements may lie at one place: whether a dimension steps less far than those of smaller
// strides reach.
func (g layout) overlaps() bool {
	g = g.inMemoryOrder()
	reach := 0
	for d, n := range slices.Backward(g.shape) {
		if n > 1 && g.strides[d] <= reach {
			return true
		}
		reach += (n - 1) * g.strides[d]
	}
	return false
}

// viewBack is the layout of shape whose view at rel is g. Not ok where the view leaves out places or repeats some, or
// where no strides can express it.
func viewBack(shape []int, rel, g layout) (layout, bool) {
	if rel.numel() != contiguous(shape).numel() || rel.numel() == 0 {
		return layout{}, false
	}
	// Sorted by the strides of rel, the dimensions of g are those of a contiguous tensor: then it is viewed as shape.
	order := make([]int, 0, len(rel.shape))
	for d, n := range rel.shape {
		if n > 1 {
			order = append(order, d)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return rel.strides[b] - rel.strides[a] })
	sorted, places := layout{offset: g.offset}, layout{}
	for _, d := range order {
		sorted.shape, sorted.strides = append(sorted.shape, g.shape[d]), append(sorted.strides, g.strides[d])
		places.shape, places.strides = append(places.shape, rel.shape[d]), append(places.strides, rel.strides[d])
	}
	if !places.isContiguous() {
		return layout{}, false
	}
	return viewAs(shape)(sorted)
}

// axis wraps a dimension counted from the end, for a tensor of n dimensions.
func axis(d, n int) int {
	limit := max(n, 1)
	if d < -limit || d >= limit {
		indexError("Dimension out of range (expected to be in range of [%d, %d], but got %d)", -limit, limit-1, d)
	}
	if d < 0 {
		d += limit
	}
	return d
}

// size is the size of dimension d, which may count from the last, of a tensor that has dimensions.
func (t *Tensor) size(d int) int {
	if len(t.shape) == 0 {
		indexError("Dimension specified as %d but tensor has no dimensions", d)
	}
	return t.shape[axis(d, len(t.shape))]
}

// needDims refuses tensors of another number of dimensions.
func needDims(name string, t *Tensor, n int) {
	if len(t.shape) != n {
		runtimeError("%s: expected a %d-dimensional tensor, but got one of size: %s", name, n, shapeText(t.shape))
	}
}

// needPositive refuses sizes, strides and factors below 1.
func needPositive(what string, values ...int) {
	for _, v := range values {
		if v < 1 {
			runtimeError("%s should be greater than zero, but got %d", what, v)
		}
	}
}

// axes wraps dimensions and refuses repeated ones.
func axes(dims []int, n int) []int {
	out := make([]int, len(dims))
	for i, d := range dims {
		out[i] = axis(d, n)
		if slices.Contains(out[:i], out[i]) {
			runtimeError("dim %d appears multiple times in the list of dims", out[i])
		}
	}
	return out
}

// inferShape replaces a -1 in shape so that it has n elements.
func inferShape(shape []int, n int) []int {
	out, known, free := slices.Clone(shape), 1, -1
	for i, d := range shape {
		switch {
		case d == -1 && free >= 0:
			runtimeError("only one dimension can be inferred")
		case d == -1:
			free = i
		case d < 0:
			runtimeError("invalid shape dimension %d", d)
		case d > 0 && known > 1<<40/d:
			runtimeError("shape '%s' is invalid for input of size %d", shapeText(shape), n)
		default:
			known *= d
		}
	}
	if free >= 0 {
		if known == 0 || n%known != 0 {
			runtimeError("shape '%s' is invalid for input of size %d", shapeText(shape), n)
		}
		out[free] = n / known
		known = n
	}
	if known != n {
		runtimeError("shape '%s' is invalid for input of size %d", shapeText(shape), n)
	}
	return out
}

// viewAs lays the elements out in another shape, if strides allow it.
func viewAs(shape []int) reshaping {
	return func(g layout) (layout, bool) {
		if g.isContiguous() {
			out := contiguous(shape)
			out.offset = g.offset
			return out, true
		}
		strides := make([]int, len(shape))
		v := len(shape) - 1
		for i := len(g.shape) - 1; i >= 0; {
			// A block of dimensions that lie in memory as one.
			block, base := g.shape[i], g.strides[i]
			for i--; i >= 0 && (g.shape[i] == 1 || g.strides[i] == block*base); i-- {
				block *= g.shape[i]
			}
			room := 1
			for v >= 0 && (room < block || shape[v] == 1) {
				strides[v] = room * base
				room *= shape[v]
				v--
			}
			if room != block {
				return layout{}, false
			}
		}
		return layout{shape, strides, g.offset}, v < 0
	}
}

func viewShape(c *Context, t *Tensor, shape []int) *Tensor {
	return recordView(c, t, "view", viewAs(inferShape(shape, t.numel())))
}

// reshape is a view if strides allow it, else a copy.
func reshape(c *Context, t *Tensor, shape []int) *Tensor {
	shape = inferShape(shape, t.numel())
	name := "view"
	if _, ok := viewAs(shape)(t.layout); !ok {
		t, name = clone(c, t), "unsafe_view"
	}
	return recordView(c, t, name, viewAs(shape))
}

func permute(c *Context, t *Tensor, dims []int) *Tensor {
	if len(dims) != len(t.shape) {
		runtimeError("permute(sparse_coo): number of dimensions in the tensor input does not match the length of "+
			"the desired ordering of dimensions i.e. input.dim() = %d is not equal to len(dims) = %d",
			len(t.shape), len(dims))
	}
	order := make([]int, 0, len(dims))
	for _, d := range dims {
		d = axis(d, len(dims)) // first, since -1 and n-1 are one dimension
		if slices.Contains(order, d) {
			runtimeError("permute(): duplicate dims are not allowed.")
		}
		order = append(order, d)
	}
	return recordView(c, t, "permute", always(func(g layout) layout {
		out := layout{make([]int, len(order)), make([]int, len(order)), g.offset}
		for i, d := range order {
			out.shape[i], out.strides[i] = g.shape[d], g.strides[d]
		}
		return out
	}))
}

func transpose(c *Context, t *Tensor, a, b int) *Tensor {
	a, b = axis(a, len(t.shape)), axis(b, len(t.shape))
	return recordView(c, t, "transpose", always(func(g layout) layout {
		out := layout{slices.Clone(g.shape), slices.Clone(g.strides), g.offset}
		if len(g.shape) > 0 {
			out.shape[a], out.shape[b] = g.shape[b], g.shape[a]
			out.strides[a], out.strides[b] = g.strides[b], g.strides[a]
		}
		return out
	}))
}

// expand stretches dimensions of size 1; -1 keeps a dimension.
func expand(c *Context, t *Tensor, shape []int) *Tensor {
	lead := len(shape) - len(t.shape)
	if lead < 0 {
		runtimeError("expand(%s{%s}, size=%s): the number of sizes provided (%d) must be greater or equal to the "+
			"number of dimensions in the tensor (%d)",
			t.legacyType(), shapeText(t.shape), shapeText(shape), len(shape), len(t.shape))
	}
	shape = slices.Clone(shape)
	n := 1
	for i, d := range slices.Backward(slices.Clone(shape)) { // torch names the last that does not fit
		switch {
		case d == -1 && i >= lead:
			shape[i] = t.shape[i-lead]
		case d < 0:
			runtimeError("The expanded size of the tensor (%d) isn't allowed in a leading, non-existing dimension %d",
				d, i)
		case i >= lead && t.shape[i-lead] != 1 && t.shape[i-lead] != d:
			runtimeError("The expanded size of the tensor (%d) must match the existing size (%d) at non-singleton "+
				"dimension %d.  Target sizes: %s.  Tensor sizes: %s",
				d, t.shape[i-lead], i, shapeText(shape), shapeText(t.shape))
		}
		if n *= max(shape[i], 1); n > c.options.MaxElements {
			limit("a tensor of shape %s has more than %d elements, the most that are allowed here", shapeText(shape),
				c.options.MaxElements)
		}
	}
	return recordView(c, t, "expand", always(func(g layout) layout { return g.expandTo(shape) }))
}

// squeeze drops dimensions of size 1: all of them, or those of dims.
func squeeze(c *Context, t *Tensor, dims []int, all bool) *Tensor {
	dims = axes(dims, len(t.shape))
	drop := func(i int) bool { return t.shape[i] == 1 && (all || slices.Contains(dims, i)) }
	return recordView(c, t, "squeeze", always(func(g layout) layout {
		out := layout{offset: g.offset, shape: []int{}, strides: []int{}}
		for i := range g.shape {
			if !drop(i) {
				out.shape, out.strides = append(out.shape, g.shape[i]), append(out.strides, g.strides[i])
			}
		}
		return out
	}))
}

func unsqueeze(c *Context, t *Tensor, d int) *Tensor {
	d = axis(d, len(t.shape)+1)
	return recordView(c, t, "unsqueeze", always(func(g layout) layout {
		stride := 1 // as if the new dimension went on where the one behind it ends
		if d < len(g.shape) {
			stride = g.shape[d] * g.strides[d]
		}
		return layout{slices.Insert(slices.Clone(g.shape), d, 1), slices.Insert(slices.Clone(g.strides), d, stride),
			g.offset}
	}))
}

// narrow is every step-th element of [start, start+length·step) along dimension d.
func narrow(c *Context, t *Tensor, d, start, length, step int) *Tensor {
	return recordView(c, t, "slice", always(func(g layout) layout {
		out := layout{slices.Clone(g.shape), slices.Clone(g.strides), g.offset + start*g.strides[d]}
		out.shape[d], out.strides[d] = length, g.strides[d]*step
		return out
	}))
}

// selectAt is element i along dimension d, which disappears.
func selectAt(c *Context, t *Tensor, d, i int) *Tensor {
	if len(t.shape) == 0 {
		indexError("invalid index of a 0-dim tensor. Use `tensor.item()` in Python or `tensor.item<T>()` in C++ to " +
			"convert a 0-dim tensor to a number")
	}
	n := t.shape[d]
	if i < -n || i >= n {
		indexError("index %d is out of bounds for dimension %d with size %d", i, d, n)
	}
	if i < 0 {
		i += n
	}
	return recordView(c, t, "select", always(func(g layout) layout {
		return layout{slices.Delete(slices.Clone(g.shape), d, d+1), slices.Delete(slices.Clone(g.strides), d, d+1),
			g.offset + i*g.strides[d]}
	}))
}

func diagonal(c *Context, t *Tensor, offset, a, b int) *Tensor {
	n := len(t.shape)
	a, b = axis(a, n), axis(b, n)
	if n < 2 || a == b {
		runtimeError("diagonal dimensions cannot be identical %d, %d", a, b)
	}
	return recordView(c, t, "diagonal", always(func(g layout) layout {
		out := layout{offset: g.offset + max(offset, 0)*g.strides[b] + max(-offset, 0)*g.strides[a]}
		for i := range g.shape {
			if i != a && i != b {
				out.shape, out.strides = append(out.shape, g.shape[i]), append(out.strides, g.strides[i])
			}
		}
		length := max(min(g.shape[a]-max(-offset, 0), g.shape[b]-max(offset, 0)), 0)
		if length == 0 {
			out.offset = g.offset
		}
		out.shape, out.strides = append(out.shape, length), append(out.strides, g.strides[a]+g.strides[b])
		return out
	}))
}

// flatten merges the dimensions first to last.
func flatten(c *Context, t *Tensor, first, last int) *Tensor {
	n := len(t.shape)
	if n == 0 {
		return reshape(c, t, []int{1})
	}
	first, last = axis(first, n), axis(last, n)
	if first > last {
		runtimeError("flatten() has invalid args: start_dim cannot come after end_dim")
	}
	if first == last {
		return t
	}
	merged := 1
	for _, d := range t.shape[first : last+1] {
		merged *= d
	}
	return reshape(c, t, slices.Concat(t.shape[:first], []int{merged}, t.shape[last+1:]))
}

func reversed(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = n - 1 - i
	}
	return out
}

// unfold slides windows of size elements along dimension d, step apart; they become the last dimension.
func unfold(c *Context, t *Tensor, d, size, step int) *Tensor {
	d = axis(d, len(t.shape))
	if len(t.shape) == 0 || size < 0 || size > t.shape[d] || step <= 0 {
		runtimeError("maximum size for tensor at dimension %d is %d but size is %d",
			d, append(slices.Clone(t.shape), 1)[d], size) // a 0-dim tensor counts as one of size 1
	}
	return recordView(c, t, "unfold", always(func(g layout) layout {
		out := layout{append(slices.Clone(g.shape), size), append(slices.Clone(g.strides), g.strides[d]), g.offset}
		out.shape[d], out.strides[d] = (g.shape[d]-size)/step+1, g.strides[d]*step
		return out
	}))
}

func movedim(c *Context, t *Tensor, from, to []int) *Tensor {
	n := len(t.shape)
	from, to = axes(from, n), axes(to, n)
	if n == 0 {
		return t
	}
	if len(from) != len(to) {
		runtimeError("movedim: Invalid source or destination dims: source (%s) should have the same number of dims "+
			"as destination (%s)",
			shapeText(from), shapeText(to))
	}
	dims := slices.Repeat([]int{-1}, n)
	for i, d := range to {
		dims[d] = from[i]
	}
	rest := 0
	for i, d := range dims {
		if d >= 0 {
			continue
		}
		for slices.Contains(from, rest) {
			rest++
		}
		dims[i] = rest
		rest++
	}
	return permute(c, t, dims)
}

func unbind(c *Context, t *Tensor, d int) []*Tensor {
	d = axis(d, len(t.shape))
	if len(t.shape) == 0 {
		typeError("iteration over a 0-d tensor")
	}
	out := make([]*Tensor, t.shape[d])
	for i := range polled(c, out) {
		out[i] = selectAt(c, t, d, i)
	}
	return out
}

// Unbind lists t's slices along its first dimension, as iterating over it does.
func (c *Context) Unbind(t *Tensor) (parts []*Tensor, err error) {
	defer guard(&err)
	return unbind(c, t, 0), nil
}

// split cuts dimension d into parts of one size, the last perhaps smaller, or of the sizes listed.
func split(c *Context, t *Tensor, sizes any, d int) []*Tensor {
	d = axis(d, len(t.shape))
	if len(t.shape) == 0 {
		runtimeError("split expects at least a 1-dimensional tensor")
	}
	list, ok := takeInts(sizes)
	if !ok {
		typeError("split(): argument 'split_size' must be int or tuple of ints, not %s", pythonType(sizes))
	}
	lengths := list.([]int)
	if _, single := sizes.(int64); single {
		if lengths[0] <= 0 {
			if lengths[0] == 0 {
				runtimeError("split_size can only be 0 if dimension size is 0, but got dimension size of %d",
					t.shape[d])
			}
			runtimeError("split expects split_size be non-negative, but got split_size=%d", lengths[0])
		}
		size := lengths[0]
		lengths = make([]int, 0, (t.shape[d]+size-1)/size)
		for rest := t.shape[d]; rest > 0; rest -= size {
			lengths = append(lengths, min(size, rest))
		}
	}
	parts, start := make([]*Tensor, len(lengths)), 0
	for i, n := range polled(c, lengths) {
		if n < 0 || start+n > t.shape[d] {
			runtimeError("split_with_sizes expects split_sizes to sum exactly to %d (input tensor's size at "+
				"dimension %d), but got split_sizes=%s",
				t.shape[d], d, shapeText(lengths))
		}
		parts[i] = narrow(c, t, d, start, n, 1)
		start += n
	}
	if start != t.shape[d] {
		runtimeError("split_with_sizes expects split_sizes to sum exactly to %d (input tensor's size at dimension "+
			"%d), but got split_sizes=%s",
			t.shape[d], d, shapeText(lengths))
	}
	return parts
}

// viewDType reads the bytes of t as elements of another dtype; where their sizes differ, so does the last dimension.
func (t *Tensor) viewDType(d num.DType) *Tensor {
	from, to := t.dtype.Info().Bytes, d.Info().Bytes
	out := &Tensor{layout: layout{slices.Clone(t.shape), slices.Clone(t.strides), t.offset * from / to},
		storage: t.storage, dtype: d}
	if from == to {
		return out
	}
	last := len(t.shape) - 1
	if last < 0 {
		runtimeError("self.dim() cannot be 0 to view %s as %s (different element sizes)",
			legacyNames[t.dtype], legacyNames[d])
	}
	if t.strides[last] != 1 {
		runtimeError("self.stride(-1) must be 1 to view %s as %s (different element sizes), but got %d",
			legacyNames[t.dtype], legacyNames[d], t.strides[last])
	}
	if from < to && t.shape[last]*from%to != 0 {
		runtimeError("self.size(-1) must be divisible by %d to view %s as %s (different element sizes), but got %d",
			to/from, legacyNames[t.dtype], legacyNames[d], t.shape[last])
	}
	out.shape[last] = t.shape[last] * from / to
	for i := range last {
		if t.strides[i]*from%to != 0 || t.offset*from%to != 0 {
			runtimeError("self.stride(%d) must be divisible by %d to view %s as %s (different element sizes), "+
				"but got %d", i,
				to/from, legacyNames[t.dtype], legacyNames[d], t.strides[i])
		}
		out.strides[i] = t.strides[i] * from / to
	}
	return out
}
