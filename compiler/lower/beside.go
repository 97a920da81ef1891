package lower

import (
	"strings"

	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
)

// importedModule is a module beside the file that is checked. It has not run: its names are what its text says.
type importedModule struct{ *module }

// lookupBeside is what an import of a file that is checked names, nil where the text of no module tells it.
func (g *globals) lookupBeside(m *module, n *syntax.Name, path string) value {
	if g.l.opts.Guess == nil || g.l.opts.Guess.Import == nil || m.tree == nil {
		return nil
	}
	if tree := g.l.opts.Guess.Import(m.tree, path); tree != nil {
		return importedModule{g.moduleOfText(tree)}
	}
	parent, name := cutImport(path)
	if tree := g.l.opts.Guess.Import(m.tree, parent); tree != nil {
		return g.lookupIn(tree, nameAt(name, n.Span()))
	}
	return nil
}

// lookupIn is a name of a module's text. One that is None there is unknown: a function may set it later.
func (g *globals) lookupIn(tree *syntax.Module, n *syntax.Name) value {
	v := g.lookup(g.moduleOfText(tree), n)
	if v == pyNone {
		return poison{}
	}
	return v
}

// moduleOfText is the module of a text; the names of one are evaluated once.
func (g *globals) moduleOfText(tree *syntax.Module) *module {
	if g.texts[tree] == nil {
		g.texts[tree] = newModule(tree, false)
	}
	return g.texts[tree]
}

// attribute is module.name. Names that the text does not have may come from elsewhere.
func (x importedModule) attribute(l *lowerer, e *syntax.Attribute) value {
	v := l.globals.lookupIn(x.tree, nameAt(e.Attr, e.AttrSpan))
	if v == nil {
		return poison{}
	}
	return v
}

func nameAt(name string, at source.Span) *syntax.Name {
	n := &syntax.Name{ID: name}
	n.Loc = at
	return n
}

// cutImport cuts the last name off the path of an import: ".ops" and "exp" of ".ops.exp", "." and "ops" of ".ops".
func cutImport(path string) (module, name string) {
	at := strings.LastIndexByte(path, '.')
	module, name = path[:max(at, 0)], path[at+1:]
	if strings.Trim(module, ".") == "" {
		module = path[:at+1]
	}
	return module, name
}

// ImportedFunction finds the function that a path names which a module imports, through modules that hand it on, and
// the module that defines it.
func ImportedFunction(
	from *syntax.Module, path string, load func(from *syntax.Module, path string) *syntax.Module,
) (tree *syntax.Module, fn *syntax.FunctionDef) {
	const most = 8 // modules
	for range most {
		parent, name := cutImport(path)
		if tree = load(from, parent); tree == nil {
			return nil, nil
		}
		def := newModule(tree, false).defs[name]
		if def.fn != nil || def.path == "" {
			return tree, def.fn
		}
		from, path = tree, def.path
	}
	return nil, nil
}
