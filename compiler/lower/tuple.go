package lower

import (
	"slices"
	"strconv"
	"strings"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/syntax"
)

// TupleClass is a class of tuples whose items have names: a NamedTuple's, or one that collections.namedtuple makes.
type TupleClass struct {
	Name     string
	Fields   []string
	Defaults []any // of the last fields
}

// NamedTuple is an object of such a class. Its items are what Outer.Value may be.
type NamedTuple struct {
	Class *TupleClass
	Items []any
}

// TupleArg says that an argument is a tuple. Each of its Len items is an argument of its own, which has the name that
// Item gives it.
type TupleArg struct {
	Class *TupleClass // nil for a plain tuple
	Len   int
}

// Item names the i-th item of a tuple: t.0, or with the class's field t.shape.
func (c *TupleClass) Item(tuple string, i int) string {
	if c == nil {
		return tuple + "." + strconv.Itoa(i)
	}
	return tuple + "." + c.Fields[i]
}

// Equal reports whether two tuples, of which either may be nil, are compiled alike.
func (t *TupleArg) Equal(o *TupleArg) bool {
	if t == nil || o == nil {
		return t == o
	}
	return t.Len == o.Len && sameClass(t.Class, o.Class)
}

// sameClass reports whether two classes, of which either may be nil, have the same name and fields.
func sameClass(a, b *TupleClass) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Name == b.Name && slices.Equal(a.Fields, b.Fields)
}

func (t tuple) parts() []value { return t.elems }

func (t tuple) withParts(parts []value) value { return tuple{parts, t.class} }

func (t tuple) isLike(o composite) bool {
	u, ok := o.(tuple)
	return ok && len(t.elems) == len(u.elems) && sameClass(t.class, u.class)
}

// bindTupleParam is the value of a parameter whose argument is a tuple, of the arguments that are its items.
func (l *lowerer) bindTupleParam(def *syntax.FunctionDef, p *syntax.Param, a *Arg) value {
	t := tuple{class: a.Tuple.Class}
	for i := range a.Tuple.Len {
		item := syntax.Param{Name: t.class.Item(p.Name, i), Loc: p.Loc}
		t.elems = append(t.elems, l.bindParam(def, &item, l.items[item.Name], false))
	}
	return t
}

// tupleClass is a TupleClass that a kernel names, with the values of its defaults.
type tupleClass struct {
	*TupleClass
	defaults []value
}

// lowerTupleCall makes a tuple of a class.
func (l *lowerer) lowerTupleCall(c tupleClass, args *arguments) value {
	defaults := make([]value, len(c.Fields)-len(c.defaults), len(c.Fields))
	args.binder = binder{name: c.Name + ".__new__", self: 1}
	t, ok := l.bindFields(c.TupleClass, append(defaults, c.defaults...), args)
	if !ok {
		return poison{}
	}
	return t
}

// bindFields are the values of a class's fields that a call gives, in their order or by name, or that are the fields'
// defaults; nil is none.
func (l *lowerer) bindFields(c *TupleClass, defaults []value, args *arguments) (t tuple, ok bool) {
	params := &syntax.Params{}
	for i, name := range c.Fields {
		p := syntax.Param{Name: name, Kind: syntax.Plain}
		if defaults[i] != nil {
			p.Default = args.node // only that there is one counts
		}
		params.List = append(params.List, p)
	}
	bound, ok := l.bindArguments(params, args)
	t.class = c
	for i, a := range bound {
		if a.val == nil {
			a.val = defaults[i]
		}
		t.elems = append(t.elems, a.val)
	}
	return t, ok
}

// attribute is a field of a tuple that has a class.
func (t tuple) attribute(l *lowerer, e *syntax.Attribute) value {
	if t.class == nil {
		return l.failNoAttribute(t, e, nil)
	}
	if i := slices.Index(t.class.Fields, e.Attr); i >= 0 {
		return t.elems[i]
	}
	at := l.userSpan(e.AttrSpan)
	d := diag.New("no-field", at, t.class.Name, e.Attr, strings.Join(t.class.Fields, ", "))
	return l.fail(l.suggestNearest(d, at, e.Attr, t.class.Fields))
}

// tupleClassOf reads the class that a class statement derives from NamedTuple; not ok for other classes, and where the
// value of a default is not known.
func (l *lowerer) tupleClassOf(m *module, def *syntax.ClassDef) (c tupleClass, ok bool) {
	if !slices.ContainsFunc(def.Bases, func(b syntax.Expr) bool { return syntax.LastName(b) == "NamedTuple" }) {
		return c, false
	}
	c.TupleClass = &TupleClass{Name: def.Name}
	for _, s := range def.Body {
		field, isField := s.(*syntax.AnnAssign)
		if !isField {
			continue
		}
		n, isName := field.Target.(*syntax.Name)
		if !isName {
			return c, false
		}
		c.Fields = append(c.Fields, n.ID)
		if field.Value != nil {
			v, ok := l.evalModuleExpr(m, field.Value)
			if !ok {
				return c, false
			}
			c.defaults = append(c.defaults, v)
		}
	}
	return c, true
}

// calledTupleClass reads collections.namedtuple("Name", "a b"), or with a list of names; not ok for other expressions.
func (l *lowerer) calledTupleClass(m *module, e syntax.Expr) (c tupleClass, ok bool) {
	call, isCall := e.(*syntax.Call)
	if !isCall || len(call.Args) != 2 || len(call.Keywords) > 0 || syntax.LastName(call.Func) != "namedtuple" {
		return c, false
	}
	name, isText := textOf(call.Args[0])
	fields, known := l.evalModuleExpr(m, call.Args[1])
	if !isText || !known {
		return c, false
	}
	c.TupleClass = &TupleClass{Name: name}
	if names, ok := textOf(call.Args[1]); ok {
		c.Fields = strings.Fields(strings.ReplaceAll(names, ",", " "))
		return c, true
	}
	list, isList := fields.(tuple)
	for _, v := range list.elems {
		field, ok := pythonText(v)
		if !ok {
			return c, false
		}
		c.Fields = append(c.Fields, field)
	}
	return c, isList
}

func textOf(e syntax.Expr) (string, bool) {
	c, ok := e.(*syntax.Constant)
	if !ok || c.Kind != syntax.StringConst {
		return "", false
	}
	return c.Text, true
}
