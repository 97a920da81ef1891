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
		"__str__": func(m *machine, a arguments) Value { return python.Str(parameterText(m, self[*Instance](a), empty)) },
		"__repr__": func(m *machine, a arguments) Value {
			return python.Str("<Parameter \"" + parameterText(m, self[*Instance](a), empty) + "\">")
		},
	})
	parameter.define("empty", empty)
	kinds := map[syntax.ParamKind]Value{}
	for i, row := range paramKinds {
		kinds[row.kind] = intValue(i)
		parameter.define(row.name, intValue(i))
	}
	signature := nativeClass("inspect", "Signature", map[string]method{
		"__str__": func(m *machine, a arguments) Value { return python.Str(signatureText(m, self[*Instance](a), empty)) },
		"__repr__": func(m *machine, a arguments) Value {
			return python.Str("<Signature " + signatureText(m, self[*Instance](a), empty) + ">")
		},
	})
	signature.define("empty", empty)
	members["Parameter"], members["Signature"], members["_empty"] = parameter, signature, empty
	members["signature"] = &Builtin{"signature", func(m *machine, a arguments) Value {
		v := a.bound("signature", "obj, *, follow_wrapped=, globals=, locals=, eval_str=")
		f, skip := functionOf(m, v[0])
		if f == nil {
			raise("TypeError", "%s is not a callable object", m.reprOf(v[0]))
		}
		notes, d := m.functionAnnotations(f), newDict()
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
		s := m.newNative(signature, nil)
		s.keep("parameters", d)
		s.keep("return_annotation", or(notes.at("return")))
		return s
	}}
	return members
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
		"stack": func(*machine, arguments) Value { lack("NotImplementedError", "inspect.stack", nil); return nil },
	}
}
