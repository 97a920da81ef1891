package host

import (
	"strings"

	"github.com/newtlab/newt/compiler/python"
)

// traceObject is an exception's __traceback__: the frames that it had left when it was last caught.
type traceObject struct{ of *Exception }

// Type is "traceback".
func (traceObject) Type() string { return "traceback" }

func (t traceObject) attr(m *machine, name string) (Value, bool) {
	switch frames := t.of.frames(); {
	case name == "tb_next":
		return none, true
	case name == "tb_lineno" && len(frames) > 0:
		at := frames[0].at
		return intValue(m.sources.File(at).Position(at.Start).Line), true
	}
	return nil, false
}

// frames are the places of a traceback, outermost first.
func (e *Exception) frames() []level {
	out := make([]level, 0, len(e.trace))
	for i := len(e.trace) - 1; i >= 0; i-- {
		out = append(out, e.trace[i])
	}
	return out
}

// exceptionArgument is the exception that a function of traceback is about: the arguments may be (type, value, tb).
func exceptionArgument(m *machine, v []Value) *Exception {
	for _, x := range v {
		if e, ok := x.(*Exception); ok {
			return e
		}
	}
	if n := len(m.handled); n > 0 {
		return m.handled[n-1].exception
	}
	return nil
}

// tracebackOf is the whole text about an exception.
func tracebackOf(m *machine, e *Exception) string {
	if e == nil {
		return "NoneType: None\n"
	}
	t := &tracebackWriter{m: m, printed: map[*Exception]bool{}}
	t.chain(e, append(append([]level{}, e.trace...), level{}))
	return t.String()
}

// linesOf lists a text's lines, with their ends.
func linesOf(text string) Value {
	out := &List{}
	for line := range strings.Lines(text) {
		out.Items = append(out.Items, python.Str(line))
	}
	return out
}

// tracebackLibrary is traceback.
func tracebackLibrary(*machine) map[string]Value {
	summary := namedTupleClass("traceback", "FrameSummary", []string{"filename", "lineno", "name", "line"}, nil)
	frames := func(m *machine, v Value) *List {
		out := &List{}
		t, ok := v.(traceObject)
		if !ok {
			return out
		}
		for _, l := range t.of.frames() {
			file := m.sources.File(l.at)
			at := file.Position(l.at.Start)
			line := strings.TrimSpace(file.Slice(file.LineSpan(at.Line)))
			out.Items = append(out.Items, newNamedTuple(summary, Tuple{python.Str(file.Name), intValue(at.Line),
				python.Str(l.title), python.Str(line)}))
		}
		m.budget.chargeItems(len(out.Items))
		return out
	}
	stack := func(m *machine, v Value) string {
		t, ok := v.(traceObject)
		if !ok {
			return ""
		}
		w := &tracebackWriter{m: m}
		w.levels(t.of.trace)
		return w.String()
	}
	print := func(m *machine, text string, file Value) Value {
		if file == nil || file == none {
			m.writeText(m.options.Stderr, text)
		} else {
			printTo(m, file, text)
		}
		return none
	}
	const signature = "exc=, value=, tb=, limit=, file=, chain=, *, show_group="
	members := functions(map[string]method{
		"format_exc": func(m *machine, a arguments) Value {
			a.bound("format_exc", "limit=, chain=")
			return python.Str(tracebackOf(m, exceptionArgument(m, nil)))
		},
		"print_exc": func(m *machine, a arguments) Value {
			v := a.bound("print_exc", "limit=, file=, chain=")
			return print(m, tracebackOf(m, exceptionArgument(m, nil)), v[1])
		},
		"format_exception": func(m *machine, a arguments) Value {
			return linesOf(tracebackOf(m, exceptionArgument(m, a.bound("format_exception", signature)[:2])))
		},
		"print_exception": func(m *machine, a arguments) Value {
			v := a.bound("print_exception", signature)
			return print(m, tracebackOf(m, exceptionArgument(m, v[:2])), v[4])
		},
		"format_exception_only": func(m *machine, a arguments) Value {
			e := exceptionArgument(m, a.bound("format_exception_only", "exc=, value=, *, show_group=")[:2])
			if e == nil {
				return linesOf("NoneType: None\n")
			}
			return linesOf(exceptionLine(m, e) + "\n")
		},
		"extract_tb": func(m *machine, a arguments) Value { return frames(m, a.bound("extract_tb", "tb, limit=")[0]) },
		"format_tb": func(m *machine, a arguments) Value {
			return linesOf(stack(m, a.bound("format_tb", "tb, limit=")[0]))
		},
		"print_tb": func(m *machine, a arguments) Value {
			v := a.bound("print_tb", "tb, limit=, file=")
			return print(m, stack(m, v[0]), v[2])
		},
	})
	for _, name := range []string{"TracebackException", "print_stack", "format_stack", "extract_stack", "walk_tb"} {
		members[name] = refused("traceback." + name)
	}
	return members
}
