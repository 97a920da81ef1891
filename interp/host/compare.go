package host

import (
	"math"
	"strings"

	"github.com/newtlab/newt/compiler/python"
)

// compareValues is one comparison; tensors compare elementwise.
func (m *machine) compareValues(op string, a, b Value) Value {
	switch op {
	case "is":
		return python.Bool(identical(a, b))
	case "is not":
		return python.Bool(!identical(a, b))
	case "in":
		return python.Bool(m.containsItem(b, a))
	case "not in":
		return python.Bool(!m.containsItem(b, a))
	}
	// object.__ne__ inverts __eq__ where a class has no __ne__ of its own.
	if op == "!=" && classOf(a) != nil && !hasMethod(a, "__ne__") && !isTensor(b) {
		return python.Bool(!m.equalValues(a, b))
	}
	if v, ok := m.instanceBinary(op, a, b); ok {
		return v
	}
	a, b = setLike(plain(a)), setLike(plain(b))
	if isTensor(a) || isTensor(b) {
		if v, ok := tensorBinary(m, op, a, b); ok {
			return v
		}
	}
	switch op {
	case "==":
		return python.Bool(m.equalValues(a, b))
	case "!=":
		return python.Bool(!m.equalValues(a, b))
	}
	return python.Bool(m.isOrdered(op, a, b))
}

// identical is a is b. Small values are compared as values, as CPython's interning mostly has it.
func identical(a, b Value) bool {
	switch x := a.(type) {
	case Tuple:
		y, ok := b.(Tuple)
		return ok && sameSlice(x, y)
	case Size:
		y, ok := b.(Size)
		return ok && sameSlice(x, y)
	case Slice:
		y, ok := b.(Slice)
		return ok && identical(x.Start, y.Start) && identical(x.Stop, y.Stop) && identical(x.Step, y.Step)
	case constexpr:
		y, ok := b.(constexpr)
		return ok && identical(x.value, y.value)
	case python.Float:
		y, ok := b.(python.Float) // bits: nan is nan
		return ok && math.Float64bits(float64(x)) == math.Float64bits(float64(y))
	case python.Int:
		y, ok := b.(python.Int)
		same, _ := python.Compare("==", a, b)
		return ok && y == x || ok && same
	}
	switch b.(type) {
	case Tuple, Size, python.Int, Slice, constexpr:
		return false
	}
	return a == b
}

// sameSlice reports whether two tuples are one: the empty tuple is, too.
func sameSlice[T any](x, y []T) bool {
	return len(x) == len(y) && (len(x) == 0 || &x[0] == &y[0])
}

func hasMethod(v Value, name string) bool {
	c := classOf(v)
	if c == nil {
		return false
	}
	_, ok := c.findOwn(name)
	return ok
}

// equalValues is a == b as a bool.
func (m *machine) equalValues(a, b Value) bool {
	if v, ok := m.instanceBinary("==", a, b); ok {
		return m.truthOf(v)
	}
	a, b = setLike(plain(a)), setLike(plain(b))
	switch x := a.(type) {
	case Tuple, Size, *Named:
		// A tuple equals tuples of any kind, torch.Size among them, but no list.
		if _, ok := b.(*List); ok || !iterable(b) || isTensor(b) {
			return false
		}
		switch b.(type) {
		case Tuple, Size, *Named:
			return sameItems(m, m.itemsOf(a), m.itemsOf(b))
		}
		return false
	case *List:
		y, ok := b.(*List)
		return ok && sameItems(m, x.Items, y.Items)
	case *Dict:
		y, ok := b.(*Dict)
		return ok && sameEntries(m, x, y)
	case *Set:
		y, ok := b.(*Set)
		return ok && sameEntries(m, &x.Dict, &y.Dict)
	case python.None, python.Bool, python.Int, python.Float, python.Str:
		switch b.(type) {
		case python.None, python.Bool, python.Int, python.Float, python.Str:
			same, err := python.Compare("==", a, b)
			return must(same, err)
		case Tensor, Complex: // the reflected comparison
			return m.equalValues(b, a)
		}
		return false
	case Tensor:
		return m.truthOf(m.compareValues("==", a, b))
	case Complex:
		y, ok := asComplex(b)
		return ok && complex128(x) == y
	case Bytes, *ByteArray, memoryView:
		data, _ := bytesIn(x)
		other, ok := bytesIn(b)
		return ok && data == other
	case Slice:
		y, ok := b.(Slice)
		return ok && sameItems(m, []Value{x.Start, x.Stop, x.Step}, []Value{y.Start, y.Stop, y.Step})
	case Range:
		y, ok := b.(Range)
		return ok && sameRange(x, y)
	}
	if c, ok := b.(Complex); ok {
		x, ok := asComplex(a)
		return ok && x == complex128(c)
	}
	return identical(a, b)
}

// sameRange reports whether two ranges have the same numbers.
func sameRange(x, y Range) bool {
	n := x.length()
	return n == y.length() && (n == 0 || x.Start == y.Start && (n == 1 || x.Step == y.Step))
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

func sameEntries(m *machine, a, b *Dict) bool {
	if a.live != b.live {
		return false
	}
	m.budget.enterLevel()
	same := true
	a.each(func(k, v Value) {
		m.budget.countStep(m.at)
		w, ok := b.get(k)
		same = same && ok && (identical(v, w) || m.equalValues(v, w))
	})
	m.budget.leaveLevel()
	return same
}

// isOrdered is a op b for < <= > >=.
func (m *machine) isOrdered(op string, a, b Value) bool {
	if s, ok := a.(*Set); ok {
		if t, ok := b.(*Set); ok {
			return subset(op, s, t)
		}
	}
	if x, ok := bytesIn(a); ok {
		if y, ok := bytesIn(b); ok {
			less, err := python.Compare(op, textOfBytes(x), textOfBytes(y))
			return must(less, err)
		}
	}
	x, xSeq := sequenceItems(a)
	y, ySeq := sequenceItems(b)
	_, aList := a.(*List)
	_, bList := b.(*List)
	// A list and a tuple have no order between them; the error is that of unlike types.
	if !xSeq || !ySeq || aList != bList {
		less, err := python.Compare(op, a, b)
		return must(less, err)
	}
	m.budget.enterLevel()
	defer func() { m.budget.leaveLevel() }()
	for i := range min(len(x), len(y)) {
		m.budget.countStep(m.at)
		if !identical(x[i], y[i]) && !m.equalValues(x[i], y[i]) {
			// The first items that differ decide, by the operator itself: only == and < need exist.
			return m.truthOf(m.compareValues(op, x[i], y[i]))
		}
	}
	// One is the beginning of the other: the shorter is less.
	less, err := python.Compare(op, intValue(len(x)), intValue(len(y)))
	return must(less, err)
}

func subset(op string, a, b *Set) bool {
	switch op {
	case ">":
		return subset("<", b, a)
	case ">=":
		return subset("<=", b, a)
	}
	inside := true
	a.each(func(k, _ Value) {
		_, ok := b.get(k)
		inside = inside && ok
	})
	return inside && (op == "<=" || a.live < b.live)
}

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

// containsItem is x in container.
func (m *machine) containsItem(container, x Value) bool {
	switch c := container.(type) {
	case *Dict:
		_, ok := c.get(x)
		return ok
	case *Set:
		_, ok := c.get(x)
		return ok
	case python.Str:
		s, ok := x.(python.Str)
		if !ok {
			raise("TypeError", "'in <string>' requires string as left operand, not %s", x.Type())
		}
		return strings.Contains(string(c), string(s))
	case Range:
		i, ok := python.AsInt(x)
		n, fits := i.Int64()
		// By arithmetic, since a range may be longer than any run could walk.
		at := n - c.Start
		return ok && fits && c.length() > 0 && at%c.Step == 0 && at/c.Step >= 0 && at/c.Step < int64(c.length())
	case Bytes, *ByteArray, memoryView:
		data, _ := bytesIn(c)
		return containsBytes(data, x)
	case *dictView:
		if found, known := c.contains(m, x); known {
			return found
		}
	case *Instance, *Class:
		if v, ok := m.callSpecial(c, "__contains__", x); ok {
			return m.truthOf(v)
		}
	}
	// Without __contains__ Python walks the items (PySequence_Contains).
	if !iterable(container) {
		raise("TypeError", "argument of type '%s' is not iterable", container.Type())
	}
	it := m.iterateOver(container)
	for v, ok := it(); ok; v, ok = it() {
		if identical(v, x) || m.equalValues(v, x) {
			return true
		}
	}
	return false
}
