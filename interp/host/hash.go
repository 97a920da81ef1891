package host

import (
	"encoding/binary"
	"math"
	"math/big"
	"reflect"

	"github.com/newtlab/newt/compiler/python"
)

// maxHashDepth is how deeply tuples may nest in a key.
const maxHashDepth = 100

// hashModulus is sys.hash_info.modulus on 64-bit machines: numbers hash by their value modulo it.
const hashModulus = 1<<61 - 1

// hashOf is hash(v): equal values have equal hashes. Numbers and tuples have those of CPython, texts the same in each
// run, other objects that of their identity. A list and its like have none: TypeError.
func hashOf(v Value) int64 {
	if s, ok := v.(python.Str); ok { // most keys are names
		return hashText(string(s))
	}
	return hashAt(v, 0)
}

func hashAt(v Value, depth int) int64 {
	if depth > maxHashDepth {
		raise("RecursionError", "maximum recursion depth exceeded while hashing a tuple")
	}
	if f := typeOf(v).slots().hash; f != nil {
		return f(v, depth)
	}
	raise("TypeError", "unhashable type: '%s'", v.Type())
	return 0
}

// hashIdentity is the hash of an object that is equal to itself alone, or to those that print as it does.
func hashIdentity(v Value, _ int) int64 { return identity(v) >> 4 }

// reserveHash keeps -1, which means an error in C, from being a hash.
func reserveHash(h int64) int64 {
	if h == -1 {
		return -2
	}
	return h
}

func hashInt(i python.Int) int64 {
	n, ok := i.Int64()
	if !ok {
		n = new(big.Int).Rem(i.Big(), big.NewInt(hashModulus)).Int64() // with the sign of i
	}
	return reserveHash(n % hashModulus)
}

// hashFloat is _Py_HashDouble: the value modulo hashModulus, as that of an equal int.
func hashFloat(f float64) int64 {
	switch {
	case math.IsInf(f, 0):
		return int64(math.Copysign(314159, f))
	case f != f:
		return int64(math.Float64bits(f) >> 4)
	}
	fraction, exponent := math.Frexp(math.Abs(f))
	whole := uint64(fraction * (1 << 53)) // exact
	// 2**61 is 1 modulo 2**61 - 1: a shift is a rotation of 61 bits.
	by := uint((exponent-53)%61+61) % 61
	h := int64(whole<<by&hashModulus | whole>>(61-by))
	if f < 0 {
		h = -h
	}
	return reserveHash(h)
}

// hashText mixes eight bytes at a time, as FNV-1a does one.
func hashText(s string) int64 {
	const prime = 0x9E3779B97F4A7C15 // 2**64 over the golden ratio
	h := uint64(len(s)) + 14695981039346656037
	for ; len(s) >= 8; s = s[8:] {
		h = (h ^ binary.LittleEndian.Uint64([]byte(s[:8]))) * prime
		h ^= h >> 32
	}
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * prime
		h ^= h >> 32
	}
	return int64(h >> 2)
}

// hashTuple is tuplehash in tupleobject.c: xxHash of the items' hashes.
func hashTuple(items []Value, depth int) int64 {
	const prime1, prime2, prime5 = 11400714785074694791, 14029467366897019727, 2870177450012600261
	h := uint64(prime5)
	for _, v := range items {
		h += uint64(hashAt(v, depth+1)) * prime2
		h = (h<<31 | h>>33) * prime1
	}
	h += uint64(len(items)) ^ (prime5 ^ 3527539)
	if h == math.MaxUint64 {
		return 1546275796
	}
	return int64(h)
}

// hashSet is frozenset_hash in setobject.c, for which the order of the items does not count.
func hashSet(s *Set, depth int) int64 {
	h := uint64(0)
	s.each(nil, func(k Value) {
		x := uint64(hashAt(k, depth+1))
		h ^= (x ^ 89869747 ^ x<<16) * 3644798167
	})
	h ^= (uint64(s.live) + 1) * 1927868237
	h ^= h>>11 ^ h>>25
	return reserveHash(int64(h*69069 + 907133923))
}

// specialHash is the hash of an object whose class has a __hash__, that of its builtin class where Go has made it.
func specialHash(v Value, depth int) int64 {
	c := typeOf(v)
	f, _ := c.find("__hash__")
	if fn, ok := f.(*Function); ok { // which knows its machine: hashing is asked for by Go code that knows none
		h, ok := python.AsInt(plain(fn.frame.m.callWith(fn, v)))
		if !ok {
			raise("TypeError", "__hash__ method should return an integer")
		}
		if n, small := h.Int64(); small {
			return reserveHash(n)
		}
		return hashInt(h)
	}
	base := c.layout().record.hash
	if f == none || base == nil {
		raise("TypeError", "unhashable type: '%s'", v.Type())
	}
	return base(v, depth)
}

// identity is id(v): the address of an object, or a number that equal values share.
func identity(v Value) int64 {
	switch x := reflect.ValueOf(v); x.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Func, reflect.Map:
		return int64(x.Pointer())
	case reflect.Struct:
		if x.NumField() > 0 && x.Field(0).Kind() == reflect.Pointer { // a Tensor, a generator
			return int64(x.Field(0).Pointer())
		}
	}
	return hashText(v.Type() + ":" + Repr(v))
}

// sameKey reports whether two hashable values are one key: they are the same object, or equal.
func sameKey(a, b Value) bool {
	if s, ok := a.(python.Str); ok {
		if t, ok := b.(python.Str); ok {
			return s == t
		}
	}
	if identical(a, b) {
		return true
	}
	for _, v := range []Value{a, b} {
		if eq, _ := typeOf(v).findOwn("__eq__"); is[*Function](eq) { // which knows its machine
			return eq.(*Function).frame.m.equalValues(a, b)
		}
	}
	a, b = plain(a), plain(b)
	switch a.(type) {
	case Tensor: // equal to itself alone
		return false
	case Tuple, Size, *Named:
		xs, _ := sequenceItems(a)
		ys, ok := sequenceItems(b)
		return ok && !is[*List](b) && sameKeys(xs, ys)
	}
	// The other comparisons of hashable builtin types need no machine.
	for _, pair := range [][2]Value{{a, b}, {b, a}} {
		if f := typeOf(pair[0]).slots().compare; f != nil && !is[Tensor](pair[1]) && !is[*Instance](pair[0]) {
			if v := f(nil, "==", pair[0], pair[1]); v != notImplemented {
				return v == python.Bool(true)
			}
		}
	}
	return identical(a, b)
}

func sameKeys(xs, ys []Value) bool {
	if len(xs) != len(ys) {
		return false
	}
	for i := range xs {
		if !sameKey(xs[i], ys[i]) {
			return false
		}
	}
	return true
}
