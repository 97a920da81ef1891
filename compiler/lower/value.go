package lower

import (
	"math/big"
	"slices"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/compiler/tl"
	"github.com/newtlab/newt/compiler/types"
)

// A value is the abstract value of an expression while the kernel is lowered: one of the types
// below. A tensor exists at run time, everything else is gone when lowering ends.
type value any

type (
	// tensor is a value at run time: a scalar, a tile, a pointer, a tile of pointers.
	tensor struct{ v *ir.Value }

	// constant is a Python scalar known now, a constexpr.
	constant struct{ v python.Value }

	// ellipsis is the value of ….
	ellipsis struct{}

	// dtype is a type as a value: tl.float32, x.dtype, x.type.
	dtype struct{ t types.Type }

	// tuple is a tuple or a list: to Triton's compiler a list is a tuple.
	tuple struct {
		elems []value
		class *TupleClass // of a NamedTuple; nil for the rest
	}

	// function is a function written by the user or in the prelude.
	function struct {
		name    string
		params  *syntax.Params
		body    []syntax.Stmt // of a def
		result  syntax.Expr   // of a lambda
		span    source.Span
		module  *module
		closure *frame // the function around a lambda or a nested def
		jit     bool
		folds   bool      // decorated so that its result is a constexpr
		method  bool      // its first parameter is for the object that it is reached from
		self    value     // of a method: that object
		python  bool      // Triton runs it as Python, although it lacks a decorator
		host    *Function // what the program calls by this name; nil if nothing
	}

	// builtin is a row of the tl table; self is the tensor or dtype it was reached from.
	builtin struct {
		row  *tl.Row
		self value
	}

	// pythonFunction is a function of Python itself that takes known values: math.sqrt, a method of a
	// string. path is how the source names it: "math.sqrt", "str.join".
	pythonFunction struct {
		path string
		call func(args []python.Value) (python.Value, *python.Error)
	}

	// namespace is a module or a type that only matters for what hangs below it: tl, tl.math, int.
	namespace struct{ name string }

	// descriptor is a block pointer or a tensor descriptor: it describes a tensor in memory, of which a kernel accesses
	// blocks. It is an aggregate of scalars that lowering takes apart: the IR has pointers and masks in its place.
	descriptor struct {
		base    *ir.Value   // the pointer to the tensor's first element
		shape   []*ir.Value // scalars: the extents
		strides []*ir.Value // int64 scalars: the strides in elements
		offsets []*ir.Value // int32 scalars: where the block of a block pointer begins
		block   []int       // the shape of a block

		blockPointer bool   // as tl.make_block_ptr makes it, with offsets
		padding      string // of a tensor descriptor: what a load gives outside of the tensor
	}

	// rangeValue is the result of range, tl.range and tl.static_range.
	rangeValue struct {
		lo, hi, step value
		static       bool
		stages       int64
		span         source.Span
	}

	// unbound is a name that has no value here: args explain why, for a note at span.
	unbound struct {
		why  string
		span source.Span
	}

	// poison is the value of what has already been reported.
	poison struct{}
)

// composite is a value that is made of others: a tuple, an object, a descriptor. What is asked of all its parts alike
// need not know which of them it is.
type composite interface {
	parts() []value
	withParts(parts []value) value // one that is like it
	isLike(o composite) bool       // they differ in their parts alone, of which they have as many
}

// mapParts is a value like c whose parts are f of c's.
func mapParts(c composite, f func(value) value) value {
	parts := slices.Clone(c.parts())
	for i, p := range parts {
		parts[i] = f(p)
	}
	return c.withParts(parts)
}

// equalParts reports whether a and b are alike, and their parts equal.
func equalParts(a composite, b value, equal func(x, y value) bool) bool {
	o, ok := b.(composite)
	return ok && a.isLike(o) && slices.EqualFunc(a.parts(), o.parts(), equal)
}

var (
	pyNone  = constant{python.None{}}
	pyTrue  = constant{python.Bool(true)}
	pyFalse = constant{python.Bool(false)}
)

func integer(n int64) constant { return constant{python.NewInt(n)} }

func isPoison(vs ...value) bool {
	for _, v := range vs {
		switch v := v.(type) {
		case poison:
			return true
		case composite:
			if isPoison(v.parts()...) {
				return true
			}
		}
	}
	return false
}

func isNone(v value) bool {
	c, ok := v.(constant)
	return ok && c == pyNone
}

// constantOf converts a Go value of Options to the kernel's value.
func constantOf(v any) (value, bool) {
	switch v := v.(type) {
	case nil:
		return pyNone, true
	case bool:
		return constant{python.Bool(v)}, true
	case int:
		return integer(int64(v)), true
	case int64:
		return integer(v), true
	case *big.Int:
		n, err := python.NewBig(v)
		return constant{n}, err == nil
	case float64:
		return constant{python.Float(v)}, true
	case string:
		return constant{python.Str(v)}, true
	case num.DType:
		return dtype{types.Scalar(v)}, true
	case []any:
		out := tuple{}
		for _, e := range v {
			c, ok := constantOf(e)
			if !ok {
				return nil, false
			}
			out.elems = append(out.elems, c)
		}
		return out, true
	}
	return pyNone, false
}

// toPython is a value as a Python object, for what is known now.
func toPython(v value) (python.Value, bool) {
	switch v := v.(type) {
	case constant:
		return v.v, true
	case tuple:
		list := make([]python.Value, len(v.elems))
		for i, e := range v.elems {
			p, ok := toPython(e)
			if !ok {
				return nil, false
			}
			list[i] = p
		}
		return python.Tuple(list), true
	}
	return nil, false
}

// fromPython is the value of a Python object.
func fromPython(p python.Value) value {
	var list []python.Value
	switch p := p.(type) {
	case python.Tuple:
		list = p
	case python.List:
		list = p
	default:
		return constant{p}
	}
	out := tuple{}
	for _, e := range list {
		out.elems = append(out.elems, fromPython(e))
	}
	return out
}

// same reports whether two values are one and the same without looking at run time.
func same(a, b value) bool {
	switch a := a.(type) {
	case tensor:
		b, ok := b.(tensor)
		return ok && a.v == b.v
	case composite:
		return equalParts(a, b, same)
	case tupleClass:
		b, ok := b.(tupleClass)
		return ok && sameClass(a.TupleClass, b.TupleClass)
	case *aggregateClass:
		return a == b
	case constant:
		b, ok := b.(constant)
		return ok && identical(a, b)
	case dtype:
		b, ok := b.(dtype)
		return ok && a.t.Equal(b.t)
	case function:
		b, ok := b.(function)
		return ok && a.span == b.span && a.module == b.module &&
			(a.self == nil && b.self == nil || same(a.self, b.self))
	case builtin:
		b, ok := b.(builtin)
		return ok && a.row == b.row && a.self == nil && b.self == nil
	case namespace:
		b, ok := b.(namespace)
		return ok && a == b
	case membersValue:
		b, ok := b.(membersValue)
		return ok && a == b
	case unbound:
		_, ok := b.(unbound)
		return ok
	}
	return false
}

func identical(a, b constant) bool {
	same, err := python.Compare("is", a.v, b.v)
	return err == nil && same
}

// flatten lists the tensors in a value.
func flatten(v value) []*ir.Value {
	switch v := v.(type) {
	case tensor:
		return []*ir.Value{v.v}
	case composite:
		var out []*ir.Value
		for _, e := range v.parts() {
			out = append(out, flatten(e)...)
		}
		return out
	}
	return nil
}

// rebuild makes a value like v out of other tensors and gives those that are left.
func rebuild(v value, from []*ir.Value) (value, []*ir.Value) {
	switch v := v.(type) {
	case tensor:
		return tensor{from[0]}, from[1:]
	case composite:
		out := mapParts(v, func(e value) value {
			e, from = rebuild(e, from)
			return e
		})
		return out, from
	}
	return v, from
}
