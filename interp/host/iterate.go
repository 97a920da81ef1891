package host

// Iterator yields values once; next reports false at the end.
type Iterator struct {
	class string
	next  func() (Value, bool)
}

// Type is the name of the class.
func (i *Iterator) Type() string { return i.class }

// iteratorClass is the base of the classes of iterators.
var iteratorClass = &Class{Name: "iterator"}

func init() {
	iteratorClass.describe(typeRecord{
		slots: slots{
			iterate: func(_ *machine, v Value) func() (Value, bool) { return v.(*Iterator).next },
			next: func(_ *machine, v Value) Value {
				x, ok := v.(*Iterator).next()
				if !ok {
					raise("StopIteration", "")
				}
				return x
			},
			hash: hashIdentity,
			repr: leaf(reprObject),
		},
		methods: map[string]method{
			"__iter__": func(_ *machine, a arguments) Value { return self[*Iterator](a) },
		},
	})
}

// iterateOver gives a function that yields v's items one by one.
func (m *machine) iterateOver(v Value) func() (Value, bool) { return m.iterateBy(typeOf(v).slots(), v) }

// iterateBy is iterateOver by the slots of a type.
func (m *machine) iterateBy(s *slots, v Value) func() (Value, bool) {
	switch {
	case s.iterate != nil:
		return s.iterate(m, v)
	case s.items != nil:
		return sliceIterator("", s.items(m, v)).next
	}
	raise("TypeError", "'%s' object is not iterable", v.Type())
	return nil
}

// itemsOf lists all items of an iterable value.
func (m *machine) itemsOf(v Value) []Value {
	s := typeOf(v).slots()
	if s.items != nil {
		return s.items(m, v)
	}
	return m.collectItems(m.iterateBy(s, v))
}

func iterable(v Value) bool {
	if t, ok := v.(Tensor); ok {
		return len(t.Shape()) > 0
	}
	s := typeOf(v).slots()
	return s.iterate != nil || s.items != nil
}

func (m *machine) collectItems(it func() (Value, bool)) (out []Value) {
	for v, ok := it(); ok; v, ok = it() {
		// The iterator may be infinite, as itertools.count() is: each item is a step, so that the run ends.
		m.budget.countStep(m.at)
		m.budget.chargeItems(1)
		out = append(out, v)
	}
	return out
}

// newIterator is an iterator that draws from others, which may nest. A StopIteration of what it calls ends it, too.
func (m *machine) newIterator(class string, next func() (Value, bool)) *Iterator {
	return &Iterator{class, func() (v Value, ok bool) {
		m.budget.enterLevel()
		m.untilStop("StopIteration", func() Value {
			v, ok = next()
			return nil
		})
		m.budget.leaveLevel()
		return v, ok
	}}
}

func sliceIterator(class string, items []Value) *Iterator {
	i := 0
	return &Iterator{class, func() (Value, bool) {
		if i >= len(items) {
			return nil, false
		}
		i++
		return items[i-1], true
	}}
}

// untilStop runs f; an exception of the class is the end.
func (m *machine) untilStop(class string, f func() Value) (v Value, ok bool) {
	// Only the exception that ends an iteration is caught here; all others go on with their traceback.
	e := m.exceptionOf(func() { v = f() })
	switch {
	case e == nil:
		return v, true
	case e.stop != nil || !e.exception.class.isA(class):
		panic(e)
	}
	return nil, false
}
