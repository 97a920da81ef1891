package host

import (
	"fmt"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/python"
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

func (f *frame) evalCall(e *syntax.Call) Value {
	// super() without arguments means the method that it is written in, which only the frame knows.
	if name, ok := e.Func.(*syntax.Name); ok && name.ID == "super" && len(e.Args) == 0 && f.call != nil {
		return superOf(f.call)
	}
	return f.callAt(e, f.evalExpr(e.Func), f.evalArguments(e))
}

// evalArguments computes the arguments of a call.
func (f *frame) evalArguments(e *syntax.Call) arguments {
	a := arguments{positional: f.evalElements(e.Args)}
	for _, k := range e.Keywords {
		v := f.evalExpr(k.Value)
		if k.Name != "" {
			a.keywords = append(a.keywords, keyword{k.Name, v})
			continue
		}
		if !f.m.eachEntry(v, func(k, v Value) { a.keywords = append(a.keywords, keyword{f.m.strOf(k), v}) }) {
			raise("TypeError", "argument after ** must be a mapping, not %s", v.Type())
		}
	}
	return a
}

// callAt calls what a call's expression has given.
func (f *frame) callAt(e *syntax.Call, callee Value, a arguments) Value {
	m := f.m
	m.at = e.Span() // the arguments have moved it
	m.budget.countStep(m.at)
	v := m.callValue(callee, a)
	m.at = e.Span()
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
				return m.callValue(bindMethod(f, c, c.meta), a)
			}
		}
		return m.constructObject(c, a)
	case *Instance, *Exception, *Named:
		if v, ok := m.callSpecialWith(c, "__call__", a); ok {
			return v
		}
	case refusedMember:
		c.refuse()
	case launchable:
		raise("RuntimeError", "Cannot call @triton.jit'd outside of the scope of a kernel")
	case *gridded:
		return c.kernel.run(m, launchCall{arguments: a, grid: c.grid})
	case *languageName:
		return c.called(m, a)
	case *descriptor:
		return m.callValue(c.function, a)
	case *gradMode:
		if len(a.positional) == 1 && callable(a.positional[0]) {
			return wrapped(c, a.positional[0])
		}
	}
	raise("TypeError", "'%s' object is not callable", callee.Type())
	return nil
}

func callable(v Value) bool {
	switch v := v.(type) {
	case *Builtin, *Function, *Method, *Class, launchable, *gridded, *languageName:
		return true
	case *Instance:
		_, ok := v.class.find("__call__")
		return ok
	}
	return false
}

// makeFunction makes the value of a def statement, decorators applied.
func (f *frame) makeFunction(s *syntax.FunctionDef) Value {
	m := f.m
	name := f.unit.file.Slice(s.NameSpan) // s.Name may be mangled
	fn := &Function{Name: name, qualified: f.qualifiedPrefix() + name, def: s, node: s, params: s.Params, body: s.Body,
		frame: f, yields: yields(s.Body)}
	if s.Async {
		halt(diag.New("host-unsupported", s.NameSpan))
	}
	fn.defaults = f.evalDefaults(s.Params)
	var v Value = fn
	// Decorators are applied from the innermost outwards.
	for i := len(s.Decorators) - 1; i >= 0; i-- {
		decorator := f.evalExpr(s.Decorators[i])
		m.at = s.Decorators[i].Span()
		v = m.callValue(decorator, arguments{positional: []Value{v}})
	}
	return v
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
	var names []string
	count := 0
	for _, p := range fn.params.List {
		names = append(names, p.Name)
		if p.Kind == syntax.Positional || p.Kind == syntax.Plain {
			count++
		}
	}
	file := fn.frame.unit.file
	return &record{"code", "<code object " + fn.Name + ">", map[string]Value{"co_name": python.Str(fn.Name),
		"co_qualname": python.Str(fn.qualified), "co_varnames": strTuple(names), "co_argcount": intValue(count),
		"co_filename":    python.Str(file.Name),
		"co_firstlineno": intValue(file.Position(fn.node.Span().Start).Line)}}
}

func (f *frame) evalDefaults(p *syntax.Params) []Value {
	out := make([]Value, len(p.List))
	for i, param := range p.List {
		if param.Default != nil {
			out[i] = f.evalExpr(param.Default)
		}
	}
	return out
}

func (f *frame) makeLambda(e *syntax.Lambda) Value {
	return &Function{Name: "<lambda>", qualified: f.qualifiedPrefix() + "<lambda>", node: e, params: e.Params,
		defaults: f.evalDefaults(e.Params), result: e.Body, frame: f}
}

// yields reports whether a function body is a generator's.
func yields(body []syntax.Stmt) (found bool) {
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
	c := &call{function: fn}
	inner := newFrame(fn.node, fn.frame, c)
	fn.bindArguments(inner, a)
	loops := len(m.budget.loops)
	if len(a.positional) > 0 {
		// super() without arguments takes the first argument, whatever its name is (PEP 3135).
		c.self = a.positional[0]
	}
	var v Value = none
	// The arguments are bound now, the body begins when the first item is asked for.
	if fn.yields {
		return startGenerator(m, fn, inner)
	}
	m.inFrame(inner, func() {
		if fn.result != nil {
			v = inner.evalExpr(fn.result)
		} else if how, result := inner.execBlock(fn.body); how == returns {
			v = result
		}
	})
	m.budget.loops = m.budget.loops[:loops] // a return has left its loops without leaveLoop
	return v
}

// bindArguments lays the arguments out by the function's parameters.
func (fn *Function) bindArguments(f *frame, a arguments) {
	set := func(p *syntax.Param, v Value) {
		if sym := f.scope.Names[p.Name]; sym != nil {
			f.vars[sym.Index] = v
		}
	}
	filled := make([]bool, len(fn.params.List))
	next := 0
	var rest *syntax.Param
	for i := range fn.params.List {
		p := &fn.params.List[i]
		switch p.Kind {
		case syntax.Positional, syntax.Plain:
			if next < len(a.positional) {
				set(p, a.positional[next])
				filled[i] = true
				next++
			}
		// A copy: *args must not change when the caller's list does.
		case syntax.VarPositional:
			set(p, Tuple(append([]Value{}, a.positional[next:]...)))
			filled[i], next = true, len(a.positional)
		case syntax.VarKeyword:
			rest, filled[i] = p, true
		}
	}
	if next < len(a.positional) {
		raise("TypeError", "%s() takes %s but %d %s given", fn.qualified, fn.takes(), len(a.positional),
			wasWere(len(a.positional)))
	}
	// Keywords come after the positional arguments, so that one that is given twice is noticed.
	bindKeywords(fn, a.keywords, filled, rest, set)
	var missing []string
	for i := range fn.params.List {
		p := &fn.params.List[i]
		switch {
		case filled[i]:
		// Defaults are evaluated once, when the def statement runs, and shared by all calls.
		case fn.defaults[i] != nil:
			set(p, fn.defaults[i])
		case p.Kind == syntax.KeywordOnly:
			raise("TypeError", "%s() missing 1 required keyword-only argument: '%s'", fn.qualified, p.Name)
		default:
			missing = append(missing, "'"+p.Name+"'")
		}
	}
	if len(missing) > 0 {
		raise("TypeError", "%s() missing %d required positional argument%s: %s", fn.qualified, len(missing),
			plural(len(missing)), enumeration(missing))
	}
}

// takes says how many positional arguments a function takes.
func (fn *Function) takes() string {
	least, most := 0, 0
	for i, p := range fn.params.List {
		if p.Kind == syntax.Positional || p.Kind == syntax.Plain {
			most++
			if fn.defaults[i] == nil {
				least++
			}
		}
	}
	if least < most {
		return fmt.Sprintf("from %d to %d positional arguments", least, most)
	}
	return fmt.Sprintf("%d positional argument%s", most, plural(most))
}

func bindKeywords(fn *Function, keywords []keyword, filled []bool, rest *syntax.Param, set func(*syntax.Param, Value)) {
	var extra *Dict
	if rest != nil {
		extra = newDict()
		set(rest, extra)
	}
	for _, k := range keywords {
		i := paramNamed(fn.params.List, k.name)
		// A positional-only name is free for **kwargs (PEP 570).
		takes := i >= 0 && (fn.params.List[i].Kind == syntax.Plain || fn.params.List[i].Kind == syntax.KeywordOnly)
		switch {
		case takes && filled[i]:
			raise("TypeError", "%s() got multiple values for argument '%s'", fn.qualified, k.name)
		case takes:
			set(&fn.params.List[i], k.value)
			filled[i] = true
		case rest != nil:
			extra.set(python.Str(k.name), k.value)
		default:
			raise("TypeError", "%s() got an unexpected keyword argument '%s'", fn.qualified, k.name)
		}
	}
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
