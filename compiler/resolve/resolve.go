// Package resolve finds what each name of a module means: it makes the scopes, binds names to the
// variables of those scopes, and follows imports. Results are in side tables ([Info]); the tree
// stays as it was parsed.
//
// # Two walks
//
// A name may be used above its declaration, and whether it is local to a function is decided by the
// whole function. So one walk declares (declare.go): it opens the scopes of functions, lambdas,
// comprehensions and classes and enters every name that they bind. A second one binds each use to
// a declaration, from the innermost scope outwards, past the scopes of classes as Python does.
// global and nonlocal are entered before the rest of a function, since they hold for all of it;
// nonlocal names that are declared further down wait until everything is.
//
// # Used before assignment
//
// For each function flow.go follows the statements in order: a forward dataflow analysis that keeps
// the set of names that may have a value. At the end of an if the sets of both branches are joined
// by union, so a name counts as assigned if any path assigns it. A loop's body is followed once;
// that an earlier iteration may have assigned a name is looked up in the declarations in place of
// iterating to a fixpoint. The analysis is optimistic: what it reports fails on every path.
package resolve

import (
	"maps"
	"slices"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/compiler/tl"
)

// Info is what is known about the names of one module.
type Info struct {
	Module *syntax.Module
	Names  map[*syntax.Name]Binding // every Name of the tree, used or assigned
	Scopes map[syntax.Node]*Scope   // by *syntax.Module, FunctionDef, Lambda, Comp and ClassDef

	stars []string // modules imported with *
}

// Resolve binds the names of a module. Names in known are taken as defined, as Python's builtins
// are: they are what the caller will provide. The list holds undefined names, names used before
// they have a value, and hints about imports that were left out.
func Resolve(m *syntax.Module, known ...string) (*Info, diag.List) {
	r := &resolver{
		info: &Info{
			Module: m,
			Names:  map[*syntax.Name]Binding{},
			Scopes: map[syntax.Node]*Scope{},
		},
		known:    map[string]bool{},
		reported: map[use]bool{},
	}
	for _, name := range known {
		r.known[name] = true
	}
	// The order of the three steps is the essay's: declare, then nonlocals, then bind.
	module := r.openScope(ModuleScope, m, nil)
	for _, s := range m.Body {
		r.declare(module, s)
	}
	for _, f := range r.deferred {
		f()
	}
	for _, s := range m.Body {
		r.bindNodes(module, s)
	}
	r.list.Sort()
	return r.info, r.list
}

// ModuleScope is the scope of the whole file.
func (i *Info) ModuleScope() *Scope { return i.Scopes[i.Module] }

type resolver struct {
	info        *Info
	list        diag.List
	known       map[string]bool
	reported    map[use]bool
	deferred    []func()
	imports     tl.Imports // for inKernel, once it is asked
	annotations bool       // names at this place are part of an annotation
}

// maxDiagnostics is the limit for one module.
const maxDiagnostics = 50

func (r *resolver) report(d *diag.Diagnostic) {
	if len(r.list) < maxDiagnostics {
		r.list.Add(d)
	}
}

// use is a name in a scope, for reporting it once.
type use struct {
	scope *Scope
	name  string
}

// bindNodes looks up the names below the nodes.
func (r *resolver) bindNodes(scope *Scope, nodes ...syntax.Node) {
	for _, n := range nodes {
		syntax.Walk(n, func(n syntax.Node) bool { return r.bindNode(scope, n) })
	}
}

func (r *resolver) bindNode(scope *Scope, n syntax.Node) bool {
	switch n := n.(type) {
	case *syntax.Name:
		r.bindName(scope, n)
	case *syntax.FunctionDef:
		for _, d := range n.Decorators {
			r.bindNodes(scope, d)
		}
		r.bindParams(scope, n.Params)
		if n.Returns != nil {
			r.bindAnnotation(scope, n.Returns)
		}
		_, inner := splitFunction(n)
		own := r.info.Scopes[n]
		r.bindNodes(own, inner...)
		r.checkFlow(own, n.Body)
		return false
	case *syntax.Lambda:
		r.bindParams(scope, n.Params)
		r.bindNodes(r.info.Scopes[n], n.Body)
		return false
	case *syntax.ClassDef:
		outer, inner := splitClass(n)
		r.bindNodes(scope, outer...)
		r.bindNodes(r.info.Scopes[n], inner...)
		return false
	case *syntax.Comp:
		outer, inner := splitComp(n)
		r.bindNodes(scope, outer)
		r.bindNodes(r.info.Scopes[n], inner...)
		return false
	case *syntax.AnnAssign:
		r.bindNodes(scope, n.Target)
		r.bindAnnotation(scope, n.Annotation)
		if n.Value != nil {
			r.bindNodes(scope, n.Value)
		}
		return false
	}
	return true
}

func (r *resolver) bindParams(scope *Scope, params *syntax.Params) {
	for _, p := range params.List {
		if p.Annotation != nil {
			r.bindAnnotation(scope, p.Annotation)
		}
		if p.Default != nil {
			r.bindNodes(scope, p.Default)
		}
	}
}

// bindAnnotation binds names that only describe; unknown ones do no harm there.
func (r *resolver) bindAnnotation(scope *Scope, x syntax.Expr) {
	r.annotations = true
	r.bindNodes(scope, x)
	r.annotations = false
}

func (r *resolver) bindName(scope *Scope, n *syntax.Name) {
	b := scope.lookup(n.ID)
	if b.Symbol == nil {
		switch {
		case builtins[n.ID] || r.known[n.ID] || n.ID == "__class__" && scope.inMethod():
			b.Kind = Builtin
		case implicit[n.ID].path != "" && (foreign[n.ID] == "" || !r.inKernel(scope)):
			b = r.implicitImport(scope, n)
		case len(r.info.stars) == 0:
			r.reportUndefined(scope, n)
		}
	}
	r.info.Names[n] = b
}

func (r *resolver) reportUndefined(scope *Scope, n *syntax.Name) {
	// One report for each function: the second use of a name tells nothing new.
	at := use{scope.function(), n.ID}
	if r.reported[at] || len(r.list) >= maxDiagnostics {
		return
	}
	r.reported[at] = true
	if scope.Kind == ModuleScope && r.leftFunction(scope, n) {
		return
	}
	if path := r.languageAlias() + "." + n.ID; r.inKernel(scope) && tl.Lookup(tl.Language, n.ID) != nil {
		r.report(diag.New("language-name-bare", n.Span(), n.ID, path).
			Suggest(true, diag.Text{Key: "replace", Args: []any{n.ID, path}}, diag.Edit{Span: n.Span(), New: path}))
		return
	}
	if code := foreign[n.ID]; code != "" && r.inKernel(scope) {
		r.report(diag.New(code, n.Span(), n.ID, n.ID))
		return
	}
	d := diag.New("undefined-name", n.Span(), n.ID)
	if r.annotations {
		d.Severity = diag.Warning
	}
	if near, ok := r.suggestName(scope, n.ID); ok {
		d.Primary.Text = diag.Text{Key: "did-you-mean", Args: []any{near}}
		d.Suggest(false, diag.Text{Key: "replace", Args: []any{n.ID, near}}, diag.Edit{Span: n.Span(), New: near})
		if sym := scope.lookup(near).Symbol; sym != nil && len(sym.Decls) > 0 {
			d.Because(sym.Decls[0].Span, "defined-here", near)
		}
	}
	r.report(d)
}

// foreign are names that people bring into kernels from elsewhere, with the code of what is said of them there.
var foreign = map[string]string{
	"np": "module-in-kernel", "numpy": "module-in-kernel", "torch": "module-in-kernel", "jnp": "module-in-kernel",
	"threadIdx": "cuda-name", "blockIdx": "cuda-name", "blockDim": "cuda-name", "gridDim": "cuda-name",
}

// suggestName finds what an undefined name was probably meant to be: a name in sight that is like it, in
// a kernel one of the language, else a builtin.
func (r *resolver) suggestName(scope *Scope, name string) (string, bool) {
	// A tensor is written by its name where a kernel has a pointer to it.
	if pointer := name + "_ptr"; scope.lookup(pointer).Symbol != nil {
		return pointer, true
	}
	if near, ok := diag.Meant(name, slices.AppendSeq(scope.visible(), maps.Keys(r.known))); ok {
		return near, true
	}
	if float, ok := tl.Floats[name]; ok && r.inKernel(scope) {
		return float, true
	}
	if near, ok := diag.Meant(name, tl.Names(tl.Language)); ok && r.inKernel(scope) {
		return r.languageAlias() + "." + near, true
	}
	if r.inKernel(scope) { // which has few of Python's own functions
		return diag.Meant(name, tl.Names(tl.Builtin))
	}
	return diag.Meant(name, slices.AppendSeq(slices.Collect(maps.Keys(builtins)), maps.Keys(implicit)))
}

// languageAlias is the name under which the module imports triton.language.
func (r *resolver) languageAlias() string {
	for _, sym := range r.info.ModuleScope().Order {
		if sym.Path == "triton.language" {
			return sym.Name
		}
	}
	return "tl"
}

// leftFunction reports whether an undefined name at module level is one of the function above: its
// line is no longer indented. That is one mistake, whatever names follow from it.
func (r *resolver) leftFunction(module *Scope, n *syntax.Name) bool {
	var above *syntax.FunctionDef
	for _, s := range r.info.Module.Body {
		if s.Span().Start > n.Span().Start {
			break
		}
		if fn, ok := s.(*syntax.FunctionDef); ok {
			above = fn
		}
	}
	if above == nil || r.info.Scopes[above].Names[n.ID] == nil {
		return false
	}
	if at := (use{module, "def " + above.Name}); !r.reported[at] && len(above.Body) > 0 {
		r.reported[at] = true
		r.report(diag.New("left-function", n.Span(), n.ID, above.Name).
			Because(above.NameSpan, "defined-here", above.Name))
	}
	return true
}

// implicit are the names that snippets use without importing them.
var implicit = map[string]struct{ path, statement string }{
	"tl":     {"triton.language", "import triton.language as tl\n"},
	"triton": {"triton", "import triton\n"},
	"torch":  {"torch", "import torch\n"},
	"jit":    {"triton.jit", "from triton import jit\n"},
}

func (r *resolver) implicitImport(scope *Scope, n *syntax.Name) Binding {
	module := scope.module()
	sym := &Symbol{Name: n.ID, Scope: module, Index: len(module.Order), Path: implicit[n.ID].path}
	module.Names[n.ID] = sym
	module.Order = append(module.Order, sym)
	statement := implicit[n.ID].statement
	d := diag.New("implicit-import", n.Span(), n.ID, statement[:len(statement)-1])
	d.Severity = diag.Hint
	r.report(d.Suggest(true, diag.Text{Key: "add-import", Args: []any{n.ID}},
		diag.Edit{Span: r.importPlace(), New: statement}))
	return Binding{Global, sym}
}

// importPlace is where an import can be added: before the first statement that is neither the
// docstring nor an import from __future__.
func (r *resolver) importPlace() source.Span {
	body := r.info.Module.Body
	for i, s := range body {
		e, isExpr := s.(*syntax.ExprStmt)
		if isExpr && i == 0 {
			if c, ok := e.Value.(*syntax.Constant); ok && c.Kind == syntax.StringConst {
				continue
			}
		}
		if f, ok := s.(*syntax.ImportFrom); ok && f.Module == "__future__" {
			continue
		}
		return emptyAt(s.Span())
	}
	return source.Span{}
}
