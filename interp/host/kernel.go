package host

import (
	"cmp"
	"strings"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/lower"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/compiler/resolve"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/compiler/tl"
)

// Kernel is a function under triton.jit. It is a value like any other: two definitions of one name
// are two Kernels.
type Kernel struct {
	Name     string
	Def      *syntax.FunctionDef
	Function *lower.Function // what the compiler takes
	plain    *Function       // what the decorator was given
	file     *source.File
	defaults []Value // by parameter, nil if there is none
	general  []bool  // by parameter: in do_not_specialize
	// interpreted is whether TRITON_INTERPRET was set when the kernel was made.
	interpreted bool
	attrs       *Dict   // what the program has set on it, nil for nothing
	hooks       []Value // called with the arguments of each launch before it
}

// jitFunctionClass and interpretedFunctionClass are the classes of what triton.jit gives without and with
// TRITON_INTERPRET=1, for isinstance.
var (
	jitFunctionClass         = kernelClass("JITFunction")
	interpretedFunctionClass = kernelClass("InterpretedFunction")
)

func kernelClass(name string) *Class {
	return &Class{Name: name, shared: true, has: func(v Value) bool {
		k, ok := v.(*Kernel)
		return ok && k.Type() == name
	}}
}

// Type is the name of Triton's class.
func (k *Kernel) Type() string {
	if k.interpreted {
		return "InterpretedFunction"
	}
	return "JITFunction"
}

func (k *Kernel) repr() string { return "JITFunction(__main__:" + k.plain.qualified + ")" }

// jitSignature is that of triton.jit. All options but do_not_specialize concern how Triton compiles, caches and
// reports, and change nothing here.
const jitSignature = "jit(fn=None, *, version=None, repr=None, launch_metadata=None, do_not_specialize=None, " +
	"do_not_specialize_on_alignment=None, debug=None, noinline=None)"

// jit is triton.jit, with a function or with options alone.
func jit(m *machine, a arguments) Value {
	general := a.positional[4]
	if a.positional[0] != none {
		return m.makeKernel(a.positional[0], general)
	}
	return newBuiltin("", "decorator(fn)", func(m *machine, a arguments) Value {
		return m.makeKernel(a.positional[0], general)
	})
}

// makeKernel makes a kernel of a function, whose parameters in a list, by name or position, are not specialized.
func (m *machine) makeKernel(v, general Value) Value {
	if k, ok := v.(*Kernel); ok { // jit of a kernel is the kernel
		return k
	}
	fn, ok := v.(*Function)
	if !ok || fn.def == nil {
		lack("TypeError", "triton.jit of a "+v.Type(), nil)
	}
	k := &Kernel{Name: fn.Name, Def: fn.def, plain: fn, file: fn.frame.unit.file, defaults: fn.defaults,
		general:     make([]bool, len(fn.params.List)),
		interpreted: m.knobValue("runtime", "interpret", "TRITON_INTERPRET")}
	k.Function = &lower.Function{File: fn.frame.unit.file, Def: fn.def, Scope: scope{m, fn.frame}, JIT: true,
		Names: fn.frame.unit.said}
	for _, p := range m.itemsOf(given(general, Tuple{})) {
		i := paramNamed(fn.params.List, m.strOf(p))
		if n, isInt := python.AsInt(p); isInt {
			at, _ := n.Int64()
			i = int(at)
		}
		if i >= 0 && i < len(k.general) {
			k.general[i] = true
		}
	}
	return k
}

// attr is an attribute of the kernel, as Triton's JITFunction has it.
func (k *Kernel) attr(m *machine, name string) (Value, bool) {
	if v, ok := k.common(m, name); ok {
		return v, true
	}
	switch name {
	case "fn":
		return k.plain, true
	case "add_pre_run_hook":
		return newBuiltin("", "add_pre_run_hook(hook)", func(_ *machine, a arguments) Value {
			k.hooks = append(k.hooks, a.positional[0])
			return none
		}), !k.interpreted
	case "__dict__":
		k.attrs = cmp.Or(k.attrs, newDict())
		return k.attrs, true
	}
	if k.attrs == nil {
		return nil, false
	}
	return k.attrs.named(name)
}

// setAttr sets an attribute of the program's own, such as the marks of pytest; those of Triton's stay as they are.
func (k *Kernel) setAttr(m *machine, name string, v Value) bool {
	if _, own := k.common(m, name); own || name == "fn" {
		return false
	}
	k.attrs = cmp.Or(k.attrs, newDict())
	k.attrs.put(name, v)
	return true
}

// common is an attribute that no script sets.
func (k *Kernel) common(m *machine, name string) (Value, bool) {
	switch name {
	case "__name__":
		return python.Str(k.Name), true
	case "__qualname__":
		return python.Str(k.plain.qualified), true
	case "__module__":
		return python.Str("__main__"), true
	case "__doc__":
		if k.Def.Doc == "" {
			return none, true
		}
		return python.Str(k.Def.Doc), true
	case "src", "raw_src":
		return python.Str(k.text()), true
	case "arg_names":
		names := &List{}
		for _, p := range k.Def.Params.List {
			names.Items = append(names.Items, python.Str(p.Name))
		}
		return names, true
	case "params":
		return k.params(m), true
	case "constexprs":
		list := &List{}
		for i, p := range k.Def.Params.List {
			if lower.IsConstexpr(p.Annotation) {
				list.Items = append(list.Items, intValue(i))
			}
		}
		return list, true
	}
	return nil, false
}

// text is the kernel's source from its def on, without the indentation that it has in the file.
func (k *Kernel) text() string {
	start := k.file.Position(k.Def.NameSpan.Start)
	first := k.file.LineSpan(start.Line)
	body := k.Def.Body[len(k.Def.Body)-1].Span()
	text := k.file.Slice(source.Span{Start: first.Start, End: body.End})
	indent := text[:len(text)-len(strings.TrimLeft(text, " \t"))]
	return strings.ReplaceAll(strings.TrimPrefix(text, indent), "\n"+indent, "\n") + "\n"
}

var kernelParamClass = nativeClass("triton.runtime.jit", "KernelParam", nil)

// params describe the kernel's parameters, as Triton's KernelParam does.
func (k *Kernel) params(m *machine) Value {
	list := &List{}
	for i, p := range k.Def.Params.List {
		annotation, otherwise := "", k.defaults[i]
		if p.Annotation != nil {
			annotation = k.file.Slice(p.Annotation.Span())
		}
		if otherwise == nil {
			otherwise = none
		}
		o := m.newNative(kernelParamClass, nil)
		for _, row := range []keyword{{"name", python.Str(p.Name)}, {"num", intValue(i)},
			{"annotation", python.Str(annotation)}, {"is_constexpr", python.Bool(lower.IsConstexpr(p.Annotation))},
			{"default", otherwise}, {"has_default", python.Bool(k.defaults[i] != nil)},
			{"do_not_specialize", python.Bool(k.general[i])}} {
			o.keep(row.name, row.value)
		}
		list.Items = append(list.Items, o)
	}
	return list
}

// scope gives the compiler the values of the names around a function of the program.
type scope struct {
	m *machine
	f *frame // where the function was defined
}

// Lookup implements lower.Scope.
func (s scope) Lookup(name string) (lower.Outer, bool) {
	for at := s.f; at != nil; at = at.parent {
		sym := at.scope.Names[name]
		if sym == nil || at.names != nil { // functions do not see the names of their class
			continue
		}
		if v := at.vars[sym.Index]; v != nil {
			return s.m.outerValue(v, sym), true
		}
	}
	v, ok := s.f.unit.global(name)
	if !ok || v == builtins[name] {
		return lower.Outer{}, false
	}
	return s.m.outerValue(v, s.f.unit.space.declared[name]), true
}

// Evaluate implements lower.Evaluator.
func (s scope) Evaluate(e syntax.Expr) (value any, ok bool) {
	raised := s.m.exceptionOf(func() {
		s.m.inFrame(s.f, func() { value = s.m.compilerValue(s.f.evalExpr(e)) })
	})
	return value, raised == nil
}

// Call implements lower.Evaluator.
func (s scope) Call(f *lower.Function, args []lower.HostArg, at source.Span) (value any, failed *diag.Diagnostic) {
	m, a, place := s.m, arguments{}, s.m.at
	for _, arg := range args {
		a.add(arg.Name, knownValue(arg.Value))
	}
	raised := m.exceptionOf(func() { value = m.compilerValue(m.callValue(f.Host.(*Function), a)) })
	m.at = place
	switch {
	case raised == nil:
		return value, nil
	case raised.stop != nil:
		return nil, raised.stop
	}
	e := raised.exception
	return nil, diag.New("python-error", at, e.class.Name, m.messageOf(e)).Because(raised.span, "host.raised-here")
}

// outerValue is the value of a variable around a function, which sym declares; nil if no text does.
func (m *machine) outerValue(v Value, sym *resolve.Symbol) lower.Outer {
	out := lower.Outer{Value: m.compilerValue(v)}
	if sym != nil && len(sym.Decls) == 1 { // assigned once: messages can point at the place
		out.Span, out.Expr = sym.Decls[0].Span, sym.Value()
	}
	return out
}

// Names implements lower.Scope.
func (s scope) Names() []string { return s.f.visibleNames() }

// compilerValue is a value as the compiler takes what it finds around a function.
func (m *machine) compilerValue(v Value) any {
	switch v := v.(type) {
	case constexpr:
		return lower.Constexpr{Value: m.compilerValue(v.value)}
	case *Kernel:
		return v.Function
	case *Function:
		if v.def != nil {
			if v.compiled == nil {
				v.compiled = &lower.Function{File: v.frame.unit.file, Def: v.def, Scope: scope{m, v.frame}, Host: v}
			}
			return v.compiled
		}
	case *Library:
		return lower.Path(v.name)
	case *languageName:
		return lower.Path(v.path)
	case *Builtin:
		if l := m.modules.loaded["triton"]; l != nil && l.members[v.Name] == v {
			return lower.Path("triton." + v.Name)
		}
	case Tuple:
		return m.compilerValues(v)
	case *List:
		return m.compilerValues(v.Items)
	case *Named:
		return lower.NamedTuple{Class: v.tupleClass(), Items: m.compilerValues(v.Items)}
	case *Class:
		switch {
		case v.aggregate != nil:
			return m.compiledAggregate(v)
		case v == constexprClass:
			return lower.Path("triton.language.constexpr")
		case v == pointerTypeClass:
			return lower.Path("triton.language.pointer_type")
		}
		if class, defaults, ok := v.tupleClass(); ok {
			class.Defaults = m.compilerValues(defaults)
			return class
		}
		return lower.Members{Scope: classMembers{m, v}, Text: "type object '" + v.Name + "'"}
	case *namespace:
		return lower.Members{Scope: moduleMembers{m, v}, Module: true, Text: "module '" + v.name + "'"}
	case DType:
		return lower.Object(v.Type())
	}
	if c, ok := Constant(v); ok {
		return c
	}
	if o, ok := v.(*Instance); ok && o.own("_value_") != nil { // and not of ints or strs, which are constants
		return lower.Members{Scope: enumMember{m, o}, Text: "'" + o.class.Name + "' object"}
	}
	return lower.Object(v.Type())
}

func (m *machine) compilerValues(list []Value) []any {
	out := make([]any, len(list))
	m.budget.enterLevel()
	for i, v := range list {
		out[i] = m.compilerValue(v)
	}
	m.budget.leaveLevel()
	return out
}

// languageName is something of triton.language that exists for kernels alone.
type languageName struct{ path string }

// Type is the name of the class that most of them have in Triton.
func (*languageName) Type() string { return "function" }

// invoke raises the exception that Triton raises if host code calls it. cdiv is for hosts too.
func (n *languageName) invoke(m *machine, a arguments) Value {
	if n.path == "triton.language.cdiv" {
		return hostCdiv(m, a)
	}
	raise("ValueError",
		"Did you forget to add @triton.jit ? (`_semantic` argument must be provided outside of JIT functions.)")
	return nil
}

// languageLibrary is triton.language or a module below it as host code meets it: dtypes and constexpr are values,
// everything else is for kernels.
func languageLibrary(path string) map[string]Value {
	values := map[string]Value{"pointer_type": pointerTypeClass, "constexpr": constexprClass,
		"_aggregate": newBuiltin("", "_aggregate(cls)", aggregate)}
	for d := range num.NumDTypes {
		values[d.Info().Attr] = TritonDType(d)
	}
	members := map[string]Value{}
	for _, name := range tl.Members(path) {
		row := tl.LookupIn(path, name)
		switch {
		case values[name] != nil:
			members[name] = values[name]
		case row != nil && row.Bind == tl.Constant && row.Where == tl.Core:
			members[name] = constexpr{intValue(row.Value)}
		case row != nil && row.Bind == tl.Constant:
			members[name] = intValue(row.Value)
		case !tl.IsModule(path + "." + name):
			members[name] = &languageName{path + "." + name}
		}
	}
	return members
}

// constexprClass is triton.language.constexpr: operators use the value.
var constexprClass = &Class{Name: "constexpr"}

func init() {
	constexprClass.describe(typeRecord{
		make: laidOut("", "constexpr(value)", func(_ *machine, a arguments) Value {
			return constexpr{plain(a.positional[0])}
		}),
		slots: slots{
			truth: func(m *machine, v Value) bool { return m.truthOf(plain(v)) },
			compare: func(m *machine, op string, v, other Value) Value {
				return m.compareValues(op, plain(v), plain(other))
			},
			binary: func(m *machine, op string, v, other Value, reflected bool) Value {
				x, y := plain(v), plain(other)
				if reflected {
					x, y = y, x
				}
				return m.binaryOp(op, x, y)
			},
			unary: func(m *machine, op string, v Value) Value { return m.unaryOp(op, plain(v)) },
			hash:  func(v Value, depth int) int64 { return hashAt(plain(v), depth) },
			repr:  leaf(func(v Value) string { return "constexpr[" + Str(plain(v)) + "]" }),
		},
		methods: map[string]method{"@property value(self)": func(_ *machine, a arguments) Value {
			return plain(a.positional[0])
		}},
	})
}
