package host

import (
	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/compiler/resolve"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
)

// evalText is eval(text): the value of an expression among the variables of f. Whatever goes
// wrong is shown at the call.
func (f *frame) evalText(a arguments, span source.Span) Value {
	m := f.m
	a.want("eval", 1, 1)
	text, ok := a.positional[0].(python.Str)
	if !ok {
		raise("TypeError", "eval() arg 1 must be a string, not %s", a.positional[0].Type())
	}
	m.budget.chargeItems(len(text))
	tree, diags := syntax.Parse(source.NewFile("<string>", string(text)))
	if diags.HasErrors() || len(tree.Body) != 1 {
		raise("SyntaxError", "invalid syntax in eval(): %s", python.Repr(text))
	}
	statement, ok := tree.Body[0].(*syntax.ExprStmt)
	if !ok {
		raise("SyntaxError", "eval() takes an expression, not a statement")
	}
	f.addNames(tree)
	done := false
	defer func() {
		if done {
			return
		}
		e := m.caught(recover())
		e.span = span
		if e.stop != nil {
			e.stop.Primary.Span = span
		}
		panic(e)
	}()
	v := f.eval(statement.Value)
	done = true
	m.at = span
	return v
}

// addNames adds the names of another tree to the module's, bound to the variables of f.
func (f *frame) addNames(tree *syntax.Module) {
	m := f.m
	info, _ := resolve.Resolve(tree)
	for node, scope := range info.Scopes {
		m.info.Scopes[node] = scope
	}
	for n, b := range info.Names {
		if b.Symbol == nil || b.Kind == resolve.Global {
			b = resolve.Binding{}
			if sym := f.symbolNamed(n.ID); sym != nil {
				b = resolve.Binding{Kind: resolve.Free, Symbol: sym}
				if sym.Scope.Kind == resolve.ModuleScope {
					b.Kind = resolve.Global
				}
			}
		}
		m.info.Names[n] = b
	}
}
