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
		"import_module": func(m *machine, a arguments) Value {
			v := a.bound("import_module", "name, package=")
			return m.modules.mustModule(resolveModule(m, v[0], v[1]))
		},
		"resolve": func(m *machine, a arguments) Value {
			v := a.bound("resolve_name", "name, package")
			return python.Str(resolveModule(m, v[0], v[1]))
		},
		"__import__": importByName,
		"find":       findByName,
		"execute": func(m *machine, a arguments) Value {
			v := a.bound("exec_module", "module, path")
			n, ok := v[0].(*namespace)
			if !ok {
				raise("TypeError", "exec_module() needs a module, not '%s'", v[0].Type())
			}
			file := m.strOf(v[1])
			m.modules.execute(n, file, m.modules.mustRead(file))
			return none
		},
		"load": func(m *machine, a arguments) Value {
			v := a.bound("load_module", "fullname, path")
			name, file := m.strOf(v[0]), m.strOf(v[1])
			m.modules.mustRead(file)
			module, _ := m.modules.loadModule(name, file)
			return given(module, none)
		},
		"literal": literalOf,
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
	v := a.bound("__import__", "name, globals=, locals=, fromlist=, level=")
	name, pkg := m.strOf(v[0]), Value(none)
	if globals, ok := v[1].(*Dict); ok {
		pkg = globals.at("__package__")
	}
	if level := given(v[4], intValue(0)); m.truthOf(level) {
		name = resolveModule(m, python.Str(strings.Repeat(".", int(asIndex(level)))+name), pkg)
	}
	module := m.modules.mustModule(name)
	if v[3] == nil || !m.truthOf(v[3]) {
		first, _, _ := strings.Cut(name, ".")
		return m.modules.mustModule(first)
	}
	for _, item := range m.itemsOf(v[3]) {
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
	text := a.bound("literal_eval", "node_or_string")[0]
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
	return builtinEval(m, arguments{positional: []Value{text, newDict()}})
}

// findByName says where a module is that need not have been imported: its file, None for a folder without one, and the
// folders that it is as a package, None for a module; (None, None) for newt's own, and None where there is none.
func findByName(m *machine, a arguments) Value {
	name := m.strOf(a.bound("find", "name")[0])
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
	v := a.bound("module", "name, doc=")
	m.budget.chargeItems(1)
	n := newNamespace(m.strOf(v[0]), "")
	n.vars.remove(python.Str("__file__"))
	n.vars.put("__doc__", given(v[1], none))
	return n
}

func init() { hiddenType("module", nil).make = newModule }

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
		"unregister": func(m *machine, a arguments) Value {
			f := a.bound("unregister", "func")[0]
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
