package author

import (
	"slices"
	"strconv"
	"strings"

	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/puzzles"
)

// expressionsOf translates a Python tuple, or one value, into expressions as puzzles.Eval reads them:
// + and *, // as a division without remainder, cdiv. An element that cannot be said so is its value.
func expressionsOf(text string, values []int) []string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = strconv.Itoa(v)
	}
	for i, e := range elements(text) {
		if s, ok := translate(e, 0); ok && i < len(out) {
			out[i] = s
		}
	}
	return out
}

// elements are the expressions of a tuple's text; one where it is none.
func elements(text string) []syntax.Expr {
	m, list := syntax.Parse(source.NewFile("field", "("+text+")"))
	if list.HasErrors() || len(m.Body) != 1 {
		return nil
	}
	s, ok := m.Body[0].(*syntax.ExprStmt)
	if !ok {
		return nil
	}
	switch e := s.Value.(type) {
	case *syntax.Tuple:
		return e.Elts
	case *syntax.List:
		return e.Elts
	}
	return []syntax.Expr{s.Value}
}

// operators are Python's as puzzles.Eval writes them, and how strongly they bind.
var operators = map[string]struct {
	text string
	rank int
}{"+": {"+", 1}, "*": {"*", 2}, "//": {"/", 2}}

// translate writes an expression for puzzles.Eval; rank is that of the operator around it.
func translate(e syntax.Expr, rank int) (string, bool) {
	switch e := e.(type) {
	case *syntax.Constant:
		return e.Text, e.Kind == syntax.IntConst
	case *syntax.Name:
		return e.ID, true
	case *syntax.BinOp:
		op, ok := operators[e.Op]
		left, okLeft := translate(e.Left, op.rank)
		right, okRight := translate(e.Right, op.rank+1)
		text := left + " " + op.text + " " + right
		if op.rank < rank {
			text = "(" + text + ")"
		}
		return text, ok && okLeft && okRight
	case *syntax.Call:
		name, ok := e.Func.(*syntax.Attribute)
		if !ok || name.Attr != "cdiv" || len(e.Args) != 2 || len(e.Keywords) > 0 {
			return "", false
		}
		a, okA := translate(e.Args[0], 0)
		b, okB := translate(e.Args[1], 0)
		return "cdiv(" + a + ", " + b + ")", okA && okB
	}
	return "", false
}

// namesIn are the names of arguments in an expression for puzzles.Eval.
func namesIn(expression string) []string {
	return slices.DeleteFunc(puzzles.Words(expression), func(w string) bool { return w == "cdiv" || w[0] <= '9' })
}

// python writes an expression for puzzles.Eval as Python.
func python(expression string) string {
	return strings.NewReplacer("cdiv(", "triton.cdiv(", "/", "//").Replace(expression)
}

// isLiteral reports whether a text is one integer.
func isLiteral(text string) bool {
	_, err := strconv.Atoi(strings.TrimSpace(text))
	return err == nil
}
