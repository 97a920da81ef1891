package host

// An object of Go code is a Value with some of these methods, which the slots of object and the attributes ask for.

// attributed has attributes of its own.
type attributed interface {
	attr(m *machine, name string) (Value, bool)
}

// invocable can be called.
type invocable interface {
	invoke(m *machine, a arguments) Value
}

// settable has attributes that can be set. setAttr reports whether it has this one.
type settable interface {
	setAttr(m *machine, name string, v Value) bool
}

// deletable has attributes that can be deleted. deleteAttr reports whether it had this one.
type deletable interface {
	deleteAttr(m *machine, name string) bool
}

// represented has a text of its own: what repr gives, and str where it does not differ.
type represented interface{ repr() string }

// stringer has a str that differs from its repr.
type stringer interface{ str() string }

// managed can stand in a with statement. exit reports whether it swallows the exception.
type managed interface {
	enter(m *machine) Value
	exit(m *machine, e *Exception) bool
}

func (t Text) enter(*machine) Value           { return t }
func (t Text) exit(*machine, *Exception) bool { return false }

// boundTo is a method of an object: f with self known to it.
func boundTo(name string, f method) Value { return &Builtin{Name: name, call: f} }

// record is an object that has nothing but attributes, such as a device's properties.
type record struct {
	class, text string
	attrs       map[string]Value
}

// Type is the name of the object's class.
func (r *record) Type() string { return r.class }

func (r *record) repr() string { return r.text }

func (r *record) attr(_ *machine, name string) (Value, bool) {
	v, ok := r.attrs[name]
	return v, ok
}
