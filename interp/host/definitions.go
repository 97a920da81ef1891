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
	body := EliminateDeadBranches(tree, o).Body
	def := functionNamed(body, kernel)
	if def == nil {
		return nil, nil
	}
	undecorated := *def
	undecorated.Decorators = nil
	needed := definitionsFor(u.info, slices.DeleteFunc(slices.Clone(body), func(s syntax.Stmt) bool {
		return s == syntax.Stmt(def)
	}), &undecorated)
	f := m.topFrame(u)
	out := Outcome{}
	m.runOutcome(func() {
		u.declare()
		m.inFrame(f, func() { f.execBlock(needed) })
	}, &out)
	if out.Diagnostics.HasErrors() {
		return nil, out.Diagnostics
	}
	return &lower.Function{File: file, Def: def, Scope: scope{m, f}, JIT: true, Names: u.said}, out.Diagnostics
}

// functionNamed is the last function of a name that a module defines at its top level; nil if there is none.
func functionNamed(body []syntax.Stmt, name string) *syntax.FunctionDef {
	for _, s := range slices.Backward(body) {
		if def, ok := s.(*syntax.FunctionDef); ok && def.Name == name {
			return def
		}
	}
	return nil
}

// definitionsFor are the statements of a module's body that bind the names which nodes of it read, and those that they
// read in turn.
func definitionsFor(info *resolve.Info, body []syntax.Stmt, nodes ...syntax.Node) []syntax.Stmt {
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
				if at < len(body) && body[at].Span().Start <= d.Span.Start && !needed[at] {
					needed[at] = true
					need(body[at])
				}
			}
			return true
		})
	}
	for _, n := range nodes {
		need(n)
	}
	var out []syntax.Stmt
	for i, s := range body {
		if needed[i] {
			out = append(out, s)
		}
	}
	return out
}
