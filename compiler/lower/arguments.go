package lower

import (
	"slices"
	"strconv"
	"strings"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/compiler/tl"
	"github.com/newtlab/newt/compiler/types"
)

// failedCall ends a call one of whose arguments has been reported.
type failedCall struct{}

// run lowers the call. Methods of call that read an argument report one that does not fit, which ends it.
func (c *call) run() (v value) {
	defer func() {
		if r := recover(); r != nil {
			if r != (failedCall{}) {
				panic(r)
			}
			v = poison{}
		}
	}()
	switch {
	case c.row.Bind == tl.Op:
		return lowerUnaryMath(c)
	case c.row.Where == tl.Libdevice:
		return lowerLibdevice(c)
	}
	return specials[c.row.Path()](c)
}

// isMember reports whether the call is one of a method.
func (c *call) isMember(node syntax.Expr) bool {
	return len(c.bound) > 0 && c.bound[0].expr == selfExpr(node)
}

// must ends the call unless ok: what is wrong has been reported.
func (c *call) must(ok bool) {
	if !ok {
		panic(failedCall{})
	}
}

// fail reports d and ends the call; it gives no value.
func (c *call) fail(d *diag.Diagnostic) value {
	c.lowerer.fail(d)
	panic(failedCall{})
}

// value is the value of a parameter.
func (c *call) value(name string) value { return c.arg(name).val }

// position is that of a parameter, -1 if the builtin has none of the name.
func (c *call) position(name string) int {
	for i, p := range c.params.List {
		if p.Name == name {
			return i
		}
	}
	return -1
}

func (c *call) arg(name string) argument {
	if i := c.position(name); i >= 0 {
		return c.bound[i]
	}
	return argument{pyNone, c.node}
}

// tensor is an argument as a tensor: a number becomes a scalar.
func (c *call) tensor(name string) *ir.Value { return c.tensorOf(c.arg(name)) }

func (c *call) tensorOf(a argument) *ir.Value {
	v, ok := c.tensorArg(a.val, a.expr)
	c.must(ok)
	return v
}

// number is an argument as a tensor that is no pointer.
func (c *call) number(name string) *ir.Value { return c.numberOf(c.arg(name)) }

func (c *call) numberOf(a argument) *ir.Value {
	v := c.tensorOf(a)
	if v.Type.Pointer {
		c.fail(diag.New("number-wanted", c.spanOf(a.expr), c.sourceText(a.expr), typeText(v.Type)))
	}
	return v
}

// integer is an argument that is known while compiling and fits int32.
func (c *call) integer(name string) int { return c.integerOf(c.arg(name), name) }

func (c *call) integerOf(a argument, what string) int {
	n, ok := c.constantInt32(a.val, a.expr, what)
	c.must(ok)
	return n
}

// axisOf is an axis of a tile of some rank, counted from 0.
func (c *call) axisOf(a argument, rank int) int {
	axis := c.integerOf(a, "axis")
	if axis < -rank || axis >= rank {
		c.failAxis(a.expr, axis, rank)
	}
	if axis < 0 {
		axis += rank
	}
	return axis
}

// failAxis reports an axis that a tile of some rank does not have.
func (c *call) failAxis(e syntax.Expr, axis, rank int) {
	axes := make([]string, rank)
	for i := range axes {
		axes[i] = strconv.Itoa(i)
	}
	c.fail(diag.New("axis-out-of-range", c.spanOf(e), axis, rank, strings.Join(axes, ", ")))
}

// shape is an argument that is a shape: a tuple or list of known powers of two.
func (c *call) shape(name string) []int {
	a := c.arg(name)
	shape, ok := c.shapeArg(a.val, a.expr)
	c.must(ok)
	return shape
}

// elementType is an argument that is a dtype.
func (c *call) elementType(name string) types.Type {
	a := c.arg(name)
	t, ok := c.dtypeArg(a.val, a.expr)
	c.must(ok)
	return t
}

// isTrue reports whether an argument is a constexpr that Python takes for true.
func (c *call) isTrue(name string) bool {
	k, ok := c.value(name).(constant)
	return ok && python.Truth(k.v)
}

// list are the elements of an argument that is a tuple, or one in place of a tuple, with their expressions where the
// source has them.
func (c *call) list(name string) []argument {
	a := c.arg(name)
	t, ok := a.val.(tuple)
	if !ok {
		return []argument{a}
	}
	out := make([]argument, len(t.elems))
	for i, e := range elementExprs(a.expr, len(t.elems)) {
		out[i] = argument{t.elems[i], e}
	}
	return out
}

// isGiven reports whether the call gives the parameter something other than None.
func (c *call) isGiven(name string) bool {
	i := c.position(name)
	return i >= 0 && c.given[i] && !isNone(c.bound[i].val)
}

// choice is a string argument that must be one of a list; "" for None.
func (c *call) choice(name string, list ...string) string {
	a := c.arg(name)
	if isNone(a.val) {
		return ""
	}
	k, _ := a.val.(constant)
	s, ok := k.v.(python.Str)
	if ok && slices.Contains(list, string(s)) {
		return string(s)
	}
	c.must(ok || !c.underGuess()) // the guess was none for a text
	quoted := make([]string, 0, len(list))
	for _, w := range list {
		if w != "" {
			quoted = append(quoted, "'"+w+"'")
		}
	}
	c.fail(diag.New("bad-choice", c.spanOf(a.expr), name, c.sourceText(a.expr), strings.Join(quoted, ", "),
		c.choiceSaid(name, string(s))))
	return ""
}

// choices begin what Triton says of a string that is none of those that a parameter takes.
var choices = map[string]string{"cache_modifier": "Cache modifier", "eviction_policy": "Eviction policy",
	"sem": "Memory semantic", "scope": "Memory semantic", "padding_option": "Padding option"}

// choiceSaid is what Triton says of such a string.
func (c *call) choiceSaid(name, s string) string {
	switch {
	case strings.HasSuffix(name, "_format"):
		return "Invalid float format: " + s + "."
	case choices[name] != "":
		return choices[name] + " " + s + " not supported"
	}
	return ""
}

// text is an argument that must be a string known while compiling.
func (c *call) text(name string) string {
	a := c.arg(name)
	k, _ := a.val.(constant)
	s, ok := k.v.(python.Str)
	switch {
	case !ok:
		c.fail(diag.New("asm-string", c.spanOf(a.expr), name, c.sourceText(a.expr), kindText(a.val)))
	case len(s) > ops.MaxString:
		c.fail(diag.New("text-too-long", c.spanOf(a.expr), ops.MaxString))
	}
	return string(s)
}
