package host

import (
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler/python"
)

// configParams are the parameters of triton.Config with their defaults.
var configParams = []keyword{
	{"kwargs", nil}, {"num_warps", intValue(4)}, {"num_stages", intValue(3)}, {"num_ctas", intValue(1)},
	{"maxnreg", none}, {"pre_hook", none}, {"ir_override", none},
}

// configOptions are the options of a launch that a config sets, in the order of Triton's all_kwargs.
var configOptions = []string{"num_warps", "num_ctas", "num_stages", "maxnreg", "ir_override"}

// configClass is triton.Config: values for some of a kernel's parameters, and options of its launch.
var configClass = &Class{Name: "Config", shared: true, attrs: namesOf(map[string]Value{
	"__init__": &Builtin{"__init__", func(m *machine, a arguments) Value {
		self := a.positional[0].(*Instance)
		a.positional = a.positional[1:]
		for i, p := range configParams {
			v := a.parameter(i, p.name, p.value)
			if v == nil {
				raise("TypeError", "Config.__init__() missing 1 required positional argument: 'kwargs'")
			}
			self.attrs.put(p.name, v)
		}
		for _, k := range a.keywords {
			if !slices.ContainsFunc(configParams, func(p keyword) bool { return p.name == k.name }) {
				raise("TypeError", "Config.__init__() got an unexpected keyword argument '%s'", k.name)
			}
		}
		return none
	}},
	"all_kwargs": &Builtin{"all_kwargs", func(m *machine, a arguments) Value {
		return configured(a.positional[0].(*Instance))
	}},
	"__str__": &Builtin{"__str__", func(m *machine, a arguments) Value {
		return python.Str(configText(m, a.positional[0].(*Instance)))
	}},
	"__repr__": &Builtin{"__repr__", func(m *machine, a arguments) Value {
		return python.Str("<triton.runtime.autotuner.Config object>")
	}},
	"__eq__": &Builtin{"__eq__", func(m *machine, a arguments) Value {
		c, d := a.positional[0].(*Instance), a.positional[1]
		other, ok := d.(*Instance)
		return python.Bool(ok && other.class == c.class && (c == other || sameConfig(m, c, other)))
	}},
})}

// sameConfig reports whether two configs launch alike: their hooks must be the same object.
func sameConfig(m *machine, a, b *Instance) bool {
	same := m.compareValues("==", configured(a), configured(b))
	return m.truthOf(same) && a.attrs.at("pre_hook") == b.attrs.at("pre_hook")
}

// configured are the keywords that a config adds to a launch.
func configured(c *Instance) *Dict {
	d := newDict()
	if given, ok := c.attrs.at("kwargs").(*Dict); ok {
		given.each(d.set)
	}
	for _, name := range configOptions {
		if v := c.attrs.at(name); v != none {
			d.set(python.Str(name), v)
		}
	}
	return d
}

// configText is str(config): BLOCK: 32, num_warps: 4, num_ctas: 1, num_stages: 3, maxnreg: None.
func configText(m *machine, c *Instance) string {
	var parts []string
	if given, ok := c.attrs.at("kwargs").(*Dict); ok {
		given.each(func(k, v Value) { parts = append(parts, m.strOf(k)+": "+m.strOf(v)) })
	}
	for _, name := range configOptions[:4] {
		parts = append(parts, name+": "+m.strOf(c.attrs.at(name)))
	}
	return strings.Join(parts, ", ")
}
