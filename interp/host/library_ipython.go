package host

var debuggerFunctions = map[string]method{
	"set_trace": func(m *machine, a arguments) Value {
		lack("RuntimeError", "IPython.core.debugger.set_trace", nil)
		return nil
	},
}
