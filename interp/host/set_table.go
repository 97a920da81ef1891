package host

// A set is laid out as CPython's (setobject.c): an open-addressed table, which is walked as it is. So the ints of a set
// come in CPython's order. That of texts differs from run to run there.

// Set is a set or a frozenset.
type Set struct {
	table  []setEntry // 1<<n places; nil of a set that nothing was added to
	live   int        // how many keys there are
	fill   int        // how many places are or were in use
	finger int        // where pop looks first
	frozen bool
}

// setEntry is a place: a nil key with hash 0 where there never was one, with removedHash where one was removed.
type setEntry struct {
	key  Value
	hash int64
}

const (
	minSetPlaces = 8  // PySet_MINSIZE
	linearProbes = 9  // LINEAR_PROBES
	perturbShift = 5  // PERTURB_SHIFT
	removedHash  = -1 // which no key has
)

func newSet() *Set { return &Set{} }

// mask is what CPython's set has for one, which begins with a small table.
func (s *Set) mask() int { return max(len(s.table), minSetPlaces) - 1 }

// probe visits the places at which a hash may be, until visit is true.
func probe(hash int64, mask int, visit func(i int) bool) {
	perturb := uint64(hash)
	for i := int(hash) & mask; ; {
		last := i
		if i+linearProbes <= mask {
			last = i + linearProbes
		}
		for j := i; j <= last; j++ {
			if visit(j) {
				return
			}
		}
		perturb >>= perturbShift
		i = int(uint64(i)*5+1+perturb) & mask
	}
}

// find gives the place of a key, or where it belongs: where one was removed, or a free place. An __eq__ of the program
// may change the set, and the search begins anew.
func (s *Set) find(key Value, hash int64) (place int, ok bool) {
	if s.table == nil {
		s.table = make([]setEntry, minSetPlaces)
	}
	for done := false; !done; {
		table, removed := s.table, -1
		probe(hash, len(table)-1, func(i int) bool {
			switch e := table[i]; {
			case e.key == nil && e.hash == 0:
				place, ok, done = i, false, true
				if removed >= 0 {
					place = removed
				}
			case e.key == nil:
				removed = i
			case e.hash == hash && sameKey(e.key, key):
				place, ok, done = i, true, true
			}
			moved := &s.table[0] != &table[0]
			done = done && !moved
			return done || moved
		})
	}
	return place, ok
}

// get reports whether a key is in the set.
func (s *Set) get(key Value) bool {
	hash := hashOf(key)
	if s.live == 0 {
		return false
	}
	_, ok := s.find(key, hash)
	return ok
}

func (s *Set) add(key Value) { s.addHashed(key, hashOf(key)) }

func (s *Set) addHashed(key Value, hash int64) {
	i, ok := s.find(key, hash)
	if ok {
		return
	}
	reused := s.table[i].hash == removedHash
	s.table[i] = setEntry{key, hash}
	if s.live++; reused {
		return
	}
	if s.fill++; s.fill*5 >= s.mask()*3 {
		s.resizeFor(s.live)
	}
}

// resizeFor makes room for a set of n keys that grows.
func (s *Set) resizeFor(n int) {
	if n <= 50000 {
		n *= 2
	}
	s.resize(2 * n)
}

// resize makes the table larger than n and drops what was removed.
func (s *Set) resize(n int) {
	size := minSetPlaces
	for size <= n {
		size <<= 1
	}
	old := s.table
	s.table, s.fill = make([]setEntry, size), s.live
	for _, e := range old {
		if e.key != nil {
			s.place(e)
		}
	}
}

// place puts an entry that is not in a table without removed keys into it.
func (s *Set) place(e setEntry) {
	probe(e.hash, len(s.table)-1, func(i int) bool {
		if s.table[i].key != nil {
			return false
		}
		s.table[i] = e
		return true
	})
}

// remove reports whether the key was there.
func (s *Set) remove(key Value) bool {
	i, ok := s.find(key, hashOf(key))
	if ok && s.table[i].key != nil {
		s.table[i] = setEntry{hash: removedHash}
		s.live--
	}
	return ok
}

// pop removes a key of a set that has some.
func (s *Set) pop() Value {
	i := s.finger & s.mask()
	for s.table[i].key == nil {
		i = (i + 1) & s.mask()
	}
	key := s.table[i].key
	s.table[i] = setEntry{hash: removedHash}
	s.live--
	s.finger = i + 1
	return key
}

// addAll adds the keys of another set (set_merge).
func (s *Set) addAll(m *machine, other *Set) {
	if other == s || other.live == 0 {
		return
	}
	if (s.fill+other.live)*5 >= s.mask()*3 {
		s.resize(2 * (s.live + other.live))
	}
	switch {
	case s.fill > 0:
		other.each(m, s.add)
		return
	case s.mask() == other.mask() && other.fill == other.live:
		s.table = append([]setEntry(nil), other.table...)
	default:
		if s.table == nil {
			s.table = make([]setEntry, minSetPlaces)
		}
		for _, e := range other.table {
			m.tick()
			if e.key != nil {
				s.place(e)
			}
		}
	}
	s.fill, s.live = other.live, other.live
}

// dropRemoved makes the table anew where more than a quarter of its places were removed.
func (s *Set) dropRemoved() {
	if s.fill-s.live > s.mask()/4 {
		s.resizeFor(s.live)
	}
}

// copied is a set with the same keys.
func (s *Set) copied(m *machine) *Set {
	out := &Set{frozen: s.frozen}
	out.addAll(m, s)
	return out
}

// each visits the keys in the order of the table, which visit may change.
func (s *Set) each(m *machine, visit func(key Value)) {
	for i := 0; i < len(s.table); i++ {
		m.tick()
		if key := s.table[i].key; key != nil {
			visit(key)
		}
	}
}

func (s *Set) list(m *machine) []Value {
	out := make([]Value, 0, s.live)
	s.each(m, func(key Value) { out = append(out, key) })
	return out
}

// walk gives the keys one by one. Growing or shrinking meanwhile is an error, as in Python.
func (s *Set) walk() func() (Value, bool) {
	n, i := s.live, 0
	return func() (Value, bool) {
		if s.live != n {
			n = -1 // it stays broken
			raise("RuntimeError", "Set changed size during iteration")
		}
		for ; i < len(s.table); i++ {
			if key := s.table[i].key; key != nil {
				i++
				return key, true
			}
		}
		return nil, false
	}
}
