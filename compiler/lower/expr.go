package lower

import (
	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/compiler/tl"
	"github.com/newtlab/newt/compiler/triton"
)

// lowerExpr lowers an expression.
func (l *lowerer) lowerExpr(e syntax.Expr) value {
	switch e := e.(type) {
	case *syntax.Name:
		return l.lowerName(e)
	case *syntax.Constant:
		return l.lowerConstant(e)
	case *syntax.Attribute:
		return l.lowerAttribute(e)
	case *syntax.Call:
		return l.limitParts(l.lowerCall(e), e)
	case *syntax.BinOp:
		return l.lowerBinary(e.Op, l.lowerExpr(e.Left), l.lowerExpr(e.Right), operandNodes{e, e.Left, e.Right})
	case *syntax.UnaryOp:
		return l.lowerUnary(e)
	case *syntax.Compare:
		return l.lowerCompare(e)
	case *syntax.BoolOp:
		return l.lowerBoolOp(e)
	case *syntax.Subscript:
		return l.lowerSubscript(e)
	case *syntax.Tuple:
		return l.limitParts(tuple{elems: l.lowerExprs(e.Elts)}, e)
	case *syntax.List:
		return l.limitParts(tuple{elems: l.lowerExprs(e.Elts)}, e)
	case *syntax.IfExp:
		return l.lowerIfExp(e)
	case *syntax.JoinedStr:
		return l.lowerJoinedStr(e)
	case *syntax.Lambda:
		l.warnSuperset(diag.New("lambda", l.spanOf(e)))
		return function{name: "<lambda>", params: e.Params, result: e.Body, span: e.Span(), module: l.frame.fn.module,
			closure: l.frame}
	case *syntax.NamedExpr:
		l.needs(triton.NamedExpr, l.spanOf(e), ":=", "unsupported AST node type: NamedExpr")
		return l.assignValue(e.Target, l.lowerExpr(e.Value), e.Value)
	case *syntax.Comp:
		return l.lowerComp(e)
	case *syntax.BadExpr:
		return poison{}
	}
	return l.refuseExpr(e)
}

// limitParts refuses a value that an expression has put together if it has too many parts: one that holds another twice
// doubles in each line.
func (l *lowerer) limitParts(v value, e syntax.Node) value {
	if countParts(v, maxParts+1) > maxParts {
		return l.fail(diag.New("too-many-parts", l.spanOf(e), maxParts))
	}
	return v
}

// countParts is how many values v has in it, those in its parts included; at most about most.
func countParts(v value, most int) (n int) {
	c, ok := v.(composite)
	if !ok {
		return 0
	}
	for _, p := range c.parts() {
		if n += 1 + countParts(p, most-n); n >= most {
			break
		}
	}
	return n
}

func (l *lowerer) lowerExprs(list []syntax.Expr) []value {
	out := make([]value, 0, len(list))
	for _, e := range list {
		if s, ok := e.(*syntax.Starred); ok {
			out = append(out, l.unpackStarred(s)...)
			continue
		}
		out = append(out, l.lowerExpr(e))
	}
	return out
}

// heldTuple is the tuple that a name holds which is annotated tl.constexpr. Before 3.8 it is a constexpr, and no tuple
// of the language; as the default of a parameter it is one as well.
func (l *lowerer) heldTuple(e syntax.Expr) (b binding, held bool) {
	n, isName := e.(*syntax.Name)
	if !isName {
		return b, false
	}
	b, _ = l.frame.vars.get(n.ID)
	_, held = b.val.(tuple)
	return b, held && b.constexpr
}

// unpackStarred gives the elements of *t.
func (l *lowerer) unpackStarred(s *syntax.Starred) []value {
	v := l.lowerExpr(s.Value)
	if t, ok := v.(tuple); ok {
		if _, held := l.heldTuple(s.Value); held {
			l.needs(triton.StarredConstexpr, l.spanOf(s), l.sourceText(s), "AssertionError")
		}
		return t.elems
	}
	if !isPoison(v) {
		l.fail(diag.New("star-not-tuple", l.spanOf(s), kindText(v)))
	}
	return []value{poison{}}
}

// refuseExpr reports an expression that has no meaning in a kernel.
func (l *lowerer) refuseExpr(e syntax.Expr) value {
	node := nodeName(e)
	return l.fail(diag.New("unsupported-expression", l.spanOf(e), spellings[node], node))
}

func (l *lowerer) lowerConstant(e *syntax.Constant) value {
	switch e.Kind {
	case syntax.NoneConst:
		return pyNone
	case syntax.TrueConst, syntax.FalseConst:
		return constant{python.Bool(e.Kind == syntax.TrueConst)}
	case syntax.EllipsisConst:
		return ellipsis{}
	case syntax.IntConst:
		n, err := python.ParseInt(e.Text)
		if err != nil {
			return l.fail(diag.New("python-error", l.spanOf(e), err.Class, err.Message))
		}
		return constant{n}
	case syntax.FloatConst:
		return constant{python.Float(e.Float)}
	case syntax.StringConst:
		return constant{python.Str(e.Text)}
	}
	return l.fail(diag.New("unsupported-expression", l.spanOf(e), l.sourceText(e), "Constant"))
}

// lowerName looks a name up: a local, one of an enclosing function, a module-level
// definition, a builtin.
func (l *lowerer) lowerName(n *syntax.Name) value {
	// Inside out, as Python's scopes are: locals, the functions around, the module, builtins.
	for f := l.frame; f != nil; f = f.fn.closure {
		if b, ok := f.vars.get(n.ID); ok {
			if u, no := b.val.(unbound); no {
				return l.fail(diag.New(u.why, l.spanOf(n), n.ID).Because(l.userSpan(u.span), "assigned-here", n.ID))
			}
			if f == l.frame {
				l.recordType(n, b.val)
			}
			return b.val
		}
	}
	m := l.frame.fn.module
	if v := l.globals.lookup(m, n); v != nil {
		return v
	}
	if v, ok := l.lookupBuiltin(m, n.ID); ok {
		return v
	}
	if l.underGuess() {
		return poison{} // resolve reports names that are defined nowhere
	}
	return l.fail(l.explainUndefined(n))
}

func (l *lowerer) lookupBuiltin(m *module, name string) (value, bool) {
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
	}}, l.inModuleCode() && python.HasFunction(name)
}

// explainUndefined says that a name has no value, and which one was perhaps meant.
func (l *lowerer) explainUndefined(n *syntax.Name) *diag.Diagnostic {
	if tl.Lookup(tl.Language, n.ID) != nil && n.ID != "math" {
		return didYouMean(diag.New("undefined-name", l.spanOf(n), n.ID), true, l.spanOf(n), "tl."+n.ID)
	}
	if float, ok := tl.Floats[n.ID]; ok {
		return didYouMean(diag.New("undefined-name", l.spanOf(n), n.ID), true, l.spanOf(n), float)
	}
	var names []string
	for f := l.frame; f != nil; f = f.fn.closure {
		for name, b := range f.vars.vars {
			if _, no := b.val.(unbound); !no && !isHidden(name) {
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
	return l.suggestNearest(diag.New("undefined-name", l.spanOf(n), n.ID), l.spanOf(n), n.ID, names)
}

// rowValue is the value of a row of the tl table: a dtype, a namespace, or a builtin to call.
func rowValue(row *tl.Row) (value, bool) {
	switch row.Bind {
	case tl.DType:
		t, ok := dtypeNamed(row.Name)
		return dtype{t}, ok
	case tl.Constant:
		return integer(int64(row.Value)), true
	case tl.Property:
		return namespace{row.Name}, true
	}
	return builtin{row: row}, true
}

// lowerCondition lowers the test of an if or while: a run-time int1, or (cond nil) a truth known now.
func (l *lowerer) lowerCondition(e syntax.Expr) (cond *ir.Value, known, ok bool) {
	return l.conditionOf(l.lowerExpr(e), e)
}

// conditionOf is lowerCondition of an expression that has been lowered.
func (l *lowerer) conditionOf(v value, e syntax.Expr) (cond *ir.Value, known, ok bool) {
	switch v := v.(type) {
	case tensor:
		cond, ok = l.toScalarCondition(v, e)
		return cond, false, ok
	case constant:
		// Triton accepts bool, int and None as constexpr conditions only.
		switch v.v.(type) {
		case python.Str, python.Float:
			l.warnSuperset(diag.New("condition-type", l.spanOf(e), v.v.Type()))
		}
		return nil, python.Truth(v.v), true
	case poison:
		return nil, false, false
	case tuple:
		l.warnSuperset(diag.New("condition-type", l.spanOf(e), kindText(v)))
		return nil, len(v.elems) > 0, true
	default:
		l.warnSuperset(diag.New("condition-type", l.spanOf(e), kindText(v)))
		return nil, true, true
	}
}

// toScalarCondition makes a tensor an int1 without a shape.
func (l *lowerer) toScalarCondition(t tensor, e syntax.Expr) (*ir.Value, bool) {
	v := t.v
	// Triton refuses a tile of several elements and unsplats a tile of one with a warning.
	if v.Type.Numel() > 1 {
		d := diag.New("condition-tile", l.spanOf(e), l.sourceText(e), typeText(v.Type))
		l.fail(l.noteShapeOrigin(d, v, l.sourceText(e)))
		return nil, false
	}
	if !v.Type.IsScalar() {
		l.diags.Add(asHint(diag.New("condition-one-element", l.spanOf(e), l.sourceText(e), typeText(v.Type))))
		v = l.b.emit(e.Span(), ops.Reshape, []*ir.Value{v}, shapeAttr(nil))
	}
	return l.b.toBool(e.Span(), v), true
}

// lowerIfExp lowers a if test else b.
func (l *lowerer) lowerIfExp(e *syntax.IfExp) value {
	cond, known, ok := l.lowerCondition(e.Test)
	switch {
	case !ok:
		// Both sides for their own mistakes, although neither can be chosen.
		l.lowerExpr(e.Body)
		l.lowerExpr(e.Else)
		return poison{}
	case cond == nil && known:
		return l.lowerTakenExpr(e.Body)
	case cond == nil:
		return l.lowerTakenExpr(e.Else)
	}
	var a, b value
	then := l.lowerBranch(func() { a = l.lowerExpr(e.Body) })
	other := l.lowerBranch(func() { b = l.lowerExpr(e.Else) })
	if isPoison(a, b) {
		return poison{}
	}
	if same(a, b) {
		if len(then.block.Instrs)+len(other.block.Instrs) > 0 { // stores, such as those of two calls that give None
			l.b.yield(e.Span(), then.block, nil)
			l.b.yield(e.Span(), other.block, nil)
			l.b.emitRegions(e.Span(), ops.If, []*ir.Value{cond}, []*ir.Block{then.block, other.block})
		}
		return a
	}
	x, y, ok := l.unifyTypes(a, b)
	if !ok {
		d := diag.New("ternary-type", l.spanOf(e), kindText(a), kindText(b))
		return l.fail(l.noteTypes(d, a, b, operandNodes{e, e.Body, e.Else}))
	}
	// No assignment in an expression but :=, whose name each branch takes back, so there are no other phis.
	l.b.yield(e.Span(), then.block, flatten(x))
	l.b.yield(e.Span(), other.block, flatten(y))
	results := l.b.emitRegions(e.Span(), ops.If, []*ir.Value{cond}, []*ir.Block{then.block, other.block})
	v, _ := rebuild(x, results)
	return v
}

// comprehensionNodes are Python's names of the nodes of comprehensions.
var comprehensionNodes = map[string]string{"list": "ListComp", "set": "SetComp", "dict": "DictComp",
	"generator": "GeneratorExp"}

// lowerComp unrolls a list comprehension or generator over a tuple.
func (l *lowerer) lowerComp(e *syntax.Comp) value {
	switch node := comprehensionNodes[e.Kind]; {
	case node == "SetComp", node == "DictComp", node == "GeneratorExp" && len(e.Clauses) != 1:
		return l.fail(diag.New("unsupported-expression", l.spanOf(e), "comprehension", node))
	case len(e.Clauses) != 1:
		return l.fail(diag.New("nested-comprehension", l.spanOf(e)))
	case node == "GeneratorExp" && !l.frame.fn.module.prelude:
		l.warnSuperset(diag.New("generator", l.spanOf(e)))
	}
	if t, ok := e.Clauses[0].Target.(*syntax.Tuple); ok && !l.frame.fn.module.prelude {
		l.warnSuperset(diag.New("comprehension-target", l.spanOf(t)))
	}
	// Triton's comprehensions go over a tuple and unroll, with constexpr conditions.
	clause := e.Clauses[0]
	iter := l.lowerExpr(clause.Iter)
	items, ok := l.knownElements(iter, clause.Iter)
	if !ok {
		return poison{}
	}
	_, isTuple := iter.(tuple)
	_, held := l.heldTuple(clause.Iter)
	switch {
	case !isTuple && !l.frame.fn.module.prelude:
		l.warnSuperset(diag.New("comprehension-range", l.spanOf(e)))
	case held:
		l.needs(triton.ConstexprTuples, l.spanOf(clause.Iter), l.sourceText(clause.Iter),
			"only tuple comprehensions are supported")
	}
	// Its target is gone behind it, as in Python.
	saved := l.frame.vars.mark()
	out := tuple{}
	for _, x := range items {
		l.countStep(e.Span())
		l.assignTarget(clause.Target, x, clause.Target.Span())
		keep := true
		for _, test := range clause.Ifs {
			cond, known, ok := l.lowerCondition(test)
			if !ok {
				l.frame.vars.rollback(saved)
				return poison{}
			}
			// A tensor is an object, which Python takes for true.
			if cond != nil || !l.has(triton.ComprehensionIf) && !l.inModuleCode() && !l.opts.Interpreted {
				l.diags.Add(asHint(diag.New("comprehension-condition", l.spanOf(test), l.opts.Triton)))
				continue
			}
			keep = keep && known
		}
		if keep {
			out.elems = append(out.elems, l.lowerExpr(e.Elt))
		}
	}
	l.frame.vars.rollback(saved)
	return out
}
