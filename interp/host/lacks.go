package host

import (
	"cmp"
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
)

// Lacks lists the places of a text that ask for what newt does not have, without running it: modules that are neither
// newt's nor next to the document, names that a module of newt's lacks, and the first place of each name of a module
// that newt refuses, which may be imported. What a try statement or hasattr asks about is
// left to them; what a kernel uses is left to the compiler.
func Lacks(tree *syntax.Module, files Files) diag.List {
	s := &survey{m: newMachine(Options{Libraries: AllLibraries()}), files: files, modules: map[string]*Library{},
		skipped: map[syntax.Node]bool{}, asked: map[string]bool{}, refused: map[string]bool{}}
	syntax.Walk(tree, s.learn)
	for name := range s.rebound {
		delete(s.modules, name)
	}
	syntax.Walk(tree, s.check)
	s.list.Sort()
	return s.list
}

// survey is one walk over a text for Lacks.
type survey struct {
	m       *machine
	files   Files
	modules map[string]*Library  // by the names that imports bind
	rebound map[string]bool      // names that are also bound to something else
	skipped map[syntax.Node]bool // subtrees that are not checked
	asked   map[string]bool      // the attributes that hasattr and getattr name
	refused map[string]bool      // the names of refused modules that are listed
	list    diag.List
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
		s.skipped[n] = slices.ContainsFunc(n.Decorators, isJIT)
	case *syntax.Try:
		if slices.ContainsFunc(n.Handlers, catchesImports) {
			for _, inner := range n.Body {
				s.skipped[inner] = true
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

// isJIT reports whether a decorator is triton.jit, whose function the compiler checks.
func isJIT(e syntax.Expr) bool {
	if call, ok := e.(*syntax.Call); ok {
		e = call.Func
	}
	switch e := e.(type) {
	case *syntax.Name:
		return e.ID == "jit"
	case *syntax.Attribute:
		return e.Attr == "jit"
	}
	return false
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

// module reports a module that is neither newt's nor beside the document.
func (s *survey) module(name string, at source.Span) (l *Library, ok bool) {
	if l, ok = s.m.modules.libraryNamed(name); ok || s.beside(name) {
		return l, ok
	}
	s.list.Add(lacking(at, name, sortedNames(s.m.options.Libraries.makers)))
	return nil, false
}

// beside reports whether a module is a file or a folder beside the document.
func (s *survey) beside(name string) bool {
	if s.files == nil {
		return false
	}
	path := strings.ReplaceAll(name, ".", "/")
	for _, file := range []string{path + ".py", path + "/__init__.py"} {
		if _, err := s.files.ReadFile(file); err == nil {
			return true
		}
	}
	s.m.options.Files = s.files
	return s.m.files.hasFolder(path)
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
		if s.refuse(n.Module, a.Name, a.Loc) {
			continue
		}
		if _, found := l.members[a.Name]; !found && a.Name != "*" {
			s.list.Add(lacking(a.Loc, n.Module+"."+a.Name, sortedNames(l.members)))
		}
	}
}

// attribute reports module.name where the module has no such name.
func (s *survey) attribute(n *syntax.Attribute) {
	l := s.library(n.Value)
	if l == nil || s.asked[n.Attr] || strings.HasPrefix(n.Attr, "__") || s.refuse(l.name, n.Attr, n.Span()) {
		return
	}
	if _, ok := s.m.findAttr(l, n.Attr); !ok {
		s.list.Add(lacking(n.Span(), l.name+"."+n.Attr, sortedNames(l.members)))
	}
}

// refuse lists a name of a refused module where it is first used, and reports whether the module is one.
func (s *survey) refuse(module, name string, at source.Span) bool {
	d := refusal(module, name, at)
	if d != nil && !s.refused[module+"."+name] {
		s.refused[module+"."+name] = true
		s.list.Add(d)
	}
	return d != nil
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
