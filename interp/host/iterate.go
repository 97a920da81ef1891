package host

import (
	"unicode/utf8"

	"github.com/newtlab/newt/compiler/python"
)

// iterateOver gives a function that yields v's items one by one.
func (m *machine) iterateOver(v Value) func() (Value, bool) {
	switch v := v.(type) {
	case *Iterator:
		return v.next
	// A generator is its own iterator: two loops over it share its items.
	case *coroutine:
		return func() (Value, bool) { return v.resume(none) }
	case *List:
		// A list may grow while it is walked.
		i := 0
		return func() (Value, bool) {
			if i >= len(v.Items) {
				return nil, false
			}
			i++
			return v.Items[i-1], true
		}
	case Range:
		i, n := 0, v.length()
		return func() (Value, bool) {
			if i >= n {
				return nil, false
			}
			i++
			return python.IntValue(v.Start + int64(i-1)*v.Step), true
		}
	case *dictView:
		return v.iterator()
	case *Dict:
		return (&dictView{v, "keys"}).iterator()
	case *Set:
		return v.walk("Set", func(e entry) Value { return e.key })
	case *Instance:
		return iterateInstance(m, v)
	case *Class:
		if it, ok := m.callOwn(v, "__iter__"); ok {
			return m.iterateOver(it)
		}
	}
	return sliceIterator("iterator", m.itemsOf(v)).next
}

// attr gives the methods of an iterator.
func (i *Iterator) attr(_ *machine, name string) (Value, bool) {
	switch name {
	case "__iter__":
		return boundTo(name, func(*machine, arguments) Value { return i }), true
	case "__next__":
		return boundTo(name, func(m *machine, _ arguments) Value {
			return builtinNext(m, arguments{positional: []Value{i}})
		}), true
	}
	return nil, false
}

// newIterator is an iterator that draws from others, which may nest.
func (m *machine) newIterator(class string, next func() (Value, bool)) *Iterator {
	return &Iterator{class, func() (Value, bool) {
		m.budget.enterLevel()
		v, ok := next()
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

// iterateInstance follows __iter__ and __next__, or __getitem__ from 0.
func iterateInstance(m *machine, v *Instance) func() (Value, bool) {
	if it, ok := m.callSpecial(v, "__iter__"); ok {
		// __iter__ may give a builtin iterator, a generator, or an object with __next__. An object that has __iter__
		// alone is asked again.
		own, isInstance := it.(*Instance)
		if !isInstance || own != v && !hasMethod(own, "__next__") && hasMethod(own, "__iter__") {
			return m.iterateOver(it)
		}
		if _, ok := own.class.find("__next__"); !ok {
			raise("TypeError", "iter() returned non-iterator of type '%s'", own.Type())
		}
		return func() (Value, bool) {
			return m.untilStop("StopIteration", func() Value { return m.callSpecialOrRaise(own, "__next__") })
		}
	}
	// The protocol of before Python 2.2, which classes with __getitem__ alone still follow: IndexError is the end.
	if _, ok := v.class.find("__getitem__"); ok {
		i := 0
		return func() (Value, bool) {
			i++
			return m.untilStop("IndexError",
				func() Value { return m.callSpecialOrRaise(v, "__getitem__", intValue(i-1)) })
		}
	}
	raise("TypeError", "'%s' object is not iterable", v.Type())
	return nil
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

func iterable(v Value) bool {
	switch v := v.(type) {
	case *List, *Dict, *Set, *Iterator, *coroutine, Tuple, Size, Range, *Named, python.Str, Bytes, *ByteArray,
		memoryView, *dictView:
		return true
	case Tensor:
		return len(v.Shape()) > 0
	case *Class:
		return v.enum != nil || hasMethod(v, "__iter__")
	case *Instance:
		_, iter := v.class.find("__iter__")
		_, get := v.class.find("__getitem__")
		return iter || get
	}
	return false
}

// itemsOf lists all items of an iterable value.
func (m *machine) itemsOf(v Value) []Value {
	switch v := v.(type) {
	case *List:
		return v.Items
	case Tuple:
		return v
	case Size:
		return v.tuple()
	case *Named:
		return v.Items
	case *Dict:
		return v.list()
	case *Set:
		return v.list()
	case *tileTuple:
		return v.items
	case python.Str:
		m.budget.chargeItems(len(v))
		out := make([]Value, 0, utf8.RuneCountInString(string(v)))
		for _, r := range string(v) {
			out = append(out, python.Str(r))
		}
		return out
	case Tensor:
		parts, err := m.tensors.Unbind(v.Tensor)
		check(err)
		out := make([]Value, len(parts))
		for i, t := range parts {
			out[i] = Tensor{t}
		}
		return out
	case Bytes, *ByteArray, memoryView:
		data, _ := bytesIn(v)
		m.budget.chargeItems(len(data))
		out := make([]Value, len(data))
		for i := range out {
			out[i] = intValue(int(data[i]))
		}
		return out
	case *dictView:
		m.budget.chargeItems(v.of.live)
		return v.list()
	case *Class:
		if items, ok := v.enumerated(); ok {
			return items
		}
		if hasMethod(v, "__iter__") {
			return m.collectItems(m.iterateOver(v))
		}
	case *Iterator, *coroutine, Range, *Instance:
		return m.collectItems(m.iterateOver(v))
	}
	raise("TypeError", "'%s' object is not iterable", v.Type())
	return nil
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
