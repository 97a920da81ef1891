package syntax

import (
	"slices"

	"github.com/newtlab/newt/compiler/source"
)

// Walk calls visit for n and, where visit returns true, for everything below it, in the order of
// the text as far as the tree keeps it.
func Walk(n Node, visit func(Node) bool) {
	if visit(n) {
		children(n, func(c Node) { Walk(c, visit) })
	}
}

// Span of a module is the whole file.
func (m *Module) Span() source.Span { return m.File.Span() }

// children calls f for each node directly below n.
func children(n Node, f func(Node)) {
	switch n := n.(type) {
	case *Module:
		each(n.Body, f)
	case Expr:
		exprChildren(n, f)
	case Stmt:
		stmtChildren(n, f)
	case Pattern:
		patternChildren(n, f)
	}
}

func each[T Node](list []T, f func(Node)) {
	for _, n := range list {
		f(n)
	}
}

// some calls f for those that are there.
func some(f func(Node), list ...Expr) {
	for _, n := range list {
		if n != nil {
			f(n)
		}
	}
}

func exprChildren(n Expr, f func(Node)) {
	switch n := n.(type) {
	case *JoinedStr:
		each(n.Values, f)
	case *FormattedValue:
		some(f, n.Value)
		if n.Format != nil {
			f(n.Format)
		}
	case *Attribute:
		some(f, n.Value)
	case *Subscript:
		some(f, n.Value, n.Index)
	case *Slice:
		some(f, n.Lower, n.Upper, n.Step)
	case *Call:
		some(f, n.Func)
		each(n.Args, f)
		keywordChildren(n.Keywords, f)
	case *UnaryOp:
		some(f, n.Operand)
	case *BinOp:
		some(f, n.Left, n.Right)
	case *BoolOp:
		each(n.Values, f)
	case *Compare:
		some(f, n.Left)
		each(n.Comparators, f)
	case *IfExp:
		some(f, n.Body, n.Test, n.Else)
	case *NamedExpr:
		some(f, n.Target, n.Value)
	case *Lambda:
		paramChildren(n.Params, f)
		some(f, n.Body)
	case *Tuple:
		each(n.Elts, f)
	case *List:
		each(n.Elts, f)
	case *Set:
		each(n.Elts, f)
	case *Dict:
		for i, key := range n.Keys {
			some(f, key, n.Values[i])
		}
	case *Comp:
		some(f, n.Elt, n.Value)
		for _, c := range n.Clauses {
			some(f, c.Target, c.Iter)
			each(c.Ifs, f)
		}
	case *Starred:
		some(f, n.Value)
	case *Yield:
		some(f, n.Value)
	case *Await:
		some(f, n.Value)
	}
}

func keywordChildren(list []Keyword, f func(Node)) {
	for _, k := range list {
		some(f, k.Value)
	}
}

func paramChildren(params *Params, f func(Node)) {
	for _, q := range params.List {
		some(f, q.Annotation, q.Default)
	}
}

func stmtChildren(n Stmt, f func(Node)) {
	switch n := n.(type) {
	case *ExprStmt:
		some(f, n.Value)
	case *Assign:
		each(n.Targets, f)
		some(f, n.Value)
	case *AnnAssign:
		some(f, n.Target, n.Annotation, n.Value)
	case *AugAssign:
		some(f, n.Target, n.Value)
	case *Return:
		some(f, n.Value)
	case *Raise:
		some(f, n.Exc, n.Cause)
	case *Assert:
		some(f, n.Test, n.Msg)
	case *Delete:
		each(n.Targets, f)
	case *Global:
		each(n.Names, f)
	case *Nonlocal:
		each(n.Names, f)
	default:
		blockChildren(n, f)
	}
}

func blockChildren(n Stmt, f func(Node)) {
	switch n := n.(type) {
	case *If:
		some(f, n.Test)
		each(n.Body, f)
		each(n.Else, f)
	case *For:
		some(f, n.Target, n.Iter)
		each(n.Body, f)
		each(n.Else, f)
	case *While:
		some(f, n.Test)
		each(n.Body, f)
		each(n.Else, f)
	case *With:
		for _, item := range n.Items {
			some(f, item.Context, item.Target)
		}
		each(n.Body, f)
	case *Try:
		each(n.Body, f)
		for _, h := range n.Handlers {
			some(f, h.Type)
			each(h.Body, f)
		}
		each(n.Else, f)
		each(n.Finally, f)
	case *Match:
		some(f, n.Subject)
		for _, c := range n.Cases {
			f(c.Pattern)
			some(f, c.Guard)
			each(c.Body, f)
		}
	case *FunctionDef:
		each(n.Decorators, f)
		paramChildren(n.Params, f)
		some(f, n.Returns)
		each(n.Body, f)
	case *ClassDef:
		each(n.Decorators, f)
		each(n.Bases, f)
		keywordChildren(n.Keywords, f)
		each(n.Body, f)
	}
}

func patternChildren(n Pattern, f func(Node)) {
	capture := func(name *Name) {
		if name != nil {
			f(name)
		}
	}
	switch n := n.(type) {
	case *MatchValue:
		some(f, n.Value)
	case *MatchSequence:
		each(n.Patterns, f)
	case *MatchStar:
		capture(n.Name)
	case *MatchMapping:
		for i, key := range n.Keys {
			some(f, key)
			f(n.Patterns[i])
		}
		capture(n.Rest)
	case *MatchClass:
		some(f, n.Class)
		each(n.Patterns, f)
		each(n.AttrPatterns, f)
	case *MatchAs:
		if n.Pattern != nil {
			f(n.Pattern)
		}
		capture(n.Name)
	case *MatchOr:
		each(n.Patterns, f)
	}
}

// Targets calls f for each name that an assignment to x binds, in the order of the text.
func Targets(x Expr, f func(*Name)) {
	switch x := x.(type) {
	case *Name:
		f(x)
	case *Starred:
		Targets(x.Value, f)
	case *Tuple:
		for _, e := range x.Elts {
			Targets(e, f)
		}
	case *List:
		for _, e := range x.Elts {
			Targets(e, f)
		}
	}
}

// Bound calls f for each name that a node itself binds, in the order of the text: not those that statements and
// expressions in it bind.
func Bound(n Node, f func(*Name)) {
	switch n := n.(type) {
	case *Assign:
		for _, t := range n.Targets {
			Targets(t, f)
		}
	case *AnnAssign:
		Targets(n.Target, f)
	case *AugAssign:
		Targets(n.Target, f)
	case *For:
		Targets(n.Target, f)
	case *With:
		for _, item := range n.Items {
			Targets(item.Target, f)
		}
	case *Match:
		for _, c := range n.Cases {
			for _, name := range Captures(c.Pattern) {
				f(name)
			}
		}
	case *FunctionDef:
		f(&Name{ID: n.Name})
	case *NamedExpr:
		f(n.Target)
	}
}

// Captures are the names that a pattern binds, in the order of the text.
func Captures(p Pattern) (names []*Name) {
	Walk(p, func(n Node) bool {
		switch n := n.(type) {
		case *MatchStar:
			names = append(names, n.Name)
		case *MatchMapping:
			names = append(names, n.Rest)
		case *MatchAs:
			names = append(names, n.Name)
		}
		return true
	})
	return slices.DeleteFunc(names, func(n *Name) bool { return n == nil })
}

// LastName is the name at the end of a dotted one: jit of triton.jit, and of the call triton.jit(…). It is "" for other
// expressions.
func LastName(e Expr) string {
	switch e := e.(type) {
	case *Call:
		return LastName(e.Func)
	case *Attribute:
		return e.Attr
	case *Name:
		return e.ID
	}
	return ""
}
