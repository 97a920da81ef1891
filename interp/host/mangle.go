package host

import (
	"strings"

	"github.com/newtlab/newt/compiler/syntax"
)

// manglePrivateNames rewrites the names in class bodies that begin with two underscores and end with fewer, as Python's
// compiler does: __x in class C becomes _C__x. class is the name of the class around n, "" outside of classes.
func manglePrivateNames(n syntax.Node, class string) {
	syntax.Walk(n, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Name:
			n.ID = mangledName(n.ID, class)
		case *syntax.Attribute:
			n.Attr = mangledName(n.Attr, class)
		case *syntax.Lambda:
			mangleParams(n.Params, class)
		case *syntax.FunctionDef:
			n.Name = mangledName(n.Name, class)
			mangleParams(n.Params, class)
		case *syntax.Try:
			for i := range n.Handlers {
				n.Handlers[i].Name = mangledName(n.Handlers[i].Name, class)
			}
		case *syntax.Import:
			mangleAliases(n.Names, class)
		case *syntax.ImportFrom:
			mangleAliases(n.Names, class)
		case *syntax.ClassDef:
			inner := n.Name
			n.Name = mangledName(n.Name, class)
			for _, e := range n.Decorators {
				manglePrivateNames(e, class)
			}
			for _, e := range n.Bases {
				manglePrivateNames(e, class)
			}
			for _, k := range n.Keywords {
				manglePrivateNames(k.Value, class)
			}
			for _, s := range n.Body {
				manglePrivateNames(s, inner)
			}
			return false
		}
		return true
	})
}

func mangleParams(p *syntax.Params, class string) {
	for i := range p.List {
		p.List[i].Name = mangledName(p.List[i].Name, class)
	}
}

func mangleAliases(list []syntax.Alias, class string) {
	for i := range list {
		list[i].As = mangledName(list[i].As, class)
	}
}

// mangledName is a name as a class body means it. Classes named by underscores alone mangle nothing.
func mangledName(name, class string) string {
	class = strings.TrimLeft(class, "_")
	if class == "" || !strings.HasPrefix(name, "__") || strings.HasSuffix(name, "__") {
		return name
	}
	return "_" + class + name
}
