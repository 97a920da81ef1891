package host

import (
	"cmp"
	"hash/maphash"
	"math"
	"slices"

	"github.com/newtlab/newt/compiler/python"
)

// maxHashDepth is how deeply tuples may nest in a key.
const maxHashDepth = 100

// hashOf is a Go value that is equal for equal Python values, and only for these unless own is set: then the classes of
// some of the values have a __hash__ of their own, whose machine it is, and their __eq__ decides.
func hashOf(v Value) (key any, own *machine) {
	// Most keys are names.
	if s, ok := v.(python.Str); ok {
		return s, nil
	}
	var h hasher
	key = h.key(v, 0)
	return key, h.own
}

// hasher is one call of hashOf.
type hasher struct{ own *machine }

// The hashes of tuples and frozensets hold those of their items, which Go compares.
type (
	tupleKey struct{ first, rest any }
	setKey   struct{ items any }
	nanKey   uint64
)

func (h *hasher) key(v Value, depth int) any {
	if depth > maxHashDepth {
		raise("RecursionError", "maximum recursion depth exceeded while hashing a tuple")
	}
	switch v := v.(type) {
	case python.Bool, python.Int:
		// True, 1 and 1.0 are one key.
		i, _ := python.AsInt(v)
		if n, ok := i.Int64(); ok {
			return n
		}
		return i.String()
	case python.Float:
		if whole, err := v.Whole(); err == nil && float64(v) == math.Trunc(float64(v)) {
			return h.key(whole, depth)
		}
		if v != v { // which Go's maps never find
			return nanKey(math.Float64bits(float64(v)))
		}
		return float64(v)
	case python.Str:
		return v
	case python.None, DType, TritonDType, Ellipsis, Range, Text:
		return v
	case Tuple:
		return chained(h.keys(v, depth))
	case Size:
		return h.key(v.tuple(), depth)
	case *Named:
		return h.key(v.Items, depth)
	case Complex:
		// 2+0j, 2.0 and 2 are one key.
		if imag(v) == 0 {
			return h.key(python.Float(real(v)), depth)
		}
		return v
	case *Class: // which hashes by identity, whatever its metaclass says
		return v
	case *Instance:
		return h.instance(v, depth)
	case constexpr:
		return h.key(v.value, depth)
	case *Set:
		if v.frozen {
			keys := h.keys(v.list(), depth)
			// The order of insertion does not count.
			slices.SortFunc(keys, func(x, y any) int {
				return cmp.Compare(maphash.Comparable(hashSeed, x), maphash.Comparable(hashSeed, y))
			})
			return setKey{chained(keys)}
		}
		raise("TypeError", "unhashable type: 'set'")
	case *List, *Dict, Slice, *ByteArray, *dictView:
		raise("TypeError", "unhashable type: '%s'", v.Type())
	}
	return v
}

var hashSeed = maphash.MakeSeed()

func (h *hasher) keys(list []Value, depth int) []any {
	keys := make([]any, len(list))
	for i, v := range list {
		keys[i] = h.key(v, depth+1)
	}
	return keys
}

// chained is one Go value for a list of them: a slice cannot be the key of a map.
func chained(keys []any) (chain any) {
	chain = tupleKey{}
	for _, k := range slices.Backward(keys) {
		chain = tupleKey{k, chain}
	}
	return chain
}

// instance is the hash of an object: what its class's own __hash__ gives, what it holds, its fields, or itself.
func (h *hasher) instance(o *Instance, depth int) any {
	own, found := o.class.findOwn("__hash__")
	if fn, ok := own.(*Function); ok {
		h.own = fn.frame.m // hashing is asked for by Go code that knows no machine
		return h.key(h.own.callWith(fn, o), depth)
	}
	if x, ok := heldOf(o); ok {
		if sameObject(x) && !frozen(x) {
			raise("TypeError", "unhashable type: '%s'", o.Type())
		}
		return h.key(x, depth)
	}
	if o.class.fields != nil {
		return h.data(o, depth)
	}
	// A class with __eq__ and without __hash__ has unhashable objects.
	if eq, _ := o.class.find("__eq__"); is[*Function](eq) && (!found || own == none) {
		raise("TypeError", "unhashable type: '%s'", o.Type())
	}
	return o
}

// data is the hash of a frozen dataclass's object: that of the fields that are compared.
func (h *hasher) data(o *Instance, depth int) any {
	if found, ok := o.class.find("__hash__"); !ok || found == none {
		if ok {
			raise("TypeError", "unhashable type: '%s'", o.Type())
		}
		return o
	}
	key := Tuple{o.class}
	for _, f := range o.class.fields {
		if v := o.own(f.name); f.compare && v != nil {
			key = append(key, v)
		}
	}
	return h.key(key, depth+1)
}

// frozen reports whether a value is a frozenset.
func frozen(v Value) bool { s, ok := v.(*Set); return ok && s.frozen }

// keyText is a text of a hash, the same in each run.
func keyText(k any) string {
	switch k := k.(type) {
	// The prefix keeps keys of different types apart: 1 and "1".
	case Value:
		return k.Type() + ":" + Repr(k)
	case tupleKey:
		if k.rest == nil {
			return ")"
		}
		return keyText(k.first) + "," + keyText(k.rest)
	case setKey:
		return "{" + keyText(k.items) + "}"
	case int64:
		return "n" + Repr(python.NewInt(k))
	case float64:
		return "f" + Repr(python.Float(k))
	case string:
		return "i" + k
	}
	return "?"
}
