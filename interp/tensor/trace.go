package tensor

import (
	"cmp"
	"slices"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/interp/device"
)

// Trace keeps which operations have written to storages, so that an element can be followed back to those that it was
// computed from. A Context that has one adds to it. Views need nothing there: they share their storage. What is written
// by an operation that does not say how it computes is not followed.
type Trace struct {
	writes []*write
	calls  []traced
	of     map[*device.Storage][]int // the writes to a storage, of those that list has seen
	listed int
	saved  int // bytes of what was overwritten
}

// maxSaved bounds the bytes of what was overwritten that a Trace keeps.
const maxSaved = 1 << 26

// write is one write to a storage.
type write struct {
	storage *device.Storage
	out     layout // what is written; of any element where op is empty
	dtype   num.DType
	op      string // empty where the operation has not said it
	partial string // "dx" or "dy": the gradient of an operation, by its first or second input
	inputs  []*Tensor
	places  places // take and put: of the elements of inputs[0], row by row
	numbers []float64
	dims    []int // of softmax, log_softmax, cumsum, cumprod and normalize
	// wrote tells which elements a launch has written, of the dtype's width.
	wrote func(at int) bool
	// before are the bytes that the storage held; nil if they were not kept, or are zeros that nobody has read.
	before []byte
}

// write is a write to a storage that is about to be made.
func (tr *Trace) write(s *device.Storage) *write {
	w := &write{storage: s}
	if tr.saved += s.Len(); tr.saved <= maxSaved && !s.IsBlank() {
		if data, err := s.Read(); err == nil {
			w.before = slices.Clone(data)
		}
	}
	return w
}

// traced is a call, which has made the writes from a number on.
type traced struct {
	from int
	op   *Op
	args args
}

// Element is an element of a storage as it was after some writes.
type Element struct {
	storage    *device.Storage
	dtype      num.DType // that it was read as
	own        bool      // a context has made the storage for a tensor
	number     bool      // it is a number of the source
	at, before int
}

// Origin says how an element was computed: by an operation, by torch's name, from other elements. Of "matmul" they are
// the two factors of each product in turn, of "softmax" and "log_softmax" the element and then all along the dimension,
// of "normalize" the element, weight and bias as far as there are any, and all over the dimensions, of "cumsum" and
// "cumprod" those up to the element, "copy" has one, "fill", "launch" and "number", which is one of the source, have
// none. Op is empty where nothing wrote the element; where nobody says how it was computed, it is the call that it was
// written in.
type Origin struct {
	Op string
	Of []Element
	// Numbers are fill's value, what "var" divides by, an activation's parameters; of "normalize" epsilon, and 1 where
	// a mean is subtracted, where there is a weight, and where there is a bias.
	Numbers []float64
	DType   num.DType // of what was written
	Write   Write
}

// Write is the write of an element that it has its value from: the number of the write and of the element in the
// storage, and the dtype that it is read as.
type Write struct {
	Number, At int
	DType      num.DType
}

// computed says how the elements of t that an operation has just written were computed: by op, each from the elements
// of inputs, stretched to t's shape, that are in its place; or as the operation's case in Trace.follow has it.
func (t *Tensor) computed(op string, inputs ...*Tensor) { t.described(op, "", inputs, places{}) }

// computedWith is computed for an operation that has numbers besides.
func (t *Tensor) computedWith(op string, numbers []float64, inputs ...*Tensor) {
	if c := t.storage.of; c != nil && c.Trace != nil {
		c.Trace.describe(&write{storage: t.at(), out: t.layout, dtype: t.dtype, op: op, inputs: inputs,
			numbers: numbers})
	}
}

// described is computed for a gradient, and for elements at places.
func (t *Tensor) described(op, partial string, inputs []*Tensor, at places) {
	if c := t.storage.of; c != nil && c.Trace != nil {
		c.Trace.describe(&write{storage: t.at(), out: t.layout, dtype: t.dtype, op: op, partial: partial,
			inputs: inputs, places: at})
	}
}

// computedOver says that the elements that an operation has just written were computed from those of the first input
// over some dimensions, and from those of the others that are in their places.
func (t *Tensor) computedOver(op string, dims []int, numbers []float64, inputs ...*Tensor) {
	if c := t.storage.of; c != nil && c.Trace != nil && len(t.shape) > 0 {
		c.Trace.describe(&write{storage: t.at(), out: t.layout, dtype: t.dtype, op: op, inputs: inputs, dims: dims,
			numbers: numbers})
	}
}

// describe replaces what was noted when the bytes were asked for.
func (tr *Trace) describe(w *write) {
	if n := len(tr.writes) - 1; n >= 0 && tr.writes[n].storage == w.storage && tr.writes[n].op == "" {
		w.before = tr.writes[n].before
		tr.writes = tr.writes[:n]
	}
	tr.writes = append(tr.writes, w)
}

// Launched says that a launch is about to write to the elements of a storage that wrote tells, of the width of a dtype.
// It gives the number of the write.
func (tr *Trace) Launched(s *device.Storage, d num.DType, wrote func(at int) bool) int {
	w := tr.write(s)
	w.dtype, w.op, w.wrote = d, "launch", wrote
	tr.writes = append(tr.writes, w)
	return len(tr.writes) - 1
}

// Left reports whether a value was handed to Python, where nothing follows it: of a float, or of any dtype.
func (tr *Trace) Left(floats bool) bool {
	return slices.ContainsFunc(tr.calls, func(c traced) bool {
		return (c.op.Name == "item" || c.op.Name == "tolist") && (!floats || c.args.tensor(0).isFloat())
	})
}

// list makes the index of writes by storage.
func (tr *Trace) list(s *device.Storage) []int {
	if tr.of == nil {
		tr.of = map[*device.Storage][]int{}
	}
	for ; tr.listed < len(tr.writes); tr.listed++ {
		of := tr.writes[tr.listed].storage
		tr.of[of] = append(tr.of[of], tr.listed)
	}
	return tr.of[s]
}

// constant reports whether a write without a description does not depend on tensors: the call that it is part of takes
// none.
func (tr *Trace) constant(k int) bool {
	c := tr.callOf(k)
	return c != nil && len(tensorsIn([]any(c.args))) == 0
}

// callOf is the call that a write is part of; nil where it is part of none.
func (tr *Trace) callOf(k int) *traced {
	at, _ := slices.BinarySearchFunc(tr.calls, k+1, func(c traced, k int) int { return cmp.Compare(c.from, k) })
	if at == 0 {
		return nil
	}
	return &tr.calls[at-1]
}

// Element is an element of t as it is now, by its number row by row.
func (tr *Trace) Element(t *Tensor, i int) Element { return t.element(t.layout, i, len(tr.writes)) }

// element is the i-th of a layout over t's storage.
func (t *Tensor) element(g layout, i, before int) Element {
	walk := walker{g, make([]int, len(g.shape)), 0}
	walk.seek(i)
	return t.place(walk.at, before)
}

// place is the element at a place of t's storage.
func (t *Tensor) place(at, before int) Element {
	own := t.storage.of != nil
	return Element{t.at(), t.dtype, own, !own && t.storage.Len() <= 8, at, before}
}

// at is the memory behind t.
func (t *Tensor) at() *device.Storage { return &t.storage.Storage }

// InStorage is an element of a storage of a context's tensor as it is now, by its number as one of a dtype.
func (tr *Trace) InStorage(s *device.Storage, d num.DType, at int) Element {
	return Element{s, d, true, false, at, len(tr.writes)}
}

// In is the number of the element in a contiguous tensor; false where it is none of the tensor's.
func (e Element) In(t *Tensor) (i int, ok bool) {
	i = e.at - t.offset
	return i, e.storage == t.at() && e.dtype == t.dtype && i >= 0 && i < t.numel()
}

// LastWrite is the write that an element has its value from; its Number is -1 where there is none.
func (tr *Trace) LastWrite(e Element) Write {
	of := tr.list(e.storage)
	n, _ := slices.BinarySearch(of, e.before)
	for _, k := range slices.Backward(of[:n]) {
		if _, covers := tr.writes[k].number(e); covers {
			return Write{k, e.at, e.dtype}
		}
	}
	return Write{-1, e.at, e.dtype}
}

// Origin is how an element was computed; false where that is not known.
func (tr *Trace) Origin(e Element) (o Origin, ok bool) {
	o.Write = tr.LastWrite(e)
	k := o.Write.Number
	if k < 0 {
		if e.number {
			o.Op = "number"
		}
		return o, e.own || e.number // what no operation has written is zeros, or was not made by this context
	}
	w := tr.writes[k]
	i, _ := w.number(e)
	switch {
	case w.op == "" && tr.constant(k):
		o.Op, e.before = "fill", k+1
		v, ok := tr.Value(e)
		o.Numbers = []float64{v}
		return o, ok
	case w.op == "" || w.dtype != e.dtype:
		if c := tr.callOf(k); c != nil {
			o.Op = c.op.Name
		}
		return o, false
	}
	write := o.Write
	o = tr.follow(w, k, i)
	o.Write, o.DType = write, w.dtype
	return o, true
}

// Value is what an element holds; false where it has changed since and what it was is not kept.
func (tr *Trace) Value(e Element) (v float64, ok bool) {
	of := tr.list(e.storage)
	n, _ := slices.BinarySearch(of, e.before)
	data, err := e.storage.Read()
	for _, k := range of[n:] {
		if before := tr.writes[k].before; before != nil {
			data = before
			break
		}
		if _, covers := tr.writes[k].number(e); covers {
			return 0, false
		}
	}
	if err != nil || isComplex(e.dtype) {
		return 0, false
	}
	x := num.MakeVec(e.dtype.Info().Class, 1)
	num.LoadAt(e.dtype, x, 0, data, e.at)
	return num.ScalarAt(e.dtype, x, 0).Float(), true
}

// number is which element of what is written, row by row, an element of the storage is: 0 where nobody knows.
func (w *write) number(e Element) (i int, ok bool) {
	switch i = e.at - w.out.offset; {
	case w.op == "" || w.dtype.Info().Bytes != e.dtype.Info().Bytes:
		return 0, true
	case w.wrote != nil:
		return e.at, w.wrote(e.at)
	case w.out.isContiguous():
		return i, i >= 0 && i < w.out.numel()
	case w.out.numel() == 0:
		return 0, false
	}
	// The indices are digits of the place, those of the widest stride first: what is written has no element twice.
	order := make([]int, len(w.out.shape))
	for d := range order {
		order[d] = d
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(w.out.strides[b], w.out.strides[a]) })
	index, rest := make([]int, len(order)), i
	for _, d := range order {
		if stride := w.out.strides[d]; stride > 0 {
			index[d] = max(0, min(rest/stride, w.out.shape[d]-1))
			rest -= index[d] * stride
		}
	}
	i = 0
	for d, n := range w.out.shape {
		i = i*n + index[d]
	}
	return i, rest == 0
}

// follow lists what the i-th element that write k has written was computed from.
func (tr *Trace) follow(w *write, k, i int) Origin {
	o := Origin{Op: w.op, Numbers: w.numbers}
	if w.partial != "" {
		o.Op += " " + w.partial
	}
	switch w.op {
	case "fill", "launch":
	case "take":
		o.Op, o.Of = "copy", []Element{w.inputs[0].element(w.inputs[0].layout, w.places.of(i), k)}
	case "put":
		o.Op, o.Of = "copy", []Element{w.inputs[0].element(w.inputs[0].layout, i, k)}
		w.places.each(nil, func(n, place int) {
			if place == i { // the last of several
				o.Of[0] = w.inputs[1].element(w.inputs[1].layout, n, k)
			}
		})
	case "sum", "mean", "prod", "amax", "amin", "var", "vector_norm":
		o.Of = w.reduced(k, i)
	case "matmul":
		o.Of = w.multiplied(k, i)
	case "softmax", "log_softmax", "cumsum", "cumprod", "normalize":
		o.Of = w.over(k, i)
	default:
		for _, t := range w.inputs {
			o.Of = append(o.Of, t.element(t.expandTo(w.out.shape), i, k))
		}
	}
	return o
}

// reduced are the elements that a reduction folds into its i-th, whose dimensions of size 1 are those that it folds.
func (w *write) reduced(k, i int) (out []Element) {
	in := w.inputs[0]
	rest := layout{offset: in.element(in.layout, 0, k).at}
	index := w.out.index(i)
	for d, n := range in.shape {
		if w.out.shape[d] != n {
			rest.shape, rest.strides = append(rest.shape, n), append(rest.strides, in.strides[d])
		} else {
			rest.offset += index[d] * in.strides[d]
		}
	}
	eachElement(nil, rest, func(_, at int) { out = append(out, in.place(at, k)) })
	return out
}

// over are the elements that the i-th is computed from, which takes those over some dimensions.
func (w *write) over(k, i int) (out []Element) {
	x, index := w.inputs[0], w.out.index(i)
	rest, at := layout{offset: x.offset}, 0
	for d, n := range index {
		if slices.Contains(w.dims, d) {
			rest.shape, rest.strides = append(rest.shape, x.shape[d]), append(rest.strides, x.strides[d])
			at = n
		} else {
			rest.offset += n * x.strides[d]
		}
	}
	scan := w.op == "cumsum" || w.op == "cumprod"
	for _, t := range w.inputs {
		if !scan {
			out = append(out, t.element(t.expandTo(w.out.shape), i, k))
		}
	}
	eachElement(nil, rest, func(n, place int) {
		if !scan || n <= at {
			out = append(out, x.place(place, k))
		}
	})
	return out
}

// multiplied are a row and a column, element by element.
func (w *write) multiplied(k, i int) []Element {
	x, y, last := w.inputs[0], w.inputs[1], len(w.out.shape)-1
	index, size := w.out.index(i), x.shape[len(x.shape)-1]
	// along is the place of the first element of a row or a column, in dimension d, and the step to the next.
	along := func(t *Tensor, d int) (first, step int) {
		g := t.expandTo(append(slices.Clone(w.out.shape[:last-1]), t.shape[len(t.shape)-2:]...))
		first = g.offset
		for e, n := range index {
			if e != d {
				first += n * g.strides[e]
			}
		}
		return first, g.strides[d]
	}
	row, right := along(x, last)
	column, down := along(y, last-1)
	out := make([]Element, 0, 2*size)
	for j := range size {
		out = append(out, x.place(row+j*right, k), y.place(column+j*down, k))
	}
	return out
}

// index is the i-th element's index.
func (g layout) index(i int) []int {
	out := make([]int, len(g.shape))
	for d := len(g.shape) - 1; d >= 0; d-- {
		out[d] = i % g.shape[d]
		i /= g.shape[d]
	}
	return out
}
