package host

import "github.com/newtlab/newt/compiler/lower"

// What kernels find below something of the program. Reading it runs nothing of the program's: neither __getattr__ nor
// a property.
type (
	moduleMembers struct {
		m  *machine
		of *namespace
	}
	classMembers struct {
		m  *machine
		of *Class
	}
	enumMember struct {
		m  *machine
		of *Instance
	}
)

// Lookup implements lower.Scope.
func (s moduleMembers) Lookup(name string) (lower.Outer, bool) {
	v, ok := s.of.vars.named(name)
	if !ok {
		return lower.Outer{}, false
	}
	return s.m.outerValue(v, s.of.declared[name]), true
}

// Names implements lower.Scope.
func (s moduleMembers) Names() []string { return s.of.names() }

// Lookup implements lower.Scope.
func (s classMembers) Lookup(name string) (lower.Outer, bool) {
	v, ok := s.of.findOwn(name)
	if !ok {
		return lower.Outer{}, false
	}
	return s.m.outerValue(v, nil), true
}

// Names implements lower.Scope.
func (s classMembers) Names() []string { return s.of.attrs.names() }

// enumAttributes are the attributes of an enum's member, by what they are in Python.
var enumAttributes = map[string]string{"name": "_name_", "value": "_value_"}

// Lookup implements lower.Scope.
func (s enumMember) Lookup(name string) (lower.Outer, bool) {
	own, ok := enumAttributes[name]
	if !ok {
		return lower.Outer{}, false
	}
	return s.m.outerValue(s.of.own(own), nil), true
}

// Names implements lower.Scope.
func (s enumMember) Names() []string { return []string{"name", "value"} }
