package inspect

import (
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
)

// expression is an operation as the source writes it.
type expression struct {
	span source.Span // of its text
	op   string      // tl.load, pid * B0, +=, for
	name string      // the variable that it is assigned to
	loop bool        // a loop, of which each iteration is a step
	call bool

	variable int // name's number; -1 where it has none
}

// variable is a name of a function; of none where it is the file's.
type variable struct {
	function *syntax.FunctionDef
	name     string
}

// expressions are those of a file by the spans that operations have. It is only read once it is made.
type expressions struct {
	file      *source.File
	at        map[source.Span]expression
	functions []*syntax.FunctionDef // those around others first
	variables map[variable]int      // by number
}

func newExpressions(file *source.File) *expressions {
	x := &expressions{file: file, at: map[source.Span]expression{}, variables: map[variable]int{}}
	m, _ := syntax.Parse(file)
	names := map[source.Span]string{}
	syntax.Walk(m, func(n syntax.Node) bool {
		// Parents come first: an assignment is seen before its value.
		switch n := n.(type) {
		case *syntax.Assign:
			names[n.Value.Span()] = file.Slice(n.Targets[0].Span())
		case *syntax.AnnAssign:
			if n.Value != nil {
				names[n.Value.Span()] = file.Slice(n.Target.Span())
			}
		case *syntax.FunctionDef:
			x.functions = append(x.functions, n)
		case *syntax.NamedExpr:
			names[n.Value.Span()] = n.Target.ID
		}
		e := x.of(n)
		if e.op == "" {
			return true
		}
		if e.name == "" {
			e.name = names[n.Span()]
		}
		x.at[n.Span()] = e
		return true
	})
	for at, e := range x.at {
		e.variable = -1
		if e.name != "" {
			v := variable{x.function(at), e.name}
			if _, known := x.variables[v]; !known {
				x.variables[v] = len(x.variables)
			}
			e.variable = x.variables[v]
		}
		x.at[at] = e
	}
	return x
}

// of is what a node says of its operation; its op is empty where it has none.
func (x *expressions) of(n syntax.Node) expression {
	e := expression{span: n.Span()}
	switch n := n.(type) {
	case *syntax.BinOp, *syntax.UnaryOp, *syntax.BoolOp, *syntax.Compare, *syntax.IfExp, *syntax.Subscript:
		e.op = x.short(n)
	case *syntax.Call:
		e.op, e.call = x.callee(n.Func), true
	case *syntax.AugAssign:
		e.op, e.name = n.Op+"=", x.file.Slice(n.Target.Span())
	case *syntax.For:
		e.span = n.Target.Span().Join(n.Iter.Span())
		e.op, e.name, e.loop = "for", x.file.Slice(n.Target.Span()), true
	case *syntax.While:
		e.span, e.op, e.loop = n.Test.Span(), "while", true
	}
	return e
}

// maxLabel is how many runes of an expression name its operation at most.
const maxLabel = 36

// short is the text of an expression in one line, cut where it is long.
func (x *expressions) short(n syntax.Node) string {
	text := []rune(strings.Join(strings.Fields(x.file.Slice(n.Span())), " "))
	if len(text) > maxLabel {
		return string(text[:maxLabel-1]) + "…"
	}
	return string(text)
}

// callee is how a call names its function: tl.load, or .sum for a method of what is not a name.
func (x *expressions) callee(f syntax.Expr) string {
	switch f := f.(type) {
	case *syntax.Name:
		return f.ID
	case *syntax.Attribute:
		base := x.callee(f.Value)
		return base + "." + f.Attr
	}
	return ""
}

// function is the innermost one around a place; nil where there is none.
func (x *expressions) function(at source.Span) *syntax.FunctionDef {
	for _, f := range slices.Backward(x.functions) {
		if span := f.Span(); span.Start <= at.Start && at.End <= span.End {
			return f
		}
	}
	return nil
}
