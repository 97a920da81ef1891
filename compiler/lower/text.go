package lower

import (
	"strings"

	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/compiler/types"
)

// typeText says a type as people read it: fp32, int32[16], pointer<fp32>[4, 8].
func typeText(t types.Type) string {
	text := t.DType.Info().Name
	if t.Pointer {
		text = "pointer<" + text + ">"
	}
	if !t.IsScalar() {
		text += types.ShapeString(t.Shape)
	}
	return text
}

// tritonType spells a type as Triton's messages do: <['16'], fp32>.
func tritonType(t types.Type) string {
	if t.IsScalar() {
		return typeText(t)
	}
	dims := strings.Split(strings.Trim(types.ShapeString(t.Shape), "[]"), ", ")
	return "<['" + strings.Join(dims, "', '") + "'], " + typeText(t.Elem()) + ">"
}

// kindText says what a value is, in a word or two that fit after "is": a type or a Python class.
func kindText(v value) string {
	switch v := v.(type) {
	case tensor:
		return typeText(v.v.Type)
	case constant:
		return v.v.Type()
	case dtype:
		return "dtype"
	case tuple:
		if v.class != nil {
			return v.class.Name
		}
		return "tuple"
	case tupleClass, *aggregateClass:
		return "type"
	case aggregate:
		return v.class.layout.Name
	case descriptor:
		return v.text()
	case function, builtin, pythonFunction:
		return "function"
	case namespace, importedModule:
		return "module"
	case membersValue:
		return v.Text
	case rangeValue:
		return "range"
	}
	return "object"
}

// fullText is kindText with an object's fields, for what differs in one of these.
func fullText(v value) string {
	if a, ok := v.(aggregate); ok {
		return a.text()
	}
	return kindText(v)
}

// classText is the name of a value's Python class.
func classText(v value) string {
	if _, ok := v.(tensor); ok {
		return "tensor"
	}
	return kindText(v)
}

// hoverText describes a name's value for hover: its type, or its value if it is known.
func hoverText(v value) (string, bool) {
	switch v := v.(type) {
	case tensor:
		return typeText(v.v.Type), true
	case constant:
		return "constexpr = " + python.Repr(v.v), true
	case dtype:
		return "dtype = " + typeText(v.t), true
	case tuple:
		if text, ok := pythonText(v); ok {
			return text, true
		}
		return kindText(v), true
	case descriptor, aggregate:
		return fullText(v), true
	}
	return "", false
}

// pythonText is a value as static_print and f-strings print it; not ok for run-time values.
func pythonText(v value) (string, bool) {
	switch v := v.(type) {
	case constant:
		return python.String(v.v), true
	case dtype:
		return typeText(v.t), true
	case namespace:
		return v.name, true
	case function:
		return v.name, true
	case builtin:
		return v.row.Name, true
	case tupleClass:
		return v.Name, true
	case pythonFunction:
		return v.path, true
	case ellipsis:
		return "Ellipsis", true
	case tuple:
		text, end := "(", ")"
		switch {
		case v.class != nil:
			text = v.class.Name + "("
		case len(v.elems) == 1:
			end = ",)"
		}
		for i, e := range v.elems {
			if i > 0 {
				text += ", "
			}
			if v.class != nil {
				text += v.class.Fields[i] + "="
			}
			s, ok := pythonText(e)
			if c, isConstant := e.(constant); isConstant {
				s = python.Repr(c.v)
			}
			if !ok {
				return "", false
			}
			text += s
		}
		return text + end, true
	}
	return "", false
}
