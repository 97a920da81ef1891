package host

import "strings"

// debugger is a module whose functions stop a program for a person to look at it, which no run here waits for.
func debugger(module, names string) maker {
	return func(*machine) map[string]Value {
		members := map[string]Value{}
		for _, name := range strings.Fields(names) {
			members[name] = &Builtin{Name: name, call: func(*machine, arguments) Value {
				lack("RuntimeError", module+"."+name, nil)
				return nil
			}}
		}
		return members
	}
}

// ipythonLibrary is IPython, with the shell that prelude/IPython.py describes.
func ipythonLibrary(*machine) map[string]Value {
	return map[string]Value{"get_ipython": newBuiltin("", "get_ipython()", getShell), "version_info": Tuple{intValue(8), intValue(0)}}
}

// getShell is get_ipython(): None in a script.
func getShell(m *machine, a arguments) Value {
	if !m.options.Notebook {
		return none
	}
	if m.shell == nil {
		m.shell = m.callWith(m.attrOf(m.modules.mustModule("IPython"), "ZMQInteractiveShell"))
	}
	return m.shell
}

// displayFunctions are those of IPython.display, with prelude/IPython.display.py.
func displayFunctions() map[string]method { return map[string]method{"display": displayAll} }

// displayAll is display(objects…).
func displayAll(m *machine, a arguments) Value {
	for _, v := range a.positional {
		m.showDisplay(m.displayOf(v))
	}
	return none
}
