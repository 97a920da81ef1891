package lower

import (
	"strings"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/compiler/tl"
)

// lowerAttribute lowers x.name.
func (l *lowerer) lowerAttribute(e *syntax.Attribute) value {
	if v, ok := l.libraryValue(e); ok {
		return v
	}
	return l.lookupAttribute(l.lowerExpr(e.Value), e)
}

// attributed is a value that has attributes or methods.
type attributed interface {
	// attribute is v.name, reported where there is none.
	attribute(l *lowerer, e *syntax.Attribute) value
}

func (l *lowerer) lookupAttribute(v value, e *syntax.Attribute) value {
	// .value is Triton's way from a constexpr to what it holds.
	if e.Attr == "value" && l.isConstexprName(e.Value) {
		switch v.(type) {
		case dtype, tuple:
			return v
		}
	}
	switch v := v.(type) {
	case poison:
		return v
	case attributed:
		return v.attribute(l, e)
	}
	return l.failNoAttribute(v, e, nil)
}

// failNoAttribute reports x.name of a value that has other names.
func (l *lowerer) failNoAttribute(v value, e *syntax.Attribute, names []string) value {
	at := l.userSpan(e.AttrSpan)
	return l.fail(l.suggestNearest(diag.New("no-attribute", at, kindText(v), e.Attr), at, e.Attr, names))
}

// isConstexprName reports whether an expression is a name that was made a constexpr: a parameter, a
// variable annotated so, a global tl.constexpr(…). Numbers, strings and None always are.
func (l *lowerer) isConstexprName(e syntax.Expr) bool {
	n, ok := e.(*syntax.Name)
	if !ok {
		return false
	}
	if b, ok := l.frame.vars.get(n.ID); ok {
		return b.constexpr || paramOf(l.frame.fn, n.ID) != nil
	}
	def := l.frame.fn.module.defs[n.ID]
	return def.constexpr || isConstexprCall(def.value)
}

func (n namespace) attribute(l *lowerer, e *syntax.Attribute) value {
	if v, ok := member(n.name, e.Attr); ok {
		return v
	}
	switch {
	case n.name == "PropagateNan" && (e.Attr == "ALL" || e.Attr == "NONE"):
		return namespace{n.name + "." + e.Attr}
	case n.name == "torch" || n.name == "numpy": // torch.inf and its like
		if f, ok := python.MathConstants[e.Attr]; ok {
			return constant{f}
		}
	case n.name == "math":
		if v, ok := mathMember(e.Attr); ok {
			return v
		}
	}
	at := l.userSpan(e.AttrSpan)
	known := tl.IsModule(n.name)
	if (!known || n.name == "triton.language.extra" || n.name == "triton.language.extra.cuda") && l.underGuess() {
		return l.lookupHostMember(n, e)
	}
	if strings.HasPrefix(e.Attr, "_") && l.underGuess() {
		return poison{} // the table does not have all of Triton's private names
	}
	if !known {
		return l.fail(diag.New("module-in-kernel", l.spanOf(e), l.sourceText(e), n.name))
	}
	path, names := strings.Replace(n.name, "triton.language", "tl", 1), tl.Members(n.name)
	if tl.Lacks(n.name, e.Attr) {
		return l.refuseLacking(e, path+"."+e.Attr, names)
	}
	if instead, ok := otherLibraries[e.Attr]; ok && path == "tl" {
		d := diag.New("unknown-name", at, path, e.Attr)
		return l.fail(suggestReplacement(d, false, l.spanOf(e), instead))
	}
	return l.fail(l.suggestNearest(diag.New("unknown-name", at, path, e.Attr), at, e.Attr, names))
}

// refuseLacking reports a name that Triton has and newt does not.
func (l *lowerer) refuseLacking(e *syntax.Attribute, path string, names []string) value {
	d := diag.New("not-in-newt", l.userSpan(e.AttrSpan), path)
	if near, ok := diag.Nearest(e.Attr, names); ok {
		d.Primary.Text = diag.Text{Key: "nearest-in-newt", Args: []any{near}}
	}
	return l.fail(d)
}

// mathMember is a number or a function of Python's module math.
func mathMember(name string) (value, bool) {
	if f, ok := python.MathConstants[name]; ok {
		return constant{f}, true
	}
	return pythonFunction{"math." + name, func(args []python.Value) (python.Value, *python.Error) {
		return python.Math(name, args)
	}}, python.HasMath(name)
}

// otherLibraries says what to write for names that other libraries have.
var otherLibraries = map[string]string{
	"relu": "tl.maximum", "matmul": "tl.dot", "mm": "tl.dot", "ones": "tl.full",
	"transpose": "tl.trans", "amax": "tl.max", "amin": "tl.min", "bool": "tl.int1", "float": "tl.float32",
	"int": "tl.int32", "half": "tl.float16", "double": "tl.float64", "concatenate": "tl.cat", "stack": "tl.join",
	"mean": "tl.sum", "squeeze": "tl.reshape", "unsqueeze": "tl.expand_dims", "astype": "tl.to",
}

// attribute is an attribute or method of a tensor.
func (t tensor) attribute(l *lowerer, e *syntax.Attribute) value {
	row := tl.Lookup(tl.Tensor, e.Attr)
	if row == nil {
		at := l.userSpan(e.AttrSpan)
		d := diag.New("unknown-method", at, l.sourceText(e.Value), e.Attr)
		instead := strings.TrimPrefix(otherLibraries[e.Attr], "tl.")
		if tl.Lookup(tl.Tensor, instead) != nil {
			return l.fail(suggestReplacement(d, false, at, instead))
		}
		return l.fail(l.suggestNearest(d, at, e.Attr, tl.Names(tl.Tensor)))
	}
	if row.Bind != tl.Property {
		return builtin{row: row, self: t}
	}
	switch e.Attr {
	case "dtype":
		return dtype{t.v.Type.Elem()}
	case "type":
		return dtype{t.v.Type}
	case "shape":
		return shapeTuple(t.v.Type.Shape)
	case "numel":
		return integer(int64(t.v.Type.Numel()))
	}
	return l.swapLastAxes(e, t.v, e.Value) // T
}

func shapeTuple(shape []int) tuple {
	out := tuple{elems: make([]value, len(shape))}
	for i, d := range shape {
		out.elems[i] = integer(int64(d))
	}
	return out
}

// attribute: a constexpr has a value; the methods of tensors it gets as a tensor, which a
// number that Triton has turned into a constexpr lacks there.
func (c constant) attribute(l *lowerer, e *syntax.Attribute) value {
	switch {
	case c == pyNone && l.underGuess(): // a module that could not be imported, or a default
		return poison{}
	case e.Attr == "value":
		return c
	}
	if s, ok := c.v.(python.Str); ok && python.HasMethod(e.Attr) {
		return pythonFunction{"str." + e.Attr, func(args []python.Value) (python.Value, *python.Error) {
			return s.Method(e.Attr, args)
		}}
	}
	if _, refusal := numberOf(c); refusal == nil && tl.Lookup(tl.Tensor, e.Attr) != nil {
		l.warnSuperset(diag.New("constexpr-method", l.spanOf(e), l.sourceText(e.Value), e.Attr))
		return l.b.asTensor(c).attribute(l, e)
	}
	return l.failNoAttribute(c, e, nil)
}
