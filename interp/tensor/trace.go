package tensor

import (
	"slices"

	"github.com/newtlab/newt/compiler/num"
)

// Trace keeps which operations have written to storages, so that an element can be followed back to those that it was
// computed from. A Context that has one adds to it. Views need nothing there: they share their storage. What is written
// by an operation that does not say how it computes is not followed.
type Trace struct {
	writes []write
	of     map[*Storage][]int // those of a storage
	// Left says that a value was handed to Python, where nothing follows it.
	Left bool
}

// write is one write to a storage.
type write struct {
	out      layout // what is written; of any element where op is empty
	dtype    num.DType
	op       string // empty where the operation has not said it
	inputs   []*Tensor
	places   []int // take and put: of the elements of inputs[0], row by row
	constant bool  // without op: it does not depend on tensors
	value    float64
}

// Element is an element of a storage as it was after some writes.
type Element struct {
	read       *Tensor // that it was read through
	at, before int
}

// Origin says how an element was computed: by an operation, by torch's name, from other elements. Of "matmul" they are
// the two factors of each product in turn, "copy" has one, "fill" a value in place of them. Op is empty where nothing
// wrote the element.
type Origin struct {
	Op    string
	Of    []Element
	Value float64
	Write Write
}

// Write is the write of an element that it has its value from.
type Write struct{ number, at int }

// trace is the trace of the tensor's context, nil where there is none.
func (s *Storage) trace() *Trace {
	if s.of == nil {
		return nil
	}
	return s.of.Trace
}

// write notes a write that the operation may describe afterwards.
func (tr *Trace) write(s *Storage) { tr.add(s, write{}) }

func (tr *Trace) add(s *Storage, p write) {
	if tr.of == nil {
		tr.of = map[*Storage][]int{}
	}
	tr.of[s] = append(tr.of[s], len(tr.writes))
	tr.writes = append(tr.writes, p)
}

// computed says how the elements of t that an operation has just written were computed: by op, each from the elements
// of inputs, stretched to t's shape, that are in its place; or as the operation's case in Trace.follow has it.
func (t *Tensor) computed(op string, inputs ...*Tensor) { t.described(write{op: op, inputs: inputs}) }

func (t *Tensor) described(p write) {
	tr := t.storage.trace()
	if tr == nil {
		return
	}
	// The description replaces what was noted when the bytes were asked for.
	if of := tr.of[t.storage]; len(of) > 0 && tr.writes[of[len(of)-1]].op == "" {
		tr.of[t.storage] = of[:len(of)-1]
	}
	p.out, p.dtype = t.layout, t.dtype
	tr.add(t.storage, p)
}

// length is how many writes there are; 0 without a trace.
func (tr *Trace) length() int {
	if tr == nil {
		return 0
	}
	return len(tr.writes)
}

// called ends a call: what it has written from a number on without a description does not depend on tensors if it takes
// none.
func (tr *Trace) called(from int, op *Op, a args) {
	if tr == nil {
		return
	}
	tr.Left = tr.Left || op.Name == "item" || op.Name == "tolist"
	for i := from; i < len(tr.writes) && !takesTensors([]any(a)); i++ {
		tr.writes[i].constant = true
	}
}

// takesTensors reports whether there is a tensor in an argument of a call.
func takesTensors(v any) bool {
	switch v := v.(type) {
	case *Tensor:
		return v != nil
	case []*Tensor:
		return len(v) > 0
	case operand:
		return !v.number
	case []any:
		return slices.ContainsFunc(v, takesTensors)
	}
	return false
}

// Element is an element of t as it is now, by its number row by row.
func (tr *Trace) Element(t *Tensor, i int) Element { return t.element(t.layout, i, len(tr.writes)) }

// element is the i-th of a layout over t's storage.
func (t *Tensor) element(g layout, i, before int) Element {
	w := walker{g, make([]int, len(g.shape)), 0}
	w.seek(i)
	return Element{t, w.at, before}
}

// In is the number of the element in a contiguous tensor; false where it is none of the tensor's.
func (e Element) In(t *Tensor) (i int, ok bool) {
	i = e.at - t.offset
	return i, e.read.storage == t.storage && e.read.dtype == t.dtype && i >= 0 && i < t.numel()
}

// Origin is how an element was computed; false where that is not known.
func (tr *Trace) Origin(e Element) (o Origin, ok bool) {
	of := tr.of[e.read.storage]
	n, _ := slices.BinarySearch(of, e.before)
	o.Write = Write{-1, e.at}
	for _, k := range slices.Backward(of[:n]) {
		p := &tr.writes[k]
		switch i, covers := p.number(e.at); {
		case !covers:
		case p.op == "" && p.constant:
			o.Op = "fill"
			o.Value, ok = tr.Value(Element{e.read, e.at, k + 1})
			return o, ok
		case p.op == "" || p.dtype != e.read.dtype:
			return o, false
		default:
			o = tr.follow(p, k, i)
			o.Write = Write{k, e.at}
			return o, true
		}
	}
	// What no operation has written is zeros or a number of the source, or was not made by this context.
	return o, e.read.storage.of != nil || e.read.storage.Len() <= 8
}

// Value is what an element holds; false where it has changed since.
func (tr *Trace) Value(e Element) (v float64, ok bool) {
	of := tr.of[e.read.storage]
	n, _ := slices.BinarySearch(of, e.before)
	for _, k := range of[n:] {
		if _, covers := tr.writes[k].number(e.at); covers {
			return 0, false
		}
	}
	return e.read.asStrided(layout{offset: e.at}).Floats()[0], true
}

// number is which element of what is written, row by row, lies at a place of the storage.
func (p *write) number(at int) (i int, ok bool) {
	switch i = at - p.out.offset; {
	case p.op == "":
		return 0, true
	case p.out.isContiguous():
		return i, i >= 0 && i < p.out.numel()
	}
	eachElement(p.out, func(n, place int) {
		if place == at {
			i, ok = n, true
		}
	})
	return i, ok
}

// follow lists what the i-th element that write k has written was computed from.
func (tr *Trace) follow(p *write, k, i int) Origin {
	o := Origin{Op: p.op, Value: p.value}
	switch p.op {
	case "fill":
	case "take":
		o.Op, o.Of = "copy", []Element{p.inputs[0].element(p.inputs[0].layout, p.places[i], k)}
	case "put":
		o.Op, o.Of = "copy", []Element{p.inputs[0].element(p.inputs[0].layout, i, k)}
		for n, place := range slices.Backward(p.places) {
			if place == i {
				o.Of[0] = p.inputs[1].element(p.inputs[1].layout, n, k)
				break
			}
		}
	case "sum", "mean", "prod", "amax", "amin":
		o.Of = p.reduced(k, i)
	case "matmul":
		o.Of = p.multiplied(k, i)
	default:
		for _, t := range p.inputs {
			o.Of = append(o.Of, t.element(t.expandTo(p.out.shape), i, k))
		}
	}
	return o
}

// reduced are the elements that a reduction folds into its i-th, whose dimensions of size 1 are those that it folds.
func (p *write) reduced(k, i int) (out []Element) {
	in := p.inputs[0]
	rest := layout{offset: in.element(in.layout, 0, k).at}
	index := p.out.index(i)
	for d, n := range in.shape {
		if p.out.shape[d] != n {
			rest.shape, rest.strides = append(rest.shape, n), append(rest.strides, in.strides[d])
		} else {
			rest.offset += index[d] * in.strides[d]
		}
	}
	eachElement(rest, func(_, at int) { out = append(out, Element{in, at, k}) })
	return out
}

// multiplied are a row and a column, element by element.
func (p *write) multiplied(k, i int) (out []Element) {
	x, y, last := p.inputs[0], p.inputs[1], len(p.out.shape)-1
	index, size := p.out.index(i), x.shape[len(x.shape)-1]
	place := func(t *Tensor, row, column int) Element {
		g := t.expandTo(append(slices.Clone(p.out.shape[:last-1]), t.shape[len(t.shape)-2:]...))
		at := g.offset + row*g.strides[last-1] + column*g.strides[last]
		for d, n := range index[:last-1] {
			at += n * g.strides[d]
		}
		return Element{t, at, k}
	}
	for j := range size {
		out = append(out, place(x, index[last-1], j), place(y, j, index[last]))
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
