package host

import (
	"github.com/newtlab/newt/compiler/python"
)

// given is v, or otherwise where v was left out or is None.
func given(v, otherwise Value) Value {
	if v == nil || v == none {
		return otherwise
	}
	return v
}

// callWith calls f with positional arguments.
func (m *machine) callWith(f Value, args ...Value) Value {
	return m.callValue(f, arguments{positional: args})
}

// textsOf are the texts of a sequence.
func textsOf(m *machine, v Value) []string {
	var out []string
	for _, x := range m.itemsOf(v) {
		out = append(out, m.strOf(x))
	}
	return out
}

// floatOf is v as a float64, as the functions of math take it.
func (m *machine) floatOf(v Value) float64 {
	v = plainNumber(m, v)
	f, _, err := python.AsFloat(v)
	if err != nil {
		must(v, err)
	}
	return f
}

// method is a function of a class written in Go. The first argument is the object.
type method = func(m *machine, a arguments) Value

// self is the object of a method call, of its Go type.
func self[T any](a arguments) T {
	if len(a.positional) == 0 {
		raise("TypeError", "unbound method needs an argument")
	}
	return valueOf[T](a.positional[0])
}
