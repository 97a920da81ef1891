package host

import (
	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
)

// builtinEval is eval(text, globals, locals).
func builtinEval(m *machine, a arguments) Value {
	a.want("eval", 1, 3)
	text, ok := a.positional[0].(python.Str)
	if !ok {
		raise("TypeError", "eval() arg 1 must be a string, bytes or code object")
	}
	tree := m.parseText(string(text))
	statement, ok := tree.Body[0].(*syntax.ExprStmt)
	if !ok || len(tree.Body) != 1 {
		raise("SyntaxError", "invalid syntax (<string>, line 1)")
	}
	f := m.textFrame(tree, a)
	var v Value
	m.inFrame(f, func() { v = f.eval(statement.Value) })
	return v
}

// parseText reads the argument of eval.
func (m *machine) parseText(text string) *syntax.Module {
	m.budget.chargeItems(len(text))
	tree, said := syntax.Parse(m.sources.Add(source.NewFile("<string>", text)))
	if said.HasErrors() {
		throwOwn("SyntaxError", said[0])
	}
	if len(tree.Body) == 0 {
		raise("SyntaxError", "invalid syntax (<string>, line 0)")
	}
	return tree
}

// textFrame is the frame in which eval runs a text: among the variables of its caller, or of the dicts that it
// was given.
func (m *machine) textFrame(tree *syntax.Module, a arguments) *frame {
	space, locals := m.frame.unit.space, (*Dict)(nil)
	if m.frame.names != space.vars {
		locals = m.frame.locals()
	}
	if d := dictArgument("globals", a.at(1, none)); d != nil {
		space, locals = &namespace{name: "__main__", vars: d, declared: space.declared}, nil
	}
	if d := dictArgument("locals", a.at(2, none)); d != nil {
		locals = d
	}
	u := newUnit(tree, space)
	u.locals = locals
	return m.topFrame(u)
}

func dictArgument(name string, v Value) *Dict {
	if v == none {
		return nil
	}
	d, ok := v.(*Dict)
	if !ok {
		raise("TypeError", "%s must be a dict", name)
	}
	return d
}
