package prove

import (
	"encoding/binary"
	"iter"
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler/num"
)

// A poly is an integer as a polynomial in atoms, exact and without wrapping: Σ coef · a·b·…. One that became too large
// to follow is lost, and so is all that is made of it.
type poly struct {
	terms []term // in the order of their monomials
	lost  bool
}

type term struct {
	m    monomial
	coef int64
}

// monomial is a product of atoms: their numbers in ascending order, two bytes each. The empty one is 1.
type monomial string

// maxTerms and maxDegree bound what is followed: the terms of a poly, and the atoms of a monomial.
const maxTerms, maxDegree = 40, 6

var lost = poly{lost: true}

func constant(c int64) poly {
	if c == 0 {
		return poly{}
	}
	return poly{terms: []term{{"", c}}}
}

func atomPoly(a atomID) poly { return poly{terms: []term{{monomialOf(a), 1}}} }

func monomialOf(atoms ...atomID) monomial {
	slices.Sort(atoms)
	var b []byte
	for _, a := range atoms {
		b = binary.BigEndian.AppendUint16(b, uint16(a))
	}
	return monomial(b)
}

// first is the first factor of m, which is not 1.
func (m monomial) first() atomID { return atomID(m[0])<<8 | atomID(m[1]) }

// atoms are the factors of m, in ascending order.
func (m monomial) atoms() iter.Seq[atomID] {
	return func(yield func(atomID) bool) {
		for ; m != ""; m = m[2:] {
			if !yield(m.first()) {
				return
			}
		}
	}
}

func (m monomial) has(a atomID) bool {
	for ; m != ""; m = m[2:] {
		if m.first() == a {
			return true
		}
	}
	return false
}

func (m monomial) times(n monomial) monomial {
	if m == "" {
		return n
	}
	return monomialOf(slices.AppendSeq(slices.Collect(m.atoms()), n.atoms())...)
}

// over is m/n, not ok where n does not divide it.
func (m monomial) over(n monomial) (q monomial, ok bool) {
	for at := 0; n != ""; n = n[2:] {
		for at < len(m) && m[at:at+2] != n[:2] {
			at += 2
		}
		if at >= len(m) {
			return "", false
		}
		m = m[:at] + m[at+2:]
	}
	return m, true
}

// value is the number that x is, not ok where it has atoms or is lost.
func (x poly) value() (c int64, ok bool) {
	switch {
	case x.lost || len(x.terms) > 1:
		return 0, false
	case len(x.terms) == 0:
		return 0, true
	}
	return x.terms[0].coef, x.terms[0].m == ""
}

func (x poly) equal(y poly) bool {
	return !x.lost && !y.lost && slices.Equal(x.terms, y.terms)
}

// key identifies x among polys.
func (x poly) key() string {
	var b []byte
	for _, t := range x.terms {
		b = append(append(b, byte(len(t.m))), t.m...)
		b = binary.BigEndian.AppendUint64(b, uint64(t.coef))
	}
	return string(b)
}

func (x poly) add(y poly) poly { return x.addScaled(y, 1) }
func (x poly) sub(y poly) poly { return x.addScaled(y, -1) }

func (x poly) addConst(c int64) poly { return x.add(constant(c)) }
func (x poly) times(k int64) poly    { return poly{}.addScaled(x, k) }
func (x poly) negated() poly         { return x.times(-1) }

// addScaled is x + k·y.
func (x poly) addScaled(y poly, k int64) poly {
	if x.lost || y.lost {
		return lost
	}
	out := poly{terms: make([]term, 0, len(x.terms)+len(y.terms))}
	for i, j := 0, 0; i < len(x.terms) || j < len(y.terms); {
		var t term
		order := 0
		switch {
		case i == len(x.terms):
			order = 1
		case j == len(y.terms):
			order = -1
		default:
			order = strings.Compare(string(x.terms[i].m), string(y.terms[j].m))
		}
		if order <= 0 {
			t = x.terms[i]
			i++
		}
		if order >= 0 {
			c, ok1 := num.MulExact(y.terms[j].coef, k)
			sum, ok2 := num.AddExact(t.coef, c)
			if !ok1 || !ok2 {
				return lost
			}
			t = term{y.terms[j].m, sum}
			j++
		}
		if t.coef != 0 {
			out.terms = append(out.terms, t)
		}
	}
	if len(out.terms) > maxTerms {
		return lost
	}
	return out
}

func (x poly) sort() {
	slices.SortFunc(x.terms, func(a, b term) int { return strings.Compare(string(a.m), string(b.m)) })
}

func (x poly) mul(y poly) poly {
	if x.lost || y.lost {
		return lost
	}
	out := poly{}
	for _, t := range x.terms {
		part := poly{terms: make([]term, 0, len(y.terms))}
		for _, u := range y.terms {
			c, ok := num.MulExact(t.coef, u.coef)
			m := t.m.times(u.m)
			if !ok || len(m) > 2*maxDegree {
				return lost
			}
			part.terms = append(part.terms, term{m, c})
		}
		part.sort()
		out = out.add(part)
	}
	return out
}

// split takes x apart as q·(coef·m) + r, where no term of r is a multiple of coef·m.
func (x poly) split(by term) (q, r poly) {
	if x.lost {
		return lost, lost
	}
	for _, t := range x.terms {
		if m, ok := t.m.over(by.m); ok && t.coef%by.coef == 0 {
			q.terms = append(q.terms, term{m, t.coef / by.coef})
		} else {
			r.terms = append(r.terms, t)
		}
	}
	q.sort()
	return q, r
}

// in takes x apart as a·coef + rest, where neither contains a; not ok where x is not linear in a.
func (x poly) in(a atomID) (coef, rest poly, ok bool) {
	coef, rest = x.split(term{monomialOf(a), 1})
	return coef, rest, !coef.has(a)
}

func (x poly) has(a atomID) bool {
	return slices.ContainsFunc(x.terms, func(t term) bool { return t.m.has(a) })
}

// common is the greatest common divisor of c and all coefficients of x.
func (x poly) common(c int64) int64 {
	for _, t := range x.terms {
		c = gcd(c, t.coef)
	}
	return c
}

// over is x/d, rounded down, where d divides all coefficients but the constant.
func (x poly) over(d int64) (y poly, ok bool) {
	for _, t := range x.terms {
		c := t.coef / d
		switch {
		case t.m != "" && c*d != t.coef:
			return lost, false
		case c*d > t.coef:
			c--
		}
		y = y.add(poly{terms: []term{{t.m, c}}})
	}
	return y, !x.lost
}
