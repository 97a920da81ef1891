package lower

import (
	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/compiler/tl"
)

// expr lowers an expression.
func (l *lowerer) expr(e syntax.Expr) value {
	switch e := e.(type) {
	case *syntax.Name:
		return l.name(e)
	case *syntax.Constant:
		return l.literal(e)
	case *syntax.Attribute:
		return l.attribute(e)
	case *syntax.Call:
		return l.call(e)
	case *syntax.BinOp:
		return l.binary(e.Op, l.expr(e.Left), l.expr(e.Right), operands{e, e.Left, e.Right})
	case *syntax.UnaryOp:
		return l.unary(e)
	case *syntax.Compare:
		return l.compare(e)
	case *syntax.BoolOp:
		return l.boolOp(e)
	case *syntax.Subscript:
		return l.subscript(e)
	case *syntax.Tuple:
		return tuple{l.exprs(e.Elts)}
	case *syntax.List:
		return tuple{l.exprs(e.Elts)}
	case *syntax.IfExp:
		return l.ifExp(e)
	case *syntax.JoinedStr:
		return l.joinedStr(e)
	case *syntax.Lambda:
		l.superset(diag.New("lambda", l.place(e)))
		return function{name: "<lambda>", params: e.Params, result: e.Body, span: e.Span(), module: l.frame.fn.module, closure: l.frame}
	case *syntax.NamedExpr:
		l.superset(diag.New("named-expression", l.place(e)))
		v := l.plain(l.expr(e.Value), e.Value)
		l.assignTarget(e.Target, v, e.Span())
		return v
	case *syntax.Comp:
		return l.comprehension(e)
	case *syntax.BadExpr:
		return poison{}
	}
	return l.refuseExpr(e)
}

func (l *lowerer) exprs(list []syntax.Expr) []value {
	out := make([]value, 0, len(list))
	for _, e := range list {
		if s, ok := e.(*syntax.Starred); ok {
			out = append(out, l.spread(s)...)
			continue
		}
		out = append(out, l.expr(e))
	}
	return out
}

// spread gives the elements of *t.
func (l *lowerer) spread(s *syntax.Starred) []value {
	v := l.expr(s.Value)
	if t, ok := v.(tuple); ok {
		return t.elems
	}
	if !isPoison(v) {
		l.fail(diag.New("star-not-tuple", l.place(s), kindText(v)))
	}
	return []value{poison{}}
}

// refuseExpr reports an expression that has no meaning in a kernel.
func (l *lowerer) refuseExpr(e syntax.Expr) value {
	name, node := "expression", "Expr"
	switch e.(type) {
	case *syntax.Set:
		name, node = "set", "Set"
	case *syntax.Dict:
		name, node = "dict", "Dict"
	case *syntax.Yield:
		name, node = "yield", "Yield"
	case *syntax.Await:
		name, node = "await", "Await"
	case *syntax.Starred:
		name, node = "*", "Starred"
	case *syntax.Slice:
		name, node = "slice", "Slice"
	}
	return l.fail(diag.New("unsupported-expression", l.place(e), name, node))
}

func (l *lowerer) literal(e *syntax.Constant) value {
	switch e.Kind {
	case syntax.NoneConst:
		return none
	case syntax.TrueConst, syntax.FalseConst:
		return constant{python.Bool(e.Kind == syntax.TrueConst)}
	case syntax.EllipsisConst:
		return ellipsis{}
	case syntax.IntConst:
		n, err := python.ParseInt(e.Text)
		if err != nil {
			return l.fail(diag.New("python-error", l.place(e), err.Class, err.Message))
		}
		return constant{n}
	case syntax.FloatConst:
		return constant{python.Float(e.Float)}
	case syntax.StringConst:
		return constant{python.Str(e.Text)}
	}
	return l.fail(diag.New("unsupported-expression", l.place(e), l.text(e), "Constant"))
}

// name finds what a name stands for: a local, one of an enclosing function, a module-level
// definition, a builtin.
func (l *lowerer) name(n *syntax.Name) value {
	for f := l.frame; f != nil; f = f.fn.closure {
		if b, ok := f.vars.get(n.ID); ok {
			if u, no := b.val.(unbound); no {
				return l.fail(diag.New(u.why, l.place(n), n.ID).Because(l.at(u.span), "assigned-here", n.ID))
			}
			if f == l.frame {
				l.record(n, b.val)
			}
			return b.val
		}
	}
	m := l.frame.fn.module
	if v := l.global(m, n); v != nil {
		return v
	}
	if v, ok := l.builtinName(m, n.ID); ok {
		return v
	}
	if l.guessing() {
		return poison{} // resolve reports names that are defined nowhere
	}
	return l.fail(l.undefined(n))
}

func (l *lowerer) builtinName(m *module, name string) (value, bool) {
	if m.prelude {
		if row := internalRows[name]; row != nil {
			return builtin{row: row}, true
		}
	}
	switch name { // an import that was left out: resolve has said so
	case "tl":
		return namespace{"triton.language"}, true
	case "triton":
		return namespace{"triton"}, true
	}
	if row := tl.Lookup(tl.Builtin, name); row != nil {
		return rowValue(row)
	}
	return pythonFunction{name, func(args []python.Value) (python.Value, *python.Error) {
		return python.Call(name, args)
	}}, l.inModule() && python.HasFunction(name)
}

// undefined says that a name has no value, and which one was perhaps meant.
func (l *lowerer) undefined(n *syntax.Name) *diag.Diagnostic {
	if tl.Lookup(tl.Language, n.ID) != nil && n.ID != "math" {
		return diag.New("undefined-name", l.place(n), n.ID).
			Suggest(true, diag.Text{Key: "fix-replace", Args: []any{"tl." + n.ID}}, diag.Edit{Span: l.place(n), New: "tl." + n.ID})
	}
	var names []string
	for f := l.frame; f != nil; f = f.fn.closure {
		for name, b := range f.vars.vars {
			if _, no := b.val.(unbound); !no && !hidden(name) {
				names = append(names, name)
			}
		}
	}
	m := l.frame.fn.module
	if m.scope != nil {
		names = append(names, m.scope.Names()...)
	}
	for name := range m.defs {
		names = append(names, name)
	}
	names = append(names, tl.Names(tl.Builtin)...)
	return l.didYouMean(diag.New("undefined-name", l.place(n), n.ID), l.place(n), n.ID, names)
}

// didYouMean adds the nearest name as a fix.
func (l *lowerer) didYouMean(d *diag.Diagnostic, at source.Span, name string, names []string) *diag.Diagnostic {
	if near, ok := diag.Meant(name, names); ok {
		d.Primary.Text = diag.Text{Key: "did-you-mean", Args: []any{near}}
		d.Suggest(false, diag.Text{Key: "fix-replace", Args: []any{near}}, diag.Edit{Span: at, New: near})
	}
	return d
}

// rowValue is what a row of the tl table stands for.
func rowValue(row *tl.Row) (value, bool) {
	switch row.Bind {
	case tl.DType:
		t, ok := dtypeNamed(row.Name)
		return dtype{t}, ok
	case tl.Property:
		switch row.Name {
		case "math":
			return namespace{"triton.language.math"}, true
		case "language":
			return namespace{"triton.language"}, true
		}
		return namespace{row.Name}, true
	}
	return builtin{row: row}, true
}

// condition lowers the test of an if or while: a run-time int1, or (cond nil) a truth known now.
func (l *lowerer) condition(e syntax.Expr) (cond *ir.Value, known, ok bool) {
	switch v := l.expr(e).(type) {
	case tensor:
		cond, ok = l.scalarCondition(v, e)
		return cond, false, ok
	case constant:
		switch v.v.(type) {
		case python.Str, python.Float:
			l.superset(diag.New("condition-type", l.place(e), v.v.Type()))
		}
		return nil, python.Truth(v.v), true
	case poison:
		return nil, false, false
	case tuple:
		l.superset(diag.New("condition-type", l.place(e), kindText(v)))
		return nil, len(v.elems) > 0, true
	default:
		l.superset(diag.New("condition-type", l.place(e), kindText(v)))
		return nil, true, true
	}
}

// scalarCondition makes a tensor an int1 without a shape.
func (l *lowerer) scalarCondition(t tensor, e syntax.Expr) (*ir.Value, bool) {
	v := t.v
	if v.Type.Numel() > 1 {
		d := diag.New("condition-tile", l.place(e), l.text(e), typeText(v.Type))
		l.fail(l.because(d, v, l.text(e)))
		return nil, false
	}
	if !v.Type.IsScalar() {
		l.diags.Add(hint(diag.New("condition-one-element", l.place(e), l.text(e), typeText(v.Type))))
		v = l.emit(e.Span(), ops.Reshape, []*ir.Value{v}, shapeAttr(nil))
	}
	return l.toBool(e.Span(), v), true
}

func hint(d *diag.Diagnostic) *diag.Diagnostic {
	d.Severity = diag.Hint
	return d
}

// ifExp lowers a if test else b.
func (l *lowerer) ifExp(e *syntax.IfExp) value {
	cond, known, ok := l.condition(e.Test)
	switch {
	case !ok:
		l.expr(e.Body)
		l.expr(e.Else)
		return poison{}
	case cond == nil && known:
		return l.chosenExpr(e.Body)
	case cond == nil:
		return l.chosenExpr(e.Else)
	}
	var a, b value
	then := l.branch(func() { a = l.expr(e.Body) })
	other := l.branch(func() { b = l.expr(e.Else) })
	if isPoison(a, b) {
		return poison{}
	}
	if same(a, b) {
		return a
	}
	x, y, ok := l.unify(a, b)
	if !ok {
		return l.fail(diag.New("ternary-type", l.place(e), kindText(a), kindText(b)).
			Because(l.place(e.Body), "is-of-type", l.text(e.Body), kindText(a)).
			Because(l.place(e.Else), "is-of-type", l.text(e.Else), kindText(b)))
	}
	l.endBlock(e.Span(), then.block, flatten(x))
	l.endBlock(e.Span(), other.block, flatten(y))
	results := l.emitRegions(e.Span(), ops.If, []*ir.Value{cond}, []*ir.Block{then.block, other.block})
	v, _ := rebuild(x, results)
	return v
}

// comprehension unrolls a list comprehension or generator over a tuple.
func (l *lowerer) comprehension(e *syntax.Comp) value {
	if (e.Kind != "list" && e.Kind != "generator") || len(e.Clauses) != 1 {
		return l.fail(diag.New("unsupported-expression", l.place(e), "comprehension", "Comp"))
	}
	clause := e.Clauses[0]
	iter := l.expr(clause.Iter)
	items, ok := l.known(iter, clause.Iter)
	if !ok {
		return poison{}
	}
	if _, isTuple := iter.(tuple); !isTuple && !l.frame.fn.module.prelude {
		l.superset(diag.New("comprehension-range", l.place(e)))
	}
	saved := l.frame.vars.mark()
	out := tuple{}
	for _, x := range items {
		l.step(e.Span())
		l.assignTarget(clause.Target, x, clause.Target.Span())
		keep := true
		for _, test := range clause.Ifs {
			cond, known, ok := l.condition(test)
			if ok && cond != nil {
				l.fail(diag.New("comprehension-condition", l.place(test)))
			}
			if !ok || cond != nil {
				l.frame.vars.rollback(saved)
				return poison{}
			}
			keep = keep && known
		}
		if keep {
			out.elems = append(out.elems, l.expr(e.Elt))
		}
	}
	l.frame.vars.rollback(saved)
	return out
}

// known lists the elements of a tuple, or of a range whose bounds are known.
func (l *lowerer) known(v value, e syntax.Expr) ([]value, bool) {
	switch v := v.(type) {
	case poison:
		return nil, false
	case tuple:
		return v.elems, true
	case ranges:
		return l.knownRange(v, e)
	}
	l.fail(diag.New("not-iterable", l.place(e), kindText(v)))
	return nil, false
}

func (l *lowerer) knownRange(r ranges, e syntax.Expr) ([]value, bool) {
	lo, ok1 := l.constantInt(r.lo, e, "range")
	hi, ok2 := l.constantInt(r.hi, e, "range")
	step, ok3 := l.constantInt(r.step, e, "range")
	if !ok1 || !ok2 || !ok3 || step == 0 {
		return nil, false
	}
	var out []value
	for x := lo; step > 0 && x < hi || step < 0 && x > hi; x += step {
		if l.unrolled++; l.unrolled > maxUnrolled {
			l.stop(diag.New("unroll-too-long", l.place(e), maxUnrolled))
		}
		out = append(out, integer(x))
	}
	return out, true
}
