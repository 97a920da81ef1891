package tensor

import (
	"slices"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/interp/device"
)

// Storage is the memory behind a tensor and its views: little-endian bytes, 8-byte aligned. Operations work on the copy
// in this process, launches on that of their device.
type Storage struct {
	device.Storage
	writes  int   // in-place writes so far, for graphs that need the old values
	cuda    bool  // it belongs to the chosen device
	pinned  bool  // a script has asked for page-locked memory
	address int64 // where data_ptr says that it begins
	told    bool  // data_ptr has said it
	// of is its context; nil of bytes that no tensor of a script has.
	of *Context
}

func newStorage(size int) *Storage { return &Storage{Storage: *device.NewStorage(size)} }

// Address is where data_ptr says that the storage begins.
func (s *Storage) Address() int64 { return s.address }

// read gives the newest bytes, which may have to come from a device.
func (s *Storage) read() []byte { return fetched(s.Read()) }

// write is read for an operation that changes the bytes.
func (s *Storage) write() []byte {
	if s.cuda && s.of != nil {
		s.of.computed++
	}
	if s.of != nil && s.of.Trace != nil {
		s.of.Trace.writes = append(s.of.Trace.writes, s.of.Trace.write(&s.Storage)) // which the operation may describe
	}
	return fetched(s.Write())
}

// fetched raises what a device says instead of giving the bytes that it has.
func fetched(data []byte, err error) []byte {
	if err != nil {
		runtimeError("%s", err.Error())
	}
	return data
}

// layout is a strided layout: where the elements are in a storage. Strides and offset count elements; a stride of 0
// repeats a dimension, as expand does.
type layout struct {
	shape, strides []int
	offset         int
}

// Tensor is a dtype and a layout over a Storage, with its place in the graph. Tensors are made by a Context.
type Tensor struct {
	layout
	storage *Storage
	dtype   num.DType

	// Parameter and Buffer say that t is a torch.nn.Parameter or a torch.nn.Buffer: a part of a module's state.
	Parameter, Buffer bool

	requiresGrad, retainsGrad bool
	grad                      *Tensor
	node                      *node // what computed it, or its accumulator if it is a leaf
	base                      *Tensor
	inBase                    *layout // its layout over base, as if base were contiguous
	version                   int     // of base's node when node was made
}

func contiguous(shape []int) layout {
	strides := make([]int, len(shape))
	n := 1
	for i := len(shape) - 1; i >= 0; i-- {
		strides[i] = n
		n *= max(shape[i], 1)
	}
	return layout{shape, strides, 0}
}

func (g layout) numel() int {
	n := 1
	for _, d := range g.shape {
		n *= d
	}
	return n
}

func (g layout) isContiguous() bool {
	n := 1
	for i := len(g.shape) - 1; i >= 0; i-- {
		switch {
		case g.shape[i] == 0: // without elements, strides mean nothing
			return true
		case g.shape[i] != 1 && g.strides[i] != n:
			return false
		}
		n *= g.shape[i]
	}
	return true
}

// Shape is the size of each dimension; empty for a 0-dim tensor.
func (t *Tensor) Shape() []int { return slices.Clone(t.shape) }

// Strides says how many elements lie between neighbors along each dimension.
func (t *Tensor) Strides() []int { return slices.Clone(t.strides) }

// Offset is the place of the first element in the storage, in elements.
func (t *Tensor) Offset() int { return t.offset }

// DType is the element type; Int1 is torch.bool.
func (t *Tensor) DType() num.DType { return t.dtype }

// Storage is the memory that t and its views share.
func (t *Tensor) Storage() *Storage { return t.storage }

// Numel is the number of elements.
func (t *Tensor) Numel() int { return t.numel() }

// Dim is the number of dimensions.
func (t *Tensor) Dim() int { return len(t.shape) }

// IsContiguous reports whether the elements lie in memory in row-major order without gaps.
func (t *Tensor) IsContiguous() bool { return t.isContiguous() }

// Grad is the gradient that backward has accumulated, or nil.
func (t *Tensor) Grad() *Tensor { return t.grad }

// RequiresGrad reports whether operations on t are recorded for backward.
func (t *Tensor) RequiresGrad() bool { return t.requiresGrad }

// Bytes is the tensor's part of the storage if it is contiguous, and a packed copy otherwise.
func (t *Tensor) Bytes() []byte {
	size, n := t.dtype.Info().Bytes, t.numel()
	if n == 0 { // whose offset may lie past the end
		return nil
	}
	if t.isContiguous() {
		return t.storage.read()[t.offset*size:][:n*size]
	}
	packed := &Tensor{layout: contiguous(t.shape), storage: newStorage(n * size), dtype: t.dtype}
	packed.copyBytes(t)
	return packed.storage.read()
}

// eachElement calls f with the running number and the storage element of every element, in row-major order.
func eachElement(c *Context, g layout, f func(i, at int)) {
	w := newWalker(g)
	c.chunksOf(0, g.numel(), func(from, to int) {
		w.runs(to-from, func(i, at, run, stride int) {
			for k := range run {
				f(from+i+k, at+k*stride)
			}
		})
	})
}

// chunk is how many elements are held in registers at a time.
const chunk = 2048

// walker lists storage elements in row-major order.
type walker struct {
	layout
	index []int
	at    int
}

func newWalker(g layout) *walker {
	return &walker{g, make([]int, len(g.shape)), g.offset}
}

// seek goes to the n-th element.
func (w *walker) seek(n int) {
	w.at = w.offset
	if slices.Contains(w.shape, 0) {
		return
	}
	for d := len(w.shape) - 1; d >= 0; d-- {
		w.index[d] = n % w.shape[d]
		w.at += w.index[d] * w.strides[d]
		n /= w.shape[d]
	}
}

// runs calls f with the next n elements, the rest of a row at a time: from the i-th of them on, so many that lie a
// stride apart from place at on.
func (w *walker) runs(n int, f func(i, at, run, stride int)) {
	last := len(w.shape) - 1
	if last < 0 {
		f(0, w.at, n, 0)
		return
	}
	for i := 0; i < n; {
		run := min(w.shape[last]-w.index[last], n-i)
		f(i, w.at, run, w.strides[last])
		i += run
		w.at += run * w.strides[last]
		w.index[last] += run
		w.carry(last)
	}
}

// carry moves on to the next row where the index along dimension d has come to its end.
func (w *walker) carry(d int) {
	for ; d >= 0 && w.index[d] == w.shape[d]; d-- {
		w.at -= w.shape[d] * w.strides[d]
		w.index[d] = 0
		if d > 0 {
			w.index[d-1]++
			w.at += w.strides[d-1]
		}
	}
}

// inMemoryOrder is the layout with the dimensions sorted by stride, those of the widest first.
func (g layout) inMemoryOrder() layout {
	order := make([]int, len(g.shape))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return g.strides[j] - g.strides[i] })
	out := layout{make([]int, len(order)), make([]int, len(order)), g.offset}
	for i, d := range order {
		out.shape[i], out.strides[i] = g.shape[d], g.strides[d]
	}
	return out
}

// merged is the layout with fewer dimensions: without those of size 1, and with those that follow one another in memory
// as one.
func (g layout) merged() layout {
	out := layout{offset: g.offset}
	for i, n := range g.shape {
		last := len(out.shape) - 1
		switch {
		case n == 1:
		case last >= 0 && out.strides[last] == n*g.strides[i]:
			out.shape[last], out.strides[last] = out.shape[last]*n, g.strides[i]
		default:
			out.shape, out.strides = append(out.shape, n), append(out.strides, g.strides[i])
		}
	}
	return out
}

func (t *Tensor) isFloat() bool { return t.dtype.Info().Float }

// asStrided is a tensor of another layout over t's storage, without a graph.
func (t *Tensor) asStrided(g layout) *Tensor {
	return &Tensor{layout: g, storage: t.storage, dtype: t.dtype}
}
