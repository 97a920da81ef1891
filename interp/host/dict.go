package host

import (
	"math/bits"
	"slices"

	"github.com/newtlab/newt/compiler/python"
)

// A dict is laid out as CPython's: its entries in the order of insertion, and an open-addressed table of their places.

// indexFrom is the number of entries from which a dict has an index; fewer are looked at one by one.
const indexFrom = 8

// slotOf is where the search of an index of 1<<bits slots begins for a hash.
func slotOf(hash int64, bits int) int {
	return int(uint64(hash) * 0x9E3779B97F4A7C15 >> (64 - bits)) // Fibonacci hashing: Knuth, volume 3, 6.4
}

// find gives a key's place among the entries. An __eq__ of the program may change the dict meanwhile: each place is
// looked at anew.
func (d *Dict) find(key Value, hash int64) (i int, ok bool) {
	for p := d.search(hash); p.next(d); {
		if sameKey(d.entries[p.place].key, key) && p.place < len(d.entries) {
			return p.place, true
		}
	}
	return 0, false
}

// findName is find of a key that is a str.
func (d *Dict) findName(name string, hash int64) (i int, ok bool) {
	for p := d.search(hash); p.next(d); {
		key := d.entries[p.place].key
		if s, ok := key.(python.Str); ok && string(s) == name || !ok && sameKey(key, python.Str(name)) {
			return p.place, true
		}
	}
	return 0, false
}

// search goes through the entries that have a hash.
type search struct {
	hash  int64
	index []int32
	slot  int // in index, or of the entries where there is none
	place int // the entry that was found
}

func (d *Dict) search(hash int64) search {
	if d.index == nil {
		return search{hash: hash, slot: d.head}
	}
	return search{hash: hash, index: d.index, slot: slotOf(hash, d.bits)}
}

func (s *search) next(d *Dict) bool {
	for {
		if s.index == nil {
			s.place = s.slot
		} else {
			s.place = int(s.index[s.slot&(len(s.index)-1)]) - 1
		}
		s.slot++
		switch {
		case s.place < 0 || s.index == nil && s.place >= len(d.entries):
			return false
		case s.place < len(d.entries) && d.entries[s.place].hash == s.hash && d.entries[s.place].key != nil:
			return true
		}
	}
}

// get is the value of a key. A nil dict is empty: the attributes of a builtin class.
func (d *Dict) get(key Value) (Value, bool) {
	if d == nil {
		return nil, false
	}
	if i, ok := d.find(key, hashOf(key)); ok {
		return d.entries[i].value, true
	}
	return nil, false
}

func (d *Dict) set(key, v Value) { d.setHashed(key, hashOf(key), v) }

// setHashed is set of a key whose hash is known.
func (d *Dict) setHashed(key Value, hash int64, v Value) {
	if i, ok := d.find(key, hash); ok {
		d.entries[i].value = v
		return
	}
	if d.used++; d.used >= indexFrom && d.used > len(d.index)*2/3 {
		d.rebuild()
	}
	// Keys stay in the order of their first assignment, and keep their place when they are assigned again.
	if d.entries == nil {
		d.entries = make([]entry, 0, 4)
	}
	d.entries = append(d.entries, entry{key, v, hash})
	if d.index != nil {
		d.enter(len(d.entries) - 1)
	}
	d.live++
}

// enter puts an entry into the index.
func (d *Dict) enter(i int) {
	mask := len(d.index) - 1
	slot := slotOf(d.entries[i].hash, d.bits)
	for d.index[slot&mask] != 0 {
		slot++
	}
	d.index[slot&mask] = int32(i + 1)
}

// rebuild drops the places of removed keys and makes an index of at least twice as many slots as there are keys.
func (d *Dict) rebuild() {
	d.moved++
	d.entries = slices.DeleteFunc(d.entries, func(e entry) bool { return e.key == nil })
	n := len(d.entries)
	d.head = 0
	d.used, d.index = n+1, nil
	if n < indexFrom-1 {
		return
	}
	d.bits = bits.Len(uint(2 * n))
	d.index = make([]int32, 1<<d.bits)
	for i := range n {
		d.enter(i)
	}
}

func (d *Dict) remove(key Value) (Value, bool) {
	i, ok := d.find(key, hashOf(key))
	if !ok {
		return nil, false
	}
	v := d.entries[i].value
	// The index still leads to the place: a key that was removed is nil, or behind the last.
	d.entries[i] = entry{}
	d.live--
	d.moved++
	for d.head < len(d.entries) && d.entries[d.head].key == nil {
		d.head++
	}
	last := len(d.entries)
	for last > d.head && d.entries[last-1].key == nil {
		last--
	}
	d.entries = d.entries[:last]
	// Removed keys leave holes, so that the order of the others is kept; half holes are too many.
	if len(d.entries) > 16 && d.live < len(d.entries)/2 {
		d.rebuild()
	}
	return v, true
}

// replaceContents makes the entries those of another dict.
func (d *Dict) replaceContents(with *Dict) {
	kind, moved := d.kind, d.moved
	*d = *with
	d.kind, d.moved = kind, moved+1
}

// reference is a place of the text that names a variable or an attribute.
type reference struct {
	name  string
	key   Value // the name
	hash  int64
	place int // where the name was among the entries of the dict that was looked at last
	// class is that which was asked for the name last, when classes had changed so often, and found what it has.
	class   *Class
	changes int64
	found   Value
}

func newReference(name string) *reference {
	return &reference{name: name, key: python.Str(name), hash: hashText(name)}
}

// place finds a name, first where it was before: the objects of a class mostly have their attributes in one order.
func (d *Dict) place(r *reference) (int, bool) {
	if i := r.place; i < len(d.entries) && d.entries[i].hash == r.hash {
		// Comparing interfaces takes twice as long.
		if s, ok := d.entries[i].key.(python.Str); ok && string(s) == r.name {
			return i, true
		}
	}
	i, ok := d.findName(r.name, r.hash)
	r.place = i
	return i, ok
}

// load is the value of a name.
func (d *Dict) load(r *reference) (Value, bool) {
	if d == nil {
		return nil, false
	}
	if i, ok := d.place(r); ok {
		return d.entries[i].value, true
	}
	return nil, false
}

// store sets the value of a name.
func (d *Dict) store(r *reference, v Value) {
	if i, ok := d.place(r); ok {
		d.entries[i].value = v
		return
	}
	d.setHashed(r.key, r.hash, v)
}

// named is the value of a key that is a str, such as the name of a variable or an attribute.
func (d *Dict) named(name string) (Value, bool) { return d.namedHashed(name, hashText(name)) }

// namedHashed is named where the hash of the name is known.
func (d *Dict) namedHashed(name string, hash int64) (Value, bool) {
	if d == nil {
		return nil, false
	}
	if i, ok := d.findName(name, hash); ok {
		return d.entries[i].value, true
	}
	return nil, false
}

// at is named, nil where there is none.
func (d *Dict) at(name string) Value {
	v, _ := d.named(name)
	return v
}

// put sets the value of a name.
func (d *Dict) put(name string, v Value) { d.set(python.Str(name), v) }

// names lists the keys that are strs, in order.
func (d *Dict) names() []string {
	if d == nil {
		return nil
	}
	out := make([]string, 0, d.live)
	d.each(func(k, _ Value) {
		if s, ok := k.(python.Str); ok {
			out = append(out, string(s))
		}
	})
	return out
}

// namesOf is the dict of a Go map, in the order of the names.
func namesOf(m map[string]Value) *Dict {
	d := newDict()
	for _, name := range sortedNames(m) {
		d.put(name, m[name])
	}
	return d
}

// each visits the entries in order.
func (d *Dict) each(visit func(k, v Value)) {
	for i := d.head; i < len(d.entries); i++ { // visit may change the dict
		if e := d.entries[i]; e.key != nil {
			visit(e.key, e.value)
		}
	}
}

// eachOf is each of a dict that may be nil.
func (d *Dict) eachOf(visit func(k, v Value)) {
	if d != nil {
		d.each(visit)
	}
}

func (d *Dict) list(m *machine) []Value {
	out := make([]Value, 0, d.live)
	d.each(m.ticking(func(k, _ Value) { out = append(out, k) }))
	return out
}
