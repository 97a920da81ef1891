package host

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/interp/tensor"
)

// objectClass is object, from which all classes derive.
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
			v := a.bound("str", "object=, encoding=, errors=")
			if v[1] != nil {
				return decodeBytes(mustBytes(given(v[0], Bytes(""))), m.strOf(v[1]),
					m.strOf(given(v[2], python.Str("strict"))))
			}
			if v[0] == nil {
				return python.Str("")
			}
			return python.Str(m.strOf(v[0]))
		}, has: is[python.Str]},
		{Name: "list", make: func(m *machine, a arguments) Value { return &List{copiedItems(m, "list", a)} },
			has: is[*List]},
		{Name: "tuple", make: func(m *machine, a arguments) Value { return Tuple(copiedItems(m, "tuple", a)) },
			has: func(v Value) bool { return is[Tuple](v) || is[Size](v) || is[*Named](v) }},
		{Name: "set", make: setOf, has: func(v Value) bool { s, ok := v.(*Set); return ok && !s.frozen }},
		{Name: "frozenset", make: frozenSetOf, has: func(v Value) bool { s, ok := v.(*Set); return ok && s.frozen }},
		{Name: "bytes", make: bytesOf, has: is[Bytes]},
		{Name: "bytearray", make: bytearrayOf, has: is[*ByteArray]},
		{Name: "memoryview", make: memoryViewOf, has: is[memoryView]},
		{Name: "complex", make: complexOf, has: is[Complex]},
		{Name: "dict", make: dictOf, has: is[*Dict]},
		{Name: "range", make: rangeOf, has: is[Range]},
		{Name: "slice", make: sliceOf, has: is[Slice]},
		{Name: "type", make: func(m *machine, a arguments) Value {
			if len(a.positional) == 3 {
				if meta := metaOf(m.itemsOf(a.positional[1])); meta != nil {
					return m.constructObject(meta, a)
				}
			}
			if len(a.positional) != 1 {
				return classOfArguments(m, typeClass, a)
			}
			a.want("type", 1, 1)
			return typeOf(a.positional[0])
		}, has: is[*Class]},
		objectClass,
	}
	typeClass = builtinTypes[len(builtinTypes)-2]
	objectClass.make = func(m *machine, a arguments) Value {
		a.want("object", 0, 0)
		return &Instance{class: &Class{Name: "object", attrs: newDict()}, attrs: newDict()}
	}
	objectClass.has = func(Value) bool { return true }
}

// torchTypes are the classes of torch that isinstance and annotations name.
var torchTypes []*Class

// parameterType and bufferType are torch.nn.Parameter and torch.nn.Buffer.
var parameterType, bufferType *Class

func makeTorchTypes() {
	parameterType = &Class{Name: "Parameter", attrs: newDict(), make: makeParameter, has: func(v Value) bool {
		t, ok := v.(Tensor)
		return ok && t.Parameter
	}}
	parameterType.define("__module__", python.Str("torch.nn.parameter"))
	bufferType = &Class{Name: "Buffer", attrs: newDict(), make: makeBuffer, has: func(v Value) bool {
		t, ok := v.(Tensor)
		return ok && t.Buffer
	}}
	bufferType.define("__module__", python.Str("torch.nn.parameter"))
	torchTypes = []*Class{
		{Name: "Tensor", make: legacyClass("FloatTensor").make, has: is[Tensor]},
		{Name: "Size", make: func(m *machine, a arguments) Value {
			a.want("Size", 0, 1)
			items := m.itemsOf(a.at(0, Tuple{}))
			for i, v := range items {
				if _, ok := python.AsInt(v); !ok {
					raise("TypeError", "torch.Size() takes an iterable of 'int' (item %d is '%s')", i, v.Type())
				}
			}
			return sizeOf(m, items)
		}, has: is[Size]},
		{Name: "dtype", make: refuseConstruction("dtype"), has: is[DType]},
		{Name: "device", make: makeDevice, has: is[Device]},
		{Name: "Generator", make: makeGenerator, has: is[*generator]},
	}
	for _, name := range tensor.LegacyNames() {
		torchTypes = append(torchTypes, legacyClass(name))
	}
}

// legacyClass is a class such as torch.FloatTensor: a constructor of tensors of one dtype, from sizes or from values.
func legacyClass(name string) *Class {
	d, _ := tensor.LegacyDType(name)
	return &Class{Name: name, make: func(m *machine, a arguments) Value {
		make := "empty"
		if len(a.positional) == 1 && !is[python.Int](a.positional[0]) {
			make = "tensor"
		}
		return callTorchWith(m, make, a.positional, keyword{"dtype", DType(d)})
	}, has: func(v Value) bool {
		t, ok := v.(Tensor)
		return ok && t.DType() == d && t.Device() == tensor.CPU
	}}
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
	case *Class:
		if x.meta != nil {
			return x.meta
		}
	case *Named:
		if x.class != nil {
			return x.class
		}
	case *Dict:
		if x.kind != nil {
			return x.kind.class
		}
	}
	if parameterType.has(v) {
		return parameterType
	}
	for _, list := range [][]*Class{torchTypes, builtinTypes} { // a torch.Size is a tuple, too
		for _, c := range list {
			if c != objectClass && c.has(v) {
				return c
			}
		}
	}
	return hiddenType(v.Type())
}

// hiddenTypes are the classes of Python's that have no name of their own, such as NoneType, once something has asked.
var hiddenTypes sync.Map // by name, *Class

func hiddenType(name string) *Class {
	c, _ := hiddenTypes.LoadOrStore(name, &Class{Name: name, attrs: newDict(), builtin: true,
		make: refuseConstruction(name), has: func(w Value) bool { return w.Type() == name }})
	return c.(*Class)
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
	if origin := originOf(of); origin != nil {
		of = origin
	}
	c, ok := of.(*Class)
	if !ok {
		if r, ok := m.callSpecial(of, "__instancecheck__", v); ok {
			return m.truthOf(r)
		}
		raise("TypeError", "isinstance() arg 2 must be a type, a tuple of types, or a union")
	}
	// A metaclass decides before the classes do (PEP 3119).
	if r, ok := m.callOwn(c, "__instancecheck__", v); ok {
		return m.truthOf(r)
	}
	switch x := v.(type) {
	case *Instance:
		if c == objectClass || x.class.inherits(c) || x.class.mixin == c {
			return true
		}
		// What a class can tell by the methods alone, such as collections.abc.Iterable.
		return c.has != nil && !c.builtin && c.has(v)
	case *Class:
		if x.meta != nil && x.meta.inherits(c) {
			return true
		}
	case *Exception:
		return c == objectClass || x.class.inherits(c)
	}
	// abc's register makes builtin classes count, too.
	if t, ok := typeOf(v).(*Class); ok && len(c.registered) > 0 && t.inherits(c) {
		return true
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
	if origin := originOf(a.positional[1]); origin != nil {
		d, both = origin, true
	}
	if !ok || !both {
		raise("TypeError", "issubclass() arguments must be classes")
	}
	if r, ok := m.callOwn(d, "__subclasscheck__", c); ok {
		return python.Bool(m.truthOf(r))
	}
	boolAsInt := c.Name == "bool" && c.builtin && d.Name == "int" && d.builtin
	return python.Bool(d == objectClass || c.inherits(d) || boolAsInt)
}

func intOf(m *machine, a arguments) Value {
	given := a.bound("int", "x=, base=")
	if given[0] == nil {
		given[0] = python.NewInt(0)
	}
	if given[1] != nil && !is[python.Str](plain(given[0])) {
		raise("TypeError", "int() can't convert non-string with explicit base")
	}
	switch v := plain(given[0]).(type) {
	case python.Int:
		return v
	case python.Bool:
		i, _ := python.AsInt(v)
		return i
	case python.Float:
		return must(v.Whole())
	case python.Str:
		if given[1] == nil {
			given[1] = intValue(10)
		}
		return must(python.Call("int", []Value{v, plain(given[1])}))
	case Bytes, *ByteArray:
		data, _ := bytesIn(v)
		return must(python.Call("int", []Value{python.Str(data)}))
	case Tensor:
		return intOf(m, arguments{positional: []Value{onlyElement(m, v)}})
	case *Instance:
		if r, ok := m.callSpecial(v, "__int__"); ok {
			return r
		}
	}
	// The order of PyNumber_Long: __int__, __index__, __trunc__.
	for _, name := range []string{"__index__", "__trunc__"} {
		if r, ok := m.callSpecial(given[0], name); ok {
			return r
		}
	}
	raise("TypeError", "int() argument must be a string, a bytes-like object or a real number, not '%s'",
		given[0].Type())
	return nil
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
		// Go's ParseFloat reads hexadecimal floats, Python's float() does not; past the range both give infinity.
		if err != nil && !math.IsInf(f, 0) || strings.ContainsAny(text, "xp") {
			raise("ValueError", "could not convert string to float: %s", python.Repr(v))
		}
		return python.Float(f)
	case Tensor:
		return floatOf(m, arguments{positional: []Value{onlyElement(m, v)}})
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
func onlyElement(m *machine, t Tensor) Value {
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

func frozenSetOf(m *machine, a arguments) Value {
	if s, ok := a.at(0, none).(*Set); ok && s.frozen && len(a.positional) == 1 {
		return s
	}
	s := setOf(m, a).(*Set)
	s.frozen = true
	return s
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
	if other, ok := plain(from).(*Dict); ok {
		m.budget.chargeItems(other.live)
		other.each(d.set)
		return
	}
	if m.eachEntry(from, d.set) {
		return
	}
	for i, pair := range m.itemsOf(from) {
		if !iterable(pair) {
			raise("TypeError", "cannot convert dictionary update sequence element #%d to a sequence", i)
		}
		kv := m.itemsOf(pair)
		if len(kv) != 2 {
			raise("ValueError", "dictionary update sequence element #%d has length %d; 2 is required", i, len(kv))
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
