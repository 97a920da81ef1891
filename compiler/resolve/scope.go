package resolve

import (
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/compiler/tl"
)

// ScopeKind says what opens a scope.
type ScopeKind uint8

// The kinds of scope.
const (
	ModuleScope ScopeKind = iota
	FunctionScope
	LambdaScope
	CompScope
	ClassScope
)

// Scope is a region of the text with names of its own.
type Scope struct {
	Kind   ScopeKind
	Node   syntax.Node // *syntax.Module, FunctionDef, Lambda, Comp or ClassDef
	Parent *Scope      // nil for the module
	Names  map[string]*Symbol
	Order  []*Symbol // Names in the order of their first declaration

	outside map[string]*Symbol // names declared global or nonlocal here
}

// Symbol is one variable: a name in the scope that declares it.
type Symbol struct {
	Name  string
	Scope *Scope
	Index int // its place in Scope.Order
	Param bool
	Path  string // what it is imported as, dotted: "triton.language"; empty for other names
	Decls []Decl // in the order of the text; empty for implicit imports
}

// Decl is one place that gives a symbol a value.
type Decl struct {
	Kind DeclKind
	Span source.Span // the name, or the smallest part of the text that holds it
	Node syntax.Node // the statement or expression that declares it; nil for parameters
}

// DeclKind says how a name gets a value.
type DeclKind uint8

// The kinds of declaration.
const (
	AssignDecl DeclKind = iota // also annotated assignment, with a value or without
	AugDecl                    // x += 1
	TargetDecl                 // for, with, except, walrus, comprehension, del
	ParamDecl
	ImportDecl
	FunctionDecl
	ClassDecl
	GlobalDecl // "global x", where nothing else in the module declares it
)

// Function is the def statement that alone declares the symbol, or nil.
func (s *Symbol) Function() *syntax.FunctionDef {
	if len(s.Decls) != 1 {
		return nil
	}
	f, _ := s.Decls[0].Node.(*syntax.FunctionDef)
	return f
}

// Value is what the one assignment that declares the symbol assigns, or nil if there are several
// declarations, or the assignment unpacks a tuple.
func (s *Symbol) Value() syntax.Expr {
	if len(s.Decls) != 1 {
		return nil
	}
	switch n := s.Decls[0].Node.(type) {
	case *syntax.Assign:
		for _, t := range n.Targets {
			if name, ok := t.(*syntax.Name); ok && name.ID == s.Name {
				return n.Value
			}
		}
	case *syntax.AnnAssign:
		return n.Value
	}
	return nil
}

// Kind says how the place that uses a name reaches it.
type Kind uint8

// The kinds of binding. Comprehensions count as part of the function around them.
const (
	Undefined Kind = iota
	Local          // of the same function
	Param          // a parameter of the same function
	Free           // of an enclosing function
	Global         // of the module, whether used there or in a function
	Builtin        // of Python, or promised by the caller of Resolve
)

func (k Kind) String() string {
	return [...]string{"undefined", "local", "param", "free", "global", "builtin"}[k]
}

// Binding is what a name means at one place. Symbol is nil for Builtin and Undefined.
type Binding struct {
	Kind   Kind
	Symbol *Symbol
}

func newScope(kind ScopeKind, node syntax.Node, parent *Scope) *Scope {
	return &Scope{Kind: kind, Node: node, Parent: parent, Names: map[string]*Symbol{}, outside: map[string]*Symbol{}}
}

// declare adds a declaration of name to the scope, or to where global and nonlocal send it.
func (s *Scope) declare(name string, d Decl) *Symbol {
	sym := s.outside[name]
	if sym == nil {
		sym = s.Names[name]
	}
	if sym == nil {
		sym = &Symbol{Name: name, Scope: s, Index: len(s.Order)}
		s.Names[name] = sym
		s.Order = append(s.Order, sym)
	}
	sym.Decls = append(sym.Decls, d)
	sym.Param = sym.Param || d.Kind == ParamDecl
	return sym
}

func (s *Scope) module() *Scope {
	for s.Parent != nil {
		s = s.Parent
	}
	return s
}

// function is the scope that assignments in this one belong to: comprehensions pass them on.
func (s *Scope) function() *Scope {
	for s.Kind == CompScope {
		s = s.Parent
	}
	return s
}

// inKernel reports whether the scope is in a function that a decorator makes one for kernels.
func (r *resolver) inKernel(s *Scope) bool {
	if r.imports == nil {
		r.imports = tl.ImportsOf(r.info.Module)
	}
	for ; s != nil; s = s.Parent {
		if fn, ok := s.Node.(*syntax.FunctionDef); ok && r.imports.IsKernel(fn) {
			return true
		}
	}
	return false
}

// inMethod reports whether the scope is in a function of a class, where __class__ is the class.
func (s *Scope) inMethod() bool {
	for ; s.Parent != nil; s = s.Parent {
		if s.Kind != ClassScope && s.Parent.Kind == ClassScope {
			return true
		}
	}
	return false
}

// lookup finds what name means in this scope.
func (s *Scope) lookup(name string) Binding {
	home := s.function()
	for at := s; at != nil; at = at.Parent {
		if at.Kind == ClassScope && at != s {
			continue
		}
		sym := at.outside[name]
		if sym == nil {
			sym = at.Names[name]
		}
		if sym == nil {
			continue
		}
		switch {
		case sym.Scope.Kind == ModuleScope:
			return Binding{Global, sym}
		case sym.Scope.function() != home:
			return Binding{Free, sym}
		case sym.Param:
			return Binding{Param, sym}
		}
		return Binding{Local, sym}
	}
	return Binding{}
}

// visible lists the names that can be used in the scope.
func (s *Scope) visible() []string {
	var names []string
	for at := s; at != nil; at = at.Parent {
		if at.Kind == ClassScope && at != s {
			continue
		}
		for _, sym := range at.Order {
			names = append(names, sym.Name)
		}
	}
	return names
}
