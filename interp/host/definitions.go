package host

import (
	"cmp"
	"slices"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/lower"
	"github.com/newtlab/newt/compiler/resolve"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
)

// Define runs what a kernel of a file takes from its module, so that its globals have the values that Python computes,
// and gives the kernel as a launch would compile it. Of the module's statements those run that bind a name which the
// kernel or one of them reads, in the order of the text; launches, tests and prints around them do not, nor do the
// kernel's own decorators. A value that is changed in place by another statement is seen as it was bound. The kernel is
// nil where a statement fails; the list says why.
func Define(file *source.File, kernel string, o Options) (*lower.Function, diag.List) {
	m := newMachine(o)
	file = m.sources.Add(file)
	tree, list := syntax.Parse(file)
	if list.HasErrors() {
		return nil, list
	}
	u := newUnit(tree, m.main)
	symbol := u.info.ModuleScope().Names[kernel]
	if symbol == nil || symbol.Function() == nil {
		return nil, nil
	}
	def := symbol.Function()
	f := m.topFrame(u)
	out := Outcome{}
	m.runOutcome(func() {
		u.declare()
		m.inFrame(f, func() { f.execBlock(definitionsFor(u.info, def)) })
	}, &out)
	if out.Diagnostics.HasErrors() {
		return nil, out.Diagnostics
	}
	return &lower.Function{File: file, Def: def, Scope: scope{m, f}, JIT: true, Names: u.said}, out.Diagnostics
}

// definitionsFor are the statements of a module that bind the names which a function of it reads, and those that they
// read in turn.
func definitionsFor(info *resolve.Info, fn *syntax.FunctionDef) []syntax.Stmt {
	body := info.Module.Body
	needed := make([]bool, len(body))
	var need func(n syntax.Node)
	need = func(n syntax.Node) {
		syntax.Walk(n, func(n syntax.Node) bool {
			name, ok := n.(*syntax.Name)
			if !ok || info.Names[name].Kind != resolve.Global {
				return true
			}
			for _, d := range info.Names[name].Symbol.Decls {
				at, _ := slices.BinarySearchFunc(body, d.Span.Start+1, func(s syntax.Stmt, after int32) int {
					return cmp.Compare(s.Span().End, after)
				})
				if at < len(body) && body[at] != syntax.Stmt(fn) && !needed[at] {
					needed[at] = true
					need(body[at])
				}
			}
			return true
		})
	}
	undecorated := *fn
	undecorated.Decorators = nil
	need(&undecorated)
	var out []syntax.Stmt
	for i, s := range body {
		if needed[i] {
			out = append(out, s)
		}
	}
	return out
}
