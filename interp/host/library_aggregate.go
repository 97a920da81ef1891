package host

import (
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler/lower"
)

// aggregate is triton.language.core._aggregate: kernels make objects of the class, and call its methods.
func aggregate(_ *machine, a arguments) Value {
	c, ok := a.positional[0].(*Class)
	if !ok {
		raise("TypeError", "%s is not a class", a.positional[0].Type())
	}
	c.aggregate = &lower.Aggregate{Name: c.Name}
	return c
}

// compiledAggregate is a class under _aggregate as the compiler takes it, the same each time that it is asked for.
func (m *machine) compiledAggregate(c *Class) *lower.Aggregate {
	out := c.aggregate
	if out.Methods != nil {
		return out
	}
	out.Methods = map[string]lower.AggregateMethod{} // in front of the fields, one of which may be of the class itself
	annotationsOf(c).each(func(k, v Value) {
		out.Fields = append(out.Fields, lower.AggregateField{Name: m.strOf(k), Type: m.compilerValue(v)})
	})
	for _, d := range slices.Backward(c.mro()) { // methods are inherited, fields are not
		for _, name := range d.memberNames() {
			v, static := d.member(name), false
			if s, ok := v.(*descriptor); ok {
				v, static = s.function, s.kind == "staticmethod"
			}
			special := strings.HasPrefix(name, "__") && name != "__init__"
			if f, ok := m.compilerValue(v).(*lower.Function); ok && !special {
				out.Methods[name] = lower.AggregateMethod{Function: f, Static: static}
			}
		}
	}
	return out
}
