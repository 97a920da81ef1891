package host

import (
	"strings"

	"github.com/newtlab/newt/compiler/python"
)

// configFields are the attributes of triton.Config, in the order of its parameters.
var configFields = []string{"kwargs", "num_warps", "num_stages", "num_ctas", "maxnreg", "pre_hook", "ir_override"}

// configOptions are the options of a launch that a config sets, in the order of Triton's all_kwargs.
var configOptions = []string{"num_warps", "num_ctas", "num_stages", "maxnreg", "ir_override"}

// configClass is triton.Config: values for some of a kernel's parameters, and options of its launch.
var configClass = nativeClass("triton.runtime.autotuner", "Config", map[string]method{
	"__init__(self, kwargs, num_warps=4, num_stages=3, num_ctas=1, maxnreg=None, pre_hook=None, ir_override=None)": func(
		_ *machine, a arguments) Value {
		for i, name := range configFields {
			a.positional[0].(*Instance).attrs.put(name, a.positional[1+i])
		}
		return none
	},
	"all_kwargs(self)": func(m *machine, a arguments) Value { return configured(a.positional[0].(*Instance)) },
	"__str__(self)": func(m *machine, a arguments) Value {
		return python.Str(configText(m, a.positional[0].(*Instance)))
	},
	"__repr__(self)": func(*machine, arguments) Value {
		return python.Str("<triton.runtime.autotuner.Config object>")
	},
	"__eq__(self, other)": func(m *machine, a arguments) Value {
		c, d := a.positional[0].(*Instance), a.positional[1]
		other, ok := d.(*Instance)
		return python.Bool(ok && other.class == c.class && (c == other || sameConfig(m, c, other)))
	},
})

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
