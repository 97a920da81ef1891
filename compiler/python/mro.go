package python

import "slices"

// Linearize is the method resolution order of a class, C3's: the class, then what it inherits from, each class before
// its own bases and in the order in which it is named. orders are those of its bases. Not ok: no such order exists.
func Linearize[C comparable](class C, bases []C, orders [][]C) (order []C, ok bool) {
	lists := append(slices.Clone(orders), bases)
	order = []C{class}
	// The merge of C3, https://www.python.org/download/releases/2.3/mro: take the first head that no other list has
	// in its tail.
	for {
		lists = slices.DeleteFunc(lists, func(l []C) bool { return len(l) == 0 })
		if len(lists) == 0 {
			return order, true
		}
		i := slices.IndexFunc(lists, func(l []C) bool {
			return !slices.ContainsFunc(lists, func(other []C) bool { return slices.Contains(other[1:], l[0]) })
		})
		if i < 0 {
			return nil, false
		}
		next := lists[i][0]
		order = append(order, next)
		for i, l := range lists {
			if l[0] == next {
				lists[i] = l[1:]
			}
		}
	}
}
