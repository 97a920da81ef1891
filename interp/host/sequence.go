package host

import (
	"slices"

	"github.com/newtlab/newt/compiler/python"
)

// What lists, tuples, texts and the other sequences share.

// lengthOf is len(v).
func (m *machine) lengthOf(v Value) int {
	if f := typeOf(v).slots().length; f != nil {
		return f(m, v)
	}
	raise("TypeError", "object of type '%s' has no len()", v.Type())
	return 0
}

// itemOf is object[index].
func (m *machine) itemOf(object, index Value) Value {
	if f := typeOf(object).slots().item; f != nil {
		return f(m, object, index)
	}
	raise("TypeError", "'%s' object is not subscriptable", object.Type())
	return nil
}

// setItem is object[index] = v.
func (m *machine) setItem(object, index, v Value) {
	f := typeOf(object).slots().setItem
	if f == nil {
		raise("TypeError", "'%s' object does not support item assignment", object.Type())
	}
	f(m, object, index, v)
}

// deleteItem is del object[index].
func (m *machine) deleteItem(object, index Value) {
	f := typeOf(object).slots().deleteItem
	if f == nil {
		raise("TypeError", "'%s' object doesn't support item deletion", object.Type())
	}
	f(m, object, index)
}

// truthOf is bool(v).
func (m *machine) truthOf(v Value) bool {
	if b, ok := v.(python.Bool); ok {
		return bool(b)
	}
	switch s := typeOf(v).slots(); {
	case s.truth != nil:
		return s.truth(m, v)
	case s.length != nil:
		return s.length(m, v) > 0
	}
	return true
}

// containsItem is x in container.
func (m *machine) containsItem(container, x Value) bool {
	return m.containsBy(typeOf(container).slots(), container, x)
}

// containsBy is containsItem by the slots of a type.
func (m *machine) containsBy(s *slots, container, x Value) bool {
	if s.contains != nil {
		return s.contains(m, container, x)
	}
	// Without __contains__ Python walks the items (PySequence_Contains).
	if s.iterate == nil && s.items == nil {
		raise("TypeError", "argument of type '%s' is not iterable", container.Type())
	}
	return m.walkFor(m.iterateBy(s, container), x)
}

// walkFor reports whether an item is x.
func (m *machine) walkFor(it func() (Value, bool), x Value) bool {
	for v, ok := it(); ok; v, ok = it() {
		m.budget.countStep(m.at)
		if identical(v, x) || m.equalValues(v, x) {
			return true
		}
	}
	return false
}

// itemPosition wraps an index into a sequence of n.
func (m *machine) itemPosition(index Value, n int, class string) int {
	index = plain(index)
	switch index.(type) {
	case python.Int, python.Bool, Tensor:
	default:
		if v, ok := m.callSpecial(index, "__index__"); ok {
			return m.itemPosition(v, n, class)
		}
		switch class {
		// The message of a wrong type names the list alone, the one of a wrong index says "list assignment".
		case "list assignment":
			class = "list"
		case "string":
			raise("TypeError", "string indices must be integers, not '%s'", index.Type())
		}
		raise("TypeError", "%s indices must be integers or slices, not %s", class, index.Type())
	}
	i := asIndex(index)
	if i < 0 {
		i += int64(n)
	}
	if i < 0 || i >= int64(n) {
		raise("IndexError", "%s index out of range", class)
	}
	return int(i)
}

// insertPosition is where insert(index, …) puts an item into a sequence of n.
func insertPosition(index Value, n int) int {
	i := asIndex(index)
	if i < 0 {
		i += int64(n)
	}
	return int(max(min(i, int64(n)), 0))
}

// sliceItems are the items of a slice.
func sliceItems[T any](m *machine, items []T, s Slice) []T {
	start, step, count := s.bounds(len(items))
	m.budget.chargeItems(count)
	out := make([]T, count)
	for i := range out {
		out[i] = items[start+i*step]
	}
	return out
}

// replaceSlice is items[s] = with. Only a slice of step 1 may change how many there are; a message calls them kind.
func replaceSlice[T any](m *machine, items []T, s Slice, with []T, kind string) []T {
	start, step, count := s.bounds(len(items))
	m.budget.chargeItems(len(with))
	if step == 1 {
		return slices.Replace(items, start, start+count, with...)
	}
	if len(with) != count {
		raise("ValueError", "attempt to assign %s of size %d to extended slice of size %d", kind, len(with), count)
	}
	for i, x := range with {
		items[start+i*step] = x
	}
	return items
}

// deleteItems is del items[index], of one item or of a slice.
func deleteItems[T any](m *machine, items []T, index Value, class string) []T {
	s, ok := index.(Slice)
	if !ok {
		i := m.itemPosition(index, len(items), class)
		return slices.Delete(items, i, i+1)
	}
	start, step, count := s.bounds(len(items))
	if step == 1 {
		return slices.Delete(items, start, start+count)
	}
	// An extended slice leaves the items between its steps.
	gone := map[int]bool{}
	for i := range count {
		gone[start+i*step] = true
	}
	left := make([]T, 0, len(items)-count)
	for i, v := range items {
		if !gone[i] {
			left = append(left, v)
		}
	}
	return left
}

// indexOfItem finds an item from start on that is x: -1 if there is none before stop. It walks, since an __eq__ may
// change the sequence.
func indexOfItem(m *machine, it func() (Value, bool), x Value, start, stop int) int {
	for i := 0; i < stop; i++ {
		v, ok := it()
		if !ok {
			break
		}
		m.budget.countStep(m.at)
		if i >= start && (identical(v, x) || m.equalValues(v, x)) {
			return i
		}
	}
	return -1
}

// sequenceIndex is sequence.index(value, start, stop).
func sequenceIndex(m *machine, a arguments) Value {
	sequence := plain(a.positional[0])
	n := m.lengthOf(sequence)
	start, stop := insertPosition(a.positional[2], n), insertPosition(a.at(3, intValue(n)), n)
	i := indexOfItem(m, m.iterateOver(sequence), a.positional[1], start, stop)
	if i < 0 {
		raise("ValueError", "%s is not in %s", m.reprOf(a.positional[1]), a.positional[0].Type())
	}
	return intValue(i)
}

func sequenceCount(m *machine, a arguments) Value {
	n, it := 0, m.iterateOver(plain(a.positional[0]))
	for v, ok := it(); ok; v, ok = it() {
		m.budget.countStep(m.at)
		if identical(v, a.positional[1]) || m.equalValues(v, a.positional[1]) {
			n++
		}
	}
	return intValue(n)
}

// compareItems is op of two lists or of two tuples.
func compareItems(m *machine, op string, a, b []Value) Value {
	switch op {
	case "==":
		return python.Bool(sameItems(m, a, b))
	case "!=":
		return python.Bool(!sameItems(m, a, b))
	}
	m.budget.enterLevel()
	defer func() { m.budget.leaveLevel() }()
	for i := range min(len(a), len(b)) {
		m.budget.countStep(m.at)
		if !identical(a[i], b[i]) && !m.equalValues(a[i], b[i]) {
			// The first items that differ decide, by the operator itself: only == and < need exist.
			return m.compareValues(op, a[i], b[i])
		}
	}
	// One is the beginning of the other: the shorter is less.
	return python.Bool(must(python.Compare(op, intValue(len(a)), intValue(len(b)))))
}

func sameItems(m *machine, a, b []Value) bool {
	if len(a) != len(b) {
		return false
	}
	// Lists may contain themselves: the level bounds the recursion, as Py_EnterRecursiveCall does.
	m.budget.enterLevel()
	defer func() { m.budget.leaveLevel() }()
	for i := range a {
		m.budget.countStep(m.at)
		// Identity comes first: nan is not equal to itself, but [nan] is to the same list (PyObject_RichCompareBool).
		if !identical(a[i], b[i]) && !m.equalValues(a[i], b[i]) {
			return false
		}
	}
	return true
}

// compareEqual is == or != of a type whose objects have no order.
func compareEqual(op string, same bool) Value {
	switch op {
	case "==":
		return python.Bool(same)
	case "!=":
		return python.Bool(!same)
	}
	return notImplemented
}

// sequenceItems are the items of a list or a tuple.
func sequenceItems(v Value) ([]Value, bool) {
	switch v := v.(type) {
	case Tuple:
		return v, true
	case Size:
		return v.tuple(), true
	case *Named:
		return v.Items, true
	case *List:
		return v.Items, true
	}
	return nil, false
}
