package host

import (
	"fmt"
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler/diag"
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
			if at, _ := o.class.lookup(r); setterOf(at) == nil { // which the object's own attributes do not hide
				return v
			}
		}
	}
	return m.attrOf(object, r.name)
}

// setAttrAt is setAttr of a name of the text. Where the object's class says nothing about it, it is the object's own.
func (m *machine) setAttrAt(object Value, r *reference, v Value) {
	if o, ok := object.(*Instance); ok && !o.class.slots().guarded {
		if _, taken := o.class.lookup(r); !taken {
			m.budget.chargeItems(1)
			o.attrs.store(r, v)
			return
		}
	}
	m.setAttr(object, r.name, v)
}

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
			lack("AttributeError", o.Name+"."+name, o.attrs.names())
		}
		what = fmt.Sprintf("type object '%s' has no attribute '%s'", o.Name, name)
		names = o.attrs.names()
	case *Instance:
		names = append(o.attrs.names(), o.class.attrs.names()...)
	case *namespace:
		what = fmt.Sprintf("module '%s' has no attribute '%s'", o.name, name)
		names = o.names()
	default:
		class := object.Type()
		// Every exception has the attributes of BaseException.
		if _, ok := o.(*Exception); ok {
			class = "BaseException"
		}
		names = typeOf(object).attrs.names()
		lacked, known := wholeTypes[class]
		// So is any name of a type that may not be whole.
		if !known && class != "getset_descriptor" || slices.Contains(strings.Fields(lacked), name) {
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

// findAttr is attr without the exception: what the object knows itself, then what its class has.
func (m *machine) findAttr(object Value, name string) (Value, bool) {
	switch o := object.(type) {
	case *Instance: // whose attributes are not all that its class has
		return o.attr(m, name)
	case *Class:
		return o.attr(m, name)
	case *superObject:
		return o.attr(m, name)
	case attributed:
		if v, ok := o.attr(m, name); ok {
			return v, true
		}
	}
	c := typeOf(object)
	if name == "__class__" {
		return c, true
	}
	v, ok := c.find(name)
	if !ok {
		return nil, false
	}
	return m.bound(v, object, c), true
}

// setAttr is object.name = v.
func (m *machine) setAttr(object Value, name string, v Value) {
	o, ok := object.(settable)
	if ok && o.setAttr(m, name, v) || !ok && m.setBySlot(typeOf(object), object, name, v) {
		return
	}
	raise("AttributeError", "'%s' object has no attribute '%s'", object.Type(), name)
}

// deleteAttr is del object.name.
func (m *machine) deleteAttr(object Value, name string) {
	if o, ok := object.(deletable); !ok || !o.deleteAttr(m, name) {
		raiseNoAttr(m, object, name)
	}
}

// dtypeNamed is torch.float32 and its like.
func dtypeNamed(name string) (Value, bool) {
	d, ok := tensor.DTypeNamed(name)
	return DType(d), ok
}
