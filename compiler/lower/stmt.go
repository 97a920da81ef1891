package lower

import (
	"fmt"
	"strings"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/compiler/triton"
)

// lowerStmt lowers one statement.
func (l *lowerer) lowerStmt(s syntax.Stmt) {
	switch s := s.(type) {
	case *syntax.ExprStmt:
		l.lowerExprStmt(s)
	case *syntax.Assign:
		l.lowerAssign(s)
	case *syntax.AnnAssign:
		l.lowerAnnAssign(s)
	case *syntax.AugAssign:
		l.lowerAugAssign(s)
	case *syntax.Return:
		l.lowerReturn(s)
	case *syntax.If:
		l.lowerIf(s, func() {})
	case *syntax.For:
		l.lowerFor(s)
	case *syntax.While:
		if len(s.Else) > 0 {
			l.fail(diag.New("loop-else", l.spanOf(s.Else[0])))
		}
		l.lowerWhile(s)
	// Triton has no break and continue (unsupported AST node type); here they set flags.
	case *syntax.Break:
		l.warnSuperset(diag.New("break", l.spanOf(s)))
		l.frame.setExitFlag(exitBreak, s.Span())
	case *syntax.Continue:
		l.warnSuperset(diag.New("continue", l.spanOf(s)))
		l.frame.setExitFlag(exitContinue, s.Span())
	case *syntax.FunctionDef:
		l.warnSuperset(diag.New("nested-function", l.userSpan(s.NameSpan), s.Name, l.nestedSaid(s)))
		fn := functionOf(s, l.frame.fn.module)
		fn.closure = l.frame
		l.frame.vars.set(s.Name, binding{val: fn, span: s.NameSpan})
	case *syntax.Assert:
		l.lowerAssertStmt(s)
	case *syntax.Pass, *syntax.BadStmt:
	case *syntax.With:
		if !l.lowerUnknownWith(s) {
			l.refuseStmt(s)
		}
	default:
		l.refuseStmt(s)
	}
}

// nestedSaid is what Triton before 3.8 says of a function in a kernel, whose parameters it looks up in the kernel's.
func (l *lowerer) nestedSaid(s *syntax.FunctionDef) string {
	for _, p := range s.Params.List {
		if paramOf(l.frame.fn, p.Name) == nil {
			return "StopIteration()"
		}
	}
	return "nested function definition is not supported."
}

// lowerUnknownWith lowers, under a guess, the body of a with statement over something that other modules provide.
func (l *lowerer) lowerUnknownWith(s *syntax.With) bool {
	if !l.underGuess() {
		return false
	}
	for _, item := range s.Items {
		if !isPoison(l.lowerExpr(item.Context)) {
			return false
		}
		l.frame.poisonTarget(item.Target)
	}
	for _, inner := range s.Body {
		l.lowerStmt(inner)
	}
	return true
}

// spellings are how Python writes the statements and expressions that kernels do not have, by the names of their nodes.
var spellings = map[string]string{"With": "with", "Try": "try", "Match": "match", "Raise": "raise", "Delete": "del",
	"Global": "global", "Nonlocal": "nonlocal", "Import": "import", "ImportFrom": "from … import", "ClassDef": "class",
	"Set": "set", "Dict": "dict", "Yield": "yield", "Await": "await", "Starred": "*", "Slice": "slice"}

// nodeName is the name of a node's class, which is the one that Python's ast has.
func nodeName(n syntax.Node) string {
	_, name, _ := strings.Cut(fmt.Sprintf("%T", n), ".")
	return name
}

// refuseStmt reports a statement that has no meaning on a GPU, and silences what it would bind.
func (l *lowerer) refuseStmt(s syntax.Stmt) {
	node, at := nodeName(s), l.spanOf(s)
	name := spellings[node]
	at.End = min(at.End, at.Start+int32(len(name)))
	l.fail(diag.New("unsupported-statement", at, name, node))
	l.frame.poisonAssigned(s)
}

func (l *lowerer) lowerExprStmt(s *syntax.ExprStmt) {
	if c, ok := s.Value.(*syntax.Constant); ok && c.Kind == syntax.StringConst {
		return // a docstring or a comment in quotes
	}
	if l.lowerHostCall(s) {
		return
	}
	v := l.lowerExpr(s.Value)
	call, ok := s.Value.(*syntax.Call)
	// The function must be used, and the method of the same name need not.
	if d, is := v.(descriptor); ok && is && d.blockPointer && l.sourceText(call.Func) == "tl.advance" {
		l.warnSuperset(diag.New("result-unused", l.spanOf(s), l.sourceText(call.Func)))
	}
}

func (l *lowerer) lowerAssign(s *syntax.Assign) {
	// The value is computed once, whatever the targets are; each target gets the same.
	v := l.lowerExpr(s.Value)
	if len(s.Targets) > 1 {
		l.warnSuperset(diag.New("chained-assignment", l.spanOf(s)))
	}
	for _, t := range s.Targets {
		if x, ok := t.(*syntax.Subscript); ok && len(s.Targets) == 1 && l.refusePointerStore(s, x) {
			continue
		}
		l.assignValue(t, v, s.Value)
	}
}

// assignValue binds a target to the value of e, and gives what it then has: numbers become tensors, but for names that
// an annotation without a value has said to be constexprs.
func (l *lowerer) assignValue(t syntax.Expr, v value, e syntax.Expr) value {
	switch t := t.(type) {
	case *syntax.Name:
		if b, ok := l.frame.vars.get(t.ID); ok && isAnnotated(b) {
			return l.assignConstexpr(t, v, e)
		}
	case *syntax.Tuple:
		l.checkTargets(t, e)
		if u, ok := v.(tuple); ok && len(u.elems) == len(t.Elts) {
			at := elementExprs(e, len(t.Elts))
			parts := make([]value, len(t.Elts))
			for i, target := range t.Elts {
				parts[i] = l.assignValue(target, u.elems[i], at[i])
			}
			return u.withParts(parts)
		}
	case *syntax.List:
		l.warnSuperset(diag.New("list-target", l.spanOf(t)))
	}
	v = l.materializeAssigned(v, e)
	l.assignTarget(t, v, t.Span())
	return v
}

// checkTargets reports a tuple of targets, which e is assigned to, as far as versions of Triton refuse it.
func (l *lowerer) checkTargets(t *syntax.Tuple, e syntax.Expr) {
	for _, target := range t.Elts {
		if inner, ok := target.(*syntax.Tuple); ok {
			l.needs(triton.NestedTargets, l.spanOf(inner), l.sourceText(inner), "unhashable type: 'list'")
		}
	}
	if b, held := l.heldTuple(e); held && b.defaulted && l.opts.Triton.AtLeast(triton.V37) {
		l.needs(triton.ConstexprTuples, l.spanOf(t), l.sourceText(t), "cannot convert "+printed(b.val)+
			" of type <class 'tuple'> to tensor")
	}
}

// printed is a value as Python prints it, or what is known of it.
func printed(v value) string {
	text, ok := pythonText(v)
	if !ok {
		return kindText(v)
	}
	return text
}

// isAnnotated reports whether a name has been annotated tl.constexpr, and has no value yet.
func isAnnotated(b binding) bool {
	_, unset := b.val.(unbound)
	return unset && b.constexpr
}

// refusePointerStore reports p[i] = v for a pointer p, with the tl.store that does it.
func (l *lowerer) refusePointerStore(s *syntax.Assign, x *syntax.Subscript) bool {
	n, ok := x.Value.(*syntax.Name)
	if !ok {
		return false
	}
	b, ok := l.frame.vars.get(n.ID)
	if !ok || !isPointer(b.val) {
		return false
	}
	d := diag.New("pointer-assigned", l.spanOf(x), n.ID)
	if _, slice := x.Index.(*syntax.Slice); !slice && len(indexList(x.Index)) == 1 {
		l.lowerExpr(x.Index)
		store := "tl.store(" + n.ID + " + " + l.sourceText(x.Index) + ", " + l.sourceText(s.Value) + ")"
		d = suggestReplacement(d, true, l.spanOf(s), store)
	}
	l.fail(d)
	return true
}

// materializeAssigned is a value as a plain assignment keeps it: numbers become tensors. What has no form at run
// time stays what it is, as in Triton; strings do with a warning.
func (l *lowerer) materializeAssigned(v value, e syntax.Expr) value {
	if l.inModuleCode() {
		return v
	}
	switch v := v.(type) {
	case constant:
		switch v.v.(type) {
		case python.None:
			return v
		case python.Str:
			if !l.frame.fn.module.prelude {
				l.warnSuperset(diag.New("string-assigned", l.spanOf(e), l.sourceText(e)))
			}
			return v
		}
		// Triton's visit_Assign: a plain assignment makes a 0-d tensor of a number; N = B*2 is no constexpr.
		return l.toTensor(v, e)
	case function:
		if v.jit && !l.frame.fn.module.prelude {
			l.warnSuperset(diag.New("function-assigned", l.spanOf(e), v.name))
		}
	case tuple:
		return mapParts(v, func(x value) value { return l.materializeAssigned(x, e) })
	}
	return v
}

// assignTarget binds a target to a value.
func (l *lowerer) assignTarget(t syntax.Expr, v value, at source.Span) {
	switch t := t.(type) {
	case *syntax.Name:
		l.frame.bindName(t.ID, binding{val: v, span: t.Span()})
		l.recordType(t, v)
	case *syntax.Tuple:
		l.unpackTuple(t.Elts, v, t)
	case *syntax.List:
		l.unpackTuple(t.Elts, v, t)
	case *syntax.Starred:
		l.fail(diag.New("starred-target", l.spanOf(t), l.sourceText(t)))
		l.assignTarget(t.Value, poison{}, at)
	case *syntax.Subscript:
		if !isPoison(l.lowerExpr(t.Value)) {
			l.fail(diag.New("subscript-assigned", l.spanOf(t), l.sourceText(t.Value)))
		}
	case *syntax.Attribute:
		base := l.lowerExpr(t.Value)
		if self, ok := base.(aggregate); ok && l.inModuleCode() { // in __init__, which is Python
			l.assignTarget(t.Value, l.withField(self, t, v), at)
		} else if !isPoison(base) {
			l.fail(diag.New("attribute-assigned", l.spanOf(t), l.sourceText(t)))
		}
	case *syntax.BadExpr:
	default:
		l.fail(diag.New("bad-target", l.spanOf(t), l.sourceText(t)))
	}
}

func (l *lowerer) unpackTuple(targets []syntax.Expr, v value, at syntax.Expr) {
	t, ok := v.(tuple)
	// A starred target takes a number of elements that Triton cannot say, so all get poison.
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
		l.fail(diag.New("unpack-not-tuple", l.spanOf(at), kindText(v), classText(v)))
	case len(t.elems) > len(targets) && !l.has(triton.UnpackArity) && !l.inModuleCode() && !l.opts.Interpreted:
		l.diags.Add(asHint(diag.New("unpack-dropped", l.spanOf(at), len(t.elems)-len(targets), l.opts.Triton)))
	case len(t.elems) != len(targets):
		said := fmt.Sprintf("too many values to unpack (expected %d)", len(targets))
		switch {
		case len(t.elems) > len(targets):
		case l.has(triton.UnpackArity):
			said = fmt.Sprintf("not enough values to unpack (expected %d, got %d)", len(targets), len(t.elems))
		default:
			said = "list index out of range"
		}
		l.fail(diag.New("unpack-count", l.spanOf(at), len(targets), len(t.elems), said))
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

// lowerAnnAssign lowers x: tl.constexpr = v, which keeps v a constexpr. Other annotations say nothing.
func (l *lowerer) lowerAnnAssign(s *syntax.AnnAssign) {
	n, isName := s.Target.(*syntax.Name)
	isConstexpr := isName && isConstexprAnnotation(s.Annotation)
	if s.Value == nil {
		if !isConstexpr || !l.has(triton.RememberedConstexpr) {
			return
		}
		if _, has := l.frame.vars.get(n.ID); !has {
			l.frame.vars.set(n.ID, binding{val: unbound{"undefined-name", n.Span()}, span: n.Span(), constexpr: true})
		}
		return
	}
	v := l.lowerExpr(s.Value)
	if !isConstexpr {
		l.assignTarget(s.Target, l.materializeAssigned(v, s.Value), s.Target.Span())
		return
	}
	l.assignConstexpr(n, v, s.Value)
}

// assignConstexpr binds a name to the value of e, which stays a constexpr.
func (l *lowerer) assignConstexpr(n *syntax.Name, v value, e syntax.Expr) value {
	if b, ok := l.frame.vars.get(n.ID); ok {
		if _, no := b.val.(unbound); !no && !isPoison(b.val) && !l.frame.fn.module.prelude {
			l.warnSuperset(diag.New("constexpr-redefined", l.spanOf(n), n.ID).
				Because(l.userSpan(b.span), "defined-here", n.ID))
		}
	}
	if t, ok := v.(tensor); ok {
		v = l.wrapTensor(t, e, n.ID)
	}
	l.frame.vars.set(n.ID, binding{val: v, span: n.Span(), constexpr: true})
	l.recordType(n, v)
	return v
}

func (l *lowerer) lowerAugAssign(s *syntax.AugAssign) {
	switch t := s.Target.(type) {
	// In place means no more than the operator: tensors are values and are never changed.
	case *syntax.Name, *syntax.Attribute:
		v := l.lowerBinary(s.Op, l.lowerExpr(t), l.lowerExpr(s.Value), operandNodes{s, t, s.Value})
		l.assignTarget(t, l.materializeAssigned(v, s.Value), t.Span())
	default:
		l.lowerExpr(s.Value)
		l.assignTarget(s.Target, poison{}, s.Target.Span())
	}
}

func (l *lowerer) lowerReturn(s *syntax.Return) {
	v := value(pyNone)
	if s.Value != nil {
		v = l.lowerExpr(s.Value)
	}
	// A launched kernel has nobody to return to; a helper's caller takes the value.
	device := l.opts.Guess != nil && l.opts.Guess.Device
	if l.frame.parent == nil && !device && s.Value != nil && !isNone(v) && !isPoison(v) {
		l.fail(diag.New("kernel-returns", l.spanOf(s.Value)))
	}
	// Its frame is gone once it is called.
	if f, ok := v.(function); ok && f.closure != nil {
		v = l.fail(diag.New("function-returned", l.spanOf(s.Value)))
	}
	if l.frame.loopDepth > 0 && !l.frame.fn.module.prelude {
		l.warnSuperset(diag.New("return-in-loop", l.spanOf(s)))
	}
	l.frame.vars.set(returnedName, binding{val: v, span: s.Span()})
	l.frame.setExitFlag(exitReturn, s.Span())
}

// recordType notes the value of a name, for hover.
func (l *lowerer) recordType(n *syntax.Name, v value) {
	if !l.opts.Record || l.inModuleCode() || l.frame.fn.module != l.user {
		return
	}
	if text, ok := hoverText(v); ok {
		l.result.Info = append(l.result.Info, Typed{n.Span(), n.ID, text})
	}
}
