package host

import (
	"github.com/newtlab/newt/compiler/lower"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/interp/tensor"
)

// Value is any Python object. Scalars and tuples are those of package python.
type Value = python.Value

// Tuple is a Python tuple.
type Tuple = python.Tuple

// The values beyond scalars and tuples.
type (
	// List is a list.
	List struct{ Items []Value }
	// Range is range(Start, Stop, Step).
	Range struct{ Start, Stop, Step int64 }
	// Slice is start:stop:step; None where left out.
	Slice struct{ Start, Stop, Step Value }
	// Ellipsis is "...".
	Ellipsis struct{}
	// Tensor is torch.Tensor.
	Tensor struct{ *tensor.Tensor }
	// DType is torch.dtype.
	DType num.DType
	// TritonDType is triton.language's dtype.
	TritonDType num.DType
	// Size is torch.Size.
	Size []int
	// Named is one of torch.return_types, or an object of a namedtuple's class.
	Named struct {
		Name   string
		Fields []string
		Items  Tuple
		class  *Class // of collections.namedtuple; nil for those of torch
	}
	// Text is an object that only matters for how it prints, such as torch.device: its class and text.
	Text struct{ Class, Text string }
	// Iterator yields values once; next reports false at the end.
	Iterator struct {
		class string
		next  func() (Value, bool)
	}
	// Builtin is a function written in Go.
	Builtin struct {
		Name string
		call func(m *machine, a arguments) Value
	}
	// Library is an importable module.
	Library struct {
		name    string
		members map[string]Value
	}
	// Function is a def or a lambda.
	Function struct {
		Name      string
		qualified string // with the functions and classes around it, as messages name it
		*functionCode
		defaults []Value         // by parameter, nil if there is none
		frame    *frame          // where it was defined
		class    *Class          // whose method it is, for super()
		compiled *lower.Function // for kernels that call it; nil until one looks
		attrs    *Dict           // what the program has set; nil if nothing
		grad     *gradMode       // of torch.no_grad and its like, in which it runs; nil for none
	}
	// Method is a function bound to its first argument.
	Method struct {
		self     Value
		function Value
	}
	// Annotation is a jaxtyping annotation such as Float32[Tensor, "4 200"].
	Annotation struct {
		DType num.DType
		Dims  string
	}
	// annotator is Float32 itself.
	annotator struct {
		name  string
		dtype num.DType
	}
	// constexpr is triton.language.constexpr(value).
	constexpr struct{ value Value }
	// property, static and class methods of classes.
	descriptor struct {
		kind     string
		function Value
	}
)

// Type, here and below, is the name of the Python class.
func (*List) Type() string       { return "list" }
func (Range) Type() string       { return "range" }
func (Slice) Type() string       { return "slice" }
func (Ellipsis) Type() string    { return "ellipsis" }
func (Tensor) Type() string      { return "Tensor" }
func (DType) Type() string       { return "torch.dtype" }
func (TritonDType) Type() string { return "triton.language.dtype" }
func (Size) Type() string        { return "torch.Size" }
func (t Text) Type() string      { return t.Class }
func (i *Iterator) Type() string { return i.class }
func (*Builtin) Type() string    { return "builtin_function_or_method" }
func (*Library) Type() string    { return "module" }
func (*Function) Type() string   { return "function" }
func (Annotation) Type() string  { return "annotation" }
func (*annotator) Type() string  { return "type" }
func (constexpr) Type() string   { return "constexpr" }
func (*descriptor) Type() string { return "descriptor" }

// Type is the name of the class: Python tells its own methods apart.
func (b *Method) Type() string {
	if is[*Builtin](b.function) {
		return "builtin_function_or_method"
	}
	return "method"
}

// Type is the name of the class.
func (n *Named) Type() string {
	if n.class != nil {
		return n.Name
	}
	return "torch.return_types." + n.Name
}

var none = python.None{}

func intValue(i int) Value { return python.IntValue(int64(i)) }

// Dict is a dict.
type Dict struct {
	entries []entry // in the order of insertion
	index   []int32 // 1<<bits slots of 1 + the place of an entry, 0 where there is none; nil of a small dict
	bits    int
	used    int        // entries that the index has had since it was made
	head    int        // no key is before it
	live    int        // how many keys there are
	kind    *dictClass // of a class of collections; nil for dict itself
}

// entry is a key, nil where it was removed, with its value.
type entry struct {
	key, value Value
	hash       int64
}

// Set is a set or a frozenset, kept as a dict without values.
type Set struct {
	Dict
	frozen bool
}

func (*Dict) Type() string { return "dict" }

// Type is the name of the class.
func (s *Set) Type() string {
	if s.frozen {
		return "frozenset"
	}
	return "set"
}

func newDict() *Dict { return &Dict{} }
func newSet() *Set   { return &Set{} }

func (s Size) tuple() Tuple {
	out := make(Tuple, len(s))
	for i, n := range s {
		out[i] = intValue(n)
	}
	return out
}

func (r Range) length() int {
	switch {
	case r.Step > 0 && r.Start < r.Stop:
		// Unsigned: the difference of two int64 may not fit one.
		return int((uint64(r.Stop)-uint64(r.Start)-1)/uint64(r.Step)) + 1
	case r.Step < 0 && r.Start > r.Stop:
		return int((uint64(r.Start)-uint64(r.Stop)-1)/-uint64(r.Step)) + 1
	}
	return 0
}
