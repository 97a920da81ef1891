package lower

import (
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/compiler/syntax"
)

// Aggregate is a class under triton.language.core._aggregate: its objects are the values of their fields, and kernels
// call its methods.
type Aggregate struct {
	Name    string
	Fields  []AggregateField // as the class annotates them
	Methods map[string]AggregateMethod
}

// AggregateField is a field. Type is its annotation, which is what Outer.Value may be.
type AggregateField struct {
	Name string
	Type any
}

// AggregateMethod is a method; one that is Static has no parameter for the object.
type AggregateMethod struct {
	*Function
	Static bool
}

// aggregatePath is the name that the decorator of such classes is imported by.
const aggregatePath = "triton.language.core._aggregate"

// aggregateClass is an Aggregate while a kernel is lowered.
type aggregateClass struct {
	layout  *TupleClass // its name and its fields
	types   []value     // of the fields: what a value has to be an instance of
	methods map[string]function
}

// aggregate is an object of such a class. Its fields are a tuple, which branches merge and loops carry like any other;
// it is no tuple itself, as it has no items.
type aggregate struct {
	class  *aggregateClass
	fields tuple
}

func (a aggregate) parts() []value { return a.fields.elems }

func (a aggregate) withParts(parts []value) value {
	return aggregate{a.class, tuple{parts, a.fields.class}}
}

func (a aggregate) isLike(o composite) bool {
	b, ok := o.(aggregate)
	return ok && a.class == b.class
}

// text says what an object holds: Window(base: *fp32, size: 16).
func (a aggregate) text() string {
	parts := make([]string, len(a.fields.elems))
	for i, v := range a.fields.elems {
		text, known := pythonText(v)
		if !known {
			text = fullText(v)
		}
		parts[i] = a.class.layout.Fields[i] + ": " + text
	}
	return a.class.layout.Name + "(" + strings.Join(parts, ", ") + ")"
}

// aggregateOf is a program's class.
func (g *globals) aggregateOf(a *Aggregate) *aggregateClass {
	if c := g.aggregates[a]; c != nil {
		return c
	}
	c := newAggregateClass(a.Name)
	g.aggregates[a] = c // a field may be of its own class
	for _, f := range a.Fields {
		t, ok := g.scopeValue(f.Type)
		if !ok {
			t = namespace{}
		}
		c.addField(f.Name, t)
	}
	for name, m := range a.Methods {
		c.addMethod(name, functionOf(m.Def, g.moduleOf(m.Function)), m.Static)
	}
	return c
}

// aggregateClassOf reads the class that a class statement makes under the decorator; not ok for other classes, and
// where the text does not tell what the class has.
func (l *lowerer) aggregateClassOf(m *module, def *syntax.ClassDef) (*aggregateClass, bool) {
	if !slices.ContainsFunc(def.Decorators, m.isAggregateDecorator) {
		return nil, false
	}
	order, ok := m.classOrder(def, nil)
	if !ok {
		return nil, false
	}
	c := newAggregateClass(def.Name)
	m.cache[def.Name] = c // a field may be of its own class
	for _, s := range def.Body {
		if s, ok := s.(*syntax.AnnAssign); ok && !l.addAnnotated(c, m, s) {
			return nil, false
		}
	}
	for _, d := range slices.Backward(order) { // methods are inherited, fields are not
		for _, s := range d.Body {
			if !l.addStatement(c, m, s) {
				return nil, false
			}
		}
	}
	return c, true
}

// addAnnotated adds a field as a class statement annotates it.
func (l *lowerer) addAnnotated(c *aggregateClass, m *module, s *syntax.AnnAssign) bool {
	n, isName := s.Target.(*syntax.Name)
	if !isName {
		return false
	}
	t, known := l.evalModuleExpr(m, s.Annotation)
	if !known && !isPoison(t) {
		t = namespace{}
	}
	c.addField(n.ID, t)
	return true
}

// addStatement adds the methods that a statement of a class's body makes; not ok where the text does not tell them.
func (l *lowerer) addStatement(c *aggregateClass, m *module, s syntax.Stmt) bool {
	switch s := s.(type) {
	case *syntax.FunctionDef:
		c.addMethod(s.Name, functionOf(s, m), decorated(s, "staticmethod"))
	case *syntax.Assign:
		v, known := l.evalModuleExpr(m, s.Value)
		n, isName := s.Targets[0].(*syntax.Name)
		if !known || !isName || len(s.Targets) > 1 {
			return false
		}
		if f, ok := v.(function); ok {
			c.addMethod(n.ID, f, false)
		}
	case *syntax.AnnAssign, *syntax.ExprStmt, *syntax.Pass:
	default:
		return false
	}
	return true
}

// classOrder is the method resolution order of a class, which those below inherit from; not ok where a base is none of
// the file's classes, or has a decorator, which may make anything of it.
func (m *module) classOrder(def *syntax.ClassDef, below []*syntax.ClassDef) ([]*syntax.ClassDef, bool) {
	below = append(below, def)
	isForeign := func(d syntax.Expr) bool { return !m.isAggregateDecorator(d) }
	var bases []*syntax.ClassDef
	var orders [][]*syntax.ClassDef
	for _, b := range def.Bases {
		n, isName := b.(*syntax.Name)
		if !isName {
			return nil, false
		}
		found, defined := m.defs[n.ID]
		if !defined && n.ID == "object" {
			continue
		}
		base := found.class
		// Of a name that is defined twice the last one is known alone, which may inherit from the first.
		if base == nil || slices.Contains(below, base) || slices.ContainsFunc(base.Decorators, isForeign) {
			return nil, false
		}
		order, ok := m.classOrder(base, below)
		if !ok {
			return nil, false
		}
		bases, orders = append(bases, base), append(orders, order)
	}
	return python.Linearize(def, bases, orders)
}

// isAggregateDecorator reports whether a decorator is Triton's, by whatever name the file imports it.
func (m *module) isAggregateDecorator(d syntax.Expr) bool {
	if n, ok := d.(*syntax.Name); ok {
		return m.defs[n.ID].path == aggregatePath
	}
	return syntax.LastName(d) == "_aggregate"
}

func newAggregateClass(name string) *aggregateClass {
	return &aggregateClass{layout: &TupleClass{Name: name}, methods: map[string]function{}}
}

func (c *aggregateClass) addField(name string, t value) {
	c.layout.Fields = append(c.layout.Fields, name)
	c.types = append(c.types, t)
}

func (c *aggregateClass) addMethod(name string, f function, static bool) {
	f.method = !static
	f.python = static || name == "__init__"
	c.methods[name] = f
}

// lowerAggregateCall makes an object: __init__ runs as Python, on a self whose fields it sets.
func (l *lowerer) lowerAggregateCall(c *aggregateClass, args *arguments) value {
	init, ok := c.methods["__init__"]
	if !ok || init.jit && !init.folds || len(init.params.List) == 0 {
		return l.fail(diag.New("aggregate-init", l.spanOf(args.node), c.layout.Name))
	}
	unset := tuple{class: c.layout}
	for range c.layout.Fields {
		unset.elems = append(unset.elems, unbound{})
	}
	args.prepend(aggregate{c, unset})
	callee, d := l.newFrame(&init, args)
	if callee == nil {
		return d
	}
	reported := len(l.diags)
	_, ok = l.inPython(func() value {
		l.frame = callee
		return l.lowerBody(&init)
	})
	b, _ := callee.vars.get(init.params.List[0].Name)
	self, isObject := b.val.(aggregate)
	switch {
	case len(l.diags) > reported && l.diags[reported:].HasErrors():
		return poison{}
	case !ok || !isObject:
		return l.fail(diag.New("needs-constexpr", l.spanOf(args.node), c.layout.Name, l.sourceText(args.node)))
	}
	for i, v := range self.fields.elems {
		if _, no := v.(unbound); no {
			return l.fail(diag.New("field-unset", l.spanOf(args.node), c.layout.Name, c.layout.Fields[i]).
				Because(init.span, "defined-here", "__init__"))
		}
	}
	return self
}

// withField is an object with another value of a field, as __init__ assigns it.
func (l *lowerer) withField(a aggregate, t *syntax.Attribute, v value) value {
	i := slices.Index(a.class.layout.Fields, t.Attr)
	switch {
	case isPoison(v):
	case i < 0:
		return l.failNoField(a.class, t, a.class.layout.Fields)
	case !isInstanceOf(v, a.class.types[i]):
		return l.fail(diag.New("field-type", l.spanOf(t), a.class.layout.Name, t.Attr, kindText(v),
			annotationText(a.class.types[i])))
	}
	if i >= 0 {
		a.fields.elems = slices.Clone(a.fields.elems)
		a.fields.elems[i] = v
	}
	return a
}

// attribute is a field of an object, or a method with the object as its first argument.
func (a aggregate) attribute(l *lowerer, e *syntax.Attribute) value {
	if i := slices.Index(a.class.layout.Fields, e.Attr); i >= 0 {
		v := a.fields.elems[i]
		if _, no := v.(unbound); no {
			return l.fail(diag.New("field-unset", l.userSpan(e.AttrSpan), a.class.layout.Name, e.Attr))
		}
		return v
	}
	f, ok := a.class.methods[e.Attr]
	if !ok {
		return l.failNoField(a.class, e, a.class.members())
	}
	if f.method {
		f.self = a
	}
	return f
}

// attribute is a method that is reached from its class, and so is called with the object.
func (c *aggregateClass) attribute(l *lowerer, e *syntax.Attribute) value {
	if f, ok := c.methods[e.Attr]; ok {
		return f
	}
	return l.failNoField(c, e, c.members())
}

// members are the names of the fields and methods.
func (c *aggregateClass) members() []string {
	list := slices.Clone(c.layout.Fields)
	for name := range c.methods {
		list = append(list, name)
	}
	slices.Sort(list[len(c.layout.Fields):])
	return list
}

func (l *lowerer) failNoField(c *aggregateClass, e *syntax.Attribute, has []string) value {
	at := l.userSpan(e.AttrSpan)
	d := diag.New("no-member", at, c.layout.Name, e.Attr, strings.Join(has, ", "))
	return l.fail(l.suggestNearest(d, at, e.Attr, has))
}

// isInstanceOf reports whether a field of that type takes a value.
func isInstanceOf(v, t value) bool {
	switch t := t.(type) {
	case poison: // nobody knows
		return true
	case *aggregateClass:
		a, ok := v.(aggregate)
		return ok && a.class == t
	case builtin:
		_, isTuple := v.(tuple)
		return t.row.Path() == "tl.constexpr" && isConstexpr(v) || t.row.Path() == "tl.tuple" && isTuple
	case namespace:
		return slices.Contains(classOf(v), t.name)
	}
	return false
}

// isConstexpr reports whether a value is known while compiling.
func isConstexpr(v value) bool {
	switch v := v.(type) {
	case constant, dtype, function, builtin, *aggregateClass:
		return true
	case tuple:
		return !slices.ContainsFunc(v.elems, func(e value) bool { return !isConstexpr(e) })
	}
	return false
}

// annotationText says of the type of a field what its values are.
func annotationText(t value) string {
	switch t := t.(type) {
	case *aggregateClass:
		return t.layout.Name
	case builtin:
		return t.row.Path()
	case dtype:
		return "tl." + t.t.DType.Info().Attr
	case namespace:
		return t.name
	}
	return kindText(t)
}
