package host

import "strings"

// debugger is a module whose functions stop a program for a person to look at it, which no run here waits for.
func debugger(module, names string) maker {
	return func(*machine) map[string]Value {
		members := map[string]Value{}
		for _, name := range strings.Fields(names) {
			members[name] = &Builtin{name, func(*machine, arguments) Value {
				lack("RuntimeError", module+"."+name, nil)
				return nil
			}}
		}
		return members
	}
}

// ipythonLibrary is IPython, with the shell that prelude/IPython.py describes.
func ipythonLibrary(*machine) map[string]Value {
	return map[string]Value{"get_ipython": &Builtin{"get_ipython", getShell}, "version_info": Tuple{intValue(8), intValue(0)}}
}

// getShell is get_ipython(): None in a script.
func getShell(m *machine, a arguments) Value {
	a.want("get_ipython", 0, 0)
	if !m.options.Notebook {
		return none
	}
	if m.shell == nil {
		m.shell = m.callWith(m.attrOf(m.modules.mustModule("IPython"), "ZMQInteractiveShell"))
	}
	return m.shell
}

// displayLibrary is IPython.display.
func displayLibrary(m *machine) map[string]Value {
	members := m.modules.runEmbedded("ipython_display")
	members["display"] = &Builtin{"display", displayAll}
	for name, kind := range map[string]string{"display_html": "HTML", "display_markdown": "Markdown"} {
		members[name] = &Builtin{name, func(m *machine, a arguments) Value {
			raw, _ := a.take("raw")
			for i, v := range a.positional {
				if raw != nil && m.truthOf(raw) {
					a.positional[i] = m.callWith(members[kind], v)
				}
			}
			return displayAll(m, a)
		}}
	}
	return members
}

// displayAll is display(objects…).
func displayAll(m *machine, a arguments) Value {
	for _, v := range a.positional {
		m.showDisplay(m.displayOf(v))
	}
	return none
}
