package host

import (
	"slices"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/resolve"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
)

// frame is one scope while it runs: its variables.
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

// activation is one entry of the stack of the frames that run. Those of comprehensions have none.
type activation struct {
	frame  *frame
	at     source.Span // where it was entered from
	caller *activation // nil at the bottom
}

// functionFrame is what a call of a function needs, in one piece.
type functionFrame struct {
	frame
	call       call
	activation activation
	slots      [4]Value // vars, where they are enough
}

// newFrame makes the frame of a call.
func (fn *Function) newFrame() *functionFrame {
	x := &functionFrame{call: call{function: fn}}
	scope := fn.inside.scope
	n := len(scope.Order)
	x.frame = frame{m: fn.frame.m, unit: fn.frame.unit, scope: scope, parent: fn.frame, call: &x.call}
	if n <= len(x.slots) {
		x.vars = x.slots[:n]
	} else {
		x.vars = make([]Value, n)
	}
	x.activation.frame = &x.frame
	return x
}

// inner makes the frame of a comprehension or of a class body.
func (f *frame) inner(c compilation) *frame {
	vars := make([]Value, len(c.scope.Order))
	return &frame{m: f.m, unit: f.unit, scope: c.scope, vars: vars, parent: f, call: f.call}
}

// enter makes a frame the one that runs, and leave the one before it. Where an exception leaves it, unwind does.
func (m *machine) enter(a *activation) (outer checkpoint) {
	outer = m.checkpoint()
	a.at, a.caller = m.at, m.active
	m.active, m.frame = a, a.frame
	return outer
}

func (m *machine) leave(a *activation, outer checkpoint) {
	m.active, m.frame, m.at, m.budget.loop = a.caller, outer.frame, a.at, outer.loop
}

// inFrame runs g with f as the machine's frame.
func (m *machine) inFrame(f *frame, g func()) {
	a := &activation{frame: f}
	outer := m.enter(a)
	g()
	m.leave(a, outer)
}

// checkpoint is a state of the machine to which it comes back where an exception is caught.
type checkpoint struct {
	active *activation
	frame  *frame
	loop   source.Span
	depth  int
}

func (m *machine) checkpoint() checkpoint {
	return checkpoint{m.active, m.frame, m.budget.loop, m.budget.depth}
}

// unwind is the exception that a recovered panic carries, with the frames that it has left in its traceback.
func (m *machine) unwind(r any, to checkpoint) *raised {
	e := m.caughtFrom(r)
	for ; m.active != to.active; m.active = m.active.caller {
		e.leave(m.active.frame.tracebackTitle(), m.active.at)
	}
	m.frame, m.budget.loop, m.budget.depth = to.frame, to.loop, to.depth
	return e
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
	case f.scope.Kind == resolve.CompScope:
		return f.parent.tracebackTitle()
	case f.call != nil:
		return f.call.function.Name
	}
	return "<module>"
}

// variable is a name in a scope, with what reads, binds and unbinds it in a frame.
type variable struct {
	load   func(f *frame) (Value, bool)
	store  assignment
	remove func(f *frame) bool // reports whether it had a value
}

// isGlobal reports whether a name means a global: what no scope around it binds is looked for there, too.
func isGlobal(sym *resolve.Symbol) bool { return sym == nil || sym.Scope.Kind == resolve.ModuleScope }

// variable finds the variable that a symbol means in the scope.
func (c compilation) variable(sym *resolve.Symbol, name string) variable {
	ref := newReference(name)
	if isGlobal(sym) {
		return c.unit.bound().variable(ref)
	}
	// It belongs to the frame of its scope, which a nested function finds outwards from where it was defined.
	hops := 0
	for at := c.scope; at != sym.Scope; at = at.Parent {
		hops++
	}
	outwards := func(f *frame) *frame {
		for range hops {
			f = f.parent
		}
		return f
	}
	if sym.Scope.Kind == resolve.ClassScope {
		return variable{
			func(f *frame) (Value, bool) { return outwards(f).names.load(ref) },
			func(f *frame, v Value) { outwards(f).names.set(ref.key, v) },
			func(f *frame) bool { _, ok := outwards(f).names.remove(ref.key); return ok },
		}
	}
	slot := sym.Index
	v := variable{
		func(f *frame) (Value, bool) { v := outwards(f).vars[slot]; return v, v != nil },
		func(f *frame, v Value) { outwards(f).vars[slot] = v },
		func(f *frame) bool {
			at := outwards(f)
			had := at.vars[slot] != nil
			at.vars[slot] = nil
			return had
		},
	}
	if hops == 0 {
		v.store = func(f *frame, v Value) { f.vars[slot] = v }
	}
	return v
}

// variable is a name in a dict of names.
func (d *Dict) variable(ref *reference) variable {
	return variable{
		func(*frame) (Value, bool) { return d.load(ref) },
		d.cell(ref).store,
		func(*frame) bool { _, ok := d.remove(ref.key); return ok },
	}
}

// cell is a name of one dict, with its place while no key has moved.
type cell struct {
	dict         *Dict
	ref          *reference
	place, moved int
}

func (d *Dict) cell(ref *reference) *cell { return &cell{d, ref, 0, -1} }

func (c *cell) load() (Value, bool) {
	if c.dict.moved == c.moved {
		return c.dict.entries[c.place].value, true
	}
	return c.find()
}

func (c *cell) find() (v Value, ok bool) {
	if c.place, ok = c.dict.place(c.ref); !ok {
		return nil, false
	}
	c.moved = c.dict.moved
	return c.dict.entries[c.place].value, true
}

func (c *cell) store(_ *frame, v Value) {
	if c.dict.moved == c.moved {
		c.dict.entries[c.place].value = v
		return
	}
	c.dict.store(c.ref, v)
	c.find()
}

// variableNamed finds what a statement such as def, import or except binds: it may be nonlocal.
func (c compilation) variableNamed(name string) variable {
	for scope := c.scope; scope != nil; scope = scope.Parent {
		if sym := scope.Names[name]; sym != nil {
			return c.variable(sym, name)
		}
	}
	return c.variable(nil, name)
}

// name compiles the use of a name.
func (c compilation) name(n *syntax.Name) evaluation {
	sym, span := c.unit.info.Names[n].Symbol, n.Span()
	if isGlobal(sym) {
		return c.global(n, sym)
	}
	if sym.Scope == c.scope && sym.Scope.Kind != resolve.ClassScope {
		slot := sym.Index
		return func(f *frame) Value {
			f.m.at = span
			if v := f.vars[slot]; v != nil {
				return v
			}
			c.raiseUnbound(sym)
			return nil
		}
	}
	load := c.variable(sym, n.ID).load
	return func(f *frame) Value {
		f.m.at = span
		if v, ok := load(f); ok {
			return v
		}
		// A class body reads names that it has not bound yet from outside, unlike a function.
		if sym.Scope.Kind != resolve.ClassScope {
			c.raiseUnbound(sym)
		}
		if v, ok := c.outsideClass(f, sym); ok {
			return v
		}
		f.unknownName(n)
		return nil
	}
}

// raiseUnbound tells a free variable from a local one, as CPython does; a comprehension counts as part of its function
// since PEP 709.
func (c compilation) raiseUnbound(sym *resolve.Symbol) {
	if sym.Scope != c.scope && c.scope.Kind != resolve.CompScope {
		raiseName("NameError", sym.Name, "", "cannot access free variable '%s' where it is not associated with a "+
			"value in enclosing scope")
	}
	raiseName("UnboundLocalError", sym.Name, "", "cannot access local variable '%s' where it is not associated with a "+
		"value")
}

// global compiles the use of a global: of the unit's, of the builtins, or of an import that was left out.
func (c compilation) global(n *syntax.Name, sym *resolve.Symbol) evaluation {
	ref, span, u := newReference(n.ID), n.Span(), c.unit
	builtin, variable := builtins[n.ID], u.space.vars.cell(ref)
	return func(f *frame) Value {
		f.m.at = span
		if u.locals != nil {
			if v, ok := u.locals.load(ref); ok {
				return v
			}
		}
		if v, ok := variable.load(); ok {
			return v
		}
		if builtin != nil {
			return builtin
		}
		if sym != nil && len(sym.Decls) == 0 { // resolve has said so
			if l, ok := f.m.modules.libraryNamed(sym.Path); ok {
				return l
			}
		}
		if class := f.methodClass(); class != nil && n.ID == "__class__" {
			return class
		}
		f.unknownName(n)
		return nil
	}
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
func (c compilation) outsideClass(f *frame, own *resolve.Symbol) (Value, bool) {
	for scope := own.Scope.Parent; scope != nil; scope = scope.Parent {
		sym := scope.Names[own.Name]
		// Classes around a class are not in sight of its body.
		if sym == nil || scope.Kind == resolve.ClassScope {
			continue
		}
		if isGlobal(sym) {
			break
		}
		return c.variable(sym, own.Name).load(f)
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
	raiseName("NameError", n.ID, near, "name '%s' is not defined")
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

// bindName binds a name that is not an expression, of a def or an import, as it is met.
func (f *frame) bindName(name string, v Value) { f.compilation().variableNamed(name).store(f, v) }

// storeName assigns to a name.
func (c compilation) storeName(n *syntax.Name) assignment {
	return c.variable(c.unit.info.Names[n].Symbol, n.ID).store
}

// deleteName is del of a name.
func (c compilation) deleteName(n *syntax.Name) func(f *frame) {
	sym := c.unit.info.Names[n].Symbol
	remove, span := c.variable(sym, n.ID).remove, n.Span()
	return func(f *frame) {
		f.m.at = span
		switch {
		case remove(f):
		case isGlobal(sym):
			raiseName("NameError", n.ID, "", "name '%s' is not defined")
		default:
			compilation{scope: sym.Scope}.raiseUnbound(sym)
		}
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
