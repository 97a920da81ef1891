package lower

import (
	"fmt"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/compiler/syntax"
)

// Members is a module of the program, a class or a member of an enum, which kernels use for what hangs below it.
type Members struct {
	Scope         // its attributes
	Module bool   // and not a class: the only one that Triton's compiler takes as a global
	Text   string // as Python's messages name it: "module 'helpers'", "type object 'Mode'"
}

// membersValue is a Members while a kernel is lowered.
type membersValue struct{ Members }

// attributeOf is a name below something of the program.
type attributeOf struct {
	scope Scope
	name  string
}

// attribute lowers x.name where x is a module or a class of the program: the value that it has now.
func (x membersValue) attribute(l *lowerer, e *syntax.Attribute) value {
	key := attributeOf{x.Scope, e.Attr}
	if v, ok := l.globals.attributes[key]; ok {
		return v
	}
	o, ok := x.Lookup(e.Attr)
	if !ok {
		return l.raisePythonError(&python.Error{
			Class: "AttributeError", Message: fmt.Sprintf("%s has no attribute '%s'", x.Text, e.Attr)}, e)
	}
	l.result.Reads = append(l.result.Reads, Read{x.Scope, e.Attr, o.Value})
	v, ok := l.globals.scopeValue(o.Value)
	if !ok {
		v = l.fail(diag.New("module-in-kernel", l.spanOf(e), l.sourceText(e), l.sourceText(e.Value)))
	}
	l.globals.attributes[key] = v
	return v
}
