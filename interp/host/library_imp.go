package host

import (
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/compiler/syntax"
)

// impFunctions are those of _imp, on which prelude/importlib.py and its kind stand.
func impFunctions() map[string]method {
	return map[string]method{
		"import_module(name, package=...)": func(m *machine, a arguments) Value {
			return m.modules.mustModule(resolveModule(m, a.positional[0], a.positional[1]))
		},
		"resolve(name, package)": func(m *machine, a arguments) Value {
			return python.Str(resolveModule(m, a.positional[0], a.positional[1]))
		},
		"__import__(name, globals=..., locals=..., fromlist=..., level=...)": importByName,
		"find(name)": findByName,
		"execute(module, path)": func(m *machine, a arguments) Value {
			n, ok := a.positional[0].(*namespace)
			if !ok {
				raise("TypeError", "exec_module() needs a module, not '%s'", a.positional[0].Type())
			}
			file := m.strOf(a.positional[1])
			m.modules.execute(n, file, m.modules.mustRead(file))
			return none
		},
		"load(fullname, path)": func(m *machine, a arguments) Value {
			name, file := m.strOf(a.positional[0]), m.strOf(a.positional[1])
			m.modules.mustRead(file)
			module, _ := m.modules.loadModule(name, file)
			return given(module, none)
		},
		"literal(node_or_string)": literalOf,
		"texts": func(m *machine, _ arguments) Value { // the names of the modules that are files
			list := &List{}
			m.modules.imported.each(func(name, v Value) {
				if is[*namespace](v) {
					list.Items = append(list.Items, name)
				}
			})
			m.budget.chargeItems(len(list.Items))
			return list
		},
		// The class of a collections.namedtuple.
		"named_tuple(module, name, fields, defaults)": func(m *machine, a arguments) Value {
			fields := textsOf(m, a.positional[2])
			m.budget.chargeItems(len(fields))
			return namedTupleClass(m.strOf(a.positional[0]), m.strOf(a.positional[1]), fields, a.positional[3].(Tuple))
		},
		"versioned": func(*machine, arguments) Value {
			list := &List{}
			for _, name := range []string{"torch", "triton", "numpy", "matplotlib", "torchvision"} {
				list.Items = append(list.Items, python.Str(name))
			}
			return list
		},
	}
}

// mustRead is the text of a file.
func (i *importer) mustRead(file string) string {
	text, ok := i.m.files.readText(file)
	if !ok {
		raiseErrno("FileNotFoundError", 2, "No such file or directory", file)
	}
	return text
}

// resolveModule is the absolute name of a module; one with dots in front is relative to a package.
func resolveModule(m *machine, name, pkg Value) string {
	text := m.strOf(name)
	absolute := strings.TrimLeft(text, ".")
	if absolute == text {
		return text
	}
	in, _ := pkg.(python.Str)
	if in == "" {
		raise("TypeError", "the 'package' argument is required to perform a relative import for %s", python.Repr(name))
	}
	found, ok := relativeModule(string(in), len(text)-len(absolute), absolute)
	if !ok {
		raise("ImportError", "attempted relative import beyond top-level package")
	}
	return found
}

// importByName is __import__: the outermost package of a dotted name, or with a fromlist the module itself.
func importByName(m *machine, a arguments) Value {
	name, pkg := m.strOf(a.positional[0]), Value(none)
	if globals, ok := a.positional[1].(*Dict); ok {
		pkg = globals.at("__package__")
	}
	if level := asIndex(a.positional[4]); level > 0 {
		name = resolveModule(m, python.Str(strings.Repeat(".", int(level))+name), pkg)
	}
	module := m.modules.mustModule(name)
	if !m.truthOf(a.positional[3]) {
		first, _, _ := strings.Cut(name, ".")
		return m.modules.mustModule(first)
	}
	for _, item := range m.itemsOf(a.positional[3]) {
		if part := m.strOf(item); part != "*" {
			if _, has := m.attrOr(module, part); !has {
				m.modules.findModule(name + "." + part)
			}
		}
	}
	return module
}

// literalOf is ast.literal_eval of a text: constants, and containers and signed numbers of them.
func literalOf(m *machine, a arguments) Value {
	text := a.positional[0]
	statement := mustExpression(codeOf(m, "eval", text))
	syntax.Walk(statement.Value, func(n syntax.Node) bool {
		ok := false
		switch n := n.(type) {
		case *syntax.Constant, *syntax.Tuple, *syntax.List, *syntax.Set, *syntax.Dict:
			ok = true
		case *syntax.UnaryOp:
			ok = n.Op == "-" || n.Op == "+"
		case *syntax.BinOp: // of a complex number
			c, constant := n.Right.(*syntax.Constant)
			ok = constant && c.Kind == syntax.ImagConst && (n.Op == "+" || n.Op == "-")
		}
		if !ok {
			raise("ValueError", "malformed node or string on line 1: %s",
				python.Repr(python.Str(syntax.String(statement.Value))))
		}
		return true
	})
	return builtinEval(m, arguments{positional: []Value{text, newDict(), none}})
}

// findByName says where a module is that need not have been imported: its file, None for a folder without one, and the
// folders that it is as a package, None for a module; (None, None) for newt's own, and None where there is none.
func findByName(m *machine, a arguments) Value {
	name := m.strOf(a.positional[0])
	folders := m.modules.searchPath()
	if parent, _, inside := cutLast(name); inside {
		v, _ := m.modules.findModule(parent)
		folders = m.modules.foldersOf(v)
	}
	if _, ours := m.modules.libraryNamed(name); ours {
		return Tuple{none, none}
	}
	file, inside := m.modules.fileIn(folders, lastName(name))
	if file == "" && inside == nil {
		return none
	}
	found := Tuple{none, none}
	if file != "" {
		found[0] = python.Str(m.files.absolute(file))
	}
	if inside != nil {
		list := &List{}
		for _, folder := range inside {
			list.Items = append(list.Items, python.Str(m.files.absolute(folder)))
		}
		found[1] = list
	}
	return found
}

// attr is an attribute of a module, which its __getattr__ may make (PEP 562).
func (n *namespace) attr(m *machine, name string) (Value, bool) {
	if v, ok := n.vars.named(name); ok {
		return v, true
	}
	if name == "__dict__" {
		return n.vars, true
	}
	get, ok := n.vars.named("__getattr__")
	if !ok || slices.Contains([]string{"__path__", "__getattr__", "__all__"}, name) {
		return nil, false
	}
	return m.callWith(get, python.Str(name)), true
}

// newModule is types.ModuleType(name, doc).
func newModule(m *machine, a arguments) Value {
	v := a.positional
	m.budget.chargeItems(1)
	n := newNamespace(m.strOf(v[0]), "")
	n.vars.remove(python.Str("__file__"))
	n.vars.put("__doc__", v[1])
	return n
}

// moduleClass is types.ModuleType. What a subclass makes is a plain object with a module's attributes.
var moduleClass = &Class{Name: "module"}

func init() {
	moduleClass.describe(typeRecord{
		base:  true,
		make:  laidOut("builtins", "module(name, doc=None)", newModule),
		slots: objectSlots,
		methods: map[string]method{
			"__new__": func(m *machine, a arguments) Value { return m.newObject(self[*Class](a), nil) },
			"__init__(self, name, doc=None)": func(m *machine, a arguments) Value {
				for i, name := range []string{"__name__", "__doc__", "__package__", "__loader__", "__spec__"} {
					m.setAttr(a.positional[0], name, a.at(i+1, none))
				}
				return none
			},
		},
	})
}

// atexitFunctions are those of atexit: calls that a script owes at its end.
func atexitFunctions(m *machine) map[string]Value {
	type owed struct {
		f Value
		a arguments
	}
	var calls []owed
	m.atEnd = append(m.atEnd, func(m *machine, notebook bool) {
		for !notebook && len(calls) > 0 {
			last := calls[len(calls)-1]
			calls = calls[:len(calls)-1]
			m.callValue(last.f, last.a)
		}
	})
	return functions(map[string]method{
		"register": func(m *machine, a arguments) Value {
			if len(a.positional) == 0 {
				raise("TypeError", "register() takes at least 1 argument (0 given)")
			}
			m.budget.chargeItems(1 + len(a.positional))
			calls = append(calls, owed{a.positional[0], a.tail()})
			return a.positional[0]
		},
		"unregister(func)": func(m *machine, a arguments) Value {
			f := a.positional[0]
			calls = slices.DeleteFunc(calls, func(c owed) bool { return m.equalValues(c.f, f) })
			return none
		},
	})
}

// builtinsLibrary is the module builtins.
func builtinsLibrary(*machine) map[string]Value {
	members := map[string]Value{"__name__": python.Str("builtins")}
	for name, v := range builtins {
		members[name] = v
	}
	return members
}
