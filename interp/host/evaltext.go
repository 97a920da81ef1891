package host

import (
	"cmp"
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
)

// builtinEval is eval(text, globals, locals).
func builtinEval(m *machine, a arguments) Value {
	if c, ok := a.positional[0].(code); ok && c.mode != "eval" {
		return builtinExec(m, a)
	}
	tree := codeOf(m, "eval", a.positional[0])
	statement := mustExpression(tree)
	f := textFrame(m, tree, a)
	var v Value
	m.inFrame(f, func() { v = f.evalExpr(statement.Value) })
	return v
}

// mustExpression is the expression that a text for eval is.
func mustExpression(tree *syntax.Module) *syntax.ExprStmt {
	if len(tree.Body) == 0 {
		raise("SyntaxError", "invalid syntax (%s, line 0)", tree.File.Name)
	}
	statement, ok := tree.Body[0].(*syntax.ExprStmt)
	if !ok || len(tree.Body) != 1 {
		raise("SyntaxError", "invalid syntax (%s, line 1)", tree.File.Name)
	}
	return statement
}

// code is what compile() gives: a text that has been read.
type code struct {
	tree *syntax.Module
	mode string
}

// Type is the name of the class.
func (code) Type() string { return "code" }

// builtinCompile is compile(source, filename, mode).
func builtinCompile(m *machine, a arguments) Value {
	v := a.positional
	mode := m.strOf(v[2])
	if !slices.Contains([]string{"exec", "eval", "single"}, mode) {
		raise("ValueError", "compile() mode must be 'exec', 'eval' or 'single'")
	}
	text := v[0]
	if data, ok := bytesIn(text); ok {
		text = decodeBytes(data, "utf-8", "strict")
	}
	s, ok := text.(python.Str)
	if !ok {
		raise("TypeError", "compile() arg 1 must be a string, bytes or AST object")
	}
	tree := parseText(m, m.strOf(v[1]), string(s))
	if mode == "eval" {
		mustExpression(tree)
	}
	return code{tree, mode}
}

// codeOf is the tree of the first argument of eval or exec.
func codeOf(m *machine, name string, v Value) *syntax.Module {
	switch v := v.(type) {
	case code:
		return v.tree
	case python.Str:
		text := string(v)
		if name == "eval" { // which takes an expression behind blanks
			text = strings.TrimLeft(text, " \t")
		}
		return parseText(m, "<string>", text)
	}
	raise("TypeError", "%s() arg 1 must be a string, bytes or code object", name)
	return nil
}

// parseText reads the argument of eval, exec or compile.
func parseText(m *machine, name, text string) *syntax.Module {
	m.budget.chargeItems(len(text))
	tree, said := syntax.Parse(m.sources.Add(source.NewFile(name, text)))
	if said.HasErrors() {
		throwSyntax(said[0])
	}
	return tree
}

// indentationErrors are the exceptions of texts whose lines are not indented as Python wants them; any other is a
// SyntaxError.
var indentationErrors = map[string]string{"unexpected-indent": "IndentationError", "expected-block": "IndentationError",
	"bad-dedent": "IndentationError", "outdented-line": "IndentationError", "mixed-indentation": "TabError"}

// throwSyntax raises the exception of a text that cannot be read.
func throwSyntax(d *diag.Diagnostic) {
	throwOwn(cmp.Or(indentationErrors[d.Code], "SyntaxError"), d)
}

// textFrame is the frame in which eval runs a text: among the variables of its caller, or of the dicts that it
// was given.
func textFrame(m *machine, tree *syntax.Module, a arguments) *frame {
	space, locals := m.frame.unit.space, (*Dict)(nil)
	// At the top level of a module locals() is globals(), so that exec can bind names there.
	if m.frame.names != space.vars {
		locals = m.frame.localNames()
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

// builtinExec is exec(text, globals, locals).
func builtinExec(m *machine, a arguments) Value {
	tree := codeOf(m, "exec", a.positional[0])
	f := textFrame(m, tree, a)
	// Messages about kernels point at what the text binds.
	f.unit.declare()
	m.inFrame(f, func() { f.execBlock(tree.Body) })
	return none
}

// builtinVars is vars(object): its __dict__, or locals() without an object.
func builtinVars(m *machine, a arguments) Value {
	if a.positional[0] == nil {
		return m.frame.localNames()
	}
	names, ok := m.attrOr(a.positional[0], "__dict__")
	if !ok {
		raise("TypeError", "vars() argument must have __dict__ attribute")
	}
	return names
}

// builtinDir is dir(object): the names of its attributes that newt knows, or of locals() without an object.
func builtinDir(m *machine, a arguments) Value {
	var names []string
	if a.positional[0] == nil {
		names = m.frame.localNames().names()
	} else {
		names = attributeNames(a.positional[0])
	}
	slices.Sort(names)
	out := &List{}
	for _, name := range slices.Compact(names) {
		out.Items = append(out.Items, python.Str(name))
	}
	m.budget.chargeItems(len(out.Items))
	return out
}

func attributeNames(v Value) (names []string) {
	classes := func(c *Class) {
		for _, d := range c.mro() {
			names = append(names, d.attrs.names()...)
		}
		names = append(names, sortedNames(objectMethods)...)
		names = append(names, "__class__", "__dict__", "__module__", "__doc__")
	}
	switch o := v.(type) {
	case *Instance:
		names = o.attrs.names()
		classes(o.class)
	case *Class:
		classes(o)
	case *namespace:
		names = o.names()
	case *Library:
		names = sortedNames(o.members)
	default:
		classes(typeOf(v))
	}
	return names
}

// builtinSuper is super(class, object), and super() where the method is known.
func builtinSuper(m *machine, a arguments) Value {
	if a.positional[1] == nil {
		if m.frame == nil || m.frame.call == nil {
			raise("RuntimeError", "super(): no arguments")
		}
		return superOf(m.frame.call)
	}
	c, ok := a.positional[0].(*Class)
	if !ok {
		raise("TypeError", "super() argument 1 must be a type, not %s", a.positional[0].Type())
	}
	return &superObject{c, a.positional[1]}
}
