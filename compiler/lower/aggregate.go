package lower

import (
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/compiler/tl"
	"github.com/newtlab/newt/compiler/triton"
)

// Aggregate is a class under triton.aggregate, which is triton.language.core._aggregate: its objects are the values of
// their fields, and kernels call its methods.
type Aggregate struct {
	Name    string
	Fields  []AggregateField // as the class and its bases annotate them, those of the bases first
	Methods map[string]AggregateMethod
}

// AggregateField is a field. Type is its annotation and Default its value where it has one, nil where not; both are
// what Outer.Value may be.
type AggregateField struct {
	Name          string
	Type, Default any
	Inherited     bool
}

// AggregateMethod is a method; one that is Static has no parameter for the object.
type AggregateMethod struct {
	*Function
	Static bool
}

// aggregatePaths are the names that the decorator of such classes is imported by.
var aggregatePaths = []string{"triton.language.core._aggregate", "triton.aggregate"}

// aggregateClass is an Aggregate while a kernel is lowered.
type aggregateClass struct {
	layout   *TupleClass // its name and its fields
	types    []value     // of the fields: what a value has to be an instance of
	defaults []value     // of the fields; nil is none
	methods  map[string]function
	refusals diag.List   // what keeps Triton from making the class
	quoted   syntax.Expr // the first annotation in quotes
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
		if f.Inherited && !g.l.has(triton.AggregateInit) {
			continue
		}
		var initial value
		if f.Default != nil {
			initial, _ = g.scopeValue(f.Default)
		}
		c.addField(f.Name, t, initial)
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
	c.refusals = l.classRefusals(m, def, order)
	for _, d := range slices.Backward(order) {
		for _, s := range d.Body {
			inherited := d != def && !l.has(triton.AggregateInit)
			if s, ok := s.(*syntax.AnnAssign); ok && !inherited && !l.addAnnotated(c, m, s) {
				return nil, false
			}
			if f, ok := s.(*syntax.FunctionDef); ok && inherited && f.Name == "__init__" && len(d.Decorators) > 0 {
				continue // the class that the decorator makes has no __init__ for those below
			}
			if !l.addStatement(c, m, s) {
				return nil, false
			}
		}
	}
	return c, true
}

// classRefusals are what keeps the version of Triton that is compiled for from making a class: it lacks the decorator,
// or a base is no aggregate.
func (l *lowerer) classRefusals(m *module, def *syntax.ClassDef, order []*syntax.ClassDef) (list diag.List) {
	row := tl.Lookup(tl.Triton, "aggregate")
	for _, d := range def.Decorators {
		if a, ok := d.(*syntax.Attribute); ok && a.Attr == row.Name && !row.IsThere(l.opts.Triton) {
			list.Add(l.nameSince(row, l.userSpan(a.AttrSpan)))
		}
	}
	for _, base := range order[1:] {
		if l.has(triton.AggregateInit) && !slices.ContainsFunc(base.Decorators, m.isAggregateDecorator) {
			list.Add(diag.New("aggregate-base", l.userSpan(def.NameSpan), def.Name, base.Name))
		}
	}
	return list
}

// addAnnotated adds a field as a class statement annotates it.
func (l *lowerer) addAnnotated(c *aggregateClass, m *module, s *syntax.AnnAssign) bool {
	n, isName := s.Target.(*syntax.Name)
	if !isName {
		return false
	}
	annotation := s.Annotation
	if text, ok := textOf(annotation); ok { // an annotation in quotes
		if c.quoted == nil {
			c.quoted = annotation
		}
		parsed, list := syntax.Parse(source.NewFile("annotation", text))
		if e, ok := parsed.Body[0].(*syntax.ExprStmt); ok && !list.HasErrors() {
			annotation = e.Value
		}
	}
	t, known := l.evalModuleExpr(m, annotation)
	if !known && !isPoison(t) {
		t = namespace{}
	}
	var initial value
	if s.Value != nil {
		if initial, known = l.evalModuleExpr(m, s.Value); !known {
			return false
		}
	}
	c.addField(n.ID, t, initial)
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
		return slices.Contains(aggregatePaths, m.defs[n.ID].path)
	}
	name := syntax.LastName(d)
	return name == "_aggregate" || name == "aggregate"
}

func newAggregateClass(name string) *aggregateClass {
	return &aggregateClass{layout: &TupleClass{Name: name}, methods: map[string]function{}}
}

func (c *aggregateClass) addField(name string, t, initial value) {
	i := slices.Index(c.layout.Fields, name)
	if i < 0 {
		i = len(c.layout.Fields)
		c.layout.Fields = append(c.layout.Fields, name)
		c.types, c.defaults = append(c.types, nil), append(c.defaults, nil)
	}
	c.types[i], c.defaults[i] = t, initial
}

func (c *aggregateClass) addMethod(name string, f function, static bool) {
	f.method = !static
	f.python = static || name == "__init__"
	c.methods[name] = f
}

// lowerAggregateCall makes an object: __init__ runs as Python, on a self whose fields it sets. Without one, the
// arguments are the fields.
func (l *lowerer) lowerAggregateCall(c *aggregateClass, args *arguments) value {
	for _, d := range c.refusals {
		l.fail(d)
		return poison{}
	}
	if c.quoted != nil {
		l.needs(triton.AggregateInit, l.userSpan(c.quoted.Span()), l.sourceText(c.quoted),
			"isinstance() arg 2 must be a type, a tuple of types, or a union")
	}
	init, ok := c.methods["__init__"]
	if !ok && l.has(triton.AggregateInit) {
		args.binder = binder{name: c.layout.Name + ".__init__", self: 1, generated: true}
		fields, ok := l.bindFields(c.layout, c.defaults, args)
		if !ok {
			return poison{}
		}
		for i, v := range fields.elems {
			if !isPoison(v) && !isInstanceOf(v, c.types[i]) {
				return l.failFieldType(args.node, c, i, v)
			}
		}
		return aggregate{c, fields}
	}
	if !ok || init.jit && !init.folds || len(init.params.List) == 0 {
		return l.fail(diag.New("aggregate-init", l.spanOf(args.node), c.layout.Name))
	}
	if !init.folds {
		l.warnSuperset(diag.New("aggregate-python-init", l.spanOf(args.node), c.layout.Name).
			Because(init.span, "defined-here", "__init__"))
	}
	unset := tuple{class: c.layout}
	for range c.layout.Fields {
		unset.elems = append(unset.elems, unbound{})
	}
	args.prepend(aggregate{c, unset})
	args.binder.name = c.layout.Name + ".__init__"
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
		return l.failFieldType(t, a.class, i, v)
	}
	if i >= 0 {
		a.fields.elems = slices.Clone(a.fields.elems)
		a.fields.elems[i] = v
	}
	return a
}

// failFieldType reports a value that the i-th field does not take.
func (l *lowerer) failFieldType(at syntax.Expr, c *aggregateClass, i int, v value) value {
	_, python := at.(*syntax.Attribute) // in __init__, which has Python's numbers
	return l.fail(diag.New("field-type", l.spanOf(at), c.layout.Name, c.layout.Fields[i], kindText(v),
		annotationText(c.types[i]), classRepr(annotationText(c.types[i])), classRepr(pythonClass(v, python))))
}

// replaceFields lowers tl.aggregate_replace: its class makes another object, with the fields of the first argument but
// for those that are named.
func (l *lowerer) replaceFields(args *arguments) value {
	var a aggregate
	ok := len(args.positional) == 1
	if ok {
		a, ok = args.positional[0].val.(aggregate)
	}
	if !ok {
		of := value(pyNone)
		if len(args.positional) > 0 {
			of = args.positional[0].val
		}
		return l.fail(diag.New("replace-no-aggregate", l.spanOf(args.node), kindText(of)))
	}
	fields := a.class.layout.Fields
	made := &arguments{node: args.node, callee: a.class.layout.Name}
	for i, name := range fields {
		made.keywords = append(made.keywords, keyword{name, args.node.Span(), argument{a.fields.elems[i], args.node}})
	}
	for _, k := range args.keywords {
		i := slices.Index(fields, k.name)
		if i < 0 {
			return l.fail(l.suggestNearest(diag.New("replace-no-field", l.userSpan(k.loc), a.class.layout.Name, k.name),
				l.userSpan(k.loc), k.name, fields))
		}
		made.keywords[i] = k
	}
	return l.lowerAggregateCall(a.class, made)
}

// operatorMethods are the methods that Python calls for an operator: that of the left operand, and that of the right
// one where the left has none.
var operatorMethods = map[string][2]string{
	"+": {"__add__", "__radd__"}, "-": {"__sub__", "__rsub__"}, "*": {"__mul__", "__rmul__"},
	"/": {"__truediv__", "__rtruediv__"}, "//": {"__floordiv__", "__rfloordiv__"}, "%": {"__mod__", "__rmod__"},
	"**": {"__pow__", "__rpow__"}, "<<": {"__lshift__", "__rlshift__"}, ">>": {"__rshift__", "__rrshift__"},
	"&": {"__and__", "__rand__"}, "|": {"__or__", "__ror__"}, "^": {"__xor__", "__rxor__"},
	"==": {"__eq__", "__eq__"}, "!=": {"__ne__", "__ne__"}, "<": {"__lt__", "__gt__"}, "<=": {"__le__", "__ge__"},
	">": {"__gt__", "__lt__"}, ">=": {"__ge__", "__le__"},
	"and": {"logical_and", ""}, "or": {"logical_or", ""},
}

// unaryMethods are those of operators on one operand.
var unaryMethods = map[string]string{"-": "__neg__", "+": "__pos__", "~": "__invert__", "not": "__not__"}

// isAggregate reports whether an operator is up to an object's methods.
func isAggregate(v value) bool {
	_, ok := v.(aggregate)
	return ok
}

// lowerAggregateOperator lowers an operator of which one operand at least is an object of an aggregate.
func (l *lowerer) lowerAggregateOperator(op string, x, y value, at operandNodes) value {
	methods := operatorMethods[op]
	if !l.has(triton.AggregateOperators) { // the method of the left operand alone
		methods[1] = ""
	}
	for i, side := range [2]struct {
		self, other value
		expr        syntax.Expr
	}{{x, y, at.right}, {y, x, at.left}} {
		if v, ok := l.callOperator(side.self, methods[i], at.whole, argument{side.other, side.expr}); ok {
			return v
		}
	}
	return l.fail(diag.New("operator-method", l.spanOf(at.whole), op, kindText(x), kindText(y),
		l.operatorSaid(op, x, y)))
}

// operatorSaid is what Triton says of operands without a method for an operator.
func (l *lowerer) operatorSaid(op string, x, y value) string {
	left, isObject := x.(aggregate)
	switch {
	case l.has(triton.AggregateOperators):
		return "unsupported operand type(s) for " + op + ": '" + classText(x) + "' and '" + classText(y) + "'"
	case !isObject:
		return "'_aggregate_type' object has no attribute 'scalar'"
	case strings.ContainsAny(op, "<>=!"): // Python's own methods, of every object
		return "cannot convert NotImplemented of type <class 'NotImplementedType'> to tensor"
	}
	return "'" + classText(left) + "' object has no attribute '" + operatorMethods[op][0] + "'"
}

// callOperator calls the method of an operator, if v has it.
func (l *lowerer) callOperator(v value, name string, at syntax.Node, operands ...argument) (value, bool) {
	a, ok := v.(aggregate)
	if !ok {
		return nil, false
	}
	f, ok := a.class.methods[name]
	if !ok {
		return nil, false
	}
	f.self = a
	node, _ := at.(syntax.Expr)
	return l.inlineFunction(&f, &arguments{node: node, callee: name, positional: operands}), true
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

// pythonClass is the class of a value in Triton's compiler; of constexprs, in Python, that of what they hold.
func pythonClass(v value, python bool) string {
	switch v.(type) {
	case constant:
		if python {
			return classText(v)
		}
		return "tl.constexpr"
	case tuple:
		return "tl.tuple"
	case tensor:
		return "tl.tensor"
	}
	return classText(v)
}

// classRepr is a class as Python prints it.
func classRepr(name string) string {
	if core, ok := strings.CutPrefix(name, "tl."); ok {
		name = "triton.language.core." + core
	}
	return "<class '" + name + "'>"
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
