package lower

import (
	"slices"
	"sync"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/compiler/tl"
	"github.com/newtlab/newt/compiler/triton"
)

// argument is one argument of a call: its value and the expression it came from.
type argument struct {
	val  value
	expr syntax.Expr
}

// arguments are the arguments of a call as written.
type arguments struct {
	node       syntax.Expr // the call
	callee     string
	binder     binder
	positional []argument
	keywords   []keyword
}

// prepend adds the object that a method is reached from.
func (a *arguments) prepend(self value) {
	a.positional = append([]argument{{self, selfExpr(a.node)}}, a.positional...)
}

// isMethod reports whether the call is of a method, whose object has been prepended.
func (a *arguments) isMethod() bool {
	return len(a.positional) > 0 && a.positional[0].expr == selfExpr(a.node)
}

// each calls f for each argument, with its name if it is a keyword.
func (a *arguments) each(f func(name string, a argument)) {
	for _, x := range a.positional {
		f("", x)
	}
	for _, k := range a.keywords {
		f(k.name, k.argument)
	}
}

type keyword struct {
	name string
	loc  source.Span
	argument
}

// call is a call of a builtin with its arguments bound to the row's parameters.
type call struct {
	*lowerer
	row    *tl.Row
	node   syntax.Expr
	params *syntax.Params
	bound  []argument
	given  []bool
}

// lowerCall lowers a call.
func (l *lowerer) lowerCall(e *syntax.Call) value {
	if v, ok := l.libraryValue(e); ok {
		return v
	}
	// In Python the callee is evaluated before its arguments.
	f := l.lowerExpr(e.Func)
	args, ok := l.lowerArguments(e)
	if isPoison(f) || !ok {
		if l.underGuess() {
			l.checkNames(f, args)
		}
		return poison{}
	}
	switch f := f.(type) {
	case function:
		return l.inlineFunction(&f, args)
	case builtin:
		return l.callBuiltin(f, args)
	case pythonFunction:
		return l.callPythonFunction(f, args)
	case tupleClass:
		return l.lowerTupleCall(f, args)
	case *aggregateClass:
		return l.lowerAggregateCall(f, args)
	case dtype:
		return l.fail(l.dtypeCalled(f, e))
	case namespace:
		if l.underGuess() {
			return l.callHostFunction(f, args)
		}
	}
	return l.fail(diag.New("not-callable", l.spanOf(e.Func), l.sourceText(e.Func), kindText(f)))
}

// checkNames reports arguments that the function of the language which is called does not take, whatever they are.
func (l *lowerer) checkNames(f value, args *arguments) {
	b, ok := f.(builtin)
	if ok && b.self == nil && b.row.IsCalled() && !slices.ContainsFunc(args.node.(*syntax.Call).Args, isStarred) {
		if args.binder = l.rowBinder(b.row); l.checkVersion(b.row, args) {
			l.bindArguments(signatureOf(b.row, l.opts.Triton).params, args)
		}
	}
}

func isStarred(e syntax.Expr) bool {
	_, ok := e.(*syntax.Starred)
	return ok
}

// lowerArguments evaluates a call's arguments. Not ok if one of them has failed.
func (l *lowerer) lowerArguments(e *syntax.Call) (*arguments, bool) {
	args := &arguments{node: e, callee: l.sourceText(e.Func)}
	ok := true
	for _, a := range e.Args {
		if s, starred := a.(*syntax.Starred); starred {
			for _, v := range l.unpackStarred(s) {
				ok = ok && !isPoison(v)
				args.positional = append(args.positional, argument{v, s.Value})
			}
			continue
		}
		v := l.lowerExpr(a)
		ok = ok && !isPoison(v)
		args.positional = append(args.positional, argument{v, a})
	}
	for _, k := range e.Keywords {
		if k.Name == "" {
			if !isPoison(l.lowerExpr(k.Value)) {
				l.fail(diag.New("double-star", l.spanOf(k.Value)))
			}
			ok = false
			continue
		}
		v := l.lowerExpr(k.Value)
		ok = ok && !isPoison(v)
		args.keywords = append(args.keywords, keyword{k.Name, l.userSpan(k.Loc), argument{v, k.Value}})
	}
	return args, ok
}

// bindArguments pairs arguments with parameters, in Python's way. Parameters without an argument have
// a nil value; those that the callee has no default for are reported. *args get a tuple.
func (l *lowerer) bindArguments(params *syntax.Params, args *arguments) (bound []argument, ok bool) {
	list := params.List
	bound = make([]argument, len(list))
	ok = true
	// Python fills positional parameters in order; *args takes the rest, and what follows it needs a name.
	i := 0
	for _, a := range args.positional {
		for i < len(list) && (list[i].Kind == syntax.KeywordOnly || list[i].Kind == syntax.VarKeyword) {
			i++
		}
		if i == len(list) {
			l.fail(diag.New("too-many-arguments", l.spanOf(a.expr), args.callee, countPositional(list),
				len(args.positional), args.binder.tooMany(list, len(args.positional))))
			return bound, false
		}
		if list[i].Kind == syntax.VarPositional {
			t, _ := bound[i].val.(tuple)
			bound[i] = argument{tuple{elems: append(t.elems, a.val)}, args.node}
			if len(t.elems) == 0 {
				bound[i].expr = a.expr
			}
			continue
		}
		bound[i] = a
		i++
	}
	for _, k := range args.keywords {
		ok = l.bindKeyword(list, bound, k, args) && ok
	}
	var missing []string
	for i, p := range list {
		if bound[i].val == nil && p.Default == nil && p.Kind != syntax.VarPositional && p.Kind != syntax.VarKeyword {
			missing = append(missing, p.Name)
		}
	}
	// Nil stands for "not given": the callee's defaults are filled in by whoever knows them.
	for i, p := range list {
		switch {
		case bound[i].val != nil:
		case p.Kind == syntax.VarPositional:
			bound[i] = argument{tuple{}, args.node}
		case p.Kind == syntax.VarKeyword && l.inModuleCode(): // a dict, which kernels do not have
			bound[i] = argument{poison{}, args.node}
		case p.Kind == syntax.VarKeyword:
			l.fail(diag.New("kernel-star-param", l.userSpan(p.Loc), p.Name))
			ok = false
		case p.Default == nil:
			l.fail(l.explainMissing(args, p.Name, args.binder.missing(missing)))
			ok = false
		}
	}
	return bound, ok
}

// reducing are the functions that people call with one argument where they mean those of two.
var reducing = map[string]string{"tl.maximum": "max", "tl.minimum": "min"}

// explainMissing says that a call lacks an argument, and offers what was probably meant by the one that it has.
func (l *lowerer) explainMissing(args *arguments, name, said string) *diag.Diagnostic {
	d := diag.New("missing-argument", l.spanOf(args.node), args.callee, name, said)
	c, ok := args.node.(*syntax.Call)
	if !ok || len(args.positional) != 1 || len(args.keywords) > 0 {
		return d
	}
	f, _ := c.Func.(*syntax.Attribute)
	switch instead := reducing[args.callee]; {
	case args.callee == "tl.arange": // as NumPy's
		only := l.spanOf(c.Args[0])
		text := "tl.arange(0, " + l.sourceText(c.Args[0]) + ")"
		return d.Suggest(true, diag.Text{Key: "fix-replace", Args: []any{text}},
			diag.Edit{Span: source.Span{Start: only.Start, End: only.Start}, New: "0, "})
	case instead != "" && f != nil:
		return suggestReplacement(d, false, l.userSpan(f.AttrSpan), instead)
	}
	return d
}

func countPositional(list []syntax.Param) int {
	n := 0
	for _, p := range list {
		if p.Kind == syntax.Plain || p.Kind == syntax.Positional {
			n++
		}
	}
	return n
}

func (l *lowerer) bindKeyword(list []syntax.Param, bound []argument, k keyword, args *arguments) bool {
	var names []string
	rest := false
	for i, p := range list {
		if p.Kind == syntax.VarPositional || p.Kind == syntax.VarKeyword {
			rest = rest || p.Kind == syntax.VarKeyword
			if p.Name == k.name && p.Kind == syntax.VarPositional { // reshape(x, shape=…)
				if t, ok := k.val.(tuple); ok {
					bound[i] = argument{t, k.expr}
					return true
				}
			}
			continue
		}
		if p.Kind == syntax.Positional {
			continue
		}
		names = append(names, p.Name)
		if p.Name != k.name {
			continue
		}
		if bound[i].val != nil {
			l.fail(diag.New("argument-twice", k.loc, args.callee, k.name, args.binder.twice(k.name)))
			return false
		}
		bound[i] = k.argument
		return true
	}
	if rest {
		return true
	}
	at := source.Span{Start: k.loc.Start, End: min(k.loc.End, k.loc.Start+int32(len(k.name)))}
	d := diag.New("unknown-keyword", at, args.callee, k.name, args.binder.unknown(k.name))
	l.fail(l.suggestNearest(d, at, k.name, names))
	return false
}

// inlineFunction inlines a function. An annotation tl.constexpr decides nothing in a call from another
// kernel: a run-time value stays one.
func (l *lowerer) inlineFunction(fn *function, args *arguments) value {
	if fn.self != nil {
		args.prepend(fn.self)
	}
	frame, failed := l.newFrame(fn, args)
	if frame == nil {
		return failed
	}
	if fn.folds {
		return l.foldCall(frame, args)
	}
	saved := l.frame
	l.frame = frame
	defer func() { l.frame = saved }()
	v := l.lowerBody(fn)
	if fn.jit {
		v = l.returnedValue(v, args.node)
	}
	return v
}

// newFrame binds a call's arguments to a function's parameters. It is nil where that fails.
func (l *lowerer) newFrame(fn *function, args *arguments) (*frame, value) {
	// Calls are inlined, so every call is work of its own, however short the source is.
	l.countStep(args.node.Span())
	if args.binder.name == "" {
		args.binder = binder{name: fn.name, signature: fn.jit && l.opts.Triton.AtLeast(triton.V37)}
	}
	bound, ok := l.bindArguments(fn.params, args)
	if !ok {
		return nil, poison{}
	}
	if fn.jit {
		l.checkParams(fn.params)
	}
	if !fn.jit && fn.closure == nil && !fn.module.prelude && !fn.python {
		l.warnSuperset(diag.New("helper-not-jit", l.spanOf(args.node), fn.name).
			Because(fn.span, "defined-here", fn.name))
	}
	// Places in the prelude are of no use to the user: they count as the place of the call.
	frame := &frame{fn: fn, args: make([]value, len(bound)), parent: l.frame, vars: newEnv(), depth: l.frame.depth + 1,
		span: l.spanOf(args.node)}
	for i, p := range fn.params.List {
		v := bound[i].val
		defaulted := v == nil
		if defaulted {
			// A default belongs to the module of the def, not to the caller.
			if v, ok = l.evalModuleExpr(fn.module, p.Default); !ok {
				if l.underGuess() {
					return nil, poison{}
				}
				return nil, l.fail(diag.New("default-unknown", l.userSpan(p.Default.Span()), p.Name))
			}
		}
		// Triton's calls make constexprs of constants alone; a tensor stays one whatever the annotation says.
		annotated := isConstexprAnnotation(p.Annotation)
		_, isTensor := v.(tensor)
		if annotated && isTensor {
			l.diags.Add(asHint(diag.New("constexpr-ignored", l.spanOf(bound[i].expr), fn.name, p.Name,
				l.sourceText(bound[i].expr)).
				Because(p.Loc, "parameter-here", p.Name)))
		}
		frame.args[i] = v
		_, isTuple := v.(tuple)
		if isTuple && defaulted && fn.jit && !l.opts.Triton.AtLeast(triton.V37) {
			l.needs(triton.ConstexprTuples, l.spanOf(args.node), p.Name+"="+l.sourceText(p.Default),
				"'int' object has no attribute 'type'")
		}
		constexpr := annotated && !isTensor && (!isTuple || defaulted)
		frame.vars.set(p.Name, binding{val: v, span: p.Loc, constexpr: constexpr, defaulted: defaulted})
	}
	if d := l.checkRecursion(frame, args); d != nil {
		return nil, l.fail(d)
	}
	if fn.module == l.user {
		l.result.Reached[fn.span] = true
	}
	return frame, nil
}

// checkParams reports parameters that the version of Triton that is compiled for does not bind.
func (l *lowerer) checkParams(params *syntax.Params) {
	for _, p := range params.List {
		switch p.Kind {
		case syntax.VarPositional:
			said := p.Name + " is not defined"
			if !l.opts.Triton.AtLeast(triton.V37) {
				said = "'tuple' object has no attribute 'type'"
			}
			l.needs(triton.VarArgs, p.Loc, "*"+p.Name, said)
		case syntax.KeywordOnly:
			l.needs(triton.KeywordOnly, p.Loc, "*, "+p.Name, p.Name+" is not defined")
		}
	}
}

// foldCall calls a function under triton.constexpr_function while compiling: the program's own where it runs and the
// arguments are Python's. Else its text is lowered on what is known: no program runs around a kernel that is compiled
// alone, and the arguments may be types, or tensors of which only the type counts.
func (l *lowerer) foldCall(callee *frame, args *arguments) value {
	fn := callee.fn
	list, unknown := pythonArgs(args)
	if in, runs := fn.module.scope.(Evaluator); runs && fn.host != nil && unknown == nil {
		return l.callProgram(in, fn, list, args)
	}
	reported := len(l.diags)
	v, ok := l.inPython(func() value {
		l.frame = callee
		return l.lowerBody(fn)
	})
	if ok {
		return v
	}
	at := args.node
	if unknown != nil {
		if _, isTensor := unknown.val.(tensor); isTensor {
			// Python would run the function: what lowering reports of its body is not the reason.
			l.diags = l.diags[:reported]
			at = unknown.expr
		}
	}
	if len(l.diags) == reported {
		if at == args.node && l.opts.Guess != nil {
			return poison{} // of what another module provides
		}
		return l.fail(diag.New("needs-constexpr", l.spanOf(at), fn.name, l.sourceText(at)).
			Because(fn.span, "defined-here", fn.name))
	}
	return v
}

// callProgram calls a function of the program, whose result is a constexpr.
func (l *lowerer) callProgram(in Evaluator, fn *function, list []HostArg, args *arguments) value {
	l.noteReads(in, fn)
	result, failed := in.Call(fn.host, list, l.spanOf(args.node))
	if failed != nil {
		return l.fail(failed)
	}
	v, ok := l.globals.scopeValue(result)
	if !ok {
		return l.fail(diag.New("constexpr-result", l.spanOf(args.node), fn.name, result).
			Because(fn.span, "defined-here", fn.name))
	}
	return v
}

// noteReads notes the names around a function that its body reads: the result depends on them.
func (l *lowerer) noteReads(in Scope, fn *function) {
	local := assignedNames(fn.body)
	for _, p := range fn.params.List {
		local = append(local, p.Name)
	}
	for _, s := range fn.body {
		syntax.Walk(s, func(n syntax.Node) bool {
			if name, ok := n.(*syntax.Name); ok && !slices.Contains(local, name.ID) {
				if o, ok := in.Lookup(name.ID); ok {
					l.result.Reads = append(l.result.Reads, Read{in, name.ID, o.Value})
				}
			}
			return true
		})
	}
}

// returnedValue is what a @triton.jit function gives its caller: before 3.7, numbers became tensors on the way. Those
// of branches that are merged are tensors already.
func (l *lowerer) returnedValue(v value, at syntax.Expr) value {
	if l.has(triton.ConstexprReturns) {
		return v
	}
	switch v := v.(type) {
	case constant:
		if _, r := numberOf(v); r == nil {
			return l.toTensor(v, at)
		}
	case tuple:
		return mapParts(v, func(e value) value { return l.returnedValue(e, at) })
	}
	return v
}

// checkRecursion reports a function that is being called already with such arguments, with the cycle, or a call too
// deep. As in Triton, a function may call itself with other constexprs, which are to end it.
func (l *lowerer) checkRecursion(callee *frame, args *arguments) *diag.Diagnostic {
	fn := callee.fn
	// The same def in another module, or another def of the same name, is no recursion.
	for f := l.frame; f != nil; f = f.parent {
		if f.fn.span == fn.span && f.fn.module == fn.module && f.fn.name == fn.name &&
			slices.EqualFunc(f.args, callee.args, sameToCompile) {
			return diag.New("recursion", l.spanOf(args.node), fn.name, callCycle(l.frame, f, fn.name)).
				Because(fn.span, "defined-here", fn.name)
		}
	}
	if l.frame.depth >= maxDepth {
		return diag.New("call-too-deep", l.spanOf(args.node), maxDepth)
	}
	return nil
}

// sameToCompile reports whether a function is compiled alike for two arguments: of tensors the types count, of all
// else the value.
func sameToCompile(a, b value) bool {
	switch a := a.(type) {
	case tensor:
		b, ok := b.(tensor)
		return ok && a.v.Type.Equal(b.v.Type)
	case composite:
		return equalParts(a, b, sameToCompile)
	}
	return same(a, b)
}

// callCycle writes the calls that lead from frame first back to the function name: a → b → a.
func callCycle(last, first *frame, name string) string {
	text := name
	for f := last; f != first; f = f.parent {
		text = f.fn.name + " → " + text
	}
	return name + " → " + text
}

// lowerBody lowers a function's body in the current frame and gives what it returns.
func (l *lowerer) lowerBody(fn *function) value {
	if fn.result != nil {
		return l.lowerExpr(fn.result)
	}
	// Whoever comes to the end has returned nothing: beside a return of a value that is undefined, else None.
	reachesEnd := false
	l.lowerStmts(fn.body, func() {
		reachesEnd = true
		l.frame.setExitFlag(exitReturn, fn.span)
	})
	b, ok := l.frame.vars.get(returnedName)
	if _, no := b.val.(unbound); !ok || no {
		return pyNone
	}
	if reachesEnd && !isNone(b.val) && !isPoison(b.val) && !fn.module.prelude {
		l.diags.AddNew(asHint(diag.New("return-missing", l.userSpan(b.span), fn.name)))
	}
	return b.val
}

// signature is a row's parameters with the values of their defaults.
type signature struct {
	params   *syntax.Params
	defaults []value
}

var signatures sync.Map // of the parameters as text → *signature

// signatureOf parses a row's parameters in a version of Triton, once for the whole process. A builtin that has a
// parameter in other versions alone finds it not given.
func signatureOf(row *tl.Row, v triton.Version) *signature {
	params := row.ParamsIn(v)
	if s, ok := signatures.Load(params); ok {
		return s.(*signature)
	}
	m, _ := syntax.Parse(source.NewFile("signature", "def f("+params+"): pass\n"))
	s := &signature{params: m.Body[0].(*syntax.FunctionDef).Params}
	for _, p := range s.params.List {
		s.defaults = append(s.defaults, defaultValue(p.Default))
	}
	signatures.Store(params, s)
	return s
}

// defaultValue is the value of a default as the tl table writes them.
func defaultValue(e syntax.Expr) value {
	switch e := e.(type) {
	case *syntax.Constant:
		return (&lowerer{}).lowerConstant(e)
	case *syntax.Tuple:
		return tuple{}
	case *syntax.Name:
		t, _ := dtypeNamed(e.ID)
		return dtype{t}
	case *syntax.Attribute:
		return namespace{"PropagateNan." + e.Attr}
	}
	return pyNone
}

// tritonBuiltins are the Python builtins that Triton's compiler knows.
var tritonBuiltins = map[string]bool{"len": true, "list": true, "range": true, "float": true, "int": true,
	"isinstance": true, "getattr": true, "hasattr": true, "print": true, "min": true, "max": true}

// callBuiltin calls a row of the tl table.
func (l *lowerer) callBuiltin(f builtin, args *arguments) value {
	// The receiver is the first argument: x.sum(0) is tl.sum(x, 0).
	if f.self != nil {
		args.prepend(f.self)
	}
	args.binder = l.rowBinder(f.row)
	if !l.checkVersion(f.row, args) {
		return poison{}
	}
	switch {
	case f.row.Path() == "tl.aggregate_replace": // its keywords are the program's own names
		return l.replaceFields(args)
	case f.row.Where == tl.Inductor:
		return l.inlineLibrary(&l.globals.inductor, inductorModule, f.row.Name, args)
	case f.row.Bind == tl.PreludeFn && f.row.Where != tl.Libdevice:
		return l.inlinePrelude(f.row, args)
	}
	s := signatureOf(f.row, l.opts.Triton)
	params := s.params
	// Methods of tensors and dtypes alone have no parameter for it in their row.
	if f.self != nil && f.row.Where != tl.Language {
		params = &syntax.Params{List: append([]syntax.Param{{Name: "self", Kind: syntax.Positional}}, params.List...)}
	}
	bound, ok := l.bindArguments(params, args)
	if !ok {
		return poison{}
	}
	c := &call{lowerer: l, row: f.row, node: args.node, params: params, bound: bound, given: make([]bool, len(bound))}
	shift := len(params.List) - len(s.params.List)
	for i := range bound {
		c.given[i] = bound[i].val != nil
		if !c.given[i] {
			c.bound[i] = argument{s.defaults[i-shift], args.node}
		}
	}
	// Triton's compiler knows a dozen of Python's builtins; the others are newt's.
	if f.row.Where == tl.Builtin && !tritonBuiltins[f.row.Name] && !l.frame.fn.module.prelude {
		l.warnSuperset(diag.New("builtin-unavailable", l.spanOf(args.node), f.row.Name))
	}
	return c.run()
}

// selfExpr is the x of x.method(…).
func selfExpr(node syntax.Expr) syntax.Expr {
	if c, ok := node.(*syntax.Call); ok {
		if a, ok := c.Func.(*syntax.Attribute); ok {
			return a.Value
		}
	}
	return node
}

// inlinePrelude inlines the function of prelude.py that has the row's name.
func (l *lowerer) inlinePrelude(row *tl.Row, args *arguments) value {
	reported := len(l.diags)
	v := l.inlineLibrary(&l.globals.prelude, preludeModule, row.Name, args)
	l.keepFirstError(reported)
	// Numbers that a prelude function gives back become tensors, as they do from Triton's standard library.
	if row.Where == tl.Language && !l.frame.fn.module.prelude {
		v = l.returnedValue(v, args.node)
	}
	return v
}

// keepFirstError drops the errors behind the first one that was reported since: in a function of the prelude, such as
// one that has asserted something of its arguments, they follow from it.
func (l *lowerer) keepFirstError(since int) {
	failed := false
	l.diags = append(l.diags[:since], slices.DeleteFunc(l.diags[since:], func(d *diag.Diagnostic) bool {
		later := failed && d.Severity == diag.Error
		failed = failed || d.Severity == diag.Error
		return later
	})...)
}

// inlineLibrary inlines a function of one of the files that are written in the language itself.
func (l *lowerer) inlineLibrary(own **module, shared func() *module, name string, args *arguments) value {
	if *own == nil {
		*own = library(shared())
	}
	fn := l.globals.lookup(*own, &syntax.Name{ID: name}).(function)
	return l.inlineFunction(&fn, args)
}
