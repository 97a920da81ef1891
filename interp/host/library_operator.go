package host

import (
	"strings"

	"github.com/newtlab/newt/compiler/python"
)

// binaryOperators are the functions of operator that stand for an operator of two operands.
var binaryOperators = map[string]string{
	"add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**", "matmul": "@",
	"and_": "&", "or_": "|", "xor": "^", "lshift": "<<", "rshift": ">>", "concat": "+",
}

var comparisonOperators = map[string]string{
	"lt": "<", "le": "<=", "eq": "==", "ne": "!=", "ge": ">=", "gt": ">", "is_": "is", "is_not": "is not",
}

var unaryOperators = map[string]string{"neg": "-", "pos": "+", "invert": "~", "inv": "~", "not_": "not", "abs": "abs"}

// operatorLibrary is operator.
func operatorLibrary(*machine) map[string]Value {
	members := functions(operatorFunctions())
	for name, op := range binaryOperators {
		members[name] = &Builtin{name, func(m *machine, a arguments) Value {
			v := a.bound(name, "a, b")
			return m.binaryOp(op, v[0], v[1])
		}}
		members["i"+name] = &Builtin{"i" + name, func(m *machine, a arguments) Value {
			v := a.bound("i"+name, "a, b")
			return inPlaceOp(m, op, v[0], v[1])
		}}
	}
	members["iand"], members["ior"] = members["iand_"], members["ior_"]
	delete(members, "iand_")
	delete(members, "ior_")
	for name, op := range comparisonOperators {
		members[name] = &Builtin{name, func(m *machine, a arguments) Value {
			v := a.bound(name, "a, b")
			return m.compareValues(op, v[0], v[1])
		}}
	}
	for name, op := range unaryOperators {
		members[name] = &Builtin{name, func(m *machine, a arguments) Value {
			return m.unaryOp(op, a.bound(name, "a")[0])
		}}
	}
	return members
}

func operatorFunctions() map[string]method {
	return map[string]method{
		"truth": func(m *machine, a arguments) Value { return python.Bool(m.truthOf(a.bound("truth", "a")[0])) },
		"index": func(m *machine, a arguments) Value { return integerOf(a.bound("index", "a")[0]) },
		"contains": func(m *machine, a arguments) Value {
			v := a.bound("contains", "a, b")
			return python.Bool(m.containsItem(v[0], v[1]))
		},
		"getitem": func(m *machine, a arguments) Value { v := a.bound("getitem", "a, b"); return m.itemOf(v[0], v[1]) },
		"setitem": func(m *machine, a arguments) Value {
			v := a.bound("setitem", "a, b, c")
			m.setItem(v[0], v[1], v[2])
			return none
		},
		"delitem": func(m *machine, a arguments) Value {
			v := a.bound("delitem", "a, b")
			m.deleteItem(v[0], v[1])
			return none
		},
		"countOf": func(m *machine, a arguments) Value {
			v := a.bound("countOf", "a, b")
			return sequenceCount(m, arguments{positional: v})
		},
		"indexOf": func(m *machine, a arguments) Value {
			v := a.bound("indexOf", "a, b")
			return sequenceIndex(m, arguments{positional: v})
		},
		"call": func(m *machine, a arguments) Value { return m.callValue(a.positional[0], a.tail()) },
		"itemgetter": func(m *machine, a arguments) Value {
			return fetcher("itemgetter", a, func(m *machine, v, key Value) Value { return m.itemOf(v, key) })
		},
		"attrgetter": func(m *machine, a arguments) Value {
			return fetcher("attrgetter", a, func(m *machine, v, path Value) Value {
				for _, name := range strings.Split(m.strOf(path), ".") {
					v = m.attrOf(v, name)
				}
				return v
			})
		},
		"methodcaller": func(m *machine, a arguments) Value {
			if len(a.positional) == 0 {
				raise("TypeError", "methodcaller needs at least one argument, the method name")
			}
			return &Builtin{"methodcaller", func(m *machine, b arguments) Value {
				return m.callValue(m.attrOf(b.bound("methodcaller", "obj")[0], m.strOf(a.positional[0])), a.tail())
			}}
		},
	}
}

// fetcher is a function that gets one thing of its argument, or a tuple of several.
func fetcher(name string, a arguments, get func(m *machine, v, key Value) Value) Value {
	a.want(name, 1, 1<<30)
	return &Builtin{name, func(m *machine, b arguments) Value {
		v := b.bound(name, "obj")[0]
		if len(a.positional) == 1 {
			return get(m, v, a.positional[0])
		}
		out := make(Tuple, len(a.positional))
		for i, key := range a.positional {
			out[i] = get(m, v, key)
		}
		return out
	}}
}
