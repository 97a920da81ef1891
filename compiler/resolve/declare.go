package resolve

import (
	"strings"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/compiler/tl"
)

// declare makes the scope of a node and of everything inside it, with the names that each declares.
// Uses are looked up afterwards, because a name may be used above its declaration.
func (r *resolver) declare(scope *Scope, nodes ...syntax.Node) {
	for _, n := range nodes {
		syntax.Walk(n, func(n syntax.Node) bool { return r.declareNode(scope, n) })
	}
}

func (r *resolver) openScope(kind ScopeKind, node syntax.Node, parent *Scope) *Scope {
	s := newScope(kind, node, parent)
	r.info.Scopes[node] = s
	return s
}

// declareNode declares what n itself declares; false means that its children have been dealt with.
func (r *resolver) declareNode(scope *Scope, n syntax.Node) bool {
	switch n := n.(type) {
	case *syntax.FunctionDef:
		scope.declare(n.Name, Decl{FunctionDecl, n.NameSpan, n})
		// Python evaluates decorators, defaults and annotations around the function, not inside of it.
		outer, inner := splitFunction(n)
		r.declare(scope, outer...)
		r.declareFunction(r.openScope(FunctionScope, n, scope), n.Params, inner)
		return false
	case *syntax.Lambda:
		r.declare(scope, paramExprs(n.Params)...)
		r.declareFunction(r.openScope(LambdaScope, n, scope), n.Params, []syntax.Node{n.Body})
		return false
	case *syntax.ClassDef:
		scope.declare(n.Name, Decl{ClassDecl, n.NameSpan, n})
		outer, inner := splitClass(n)
		r.declare(scope, outer...)
		r.declare(r.openScope(ClassScope, n, scope), inner...)
		return false
	case *syntax.Comp:
		outer, inner := splitComp(n)
		r.declare(scope, outer)
		own := r.openScope(CompScope, n, scope)
		for _, c := range n.Clauses {
			declareTarget(own, c.Target, TargetDecl, n)
		}
		r.declare(own, inner...)
		return false
	case *syntax.NamedExpr:
		// A name bound by := in a comprehension belongs to the function around (PEP 572).
		home := scope.function()
		home.declare(n.Target.ID, Decl{TargetDecl, n.Target.Span(), n})
	case syntax.Stmt:
		r.declareStmt(scope, n)
	}
	return true
}

func (r *resolver) declareFunction(own *Scope, params *syntax.Params, inner []syntax.Node) {
	for _, p := range params.List {
		own.declare(p.Name, Decl{Kind: ParamDecl, Span: p.Loc})
	}
	for _, n := range inner {
		r.declareOutside(own, n)
	}
	r.declare(own, inner...)
}

// declareOutside sees to global and nonlocal before anything else: they hold for the whole function.
func (r *resolver) declareOutside(own *Scope, n syntax.Node) {
	syntax.Walk(n, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.FunctionDef, *syntax.ClassDef, syntax.Expr:
			return false
		case *syntax.Global:
			for _, name := range n.Names {
				own.outside[name.ID] = globalSymbol(own.module(), name)
			}
		case *syntax.Nonlocal:
			for _, name := range n.Names {
				r.declareNonlocal(own, name)
			}
		}
		return true
	})
}

func globalSymbol(module *Scope, name *syntax.Name) *Symbol {
	if sym := module.Names[name.ID]; sym != nil {
		return sym
	}
	return module.declare(name.ID, Decl{Kind: GlobalDecl, Span: name.Span(), Node: name})
}

func (r *resolver) declareNonlocal(own *Scope, name *syntax.Name) {
	if b := own.Parent.lookup(name.ID); b.Symbol != nil && b.Kind != Global {
		own.outside[name.ID] = b.Symbol
		return
	}
	// The scope may be one that is still to be filled: asked again when all declarations are in.
	r.deferred = append(r.deferred, func() {
		b := own.Parent.lookup(name.ID)
		if b.Symbol == nil || b.Kind == Global {
			r.report(diag.New("nonlocal-unknown", name.Span(), name.ID))
			return
		}
		own.outside[name.ID] = b.Symbol
	})
}

func (r *resolver) declareStmt(scope *Scope, n syntax.Stmt) {
	switch n := n.(type) {
	case *syntax.Assign:
		for _, t := range n.Targets {
			declareTarget(scope, t, AssignDecl, n)
		}
	case *syntax.AnnAssign:
		declareTarget(scope, n.Target, AssignDecl, n)
	case *syntax.AugAssign:
		declareTarget(scope, n.Target, AugDecl, n)
	case *syntax.For:
		declareTarget(scope, n.Target, TargetDecl, n)
	case *syntax.With:
		for _, item := range n.Items {
			declareTarget(scope, item.Target, TargetDecl, n)
		}
	case *syntax.Delete:
		for _, t := range n.Targets {
			declareTarget(scope, t, TargetDecl, n)
		}
	case *syntax.Try:
		for _, h := range n.Handlers {
			if h.Name != "" {
				scope.declare(h.Name, Decl{TargetDecl, h.Loc, n})
			}
		}
	case *syntax.Match:
		for _, c := range n.Cases {
			for _, name := range syntax.Captures(c.Pattern) {
				scope.declare(name.ID, Decl{TargetDecl, name.Span(), n})
			}
		}
	case *syntax.Import:
		for _, a := range n.Names {
			declareImport(scope, a, n)
		}
	case *syntax.ImportFrom:
		r.declareImportFrom(scope, n)
	}
}

// declareTarget declares every name that an assignment to x sets.
func declareTarget(scope *Scope, x syntax.Expr, kind DeclKind, node syntax.Node) {
	syntax.Targets(x, func(n *syntax.Name) { scope.declare(n.ID, Decl{kind, n.Span(), node}) })
}

// declareImport declares what "import a.b" or "import a.b as c" binds.
func declareImport(scope *Scope, a syntax.Alias, node syntax.Node) {
	name, path := tl.ImportedName(a)
	scope.declare(name, Decl{ImportDecl, a.Loc, node}).Path = path
}

func (r *resolver) declareImportFrom(scope *Scope, n *syntax.ImportFrom) {
	for _, a := range n.Names {
		if a.Name == "*" {
			r.info.stars = append(r.info.stars, strings.Repeat(".", n.Level)+n.Module)
			continue
		}
		name, path := tl.ImportedFrom(n, a)
		scope.declare(name, Decl{ImportDecl, a.Loc, n}).Path = path
	}
}

// nodes are the items of a list as nodes.
func nodes[T syntax.Node](list []T) []syntax.Node {
	out := make([]syntax.Node, len(list))
	for i, n := range list {
		out[i] = n
	}
	return out
}

// splitFunction parts what is evaluated around a function from what is evaluated inside it.
func splitFunction(f *syntax.FunctionDef) (outer, inner []syntax.Node) {
	outer = append(nodes(f.Decorators), paramExprs(f.Params)...)
	if f.Returns != nil {
		outer = append(outer, f.Returns)
	}
	return outer, nodes(f.Body)
}

func splitClass(c *syntax.ClassDef) (outer, inner []syntax.Node) {
	outer = append(nodes(c.Decorators), nodes(c.Bases)...)
	for _, k := range c.Keywords {
		outer = append(outer, k.Value)
	}
	return outer, nodes(c.Body)
}

// splitComp parts the first iterable, which is evaluated outside, from the rest.
func splitComp(c *syntax.Comp) (outer syntax.Node, inner []syntax.Node) {
	outer = c.Clauses[0].Iter
	for i, clause := range c.Clauses {
		inner = append(inner, clause.Target)
		if i > 0 {
			inner = append(inner, clause.Iter)
		}
		inner = append(inner, nodes(clause.Ifs)...)
	}
	inner = append(inner, c.Elt)
	if c.Value != nil {
		inner = append(inner, c.Value)
	}
	return outer, inner
}

func paramExprs(params *syntax.Params) []syntax.Node {
	var list []syntax.Node
	for _, p := range params.List {
		if p.Annotation != nil {
			list = append(list, p.Annotation)
		}
		if p.Default != nil {
			list = append(list, p.Default)
		}
	}
	return list
}

// emptyAt is a span at the start of s.
func emptyAt(s source.Span) source.Span { return source.Span{Start: s.Start, End: s.Start} }
