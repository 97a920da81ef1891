package host

import (
	"slices"
	"strings"
	"sync/atomic"

	"github.com/newtlab/newt/compiler/python"
)

// slots are what the objects of a type can do: one record a type, as the fields of CPython's PyTypeObject. A nil slot
// is something that they cannot. v is an object of the type, or one of a subclass, which holds one (valueOf).
type slots struct {
	length     func(m *machine, v Value) int
	item       func(m *machine, v, index Value) Value
	setItem    func(m *machine, v, index, x Value)
	deleteItem func(m *machine, v, index Value)
	contains   func(m *machine, v, x Value) bool // without it, in walks the items
	// iterate gives a function that yields the items one by one; false is the end.
	iterate func(m *machine, v Value) func() (Value, bool)
	// items lists all items, of a type that has them at hand.
	items func(m *machine, v Value) []Value
	// next is next(v) of an iterator: the end raises StopIteration.
	next func(m *machine, v Value) Value
	call func(m *machine, v Value, a arguments) Value
	// truth is bool(v). Without it an object is true unless its length is 0.
	truth func(m *machine, v Value) bool
	// compare is v op other for the six comparisons, or notImplemented.
	compare func(m *machine, op string, v, other Value) Value
	// binary is v op other, other op v where it is reflected, or notImplemented. binaryOps lists the operators.
	binary    func(m *machine, op string, v, other Value, reflected bool) Value
	binaryOps string
	// inPlace is the value of v op= other, or notImplemented. inPlaceOps lists the operators.
	inPlace    func(m *machine, op string, v, other Value) Value
	inPlaceOps string
	// unary is op v, of the operators that unaryOps lists.
	unary    func(m *machine, op string, v Value) Value
	unaryOps string
	// concat and repeat are + and * of a sequence, which come after the binary slots of both operands.
	concat func(m *machine, v, other Value) Value
	repeat func(m *machine, v Value, times int64) Value
	// hash is hash(v), at a depth of tuples inside of others. Without it an object is unhashable.
	hash func(v Value, depth int) int64
	repr func(p *printer, v Value, depth int) string
	str  func(p *printer, v Value) string // without it, str(v) is repr(v)
	// format is format(v, spec). Without it, only "" is a spec, and means str(v).
	format func(m *machine, v Value, spec string) string

	// get is what an attribute of a class, v, is for an object, or for the class where o is nil: tp_descr_get.
	get func(m *machine, v, o Value, c *Class) Value
	// set makes x the value of an attribute of an object, or deletes it where x is nil: tp_descr_set.
	set func(m *machine, v, o, x Value)

	guarded bool  // the class has __setattr__ or __slots__, which decide where an attribute is stored
	version int64 // what slotChanges was when the slots of a class were made
}

// valueOf is v, or the value of a builtin class that v holds, of its Go type.
func valueOf[T any](v Value) T {
	x, ok := v.(T)
	if !ok {
		x, ok = plain(v).(T)
	}
	if !ok {
		raise("TypeError", "this method does not apply to a '%s' object", v.Type())
	}
	return x
}

// typeRecord is what makes a class a builtin type.
type typeRecord struct {
	slots
	make    func(m *machine, a arguments) Value // what a call of the class gives
	methods map[string]method                   // besides those of the slots
	base    bool                                // whether other classes may derive from it
}

// describe completes a builtin class, once, when the program starts: sessions share it, and no script can change it.
func (c *Class) describe(r typeRecord) {
	if specialMethods == nil {
		makeSpecialMethods()
	}
	c.attrs, c.builtin, c.record, c.make = newDict(), true, &r.slots, r.make
	for i := range specialMethods {
		if row := &specialMethods[i]; row.has(c.record) {
			c.define(row.name, &Builtin{Name: row.name, call: row.method(c.record)})
		}
	}
	if c.record.hash == nil {
		c.define("__hash__", none)
	}
	c.defineAll(r.methods)
	if c.derivable = r.base; r.base && r.methods["__new__"] == nil {
		c.define("__new__", &Builtin{Name: "__new__", call: newHeld(c)})
	}
}

// slotChanges counts the changes of special methods of classes that were made before, classChanges those of all
// attributes.
var slotChanges, classChanges atomic.Int64

// slots are those of the builtin class that a class derives from, with its special methods in their places.
func (c *Class) slots() *slots {
	if s := c.filled.Load(); s != nil && s.version == slotChanges.Load() {
		return s
	}
	s := *c.layout().record
	s.version = slotChanges.Load()
	s.guarded = !c.lacks("__setattr__") || !c.lacks("__slots__")
	for _, row := range specialMethods {
		if owner := c.owner(row.name); owner != nil && owner.record == nil {
			row.fill(&s)
		}
	}
	c.filled.Store(&s)
	return &s
}

// layout is the class written in Go that decides what the objects of a class hold (best_base in typeobject.c).
func (c *Class) layout() *Class {
	for _, d := range c.mro() {
		if d.record != nil {
			return d
		}
	}
	return objectClass
}

// derives reports whether a class is one of the classes below another.
func (c *Class) derives(from *Class) bool {
	return c != from && (slices.Contains(c.mro(), from))
}

// owner is the class in the order that has an attribute, nil if none has.
func (c *Class) owner(name string) *Class {
	hash := hashText(name)
	for _, d := range c.mro() {
		if _, ok := d.attrs.namedHashed(name, hash); ok {
			return d
		}
	}
	return nil
}

// changed notes that an attribute of a class is another one.
func (c *Class) changed(name string) {
	classChanges.Add(1)
	if strings.HasPrefix(name, "__") {
		slotChanges.Add(1)
	}
}

// specialMethod is a method of Python's protocols with its slot: a row of what slotdefs is in CPython's typeobject.c.
type specialMethod struct {
	name string
	args int                 // besides the object; 3 for two of which one may be left out
	fill func(s *slots)      // makes the slot call the method of the object's class
	has  func(s *slots) bool // whether a builtin class has the method
	call func(s *slots, m *machine, v Value, args []Value) Value
}

// method is the method of a builtin class with the slots.
func (row *specialMethod) method(s *slots) method {
	parameters := []string{"(self, /)", "(self, x, /)", "(self, x, y, /)", "(self, x, y=None, /)"}
	return laidOut("builtins", row.name+parameters[row.args],
		func(m *machine, a arguments) Value { return row.call(s, m, a.positional[0], a.positional[1:]) })
}

// specialMethods are filled before the first type is described: slots look them up.
var specialMethods []specialMethod

// makeSpecialMethods fills specialMethods.
func makeSpecialMethods() {
	specialMethods = []specialMethod{
		{"__len__", 0, func(s *slots) { s.length = specialLength }, func(s *slots) bool { return s.length != nil },
			func(s *slots, m *machine, v Value, _ []Value) Value { return intValue(s.length(m, v)) }},
		{"__getitem__", 1, fillItem, func(s *slots) bool { return s.item != nil },
			func(s *slots, m *machine, v Value, args []Value) Value { return s.item(m, v, args[0]) }},
		{"__setitem__", 2, func(s *slots) {
			s.setItem = func(m *machine, v, index, x Value) { m.special(v, "__setitem__", index, x) }
		}, func(s *slots) bool { return s.setItem != nil },
			func(s *slots, m *machine, v Value, args []Value) Value {
				s.setItem(m, v, args[0], args[1])
				return none
			}},
		{"__delitem__", 1, func(s *slots) {
			s.deleteItem = func(m *machine, v, index Value) { m.special(v, "__delitem__", index) }
		}, func(s *slots) bool { return s.deleteItem != nil },
			func(s *slots, m *machine, v Value, args []Value) Value { s.deleteItem(m, v, args[0]); return none }},
		{"__contains__", 1, func(s *slots) {
			s.contains = func(m *machine, v, x Value) bool { return m.truthOf(m.special(v, "__contains__", x)) }
		}, func(s *slots) bool { return s.contains != nil || s.items != nil && s.item != nil },
			func(s *slots, m *machine, v Value, args []Value) Value {
				return python.Bool(m.containsBy(s, v, args[0]))
			}},
		{"__iter__", 0, func(s *slots) { s.iterate, s.items = specialIterate, nil },
			func(s *slots) bool { return s.iterate != nil || s.items != nil },
			func(s *slots, m *machine, v Value, _ []Value) Value {
				return &Iterator{iteratorName(plain(v)), m.iterateBy(s, v)}
			}},
		{"__next__", 0, func(s *slots) { s.next = specialNext }, func(s *slots) bool { return s.next != nil },
			func(s *slots, m *machine, v Value, _ []Value) Value { return s.next(m, v) }},
		{"__format__", 1, func(s *slots) { s.format = specialFormat }, func(s *slots) bool { return s.format != nil },
			func(s *slots, m *machine, v Value, args []Value) Value {
				return python.Str(s.format(m, v, m.strOf(args[0])))
			}},
		{"__call__", 0, func(s *slots) { s.call = specialCall }, func(*slots) bool { return false }, nil},
		{"__get__", 3, func(s *slots) { s.get = specialGet }, func(s *slots) bool { return s.get != nil },
			func(s *slots, m *machine, v Value, args []Value) Value {
				c, _ := given(args[1], typeOf(args[0])).(*Class)
				return s.get(m, v, given(args[0], nil), c)
			}},
		{"__set__", 2, func(s *slots) { s.set = specialSet }, func(s *slots) bool { return s.set != nil },
			func(s *slots, m *machine, v Value, args []Value) Value { s.set(m, v, args[0], args[1]); return none }},
		{"__delete__", 1, func(s *slots) { s.set = specialSet }, func(s *slots) bool { return s.set != nil },
			func(s *slots, m *machine, v Value, args []Value) Value { s.set(m, v, args[0], nil); return none }},
		{"__bool__", 0, func(s *slots) {
			s.truth = func(m *machine, v Value) bool { return m.truthOf(m.special(v, "__bool__")) }
		}, func(s *slots) bool { return s.truth != nil },
			func(s *slots, m *machine, v Value, _ []Value) Value { return python.Bool(s.truth(m, v)) }},
		{"__hash__", 0, func(s *slots) { s.hash = specialHash }, func(s *slots) bool { return s.hash != nil },
			func(s *slots, _ *machine, v Value, _ []Value) Value { return python.NewInt(s.hash(v, 0)) }},
		{"__repr__", 0, func(s *slots) { s.repr = specialRepr }, func(s *slots) bool { return s.repr != nil },
			func(s *slots, m *machine, v Value, _ []Value) Value {
				return python.Str(m.printWithin(func(p *printer) string { return s.repr(p, v, 0) }))
			}},
		{"__str__", 0, func(s *slots) { s.str = specialStr }, func(s *slots) bool { return s.str != nil },
			func(s *slots, m *machine, v Value, _ []Value) Value {
				return python.Str(m.printWithin(func(p *printer) string { return s.str(p, v) }))
			}},
	}
	for _, op := range sortedNames(comparisonMethods) {
		specialMethods = append(specialMethods, specialMethod{comparisonMethods[op], 1,
			func(s *slots) { s.compare = specialCompare }, func(s *slots) bool { return s.compare != nil },
			func(s *slots, m *machine, v Value, args []Value) Value { return s.compare(m, op, v, args[0]) }})
	}
	for _, op := range sortedNames(operatorMethods) {
		for i, name := range operatorMethods[op] {
			reflected := i == 1
			specialMethods = append(specialMethods, specialMethod{name, 1, func(s *slots) { s.binary = specialBinary },
				func(s *slots) bool {
					return hasOperator(s.binaryOps, op) || op == "*" && s.repeat != nil ||
						op == "+" && s.concat != nil && !reflected
				},
				func(s *slots, m *machine, v Value, args []Value) Value {
					return m.operateBy(s, op, v, args[0], reflected)
				}})
		}
		specialMethods = append(specialMethods, specialMethod{inPlaceMethod(op), 1,
			func(s *slots) { s.inPlace = specialInPlace }, func(s *slots) bool { return hasOperator(s.inPlaceOps, op) },
			func(s *slots, m *machine, v Value, args []Value) Value { return s.inPlace(m, op, v, args[0]) }})
	}
	for _, op := range sortedNames(unaryMethods) {
		specialMethods = append(specialMethods, specialMethod{unaryMethods[op], 0,
			func(s *slots) { s.unary = specialUnary }, func(s *slots) bool { return hasOperator(s.unaryOps, op) },
			func(s *slots, m *machine, v Value, _ []Value) Value { return s.unary(m, op, v) }})
	}
}

// operatorMethods names the methods behind the binary operators, forward and reflected.
var operatorMethods = map[string][2]string{
	"+": {"__add__", "__radd__"}, "-": {"__sub__", "__rsub__"}, "*": {"__mul__", "__rmul__"},
	"/":  {"__truediv__", "__rtruediv__"},
	"//": {"__floordiv__", "__rfloordiv__"}, "%": {"__mod__", "__rmod__"}, "**": {"__pow__", "__rpow__"},
	"@": {"__matmul__", "__rmatmul__"},
	"&": {"__and__", "__rand__"}, "|": {"__or__", "__ror__"}, "^": {"__xor__", "__rxor__"},
	"<<": {"__lshift__", "__rlshift__"}, ">>": {"__rshift__", "__rrshift__"},
}

// comparisonMethods names the methods behind the comparisons.
var comparisonMethods = map[string]string{"==": "__eq__", "!=": "__ne__", "<": "__lt__", "<=": "__le__", ">": "__gt__",
	">=": "__ge__"}

// swapped gives the comparison that says of b and a what the other says of a and b.
var swapped = map[string]string{"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}

// unaryMethods names the methods behind the unary operators, abs among them.
var unaryMethods = map[string]string{"-": "__neg__", "+": "__pos__", "~": "__invert__", "abs": "__abs__"}

// inPlaceMethod names the method behind op=.
func inPlaceMethod(op string) string { return "__i" + strings.TrimPrefix(operatorMethods[op][0], "__") }

// hasOperator reports whether a list has an operator, in which each stands between blanks.
func hasOperator(list, op string) bool { return strings.Contains(list, " "+op+" ") }

// The slots of classes with special methods of their own call these by name.

// findSpecial is an attribute of the object's class, bound to the object.
func (m *machine) findSpecial(v Value, name string) (Value, bool) {
	c := typeOf(v)
	f, ok := c.find(name)
	if !ok || f == none {
		return nil, false
	}
	return m.bound(f, v, c), true
}

// special calls a special method that the class of an object has.
func (m *machine) special(v Value, name string, args ...Value) Value {
	f, ok := m.findSpecial(v, name)
	if !ok {
		raise("TypeError", "'%s' object has no %s", v.Type(), name)
	}
	return m.callValue(f, arguments{positional: args})
}

// specialOr is special where the class may lack the method: notImplemented.
func (m *machine) specialOr(v Value, name string, args ...Value) Value {
	f, ok := m.findSpecial(v, name)
	if !ok {
		return notImplemented
	}
	return m.callValue(f, arguments{positional: args})
}

func fillItem(s *slots) {
	s.item = func(m *machine, v, index Value) Value { return m.special(v, "__getitem__", index) }
	if s.iterate == nil && s.items == nil {
		s.iterate = iterateByIndex
	}
}

func specialGet(m *machine, v, o Value, c *Class) Value {
	return m.special(v, "__get__", given(o, none), c)
}

func specialSet(m *machine, v, o, x Value) {
	name, args := "__set__", []Value{o, x}
	if x == nil {
		name, args = "__delete__", args[:1]
	}
	f, ok := m.findSpecial(v, name)
	if !ok {
		raise("AttributeError", "%s", name)
	}
	m.callWith(f, args...)
}

func specialNext(m *machine, v Value) Value { return m.special(v, "__next__") }

func specialCall(m *machine, v Value, a arguments) Value {
	f, _ := m.findSpecial(v, "__call__")
	return m.callValue(f, a)
}

func specialFormat(m *machine, v Value, spec string) string {
	text := m.special(v, "__format__", python.Str(spec))
	if _, ok := plain(text).(python.Str); !ok {
		raise("TypeError", "__format__ must return a str, not %s", text.Type())
	}
	return m.strOf(text)
}

func specialLength(m *machine, v Value) int {
	n := m.special(v, "__len__")
	size, isInt := python.AsInt(plain(n))
	if !isInt {
		raise("TypeError", "'%s' object cannot be interpreted as an integer", n.Type())
	}
	// slot_sq_length in typeobject.c.
	if size.Sign() < 0 {
		raise("ValueError", "__len__() should return >= 0")
	}
	return int(asIndex(size))
}

// specialIterate follows __iter__ and __next__.
func specialIterate(m *machine, v Value) func() (Value, bool) {
	f, ok := m.findSpecial(v, "__iter__")
	if !ok { // None: the class says that its objects have no items
		raise("TypeError", "'%s' object is not iterable", v.Type())
	}
	it := m.callWith(f)
	s := typeOf(it).slots()
	if s.next == nil {
		raise("TypeError", "iter() returned non-iterator of type '%s'", it.Type())
	}
	if !is[*Instance](it) { // of a type that yields its items without exceptions
		return s.iterate(m, it)
	}
	return func() (Value, bool) {
		return m.untilStop("StopIteration", func() Value { return s.next(m, it) })
	}
}

// iterateByIndex is the protocol of before Python 2.2, which classes with __getitem__ alone still follow: IndexError is
// the end.
func iterateByIndex(m *machine, v Value) func() (Value, bool) {
	i := 0
	return func() (Value, bool) {
		i++
		return m.untilStop("IndexError", func() Value { return m.special(v, "__getitem__", intValue(i-1)) })
	}
}

func specialCompare(m *machine, op string, v, other Value) Value {
	f, ok := m.findSpecial(v, comparisonMethods[op])
	switch {
	case ok:
		return m.callWith(f, other)
	case op == "!=": // object.__ne__ inverts __eq__
		if r := specialCompare(m, "==", v, other); r != notImplemented {
			return python.Bool(!m.truthOf(r))
		}
	}
	return notImplemented
}

func specialBinary(m *machine, op string, v, other Value, reflected bool) Value {
	if reflected {
		return m.specialOr(v, operatorMethods[op][1], other)
	}
	return m.specialOr(v, operatorMethods[op][0], other)
}

func specialInPlace(m *machine, op string, v, other Value) Value {
	return m.specialOr(v, inPlaceMethod(op), other)
}

func specialUnary(m *machine, op string, v Value) Value {
	f, ok := m.findSpecial(v, unaryMethods[op])
	if !ok {
		return refuseUnary(op, v)
	}
	return m.callWith(f)
}

func specialRepr(p *printer, v Value, depth int) string {
	if text, ok := p.special(v, "__repr__"); ok {
		return text
	}
	return typeOf(v).layout().record.repr(p, v, depth)
}

func specialStr(p *printer, v Value) string {
	if text, ok := p.special(v, "__str__"); ok {
		return text
	}
	return p.repr(v, 0)
}
