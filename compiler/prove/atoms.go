package prove

// An atom is an integer that polys are made of: an argument, a program's index, a lane's index along a dimension, the
// number of a loop's iteration, a quotient. An element of a tile is meant, the same in every poly of one access.
type atom struct {
	atomKey
	interval
	facts []poly // each at least 0, whatever the launch; may be about the atom itself
	// uniform atoms are the same in every program, iteration and lane.
	uniform bool
}

// atomKey is the definition of an atom: two atoms of one definition are one.
type atomKey struct {
	kind  kind
	n     int    // argument, axis, value or dimension
	x, y  string // keys of operands
	dims  string // of a tile's element: the dimension of the present shape that each dimension of the tile runs along
	other bool   // of the other program of a pair
	walk  int    // of the enclosing loop's body: what one walk took for granted, another may not
}

type atomID int

// kind is what an atom stands for; in proofs, those further down are eliminated first.
type kind uint8

const (
	argument  kind = iota
	gridSize       // programs along an axis
	program        // the program's index along an axis
	iteration      // of a loop, from 0
	trips          // iterations that a loop has made in the end
	lane           // the index along a dimension of a tile
	loaded         // whatever is not followed
	quotient
	remainder
	least
	greatest
)

// maxAtoms bounds the atoms of one analysis; beyond, polys are lost.
const maxAtoms = 8000

// atoms are those of one analysis.
type atoms struct {
	list  []atom
	index map[atomKey]atomID
	ops   [][2]poly // operands of quotients and such, by atom
	walk  int       // through the bodies of loops, counted
}

func (s *atoms) full() bool { return len(s.list) >= maxAtoms }

// intern finds or makes the atom of a definition; made reports whether it is new, so that its facts are missing.
func (s *atoms) intern(k atomKey, x, y poly) (a atomID, made bool) {
	k.x, k.y = x.key(), y.key()
	if a, ok := s.index[k]; ok {
		return a, false
	}
	a = atomID(len(s.list))
	s.index[k] = a
	s.list = append(s.list, atom{atomKey: k, interval: everything})
	s.ops = append(s.ops, [2]poly{x, y})
	return a, true
}

// plain makes or finds an atom without operands. facts are made of the atom itself.
func (s *atoms) plain(k atomKey, i interval, facts func(self poly) []poly) poly {
	if s.full() {
		return lost
	}
	a, made := s.intern(k, poly{}, poly{})
	self := atomPoly(a)
	if made {
		s.list[a].interval, s.list[a].uniform = i, k.kind == argument || k.kind == gridSize
		s.list[a].facts = append(ends(self, i), facts(self)...)
	}
	return self
}

// ends are the ends of an interval that x lies in, as what is at least 0.
func ends(x poly, i interval) (facts []poly) {
	if i.lo > -unbounded {
		facts = append(facts, x.addConst(-i.lo))
	}
	if i.hi < unbounded {
		facts = append(facts, constant(i.hi).sub(x))
	}
	return facts
}

// noFacts says of an atom no more than its interval.
func noFacts(poly) []poly { return nil }

// derived makes or finds an atom of two operands. facts are made of the atom itself.
func (s *atoms) derived(k kind, x, y poly, i interval, facts func(self poly) []poly) poly {
	if x.lost || y.lost || s.full() {
		return lost
	}
	a, made := s.intern(atomKey{kind: k}, x, y)
	self := atomPoly(a)
	if made {
		s.list[a].interval, s.list[a].uniform = i, s.isUniform(x) && s.isUniform(y)
		s.list[a].facts = append(ends(self, i), facts(self)...)
	}
	return self
}

func (s *atoms) isUniform(x poly) bool {
	return s.all(x, func(a *atom) bool { return a.uniform })
}

// all reports whether x is followed and each of its atoms is such.
func (s *atoms) all(x poly, such func(*atom) bool) bool {
	for _, t := range x.terms {
		for a := range t.m.atoms() {
			if !such(&s.list[a]) {
				return false
			}
		}
	}
	return !x.lost
}

// rangeOf is the interval of x, given those of its atoms.
func (s *atoms) rangeOf(x poly) interval {
	if x.lost {
		return everything
	}
	out := interval{}
	for _, t := range x.terms {
		part := interval{t.coef, t.coef}
		for a := range t.m.atoms() {
			part = part.mul(s.list[a].interval)
		}
		out = out.add(part)
	}
	return out
}

// renaming maps atoms to polys: those that leaf knows, and those that have such among their operands.
type renaming struct {
	*atoms
	leaf func(a atomID) (x poly, renamed bool)
	done map[atomID]poly
}

func (s *atoms) renaming(leaf func(atomID) (poly, bool)) *renaming {
	return &renaming{s, leaf, map[atomID]poly{}}
}

func (r *renaming) of(x poly) poly {
	if x.lost {
		return lost
	}
	out := poly{}
	for _, t := range x.terms {
		part := constant(t.coef)
		for a := range t.m.atoms() {
			part = part.mul(r.atom(a))
		}
		out = out.add(part)
	}
	return out
}

func (r *renaming) all(list []poly) []poly {
	out := make([]poly, len(list))
	for i, x := range list {
		out[i] = r.of(x)
	}
	return out
}

func (r *renaming) atom(a atomID) poly {
	if x, ok := r.done[a]; ok {
		return x
	}
	x, renamed := r.leaf(a)
	if !renamed {
		x = r.copied(a)
	}
	r.done[a] = x
	return x
}

// copied is an atom with its operands renamed.
func (r *renaming) copied(a atomID) poly {
	of, ops := r.list[a], r.ops[a]
	if len(ops[0].terms) == 0 && len(ops[1].terms) == 0 {
		return atomPoly(a)
	}
	x, y := r.of(ops[0]), r.of(ops[1])
	if x.lost || y.lost || r.full() {
		return lost
	}
	b, made := r.intern(atomKey{kind: of.kind}, x, y)
	r.done[a] = atomPoly(b) // facts are about the atom itself, too
	if made {
		r.list[b].interval, r.list[b].uniform = of.interval, r.isUniform(x) && r.isUniform(y)
		r.list[b].facts = r.all(of.facts)
	}
	return atomPoly(b)
}

// moved are the atoms of tiles in another shape: dimension d became to[d].
func (s *atoms) moved(to []int) *renaming {
	var r *renaming
	r = s.renaming(func(a atomID) (poly, bool) {
		of := s.list[a]
		switch {
		case of.kind == lane:
			k := of.atomKey
			k.n = to[k.n]
			return r.twin(a, k), true
		case of.kind == loaded && of.dims != "":
			k := of.atomKey
			dims := []byte(k.dims)
			for i, d := range dims {
				dims[i] = byte(to[d])
			}
			k.dims = string(dims)
			return r.twin(a, k), true
		}
		return poly{}, false
	})
	return r
}

// twin is the atom of another definition of which the same is known as of a.
func (r *renaming) twin(a atomID, k atomKey) poly {
	if r.full() {
		return lost
	}
	of := r.list[a]
	b, made := r.intern(k, r.ops[a][0], r.ops[a][1])
	r.done[a] = atomPoly(b)
	if made {
		r.list[b].interval, r.list[b].uniform = of.interval, of.uniform
		r.list[b].facts = r.all(of.facts)
	}
	return atomPoly(b)
}

// others maps the atoms of a program to those of another one.
func (s *atoms) others() *renaming {
	var r *renaming
	r = s.renaming(func(a atomID) (poly, bool) {
		of := s.list[a]
		switch {
		case of.uniform:
			return atomPoly(a), true
		case of.kind >= quotient:
			return poly{}, false
		}
		k := of.atomKey
		k.other = true
		return r.twin(a, k), true
	})
	return r
}
