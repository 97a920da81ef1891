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

// tracebackOf is the whole text about an exception.
func tracebackOf(m *machine, e *Exception) string {
	if e == nil {
		return "NoneType: None\n"
	}
	t := &tracebackWriter{m: m, printed: map[*Exception]bool{}}
	t.chain(e, append(append([]level{}, e.trace...), level{}))
	return t.String()
}

// tracebackLibrary is what prelude/traceback.py stands on.
func tracebackLibrary(*machine) map[string]Value {
	about := func(text func(m *machine, e *Exception) string) method {
		return func(m *machine, a arguments) Value {
			e, _ := a.positional[0].(*Exception)
			return python.Str(text(m, e))
		}
	}
	members := functions(map[string]method{
		"_text(exception)": about(tracebackOf),
		"_last_line(exception)": about(func(m *machine, e *Exception) string {
			if e == nil {
				return tracebackOf(m, e)
			}
			return exceptionLine(m, e) + "\n"
		}),
		"_stack(tb)": func(m *machine, a arguments) Value {
			w := &tracebackWriter{m: m}
			if t, ok := a.positional[0].(traceObject); ok {
				w.levels(t.of.trace)
			}
			return python.Str(w.String())
		},
		"_frames(tb)": func(m *machine, a arguments) Value { // outermost first: file, line, function, text
			out := &List{}
			t, ok := a.positional[0].(traceObject)
			if !ok {
				return out
			}
			for _, l := range t.of.frames() {
				file := m.sources.File(l.at)
				line := file.Position(l.at.Start).Line
				out.Items = append(out.Items, Tuple{python.Str(file.Name), intValue(line), python.Str(l.title),
					python.Str(strings.TrimSpace(file.Slice(file.LineSpan(line))))})
			}
			m.budget.chargeItems(len(out.Items))
			return out
		},
	})
	for _, name := range []string{"TracebackException", "print_stack", "format_stack", "extract_stack", "walk_tb"} {
		members[name] = refused("traceback." + name)
	}
	return members
}
