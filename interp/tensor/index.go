package tensor

import (
	"slices"

	"github.com/newtlab/newt/compiler/num"
)

// Slice is start:stop:step in an index; nil where left out.
type Slice struct{ Start, Stop, Step *int }

// Ellipsis is ... in an index.
type Ellipsis struct{}

// Index is t[index]. The items are nil (None), bool, int64, Slice, Ellipsis, *Tensor, or []any for
// a nested list; one item stands for itself.
func (c *Context) Index(t *Tensor, items []any) (out *Tensor, err error) {
	defer guard(&err)
	defer c.placeOn(t.storage.cuda)()
	out = getItem(c, t, items)
	if c.Called != nil {
		c.Called("__getitem__", append(tensorsIn(items), t), []*Tensor{out})
	}
	return out, nil
}

// SetIndex is t[index] = value, where value is a *Tensor or a Python number.
func (c *Context) SetIndex(t *Tensor, items []any, value any) (err error) {
	defer guard(&err)
	defer c.placeOn(t.storage.cuda)()
	setItem(c, t, items, value)
	if c.Called != nil {
		c.Called("__setitem__", append(tensorsIn(items), append(tensorsIn(value), t)...), []*Tensor{t})
	}
	return nil
}

// selection is an index taken apart: a view by the basic items, and index tensors for some of its
// dimensions (nil elsewhere).
type selection struct {
	c       *Context
	view    *Tensor
	tensors []*Tensor
	indexed bool
}

func getItem(c *Context, t *Tensor, items []any) *Tensor {
	s := newSelection(c, t, items)
	if !s.indexed {
		return s.view
	}
	shape, places := s.flatPositions()
	return takeAt(c, s.view, places, shape, "index")
}

func setItem(c *Context, t *Tensor, items []any, value any) {
	c.checkInPlace(t)
	s := newSelection(c, t, items)
	v := tensorValue(c, value, t.dtype)
	if !s.indexed {
		assignBroadcast(c, s.view, v)
		return
	}
	shape, places := s.flatPositions()
	if !stretches(v.shape, shape) {
		runtimeError("shape mismatch: value tensor of shape %s cannot be broadcast to indexing result of shape %s",
			shapeText(v.shape), shapeText(shape))
	}
	stretch := always(func(g layout) layout { return g.expandTo(shape) })
	v = recordView(c, dropLeading(c, v, len(shape)), "expand", stretch)
	c.copyInto(s.view, putAt(c, s.view, places, v, false))
}

// assignBroadcast writes v, broadcast, to the view.
func assignBroadcast(c *Context, view, v *Tensor) {
	v = dropLeading(c, v, len(view.shape))
	if !stretches(v.shape, view.shape) {
		expand(c, v, view.shape) // which refuses
	}
	c.copyInto(view, v)
}

// dropLeading removes dimensions of size 1 in front, down to n dimensions.
func dropLeading(c *Context, v *Tensor, n int) *Tensor {
	for len(v.shape) > n && v.shape[0] == 1 {
		v = squeeze(c, v, []int{0}, false)
	}
	return v
}

// tensorValue makes what is assigned a tensor.
func tensorValue(c *Context, value any, d num.DType) *Tensor {
	switch v := value.(type) {
	case *Tensor:
		return v
	case bool, int64, float64:
		return full(c, nil, v, d)
	case complex128:
		if !isComplex(d) {
			runtimeError("value cannot be converted to type %s without overflow", nativeNames[d])
		}
		t := c128(v)
		t.storage.cuda = c.cuda
		return toDType(c, t, d)
	}
	typeError("can't assign a %s to a torch.%sTensor", pythonType(value), legacyNames[d])
	return nil
}

// consumes is how many dimensions an index item uses up.
func consumes(item any) int {
	switch v := item.(type) {
	case nil, bool, Ellipsis:
		return 0
	case *Tensor:
		if v.dtype == num.Int1 {
			return len(v.shape)
		}
	}
	return 1
}

// newSelection applies the basic items as views and gathers the index tensors.
func newSelection(c *Context, t *Tensor, items []any) *selection {
	used, ellipses := 0, 0
	for i, item := range items {
		// A list is an index tensor.
		if list, ok := item.([]any); ok {
			d := any(nil)
			if len(list) == 0 {
				d = num.Int64
			}
			items[i] = tensorFrom(c, list, d)
		}
		if _, ok := item.(Ellipsis); ok {
			ellipses++
		}
		used += consumes(items[i])
	}
	switch {
	case used > len(t.shape):
		indexError("too many indices for tensor of dimension %d", len(t.shape))
	case ellipses > 1:
		indexError("an index can only have a single ellipsis ('...')")
	}
	s := &selection{c: c, view: t}
	d, rest := 0, len(t.shape)-used
	for i, item := range items {
		if v, isInt := item.(int64); isInt && d < len(s.view.shape) {
			// selectAt would name the dimension of what the items before have left.
			if n := int64(s.view.shape[d]); v < -n || v >= n {
				indexError("index %d is out of bounds for dimension %d with size %d", v, i, n)
			}
		}
		d = s.addItem(item, d, rest)
	}
	s.skipTo(len(s.view.shape))
	return s
}

// skipTo says that dimensions before d that have no index tensor yet get none.
func (s *selection) skipTo(d int) {
	for len(s.tensors) < d {
		s.tensors = append(s.tensors, nil)
	}
}

// addIndex indexes dimension d with a tensor of integers.
func (s *selection) addIndex(d int, t *Tensor) {
	s.skipTo(d)
	s.tensors, s.indexed = append(s.tensors, t), true
}

// addItem applies one item at dimension d of the view so far, and gives the next dimension. An ellipsis takes rest of
// them.
func (s *selection) addItem(item any, d, rest int) int {
	c := s.c
	switch v := item.(type) {
	case nil:
		s.view = unsqueeze(c, s.view, d)
	case bool:
		s.view = unsqueeze(c, s.view, d)
		mask := c.alloc(num.Int1, 1)
		mask.fill(v)
		s.addIndex(d, nonzeroAlong(c, mask)[0])
	case int64:
		s.view = selectAt(c, s.view, d, int(v))
		return d
	case Slice:
		start, length, step := v.resolve(s.view.shape[d])
		if start != 0 || step != 1 || length != s.view.shape[d] {
			s.view = narrow(c, s.view, d, start, length, step)
		}
	case Ellipsis:
		return d + rest
	case *Tensor:
		return s.addTensor(v, d)
	case string:
		typeError("new(): invalid data type 'str'")
	default:
		indexError("only integers, slices (`:`), ellipsis (`...`), "+
			"None and long or byte Variables are valid indices (got %s)",
			pythonType(item))
	}
	return d + 1
}

// addTensor applies an index tensor at dimension d, and gives the next dimension. A mask means the positions at
// which it is true, in as many dimensions as it has; a tensor without dimensions is a number.
func (s *selection) addTensor(v *Tensor, d int) int {
	c := s.c
	if v.storage.cuda && !s.view.storage.cuda {
		runtimeError("indices should be either on cpu or on the same device as the indexed tensor (cpu)")
	}
	switch {
	case v.dtype == num.Int1 || v.dtype == num.Uint8:
		for i, n := range v.shape {
			if n != s.view.shape[d+i] {
				indexError("The shape of the mask %s at index %d does not match the shape of the indexed tensor %s "+
					"at index %d",
					shapeText(v.shape), i, shapeText(s.view.shape), d+i)
			}
		}
		if len(v.shape) == 0 {
			s.view = unsqueeze(c, s.view, d)
			v = reshape(c, v, []int{1})
		}
		for _, t := range nonzeroAlong(c, v) {
			s.addIndex(d, t)
			d++
		}
		return d
	case v.isFloat():
		indexError("tensors used as indices must be long, int, byte or bool tensors")
	case len(v.shape) == 0:
		s.view = selectAt(c, s.view, d, int(v.Ints()[0]))
		return d
	}
	s.addIndex(d, v)
	return d + 1
}

// resolve clips the slice to a dimension of n elements.
func (s Slice) resolve(n int) (start, length, step int) {
	bound := func(p *int, otherwise int) int {
		if p == nil {
			return otherwise
		}
		v := *p
		if v < 0 {
			v += n
		}
		return min(max(v, 0), n)
	}
	step = 1
	if s.Step != nil {
		step = *s.Step
	}
	if step <= 0 {
		valueError("step must be greater than zero")
	}
	start = bound(s.Start, 0)
	stop := bound(s.Stop, n)
	if stop > start {
		length = (stop-start-1)/step + 1
	}
	// A step past the end takes the first element alone, and would overflow a stride.
	return start, length, min(step, max(n, 1))
}

// nonzeroAlong lists where mask is true: one int64 tensor a dimension.
func nonzeroAlong(c *Context, mask *Tensor) []*Tensor {
	out, elements, strides := make([]*Tensor, len(mask.shape)), trueElements(mask), contiguous(mask.shape).strides
	for d, n := range mask.shape {
		column := make([]int64, len(elements))
		for k, at := range polled(c, elements) {
			column[k] = int64(at / strides[d] % n)
		}
		out[d] = fromInts(c, column)
	}
	return out
}

// trueElements are the numbers, in row-major order, of the elements that differ from 0.
func trueElements(t *Tensor) (list []int) {
	for i, v := range polled(t.storage.of, t.Floats()) {
		if v != 0 {
			list = append(list, i)
		}
	}
	return list
}

// fromInts is a 1-dim int64 tensor.
func fromInts(c *Context, v []int64) *Tensor {
	t := &Tensor{layout: contiguous([]int{len(v)}), storage: newStorage(8 * len(v)), dtype: num.Int64}
	t.storage.cuda = c.cuda
	data := t.storage.write()
	for i, x := range polled(c, v) {
		order.PutUint64(data[8*i:], uint64(x))
	}
	return t
}

// places are those of elements in row-major order: run neighbors from each start on.
type places struct {
	starts []int
	run    int
}

func (p places) len() int { return len(p.starts) * p.run }

// of is the place of the i-th element.
func (p places) of(i int) int { return p.starts[i/p.run] + i%p.run }

// each calls f with the place of each element.
func (p places) each(c *Context, f func(i, at int)) {
	for k, start := range polled(c, p.starts) {
		for i := range p.run {
			f(k*p.run+i, start+i)
		}
	}
}

// placesBy are the places with an index along each of several dimensions, each of which adds one of its offsets.
func placesBy(c *Context, offsets ...[]int) places {
	p := places{[]int{0}, 1}
	last := len(offsets) - 1
	for ; last >= 0 && isRun(offsets[last], p.run); last-- {
		p.run *= len(offsets[last])
	}
	for _, list := range offsets[:last+1] {
		starts := make([]int, 0, len(p.starts)*len(list))
		for _, start := range p.starts {
			for _, offset := range polled(c, list) {
				starts = append(starts, start+offset)
			}
		}
		p.starts = starts
	}
	return p
}

// isRun reports whether offsets lie a step apart, from 0 on.
func isRun(offsets []int, step int) bool {
	for i, at := range offsets {
		if at != i*step {
			return false
		}
	}
	return len(offsets) > 0
}

// steps are n offsets from 0 on.
func steps(n, step int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i * step
	}
	return out
}

// flatPositions lists, for each element of the indexing result, its place among the view's elements in
// row-major order. The indexed dimensions are replaced by the index tensors' common shape: where
// the first of them is if they are neighbors, in front otherwise.
func (s *selection) flatPositions() (shape []int, at places) {
	var shapes [][]int
	first, last, count := -1, -1, 0
	for d, t := range s.tensors {
		if t == nil {
			continue
		}
		if first < 0 {
			first = d
		}
		last = d
		count++
		shapes = append(shapes, t.shape)
	}
	common := broadcastShapes(shapes...)
	if last-first+1 != count { // index tensors that are not neighbors: NumPy and torch put their dimensions in front
		first = 0
	}
	strides := contiguous(s.view.shape).strides
	indexed := s.indexOffsets(common, strides)
	var after []int
	var offsets, rest [][]int
	for d, t := range s.tensors {
		switch n := s.view.shape[d]; {
		case t != nil:
		case d < first:
			shape, offsets = append(shape, n), append(offsets, steps(n, strides[d]))
		default:
			after, rest = append(after, n), append(rest, steps(n, strides[d]))
		}
	}
	return slices.Concat(shape, common, after), placesBy(s.c, slices.Concat(offsets, [][]int{indexed}, rest)...)
}

// indexOffsets adds up the index tensors' contributions, checked against the dimensions.
func (s *selection) indexOffsets(common, strides []int) []int {
	out := make([]int, layout{shape: common}.numel())
	for d, t := range s.tensors {
		if t == nil {
			continue
		}
		n := s.view.shape[d]
		for i, v := range polled(s.c, t.asStrided(t.expandTo(common)).Ints()) {
			if v < -int64(n) || v >= int64(n) {
				indexError("index %d is out of bounds for dimension %d with size %d", v, d, n)
			}
			if v < 0 {
				v += int64(n)
			}
			out[i] += int(v) * strides[d]
		}
	}
	return out
}

// takeAt gathers the elements of t at places, counted in row-major order, into a tensor of shape.
func takeAt(c *Context, t *Tensor, at places, shape []int, name string) *Tensor {
	if t.IsComplex() && t.needsGrad() {
		return onParts(c, t, name, func(part *Tensor) *Tensor { return takeAt(c, part, at, shape, name) })
	}
	out := c.alloc(t.dtype, shape...)
	dst, src, size := out.storage.write(), t.Bytes(), t.dtype.Info().Bytes
	c.chunksOf(0, len(at.starts), func(from, to int) {
		gatherAt(dst[from*at.run*size:], src, places{starts: at.starts[from:to], run: at.run}, size)
	})
	out.described("take", "", []*Tensor{t}, at)
	dtype, from := t.dtype, t.shape
	return c.record(out, name, []*Tensor{t}, func(g *Tensor) []*Tensor {
		zeros := c.alloc(dtype, from...)
		return []*Tensor{putAt(c, zeros, at, g, true)}
	})
}

// gatherAt packs the elements of so many bytes that lie at places.
func gatherAt(dst, src []byte, p places, size int) {
	if p.run*size == 4 { // at a third of the time
		for i, at := range p.starts {
			order.PutUint32(dst[i*4:], order.Uint32(src[at*4:]))
		}
		return
	}
	for i, at := range p.starts {
		copy(dst[i*p.run*size:][:p.run*size], src[at*size:])
	}
}

// putAt is a copy of t in which the elements at places are replaced by v's, or increased by them.
func putAt(c *Context, t *Tensor, at places, v *Tensor, accumulate bool) *Tensor {
	out := c.alloc(t.dtype, t.shape...)
	out.copyFrom(t)
	// Positions may repeat: elements are added one by one, in order.
	if accumulate && t.isFloat() {
		out.setFloats(addAt(c, out.Floats(), v.Floats(), at))
	} else if accumulate {
		out.setInts(addAt(c, out.Ints(), v.Ints(), at))
	} else {
		cast, size := toDType(c, v.asStrided(v.layout), t.dtype).Bytes(), t.dtype.Info().Bytes
		data := out.storage.write()
		for i, p := range polled(c, at.starts) {
			copy(data[p*size:][:at.run*size], cast[i*at.run*size:])
		}
		out.described("put", "", []*Tensor{t, v}, at)
	}
	shape := v.shape
	return c.record(out, "index_put", []*Tensor{t, v}, func(g *Tensor) []*Tensor {
		gv := takeAt(c, g, at, shape, "index")
		if accumulate {
			return []*Tensor{g, gv}
		}
		zeros := c.alloc(g.dtype, at.len())
		return []*Tensor{putAt(c, g, at, zeros, false), gv}
	})
}

// addAt adds values, one by one, to the elements at places of sums.
func addAt[T int64 | float64](c *Context, sums, values []T, p places) []T {
	for i, at := range polled(c, p.starts) {
		run := sums[at:][:p.run]
		for k, v := range values[i*p.run:][:p.run] {
			run[k] += v
		}
	}
	return sums
}

func (t *Tensor) setFloats(values []float64) { setAll(t, values, (*writer).floats) }

func (t *Tensor) setInts(values []int64) { setAll(t, values, (*writer).ints) }

func setAll[T any](t *Tensor, values []T, write func(*writer, []T)) {
	data := t.storage.write()
	chunksInParallel(len(values), func(from, to int) {
		w := &writer{*t.elements(data)}
		w.seek(from)
		t.storage.of.chunksOf(from, to, func(from, to int) { write(w, values[from:to]) })
	})
}
