package resolve

import (
	"slices"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
)

// flow follows a function's statements in order and knows which local names may have a value by
// now. A use of one that cannot have is an error. Where it is in doubt it stays silent.
type flow struct {
	r     *resolver
	scope *Scope
	set   map[string]bool
	added []string // what was put into set, in order
	loops []loop   // around this place
}

// loop is a loop whose body is being followed as its first round runs it.
type loop struct {
	span      source.Span
	uncertain bool // this place may be reached in a later round only
}

func (r *resolver) checkFlow(scope *Scope, body []syntax.Stmt) {
	f := &flow{r: r, scope: scope, set: map[string]bool{}}
	for _, sym := range scope.Order {
		if sym.Param {
			f.set[sym.Name] = true
		}
	}
	f.block(body)
}

func (f *flow) add(name string) {
	if !f.set[name] {
		f.set[name] = true
		f.added = append(f.added, name)
	}
}

func (f *flow) block(body []syntax.Stmt) {
	for _, s := range body {
		f.stmt(s)
	}
}

// branch follows statements that may not run at all, so that in a loop they may wait for a later round.
func (f *flow) branch(body []syntax.Stmt) {
	if top := len(f.loops) - 1; top >= 0 {
		before := f.loops[top].uncertain
		f.loops[top].uncertain = true
		defer func() { f.loops[top].uncertain = before }()
	}
	f.block(body)
}

// choice follows two branches of which one runs.
func (f *flow) choice(body, other []syntax.Stmt) {
	mark := len(f.added)
	f.branch(body)
	first := slices.Clone(f.added[mark:])
	for _, name := range first {
		delete(f.set, name)
	}
	f.added = f.added[:mark]
	f.branch(other)
	for _, name := range first {
		f.add(name)
	}
}

func (f *flow) stmt(s syntax.Stmt) {
	switch s := s.(type) {
	case *syntax.Assign:
		f.uses(s.Value)
		f.targets(s.Targets...)
	case *syntax.AnnAssign:
		if s.Value != nil {
			f.uses(s.Value)
			f.targets(s.Target)
		}
	case *syntax.AugAssign:
		f.uses(s.Target, s.Value)
		f.targets(s.Target)
	case *syntax.If:
		f.uses(s.Test)
		f.choice(s.Body, s.Else)
	case *syntax.For:
		f.uses(s.Iter)
		f.targets(s.Target)
		f.round(s.Span(), s.Body)
		f.branch(s.Else)
	case *syntax.While:
		f.uses(s.Test)
		f.round(s.Span(), s.Body)
		f.branch(s.Else)
	case *syntax.With:
		for _, item := range s.Items {
			f.uses(item.Context)
			f.targets(item.Target)
		}
		f.block(s.Body)
	case *syntax.Try:
		f.try(s)
	case *syntax.FunctionDef:
		outer, _ := splitFunction(s)
		f.nodes(outer)
		f.add(s.Name)
	case *syntax.ClassDef:
		outer, _ := splitClass(s)
		f.nodes(outer)
		f.add(s.Name)
	case *syntax.Import, *syntax.ImportFrom:
		f.imports(s)
	case *syntax.Global, *syntax.Nonlocal:
	default:
		f.nodes([]syntax.Node{s})
	}
}

// round follows a loop's body.
func (f *flow) round(span source.Span, body []syntax.Stmt) {
	f.loops = append(f.loops, loop{span: span})
	f.block(body)
	f.loops = f.loops[:len(f.loops)-1]
}

// laterRound reports whether an earlier round of a loop around this place may have set the symbol.
func (f *flow) laterRound(sym *Symbol) bool {
	for i, l := range f.loops {
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

func (f *flow) try(s *syntax.Try) {
	f.branch(s.Body)
	for _, h := range s.Handlers {
		if h.Type != nil {
			f.uses(h.Type)
		}
		if h.Name != "" {
			f.add(h.Name)
		}
		f.branch(h.Body)
	}
	f.branch(s.Else)
	f.branch(s.Finally)
}

func (f *flow) imports(s syntax.Stmt) {
	for _, sym := range f.scope.Order {
		for _, d := range sym.Decls {
			if d.Node == s {
				f.add(sym.Name)
			}
		}
	}
}

func (f *flow) targets(list ...syntax.Expr) {
	for _, x := range list {
		switch x := x.(type) {
		case nil:
		case *syntax.Name:
			f.add(x.ID)
		case *syntax.Starred:
			f.targets(x.Value)
		case *syntax.Tuple:
			f.targets(x.Elts...)
		case *syntax.List:
			f.targets(x.Elts...)
		default:
			f.uses(x)
		}
	}
}

func (f *flow) uses(list ...syntax.Expr) {
	for _, x := range list {
		f.nodes([]syntax.Node{x})
	}
}

// nodes checks the names that evaluating the nodes reads at once: not those in the body of a lambda,
// nor in a comprehension beyond its first iterable.
func (f *flow) nodes(list []syntax.Node) {
	for _, n := range list {
		syntax.Walk(n, func(n syntax.Node) bool {
			switch n := n.(type) {
			case *syntax.Name:
				f.use(n)
			case *syntax.NamedExpr:
				f.uses(n.Value)
				f.add(n.Target.ID)
				return false
			case *syntax.Lambda:
				f.nodes(paramExprs(n.Params))
				return false
			case *syntax.Comp:
				outer, inner := splitComp(n)
				f.nodes([]syntax.Node{outer})
				for _, n := range inner {
					f.walrus(n)
				}
				return false
			}
			return true
		})
	}
}

// walrus notes the names that := sets inside a comprehension.
func (f *flow) walrus(n syntax.Node) {
	syntax.Walk(n, func(n syntax.Node) bool {
		if w, ok := n.(*syntax.NamedExpr); ok {
			f.add(w.Target.ID)
		}
		return true
	})
}

func (f *flow) use(n *syntax.Name) {
	sym := f.scope.Names[n.ID]
	if sym == nil || f.set[n.ID] || f.laterRound(sym) {
		return
	}
	f.add(n.ID) // one report is enough
	d := diag.New("used-before-assignment", n.Span(), n.ID)
	for _, decl := range sym.Decls {
		if decl.Span != n.Span() {
			d.Because(decl.Span, "first-assigned-here", n.ID)
			break
		}
	}
	f.r.report(d)
}
