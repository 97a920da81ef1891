package host

import (
	"strings"

	"github.com/newtlab/newt/compiler/python"
)

// bound lays out the arguments of a function written in Go by its signature, such as "a, b=, *, key=": the values in
// that order, nil where a parameter with "=" was left out. Parameters after "*" go by keyword alone.
func (a arguments) bound(name, signature string) []Value {
	params := strings.Split(signature, ", ")
	var names []string
	plain, required := -1, 0
	for _, p := range params {
		if p == "*" {
			plain = len(names)
			continue
		}
		if !strings.HasSuffix(p, "=") {
			required++
		}
		names = append(names, strings.TrimSuffix(p, "="))
	}
	if plain < 0 {
		plain = len(names)
	}
	if n := len(a.positional); n > plain {
		raise("TypeError", "%s() takes %s but %d %s given", name, positionals(required, plain), n, wasWere(n))
	}
	out := make([]Value, len(names))
	copy(out, a.positional)
	for _, k := range a.keywords {
		i := indexOfName(names, k.name)
		switch {
		case i < 0:
			raise("TypeError", "%s() got an unexpected keyword argument '%s'", name, k.name)
		case out[i] != nil:
			raise("TypeError", "%s() got multiple values for argument '%s'", name, k.name)
		}
		out[i] = k.value
	}
	demandAll(name, strings.ReplaceAll(signature, "*, ", ""), out)
	return out
}

// demandAll raises TypeError where a parameter without "=" has no value.
func demandAll(name, signature string, values []Value) {
	var missing []string
	for i, p := range strings.Split(signature, ", ") {
		if values[i] == nil && !strings.HasSuffix(p, "=") {
			missing = append(missing, "'"+p+"'")
		}
	}
	if n := len(missing); n > 0 {
		raise("TypeError", "%s() missing %d required positional argument%s: %s", name, n, plural(n),
			enumerated(missing))
	}
}

// enumerated is "a", "a and b" or "a, b, and c".
func enumerated(list []string) string {
	switch n := len(list); n {
	case 0, 1:
		return strings.Join(list, "")
	case 2:
		return list[0] + " and " + list[1]
	default:
		return strings.Join(list[:n-1], ", ") + ", and " + list[n-1]
	}
}

// positionals says how many positional arguments a function takes.
func positionals(least, most int) string {
	if least < most {
		return "from " + Repr(intValue(least)) + " to " + Repr(intValue(most)) + " positional arguments"
	}
	return Repr(intValue(most)) + " positional argument" + plural(most)
}

func indexOfName(names []string, name string) int {
	for i, n := range names {
		if n == name {
			return i
		}
	}
	return -1
}

// given is v, or otherwise where v was left out or is None.
func given(v, otherwise Value) Value {
	if v == nil || v == none {
		return otherwise
	}
	return v
}

// truthOr is the truth of an optional argument.
func (m *machine) truthOr(v Value, otherwise bool) bool {
	if v == nil {
		return otherwise
	}
	return m.truthOf(v)
}

// callWith calls f with positional arguments.
func (m *machine) callWith(f Value, args ...Value) Value {
	return m.callValue(f, arguments{positional: args})
}

// floatOf is v as a float64, as the functions of math take it.
func (m *machine) floatOf(v Value) float64 {
	v = plainNumber(m, v)
	f, _, err := python.AsFloat(v)
	if err != nil {
		must(v, err)
	}
	return f
}

// method is a function of a class written in Go. The first argument is the object.
type method = func(m *machine, a arguments) Value

// self is the object of a method call, of its Go type.
func self[T any](a arguments) T {
	if len(a.positional) == 0 {
		raise("TypeError", "unbound method needs an argument")
	}
	return valueOf[T](a.positional[0])
}
