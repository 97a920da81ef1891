package host

import (
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/compiler/syntax"
)

// typeForm is a name of typing, or one with arguments such as Optional[int].
type typeForm struct {
	name   string
	origin Value // what isinstance and calls mean by it; nil for none
	args   []Value
}

// typingLibrary is typing: names for annotations, which mean nothing when a script runs, and the few that do.
func typingLibrary(m *machine) map[string]Value {
	members := functions(typingFunctions())
	for _, name := range strings.Fields(`Any AnyStr Optional Union Literal Final ClassVar Annotated Concatenate
		TypeAlias TypeGuard Self Never NoReturn LiteralString Unpack Required NotRequired Awaitable
		Coroutine AsyncIterator AsyncIterable Pattern Match Text`) {
		members[name] = newForm(m, &typeForm{name: "typing." + name})
	}
	for name, method := range map[string]string{"IO": "", "TextIO": "", "BinaryIO": "", "SupportsInt": "__int__",
		"SupportsFloat": "__float__", "SupportsIndex": "__index__", "SupportsAbs": "__abs__",
		"SupportsRound": "__round__", "SupportsBytes": "__bytes__", "SupportsComplex": "__complex__"} {
		c := nativeClass("typing", name, nil)
		if method != "" {
			c.hook = []string{method}
			c.has = func(v Value) bool { return !typeOf(v).lacks(method) }
		}
		members[name] = newForm(m, &typeForm{name: "typing." + name, origin: c})
	}
	for name, origin := range map[string]string{"List": "list", "Tuple": "tuple", "Dict": "dict", "Set": "set",
		"FrozenSet": "frozenset", "Type": "type"} {
		members[name] = newForm(m, &typeForm{name: "typing." + name, origin: builtins[origin]})
	}
	abstract := m.modules.mustModule("collections.abc").(*Library)
	for _, row := range abstractClasses {
		name := row.name
		if name == "Set" { // typing's Set is the builtin class
			name = "AbstractSet"
		}
		members[name] = newForm(m, &typeForm{name: "typing." + name, origin: abstract.members[row.name]})
	}
	for _, name := range []string{"DefaultDict", "OrderedDict", "Counter", "Deque", "ChainMap"} {
		members[name] = newForm(m, &typeForm{name: "typing." + name})
	}
	for _, name := range []string{"Generic", "Protocol"} {
		members[name] = nativeClass("typing", name, map[string]method{
			"@classmethod __class_getitem__(cls, params, /)": firstArgument,
		})
	}
	members["Protocol"].(*Class).derive = refuseChecks
	members["_GenericAlias"] = formClass
	tuple := namedTupleBase("typing", "NamedTuple")
	tuple.derive = makeNamedTuple
	members["NamedTuple"] = tuple
	dict := nativeClass("typing", "TypedDict", map[string]method{
		"@classmethod __init_subclass__(cls, *, total=True)": func(*machine, arguments) Value { return none },
	})
	dict.derive = func(m *machine, c *Class) {
		c.make, c.has = dictOf, is[*Dict]
	}
	members["TypedDict"] = dict
	members["TYPE_CHECKING"] = python.Bool(false)
	return members
}

func newForm(m *machine, f *typeForm) *Instance { return m.newNative(formClass, f) }

// formClass is the class of typing's names. It holds nothing of a session.
var formClass *Class

func init() {
	formClass = nativeClass("typing", "_GenericAlias", map[string]method{
		"__repr__": func(m *machine, a arguments) Value { return python.Str(native[*typeForm](a).text(m)) },
		"__getitem__": func(m *machine, a arguments) Value {
			return subscriptedForm(m, native[*typeForm](a), a.at(1, none))
		},
		"__or__":  func(m *machine, a arguments) Value { return unionOf(m, a.positional[0], a.at(1, none)) },
		"__ror__": func(m *machine, a arguments) Value { return unionOf(m, a.at(1, none), a.positional[0]) },
		"__eq__": func(m *machine, a arguments) Value {
			o, ok := a.at(1, none).(*Instance)
			if !ok || o.class != formClass {
				return python.Bool(false)
			}
			return python.Bool(native[*typeForm](a).text(m) == o.native.(*typeForm).text(m))
		},
		"@property __args__(self)": func(m *machine, a arguments) Value {
			return Tuple(native[*typeForm](a).args)
		},
		"@property __origin__(self)": func(m *machine, a arguments) Value {
			return given(native[*typeForm](a).origin, none)
		},
		"__call__": func(m *machine, a arguments) Value {
			f := native[*typeForm](a)
			if f.origin == nil {
				raise("TypeError", "Cannot instantiate %s", f.text(m))
			}
			return m.callValue(f.origin, a.tail())
		},
	})
}

func subscriptedForm(m *machine, f *typeForm, index Value) Value {
	args, ok := index.(Tuple)
	if !ok {
		args = Tuple{index}
	}
	m.budget.chargeItems(len(args))
	return newForm(m, &typeForm{f.name, f.origin, args})
}

// unionOf is a | b of types.
func unionOf(m *machine, a, b Value) Value {
	var args []Value
	for _, v := range []Value{a, b} {
		if o, ok := v.(*Instance); ok && o.class == formClass && o.native.(*typeForm).name == "" {
			args = append(args, o.native.(*typeForm).args...)
			continue
		}
		args = append(args, v)
	}
	return newForm(m, &typeForm{args: args})
}

// unionArgs are the types of a union, as isinstance takes them.
func unionArgs(v Value) (Tuple, bool) {
	o, ok := v.(*Instance)
	if !ok || o.class != formClass {
		return nil, false
	}
	f := o.native.(*typeForm)
	var out Tuple
	for _, x := range f.args {
		if x == none {
			x = typeOf(none)
		}
		out = append(out, x)
	}
	if f.name == "typing.Optional" {
		out = append(out, typeOf(none))
	}
	return out, f.name == "" || f.name == "typing.Union" || f.name == "typing.Optional"
}

// originOf is the class that a name of typing means in isinstance; nil where it means none.
func originOf(v Value) *Class {
	o, ok := v.(*Instance)
	if !ok || o.class != formClass {
		return nil
	}
	f := o.native.(*typeForm)
	c, ok := f.origin.(*Class)
	switch {
	case ok && len(f.args) > 0:
		raise("TypeError", "Subscripted generics cannot be used with class and instance checks")
	case !ok:
		raise("TypeError", "%s cannot be used with isinstance()", f.name)
	}
	return c
}

// isTypeLike reports whether "|" makes a union of it.
func isTypeLike(v Value) bool {
	o, ok := v.(*Instance)
	return is[*Class](v) || ok && o.class == formClass || is[*annotator](v)
}

func (f *typeForm) text(m *machine) string {
	if len(f.args) == 0 {
		return f.name
	}
	parts := make([]string, len(f.args))
	for i, v := range f.args {
		parts[i] = typeText(m, v, f.name == "typing.Literal")
	}
	if f.name == "" {
		return strings.Join(parts, " | ")
	}
	return f.name + "[" + strings.Join(parts, ", ") + "]"
}

// typeText is how typing shows an argument: classes by their names.
func typeText(m *machine, v Value, literal bool) string {
	switch x := v.(type) {
	case *Class:
		if literal {
			break
		}
		if text := strings.TrimSuffix(strings.TrimPrefix(m.reprOf(x), "<class '"), "'>"); text != "NoneType" {
			return text
		}
		return "None"
	case Ellipsis:
		return "..."
	case *List:
		parts := make([]string, len(x.Items))
		for i, y := range x.Items {
			parts[i] = typeText(m, y, literal)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	return m.reprOf(v)
}

// typeVariable is TypeVar("T") and its like, which print as ~T.
func typeVariable(m *machine, a arguments) Value {
	return newForm(m, &typeForm{name: "~" + m.strOf(a.positional[0])})
}

func typingFunctions() map[string]method {
	return map[string]method{
		// bound=, covariant= and default= mean nothing at run time
		"TypeVar(name, *constraints, **options)": typeVariable, "ParamSpec(name, **options)": typeVariable,
		"TypeVarTuple(name, **options)": typeVariable,
		"cast(typ, val)":                func(_ *machine, a arguments) Value { return a.positional[1] },
		"NewType(name, tp)": func(m *machine, a arguments) Value {
			return newBuiltin("", m.strOf(a.positional[0])+"(value, /)", firstArgument)
		},
		"overload(func)": firstArgument, "final(f)": firstArgument, "override(method, /)": firstArgument,
		"no_type_check(arg)": firstArgument, "runtime_checkable(cls)": checkable,
		"dataclass_transform(**options)": func(*machine, arguments) Value {
			return newBuiltin("", "decorator(cls_or_fn)", firstArgument)
		},
		"assert_type(val, typ, /)": firstArgument, "reveal_type(obj, /)": firstArgument,
		"assert_never(arg, /)": func(m *machine, a arguments) Value {
			raise("AssertionError", "Expected code to be unreachable, but got: %s", m.reprOf(a.positional[0]))
			return nil
		},
		"get_type_hints(obj, globalns=None, localns=None, include_extras=False)": func(m *machine, a arguments) Value {
			switch o := a.positional[0].(type) {
			case *Function:
				return functionAnnotations(m, o, o.frame.evalExpr)
			case *Class:
				out := newDict()
				for i := len(o.mro()) - 1; i >= 0; i-- {
					annotationsOf(o.mro()[i]).each(out.set)
				}
				return out
			}
			return newDict()
		},
		"get_origin(tp)": func(m *machine, a arguments) Value {
			if o, ok := a.positional[0].(*Instance); ok && o.class == formClass {
				f := o.native.(*typeForm)
				switch {
				case f.origin != nil:
					return f.origin
				case f.name == "typing.Optional" || f.name == "":
					return newForm(m, &typeForm{name: "typing.Union"})
				case len(f.args) > 0:
					return newForm(m, &typeForm{name: f.name})
				}
			}
			return none
		},
		"get_args(tp)": func(m *machine, a arguments) Value {
			o, ok := a.positional[0].(*Instance)
			if !ok || o.class != formClass {
				return Tuple{}
			}
			f := o.native.(*typeForm)
			if f.name == "typing.Optional" {
				return append(Tuple(f.args), typeOf(none))
			}
			return append(Tuple{}, f.args...)
		},
	}
}

// isProtocol reports whether a class is one itself, as those that derive from typing.Protocol in so many words are.
func isProtocol(c *Class) bool {
	return slices.ContainsFunc(c.bases, func(b *Class) bool {
		return b.Name == "Protocol" && b.derive != nil && b.bases == nil
	})
}

// refuseChecks has isinstance refuse a protocol, until runtime_checkable allows it.
func refuseChecks(_ *machine, c *Class) {
	if isProtocol(c) {
		c.has = func(Value) bool {
			raise("TypeError", "Instance and class checks can only be used with @runtime_checkable protocols")
			return false
		}
	}
}

// checkable is runtime_checkable: an object is of a protocol if it has what that names.
func checkable(m *machine, a arguments) Value {
	c, ok := a.positional[0].(*Class)
	if !ok || !isProtocol(c) {
		raise("TypeError", "@runtime_checkable can be only applied to protocol classes, got %s",
			m.reprOf(a.positional[0]))
	}
	var names []string
	for _, d := range c.mro() {
		if isProtocol(d) {
			annotationsOf(d).each(func(name, _ Value) { names = append(names, m.strOf(name)) })
			names = append(names, d.attrs.names()...)
		}
	}
	own := strings.Fields("__module__ __doc__ __qualname__ __annotations__ __init__ __hash__ __slots__")
	names = slices.DeleteFunc(names, func(name string) bool { return slices.Contains(own, name) })
	c.has = func(v Value) bool {
		return !slices.ContainsFunc(names, func(name string) bool {
			_, has := m.attrOr(v, name)
			return !has
		})
	}
	return c
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

// makeNamedTuple makes a class that derives from typing.NamedTuple a class of tuples with names.
func makeNamedTuple(m *machine, c *Class) {
	var fields []string
	var defaults []Value
	annotationsOf(c).each(func(k, _ Value) {
		name := m.strOf(k)
		if v := c.member(name); v != nil {
			defaults = append(defaults, v)
			c.drop(name)
		} else if len(defaults) > 0 {
			raise("TypeError", "Non-default namedtuple field %s cannot follow default field%s", name,
				plural(len(defaults)))
		}
		fields = append(fields, name)
	})
	made := namedTupleClass("__main__", c.Name, fields, defaults)
	for _, name := range []string{"_fields", "_field_defaults", "__match_args__", "_make", "_asdict", "_replace"} {
		c.define(name, made.member(name))
	}
	layout := made.make
	c.make = func(m *machine, a arguments) Value { return newNamedTuple(c, layout(m, a).(*Named).Items) }
}
