package host

import (
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler/lower"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/compiler/syntax"
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
		qualified string              // with the functions and classes around it, as messages name it
		def       *syntax.FunctionDef // nil for a lambda
		node      syntax.Node
		params    *syntax.Params
		defaults  []Value // by parameter, nil if there is none
		body      []syntax.Stmt
		result    syntax.Expr // a lambda's body
		frame     *frame      // where it was defined
		yields    bool
		class     *Class          // whose method it is, for super()
		compiled  *lower.Function // for kernels that call it; nil until one looks
		attrs     *Dict           // what the program has set; nil if nothing
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

func intValue(i int) Value { return python.NewInt(int64(i)) }

// Dict is a dict: its keys in the order of insertion.
type Dict struct {
	index map[any]int
	keys  []Value
	items []Value
	live  int
	kind  *dictClass // of a class of collections; nil for dict itself
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

func newDict() *Dict { return &Dict{index: map[any]int{}} }
func newSet() *Set   { return &Set{Dict: *newDict()} }

// maxHashDepth is how deeply tuples may nest in a key.
const maxHashDepth = 100

// hashKey is a Go value that is equal for equal Python values.
func hashKey(v Value) any { return hashAt(v, 0) }

func hashAt(v Value, depth int) any {
	if depth > maxHashDepth {
		raise("RecursionError", "maximum recursion depth exceeded while hashing a tuple")
	}
	switch v := v.(type) {
	case python.Bool, python.Int:
		// True, 1 and 1.0 are one key.
		i, _ := python.AsInt(v)
		if n, ok := i.Int64(); ok {
			return n
		}
		return i.String()
	case python.Float:
		if whole, err := v.Whole(); err == nil && float64(v) == float64(int64(v)) {
			return hashKey(whole)
		}
		return float64(v)
	case python.Str:
		return v
	case python.None, DType, TritonDType, Ellipsis, Range, Text:
		return v
	case Tuple:
		var key strings.Builder
		for _, x := range v {
			// A text of the items' keys: a Go slice cannot be the key of a map.
			key.WriteString(keyText(hashAt(x, depth+1)) + ",")
		}
		return tupleKey("(" + key.String() + ")")
	case Size:
		return hashAt(v.tuple(), depth)
	case *Named:
		return hashAt(v.Items, depth)
	case Complex:
		// 2+0j, 2.0 and 2 are one key.
		if imag(v) == 0 {
			return hashAt(python.Float(real(v)), depth)
		}
		return v
	case *Class: // which hashes by identity, whatever its metaclass says
		return v
	case *Instance:
		if x, ok := heldOf(v); ok {
			// A class of the script derived from a builtin hashes as it says, otherwise as what it holds.
			if own, _ := v.class.findOwn("__hash__"); is[*Function](own) {
				return instanceKey(v)
			}
			if sameObject(x) && !frozen(x) {
				raise("TypeError", "unhashable type: '%s'", v.Type())
			}
			return hashAt(x, depth)
		}
		if v.class.fields != nil {
			return dataKey(v, depth)
		}
	case constexpr:
		return hashAt(v.value, depth)
	case *Set:
		if v.frozen {
			keys := make([]string, 0, v.live)
			v.each(func(k, _ Value) { keys = append(keys, keyText(hashAt(k, depth+1))) })
			slices.Sort(keys) // the order of insertion does not count
			return tupleKey("{" + strings.Join(keys, ",") + "}")
		}
		raise("TypeError", "unhashable type: 'set'")
	case *List, *Dict, Slice, *ByteArray, *dictView:
		raise("TypeError", "unhashable type: '%s'", v.Type())
	}
	if o, ok := v.(*Instance); ok {
		return instanceKey(o)
	}
	return v
}

// frozen reports whether a value is a frozenset.
func frozen(v Value) bool { s, ok := v.(*Set); return ok && s.frozen }

// instanceKey is the object that stands for all that are equal to it, where its class says what is equal.
func instanceKey(o *Instance) any {
	f, ok := o.class.find("__hash__")
	fn, own := f.(*Function)
	if !ok || f == none {
		// A class with __eq__ and without __hash__ has unhashable objects.
		eq, _ := o.class.find("__eq__")
		if _, compares := eq.(*Function); compares {
			raise("TypeError", "unhashable type: '%s'", o.Type())
		}
		return o
	}
	if !own { // of a class written in Go: identity
		return o
	}
	m := fn.frame.m
	hash := m.callValue(fn, arguments{positional: []Value{o}})
	h := hashKey(hash)
	if m.equalValues(o, hash) { // a number of another class: Fraction(2) is the key 2
		return h
	}
	// Go's maps compare by ==: of the objects that are equal to each other, one is the key for all.
	for _, known := range m.equals[h] {
		if known == o || m.equalValues(known, o) {
			return known
		}
	}
	m.budget.chargeItems(1)
	m.equals[h] = append(m.equals[h], o)
	return o
}

type tupleKey string

// get is the value of a key. A nil dict is empty: the attributes of a builtin class.
func (d *Dict) get(key Value) (Value, bool) {
	if d == nil {
		return nil, false
	}
	i, ok := d.index[hashKey(key)]
	if !ok {
		return nil, false
	}
	return d.items[i], true
}

func (d *Dict) set(key, v Value) {
	h := hashKey(key)
	if i, ok := d.index[h]; ok {
		d.items[i] = v
		return
	}
	// Keys stay in the order of their first assignment, and keep their place when they are assigned again.
	d.index[h] = len(d.keys)
	d.keys, d.items = append(d.keys, key), append(d.items, v)
	d.live++
}

// named is the value of a key that is a str, such as the name of a variable or an attribute.
func (d *Dict) named(name string) (Value, bool) { return d.get(python.Str(name)) }

// at is named, nil where there is none.
func (d *Dict) at(name string) Value {
	v, _ := d.named(name)
	return v
}

// put sets the value of a name.
func (d *Dict) put(name string, v Value) { d.set(python.Str(name), v) }

// names lists the keys that are strs, in order.
func (d *Dict) names() []string {
	if d == nil {
		return nil
	}
	out := make([]string, 0, d.live)
	d.each(func(k, _ Value) {
		if s, ok := k.(python.Str); ok {
			out = append(out, string(s))
		}
	})
	return out
}

// namesOf is the dict of a Go map, in the order of the names.
func namesOf(m map[string]Value) *Dict {
	d := newDict()
	for _, name := range sortedNames(m) {
		d.put(name, m[name])
	}
	return d
}

func (d *Dict) remove(key Value) (Value, bool) {
	h := hashKey(key)
	i, ok := d.index[h]
	if !ok {
		return nil, false
	}
	v := d.items[i]
	delete(d.index, h)
	d.keys[i], d.items[i] = nil, nil
	d.live--
	// Removed keys leave holes, so that the order of the others is kept; half holes are too many.
	if len(d.keys) > 16 && d.live < len(d.keys)/2 {
		d.compact()
	}
	return v, true
}

// compact drops the places of removed keys.
func (d *Dict) compact() {
	keys, items := d.keys, d.items
	*d = *newDict()
	for i, k := range keys {
		if k != nil {
			d.set(k, items[i])
		}
	}
}

// each visits the entries in order.
func (d *Dict) each(visit func(k, v Value)) {
	for i, k := range d.keys {
		if k != nil {
			visit(k, d.items[i])
		}
	}
}

func (d *Dict) list() []Value {
	out := make([]Value, 0, d.live)
	d.each(func(k, _ Value) { out = append(out, k) })
	return out
}

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
