package lower

import (
	"slices"
	"strings"
	"sync"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/compiler/tl"
)

// module is a file as kernels see it: its functions, imports and constants. Module-level code that
// is more than that is the host's business and gives unknown names.
type module struct {
	file    *source.File
	prelude bool
	defs    map[string]definition
	globals map[string]any // values known from outside
	cache   map[string]value
}

// definition is the last module-level statement that binds a name.
type definition struct {
	fn        *syntax.FunctionDef
	value     syntax.Expr // of an assignment
	annotated bool        // name: tl.constexpr = value
	path      string      // of an import: what it names
	span      source.Span
}

func newModule(m *syntax.Module, prelude bool) *module {
	out := &module{file: m.File, prelude: prelude, defs: make(map[string]definition), cache: make(map[string]value)}
	out.define(m.Body)
	return out
}

// prelude is parsed when it is first needed and never changes.
var preludeModule = sync.OnceValue(func() *syntax.Module {
	m, list := syntax.Parse(source.NewFile("prelude.py", tl.Prelude))
	if list.HasErrors() {
		panic("prelude.py: " + list[0].In(diag.English).Headline)
	}
	return m
})

func (m *module) define(list []syntax.Stmt) {
	for _, s := range list {
		switch s := s.(type) {
		case *syntax.FunctionDef:
			m.defs[s.Name] = definition{fn: s, span: s.NameSpan}
		case *syntax.Assign:
			for _, t := range s.Targets {
				if n, ok := t.(*syntax.Name); ok {
					m.defs[n.ID] = definition{value: s.Value, span: n.Span()}
				}
			}
		case *syntax.AnnAssign:
			if n, ok := s.Target.(*syntax.Name); ok && s.Value != nil {
				m.defs[n.ID] = definition{value: s.Value, annotated: true, span: n.Span()}
			}
		case *syntax.Import:
			for _, a := range s.Names {
				name, path := a.As, a.Name
				if name == "" {
					name, _, _ = strings.Cut(a.Name, ".")
					path = name
				}
				m.defs[name] = definition{path: path, span: a.Loc}
			}
		case *syntax.ImportFrom:
			m.importFrom(s)
		case *syntax.If:
			m.define(s.Body)
			m.define(s.Else)
		case *syntax.Try:
			m.define(s.Body)
		}
	}
}

func (m *module) importFrom(s *syntax.ImportFrom) {
	for _, a := range s.Names {
		name := a.As
		if name == "" {
			name = a.Name
		}
		m.defs[name] = definition{path: s.Module + "." + a.Name, span: a.Loc}
	}
}

// importable are the modules that kernels can reach into.
var importable = map[string]bool{"triton": true, "triton.language": true, "triton.language.math": true,
	"triton.language.extra": true, "triton.language.extra.libdevice": true, "triton.language.extra.cuda": true,
	"triton.language.extra.cuda.libdevice": true}

// imported is what an import path stands for inside of kernels.
func imported(path string) (value, bool) {
	if importable[path] {
		return namespace{path}, true
	}
	i := strings.LastIndexByte(path, '.')
	if i < 0 {
		return nil, false
	}
	parent, name := path[:i], path[i+1:]
	if !importable[parent] {
		return nil, false
	}
	return member(parent, name)
}

// member is name below one of the modules.
func member(module, name string) (value, bool) {
	if importable[module+"."+name] {
		return namespace{module + "." + name}, true
	}
	var row *tl.Row
	switch {
	case !importable[module]:
		return nil, false
	case module == "triton":
		row = tl.Lookup(tl.Triton, name)
	case module == "triton.language":
		row = tl.Lookup(tl.Language, name)
	default:
		row = tl.LookupMath(name)
	}
	if row == nil {
		return nil, false
	}
	return rowValue(row)
}

// global finds a name at module level. The value is nil where there is none.
func (l *lowerer) global(m *module, n *syntax.Name) value {
	if v, ok := m.cache[n.ID]; ok {
		l.warnGlobal(m, n, v, m.defs[n.ID])
		return v
	}
	if v, ok := m.globals[n.ID]; ok {
		if c, ok := constantOf(v); ok {
			m.cache[n.ID] = c
			l.warnGlobal(m, n, c, definition{span: m.defs[n.ID].span})
			return c
		}
	}
	def, ok := m.defs[n.ID]
	if !ok {
		return nil
	}
	m.cache[n.ID] = poison{} // so that a definition by itself ends
	v := l.evalGlobal(m, n, def)
	m.cache[n.ID] = v
	return v
}

func (l *lowerer) evalGlobal(m *module, n *syntax.Name, def definition) value {
	switch {
	case def.fn != nil:
		return functionOf(def.fn, m)
	case def.path != "":
		if v, ok := imported(def.path); ok {
			return v
		}
		return namespace{def.path}
	}
	v, ok := l.constantExpr(m, def.value)
	if !ok {
		return l.fail(diag.New("global-unknown", l.place(n), n.ID).Because(def.span, "defined-here", n.ID))
	}
	l.warnGlobal(m, n, v, def)
	return v
}

// warnGlobal: Triton lets kernels see module-level numbers only as tl.constexpr(…) objects.
func (l *lowerer) warnGlobal(m *module, n *syntax.Name, v value, def definition) {
	if c, ok := v.(constant); !ok || c == none || m.prelude || isConstexprCall(def.value) {
		return
	}
	d := diag.New("plain-global", l.place(n), n.ID).Because(def.span, "defined-here", n.ID)
	if def.value != nil {
		s := def.value.Span()
		d.Suggest(true, diag.Text{Key: "fix-wrap-constexpr"},
			diag.Edit{Span: source.Span{Start: s.Start, End: s.Start}, New: "tl.constexpr("},
			diag.Edit{Span: source.Span{Start: s.End, End: s.End}, New: ")"})
	}
	l.superset(d)
}

func isConstexprCall(e syntax.Expr) bool {
	call, ok := e.(*syntax.Call)
	if !ok {
		return false
	}
	switch f := call.Func.(type) {
	case *syntax.Attribute:
		return f.Attr == "constexpr"
	case *syntax.Name:
		return f.ID == "constexpr"
	}
	return false
}

// constantExpr evaluates module-level code that needs no run-time value. What it reports is
// dropped: the caller says that the name is not known while compiling.
func (l *lowerer) constantExpr(m *module, e syntax.Expr) (v value, ok bool) {
	saved, reported, b := l.frame, len(l.diags), l.b
	l.frame = &frame{fn: &function{name: "<module>", module: m}, vars: newEnv(), span: e.Span(), depth: saved.depth}
	l.b = nil
	defer func() {
		l.frame, l.b = saved, b
		if r := recover(); r != nil {
			if _, is := r.(notConstant); !is {
				panic(r)
			}
			v, ok = nil, false
		}
		if len(l.diags) > reported {
			l.diags = l.diags[:reported]
			ok = false
		}
	}()
	v = l.expr(e)
	_, isTensor := v.(tensor)
	return v, !isTensor && !isPoison(v)
}

func functionOf(def *syntax.FunctionDef, m *module) function {
	folds := decorated(def, "constexpr_function")
	return function{name: def.Name, params: def.Params, body: def.Body, span: def.NameSpan, module: m,
		jit: folds || decorated(def, kernelDecorators...), folds: folds}
}

// kernelDecorators make a function one for kernels.
var kernelDecorators = []string{"jit", "autotune", "heuristics"}

// decorated reports whether a decorator has one of the names, whatever module it is reached from.
func decorated(def *syntax.FunctionDef, names ...string) bool {
	for _, d := range def.Decorators {
		if call, ok := d.(*syntax.Call); ok {
			d = call.Func
		}
		name := ""
		switch d := d.(type) {
		case *syntax.Attribute:
			name = d.Attr
		case *syntax.Name:
			name = d.ID
		}
		if slices.Contains(names, name) {
			return true
		}
	}
	return false
}

// Kernels lists the functions of a file that are decorated with triton.jit, in order.
func Kernels(m *syntax.Module) []*syntax.FunctionDef {
	var out []*syntax.FunctionDef
	for _, s := range m.Body {
		if def, ok := s.(*syntax.FunctionDef); ok && decorated(def, kernelDecorators...) {
			out = append(out, def)
		}
	}
	return out
}

// IsConstexpr reports whether an annotation says that a parameter is known while compiling.
func IsConstexpr(annotation syntax.Expr) bool { return isConstexprAnnotation(annotation) }
