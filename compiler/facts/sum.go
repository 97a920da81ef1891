package facts

import (
	"encoding/binary"
	"slices"

	"github.com/newtlab/newt/compiler/num"
)

// A Sum is an integer as C + Σ coef·atom, exact and without wrapping, where products of atoms count as atoms. One that
// became too large to follow is Lost, and so is all that is made of it. Sums share their terms, which nobody changes.
type Sum struct {
	Terms []Term // in the order of atoms
	C     int64
	Lost  bool
}

// Term is coef·atom.
type Term struct {
	Atom Atom
	Coef int64
}

// maxTerms is how many terms are followed.
const maxTerms = 40

// Unknown is the sum that is not followed.
var Unknown = Sum{Lost: true}

// Constant is a number.
func Constant(c int64) Sum { return Sum{C: c} }

// Value is the number that x is, not ok where it has atoms or is lost.
func (x Sum) Value() (c int64, ok bool) { return x.C, len(x.Terms) == 0 && !x.Lost }

// IsZero reports whether x is 0.
func (x Sum) IsZero() bool { return x.C == 0 && len(x.Terms) == 0 && !x.Lost }

// Unit is x where that is one term, or a number.
func (x Sum) Unit() (u Term, ok bool) {
	if c, ok := x.Value(); ok {
		return Term{One, c}, true
	}
	if len(x.Terms) == 1 && x.C == 0 {
		return x.Terms[0], true
	}
	return Term{}, false
}

// Equal reports whether two sums are the same.
func (x Sum) Equal(y Sum) bool {
	return !x.Lost && !y.Lost && x.C == y.C && slices.Equal(x.Terms, y.Terms)
}

// Key identifies x among sums.
func (x Sum) Key() string {
	b := make([]byte, 0, 8+12*len(x.Terms))
	b = binary.BigEndian.AppendUint64(b, uint64(x.C))
	for _, t := range x.Terms {
		b = binary.BigEndian.AppendUint32(b, uint32(t.Atom))
		b = binary.BigEndian.AppendUint64(b, uint64(t.Coef))
	}
	return string(b)
}

// Add is x + y.
func (x Sum) Add(y Sum) Sum { return combine(nil, x, 1, y, 1) }

// Sub is x - y.
func (x Sum) Sub(y Sum) Sum { return combine(nil, x, 1, y, -1) }

// Times is k·x.
func (x Sum) Times(k int64) Sum { return combine(nil, x, k, Sum{}, 0) }

// Negated is -x.
func (x Sum) Negated() Sum { return x.Times(-1) }

// AddConst is x + c.
func (x Sum) AddConst(c int64) Sum {
	sum, ok := num.AddExact(x.C, c)
	if !ok {
		return Unknown
	}
	x.C = sum
	return x
}

// combine is x·k + y·m; its terms are made in the room behind buf, if there is enough.
func combine(buf []Term, x Sum, k int64, y Sum, m int64) Sum {
	if x.Lost || y.Lost {
		return Unknown
	}
	if buf == nil {
		buf = make([]Term, 0, len(x.Terms)+len(y.Terms))
	}
	c, ok := weigh(x.C, k, y.C, m)
	z := Sum{buf, c, false}
	for i, j := 0, 0; ok && (i < len(x.Terms) || j < len(y.Terms)); {
		var t Term
		switch {
		case j == len(y.Terms) || i < len(x.Terms) && x.Terms[i].Atom < y.Terms[j].Atom:
			t.Atom = x.Terms[i].Atom
			t.Coef, ok = num.MulExact(x.Terms[i].Coef, k)
			i++
		case i == len(x.Terms) || y.Terms[j].Atom < x.Terms[i].Atom:
			t.Atom = y.Terms[j].Atom
			t.Coef, ok = num.MulExact(y.Terms[j].Coef, m)
			j++
		default:
			t.Atom = x.Terms[i].Atom
			t.Coef, ok = weigh(x.Terms[i].Coef, k, y.Terms[j].Coef, m)
			i, j = i+1, j+1
		}
		if t.Coef != 0 {
			z.Terms = append(z.Terms, t)
		}
	}
	if !ok || len(z.Terms) > maxTerms {
		return Unknown
	}
	return z
}

// weigh is x·k + y·m.
func weigh(x, k, y, m int64) (z int64, ok bool) {
	p, ok1 := num.MulExact(x, k)
	q, ok2 := num.MulExact(y, m)
	z, ok = num.AddExact(p, q)
	return z, ok && ok1 && ok2
}

// Common is the greatest common divisor of c and all coefficients of x.
func (x Sum) Common(c int64) int64 {
	c = GCD(c, x.C)
	for _, t := range x.Terms {
		c = GCD(c, t.Coef)
	}
	return c
}

// Over is x/d, rounded down, where d divides all coefficients but the constant.
func (x Sum) Over(d int64) (y Sum, ok bool) {
	y = Sum{make([]Term, len(x.Terms)), floorDiv(x.C, d), x.Lost}
	for i, t := range x.Terms {
		if t.Coef%d != 0 {
			return Unknown, false
		}
		y.Terms[i] = Term{t.Atom, t.Coef / d}
	}
	return y, !y.Lost
}

// Number is a scalar's integer, Unknown where that is in the upper half of uint64.
func Number(c num.Scalar) Sum {
	if n := c.Int(); n >= 0 || c.DType.Info().Signed {
		return Constant(n)
	}
	return Unknown
}
