package host

import (
	"slices"

	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/compiler/syntax"
)

// typeClass is type: the class of classes, and the base of metaclasses.
var typeClass = &Class{Name: "type"}

func init() {
	record := typeRecord{
		base: true,
		make: func(m *machine, a arguments) Value {
			if len(a.positional) == 3 {
				if meta := metaOf(m.itemsOf(a.positional[1])); meta != nil {
					return m.constructObject(meta, a)
				}
			}
			if len(a.positional) != 1 {
				return classOfArguments(m, typeClass, a)
			}
			return typeOf(a.positional[0])
		},
		slots: slots{
			item: func(m *machine, v, index Value) Value {
				c := v.(*Class)
				if f, ok := c.find("__class_getitem__"); ok {
					return m.callWith(m.bound(f, nil, c), index)
				}
				if module, _ := m.attrOf(c, "__module__").(python.Str); c.ungeneric(m, string(module)) {
					raise("TypeError", "type '%s' is not subscriptable", c.Name)
				}
				return m.typeExpression("GenericAlias", c, index)
			},
			binaryOps: " | ",
			binary: func(m *machine, op string, v, other Value, reflected bool) Value {
				if op != "|" || other != none && !is[*Class](other) && !is[*annotator](other) {
					return notImplemented
				}
				if reflected {
					v, other = other, v
				}
				return m.typeExpression("_union", v, other)
			},
			hash: hashIdentity,
			repr: leaf(func(v Value) string { return v.(*Class).repr() }),
		},
		methods: metaclassMethods(),
	}
	typeClass.describe(record)
}

// ungeneric reports whether a class without __class_getitem__ takes no subscripts: of Python's own those that hold no
// items, and classes of the program.
func (c *Class) ungeneric(m *machine, module string) bool {
	if module == "builtins" {
		return !slices.Contains([]*Class{listClass, tupleClass, dictClass, setClass, frozenSetClass, typeClass}, c)
	}
	_, ours := m.options.Libraries.makers[module]
	return !ours
}

// typeExpression is list[int] or int | None, for which module types has classes. It is the type itself where there is
// no such module: newt checks no types.
func (m *machine) typeExpression(name string, operands ...Value) Value {
	if _, ok := m.modules.libraryNamed("types"); !ok {
		return operands[0]
	}
	return m.callWith(m.libraryMember("types", name), operands...)
}

// classParts are what a class is made of.
type classParts struct {
	name     string
	bases    []Value
	attrs    *Dict
	keywords []keyword
	meta     *Class // nil for type
}

// class compiles a class statement: the value is the class, decorators applied.
func (c compilation) class(s *syntax.ClassDef) evaluation {
	name := c.unit.file.Slice(s.NameSpan) // s.Name may be mangled
	own, bases, decorators := c.within(s), c.elements(s.Bases), c.exprs(s.Decorators)
	run := own.block(s.Body)
	keywords := make([]evaluation, len(s.Keywords))
	for i, k := range s.Keywords {
		keywords[i] = c.expr(k.Value)
	}
	return func(f *frame) Value {
		m := f.m
		p := classParts{name: name, attrs: newDict()}
		for _, b := range bases(f) {
			p.bases = append(p.bases, baseEntry(m, b))
		}
		for i, k := range s.Keywords {
			p.keyword(k.Name, keywords[i](f))
		}
		m.at = s.Span()
		// An explicit metaclass= wins over those of the bases.
		if p.meta == nil {
			p.meta = metaOf(p.bases)
		}
		if p.meta != nil {
			if prepare, ok := p.meta.find("__prepare__"); ok {
				d, isDict := m.callValue(m.bound(prepare, nil, p.meta), arguments{[]Value{python.Str(p.name),
					Tuple(p.bases)}, p.keywords}).(*Dict)
				if !isDict {
					lack("TypeError", "a __prepare__ that gives no dict", nil)
				}
				p.attrs = d
			}
		}
		// The body runs in a frame whose names are the dict of __prepare__, so that a metaclass can watch
		// what is bound.
		body, qualified := f.inner(own), f.qualifiedPrefix()+name
		body.prefix, body.names = qualified+".", p.attrs
		p.attrs.put("__module__", f.unit.space.vars.at("__name__"))
		p.attrs.put("__qualname__", python.Str(qualified))
		if doc := syntax.Docstring(s.Body); doc != "" {
			p.attrs.put("__doc__", python.Str(doc))
		}
		m.inFrame(body, func() { run(body) })
		var v Value
		if p.meta != nil {
			v = m.callValue(p.meta, arguments{[]Value{python.Str(p.name), Tuple(p.bases), p.attrs}, p.keywords})
		} else {
			v = newClass(m, p)
		}
		for i := len(decorators) - 1; i >= 0; i-- {
			v = m.callWith(decorators[i](f), v)
		}
		return v
	}
}

// baseEntry is a base of a class statement: what is no class may say by __mro_entries__ which class it stands for.
func baseEntry(m *machine, b Value) Value {
	if o, ok := b.(*Instance); ok {
		if v, ok := m.callSpecial(o, "__mro_entries__", Tuple{b}); ok {
			if list, ok := v.(Tuple); ok && len(list) == 1 {
				return list[0]
			}
		}
	}
	return b
}

// metaOf is the metaclass that a class inherits: of its bases', the one that derives from the others.
func metaOf(bases []Value) (meta *Class) {
	for _, b := range bases {
		c, ok := b.(*Class)
		if !ok || c.meta == nil || meta != nil && meta.inherits(c.meta) {
			continue
		}
		if meta != nil && !c.meta.inherits(meta) {
			raise("TypeError", "metaclass conflict: the metaclass of a derived class must be a (non-strict) subclass "+
				"of the metaclasses of all its bases")
		}
		meta = c.meta
	}
	return meta
}

// keyword takes a keyword of a class statement: those but metaclass= are for __init_subclass__. A metaclass written in
// Go needs nothing done: its classes say themselves what is special about them.
func (p *classParts) keyword(name string, v Value) {
	if name != "metaclass" {
		p.keywords = append(p.keywords, keyword{name, v})
	} else if c, ok := v.(*Class); ok && c != typeClass && c.inherits(typeClass) {
		p.meta = c
	}
}

// newClass makes a class of its parts, as type(name, bases, attributes) does.
func newClass(m *machine, p classParts) *Class {
	c := &Class{Name: p.name, attrs: p.attrs, meta: p.meta}
	for _, b := range p.bases {
		base, ok := b.(*Class)
		if r, refused := b.(refusedMember); refused {
			r.refuse()
		}
		switch {
		case !ok:
			raise("TypeError", "%s() takes no arguments", b.Type())
		case base == tensorClass:
			lack("TypeError", "subclasses of torch.Tensor", nil)
		case base.builtin && !base.derivable && base != objectClass:
			raise("TypeError", "type '%s' is not an acceptable base type", base.Name)
		case base.make != nil && base != objectClass && base.derive == nil && !base.builtin:
			lack("TypeError", "class "+p.name+" derived from "+base.Name, nil)
		}
		// object is at the end of every order and kept out of the lists of bases.
		if base != objectClass {
			c.bases = append(c.bases, base)
		}
		c.exception = c.exception || base.exception
	}
	if c.member("__doc__") == nil { // that of a base does not count (type_new_set_doc)
		c.define("__doc__", none)
	}
	// An object can hold the value of one builtin class only (best_base in typeobject.c).
	var layout *Class
	for _, d := range c.mro() {
		if !d.builtin || d == objectClass || d == typeClass {
			continue
		}
		if layout != nil {
			raise("TypeError", "multiple bases have instance lay-out conflict")
		}
		layout = d
	}
	if len(c.mro()) > maxBases {
		limit("TypeError", "class %s has more than %d ancestors", p.name, maxBases)
	}
	// A class with an __eq__ and no __hash__ has unhashable objects (type_new_set_attrs and inherit_slots).
	if c.member("__eq__") != nil && c.member("__hash__") == nil {
		c.define("__hash__", none)
	}
	// The order of type.__new__: __set_name__ of the members, then __init_subclass__ of the base. Enums and
	// named tuples are completed between, before anything else of the script sees the class.
	// These two are class methods without being marked as such (type_new_classmethod).
	for _, name := range []string{"__init_subclass__", "__class_getitem__"} {
		if f, ok := c.member(name).(*Function); ok {
			c.define(name, &descriptor{"classmethod", f})
		}
	}
	ownMembers(m, c)
	deriveClass(m, c)
	c.abstract = c.abstractNames()
	m.noteSubclass(c)
	initSubclass(m, c, p.keywords)
	return c
}

// abstractNames are the abstract methods that a class has not replaced, by name. Only classes that derive from abc.ABC,
// or whose metaclass is abc.ABCMeta, enforce them.
func (c *Class) abstractNames() (names []string) {
	enforced := c.meta != nil && slices.ContainsFunc(c.meta.mro(), isABC)
	for _, d := range c.mro() {
		enforced = enforced || isABC(d)
	}
	if !enforced {
		return nil
	}
	// The first class of the order that has a name decides whether it is abstract.
	seen := map[string]bool{}
	for _, d := range c.mro() {
		for _, name := range d.attrs.names() {
			if !seen[name] && slices.ContainsFunc(parts(d.member(name)), isAbstract) {
				names = append(names, name)
			}
			seen[name] = true
		}
	}
	slices.Sort(names)
	return names
}

func isABC(c *Class) bool {
	return c.member("__module__") == python.Str("abc") || c.member("__module__") == python.Str("collections.abc")
}

// isAbstract reports whether a function is marked by abc.abstractmethod.
func isAbstract(v Value) bool {
	f, ok := v.(*Function)
	return ok && f.attrs.at("__isabstractmethod__") == python.Bool(true)
}

// refuseAbstract raises TypeError for an object of a class with abstract methods.
func (c *Class) refuseAbstract() {
	if len(c.abstract) == 0 {
		return
	}
	quoted := make([]string, len(c.abstract))
	for i, name := range c.abstract {
		quoted[i] = "'" + name + "'"
	}
	list := quoted[0]
	for _, name := range quoted[1:] {
		list += ", " + name
	}
	raise("TypeError", "Can't instantiate abstract class %s without an implementation for abstract method%s %s", c.Name,
		plural(len(quoted)), list)
}

// metaclassMethods are the methods of type that a metaclass may call by super().
func metaclassMethods() map[string]method {
	return map[string]method{
		"__new__": func(m *machine, a arguments) Value {
			meta := self[*Class](a)
			if len(a.positional) == 2 {
				return typeOf(a.positional[1])
			}
			return classOfArguments(m, meta, a.tail())
		},
		"__init__": ignore,
		"__setattr__(self, name, value, /)": func(m *machine, a arguments) Value {
			self[*Class](a).setOwn(m.strOf(a.positional[1]), a.positional[2])
			return none
		},
		"__call__": func(m *machine, a arguments) Value { return m.constructObject(self[*Class](a), a.tail()) },
		"__instancecheck__(self, instance, /)": func(_ *machine, a arguments) Value {
			return python.Bool(self[*Class](a).hasInstance(a.positional[1]))
		},
		"__subclasscheck__(self, subclass, /)": func(_ *machine, a arguments) Value {
			c, ok := a.positional[1].(*Class)
			if !ok {
				raise("TypeError", "issubclass() arg 1 must be a class")
			}
			of := self[*Class](a)
			return python.Bool(of == objectClass || c.inherits(of))
		},
		"mro(self, /)": func(m *machine, a arguments) Value {
			v, _ := self[*Class](a).described(m, "__mro__")
			return &List{append([]Value{}, v.(Tuple)...)}
		},
	}
}

// classOfArguments is type(name, bases, attributes).
func classOfArguments(m *machine, meta *Class, a arguments) *Class {
	if len(a.positional) != 3 {
		raise("TypeError", "type() takes 1 or 3 arguments")
	}
	attrs := newDict()
	updateDict(m, attrs, a.positional[2])
	if _, ok := attrs.named("__module__"); !ok {
		attrs.put("__module__", m.frame.unit.space.vars.at("__name__"))
	}
	p := classParts{name: m.strOf(a.positional[0]), attrs: attrs, keywords: a.keywords, meta: meta}
	for _, b := range m.itemsOf(a.positional[1]) {
		p.bases = append(p.bases, baseEntry(m, b))
	}
	if meta == typeClass {
		p.meta = metaOf(p.bases)
	}
	return newClass(m, p)
}
