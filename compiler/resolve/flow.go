package resolve

import (
	"slices"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
)

// flow follows a function's statements in order and knows which local names may have a value by
// now: a forward dataflow analysis of possible assignments. A use of a name that
// cannot have a value is an error. If it is in doubt, there is no report.
type flow struct {
	r        *resolver
	scope    *Scope
	assigned map[string]bool
	added    []string // what was put into set, in order
	loops    []loop   // around this place
}

// loop is a loop whose body is being followed as its first round runs it.
type loop struct {
	span      source.Span
	uncertain bool // this place may be reached in a later round only
}

func (r *resolver) checkFlow(scope *Scope, body []syntax.Stmt) {
	f := &flow{r: r, scope: scope, assigned: map[string]bool{}}
	for _, sym := range scope.Order {
		if sym.Param {
			f.assigned[sym.Name] = true
		}
	}
	f.visitBlock(body)
}

func (f *flow) markAssigned(name string) {
	if !f.assigned[name] {
		f.assigned[name] = true
		f.added = append(f.added, name)
	}
}

func (f *flow) visitBlock(body []syntax.Stmt) {
	for _, s := range body {
		f.visitStmt(s)
	}
}

// visitBranch follows statements that may not run at all, so that in a loop they may wait for a later round.
func (f *flow) visitBranch(body []syntax.Stmt) {
	if top := len(f.loops) - 1; top >= 0 {
		before := f.loops[top].uncertain
		f.loops[top].uncertain = true
		defer func() { f.loops[top].uncertain = before }()
	}
	f.visitBlock(body)
}

// visitChoice follows two branches of which one runs.
func (f *flow) visitChoice(body, other []syntax.Stmt) {
	// The set is shared by both branches; what the first added is taken out for the second and joined after.
	mark := len(f.added)
	f.visitBranch(body)
	first := slices.Clone(f.added[mark:])
	for _, name := range first {
		delete(f.assigned, name)
	}
	f.added = f.added[:mark]
	f.visitBranch(other)
	for _, name := range first {
		f.markAssigned(name)
	}
}

func (f *flow) visitStmt(s syntax.Stmt) {
	switch s := s.(type) {
	// The value is read before the target is assigned: x = x + 1 uses x first.
	case *syntax.Assign:
		f.visitExprs(s.Value)
		f.assignTargets(s.Targets...)
	case *syntax.AnnAssign:
		if s.Value != nil {
			f.visitExprs(s.Value)
			f.assignTargets(s.Target)
		}
	case *syntax.AugAssign:
		f.visitExprs(s.Target, s.Value)
		f.assignTargets(s.Target)
	case *syntax.If:
		f.visitExprs(s.Test)
		f.visitChoice(s.Body, s.Else)
	case *syntax.For:
		f.visitExprs(s.Iter)
		f.assignTargets(s.Target)
		f.visitLoopBody(s.Span(), s.Body)
		f.visitBranch(s.Else)
	case *syntax.While:
		f.visitExprs(s.Test)
		f.visitLoopBody(s.Span(), s.Body)
		f.visitBranch(s.Else)
	case *syntax.With:
		for _, item := range s.Items {
			f.visitExprs(item.Context)
			f.assignTargets(item.Target)
		}
		f.visitBlock(s.Body)
	case *syntax.Try:
		f.visitTry(s)
	case *syntax.Match:
		f.visitMatch(s)
	case *syntax.FunctionDef:
		outer, _ := splitFunction(s)
		f.visitNodes(outer)
		f.markAssigned(s.Name)
	case *syntax.ClassDef:
		outer, _ := splitClass(s)
		f.visitNodes(outer)
		f.markAssigned(s.Name)
	case *syntax.Import, *syntax.ImportFrom:
		f.visitImports(s)
	case *syntax.Global, *syntax.Nonlocal:
	default:
		f.visitNodes([]syntax.Node{s})
	}
}

// visitLoopBody follows a loop's body.
func (f *flow) visitLoopBody(span source.Span, body []syntax.Stmt) {
	f.loops = append(f.loops, loop{span: span})
	f.visitBlock(body)
	f.loops = f.loops[:len(f.loops)-1]
}

// setByEarlierIteration reports whether an earlier round of a loop around this place may have set the symbol.
func (f *flow) setByEarlierIteration(sym *Symbol) bool {
	for i, l := range f.loops {
		// The place is certain to run in the first iteration of the innermost loop: earlier ones do not count.
		if !l.uncertain && i == len(f.loops)-1 {
			continue
		}
		for _, d := range sym.Decls {
			if d.Kind != AugDecl && l.span.Start <= d.Span.Start && d.Span.End <= l.span.End {
				return true
			}
		}
	}
	return false
}

func (f *flow) visitTry(s *syntax.Try) {
	// A body may fail at any statement, so that a handler may see any prefix of it.
	f.visitBranch(s.Body)
	for _, h := range s.Handlers {
		if h.Type != nil {
			f.visitExprs(h.Type)
		}
		if h.Name != "" {
			f.markAssigned(h.Name)
		}
		f.visitBranch(h.Body)
	}
	f.visitBranch(s.Else)
	f.visitBranch(s.Finally)
}

// visitMatch takes the names of a case as set for those below it, too: the case may have matched up to its guard.
func (f *flow) visitMatch(s *syntax.Match) {
	f.visitExprs(s.Subject)
	for _, c := range s.Cases {
		for _, name := range syntax.Captures(c.Pattern) {
			f.markAssigned(name.ID)
		}
		f.visitNodes([]syntax.Node{c.Pattern})
		if c.Guard != nil {
			f.visitExprs(c.Guard)
		}
		f.visitBranch(c.Body)
	}
}

func (f *flow) visitImports(s syntax.Stmt) {
	for _, sym := range f.scope.Order {
		for _, d := range sym.Decls {
			if d.Node == s {
				f.markAssigned(sym.Name)
			}
		}
	}
}

func (f *flow) assignTargets(list ...syntax.Expr) {
	for _, x := range list {
		switch x := x.(type) {
		case nil:
		case *syntax.Name:
			f.markAssigned(x.ID)
		case *syntax.Starred:
			f.assignTargets(x.Value)
		case *syntax.Tuple:
			f.assignTargets(x.Elts...)
		case *syntax.List:
			f.assignTargets(x.Elts...)
		default:
			f.visitExprs(x)
		}
	}
}

func (f *flow) visitExprs(list ...syntax.Expr) {
	for _, x := range list {
		f.visitNodes([]syntax.Node{x})
	}
}

// visitNodes checks the names that evaluating the nodes reads at once: not those in the body of a lambda,
// nor in a comprehension beyond its first iterable.
func (f *flow) visitNodes(list []syntax.Node) {
	for _, n := range list {
		syntax.Walk(n, func(n syntax.Node) bool {
			switch n := n.(type) {
			case *syntax.Name:
				f.visitUse(n)
			case *syntax.NamedExpr:
				f.visitExprs(n.Value)
				f.markAssigned(n.Target.ID)
				return false
			case *syntax.Lambda:
				f.visitNodes(paramExprs(n.Params))
				return false
			case *syntax.Comp:
				outer, inner := splitComp(n)
				f.visitNodes([]syntax.Node{outer})
				for _, n := range inner {
					f.assignWalrus(n)
				}
				return false
			}
			return true
		})
	}
}

// assignWalrus notes the names that := sets inside a comprehension.
func (f *flow) assignWalrus(n syntax.Node) {
	syntax.Walk(n, func(n syntax.Node) bool {
		if w, ok := n.(*syntax.NamedExpr); ok {
			f.markAssigned(w.Target.ID)
		}
		return true
	})
}

func (f *flow) visitUse(n *syntax.Name) {
	sym := f.scope.Names[n.ID]
	if sym == nil || f.assigned[n.ID] || f.setByEarlierIteration(sym) {
		return
	}
	f.markAssigned(n.ID) // one report is enough
	d := diag.New("used-before-assignment", n.Span(), n.ID)
	for _, decl := range sym.Decls {
		if decl.Span != n.Span() {
			d.Because(decl.Span, "first-assigned-here", n.ID)
			break
		}
	}
	f.r.report(d)
}
