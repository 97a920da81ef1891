package host

// heapqFunctions are those of heapq, with prelude/heapq.py: CPython's own sifting, so that the lists that scripts print
// are the same.
func heapqFunctions() map[string]method {
	return map[string]method{
		"heappush(heap, item, /)": func(m *machine, a arguments) Value {
			h := heapOf(a.positional[0])
			m.budget.chargeItems(1)
			h.Items = append(h.Items, a.positional[1])
			siftDown(m, h, 0, len(h.Items)-1, heapLess)
			return none
		},
		"heappop(heap, /)": func(m *machine, a arguments) Value { return heapPop(m, heapOf(a.positional[0])) },
		"heapify(heap, /)": func(m *machine, a arguments) Value {
			heapifyItems(m, heapOf(a.positional[0]))
			return none
		},
		"heapreplace(heap, item, /)": func(m *machine, a arguments) Value {
			h := heapOf(a.positional[0])
			if len(h.Items) == 0 {
				raise("IndexError", "index out of range")
			}
			first := h.Items[0]
			h.Items[0] = a.positional[1]
			siftUp(m, h, 0, heapLess)
			return first
		},
		"heappushpop(heap, item, /)": func(m *machine, a arguments) Value {
			h, item := heapOf(a.positional[0]), a.positional[1]
			if len(h.Items) > 0 && heapLess(m, h.Items[0], item) {
				item, h.Items[0] = h.Items[0], item
				siftUp(m, h, 0, heapLess)
			}
			return item
		},
	}
}

func heapOf(v Value) *List {
	h, ok := v.(*List)
	if !ok {
		raise("TypeError", "heap argument must be a list, not %s", v.Type())
	}
	return h
}

func heapLess(m *machine, a, b Value) bool { return m.truthOf(m.compareValues("<", a, b)) }

func heapifyItems(m *machine, h *List) {
	// Leaves are heaps already.
	for i := len(h.Items)/2 - 1; i >= 0; i-- {
		siftUp(m, h, i, heapLess)
	}
}

func heapPop(m *machine, h *List) Value {
	n := len(h.Items)
	if n == 0 {
		raise("IndexError", "index out of range")
	}
	last := h.Items[n-1]
	h.Items = h.Items[:n-1]
	if n == 1 {
		return last
	}
	first := h.Items[0]
	h.Items[0] = last
	siftUp(m, h, 0, heapLess)
	return first
}

// lessInside compares two items of a heap; __lt__ may change the list.
func lessInside(m *machine, h *List, less func(m *machine, a, b Value) bool, a, b Value) bool {
	n, before := len(h.Items), less(m, a, b)
	if len(h.Items) != n {
		raise("RuntimeError", "list changed size during iteration")
	}
	return before
}

// siftDown moves the item at pos towards the root until its parent is not greater.
func siftDown(m *machine, h *List, start, pos int, less func(m *machine, a, b Value) bool) {
	item := h.Items[pos]
	for pos > start {
		m.budget.countStep(m.at)
		parent := (pos - 1) / 2
		if !lessInside(m, h, less, item, h.Items[parent]) {
			break
		}
		h.Items[pos] = h.Items[parent]
		pos = parent
	}
	h.Items[pos] = item
}

// siftUp moves the smaller child up until a leaf, then the item there down to its place.
func siftUp(m *machine, h *List, pos int, less func(m *machine, a, b Value) bool) {
	// Fewer comparisons than stopping on the way down: see the comment on _siftup in Lib/heapq.py. The number and the
	// order of comparisons are visible to a __lt__ of the script.
	start, item := pos, h.Items[pos]
	for child := 2*pos + 1; child < len(h.Items); child = 2*pos + 1 {
		m.budget.countStep(m.at)
		if right := child + 1; right < len(h.Items) && !lessInside(m, h, less, h.Items[child], h.Items[right]) {
			child = right
		}
		h.Items[pos] = h.Items[child]
		pos = child
	}
	h.Items[pos] = item
	siftDown(m, h, start, pos, less)
}
