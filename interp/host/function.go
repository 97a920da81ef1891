package host

import (
	"cmp"

	"github.com/newtlab/newt/compiler/lower"
	"github.com/newtlab/newt/compiler/python"
)

type (
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
	// Builtin is a function written in Go.
	Builtin struct {
		Name   string
		call   method
		params func() parameters // nil of one that lays its arguments out itself
		module bool              // it is a module's: as an attribute of a class it is not bound, having no __get__
	}
	// Method is a function bound to its first argument.
	Method struct {
		self     Value
		function Value
	}
)

// Type is "function".
func (*Function) Type() string { return "function" }

// Type is the name of the class of Python's own functions.
func (*Builtin) Type() string { return "builtin_function_or_method" }

// Type is the name of the class: Python tells its own methods apart.
func (b *Method) Type() string {
	if is[*Builtin](b.function) {
		return "builtin_function_or_method"
	}
	return "method"
}

func (fn *Function) repr() string { return "<function " + fn.Name + ">" }
func (b *Builtin) repr() string   { return "<built-in function " + b.Name + ">" }
func (*Method) repr() string      { return "<bound method>" }

func (fn *Function) attr(_ *machine, name string) (Value, bool) {
	if v, ok := fn.attrs.named(name); ok {
		return v, true
	}
	switch name {
	case "__name__":
		return python.Str(fn.Name), true
	case "__qualname__":
		return python.Str(fn.qualified), true
	case "__doc__":
		if fn.def == nil || fn.def.Doc == "" {
			return none, true
		}
		return python.Str(fn.def.Doc), true
	case "__dict__":
		fn.attrs = cmp.Or(fn.attrs, newDict())
		return fn.attrs, true
	case "__module__":
		return fn.frame.unit.space.vars.at("__name__"), true
	case "__globals__":
		return fn.frame.unit.space.vars, true
	case "__annotations__":
		return fn.annotations(), true
	case "__defaults__", "__kwdefaults__":
		return fn.defaultValues(name == "__kwdefaults__"), true
	case "__code__":
		return fn.code(), true
	}
	return nil, false
}

func (fn *Function) deleteAttr(_ *machine, name string) bool {
	if fn.attrs == nil {
		return false
	}
	_, ok := fn.attrs.remove(python.Str(name))
	return ok
}

func (fn *Function) setAttr(m *machine, name string, v Value) bool {
	if name == "__qualname__" { // which errors about arguments name
		fn.qualified = m.strOf(v)
		return true
	}
	fn.attrs = cmp.Or(fn.attrs, newDict())
	fn.attrs.put(name, v)
	return true
}

func (b *Builtin) attr(_ *machine, name string) (Value, bool) {
	return python.Str(b.Name), name == "__name__"
}

// attr is the object, or an attribute of the function, as a method's __getattribute__ in CPython.
func (b *Method) attr(m *machine, name string) (Value, bool) {
	if name == "__self__" {
		return b.self, true
	}
	return m.findAttr(b.function, name)
}
