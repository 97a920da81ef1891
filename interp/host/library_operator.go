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
	table := operatorFunctions()
	for name, op := range binaryOperators {
		table[name+"(a, b, /)"] = func(m *machine, a arguments) Value {
			return m.binaryOp(op, a.positional[0], a.positional[1])
		}
		table["i"+strings.TrimSuffix(name, "_")+"(a, b, /)"] = func(m *machine, a arguments) Value {
			return inPlaceOp(m, op, a.positional[0], a.positional[1])
		}
	}
	for name, op := range comparisonOperators {
		table[name+"(a, b, /)"] = func(m *machine, a arguments) Value {
			return m.compareValues(op, a.positional[0], a.positional[1])
		}
	}
	for name, op := range unaryOperators {
		table[name+"(a, /)"] = func(m *machine, a arguments) Value { return m.unaryOp(op, a.positional[0]) }
	}
	return functions(table)
}

func operatorFunctions() map[string]method {
	return map[string]method{
		"truth(a, /)": func(m *machine, a arguments) Value { return python.Bool(m.truthOf(a.positional[0])) },
		"index(a, /)": func(m *machine, a arguments) Value { return integerOf(a.positional[0]) },
		"contains(a, b, /)": func(m *machine, a arguments) Value {
			return python.Bool(m.containsItem(a.positional[0], a.positional[1]))
		},
		"getitem(a, b, /)": func(m *machine, a arguments) Value { return m.itemOf(a.positional[0], a.positional[1]) },
		"setitem(a, b, c, /)": func(m *machine, a arguments) Value {
			m.setItem(a.positional[0], a.positional[1], a.positional[2])
			return none
		},
		"delitem(a, b, /)": func(m *machine, a arguments) Value {
			m.deleteItem(a.positional[0], a.positional[1])
			return none
		},
		"countOf(a, b, /)": sequenceCount,
		"indexOf(a, b, /)": func(m *machine, a arguments) Value {
			return sequenceIndex(m, arguments{positional: []Value{a.positional[0], a.positional[1], intValue(0), nil}})
		},
		"call": func(m *machine, a arguments) Value { return m.callValue(a.positional[0], a.tail()) },
		"itemgetter(item, /, *items)": func(m *machine, a arguments) Value {
			return fetcher(a, func(m *machine, v, key Value) Value { return m.itemOf(v, key) })
		},
		"attrgetter(attr, /, *attrs)": func(m *machine, a arguments) Value {
			return fetcher(a, func(m *machine, v, path Value) Value {
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
			return newBuiltin("", "methodcaller(obj, /)", func(m *machine, b arguments) Value {
				return m.callValue(m.attrOf(b.positional[0], m.strOf(a.positional[0])), a.tail())
			})
		},
	}
}

// fetcher is a function that gets one thing of its argument, or a tuple of several.
func fetcher(a arguments, get func(m *machine, v, key Value) Value) Value {
	key, others := a.positional[0], a.positional[1].(Tuple)
	return newBuiltin("", "fetcher(obj, /)", func(m *machine, b arguments) Value {
		first := get(m, b.positional[0], key)
		if len(others) == 0 {
			return first
		}
		out := Tuple{first}
		for _, key := range others {
			out = append(out, get(m, b.positional[0], key))
		}
		return out
	})
}
