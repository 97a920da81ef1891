package lower

import (
	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
)

// stmt lowers one statement.
func (l *lowerer) stmt(s syntax.Stmt) {
	switch s := s.(type) {
	case *syntax.ExprStmt:
		l.exprStmt(s)
	case *syntax.Assign:
		l.assign(s)
	case *syntax.AnnAssign:
		l.annAssign(s)
	case *syntax.AugAssign:
		l.augAssign(s)
	case *syntax.Return:
		l.returnStmt(s)
	case *syntax.If:
		l.ifStmt(s)
	case *syntax.For:
		l.forStmt(s)
	case *syntax.While:
		if len(s.Else) > 0 {
			l.fail(diag.New("loop-else", l.place(s.Else[0])))
		}
		l.whileLoop(s)
	case *syntax.Break:
		l.superset(diag.New("break", l.place(s)))
		l.leave(keyBreak, s.Span())
	case *syntax.Continue:
		l.superset(diag.New("continue", l.place(s)))
		l.leave(keyContinue, s.Span())
	case *syntax.FunctionDef:
		l.superset(diag.New("nested-function", l.at(s.NameSpan), s.Name))
		fn := functionOf(s, l.frame.fn.module)
		fn.closure = l.frame
		l.frame.vars.set(s.Name, binding{val: fn, span: s.NameSpan})
	case *syntax.Assert:
		l.assertStmt(s)
	case *syntax.Pass, *syntax.BadStmt:
	default:
		l.refuseStmt(s)
	}
}

// statementName says what Python calls the statements that kernels do not have.
func statementName(s syntax.Stmt) (name, node string) {
	switch s.(type) {
	case *syntax.With:
		return "with", "With"
	case *syntax.Try:
		return "try", "Try"
	case *syntax.Raise:
		return "raise", "Raise"
	case *syntax.Delete:
		return "del", "Delete"
	case *syntax.Global:
		return "global", "Global"
	case *syntax.Nonlocal:
		return "nonlocal", "Nonlocal"
	case *syntax.Import:
		return "import", "Import"
	case *syntax.ImportFrom:
		return "from … import", "ImportFrom"
	case *syntax.ClassDef:
		return "class", "ClassDef"
	}
	return "statement", "Statement"
}

// refuseStmt reports a statement that has no meaning on a GPU, and silences what it would bind.
func (l *lowerer) refuseStmt(s syntax.Stmt) {
	name, node := statementName(s)
	at := l.place(s)
	at.End = min(at.End, at.Start+int32(len(name)))
	l.fail(diag.New("unsupported-statement", at, name, node))
	l.poisonAssigned(s)
}

func (l *lowerer) exprStmt(s *syntax.ExprStmt) {
	if c, ok := s.Value.(*syntax.Constant); ok && c.Kind == syntax.StringConst {
		return // a docstring or a comment in quotes
	}
	l.expr(s.Value)
}

func (l *lowerer) assign(s *syntax.Assign) {
	v := l.expr(s.Value)
	if len(s.Targets) > 1 {
		l.superset(diag.New("chained-assignment", l.place(s)))
	}
	for _, t := range s.Targets {
		if x, ok := t.(*syntax.Subscript); ok && len(s.Targets) == 1 && l.pointerStore(s, x) {
			continue
		}
		l.assignTarget(t, l.plain(v, s.Value), t.Span())
	}
}

// pointerStore reports p[i] = v for a pointer p, with the tl.store that does it.
func (l *lowerer) pointerStore(s *syntax.Assign, x *syntax.Subscript) bool {
	n, ok := x.Value.(*syntax.Name)
	if !ok {
		return false
	}
	b, ok := l.frame.vars.get(n.ID)
	if !ok || !isPointer(b.val) || len(indices(x.Index)) != 1 {
		return false
	}
	l.expr(x.Index)
	store := "tl.store(" + n.ID + " + " + l.text(x.Index) + ", " + l.text(s.Value) + ")"
	l.fail(diag.New("pointer-assigned", l.place(x), n.ID).
		Suggest(true, diag.Text{Key: "fix-replace", Args: []any{store}}, diag.Edit{Span: l.place(s), New: store}))
	return true
}

// plain is a value as a plain assignment keeps it: numbers become tensors. What has no form at run
// time stays what it is, as in Triton; strings do with a warning.
func (l *lowerer) plain(v value, e syntax.Expr) value {
	if l.inModule() {
		return v
	}
	switch v := v.(type) {
	case constant:
		switch v.v.(type) {
		case python.None:
			return v
		case python.Str:
			if !l.frame.fn.module.prelude {
				l.superset(diag.New("string-assigned", l.place(e), l.text(e)))
			}
			return v
		}
		return l.toTensor(v, e)
	case tuple:
		out := tuple{make([]value, len(v.elems))}
		for i, x := range v.elems {
			out.elems[i] = l.plain(x, e)
		}
		return out
	}
	return v
}

// assignTarget binds a target to a value.
func (l *lowerer) assignTarget(t syntax.Expr, v value, at source.Span) {
	switch t := t.(type) {
	case *syntax.Name:
		l.bind(t.ID, binding{val: v, span: t.Span()})
		l.record(t, v)
	case *syntax.Tuple:
		l.unpack(t.Elts, v, t)
	case *syntax.List:
		l.unpack(t.Elts, v, t)
	case *syntax.Starred:
		l.fail(diag.New("bad-target", l.place(t), l.text(t)))
		l.assignTarget(t.Value, poison{}, at)
	case *syntax.Subscript:
		if !isPoison(l.expr(t.Value)) {
			l.fail(l.explainSubscriptStore(t))
		}
	case *syntax.Attribute:
		if !isPoison(l.expr(t.Value)) {
			l.fail(diag.New("attribute-assigned", l.place(t), l.text(t)))
		}
	case *syntax.BadExpr:
	default:
		l.fail(diag.New("bad-target", l.place(t), l.text(t)))
	}
}

func (l *lowerer) unpack(targets []syntax.Expr, v value, at syntax.Expr) {
	t, ok := v.(tuple)
	for _, target := range targets {
		if _, starred := target.(*syntax.Starred); starred {
			l.assignTarget(target, poison{}, target.Span())
			ok = false
			v = poison{}
		}
	}
	switch {
	case isPoison(v):
		ok = false
	case !ok:
		l.fail(diag.New("unpack-not-tuple", l.place(at), kindText(v)))
	case len(t.elems) != len(targets):
		l.fail(diag.New("unpack-count", l.place(at), len(targets), len(t.elems)))
		ok = false
	}
	for i, target := range targets {
		x := value(poison{})
		if ok {
			x = t.elems[i]
		}
		l.assignTarget(target, x, target.Span())
	}
}

// annAssign lowers x: tl.constexpr = v, which keeps v a constexpr. Other annotations say nothing.
func (l *lowerer) annAssign(s *syntax.AnnAssign) {
	if s.Value == nil {
		return
	}
	v := l.expr(s.Value)
	n, isName := s.Target.(*syntax.Name)
	if !isName || !isConstexprAnnotation(s.Annotation) {
		l.assignTarget(s.Target, l.plain(v, s.Value), s.Target.Span())
		return
	}
	if b, ok := l.frame.vars.get(n.ID); ok {
		if _, no := b.val.(unbound); !no && !isPoison(b.val) && !l.frame.fn.module.prelude {
			l.superset(diag.New("constexpr-redefined", l.place(n), n.ID).Because(l.at(b.span), "defined-here", n.ID))
		}
	}
	if t, ok := v.(tensor); ok {
		v = l.constexprOf(t, s.Value, n.ID)
	}
	l.frame.vars.set(n.ID, binding{val: v, span: n.Span(), constexpr: true})
	l.record(n, v)
}

// constexprOf makes a tensor whose value is known after all a constexpr again.
func (l *lowerer) constexprOf(t tensor, e syntax.Expr, name string) value {
	n, why, ok := l.knownInt(t.v)
	if !ok {
		return l.fail(diag.New("constexpr-from-tensor", l.place(e), name, l.text(e), typeText(t.v.Type)))
	}
	l.warnPlain(e, why, name)
	return integer(n)
}

func isConstexprAnnotation(e syntax.Expr) bool {
	switch e := e.(type) {
	case *syntax.Attribute:
		return e.Attr == "constexpr"
	case *syntax.Name:
		return e.ID == "constexpr"
	case *syntax.Constant:
		return e.Kind == syntax.StringConst && (e.Text == "tl.constexpr" || e.Text == "constexpr")
	case *syntax.Subscript:
		return isConstexprAnnotation(e.Value)
	}
	return false
}

func (l *lowerer) augAssign(s *syntax.AugAssign) {
	switch t := s.Target.(type) {
	case *syntax.Name:
		v := l.binary(s.Op, l.expr(t), l.expr(s.Value), operands{s, t, s.Value})
		l.assignTarget(t, l.plain(v, s.Value), t.Span())
	default:
		l.expr(s.Value)
		l.assignTarget(s.Target, poison{}, s.Target.Span())
	}
}

func (l *lowerer) returnStmt(s *syntax.Return) {
	v := value(none)
	if s.Value != nil {
		v = l.expr(s.Value)
	}
	device := l.opts.Guess != nil && l.opts.Guess.Device
	if l.frame.parent == nil && !device && s.Value != nil && !isNone(v) && !isPoison(v) {
		l.fail(diag.New("kernel-returns", l.place(s.Value)))
	}
	if f, ok := v.(function); ok && f.closure != nil {
		v = l.fail(diag.New("function-returned", l.place(s.Value)))
	}
	if l.frame.loops > 0 && !l.frame.fn.module.prelude {
		l.superset(diag.New("return-in-loop", l.place(s)))
	}
	l.frame.vars.set(keyResult, binding{val: v, span: s.Span()})
	l.leave(keyReturn, s.Span())
}

// record notes what a name stands for, for hover.
func (l *lowerer) record(n *syntax.Name, v value) {
	if !l.opts.Record || l.inModule() || l.frame.fn.module != l.user {
		return
	}
	if text, ok := describe(v); ok {
		l.result.Info = append(l.result.Info, Typed{n.Span(), n.ID, text})
	}
}

// jumps reports whether a statement contains a break or continue that leaves it, or a return.
func jumps(s syntax.Stmt) bool { return jumpsOut(s, false) }

func jumpsOut(s syntax.Stmt, inLoop bool) bool {
	any := func(list []syntax.Stmt, inLoop bool) bool {
		for _, s := range list {
			if jumpsOut(s, inLoop) {
				return true
			}
		}
		return false
	}
	switch s := s.(type) {
	case *syntax.Return:
		return true
	case *syntax.Break, *syntax.Continue:
		return !inLoop
	case *syntax.If:
		return any(s.Body, inLoop) || any(s.Else, inLoop)
	case *syntax.For:
		return any(s.Body, true)
	case *syntax.While:
		return any(s.Body, true)
	}
	return false
}

// assigned lists the names that statements bind, in order, each once. Nested functions count as
// one name.
func assigned(list []syntax.Stmt) []string {
	var names []string
	seen := make(map[string]bool)
	add := func(n *syntax.Name) {
		if !seen[n.ID] {
			seen[n.ID] = true
			names = append(names, n.ID)
		}
	}
	for _, s := range list {
		syntax.Walk(s, func(n syntax.Node) bool {
			switch n := n.(type) {
			case *syntax.FunctionDef:
				add(&syntax.Name{ID: n.Name})
				return false
			case *syntax.Lambda, *syntax.Comp:
				return false
			case *syntax.Assign:
				for _, t := range n.Targets {
					targetNames(t, add)
				}
			case *syntax.AnnAssign:
				targetNames(n.Target, add)
			case *syntax.AugAssign:
				targetNames(n.Target, add)
			case *syntax.For:
				targetNames(n.Target, add)
			case *syntax.NamedExpr:
				add(n.Target)
			}
			return true
		})
	}
	return names
}

// targetNames calls f for every name that a target binds.
func targetNames(t syntax.Expr, f func(*syntax.Name)) {
	switch t := t.(type) {
	case *syntax.Name:
		f(t)
	case *syntax.Tuple:
		for _, e := range t.Elts {
			targetNames(e, f)
		}
	case *syntax.List:
		for _, e := range t.Elts {
			targetNames(e, f)
		}
	case *syntax.Starred:
		targetNames(t.Value, f)
	}
}
