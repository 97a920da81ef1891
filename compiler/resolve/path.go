package resolve

import "github.com/newtlab/newt/compiler/syntax"

// Path is the dotted name of what an expression refers to, when that can be told from imports:
// "triton.language.load" for tl.load after "import triton.language as tl", for load after
// "from triton.language import load", and for f after "f = tl.load" where nothing else sets f.
func (i *Info) Path(e syntax.Expr) (string, bool) { return i.path(e, 16) }

// path follows at most limit assignments, for those may run in a circle.
func (i *Info) path(e syntax.Expr, limit int) (string, bool) {
	switch e := e.(type) {
	case *syntax.Attribute:
		base, ok := i.path(e.Value, limit)
		return base + "." + e.Attr, ok
	case *syntax.Name:
		return i.namePath(e, limit)
	}
	return "", false
}

func (i *Info) namePath(n *syntax.Name, limit int) (string, bool) {
	b, ok := i.Names[n]
	if !ok || limit == 0 {
		return "", false
	}
	if b.Symbol == nil {
		if b.Kind == Undefined && len(i.stars) > 0 {
			return i.stars[len(i.stars)-1] + "." + n.ID, true
		}
		return "", false
	}
	if b.Symbol.Path != "" {
		return b.Symbol.Path, true
	}
	if v := b.Symbol.Value(); v != nil {
		return i.path(v, limit-1)
	}
	return "", false
}

// Imports maps each name that the module imports at its top level to its dotted path.
func (i *Info) Imports() map[string]string {
	m := map[string]string{}
	for _, sym := range i.ModuleScope().Order {
		if sym.Path != "" {
			m[sym.Name] = sym.Path
		}
	}
	return m
}

// Language is what the module calls triton.language; "tl" where it does not import it.
func (i *Info) Language() string {
	name := "tl"
	for _, sym := range i.ModuleScope().Order {
		switch sym.Path {
		case "triton.language":
			return sym.Name
		case "triton":
			name = sym.Name + ".language"
		}
	}
	return name
}
