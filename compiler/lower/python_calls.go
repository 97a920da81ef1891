package lower

import (
	"math"
	"math/bits"
	"slices"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/compiler/triton"
	"github.com/newtlab/newt/compiler/types"
)

// lowerPythonMinMax lowers Python's min and max: known numbers now, tensors element by element.
func lowerPythonMinMax(c *call) value {
	t, _ := c.value("args").(tuple)
	list := t.elems
	// A sequence as the only argument, as in Python; a tile is meant to be reduced, which is tl.max's work.
	if len(list) == 1 {
		if inner, ok := list[0].(tuple); ok {
			list = inner.elems
		} else if _, isTensor := list[0].(tensor); isTensor {
			d := diag.New("builtin-reduce", c.spanOf(c.node), c.row.Name)
			return c.fail(suggestReplacement(d, true, c.calleeSpan(), "tl."+c.row.Name))
		}
	}
	if len(list) == 0 {
		return c.fail(diag.New("missing-argument", c.spanOf(c.node), c.row.Name, "args", ""))
	}
	op, better := ops.Min, "<"
	if c.row.Name == "max" {
		op, better = ops.Max, ">"
	}
	c.checkExtremes(list, "tl."+c.row.Name+"imum")
	out := list[0]
	for _, v := range list[1:] {
		at := operandNodes{c.node, c.node, c.node}
		a, aOK := out.(constant)
		b, bOK := v.(constant)
		if aOK && bOK {
			less, err := python.Compare(better, b.v, a.v)
			if err != nil {
				return c.raisePythonError(err, c.node)
			}
			if less {
				out = v
			}
			continue
		}
		c.must(c.checkNumbers(argument{out, c.node}, argument{v, c.node}))
		if out = c.lowerArithmetic(operator{types.MinMax, op}, out, v, at, nanAttr(false)); isPoison(out) {
			return out
		}
	}
	return out
}

// checkExtremes reports arguments of min and max that Triton refuses or warns of.
func (c *call) checkExtremes(list []value, better string) {
	if slices.ContainsFunc(list, func(v value) bool { return len(shapeOfValue(v)) > 0 }) {
		if c.has(triton.BuiltinExtremes) && !c.frame.fn.module.prelude {
			c.diags.Add(diag.Warn("builtin-extreme", c.spanOf(c.node), c.row.Name, better,
				"builtin "+c.row.Name+" on non-scalar tensor values is deprecated, use "+better+" instead"))
		}
		return
	}
	for _, v := range list {
		k, ok := v.(constant)
		f, isFloat := k.v.(python.Float)
		switch x := float64(f); {
		case !ok, !isFloat, c.inModuleCode(), c.frame.fn.module.prelude:
		case math.IsNaN(x):
			c.warnSuperset(diag.New("constexpr-extreme", c.spanOf(c.node), c.row.Name, "NaN", "NaN values"))
		case x == 0 && math.Signbit(x):
			c.warnSuperset(diag.New("constexpr-extreme", c.spanOf(c.node), c.row.Name, "-0.0", "negative zero"))
		}
	}
}

func lowerLen(c *call) value {
	switch v := c.value("obj").(type) {
	case tuple:
		return integer(int64(len(v.elems)))
	case tensor:
		if len(v.v.Type.Shape) > 0 {
			return integer(int64(v.v.Type.Shape[0]))
		}
	case constant:
		if s, ok := v.v.(python.Str); ok {
			return integer(int64(len([]rune(string(s)))))
		}
	}
	return c.fail(diag.New("no-length", c.spanOf(c.node), kindText(c.value("obj"))))
}

// castTakes holds CPython's words for what its number types accept in addition to real numbers.
var castTakes = map[string]string{"int": "string, a bytes-like object or a ", "float": "string or a "}

// lowerNumberCall is int(x), float(x) and bool(x): known numbers now, tensors converted with a warning.
func lowerNumberCall(c *call) value {
	a := c.arg("x")
	switch v := a.val.(type) {
	case constant:
		return c.foldPythonCall(c.row.Name, v.v)
	case tensor:
		d := pythonDTypes[c.row.Name]
		c.must(c.checkNumbers(a))
		c.warnSuperset(diag.New("builtin-cast", c.spanOf(c.node), c.row.Name, d.Info().Attr, castTakes[c.row.Name]))
		return tensor{c.b.cast(c.node.Span(), v.v, d)}
	}
	return c.fail(diag.New("number-wanted", c.spanOf(a.expr), c.sourceText(a.expr), kindText(a.val)))
}

func (c *call) foldPythonCall(name string, args ...python.Value) value {
	v, err := python.Call(name, args)
	if err != nil {
		return c.raisePythonError(err, c.node)
	}
	return constant{v}
}

func lowerStr(c *call) value {
	text, ok := pythonText(c.value("x"))
	if !ok {
		return c.fail(diag.New("not-printable", c.spanOf(c.node), c.sourceText(c.node), kindText(c.value("x"))))
	}
	return constant{python.Str(text)}
}

// classOf says which Python classes a value is an instance of. Triton takes the value out of a
// constexpr first, so nothing is an instance of tl.constexpr.
func classOf(v value) []string {
	switch v := v.(type) {
	case tensor:
		return []string{"tensor"}
	case dtype:
		switch {
		case isBlock(v.t):
			return []string{"block_type", "dtype"}
		case v.t.Pointer:
			return []string{"pointer_type", "dtype"}
		}
		return []string{"dtype"}
	case constant:
		if v.v.Type() == "bool" {
			return []string{"bool", "int"}
		}
		return []string{v.v.Type()}
	case tuple:
		return []string{kindText(v)}
	case descriptor:
		if v.blockPointer {
			return []string{"tensor"}
		}
		return []string{"tensor_descriptor"}
	}
	return nil
}

// lowerIsInstance lowers isinstance, which is known while compiling.
func lowerIsInstance(c *call) value {
	a := c.arg("types")
	list := []value{a.val}
	if t, ok := a.val.(tuple); ok {
		list = t.elems
	}
	for _, class := range list {
		name := ""
		switch k := class.(type) {
		case builtin:
			name = k.row.Name
		case namespace:
			name = k.name
		case tupleClass:
			if t, ok := c.value("obj").(tuple); ok && sameClass(t.class, k.TupleClass) {
				return pyTrue
			}
			continue
		case *aggregateClass:
			if isInstanceOf(c.value("obj"), k) {
				return pyTrue
			}
			continue
		default:
			return c.fail(diag.New("isinstance-type", c.spanOf(a.expr), c.sourceText(a.expr), kindText(class)))
		}
		for _, have := range classOf(c.value("obj")) {
			if have == name {
				return pyTrue
			}
		}
	}
	return pyFalse
}

// namedAttribute is the expression obj.name for getattr and hasattr.
func (c *call) namedAttribute() *syntax.Attribute {
	k, _ := c.value("name").(constant)
	name, ok := k.v.(python.Str)
	if !ok {
		c.fail(diag.New("needs-constexpr", c.spanOf(c.arg("name").expr), c.row.Name, c.sourceText(c.arg("name").expr)))
	}
	e := &syntax.Attribute{Value: c.arg("obj").expr, Attr: string(name), AttrSpan: c.arg("name").expr.Span()}
	e.Loc = c.node.Span()
	return e
}

func lowerGetAttr(c *call) value {
	e := c.namedAttribute()
	if t, isTuple := c.value("default").(tuple); isTuple && len(t.elems) > 0 && !c.hasAttribute(c.value("obj"), e) {
		return t.elems[0]
	}
	return c.lookupAttribute(c.value("obj"), e)
}

func lowerHasAttr(c *call) value {
	return constant{python.Bool(c.hasAttribute(c.value("obj"), c.namedAttribute()))}
}

// hasAttribute tries an attribute and takes back what that reports: what newt alone has does not
// count, nor does the value of a constexpr, which Triton takes out of it first.
func (l *lowerer) hasAttribute(v value, e *syntax.Attribute) bool {
	reported := len(l.diags)
	found := e.Attr != "value" && !isPoison(l.lookupAttribute(v, e))
	for _, d := range l.diags[reported:] {
		found = found && d.Severity == diag.Hint
	}
	l.diags = l.diags[:reported]
	return found
}

func lowerSequence(c *call) value {
	items, ok := c.knownElements(c.bound[0].val, c.bound[0].expr)
	c.must(ok)
	return tuple{elems: items}
}

// lowerZip makes a tuple of the i-th elements of several sequences, for each i.
func lowerZip(c *call) value {
	t, _ := c.value("args").(tuple)
	var columns [][]value
	n := math.MaxInt
	for _, v := range t.elems {
		items, ok := c.knownElements(v, c.node)
		c.must(ok)
		columns = append(columns, items)
		n = min(n, len(items))
	}
	out := tuple{}
	for i := 0; i < n && len(columns) > 0; i++ {
		row := tuple{}
		for _, col := range columns {
			row.elems = append(row.elems, col[i])
		}
		out.elems = append(out.elems, row)
	}
	return out
}

func lowerEnumerate(c *call) value {
	a := c.arg("x")
	items, ok := c.knownElements(a.val, a.expr)
	c.must(ok)
	start, ok := c.constantInt(c.value("start"), c.arg("start").expr, "start")
	c.must(ok)
	out := tuple{}
	for i, v := range items {
		out.elems = append(out.elems, tuple{elems: []value{integer(start + int64(i)), v}})
	}
	return out
}

func lowerPow(c *call) value {
	x, y, at := c.operandArgs("x", "y")
	return c.lowerBinary("**", x, y, at)
}

func lowerRound(c *call) value {
	k, ok := c.value("x").(constant)
	if !ok {
		a := c.arg("x")
		return c.fail(diag.New("number-wanted", c.spanOf(a.expr), c.sourceText(a.expr), kindText(a.val)))
	}
	args := []python.Value{k.v}
	if c.isGiven("ndigits") {
		args = append(args, python.NewInt(int64(c.integer("ndigits"))))
	}
	return c.foldPythonCall("round", args...)
}

// lowerLog2 is tl.standard._log2; of numbers below 1 it is 0, as there.
func lowerLog2(c *call) value {
	n, ok := c.constantInt(c.value("i"), c.arg("i").expr, "i")
	c.must(ok)
	return integer(int64(bits.Len64(uint64(max(n, 1))) - 1))
}

// callPythonFunction calls a function of Python's own on what is known now.
func (l *lowerer) callPythonFunction(f pythonFunction, args *arguments) value {
	for _, k := range args.keywords {
		return l.raisePythonError(&python.Error{Class: "TypeError", Message: f.path + "() takes no keyword arguments"},
			k.expr)
	}
	known := make([]python.Value, len(args.positional))
	for i, a := range args.positional {
		v, ok := toPython(a.val)
		if !ok {
			return l.raisePythonError(&python.Error{Class: "TypeError",
				Message: "must be real number, not " + classText(a.val)}, a.expr)
		}
		known[i] = v
	}
	v, err := f.call(known)
	if err != nil {
		return l.raisePythonError(err, args.node)
	}
	return fromPython(v)
}
