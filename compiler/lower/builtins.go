package lower

import (
	"math"
	"math/bits"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/compiler/syntax"
)

// extreme lowers Python's min and max: known numbers now, tensors element by element.
func (l *lowerer) extreme(c *call) value {
	t, _ := c.get("args").(tuple)
	list := t.elems
	if len(list) == 1 {
		if inner, ok := list[0].(tuple); ok {
			list = inner.elems
		} else if _, isTensor := list[0].(tensor); isTensor {
			return l.fail(diag.New("builtin-reduce", l.place(c.node), c.row.Name).
				Suggest(true, diag.Text{Key: "fix-replace", Args: []any{"tl." + c.row.Name}}, l.calleeEdit(c, "tl."+c.row.Name)))
		}
	}
	if len(list) == 0 {
		return l.fail(diag.New("missing-argument", l.place(c.node), c.row.Name, "args"))
	}
	op, better := ops.Min, "<"
	if c.row.Name == "max" {
		op, better = ops.Max, ">"
	}
	out := list[0]
	for _, v := range list[1:] {
		at := operands{c.node, c.node, c.node}
		a, aOK := out.(constant)
		b, bOK := v.(constant)
		if aOK && bOK {
			less, err := python.Compare(better, b.v, a.v)
			if err != nil {
				return l.raised(err, c.node)
			}
			if less {
				out = v
			}
			continue
		}
		if !l.numeric(argument{out, c.node}, argument{v, c.node}) {
			return poison{}
		}
		if out = l.minMaxOf(op, out, v, at, false); isPoison(out) {
			return out
		}
	}
	return out
}

// calleeEdit replaces the name that a call calls.
func (l *lowerer) calleeEdit(c *call, by string) diag.Edit {
	if e, ok := c.node.(*syntax.Call); ok {
		return diag.Edit{Span: l.place(e.Func), New: by}
	}
	return diag.Edit{Span: l.place(c.node), New: by}
}

func (l *lowerer) length(c *call) value {
	switch v := c.get("obj").(type) {
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
	return l.fail(diag.New("no-length", l.place(c.node), kindText(c.get("obj"))))
}

// castTakes is what CPython says that its number types take beside real numbers.
var castTakes = map[string]string{"int": "string, a bytes-like object or a ", "float": "string or a "}

// pythonNumber is int(x), float(x) and bool(x): known numbers now, tensors converted with a warning.
func (l *lowerer) pythonNumber(c *call) value {
	a := c.arg("x")
	switch v := a.val.(type) {
	case constant:
		return l.pythonCall(c, c.row.Name, v)
	case tensor:
		d := pythonDTypes[c.row.Name]
		if !l.numeric(a) {
			return poison{}
		}
		l.superset(diag.New("builtin-cast", l.place(c.node), c.row.Name, d.Info().Attr, castTakes[c.row.Name]))
		return tensor{l.cast(c.node.Span(), v.v, d)}
	}
	return l.fail(diag.New("number-wanted", l.place(a.expr), l.text(a.expr), kindText(a.val)))
}

func (l *lowerer) pythonCall(c *call, name string, k constant) value {
	v, err := python.Call(name, []python.Value{k.v})
	if err != nil {
		return l.raised(err, c.node)
	}
	return constant{v}
}

func (l *lowerer) strCall(c *call) value {
	text, ok := show(c.get("x"))
	if !ok {
		return l.fail(diag.New("not-printable", l.place(c.node), l.text(c.node), kindText(c.get("x"))))
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
	}
	return nil
}

// isInstance lowers isinstance, which is known while compiling.
func (l *lowerer) isInstance(c *call) value {
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
		default:
			return l.fail(diag.New("isinstance-type", l.place(a.expr), l.text(a.expr), kindText(class)))
		}
		for _, have := range classOf(c.get("obj")) {
			if have == name {
				return yes
			}
		}
	}
	return never
}

// attributeNamed is the expression obj.name for getattr and hasattr.
func (l *lowerer) attributeNamed(c *call) (*syntax.Attribute, bool) {
	k, _ := c.get("name").(constant)
	name, ok := k.v.(python.Str)
	if !ok {
		l.fail(diag.New("needs-constexpr", l.place(c.arg("name").expr), c.row.Name, l.text(c.arg("name").expr)))
		return nil, false
	}
	e := &syntax.Attribute{Value: c.arg("obj").expr, Attr: string(name), AttrSpan: c.arg("name").expr.Span()}
	e.Loc = c.node.Span()
	return e, true
}

func (l *lowerer) getAttr(c *call) value {
	e, ok := l.attributeNamed(c)
	if !ok {
		return poison{}
	}
	if t, isTuple := c.get("default").(tuple); isTuple && len(t.elems) > 0 && !l.hasAttribute(c.get("obj"), e) {
		return t.elems[0]
	}
	return l.attributeOf(c.get("obj"), e)
}

func (l *lowerer) hasAttr(c *call) value {
	e, ok := l.attributeNamed(c)
	if !ok {
		return poison{}
	}
	return constant{python.Bool(l.hasAttribute(c.get("obj"), e))}
}

// hasAttribute tries an attribute and takes back what that reports: what newt alone has does not
// count, nor does the value of a constexpr, which Triton takes out of it first.
func (l *lowerer) hasAttribute(v value, e *syntax.Attribute) bool {
	reported := len(l.diags)
	found := e.Attr != "value" && !isPoison(l.attributeOf(v, e))
	for _, d := range l.diags[reported:] {
		found = found && d.Severity == diag.Hint
	}
	l.diags = l.diags[:reported]
	return found
}

func (l *lowerer) sequence(c *call) value {
	a := c.arg("x")
	items, ok := l.known(a.val, a.expr)
	if !ok {
		return poison{}
	}
	return tuple{items}
}

// zip makes tuples of what stands at one place of several sequences.
func (l *lowerer) zip(c *call) value {
	t, _ := c.get("args").(tuple)
	var columns [][]value
	n := math.MaxInt
	for _, v := range t.elems {
		items, ok := l.known(v, c.node)
		if !ok {
			return poison{}
		}
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

func (l *lowerer) enumerate(c *call) value {
	a := c.arg("x")
	items, ok := l.known(a.val, a.expr)
	if !ok {
		return poison{}
	}
	start, ok := l.constantInt(c.get("start"), c.arg("start").expr, "start")
	if !ok {
		return poison{}
	}
	out := tuple{}
	for i, v := range items {
		out.elems = append(out.elems, tuple{elems: []value{integer(start + int64(i)), v}})
	}
	return out
}

func (l *lowerer) pow(c *call) value {
	x, y, at := c.pair("x", "y")
	return l.binary("**", x, y, at)
}

func (l *lowerer) round(c *call) value {
	k, ok := c.get("x").(constant)
	f, isFloat := k.v.(python.Float)
	switch {
	case !ok:
		return l.fail(diag.New("number-wanted", l.place(c.arg("x").expr), l.text(c.arg("x").expr), kindText(c.get("x"))))
	case !isFloat:
		return k
	case c.has("ndigits"):
		n, ok := l.constantSmall(c.get("ndigits"), c.arg("ndigits").expr, "ndigits")
		if !ok {
			return poison{}
		}
		v, err := f.Round(n)
		if err != nil {
			return l.raised(err, c.node)
		}
		return constant{v}
	}
	v, err := python.Float(math.RoundToEven(float64(f))).Whole()
	if err != nil {
		return l.raised(err, c.node)
	}
	return constant{v}
}

// log2Call is the prelude's _log2.
func (l *lowerer) log2Call(c *call) value {
	n, _ := l.constantInt(c.get("n"), c.node, "n")
	return integer(int64(bits.Len64(uint64(n)) - 1))
}
