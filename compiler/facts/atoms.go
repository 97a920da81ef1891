package facts

import (
	"iter"
	"math/bits"
	"slices"

	"github.com/newtlab/newt/compiler/ir"
)

// Atom is an integer that sums are made of, by its number among Atoms: an argument, a program's index, a lane's index
// along a dimension, the number of a loop's iteration, a quotient, a product of others. An element of a tile is meant,
// the same in every sum of one shape.
type Atom int32

// One is the product of no atoms.
const One Atom = 0

// Kind is what an atom stands for. In proofs, those further down are eliminated first.
type Kind uint8

// The kinds of atoms.
const (
	Argument  Kind = iota
	GridSize       // programs along an axis
	Program        // the program's index along an axis
	Iteration      // of a loop, from 0
	Trips          // iterations that a loop has made in the end
	Lane           // the index along a dimension of a tile
	Opaque         // whatever is not followed
	Wrapped        // a sum, brought into the range of a dtype
	Quotient       // rounded down
	Remainder
	Least
	Greatest
	product
)

// Key defines an atom: two atoms of one definition are one.
type Key struct {
	Kind  Kind
	Other bool  // of the other program of a pair
	N     int32 // argument, axis, loop, dimension, dtype, or the first atom that an Opaque one is an element of
	Size  int64 // of a lane's dimension
	View  View  // of an Opaque atom
}

// View packs, four bits each, the dimensions of the present shape that the dimensions of an Opaque atom's tile run
// along, counted from 1; those of size 1 are left out.
type View uint64

// MaxRank is how many dimensions are told apart.
const MaxRank = 15

// viewOf is the view of a tile's own shape.
func viewOf(v *ir.Value) (w View) {
	at := 0
	for d, n := range v.Type.Shape {
		if n > 1 {
			w |= View(d+1) << at
			at += 4
		}
	}
	return w
}

// moved is w after dimension d became to[d].
func (w View) moved(to []int) (out View) {
	for at := 0; w>>at != 0; at += 4 {
		out |= View(to[w>>at&15-1]+1) << at
	}
	return out
}

// atom is what is known of an atom.
type atom struct {
	Key
	Interval
	dims    uint16    // dimensions of the present shape along which it differs
	uniform bool      // it is the same in every program, iteration and lane
	asked   bool      // for facts
	next    Atom      // in its bucket, One at the end
	more    int32     // its number among details
	value   *ir.Value // that an Opaque atom is an element of; nil of others
}

// details are what few atoms have.
type details struct {
	of      [2]Sum // operands
	factors []Atom // of a product, in ascending order
	facts   []Sum  // each at least 0; may be about the atom itself
}

// maxAtoms bounds the atoms of one walk, beside two for each value; maxDegree bounds the factors of a product. What is
// beyond is lost.
const maxAtoms, maxDegree = 8000, 6

// Atoms are those of one walk.
type Atoms struct {
	list    []atom
	details []details
	buckets []Atom // by hash, a power of two of them
	values  int    // of the function
	slab    []Term
	sums    []Sum     // room for lists
	renamed []renamed // by atom, for the renaming of that number
	names   uint32    // renamings, counted
}

func (t *Atoms) reset() {
	t.list = append(t.list[:0], atom{Interval: Interval{1, 1}, uniform: true})
	t.details = append(t.details[:0], details{})
	t.slab, t.sums = t.slab[:0], t.sums[:0]
	if t.buckets == nil {
		t.buckets = make([]Atom, 256<<bits.Len(uint(t.values)/256))
	}
	clear(t.buckets)
}

// of is what only few atoms have.
func (t *Atoms) of(a Atom) *details { return &t.details[t.list[a].more] }

// ownDetails makes room for what only few atoms have.
func (t *Atoms) ownDetails(a Atom) *details {
	if t.list[a].more == 0 {
		t.list[a].more = int32(len(t.details))
		t.details = append(t.details, details{})
	}
	return t.of(a)
}

func (t *Atoms) full() bool { return len(t.list) >= maxAtoms+2*t.values }

// terms makes room for n terms.
func (t *Atoms) terms(n int) []Term {
	if cap(t.slab)-len(t.slab) < n {
		t.slab = make([]Term, 0, max(256, n, 2*cap(t.slab))) // enough for the next walk
	}
	at := len(t.slab)
	t.slab = t.slab[:at+n]
	return t.slab[at : at : at+n]
}

// one is a list of one sum.
func (t *Atoms) one(x Sum) []Sum {
	if len(t.sums) == cap(t.sums) {
		t.sums = make([]Sum, 0, max(64, 2*cap(t.sums)))
	}
	t.sums = append(t.sums, x)
	n := len(t.sums)
	return t.sums[n-1 : n : n]
}

// Combine is x·k + y·m.
func (t *Atoms) Combine(x Sum, k int64, y Sum, m int64) Sum {
	return combine(t.terms(len(x.Terms)+len(y.Terms)), x, k, y, m)
}

// Scale is k·x.
func (t *Atoms) Scale(x Sum, k int64) Sum { return t.Combine(x, k, Sum{}, 0) }

// Sum is one atom as a sum.
func (t *Atoms) Sum(a Atom) Sum {
	if a < 0 {
		return Unknown
	}
	return Sum{Terms: append(t.terms(1), Term{a, 1})}
}

// Unit is one term as a sum.
func (t *Atoms) Unit(u Term) Sum {
	if u.Atom == One {
		return Constant(u.Coef)
	}
	return Sum{Terms: append(t.terms(1), u)}
}

// KeyOf is the definition of an atom.
func (t *Atoms) KeyOf(a Atom) Key { return t.list[a].Key }

// OperandsOf are the two sums that a quotient, a remainder, a minimum or a maximum is of.
func (t *Atoms) OperandsOf(a Atom) []Sum { return t.of(a).of[:] }

// Kind is what a stands for.
func (t *Atoms) Kind(a Atom) Kind { return t.list[a].Kind }

// IntervalOf is what a lies in.
func (t *Atoms) IntervalOf(a Atom) Interval { return t.list[a].Interval }

// Uniform reports whether a is the same in every program, iteration and lane.
func (t *Atoms) Uniform(a Atom) bool { return t.list[a].uniform }

// Differs are the dimensions of the present shape, as a set of bits, along which a differs.
func (t *Atoms) Differs(a Atom) uint16 { return t.list[a].dims }

// bucket is where atoms of a definition are, by its hash.
func (t *Atoms) bucket(k Key, of *[2]Sum, factors []Atom) *Atom {
	h := uint64(k.Kind)<<32 ^ uint64(k.N)<<3 ^ uint64(k.Size) ^ uint64(k.View)<<7
	mix := func(v uint64) { h = (h ^ v) * 0x9E3779B97F4A7C15 }
	for i := range of {
		for _, x := range of[i].Terms {
			mix(uint64(x.Atom)<<32 ^ uint64(x.Coef))
		}
		mix(uint64(of[i].C))
	}
	for _, a := range factors {
		mix(uint64(a))
	}
	mix(0)
	return &t.buckets[h>>32&uint64(len(t.buckets)-1)]
}

// find is the atom of a definition, One where there is none.
func (t *Atoms) find(k Key, of *[2]Sum, factors []Atom) (a Atom, bucket *Atom) {
	bucket = t.bucket(k, of, factors)
	for a = *bucket; a != One; a = t.list[a].next {
		if t.list[a].Key != k {
			continue
		}
		if x := t.of(a); k.Kind < Wrapped || of[0].Equal(x.of[0]) && of[1].Equal(x.of[1]) &&
			slices.Equal(factors, x.factors) {
			break
		}
	}
	return a, bucket
}

// intern finds or makes the atom of a definition; made reports whether it is new, so that its interval is missing. It
// is negative where there are too many.
func (t *Atoms) intern(k Key, of [2]Sum, factors []Atom) (a Atom, made bool) {
	a, bucket := t.find(k, &of, factors)
	if a != One {
		return a, false
	}
	if t.full() {
		return -1, false
	}
	a = Atom(len(t.list))
	t.list = append(t.list, atom{Key: k, next: *bucket, uniform: k.Kind <= GridSize})
	*bucket = a
	if len(factors) > 0 || k.Kind >= Iteration && k.Kind != Opaque && k.Kind != Lane {
		d := t.ownDetails(a)
		d.of, d.factors = of, factors
	}
	x := &t.list[a]
	switch {
	case k.Kind == Lane:
		x.dims = 1 << k.N
	case k.Kind == Opaque:
		x.dims = k.View.dims()
	case k.Kind >= Wrapped:
		x.uniform = true
		for b := range t.parts(a) {
			x.uniform = x.uniform && t.list[b].uniform
			x.dims |= t.list[b].dims
		}
	}
	return a, true
}

func (w View) dims() (dims uint16) {
	for ; w != 0; w >>= 4 {
		dims |= 1 << (w&15 - 1)
	}
	return dims
}

// parts are the atoms that a is made of directly.
func (t *Atoms) parts(a Atom) iter.Seq[Atom] {
	x := t.of(a)
	return func(yield func(Atom) bool) {
		for _, b := range x.factors {
			if !yield(b) {
				return
			}
		}
		for i := range x.of {
			for _, u := range x.of[i].Terms {
				if !yield(u.Atom) {
					return
				}
			}
		}
	}
}

// Plain makes or finds an atom without operands.
func (t *Atoms) Plain(k Key, i Interval) (a Atom, made bool) {
	if a, made = t.intern(k, [2]Sum{}, nil); made {
		t.list[a].Interval = i
	}
	return a, made
}

// know adds facts about an atom.
func (t *Atoms) know(a Atom, facts ...Sum) {
	if a >= 0 && len(facts) > 0 {
		d := t.ownDetails(a)
		d.facts = append(d.facts, facts...)
	}
}

// fresh is an atom of v's own in an interval.
func (t *Atoms) fresh(v *ir.Value, i Interval) Atom {
	if len(v.Type.Shape) > MaxRank || t.full() {
		return -1
	}
	a := Atom(len(t.list))
	k := Key{Kind: Opaque, N: int32(a), View: viewOf(v)}
	bucket := t.bucket(k, &[2]Sum{}, nil)
	t.list = append(t.list, atom{Key: k, Interval: i, next: *bucket, dims: k.View.dims(), value: v})
	*bucket = a
	return a
}

// derived makes or finds an atom of two operands.
func (t *Atoms) derived(k Key, x, y Sum, i Interval) Atom {
	if x.Lost || y.Lost {
		return -1
	}
	a, made := t.intern(k, [2]Sum{x, y}, nil)
	if made {
		t.list[a].Interval = i
	}
	return a
}

// Facts are what is known of an atom beyond its interval: sums that are at least 0, whatever the launch.
func (t *Atoms) Facts(a Atom) []Sum {
	if x := &t.list[a]; !x.asked {
		x.asked = true
		if of := t.of(a).of; x.more != 0 {
			t.know(a, t.define(x.Kind, t.Sum(a), of[0], of[1])...)
		}
	}
	return t.of(a).facts
}

// define says what atoms of two operands are. Those of iterations are how far a loop goes, and its step.
func (t *Atoms) define(k Kind, self, x, y Sum) []Sum {
	switch k {
	case Iteration:
		return []Sum{t.Combine(x, 1, t.Mul(y, self), -1).AddConst(-1)}
	case Trips:
		return []Sum{t.Combine(t.Mul(y, self), 1, x, -1)}
	case Quotient:
		return t.floor(self, x, y)
	case Remainder:
		left := t.Combine(x, 1, self, -1)
		if _, number := y.Value(); !number {
			return []Sum{t.Combine(y, 1, self, -1).AddConst(-1), left}
		}
		if q, _ := t.find(Key{Kind: Quotient}, &[2]Sum{x, y}, nil); q != One {
			same := t.Combine(left, 1, t.Mul(y, t.Sum(q)), -1)
			return []Sum{same, t.Scale(same, -1)}
		}
		return t.one(left)
	case Least:
		return []Sum{t.Combine(x, 1, self, -1), t.Combine(y, 1, self, -1)}
	case Greatest:
		return []Sum{t.Combine(self, 1, x, -1), t.Combine(self, 1, y, -1)}
	}
	return nil
}

// floor says that q is x/d, rounded down: d·q ≤ x < d·q + d.
func (t *Atoms) floor(q, x, d Sum) []Sum {
	rest := t.Combine(x, 1, t.Mul(d, q), -1)
	return []Sum{rest, t.Combine(d, 1, rest, -1).AddConst(-1)}
}

// RangeOf is the interval of x, given those of its atoms.
func (t *Atoms) RangeOf(x Sum) Interval {
	if x.Lost {
		return Everything
	}
	out := Exactly(x.C)
	for _, u := range x.Terms {
		out = out.Plus(t.list[u.Atom].by(u.Coef))
	}
	return out
}

// Factors are the atoms, none of them a product, whose product a is.
func (t *Atoms) Factors(a Atom) []Atom {
	switch x := &t.list[a]; {
	case a == One:
		return nil
	case x.Kind == product:
		return t.of(a).factors
	}
	return []Atom{a}
}

// In are the factors of all terms of x.
func (t *Atoms) In(x Sum) iter.Seq[Atom] {
	return func(yield func(Atom) bool) {
		for _, u := range x.Terms {
			if t.list[u.Atom].Kind != product {
				if !yield(u.Atom) {
					return
				}
				continue
			}
			for _, a := range t.of(u.Atom).factors {
				if !yield(a) {
					return
				}
			}
		}
	}
}

// Has reports whether a is a factor of some term of x.
func (t *Atoms) Has(x Sum, a Atom) bool {
	for b := range t.In(x) {
		if a == b {
			return true
		}
	}
	return false
}

// Product is the atom of a product of atoms that are none; negative where there are too many.
func (t *Atoms) Product(factors []Atom) Atom {
	switch {
	case len(factors) == 0:
		return One
	case len(factors) == 1:
		return factors[0]
	case len(factors) > maxDegree:
		return -1
	}
	slices.Sort(factors)
	a, made := t.intern(Key{Kind: product}, [2]Sum{}, factors)
	if made {
		i := Exactly(1)
		for _, b := range factors {
			i = i.Times(t.list[b].Interval)
		}
		t.list[a].Interval = i
	}
	return a
}

// Mul is x·y.
func (t *Atoms) Mul(x, y Sum) Sum {
	if c, ok := x.Value(); ok {
		return t.Scale(y, c)
	}
	if c, ok := y.Value(); ok {
		return t.Scale(x, c)
	}
	if x.Lost || y.Lost {
		return Unknown
	}
	out := t.Scale(y, x.C)
	for _, u := range x.Terms {
		part := t.Unit(Term{u.Atom, u.Coef}).Times(y.C)
		for _, v := range y.Terms {
			p := t.Product(slices.Concat(t.Factors(u.Atom), t.Factors(v.Atom)))
			if p < 0 {
				return Unknown
			}
			part = t.Combine(part, 1, t.Unit(Term{p, u.Coef}), v.Coef)
		}
		out = t.Combine(out, 1, part, 1)
	}
	return out
}

// over is a/b, not ok where b does not divide it.
func (t *Atoms) over(a, b Atom) (q Atom, ok bool) {
	switch b {
	case One:
		return a, true
	case a:
		return One, true
	}
	rest := slices.Clone(t.Factors(a))
	for _, f := range t.Factors(b) {
		i := slices.Index(rest, f)
		if i < 0 {
			return One, false
		}
		rest = slices.Delete(rest, i, i+1)
	}
	return t.Product(rest), true
}

// Split takes x apart as q·by + r, where no term of r is a multiple of by, whose coefficient is positive.
func (t *Atoms) Split(x Sum, by Term) (q, r Sum) {
	if x.Lost {
		return Unknown, Unknown
	}
	q.Terms, r.Terms = t.terms(len(x.Terms)), t.terms(len(x.Terms))
	for _, u := range x.Terms {
		switch a, ok := t.over(u.Atom, by.Atom); {
		case !ok || u.Coef%by.Coef != 0:
			r.Terms = append(r.Terms, u)
		case a == One:
			q.C = u.Coef / by.Coef
		default:
			q.Terms = append(q.Terms, Term{a, u.Coef / by.Coef})
		}
	}
	if r.C = x.C; by.Atom == One {
		q.C = floorDiv(x.C, by.Coef)
		r.C -= q.C * by.Coef
	}
	slices.SortFunc(q.Terms, func(a, b Term) int { return int(a.Atom - b.Atom) })
	return q, r
}

// Linear takes x apart as a·coef + rest, where neither contains a; not ok where x is not linear in a.
func (t *Atoms) Linear(x Sum, a Atom) (coef, rest Sum, ok bool) {
	coef, rest = t.Split(x, Term{a, 1})
	return coef, rest, !t.Has(coef, a)
}

// Mentions reports whether x has an atom, or an atom that is made of it.
func (t *Atoms) Mentions(x Sum, a Atom) bool {
	for b := range t.In(x) {
		if of := t.of(b).of; b == a || t.Mentions(of[0], a) || t.Mentions(of[1], a) {
			return true
		}
	}
	return false
}
