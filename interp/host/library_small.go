package host

import (
	"fmt"
	"strings"

	"github.com/newtlab/newt/compiler/python"
)

// warningsLibrary is warnings: to stderr, as Python prints them, each place once.
func warningsLibrary(*machine) map[string]Value {
	seen, silent := map[string]bool{}, false
	filter := func(m *machine, a arguments) Value {
		silent = len(a.positional) > 0 && m.strOf(a.positional[0]) == "ignore"
		return none
	}
	catch := nativeClass("warnings", "catch_warnings", map[string]method{
		"__init__": func(m *machine, a arguments) Value {
			if v := a.tail().bound("catch_warnings", "*, record=, action=")[0]; v != nil && m.truthOf(v) {
				lack("NotImplementedError", "warnings.catch_warnings(record=True)", nil)
			}
			return none
		},
		"__enter__": func(m *machine, a arguments) Value {
			a.positional[0].(*Instance).native = silent
			return none
		},
		"__exit__": func(m *machine, a arguments) Value { silent = native[bool](a); return none },
	})
	return map[string]Value{"filterwarnings": &Builtin{"filterwarnings", filter},
		"simplefilter": &Builtin{"simplefilter", filter}, "resetwarnings": &Builtin{"resetwarnings", ignore},
		"catch_warnings": catch,
		"warn": &Builtin{"warn", func(m *machine, a arguments) Value {
			v := a.bound("warn", "message, category=, stacklevel=, source=")
			category, text := "UserWarning", m.strOf(v[0])
			if c, ok := v[1].(*Class); ok {
				category = c.Name
			} else if e, ok := v[0].(*Exception); ok {
				category = e.class.Name
			}
			f := m.sources.File(m.at)
			place := f.Position(m.at.Start)
			words := fmt.Sprintf("%s:%d: %s: %s\n", f.Name, place.Line, category, text)
			if !seen[words] && !silent && category != "DeprecationWarning" {
				m.budget.chargeItems(1)
				seen[words] = true
				m.writeText(m.options.Stderr, words+"  "+strings.TrimSpace(f.Slice(f.LineSpan(place.Line)))+"\n")
			}
			return none
		}}}
}

// abcLibrary is abc. A class that derives from ABC, or whose metaclass is ABCMeta, enforces its abstract methods
// (newClass, refuseAbstract).
func abcLibrary(*machine) map[string]Value {
	register := &Builtin{"register", func(m *machine, a arguments) Value {
		a.want("register", 2, 2)
		c, sub := self[*Class](a), a.positional[1]
		if d, ok := sub.(*Class); ok {
			m.budget.chargeItems(1)
			c.registered = append(c.registered, d)
		}
		return sub
	}}
	base := nativeClass("abc", "ABC", nil)
	base.define("register", &descriptor{"classmethod", register})
	meta := nativeClass("abc", "ABCMeta", nil, typeClass)
	meta.define("register", register)
	return map[string]Value{"ABC": base, "ABCMeta": meta,
		"abstractmethod": &Builtin{"abstractmethod", func(m *machine, a arguments) Value {
			v := a.bound("abstractmethod", "funcobj")[0]
			for _, f := range parts(v) {
				if f, ok := f.(*Function); ok {
					m.setAttr(f, "__isabstractmethod__", python.Bool(true))
				}
			}
			return v
		}}}
}

func gcFunctions() map[string]method {
	return map[string]method{
		"collect":   func(*machine, arguments) Value { return intValue(0) },
		"enable":    ignore,
		"disable":   ignore,
		"isenabled": func(*machine, arguments) Value { return python.Bool(true) },
	}
}

// platformLibrary is platform.
func platformLibrary() map[string]Value {
	members := map[string]Value{}
	for name, text := range map[string]string{"system": "Linux", "machine": "x86_64", "python_version": "3.12.0",
		"node": "newt", "release": "", "processor": "", "python_implementation": "newt", "platform": "Linux-x86_64"} {
		members[name] = &Builtin{name, func(*machine, arguments) Value { return python.Str(text) }}
	}
	return members
}
