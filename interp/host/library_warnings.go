package host

import (
	"strings"

	"github.com/newtlab/newt/compiler/python"
)

// warningFunctions are what prelude/warnings.py stands on.
func warningFunctions() map[string]method {
	return map[string]method{
		// Where the function that calls it was called from, or its callers above that: the file, the line, the module
		// and the line's text.
		"_place(level)": func(m *machine, a arguments) Value {
			at := m.active
			for level := asIndex(a.positional[0]); level > 1 && at.caller.caller != nil; level-- {
				at = at.caller
			}
			f := m.sources.File(at.at)
			line := f.Position(at.at.Start).Line
			return Tuple{python.Str(f.Name), intValue(line), at.caller.frame.unit.space.vars.at("__name__"),
				python.Str(strings.TrimSpace(f.Slice(f.LineSpan(line))))}
		},
	}
}
