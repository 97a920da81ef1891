package host

import (
	"strings"

	"github.com/newtlab/newt/compiler/lower"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/python"
)

// Under TRITON_INTERPRET=1 kernels call the plain functions of a script. Such a call cannot change what the kernel
// computes, so that all calls of a launch are made after it, in the order in which its programs made them.

// printFromKernel prints a line of a launch, or makes a call.
func (m *machine) printFromKernel(p Printed) {
	if p.Call == nil {
		printTo(m, nil, p.Text+"\n")
		return
	}
	f, ok := p.Call.Function.Host.(*Function)
	if !ok {
		return
	}
	c := kernelCall{m, p.Values}
	a := arguments{}
	for _, arg := range p.Call.Args {
		a.add(arg.Name, c.value(arg.Value))
	}
	at := m.at
	m.callValue(f, a)
	m.at = at
}

// kernelCall gives the arguments of a call that a kernel made.
type kernelCall struct {
	m     *machine
	texts []string // of the run-time values
}

func (c kernelCall) value(v any) Value {
	switch v := v.(type) {
	case lower.HostValue:
		shape := v.Type.Shape
		if len(shape) == 0 { // the interpreter's scalars are arrays of one element
			shape = []int{1}
		}
		return &tile{text: c.texts[v.Index], shape: shape, dtype: v.Type.DType}
	case lower.HostText:
		return python.Str(c.substitute(v))
	case []any:
		out := &tileTuple{}
		for _, x := range v {
			out.items = append(out.items, c.value(x))
		}
		return out
	}
	return knownValue(v)
}

// knownValue is an argument of a call that is known while compiling.
func knownValue(v any) Value {
	switch v := v.(type) {
	case num.DType:
		return TritonDType(v)
	case []any:
		out := make(Tuple, len(v))
		for i, x := range v {
			out[i] = knownValue(x)
		}
		return out
	case Value:
		return v
	}
	return none
}

// substitute puts the texts of values in the places of an f-string.
func (c kernelCall) substitute(t lower.HostText) string {
	var b strings.Builder
	for text, i := t.Text, t.Index; text != ""; {
		before, rest, found := strings.Cut(text, "{")
		b.WriteString(before)
		switch {
		case !found:
			return b.String()
		case strings.HasPrefix(rest, "}"):
			b.WriteString(c.texts[i])
			i, text = i+1, rest[1:]
		default: // {{ is a brace
			b.WriteByte('{')
			text = rest[1:]
		}
	}
	return b.String()
}

// tile is a run-time value of a kernel as a Python function sees it: what it prints as, its shape and its dtype.
type tile struct {
	text  string
	shape []int
	dtype num.DType
}

// Type is the name of Triton's class.
func (*tile) Type() string { return "tensor" }

func (t *tile) repr() string { return t.text }

func (t *tile) attr(m *machine, name string) (Value, bool) {
	switch name {
	case "shape":
		out := &tileTuple{}
		for _, n := range t.shape {
			out.items = append(out.items, constexpr{intValue(n)})
		}
		return out, true
	case "dtype":
		return TritonDType(t.dtype), true
	case "numel":
		n := 1
		for _, d := range t.shape {
			n *= d
		}
		return constexpr{intValue(n)}, true
	}
	lack("AttributeError", "the value of a kernel's tensor as a number", []string{"print"})
	return nil, false
}

// tileTuple is tl.tuple, which prints as a list of what its items print as.
type tileTuple struct{ items []Value }

var tileTupleClass = &Class{Name: "tuple"}

func init() {
	tileTupleClass.describe(typeRecord{slots: slots{
		length: func(_ *machine, v Value) int { return len(v.(*tileTuple).items) },
		item:   func(m *machine, v, index Value) Value { return m.itemOf(Tuple(v.(*tileTuple).items), index) },
		items:  func(_ *machine, v Value) []Value { return v.(*tileTuple).items },
		hash:   hashIdentity,
		repr:   leaf(reprObject),
	}})
}

// Type is the name of Triton's class.
func (*tileTuple) Type() string { return "tuple" }

func (t *tileTuple) repr() string {
	texts := make([]string, len(t.items))
	for i, v := range t.items {
		text := Str(v)
		if _, isNumber := v.(python.Int); isNumber { // numbers of a kernel's tuple are constexprs
			text = "constexpr[" + text + "]"
		}
		texts[i] = Repr(python.Str(text))
	}
	return "[" + strings.Join(texts, ", ") + "]"
}

func (t *tileTuple) attr(_ *machine, name string) (Value, bool) {
	if name == "values" {
		return &List{t.items}, true
	}
	return nil, false
}
