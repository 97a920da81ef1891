package host

import (
	"slices"

	"github.com/newtlab/newt/compiler/python"
)

// itemOf is object[index].
func (m *machine) itemOf(object, index Value) Value {
	switch o := object.(type) {
	case Tensor:
		t, err := m.tensors.Index(o.Tensor, indexItems(m, index))
		check(err)
		return Tensor{t}
	case *List:
		if s, ok := index.(Slice); ok {
			return &List{sliceItems(m, o.Items, s)}
		}
		return o.Items[m.itemPosition(index, len(o.Items), "list")]
	// A slice of a named tuple is a plain tuple; one of a torch.Size stays a torch.Size.
	case Tuple, Size, *Named, *tileTuple:
		items := m.itemsOf(o)
		s, ok := index.(Slice)
		if !ok {
			return items[m.itemPosition(index, len(items), "tuple")]
		}
		part := sliceItems(m, items, s)
		if _, isSize := o.(Size); isSize {
			return sizeOf(m, part)
		}
		return Tuple(part)
	case python.Str:
		return textItem(m, o, index)
	case Range:
		return rangeItem(m, o, index)
	case Bytes, *ByteArray, memoryView:
		return byteItem(m, o, index)
	case *Dict:
		v, ok := o.get(index)
		// __missing__ of defaultdict and Counter. Only d[key] asks it, not get().
		if !ok && o.kind != nil && o.kind.missing != nil {
			return o.kind.missing(m, o, index)
		}
		if !ok {
			// The argument is the key itself, not a text: str(e) is then its repr.
			panic(&raised{exception: newException(exceptions["KeyError"], index)})
		}
		return v
	}
	return itemOfObject(m, object, index)
}

func itemOfObject(m *machine, object, index Value) Value {
	switch o := object.(type) {
	case launchable:
		return &gridded{o, index}
	case *annotator:
		return annotated(o, index)
	case *Instance:
		if v, ok := m.callSpecial(o, "__getitem__", index); ok {
			return v
		}
	case *Class:
		if v, ok := m.callOwn(o, "__getitem__", index); ok {
			return v
		}
		if v, ok := o.find("__class_getitem__"); ok {
			return m.callWith(bindMethod(v, o, o), index)
		}
		if o.enum != nil {
			return m.itemOf(o.member("__members__"), index)
		}
		// Annotations are evaluated, so that a subscripted class must be a value; newt checks no types by it.
		return o // typing's List[int]
	case *Builtin, Text:
		return o
	case *Named:
		if v, ok := m.callSpecial(o, "__getitem__", index); ok {
			return v
		}
	}
	raise("TypeError", "'%s' object is not subscriptable", object.Type())
	return nil
}

// annotated is Float32[Tensor, "4 200"].
func annotated(a *annotator, index Value) Value {
	parts, ok := index.(Tuple)
	if !ok || len(parts) != 2 {
		raise("TypeError", "jaxtyping annotations take an array type and a shape, as in %s[Tensor, \"4 200\"]", a.name)
	}
	dims, ok := parts[1].(python.Str)
	if !ok {
		raise("TypeError", "the shape of a jaxtyping annotation must be a str, not %s", parts[1].Type())
	}
	return Annotation{a.dtype, string(dims)}
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

// bounds clips a slice to a sequence of n: the first index, the step, and how many.
func (s Slice) bounds(n int) (start, step, count int) {
	step = 1
	if s.Step != none {
		// Clipped as PySlice_AdjustIndices does, but to 2⁴⁰, so that start+i*step cannot overflow.
		step = int(max(min(asIndex(s.Step), 1<<40), -1<<40))
	}
	if step == 0 {
		raise("ValueError", "slice step cannot be zero")
	}
	// A negative step walks from n-1 down, and -1 is where it stops before the first: see PySlice_AdjustIndices.
	low, high := 0, n
	if step < 0 {
		low, high = -1, n-1
	}
	clip := func(v Value, otherwise int) int {
		if v == none {
			return otherwise
		}
		i := asIndex(v)
		if i < 0 {
			i += int64(n)
		}
		return int(max(min(i, int64(high)), int64(low)))
	}
	if step > 0 {
		start = clip(s.Start, low)
		count = (clip(s.Stop, high) - start + step - 1) / step
	} else {
		start = clip(s.Start, high)
		count = (start - clip(s.Stop, low) - step - 1) / -step
	}
	return start, step, max(count, 0)
}

func sliceItems(m *machine, items []Value, s Slice) []Value {
	start, step, count := s.bounds(len(items))
	m.budget.chargeItems(count)
	out := make([]Value, count)
	for i := range out {
		out[i] = items[start+i*step]
	}
	return out
}

func textItem(m *machine, s python.Str, index Value) Value {
	// Python counts code points, Go bytes.
	runes, ascii := m.texts.runesOf(string(s))
	slice, ok := index.(Slice)
	if ascii {
		if !ok {
			i := m.itemPosition(index, len(s), "string")
			return s[i : i+1]
		}
		if start, step, count := slice.bounds(len(s)); step == 1 {
			m.budget.chargeItems(count)
			return s[start : start+count]
		}
		runes = []rune(string(s))
	}
	if !ok {
		return python.Str(runes[m.itemPosition(index, len(runes), "string")])
	}
	start, step, count := slice.bounds(len(runes))
	m.budget.chargeItems(count)
	out := make([]rune, count)
	for i := range out {
		out[i] = runes[start+i*step]
	}
	return python.Str(out)
}

func rangeItem(m *machine, r Range, index Value) Value {
	s, ok := index.(Slice)
	if !ok {
		return python.NewInt(r.Start + int64(m.itemPosition(index, r.length(), "range object"))*r.Step)
	}
	start, step, count := s.bounds(r.length())
	first := r.Start + int64(start)*r.Step
	return Range{first, first + int64(count*step)*r.Step, r.Step * int64(step)}
}

// setItem is object[index] = v.
func (m *machine) setItem(object, index, v Value) {
	switch o := object.(type) {
	case Tensor:
		check(m.tensors.SetIndex(o.Tensor, indexItems(m, index), m.toTensorArgument(v)))
	case *List:
		if s, ok := index.(Slice); ok {
			setSlice(m, o, s, v)
			return
		}
		o.Items[m.itemPosition(index, len(o.Items), "list assignment")] = v
	case *Dict:
		m.budget.chargeItems(1)
		o.set(index, v)
	case *ByteArray:
		setByte(m, o, index, v)
	case *Instance, *Class:
		if _, ok := m.callSpecial(o, "__setitem__", index, v); ok {
			return
		}
		raise("TypeError", "'%s' object does not support item assignment", o.Type())
	default:
		raise("TypeError", "'%s' object does not support item assignment", object.Type())
	}
}

func setSlice(m *machine, l *List, s Slice, v Value) {
	// The value may be the list itself, as in l[1:] = l.
	items := slices.Clone(m.itemsOf(v))
	start, step, count := s.bounds(len(l.Items))
	m.budget.chargeItems(len(items))
	// Only a slice of step 1 may change the length of the list.
	if step == 1 {
		l.Items = slices.Replace(l.Items, start, start+count, items...)
		return
	}
	if len(items) != count {
		raise("ValueError", "attempt to assign sequence of size %d to extended slice of size %d", len(items), count)
	}
	for i, x := range items {
		l.Items[start+i*step] = x
	}
}

func (m *machine) deleteItem(object, index Value) {
	switch o := object.(type) {
	case *List:
		if s, ok := index.(Slice); ok {
			start, step, count := s.bounds(len(o.Items))
			if step == 1 {
				o.Items = slices.Delete(o.Items, start, start+count)
				return
			}
			// An extended slice leaves the items between its steps.
			gone := map[int]bool{}
			for i := range count {
				gone[start+i*step] = true
			}
			kept := make([]Value, 0, len(o.Items)-count)
			for i, v := range o.Items {
				if !gone[i] {
					kept = append(kept, v)
				}
			}
			o.Items = kept
			return
		}
		i := m.itemPosition(index, len(o.Items), "list assignment")
		o.Items = slices.Delete(o.Items, i, i+1)
	case *Dict:
		if _, ok := o.remove(index); !ok {
			panic(&raised{exception: newException(exceptions["KeyError"], index)})
		}
	case *ByteArray:
		start, count := 0, 1
		if s, ok := index.(Slice); ok {
			step := 1
			if start, step, count = s.bounds(len(o.data)); step != 1 {
				lack("ValueError", "del of a slice of a bytearray whose step is not 1", nil)
			}
		} else {
			start = m.itemPosition(index, len(o.data), "bytearray")
		}
		o.data = slices.Delete(o.data, start, start+count)
	default:
		if _, ok := m.callSpecial(object, "__delitem__", index); ok {
			return
		}
		raise("TypeError", "'%s' object doesn't support item deletion", object.Type())
	}
}

func sizeOf(m *machine, items []Value) Value {
	out := make(Size, len(items))
	for i, v := range items {
		out[i] = int(asIndex(v))
	}
	return out
}
