package host

import (
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler/python"
)

// dataField is what an object of dataclasses.Field holds.
type dataField struct {
	name                          string
	annotation, standard, factory Value // standard and factory: nil where left out
	init, repr, compare, keyword  bool
	initOnly                      bool // InitVar
	hash, metadata                Value
	object                        *Instance
}

// dataClasses is the module dataclasses of one session.
type dataClasses struct {
	fieldClass, initVar     *Class
	missing, keywordsFollow *Instance
	frozen                  *Class // FrozenInstanceError
}

// dataclassesLibrary is dataclasses.
func dataclassesLibrary(m *machine) map[string]Value {
	d := &dataClasses{initVar: nativeClass("dataclasses", "InitVar", nil)}
	d.fieldClass = nativeClass("dataclasses", "Field", nil)
	d.missing = m.newNative(nativeClass("dataclasses", "_MISSING_TYPE", nil), nil)
	d.keywordsFollow = m.newNative(nativeClass("dataclasses", "_KW_ONLY_TYPE", nil), nil)
	d.frozen = &Class{Name: "FrozenInstanceError", attrs: newMembers(), bases: []*Class{exceptions["AttributeError"]},
		exception: true}
	d.frozen.define("__module__", python.Str("dataclasses"))
	return map[string]Value{
		"dataclass": &Builtin{"dataclass", d.decorate}, "field": &Builtin{"field", d.field},
		"fields": &Builtin{"fields", d.fields}, "asdict": &Builtin{"asdict", d.asDict},
		"astuple": &Builtin{"astuple", d.asTuple}, "replace": &Builtin{"replace", d.replace},
		"is_dataclass": &Builtin{"is_dataclass", func(m *machine, a arguments) Value {
			_, ok := dataFields(a.bound("is_dataclass", "obj")[0])
			return python.Bool(ok)
		}},
		"MISSING": d.missing, "KW_ONLY": d.keywordsFollow, "Field": d.fieldClass, "InitVar": d.initVar,
		"FrozenInstanceError": d.frozen, "make_dataclass": refused("dataclasses.make_dataclass"),
	}
}

func (d *dataClasses) field(m *machine, a arguments) Value {
	v := a.bound("field", "*, default=, default_factory=, init=, repr=, hash=, compare=, metadata=, kw_only=")
	f := &dataField{standard: v[0], factory: v[1], init: m.truthOr(v[2], true), repr: m.truthOr(v[3], true),
		hash: given(v[4], none), compare: m.truthOr(v[5], true), metadata: v[6], keyword: m.truthOr(v[7], false)}
	if f.standard != nil && f.factory != nil {
		raise("ValueError", "cannot specify both default and default_factory")
	}
	f.object = m.newNative(d.fieldClass, f)
	return f.object
}

// describe fills in the attributes of a Field that scripts read.
func (d *dataClasses) describe(f *dataField) {
	or := func(v Value) Value {
		if v == nil {
			return d.missing
		}
		return v
	}
	for name, v := range map[string]Value{"name": python.Str(f.name), "type": f.annotation, "default": or(f.standard),
		"default_factory": or(f.factory), "init": python.Bool(f.init), "repr": python.Bool(f.repr), "hash": f.hash,
		"compare": python.Bool(f.compare), "kw_only": python.Bool(f.keyword)} {
		f.object.keep(name, v)
	}
	if f.metadata == nil {
		f.metadata = newDict()
	}
	f.object.keep("metadata", f.metadata)
}

// dataFields are the fields of a dataclass or of an object of one.
func dataFields(v Value) ([]*dataField, bool) {
	c, ok := v.(*Class)
	switch o := v.(type) {
	case *Instance:
		c, ok = o.class, true
	case *Exception:
		c, ok = o.class, true
	}
	if !ok {
		return nil, false
	}
	for _, ancestor := range c.mro() {
		if ancestor.fields != nil {
			return ancestor.fields, true
		}
	}
	return nil, false
}

// dataOptions are the parameters of dataclass().
type dataOptions struct{ init, repr, eq, order, hash, frozen, keyword bool }

func (d *dataClasses) decorate(m *machine, a arguments) Value {
	v := a.bound("dataclass", "cls=, *, init=, repr=, eq=, order=, unsafe_hash=, frozen=, match_args=, kw_only=, "+
		"slots=, weakref_slot=")
	o := dataOptions{
		init: m.truthOr(v[1], true), repr: m.truthOr(v[2], true), eq: m.truthOr(v[3], true),
		order: m.truthOr(v[4], false), hash: m.truthOr(v[5], false), frozen: m.truthOr(v[6], false),
		keyword: m.truthOr(v[8], false),
	}
	// _process_class of Lib/dataclasses.py, whose order of checks decides which error a class with two gets.
	if o.order && !o.eq {
		raise("ValueError", "eq must be true if order is true")
	}
	if v[0] != nil && v[0] != none {
		return d.process(m, v[0], o)
	}
	return &Builtin{"dataclass", func(m *machine, a arguments) Value {
		return d.process(m, a.bound("wrap", "cls")[0], o)
	}}
}

func (d *dataClasses) process(m *machine, v Value, o dataOptions) Value {
	c, ok := v.(*Class)
	if !ok {
		raise("TypeError", "dataclass() should be called on a class, not on %s", v.Type())
	}
	c.fields = d.collect(m, c, o)
	m.budget.chargeItems(len(c.fields))
	methods := map[string]method{}
	if o.init {
		methods["__init__"] = dataInit(c)
	}
	if o.repr {
		methods["__repr__"] = dataRepr
	}
	if o.eq {
		methods["__eq__"] = dataCompare("__eq__", "==")
	}
	if o.order {
		for name, op := range map[string]string{"__lt__": "<", "__le__": "<=", "__gt__": ">", "__ge__": ">="} {
			if c.member(name) != nil {
				raise("TypeError", "Cannot overwrite attribute %s in class %s. Consider using functools.total_ordering",
					name, c.Name)
			}
			methods[name] = dataCompare(name, op)
		}
	}
	if o.frozen {
		methods["__setattr__"] = d.refuseChange("assign to")
		methods["__delattr__"] = d.refuseChange("delete")
	}
	// The table of __hash__ in the documentation of dataclasses: eq without frozen makes objects unhashable, unless
	// the class has a __hash__.
	if o.eq && o.frozen || o.hash {
		methods["__hash__"] = func(m *machine, a arguments) Value {
			return m.callWith(builtins["hash"], dataValues(m, a.positional[0], true))
		}
	} else if o.eq && c.member("__hash__") == nil {
		c.define("__hash__", none)
	}
	for _, name := range sortedNames(methods) {
		// A method that the class defines itself is kept.
		if c.member(name) == nil {
			c.define(name, &Builtin{name, methods[name]})
		}
	}
	var names []string
	byName := newDict()
	for _, f := range c.fields {
		if f.init && !f.keyword && !f.initOnly {
			names = append(names, f.name)
		}
		byName.set(python.Str(f.name), f.object)
	}
	c.define("__match_args__", strTuple(names))
	c.define("__dataclass_fields__", byName)
	return c
}

// collect lists the fields: those inherited, then those that the class annotates.
func (d *dataClasses) collect(m *machine, c *Class, o dataOptions) []*dataField {
	var list []*dataField
	add := func(f *dataField) {
		if i := slices.IndexFunc(list, func(g *dataField) bool { return g.name == f.name }); i >= 0 {
			list[i] = f
			return
		}
		list = append(list, f)
	}
	// From the most distant base: a nearer one replaces a field without changing its place.
	for _, base := range slices.Backward(c.mro()[1:]) {
		for _, f := range base.fields {
			add(f)
		}
	}
	keyword := o.keyword
	annotationsOf(c).each(func(k, annotation Value) {
		name := m.strOf(k)
		text := annotationText(m, annotation)
		switch {
		// Annotations may be texts, because of from __future__ import annotations, and are then recognised by their
		// words, as Lib/dataclasses.py does.
		case annotation == d.keywordsFollow || text == "KW_ONLY":
			keyword = true
			return
		case strings.HasPrefix(strings.TrimPrefix(text, "typing."), "ClassVar"):
			return
		}
		add(d.fieldOf(m, c, name, annotation, keyword, strings.Contains(text, "InitVar")))
	})
	seen := ""
	for _, f := range list {
		switch {
		// Fields by keyword alone may be in any order.
		case !f.init || f.keyword:
		case f.standard != nil || f.factory != nil:
			seen = f.name
		case seen != "":
			raise("TypeError", "non-default argument '%s' follows default argument", f.name)
		}
	}
	return list
}

// annotationText is an annotation in words.
func annotationText(m *machine, v Value) string {
	if s, ok := v.(python.Str); ok {
		return string(s)
	}
	return m.reprOf(v)
}

// fieldOf makes a field of name: annotation = default.
func (d *dataClasses) fieldOf(m *machine, c *Class, name string, annotation Value, keyword, initOnly bool) *dataField {
	standard := c.member(name)
	o, isField := standard.(*Instance)
	var f *dataField
	if isField {
		f, isField = o.native.(*dataField)
	}
	if !isField {
		f = &dataField{standard: standard, init: true, repr: true, compare: true, hash: none}
		f.object = m.newNative(d.fieldClass, f)
	}
	f.name, f.annotation, f.keyword, f.initOnly = name, annotation, f.keyword || keyword, initOnly
	switch f.standard.(type) {
	case *List, *Dict, *Set:
		raise("ValueError", "mutable default %s for field %s is not allowed: use default_factory",
			m.reprOf(typeOf(f.standard)), name)
	}
	if isField { // the class's attribute is the default, not the Field
		if f.standard != nil {
			c.define(name, f.standard)
		} else {
			c.drop(name)
		}
	}
	d.describe(f)
	return f
}

// dataInit is __init__: the fields by position and keyword, those after KW_ONLY by keyword alone.
func dataInit(c *Class) method {
	signature := []string{"self"}
	var order []*dataField
	for _, keyword := range []bool{false, true} {
		marked := false
		for _, f := range c.fields {
			if !f.init || f.keyword != keyword {
				continue
			}
			if keyword && !marked {
				signature, marked = append(signature, "*"), true
			}
			name := f.name
			if f.standard != nil || f.factory != nil {
				name += "="
			}
			signature, order = append(signature, name), append(order, f)
		}
	}
	layout := strings.Join(signature, ", ")
	return func(m *machine, a arguments) Value {
		values := a.bound(c.Name+".__init__", layout)
		o := values[0]
		given := map[*dataField]Value{}
		for i, f := range order {
			given[f] = values[i+1]
		}
		var extra []Value
		for _, f := range c.fields {
			v := given[f]
			switch {
			case v != nil:
			case f.factory != nil:
				v = m.callWith(f.factory)
			case f.standard != nil:
				v = f.standard
			default:
				continue // without init and default: __post_init__ sets it
			}
			if f.initOnly {
				extra = append(extra, v)
				continue
			}
			keepAttr(m, o, f.name, v)
		}
		if post, ok := c.find("__post_init__"); ok {
			_ = post
			m.callWith(m.attrOf(o, "__post_init__"), extra...)
		}
		return none
	}
}

// keepAttr sets an object's own attribute, whatever its class says of setting.
func keepAttr(m *machine, o Value, name string, v Value) {
	m.budget.chargeItems(1)
	if i, ok := o.(*Instance); ok {
		i.keep(name, v)
		return
	}
	m.setAttr(o, name, v)
}

// dataValues are an object's fields as a tuple.
func dataValues(m *machine, o Value, comparedOnly bool) Tuple {
	fields, _ := dataFields(o)
	out := Tuple{}
	for _, f := range fields {
		if !f.initOnly && (f.compare || !comparedOnly) {
			out = append(out, m.attrOf(o, f.name))
		}
	}
	return out
}

func dataRepr(m *machine, a arguments) Value {
	o := a.positional[0]
	fields, _ := dataFields(o)
	var parts []string
	for _, f := range fields {
		if f.repr && !f.initOnly {
			parts = append(parts, f.name+"="+m.reprOf(m.attrOf(o, f.name)))
		}
	}
	return python.Str(m.strOf(m.attrOf(typeOf(o), "__qualname__")) + "(" + strings.Join(parts, ", ") + ")")
}

func dataCompare(name, op string) method {
	return func(m *machine, a arguments) Value {
		a.want(name, 2, 2)
		x, y := a.positional[0], a.positional[1]
		if typeOf(x) != typeOf(y) {
			return notImplemented
		}
		return m.compareValues(op, dataValues(m, x, true), dataValues(m, y, true))
	}
}

func (d *dataClasses) refuseChange(verb string) method {
	return func(m *machine, a arguments) Value {
		what := "cannot " + verb + " field " + m.reprOf(a.positional[1])
		panic(&raised{exception: newException(d.frozen, python.Str(what))})
	}
}

func (d *dataClasses) fields(m *machine, a arguments) Value {
	list, ok := dataFields(a.bound("fields", "class_or_instance")[0])
	if !ok {
		raise("TypeError", "must be called with a dataclass type or instance")
	}
	out := Tuple{}
	for _, f := range list {
		if !f.initOnly {
			out = append(out, f.object)
		}
	}
	return out
}

func isDataObject(v Value) bool {
	_, isClass := v.(*Class)
	_, ok := dataFields(v)
	return ok && !isClass
}

func (d *dataClasses) asDict(m *machine, a arguments) Value {
	v := a.bound("asdict", "obj, *, dict_factory=")
	if !isDataObject(v[0]) {
		raise("TypeError", "asdict() should be called on dataclass instances")
	}
	return unpackData(m, v[0], func(names []string, values []Value) Value {
		pairs := newDict()
		for i, name := range names {
			pairs.set(python.Str(name), values[i])
		}
		if v[1] != nil {
			return m.callWith(v[1], &List{Items: pairItems(pairs)})
		}
		return pairs
	})
}

func pairItems(d *Dict) (out []Value) {
	d.each(func(k, v Value) { out = append(out, Tuple{k, v}) })
	return out
}

func (d *dataClasses) asTuple(m *machine, a arguments) Value {
	v := a.bound("astuple", "obj, *, tuple_factory=")
	if !isDataObject(v[0]) {
		raise("TypeError", "astuple() should be called on dataclass instances")
	}
	return unpackData(m, v[0], func(_ []string, values []Value) Value {
		if v[1] != nil {
			return m.callWith(v[1], &List{Items: values})
		}
		return Tuple(values)
	})
}

// unpackData replaces the dataclass objects in a value; containers are copied.
func unpackData(m *machine, v Value, pack func(names []string, values []Value) Value) Value {
	m.budget.countStep(m.at)
	m.budget.enterLevel()
	defer m.budget.leaveLevel()
	each := func(list []Value) []Value {
		m.budget.chargeItems(len(list))
		out := make([]Value, len(list))
		for i, x := range list {
			out[i] = unpackData(m, x, pack)
		}
		return out
	}
	switch x := v.(type) {
	case *List:
		return &List{Items: each(x.Items)}
	case Tuple:
		return Tuple(each(x))
	case *Named:
		if x.class != nil {
			return newNamedTuple(x.class, each(x.Items))
		}
	case *Dict:
		out := newDict()
		out.kind = x.kind
		x.each(func(k, v Value) { out.set(unpackData(m, k, pack), unpackData(m, v, pack)) })
		return out
	}
	if !isDataObject(v) {
		return deepCopy(m, v, map[Value]Value{})
	}
	fields, _ := dataFields(v)
	var names []string
	var values []Value
	for _, f := range fields {
		if !f.initOnly {
			names = append(names, f.name)
			values = append(values, unpackData(m, m.attrOf(v, f.name), pack))
		}
	}
	return pack(names, values)
}

func (d *dataClasses) replace(m *machine, a arguments) Value {
	if len(a.positional) != 1 || !isDataObject(a.positional[0]) {
		raise("TypeError", "replace() should be called on dataclass instances")
	}
	o := a.positional[0]
	fields, _ := dataFields(o)
	changes := a.keywords
	for _, f := range fields {
		named := slices.IndexFunc(changes, func(k keyword) bool { return k.name == f.name }) >= 0
		switch {
		case !f.init && named:
			raise("ValueError", "field %s is declared with init=False, it cannot be specified with replace()", f.name)
		case !f.init || named:
		case f.initOnly && f.standard == nil:
			raise("ValueError", "InitVar %s must be specified with replace()", Repr(python.Str(f.name)))
		case !f.initOnly:
			changes = append(changes, keyword{f.name, m.attrOf(o, f.name)})
		}
	}
	return m.callValue(typeOf(o), arguments{keywords: changes})
}
