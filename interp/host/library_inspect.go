package host

import (
	"strings"

	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/compiler/syntax"
)

// paramKinds are inspect's names of the kinds of parameters, with their numbers.
var paramKinds = []struct {
	kind syntax.ParamKind
	name string
}{{syntax.Positional, "POSITIONAL_ONLY"}, {syntax.Plain, "POSITIONAL_OR_KEYWORD"},
	{syntax.VarPositional, "VAR_POSITIONAL"}, {syntax.KeywordOnly, "KEYWORD_ONLY"}, {syntax.VarKeyword, "VAR_KEYWORD"}}

// inspectLibrary is inspect.
func inspectLibrary(m *machine) map[string]Value {
	members := functions(inspectFunctions())
	empty := nativeClass("inspect", "_empty", nil)
	parameter := nativeClass("inspect", "Parameter", map[string]method{
		"__str__": func(m *machine, a arguments) Value {
			return python.Str(parameterText(m, self[*Instance](a), empty))
		},
		"__repr__": func(m *machine, a arguments) Value {
			return python.Str("<Parameter \"" + parameterText(m, self[*Instance](a), empty) + "\">")
		},
	})
	parameter.define("empty", empty)
	kind := nativeClass("inspect", "_ParameterKind", map[string]method{
		"__str__": func(m *machine, a arguments) Value { return self[*Instance](a).own("name") },
		"__repr__": func(m *machine, a arguments) Value {
			o := self[*Instance](a)
			return python.Str("<_ParameterKind." + m.strOf(o.own("name")) + ": " + m.strOf(o.own("value")) + ">")
		},
	}, builtinNamed("int"))
	kinds := map[syntax.ParamKind]Value{}
	for i, row := range paramKinds {
		o := m.newNative(kind, python.NewInt(int64(i)))
		o.keep("name", python.Str(row.name))
		o.keep("value", intValue(i))
		kinds[row.kind] = o
		parameter.define(row.name, o)
	}
	signature := nativeClass("inspect", "Signature", map[string]method{
		"__str__": func(m *machine, a arguments) Value {
			return python.Str(signatureText(m, self[*Instance](a), empty))
		},
		"__repr__": func(m *machine, a arguments) Value {
			return python.Str("<Signature " + signatureText(m, self[*Instance](a), empty) + ">")
		},
		"bind":         func(m *machine, a arguments) Value { return boundArguments(m, a, false) },
		"bind_partial": func(m *machine, a arguments) Value { return boundArguments(m, a, true) },
	})
	signature.define("empty", empty)
	members["Parameter"], members["Signature"], members["_empty"] = parameter, signature, empty
	members["signature"] = &Builtin{"signature", func(m *machine, a arguments) Value {
		v := a.bound("signature", "obj, *, follow_wrapped=, globals=, locals=, eval_str=")
		f, skip := functionOf(m, v[0])
		if f == nil {
			raise("TypeError", "%s is not a callable object", m.reprOf(v[0]))
		}
		notes, d := functionAnnotations(m, f, f.frame.annotation), newDict()
		or := func(v Value) Value {
			if v == nil {
				return empty
			}
			return v
		}
		for i, p := range f.params.List[skip:] {
			o := m.newNative(parameter, nil)
			o.keep("name", python.Str(p.Name))
			o.keep("kind", kinds[p.Kind])
			o.keep("default", or(f.defaults[i+skip]))
			o.keep("annotation", or(notes.at(p.Name)))
			d.put(p.Name, o)
		}
		s := m.newNative(signature, f)
		s.keep("parameters", d)
		s.keep("return_annotation", or(notes.at("return")))
		return s
	}}
	return members
}

// boundArguments is signature.bind(…): what each parameter gets.
func boundArguments(m *machine, a arguments, partial bool) Value {
	o := self[*Instance](a)
	f := native[*Function](a)
	params := o.own("parameters").(*Dict)
	rest, out := a.tail(), newDict()
	names := params.names()
	skip := len(f.params.List) - len(names)
	missing := func(name string) {
		if !partial {
			raise("TypeError", "missing a required argument: '%s'", name)
		}
	}
	for i, name := range names {
		p := f.params.List[i+skip]
		switch p.Kind {
		case syntax.VarPositional:
			if len(rest.positional) > 0 {
				out.put(name, append(Tuple{}, rest.positional...))
				rest.positional = nil
			}
			continue
		case syntax.VarKeyword:
			if len(rest.keywords) > 0 {
				extra := newDict()
				for _, k := range rest.keywords {
					extra.put(k.name, k.value)
				}
				out.put(name, extra)
				rest.keywords = nil
			}
			continue
		case syntax.Positional, syntax.Plain:
			if len(rest.positional) > 0 {
				out.put(name, rest.positional[0])
				rest.positional = rest.positional[1:]
				if _, twice := rest.take(name); twice && p.Kind == syntax.Plain {
					raise("TypeError", "multiple values for argument '%s'", name)
				}
				continue
			}
		}
		if v, ok := rest.take(name); ok {
			out.put(name, v)
		} else if f.defaults[i+skip] == nil {
			missing(name)
		}
	}
	switch {
	case len(rest.positional) > 0:
		raise("TypeError", "too many positional arguments")
	case len(rest.keywords) > 0:
		raise("TypeError", "got an unexpected keyword argument '%s'", rest.keywords[0].name)
	}
	b := m.newNative(boundArgumentsClass, f)
	b.keep("arguments", out)
	b.keep("signature", o)
	return b
}

// boundArgumentsClass is inspect.BoundArguments.
var boundArgumentsClass = nativeClass("inspect", "BoundArguments", map[string]method{
	"apply_defaults": func(m *machine, a arguments) Value {
		o, f := self[*Instance](a), native[*Function](a)
		given, all := o.own("arguments").(*Dict), newDict()
		names := o.own("signature").(*Instance).own("parameters").(*Dict).names()
		skip := len(f.params.List) - len(names)
		for i, name := range names {
			switch v, ok := given.named(name); {
			case ok:
				all.put(name, v)
			case f.params.List[i+skip].Kind == syntax.VarPositional:
				all.put(name, Tuple{})
			case f.params.List[i+skip].Kind == syntax.VarKeyword:
				all.put(name, newDict())
			case f.defaults[i+skip] != nil:
				all.put(name, f.defaults[i+skip])
			}
		}
		o.keep("arguments", all)
		return none
	},
	"__repr__": func(m *machine, a arguments) Value {
		var parts []string
		self[*Instance](a).own("arguments").(*Dict).each(func(k, v Value) {
			parts = append(parts, m.strOf(k)+"="+m.reprOf(v))
		})
		return python.Str("<BoundArguments (" + strings.Join(parts, ", ") + ")>")
	},
})

func init() {
	list := func(keywords bool) *property {
		return getter(func(m *machine, a arguments) Value {
			o, f := self[*Instance](a), native[*Function](a)
			args, named := Tuple{}, newDict()
			for _, p := range f.params.List {
				v, ok := o.own("arguments").(*Dict).named(p.Name)
				switch {
				case !ok:
				case p.Kind == syntax.VarPositional:
					args = append(args, v.(Tuple)...)
				case p.Kind == syntax.VarKeyword:
					v.(*Dict).each(named.set)
				case p.Kind == syntax.KeywordOnly:
					named.put(p.Name, v)
				default:
					args = append(args, v)
				}
			}
			if keywords {
				return named
			}
			return args
		}).(*property)
	}
	boundArgumentsClass.define("args", list(false))
	boundArgumentsClass.define("kwargs", list(true))
}

// functionOf is the function behind a callable, and how many of its first parameters are filled.
func functionOf(m *machine, v Value) (*Function, int) {
	switch f := v.(type) {
	case *Function:
		return f, 0
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

// annotationWords is inspect.formatannotation.
func annotationWords(m *machine, v Value) string {
	switch x := v.(type) {
	case *Class:
		return strings.TrimPrefix(strings.TrimSuffix(strings.TrimPrefix(m.reprOf(x), "<class '"), "'>"), "__main__.")
	case Annotation:
		return "jaxtyping." + m.reprOf(x)
	}
	return m.reprOf(v)
}

func parameterText(m *machine, o *Instance, empty Value) string {
	text := map[int64]string{2: "*", 4: "**"}[asIndex(o.own("kind"))] + m.strOf(o.own("name"))
	note, standard := o.own("annotation"), o.own("default")
	if note != empty {
		text += ": " + annotationWords(m, note)
	}
	switch {
	case standard == empty:
		return text
	case note != empty:
		return text + " = " + m.reprOf(standard)
	}
	return text + "=" + m.reprOf(standard)
}

func signatureText(m *machine, o *Instance, empty Value) string {
	var parts []string
	star, positional := false, false
	o.own("parameters").(*Dict).each(func(_, v Value) {
		p := v.(*Instance)
		kind := asIndex(p.own("kind"))
		if positional && kind != 0 {
			parts, positional = append(parts, "/"), false
		}
		positional = kind == 0
		if kind == 3 && !star {
			parts = append(parts, "*")
		}
		star = star || kind == 2 || kind == 3
		parts = append(parts, parameterText(m, p, empty))
	})
	if positional {
		parts = append(parts, "/")
	}
	text := "(" + strings.Join(parts, ", ") + ")"
	if result := o.own("return_annotation"); result != empty {
		text += " -> " + annotationWords(m, result)
	}
	return text
}

func isKind(name string, test func(v Value) bool) method {
	return func(_ *machine, a arguments) Value { return python.Bool(test(a.bound(name, "object")[0])) }
}

func inspectFunctions() map[string]method {
	return map[string]method{
		"isfunction": isKind("isfunction", is[*Function]), "isclass": isKind("isclass", is[*Class]),
		"ismethod": isKind("ismethod", is[*Method]), "isbuiltin": isKind("isbuiltin", is[*Builtin]),
		"ismodule": isKind("ismodule", func(v Value) bool { return is[*Library](v) || is[*namespace](v) }),
		"isgeneratorfunction": isKind("isgeneratorfunction", func(v Value) bool {
			f, ok := v.(*Function)
			return ok && f.yields
		}),
		"isgenerator": isKind("isgenerator", func(v Value) bool { return v.Type() == "generator" }),
		"getdoc":      func(m *machine, a arguments) Value { return m.attrOf(a.bound("getdoc", "object")[0], "__doc__") },
		"getsource": func(m *machine, a arguments) Value {
			v := a.bound("getsource", "object")[0]
			f, _ := functionOf(m, v)
			if k, ok := v.(launchable); ok {
				return python.Str(m.sources.File(k.inner().Def.Span()).Slice(k.inner().Def.Span()) + "\n")
			}
			if f == nil || f.def == nil {
				raise("OSError", "could not get source code")
			}
			span := f.def.Span()
			return python.Str(m.sources.File(span).Slice(span) + "\n")
		},
		"currentframe": func(m *machine, _ arguments) Value { return frameObject(m) },
		"getfile":      func(m *machine, a arguments) Value { return fileOf(m, a.bound("getfile", "object")[0]) },
		"stack":        func(*machine, arguments) Value { lack("NotImplementedError", "inspect.stack", nil); return nil },
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
	if k, ok := v.(launchable); ok {
		return python.Str(m.sources.File(k.inner().Def.Span()).Name)
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
