package host

import (
	"cmp"
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/compiler/tl"
)

// Lacks lists the places of a text that ask for what newt does not have, without running it: modules that are neither
// newt's nor found as a run finds them, names that a module of newt's lacks, and the first place of each name of a
// module that newt refuses, which may be imported. Each is a hint, since the original may have it and nothing here may
// need it; it is an error where the top level of the text, which launches a kernel, asks for it, and where the original
// is known not to have it either. What a try statement or hasattr asks about is left to them, and so is what other
// branches do; what a kernel uses is left to the compiler.
func Lacks(tree *syntax.Module, o Options) diag.List {
	o.Libraries = AllLibraries()
	s := &survey{m: newMachine(o), modules: map[string]*Library{}, imports: tl.ImportsOf(tree),
		skipped: map[syntax.Node]bool{}, asked: map[string]bool{}, listed: map[string]bool{}}
	tree = EliminateDeadBranches(tree, o)
	syntax.Walk(tree, s.learn)
	for name := range s.rebound {
		delete(s.modules, name)
	}
	s.needed = Launches(tree)
	syntax.Walk(tree, s.check)
	s.list.Sort()
	return s.list
}

// survey is one walk over a text for Lacks.
type survey struct {
	m        *machine
	imports  tl.Imports
	modules  map[string]*Library  // by the names that imports bind
	rebound  map[string]bool      // names that are also bound to something else
	skipped  map[syntax.Node]bool // subtrees that are not checked
	asked    map[string]bool      // the attributes that hasattr and getattr name
	listed   map[string]bool      // what is listed
	needed   bool                 // the top level launches a kernel
	function bool                 // the walk is in a function
	list     diag.List
}

// add lists what is missing, once.
func (s *survey) add(d *diag.Diagnostic, what string, certain bool) {
	if s.listed[what] {
		return
	}
	s.listed[what] = true
	if !certain && (s.function || !s.needed) {
		d.Severity = diag.Hint
	}
	s.list.Add(d)
}

// Launches reports whether the top level of a text launches a kernel, itself or in a function of the text.
func Launches(tree *syntax.Module) (found bool) {
	imports := tl.ImportsOf(tree)
	own := map[string]*syntax.FunctionDef{}
	for _, statement := range tree.Body {
		if f, ok := statement.(*syntax.FunctionDef); ok && !imports.IsKernel(f) {
			own[f.Name] = f
		}
	}
	var visit func(n syntax.Node) bool
	visit = func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.FunctionDef, *syntax.ClassDef, *syntax.Lambda:
			return false
		case *syntax.If:
			return !isScriptGuard(n)
		case *syntax.Call:
			_, launch := n.Func.(*syntax.Subscript)
			found = found || launch
			if name, ok := n.Func.(*syntax.Name); ok && own[name.ID] != nil {
				body := own[name.ID].Body
				delete(own, name.ID)
				for _, statement := range body {
					syntax.Walk(statement, visit)
				}
			}
		}
		return !found
	}
	for _, statement := range tree.Body {
		syntax.Walk(statement, visit)
	}
	return found
}

// learn finds what names mean, and what is not to be checked.
func (s *survey) learn(n syntax.Node) bool {
	switch n := n.(type) {
	case *syntax.Import:
		for _, a := range n.Names {
			path, name := a.Name, a.As
			if name == "" {
				path, _, _ = strings.Cut(a.Name, ".")
				name = path
			}
			s.bind(name, path)
		}
	case *syntax.ImportFrom:
		for _, a := range n.Names {
			s.bind(cmp.Or(a.As, a.Name), n.Module+"."+a.Name)
		}
	case *syntax.Assign:
		for _, t := range n.Targets {
			s.rebind(t)
		}
	case *syntax.FunctionDef:
		s.skipped[n] = s.imports.IsKernel(n)
	case *syntax.Try:
		if slices.ContainsFunc(n.Handlers, catchesImports) {
			for _, inner := range n.Body {
				s.skipped[inner] = true
			}
			for _, h := range n.Handlers {
				for _, inner := range h.Body {
					s.skipped[inner] = true
				}
			}
		}
	case *syntax.Call:
		if name, ok := n.Func.(*syntax.Name); ok && len(n.Args) > 1 && (name.ID == "hasattr" || name.ID == "getattr") {
			if c, ok := n.Args[1].(*syntax.Constant); ok && c.Kind == syntax.StringConst {
				s.asked[c.Text] = true
			}
		}
	}
	return true
}

func (s *survey) bind(name, path string) {
	if l, ok := s.m.modules.libraryNamed(path); ok {
		s.modules[name] = l
	}
}

// rebind notes an assignment: the name is no module's, the attribute is there from now on.
func (s *survey) rebind(target syntax.Expr) {
	switch t := target.(type) {
	case *syntax.Name:
		if s.rebound == nil {
			s.rebound = map[string]bool{}
		}
		s.rebound[t.ID] = true
	case *syntax.Attribute:
		s.asked[t.Attr] = true
	}
}

// importErrors are the exceptions whose handlers take an import that fails.
var importErrors = []string{"ImportError", "ModuleNotFoundError", "Exception", "BaseException"}

// catchesImports reports whether an except clause handles an import that fails.
func catchesImports(h syntax.Handler) bool {
	found := h.Type == nil
	if h.Type != nil {
		syntax.Walk(h.Type, func(n syntax.Node) bool {
			name, ok := n.(*syntax.Name)
			found = found || ok && slices.Contains(importErrors, name.ID)
			return true
		})
	}
	return found
}

// check reports what is missing at a node, and says whether to go on below it.
func (s *survey) check(n syntax.Node) bool {
	if s.skipped[n] {
		return false
	}
	switch n := n.(type) {
	case *syntax.FunctionDef:
		s.skipped[n] = true // below, its parts are walked
		outer := s.function
		s.function = true
		for _, part := range n.Body {
			syntax.Walk(part, s.check)
		}
		s.function = outer
		for _, part := range n.Decorators {
			syntax.Walk(part, s.check)
		}
		for _, p := range n.Params.List {
			if p.Default != nil {
				syntax.Walk(p.Default, s.check)
			}
		}
		return false
	case *syntax.Import:
		for _, a := range n.Names {
			s.module(a.Name, a.Loc)
		}
	case *syntax.ImportFrom:
		s.importFrom(n)
	case *syntax.Attribute:
		s.attribute(n)
	}
	return true
}

// module reports a module that is neither newt's nor found. Of a package that is missing, that is said once.
func (s *survey) module(name string, at source.Span) (l *Library, ok bool) {
	if l, ok = s.m.modules.libraryNamed(name); ok || s.m.modules.exists(name) {
		return l, ok
	}
	what := name
	if first, _, _ := strings.Cut(name, "."); s.m.options.Libraries.makers[first] == nil && !s.m.modules.exists(first) {
		what = first
	}
	s.add(lacking(at, what, sortedNames(s.m.options.Libraries.makers)), what, false)
	return nil, false
}

func (s *survey) importFrom(n *syntax.ImportFrom) {
	if n.Level > 0 {
		return
	}
	l, ok := s.module(n.Module, n.Span())
	if !ok {
		return
	}
	for _, a := range n.Names {
		if v, found := s.m.findAttr(l, a.Name); !found && a.Name != "*" || is[refusedMember](v) {
			s.member(l, n.Module, a.Name, a.Loc)
		}
	}
}

// attribute reports module.name where the module has no such name.
func (s *survey) attribute(n *syntax.Attribute) {
	l := s.library(n.Value)
	if l == nil || s.asked[n.Attr] || strings.HasPrefix(n.Attr, "__") {
		return
	}
	if v, ok := s.m.findAttr(l, n.Attr); !ok || is[refusedMember](v) {
		s.member(l, l.name, n.Attr, n.Span())
	}
}

// member reports a name that a module lacks or refuses.
func (s *survey) member(l *Library, module, name string, at source.Span) {
	what := module + "." + name
	if d := refusal(module, name, at); d != nil {
		s.add(d, what, false)
	} else {
		d := lacking(at, what, sortedNames(l.members))
		s.add(d, what, d.Primary.Text.Key != "" && !torchLacks(module, name)) // a misspelling, and no name of a plug-in
	}
}

// library is the module that an expression is, nil if it is none that is known.
func (s *survey) library(e syntax.Expr) *Library {
	switch e := e.(type) {
	case *syntax.Name:
		return s.modules[e.ID]
	case *syntax.Attribute:
		if l := s.library(e.Value); l != nil {
			inner, _ := l.members[e.Attr].(*Library)
			return inner
		}
	}
	return nil
}
