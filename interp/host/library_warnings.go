package host

import (
	"fmt"
	"strings"

	"github.com/newtlab/newt/compiler/python"
)

// warningFilter is one entry of warnings.filters: the first that fits says what is done.
type warningFilter struct {
	action, message string
	category        *Class
}

// warningState is what the functions of warnings share. catch_warnings puts it back.
type warningState struct {
	filters []warningFilter
	seen    map[string]bool // by place and text: the default is to say each once
	log     *List           // of catch_warnings(record=True); nil prints
}

// action is what is done about a warning.
func (s *warningState) action(category *Class, text string) string {
	for _, f := range s.filters {
		if category.inherits(f.category) && strings.HasPrefix(strings.ToLower(text), strings.ToLower(f.message)) {
			return f.action
		}
	}
	// Python's own filters hide these outside of __main__'s own code.
	for _, name := range []string{"PendingDeprecationWarning", "ImportWarning", "ResourceWarning"} {
		if category.isA(name) {
			return "ignore"
		}
	}
	return "default"
}

// warningsLibrary is warnings: to stderr, as Python prints them, each place once.
func warningsLibrary(*machine) map[string]Value {
	state := &warningState{seen: map[string]bool{}}
	category := func(v Value) *Class {
		c, ok := given(v, exceptions["Warning"]).(*Class)
		if !ok || !c.isA("Warning") {
			raise("TypeError", "category must be a Warning subclass, not '%s'", v.Type())
		}
		return c
	}
	filter := func(name, signature string) method {
		return func(m *machine, a arguments) Value {
			v := a.bound(name, signature)
			f := warningFilter{action: m.strOf(v[0])}
			if name == "filterwarnings" {
				f.message = m.strOf(given(v[1], python.Str("")))
				v = append(v[:1:1], v[2:]...)
			}
			f.category = category(given(v[1], none))
			m.budget.chargeItems(1)
			state.filters = append([]warningFilter{f}, state.filters...)
			return none
		}
	}
	message := nativeClass("warnings", "WarningMessage", nil)
	say := func(m *machine, text string, about Value, c *Class, file string, line int, source string) {
		words := fmt.Sprintf("%s:%d: %s: %s\n", file, line, c.Name, text)
		switch action := state.action(c, text); {
		case action == "ignore" || action != "always" && state.seen[words]:
			return
		case action == "error":
			panic(&raised{exception: newException(c, python.Str(text))})
		}
		m.budget.chargeItems(len(words))
		state.seen[words] = true
		if state.log != nil {
			o := m.newNative(message, nil)
			for name, v := range map[string]Value{"message": about, "category": c, "filename": python.Str(file),
				"lineno": intValue(line), "file": none, "line": none} {
				o.keep(name, v)
			}
			state.log.Items = append(state.log.Items, o)
			return
		}
		if source != "" {
			words += "  " + source + "\n"
		}
		m.writeText(m.options.Stderr, words)
	}
	members := functions(map[string]method{
		"filterwarnings": filter("filterwarnings", "action, message=, category=, module=, lineno=, append="),
		"simplefilter":   filter("simplefilter", "action, category=, lineno=, append="),
		"resetwarnings":  func(*machine, arguments) Value { state.filters = nil; return none },
		"warn": func(m *machine, a arguments) Value {
			v := a.bound("warn", "message, category=, stacklevel=, source=, *, skip_file_prefixes=")
			c := exceptions["UserWarning"]
			about := v[0]
			if e, ok := about.(*Exception); ok {
				c = e.class
			} else {
				if given(v[1], nil) != nil {
					c = category(v[1])
				}
				about = newException(c, about)
			}
			f := m.sources.File(m.at)
			place := f.Position(m.at.Start)
			say(m, m.strOf(v[0]), about, c, f.Name, place.Line, strings.TrimSpace(f.Slice(f.LineSpan(place.Line))))
			return none
		},
		"warn_explicit": func(m *machine, a arguments) Value {
			v := a.bound("warn_explicit",
				"message, category, filename, lineno, module=, registry=, module_globals=, source=")
			c := category(v[1])
			say(m, m.strOf(v[0]), newException(c, v[0]), c, m.strOf(v[2]), int(asIndex(v[3])), "")
			return none
		},
		"formatwarning": func(m *machine, a arguments) Value {
			v := a.bound("formatwarning", "message, category, filename, lineno, line=")
			return python.Str(fmt.Sprintf("%s:%d: %s: %s\n",
				m.strOf(v[2]), asIndex(v[3]), category(v[1]).Name, m.strOf(v[0])))
		},
	})
	members["catch_warnings"] = nativeClass("warnings", "catch_warnings", map[string]method{
		"__init__": func(m *machine, a arguments) Value {
			v := a.tail().bound("catch_warnings", "*, record=, module=, action=, category=, lineno=, append=")
			o := self[*Instance](a)
			o.keep("record", python.Bool(m.truthOr(v[0], false)))
			o.keep("action", given(v[2], none))
			return none
		},
		"__enter__": func(m *machine, a arguments) Value {
			o := self[*Instance](a)
			before := *state
			o.native = &before
			// What was said before may be said again inside.
			state.seen = map[string]bool{}
			if action := o.own("action"); action != none {
				all := warningFilter{action: m.strOf(action), category: exceptions["Warning"]}
				state.filters = append([]warningFilter{all}, state.filters...)
			}
			if o.own("record") != python.Value(python.Bool(true)) {
				return none
			}
			state.log = &List{}
			return state.log
		},
		"__exit__": func(m *machine, a arguments) Value { *state = *native[*warningState](a); return none },
	})
	return members
}
