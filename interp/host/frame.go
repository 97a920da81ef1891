package host

import (
	"slices"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/compiler/resolve"
	"github.com/newtlab/newt/compiler/syntax"
)

// frame is one scope while it runs: its variables, and with its methods the interpreter of the statements and
// expressions in it.
type frame struct {
	m      *machine
	unit   *unit // the text that it runs
	scope  *resolve.Scope
	vars   []Value // of a function, a lambda or a comprehension, by Symbol.Index; nil where a name has no value
	names  *Dict   // in place of vars, of a module or a class: by name
	parent *frame  // the frame around it in the text
	call   *call   // the call it runs in; nil at module level
	prefix string  // of a class: what the qualified names of functions defined in it begin with
}

// call is one running function.
type call struct {
	function  *Function
	self      Value    // the first argument, for super()
	generator *routine // nil unless the function yields
}

// newFrame makes the frame of a function, a lambda or a comprehension.
func newFrame(node syntax.Node, parent *frame, c *call) *frame {
	scope := parent.unit.info.Scopes[node]
	return &frame{m: parent.m, unit: parent.unit, scope: scope, vars: make([]Value, len(scope.Order)), parent: parent,
		call: c}
}

// qualifiedPrefix is what the qualified names of functions and classes defined in the frame begin with (PEP 3155).
func (f *frame) qualifiedPrefix() string {
	switch {
	case f.names != nil:
		return f.prefix
	case f.scope.Kind == resolve.CompScope:
		return f.parent.qualifiedPrefix()
	}
	return f.call.function.qualified + ".<locals>."
}

// tracebackTitle is what tracebacks call the frame.
func (f *frame) tracebackTitle() string {
	switch {
	case f.scope.Kind == resolve.ClassScope:
		return f.scope.Node.(*syntax.ClassDef).Name
	case f.call != nil:
		return f.call.function.Name
	}
	return "<module>"
}

// inFrame runs g with f as the machine's frame. Exceptions that leave it get f's place in their traceback.
func (m *machine) inFrame(f *frame, g func()) {
	outer, at, done := m.frame, m.at, false
	m.frame = f
	defer func() {
		m.frame = outer
		if !done {
			e := m.caughtFrom(recover())
			e.leave(f.tracebackTitle(), at)
			panic(e)
		}
		m.at = at
	}()
	g()
	done = true
}

// frameOf is the frame that holds a symbol that is not global.
func (f *frame) frameOf(sym *resolve.Symbol) *frame {
	for at := f; sym != nil && at != nil; at = at.parent {
		if at.scope == sym.Scope {
			return at
		}
	}
	return nil
}

func (f *frame) variableOf(sym *resolve.Symbol) (Value, bool) {
	if f.names != nil {
		return f.names.named(sym.Name)
	}
	v := f.vars[sym.Index]
	return v, v != nil
}

// isGlobal reports whether a name means a global: what no scope around it binds is looked for there, too.
func isGlobal(sym *resolve.Symbol) bool { return sym == nil || sym.Scope.Kind == resolve.ModuleScope }

// loadName reads a name.
func (f *frame) loadName(n *syntax.Name) Value {
	sym := f.unit.info.Names[n].Symbol
	if isGlobal(sym) {
		return f.loadGlobal(n, sym)
	}
	// A variable belongs to the frame of its scope, which a nested function finds outwards from where it was defined.
	if at := f.frameOf(sym); at != nil {
		if v, ok := at.variableOf(sym); ok {
			return v
		}
	}
	// A class body reads names that it has not bound yet from outside, unlike a function.
	if sym.Scope.Kind == resolve.ClassScope {
		if v, ok := f.outsideClass(sym); ok {
			return v
		}
		f.unknownName(n)
	}
	// CPython tells a free variable from a local one; a comprehension counts as part of its function since PEP 709.
	if sym.Scope != f.scope && f.scope.Kind != resolve.CompScope {
		raise("NameError", "cannot access free variable '%s' where it is not associated with a value in "+
			"enclosing scope", n.ID)
	}
	raise("UnboundLocalError", "cannot access local variable '%s' where it is not associated with a value", n.ID)
	return nil
}

func (f *frame) loadGlobal(n *syntax.Name, sym *resolve.Symbol) Value {
	if v, ok := f.unit.global(n.ID); ok {
		return v
	}
	if sym != nil && len(sym.Decls) == 0 { // an import that was left out: resolve has said so
		if l, ok := f.m.modules.libraryNamed(sym.Path); ok {
			return l
		}
	}
	if c := f.methodClass(); c != nil && n.ID == "__class__" {
		return c
	}
	f.unknownName(n)
	return nil
}

// methodClass is the class of the method around, nil where there is none.
func (f *frame) methodClass() *Class {
	for at := f; at != nil; at = at.parent {
		if at.call != nil && at.call.function.class != nil {
			return at.call.function.class
		}
	}
	return nil
}

// outsideClass finds a name of a class body that is not set yet in the scopes around the class.
func (f *frame) outsideClass(own *resolve.Symbol) (Value, bool) {
	for scope := own.Scope.Parent; scope != nil; scope = scope.Parent {
		sym := scope.Names[own.Name]
		// Classes around a class are not in sight of its body.
		if sym == nil || scope.Kind == resolve.ClassScope {
			continue
		}
		if isGlobal(sym) {
			break
		}
		if at := f.frameOf(sym); at != nil {
			return at.variableOf(sym)
		}
	}
	return f.unit.global(own.Name)
}

// unknownName raises NameError; its traceback suggests the nearest visible name.
func (f *frame) unknownName(n *syntax.Name) {
	// Python has the name and newt does not: a lack, not a NameError of the script's.
	if resolve.IsBuiltin(n.ID) {
		lack("NameError", n.ID, sortedNames(builtins))
	}
	names := append(f.visibleNames(), sortedNames(builtins)...)
	near, _ := diag.Nearest(n.ID, names)
	raiseNear("NameError", near, "name '%s' is not defined", n.ID)
}

// visibleNames lists the names that have values in the frame and around it.
func (f *frame) visibleNames() (names []string) {
	for at := f; at != nil; at = at.parent {
		if at.names != nil {
			names = append(names, at.names.names()...)
		}
		for i, v := range at.vars {
			if v != nil {
				names = append(names, at.scope.Order[i].Name)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// storeName assigns to a name.
func (f *frame) storeName(n *syntax.Name, v Value) {
	f.storeSymbol(f.unit.info.Names[n].Symbol, n.ID, v)
}

// bindName binds a name that is not an expression: of a def, a class, an import, an except clause.
func (f *frame) bindName(name string, v Value) { f.storeSymbol(f.symbolNamed(name), name, v) }

// symbolNamed finds what a statement such as def or import binds: it may be nonlocal.
func (f *frame) symbolNamed(name string) *resolve.Symbol {
	for scope := f.scope; scope != nil; scope = scope.Parent {
		if sym := scope.Names[name]; sym != nil {
			return sym
		}
	}
	return nil
}

func (f *frame) storeSymbol(sym *resolve.Symbol, name string, v Value) {
	if isGlobal(sym) {
		f.unit.bound().put(name, v)
		return
	}
	switch at := f.frameOf(sym); {
	case at == nil:
	case at.names != nil:
		at.names.put(name, v)
	default:
		at.vars[sym.Index] = v
	}
}

func (f *frame) deleteName(name string, sym *resolve.Symbol) {
	held := false
	if at := f.frameOf(sym); isGlobal(sym) {
		_, held = f.unit.bound().remove(python.Str(name))
	} else if at.names != nil {
		_, held = at.names.remove(python.Str(name))
	} else {
		held = at.vars[sym.Index] != nil
		at.vars[sym.Index] = nil
	}
	switch {
	case held:
	case isGlobal(sym):
		raise("NameError", "name '%s' is not defined", name)
	default:
		raise("UnboundLocalError", "cannot access local variable '%s' where it is not associated with a value", name)
	}
}

// unbindName deletes a name if it is bound.
func (f *frame) unbindName(name string) {
	sym := f.symbolNamed(name)
	switch at := f.frameOf(sym); {
	case isGlobal(sym):
		f.unit.bound().remove(python.Str(name))
	case at.names != nil:
		at.names.remove(python.Str(name))
	default:
		at.vars[sym.Index] = nil
	}
}

// localNames is what locals() gives: the dict of a module or a class, or a copy of a function's variables.
func (f *frame) localNames() *Dict {
	if f.names != nil {
		return f.names
	}
	d := newDict()
	// locals() of a function has its free variables, too, the inner of two names that are the same.
	for at := f; at != nil && at.names == nil; at = at.parent {
		for i, sym := range at.scope.Order {
			if _, hidden := d.named(sym.Name); !hidden && at.vars[i] != nil {
				d.put(sym.Name, at.vars[i])
			}
		}
	}
	return d
}
