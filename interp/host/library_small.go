package host

import "github.com/newtlab/newt/compiler/python"

// registerSubclass is register of the classes of abc and collections.abc.
var registerSubclass = newBuiltin("", "register(cls, subclass)", func(m *machine, a arguments) Value {
	c, sub := self[*Class](a), a.positional[1]
	if d, ok := sub.(*Class); ok {
		for _, above := range c.mro() {
			if !above.shared && !above.builtin {
				m.budget.chargeItems(1)
				above.registered = append(above.registered, d)
			}
		}
	}
	return sub
})

// abcLibrary is abc. A class that derives from ABC, or whose metaclass is ABCMeta, enforces its abstract methods
// (newClass, refuseAbstract).
func abcLibrary(*machine) map[string]Value {
	base := nativeClass("abc", "ABC", nil)
	base.define("register", &descriptor{"classmethod", registerSubclass})
	meta := nativeClass("abc", "ABCMeta", nil, typeClass)
	meta.define("register", registerSubclass)
	members := functions(map[string]method{"abstractmethod(funcobj)": func(m *machine, a arguments) Value {
		for _, f := range parts(a.positional[0]) {
			if f, ok := f.(*Function); ok {
				m.setAttr(f, "__isabstractmethod__", python.Bool(true))
			}
		}
		return a.positional[0]
	}, "update_abstractmethods(cls)": func(_ *machine, a arguments) Value {
		if c, ok := a.positional[0].(*Class); ok {
			c.abstract = c.abstractNames()
		}
		return a.positional[0]
	}})
	members["ABC"], members["ABCMeta"] = base, meta
	return members
}

// gcFunctions are those of gc: newt's memory is Go's to collect, and what enable and disable say is only remembered.
func gcFunctions() map[string]method {
	enabled := true
	set := func(to bool) method {
		return func(*machine, arguments) Value { enabled = to; return none }
	}
	return map[string]method{
		"collect":   func(*machine, arguments) Value { return intValue(0) },
		"enable":    set(true),
		"disable":   set(false),
		"isenabled": func(*machine, arguments) Value { return python.Bool(enabled) },
	}
}

// platformLibrary is platform.
func platformLibrary() map[string]Value {
	members := map[string]Value{}
	for name, text := range map[string]string{"system": "Linux", "machine": "x86_64", "python_version": "3.12.0",
		"node": "newt", "release": "", "processor": "", "python_implementation": "newt", "platform": "Linux-x86_64"} {
		members[name] = &Builtin{Name: name, call: func(*machine, arguments) Value { return python.Str(text) }}
	}
	return members
}
