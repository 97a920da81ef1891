package api

import (
	"fmt"
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/interp/host"
	"github.com/newtlab/newt/interp/launch"
	"github.com/newtlab/newt/interp/tensor"
	"github.com/newtlab/newt/puzzles"
	"github.com/newtlab/newt/puzzles/judge"
)

// Limits on what the form's fields may make. They are evaluated at each keystroke in the source.
const (
	maxFreeElements = 1 << 24 // of one tensor
	maxFreeBytes    = 1 << 28 // of all tensors; a run keeps them as they were beside them
	maxFreeSteps    = 1 << 18 // statements, calls and items
)

// problem is what is wrong with one field of the form, in the call's language.
type problem struct{ field, text string }

func (p *problem) Error() string { return p.text }

// wrongField is a problem of a field: an argument's name, or grid. The texts' first argument is the field.
func (c *call) wrongField(key, field string, args ...any) error {
	return &problem{field, diag.Text{Key: key, Args: append([]any{field}, args...)}.In(c.lang)}
}

// freeArgs are the arguments of a free run, evaluated.
type freeArgs struct {
	call    *call
	module  *host.Session
	args    []launch.Arg
	tensors []judge.Array // in the order of the arguments, sharing memory with args
	grid    [3]int
}

// evaluate makes the arguments and the grid by running a script that the form's fields fill in.
// Each field is one expression, checked before it is put there.
func (c *call) evaluate(r *FreeRequest) (*freeArgs, error) {
	// fields maps lines of the script to fields, so that what goes wrong on a line is reported at its field.
	lines := []string{"import math", "import torch", "import triton", fmt.Sprintf("torch.manual_seed(%d)", r.Seed)}
	fields := map[int]string{}
	add := func(field, line string) {
		lines = append(lines, line)
		fields[len(lines)] = field
	}
	// All fields are checked first: what is put into the script is one expression each, never a statement.
	ordered, err := c.inOrder(r.Args)
	if err != nil {
		return nil, err
	}
	for _, a := range ordered {
		text, err := c.argument(a)
		if err != nil {
			return nil, err
		}
		for _, line := range text {
			add(a.Name, line)
		}
	}
	if err := c.checkField("grid", r.Grid, r.Args); err != nil {
		return nil, err
	}
	add("grid", "newt_grid = "+r.Grid)
	file := source.NewFile("arguments.py", strings.Join(lines, "\n")+"\n")
	module, list := host.Load(file, host.Options{
		Tensors:  tensor.New(tensor.Options{MaxElements: maxFreeElements, MaxBytes: maxFreeBytes}),
		MaxSteps: maxFreeSteps, MaxItems: maxFreeSteps, Libraries: host.SpecLibraries(),
	})
	for _, d := range list {
		if d.Severity == diag.Error {
			field := fields[file.Position(d.Primary.Span.Start).Line]
			return nil, c.wrongField("free.field", field, d.In(c.lang).Headline)
		}
	}
	f := &freeArgs{call: c, module: module}
	return f, f.collect(r)
}

// argument is the script's lines that make one argument.
func (c *call) argument(a *FreeArg) ([]string, error) {
	if !isName(a.Name) {
		return nil, c.wrongField("free.not-name", a.Name)
	}
	if a.Kind != "tensor" {
		return []string{a.Name + " = " + a.Value}, nil
	}
	fill, ok := puzzles.Fills[a.Fill]
	if _, known := tensor.DTypeNamed(a.DType); !known || !ok {
		return nil, c.wrongField("free.not-tensor", a.Name)
	}
	return []string{
		fmt.Sprintf("shape, dtype = (%s), torch.%s", shapeTuple(a.Shape), a.DType),
		fmt.Sprintf("%s = %s", a.Name, fill),
	}, nil
}

// inOrder sorts arguments so that each follows those whose names its field uses, and tensors, which are
// drawn from one random stream, follow all numbers.
func (c *call) inOrder(args []FreeArg) ([]*FreeArg, error) {
	var left, ordered []*FreeArg
	for _, tensors := range []bool{false, true} {
		for i := range args {
			if (args[i].Kind == "tensor") == tensors {
				left = append(left, &args[i])
			}
		}
	}
	for _, a := range left {
		if err := c.checkField(a.Name, a.expression(), args); err != nil {
			return nil, err
		}
	}
	for len(left) > 0 {
		// The first argument that uses none of the others: the form's order is kept where it can be.
		ready := slices.IndexFunc(left, func(a *FreeArg) bool {
			names := namesIn(a.expression())
			return !slices.ContainsFunc(left, func(other *FreeArg) bool { return slices.Contains(names, other.Name) })
		})
		if ready < 0 {
			return nil, c.wrongField("free.circular", left[0].Name)
		}
		ordered = append(ordered, left[ready])
		left = slices.Delete(left, ready, ready+1)
	}
	return ordered, nil
}

// expression is the field's text as one expression.
func (a *FreeArg) expression() string {
	if a.Kind == "tensor" {
		return "(" + a.Shape + ",)"
	}
	return a.Value
}

// hostNames are the names that a field can use besides those of the arguments.
var hostNames = strings.Fields("math torch triton abs bool float int len max min pow round sum")

// checkField reports a field that is no expression, or uses a name that means nothing there.
func (c *call) checkField(field, text string, args []FreeArg) error {
	if !isExpression(text) {
		return c.wrongField("free.not-expression", field, strings.TrimSuffix(strings.TrimPrefix(text, "("), ",)"))
	}
	var known []string
	for i := range args {
		if args[i].Kind != "tensor" && args[i].Name != field {
			known = append(known, args[i].Name)
		}
	}
	for _, name := range namesIn(text) {
		if name != field && !slices.Contains(known, name) && !slices.Contains(hostNames, name) {
			return c.wrongField("free.unknown-name", field, name, strings.Join(known, ", "))
		}
	}
	return nil
}

// namesIn are the names that an expression reads, save those that it binds itself.
func namesIn(text string) []string {
	m, _ := syntax.Parse(source.NewFile("field", "("+text+")"))
	var names []string
	bound := map[string]bool{}
	bind := func(n syntax.Node) bool {
		if name, ok := n.(*syntax.Name); ok {
			bound[name.ID] = true
		}
		return true
	}
	syntax.Walk(m, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Comp:
			for _, clause := range n.Clauses {
				syntax.Walk(clause.Target, bind)
			}
		case *syntax.NamedExpr:
			bind(n.Target)
		case *syntax.Lambda:
			for _, p := range n.Params.List {
				bound[p.Name] = true
			}
		case *syntax.Name:
			names = append(names, n.ID)
		}
		return true
	})
	return slices.DeleteFunc(names, func(name string) bool { return bound[name] })
}

// shapeTuple is a shape field as a tuple: "4, 200" and "(4, 200)" are written alike.
func shapeTuple(text string) string {
	text = strings.TrimSpace(text)
	if strings.HasPrefix(text, "(") || strings.HasPrefix(text, "[") {
		return "*" + text + ","
	}
	return strings.TrimSuffix(text, ",") + ","
}

// isExpression reports whether text is exactly one Python expression on one line.
func isExpression(text string) bool {
	// Any of these would end the expression, or the line that it becomes part of, before its closing parenthesis.
	if strings.ContainsAny(text, "\n\r#;\\") || len(text) > 1000 {
		return false
	}
	m, list := syntax.Parse(source.NewFile("field", "("+text+")"))
	if list.HasErrors() || len(m.Body) != 1 {
		return false
	}
	s, ok := m.Body[0].(*syntax.ExprStmt)
	return ok && s.Value.Span().End >= int32(len(text))
}

func isName(text string) bool {
	m, list := syntax.Parse(source.NewFile("field", text))
	if list.HasErrors() || len(m.Body) != 1 {
		return false
	}
	s, ok := m.Body[0].(*syntax.ExprStmt)
	if !ok {
		return false
	}
	n, ok := s.Value.(*syntax.Name)
	return ok && n.ID == text
}

// collect reads the script's results.
func (f *freeArgs) collect(r *FreeRequest) error {
	for _, a := range r.Args {
		v, _ := f.module.Global(a.Name)
		arg, err := f.arg(&a, v)
		if err != nil {
			return err
		}
		f.args = append(f.args, arg)
	}
	return f.readGrid()
}

func (f *freeArgs) arg(a *FreeArg, v host.Value) (launch.Arg, error) {
	if t, ok := host.AsTensor(v); ok {
		data := t.Bytes()
		array := judge.Array{Data: data}
		array.Name, array.DType, array.Shape = a.Name, t.DType(), t.Shape()
		f.tensors = append(f.tensors, array)
		return launch.Arg{Name: a.Name, Tensor: &launch.Tensor{Name: a.Name, DType: t.DType(), Data: data}}, nil
	}
	value, ok := host.Constant(v)
	if !ok {
		return launch.Arg{}, f.call.wrongField("free.not-constant", a.Name, v.Type())
	}
	// The form says that it is a float: 2 is 2.0 there, which specializes the kernel in another way.
	if a.Kind == "float" {
		x, isNumber, _ := python.AsFloat(v)
		if !isNumber {
			return launch.Arg{}, f.call.wrongField("free.not-constant", a.Name, v.Type())
		}
		value = x
	}
	return launch.Arg{Name: a.Name, Value: value, Constexpr: a.Kind == "constexpr"}, nil
}

func (f *freeArgs) readGrid() error {
	v, _ := f.module.Global("newt_grid")
	items := []host.Value{v}
	if t, ok := v.(host.Tuple); ok {
		items = t
	}
	f.grid = [3]int{1, 1, 1}
	for i, item := range items {
		n, ok := python.AsInt(item)
		size, fits := n.Int64()
		// n is the zero integer if the item is none.
		if i > 2 || !ok || !fits || size < 1 {
			return f.call.wrongField("free.not-grid", "grid", host.Repr(v))
		}
		f.grid[i] = int(size)
	}
	if len(items) == 0 {
		return f.call.wrongField("free.not-grid", "grid", "()")
	}
	return nil
}
