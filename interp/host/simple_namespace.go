package host

import (
	"strings"

	"github.com/newtlab/newt/compiler/python"
)

// simpleNamespace is an object that is its attributes and nothing else, such as a named tuple of metadata. Go code
// makes it.
type simpleNamespace struct {
	class string
	attrs *Dict
	text  string // its repr; "" for the class and the attributes
}

// Type is the name of the class.
func (n *simpleNamespace) Type() string { return n.class }

func (n *simpleNamespace) attr(_ *machine, name string) (Value, bool) {
	if name == "_asdict" { // as of a named tuple
		return boundTo(name, func(*machine, arguments) Value {
			d := newDict()
			n.attrs.each(d.set)
			return d
		}), true
	}
	return n.attrs.get(python.Str(name))
}

func (n *simpleNamespace) setAttr(_ *machine, name string, v Value) bool {
	n.attrs.put(name, v)
	return true
}

// repr is Class(a=1, b=2).
func (n *simpleNamespace) repr() string {
	if n.text != "" {
		return n.text
	}
	var parts []string
	n.attrs.each(func(k, v Value) { parts = append(parts, Str(k)+"="+Repr(v)) })
	return n.class + "(" + strings.Join(parts, ", ") + ")"
}

// simpleNamespaceOf makes a namespace.
func simpleNamespaceOf(class, text string, rows ...keyword) *simpleNamespace {
	n := &simpleNamespace{class: class, attrs: newDict(), text: text}
	for _, row := range rows {
		n.attrs.set(python.Str(row.name), row.value)
	}
	return n
}
