package host

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/interp/tensor"
)

// maxText bounds what Str and Repr write.
const maxText = 1 << 20

// Str is str(v) of a value that has no methods of its own; very long texts are cut.
func Str(v Value) string { return (&printer{left: maxText}).str(v) }

// Repr is repr(v) of a value that has no methods of its own; very long texts are cut.
func Repr(v Value) string { return (&printer{left: maxText}).repr(v, 0) }

// strOf is str(v).
func (m *machine) strOf(v Value) string {
	return m.printWithin(func(p *printer) string { return p.str(v) })
}

// reprOf is repr(v).
func (m *machine) reprOf(v Value) string {
	return m.printWithin(func(p *printer) string { return p.repr(v, 0) })
}

// printWithin counts what is written against the run's limit.
func (m *machine) printWithin(write func(p *printer) string) string {
	// A text may use what is left of the items; the printer stops there, so that a list that holds one list a million
	// times is never written out.
	budget := m.options.MaxItems - m.budget.items
	p := &printer{m: m, left: budget}
	m.budget.enterLevel()
	text := write(p)
	m.budget.leaveLevel()
	m.budget.chargeItems(int(budget - p.left))
	return text
}

// printer writes values as text, as long as its budget of bytes lasts.
type printer struct {
	m    *machine // for the methods of instances; nil where they do not count
	left int64
	open []Value // the lists and dicts that are being written
}

// inside writes a container, or shown where it is inside of itself.
func (p *printer) inside(x Value, shown string, write func() string) string {
	if slices.Contains(p.open, x) {
		return shown
	}
	p.open = append(p.open, x)
	text := write()
	p.open = p.open[:len(p.open)-1]
	return text
}

// special asks an instance for a text of its own.
func (p *printer) special(x Value, name string) (string, bool) {
	// Without a machine no method of the script can run: messages of Go code print plain values.
	if p.m == nil {
		return "", false
	}
	r, ok := p.m.callSpecial(x, name)
	if !ok {
		return "", false
	}
	s, isStr := plain(r).(python.Str)
	if !isStr {
		raise("TypeError", "%s returned non-string (type %s)", name, r.Type())
	}
	return string(s), true
}

func (p *printer) str(v Value) string {
	switch x := v.(type) {
	case python.Str:
		return string(x)
	case *Exception:
		if text, ok := p.special(x, "__str__"); ok {
			return text
		}
		return x.message(p)
	case Text:
		return x.Text
	case TritonDType:
		return num.DType(x).String()
	case Device:
		return x.String()
	case *Instance, *Named, *Class:
		if text, ok := p.special(x, "__str__"); ok {
			return text
		}
	}
	return p.repr(v, 0)
}

// asciiOnly escapes what is not ASCII, as ascii() does with a repr.
func asciiOnly(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r < 0x80:
			b.WriteRune(r)
		case r < 0x100:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
	}
	return b.String()
}

// maxNesting bounds the depth to which containers are printed.
const maxNesting = 100

func (p *printer) repr(v Value, depth int) string {
	if depth > maxNesting && p.m != nil && depth > p.m.options.MaxDepth {
		raise("RecursionError", "maximum recursion depth exceeded while getting the repr of an object")
	}
	if depth > maxNesting && p.m == nil || p.left < 0 {
		return "..."
	}
	switch x := v.(type) {
	case Tuple:
		// A tuple of one needs its comma.
		if len(x) == 1 {
			return "(" + p.repr(x[0], depth+1) + ",)"
		}
		return "(" + p.items(x, depth) + ")"
	case *List:
		return p.inside(x, "[...]", func() string { return "[" + p.list(x, depth) + "]" })
	case *Set:
		switch {
		case x.live == 0:
			return x.Type() + "()"
		case x.frozen:
			return "frozenset({" + p.items(x.list(), depth) + "})"
		}
		return "{" + p.items(x.list(), depth) + "}"
	case *dictView:
		return x.Type() + "([" + p.items(x.list(), depth) + "])"
	case *Dict:
		if x.kind != nil {
			return x.kind.repr(p, x, depth)
		}
		return p.inside(x, "{...}", func() string { return p.dict(x, depth) })
	case *Named:
		if text, ok := p.special(x, "__repr__"); ok {
			return text
		}
		var parts []string
		for i, f := range x.Fields {
			parts = append(parts, f+"="+p.repr(x.Items[i], depth+1))
		}
		if x.class != nil {
			return x.Name + "(" + strings.Join(parts, ", ") + ")"
		}
		return "torch.return_types." + x.Name + "(\n" + strings.Join(parts, ",\n") + ")"
	case *Exception:
		if text, ok := p.special(x, "__repr__"); ok {
			return text
		}
		return x.class.Name + "(" + p.items(x.args, depth) + ")"
	case *Class:
		if text, ok := p.special(x, "__repr__"); ok {
			return text
		}
	case *Instance:
		if text, ok := p.special(x, "__repr__"); ok {
			return text
		}
		return "<" + x.class.module() + x.class.Name + " object>"
	}
	text := ""
	if t, ok := v.(Tensor); ok && p.m != nil {
		text = t.Text(p.m.tensors.PrintOptions)
	} else {
		text = reprPlain(v)
	}
	// 2 for the comma and the blank that follow it.
	p.left -= int64(len(text)) + 2
	return text
}

func (p *printer) dict(x *Dict, depth int) string {
	var parts []string
	x.each(func(k, v Value) {
		if p.left >= 0 {
			parts = append(parts, p.repr(k, depth+1)+": "+p.repr(v, depth+1))
		}
	})
	return "{" + strings.Join(parts, ", ") + "}"
}

func (p *printer) items(list []Value, depth int) string { return p.list(&List{list}, depth) }

// list writes the items of a list, which a __repr__ may change meanwhile.
func (p *printer) list(l *List, depth int) string {
	var parts []string
	for i := 0; i < len(l.Items); i++ {
		if p.left < 0 {
			parts = append(parts, "...")
			break
		}
		p.left--
		parts = append(parts, p.repr(l.Items[i], depth+1))
	}
	return strings.Join(parts, ", ")
}

// reprPlain prints the values that hold no others.
func reprPlain(v Value) string {
	if x, ok := v.(represented); ok {
		return x.repr()
	}
	switch x := v.(type) {
	case python.None, python.Bool, python.Int, python.Float, python.Str:
		return python.Repr(v)
	case Tensor:
		return x.String()
	case Size:
		return tensor.Size(x).String()
	case DType:
		return "torch." + tensor.TorchName(num.DType(x))
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
		return x.Text
	case *Class:
		if slices.Contains(torchTypes, x) {
			return "<class 'torch." + x.Name + "'>"
		}
		if x.enum != nil && x.enum.flag {
			return "<flag '" + x.Name + "'>"
		}
		if x.enum != nil {
			return "<enum '" + x.Name + "'>"
		}
		if x.member("__module__") == nil && x.make != nil && x.derive == nil || x.exception && exceptions[x.Name] == x {
			return "<class '" + x.Name + "'>"
		}
		return "<class '" + x.module() + x.Name + "'>"
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
		return "constexpr[" + Str(x.value) + "]"
	case Annotation:
		name := x.DType.Info().Attr
		return strings.ToUpper(name[:1]) + name[1:] + "[Tensor, " + strconv.Quote(x.Dims) + "]"
	}
	return "<" + v.Type() + " object>"
}
