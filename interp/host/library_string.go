package host

import (
	"strings"

	"github.com/newtlab/newt/compiler/python"
)

const (
	lowercase   = "abcdefghijklmnopqrstuvwxyz"
	uppercase   = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	digits      = "0123456789"
	punctuation = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
	whitespace  = " \t\n\r\v\f"
)

// stringLibrary is string.
func stringLibrary() map[string]Value {
	members := map[string]Value{"Template": templateClass(), "Formatter": refused("string.Formatter"),
		"capwords": &Builtin{"capwords", func(m *machine, a arguments) Value {
			v := a.bound("capwords", "s, sep=")
			sep := " "
			words := strings.Fields(m.strOf(v[0]))
			if given(v[1], nil) != nil {
				sep = m.strOf(v[1])
				words = strings.Split(m.strOf(v[0]), sep)
			}
			for i, w := range words {
				words[i] = m.strOf(must(python.Str(w).Method("capitalize", nil)))
			}
			return python.Str(strings.Join(words, sep))
		}}}
	for name, text := range map[string]string{"ascii_lowercase": lowercase, "ascii_uppercase": uppercase,
		"ascii_letters": lowercase + uppercase, "digits": digits, "hexdigits": digits + "abcdefABCDEF",
		"octdigits": "01234567", "punctuation": punctuation, "whitespace": whitespace,
		"printable": digits + lowercase + uppercase + punctuation + whitespace} {
		members[name] = python.Str(text)
	}
	return members
}

func splitDots(path string) []string { return strings.Split(path, ".") }

// templateClass is string.Template.
func templateClass() *Class {
	substitute := func(name string, safe bool) method {
		return func(m *machine, a arguments) Value {
			o, rest := self[*Instance](a), a.tail()
			d := newDict()
			if len(rest.positional) > 0 {
				updateDict(m, d, rest.positional[0])
			}
			for _, k := range rest.keywords {
				d.set(python.Str(k.name), k.value)
			}
			return python.Str(fillTemplate(m, m.strOf(m.attrOf(o, "template")), d, safe))
		}
	}
	return nativeClass("string", "Template", map[string]method{
		"__init__": func(m *machine, a arguments) Value {
			self[*Instance](a).keep("template", a.tail().bound("__init__", "template")[0])
			return none
		},
		"substitute": substitute("substitute", false), "safe_substitute": substitute("safe_substitute", true),
	})
}

// fillTemplate replaces $name and ${name}; $$ is a dollar sign.
func fillTemplate(m *machine, text string, d *Dict, safe bool) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "$")
		b.WriteString(before)
		if !found {
			m.budget.chargeItems(b.Len())
			return b.String()
		}
		body := strings.TrimPrefix(rest, "{")
		n := 0
		// An identifier: 0x20 makes ASCII letters small, and a digit is not the first.
		for n < len(body) && (body[n] == '_' || body[n]|0x20 >= 'a' && body[n]|0x20 <= 'z' ||
			n > 0 && body[n] >= '0' && body[n] <= '9') {
			n++
		}
		braced := body != rest
		switch {
		case strings.HasPrefix(rest, "$"):
			b.WriteByte('$')
			text = rest[1:]
			continue
		case n == 0 || braced && !strings.HasPrefix(body[n:], "}"):
			if !safe {
				raise("ValueError", "Invalid placeholder in string: line 1, col %d", b.Len()+1)
			}
			b.WriteByte('$')
			text = rest
			continue
		}
		text = body[n:]
		if braced {
			text = text[1:]
		}
		v, ok := d.get(python.Str(body[:n]))
		switch {
		case ok:
			b.WriteString(m.strOf(v))
		case safe:
			b.WriteString("$" + rest[:len(rest)-len(text)])
		default:
			panic(&raised{exception: newException(exceptions["KeyError"], python.Str(body[:n]))})
		}
	}
}

// reEscape is re.escape.
func reEscape(v Value) Value {
	const special = "()[]{}?*+-|^$\\.&~# \t\n\r\v\f"
	escape := func(s string) string {
		var b strings.Builder
		for i := range len(s) {
			if strings.IndexByte(special, s[i]) >= 0 {
				b.WriteByte('\\')
			}
			b.WriteByte(s[i])
		}
		return b.String()
	}
	if data, ok := bytesIn(v); ok {
		return Bytes(escape(data))
	}
	return python.Str(escape(string(self[python.Str](arguments{positional: []Value{v}}))))
}
