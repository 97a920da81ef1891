package facts

import (
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
)

// Point is where a program is as it runs, at an element of a tile: there, sums have values.
type Point struct {
	*Walk
	Index   []int                                  // of the element
	Plain   func(Key) (n int64, ok bool)           // an atom without operands
	Element func(v *ir.Value, i int) (int64, bool) // element i of a value; nil where none is known
	Fail    func(text string, of any)              // is told of an atom that is not what the walk says; may be nil

	known map[Atom]value
}

type value struct {
	n  int64
	ok bool
}

// At is what x is; not ok where an atom of it is a number that is no value of the function, or too large.
func (p *Point) At(x Sum) (n int64, ok bool) {
	n, ok = x.C, !x.Lost
	for _, t := range x.Terms {
		v, known := p.atom(t.Atom)
		part, exact1 := num.MulExact(v, t.Coef)
		sum, exact2 := num.AddExact(n, part)
		n, ok = sum, ok && known && exact1 && exact2
	}
	return n, ok
}

// Holds reports whether all of a list are at least 0, as far as is known.
func (p *Point) Holds(list []Sum) (all, known bool) {
	all, known = true, true
	for _, x := range list {
		n, ok := p.At(x)
		all, known = all && (n >= 0 || !ok), known && ok
	}
	return all, known
}

// atom is an atom's value. It has to be in the atom's interval, and its facts have to hold.
func (p *Point) atom(a Atom) (n int64, ok bool) {
	if v, found := p.known[a]; found {
		return v.n, v.ok
	}
	if p.known == nil {
		p.known = map[Atom]value{}
	}
	n, ok = p.define(a)
	if p.known[a] = (value{n, ok}); !ok {
		return n, ok
	}
	if p.Fail == nil {
		return n, ok
	}
	if i := p.IntervalOf(a); !Exactly(n).Within(i) {
		p.Fail("an atom is not in its interval", []any{p.list[a].Key, n, i})
	}
	if all, _ := p.Holds(p.Facts(a)); !all {
		p.Fail("a fact about an atom does not hold", []any{p.list[a].Key, n, p.Facts(a)})
	}
	return n, ok
}

func (p *Point) define(a Atom) (n int64, ok bool) {
	x := p.list[a]
	switch x.Kind {
	case Lane:
		return int64(p.Index[x.N]), true
	case Opaque:
		return p.opaque(x)
	case product:
		n, ok = 1, true
		for _, b := range p.of(a).factors {
			v, known := p.atom(b)
			var exact bool
			n, exact = num.MulExact(n, v)
			ok = ok && known && exact
		}
		return n, ok
	}
	if x.Kind < Lane {
		return p.Plain(x.Key)
	}
	of := p.of(a).of
	m, ok1 := p.At(of[0])
	d, ok2 := p.At(of[1])
	if !ok1 || !ok2 {
		return 0, false
	}
	switch x.Kind {
	case Wrapped:
		v := Number(num.FromInt(num.DType(x.N), m))
		return v.C, !v.Lost
	case Least:
		return min(m, d), true
	case Greatest:
		return max(m, d), true
	}
	if d < 1 {
		if p.Fail != nil {
			p.Fail("a divisor is not positive", d)
		}
		return 0, false
	}
	if q := floorDiv(m, d); x.Kind == Quotient {
		return q, true
	}
	return m - d*floorDiv(m, d), true
}

// opaque is the element of the value that an atom is one of, if that is nothing but the atom.
func (p *Point) opaque(x atom) (n int64, ok bool) {
	if p.Element == nil {
		return 0, false
	}
	own := p.Values[x.value.ID]
	if root, is := own.own(); !is || root != Atom(x.N) {
		return 0, false
	}
	i, at := 0, 0
	for _, n := range x.value.Type.Shape {
		if i *= n; n > 1 {
			i += p.Index[x.View>>at&15-1]
			at += 4
		}
	}
	return p.Element(x.value, i)
}
