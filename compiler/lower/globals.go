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
	tree    *syntax.Module // nil where a program runs
	prelude bool
	imports tl.Imports
	defs    map[string]definition
	scope   Scope // where the program around the kernel runs, it decides and defs is empty
	cache   map[string]value
}

// definition is the last module-level statement that binds a name.
type definition struct {
	fn        *syntax.FunctionDef
	class     *syntax.ClassDef
	value     syntax.Expr // of an assignment
	constexpr bool        // the value is a tl.constexpr, whatever the text says
	path      string      // of an import: what it names
	span      source.Span
}

func newModule(m *syntax.Module, prelude bool) *module {
	out := &module{file: m.File, tree: m, prelude: prelude, imports: tl.ImportsOf(m), defs: make(map[string]definition),
		cache: make(map[string]value)}
	out.define(m.Body)
	return out
}

// enclose adds the names of the functions around fn, as far as the text tells their values.
func (m *module) enclose(body []syntax.Stmt, fn *syntax.FunctionDef) {
	for _, s := range body {
		syntax.Walk(s, func(n syntax.Node) bool {
			around, ok := n.(*syntax.FunctionDef)
			if !ok || around == fn {
				return !ok
			}
			if around.Span().Start <= fn.Span().Start && fn.Span().End <= around.Span().End {
				for _, p := range around.Params.List {
					m.defs[p.Name] = definition{span: p.Loc}
				}
				m.define(around.Body)
				m.enclose(around.Body, fn)
			}
			return false
		})
	}
}

// preludeModule and the others are made when they are first needed and never change: what a compilation evaluates of
// one is in a module of its own (library).
var (
	preludeModule   = parsedOnce("prelude.py", tl.Prelude)
	libdeviceModule = parsedOnce("libdevice.py", tl.LibdeviceSource)
	inductorModule  = parsedOnce("inductor.py", tl.InductorSource)
)

func parsedOnce(name string, text func() string) func() *module {
	return sync.OnceValue(func() *module {
		m, list := syntax.Parse(source.NewFile(name, text()))
		if list.HasErrors() {
			panic(name + ": " + list[0].In(diag.English).Headline)
		}
		return newModule(m, true)
	})
}

// library is a module for one compilation, with the definitions of shared, which imports nothing but Triton.
func library(shared *module) *module {
	own := *shared
	own.cache = make(map[string]value)
	return &own
}

func (m *module) define(list []syntax.Stmt) {
	for _, s := range list {
		switch s := s.(type) {
		case *syntax.FunctionDef:
			// if triton is there: a kernel; else: a function of that name that raises
			if old := m.defs[s.Name].fn; old == nil || !m.imports.IsKernel(old) || m.imports.IsKernel(s) {
				m.defs[s.Name] = definition{fn: s, span: s.NameSpan}
			}
		case *syntax.ClassDef:
			m.defs[s.Name] = definition{class: s, span: s.NameSpan}
		// The last definition counts, since kernels run when the module has run.
		case *syntax.Assign:
			for _, t := range s.Targets {
				if n, ok := t.(*syntax.Name); ok {
					m.defs[n.ID] = definition{value: s.Value, span: n.Span()}
				}
			}
		case *syntax.AnnAssign:
			if n, ok := s.Target.(*syntax.Name); ok && s.Value != nil {
				m.defs[n.ID] = definition{value: s.Value, span: n.Span()}
			}
		case *syntax.Import:
			for _, a := range s.Names {
				name, path := tl.ImportedName(a)
				m.defs[name] = definition{path: path, span: a.Loc}
			}
		case *syntax.ImportFrom:
			m.importFrom(s)
		// Branches of an if that tests for a library: all of their definitions are seen, the later ones win.
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
		name, path := tl.ImportedFrom(s, a)
		m.defs[name] = definition{path: path, span: a.Loc,
			constexpr: strings.HasPrefix(s.Module, "triton.")} // its numbers are constexprs
	}
}

// imported resolves an import path to a value that kernels can use.
func imported(path string) (value, bool) {
	if tl.IsModule(path) {
		return namespace{path}, true
	}
	i := strings.LastIndexByte(path, '.')
	if i < 0 {
		return nil, false
	}
	parent, name := path[:i], path[i+1:]
	if parent == "math" {
		return mathMember(name)
	}
	return member(parent, name)
}

// member is name below one of the modules.
func member(module, name string) (value, bool) {
	if path := module + "." + name; tl.IsModule(path) {
		return namespace{path}, true
	}
	if row := tl.LookupIn(module, name); row != nil {
		return rowValue(row)
	}
	return nil, false
}

// globals finds the values of module-level names as kernels see them.
type globals struct {
	l                            *lowerer
	prelude, libdevice, inductor *module           // once they are needed
	scopes                       map[Scope]*module // of a program's functions
	texts                        map[*syntax.Module]*module
	attributes                   map[attributeOf]value
	aggregates                   map[*Aggregate]*aggregateClass
}

// lookup finds a name at module level. The value is nil if there is none.
func (g *globals) lookup(m *module, n *syntax.Name) value {
	if v, ok := m.cache[n.ID]; ok {
		g.warnPlain(m, n, v, m.defs[n.ID])
		return v
	}
	if m.scope != nil {
		return g.lookupInScope(m, n)
	}
	def, ok := m.defs[n.ID]
	if !ok {
		return nil
	}
	m.cache[n.ID] = poison{} // so that a definition by itself ends
	v := g.evaluate(m, n, def)
	m.cache[n.ID] = v
	return v
}

func (g *globals) evaluate(m *module, n *syntax.Name, def definition) value {
	switch {
	case def.fn != nil:
		f := functionOf(def.fn, m)
		if g.l.opts.Guess != nil && !f.jit && def.fn.Decorators != nil {
			return poison{} // a decorator makes anything of a function: triton.language.core.extern calls another one
		}
		return f
	case def.path != "":
		if v, ok := imported(def.path); ok {
			g.warnPlain(m, n, v, def)
			return v
		}
		if v := g.lookupBeside(m, n, def.path); v != nil {
			m.defs[n.ID] = definition{constexpr: true, span: def.span} // its own module may say that it should be one
			return v
		}
		if g.l.opts.Guess != nil && !hostModules[def.path] {
			return poison{}
		}
		return namespace{def.path}
	}
	v, ok := value(nil), false
	switch {
	case def.class != nil:
		if v, ok = g.l.aggregateClassOf(m, def.class); !ok {
			v, ok = g.l.tupleClassOf(m, def.class)
		}
	case def.value != nil:
		if v, ok = g.l.calledTupleClass(m, def.value); !ok {
			v, ok = g.l.evalModuleExpr(m, def.value)
		}
	}
	if !ok {
		if g.l.opts.Guess != nil {
			return poison{}
		}
		return g.l.fail(diag.New("global-unknown", g.l.spanOf(n), n.ID).Because(def.span, "defined-here", n.ID))
	}
	g.warnPlain(m, n, v, def)
	return v
}

// warnPlain: Triton lets kernels see module-level numbers only as tl.constexpr(…) objects, and
// functions of Python only through their module.
func (g *globals) warnPlain(m *module, n *syntax.Name, v value, def definition) {
	if f, ok := v.(pythonFunction); ok {
		d := diag.New("function-imported", g.l.spanOf(n), n.ID, f.path).Because(def.span, "defined-here", n.ID)
		g.l.warnSuperset(suggestReplacement(d, false, g.l.spanOf(n), f.path))
		return
	}
	if m.prelude || def.constexpr || isConstexprCall(def.value) || !mustBeConstexpr(v) {
		return
	}
	d := diag.New("plain-global", g.l.spanOf(n), n.ID)
	if def.span != (source.Span{}) {
		d.Because(def.span, "defined-here", n.ID)
	}
	if def.value != nil {
		s := def.value.Span()
		d.Suggest(true, diag.Text{Key: "fix-wrap-constexpr"},
			diag.Edit{Span: source.Span{Start: s.Start, End: s.Start}, New: "tl.constexpr("},
			diag.Edit{Span: source.Span{Start: s.End, End: s.End}, New: ")"})
	}
	g.l.warnSuperset(d)
}

// mustBeConstexpr reports whether a global of that value has to be a tl.constexpr: a number, a text or a class.
func mustBeConstexpr(v value) bool {
	switch v := v.(type) {
	case constant:
		return v != pyNone
	case membersValue:
		return !v.Module
	}
	return false
}

func isConstexprCall(e syntax.Expr) bool {
	call, ok := e.(*syntax.Call)
	return ok && syntax.LastName(call.Func) == "constexpr"
}

// evalModuleExpr evaluates module-level code that needs no run-time value, which is Python and not a
// kernel: numbers stay numbers, loops run. What it reports is dropped: the caller says that the name
// is not known while compiling.
func (l *lowerer) evalModuleExpr(m *module, e syntax.Expr) (v value, ok bool) {
	reported := len(l.diags)
	v, ok = l.inPython(func() value {
		code := &function{name: "<module>", module: m}
		l.frame = &frame{fn: code, vars: newEnv(), span: e.Span(), depth: l.frame.depth}
		return l.lowerExpr(e)
	})
	if len(l.diags) > reported {
		l.diags = l.diags[:reported]
		ok = false
	}
	return v, ok
}

// inPython evaluates what Python runs and not a kernel, so that there is no function to emit operations into. It is not
// ok where the value is known at run time alone, or something was reported.
func (l *lowerer) inPython(evaluate func() value) (v value, ok bool) {
	saved, b := l.frame, l.b.ir
	l.b.ir = nil
	defer func() {
		l.frame, l.b.ir = saved, b
		if r := recover(); r != nil {
			if _, is := r.(notConstant); !is {
				panic(r)
			}
			v, ok = poison{}, false
		}
	}()
	v = evaluate()
	_, isTensor := v.(tensor)
	return v, !isTensor && !isPoison(v)
}

func functionOf(def *syntax.FunctionDef, m *module) function {
	folds := decorated(def, foldingDecorators...)
	return function{name: def.Name, params: def.Params, body: def.Body, span: def.NameSpan, module: m,
		jit: folds || m.imports.IsKernel(def), folds: folds}
}

// foldingDecorators make a function one that runs while kernels are compiled: @tl.constexpr wraps it, and a kernel may
// call what it wraps.
var foldingDecorators = []string{"constexpr_function", "constexpr"}

// decorated reports whether a decorator has one of the names, whatever module it is reached from.
func decorated(def *syntax.FunctionDef, names ...string) bool {
	return slices.ContainsFunc(def.Decorators,
		func(d syntax.Expr) bool { return slices.Contains(names, syntax.LastName(d)) })
}

// Kernels lists the functions of a file that are decorated with triton.jit, in order: those in
// other functions, in classes and in branches of an if as well.
func Kernels(m *syntax.Module) []*syntax.FunctionDef {
	var out []*syntax.FunctionDef
	imports := tl.ImportsOf(m)
	for _, s := range m.Body {
		syntax.Walk(s, func(n syntax.Node) bool {
			def, ok := n.(*syntax.FunctionDef)
			if !ok || !imports.IsKernel(def) {
				return true
			}
			out = append(out, def)
			return false
		})
	}
	return out
}

// IsConstexpr reports whether an annotation says that a parameter is known while compiling.
func IsConstexpr(annotation syntax.Expr) bool { return isConstexprAnnotation(annotation) }
