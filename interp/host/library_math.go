package host

import "github.com/newtlab/newt/compiler/python"

// mathLibrary is Python's math module.
func mathLibrary() map[string]Value {
	members := map[string]Value{"prod": &Builtin{"prod", mathProduct}}
	for name, f := range python.MathConstants {
		members[name] = f
	}
	for _, name := range python.MathNames() {
		members[name] = &Builtin{name, func(m *machine, a arguments) Value {
			a.want(name, len(a.positional), len(a.positional)) // no keywords
			args := make([]Value, len(a.positional))
			for i, v := range a.positional {
				args[i] = m.plainNumber(v)
			}
			return must(python.Math(name, args))
		}}
	}
	return members
}

// plainNumber is a number as it is, anything else (a tensor with one element) as a float.
func (m *machine) plainNumber(v Value) Value {
	switch v.(type) {
	case python.Bool, python.Int, python.Float:
		return v
	}
	return floatOf(m, arguments{positional: []Value{v}})
}

func mathProduct(m *machine, a arguments) Value {
	a.want("prod", 1, 1)
	var total Value = python.NewInt(1)
	it := m.iterate(a.positional[0])
	for v, ok := it(); ok; v, ok = it() {
		m.budget.countStep(m.at)
		total = m.binary("*", total, v)
	}
	return total
}
