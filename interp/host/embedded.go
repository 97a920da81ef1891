package host

import (
	"embed"
	"slices"

	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
)

// embeddedTexts are the modules that are simplest in Python, and not in the inner loops of scripts: the session runs
// them itself.
//
//go:embed embedded/*.py
var embeddedTexts embed.FS

// inPython makes a module of an embedded text.
func inPython(name string) maker {
	return func(m *machine) map[string]Value { return m.modules.runEmbedded(name) }
}

// runEmbedded runs an embedded text and gives its globals.
func (i *importer) runEmbedded(name string) map[string]Value {
	text, err := embeddedTexts.ReadFile("embedded/" + name + ".py")
	if err != nil {
		raise("ImportError", "no embedded module %s", name)
	}
	at := i.m.at
	tree, said := syntax.Parse(i.m.sources.Add(source.NewFile("<frozen "+name+">", string(text))))
	if said.HasErrors() {
		throwOwn("SyntaxError", said[0])
	}
	space := newNamespace(name, "")
	i.m.runUnit(newUnit(tree, space), tree.Body)
	i.m.at = at
	members := map[string]Value{}
	for _, name := range space.names() {
		members[name] = space.vars.at(name)
		if c, ok := members[name].(*Class); ok && !c.builtin && c.member("__module__") == nil {
			c.define("__module__", python.Str(space.name))
		} else if ok && slices.Contains([]string{"datetime", "decimal", "types"}, space.name) {
			c.inC = c.member("__module__") == python.Str(space.name)
		}
	}
	return members
}
