package host

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/interp/tensor"
)

// attrOf is object.name.
func (m *machine) attrOf(object Value, name string) Value {
	if v, ok := m.findAttr(object, name); ok {
		return v
	}
	raiseNoAttr(m, object, name)
	return nil
}

// attrAt is attrOf of a name of the text.
func (m *machine) attrAt(object Value, r *reference) Value {
	if o, ok := object.(*Instance); ok {
		if v, ok := o.attrs.load(r); ok {
			if at, _ := o.class.lookup(r); !is[*property](at) { // which the object's own attributes do not hide
				return v
			}
		}
	}
	return m.attrOf(object, r.name)
}

// setAttrAt is setAttr of a name of the text. Where the object's class says nothing about it, it is the object's own.
func (m *machine) setAttrAt(object Value, r *reference, v Value) {
	if o, ok := object.(*Instance); ok && !o.class.hasAny(r, setAttrName, slotsName) {
		m.budget.chargeItems(1)
		o.attrs.store(r, v)
		return
	}
	m.setAttr(object, r.name, v)
}

var setAttrName, slotsName = newReference("__setattr__"), newReference("__slots__")

// raiseNoAttr raises AttributeError. It is Python's own only where the whole of the type is known.
func raiseNoAttr(m *machine, object Value, name string) {
	var names []string
	what := fmt.Sprintf("'%s' object has no attribute '%s'", object.Type(), name)
	switch o := object.(type) {
	// What newt lacks of a library is newt's lack; only a name that the library itself lacks is its AttributeError.
	case *Library:
		if !torchLacks(o.name, name) {
			near, _ := diag.Nearest(name, sortedNames(o.members))
			raiseNear("AttributeError", near, "module '%s' has no attribute '%s'", o.name, name)
		}
		lack("AttributeError", o.name+"."+name, sortedNames(o.members))
	case Tensor:
		if !torchLacks("Tensor", name) {
			near, _ := diag.Nearest(name, tensorNames(m))
			raiseNear("AttributeError", near, "'Tensor' object has no attribute '%s'", name)
		}
		lack("AttributeError", "Tensor."+name, tensorNames(m))
	case *Class:
		if builtinClass(o) {
			lack("AttributeError", o.Name+"."+name, sortedNames(methodTables[o.Name]))
		}
		what = fmt.Sprintf("type object '%s' has no attribute '%s'", o.Name, name)
		names = o.attrs.names()
	case *Instance:
		names = append(o.attrs.names(), o.class.attrs.names()...)
	case *simpleNamespace:
		names = o.attrs.names()
	default:
		class := object.Type()
		// pythonMethods has the names of BaseException, which every exception inherits.
		if _, ok := o.(*Exception); ok {
			class = "BaseException"
		}
		names = sortedNames(methodTables[class])
		all, known := pythonMethods[class]
		// A name that Python's type has but newt does not is a lack. So is any name of a type whose names are not
		// listed.
		if !known && class != "getset_descriptor" || slices.Contains(strings.Fields(all), name) {
			lack("AttributeError", object.Type()+"."+name, names)
		}
	}
	near, _ := diag.Nearest(name, names)
	e := newException(exceptions["AttributeError"], python.Str(what))
	e.near = near
	// AttributeError.name and .obj, from which CPython computes its suggestion.
	e.attrs.put("name", python.Str(name))
	e.attrs.put("obj", object)
	panic(&raised{exception: e})
}

// findAttr is attr without the exception.
func (m *machine) findAttr(object Value, name string) (Value, bool) {
	switch o := object.(type) {
	case *Library:
		return m.modules.memberOfLibrary(o, name)
	case Tensor:
		return tensorAttr(m, o, name)
	case *Instance:
		return o.attr(m, name)
	case *Class:
		return o.attr(m, name)
	case *superObject:
		return o.attr(m, name)
	case *namespace:
		return o.attr(m, name)
	case *Exception:
		if v, ok := o.attrs.named(name); ok {
			return v, true
		}
		if v, ok := o.described(name); ok {
			return v, true
		}
		// SystemExit.code is its argument; None means success.
		if name == "code" && o.class.isA("SystemExit") {
			return arguments{positional: o.args}.at(0, none), true
		}
		if v, ok := o.class.find(name); ok {
			if p, ok := v.(*property); ok {
				return p.read(m, o, name), true
			}
			return bindMethod(v, o, o.class), true
		}
		if f, ok := exceptionMethods[name]; ok {
			return &Method{o, f}, true
		}
	case *Named:
		for i, f := range o.Fields {
			if f == name {
				return o.Items[i], true
			}
		}
		// A namedtuple of the script has the methods of its class, then those of tuple.
		if o.class != nil {
			if v, ok := o.class.find(name); ok {
				return bindMethod(v, o, o.class), true
			}
			if f, ok := methodTables["tuple"][name]; ok {
				return &Method{o, f}, true
			}
		}
	case *Dict:
		if o.kind != nil {
			if v, ok := o.kind.class.find(name); ok {
				return bindMethod(v, o, o.kind.class), true
			}
			if name == "default_factory" && o.kind.factory != nil {
				return o.kind.factory, true
			}
		}
	case *Limits:
		if v, ok := o.attrs[name]; ok {
			return v, true
		}
	case constexpr:
		if name == "value" {
			return o.value, true
		}
	}
	// Values that Go code makes come before the tables: their attributes may depend on the value.
	if o, ok := object.(attributed); ok {
		if v, ok := o.attr(m, name); ok {
			return v, true
		}
	}
	if v, ok := plainAttr(m, object, name); ok {
		return v, true
	}
	table := methodTables[object.Type()]
	if f, ok := table[name]; ok {
		return &Method{object, f}, true
	}
	// A class method such as dict.fromkeys is found through an object, too.
	if c, ok := typeOf(object).(*Class); ok && c.builtin {
		if v, ok := c.attrs.named(name); ok {
			return bindMethod(v, object, c), true
		}
	}
	return nil, false
}

// plainAttr finds the properties of functions, kernels, dtypes, slices and texts.
func plainAttr(m *machine, object Value, name string) (Value, bool) {
	if v, ok := numberParts(object, name); ok {
		return v, true
	}
	switch o := object.(type) {
	case *Function:
		if v, ok := o.attrs.named(name); ok {
			return v, true
		}
		switch {
		case name == "__name__":
			return python.Str(o.Name), true
		case name == "__qualname__":
			return python.Str(o.qualified), true
		case name == "__doc__" && o.def != nil:
			if o.def.Doc == "" {
				return none, true
			}
			return python.Str(o.def.Doc), true
		case name == "__dict__":
			o.attrs = cmp.Or(o.attrs, newDict())
			return o.attrs, true
		case name == "__module__":
			return o.frame.unit.space.vars.at("__name__"), true
		case name == "__globals__":
			return o.frame.unit.space.vars, true
		case name == "__annotations__":
			return o.annotations(), true
		case name == "__defaults__" || name == "__kwdefaults__":
			return o.defaultValues(name == "__kwdefaults__"), true
		case name == "__code__":
			return o.code(), true
		}
	case *Builtin:
		if name == "__name__" {
			return python.Str(o.Name), true
		}
	case *Method:
		if name == "__self__" {
			return o.self, true
		}
		// A bound method passes everything else on to its function, as its __getattribute__ does in CPython.
		return m.findAttr(o.function, name)
	case DType:
		info := num.DType(o).Info()
		switch name {
		case "itemsize":
			return intValue(info.Bytes), true
		case "is_floating_point":
			return python.Bool(info.Float), true
		case "is_signed":
			return python.Bool(info.Signed), true
		}
	case Slice:
		v, ok := map[string]Value{"start": o.Start, "stop": o.Stop, "step": o.Step}[name]
		return v, ok
	case Range:
		v, ok := map[string]Value{"start": python.NewInt(o.Start), "stop": python.NewInt(o.Stop),
			"step": python.NewInt(o.Step)}[name]
		return v, ok
	case Annotation:
		switch name {
		case "dtype":
			return DType(o.DType), true
		case "dim_str":
			return python.Str(o.Dims), true
		case "dtypes":
			return &List{Items: []Value{python.Str(tensor.TorchName(num.DType(o.DType)))}}, true
		case "dims":
			return annotationDims(m, o), true
		}
	}
	if name == "__class__" {
		return typeOf(object), true
	}
	return nil, false
}

// setAttr is object.name = v.
func (m *machine) setAttr(object Value, name string, v Value) {
	switch o := object.(type) {
	case *Instance:
		// A class's __setattr__ takes every assignment, also those that a property or a slot would take.
		if _, ok := m.callSpecial(o, "__setattr__", python.Str(name), v); !ok {
			setOwn(m, o, name, v)
		}
		return
	case *Function:
		o.attrs = cmp.Or(o.attrs, newDict())
		o.attrs.put(name, v)
		return
	case *Library: // the session's own, so that a script may put something in its place
		m.budget.chargeItems(1)
		o.members[name] = v
		return
	case *Class:
		// EnumType.__setattr__: members cannot be assigned to, other attributes can.
		if o.enum != nil {
			if _, member := o.member("__members__").(*Dict).named(name); member {
				raise("AttributeError", "cannot reassign member %s", Repr(python.Str(name)))
			}
		}
		if _, ok := m.callOwn(o, "__setattr__", python.Str(name), v); ok {
			return
		}
		refuseShared(o, name)
		o.attrs.put(name, v)
		return
	case *simpleNamespace:
		o.attrs.set(python.Str(name), v)
		return
	case *Exception:
		o.attrs.put(name, v)
		return
	case *namespace:
		o.vars.put(name, v)
		return
	case Tensor:
		ok, err := m.tensors.SetAttribute(o.Tensor, name, m.toTensorArgument(v))
		check(err)
		if ok {
			return
		}
	}
	raise("AttributeError", "'%s' object has no attribute '%s' that can be set", object.Type(), name)
}

func (m *machine) deleteAttr(object Value, name string) {
	switch o := object.(type) {
	case *Instance:
		// The order is CPython's: __delattr__, then a data descriptor of the class, then the object's own attributes.
		if f, ok := o.class.find("__delattr__"); ok {
			m.callWith(f, o, python.Str(name))
			return
		}
		if at, ok := o.class.find(name); ok {
			if p, ok := at.(*property); ok {
				p.remove(m, o, name)
				return
			}
		}
		if _, ok := o.attrs.remove(python.Str(name)); ok {
			return
		}
	case *Class:
		refuseShared(o, name)
		if _, ok := o.attrs.remove(python.Str(name)); ok {
			return
		}
	case *namespace:
		if _, ok := o.vars.remove(python.Str(name)); ok {
			return
		}
	}
	raiseNoAttr(m, object, name)
}

// refuseShared refuses to change a class that all sessions of the process share.
func refuseShared(c *Class, name string) {
	if builtinClass(c) || c.shared {
		raise("TypeError", "cannot set '%s' attribute of immutable type '%s'", name, c.Name)
	}
}

// dtypeNamed is torch.float32 and its like.
func dtypeNamed(name string) (Value, bool) {
	d, ok := tensor.DTypeNamed(name)
	return DType(d), ok
}
