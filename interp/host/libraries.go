package host

import (
	"maps"
	"strings"
)

// maker makes the members of a module for one session, when a script first imports it: what a module
// holds (sys.argv, os.environ, the stream of random) is the session's own.
type maker func(m *machine) map[string]Value

// registry is a set of importable modules, by dotted name.
type registry map[string]maker

// modules are those that scripts can import. It is filled by init, since modules name functions that
// import others.
var modules registry

func init() {
	modules = registry{
		"IPython":               functionsOf(nil),
		"IPython.core":          functionsOf(nil),
		"IPython.core.debugger": functionsOf(debuggerFunctions),
		"__future__":            fixed(futureLibrary),
		"abc":                   abcLibrary,
		"argparse":              inPython("argparse"),
		"bisect":                functionsOf(bisectFunctions),
		"collections":           collectionsLibrary,
		"collections.abc":       collectionsABC,
		"contextlib":            inPython("contextlib"),
		"copy":                  functionsOf(copyFunctions),
		"dataclasses":           dataclassesLibrary,
		"enum":                  enumLibrary,
		"functools":             functoolsLibrary,
		"gc":                    functionsOf(gcFunctions),
		"inspect":               inspectLibrary,
		"pathlib":               inPython("pathlib"),
		"statistics":            inPython("statistics"),
		"textwrap":              inPython("textwrap"),
		"tqdm":                  inPython("tqdm"),
		"tqdm.auto":             inPython("tqdm"),
		"platform":              fixed(platformLibrary),
		"warnings":              warningsLibrary,
		"heapq":                 functionsOf(heapqFunctions),
		"itertools":             fixed(itertoolsLibrary),
		"jaxtyping":             fixed(jaxtyping),
		"math":                  fixed(mathLibrary),
		"io":                    ioLibrary,
		"json":                  jsonLibrary,
		"operator":              operatorLibrary,
		"os":                    osLibrary,
		"os.path":               functionsOf(pathFunctions),
		"random":                randomLibrary,
		"re":                    reLibrary,
		"string":                fixed(stringLibrary),
		"sys":                   sysLibrary,
		"time":                  functionsOf(timeFunctions),
		"typing":                typingLibrary,
		"typing_extensions":     typingLibrary,
	}
	for _, other := range []registry{torchModules(), tritonModules(), matplotlibModules()} {
		maps.Copy(modules, other)
	}
}

// fixed makes a module whose members do not depend on the session.
func fixed(members func() map[string]Value) maker {
	return func(*machine) map[string]Value { return members() }
}

// functionsOf makes a module of Go functions.
func functionsOf(table map[string]method) maker {
	return func(*machine) map[string]Value { return functions(table) }
}

// functions wraps Go functions as a module's members.
func functions(table map[string]method) map[string]Value {
	members := map[string]Value{}
	for name, f := range table {
		members[name] = &Builtin{name, f}
	}
	return members
}

// futureLibrary is __future__.
func futureLibrary() map[string]Value { return map[string]Value{"annotations": none} }

// libraryNamed finds an importable module. A module is made with its parent and all modules below it, which are members of
// it: os.path is there after "import os".
func (m *machine) libraryNamed(name string) (*Library, bool) {
	if l, ok := m.loaded[name]; ok {
		return l, true
	}
	if _, ok := modules[name]; !ok {
		return nil, false
	}
	root, _, _ := strings.Cut(name, ".")
	for _, path := range sortedNames(modules) { // a module comes before those below it
		if path != root && !strings.HasPrefix(path, root+".") {
			continue
		}
		l := &Library{path, modules[path](m)}
		m.loaded[path] = l
		if parent, child, ok := cutLast(path); ok {
			m.loaded[parent].members[child] = l
		}
	}
	return m.loaded[name], true
}

func cutLast(name string) (parent, child string, ok bool) {
	i := strings.LastIndexByte(name, '.')
	if i < 0 {
		return "", "", false
	}
	return name[:i], name[i+1:], true
}
