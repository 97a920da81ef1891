package host

func debuggerFunctions() map[string]method {
	return map[string]method{
		"set_trace": func(m *machine, a arguments) Value {
			lack("RuntimeError", "IPython.core.debugger.set_trace", nil)
			return nil
		},
	}
}
