package host

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
)

// parameters are those of a function, with which its arguments are laid out.
type parameters struct {
	name     string // of the function, as errors name it
	list     []syntax.Param
	defaults []Value // by parameter, nil if there is none
	plain    bool    // whether each takes one argument by position
	// native is how many leading parameters errors do not count (self), of a function that CPython has in C; others
	// have -1.
	native int
}

func (fn *Function) parameters() parameters {
	return parameters{name: fn.qualified, list: fn.params.List, defaults: fn.defaults, native: -1}
}

// bind lays the arguments of a call out by the parameters.
func (p parameters) bind(vars []Value, a arguments) {
	next, rest := 0, -1
	for i := range p.list {
		switch p.list[i].Kind {
		case syntax.Positional, syntax.Plain:
			if next < len(a.positional) {
				vars[i] = a.positional[next]
				next++
			}
		// A copy: *args must not change when the caller's list does.
		case syntax.VarPositional:
			vars[i] = Tuple(append([]Value{}, a.positional[next:]...))
			next = len(a.positional)
		case syntax.VarKeyword:
			vars[i], rest = newDict(), i
		}
	}
	if next < len(a.positional) {
		p.refusePositional(a)
	}
	// Keywords come after the positional arguments, so that one that is given twice is noticed.
	for _, k := range a.keywords {
		i := paramNamed(p.list, k.name)
		// A positional-only name is free for **kwargs (PEP 570).
		takes := i >= 0 && (p.list[i].Kind == syntax.Plain || p.list[i].Kind == syntax.KeywordOnly)
		switch {
		case takes && vars[i] != nil:
			raise("TypeError", "%s() got multiple values for argument '%s'", p.name, k.name)
		case takes:
			vars[i] = k.value
		case rest >= 0:
			vars[rest].(*Dict).put(k.name, k.value)
		case p.native >= 0 && p.byPosition():
			raise("TypeError", "%s() takes no keyword arguments", p.name)
		case i >= 0 && p.native < 0:
			raise("TypeError", "%s() got some positional-only arguments passed as keyword arguments: '%s'", p.name,
				k.name)
		default:
			raise("TypeError", "%s() got an unexpected keyword argument '%s'", p.name, k.name)
		}
	}
	p.fillDefaults(vars)
}

// fillDefaults gives the parameters without an argument their default values, which are evaluated once, when the def
// statement runs, and shared by all calls.
func (p parameters) fillDefaults(vars []Value) {
	var missing [2][]string // positional arguments, keyword-only ones
	for i, otherwise := range p.defaults {
		if vars[i] != nil {
			continue
		}
		if vars[i] = otherwise; otherwise == nil {
			if p.native >= 0 {
				p.refuseCount(i-p.native, i)
			}
			kind := 0
			if p.list[i].Kind == syntax.KeywordOnly {
				kind = 1
			}
			missing[kind] = append(missing[kind], "'"+p.list[i].Name+"'")
		}
	}
	for kind, names := range missing {
		if n := len(names); n > 0 {
			raise("TypeError", "%s() missing %d required %s argument%s: %s", p.name, n,
				[]string{"positional", "keyword-only"}[kind], plural(n), enumeration(names))
		}
	}
}

// refusePositional raises TypeError for more positional arguments than the function takes.
func (p parameters) refusePositional(a arguments) {
	n := len(a.positional)
	if p.native >= 0 {
		p.refuseCount(n-p.native, -1)
	}
	least, most := 0, 0
	for i, param := range p.list {
		if param.Kind == syntax.Positional || param.Kind == syntax.Plain {
			most++
			if p.defaults[i] == nil {
				least++
			}
		}
	}
	keywordOnly := 0
	for _, k := range a.keywords {
		if i := paramNamed(p.list, k.name); i >= 0 && p.list[i].Kind == syntax.KeywordOnly {
			keywordOnly++
		}
	}
	takes, given := fmt.Sprintf("%d positional argument%s", most, plural(most)), fmt.Sprintf("%d %s", n, wasWere(n))
	if least < most {
		takes = fmt.Sprintf("from %d to %d positional arguments", least, most)
	}
	if keywordOnly > 0 {
		given = fmt.Sprintf("%d positional argument%s (and %d keyword-only argument%s) were", n, plural(n), keywordOnly,
			plural(keywordOnly))
	}
	raise("TypeError", "%s() takes %s but %s given", p.name, takes, given)
}

// byPosition reports whether no parameter takes a keyword.
func (p parameters) byPosition() bool {
	return !slices.ContainsFunc(p.list, func(x syntax.Param) bool {
		return x.Kind != syntax.Positional && x.Kind != syntax.VarPositional
	})
}

// refuseCount raises TypeError as CPython's functions in C do (Python/getargs.c, Objects/methodobject.c) for a number
// of positional arguments: too many where missing is negative, otherwise none for the parameter of that index.
func (p parameters) refuseCount(given, missing int) {
	least, only, most, name := 0, 0, 0, lastName(p.name)
	for i, x := range p.list[p.native:] {
		if x.Kind != syntax.Positional && x.Kind != syntax.Plain {
			continue
		}
		most++
		if p.defaults[p.native+i] == nil {
			least++
			if x.Kind == syntax.Positional {
				only++
			}
		}
	}
	bound, number := "at most", most
	if missing >= 0 {
		bound, number = "at least", least
	}
	if least == most {
		bound = "exactly"
	}
	switch {
	case missing >= 0 && missing < p.native:
		raise("TypeError", "unbound method %s() needs an argument", p.name)
	case p.byPosition() && most == 0:
		raise("TypeError", "%s() takes no arguments (%d given)", p.name, given)
	case p.byPosition() && most == 1 && least == 1:
		raise("TypeError", "%s() takes exactly one argument (%d given)", p.name, given)
	case p.byPosition():
		raise("TypeError", "%s expected %s%d argument%s, got %d", name, strings.TrimPrefix(bound+" ", "exactly "),
			number, plural(number), given)
	case missing >= p.native+only:
		raise("TypeError", "%s() missing required argument '%s' (pos %d)", name, p.list[missing].Name,
			missing+1-p.native)
	case missing >= 0:
		raise("TypeError", "%s() takes %s %d positional argument%s (%d given)", name, bound, only, plural(only), given)
	case most == 0:
		raise("TypeError", "%s() takes no positional arguments", name)
	case most == len(p.list)-p.native:
		raise("TypeError", "%s() takes at most %d argument%s (%d given)", name, most, plural(most), given)
	}
	raise("TypeError", "%s() takes %s %d positional argument%s (%d given)", name, bound, most, plural(most), given)
}

// newBuiltin makes a function written in Go from its signature as inspect shows it, such as
// "get(self, key, default=None, /)": it gets a value for each parameter by its position. A default of ... stands for
// one that cannot be shown: the function gets nil. Class is that whose method it is, "builtins" or "". Errors are those
// of CPython's functions in C where it is "builtins", "/" is there or no parameter goes by a keyword, else those of a
// def. A name alone is of a function that lays its arguments out itself.
func newBuiltin(class, signature string, f method) *Builtin {
	name, _, described := strings.Cut(signature, "(")
	if !described {
		return &Builtin{Name: name, call: f}
	}
	params := sync.OnceValue(func() parameters { return parametersIn(class, signature) })
	return &Builtin{Name: name, params: params, call: func(m *machine, a arguments) Value {
		return f(m, arguments{positional: params().lay(a)})
	}}
}

// laidOut is a function that gets its arguments by a signature.
func laidOut(class, signature string, f method) method { return newBuiltin(class, signature, f).call }

// parametersIn reads a signature.
func parametersIn(class, signature string) parameters {
	tree, said := syntax.Parse(source.NewFile("<signature>", "def "+signature+": pass"))
	if said.HasErrors() {
		panic("signature " + signature)
	}
	def := tree.Body[0].(*syntax.FunctionDef)
	p := parameters{name: def.Name, list: def.Params.List, native: -1}
	switch {
	case class != "builtins" && !strings.Contains(signature, "/") && !p.byPosition():
	case len(p.list) > 0 && (p.list[0].Name == "self" || p.list[0].Name == "cls"):
		p.native = 1
	default:
		p.native = 0
	}
	if def.Name == "__init__" && p.native >= 0 {
		p.name = class
	} else if class != "" && class != "builtins" {
		p.name = class + "." + def.Name
	}
	p.plain = true
	for _, x := range p.list {
		p.defaults = append(p.defaults, defaultOf(x.Default))
		p.plain = p.plain && (x.Kind == syntax.Positional || x.Kind == syntax.Plain)
	}
	return p
}

// omitted is the value of a parameter without an argument whose default is "...".
type omitted struct{}

// Type is "ellipsis", as the default is written.
func (omitted) Type() string { return "ellipsis" }

// defaultOf is a default in a signature: a literal.
func defaultOf(e syntax.Expr) Value {
	switch e := e.(type) {
	case *syntax.Constant:
		if v := constantValue(e); v != (Ellipsis{}) {
			return v
		}
		return omitted{}
	case *syntax.UnaryOp:
		return must(python.Unary(e.Op, defaultOf(e.Operand)))
	case *syntax.Tuple:
		return Tuple{}
	}
	return nil
}

// lay lays arguments out, by parameter; nil stands for one that was left out.
func (p parameters) lay(a arguments) []Value {
	if len(a.positional) == len(p.list) && len(a.keywords) == 0 && p.plain {
		return a.positional
	}
	out := make([]Value, len(p.list))
	p.bind(out, a)
	for i, v := range out {
		if v == Value(omitted{}) {
			out[i] = nil
		}
	}
	return out
}
