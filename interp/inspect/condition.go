package inspect

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
)

// condition is an expression of Python over variables of one function of the kernel and the arguments of its launch:
// pid == 3 and isnan(x). A block is all of its lanes, and is true where any of them is.
type condition struct {
	expr   syntax.Expr
	names  map[string]bool // that it reads
	binary map[string]func(a, b float64) float64
	lanes  map[string]func(x float64) float64
	folds  map[string]func(x []float64) float64
}

// newCondition reads a condition. The text says what is wrong with it; known are the names that it may have.
func newCondition(text string, known map[string]bool) (*condition, *diag.Text) {
	file := source.NewFile("condition", "("+strings.TrimSpace(text)+")\n")
	m, problems := syntax.Parse(file)
	var statement *syntax.ExprStmt
	if len(m.Body) == 1 {
		statement, _ = m.Body[0].(*syntax.ExprStmt)
	}
	if len(problems) > 0 || statement == nil {
		return nil, &diag.Text{Key: "seek.syntax", Args: []any{text}}
	}
	c := &condition{expr: statement.Value, names: map[string]bool{}, binary: binary(), lanes: lanes(), folds: folds()}
	return c, c.check(c.expr, file, known)
}

// check says what is wrong with an expression of a condition, and gathers its names.
func (c *condition) check(e syntax.Expr, file *source.File, known map[string]bool) (wrong *diag.Text) {
	syntax.Walk(e, func(n syntax.Node) bool {
		if wrong != nil {
			return false
		}
		name, isName := n.(*syntax.Name)
		call, isCall := n.(*syntax.Call)
		switch {
		case isName && !known[name.ID]:
			wrong = &diag.Text{Key: "seek.unknown", Args: []any{name.ID}}
		case isName:
			c.names[name.ID] = true
		case !c.supports(n):
			wrong = &diag.Text{Key: "seek.unsupported", Args: []any{file.Slice(n.Span())}}
		case isCall:
			wrong = c.check(call.Args[0], file, known)
		}
		return !isCall // whose function is no variable
	})
	return wrong
}

// supports reports whether a condition may have such a node.
func (c *condition) supports(n syntax.Node) bool {
	switch n := n.(type) {
	case *syntax.Constant:
		_, ok := number(n)
		return ok
	case *syntax.BinOp:
		return c.binary[n.Op] != nil
	case *syntax.Compare:
		return !slices.ContainsFunc(n.Ops, func(op string) bool { return c.binary[op] == nil })
	case *syntax.UnaryOp, *syntax.BoolOp:
		return true
	case *syntax.Call:
		name := function(n)
		known := name == "program_id" || c.lanes[name] != nil || c.folds[name] != nil
		return known && len(n.Args) == 1 && len(n.Keywords) == 0
	}
	return false
}

// function is the name of a call's function, without tl.
func function(n *syntax.Call) string {
	return strings.TrimPrefix((&expressions{}).callee(n.Func), "tl.")
}

// holds reports whether the condition is true for the values of variables by now. One that has none makes it false.
func (c *condition) holds(values map[string][]float64, program [3]int) bool {
	out, ok := c.value(c.expr, values, program)
	return ok && truth(out)
}

func truth(lanes []float64) bool {
	return slices.ContainsFunc(lanes, func(x float64) bool { return x != 0 })
}

// value is that of an expression, lane by lane; not ok where a variable has none yet, or blocks differ in size.
func (c *condition) value(e syntax.Expr, values map[string][]float64, program [3]int) (out []float64, ok bool) {
	switch e := e.(type) {
	case *syntax.Name:
		out, ok = values[e.ID]
		return out, ok
	case *syntax.Constant:
		x, ok := number(e)
		return []float64{x}, ok
	case *syntax.UnaryOp:
		return c.unary(e, values, program)
	case *syntax.BinOp:
		return c.apply(e.Op, e.Left, e.Right, values, program)
	case *syntax.BoolOp:
		return c.chain(e, values, program)
	case *syntax.Compare:
		left, all := e.Left, []float64{1}
		for i, op := range e.Ops {
			each, ok := c.apply(op, left, e.Comparators[i], values, program)
			if !ok {
				return nil, false
			}
			if all, ok = zip(all, each, c.binary["*"]); !ok {
				return nil, false
			}
			left = e.Comparators[i]
		}
		return all, true
	case *syntax.Call:
		return c.call(e, values, program)
	}
	return nil, false
}

func (c *condition) unary(e *syntax.UnaryOp, values map[string][]float64, program [3]int) ([]float64, bool) {
	x, ok := c.value(e.Operand, values, program)
	if !ok {
		return nil, false
	}
	if e.Op == "not" {
		return []float64{number01(!truth(x))}, true
	}
	sign := map[string]float64{"+": 1, "-": -1, "~": -1}[e.Op]
	out := make([]float64, len(x))
	for i := range x {
		if out[i] = sign * x[i]; e.Op == "~" {
			out[i]-- // ~x is -x - 1
		}
	}
	return out, true
}

// chain is a chain of and, or of or, which ends with the first value that decides it.
func (c *condition) chain(e *syntax.BoolOp, values map[string][]float64, program [3]int) (out []float64, ok bool) {
	for _, v := range e.Values {
		if out, ok = c.value(v, values, program); !ok || truth(out) == (e.Op == "or") {
			return out, ok
		}
	}
	return out, ok
}

func (c *condition) apply(op string, l, r syntax.Expr, values map[string][]float64, program [3]int) ([]float64, bool) {
	a, ok := c.value(l, values, program)
	b, fine := c.value(r, values, program)
	if !ok || !fine {
		return nil, false
	}
	return zip(a, b, c.binary[op])
}

func (c *condition) call(e *syntax.Call, values map[string][]float64, program [3]int) ([]float64, bool) {
	x, ok := c.value(e.Args[0], values, program)
	if !ok || len(x) == 0 {
		return nil, false
	}
	switch name := function(e); {
	case name == "program_id":
		axis := int(x[0])
		return []float64{float64(program[max(0, min(axis, 2))])}, axis >= 0 && axis < 3
	case c.folds[name] != nil:
		return []float64{c.folds[name](x)}, true
	default:
		out := make([]float64, len(x))
		for i := range x {
			out[i] = c.lanes[name](x[i])
		}
		return out, true
	}
}

// zip applies an operation lane by lane; one lane stands for as many as the other side has.
func zip(a, b []float64, f func(a, b float64) float64) ([]float64, bool) {
	if len(a) != len(b) && len(a) != 1 && len(b) != 1 {
		return nil, false
	}
	out := make([]float64, max(len(a), len(b)))
	for i := range out {
		out[i] = f(a[min(i, len(a)-1)], b[min(i, len(b)-1)])
	}
	return out, true
}

// number is that of a literal.
func number(n *syntax.Constant) (x float64, ok bool) {
	switch n.Kind {
	case syntax.IntConst:
		x, err := strconv.ParseFloat(n.Text, 64)
		return x, err == nil
	case syntax.FloatConst:
		return n.Float, true
	}
	return number01(n.Kind == syntax.TrueConst), n.Kind == syntax.TrueConst || n.Kind == syntax.FalseConst
}

func number01(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// binary are the operators between two numbers, as Python has them. Like lanes and folds they are made where they are
// wanted: a table would be linked by every program that imports the package.
func binary() map[string]func(a, b float64) float64 {
	whole := func(f func(a, b int64) int64) func(a, b float64) float64 {
		return func(a, b float64) float64 { return float64(f(int64(a), int64(b))) }
	}
	return map[string]func(a, b float64) float64{
		"+":  func(a, b float64) float64 { return a + b },
		"-":  func(a, b float64) float64 { return a - b },
		"*":  func(a, b float64) float64 { return a * b },
		"/":  func(a, b float64) float64 { return a / b },
		"//": func(a, b float64) float64 { return math.Floor(a / b) },
		"%":  func(a, b float64) float64 { return a - b*math.Floor(a/b) },
		"**": math.Pow,
		"&":  whole(func(a, b int64) int64 { return a & b }),
		"|":  whole(func(a, b int64) int64 { return a | b }),
		"^":  whole(func(a, b int64) int64 { return a ^ b }),
		"==": func(a, b float64) float64 { return number01(a == b) },
		"!=": func(a, b float64) float64 { return number01(a != b) },
		"<":  func(a, b float64) float64 { return number01(a < b) },
		"<=": func(a, b float64) float64 { return number01(a <= b) },
		">":  func(a, b float64) float64 { return number01(a > b) },
		">=": func(a, b float64) float64 { return number01(a >= b) },
	}
}

// lanes are the functions of one lane.
func lanes() map[string]func(x float64) float64 {
	return map[string]func(x float64) float64{
		"abs":   math.Abs,
		"isnan": func(x float64) float64 { return number01(math.IsNaN(x)) },
		"isinf": func(x float64) float64 { return number01(math.IsInf(x, 0)) },
	}
}

// folds are the functions of all lanes of a block, of which there is at least one.
func folds() map[string]func(x []float64) float64 {
	return map[string]func(x []float64) float64{
		"min": slices.Min[[]float64],
		"max": slices.Max[[]float64],
		"any": func(x []float64) float64 { return number01(truth(x)) },
		"all": func(x []float64) float64 { return number01(!slices.Contains(x, 0)) },
		"sum": func(x []float64) (out float64) {
			for _, v := range x {
				out += v
			}
			return out
		},
	}
}
