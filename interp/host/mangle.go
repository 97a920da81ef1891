package host

import (
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler/syntax"
)

// manglePrivateNames rewrites the private names of a text's classes.
func manglePrivateNames(tree *syntax.Module) {
	syntax.Walk(tree, func(n syntax.Node) bool {
		d, ok := n.(*syntax.ClassDef)
		return !ok || mangler("").visit(d)
	})
}

// mangler rewrites the names in class bodies that begin with two underscores and end with fewer, as Python's compiler
// does: __x in class C becomes _C__x. It is the name of the class around what it visits, "" outside of classes.
type mangler string

// visit mangles a node's own names; it is syntax.Walk's.
func (class mangler) visit(n syntax.Node) bool {
	switch n := n.(type) {
	case *syntax.Name:
		n.ID = class.mangled(n.ID)
	case *syntax.Attribute:
		n.Attr = class.mangled(n.Attr)
	case *syntax.Lambda:
		class.params(n.Params)
	case *syntax.FunctionDef:
		n.Name = class.mangled(n.Name)
		class.params(n.Params)
	case *syntax.Try:
		for i := range n.Handlers {
			n.Handlers[i].Name = class.mangled(n.Handlers[i].Name)
		}
	case *syntax.Import:
		class.aliases(n.Names)
	case *syntax.ImportFrom:
		class.aliases(n.Names)
	case *syntax.ClassDef:
		inner := mangler(n.Name)
		n.Name = class.mangled(n.Name)
		around := slices.Concat(n.Decorators, n.Bases)
		for _, k := range n.Keywords {
			around = append(around, k.Value)
		}
		for _, e := range around {
			syntax.Walk(e, class.visit)
		}
		for _, s := range n.Body {
			syntax.Walk(s, inner.visit)
		}
		return false
	}
	return true
}

func (class mangler) params(p *syntax.Params) {
	for i := range p.List {
		p.List[i].Name = class.mangled(p.List[i].Name)
	}
}

func (class mangler) aliases(list []syntax.Alias) {
	for i := range list {
		list[i].As = class.mangled(list[i].As)
	}
}

// mangled is a name as a class body means it. Classes named by underscores alone mangle nothing.
func (class mangler) mangled(name string) string {
	of := strings.TrimLeft(string(class), "_")
	if of == "" || !strings.HasPrefix(name, "__") || strings.HasSuffix(name, "__") {
		return name
	}
	return "_" + of + name
}
