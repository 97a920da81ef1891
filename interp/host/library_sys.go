package host

import (
	"math"

	"github.com/newtlab/newt/compiler/python"
)

// sysLibrary is sys: what the script was called with, its streams and its end.
func sysLibrary(m *machine) map[string]Value {
	argv := &List{}
	for _, s := range m.options.Argv {
		argv.Items = append(argv.Items, python.Str(s))
	}
	version := namedTupleClass("sys", "version_info",
		[]string{"major", "minor", "micro", "releaselevel", "serial"}, nil)
	out := m.newNative(fileClass, &fileStream{name: "<stdout>", isStr: true, to: m.options.Stdout})
	err := m.newNative(fileClass, &fileStream{name: "<stderr>", isStr: true, to: m.options.Stderr})
	return map[string]Value{
		"stdout": out, "__stdout__": out, "stderr": err, "__stderr__": err,
		"stdin": m.newNative(fileClass, &fileStream{name: "<stdin>", isStr: true, reads: true}),
		"argv":  argv, "exit": &Builtin{Name: "exit", call: sysExit}, "modules": m.modules.imported,
		"path":     searchPath(m),
		"platform": python.Str("linux"), "maxsize": python.NewInt(math.MaxInt64), "byteorder": python.Str("little"),
		"version": python.Str("3.12.0 (newt)"), "executable": python.Str("newt"),
		"version_info": newNamedTuple(version, Tuple{intValue(3), intValue(12), intValue(0), python.Str("final"),
			intValue(0)}),
		"getrecursionlimit": &Builtin{Name: "getrecursionlimit", call: func(m *machine, a arguments) Value {
			return intValue(m.options.MaxDepth)
		}},
		"setrecursionlimit": &Builtin{Name: "setrecursionlimit", call: ignore},
		"getsizeof":         refused("sys.getsizeof"), "settrace": refused("sys.settrace"),
		"exc_info": &Builtin{Name: "exc_info", call: func(m *machine, a arguments) Value {
			if n := len(m.handled); n > 0 {
				e := m.handled[n-1].exception
				return Tuple{e.class, e, traceObject{e}}
			}
			return Tuple{none, none, none}
		}},
	}
}

// searchPath is sys.path: the document's folder, and those that the session was given.
func searchPath(m *machine) *List {
	list := &List{Items: []Value{python.Str(m.options.Folder)}}
	for _, folder := range m.options.Path {
		list.Items = append(list.Items, python.Str(folder))
	}
	return list
}

func sysExit(m *machine, a arguments) Value {
	panic(&raised{exception: newException(exceptions["SystemExit"], a.positional...)})
}
