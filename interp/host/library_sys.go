package host

import (
	"github.com/newtlab/newt/compiler/python"
)

// sysLibrary is sys: what the script was called with, its streams and its end.
func sysLibrary(m *machine) map[string]Value {
	argv := &List{}
	for _, s := range m.options.Argv {
		argv.Items = append(argv.Items, python.Str(s))
	}
	return map[string]Value{
		"stdout": Text{"TextIO", "<stdout>"}, "stderr": Text{"TextIO", "<stderr>"}, "argv": argv,
		"exit": &Builtin{"exit", sysExit},
	}
}

func sysExit(m *machine, a arguments) Value {
	panic(&raised{exception: newException(exceptions["SystemExit"], a.positional...)})
}
