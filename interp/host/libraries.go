package host

import (
	"maps"
	"strings"

	"github.com/newtlab/newt/interp/tensor"
)

// maker makes the members of a module for one session, when a script first imports it: what a module
// holds (sys.argv, os.environ, the stream of random) is the session's own.
type maker func(m *machine) map[string]Value

// Libraries are the modules that a session can import. They are a value, not a global, so that a program links only
// those that its sessions may ask for. The zero value has none.
type Libraries struct {
	makers map[string]maker                 // by dotted name
	python func(name string) (string, bool) // the text of a module's Python part; nil has none
	// operations are those of torch; nil has the core's.
	operations func() *tensor.Operations
	// multiply computes products of matrices on a session's device; nil computes them here.
	multiply func(m *machine, out, x, y *tensor.Tensor) bool
}

// SpecLibraries are the modules that the specs of puzzles are written with.
func SpecLibraries() Libraries {
	return Libraries{makers: specModules()}
}

// AllLibraries are all modules that newt has.
func AllLibraries() Libraries {
	makers := union(textModules(), specModules(), torchModules(), tritonModules(), torchvisionModules(),
		refusedLibraries(), pythonModules())
	for name := range makers {
		for parent, _, below := cutLast(name); below && makers[parent] == nil; parent, _, below = cutLast(parent) {
			makers[parent] = empty
		}
	}
	return Libraries{makers: makers, python: preludeOf, operations: tensor.AllOperations, multiply: (*machine).multiply}
}

func specModules() map[string]maker {
	return union(languageModules(), map[string]maker{
		"__future__":              fixed(futureLibrary),
		"jaxtyping":               fixed(jaxtyping),
		"math":                    fixed(mathLibrary),
		"torch":                   torchLibrary,
		"torch._inductor":         empty, // the language's triton_helpers are below it
		"torch._inductor.runtime": empty,
		"torch.nn.functional":     operationsIn(tensor.InFunctional),
		"torch.nn":                empty,
		"triton":                  tritonLibrary,
	})
}

// pythonModules are Python's standard library and what is used like it.
func pythonModules() map[string]maker {
	return map[string]maker{
		"IPython":               ipythonLibrary,
		"IPython.core.debugger": debugger("IPython.core.debugger", "set_trace"),
		"IPython.display":       functionsOf(displayFunctions),
		"abc":                   abcLibrary,
		"base64":                functionsOf(base64Functions),
		"binascii":              functionsOf(base64Functions),
		"bisect":                functionsOf(bisectFunctions),
		"cmath":                 fixed(cmathLibrary),
		"collections":           collectionsLibrary,
		"hashlib":               functionsOf(hashFunctions),
		"pdb":                   debugger("pdb", "set_trace post_mortem pm run runcall"),
		"pytest":                functionsOf(pytestFunctions),
		"struct":                functionsOf(structFunctions),
		"traceback":             tracebackLibrary,
		"collections.abc":       collectionsABC,
		"copy":                  functionsOf(copyFunctions),
		"functools":             functoolsLibrary,
		"_imp":                  functionsOf(impFunctions),
		"atexit":                atexitFunctions,
		"builtins":              builtinsLibrary,
		"inspect":               functionsOf(inspectFunctions),
		"warnings":              functionsOf(warningFunctions),
		"heapq":                 functionsOf(heapqFunctions),
		"itertools":             fixed(itertoolsLibrary),
		"io":                    ioLibrary,
		"matplotlib.pyplot":     functionsOf(pyplotFunctions),
		"triton_viz":            vizLibrary,
		"json":                  functionsOf(jsonFunctions),
		"operator":              operatorLibrary,
		"os":                    osLibrary,
		"os.path":               functionsOf(pathFunctions),
		"random":                fixed(twisterLibrary),
		"re":                    reLibrary,
		"sys":                   sysLibrary,
		"time":                  timeLibrary,
		"unicodedata":           functionsOf(unicodedataFunctions),
	}
}

// standIns are the packages that newt has because programs use them and whose originals are Python alone: a copy of the
// user's own goes before newt's.
var standIns = map[string]bool{"einops": true, "jaxtyping": true, "packaging": true, "seaborn": true, "tabulate": true, "tqdm": true,
	"typing_extensions": true}

// wholePackages are those whose modules are all newt's; the other modules of any other are taken from files.
var wholePackages = map[string]bool{"matplotlib": true, "numpy": true, "torch": true, "torchvision": true, "triton": true,
	"triton_viz": true}

// union is all modules, or members, of some sets; of those by the same name, the last.
func union[V any](sets ...map[string]V) map[string]V {
	all := map[string]V{}
	for _, s := range sets {
		maps.Copy(all, s)
	}
	return all
}

// fixed makes a module whose members do not depend on the session.
func fixed(members func() map[string]Value) maker {
	return func(*machine) map[string]Value { return members() }
}

// functionsOf makes a module of Go functions.
func functionsOf(table func() map[string]method) maker {
	return func(*machine) map[string]Value { return functions(table()) }
}

// empty makes a module that only holds modules.
func empty(*machine) map[string]Value { return map[string]Value{} }

// functions wraps Go functions as a module's members.
func functions(table map[string]method) map[string]Value {
	members := map[string]Value{}
	for signature, f := range table {
		b := newBuiltin("", signature, f)
		b.module = true
		members[b.Name] = b
	}
	return members
}

// futureLibrary is __future__.
func futureLibrary() map[string]Value {
	members := map[string]Value{}
	for _, name := range strings.Fields(`absolute_import annotations division generator_stop generators nested_scopes
		print_function unicode_literals with_statement`) {
		members[name] = none
	}
	return members
}

// libraryNamed finds an importable module. A module is made with its parent and all modules below it, which are
// members of it: os.path is there after "import os".
func (i *importer) libraryNamed(name string) (*Library, bool) {
	if l, ok := i.loaded[name]; ok {
		return l, true
	}
	root, _, _ := strings.Cut(name, ".")
	if _, ok := i.m.options.Libraries.makers[name]; !ok || standIns[root] && i.hasFile(root) {
		return nil, false
	}
	for _, path := range sortedNames(i.m.options.Libraries.makers) { // a module comes before those below it
		if path != root && !strings.HasPrefix(path, root+".") {
			continue
		}
		l := &Library{path, i.m.options.Libraries.makers[path](i.m)}
		i.loaded[path] = l
		i.imported.put(path, l)
		if parent, child, ok := cutLast(path); ok {
			i.loaded[parent].members[child] = l
		}
	}
	return i.loaded[name], true
}

func cutLast(name string) (parent, child string, ok bool) {
	i := strings.LastIndexByte(name, '.')
	if i < 0 {
		return "", "", false
	}
	return name[:i], name[i+1:], true
}

// libraryModule is a library of newt's own.
func (m *machine) libraryModule(name string) *Library {
	l, _ := m.modules.libraryNamed(name)
	return l
}

// libraryMember is something of such a library.
func (m *machine) libraryMember(library, name string) Value {
	v, _ := m.modules.memberOfLibrary(m.libraryModule(library), name)
	return v
}
