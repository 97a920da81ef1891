package host

import (
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/interp/tensor"
)

// Value is any Python object. Scalars and tuples are those of package python.
type Value = python.Value

// The values beyond scalars and tuples.
type (
	// Tensor is torch.Tensor.
	Tensor struct{ *tensor.Tensor }
	// DType is torch.dtype.
	DType num.DType
	// TritonDType is triton.language's dtype.
	TritonDType num.DType
	// Text is an object that only matters for how it prints, such as torch.device: its class and text.
	Text struct{ Class, Text string }
	// Library is an importable module.
	Library struct {
		name    string
		members map[string]Value
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
)

// Type, here and below, is the name of the Python class.
func (Tensor) Type() string      { return "Tensor" }
func (DType) Type() string       { return "torch.dtype" }
func (TritonDType) Type() string { return "triton.language.dtype" }
func (t Text) Type() string      { return t.Class }
func (*Library) Type() string    { return "module" }
func (Annotation) Type() string  { return "annotation" }
func (*annotator) Type() string  { return "type" }
func (constexpr) Type() string   { return "constexpr" }

var none = python.None{}

func intValue(i int) Value { return python.IntValue(int64(i)) }

// Dict is a dict.
type Dict struct {
	entries []entry // in the order of insertion
	index   []int32 // 1<<bits slots of 1 + the place of an entry, 0 where there is none; nil of a small dict
	bits    int
	used    int       // entries that the index has had since it was made
	head    int       // no key is before it
	live    int       // how many keys there are
	moved   int       // how often a key has lost its place
	kind    *dictKind // of a class of collections; nil for dict itself
}

// entry is a key, nil where it was removed, with its value.
type entry struct {
	key, value Value
	hash       int64
}

func (*Dict) Type() string { return "dict" }

func newDict() *Dict { return &Dict{} }

// The reprs of values whose types have no slots of their own.

func (t Text) repr() string     { return t.Text }
func (l *Library) repr() string { return "<module '" + l.name + "'>" }

// The attributes of values whose types have no file of their own.

func (l *Library) attr(m *machine, name string) (Value, bool) {
	if v, ok := m.modules.memberOfLibrary(l, name); ok {
		return v, ok
	}
	switch name {
	case "__name__":
		return python.Str(l.name), true
	case "__dict__": // as it is now: to change it changes no module
		m.budget.chargeItems(len(l.members))
		return namesOf(l.members), true
	}
	return nil, false
}

// setAttr changes the session's own module, so that a script may put something in a member's place.
func (l *Library) setAttr(m *machine, name string, v Value) bool {
	m.budget.chargeItems(1)
	l.members[name] = v
	return true
}

func (d DType) repr() string { return "torch." + tensor.TorchName(num.DType(d)) }

func (d DType) attr(_ *machine, name string) (Value, bool) {
	info := num.DType(d).Info()
	v, ok := map[string]Value{"itemsize": intValue(info.Bytes), "is_floating_point": python.Bool(info.Float),
		"is_signed": python.Bool(info.Signed), "is_complex": python.Bool(num.DType(d) >= num.NumDTypes)}[name]
	return v, ok
}
