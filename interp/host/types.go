package host

import (
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/interp/tensor"
)

// objectClass is object, the only builtin type besides exceptions that classes derive from.
var objectClass = &Class{Name: "object"}

// builtinTypes are Python's types, which are also functions that convert.
var builtinTypes []*Class

func makeTypes() {
	builtinTypes = []*Class{
		{Name: "int", make: intOf, has: is[python.Int]},
		{Name: "float", make: floatOf, has: is[python.Float]},
		{Name: "bool", make: func(m *machine, a arguments) Value {
			a.want("bool", 0, 1)
			return python.Bool(m.truthOf(a.at(0, none)))
		}, has: is[python.Bool]},
		{Name: "str", make: func(m *machine, a arguments) Value {
			a.want("str", 0, 1)
			return python.Str(m.strOf(a.at(0, python.Str(""))))
		}, has: is[python.Str]},
		{Name: "list", make: func(m *machine, a arguments) Value { return &List{copiedItems(m, "list", a)} },
			has: is[*List]},
		{Name: "tuple", make: func(m *machine, a arguments) Value { return Tuple(copiedItems(m, "tuple", a)) },
			has: func(v Value) bool { return is[Tuple](v) || is[Size](v) || is[*Named](v) }},
		{Name: "set", make: setOf, has: is[*Set]},
		{Name: "frozenset", make: setOf, has: is[*Set]},
		{Name: "dict", make: dictOf, has: is[*Dict]},
		{Name: "range", make: rangeOf, has: is[Range]},
		{Name: "slice", make: sliceOf, has: is[Slice]},
		{Name: "type", make: func(m *machine, a arguments) Value {
			if len(a.positional) == 3 {
				return dynamicClass(m, a)
			}
			a.want("type", 1, 1)
			return typeOf(a.positional[0])
		}, has: is[*Class]},
		objectClass,
	}
	objectClass.make = func(m *machine, a arguments) Value {
		a.want("object", 0, 0)
		return &Instance{class: &Class{Name: "object", attrs: newDict()}, attrs: newDict()}
	}
	objectClass.has = func(Value) bool { return true }
}

// torchTypes are the classes of torch that isinstance and annotations name.
var torchTypes []*Class

func makeTorchTypes() {
	torchTypes = []*Class{
		{Name: "Tensor", make: func(m *machine, a arguments) Value { return m.callTorch("tensor", a.positional...) },
			has: is[Tensor]},
		{Name: "Size", make: func(m *machine, a arguments) Value {
			a.want("Size", 1, 1)
			return sizeOf(m, m.itemsOf(a.positional[0]))
		}, has: is[Size]},
		{Name: "dtype", make: refuseConstruction("dtype"), has: is[DType]},
		{Name: "device", make: makeDevice, has: is[Device]},
		{Name: "Generator", make: makeGenerator, has: is[*generator]},
	}
}

func refuseConstruction(name string) func(m *machine, a arguments) Value {
	return func(*machine, arguments) Value {
		raise("TypeError", "cannot create '%s' instances", name)
		return nil
	}
}

func is[T any](v Value) bool {
	_, ok := v.(T)
	return ok
}

// typeOf is type(v).
func typeOf(v Value) Value {
	switch x := v.(type) {
	case *Instance:
		return x.class
	case *Exception:
		return x.class
	case *Named:
		if x.class != nil {
			return x.class
		}
	case *Dict:
		if x.kind != nil {
			return x.kind.class
		}
	}
	for _, list := range [][]*Class{builtinTypes, torchTypes} {
		for _, c := range list {
			if c != objectClass && c.has(v) {
				return c
			}
		}
	}
	return &Class{Name: v.Type(), attrs: newDict(), make: refuseConstruction(v.Type()),
		has: func(w Value) bool { return w.Type() == v.Type() }}
}

// isInstance is isinstance(v, class or tuple of classes).
func (m *machine) isInstance(v, of Value) bool {
	if list, ok := of.(Tuple); ok {
		m.budget.enterLevel()
		found := slices.ContainsFunc(list, func(c Value) bool { return m.isInstance(v, c) })
		m.budget.leaveLevel()
		return found
	}
	if list, ok := unionArgs(of); ok {
		return m.isInstance(v, list)
	}
	c, ok := of.(*Class)
	if !ok {
		raise("TypeError", "isinstance() arg 2 must be a type, a tuple of types, or a union")
	}
	switch x := v.(type) {
	case *Instance:
		return c == objectClass || x.class.inherits(c) || x.class.mixin == c
	case *Exception:
		return c == objectClass || x.class.inherits(c)
	}
	return c.has != nil && (c.has(v) || c.Name == "int" && is[python.Bool](v))
}

func builtinIssubclass(m *machine, a arguments) Value {
	a.want("issubclass", 2, 2)
	c, ok := a.positional[0].(*Class)
	if list, several := a.positional[1].(Tuple); several {
		return python.Bool(slices.ContainsFunc(list, func(d Value) bool {
			return bool(builtinIssubclass(m, arguments{positional: []Value{c, d}}).(python.Bool))
		}))
	}
	d, both := a.positional[1].(*Class)
	if !ok || !both {
		raise("TypeError", "issubclass() arguments must be classes")
	}
	return python.Bool(d == objectClass || c.inherits(d))
}

func intOf(m *machine, a arguments) Value {
	a.want("int", 0, 2)
	switch v := plain(a.at(0, python.NewInt(0))).(type) {
	case python.Int:
		return v
	case python.Bool:
		i, _ := python.AsInt(v)
		return i
	case python.Float:
		return must(v.Whole())
	case python.Str:
		return intFromText(string(v), int(asIndex(a.at(1, intValue(10)))))
	case Tensor:
		return intOf(m, arguments{positional: []Value{m.onlyElement(v)}})
	case *Instance:
		if r, ok := m.callSpecial(v, "__int__"); ok {
			return r
		}
	}
	raise("TypeError", "int() argument must be a string or a real number, not '%s'", a.positional[0].Type())
	return nil
}

func intFromText(text string, base int) Value {
	digits := strings.ReplaceAll(strings.TrimSpace(text), "_", "")
	b, ok := new(big.Int).SetString(digits, base)
	if base != 0 && (base < 2 || base > 36) || !ok || len(digits) > 1<<13 {
		raise("ValueError", "invalid literal for int() with base %d: %s", base, python.Repr(python.Str(text)))
	}
	return must(python.NewBig(b))
}

func floatOf(m *machine, a arguments) Value {
	a.want("float", 0, 1)
	switch v := plain(a.at(0, python.Float(0))).(type) {
	case python.Str:
		text := strings.ToLower(strings.TrimSpace(string(v)))
		switch strings.TrimPrefix(strings.TrimPrefix(text, "+"), "-") {
		case "inf", "infinity":
			return python.Float(math.Inf(map[bool]int{true: -1, false: 1}[strings.HasPrefix(text, "-")]))
		case "nan":
			return python.Float(math.NaN())
		}
		f, err := strconv.ParseFloat(strings.ReplaceAll(text, "_", ""), 64)
		if err != nil && !math.IsInf(f, 0) || strings.ContainsAny(text, "xp") {
			raise("ValueError", "could not convert string to float: %s", python.Repr(v))
		}
		return python.Float(f)
	case Tensor:
		return floatOf(m, arguments{positional: []Value{m.onlyElement(v)}})
	default:
		if o, ok := v.(*Instance); ok {
			if r, ok := m.callSpecial(o, "__float__"); ok {
				return r
			}
		}
		f, ok, err := python.AsFloat(v)
		if !ok {
			raise("TypeError", "float() argument must be a string or a real number, not '%s'", v.Type())
		}
		return must(python.Float(f), err)
	}
}

// onlyElement is the element of a tensor that int() and float() convert.
func (m *machine) onlyElement(t Tensor) Value {
	if t.Numel() != 1 {
		raise("ValueError", "only one element tensors can be converted to Python scalars")
	}
	return m.tensorMethod(t, "item")
}

func copiedItems(m *machine, name string, a arguments) []Value {
	a.want(name, 0, 1)
	if len(a.positional) == 0 {
		return nil
	}
	items := m.itemsOf(a.positional[0])
	m.budget.chargeItems(len(items))
	return slices.Clone(items)
}

func setOf(m *machine, a arguments) Value {
	s := newSet()
	for _, v := range copiedItems(m, "set", a) {
		s.set(v, none)
	}
	return s
}

func dictOf(m *machine, a arguments) Value {
	d := newDict()
	if len(a.positional) > 1 {
		raise("TypeError", "dict expected at most 1 argument, got %d", len(a.positional))
	}
	if len(a.positional) == 1 {
		updateDict(m, d, a.positional[0])
	}
	for _, k := range a.keywords {
		d.set(python.Str(k.name), k.value)
	}
	m.budget.chargeItems(d.live)
	return d
}

// updateDict adds a mapping's entries, or pairs, to d.
func updateDict(m *machine, d *Dict, from Value) {
	if other, ok := from.(*Dict); ok {
		m.budget.chargeItems(other.live)
		other.each(d.set)
		return
	}
	for _, pair := range m.itemsOf(from) {
		kv := m.unpackableItems(pair)
		if len(kv) != 2 {
			raise("ValueError", "dictionary update sequence element has length %d; 2 is required", len(kv))
		}
		d.set(kv[0], kv[1])
	}
}

func rangeOf(m *machine, a arguments) Value {
	a.want("range", 1, 3)
	n := make([]int64, len(a.positional))
	for i, v := range a.positional {
		n[i] = asIndex(v)
	}
	r := Range{0, n[0], 1}
	if len(n) > 1 {
		r = Range{n[0], n[1], 1}
	}
	if len(n) > 2 {
		r.Step = n[2]
	}
	if r.Step == 0 {
		raise("ValueError", "range() arg 3 must not be zero")
	}
	return r
}

func sliceOf(m *machine, a arguments) Value {
	a.want("slice", 1, 3)
	switch p := a.positional; len(p) {
	case 1:
		return Slice{none, p[0], none}
	case 2:
		return Slice{p[0], p[1], none}
	default:
		return Slice{p[0], p[1], p[2]}
	}
}

// torchMembers lists what torch itself offers, for its module.
func torchMembers(ops *tensor.Operations) map[string]Value {
	members := map[string]Value{}
	for _, name := range ops.Names(tensor.InTorch) {
		op, _ := ops.Lookup(tensor.InTorch, name)
		members[name] = operation(op)
	}
	for _, name := range tensor.DTypeNames() {
		members[name], _ = dtypeNamed(name)
	}
	for _, c := range torchTypes {
		members[c.Name] = c
	}
	return members
}
