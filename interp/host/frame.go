package host

import (
	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/resolve"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
)

// frame is one scope while it runs: its variables, and with its methods the interpreter of the statements and
// expressions in it.
type frame struct {
	m      *machine
	scope  *resolve.Scope
	vars   map[*resolve.Symbol]Value
	parent *frame // the frame around it in the text
	call   *call  // the call it runs in; nil at module level
	prefix string // what the qualified names of functions defined in it begin with
}

// call is one running function.
type call struct {
	function *Function
	self     Value            // the first argument, for super()
	yield    func(Value) bool // for generators
	loops    []source.Span    // for generators: the loops around the yield that it stopped at
}

func newFrame(m *machine, scope *resolve.Scope, parent *frame, c *call) *frame {
	f := &frame{m: m, scope: scope, vars: map[*resolve.Symbol]Value{}, parent: parent, call: c}
	if parent != nil {
		f.prefix = parent.prefix
	}
	return f
}

// frameOf is the frame that holds a symbol.
func (f *frame) frameOf(sym *resolve.Symbol) *frame {
	for at := f; at != nil; at = at.parent {
		if at.scope == sym.Scope {
			return at
		}
	}
	return nil
}

// symbolNamed finds the symbol that a statement such as def or import binds in this frame's scope.
func (f *frame) symbolNamed(name string) *resolve.Symbol {
	for scope := f.scope; scope != nil; scope = scope.Parent {
		if sym := scope.Names[name]; sym != nil {
			return sym
		}
	}
	return nil
}

// bindName binds a name that is not an expression: of a def, a class, an import, an except clause.
func (f *frame) bindName(name string, v Value) {
	m := f.m
	sym := f.symbolNamed(name)
	if sym == nil {
		m.stars[name] = v
		return
	}
	if at := f.frameOf(sym); at != nil {
		at.vars[sym] = v
	}
}

// loadName reads a name.
func (f *frame) loadName(n *syntax.Name) Value {
	m := f.m
	if b, ok := m.info.Names[n]; ok && b.Symbol != nil {
		if at := f.frameOf(b.Symbol); at != nil {
			if v, ok := at.vars[b.Symbol]; ok {
				return v
			}
		}
		if b.Kind == resolve.Global {
			if l, ok := m.library(b.Symbol.Path); ok && len(b.Symbol.Decls) == 0 { // an import that was left out: resolve has said so
				return l
			}
			if v, ok := m.outside(n.ID); ok {
				return v
			}
			raise("NameError", "name '%s' is not defined", n.ID)
		}
		// A class body reads names that it has not bound yet from outside, unlike a function.
		if v, ok := f.classFallback(b, n.ID); ok {
			return v
		}
		raise("UnboundLocalError", "cannot access local variable '%s' where it is not associated with a value", n.ID)
	}
	if v, ok := m.outside(n.ID); ok {
		return v
	}
	f.unknownName(n)
	return nil
}

// classFallback finds a name of a class body that is not set yet in the scopes around the class.
func (f *frame) classFallback(b resolve.Binding, name string) (Value, bool) {
	m := f.m
	if b.Symbol.Scope.Kind != resolve.ClassScope {
		return nil, false
	}
	for scope := b.Symbol.Scope.Parent; scope != nil; scope = scope.Parent {
		if sym := scope.Names[name]; sym != nil {
			if at := f.frameOf(sym); at != nil {
				v, ok := at.vars[sym]
				return v, ok
			}
		}
	}
	return m.outside(name)
}

// outside finds a name among the star imports and the builtins.
func (m *machine) outside(name string) (Value, bool) {
	if v, ok := m.stars[name]; ok {
		return v, true
	}
	v, ok := builtins[name]
	return v, ok
}

// unknownName raises NameError with the nearest visible name.
func (f *frame) unknownName(n *syntax.Name) {
	var names []string
	for at := f; at != nil; at = at.parent {
		for sym := range at.vars {
			names = append(names, sym.Name)
		}
	}
	for name := range builtins {
		names = append(names, name)
	}
	if resolve.IsBuiltin(n.ID) {
		lack("NameError", n.ID, sortedNames(builtins))
	}
	if near, ok := diag.Nearest(n.ID, names); ok {
		raise("NameError", "name '%s' is not defined. Did you mean: '%s'?", n.ID, near)
	}
	raise("NameError", "name '%s' is not defined", n.ID)
}

// storeName assigns to a name.
func (f *frame) storeName(n *syntax.Name, v Value) {
	m := f.m
	b, ok := m.info.Names[n]
	if !ok || b.Symbol == nil {
		m.stars[n.ID] = v
		return
	}
	if at := f.frameOf(b.Symbol); at != nil {
		at.vars[b.Symbol] = v
	}
}

func (f *frame) deleteName(n *syntax.Name) {
	m := f.m
	b := m.info.Names[n]
	if b.Symbol != nil {
		if at := f.frameOf(b.Symbol); at != nil {
			if _, ok := at.vars[b.Symbol]; ok {
				delete(at.vars, b.Symbol)
				return
			}
		}
	}
	raise("NameError", "name '%s' is not defined", n.ID)
}
