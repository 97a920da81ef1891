package host

import "github.com/newtlab/newt/compiler/python"

// probe is the place in a dict's index of the n-th key more whose hash is the same.
type probe struct {
	hash any
	n    int
}

// probeAfter is where the next key with the hash of a place may be.
func probeAfter(place any) any {
	if p, ok := place.(probe); ok {
		return probe{p.hash, p.n + 1}
	}
	return probe{place, 1}
}

// removedKey stands in an index for a key that was removed and has others behind it.
const removedKey = -1

// find gives a key's place in the index and among the keys; without the key, the place in the index where it would be.
func (d *Dict) find(key Value) (place any, i int, own *machine, ok bool) {
	place, own = hashOf(key)
	asked := own
	if asked == nil {
		asked = d.own
	}
	i, ok = d.index[place]
	if asked == nil { // equal hashes mean equal keys
		return place, i, nil, ok
	}
	for ok {
		// __eq__ may change the dict.
		if i != removedKey && i < len(d.keys) && d.keys[i] != nil {
			same := identical(d.keys[i], key) || asked.equalValues(d.keys[i], key)
			if same && i < len(d.keys) {
				return place, i, own, true
			}
		}
		place = probeAfter(place)
		i, ok = d.index[place]
	}
	return place, 0, own, false
}

// get is the value of a key. A nil dict is empty: the attributes of a builtin class.
func (d *Dict) get(key Value) (Value, bool) {
	if d == nil {
		return nil, false
	}
	if _, i, _, ok := d.find(key); ok {
		return d.items[i], true
	}
	return nil, false
}

func (d *Dict) set(key, v Value) {
	place, i, own, ok := d.find(key)
	if ok {
		d.items[i] = v
		return
	}
	if own != nil {
		d.own = own
	}
	// Keys stay in the order of their first assignment, and keep their place when they are assigned again.
	d.index[place] = len(d.keys)
	d.keys, d.items = append(d.keys, key), append(d.items, v)
	d.live++
}

func (d *Dict) remove(key Value) (Value, bool) {
	place, i, _, ok := d.find(key)
	if !ok {
		return nil, false
	}
	v := d.items[i]
	delete(d.index, place)
	if d.own != nil {
		if _, more := d.index[probeAfter(place)]; more {
			d.index[place] = removedKey
		}
	}
	d.keys[i], d.items[i] = nil, nil
	d.live--
	for d.head < len(d.keys) && d.keys[d.head] == nil {
		d.head++
	}
	last := len(d.keys)
	for last > d.head && d.keys[last-1] == nil {
		last--
	}
	d.keys, d.items = d.keys[:last], d.items[:last]
	// Removed keys leave holes, so that the order of the others is kept; half holes are too many.
	if len(d.keys) > 16 && d.live < len(d.keys)/2 {
		d.compact()
	}
	return v, true
}

// compact drops the places of removed keys.
func (d *Dict) compact() {
	keys, items, places := make([]Value, 0, d.live), make([]Value, 0, d.live), make([]int, len(d.keys))
	for i, k := range d.keys {
		if places[i] = len(keys); k != nil {
			keys, items = append(keys, k), append(items, d.items[i])
		}
	}
	for place, i := range d.index {
		if i != removedKey {
			d.index[place] = places[i]
		}
	}
	d.keys, d.items, d.head = keys, items, 0
}

// replaceContents makes the entries those of another dict.
func (d *Dict) replaceContents(with *Dict) {
	kind := d.kind
	*d = *with
	d.kind = kind
}

// named is the value of a key that is a str, such as the name of a variable or an attribute.
func (d *Dict) named(name string) (Value, bool) { return d.get(python.Str(name)) }

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
	for i := d.head; i < len(d.keys); i++ { // visit may change the dict
		if k := d.keys[i]; k != nil {
			visit(k, d.items[i])
		}
	}
}

// eachOf is each of a dict that may be nil.
func (d *Dict) eachOf(visit func(k, v Value)) {
	if d != nil {
		d.each(visit)
	}
}

func (d *Dict) list() []Value {
	out := make([]Value, 0, d.live)
	d.each(func(k, _ Value) { out = append(out, k) })
	return out
}
