package api

import (
	"fmt"
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/interp/tensor"
)

// fillCalls make the tensors of the form, as people write them; the arguments are the shape, and ", dtype=…" where it
// is not the call's own.
var fillCalls = map[string]struct{ call, dtype string }{
	"rand":    {`torch.rand(%s%s, device="cuda")`, "float32"},
	"randn":   {`torch.randn(%s%s, device="cuda")`, "float32"},
	"randint": {`torch.randint(0, 100, (%s,)%s, device="cuda")`, "int64"},
	"arange":  {`torch.arange(math.prod((%s,))%s, device="cuda")`, "int64"},
	"zeros":   {`torch.zeros(%s%s, device="cuda")`, "float32"},
	"ones":    {`torch.ones(%s%s, device="cuda")`, "float32"},
	"nan":     {`torch.full((%s,), float("nan")%s, device="cuda")`, "float32"},
}

// drawn are the fills whose calls draw float32 or int64 alone, and convert.
var drawn = []string{"rand", "randn", "randint", "arange"}

// script writes the form's call as Python beneath the kernel: a document of two cells.
func (c *call) script(r *ScriptRequest) *ScriptReply {
	of := &r.Of
	ordered, err := c.inOrder(of.Args)
	if err == nil {
		err = c.checkField("grid", of.Grid, of.Args)
	}
	if err == nil && !isName(of.Kernel) {
		err = c.wrongField("free.not-name", of.Kernel)
	}
	if err != nil {
		return &ScriptReply{Problem: err.Error()}
	}
	var body, outputs []string
	for _, a := range ordered {
		if !isName(a.Name) {
			return &ScriptReply{Problem: c.wrongField("free.not-name", a.Name).Error()}
		}
		if a.Kind != "tensor" {
			body = append(body, a.Name+" = "+a.number())
			continue
		}
		_, known := tensor.DTypeNamed(a.DType)
		if _, ok := fillCalls[a.Fill]; !ok || !known {
			return &ScriptReply{Problem: c.wrongField("free.not-tensor", a.Name).Error()}
		}
		body = append(body, a.Name+" = "+a.tensorCall())
		if !slices.Contains(drawn, a.Fill) {
			outputs = append(outputs, a.Name)
		}
	}
	if len(outputs) == 0 {
		for _, a := range ordered[max(0, len(ordered)-1):] {
			outputs = append(outputs, a.Name)
		}
	}
	text := strings.Join(body, "\n")
	lines := importsFor(of.Source, text+of.Grid)
	if strings.Contains(text, "torch.rand") {
		lines = append(lines, fmt.Sprintf("torch.manual_seed(%d)", of.Seed))
	}
	lines = append(lines, body...)
	lines = append(lines, of.callLine())
	lines = append(lines, outputs[:max(0, len(outputs)-1)]...)
	for i := len(lines) - max(0, len(outputs)-1); i < len(lines); i++ {
		lines[i] = "print(" + lines[i] + ")"
	}
	lines = append(lines, outputs[max(0, len(outputs)-1):]...)
	return &ScriptReply{Source: strings.TrimRight(of.Source, "\n") + "\n\n\n# %%\n" + strings.Join(lines, "\n") + "\n"}
}

// number is the value of an argument that is no tensor. The form takes an integer for a float.
func (a *FreeArg) number() string {
	if a.Kind == "float" && !strings.ContainsAny(a.Value, ".eE") {
		return "float(" + a.Value + ")"
	}
	return a.Value
}

func (a *FreeArg) tensorCall() string {
	fill := fillCalls[a.Fill]
	shape := strings.TrimSuffix(strings.TrimSpace(a.Shape), ",")
	if inner, ok := bracketed(shape); ok {
		shape = inner
	}
	dtype, converted := "", ""
	if a.DType != fill.dtype {
		if slices.Contains(drawn, a.Fill) {
			converted = ".to(torch." + a.DType + ")"
		} else {
			dtype = ", dtype=torch." + a.DType
		}
	}
	text := fmt.Sprintf(fill.call, shape, dtype)
	if a.Fill == "arange" {
		text += ".reshape(" + shape + ")"
	}
	return text + converted
}

// bracketed is what stands in the brackets of a tuple or list that is all of a text.
func bracketed(text string) (string, bool) {
	m, list := syntax.Parse(source.NewFile("field", text))
	if list.HasErrors() || len(m.Body) != 1 {
		return "", false
	}
	s, ok := m.Body[0].(*syntax.ExprStmt)
	if !ok || !strings.HasPrefix(text, "(") && !strings.HasPrefix(text, "[") {
		return "", false
	}
	switch s.Value.(type) {
	case *syntax.Tuple, *syntax.List:
		return strings.TrimSuffix(strings.TrimSpace(text[1:len(text)-1]), ","), true
	}
	return "", false
}

// callLine is kernel[grid](arguments); those that are constexpr are named.
func (r *FreeRequest) callLine() string {
	grid := strings.TrimSpace(r.Grid)
	if inner, ok := bracketed(grid); ok {
		grid = inner
	}
	if !strings.Contains(grid, ",") || !isTupleOf(grid) {
		grid += ","
	}
	args := make([]string, len(r.Args))
	for i, a := range r.Args {
		args[i] = a.Name
		if a.Kind == "constexpr" {
			args[i] = a.Name + "=" + a.Name
		}
	}
	// No argument without a name may follow one with a name.
	named := slices.IndexFunc(args, func(a string) bool { return strings.Contains(a, "=") })
	for i := range args {
		if named >= 0 && i > named && !strings.Contains(args[i], "=") {
			args[i] += "=" + args[i]
		}
	}
	return fmt.Sprintf("%s[(%s)](%s)", r.Kernel, grid, strings.Join(args, ", "))
}

// isTupleOf reports whether a text in brackets is a tuple.
func isTupleOf(text string) bool {
	_, ok := bracketed("(" + text + ")")
	return ok
}

// importsFor are the imports that the text of a call needs and its kernel's source lacks.
func importsFor(kernel, text string) []string {
	var lines []string
	for _, name := range []string{"math", "torch", "triton"} {
		if strings.Contains(text, name+".") && !strings.Contains(kernel, "import "+name+"\n") {
			lines = append(lines, "import "+name)
		}
	}
	return lines
}
