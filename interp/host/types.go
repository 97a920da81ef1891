package host

import (
	"slices"
	"sync"

	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/interp/tensor"
)

// objectClass is object, from which all classes derive.
var objectClass = &Class{Name: "object"}

// objectSlots are those of objects of Go code without slots of their own, by the methods that they have.
var objectSlots = slots{
	hash: hashIdentity,
	repr: leaf(reprObject),
	str: func(p *printer, v Value) string {
		if s, ok := v.(stringer); ok {
			return s.str()
		}
		return p.repr(v, 0)
	},
}

// builtinTypes are Python's types that have a name everywhere, which are also functions that convert.
var builtinTypes = []*Class{intClass, floatClass, boolClass, strClass, listClass, tupleClass, setClass, frozenSetClass,
	bytesClass, bytearrayClass, memoryViewClass, complexClass, dictClass, rangeClass, sliceClass, typeClass, objectClass, propertyClass, staticMethodClass,
	classMethodClass}

func init() {
	objectClass.describe(typeRecord{
		make: laidOut("builtins", "object()", func(*machine, arguments) Value {
			return &Instance{class: &Class{Name: "object", attrs: newDict()}, attrs: newDict()}
		}),
		slots: objectSlots,
	})
	// Classes derive from object without having it in their lists, and find its methods in objectMethods.
	objectClass.attrs = newDict()
}

// typeOf is type(v): the class that has the slots of the value's type.
func typeOf(v Value) *Class {
	switch x := v.(type) {
	case *Instance:
		return x.class
	case python.Int:
		return intClass
	case python.Str:
		return strClass
	case python.Bool:
		return boolClass
	case python.Float:
		return floatClass
	case python.None:
		return noneClass
	case Tuple:
		return tupleClass
	case *List:
		return listClass
	case *Dict:
		if x.kind != nil {
			return x.kind.class
		}
		return dictClass
	case *Set:
		if x.frozen {
			return frozenSetClass
		}
		return setClass
	case Tensor:
		switch {
		case x.Parameter:
			return parameterType
		case x.Buffer:
			return bufferType
		}
		return tensorClass
	case Range:
		return rangeClass
	case Slice:
		return sliceClass
	case Ellipsis:
		return ellipsisClass
	case Bytes:
		return bytesClass
	case *ByteArray:
		return bytearrayClass
	case memoryView:
		return memoryViewClass
	case Complex:
		return complexClass
	case *dictView:
		return viewClasses[x.kind]
	case Size:
		return sizeClass
	case *Exception:
		return x.class
	case *Class:
		if x.meta == nil {
			return typeClass
		}
		return x.meta
	case *Named:
		if x.class != nil {
			return x.class
		}
		return hiddenType(x.Type(), namedClass)
	case *Iterator:
		return hiddenType(x.class, iteratorClass)
	case *coroutine:
		return generatorClass
	case constexpr:
		return constexprClass
	case DType:
		return dtypeClass
	case Device:
		return deviceClass
	case *generator:
		return randomGeneratorClass
	case *tileTuple:
		return tileTupleClass
	case *annotator:
		return annotatorClass
	case *Function:
		return functionClass
	case *Builtin:
		return builtinFunction
	case *property:
		if is[*Builtin](x.get) {
			return hiddenType(x.Type(), propertyClass)
		}
		return propertyClass
	case *descriptor:
		if x.kind == classMethodClass.Name {
			return classMethodClass
		}
		return staticMethodClass
	case *namespace, *Library:
		return moduleClass
	case launchable:
		return hiddenType(x.Type(), launchableClass)
	case Text: // of modules for annotations, which may be subscripted
		return hiddenType(x.Type(), subscriptedClass)
	}
	return hiddenType(v.Type(), nil)
}

// hiddenTypes are the classes that have no name of their own, such as that of functions, once something has asked.
var hiddenTypes sync.Map // by name, *Class

// hiddenType is such a class, which derives from one that has its slots; object's are those of nil.
func hiddenType(name string, base *Class) *Class {
	if c, ok := hiddenTypes.Load(name); ok {
		return c.(*Class)
	}
	c := &Class{Name: name, attrs: newDict(), builtin: true, make: refuseConstruction(name)}
	if base != nil {
		c.bases = []*Class{base}
	}
	first, _ := hiddenTypes.LoadOrStore(name, c)
	return first.(*Class)
}

// subscriptedClass has the slots of values that a subscript leaves as they are.
var subscriptedClass = &Class{Name: "object"}

func init() {
	record := objectSlots
	record.item = itself
	subscriptedClass.describe(typeRecord{slots: record})
}

// The classes of torch that isinstance and annotations name.
var (
	tensorClass          = &Class{Name: "Tensor"}
	dtypeClass           = &Class{Name: "dtype"}
	deviceClass          = &Class{Name: "device"}
	randomGeneratorClass = &Class{Name: "Generator"}
	parameterType        = &Class{Name: "Parameter", bases: []*Class{tensorClass}}
	bufferType           = &Class{Name: "Buffer", bases: []*Class{tensorClass}}
	torchTypes           []*Class
)

func init() {
	for c, make := range map[*Class]method{
		parameterType: laidOut("", "Parameter(data=..., requires_grad=True)", makeParameter),
		bufferType:    laidOut("", "Buffer(data=..., *, persistent=True)", makeBuffer)} {
		c.describe(typeRecord{make: make, slots: *tensorClass.record})
		c.define("__module__", python.Str("torch.nn.parameter"))
	}
	randomGeneratorClass.describe(typeRecord{make: laidOut("", "Generator(device='cpu')", makeGenerator),
		slots: objectSlots, methods: generatorMethods()})
	deviceClass.describe(typeRecord{make: laidOut("", "device(type, index=...)", makeDevice), slots: objectSlots})
	dtypeClass.describe(typeRecord{make: refuseConstruction("dtype"), slots: objectSlots})
	torchTypes = []*Class{tensorClass, sizeClass, dtypeClass, deviceClass, randomGeneratorClass}
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

// isInstance is isinstance(v, class or tuple of classes).
func (m *machine) isInstance(v, of Value) bool {
	if list, ok := of.(Tuple); ok {
		m.budget.enterLevel()
		found := slices.ContainsFunc(list, func(c Value) bool { return m.isInstance(v, c) })
		m.budget.leaveLevel()
		return found
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
	return c.hasInstance(v)
}

// hasInstance is type.__instancecheck__.
func (c *Class) hasInstance(v Value) bool {
	if c == objectClass || typeOf(v).inherits(c) || c == typeClass && is[*Class](v) {
		return true
	}
	// What a class can tell by the value alone, such as collections.abc.Callable.
	return c.has != nil && c.has(v)
}

func builtinIssubclass(m *machine, a arguments) Value {
	c, ok := a.positional[0].(*Class)
	if list, several := a.positional[1].(Tuple); several {
		return python.Bool(slices.ContainsFunc(list, func(d Value) bool {
			return bool(builtinIssubclass(m, arguments{positional: []Value{c, d}}).(python.Bool))
		}))
	}
	d, both := a.positional[1].(*Class)
	if !ok {
		raise("TypeError", "issubclass() arg 1 must be a class")
	}
	if !both {
		if r, ok := m.callSpecial(a.positional[1], "__subclasscheck__", c); ok {
			return python.Bool(m.truthOf(r))
		}
		raise("TypeError", "issubclass() arg 2 must be a class, a tuple of classes, or a union")
	}
	if r, ok := m.callOwn(d, "__subclasscheck__", c); ok {
		return python.Bool(m.truthOf(r))
	}
	return python.Bool(d == objectClass || c.inherits(d))
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

// callTorchWith runs an operation of torch with keywords.
func callTorchWith(m *machine, name string, args []Value, keywords ...keyword) Value {
	return m.callValue(m.libraryModule("torch").members[name], arguments{args, keywords})
}
