package host

import (
	"fmt"
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler/python"
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
	if f := typeOf(v).slots().str; f != nil {
		return f(p, v)
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
	p.m.tick()
	if depth > maxNesting && p.m != nil && depth > p.m.options.MaxDepth {
		raise("RecursionError", "maximum recursion depth exceeded while getting the repr of an object")
	}
	if depth > maxNesting && p.m == nil || p.left < 0 {
		return "..."
	}
	return typeOf(v).slots().repr(p, v, depth)
}

// leaf is the repr slot of a type whose objects hold no others.
func leaf(text func(v Value) string) func(p *printer, v Value, depth int) string {
	return func(p *printer, v Value, _ int) string { return p.charge(text(v)) }
}

// charge takes a text from the budget, and 2 for the comma and the blank that follow it.
func (p *printer) charge(text string) string {
	p.left -= int64(len(text)) + 2
	return text
}

// reprObject is object's own repr, or that of the Go type.
func reprObject(v Value) string {
	if x, ok := v.(represented); ok {
		return x.repr()
	}
	return "<" + v.Type() + " object>"
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
