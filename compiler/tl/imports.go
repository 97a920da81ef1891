package tl

import (
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler/syntax"
)

// Imports are the names that the import statements of a module bind, wherever they are in it, each with the dotted path
// of what it names: tl with triton.language.
type Imports map[string]string

// ImportsOf reads the imports of a module. Of a name that several imports bind, Triton's counts.
func ImportsOf(m *syntax.Module) Imports {
	paths := make(Imports)
	add := func(name, path string) {
		if !isTriton(paths[name]) {
			paths[name] = path
		}
	}
	for _, s := range m.Body {
		syntax.Walk(s, func(n syntax.Node) bool {
			switch n := n.(type) {
			case *syntax.Import:
				for _, a := range n.Names {
					add(ImportedName(a))
				}
			case *syntax.ImportFrom:
				for _, a := range n.Names {
					add(ImportedFrom(n, a))
				}
			case syntax.Expr:
				return false
			}
			return true
		})
	}
	return paths
}

// ImportedName is the name that "import a.b" or "import a.b as c" binds, and what it names.
func ImportedName(a syntax.Alias) (name, path string) {
	if a.As != "" {
		return a.As, a.Name
	}
	name, _, _ = strings.Cut(a.Name, ".")
	return name, name
}

// ImportedFrom is the name that "from m import a" or "from m import a as b" binds, and what it names. Packages import
// Triton in a module of their own and hand it on; what is called tl or triton there is taken for it.
func ImportedFrom(s *syntax.ImportFrom, a syntax.Alias) (name, path string) {
	if name = a.As; name == "" {
		name = a.Name
	}
	switch from := strings.Repeat(".", s.Level) + s.Module; {
	case a.Name == "tl":
		return name, "triton.language"
	case a.Name == "triton":
		return name, "triton"
	case s.Module == "":
		return name, from + a.Name
	default:
		return name, from + "." + a.Name
	}
}

// Path is the dotted path of an expression that begins with an imported name.
func (i Imports) Path(e syntax.Expr) (path string, ok bool) {
	switch e := e.(type) {
	case *syntax.Name:
		path, ok = i[e.ID]
	case *syntax.Attribute:
		path, ok = i.Path(e.Value)
		path += "." + e.Attr
	}
	return path, ok
}

// kernelDecorators make a function one for kernels.
var kernelDecorators = []string{"jit", "autotune", "heuristics"}

// IsKernel reports whether decorators make a function one for kernels: triton.jit, or something of that name that is
// not known to come from elsewhere, as jax.jit does.
func (i Imports) IsKernel(def *syntax.FunctionDef) bool {
	return slices.ContainsFunc(def.Decorators, func(d syntax.Expr) bool {
		if call, ok := d.(*syntax.Call); ok {
			d = call.Func
		}
		path, imported := i.Path(d)
		return slices.Contains(kernelDecorators, syntax.LastName(d)) && (!imported || isTriton(path))
	})
}

// isTriton reports whether a path is of Triton's own language, which Gluon is not.
func isTriton(path string) bool {
	return strings.HasPrefix(path+".", "triton.") && !strings.HasPrefix(path, "triton.experimental.")
}
