package host

import (
	"fmt"
	"iter"
	"strconv"

	"github.com/newtlab/newt/compiler/python"
)

// maxData bounds the lists, tuples, dicts and values that MapLeaves visits. A list may hold itself, and one that holds
// another twice, which holds another twice, and so on, is small and has no end in practice.
const maxData = 1 << 14

// MapLeaves copies lists, tuples and dicts, with f's values in place of what they hold that is none of these. path says
// where a value stands, as Python writes it behind a name: "", "[0]", "['mask'][1]". The keys of dicts are texts and
// integers. Named tuples become tuples. An error is f's, or that v is not such data.
func MapLeaves(v Value, f func(path string, leaf Value) (Value, error)) (Value, error) {
	m := leafMap{f, maxData}
	return m.of(v, "")
}

type leafMap struct {
	f    func(path string, leaf Value) (Value, error)
	left int // of maxData
}

func (m *leafMap) of(v Value, path string) (Value, error) {
	if m.left--; m.left < 0 {
		return nil, fmt.Errorf("there are more than %d values", maxData)
	}
	each := func(items []Value) ([]Value, error) {
		out := make([]Value, len(items))
		for i, x := range items {
			y, err := m.of(x, path+"["+strconv.Itoa(i)+"]")
			if err != nil {
				return nil, err
			}
			out[i] = y
		}
		return out, nil
	}
	switch v := v.(type) {
	case *List:
		items, err := each(v.Items)
		return &List{items}, err
	case Tuple:
		items, err := each(v)
		return Tuple(items), err
	case *Named:
		items, err := each(v.Items)
		return Tuple(items), err
	case *Dict:
		out := newDict()
		var failed error
		v.each(func(k, x Value) {
			switch k.(type) {
			case python.Str, python.Int:
			default:
				failed = fmt.Errorf("a dict has a key of type %s", k.Type())
			}
			if failed != nil {
				return
			}
			var y Value
			if y, failed = m.of(x, path+"["+Repr(k)+"]"); failed == nil {
				out.set(k, y)
			}
		})
		return out, failed
	}
	return m.f(path, v)
}

// Named are the entries of d whose keys are texts, in the order of insertion.
func (d *Dict) Named() iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) {
		more := true
		d.each(func(k, v Value) {
			if name, ok := k.(python.Str); ok && more {
				more = yield(string(name), v)
			}
		})
	}
}
