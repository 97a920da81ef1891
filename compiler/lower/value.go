package lower

import (
	"strings"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/compiler/tl"
	"github.com/newtlab/newt/compiler/types"
)

// A value is what an expression of the kernel stands for while it is lowered: one of the types
// below. A tensor exists at run time, everything else is gone when lowering ends.
type value any

type (
	// tensor is a value at run time: a scalar, a tile, a pointer, a tile of pointers.
	tensor struct{ v *ir.Value }

	// constant is a Python scalar known now, a constexpr.
	constant struct{ v python.Value }

	// ellipsis is the value of ….
	ellipsis struct{}

	// dtype is a type as a value: tl.float32, x.dtype, x.type.
	dtype struct{ t types.Type }

	// tuple is a tuple or a list: to Triton's compiler a list is a tuple.
	tuple struct{ elems []value }

	// function is a function written by the user or in the prelude.
	function struct {
		name    string
		params  *syntax.Params
		body    []syntax.Stmt // of a def
		result  syntax.Expr   // of a lambda
		span    source.Span
		module  *module
		closure *frame // the function around a lambda or a nested def
		jit     bool
		folds   bool // decorated so that its result is a constexpr
	}

	// builtin is a row of the tl table; self is the tensor or dtype it was reached from.
	builtin struct {
		row  *tl.Row
		self value
	}

	// pythonFunction is a function of Python itself that takes known values: math.sqrt, a method of a
	// string. path is how the source names it: "math.sqrt", "str.join".
	pythonFunction struct {
		path string
		call func(args []python.Value) (python.Value, *python.Error)
	}

	// namespace is a module or a type that only matters for what hangs below it: tl, tl.math, int.
	namespace struct{ name string }

	// ranges is what range, tl.range and tl.static_range give.
	ranges struct {
		lo, hi, step value
		static       bool
		stages       int64
		span         source.Span
	}

	// unbound is a name that has no value here: args explain why, for a note at span.
	unbound struct {
		why  string
		span source.Span
	}

	// poison stands for the value of what has already been reported.
	poison struct{}
)

var (
	none  = constant{python.None{}}
	yes   = constant{python.Bool(true)}
	never = constant{python.Bool(false)}
)

func integer(n int64) constant { return constant{python.NewInt(n)} }

func isPoison(vs ...value) bool {
	for _, v := range vs {
		switch v := v.(type) {
		case poison:
			return true
		case tuple:
			if isPoison(v.elems...) {
				return true
			}
		}
	}
	return false
}

func isNone(v value) bool {
	c, ok := v.(constant)
	return ok && c == none
}

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
		return "tuple"
	case function, builtin, pythonFunction:
		return "function"
	case namespace:
		return "module"
	case ranges:
		return "range"
	}
	return "object"
}
