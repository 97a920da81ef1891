package resolve

import (
	"strings"

	"github.com/newtlab/newt/compiler/syntax"
)

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

// jitPaths are the names under which triton.jit can be reached.
var jitPaths = map[string]bool{"triton.jit": true, "triton.runtime.jit": true, "triton.runtime.jit.jit": true}

// isJIT reports whether an expression is triton.jit, or triton.jit(…) with options.
func (i *Info) isJIT(e syntax.Expr) bool {
	if c, ok := e.(*syntax.Call); ok {
		e = c.Func
	}
	path, ok := i.Path(e)
	return ok && jitPaths[strings.TrimPrefix(path, ".")]
}

// findKernels lists the functions under triton.jit, used as a decorator or called on a function's name.
func (r *resolver) findKernels() {
	wrapped := map[*syntax.FunctionDef]bool{}
	syntax.Walk(r.info.Module, func(n syntax.Node) bool {
		if c, ok := n.(*syntax.Call); ok && len(c.Args) == 1 && r.info.isJIT(c) {
			if name, ok := c.Args[0].(*syntax.Name); ok {
				if sym := r.info.Names[name].Symbol; sym != nil && sym.Function() != nil {
					wrapped[sym.Function()] = true
				}
			}
		}
		return true
	})
	syntax.Walk(r.info.Module, func(n syntax.Node) bool {
		f, ok := n.(*syntax.FunctionDef)
		if !ok {
			return true
		}
		kernel := wrapped[f]
		for _, d := range f.Decorators {
			kernel = kernel || r.info.isJIT(d)
		}
		if kernel {
			r.info.Kernels = append(r.info.Kernels, f)
		}
		return true
	})
}
