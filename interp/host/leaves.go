package host

import (
	"fmt"
	"iter"
	"strconv"

	"github.com/newtlab/newt/compiler/python"
)

// maxDataDepth is how deep plain data is followed: a list may hold itself.
const maxDataDepth = 100

// MapLeaves copies lists, tuples and dicts, with f's values in place of what they hold that is none of these. path says
// where a value stands, as Python writes it behind a name: "", "[0]", "['mask'][1]". The keys of dicts are texts and
// integers. Named tuples become tuples. An error is f's, or that v is not such data.
func MapLeaves(v Value, f func(path string, leaf Value) (Value, error)) (Value, error) {
	return mapLeaves(v, "", maxDataDepth, f)
}

func mapLeaves(v Value, path string, depth int, f func(path string, leaf Value) (Value, error)) (Value, error) {
	if depth == 0 {
		return nil, fmt.Errorf("containers are nested more than %d deep", maxDataDepth)
	}
	each := func(items []Value) ([]Value, error) {
		out := make([]Value, len(items))
		for i, x := range items {
			y, err := mapLeaves(x, path+"["+strconv.Itoa(i)+"]", depth-1, f)
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
			if y, failed = mapLeaves(x, path+"["+Repr(k)+"]", depth-1, f); failed == nil {
				out.set(k, y)
			}
		})
		return out, failed
	}
	return f(path, v)
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
