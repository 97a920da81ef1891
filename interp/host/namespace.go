package host

import (
	"slices"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/compiler/resolve"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
)

// namespace holds the globals of a module: of the document with all its cells, or of a module beside it. As a value
// it is that module.
type namespace struct {
	name string // __name__
	vars *Dict  // by name, in the order of their first assignment; globals() is this dict
	// declared is what the text says about each name, by the last unit that binds it: messages about kernels
	// point there.
	declared map[string]*resolve.Symbol
}

// Type is "module".
func (*namespace) Type() string { return "module" }

func newNamespace(name, file string) *namespace {
	n := &namespace{name: name, vars: newDict(), declared: map[string]*resolve.Symbol{}}
	n.vars.put("__name__", python.Str(name))
	n.vars.put("__doc__", none)
	n.vars.put("__file__", python.Str(file))
	return n
}

func (n *namespace) setAttr(_ *machine, name string, v Value) bool {
	n.vars.put(name, v)
	return true
}

func (n *namespace) deleteAttr(_ *machine, name string) bool {
	_, ok := n.vars.remove(python.Str(name))
	return ok
}

// names lists the globals.
func (n *namespace) names() []string { return n.vars.names() }

// unit is one text that runs as a whole: a cell, a script, a module, or the argument of eval.
type unit struct {
	file   *source.File
	info   *resolve.Info
	said   diag.List  // what resolving the text found, for the kernels that launches reach
	space  *namespace // whose globals it reads and binds
	texts  bool       // from __future__ import annotations: annotations are texts that nothing evaluates
	locals *Dict      // of the argument of eval and exec: names that hide those of space, and take what it binds
}

// newUnit resolves a text whose globals are those of a namespace.
func newUnit(tree *syntax.Module, space *namespace) *unit {
	manglePrivateNames(tree)
	info, said := resolve.Resolve(tree, space.names()...)
	return &unit{file: tree.File, info: info, said: said, space: space,
		texts: slices.ContainsFunc(tree.Body, postponesAnnotations)}
}

// postponesAnnotations reports whether a statement is from __future__ import annotations.
func postponesAnnotations(s syntax.Stmt) bool {
	f, ok := s.(*syntax.ImportFrom)
	return ok && f.Module == "__future__" &&
		slices.ContainsFunc(f.Names, func(a syntax.Alias) bool { return a.Name == "annotations" })
}

// annotation is the value of an annotation.
func (f *frame) annotation(e syntax.Expr) Value {
	if f.unit.texts {
		return python.Str(syntax.String(e))
	}
	return f.evalExpr(e)
}

// declare notes where the unit binds globals.
func (u *unit) declare() {
	for _, sym := range u.info.ModuleScope().Order {
		if len(sym.Decls) > 0 && sym.Decls[0].Kind != resolve.GlobalDecl {
			u.space.declared[sym.Name] = sym
		}
	}
}

// bound is the dict that takes the names that the unit's top level binds.
func (u *unit) bound() *Dict {
	if u.locals != nil {
		return u.locals
	}
	return u.space.vars
}

// global finds a name outside of all functions: among the unit's, then the builtins.
func (u *unit) global(name string) (Value, bool) {
	if u.locals != nil {
		if v, ok := u.locals.named(name); ok {
			return v, true
		}
	}
	if v, ok := u.space.vars.named(name); ok {
		return v, true
	}
	v, ok := builtins[name]
	return v, ok
}

// topFrame is the frame in which the unit's top level runs.
func (m *machine) topFrame(u *unit) *frame {
	return &frame{m: m, unit: u, scope: u.info.ModuleScope(), names: u.bound()}
}

// runUnit runs a unit's top level.
func (m *machine) runUnit(u *unit, body []syntax.Stmt) {
	f := m.topFrame(u)
	u.declare()
	m.inFrame(f, func() { f.execBlock(body) })
}
