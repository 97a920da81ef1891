package tensor

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/newtlab/newt/compiler/num"
)

// param is one parameter of a signature.
type param struct {
	name      string
	kind      string
	optional  bool // takes None
	required  bool
	keyword   bool // only by keyword
	variadic  bool // *name: a sequence, or its items as arguments of their own
	otherwise any
}

// parseSignature reads "x: Tensor, *size: ints, *, dim: int? = None, keepdim: bool = False".
// The kinds are keys of the table kinds; "?" lets None through.
func parseSignature(text string) (params []param) {
	keyword := false
	for _, part := range strings.Split(text, ", ") {
		if part == "" {
			continue
		}
		if part == "*" {
			keyword = true
			continue
		}
		name, rest, ok := strings.Cut(part, ": ")
		if !ok {
			panic("signature " + text + ": no kind in " + part)
		}
		p := param{name: name, keyword: keyword, required: true}
		p.name, p.variadic = strings.CutPrefix(name, "*")
		// A parameter with a default may be left out.
		kind, value, ok := strings.Cut(rest, " = ")
		if ok {
			p.required, p.otherwise = false, literal(value)
		}
		p.kind, p.optional = strings.CutSuffix(kind, "?")
		if _, ok := kinds[p.kind]; !ok {
			panic("signature " + text + ": unknown kind " + p.kind)
		}
		params = append(params, p)
	}
	return params
}

func literal(text string) any {
	switch text {
	case "None":
		return nil
	case "True", "False":
		return text == "True"
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n
	}
	if f, err := strconv.ParseFloat(text, 64); err == nil {
		return f
	}
	return strings.Trim(text, "'")
}

// kinds says what Python type an argument must have, in torch's words, and converts it.
var kinds = map[string]struct {
	words string
	take  func(v any) (any, bool)
}{
	"Tensor":  {"Tensor", func(v any) (any, bool) { t, ok := v.(*Tensor); return t, ok }},
	"Operand": {"Tensor", takeOperand},
	"Number":  {"Number", takeNumber},
	"int":     {"int", takeInt},
	"ints":    {"tuple of ints", takeInts},
	"float":   {"float", takeFloat},
	"bool":    {"bool", func(v any) (any, bool) { b, ok := v.(bool); return b, ok }},
	"str":     {"str", func(v any) (any, bool) { s, ok := v.(string); return s, ok }},
	"dtype":   {"torch.dtype", func(v any) (any, bool) { d, ok := v.(num.DType); return d, ok }},
	"Tensors": {"tuple of Tensors", takeTensors},
	"device": {"torch.device", func(v any) (any, bool) {
		switch v.(type) {
		case Device, string, int64:
			return parseDevice(v), true
		}
		return nil, false
	}},
	"Generator": {"torch.Generator", func(v any) (any, bool) { s, ok := v.(Stream); return s, ok }},
	"any":       {"object", func(v any) (any, bool) { return v, true }},
}

func takeOperand(v any) (any, bool) {
	if t, ok := v.(*Tensor); ok {
		return operand{t, false}, true
	}
	if z, ok := v.(complex128); ok {
		return operand{c128(z), true}, true
	}
	if v, ok := takeNumber(v); ok {
		return numberOperand(v), true
	}
	return nil, false
}

func takeNumber(v any) (any, bool) {
	switch v := v.(type) {
	case bool, int64, float64:
		return v, true
	case *Tensor:
		if len(v.shape) == 0 && !v.IsComplex() { // torch takes such a tensor wherever it takes a number
			return v.item(), true
		}
	}
	return nil, false
}

func takeInt(v any) (any, bool) {
	switch v := v.(type) {
	case int64:
		return int(v), true
	case bool:
		return int(truth(v)), true
	case *Tensor:
		if v.numel() == 1 && !v.isFloat() {
			return int(v.Ints()[0]), true
		}
	}
	return nil, false
}

func takeInts(v any) (any, bool) {
	switch v := v.(type) {
	case Size:
		return []int(v), true
	case []any:
		out := make([]int, len(v))
		for i, x := range v {
			n, ok := takeInt(x)
			if !ok {
				return nil, false
			}
			out[i] = n.(int)
		}
		return out, true
	}
	if n, ok := takeInt(v); ok {
		return []int{n.(int)}, true
	}
	return nil, false
}

func takeFloat(v any) (any, bool) {
	n, ok := takeNumber(v)
	if !ok {
		return nil, false
	}
	return toFloat(n), true
}

func takeTensors(v any) (any, bool) {
	switch v := v.(type) {
	case []*Tensor:
		return v, true
	case []any:
		out := make([]*Tensor, len(v))
		for i, x := range v {
			t, ok := x.(*Tensor)
			if !ok {
				return nil, false
			}
			out[i] = t
		}
		return out, true
	}
	return nil, false
}

// toFloat converts a Python number.
func toFloat(v any) float64 {
	switch v := v.(type) {
	case bool:
		return float64(truth(v))
	case int64:
		return float64(v)
	case float64:
		return v
	}
	return 0
}

// numberOperand makes a Python number the 0-dim tensor that arithmetic takes it for.
func numberOperand(v any) operand {
	// The dtype is that of Python's number. resultType ranks it below tensors of the same category, as torch does.
	d := num.Float64
	switch v.(type) {
	case bool:
		d = num.Int1
	case int64:
		d = num.Int64
	}
	t := &Tensor{layout: contiguous(nil), storage: newStorage(d.Info().Bytes), dtype: d}
	t.fill(v)
	return operand{t, true}
}

// args are the bound arguments of a call, in the order of the signature; nil is None.
type args []any

func (a args) has(i int) bool          { return a[i] != nil }
func (a args) tensors(i int) []*Tensor { return a[i].([]*Tensor) }
func (a args) operand(i int) operand   { return a[i].(operand) }
func (a args) int(i int) int           { n, _ := a[i].(int); return n }
func (a args) float(i int) float64     { return toFloat(a[i]) }
func (a args) bool(i int) bool         { b, _ := a[i].(bool); return b }
func (a args) str(i int) string        { s, _ := a[i].(string); return s }

func (a args) tensor(i int) *Tensor {
	if o, ok := a[i].(operand); ok && !o.number {
		return o.Tensor
	}
	t, _ := a[i].(*Tensor)
	return t
}

func (a args) ints(i int) []int {
	n, _ := a[i].([]int)
	return n
}

func (a args) dtype(i int, otherwise num.DType) num.DType {
	if d, ok := a[i].(num.DType); ok {
		return d
	}
	return otherwise
}

// synonyms are keyword names that torch takes for a parameter of another name.
var synonyms = map[string][]string{
	"axis": {"dim", "dims"}, "x": {"input"}, "self": {"input"}, "keepdims": {"keepdim"}, "x1": {"input"},
	"x2": {"other"}, "end": {"end"}, "condition": {"condition"}, "size": {"size", "shape"}, "ord": {"p"}, "from": {"from_"},
}

// ignored are keywords without a meaning here: there is one layout, and all memory is this process's.
var ignored = map[string]bool{
	"layout": true, "pin_memory": true, "memory_format": true, "non_blocking": true,
	"copy": true, "stable": true,
}

// bind lays arguments out by the signature and converts them.
func bind(op *Op, positional []any, keywords map[string]any) args {
	given := call{op, positional, keywords}
	out := make(args, len(op.params))
	filled := make([]bool, len(op.params))
	// Positional arguments first: each fills the next parameter, a variadic one takes as many as fit.
	next := 0
	for i, p := range op.params {
		if p.keyword || next >= len(positional) {
			break
		}
		// x.view(2, 3) means x.view((2, 3)): the numbers up to the next sequence or dtype are one argument.
		switch {
		case p.variadic && p.kind == "any": // of any kind: all that is left
			out[i], next = given.convert(i, positional[next:]), len(positional)
		case p.variadic && p.required && p.kind == "ints" && i > 0 && !op.method && !isSequence(positional[next]):
			// Of functions that take a tensor first, only the method takes the numbers one by one.
			given.mismatch(i, positional[next])
		case p.variadic && (p.required || op.method && positional[next] != nil) && !isSequence(positional[next]):
			n := next
			for n < len(positional) && !isSequence(positional[n]) {
				if _, ok := positional[n].(num.DType); ok {
					break
				}
				n++
			}
			out[i], next = given.convert(i, positional[next:n:n]), n
		default:
			out[i], next = given.convert(i, positional[next]), next+1
		}
		filled[i] = true
	}
	if next < len(positional) {
		given.refuse()
		if op.method && len(op.params) == 1 {
			typeError("TensorBase.%s() takes no arguments (%d given)", op.Name, len(positional)-1)
		}
		typeError("%s() takes %d positional arguments but %d were given", op.title(), countPositional(op),
			len(positional))
	}
	// Keywords then, under the name of the signature or another that torch takes for it.
	for name, v := range keywords {
		i := op.find(name)
		switch {
		case i < 0 && ignored[name]: // a parameter that the signature names is never ignored
			continue
		case i < 0:
			if !given.knows(name) {
				given.refuse()
			}
			lack("TypeError", "%s(…, %s=)", op.path(), name)
		case filled[i]:
			typeError("%s() got multiple values for argument '%s'", op.title(), name)
		}
		out[i], filled[i] = given.convert(i, v), true
	}
	for i, p := range op.params {
		switch {
		case filled[i]:
		case p.required && !(p.variadic && (p.name == "size" || p.name == "shape") && overloads[op.path()] == nil):
			given.refuse()
			typeError("%s() missing 1 required positional arguments: \"%s\"", op.title(), p.name)
		case p.required: // torch.rand() makes a tensor without dimensions
			out[i] = []int{}
		case p.otherwise != nil:
			out[i] = given.convert(i, p.otherwise)
		}
	}
	return out
}

func isSequence(v any) bool {
	switch v.(type) {
	case []any, Size, []*Tensor:
		return true
	}
	return false
}

func countPositional(op *Op) (n int) {
	for _, p := range op.params {
		if !p.keyword {
			n++
		}
	}
	return n
}

// find is the index of the parameter that a keyword names, or -1.
func (op *Op) find(name string) int {
	for _, candidate := range append([]string{name}, synonyms[name]...) {
		for i, p := range op.params {
			if p.name == candidate {
				return i
			}
		}
	}
	return -1
}

// convert takes an argument for parameter i.
func (c call) convert(i int, v any) any {
	p := &c.op.params[i]
	if v == nil && (p.optional || p.kind == "any") {
		return nil
	}
	out, ok := kinds[p.kind].take(v)
	if !ok {
		c.mismatch(i, v)
	}
	return out
}

// mismatch raises torch's error for an argument of another type than parameter i has. Of several numbers, the first one
// decides whether they are taken for a size.
func (c call) mismatch(i int, v any) {
	p := &c.op.params[i]
	if list, ok := v.([]any); ok && p.kind == "ints" && len(list) > 0 {
		at := slices.IndexFunc(list, func(x any) bool { _, ok := takeInt(x); return !ok })
		if at > 0 {
			typeError("%s(): argument '%s' failed to unpack the object at pos %d with error "+
				"\"type must be tuple of ints,but got %s\"", c.op.title(), p.name, at+1, pythonType(list[at]))
		}
		if p.variadic {
			v = list[at]
		}
	}
	if _, ok := v.(complex128); ok {
		lack("NotImplementedError", "%s of complex numbers", c.op.path())
	}
	c.refuse()
	position := i + 1
	if c.op.method { // the tensor itself does not count
		position--
	}
	typeError("%s(): argument '%s' (position %d) must be %s, not %s", c.op.title(), p.name, position,
		kinds[p.kind].words, pythonType(v))
}

// pythonType is the name of v's Python type.
func pythonType(v any) string {
	switch v := v.(type) {
	case nil:
		return "NoneType"
	case *Tensor:
		return "Tensor"
	case bool:
		return "bool"
	case int64:
		return "int"
	case float64:
		return "float"
	case complex128:
		return "complex"
	case string:
		return "str"
	case []any, []*Tensor:
		return "tuple"
	case Size:
		return "torch.Size"
	case num.DType:
		return "torch.dtype"
	case Device:
		return "torch.device"
	case Stream:
		return "torch._C.Generator"
	case fmt.Stringer:
		return v.String()
	}
	return "object"
}
