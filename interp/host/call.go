package host

import (
	"slices"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
)

// arguments are those of one call.
type arguments struct {
	positional []Value
	keywords   []keyword
}

type keyword struct {
	name  string
	value Value
}

// add adds an argument, by position where the name is empty.
func (a *arguments) add(name string, v Value) {
	if name == "" {
		a.positional = append(a.positional, v)
	} else {
		a.keywords = append(a.keywords, keyword{name, v})
	}
}

// take removes a keyword and gives its value.
func (a *arguments) take(name string) (Value, bool) {
	for i, k := range a.keywords {
		if k.name == name {
			a.keywords = append(append([]keyword{}, a.keywords[:i]...), a.keywords[i+1:]...)
			return k.value, true
		}
	}
	return nil, false
}

// call compiles a call.
func (c compilation) call(e *syntax.Call) evaluation {
	span := e.Span()
	args := c.arguments(e)
	// super() without arguments means the method that it is written in, which only the frame knows.
	if name, ok := e.Func.(*syntax.Name); ok && name.ID == "super" && len(e.Args) == 0 {
		callee := c.name(name)
		return func(f *frame) Value {
			if f.call != nil {
				return superOf(f.call)
			}
			return f.m.callAt(span, callee(f), args(f))
		}
	}
	callee := c.callee(e.Func)
	if len(e.Keywords) > 0 || slices.ContainsFunc(e.Args, isStarred) {
		return func(f *frame) Value {
			fn, self := callee(f)
			if self != nil {
				fn = &Method{self, fn}
			}
			return f.m.callAt(span, fn, args(f))
		}
	}
	positional := c.exprs(e.Args)
	return func(f *frame) Value {
		m := f.m
		fn, self := callee(f)
		if fn, ok := fn.(*Function); ok && fn.takesPositionally(self, len(positional)) {
			return m.callPositionally(span, fn, self, positional, f)
		}
		if self != nil {
			fn = &Method{self, fn}
		}
		return m.callAt(span, fn, args(f))
	}
}

func isStarred(e syntax.Expr) bool { _, ok := e.(*syntax.Starred); return ok }

// callee compiles what a call calls. Where it is a function that an object's class defines, the object is given beside
// it, nil otherwise.
func (c compilation) callee(e syntax.Expr) func(f *frame) (fn, self Value) {
	a, ok := e.(*syntax.Attribute)
	if !ok {
		callee := c.expr(e)
		return func(f *frame) (Value, Value) { return callee(f), nil }
	}
	object, ref, span := c.expr(a.Value), newReference(a.Attr), a.Span()
	return func(f *frame) (Value, Value) {
		o := object(f)
		f.m.at = span
		if x, ok := o.(*Instance); ok {
			if v, _ := x.class.lookup(ref); is[*Function](v) {
				if _, own := x.attrs.load(ref); !own {
					return v, o
				}
			}
		}
		return f.m.attrOf(o, ref.name), nil
	}
}

// takesPositionally reports whether n arguments by position, and an object before them, can be computed into the places
// of the parameters.
func (fn *Function) takesPositionally(self Value, n int) bool {
	if self != nil {
		n++
	}
	return n <= fn.positional && fn.grad == nil
}

// callPositionally calls a function with arguments that are computed into the places of its parameters.
func (m *machine) callPositionally(span source.Span, fn *Function, self Value, args []evaluation, f *frame) Value {
	x := fn.newFrame()
	bound := 0
	if self != nil {
		x.vars[0], bound = self, 1
	}
	for _, arg := range args {
		x.vars[bound] = arg(f)
		bound++
	}
	m.budget.chargeItems(len(args))
	m.at = span // the arguments have moved it
	m.budget.countStep(span)
	m.budget.enterLevel()
	if bound < fn.positional {
		fn.parameters().fillDefaults(x.vars)
	}
	v := m.run(fn, x)
	m.budget.leaveLevel()
	m.at = span
	return v
}

// arguments compiles the arguments of a call.
func (c compilation) arguments(e *syntax.Call) func(f *frame) arguments {
	positional := c.elements(e.Args)
	if len(e.Keywords) == 0 {
		return func(f *frame) arguments { return arguments{positional: positional(f)} }
	}
	values := make([]evaluation, len(e.Keywords))
	for i, k := range e.Keywords {
		values[i] = c.expr(k.Value)
	}
	return func(f *frame) arguments {
		m, a := f.m, arguments{positional: positional(f), keywords: make([]keyword, 0, len(values))}
		for i, k := range e.Keywords {
			v := values[i](f)
			if k.Name != "" {
				a.keywords = append(a.keywords, keyword{k.Name, v})
				continue
			}
			if !m.eachEntry(v, func(k, v Value) { a.keywords = append(a.keywords, keyword{m.strOf(k), v}) }) {
				raise("TypeError", "argument after ** must be a mapping, not %s", v.Type())
			}
		}
		return a
	}
}

// callAt calls what a call's expression has given.
func (m *machine) callAt(at source.Span, callee Value, a arguments) Value {
	m.at = at // the arguments have moved it
	m.budget.countStep(at)
	v := m.callValue(callee, a)
	m.at = at
	return v
}

// callValue applies any callable value.
func (m *machine) callValue(callee Value, a arguments) Value {
	m.budget.enterLevel()
	v := m.applyCallable(callee, a)
	m.budget.leaveLevel()
	return v
}

func (m *machine) applyCallable(callee Value, a arguments) Value {
	switch c := callee.(type) {
	case *Builtin:
		return c.call(m, a)
	case *Function:
		return m.callFunction(c, a)
	case *Method:
		// A new slice: the caller's arguments may be used again, by a decorator for example.
		a.positional = append([]Value{c.self}, a.positional...)
		return m.callValue(c.function, a)
	case *Class:
		if c.meta != nil {
			// type.__call__ is what constructObject does; only a metaclass of the script can replace it.
			if f, ok := c.meta.findOwn("__call__"); ok {
				return m.callValue(m.bound(f, c, c.meta), a)
			}
		}
		return m.constructObject(c, a)
	case invocable:
		return c.invoke(m, a)
	}
	f := typeOf(callee).slots().call
	if f == nil {
		raise("TypeError", "'%s' object is not callable", callee.Type())
	}
	return f(m, callee, a)
}

func callable(v Value) bool {
	switch v.(type) {
	case *Builtin, *Function, *Method, *Class, invocable:
		return true
	}
	return typeOf(v).slots().call != nil
}

// functionCode is what all functions that one def statement or lambda makes have in common.
type functionCode struct {
	inside compilation         // of the function's scope
	def    *syntax.FunctionDef // nil for a lambda
	node   syntax.Node
	params *syntax.Params // the first variables of the scope, in order
	body   []syntax.Stmt
	result syntax.Expr // a lambda's body
	yields bool
	// positional is how many parameters there are where all take their arguments by position, -1 where some do not.
	positional int
	run        evaluation // the body; nil until the first call
}

func (c compilation) code(node syntax.Node, params *syntax.Params) *functionCode {
	code := &functionCode{inside: c.within(node), node: node, params: params, positional: len(params.List)}
	for _, p := range params.List {
		if p.Kind != syntax.Positional && p.Kind != syntax.Plain {
			code.positional = -1
		}
	}
	return code
}

// function compiles a def statement: the value is the function, decorators applied.
func (c compilation) function(s *syntax.FunctionDef) evaluation {
	code := c.code(s, s.Params)
	code.def, code.body, code.yields = s, s.Body, yields(s.Body...)
	name := c.unit.file.Slice(s.NameSpan) // s.Name may be mangled
	defaults, decorators := c.defaults(s.Params), c.exprs(s.Decorators)
	return func(f *frame) Value {
		m := f.m
		if s.Async {
			halt(diag.New("host-unsupported", s.NameSpan))
		}
		var v Value = &Function{Name: name, qualified: f.qualifiedPrefix() + name, functionCode: code,
			defaults: defaults(f), frame: f}
		// Decorators are applied from the innermost outwards.
		for i := len(decorators) - 1; i >= 0; i-- {
			decorator := decorators[i](f)
			m.at = s.Decorators[i].Span()
			v = m.callWith(decorator, v)
		}
		return v
	}
}

func (c compilation) lambda(e *syntax.Lambda) evaluation {
	code, defaults := c.code(e, e.Params), c.defaults(e.Params)
	code.result, code.yields = e.Body, yields(e.Body)
	return func(f *frame) Value {
		return &Function{Name: "<lambda>", qualified: f.qualifiedPrefix() + "<lambda>", functionCode: code,
			defaults: defaults(f), frame: f}
	}
}

// defaults compiles the values of parameters without an argument: nil where there is none.
func (c compilation) defaults(p *syntax.Params) func(f *frame) []Value {
	values := make([]evaluation, len(p.List))
	for i, param := range p.List {
		if param.Default != nil {
			values[i] = c.expr(param.Default)
		}
	}
	return func(f *frame) []Value {
		out := make([]Value, len(values))
		for i, value := range values {
			if value != nil {
				out[i] = value(f)
			}
		}
		return out
	}
}

// annotations is __annotations__: the values of the annotations of a function's parameters and of its result.
func (fn *Function) annotations() *Dict {
	d := newDict()
	for _, p := range fn.params.List {
		if p.Annotation != nil {
			d.put(p.Name, fn.frame.annotation(p.Annotation))
		}
	}
	if fn.def != nil && fn.def.Returns != nil {
		d.put("return", fn.frame.annotation(fn.def.Returns))
	}
	return d
}

// defaultValues is __defaults__ or __kwdefaults__: None where there are none.
func (fn *Function) defaultValues(keywords bool) Value {
	list, named := Tuple{}, newDict()
	for i, p := range fn.params.List {
		switch {
		case fn.defaults[i] == nil:
		case p.Kind == syntax.KeywordOnly:
			named.put(p.Name, fn.defaults[i])
		default:
			list = append(list, fn.defaults[i])
		}
	}
	switch {
	case keywords && named.live > 0:
		return named
	case !keywords && len(list) > 0:
		return list
	}
	return none
}

// code is __code__, with what scripts ask of it.
func (fn *Function) code() Value {
	var names, starred []string // *args and **kwargs come last
	count := 0
	for _, p := range fn.params.List {
		switch p.Kind {
		case syntax.Positional, syntax.Plain:
			count++
		case syntax.VarPositional, syntax.VarKeyword:
			starred = append(starred, p.Name)
			continue
		}
		names = append(names, p.Name)
	}
	names = append(names, starred...)
	file := fn.frame.unit.file
	return &record{"code", "<code object " + fn.Name + ">", map[string]Value{"co_name": python.Str(fn.Name),
		"co_qualname": python.Str(fn.qualified), "co_varnames": strTuple(names), "co_argcount": intValue(count),
		"co_filename":    python.Str(file.Name),
		"co_firstlineno": intValue(file.Position(fn.node.Span().Start).Line)}}
}

// yields reports whether a function body is a generator's.
func yields[N syntax.Node](body ...N) (found bool) {
	for _, s := range body {
		syntax.Walk(s, func(n syntax.Node) bool {
			switch n.(type) {
			case *syntax.Yield:
				found = true
			case *syntax.FunctionDef, *syntax.Lambda, *syntax.ClassDef:
				return false // a yield in there is theirs
			}
			return true
		})
	}
	return found
}

func (m *machine) callFunction(fn *Function, a arguments) Value {
	if fn.grad != nil {
		before := m.tensors.GradEnabled
		m.tensors.GradEnabled = fn.grad.on
		defer func() { m.tensors.GradEnabled = before }()
	}
	x := fn.newFrame()
	fn.parameters().bind(x.vars, a)
	if len(a.positional) > 0 {
		// super() without arguments takes the first argument, whatever its name is (PEP 3135).
		x.call.self = a.positional[0]
	}
	return m.run(fn, x)
}

// run calls a function whose arguments are in its frame. The body of a generator begins when the first item is asked
// for.
func (m *machine) run(fn *Function, x *functionFrame) Value {
	if fn.positional > 0 {
		x.call.self = x.vars[0]
	}
	if fn.yields {
		return startGenerator(m, fn, x)
	}
	outer := m.enter(&x.activation)
	v := fn.execute(&x.frame)
	m.leave(&x.activation, outer)
	return v
}

// execute runs the body, which the first call compiles.
func (code *functionCode) execute(f *frame) Value {
	switch {
	case code.run != nil:
	case code.result != nil:
		code.run = code.inside.expr(code.result)
	default:
		body := code.inside.block(code.body)
		code.run = func(f *frame) Value {
			if how, v := body(f); how == returns {
				return v
			}
			return none
		}
	}
	return code.run(f)
}

func plural(n int) string {
	if n == 1 {
		return ""
	}
	return "s"
}

func wasWere(n int) string {
	if n == 1 {
		return "was"
	}
	return "were"
}
