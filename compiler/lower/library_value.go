package lower

import (
	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/compiler/tl"
)

// Evaluator is a Scope of a program that runs, and computes as Python does. Values are as Outer has them.
type Evaluator interface {
	Scope
	// Evaluate is false where Python raises an exception.
	Evaluate(e syntax.Expr) (any, bool)
	// Call calls a function of the program with arguments that are known, for a call in a kernel at a place. The
	// diagnostic is of the exception that Python raises, or of what has stopped the program.
	Call(f *Function, args []HostArg, at source.Span) (any, *diag.Diagnostic)
}

// libraryValue is the value of an expression of nothing but Python's libraries and constants,
// torch.finfo(torch.float32).max or torch.version.hip, which Triton's compiler lets Python compute. It is false where
// no program runs around the kernel, or where the value is none for kernels.
func (l *lowerer) libraryValue(e syntax.Expr) (value, bool) {
	in, ok := l.frame.fn.module.scope.(Evaluator)
	if !ok || !l.namesLibrary(rootOf(e)) {
		return nil, false
	}
	known := true
	syntax.Walk(e, func(n syntax.Node) bool {
		if name, ok := n.(*syntax.Name); ok {
			known = known && l.namesLibrary(name)
		}
		return known
	})
	if !known {
		return nil, false
	}
	v, ok := in.Evaluate(e)
	if !ok {
		return nil, false
	}
	return l.globals.scopeValue(v)
}

// rootOf is x in x.a.b(…).c, nil where that is no name.
func rootOf(e syntax.Expr) *syntax.Name {
	for {
		switch x := e.(type) {
		case *syntax.Attribute:
			e = x.Value
		case *syntax.Call:
			e = x.Func
		case *syntax.Name:
			return x
		default:
			return nil
		}
	}
}

// namesLibrary reports whether a name is a module that is none of Triton's, whose names are for kernels, and none that
// lowering knows itself.
func (l *lowerer) namesLibrary(n *syntax.Name) bool {
	if n == nil {
		return false
	}
	for f := l.frame; f != nil; f = f.fn.closure {
		if _, local := f.vars.get(n.ID); local {
			return false
		}
	}
	m := l.frame.fn.module
	path := ""
	if v, ok := m.cache[n.ID]; ok { // tl, most often
		known, _ := v.(namespace)
		path = known.name
	} else if o, ok := m.scope.Lookup(n.ID); ok {
		imported, _ := o.Value.(Path)
		path = string(imported)
	}
	return path != "" && !tl.IsModule(path) && path != "triton" && path != "math"
}
