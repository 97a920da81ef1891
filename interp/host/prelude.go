package host

import (
	"embed"
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
)

// Modules are written in Python, on top of their members in Go where there are some: torch.nn's classes are
// torch.nn.functional's operations with parameters. Such a text runs when a script first asks the module for a name
// that Go does not define, so that scripts that need none of it do not wait for it.

//go:embed prelude/*.py
var preludes embed.FS

// PythonPart is the text of a module's Python part, which sees the module's other members as its globals; "" if it has
// none.
func PythonPart(module string) string {
	text, _ := preludeOf(module)
	return text
}

// preludeOf is the text of a module's Python part.
func preludeOf(name string) (string, bool) {
	text, err := preludes.ReadFile("prelude/" + name + ".py")
	return string(text), err == nil
}

// textModules are the modules that have such a text.
func textModules() map[string]maker {
	makers := map[string]maker{}
	files, _ := preludes.ReadDir("prelude")
	for _, f := range files {
		makers[strings.TrimSuffix(f.Name(), ".py")] = empty
	}
	return makers
}

// inC are the modules with classes that CPython has in C.
var inC = []string{"datetime", "decimal", "types"}

// memberOfLibrary finds a member of a library, of its Python part as well.
func (i *importer) memberOfLibrary(l *Library, name string) (Value, bool) {
	if v, ok := l.members[name]; ok {
		return v, true
	}
	i.completeLibrary(l)
	v, ok := l.members[name]
	if !ok && refusal(l.name, name, source.Span{}) != nil {
		return refusedMember{l.name, name}, true
	}
	return v, ok
}

// completeLibrary runs the Python part of a library, if it has one that has not run. It sees the members in Go as its
// globals, and costs the script nothing.
func (i *importer) completeLibrary(l *Library) {
	if i.completed[l] || i.m.options.Libraries.python == nil {
		return
	}
	text, ok := i.m.options.Libraries.python(l.name)
	if !ok {
		return
	}
	// Before it runs, since the text imports names of its own module.
	i.completed[l] = true
	tree, said := syntax.Parse(i.m.sources.Add(source.NewFile("<frozen "+l.name+">", text)))
	if said.HasErrors() {
		panic("prelude of " + l.name + ": " + said[0].Code)
	}
	space := newNamespace(l.name, "")
	own := space.vars.live
	for _, name := range sortedNames(l.members) {
		space.vars.put(name, l.members[name])
	}
	// Newt's own text is not the script's work.
	spent := i.m.budget
	i.m.runUnit(newUnit(tree, space), tree.Body)
	i.m.budget.steps, i.m.budget.items, i.m.budget.pollAt = spent.steps, spent.items, spent.pollAt
	for _, name := range space.names()[own:] {
		v := space.vars.at(name)
		if c, ok := v.(*Class); ok && c.member("__module__") == python.Str(l.name) {
			c.inC = slices.Contains(inC, l.name)
		}
		l.members[name] = v
	}
}
