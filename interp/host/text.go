package host

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/interp/tensor"
)

// Str is str(v) of a value that has no methods of its own.
func Str(v Value) string { return (*machine)(nil).str(v) }

// Repr is repr(v) of a value that has no methods of its own.
func Repr(v Value) string { return (*machine)(nil).repr(v) }

// str is str(v).
func (m *machine) str(v Value) string {
	switch x := v.(type) {
	case python.Str:
		return string(x)
	case *Exception:
		return x.message()
	case Text:
		return x.Text
	case *Instance:
		if m != nil {
			for _, name := range []string{"__str__", "__repr__"} {
				if r, ok := m.special(x, name); ok {
					return m.str(r)
				}
			}
		}
	}
	return m.repr(v)
}

// maxNesting bounds the depth to which containers are printed.
const maxNesting = 100

// repr is repr(v).
func (m *machine) repr(v Value) string { return m.reprAt(v, 0) }

func (m *machine) reprAt(v Value, depth int) string {
	if depth > maxNesting {
		return "..."
	}
	switch x := v.(type) {
	case python.None, python.Bool, python.Int, python.Float, python.Str:
		return python.Repr(v)
	case Tuple:
		if len(x) == 1 {
			return "(" + m.reprAt(x[0], depth+1) + ",)"
		}
		return "(" + m.reprItems(x, depth) + ")"
	case *List:
		return "[" + m.reprItems(x.Items, depth) + "]"
	case *Set:
		if x.live == 0 {
			return "set()"
		}
		return "{" + m.reprItems(x.list(), depth) + "}"
	case *Dict:
		var parts []string
		x.each(func(k, v Value) { parts = append(parts, m.reprAt(k, depth+1)+": "+m.reprAt(v, depth+1)) })
		return m.joinText(parts, "{", "}")
	case *Named:
		var parts []string
		for i, f := range x.Fields {
			parts = append(parts, f+"="+m.reprAt(x.Items[i], depth+1))
		}
		return "torch.return_types." + x.Name + "(\n" + strings.Join(parts, ",\n") + ")"
	case *Instance:
		if m != nil {
			if r, ok := m.special(x, "__repr__"); ok {
				return m.str(r)
			}
		}
		return "<__main__." + x.class.Name + " object>"
	}
	return reprPlain(v)
}

// reprPlain prints the values that hold no others.
func reprPlain(v Value) string {
	switch x := v.(type) {
	case Tensor:
		return x.String()
	case Size:
		return tensor.Size(x).String()
	case DType:
		return "torch." + tensor.TorchName(num.DType(x))
	case TritonDType:
		return num.DType(x).String()
	case Range:
		if x.Step == 1 {
			return fmt.Sprintf("range(%d, %d)", x.Start, x.Stop)
		}
		return fmt.Sprintf("range(%d, %d, %d)", x.Start, x.Stop, x.Step)
	case Slice:
		return "slice(" + Repr(x.Start) + ", " + Repr(x.Stop) + ", " + Repr(x.Step) + ")"
	case Ellipsis:
		return "Ellipsis"
	case Text:
		if x.Class == "torch.device" {
			return "device(type='" + x.Text + "')"
		}
		return x.Text
	case *Exception:
		parts := make([]string, len(x.args))
		for i, a := range x.args {
			parts[i] = Repr(a)
		}
		return x.class.Name + "(" + strings.Join(parts, ", ") + ")"
	case *Class:
		if x.make != nil || x.exception && exceptions[x.Name] == x {
			return "<class '" + x.Name + "'>"
		}
		return "<class '__main__." + x.Name + "'>"
	case *Function:
		return "<function " + x.Name + ">"
	case *Builtin:
		return "<built-in function " + x.Name + ">"
	case *Library:
		return "<module '" + x.name + "'>"
	case *Method:
		return "<bound method>"
	case *Limits:
		return x.text()
	case constexpr:
		return "constexpr[" + Repr(x.value) + "]"
	case Annotation:
		return strings.ToUpper(x.DType.Info().Attr[:1]) + x.DType.Info().Attr[1:] + "[Tensor, " + strconv.Quote(x.Dims) + "]"
	}
	return "<" + v.Type() + " object>"
}

func (m *machine) reprItems(items []Value, depth int) string {
	parts := make([]string, len(items))
	for i, v := range items {
		parts[i] = m.reprAt(v, depth+1)
	}
	return m.joinText(parts, "", "")
}

// joinText joins printed items, counting their length.
func (m *machine) joinText(parts []string, open, end string) string {
	total := 0
	for _, p := range parts {
		total += len(p) + 2
	}
	if m != nil {
		m.charge(total)
	}
	return open + strings.Join(parts, ", ") + end
}
