// Package formula has the formulas by which elements of tensors are computed, in one vocabulary for a kernel's
// operations and for those of a specification, so that the two can be compared term by term.
//
// A Set makes formulas in a normal form: what is equal by the rules of algebra for the real numbers is one Node, such
// as exp2(x * 1.442695) and exp(x), or a sum over blocks and a sum over the whole row. What differs by rounding alone
// is equal here; Node.Value, computed from the values of the elements, tells whether a formula is that of a result.
//
//   - formula.go: nodes and their order; normal.go: operations and the normal form.
//   - text.go: a formula as tokens, in which terms that differ by a step along an axis are a slice: sum(x[0, 0:128]).
//   - compare.go: which tokens and elements of two formulas differ.
package formula

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"
)

// Tensor is a tensor that formulas have elements of.
type Tensor struct {
	Name  string
	Shape []int
}

// Element is an element of a tensor of a Set, by its number row by row.
type Element struct{ Tensor, At int }

// Node is a formula. Nodes of one Set are equal if they are the same pointer.
type Node struct {
	op      string // the name of the operation, or one of the kinds below
	of      *operation
	args    []*Node
	element Element // of an element; the offset, of what lies outside
	value   float64 // of a number, an element and an undefined lane
	unknown bool    // an undefined lane is part of it
	id      int
	shape   int // is equal for nodes that differ in their elements alone
}

// The kinds of nodes that are not computed.
const (
	number    = "number"
	element   = "element"
	outside   = "outside"   // what a load outside of a tensor gives
	undefined = "undefined" // what a load gives that is masked off, without other
)

// Set makes formulas over some tensors. Its methods take nil for a formula that is not known, and give nil for what is
// computed from it, and where the formulas together become too large.
type Set struct {
	Tensors []Tensor

	operations map[string]*operation
	size       int
	nodes      map[string]*Node
	shapes     map[string]int
}

// maxSize bounds the formulas of a set: nodes and operands.
const maxSize = 1 << 19

// NewSet is an empty set.
func NewSet(tensors []Tensor) *Set {
	return &Set{Tensors: tensors, operations: newOperations(), nodes: map[string]*Node{}, shapes: map[string]int{}}
}

// Number is a constant. A fraction is rounded to a float32, as kernels compute with it.
func (s *Set) Number(v float64) *Node {
	if v != math.Trunc(v) {
		v = float64(float32(v))
	}
	return s.intern(Node{op: number, value: v + 0}) // -0 is 0
}

// Element is an element of a tensor, which holds value.
func (s *Set) Element(e Element, value float64) *Node {
	return s.intern(Node{op: element, element: e, value: value})
}

// Outside is what is read at an offset outside of a tensor.
func (s *Set) Outside(tensor, offset int, value float64) *Node {
	return s.intern(Node{op: outside, element: Element{tensor, offset}, value: value})
}

// Undefined is a value that nothing defines.
func (s *Set) Undefined(value float64) *Node { return s.intern(Node{op: undefined, value: value}) }

// IsNumber reports whether the formula has no elements.
func (n *Node) IsNumber() bool { return n.op == number }

// intern is the set's node that equals n.
func (s *Set) intern(n Node) *Node {
	if slices.Contains(n.args, nil) {
		return nil
	}
	key := append([]byte(n.op), 0)
	for _, v := range []int{n.element.Tensor, n.element.At, int(math.Float64bits(n.value))} {
		key = binary.AppendVarint(key, int64(v))
	}
	for _, a := range n.args {
		key = binary.AppendVarint(key, int64(a.id))
	}
	if known := s.nodes[string(key)]; known != nil {
		return known
	}
	if s.size += 1 + len(n.args); s.size > maxSize {
		return nil
	}
	n.unknown = n.op == undefined || slices.ContainsFunc(n.args, func(a *Node) bool { return a.unknown })
	n.id, n.shape, n.of = len(s.nodes), s.shapeOf(&n), s.operations[n.op]
	s.nodes[string(key)] = &n
	return &n
}

// shapeOf numbers shapes. Neighbours of one shape count once, so that sums over blocks of all lengths have one shape.
func (s *Set) shapeOf(n *Node) int {
	key := append([]byte(n.op), 0)
	key = binary.AppendVarint(key, int64(n.element.Tensor))
	if n.op == number {
		key = binary.BigEndian.AppendUint64(key, math.Float64bits(n.value))
	}
	last := -1
	for _, a := range n.args {
		if a.shape != last {
			key = binary.AppendVarint(key, int64(a.shape))
		}
		last = a.shape
	}
	if _, ok := s.shapes[string(key)]; !ok {
		s.shapes[string(key)] = len(s.shapes)
	}
	return s.shapes[string(key)]
}

// compare orders what an operation takes in any order: elements before what is computed, then what a sum subtracts,
// what is undefined, and numbers.
func compare(a, b *Node) int {
	if a == b {
		return 0
	}
	if by := cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a.element.Tensor, b.element.Tensor)); by != 0 {
		return by
	}
	if len(a.args) == 0 || len(b.args) == 0 {
		return cmp.Or(cmp.Compare(a.op, b.op), cmp.Compare(a.element.At, b.element.At), cmp.Compare(a.value, b.value))
	}
	if by := cmp.Compare(a.shape, b.shape); by != 0 {
		return by
	}
	return cmp.Or(slices.CompareFunc(a.args, b.args, compare), cmp.Compare(a.id, b.id))
}

func rank(n *Node) int {
	switch {
	case n.op == number:
		return 4
	case n.unknown:
		return 3
	case n.op == "*" && n.args[0].op == number && n.args[0].value < 0:
		return 2
	case len(n.args) > 0:
		return 1
	}
	return 0
}

// Value is what the formula gives for the values of its elements.
func (n *Node) Value() float64 { return n.evaluate(map[*Node]float64{}) }

// Gives reports whether the formula is that of a value, but for rounding in a dtype of a few bits: formulas that are
// not are the work of a rule that does not hold, such as an integer that has wrapped.
func (n *Node) Gives(v float64) bool {
	if math.IsInf(v, 0) || v != v && !n.unknown {
		return true // a dtype has no room for what lies between
	}
	got := n.Value()
	const relative, absolute = 0.02, 1e-5
	return got == v || got != got && v != v || math.Abs(got-v) <= absolute+relative*math.Abs(v)
}

func (n *Node) evaluate(known map[*Node]float64) float64 {
	if len(n.args) == 0 {
		return n.value
	}
	if v, ok := known[n]; ok {
		return v
	}
	args := make([]float64, len(n.args))
	for i, a := range n.args {
		args[i] = a.evaluate(known)
	}
	v := n.of.value(args)
	known[n] = v
	return v
}

// leaves are the elements and other values that formulas are computed from, each once.
func leaves(n *Node) (out []*Node) {
	seen := map[*Node]bool{}
	var visit func(n *Node)
	visit = func(n *Node) {
		if seen[n] {
			return
		}
		seen[n] = true
		if len(n.args) == 0 && n.op != number {
			out = append(out, n)
		}
		for _, a := range n.args {
			visit(a)
		}
	}
	visit(n)
	slices.SortFunc(out, compare)
	return out
}
