package host

import (
	"slices"

	"github.com/newtlab/newt/compiler/lower"
)

// aggregate is triton.aggregate, which is triton.language.core._aggregate too: kernels make objects of the class, and
// call its methods.
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
	for _, d := range slices.Backward(c.mro()) {
		annotationsOf(d).each(func(k, v Value) {
			f := lower.AggregateField{Name: m.strOf(k), Type: m.compilerValue(v), Inherited: d != c}
			if initial := d.member(f.Name); initial != nil {
				f.Default = m.compilerValue(initial)
			}
			out.Fields = append(out.Fields, f)
		})
		for _, name := range d.memberNames() {
			v, static := d.member(name), false
			if s, ok := v.(*descriptor); ok {
				v, static = s.function, s.kind == "staticmethod"
			}
			if f, ok := m.compilerValue(v).(*lower.Function); ok {
				out.Methods[name] = lower.AggregateMethod{Function: f, Static: static}
			}
		}
	}
	return out
}
