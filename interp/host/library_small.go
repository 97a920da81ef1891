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
