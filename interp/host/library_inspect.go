package host

import (
	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/compiler/syntax"
)

// paramKinds are the numbers of inspect's kinds of parameters.
var paramKinds = map[syntax.ParamKind]int{syntax.Positional: 0, syntax.Plain: 1, syntax.VarPositional: 2,
	syntax.KeywordOnly: 3, syntax.VarKeyword: 4}

// parametersOf lists the parameters of a callable as tuples of name, kind, default and annotation, and gives what it is
// annotated to return. Empty stands for what there is not.
func parametersOf(m *machine, a arguments) Value {
	f, skip := functionOf(m, a.positional[0])
	params, notes := parameters{}, newDict()
	if b, bound := builtinOf(a.positional[0]); b != nil && b.params != nil {
		params, skip = b.params(), bound
	} else if f != nil {
		params, notes = f.parameters(), functionAnnotations(m, f, f.frame.annotation)
	} else {
		raise("TypeError", "%s is not a callable object", m.reprOf(a.positional[0]))
	}
	or := func(x Value) Value {
		if x == nil {
			return a.positional[1]
		}
		return x
	}
	list := &List{}
	for i, p := range params.list[skip:] {
		list.Items = append(list.Items, Tuple{python.Str(p.Name), intValue(paramKinds[p.Kind]),
			or(params.defaults[i+skip]), or(notes.at(p.Name))})
	}
	return Tuple{list, or(notes.at("return"))}
}

// builtinOf is the function in Go behind a callable, and how many of its first parameters are filled.
func builtinOf(v Value) (*Builtin, int) {
	if m, ok := v.(*Method); ok {
		b, _ := m.function.(*Builtin)
		return b, 1
	}
	b, _ := v.(*Builtin)
	return b, 0
}

// functionOf is the function behind a callable, and how many of its first parameters are filled.
func functionOf(m *machine, v Value) (*Function, int) {
	switch f := v.(type) {
	case *Function:
		return f, 0
	case *Kernel:
		return f.plain, 0
	case *Method:
		inner, skip := functionOf(m, f.function)
		return inner, skip + 1
	case *Class:
		if init, ok := f.find("__init__"); ok {
			inner, _ := functionOf(m, init)
			return inner, 1
		}
	case *Instance:
		if w := f.own("__wrapped__"); w != nil {
			return functionOf(m, w)
		}
		if call, ok := f.class.find("__call__"); ok {
			inner, _ := functionOf(m, call)
			return inner, 1
		}
	}
	return nil, 0
}

func isKind(test func(v Value) bool) method {
	return func(_ *machine, a arguments) Value { return python.Bool(test(a.positional[0])) }
}

// inspectFunctions are those that prelude/inspect.py stands on.
func inspectFunctions() map[string]method {
	return map[string]method{
		"_parameters(obj, empty)": parametersOf,
		"isfunction(object)":      isKind(is[*Function]), "isclass(object)": isKind(is[*Class]),
		"ismethod(object)": isKind(is[*Method]), "isbuiltin(object)": isKind(is[*Builtin]),
		"ismodule(object)": isKind(func(v Value) bool { return is[*Library](v) || is[*namespace](v) }),
		"isgeneratorfunction(object)": isKind(func(v Value) bool {
			f, ok := v.(*Function)
			return ok && f.yields
		}),
		"isgenerator(object)": isKind(func(v Value) bool { return v.Type() == "generator" }),
		"getdoc(object)":      func(m *machine, a arguments) Value { return m.attrOf(a.positional[0], "__doc__") },
		"getsource(object)": func(m *machine, a arguments) Value {
			f, _ := functionOf(m, a.positional[0])
			if f == nil || f.def == nil {
				raise("OSError", "could not get source code")
			}
			span := f.def.Span()
			return python.Str(m.sources.File(span).Slice(span) + "\n")
		},
		"currentframe":    func(m *machine, _ arguments) Value { return frameObject(m) },
		"getfile(object)": func(m *machine, a arguments) Value { return fileOf(m, a.positional[0]) },
		"stack": func(*machine, arguments) Value {
			lack("NotImplementedError", "inspect.stack", nil)
			return nil
		},
	}
}

// frameObject is the frame that runs, with what scripts ask of it: where they are.
func frameObject(m *machine) Value {
	file, title := m.frame.unit.file, m.frame.tracebackTitle()
	var code Value = &record{"code", "<code object " + title + ">",
		map[string]Value{"co_name": python.Str(title), "co_filename": python.Str(file.Name)}}
	if m.frame.call != nil {
		code = m.frame.call.function.code()
	}
	return &record{"frame", "<frame object of " + title + ">",
		map[string]Value{"f_code": code, "f_lineno": intValue(file.Position(m.at.Start).Line)}}
}

// fileOf is inspect.getfile: the name of the file in which an object is defined, as the script or its import gave it.
func fileOf(m *machine, v Value) Value {
	if r, ok := v.(*record); ok && r.class == "frame" {
		v = r.attrs["f_code"]
	}
	if r, ok := v.(*record); ok && r.class == "code" {
		return r.attrs["co_filename"]
	}
	if f, _ := functionOf(m, v); f != nil && f.def != nil {
		return f.code().(*record).attrs["co_filename"]
	}
	if space, ok := v.(*namespace); ok && space.vars.at("__file__") != nil {
		return space.vars.at("__file__")
	}
	raise("TypeError", "module, class, method, function, traceback, frame, or code object was expected, got %s",
		v.Type())
	return nil
}

// functionAnnotations are a function's annotations by parameter, and "return".
func functionAnnotations(m *machine, f *Function, value func(syntax.Expr) Value) *Dict {
	out := newDict()
	add := func(name string, e syntax.Expr) {
		if e != nil {
			out.set(python.Str(name), value(e))
		}
	}
	for _, p := range f.params.List {
		add(p.Name, p.Annotation)
	}
	if f.def != nil {
		add("return", f.def.Returns)
	}
	return out
}
